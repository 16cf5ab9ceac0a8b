"""Recipes into pictures: files addressed by what is in them."""

import hashlib
import json
import os
import shutil
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np
import pyarrow as pa

from gainsay.python_udfs.annotate.results_cache import keep_results, read_results
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels import corruptions, edits, masks
from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, decode_pixels, read_landed
from gainsay.python_udfs.pixels.inpainters import paint_over
from gainsay.python_udfs.registry import RENDERING
from gainsay.python_udfs.storage import absolute, is_url, status, write_whole

JPEG_QUALITY: Final = 90
# libjpeg's own limit, a little below that of the standard
LARGEST_JPEG_SIDE: Final = 65_500
INPAINT_KERNEL: Final = 20
# a kill loses no more than this
_RECIPES_PER_COMMIT: Final = 128
# of one picture, decoded once
_RECIPES_PER_PICTURE: Final = 16
_EMPTY_ROW: Final = {field.name: None for field in RENDERING}


@dataclass(frozen=True)
class Recipe:
    """A picture and what to make of it; the fields that a family does not use are null."""

    render_key: str
    path: str
    archive: str | None
    sha256: str
    family: str
    severity: int
    left: int | None
    top: int | None
    width: int | None
    height: int | None
    rle: str | None
    seed_key: str | None
    inpainter: str | None
    parameters: str | None
    folder: str
    max_bytes: int


