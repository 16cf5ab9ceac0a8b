"""The colours of objects in pictures: the fullest bin of a coarse histogram, and its mean."""

from typing import Any, Final, cast

import cv2
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gainsay.python_udfs.annotate.annotators import Finding, annotated
from gainsay.python_udfs.pixels import masks
from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.registry import OBJECT_COLORS

_BLACK, _WHITE, _GRAY, _FIRST_HUE = range(4)
_BLACK_VALUE: Final = 40
_GRAY_SATURATION: Final = 50
_WHITE_VALUE: Final = 200
# OpenCV counts hues in steps of two degrees
_HUE_STEPS: Final = 15
_N_BINS: Final = _FIRST_HUE + 12


def measure_object_colors(*columns: pa.Array) -> pa.Array:
    """The colour of each object that a picture is given with, as `OBJECT_COLORS`.

    Shapes: path, archive, SHA-256, folder for what is kept, most bytes, and the objects: a list of
    `bbox` (left, top, width, height) and `rle` (compressed run lengths, or null for the whole
    box). Units: `share` of the object's pixels in its fullest bin; CIELAB (D65) of their mean. An
    object that covers no pixel has nulls. Errors: a picture that cannot be read, and a mask that
    does not fill it, say so in `error`. Source: the specification of VLM Reality Check, section 3:
    fifteen bins of HSV, of black, white, gray and twelve hues of 30 degrees.
    """
    return pa.array(annotated("object colors 1", find_object_colors, columns), OBJECT_COLORS)


def find_object_colors(pixels: Pixels, objects: list[dict[str, Any]]) -> Finding:
    """The colour of each object of a picture (blue, green, red)."""
    bins = _bins_of(pixels)
    return {
        "colors": [_color_of(pixels, bins, one["bbox"], one["rle"]) for one in objects],
        "error": None,
    }


def _bins_of(pixels: Pixels) -> Pixels:
    """The bin of each pixel."""
    hue, saturation, value = cv2.split(cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV))
    bins = _FIRST_HUE + hue // _HUE_STEPS
    bins[saturation < _GRAY_SATURATION] = _GRAY
    bins[(saturation < _GRAY_SATURATION) & (value >= _WHITE_VALUE)] = _WHITE
    bins[value < _BLACK_VALUE] = _BLACK
    return cast(Pixels, bins)


def _color_of(pixels: Pixels, bins: Pixels, bbox: list[float], rle: str | None) -> Finding:
    covered = _covered(bins.shape, bbox, rle)
    counts = np.bincount(bins[covered], minlength=_N_BINS)
    if not counts.sum():
        return {"bin": None, "share": None, "lightness": None, "a": None, "b": None}
    fullest = int(counts.argmax())
    mean = pixels[covered & (bins == fullest)].astype(np.float64).mean(axis=0)
    # OpenCV's floating point colours lie between 0 and 1
    lab = cv2.cvtColor((mean / 255).astype(np.float32).reshape(1, 1, 3), cv2.COLOR_BGR2LAB)
    lightness, a, b = (round(float(number), 2) for number in lab[0, 0])
    share = float(counts[fullest] / counts.sum())
    return {"bin": fullest, "share": share, "lightness": lightness, "a": a, "b": b}


def _covered(shape: tuple[int, ...], bbox: list[float], rle: str | None) -> npt.NDArray[np.bool_]:
    height, width = shape[:2]
    if rle is not None:
        return masks.decode(rle, height, width) > 0
    left, top, box_width, box_height = bbox
    covered = np.zeros((height, width), np.bool_)
    rows = slice(max(0, int(top)), max(0, int(top + box_height)))
    covered[rows, max(0, int(left)) : max(0, int(left + box_width))] = True
    return covered
