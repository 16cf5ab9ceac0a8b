"""Masks of objects: COCO's polygons and run lengths, exact to the pixel.

A mask is its height, width and run lengths in COCO's compressed form (columns first). Source of
the form and of every operation on it: `pycocotools`.
"""

import hashlib
import math
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any, Final, TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt
import pyarrow as pa
from pycocotools import mask as coco_mask

from gainsay.python_udfs.registry import MASK

Mask: TypeAlias = npt.NDArray[np.uint8]
Rle: TypeAlias = dict[str, Any]
# a shape, the corner (row, column) that places are counted from, and whether it may lie at each
Places: TypeAlias = tuple[Mask, tuple[int, int], npt.NDArray[np.bool_]]

# run lengths of a few letters can claim any size
LARGEST_MASK: Final = 2**28
# five bits each; a run, or the difference of two, has at most as many bits as `LARGEST_MASK`
_LETTERS_OF_A_RUN: Final = 6
# what pycocotools walks along edges, in five steps a pixel and some fifty bytes a step: all of a
# row's edges cover its picture a few times at most
_LONGEST_EDGES: Final = 2**22
_TIMES_COVERED: Final = 4
_TIMES_AROUND: Final = 64
# texts up to here are kept when they were checked
_LONGEST_KEPT: Final = 2**16


def rle_of(text: str, height: int, width: int) -> Rle:
    """A mask as pycocotools takes it."""
    return {"counts": text.encode("ascii"), "size": [height, width]}


def decode(text: str, height: int, width: int) -> Mask:
    """The pixels of a mask, height by width, 0 or 1.

    Errors: `ValueError` as `checked_rle`.
    """
    return cast(Mask, coco_mask.decode(checked_rle(text, height, width)))


def checked_rle(text: str, height: int, width: int) -> Rle:
    """A mask as pycocotools takes it, once it is known to fill its size.

    Errors: `ValueError` for run lengths that do not, with which pycocotools would read or write
    beyond the picture.
    """
    # a mask is compared with several boxes and other masks
    check = _kept_rle if len(text) <= _LONGEST_KEPT else _checked_rle
    return check(text, height, width)


def _checked_rle(text: str, height: int, width: int) -> Rle:
    _check_size(height, width)
    try:
        runs = _run_lengths(text)
    except (UnicodeEncodeError, IndexError, OverflowError) as error:
        raise ValueError("run lengths are not in COCO's compressed form") from error
    _check_runs(runs, height, width)
    return rle_of(text, height, width)


_kept_rle = lru_cache(maxsize=4096)(_checked_rle)


def _check_size(height: int, width: int) -> None:
    if height < 1 or width < 1 or height * width > LARGEST_MASK:
        raise ValueError(f"a mask of {height} x {width}; it has 1 to {LARGEST_MASK:,} pixels")


def _check_runs(runs: list[int], height: int, width: int) -> None:
    # every run but the first has a pixel
    if len(runs) > height * width + 1:
        raise ValueError(f"{len(runs):,} run lengths for {height} x {width} pixels")
    if any(run < 0 for run in runs) or sum(runs) != height * width:
        raise ValueError(f"run lengths cover {sum(runs):,} pixels, not {height} x {width}")


def _run_lengths(text: str) -> list[int]:
    """Run lengths of the compressed form: five bits a character, each third on as difference."""
    data = text.encode("ascii")
    runs: list[int] = []
    position = 0
    while position < len(data):
        value = shift = 0
        while True:
            if shift == 5 * _LETTERS_OF_A_RUN:
                raise OverflowError("a run length of more letters than any has")
            bits = data[position] - 48
            value |= (bits & 0x1F) << shift
            shift += 5
            position += 1
            if not bits & 0x20:
                break
        if bits & 0x10:
            value -= 1 << shift
        runs.append(value + runs[-2] if len(runs) > 2 else value)
    return runs


def encode(mask: Mask) -> str:
    """The compressed run lengths of a mask of zeros and others."""
    rle = coco_mask.encode(np.asfortranarray(mask > 0, dtype=np.uint8))
    return cast(str, rle["counts"].decode("ascii"))


def mask_of(segmentation: Rle, height: int, width: int) -> Mask | None:
    """The pixels of a `SEGMENTATION`, height by width, 0 or 1; null where it is none."""
    try:
        _check_size(height, width)
        _check_edges([segmentation], height, width)
        parts = _rles(segmentation, height, width)
    except ValueError:
        return None
    return cast(Mask, coco_mask.decode(_merged(parts))) if parts else None


def dilated(mask: Mask, pixels: int) -> Mask:
    """The mask and all pixels within a Euclidean distance of so many pixels of it."""
    box = _box_around(mask)
    if box is None:
        return mask
    # nothing farther away can be that near
    near = tuple(slice(max(side.start - pixels, 0), side.stop + pixels) for side in box)
    distance = cv2.distanceTransform(1 - mask[near], cv2.DIST_L2, cv2.DIST_MASK_PRECISE)
    grown = np.zeros_like(mask)
    grown[near] = distance <= pixels + 1e-3
    return grown


