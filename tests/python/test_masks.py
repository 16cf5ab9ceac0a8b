"""Masks are exact to the pixel."""

from typing import Any, cast

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from pycocotools import mask as coco_mask

from gainsay.python_udfs.pixels import masks
from gainsay.python_udfs.registry import SEGMENTATION

Mask = NDArray[np.uint8]
sizes = st.tuples(st.integers(1, 24), st.integers(1, 24))
pixels = arrays(np.uint8, sizes, elements=st.integers(0, 1))


def column(value: Any, kind: pa.DataType | None = None) -> pa.Array:
    """An array of one row."""
    return pa.array([value], kind)


@given(pixels)
def test_run_lengths_there_and_back(mask: Mask) -> None:
    text = masks.encode(mask)
    assert (masks.decode(text, *mask.shape) == mask).all()
    assert (coco_mask.decode(masks.rle_of(text, *mask.shape)) == mask).all()


@given(st.text(st.characters(min_codepoint=40, max_codepoint=130), max_size=12), sizes)
def test_wrong_run_lengths_are_refused(text: str, size: tuple[int, int]) -> None:
    """pycocotools would read beyond the picture, or crash."""
    try:
        decoded = masks.decode(text, *size)
    except ValueError:
        return
    assert decoded.shape == size


@pytest.mark.parametrize(
    "text", ["o" * 100_000, "0" * 100_000, "1" + "o" * 7 + "0", "\xff", "0", ""], ids=len
)
def test_run_lengths_cost_what_a_mask_can(text: str) -> None:
    """A run of 100,000 letters would be a number of as many digits; a run has at most six."""
    with pytest.raises(ValueError, match="run lengths"):
        masks.decode(text, 48, 64)


def test_run_lengths_of_the_largest_mask_are_read() -> None:
    """The longest run there is, beside others."""
    side = 2**14
    runs = [0, masks.LARGEST_MASK - 3, 1, 1, 1]
    rle = coco_mask.frPyObjects({"counts": runs, "size": [side, side]}, side, side)
    assert masks.checked_rle(rle["counts"].decode(), side, side)["size"] == [side, side]


def union(**segmentation: Any) -> dict[str, Any]:
    """The union of one segmentation in a picture of 48 x 64."""
    empty = {"polygons": None, "counts": None, "string": None, "size": None}
    segmentations = pa.array([[empty | segmentation]], pa.list_(SEGMENTATION))
    row: dict[str, Any] = masks.union_masks(segmentations, column(48), column(64))[0].as_py()
    return row


def test_outlines_cost_what_a_picture_can(monkeypatch: pytest.MonkeyPatch) -> None:
    """What pycocotools would walk along is refused before it starts, however it is cut."""
    whole = [0.0, 0.0, 64.0, 0.0, 64.0, 48.0, 0.0, 48.0]
    zigzag = [value for _ in range(400) for value in (0.0, 0.0, 64.0, 48.0)]
    assert union(polygons=[whole])["area"] == 48 * 64
    monkeypatch.setattr(coco_mask, "frPyObjects", lambda *_: pytest.fail("walked"))
    for polygons in ([zigzag], [whole] * 100):
        assert "edges of more than" in union(polygons=polygons)["error"]
    assert "run lengths for 48 x 64" in union(counts=[0] * 4000, size=[48, 64])["error"]


@given(st.lists(st.lists(st.integers(0, 16), min_size=6, max_size=6), min_size=1, max_size=9))
def test_halves_are_merged_to_the_same_union(polygons: list[list[int]]) -> None:
    parts = coco_mask.frPyObjects([list(map(float, each)) for each in polygons], 16, 16)
    assert masks._merged(parts) == coco_mask.merge(parts)


