"""The drawn categories as coloured polygons, and their outlines.

A shape stands in a box of height 1 and width `aspect`, y downwards, feet at y = 1. Its parts
are painted in order; each has a role that decides its colour.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]
Part = tuple[str, Points]

_OVAL = np.linspace(0.0, 2.0 * np.pi, 28, endpoint=False)
_OUTLINE_PIXELS: Final = 720


@dataclass(frozen=True, slots=True)
class Shape:
    """A category's parts; `height` is its size beside a person's 0.46."""

    aspect: float
    height: float
    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The union of a shape's parts as polygons in its own box, and the area they enclose."""

    polygons: tuple[Points, ...]
    area: float


def shape_of(category: str) -> Shape:
    """The shape of a drawn category."""
    return _SHAPES[category]


@cache
def outline_of(category: str) -> Outline:
    """The outline of a shape, traced once on a fine grid.

    Specks below a thousandth of the outline are left out, as annotators do.
    """
    shape = _SHAPES[category]
    scale = float(_OUTLINE_PIXELS)
    size = (int(scale) + 8, int(scale * shape.aspect) + 8)
    mask = np.zeros(size, np.uint8)
    for _, points in shape.parts:
        # pixel centres lie at half units of the shape's grid
        cv2.fillPoly(mask, [np.round(points * scale * 16 + 3.5 * 16).astype(np.int32)], 1, shift=4)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    polygons: list[Points] = []
    for contour in contours:
        simple = cv2.approxPolyDP(contour, scale * 0.002, closed=True).reshape(-1, 2)
        if len(simple) >= 3 and cv2.contourArea(simple) > 0.001 * scale * scale * shape.aspect:
            polygons.append((simple.astype(np.float64) - 3.5) / scale)
    polygons.sort(key=enclosed_area, reverse=True)
    return Outline(tuple(polygons), sum(map(enclosed_area, polygons)))


def enclosed_area(polygon: Points) -> float:
    """The area of a simple polygon."""
    x, y = polygon[:, 0], polygon[:, 1]
    closing = x[-1] * y[0] - x[0] * y[-1]
    return abs(float(x[:-1] @ y[1:] - x[1:] @ y[:-1] + closing)) / 2.0


def _oval(role: str, x: float, y: float, rx: float, ry: float | None = None) -> Part:
    ry = rx if ry is None else ry
    return role, np.stack([x + rx * np.cos(_OVAL), y + ry * np.sin(_OVAL)], axis=1)


def _box(role: str, left: float, top: float, right: float, bottom: float) -> Part:
    return _poly(role, (left, top), (right, top), (right, bottom), (left, bottom))


def _poly(role: str, *points: tuple[float, float]) -> Part:
    return role, np.array(points, np.float64)


def _round(role: str, left: float, top: float, right: float, bottom: float, corner: float) -> Part:
    quarter = np.linspace(0.0, np.pi / 2.0, 6)
    corners = (
        (right - corner, bottom - corner, 0.0),
        (left + corner, bottom - corner, np.pi / 2.0),
        (left + corner, top + corner, np.pi),
        (right - corner, top + corner, 1.5 * np.pi),
    )
    arcs = [
        np.stack([x + corner * np.cos(quarter + turn), y + corner * np.sin(quarter + turn)], axis=1)
        for x, y, turn in corners
    ]
    return role, np.concatenate(arcs)


def _bar(role: str, x0: float, y0: float, x1: float, y1: float, width: float) -> Part:
    along = np.array([x1 - x0, y1 - y0])
    across = np.array([-along[1], along[0]]) / np.hypot(*along) * width / 2.0
    start, end = np.array([x0, y0]), np.array([x1, y1])
    return role, np.stack([start + across, end + across, end - across, start - across])


def _wheel(x: float, y: float, radius: float) -> tuple[Part, ...]:
    return (
        _oval("dark", x, y, radius),
        _oval("metal", x, y, radius * 0.55),
        _oval("dark", x, y, radius * 0.15),
    )


def _spoked_wheel(x: float, y: float, radius: float) -> tuple[Part, ...]:
    spokes = [
        _bar("metal", x, y, x + 0.9 * radius * np.cos(a), y + 0.9 * radius * np.sin(a), 0.012)
        for a in np.linspace(0.0, 2 * np.pi, 8, endpoint=False)
    ]
    return (_oval("dark", x, y, radius), _oval("hollow", x, y, radius * 0.86), *spokes)


def _octagon(role: str, x: float, y: float, radius: float) -> Part:
    turns = np.pi / 8.0 + np.arange(8) * np.pi / 4.0
    return role, np.stack([x + radius * np.cos(turns), y + radius * np.sin(turns)], axis=1)


def _person() -> Iterable[Part]:
    yield _bar("trousers", 0.155, 0.58, 0.135, 0.97, 0.085)
    yield _bar("trousers", 0.235, 0.58, 0.255, 0.97, 0.085)
    yield _round("dark", 0.08, 0.945, 0.185, 1.0, 0.02)
    yield _round("dark", 0.205, 0.945, 0.31, 1.0, 0.02)
    yield _bar("shade", 0.115, 0.27, 0.055, 0.53, 0.065)
    yield _bar("shade", 0.275, 0.27, 0.335, 0.53, 0.065)
    yield _oval("skin", 0.05, 0.55, 0.032)
    yield _oval("skin", 0.34, 0.55, 0.032)
    yield _round("body", 0.095, 0.215, 0.295, 0.61, 0.05)
    yield _box("skin", 0.165, 0.18, 0.225, 0.235)
    yield _oval("skin", 0.195, 0.115, 0.078, 0.09)
    yield _poly(
        "hair", (0.11, 0.12), (0.115, 0.05), (0.155, 0.01), (0.235, 0.01), (0.275, 0.05),
        (0.28, 0.12), (0.255, 0.075), (0.135, 0.075),
    )  # fmt: skip
    yield _oval("dark", 0.168, 0.115, 0.009)
    yield _oval("dark", 0.222, 0.115, 0.009)
    yield _bar("accent", 0.172, 0.158, 0.218, 0.158, 0.012)