def union_masks(segmentations: pa.Array, heights: pa.Array, widths: pa.Array) -> pa.Array:
    """The union of the segmentations of each row, as one mask.

    Shapes: a list of `SEGMENTATION` and a picture's height and width in pixels, to `MASK`.
    Errors: a row whose segmentations do not fit its picture has the reason in `error` and no
    mask. Source: `pycocotools`, `frPyObjects` and `merge`.
    """
    return pa.array(
        [
            _union(*row)
            for row in zip(
                segmentations.to_pylist(), heights.to_pylist(), widths.to_pylist(), strict=True
            )
        ],
        MASK,
    )


def _union(segmentations: list[Rle] | None, height: int | None, width: int | None) -> Rle | None:
    if segmentations is None or height is None or width is None:
        return None
    try:
        _check_size(height, width)
        _check_edges(segmentations, height, width)
        parts = [rle for one in segmentations for rle in _rles(one, height, width)]
    except ValueError as error:
        return _error_row(error)
    if not parts:
        return {"rle": None, "area": 0, "error": "no segmentation"}
    union = _merged(parts)
    return {
        "rle": union["counts"].decode("ascii"),
        "area": int(coco_mask.area(union)),
        "error": None,
    }


def _merged(parts: list[Rle]) -> Rle:
    """The union of masks; halves are merged first, so that each run is copied a few times."""
    while len(parts) > 2:
        parts = [
            coco_mask.merge(parts[start : start + 2]) if start + 1 < len(parts) else parts[start]
            for start in range(0, len(parts), 2)
        ]
    return cast(Rle, coco_mask.merge(parts))


def _rles(segmentation: Rle | None, height: int, width: int) -> list[Rle]:
    if segmentation is None:
        raise ValueError("neither polygons nor run lengths")
    polygons = segmentation["polygons"]
    if polygons is not None:
        return cast(list[Rle], coco_mask.frPyObjects(polygons, height, width)) if polygons else []
    size = segmentation["size"]
    if list(size or []) != [height, width]:
        raise ValueError(f"run lengths for {size}, in a picture of {[height, width]}")
    if segmentation["counts"] is not None:
        counts = segmentation["counts"]
        if None in counts:
            raise ValueError("a run length is missing")
        _check_runs(counts, height, width)
        return [cast(Rle, coco_mask.frPyObjects({"counts": counts, "size": size}, height, width))]
    text = segmentation["string"]
    if text is None:
        raise ValueError("neither polygons nor run lengths")
    return [checked_rle(text, height, width)]


def _check_edges(segmentations: Sequence[Rle | None], height: int, width: int) -> None:
    """Refuse polygons that are none, or whose edges together are longer than outlines can be."""
    most = min(_LONGEST_EDGES, _TIMES_COVERED * height * width) + _TIMES_AROUND * (height + width)
    length = 0.0
    for one in segmentations:
        for polygon in (one and one["polygons"]) or ():
            _check_polygon(polygon, height, width)
            points = np.array(polygon).reshape(-1, 2)
            length += float(np.abs(points - np.roll(points, 1, axis=0)).max(axis=1).sum())
            if length > most:
                raise ValueError(
                    f"polygons with edges of more than {most:,} pixels, in a picture of"
                    f" {height} x {width}"
                )


def _check_polygon(polygon: list[float | None] | None, height: int, width: int) -> None:
    # pycocotools takes a polygon of four numbers for a box
    if polygon is None or len(polygon) < 6 or len(polygon) % 2:
        raise ValueError("a polygon of fewer than three points")
    if any(number is None or not math.isfinite(number) for number in polygon):
        raise ValueError("a polygon with a point that is no number")
    # pycocotools walks along every edge, and would walk for ever along a hostile one
    farthest = 2 * max(height, width)
    if any(abs(cast(float, number)) > farthest for number in polygon):
        raise ValueError(f"a polygon that leaves its picture of {height} x {width} by far")


def covered_areas(
    rles: pa.Array,
    heights: pa.Array,
    widths: pa.Array,
    lefts: pa.Array,
    tops: pa.Array,
    box_widths: pa.Array,
    box_heights: pa.Array,
) -> pa.Array:
    """How many pixels of a mask a half-open box covers, in pixels; null with any null.

    Shapes: compressed run lengths, picture height and width, box. Errors: null for run lengths
    that do not fill the picture. Source: `pycocotools`, intersection of run lengths.
    """
    rows = _rows(rles, heights, widths, lefts, tops, box_widths, box_heights)
    return pa.array([_number_of(_covered, row) for row in rows], pa.int64())


