"""Shadows that are painted over and thrown again in another direction.

A turn moves one dark region about a point, the foot of what throws it. Nothing changes outside two
regions: where the shadow lay, with a margin, and where it lies afterwards.
"""

import math
from dataclasses import dataclass
from typing import Any, Final, cast

import cv2
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gainsay.python_udfs.pixels import masks
from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.pixels.masks import Mask
from gainsay.python_udfs.registry import TURNED_SHADOW

_INPAINT_RADIUS: Final = 3
# a surface beside a shadow is no ground when it differs from the median by so many times what the
# ground does, and by so much more (CIELAB of OpenCV's 8 bits)
_ODD_SPREADS: Final = 4.0
_ODD_DIFFERENCE: Final = 10.0
# radius by which the edge of a turned shadow is rounded, and its softness, in pixels
_ROUNDING: Final = 5
_SOFTNESS: Final = 1.5


@dataclass(frozen=True)
class Turn:
    """How a shadow is turned: about `pivot` (x, y), by `degrees` clockwise.

    `margin` and `ring`, in pixels: how far the region is grown to be painted over, and to where
    the light around it is measured. `gains`: least and most that the new shadow leaves of the
    light. `least_moved`: how much of the shadow's area must fall where there was light.
    `objects_rle`: the objects, which the new shadow does not fall on, if any.
    """

    pivot: tuple[float, float]
    degrees: float
    margin: int
    ring: int
    gains: tuple[float, float]
    least_moved: float = 0.0
    objects_rle: str | None = None


def read_turn(parameters: dict[str, Any]) -> Turn:
    """A turn from the JSON of a recipe. Errors: `ValueError` for what is missing or no number."""
    try:
        turn = Turn(
            pivot=(float(parameters["pivot_x"]), float(parameters["pivot_y"])),
            degrees=float(parameters["degrees"]),
            margin=int(parameters["margin"]),
            ring=int(parameters["ring"]),
            gains=(float(parameters["least_gain"]), float(parameters["most_gain"])),
            least_moved=float(parameters.get("least_moved", 0.0)),
            objects_rle=parameters.get("objects"),
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"shadow_turn: parameters {sorted(parameters)}: {error}") from error
    if not all(map(math.isfinite, (*turn.pivot, turn.degrees, *turn.gains))):
        raise ValueError(f"shadow_turn: a parameter is no number: {parameters}")
    return turn


def turned_region(region: Mask, turn: Turn) -> Mask:
    """Where the shadow lies after its turn: within the picture, and not on objects."""
    turned = _turned(region, turn)
    if turn.objects_rle is not None:
        box = _box(turned)
        turned[box][masks.decode(turn.objects_rle, *region.shape)[box] > 0] = 0
    return turned


def _turned(region: Mask, turn: Turn) -> Mask:
    """Where the shadow would fall if nothing stood on the ground."""
    # OpenCV turns counter-clockwise
    motion = cv2.getRotationMatrix2D(turn.pivot, -turn.degrees, 1.0)
    turned = np.zeros(region.shape, np.uint8)
    box = _box(region)
    # masks come column by column, and OpenCV would lay each one out anew
    source = turned.copy()
    source[box] = region[box]
    rows, columns = _reach(box, motion)
    aim = turned[: max(rows, 0), : max(columns, 0)]
    if aim.size:
        aim[:] = cv2.warpAffine(source, motion, aim.shape[::-1], flags=cv2.INTER_NEAREST)
    box = _box(turned)
    if turned[box].size:
        turned[box] = _rounded(turned[box])
    return turned


def _box(region: Mask) -> tuple[slice, slice]:
    """The rows and columns of the smallest box about a region: what to read of a large picture."""
    rows, columns = np.flatnonzero(region.any(axis=1)), np.flatnonzero(region.any(axis=0))
    if not rows.size:
        return slice(0, 0), slice(0, 0)
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _reach(box: tuple[slice, slice], motion: cv2.typing.MatLike) -> tuple[int, int]:
    """Before which row and column of the plane a box lies once it is moved."""
    rows, columns = box
    corners = [[x, y, 1] for x in (columns.start, columns.stop) for y in (rows.start, rows.stop)]
    x, y = np.ceil((motion @ np.transpose(corners)).max(axis=1)) + 1
    return int(y), int(x)


