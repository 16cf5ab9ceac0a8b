"""Pictures that are staged for one bias of VLM Reality Check each.

Scenes drawn by chance seldom hold what a bias needs: a pair of signs in two towns that look alike,
two numbers of one thing in one room, three pictures of one place in a day, a thing where it is
never met. These are laid out by hand, each for what the specification of the benchmark asks of a
pair, and so that a reader sees the answer.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final

import numpy as np
from PIL import Image, ImageDraw

from gainsay.python_udfs.annotate.sun import closed_form as sun_position
from gainsay.synth.brush import Colour, Pixels, fill, rectangle
from gainsay.synth.categories import KINDS
from gainsay.synth.compositions import Composition, Layout, Thing, lay_out, light
from gainsay.synth.dice import Dice
from gainsay.synth.moments import Moment
from gainsay.synth.pictures import as_jpeg, font_of, paint
from gainsay.synth.scenes import SETTINGS, Group, Scene, Setting, sample_scene
from gainsay.synth.shapes import shape_of

# the first two words are tags of pictures, and speak of the same scene as the name
SNOW: Final = replace(SETTINGS["park"], name="snow", ground="snow", words=("snow", "sky"))
MOUNTAIN: Final = replace(SETTINGS["farm"], name="mountain", words=("mountain", "sky"))
STREET: Final = SETTINGS["street"]
BEACH: Final = replace(SETTINGS["beach"], words=("beach", "sand"))
GRASSLAND: Final = replace(SETTINGS["park"], name="grassland")
STUDIO: Final = replace(SETTINGS["living room"], name="studio")

# pixels: finer checks blur, coarser ones have fewer edges
_CHECK: Final = 3
_WALL: Final[Colour] = (226, 224, 218)
_BOARD: Final[Colour] = (24, 92, 60)
_INK: Final[Colour] = (250, 250, 244)
# the height of a capital letter by that of Pillow's own font
_CAPITAL: Final = 0.72


@dataclass(frozen=True, slots=True)
class Board:
    """A name on a board: its upper left corner, where its posts end, its letters' height."""

    text: str
    left: float
    top: float
    foot: float
    letters: float


@dataclass(frozen=True, slots=True)
class Shot:
    """A picture before it is painted.

    `check` pixels wide are the checks that cover the things, if any; such things stand before a
    bare wall, so that their outline is the only one. `is_grouped` when all things but the first
    have one box together.
    """

    composition: Composition
    board: Board | None = None
    check: int = 0
    is_grouped: bool = False

    @property
    def scene(self) -> Scene:
        return self.composition.layout.scene

    @property
    def moment(self) -> Moment:
        return self.composition.moment


def chance_shot(seed: int, number: int) -> Shot:
    """The picture of a scene drawn by chance."""
    return Shot(light(seed, lay_out(seed, sample_scene(seed, number))))


def render_shot(seed: int, shot: Shot) -> bytes:
    """The picture as JPEG bytes; the same bytes for one version of Pillow and OpenCV."""
    image = _in_checks(seed, shot) if shot.check else paint(seed, shot.composition)
    if shot.board is not None:
        image = _with_board(image, shot.board)
    return as_jpeg(image, shot.moment)