def test_no_mask_is_merged_with_all_that_came_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of 64 masks each is copied six times, and not 63 times."""
    lengths = []
    merge = coco_mask.merge

    def counting(parts: list[Any], *others: Any) -> Any:
        lengths.append(len(parts))
        return merge(parts, *others)

    monkeypatch.setattr(coco_mask, "merge", counting)
    triangles = [[float(x), 1.0, x + 1.0, 1.0, x + 1.0, 3.0] for x in range(64)]
    assert union(polygons=triangles)["error"] is None
    assert max(lengths) == 2


@given(pixels, st.data())
def test_covered_area_of_a_box(mask: Mask, data: st.DataObject) -> None:
    height, width = mask.shape
    box_width, box_height = data.draw(st.integers(1, width)), data.draw(st.integers(1, height))
    left = data.draw(st.integers(0, width - box_width))
    top = data.draw(st.integers(0, height - box_height))
    values = (masks.encode(mask), height, width, left, top, box_width, box_height)
    [covered] = masks.covered_areas(*map(column, values)).to_pylist()
    assert covered == mask[top : top + box_height, left : left + box_width].sum()


def _open_share(mask: Mask) -> float | None:
    [share] = masks.open_shares(*map(column, (masks.encode(mask), *mask.shape))).to_pylist()
    return cast(float | None, share)


def test_a_disc_leaves_none_of_its_hull_open_and_a_cross_much() -> None:
    rows, columns = np.indices((200, 200))
    disc = (rows - 100) ** 2 + (columns - 100) ** 2 < 60**2
    assert _open_share(disc.astype(np.uint8)) == pytest.approx(0, abs=0.01)
    cross = ((abs(rows - 100) < 10) | (abs(columns - 100) < 10)).astype(np.uint8)
    # the hull is a square without its four corners of 90 by 90 pixels, cut in half
    assert _open_share(cross) == pytest.approx(1 - 7600 / (40_000 - 2 * 90**2), abs=0.02)
    assert _open_share(np.zeros((5, 5), np.uint8)) is None
    assert masks.open_shares(*map(column, ("0i0", 4, 5))).to_pylist() == [None]


@given(pixels)
def test_a_hull_holds_its_mask(mask: Mask) -> None:
    share = _open_share(mask)
    assert (share is None) == (not mask.any())
    assert share is None or 0 <= share < 1
    assert share == 0 or not mask.all()


@given(pixels, st.data())
def test_common_area_of_two_masks(mask: Mask, data: st.DataObject) -> None:
    other = data.draw(arrays(np.uint8, mask.shape, elements=st.integers(0, 1)))
    values = (masks.encode(mask), masks.encode(other), *mask.shape)
    [common] = masks.common_areas(*map(column, values)).to_pylist()
    assert common == (mask & other).sum()


@given(pixels, st.integers(0, 9))
def test_dilation_reaches_as_far_as_it_says(mask: Mask, distance: int) -> None:
    grown = masks.dilated(mask, distance)
    ys, xs = np.nonzero(mask)
    for y, x in np.ndindex(mask.shape):
        near = len(ys) and ((ys - y) ** 2 + (xs - x) ** 2).min() <= distance**2
        assert bool(grown[y, x]) == bool(near)


def _hole(mask: Mask, distance: int = 0) -> Mask:
    values = (masks.encode(mask), *mask.shape, distance, 2 / 3)
    [made] = masks.hole_masks(*map(column, values)).to_pylist()
    return masks.decode(made["rle"], *mask.shape)


@given(pixels, st.integers(0, 9))
def test_a_hole_holds_its_objects_and_what_is_near(mask: Mask, distance: int) -> None:
    hole = _hole(mask, distance)
    assert (hole >= masks.dilated(mask, distance)).all()
    assert hole.any() == mask.any()


def test_a_knife_and_a_fork_leave_the_same_hole() -> None:
    knife = np.zeros((200, 200), np.uint8)
    knife[100:104, 40:140] = 1
    fork = knife.copy()
    fork[94:110, 120:140] = 1
    fork[98:106:4, 120:140] = 0
    one, other = _hole(knife, 20), _hole(fork, 20)
    # what both cover, of what either covers
    assert (one & other).sum() > 0.9 * (one | other).sum()
    rows, columns = one.any(axis=1).sum(), one.any(axis=0).sum()
    assert rows == pytest.approx(2 / 3 * columns, abs=2)


@given(pixels, pixels, st.text(max_size=5))
def test_controls_are_the_hole_elsewhere(mask: Mask, other: Mask, key: str) -> None:
    objects = np.zeros_like(other)
    height, width = (min(sides) for sides in zip(mask.shape, other.shape, strict=True))
    objects[:height, :width] = mask[:height, :width]
    hole = _hole(other)
    values = (masks.encode(objects), *objects.shape, masks.encode(hole), key)
    [made] = masks.control_masks(*map(column, values)).to_pylist()
    if made["rle"] is None:
        assert made["error"] == f"no place for {hole.sum():,} pixels beside the objects"
        return
    control = masks.decode(made["rle"], *objects.shape)
    padded = np.pad(objects, 1)
    touched = sum(
        padded[dy : dy + objects.shape[0], dx : dx + objects.shape[1]]
        for dy in range(3)
        for dx in range(3)
    )
    assert not (control & (touched > 0)).any()
    assert made["area"] == control.sum() == hole.sum()
    # as wide and as high, row for row
    assert sorted(control.sum(axis=1)) == sorted(hole.sum(axis=1))
    assert masks.control_masks(*map(column, values)).to_pylist() == [made]


def test_a_hole_at_the_border_keeps_to_a_border() -> None:
    objects = np.zeros((60, 60), np.uint8)
    objects[20:30, :8] = 1
    hole = _hole(objects, 4)
    assert hole[:, 0].any()
    assert not hole[:, -1].any()
    values = (masks.encode(objects), 60, 60, masks.encode(hole))
    for key in "abcdefgh":
        [made] = masks.control_masks(*map(column, (*values, key))).to_pylist()
        control = masks.decode(made["rle"], 60, 60)
        assert control[:, 0].any() or control[:, -1].any()


def test_unions_are_those_of_pycocotools() -> None:
    polygons = [[2.0, 2.0, 30.0, 3.5, 25.0, 20.25], [40.0, 5.0, 50.0, 5.0, 50.0, 30.0, 40.0, 30.0]]
    crowd = np.zeros((40, 60), np.uint8)
    crowd[10:25, 20:45] = 1
    flat = crowd.ravel(order="F")
    edges = np.flatnonzero(np.diff(flat)) + 1
    counts = np.diff(np.concatenate([[0], edges, [flat.size]])).tolist()
    empty = dict.fromkeys(("polygons", "counts", "string", "size"))
    segmentations = [
        empty | {"polygons": polygons},
        empty | {"counts": counts, "size": [40, 60]},
        empty | {"string": masks.encode(crowd), "size": [40, 60]},
    ]
    expected = coco_mask.decode(coco_mask.merge(coco_mask.frPyObjects(polygons, 40, 60))) | crowd

    rows = pa.array([segmentations], pa.list_(SEGMENTATION))
    [union] = masks.union_masks(rows, column(40), column(60)).to_pylist()
    assert union["error"] is None
    assert union["area"] == expected.sum()
    assert (masks.decode(union["rle"], 40, 60) == expected).all()


@pytest.mark.parametrize(
    ("segmentation", "problem"),
    [
        ({"polygons": [[1.0, 2.0, 3.0, 4.0]]}, "three points"),
        ({"polygons": [[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]]}, "three points"),
        ({"counts": [5, 6], "size": [4, 5]}, "in a picture of"),
        ({"counts": [5, 6], "size": [40, 60]}, "cover 11 pixels"),
        ({"counts": [-5, 2405], "size": [40, 60]}, "cover 2,400 pixels"),
        ({"string": "zz", "size": [40, 60]}, "run lengths"),
        ({"polygons": []}, "no segmentation"),
        ({}, "in a picture of"),
    ],
)
def test_broken_segmentations_say_why(segmentation: dict[str, Any], problem: str) -> None:
    whole = dict.fromkeys(("polygons", "counts", "string", "size")) | segmentation
    rows = pa.array([[whole]], pa.list_(SEGMENTATION))
    [union] = masks.union_masks(rows, column(40), column(60)).to_pylist()
    assert union["rle"] is None
    assert problem in union["error"]


def test_nulls_stay_nulls() -> None:
    none = column(None, pa.string())
    number = column(4)
    assert masks.covered_areas(none, *(number,) * 6).to_pylist() == [None]
    assert masks.common_areas(none, none, number, number).to_pylist() == [None]
    assert masks.hole_masks(none, number, number, number, column(0.5)).to_pylist() == [None]
    assert masks.control_masks(none, number, number, none, none).to_pylist() == [None]
