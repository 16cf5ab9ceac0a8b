"""Polygons, discs and gradients on an array of RGB pixels."""

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

_SUBPIXEL: Final = 4


def fill(image: Pixels, polygon: NDArray[np.float64], colour: tuple[int, ...]) -> None:
    """Paint a polygon of (x, y) in pixels over the image, with soft edges."""
    points = np.round(polygon * (1 << _SUBPIXEL)).astype(np.int32)
    cv2.fillPoly(image, [points], colour, cv2.LINE_AA, _SUBPIXEL)


def rectangle(left: float, top: float, right: float, bottom: float) -> NDArray[np.float64]:
    """A rectangle as a polygon."""
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def disc(x: float, y: float, rx: float, ry: float | None = None) -> NDArray[np.float64]:
    """An ellipse, or a circle, as a polygon."""
    turn = np.linspace(0.0, 2.0 * np.pi, 36, endpoint=False)
    return np.stack([x + rx * np.cos(turn), y + (rx if ry is None else ry) * np.sin(turn)], axis=1)


def gradient(first: Colour, last: Colour, steps: int) -> Pixels:
    """`steps` colours from the first to the last."""
    return np.round(np.linspace(first, last, steps)).astype(np.uint8)


def mix(one: Colour, other: Colour, share: float) -> Colour:
    """A colour that is `share` of the way to the other."""
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b