class UnusableRecipeError(Exception):
    """Why a recipe gave no picture: the kind in a word, then what was found."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def render_recipes(*columns: pa.Array) -> pa.Array:
    """Render recipes to files below a folder, both cores at work, and tell what was made.

    Shapes: one array per field of `Recipe`, in its order, to `RENDERING`. `render_key` names
    function, version, input and parameters: what the folder holds under a key is not made
    again. `rendered_file` is relative to the folder and made of the content's SHA-256. Errors:
    a recipe that cannot be rendered has `error_kind` (`unreadable`, `too_large`, `changed`,
    `not_an_image`, `undecodable`, `wrong_recipe`, `failed`, `unwritable`) and `error`, and is
    tried again next time; `SetupError` for what no recipe is to blame for, such as a missing
    network. Source: the families' own modules; JPEG quality 90, but PNG for edits, which must
    change nothing else.
    """
    by_name = dict(zip((field.name for field in fields(Recipe)), columns, strict=True))
    keys = by_name["render_key"].to_pylist()
    folders = by_name["folder"].to_pylist()
    without_folder = UnusableRecipeError("wrong_recipe", "a recipe without a folder")
    rows: dict[str, dict[str, Any]] = {
        key: _error_row(without_folder)
        for key, folder in zip(keys, folders, strict=True)
        if folder is None
    }
    for folder in by_name["folder"].drop_null().unique().to_pylist():
        rows |= _rendered_before(folder, read_results(folder, keys))
    # a key that stands twice is made once
    places = {key: place for place, key in enumerate(keys) if key not in rows}
    if places:
        wanted = [column.take(pa.array(list(places.values()))) for column in columns]
        rows |= _render_missing(
            [Recipe(*row) for row in zip(*(c.to_pylist() for c in wanted), strict=True)]
        )
    return pa.array([rows[key] for key in keys], RENDERING)


def are_rendered(files: pa.Array, sizes: pa.Array, folders: pa.Array) -> pa.Array:
    """Whether a folder holds rendered files in their sizes; false for null.

    Shapes: `rendered_file` and `n_bytes` of `RENDERING`, the folder. Units: bytes. Errors: none.
    """
    rows = zip(files.to_pylist(), sizes.to_pylist(), folders.to_pylist(), strict=True)
    return pa.array(
        [_is_there(f"{folder}/{name}", size) for name, size, folder in rows], pa.bool_()
    )


def absolute_paths(paths: pa.Array) -> pa.Array:
    """Paths from the root, relative ones from where the process runs; null stays null.

    A URL of this machine's files becomes its path, another one stays as it is. Shapes: text.
    Errors: none.
    """
    found = [path and absolute(path) for path in paths.to_pylist()]
    return pa.array(found, pa.string())


def _rendered_before(folder: str, results: dict[str, str]) -> dict[str, dict[str, Any]]:
    """The rows of files that were made before and are still there."""
    # one text is read much faster than many
    rows = json.loads(f"[{','.join(results.values())}]")
    # a local file is asked for much faster than another thread
    ask = _pool().map if is_url(folder) else map
    there = ask(lambda row: _is_there(f"{folder}/{row['rendered_file']}", row["n_bytes"]), rows)
    return {key: row for key, row, is_there in zip(results, rows, there, strict=True) if is_there}


def _is_there(path: str, size: int | None) -> bool:
    if is_url(path):
        found = status(path)
        return found is not None and found.n_bytes == size
    try:
        return os.stat(path).st_size == size  # noqa: PTH116  # quicker
    except OSError:
        return False


def _render_missing(recipes: list[Recipe]) -> dict[str, dict[str, Any]]:
    """Render, and keep what was made while the next pictures are in the making."""
    rows: dict[str, dict[str, Any]] = {}
    unkept: dict[str, dict[str, dict[str, Any]]] = {recipe.folder: {} for recipe in recipes}

    def keep(folder: str) -> None:
        kept = {key: json.dumps(row) for key, row in unkept[folder].items()}
        keep_results(folder, kept)
        unkept[folder].clear()

    for group, made in _pool().map(_render_group, _groups(recipes)):
        for recipe, row in zip(group, made, strict=True):
            rows[recipe.render_key] = row
            if not row["error_kind"]:
                unkept[recipe.folder][recipe.render_key] = row
            if len(unkept[recipe.folder]) == _RECIPES_PER_COMMIT:
                keep(recipe.folder)
    for folder in unkept:
        keep(folder)
    return rows


def _groups(recipes: list[Recipe]) -> list[list[Recipe]]:
    """Recipes of one picture together, so that it is decoded once for several of them."""
    by_picture: dict[tuple[object, ...], list[Recipe]] = {}
    for recipe in recipes:
        picture = (recipe.path, recipe.archive, recipe.sha256, recipe.max_bytes)
        by_picture.setdefault(picture, []).append(recipe)
    return [
        group[start : start + _RECIPES_PER_PICTURE]
        for group in by_picture.values()
        for start in range(0, len(group), _RECIPES_PER_PICTURE)
    ]


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="pixels")


def _render_group(group: list[Recipe]) -> tuple[list[Recipe], list[dict[str, Any]]]:
    try:
        pixels = read_pixels(group[0])
    except Exception as error:
        return group, [_error_row(error) for _ in group]
    return group, [_row(recipe, pixels) for recipe in group]


def _row(recipe: Recipe, pixels: Pixels) -> dict[str, Any]:
    try:
        is_edit = recipe.family in edits.EDIT_FAMILIES
        encoded = (encode_png if is_edit else encode_jpeg)(apply(recipe, pixels))
        sha256 = hashlib.sha256(encoded).hexdigest()
        name = f"{sha256[:2]}/{sha256}.{'png' if is_edit else 'jpg'}"
        _write_once(recipe.folder, name, encoded)
    except SetupError:
        raise
    except Exception as error:
        # an unexpected failure is the error of this recipe alone
        return _error_row(error)
    return _EMPTY_ROW | {"rendered_file": name, "sha256": sha256, "n_bytes": len(encoded)}


def _error_row(error: Exception) -> dict[str, Any]:
    if isinstance(error, ImageUnreadableError | UnusableRecipeError):
        kind, reason = error.kind, str(error)
    elif isinstance(error, OSError):
        kind, reason = "unwritable", error.strerror or str(error)
    elif isinstance(error, MemoryError):
        kind, reason = "undecodable", "not enough memory for its pixels"
    else:
        kind, reason = "failed", f"{type(error).__name__}: {error}"
    return _EMPTY_ROW | {"error_kind": kind, "error": reason}


def read_pixels(recipe: Recipe) -> Pixels:
    """The upright pixels of the recipe's picture, if its file is still the one that landed.

    The landing has checked the header of these very bytes, and decoded them.
    """
    data = read_landed(recipe.path, recipe.archive, recipe.max_bytes, recipe.sha256)
    return decode_pixels(data, None)


def encode_jpeg(pixels: Pixels) -> bytes:
    """JPEG bytes at quality 90.

    Errors: `UnusableRecipeError` of kind `too_large` for a side that JPEG cannot hold.
    """
    height, width = pixels.shape[:2]
    if max(height, width) > LARGEST_JPEG_SIDE:
        raise UnusableRecipeError(
            "too_large",
            f"{width:,} x {height:,} pixels; JPEG holds sides of up to {LARGEST_JPEG_SIDE:,}",
        )
    options = [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY]
    encoded: bytes = cv2.imencode(".jpg", pixels, options)[1].tobytes()
    return encoded


def encode_png(pixels: Pixels) -> bytes:
    """PNG bytes, which lose nothing."""
    encoded: bytes = cv2.imencode(".png", pixels)[1].tobytes()
    return encoded


def apply(recipe: Recipe, pixels: Pixels) -> Pixels:
    """The recipe's corruption of a picture."""
    try:
        if recipe.family in _GEOMETRIC:
            return _GEOMETRIC[recipe.family](recipe, pixels)
        if recipe.family in edits.EDIT_FAMILIES:
            return edits.apply_edit(recipe.family, pixels, recipe.parameters, recipe.rle)
        return corruptions.corrupt(pixels, recipe.family, recipe.severity, recipe.seed_key or "")
    except (ValueError, TypeError, cv2.error) as error:
        raise UnusableRecipeError("wrong_recipe", str(error)) from error


