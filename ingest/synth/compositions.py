"""Where the things of a scene stand in the picture, and how the light falls on them.

The camera looks north and the ground is a plan: up in the picture is north on the ground, so
a shadow that points to azimuth a lies at the angle a clockwise from the picture's vertical.
Things themselves are drawn upright, as in a picture map. A thing of height h pixels casts a
shadow of h / tan(elevation) pixels from its feet.
"""

from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np

from ingest.synth.dice import Dice, Table
from ingest.synth.moments import Moment, sample_moments
from ingest.synth.scenes import Scene
from ingest.synth.shapes import Points, outline_of, shape_of

Weather = Literal["sunny", "overcast", "night", "indoor"]
Box = tuple[float, float, float, float]

_SIZES: Final = Table(
    {
        (640, 480): 30,
        (480, 640): 14,
        (640, 427): 18,
        (427, 640): 8,
        (640, 640): 4,
        (612, 612): 4,
        (500, 375): 10,
        (375, 500): 4,
        (640, 360): 8,
    }
)
_FLYING: Final = frozenset({"kite", "clock"})
# a wide thing's shadow has no clear axis, so only slender ones cast a hard one
_SLENDER: Final = 0.75
_SCENERY: Final = {"grass": "tree", "savanna": "tree", "asphalt": "lamp post", "paving": "tree"}
_LIGHT_TRIES: Final = 10
_LOWEST_SUN: Final = 14.0
_HIGHEST_SUN: Final = 56.0
_LEAST_SHADOW: Final = 0.014
_MOST_SKEW: Final = 5.0
_CHECK_SCALE: Final = 0.25


@dataclass(frozen=True, slots=True)
class Thing:
    """Something drawn; `left` and `base` place its lower left corner, in pixels."""

    category: str
    colour: str
    group: int | None
    left: float
    base: float
    height: float
    is_flipped: bool
    casts_shadow: bool
    text: str | None = None

    @property
    def width(self) -> float:
        return self.height * shape_of(self.category).aspect

    @property
    def box(self) -> Box:
        """(x, y, width, height) in pixels."""
        return self.left, self.base - self.height, self.width, self.height

    def place(self, points: Points) -> Points:
        """Bring points of the shape's own box into the picture."""
        x = points[:, 0]
        if self.is_flipped:
            x = shape_of(self.category).aspect - x
        return np.stack(
            [self.left + self.height * x, self.base - self.height * (1.0 - points[:, 1])], axis=1
        )

    def outline(self) -> list[Points]:
        """The thing's outline in the picture, largest polygon first."""
        return [self.place(polygon) for polygon in outline_of(self.category).polygons]

    def shadow(self, moment: Moment) -> list[Points]:
        """The shadow on the ground of the thing turned towards the sun."""
        length = self.height / np.tan(np.radians(moment.elevation))
        azimuth = np.radians(moment.shadow_azimuth)
        along = np.array([np.sin(azimuth), -np.cos(azimuth)])
        across = np.array([np.cos(azimuth), np.sin(azimuth)])
        middle = shape_of(self.category).aspect / 2.0
        feet = np.array([self.left + self.width / 2.0, self.base - 0.01 * self.height])
        return [
            feet
            + (1.0 - polygon[:, 1:]) * length * along
            + (polygon[:, :1] - middle) * self.height * across
            for polygon in outline_of(self.category).polygons
        ]


@dataclass(frozen=True, slots=True)
class Composition:
    """A picture before it is painted: sizes in pixels, things from back to front."""

    scene: Scene
    width: int
    height: int
    horizon: float
    things: tuple[Thing, ...]
    moment: Moment
    weather: Weather

    @property
    def shadow_angle(self) -> float | None:
        """The angle of the shadows one sees, degrees clockwise from south, if there are any."""
        return self.moment.shadow_angle if self.weather == "sunny" else None


def picture_size(seed: int, number: int) -> tuple[int, int]:
    """Width and height in pixels of image `number`."""
    return Dice(seed, "size", number).weighted(_SIZES)


def compose(seed: int, scene: Scene) -> Composition:
    """Place a scene's things and choose a moment that lights them."""
    dice = Dice(seed, "compose", scene.number)
    width, height = picture_size(seed, scene.number)
    ground = scene.setting.ground
    horizon = height * {"room": 0.62, "tabletop": 0.38}.get(ground, dice.between(0.24, 0.34))
    things = _place_things(dice, scene, width, height, horizon)
    if scene.setting.is_indoor:
        moment = sample_moments(dice, 1, 7.0, 22.0)[0]
        return Composition(scene, width, height, horizon, things, moment, "indoor")
    moments = sample_moments(dice, _LIGHT_TRIES, 5.5, 20.5)
    for moment in moments:
        if _is_readable(moment, things, width, height, horizon):
            return Composition(scene, width, height, horizon, things, moment, "sunny")
    moment = moments[0]
    weather: Weather = "night" if moment.elevation < -4.0 else "overcast"
    return Composition(scene, width, height, horizon, things, moment, weather)


