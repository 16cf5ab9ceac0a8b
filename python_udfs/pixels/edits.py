"""Edits that make a second picture of a photograph, and what proves that they changed no more.

An edit's picture is written without loss, so that a pixel that it does not touch is the pixel that
was decoded from the original.
"""

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, cast

import cv2
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gainsay.python_udfs.annotate.results_cache import keep_results, read_results
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels import masks, shadow_turns
from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.pixels.image_bytes import decode_pixels, read_landed
from gainsay.python_udfs.registry import EDIT_CHECK
from gainsay.python_udfs.storage import stored

_CHECK_VERSION: Final = 1
_CHECKS_PER_COMMIT: Final = 64
# cv2's flip codes
_AXES: Final = {"horizontal": 1, "vertical": 0}


@dataclass(frozen=True)
class EditCheck:
    """Pixels that changed where the edit may not change any, and where it may."""

    n_changed_elsewhere: int
    n_changed_inside: int


def apply_edit(family: str, pixels: Pixels, parameters: str | None, rle: str | None) -> Pixels:
    """The edit's picture.

    `parameters`: JSON by the family; `rle`: its mask, where it has one. Errors: `ValueError` for
    parameters that the family does not know.
    """
    return _EDITS[family].apply(pixels, _read_parameters(family, parameters), rle)


def check_edits(*columns: pa.Array) -> pa.Array:
    """Read edits' pictures back and compare them with their originals, as `EDIT_CHECK`.

    Shapes: render key, path, archive and SHA-256 of the original, file of the edit and its
    SHA-256, family, parameters, mask, folder of renderings, most bytes. Units: pixels. Errors: a
    picture that cannot be read or compared says so in `error`. What was found is kept under the
    render key and the edit's SHA-256, so that no picture is compared twice.
    """
    rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
    found: list[dict[str, Any]] = []
    for start in range(0, len(rows), _CHECKS_PER_COMMIT):
        part = rows[start : start + _CHECKS_PER_COMMIT]
        keys = [f"edit check {_CHECK_VERSION}|{row[0]}|{row[5]}" for row in part]
        folder = part[0][9]
        known = {key: json.loads(result) for key, result in read_results(folder, keys).items()}
        missing = {key: row for key, row in zip(keys, part, strict=True) if key not in known}
        checked = dict(zip(missing, _pool().map(_check_row, missing.values()), strict=True))
        keep_results(
            folder, {key: json.dumps(row) for key, row in checked.items() if not row["error"]}
        )
        known |= checked
        found += (known[key] for key in keys)
    return pa.array(found, EDIT_CHECK)


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="edits")


def _check_row(row: tuple[Any, ...]) -> dict[str, Any]:
    _, path, archive, sha256, file, edit_sha256, family, parameters, rle, folder, most = row
    nothing = {"n_changed_elsewhere": None, "n_changed_inside": None}
    try:
        original = _pixels_of(path, archive, sha256, most)
        # the edit is a file of our own, as large as it came out
        edited = _pixels_of(f"{folder}/{file}", None, edit_sha256, None)
        check = _EDITS[family].check(original, edited, _read_parameters(family, parameters), rle)
    except SetupError:
        raise
    except Exception as error:
        return nothing | {"error": f"{type(error).__name__}: {error}"}
    return vars(check) | {"error": None}


def _pixels_of(path: str, archive: str | None, sha256: str, max_bytes: int | None) -> Pixels:
    data = read_landed(path, archive, max_bytes or stored(path).n_bytes, sha256)
    return decode_pixels(data, None)


def _read_parameters(family: str, parameters: str | None) -> dict[str, Any]:
    try:
        found = json.loads(parameters or "{}")
    except json.JSONDecodeError as error:
        raise ValueError(f"{family}: parameters are no JSON: {parameters}") from error
    if not isinstance(found, dict):
        raise ValueError(f"{family}: parameters are no JSON object: {parameters}")
    return found


def _flipped(pixels: Pixels, parameters: dict[str, Any], rle: str | None) -> Pixels:
    """The mirror image, left and right changed (`horizontal`) or above and below (`vertical`)."""
    del rle
    axis = parameters.get("axis")
    if axis not in _AXES:
        raise ValueError(f"flip: axis {axis!r}; it is one of {', '.join(_AXES)}")
    return cast(Pixels, cv2.flip(pixels, _AXES[axis]))


def _check_flip(
    original: Pixels, edited: Pixels, parameters: dict[str, Any], rle: str | None
) -> EditCheck:
    """The edit flipped back is the original, in every pixel."""
    flipped_back = _flipped(edited, parameters, rle)
    return EditCheck(changed_pixels(original, flipped_back), changed_pixels(original, edited))


def _silhouette(pixels: Pixels, parameters: dict[str, Any], rle: str | None) -> Pixels:
    """The mask in black on white: an object that has lost its surface."""
    del parameters
    covered = _mask(rle, pixels, "silhouette")
    return np.where(covered[..., None] > 0, 0, 255).astype(np.uint8).repeat(3, 2)