def _bicycle() -> Iterable[Part]:
    yield from _spoked_wheel(0.30, 0.70, 0.30)
    yield from _spoked_wheel(1.30, 0.70, 0.30)
    for x0, y0, x1, y1 in (
        (0.30, 0.70, 0.58, 0.25),
        (0.30, 0.70, 0.75, 0.70),
        (0.58, 0.25, 0.75, 0.70),
        (0.58, 0.28, 1.12, 0.28),
        (0.75, 0.70, 1.14, 0.26),
        (1.30, 0.70, 1.08, 0.10),
    ):
        yield _bar("body", x0, y0, x1, y1, 0.055)
    yield _round("dark", 0.45, 0.18, 0.72, 0.26, 0.035)
    yield _bar("dark", 1.04, 0.09, 1.24, 0.05, 0.05)
    yield _oval("metal", 0.75, 0.70, 0.07)


def _car() -> Iterable[Part]:
    yield _poly(
        "body", (0.45, 0.42), (0.75, 0.06), (1.55, 0.06), (1.92, 0.40), (2.25, 0.46),
        (2.32, 0.60), (2.30, 0.80), (0.04, 0.80), (0.02, 0.52), (0.10, 0.44),
    )  # fmt: skip
    yield _poly("glass", (0.60, 0.40), (0.82, 0.14), (1.12, 0.14), (1.12, 0.40))
    yield _poly("glass", (1.20, 0.40), (1.20, 0.14), (1.50, 0.14), (1.76, 0.40))
    yield _box("shade", 0.06, 0.68, 2.30, 0.78)
    yield _round("metal", 1.26, 0.48, 1.40, 0.53, 0.02)
    yield _oval("light", 2.25, 0.55, 0.05, 0.07)
    yield _oval("red", 0.06, 0.54, 0.04, 0.07)
    yield from _wheel(0.55, 0.78, 0.22)
    yield from _wheel(1.78, 0.78, 0.22)


def _bus() -> Iterable[Part]:
    yield _round("body", 0.0, 0.04, 2.3, 0.88, 0.08)
    yield _box("pale", 0.0, 0.56, 2.3, 0.63)
    for left in np.arange(0.10, 1.75, 0.33):
        yield _round("glass", float(left), 0.16, float(left) + 0.27, 0.48, 0.03)
    yield _round("glass", 1.82, 0.16, 2.02, 0.84, 0.02)
    yield _round("glass", 2.10, 0.14, 2.29, 0.52, 0.03)
    yield _box("shade", 0.0, 0.76, 2.3, 0.84)
    yield _oval("light", 2.25, 0.70, 0.035, 0.05)
    yield from _wheel(0.45, 0.86, 0.14)
    yield from _wheel(1.62, 0.86, 0.14)


def _truck() -> Iterable[Part]:
    yield _box("dark", 0.05, 0.74, 2.05, 0.84)
    yield _box("pale", 0.0, 0.05, 1.38, 0.76)
    yield _box("body", 0.10, 0.30, 1.28, 0.50)
    yield _poly(
        "body", (1.43, 0.22), (1.83, 0.22), (2.02, 0.50), (2.14, 0.54), (2.14, 0.80), (1.43, 0.80)
    )
    yield _poly("glass", (1.56, 0.28), (1.80, 0.28), (1.94, 0.50), (1.56, 0.50))
    yield _oval("light", 2.11, 0.64, 0.03, 0.05)
    yield from _wheel(0.35, 0.84, 0.16)
    yield from _wheel(0.78, 0.84, 0.16)
    yield from _wheel(1.80, 0.84, 0.16)


def _boat() -> Iterable[Part]:
    yield _bar("wood", 0.62, 0.02, 0.62, 0.78, 0.035)
    yield _poly("pale", (0.66, 0.04), (1.16, 0.66), (0.66, 0.66))
    yield _poly("light", (0.58, 0.10), (0.58, 0.66), (0.18, 0.66))
    yield _poly("red", (0.62, 0.0), (0.62, 0.07), (0.48, 0.035))
    yield _poly("body", (0.0, 0.74), (1.36, 0.74), (1.14, 1.0), (0.22, 1.0))
    yield _poly("shade", (0.16, 0.92), (1.20, 0.92), (1.14, 1.0), (0.22, 1.0))


def _traffic_light() -> Iterable[Part]:
    yield _bar("metal", 0.15, 0.40, 0.15, 1.0, 0.05)
    yield _box("metal", 0.06, 0.965, 0.24, 1.0)
    yield _round("body", 0.02, 0.0, 0.28, 0.46, 0.05)
    yield _oval("red", 0.15, 0.085, 0.055)
    yield _oval("yellow", 0.15, 0.23, 0.055)
    yield _oval("green", 0.15, 0.375, 0.055)


def _fire_hydrant() -> Iterable[Part]:
    yield _round("shade", 0.06, 0.90, 0.60, 1.0, 0.03)
    yield _round("shade", 0.0, 0.42, 0.66, 0.60, 0.05)
    yield _box("body", 0.14, 0.24, 0.52, 0.92)
    yield _oval("body", 0.33, 0.22, 0.22, 0.16)
    yield _round("shade", 0.08, 0.22, 0.58, 0.30, 0.03)
    yield _box("shade", 0.28, 0.0, 0.38, 0.09)
    yield _oval("light", 0.33, 0.51, 0.10)
    yield _oval("shade", 0.33, 0.51, 0.05)


