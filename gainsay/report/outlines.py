"""Boxes and masks as SVG paths in a picture's pixels, so that a page scales them with it."""

import cv2
import numpy as np

from gainsay.python_udfs.pixels.masks import Mask, decode


def box_path(left: float, top: float, width: float, height: float) -> str:
    """The path of a box."""
    return f"M{left:.1f} {top:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z"


def polygon_path(flat: list[float]) -> str:
    """The path of a polygon, whose coordinates alternate."""
    points = zip(flat[::2], flat[1::2], strict=False)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "z"


def mask_path(rle: str, height: int, width: int, tolerance: float = 0.0) -> str:
    """The outline of a mask; none where its run lengths do not fill the picture.

    With a `tolerance` in pixels, corners that a line misses by less are left out.
    """
    try:
        mask: Mask = decode(rle, height, width)
    except ValueError:
        return ""
    contours, _ = cv2.findContours(
        np.ascontiguousarray(mask), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1
    )
    outlines = [cv2.approxPolyDP(one, tolerance, True) if tolerance else one for one in contours]
    return " ".join(
        "M" + "L".join(f"{x} {y}" for [[x, y]] in outline.tolist()) + "z"
        for outline in outlines
        if len(outline) > 2
    )
