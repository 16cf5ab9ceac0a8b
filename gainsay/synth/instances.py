"""COCO instances of a layout: polygons for single things, run lengths for crowds."""

from itertools import count
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from gainsay.synth.categories import CATEGORY_IDS
from gainsay.synth.compositions import Layout, Thing, box_of
from gainsay.synth.layout import Instance, Rle
from gainsay.synth.shapes import enclosed_area

# groups of at least so many things are annotated as one crowd
CROWD_SIZE: Final = 5
_IDS_PER_IMAGE: Final = 32


def instances_of(layout: Layout, image_id: int) -> list[Instance]:
    """The instances of an image; ids are unique as long as image ids are."""
    ids = count(image_id * _IDS_PER_IMAGE + 1)
    found: list[Instance] = []
    for index, group in enumerate(layout.scene.groups):
        members = [thing for thing in layout.things if thing.group == index]
        category_id = CATEGORY_IDS[group.kind.name]
        if group.count >= CROWD_SIZE:
            found.append(_crowd(layout, members, image_id, category_id, next(ids)))
        else:
            found += [_single(thing, image_id, category_id, next(ids)) for thing in members]
    return found


def _single(thing: Thing, image_id: int, category_id: int, instance_id: int) -> Instance:
    polygons = [polygon.round(2) for polygon in thing.outline()]
    return Instance(
        segmentation=[polygon.ravel().tolist() for polygon in polygons],
        area=round(sum(map(enclosed_area, polygons)), 4),
        iscrowd=0,
        image_id=image_id,
        bbox=box_of(np.concatenate(polygons)),
        category_id=category_id,
        id=instance_id,
    )


def _crowd(
    layout: Layout, things: list[Thing], image_id: int, category_id: int, instance_id: int
) -> Instance:
    mask = mask_of(things, layout.width, layout.height)
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    left, top = int(columns[0]), int(rows[0])
    return Instance(
        segmentation=run_lengths(mask),
        area=int(mask.sum()),
        iscrowd=1,
        image_id=image_id,
        bbox=(left, top, int(columns[-1]) - left + 1, int(rows[-1]) - top + 1),
        category_id=category_id,
        id=instance_id,
    )


def mask_of(things: list[Thing], width: int, height: int) -> NDArray[np.uint8]:
    """The pixels whose centre lies in a thing's outline, as zeros and ones."""
    mask = np.zeros((height, width), np.uint8)
    for thing in things:
        for polygon in thing.outline():
            # a pixel's centre is at half its coordinates, OpenCV's at its corner
            points = np.round((polygon - 0.5) * 16.0).astype(np.int32)
            cv2.fillPoly(mask, [points], 1, shift=4)
    return mask


def run_lengths(mask: NDArray[np.uint8]) -> Rle:
    """COCO's uncompressed run lengths of a mask of zeros and ones.

    Source: cocodataset, `pycocotools`: columns are read first, the first run counts zeros.
    """
    pixels = mask.ravel(order="F")
    edges = np.flatnonzero(np.diff(pixels)) + 1
    bounds = np.concatenate([[0], edges, [pixels.size]])
    counts: list[int] = np.diff(bounds).tolist()
    if pixels.size and pixels[0]:
        counts.insert(0, 0)
    return Rle(counts=counts, size=(mask.shape[0], mask.shape[1]))