def _stop_sign() -> Iterable[Part]:
    yield _bar("metal", 0.21, 0.30, 0.21, 1.0, 0.04)
    yield _octagon("pale", 0.21, 0.215, 0.215)
    yield _octagon("red", 0.21, 0.215, 0.195)
    # the four letters, as strokes
    for x0, y0, x1, y1 in (
        (0.135, 0.175, 0.085, 0.175), (0.090, 0.175, 0.090, 0.215), (0.085, 0.215, 0.135, 0.215),
        (0.130, 0.215, 0.130, 0.255), (0.135, 0.255, 0.085, 0.255),
        (0.150, 0.175, 0.205, 0.175), (0.1775, 0.175, 0.1775, 0.260),
        (0.222, 0.170, 0.222, 0.260), (0.265, 0.170, 0.265, 0.260), (0.222, 0.175, 0.265, 0.175),
        (0.222, 0.255, 0.265, 0.255),
        (0.288, 0.170, 0.288, 0.260), (0.288, 0.175, 0.335, 0.175), (0.332, 0.175, 0.332, 0.215),
        (0.288, 0.215, 0.335, 0.215),
    ):  # fmt: skip
        yield _bar("pale", x0, y0, x1, y1, 0.013)


def _parking_meter() -> Iterable[Part]:
    yield _bar("metal", 0.14, 0.35, 0.14, 1.0, 0.05)
    yield _box("metal", 0.05, 0.97, 0.23, 1.0)
    yield _round("body", 0.0, 0.12, 0.28, 0.42, 0.05)
    yield _oval("body", 0.14, 0.13, 0.14, 0.13)
    yield _oval("pale", 0.14, 0.13, 0.10, 0.08)
    yield _bar("red", 0.14, 0.16, 0.18, 0.09, 0.015)
    yield _box("dark", 0.12, 0.26, 0.16, 0.36)


def _bench() -> Iterable[Part]:
    for x in (0.22, 1.58):
        yield _bar("metal", x, 0.05, x, 1.0, 0.07)
        yield _bar("metal", x, 0.60, x + 0.14, 1.0, 0.07)
    for top in (0.04, 0.20, 0.36):
        yield _round("body", 0.05, top, 1.75, top + 0.11, 0.03)
    yield _round("body", 0.0, 0.54, 1.80, 0.66, 0.03)
    yield _box("shade", 0.0, 0.63, 1.80, 0.67)


def _bird() -> Iterable[Part]:
    yield _bar("wood", 0.52, 0.70, 0.48, 0.98, 0.035)
    yield _bar("wood", 0.68, 0.70, 0.68, 0.98, 0.035)
    yield _bar("wood", 0.42, 0.98, 0.58, 0.98, 0.035)
    yield _bar("wood", 0.62, 0.98, 0.78, 0.98, 0.035)
    yield _poly("shade", (0.0, 0.62), (0.36, 0.40), (0.40, 0.62), (0.04, 0.74))
    yield _oval("body", 0.60, 0.50, 0.33, 0.25)
    yield _oval("shade", 0.52, 0.50, 0.22, 0.13)
    yield _oval("body", 0.90, 0.22, 0.18)
    yield _poly("orange", (1.05, 0.17), (1.24, 0.24), (1.05, 0.30))
    yield _oval("dark", 0.95, 0.19, 0.03)


def _cat() -> Iterable[Part]:
    tail = [(0.62, 0.90), (0.86, 0.82), (0.94, 0.62), (0.84, 0.46), (0.80, 0.48), (0.88, 0.62),
            (0.80, 0.76), (0.60, 0.82)]  # fmt: skip
    yield _poly("shade", *tail)
    yield _oval("body", 0.42, 0.72, 0.27, 0.28)
    yield _round("light", 0.26, 0.80, 0.38, 1.0, 0.05)
    yield _round("light", 0.46, 0.80, 0.58, 1.0, 0.05)
    yield _poly("body", (0.16, 0.26), (0.18, 0.0), (0.36, 0.14))
    yield _poly("body", (0.68, 0.26), (0.66, 0.0), (0.48, 0.14))
    yield _poly("pink", (0.20, 0.18), (0.21, 0.06), (0.30, 0.14))
    yield _poly("pink", (0.64, 0.18), (0.63, 0.06), (0.54, 0.14))
    yield _oval("body", 0.42, 0.31, 0.27, 0.22)
    for x in (0.32, 0.52):
        yield _oval("yellow", x, 0.29, 0.05, 0.055)
        yield _oval("dark", x, 0.29, 0.018, 0.05)
    yield _poly("pink", (0.38, 0.37), (0.46, 0.37), (0.42, 0.42))
    for y in (0.38, 0.43):
        yield _bar("pale", 0.10, y, 0.33, 0.40, 0.01)
        yield _bar("pale", 0.51, 0.40, 0.74, y, 0.01)


def _four_legged(
    *, aspect: float, legs: float, neck: float, head: tuple[float, float], trim: str, bulk: float
) -> list[Part]:
    """Body, legs and neck of an animal that looks right; `head` is the head's half size."""
    back = 1.0 - legs - bulk
    left, right = 0.10 * aspect, 0.70 * aspect
    parts = [
        _bar("shade", x, 1.0 - legs - 0.05, x, 0.97, 0.09) for x in (left + 0.16, right - 0.04)
    ]
    parts += [
        _bar("body", x, 1.0 - legs - 0.05, x, 0.97, 0.10) for x in (left + 0.06, right - 0.15)
    ]
    parts += [
        _round(trim, x - 0.06, 0.94, x + 0.06, 1.0, 0.02)
        for x in (left + 0.06, left + 0.16, right - 0.15, right - 0.04)
    ]
    parts.append(_round("body", left, back, right, back + bulk, bulk * 0.42))
    nose = (aspect - head[0], back - neck + head[1])
    parts.append(
        _poly(
            "body",
            (right - 0.26, back + 0.06),
            (nose[0] - head[0] * 0.7, nose[1] - head[1] * 0.5),
            (nose[0] + head[0] * 0.2, nose[1] + head[1] * 0.5),
            (right - 0.02, back + bulk * 0.6),
        )
    )
    return parts


