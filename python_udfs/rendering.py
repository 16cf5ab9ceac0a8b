"""Recipes into pictures: files addressed by what is in them."""

import hashlib
import json
import os
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, cast

import cv2
import numpy as np
import pyarrow as pa

from python_udfs import corruptions, masks
from python_udfs.corruptions import Pixels
from python_udfs.image_bytes import ImageUnreadableError, read_image
from python_udfs.registry import RENDERING
from python_udfs.results_cache import keep_results, read_results

JPEG_QUALITY: Final = 90
INPAINT_KERNEL: Final = 20
# a kill loses no more than this
_RECIPES_PER_COMMIT: Final = 128


@dataclass(frozen=True)
class Recipe:
    """What to make of which picture; the fields that a family does not use are null."""

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
    folder: str
    max_bytes: int


class _RecipeError(Exception):
    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def render_recipes(*columns: pa.Array) -> pa.Array:
    """Render recipes to JPEG files below a folder, both cores at work, and tell what was made.

    Shapes: one array per field of `Recipe`, in its order, to `RENDERING`. `render_key` names
    function, version, input and parameters: what the folder holds under a key is not made
    again. `rendered_file` is relative to the folder and made of the content's SHA-256. Errors:
    a recipe that cannot be rendered has `error_kind` (`unreadable`, `too_large`, `changed`,
    `undecodable`, `wrong_recipe`, `unwritable`) and `error`, and is tried again next time.
    Source: the families' own modules; JPEG quality 90.
    """
    recipes = [Recipe(*row) for row in zip(*(c.to_pylist() for c in columns), strict=True)]
    rows: list[dict[str, Any]] = []
    for start in range(0, len(recipes), _RECIPES_PER_COMMIT):
        rows += _render_part(recipes[start : start + _RECIPES_PER_COMMIT])
    return pa.array(rows, RENDERING)


def _render_part(recipes: list[Recipe]) -> list[dict[str, Any]]:
    made: dict[str, dict[str, Any]] = {}
    for folder in {recipe.folder for recipe in recipes}:
        here = {recipe.render_key: recipe for recipe in recipes if recipe.folder == folder}
        known = {
            key: json.loads(result) for key, result in read_results(Path(folder), here).items()
        }
        made |= {key: row for key, row in known.items() if _is_there(folder, row)}
        missing = [recipe for key, recipe in here.items() if key not in made]
        rendered = dict(
            zip([recipe.render_key for recipe in missing], _pool().map(_row, missing), strict=True)
        )
        kept = {key: json.dumps(row) for key, row in rendered.items() if not row["error_kind"]}
        keep_results(Path(folder), kept)
        made |= rendered
    return [made[recipe.render_key] for recipe in recipes]


def _is_there(folder: str, row: dict[str, Any]) -> bool:
    try:
        size = os.stat(f"{folder}/{row['rendered_file']}").st_size  # noqa: PTH116  # quicker
    except OSError:
        return False
    return bool(size == row["n_bytes"])


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="pixels")


def _row(recipe: Recipe) -> dict[str, Any]:
    row: dict[str, Any] = {field.name: None for field in RENDERING}
    try:
        encoded = encode_jpeg(apply(recipe, read_pixels(recipe)))
        sha256 = hashlib.sha256(encoded).hexdigest()
        name = f"{sha256[:2]}/{sha256}.jpg"
        _write_once(Path(recipe.folder) / name, encoded)
        row |= {"rendered_file": name, "sha256": sha256, "n_bytes": len(encoded)}
    except (ImageUnreadableError, _RecipeError) as error:
        row |= {"error_kind": error.kind, "error": str(error)}
    except OSError as error:
        row |= {"error_kind": "unwritable", "error": error.strerror or str(error)}
    except MemoryError:
        row |= {"error_kind": "undecodable", "error": "not enough memory for its pixels"}
    return row


def read_pixels(recipe: Recipe) -> Pixels:
    """The upright pixels of the recipe's picture, if its file is still the one that landed.

    The landing has checked the header of these very bytes, and decoded them.
    """
    data = read_image(recipe.path, recipe.archive, recipe.max_bytes)
    if hashlib.sha256(data).hexdigest() != recipe.sha256:
        raise _RecipeError("changed", "the file is not the one that landed; land images again")
    return decode_pixels(data)


def decode_pixels(data: bytes) -> Pixels:
    """Upright pixels in OpenCV's order; EXIF orientation applied, 16 bits and alpha reduced."""
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None:
        raise _RecipeError("undecodable", "OpenCV cannot decode the file")
    return cast(Pixels, pixels)


def encode_jpeg(pixels: Pixels) -> bytes:
    """JPEG bytes at quality 90."""
    encoded: bytes = cv2.imencode(".jpg", pixels, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[
        1
    ].tobytes()
    return encoded


def apply(recipe: Recipe, pixels: Pixels) -> Pixels:
    """The recipe's corruption of a picture."""
    try:
        if recipe.family in _GEOMETRIC:
            return _GEOMETRIC[recipe.family](recipe, pixels)
        return corruptions.corrupt(pixels, recipe.family, recipe.severity, recipe.seed_key or "")
    except (ValueError, TypeError, cv2.error) as error:
        raise _RecipeError("wrong_recipe", str(error)) from error


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
    return corruptions.inpaint(pixels, grown)


_GEOMETRIC: Final[dict[str, Callable[[Recipe, Pixels], Pixels]]] = {
    "occlusion": _occlusion,
    "occlusion_target": _occluded_mask,
    "occlusion_control": _occluded_mask,
    "inpaint_remove": _inpainted,
}
FAMILY_NAMES: Final = (*_GEOMETRIC, *corruptions.FAMILIES)


def _write_once(path: Path, data: bytes) -> None:
    """Write a file whole or not at all, unless it is there already."""
    if path.exists() and path.stat().st_size == len(data):
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
        Path(name).chmod(0o644)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