def _number_of(count: Callable[..., float | None], row: tuple[Any, ...]) -> float | None:
    """What `count` says of a row; null for a row with a null or with a mask that does not fit."""
    if None in row:
        return None
    try:
        return count(*row)
    except ValueError:
        return None


def _covered(
    text: str, height: int, width: int, left: int, top: int, box_width: int, box_height: int
) -> int:
    rle = checked_rle(text, height, width)
    right, bottom = min(left + box_width, width), min(top + box_height, height)
    left, top = max(left, 0), max(top, 0)
    if left >= right or top >= bottom:
        return 0
    corners = np.array([[left, top, right - left, bottom - top]], np.float64)
    [box] = coco_mask.frPyObjects(corners, height, width)
    return int(coco_mask.area(coco_mask.merge([rle, box], intersect=True)))


def open_shares(rles: pa.Array, heights: pa.Array, widths: pa.Array) -> pa.Array:
    """How much of the convex hull around each mask the mask leaves open, 0 to 1.

    0 is a disc, a box or any other bulge; legs, wings and handles leave much of their hull open.
    Shapes: compressed run lengths, picture height and width. Null with any null, and for an empty
    mask. Errors: null for run lengths that do not fill the picture. Source: one less the solidity
    of the shape, with OpenCV's convex hull of its pixels, both counted in whole pixels.
    """
    rows = _rows(rles, heights, widths)
    return pa.array([_number_of(_open_share, row) for row in rows], pa.float64())


def _open_share(text: str, height: int, width: int) -> float | None:
    mask = decode(text, height, width)
    borders, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    if not borders:
        return None
    corners = cv2.convexHull(np.concatenate(borders))
    hull = cv2.fillConvexPoly(np.zeros((height, width), np.uint8), corners, 1)
    n_hull = int(np.count_nonzero(hull))
    return (n_hull - int(np.count_nonzero(mask))) / n_hull


def common_areas(left: pa.Array, right: pa.Array, heights: pa.Array, widths: pa.Array) -> pa.Array:
    """How many pixels two masks of one picture have in common; null with any null.

    Shapes: compressed run lengths twice, height, width. Errors: null for run lengths that do
    not fill the picture. Source: `pycocotools`.
    """
    rows = _rows(left, right, heights, widths)
    return pa.array([_number_of(_common, row) for row in rows], pa.int64())


def _common(one: str, other: str, height: int, width: int) -> int:
    both = [checked_rle(text, height, width) for text in (one, other)]
    return int(coco_mask.area(coco_mask.merge(both, intersect=True)))


def hole_masks(
    rles: pa.Array, heights: pa.Array, widths: pa.Array, distances: pa.Array, ratios: pa.Array
) -> pa.Array:
    """An ellipse that holds each mask and all within a distance of it, as `MASK`.

    Its axes are upright and as the box around the mask, but the shorter one is at least `ratio`
    of the longer, so that the hole is no outline of a knife or a bicycle. What would lie outside
    the picture is cut off. Shapes: compressed run lengths, height, width, distance in pixels,
    ratio. Errors: a row with a null is null; run lengths that do not fill the picture say so in
    `error`.
    """

    def hole(text: str, height: int, width: int, distance: int, ratio: float) -> Rle:
        return _mask_row(_ellipse_around(dilated(decode(text, height, width), distance), ratio))

    rows = _rows(rles, heights, widths, distances, ratios)
    return pa.array([_mask_of(hole, row) for row in rows], MASK)


def _ellipse_around(mask: Mask, ratio: float) -> Mask:
    box = _box_around(mask)
    if box is None:
        return mask
    lengths = [side.stop - side.start for side in box]
    # how far each row and each column lies from the middle, 1 on the ellipse that the box encloses
    rows, columns = (
        ((np.arange(size) - (side.start + side.stop - 1) / 2)
         / (max(length, ratio * max(lengths)) / 2)) ** 2
        for size, side, length in zip(mask.shape, box, lengths, strict=True)
    )  # fmt: skip
    distance = rows[:, None] + columns
    return cast(Mask, (distance <= distance[mask > 0].max()).astype(np.uint8))


def _box_around(mask: Mask) -> tuple[slice, slice] | None:
    """The rows and columns that a mask reaches over; none for an empty one."""
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not len(rows):
        return None
    return slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)


def _mask_of(make: Callable[..., Rle], row: tuple[Any, ...]) -> Rle | None:
    """What `make` makes of a row; null for a row with a null, the reason for one it cannot."""
    if None in row:
        return None
    try:
        return make(*row)
    except ValueError as error:
        return _error_row(error)


def _error_row(error: Exception) -> Rle:
    return {"rle": None, "area": None, "error": str(error)}