def _dog() -> Iterable[Part]:
    yield _poly("shade", (0.18, 0.42), (0.0, 0.10), (0.05, 0.08), (0.28, 0.38))
    yield from _four_legged(
        aspect=1.35, legs=0.34, neck=0.12, head=(0.18, 0.15), trim="light", bulk=0.3
    )
    yield _oval("body", 1.06, 0.27, 0.18, 0.17)
    yield _round("light", 1.12, 0.25, 1.35, 0.40, 0.06)
    yield _oval("dark", 1.33, 0.28, 0.035)
    yield _oval("shade", 0.95, 0.26, 0.075, 0.17)
    yield _oval("dark", 1.11, 0.22, 0.025)
    yield _bar("red", 0.92, 0.42, 1.08, 0.48, 0.05)


def _horse() -> Iterable[Part]:
    yield _poly("hair", (0.16, 0.40), (0.0, 0.50), (0.04, 0.78), (0.12, 0.76), (0.22, 0.50))
    yield from _four_legged(
        aspect=1.30, legs=0.42, neck=0.36, head=(0.15, 0.07), trim="dark", bulk=0.25
    )
    yield _poly(
        "body", (0.98, 0.0), (1.10, 0.02), (1.30, 0.20), (1.28, 0.28), (1.18, 0.27), (0.92, 0.18)
    )
    yield _poly("hair", (0.98, 0.0), (0.90, 0.06), (0.70, 0.34), (0.80, 0.36), (0.98, 0.14))
    yield _oval("dark", 1.10, 0.11, 0.018)
    yield _oval("dark", 1.25, 0.22, 0.014)


def _sheep() -> Iterable[Part]:
    for x in (0.32, 0.46, 0.82, 0.96):
        yield _bar("dark", x, 0.66, x, 1.0, 0.075)
    for x, y in (
        (0.22, 0.46), (0.30, 0.30), (0.50, 0.22), (0.70, 0.22), (0.90, 0.28), (1.02, 0.44),
        (0.94, 0.60), (0.74, 0.66), (0.52, 0.66), (0.32, 0.60),
    ):  # fmt: skip
        yield _oval("body", x, y, 0.17)
    yield _oval("body", 0.62, 0.44, 0.42, 0.28)
    yield _oval("light", 0.50, 0.36, 0.12, 0.09)
    yield _oval("face", 1.14, 0.34, 0.12, 0.16)
    yield _oval("body", 1.10, 0.18, 0.11, 0.08)
    yield _oval("face", 1.00, 0.28, 0.08, 0.04)
    yield _oval("pale", 1.17, 0.30, 0.025)


def _cow() -> Iterable[Part]:
    yield _bar("shade", 0.14, 0.30, 0.06, 0.70, 0.035)
    yield _oval("dark", 0.06, 0.72, 0.04, 0.06)
    yield from _four_legged(
        aspect=1.50, legs=0.32, neck=0.14, head=(0.17, 0.13), trim="dark", bulk=0.36
    )
    yield _oval("spots", 0.42, 0.46, 0.16, 0.11)
    yield _oval("spots", 0.78, 0.56, 0.13, 0.09)
    yield _oval("pink", 0.40, 0.70, 0.08, 0.05)
    yield _poly("pale", (1.14, 0.16), (1.08, 0.02), (1.22, 0.12))
    yield _poly("pale", (1.36, 0.16), (1.44, 0.02), (1.28, 0.12))
    yield _round("body", 1.11, 0.12, 1.41, 0.46, 0.10)
    yield _oval("shade", 1.06, 0.20, 0.09, 0.05)
    yield _oval("pink", 1.26, 0.42, 0.16, 0.09)
    yield _oval("dark", 1.20, 0.24, 0.025)
    yield _oval("dark", 1.33, 0.24, 0.025)


def _elephant() -> Iterable[Part]:
    yield _bar("shade", 0.12, 0.36, 0.05, 0.66, 0.04)
    for x, role in ((0.42, "shade"), (0.98, "shade"), (0.26, "body"), (0.84, "body")):
        yield _round(role, x - 0.10, 0.58, x + 0.10, 1.0, 0.04)
    yield _oval("body", 0.60, 0.42, 0.52, 0.32)
    yield _oval("body", 1.14, 0.34, 0.24, 0.26)
    yield _poly(
        "body", (1.20, 0.20), (1.38, 0.40), (1.40, 0.74), (1.52, 0.80), (1.50, 0.88),
        (1.32, 0.84), (1.26, 0.60), (1.12, 0.52),
    )  # fmt: skip
    yield _poly("pale", (1.22, 0.54), (1.46, 0.64), (1.24, 0.60))
    yield _oval("shade", 1.00, 0.36, 0.17, 0.23)
    yield _oval("dark", 1.22, 0.28, 0.025)


def _giraffe() -> Iterable[Part]:
    for x, role in ((0.20, "shade"), (0.42, "shade"), (0.14, "body"), (0.36, "body")):
        yield _bar(role, x, 0.60, x, 0.985, 0.045)
        yield _box("hair", x - 0.03, 0.97, x + 0.03, 1.0)
    yield _bar("hair", 0.09, 0.52, 0.05, 0.68, 0.02)
    yield _round("body", 0.08, 0.49, 0.46, 0.66, 0.07)
    yield _poly("body", (0.32, 0.54), (0.47, 0.10), (0.54, 0.10), (0.47, 0.56))
    yield _bar("hair", 0.49, 0.06, 0.48, 0.0, 0.018)
    yield _bar("hair", 0.53, 0.06, 0.54, 0.0, 0.018)
    yield _poly("body", (0.46, 0.05), (0.55, 0.04), (0.66, 0.11), (0.65, 0.15), (0.48, 0.14))
    yield _oval("dark", 0.55, 0.085, 0.01)
    for x, y in (
        (0.16, 0.54), (0.24, 0.53), (0.33, 0.55), (0.20, 0.61), (0.29, 0.60), (0.39, 0.60),
        (0.42, 0.46), (0.44, 0.38), (0.46, 0.30), (0.48, 0.22), (0.50, 0.16),
    ):  # fmt: skip
        yield _oval("spots", x, y, 0.025, 0.022)