def _rounded(region: Mask) -> Mask:
    """The region without the specks and teeth that a threshold and a turn leave at its edge.

    What is thinner than the rounding stays as it is. Nothing grows beyond the box about it.
    """
    # beyond the picture there is no shadow
    framed = cv2.copyMakeBorder(
        region, *(_ROUNDING,) * 4, borderType=cv2.BORDER_CONSTANT, value=(0,)
    )
    closed = cv2.morphologyEx(framed, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
    rounded = cv2.medianBlur(closed, _ROUNDING)
    thin = cv2.subtract(closed, cv2.dilate(rounded, np.ones((_ROUNDING, _ROUNDING), np.uint8)))
    inside = slice(_ROUNDING, -_ROUNDING)
    return cast(Mask, cv2.bitwise_or(rounded, thin)[inside, inside])


def allowed_region(region: Mask, turn: Turn) -> Mask:
    """Where a turn may change pixels."""
    return cast(Mask, masks.dilated(region, turn.margin) | turned_region(region, turn))


def turn_shadow(pixels: Pixels, region: Mask, turn: Turn) -> Pixels:
    """The picture with its shadow turned.

    The region with its margin is painted over (Telea), then the turned region is darkened by what
    the shadow left of the light: the median value (HSV) in it by that of the ring around it. Its
    edge is soft, and what lies in another shadow already is not darkened twice, because one sun
    throws both. Errors: `ValueError` for a region without pixels, one around which there is no
    light, and a turned one that falls where other shadows are, where it cannot be seen.
    """
    value = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)[..., 2]
    grown = masks.dilated(region, turn.margin)
    ring = (masks.dilated(region, turn.ring) > 0) & (grown == 0)
    if not region.any() or not ring.any():
        raise ValueError("shadow_turn: the region is empty, or fills the picture")
    light = float(np.median(value[ring]))
    shadow = float(np.median(value[region > 0]))
    least, most = turn.gains
    gain = min(most, max(least, shadow / light if light else most))
    painted = pixels.copy()
    ground = _ground(pixels, grown, ring)
    painted[grown > 0] = ground[grown > 0]
    brightness = cv2.cvtColor(painted, cv2.COLOR_BGR2HSV)[..., 2]
    shaded = turned_region(region, turn) > 0
    # in the geometric middle between shadow and light
    shaded &= brightness > math.sqrt(shadow * light)
    moved = np.count_nonzero(shaded & (region == 0)) / np.count_nonzero(region)
    if moved < turn.least_moved:
        raise ValueError(
            f"shadow_turn: {moved:.2f} of the shadow fall where there was light, "
            f"less than {turn.least_moved}"
        )
    # hard where an object cuts it off
    depth = cv2.GaussianBlur(_turned(region, turn).astype(np.float32), (0, 0), _SOFTNESS)
    left = 1.0 - (1.0 - gain) * depth[shaded]
    painted[shaded] = np.rint(painted[shaded] * left[:, None]).astype(np.uint8)
    return painted


def _ground(pixels: Pixels, grown: Mask, ring: npt.NDArray[np.bool_]) -> Pixels:
    """The picture with a shadow painted over (Telea) from the ground beside it.

    What throws the shadow stands beside it, too; its colours do not run into the ground.
    """
    lab = cv2.cvtColor(pixels, cv2.COLOR_BGR2LAB).astype(np.float32)
    differences = np.linalg.norm(lab - np.median(lab[ring], axis=0), axis=2)
    most = _ODD_SPREADS * float(np.median(differences[ring])) + _ODD_DIFFERENCE
    unknown = np.where((grown > 0) | (ring & (differences > most)), 1, 0).astype(np.uint8)
    return cast(Pixels, cv2.inpaint(pixels, unknown, _INPAINT_RADIUS, cv2.INPAINT_TELEA))


def turned_shadow_shares(
    rles: pa.Array,
    heights: pa.Array,
    widths: pa.Array,
    pivots_x: pa.Array,
    pivots_y: pa.Array,
    degrees: pa.Array,
    objects_rles: pa.Array,
) -> pa.Array:
    """How much of a shadow is left once it is turned, and how much of that is new ground.

    `visible_share` = |S'| / |S|: what is left in the picture and off the objects, 0 to 1.
    `moved_share` = |S' less S| / |S|: what lies where no shadow lay; 0 for a shadow that its turn
    maps onto itself, which changes nothing.

    Shapes: run lengths of the region, picture height and width, pivot, degrees clockwise, run
    lengths of the objects. Units: pixels, degrees. Both are null with any null but that of the
    objects. Errors: null for run lengths that do not fill the picture. Source: the specification of
    VLM Reality Check.
    """
    columns = (rles, heights, widths, pivots_x, pivots_y, degrees, objects_rles)
    rows = zip(*(column.to_pylist() for column in columns), strict=True)
    return pa.array([_shares(*row) for row in rows], TURNED_SHADOW)


def _shares(
    rle: str | None,
    height: int | None,
    width: int | None,
    pivot_x: float | None,
    pivot_y: float | None,
    degrees: float | None,
    objects_rle: str | None,
) -> dict[str, float | None]:
    unknown: dict[str, float | None] = {"visible_share": None, "moved_share": None}
    if rle is None or height is None or width is None:
        return unknown
    if pivot_x is None or pivot_y is None or degrees is None:
        return unknown
    turn = Turn((pivot_x, pivot_y), degrees, 0, 0, (0.0, 1.0), objects_rle=objects_rle)
    try:
        region = masks.decode(rle, height, width)
        turned = turned_region(region, turn)
    except ValueError:
        return unknown
    area = int(np.count_nonzero(region))
    if not area:
        return unknown
    n_visible = int(np.count_nonzero(turned))
    box = _box(turned)
    n_stayed = int(np.count_nonzero(turned[box] & region[box]))
    return {"visible_share": n_visible / area, "moved_share": (n_visible - n_stayed) / area}