def _occlusion(recipe: Recipe, pixels: Pixels) -> Pixels:
    box = (recipe.left, recipe.top, recipe.width, recipe.height)
    if None in box:
        raise ValueError(f"an occlusion without its box: {box}")
    return corruptions.occlude_box(pixels, *cast(tuple[int, int, int, int], box))


def _mask(recipe: Recipe, pixels: Pixels) -> masks.Mask:
    if recipe.rle is None:
        raise ValueError(f"{recipe.family} without its mask")
    return masks.decode(recipe.rle, *pixels.shape[:2])


def _occluded_mask(recipe: Recipe, pixels: Pixels) -> Pixels:
    return corruptions.occlude_mask(pixels, _mask(recipe, pixels))


def _inpainted(recipe: Recipe, pixels: Pixels) -> Pixels:
    kernel = np.ones((INPAINT_KERNEL, INPAINT_KERNEL), np.uint8)
    grown = cast(masks.Mask, cv2.dilate(_mask(recipe, pixels), kernel))
    if recipe.inpainter is None:
        raise ValueError("inpaint_remove without its inpainter")
    return paint_over(pixels, grown, recipe.inpainter)


_GEOMETRIC: Final[dict[str, Callable[[Recipe, Pixels], Pixels]]] = {
    "occlusion": _occlusion,
    "occlusion_target": _occluded_mask,
    "occlusion_control": _occluded_mask,
    "inpaint_remove": _inpainted,
}
FAMILY_NAMES: Final = (*_GEOMETRIC, *edits.EDIT_FAMILIES, *corruptions.FAMILIES)


def _write_once(folder: str, name: str, data: bytes) -> None:
    """Write a file whole or not at all, unless it is there already."""
    path = f"{folder}/{name}"
    if _is_there(path, len(data)):
        return
    if is_url(path):
        write_whole(path, data)
        return
    unfinished = f"{_unfinished_folder(folder, os.getpid())}/{threading.get_ident()}"
    try:
        file = open(unfinished, "wb")  # noqa: PTH123, SIM115  # quicker
    except FileNotFoundError:
        # somebody removed the folder since this process made it
        Path(unfinished).parent.mkdir(parents=True, exist_ok=True)
        file = open(unfinished, "wb")  # noqa: PTH123, SIM115
    with file:
        file.write(data)
    try:
        os.rename(unfinished, path)  # noqa: PTH104  # quicker
    except FileNotFoundError:
        Path(path).parent.mkdir(exist_ok=True)
        Path(unfinished).rename(path)


@cache
def _unfinished_folder(folder: str, process: int) -> str:
    """Where this process writes files until they are whole; what dead processes left goes."""
    parent = Path(folder) / "unfinished"
    mine = parent / str(process)
    mine.mkdir(parents=True, exist_ok=True)
    for other in parent.iterdir():
        if other.name.isdecimal() and not _is_alive(int(other.name)):
            shutil.rmtree(other, ignore_errors=True)
    return str(mine)


def _is_alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except OSError:
        # somebody else's
        return True
    return True