def _umbrella() -> Iterable[Part]:
    yield _bar("wood", 0.55, 0.05, 0.55, 0.94, 0.035)
    hook = np.linspace(0.0, np.pi, 12)
    outer = np.stack([0.62 - 0.087 * np.cos(hook), 0.90 + 0.10 * np.sin(hook)], axis=1)
    inner = np.stack([0.62 - 0.052 * np.cos(hook), 0.90 + 0.06 * np.sin(hook)], axis=1)
    yield "wood", np.concatenate([outer, inner[::-1]])
    dome = np.linspace(np.pi, 2 * np.pi, 24)
    rim = [np.array([[x, 0.42 - d]]) for x, d in zip(
        np.linspace(1.10, 0.0, 17), np.tile([0.0, 0.035, 0.045, 0.035], 5)[:17], strict=True
    )]  # fmt: skip
    arc = np.stack([0.55 + 0.55 * np.cos(dome), 0.42 + 0.38 * np.sin(dome)], axis=1)
    yield "body", np.concatenate([arc, *rim])
    for left, right in ((0.275, 0.55), (0.825, 1.10)):
        low, high = (0.55 + (left - 0.55) * 0.2, 0.55 + (right - 0.55) * 0.2)
        yield _poly("light", (left, 0.41), (low, 0.06), (high, 0.06), (right, 0.41))
    yield _bar("wood", 0.55, 0.0, 0.55, 0.06, 0.03)


def _suitcase() -> Iterable[Part]:
    yield _bar("metal", 0.24, 0.02, 0.24, 0.30, 0.03)
    yield _bar("metal", 0.46, 0.02, 0.46, 0.30, 0.03)
    yield _round("dark", 0.20, 0.0, 0.50, 0.06, 0.02)
    yield _oval("dark", 0.14, 0.965, 0.035)
    yield _oval("dark", 0.56, 0.965, 0.035)
    yield _round("body", 0.0, 0.24, 0.70, 0.96, 0.07)
    for x in (0.14, 0.35, 0.56):
        yield _bar("shade", x, 0.30, x, 0.90, 0.03)
    yield _round("light", 0.25, 0.40, 0.45, 0.50, 0.02)


def _frisbee() -> Iterable[Part]:
    yield _oval("shade", 0.9, 0.55, 0.9, 0.45)
    yield _oval("body", 0.9, 0.45, 0.9, 0.45)
    yield _oval("light", 0.9, 0.43, 0.58, 0.26)
    yield _oval("body", 0.9, 0.43, 0.50, 0.21)


def _ball() -> Iterable[Part]:
    yield _oval("body", 0.5, 0.5, 0.5)
    yield _oval("light", 0.36, 0.30, 0.15)
    yield _poly("shade", (0.5, 0.38), (0.63, 0.48), (0.58, 0.63), (0.42, 0.63), (0.37, 0.48))
    for x, y in ((0.5, 0.02), (0.97, 0.42), (0.78, 0.93), (0.22, 0.93), (0.03, 0.42)):
        centre = (0.5 + (x - 0.5) * 0.40, 0.51 + (y - 0.51) * 0.40)
        yield _bar("shade", *centre, x, y, 0.035)


def _kite() -> Iterable[Part]:
    yield _poly("body", (0.35, 0.0), (0.70, 0.30), (0.35, 0.68), (0.0, 0.30))
    yield _poly("light", (0.35, 0.0), (0.70, 0.30), (0.35, 0.30))
    yield _poly("shade", (0.35, 0.30), (0.35, 0.68), (0.0, 0.30))
    tail = [(0.35, 0.68), (0.42, 0.78), (0.32, 0.88), (0.40, 0.98)]
    for (x0, y0), (x1, y1) in pairwise(tail):
        yield _bar("pale", x0, y0, x1, y1, 0.02)
    for x, y in tail[1:]:
        yield _poly(
            "accent",
            (x - 0.07, y - 0.03),
            (x + 0.07, y + 0.02),
            (x + 0.07, y - 0.03),
            (x - 0.07, y + 0.02),
        )


def _surfboard() -> Iterable[Part]:
    yield _oval("body", 0.14, 0.5, 0.14, 0.5)
    yield _oval("light", 0.14, 0.5, 0.10, 0.45)
    yield _bar("body", 0.14, 0.06, 0.14, 0.94, 0.035)
    yield _bar("accent", 0.02, 0.62, 0.26, 0.50, 0.05)


def _skateboard() -> Iterable[Part]:
    yield _oval("metal", 0.65, 0.78, 0.14, 0.2)
    yield _oval("metal", 2.05, 0.78, 0.14, 0.2)
    yield _round("body", 0.25, 0.30, 2.45, 0.60, 0.12)
    yield _poly("body", (0.40, 0.60), (0.0, 0.16), (0.08, 0.02), (0.52, 0.32))
    yield _poly("body", (2.30, 0.60), (2.70, 0.16), (2.62, 0.02), (2.18, 0.32))
    yield _box("light", 0.45, 0.36, 2.25, 0.43)
    for x in (0.65, 2.05):
        yield _oval("dark", x, 0.80, 0.12, 0.20)
        yield _oval("pale", x, 0.80, 0.05, 0.08)


def _bottle() -> Iterable[Part]:
    yield _round("body", 0.0, 0.36, 0.34, 1.0, 0.05)
    yield _poly("body", (0.0, 0.44), (0.11, 0.24), (0.23, 0.24), (0.34, 0.44))
    yield _box("body", 0.11, 0.06, 0.23, 0.30)
    yield _round("shade", 0.095, 0.0, 0.245, 0.08, 0.02)
    yield _round("pale", 0.0, 0.54, 0.34, 0.82, 0.01)
    yield _bar("shade", 0.06, 0.64, 0.28, 0.64, 0.03)
    yield _bar("shade", 0.10, 0.72, 0.24, 0.72, 0.02)
    yield _bar("light", 0.06, 0.44, 0.06, 0.52, 0.03)


