"""Where the things of a scene stand in the picture, and how the light falls on them.

The camera looks north and the ground is a plan: up in the picture is north on the ground, so
a shadow that points to azimuth a lies at the angle a clockwise from the picture's vertical.
Things themselves are drawn upright, as in a picture map. A thing of height h pixels casts a
shadow of h / tan(elevation) pixels from its feet.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from gainsay.synth.dice import Dice, Table
from gainsay.synth.moments import Moment, sample_moments
from gainsay.synth.scenes import Scene
from gainsay.synth.shapes import Points, outline_of, shape_of

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
_HORIZONS: Final = {"room": 0.62, "tabletop": 0.38}
_FLYING: Final = frozenset({"kite", "clock"})
# pixels of a height of 1 in `shapes` before the camera zooms; a table is seen from near
_UNIT: Final = 480.0
_UNIT_ON_A_TABLE: Final = 640.0
# how much smaller than the front row a row behind it is
_RECEDING: Final = 0.85
_MOST_ROWS: Final = 3
_FILLED: Final = 0.90
_SCENERY: Final = {"grass": "tree", "savanna": "tree", "asphalt": "lamp post", "paving": "tree"}
# things broader than this by their height show the sun another side at another hour
_SLENDER: Final = 1.15
# how far behind and before its feet a broad thing reaches, by its height
_DEPTHS: Final = (-0.10, 0.05)
_LIGHT_TRIES: Final = 9
_LOWEST_SUN: Final = 14.0
_HIGHEST_SUN: Final = 56.0
_LEAST_SHADOW: Final = 0.018
_MOST_SKEW: Final = 4.0
_MOST_RIVAL_SHADOW: Final = 0.9
_CHECK_SCALE: Final = 0.5


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
    def is_flying(self) -> bool:
        """Whether it flies or hangs, and touches no ground."""
        return self.category in _FLYING

    @property
    def box(self) -> Box:
        """(x, y, width, height) of what is drawn, in pixels."""
        return box_of(np.concatenate(self.outline()))

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
        """The shadow on the ground; a slender thing is taken to be turned towards the sun.

        A broad one faces the camera and is a little deep, so that its shadow starts at all its
        feet.
        """
        length = self.height / np.tan(np.radians(moment.elevation))
        azimuth = np.radians(moment.shadow_azimuth)
        along = np.array([np.sin(azimuth), -np.cos(azimuth)])
        is_broad = shape_of(self.category).aspect > _SLENDER
        across = np.array([1.0, 0.0] if is_broad else [np.cos(azimuth), np.sin(azimuth)])
        # a slender thing's shadow shows no side, so it need not be flipped
        side = -1.0 if is_broad and self.is_flipped else 1.0
        middle = shape_of(self.category).aspect / 2.0
        feet = np.array([self.left + self.width / 2.0, self.base - 0.01 * self.height])
        shadows = [
            feet
            + (1.0 - polygon[:, 1:]) * length * along
            + (polygon[:, :1] - middle) * self.height * side * across
            for polygon in outline_of(self.category).polygons
        ]
        if not is_broad:
            return shadows
        behind, before = (np.array([0.0, depth * self.height]) for depth in _DEPTHS)
        return [part for shadow in shadows for part in _swept(shadow, behind, before)]


def _swept(polygon: Points, start: Points, end: Points) -> list[Points]:
    """The area that a polygon covers on its way from one shift to another, as polygons."""
    following = np.roll(polygon, -1, axis=0)
    sides = [polygon + start, following + start, following + end, polygon + end]
    return [polygon + start, polygon + end, *np.stack(sides, axis=1)]


def box_of(points: Points) -> Box:
    """The smallest (x, y, width, height) around points, in hundredths of a pixel."""
    left, top = points.min(axis=0).tolist()
    right, bottom = points.max(axis=0).tolist()
    return round(left, 2), round(top, 2), round(right - left, 2), round(bottom - top, 2)


@dataclass(frozen=True, slots=True)
class Layout:
    """Where everything stands: sizes in pixels, things from back to front."""

    scene: Scene
    width: int
    height: int
    horizon: float
    things: tuple[Thing, ...]


@dataclass(frozen=True, slots=True)
class Composition:
    """A picture before it is painted: a layout and its light."""

    layout: Layout
    moment: Moment
    weather: Weather

    @property
    def shadow_angle(self) -> float | None:
        """The angle of the shadows one sees, degrees clockwise from south, if there are any."""
        return self.moment.shadow_angle if self.weather == "sunny" else None


class _Part(NamedTuple):
    """Something to place, and its natural height in pixels."""

    category: str
    colour: str
    group: int | None
    text: str | None
    height: float

    @property
    def width(self) -> float:
        return self.height * shape_of(self.category).aspect


class _Row(NamedTuple):
    """Things side by side: the line they stand on, and the line they stay below, in pixels."""

    parts: Sequence[_Part]
    ceiling: float
    base: float
    nearness: float

    def largest_scale(self, width: int) -> float:
        """The largest scale at which the row fits."""
        if not self.parts:
            return math.inf
        tallest = max(part.height for part in self.parts)
        broad = sum(part.width for part in self.parts)
        fitting = min((self.base - self.ceiling) / tallest, width / broad)
        return _FILLED * fitting / self.nearness


def picture_size(seed: int, number: int) -> tuple[int, int]:
    """Width and height in pixels of image `number`."""
    return Dice(seed, "size", number).weighted(_SIZES)


def lay_out(seed: int, scene: Scene) -> Layout:
    """Place the things of a scene in rows, all at one scale, so that none hides another."""
    dice = Dice(seed, "layout", scene.number)
    width, height = picture_size(seed, scene.number)
    horizon = height * _HORIZONS.get(scene.setting.ground, dice.between(0.24, 0.34))
    flying, standing = _parts(dice, scene)
    sky = 0.72 * horizon if flying else 0.03 * height
    front = dice.between(0.76, 0.94) * height
    rows = max(
        (_rows(standing, n, (sky, horizon, front), height) for n in range(1, _MOST_ROWS + 1)),
        key=lambda rows: _scale(rows, width),
    )
    scale = min(dice.between(1.0, 1.6), _scale(rows, width))
    air = _Row(flying, 0.0, sky, 1.0)
    # water shows no hard shadow
    is_dry = scene.setting.ground != "water"
    things = _side_by_side(
        dice, air, min(scale, air.largest_scale(width)), width, casts_shadow=False
    )
    for row in rows:
        things += _side_by_side(dice, row, scale * row.nearness, width, casts_shadow=is_dry)
    return Layout(scene, width, height, horizon, tuple(things))


def light(seed: int, layout: Layout) -> Composition:
    """Choose a moment that lights a layout."""
    dice = Dice(seed, "light", layout.scene.number)
    if layout.scene.setting.is_indoor:
        return Composition(layout, sample_moments(dice, 1, 7.0, 22.0)[0], "indoor")
    moments = sample_moments(dice, _LIGHT_TRIES, 5.5, 20.5)
    for moment in moments:
        if _is_readable(moment, layout):
            return Composition(layout, moment, "sunny")
    return Composition(layout, moments[0], "night" if moments[0].elevation < -4.0 else "overcast")


def _parts(dice: Dice, scene: Scene) -> tuple[list[_Part], list[_Part]]:
    """Things that fly or hang, and things that stand, in random order."""
    unit = _UNIT_ON_A_TABLE if scene.setting.ground == "tabletop" else _UNIT

    def part(category: str, colour: str, group: int | None, text: str | None = None) -> _Part:
        natural = shape_of(category).height * unit * dice.between(0.93, 1.07)
        return _Part(category, colour, group, text, natural)

    flying: list[_Part] = []
    standing: list[_Part] = []
    for index, group in enumerate(scene.groups):
        name = group.kind.name
        members = [part(name, group.colour, index) for _ in range(group.count)]
        (flying if name in _FLYING else standing).extend(members)
    if scene.sign is not None:
        standing.append(part("sign", dice.pick(("green", "blue", "white")), None, scene.sign))
    scenery = _SCENERY.get(scene.setting.ground)
    if scenery is not None and len(standing) < 6 and dice.chance(0.6):
        standing.append(part(scenery, "green", None))
    return flying, dice.shuffled(standing)


def _rows(
    standing: Sequence[_Part], how_many: int, lines: tuple[float, float, float], height: int
) -> list[_Row]:
    """Deal things to rows from back to front; `lines` are the lowest ceiling, horizon, front."""
    sky, horizon, front = lines
    back = max(horizon + 0.08 * height, {1: front, 2: 0.60 * height}.get(how_many, 0.48 * height))
    step = (0.95 * height - back) / max(how_many - 1, 1)
    bases = [back + row * step for row in range(how_many)]
    ceilings = [sky, *(base + 0.015 * height for base in bases)]
    per_row = -(-len(standing) // how_many)
    return [
        _Row(
            standing[row * per_row : (row + 1) * per_row],
            ceilings[row],
            bases[row],
            _RECEDING ** (how_many - 1 - row),
        )
        for row in range(how_many)
    ]


def _scale(rows: Sequence[_Row], width: int) -> float:
    return min(row.largest_scale(width) for row in rows)


def _side_by_side(
    dice: Dice, row: _Row, scale: float, width: int, *, casts_shadow: bool
) -> list[Thing]:
    """Place a row's things at a scale that fits, with gaps of random width between them."""
    gaps = [dice.between(0.3, 1.0) for _ in range(len(row.parts) + 1)]
    slack = width - scale * sum(part.width for part in row.parts)
    things: list[Thing] = []
    left = 0.0
    for part, gap in zip(row.parts, gaps, strict=False):
        left += slack * gap / sum(gaps)
        room = row.base - row.ceiling - scale * part.height
        things.append(
            Thing(
                category=part.category,
                colour=part.colour,
                group=part.group,
                left=left,
                base=row.base - dice.between(0.0, 0.2) * room,
                height=scale * part.height,
                is_flipped=part.text is None and part.category != "stop sign" and dice.chance(0.5),
                casts_shadow=casts_shadow and part.category not in _FLYING,
                text=part.text,
            )
        )
        left += scale * part.width
    return things