def _place_things(
    dice: Dice, scene: Scene, width: int, height: int, horizon: float
) -> tuple[Thing, ...]:
    standing: list[tuple[str, str, int | None, str | None]] = []
    flying: list[tuple[str, str, int | None, str | None]] = []
    for index, group in enumerate(scene.groups):
        entry = (group.kind.name, group.colour, index, None)
        (flying if group.kind.name in _FLYING else standing).extend([entry] * group.count)
    if scene.sign is not None:
        standing.append(("sign", dice.pick(("green", "blue", "white")), None, scene.sign))
    scenery = _SCENERY.get(scene.setting.ground)
    if scenery is not None and len(standing) < 6 and dice.chance(0.6):
        standing.append((scenery, "green", None, None))
    standing = dice.shuffled(standing)

    top = horizon * 0.72 if flying else height * 0.03
    things = [
        _thing(dice, entry, (column * width / len(flying), width / len(flying)), 0.0, top)
        for column, entry in enumerate(flying)
    ]
    rows = 1 if len(standing) <= 4 else 2 if len(standing) <= 8 else 3
    per_row = -(-len(standing) // rows)
    first_base = max(horizon + 0.14 * height, 0.56 * height if rows == 1 else 0.0)
    bases = np.linspace(min(first_base, 0.62 * height), 0.95 * height, rows + 1)
    for row in range(rows):
        entries = standing[row * per_row : (row + 1) * per_row]
        base = float(bases[row + 1] if rows > 1 else dice.between(0.72, 0.93) * height)
        ceiling = top if row == 0 else float(bases[row]) + 0.02 * height
        cell = width / max(len(entries), 1)
        things += [
            _thing(dice, entry, (column * cell, cell), ceiling, base)
            for column, entry in enumerate(entries)
        ]
    return tuple(things)


def _thing(
    dice: Dice,
    entry: tuple[str, str, int | None, str | None],
    cell: tuple[float, float],
    ceiling: float,
    base: float,
) -> Thing:
    """A thing that fills its cell as far as its nature allows."""
    category, colour, group, text = entry
    shape = shape_of(category)
    left, width = cell
    room = base - ceiling
    jitter = dice.between(0.0, 0.12) * room
    natural = shape.height * dice.between(0.92, 1.15) * 480.0
    height = min(natural, 0.98 * (room - jitter), 0.9 * width / shape.aspect)
    slack = width - height * shape.aspect
    return Thing(
        category=category,
        colour=colour,
        group=group,
        left=left + slack * dice.between(0.2, 0.8),
        base=base - jitter,
        height=height,
        is_flipped=text is None and category != "stop sign" and dice.chance(0.5),
        casts_shadow=shape.aspect <= _SLENDER and category not in _FLYING,
        text=text,
    )


def _is_readable(
    moment: Moment, things: tuple[Thing, ...], width: int, height: int, horizon: float
) -> bool:
    """Whether the largest shadow that remains visible lies along the shadows' direction."""
    if not _LOWEST_SUN <= moment.elevation <= _HIGHEST_SUN:
        return False
    visible = visible_shadow(moment, things, width, height, horizon, _CHECK_SCALE)
    contours, _ = cv2.findContours(visible, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return False
    largest = max(contours, key=cv2.contourArea)
    if cv2.contourArea(largest) < _LEAST_SHADOW * visible.size or len(largest) < 5:
        return False
    skew = abs(cv2.fitEllipse(largest)[2] - moment.shadow_azimuth) % 180.0
    return min(skew, 180.0 - skew) <= _MOST_SKEW


def visible_shadow(
    moment: Moment,
    things: tuple[Thing, ...],
    width: int,
    height: int,
    horizon: float,
    scale: float = 1.0,
) -> np.ndarray[tuple[int, int], np.dtype[np.uint8]]:
    """A mask of the ground in hard shadow that no thing hides, at `scale` times the size."""
    mask = np.zeros((round(height * scale), round(width * scale)), np.uint8)
    for thing in things:
        if thing.casts_shadow:
            for polygon in thing.shadow(moment):
                cv2.fillPoly(mask, [np.round(polygon * scale).astype(np.int32)], 1)
    mask[: round(horizon * scale)] = 0
    for thing in things:
        for polygon in thing.outline():
            cv2.fillPoly(mask, [np.round(polygon * scale).astype(np.int32)], 0)
    return mask