def _cup() -> Iterable[Part]:
    yield _oval("body", 0.92, 0.50, 0.26)
    yield _oval("hollow", 0.92, 0.50, 0.17)
    yield _poly("body", (0.0, 0.08), (0.90, 0.08), (0.80, 1.0), (0.10, 1.0))
    yield _oval("light", 0.45, 0.09, 0.45, 0.09)
    yield _oval("drink", 0.45, 0.10, 0.38, 0.065)
    yield _poly("shade", (0.72, 0.20), (0.83, 0.18), (0.76, 0.96), (0.66, 0.96))


def _bowl() -> Iterable[Part]:
    turn = np.linspace(0.0, np.pi, 24)
    yield "body", np.stack([0.9 + 0.9 * np.cos(turn), 0.18 + 0.74 * np.sin(turn)], axis=1)
    yield _box("shade", 0.55, 0.88, 1.25, 1.0)
    yield _oval("light", 0.9, 0.18, 0.9, 0.17)
    yield _oval("shade", 0.9, 0.19, 0.80, 0.13)
    for x, role in ((0.55, "red"), (0.9, "yellow"), (1.22, "green")):
        yield _oval(role, x, 0.17, 0.20, 0.12)


def _vase() -> Iterable[Part]:
    for x, y, role in ((0.12, 0.12, "red"), (0.34, 0.08, "pink"), (0.54, 0.14, "yellow")):
        yield _bar("green", 0.33, 0.46, x, y, 0.025)
        for turn in np.linspace(0.0, 2 * np.pi, 5, endpoint=False):
            yield _oval(
                role, x + 0.055 * float(np.cos(turn)), y + 0.055 * float(np.sin(turn)), 0.045
            )
        yield _oval("orange", x, y, 0.035)
    yield _oval("body", 0.33, 0.74, 0.26, 0.24)
    yield _box("body", 0.21, 0.42, 0.45, 0.66)
    yield _round("shade", 0.17, 0.40, 0.49, 0.46, 0.02)
    yield _round("shade", 0.19, 0.94, 0.47, 1.0, 0.02)
    yield _oval("light", 0.22, 0.68, 0.05, 0.10)


def _banana() -> Iterable[Part]:
    turn = np.linspace(0.12 * np.pi, 0.9 * np.pi, 20)
    outer = np.stack([0.85 + 0.85 * np.cos(turn), 0.02 + 0.96 * np.sin(turn)], axis=1)
    inner = np.stack([0.85 + 0.74 * np.cos(turn), -0.04 + 0.62 * np.sin(turn)], axis=1)
    middle = np.stack([0.85 + 0.80 * np.cos(turn), -0.01 + 0.80 * np.sin(turn)], axis=1)
    yield "body", np.concatenate([outer, inner[::-1]])
    yield "shade", np.concatenate([outer, middle[::-1]])
    yield _bar("wood", 0.08, 0.24, 0.02, 0.04, 0.09)
    yield _bar("wood", 1.61, 0.34, 1.66, 0.24, 0.09)


def _apple() -> Iterable[Part]:
    yield _oval("body", 0.33, 0.58, 0.33, 0.40)
    yield _oval("body", 0.63, 0.58, 0.33, 0.40)
    yield _oval("light", 0.22, 0.45, 0.09, 0.13)
    yield _bar("wood", 0.48, 0.30, 0.54, 0.04, 0.05)
    yield _poly("green", (0.54, 0.16), (0.70, 0.02), (0.88, 0.06), (0.74, 0.20))


def _orange() -> Iterable[Part]:
    yield _oval("body", 0.5, 0.54, 0.5, 0.46)
    yield _oval("light", 0.34, 0.36, 0.13, 0.10)
    yield _poly("green", (0.5, 0.12), (0.66, 0.0), (0.82, 0.06), (0.68, 0.16))
    yield _oval("wood", 0.5, 0.12, 0.05, 0.04)


def _carrot() -> Iterable[Part]:
    for x, y in ((1.98, 0.06), (2.2, 0.3), (2.2, 0.7), (1.98, 0.94)):
        yield _bar("green", 1.66, 0.5, x, y, 0.14)
    yield _poly("body", (0.0, 0.52), (1.60, 0.16), (1.74, 0.30), (1.76, 0.70), (1.60, 0.84))
    for x in (0.6, 0.95, 1.3):
        yield _bar("shade", x, 0.44, x + 0.04, 0.62, 0.04)


def _pizza() -> Iterable[Part]:
    yield _oval("pale", 1.2, 0.52, 1.2, 0.48)
    yield _oval("wood", 1.2, 0.50, 1.02, 0.41)
    yield _oval("red", 1.2, 0.49, 0.93, 0.36)
    yield _oval("cheese", 1.2, 0.48, 0.88, 0.33)
    for x, y in (
        (0.75, 0.40),
        (1.15, 0.30),
        (1.62, 0.38),
        (0.95, 0.60),
        (1.42, 0.62),
        (1.22, 0.46),
    ):
        yield _oval("red", x, y, 0.13, 0.055)
    for x, y in ((0.60, 0.52), (1.40, 0.44), (1.0, 0.44), (1.75, 0.52)):
        yield _oval("green", x, y, 0.06, 0.03)


def _donut() -> Iterable[Part]:
    yield _oval("wood", 0.7, 0.54, 0.7, 0.46)
    yield _oval("body", 0.7, 0.47, 0.64, 0.40)
    yield _oval("wood", 0.7, 0.47, 0.22, 0.13)
    yield _oval("pale", 0.7, 0.49, 0.18, 0.09)
    for x, y, role in (
        (0.30, 0.40, "yellow"), (0.52, 0.22, "accent"), (0.86, 0.20, "pale"),
        (1.10, 0.36, "yellow"), (1.06, 0.60, "accent"), (0.72, 0.74, "yellow"),
        (0.34, 0.62, "pale"),
    ):  # fmt: skip
        yield _bar(role, x - 0.04, y, x + 0.05, y + 0.03, 0.04)