def _is_readable(moment: Moment, layout: Layout) -> bool:
    """Whether the largest shadow that remains visible lies along the shadows' direction."""
    if not _LOWEST_SUN <= moment.elevation <= _HIGHEST_SUN:
        return False
    visible = visible_shadow(moment, layout, _CHECK_SCALE)
    contours, _ = cv2.findContours(visible, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    if not contours:
        return False
    largest, *others = sorted(contours, key=cv2.contourArea, reverse=True)
    area = cv2.contourArea(largest)
    if area < _LEAST_SHADOW * visible.size or len(largest) < 5:
        return False
    # of two that are nearly as large, another scale may choose the other one
    if others and cv2.contourArea(others[0]) > _MOST_RIVAL_SHADOW * area:
        return False
    skew = abs(cv2.fitEllipse(largest)[2] - moment.shadow_azimuth) % 180.0
    return min(skew, 180.0 - skew) <= _MOST_SKEW


def visible_shadow(moment: Moment, layout: Layout, scale: float = 1.0) -> NDArray[np.uint8]:
    """A mask of the ground in hard shadow that no thing hides, at `scale` times the size."""
    mask = np.zeros((round(layout.height * scale), round(layout.width * scale)), np.uint8)
    for thing in layout.things:
        if thing.casts_shadow:
            for polygon in thing.shadow(moment):
                cv2.fillPoly(mask, [np.round(polygon * scale).astype(np.int32)], 1)
    mask[: round(layout.horizon * scale)] = 0
    for thing in layout.things:
        for polygon in thing.outline():
            cv2.fillPoly(mask, [np.round(polygon * scale).astype(np.int32)], 0)
    return mask