def _in_checks(seed: int, shot: Shot) -> Pixels:
    """A thing whose surface is all checks, before a bare wall."""
    layout = shot.composition.layout
    painted = paint(seed, shot.composition)
    mask = np.zeros((layout.height, layout.width), np.uint8)
    for thing in layout.things:
        for polygon in thing.outline():
            fill(mask, polygon, (255,))
    rows, columns = np.indices((layout.height, layout.width)) // shot.check
    is_dark = (rows + columns) % 2 == 0
    checked = np.where(is_dark[..., None], painted // 3, 255 - (255 - painted) // 3)
    image = np.empty_like(painted)
    image[:] = _WALL
    covered = mask > 127
    image[covered] = checked[covered]
    return image


def _with_board(image: Pixels, board: Board) -> Pixels:
    font = font_of(round(board.letters / _CAPITAL))
    width = font.getlength(board.text) + 1.6 * board.letters
    bottom = board.top + 2.2 * board.letters
    foot = max(bottom + board.letters, board.foot)
    post = 0.16 * board.letters + 3.0
    for share in (0.2, 0.8):
        middle = board.left + share * width
        fill(image, rectangle(middle - post, bottom, middle + post, foot), (120, 124, 132))
    fill(image, rectangle(board.left, board.top, board.left + width, bottom), _BOARD)
    picture = Image.fromarray(image)
    centre = board.left + width / 2.0, (board.top + bottom) / 2.0
    ImageDraw.Draw(picture).text(centre, board.text, fill=_INK, font=font, anchor="mm")
    return np.asarray(picture)


# --- signs in two towns, beside two things of two colours or alone


def sign(
    seed: int,
    number: int,
    setting: Setting,
    text: str,
    *,
    size: tuple[int, int],
    letters: float,
    area: float = 0.0,
    other: str = "suitcase",
    colours: tuple[str, str] = ("red", "orange"),
) -> Shot:
    """A name on a board; with an elephant of a share of the picture, and another thing."""
    dice = Dice(seed, "sign", number)
    width, height = size
    things: list[Thing] = []
    groups: list[Group] = []
    if area:
        tallest = (area * width * height / shape_of("elephant").aspect) ** 0.5
        least = (0.026 * width * height / shape_of(other).aspect) ** 0.5
        parts = [("elephant", tallest, colours[0]), (other, least, colours[1])]
        broad = sum(shape_of(name).aspect * tall for name, tall, _ in parts)
        gaps = [dice.between(0.4, 1.0) for _ in range(3)]
        left = 0.0
        for gap, (name, tall, colour) in zip(gaps, dice.shuffled(parts), strict=False):
            left += (width - broad) * gap / sum(gaps)
            base = dice.between(0.82, 0.96) * height
            things.append(_thing(name, colour, len(groups), left, base, tall))
            groups.append(Group(KINDS[name], 0, colour, 1))
            left += shape_of(name).aspect * tall
    scene = Scene(number, setting, tuple(groups), None)
    horizon = dice.between(0.28, 0.36) * height
    layout = Layout(scene, width, height, horizon, tuple(things))
    moment = _solar(seed, number, datetime(2011, 5, 1) + timedelta(days=number % 300, hours=11))
    broad = font_of(round(letters / _CAPITAL)).getlength(text) + 1.6 * letters
    board = Board(
        text=text,
        left=dice.between(0.05, 0.95 - broad / width) * width,
        top=dice.between(0.03, 0.10) * height,
        foot=horizon + dice.between(0.02, 0.06) * height,
        letters=letters,
    )
    return Shot(Composition(layout, moment, "overcast"), board)


def _thing(
    category: str, colour: str, group: int | None, left: float, base: float, height: float
) -> Thing:
    return Thing(category, colour, group, left, base, height, is_flipped=False, casts_shadow=False)


# --- one kind of thing, once or several times


def several(seed: int, number: int, setting: Setting, category: str, count: int) -> Shot:
    """`count` things of a kind and a colour."""
    kind = KINDS[category]
    dice = Dice(seed, "several", number)
    group = Group(kind, 0, dice.pick(kind.colours), count)
    return Shot(light(seed, lay_out(seed, Scene(number, setting, (group,), None))))


def single(
    seed: int,
    number: int,
    setting: Setting,
    category: str,
    area: float,
    size: tuple[int, int] | None = None,
) -> Shot:
    """One thing of a kind, its box a share of the picture."""
    layout = several(seed, number, setting, category, 1).composition.layout
    if size is not None:
        width, height = size
        horizon = layout.horizon * height / layout.height
        layout = replace(layout, width=width, height=height, horizon=horizon)
    dice = Dice(seed, "single", number)
    aspect = shape_of(category).aspect
    height = (area * layout.width * layout.height / aspect) ** 0.5
    left = dice.between(0.05, 0.95 - aspect * height / layout.width) * layout.width
    base = dice.between(0.76, 0.94) * layout.height
    drawn = next(thing for thing in layout.things if thing.category == category)
    thing = replace(drawn, left=left, base=base, height=height)
    return Shot(light(seed, replace(layout, things=(thing,))))


# --- one thing whose surface is all checks


def checked(seed: int, number: int, category: str, size: tuple[int, int], share: float) -> Shot:
    """A thing as large as fits into a share of the picture's sides, before a bare wall."""
    dice = Dice(seed, "checked", number)
    width, height = size
    aspect = shape_of(category).aspect
    tall = dice.between(0.97, 1.0) * share * min(width / aspect, height)
    left = 0.03 * width + dice.unit() * (0.94 * width - aspect * tall)
    base = 0.97 * height - dice.unit() * (0.94 * height - tall)
    kind = KINDS[category]
    colour = dice.pick(kind.colours)
    scene = Scene(number, STUDIO, (Group(kind, 0, colour, 1),), None)
    thing = replace(_thing(category, colour, 0, left, base, tall), is_flipped=dice.chance(0.5))
    layout = Layout(scene, width, height, 0.6 * height, (thing,))
    moment = _solar(seed, number, datetime(2011, 5, 1, 15))
    return Shot(Composition(layout, moment, "indoor"), check=_CHECK)


# --- three pictures of one place and day


def day(seed: int, number: int, setting: Setting, clocks: Sequence[datetime]) -> list[Shot]:
    """Pictures of one place, by local mean solar time; the sun throws the shadows of posts."""
    shots = []
    for place, clock in enumerate(clocks):
        dice = Dice(seed, "day", number + place)
        width, height = 640, 480
        scene = Scene(number + place, setting, (), None)
        things = tuple(
            replace(
                _thing(
                    "lamp post" if setting.ground == "asphalt" else "tree", "green", None,
                    (0.12 + 0.28 * column + dice.between(0.0, 0.16)) * width,
                    dice.between(0.66, 0.86) * height,
                    dice.between(0.34, 0.5) * height,
                ),
                casts_shadow=True,
            )
            for column in range(2 + dice.below(2))
        )  # fmt: skip
        layout = Layout(scene, width, height, dice.between(0.26, 0.36) * height, things)
        shots.append(Shot(Composition(layout, _solar(seed, number, clock), "sunny")))
    return shots


def _solar(seed: int, number: int, clock: datetime) -> Moment:
    """A moment by local mean solar time, at a place of its own for every number."""
    dice = Dice(seed, "place", number)
    latitude = round(dice.between(35.0, 52.0), 5)
    longitude = round(-120.0 + number % 240 + dice.between(0.0, 0.9), 5)
    offset = timedelta(milliseconds=round(longitude * 240_000.0))
    utc = (clock - offset).replace(tzinfo=UTC)
    azimuths, elevations = sun_position(
        np.array([utc.replace(tzinfo=None)], dtype="datetime64[ms]"), [latitude], [longitude]
    )
    return Moment(
        city="nowhere",
        latitude=latitude,
        longitude=longitude,
        clock=clock,
        utc=utc,
        offset=offset,
        convention="solar",
        azimuth=round(float(azimuths[0]), 4),
        elevation=round(float(elevations[0]), 4),
    )