def _cake() -> Iterable[Part]:
    yield _oval("pale", 0.65, 0.92, 0.65, 0.08)
    yield _round("body", 0.10, 0.54, 1.20, 0.94, 0.05)
    yield _round("body", 0.28, 0.26, 1.02, 0.58, 0.05)
    yield _box("shade", 0.10, 0.70, 1.20, 0.77)
    yield _box("shade", 0.28, 0.40, 1.02, 0.46)
    for x in (0.44, 0.65, 0.86):
        yield _bar("accent", x, 0.10, x, 0.28, 0.04)
        yield _oval("yellow", x, 0.06, 0.03, 0.055)


def _chair() -> Iterable[Part]:
    for x in (0.08, 0.50):
        yield _bar("shade", x, 0.55, x, 1.0, 0.06)
    yield _bar("shade", 0.20, 0.55, 0.20, 0.93, 0.05)
    yield _bar("shade", 0.40, 0.55, 0.40, 0.93, 0.05)
    yield _round("body", 0.05, 0.0, 0.53, 0.50, 0.05)
    for y in (0.14, 0.27):
        yield _bar("light", 0.13, y, 0.45, y, 0.05)
    yield _round("body", 0.0, 0.50, 0.58, 0.62, 0.04)


def _couch() -> Iterable[Part]:
    yield _box("wood", 0.15, 0.90, 0.27, 1.0)
    yield _box("wood", 1.93, 0.90, 2.05, 1.0)
    yield _round("body", 0.15, 0.0, 2.05, 0.70, 0.12)
    yield _round("light", 0.28, 0.42, 1.08, 0.72, 0.08)
    yield _round("light", 1.12, 0.42, 1.92, 0.72, 0.08)
    yield _round("shade", 0.15, 0.66, 2.05, 0.92, 0.05)
    yield _round("body", 0.0, 0.30, 0.32, 0.92, 0.10)
    yield _round("body", 1.88, 0.30, 2.20, 0.92, 0.10)


def _potted_plant() -> Iterable[Part]:
    for x, y in ((0.05, 0.22), (0.20, 0.06), (0.40, 0.02), (0.60, 0.08), (0.74, 0.26)):
        yield _bar("green", 0.40, 0.66, x, y, 0.035)
        yield _oval("body", (x + 0.40) / 2 - 0.02, (y + 0.5) / 2, 0.11, 0.14)
        yield _oval("leaf", x * 0.86 + 0.056, y + 0.10, 0.09, 0.12)
    yield _poly("pot", (0.16, 0.62), (0.64, 0.62), (0.56, 1.0), (0.24, 1.0))
    yield _round("wood", 0.12, 0.58, 0.68, 0.68, 0.02)


def _bed() -> Iterable[Part]:
    yield _round("wood", 0.0, 0.0, 0.12, 1.0, 0.03)
    yield _round("wood", 2.18, 0.38, 2.30, 1.0, 0.03)
    yield _box("wood", 0.10, 0.76, 2.20, 0.88)
    yield _round("pale", 0.10, 0.48, 2.20, 0.78, 0.06)
    yield _round("pale", 0.16, 0.30, 0.66, 0.52, 0.08)
    yield _round("body", 0.72, 0.42, 2.20, 0.80, 0.06)
    yield _box("light", 0.72, 0.44, 0.86, 0.78)


def _dining_table() -> Iterable[Part]:
    for x in (0.14, 1.86):
        yield _bar("shade", x, 0.2, x, 1.0, 0.11)
    for x in (0.42, 1.58):
        yield _bar("shade", x, 0.2, x, 0.86, 0.09)
    yield _box("shade", 0.10, 0.14, 1.90, 0.30)
    yield _round("body", 0.0, 0.0, 2.0, 0.18, 0.04)


def _tv() -> Iterable[Part]:
    yield _box("metal", 0.70, 0.86, 0.90, 0.96)
    yield _round("metal", 0.45, 0.94, 1.15, 1.0, 0.02)
    yield _round("body", 0.0, 0.0, 1.60, 0.90, 0.05)
    yield _box("screen", 0.06, 0.06, 1.54, 0.82)
    yield _poly(
        "glass",
        (0.06, 0.60),
        (0.55, 0.34),
        (0.95, 0.62),
        (1.25, 0.46),
        (1.54, 0.66),
        (1.54, 0.82),
        (0.06, 0.82),
    )
    yield _oval("yellow", 1.22, 0.24, 0.11)


def _laptop() -> Iterable[Part]:
    yield _round("body", 0.20, 0.0, 1.40, 0.76, 0.05)
    yield _box("screen", 0.27, 0.07, 1.33, 0.69)
    yield _box("glass", 0.36, 0.16, 0.90, 0.24)
    yield _box("glass", 0.36, 0.32, 1.20, 0.38)
    yield _box("glass", 0.36, 0.45, 1.05, 0.51)
    yield _poly(
        "shade", (0.20, 0.76), (1.40, 0.76), (1.60, 0.95), (1.60, 1.0), (0.0, 1.0), (0.0, 0.95)
    )
    yield _poly("dark", (0.30, 0.79), (1.30, 0.79), (1.40, 0.90), (0.20, 0.90))


def _book() -> Iterable[Part]:
    yield _poly(
        "shade", (0.08, 0.30), (1.16, 0.12), (1.30, 0.62), (1.30, 0.78), (0.22, 0.98), (0.08, 0.46)
    )
    yield _poly("pale", (0.14, 0.50), (0.24, 0.90), (1.27, 0.72), (1.27, 0.62), (1.10, 0.30))
    yield _poly("body", (0.04, 0.26), (1.10, 0.04), (1.28, 0.58), (0.20, 0.80))
    yield _poly("light", (0.34, 0.34), (0.92, 0.22), (0.97, 0.36), (0.39, 0.48))


def _clock() -> Iterable[Part]:
    yield _oval("body", 0.5, 0.5, 0.5)
    yield _oval("pale", 0.5, 0.5, 0.42)
    for turn in np.linspace(0.0, 2 * np.pi, 12, endpoint=False):
        x, y = float(np.cos(turn)), float(np.sin(turn))
        yield _bar("dark", 0.5 + 0.34 * x, 0.5 + 0.34 * y, 0.5 + 0.40 * x, 0.5 + 0.40 * y, 0.03)
    yield _bar("dark", 0.5, 0.5, 0.5, 0.20, 0.035)
    yield _bar("dark", 0.5, 0.5, 0.70, 0.60, 0.045)
    yield _oval("red", 0.5, 0.5, 0.04)