def control_masks(
    rles: pa.Array, heights: pa.Array, widths: pa.Array, holes: pa.Array, seed_keys: pa.Array
) -> pa.Array:
    """The hole of each row moved to where it touches none of the objects, as `MASK`.

    A hole that the picture's border cuts stays at that border or is mirrored to the one opposite,
    so that the two cannot be told apart by their shape. Of all such places a seeded one is taken;
    free is a pixel without an object's pixel among its eight neighbours. Shapes: compressed run
    lengths of the objects, height, width, run lengths of the hole, seed key. Errors: without such
    a place, or for run lengths that do not fill the picture, the row says so.
    """

    # several questions ask for the same objects of a picture
    @lru_cache(maxsize=16)
    def places_of(text: str, height: int, width: int, hole_text: str) -> tuple[Mask, list[Places]]:
        objects = decode(text, height, width)
        touched = cv2.dilate(objects, np.ones((3, 3), np.uint8)).astype(np.uint8, copy=False)
        hole = decode(hole_text, height, width)
        return hole, list(_free_places(touched, hole))

    def place(text: str, height: int, width: int, hole_text: str, seed_key: str) -> Rle:
        hole, groups = places_of(text, height, width, hole_text)
        n_places = sum(int(np.count_nonzero(is_free)) for _, _, is_free in groups)
        if not n_places:
            raise ValueError(f"no place for {int(hole.sum()):,} pixels beside the objects")
        digest = hashlib.md5(seed_key.encode(), usedforsecurity=False).hexdigest()
        shape, (top, left) = _nth_place(groups, int(digest[:8], 16) % n_places)
        moved = np.zeros_like(hole)
        moved[top : top + shape.shape[0], left : left + shape.shape[1]] = shape
        return _mask_row(moved)

    rows = _rows(rles, heights, widths, holes, seed_keys)
    return pa.array([_mask_of(place, row) for row in rows], MASK)


def _free_places(touched: Mask, hole: Mask) -> Iterable[Places]:
    """The hole's shape, mirrored or not, and at which rows and columns it meets nothing touched.

    There may be as many places as pixels, so they stay arrays, of shape (rows, columns).
    """
    box = _box_around(hole)
    if box is None:
        return
    # touched pixels left of each column: a run of the shape meets one where its two ends differ
    width = touched.shape[1]
    before = np.zeros((touched.shape[0], width + 1), np.min_scalar_type(width))
    np.cumsum(touched, axis=1, out=before[:, 1:], dtype=before.dtype)
    row_places, column_places = (
        _places_on_axis(side, size) for side, size in zip(box, hole.shape, strict=True)
    )
    for row_step, rows in row_places:
        for column_step, columns in column_places:
            shape = np.ascontiguousarray(hole[box][::row_step, ::column_step])
            is_met = np.zeros((rows.stop - rows.start, columns.stop - columns.start), np.bool_)
            for row, start, stop in _runs(shape):
                of_row = before[rows.start + row : rows.stop + row]
                is_met |= (
                    of_row[:, columns.start + start : columns.stop + start]
                    != of_row[:, columns.start + stop : columns.stop + stop]
                )
            yield shape, (rows.start, columns.start), ~is_met


def _nth_place(groups: list[Places], n: int) -> tuple[Mask, tuple[int, int]]:
    for shape, (top, left), is_free in groups:
        n_free = int(np.count_nonzero(is_free))
        if n < n_free:
            row, column = divmod(int(np.flatnonzero(is_free)[n]), is_free.shape[1])
            return shape, (top + row, left + column)
        n -= n_free
    raise IndexError(n)


def _runs(shape: Mask) -> Iterable[tuple[int, int, int]]:
    """The runs of a shape: the row, the first column and the one behind the last."""
    edges = np.diff(np.pad(shape, ((0, 0), (1, 1))).astype(np.int8), axis=1)
    rows, starts = np.nonzero(edges > 0)
    _, stops = np.nonzero(edges < 0)
    yield from zip(rows.tolist(), starts.tolist(), stops.tolist(), strict=True)


def _places_on_axis(side: slice, size: int) -> list[tuple[int, slice]]:
    """Where a side may begin along its axis: by the step, -1 for mirrored, the first places."""
    last = size - (side.stop - side.start)
    at_start, at_end = side.start == 0, side.stop == size
    if at_start and at_end:
        return [(1, slice(0, 1))]
    if at_start:
        return [(1, slice(0, 1)), (-1, slice(last, last + 1))]
    if at_end:
        return [(-1, slice(0, 1)), (1, slice(last, last + 1))]
    return [(1, slice(0, last + 1))]


def _rows(*columns: pa.Array) -> Iterable[tuple[Any, ...]]:
    return zip(*(column.to_pylist() for column in columns), strict=True)


def _mask_row(mask: Mask) -> Rle:
    return {"rle": encode(mask), "area": int(mask.sum()), "error": None}