def _region_drawn(pixels: Pixels, parameters: dict[str, Any], rle: str | None) -> Pixels:
    """The edge of the mask drawn in, so that people see which region is meant."""
    del parameters
    outlines, _ = cv2.findContours(
        _mask(rle, pixels, "region"), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    drawn = pixels.copy()
    # white within black stands out from light and dark ground
    for color, width in ((0, 5), (255, 2)):
        cv2.drawContours(drawn, outlines, -1, (color, color, color), width)
    return drawn


def _zoomed(pixels: Pixels, parameters: dict[str, Any], rle: str | None) -> Pixels:
    """A crop, brought to the size of the whole picture by cubic interpolation."""
    del rle
    names = ("left", "top", "width", "height")
    crop = [parameters.get(name) for name in names]
    if not all(isinstance(number, int) for number in crop):
        raise ValueError(f"zoom: {dict(zip(names, crop, strict=True))}; each is a whole number")
    left, top, width, height = cast(list[int], crop)
    full_height, full_width = pixels.shape[:2]
    is_inside = (
        left >= 0 and top >= 0 and left + width <= full_width and top + height <= full_height
    )
    if width < 1 or height < 1 or not is_inside:
        raise ValueError(f"zoom: {crop} is no part of a picture of {full_width} x {full_height}")
    part = pixels[top : top + height, left : left + width]
    return cast(Pixels, cv2.resize(part, (full_width, full_height), interpolation=cv2.INTER_CUBIC))


def _shadow_turned(pixels: Pixels, parameters: dict[str, Any], rle: str | None) -> Pixels:
    """The shadow of the mask painted over, and thrown again in another direction."""
    turn = shadow_turns.read_turn(parameters)
    return shadow_turns.turn_shadow(pixels, _mask(rle, pixels, "shadow_turn"), turn)


def _check_shadow_turn(
    original: Pixels, edited: Pixels, parameters: dict[str, Any], rle: str | None
) -> EditCheck:
    """Only where the shadow lay and where it lies now may differ."""
    turn = shadow_turns.read_turn(parameters)
    allowed = shadow_turns.allowed_region(_mask(rle, original, "shadow_turn"), turn) > 0
    differs = _differing(original, edited)
    return EditCheck(
        int(np.count_nonzero(differs & ~allowed)), int(np.count_nonzero(differs & allowed))
    )


def _check_remade(
    edit: Callable[[Pixels, dict[str, Any], str | None], Pixels],
) -> Callable[[Pixels, Pixels, dict[str, Any], str | None], EditCheck]:
    """A check of an edit that leaves no pixel as it was: it is what the original gives again."""

    def check(
        original: Pixels, edited: Pixels, parameters: dict[str, Any], rle: str | None
    ) -> EditCheck:
        remade = edit(original, parameters, rle)
        return EditCheck(changed_pixels(remade, edited), changed_pixels(original, edited))

    return check


def _chained(pixels: Pixels, parameters: dict[str, Any], rle: str | None) -> Pixels:
    """One edit after the other; whichever needs a mask takes the chain's."""
    for family, step in _steps(parameters):
        pixels = _EDITS[family].apply(pixels, step, rle)
    return pixels


def _check_chain(
    original: Pixels, edited: Pixels, parameters: dict[str, Any], rle: str | None
) -> EditCheck:
    """Each step against the one before it, the last as it was read back.

    The least that a step changed counts, so that a step which changes nothing shows.
    """
    steps = _steps(parameters)
    checks = []
    for number, (family, step) in enumerate(steps, start=1):
        is_last = number == len(steps)
        after = edited if is_last else _EDITS[family].apply(original, step, rle)
        checks.append(_EDITS[family].check(original, after, step, rle))
        original = after
    return EditCheck(
        sum(check.n_changed_elsewhere for check in checks),
        min(check.n_changed_inside for check in checks),
    )


def _steps(parameters: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    steps = parameters.get("steps")
    if not isinstance(steps, list) or len(steps) < 2:
        raise ValueError(f"chain: steps {steps!r}; it is a list of two edits or more")
    pairs = []
    for step in steps:
        family = step.get("family") if isinstance(step, dict) else None
        if family not in _EDITS or family == "chain":
            raise ValueError(f"chain: family {family!r}; it is one of {', '.join(_EDITS)}")
        pairs.append((family, step.get("parameters") or {}))
    return pairs


def _mask(rle: str | None, pixels: Pixels, family: str) -> masks.Mask:
    if rle is None:
        raise ValueError(f"{family} without its mask")
    return masks.decode(rle, *pixels.shape[:2])


def changed_pixels(one: Pixels, other: Pixels) -> int:
    """How many pixels differ. Errors: `ValueError` for pictures of different sizes."""
    return int(np.count_nonzero(_differing(one, other)))


def _differing(one: Pixels, other: Pixels) -> npt.NDArray[np.bool_]:
    if one.shape != other.shape:
        raise ValueError(f"sizes differ: {one.shape[1::-1]} and {other.shape[1::-1]}")
    return cast(npt.NDArray[np.bool_], np.any(one != other, axis=2))


@dataclass(frozen=True)
class _Edit:
    apply: Callable[[Pixels, dict[str, Any], str | None], Pixels]
    check: Callable[[Pixels, Pixels, dict[str, Any], str | None], EditCheck]


_EDITS: Final = {
    "flip": _Edit(_flipped, _check_flip),
    "silhouette": _Edit(_silhouette, _check_remade(_silhouette)),
    "zoom": _Edit(_zoomed, _check_remade(_zoomed)),
    "shadow_turn": _Edit(_shadow_turned, _check_shadow_turn),
    "region": _Edit(_region_drawn, _check_remade(_region_drawn)),
    "chain": _Edit(_chained, _check_chain),
}
EDIT_FAMILIES: Final = tuple(_EDITS)