def _teddy_bear() -> Iterable[Part]:
    for x in (0.12, 0.72):
        yield _oval("body", x, 0.10, 0.10)
        yield _oval("light", x, 0.10, 0.055)
    yield _oval("body", 0.16, 0.62, 0.15, 0.10)
    yield _oval("body", 0.68, 0.62, 0.15, 0.10)
    yield _oval("shade", 0.22, 0.90, 0.16, 0.10)
    yield _oval("shade", 0.62, 0.90, 0.16, 0.10)
    yield _oval("body", 0.42, 0.70, 0.27, 0.27)
    yield _oval("light", 0.42, 0.73, 0.16, 0.17)
    yield _oval("body", 0.42, 0.27, 0.30, 0.25)
    yield _oval("light", 0.42, 0.35, 0.13, 0.10)
    yield _oval("dark", 0.42, 0.31, 0.04, 0.03)
    yield _oval("dark", 0.31, 0.22, 0.028)
    yield _oval("dark", 0.53, 0.22, 0.028)


def _tree() -> Iterable[Part]:
    yield _poly("wood", (0.21, 0.52), (0.29, 0.52), (0.31, 1.0), (0.19, 1.0))
    yield _oval("leaf", 0.25, 0.36, 0.25, 0.36)
    yield _oval("body", 0.21, 0.28, 0.17, 0.24)
    yield _oval("light", 0.17, 0.20, 0.07, 0.09)


def _lamp_post() -> Iterable[Part]:
    yield _bar("dark", 0.13, 0.10, 0.13, 1.0, 0.035)
    yield _box("dark", 0.06, 0.94, 0.20, 1.0)
    yield _poly("dark", (0.13, 0.0), (0.25, 0.06), (0.01, 0.06))
    yield _poly("yellow", (0.03, 0.06), (0.23, 0.06), (0.19, 0.17), (0.07, 0.17))


# the corners of a sign's board
SIGN_BOARD: Final = np.array([[0.0, 0.0], [0.70, 0.46]])


def _sign() -> Iterable[Part]:
    # one post, so that its shadow starts at its foot whichever way the sun stands
    yield _bar("metal", 0.35, 0.30, 0.35, 1.0, 0.045)
    yield _round("pale", 0.0, 0.0, 0.70, 0.46, 0.03)
    yield _round("body", 0.012, 0.012, 0.688, 0.448, 0.025)


def _shape(draw: Callable[[], Iterable[Part]], aspect: float, height: float) -> Shape:
    return Shape(aspect, height, tuple(draw()))


_SHAPES: Final = {
    "person": _shape(_person, 0.39, 0.46),
    "bicycle": _shape(_bicycle, 1.60, 0.28),
    "car": _shape(_car, 2.34, 0.27),
    "bus": _shape(_bus, 2.30, 0.44),
    "truck": _shape(_truck, 2.16, 0.42),
    "boat": _shape(_boat, 1.36, 0.44),
    "traffic light": _shape(_traffic_light, 0.30, 0.60),
    "fire hydrant": _shape(_fire_hydrant, 0.66, 0.22),
    "stop sign": _shape(_stop_sign, 0.43, 0.52),
    "parking meter": _shape(_parking_meter, 0.28, 0.40),
    "bench": _shape(_bench, 1.80, 0.22),
    "bird": _shape(_bird, 1.24, 0.13),
    "cat": _shape(_cat, 0.95, 0.19),
    "dog": _shape(_dog, 1.37, 0.23),
    "horse": _shape(_horse, 1.31, 0.44),
    "sheep": _shape(_sheep, 1.28, 0.26),
    "cow": _shape(_cow, 1.50, 0.36),
    "elephant": _shape(_elephant, 1.53, 0.56),
    "giraffe": _shape(_giraffe, 0.67, 0.74),
    "umbrella": _shape(_umbrella, 1.10, 0.40),
    "suitcase": _shape(_suitcase, 0.70, 0.24),
    "frisbee": _shape(_frisbee, 1.80, 0.06),
    "sports ball": _shape(_ball, 1.0, 0.10),
    "kite": _shape(_kite, 0.70, 0.24),
    "surfboard": _shape(_surfboard, 0.28, 0.50),
    "skateboard": _shape(_skateboard, 2.70, 0.07),
    "bottle": _shape(_bottle, 0.34, 0.34),
    "cup": _shape(_cup, 1.18, 0.15),
    "bowl": _shape(_bowl, 1.80, 0.14),
    "vase": _shape(_vase, 0.64, 0.34),
    "banana": _shape(_banana, 1.72, 0.11),
    "apple": _shape(_apple, 0.96, 0.12),
    "orange": _shape(_orange, 1.0, 0.12),
    "carrot": _shape(_carrot, 2.26, 0.08),
    "pizza": _shape(_pizza, 2.40, 0.17),
    "donut": _shape(_donut, 1.40, 0.10),
    "cake": _shape(_cake, 1.30, 0.26),
    "chair": _shape(_chair, 0.58, 0.32),
    "couch": _shape(_couch, 2.20, 0.30),
    "potted plant": _shape(_potted_plant, 0.82, 0.30),
    "bed": _shape(_bed, 2.30, 0.28),
    "dining table": _shape(_dining_table, 2.0, 0.26),
    "tv": _shape(_tv, 1.60, 0.28),
    "laptop": _shape(_laptop, 1.60, 0.25),
    "book": _shape(_book, 1.32, 0.11),
    "clock": _shape(_clock, 1.0, 0.20),
    "teddy bear": _shape(_teddy_bear, 0.84, 0.22),
    # scenery, which is no COCO category
    "tree": _shape(_tree, 0.50, 0.62),
    "lamp post": _shape(_lamp_post, 0.26, 0.64),
    "sign": _shape(_sign, 0.70, 0.44),
}
