"""Pixels by recipe: rendering beside the bare OpenCV loop, families, annotators, duplicates."""

import hashlib
import json
import os
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa

from gainsay.python_udfs.annotate import annotators, ocr, sun
from gainsay.python_udfs.pixels import masks
from gainsay.python_udfs.pixels.corruptions import FAMILIES, corrupt
from gainsay.python_udfs.pixels.edits import EDIT_FAMILIES, check_edits
from gainsay.python_udfs.pixels.near_duplicates import Limits, find_pairs
from gainsay.python_udfs.pixels.rendering import Recipe, render_recipes
from gainsay.synth.corpus import write_corpus
from gainsay.synth.plan import order_of
from tests.benchmarks.measuring import Measurement
from tests.python.real_data import REAL_SAMPLE

_RENDERINGS = 1_000
_PICTURES_PER_FAMILY = 12
_EDITS_PER_FAMILY = 200
_HASHES = 500_000
_ALIKE = 50_000
_POSITIONS = 1_000_000


def pixels(folder: Path) -> list[Measurement]:
    """Measure on the real photographs, or on drawn ones where those are not here.

    Renderings go to `folder`, which is emptied first.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    pictures = sorted(REAL_SAMPLE.rglob("*.jpg")) or _drawn(folder / "drawn")
    return [
        *_rendering(pictures, folder),
        *_families(pictures),
        *render_edits(pictures, folder / "edits", _EDITS_PER_FAMILY),
        *_annotators(pictures),
        *_duplicates(),
        _sun(),
    ]


def _drawn(folder: Path) -> list[Path]:
    write_corpus(folder, order_of(100, None, 7, has_pictures=True, has_flaws=False))
    return sorted(folder.rglob("*.jpg"))


def _rendering(pictures: list[Path], folder: Path) -> list[Measurement]:
    """Each way before and after the others, so that a busy machine hurts all of them alike."""
    several = _recipes(pictures, folder / "several")
    each = [
        replace(recipe, path=str(_linked(recipe, folder / "links")), folder=str(folder / "each"))
        for recipe in several
    ]
    seconds: dict[str, list[float]] = {"bare": [], "each": [], "several": [], "again": []}
    for turn in ("first", "second"):
        seconds["bare"].append(_seconds(lambda turn=turn: _bare_loop(several, folder / turn)))
        for name, recipes in (("each", each), ("several", several)):
            there = [replace(recipe, folder=f"{recipe.folder}_{turn}") for recipe in recipes]
            columns = [
                pa.array(column) for column in zip(*(vars(r).values() for r in there), strict=True)
            ]
            seconds[name].append(_seconds(lambda columns=columns: render_recipes(*columns)))
        seconds["again"].append(_seconds(lambda columns=columns: render_recipes(*columns)))
    n = len(several)
    bare, first, shared, again = (min(times) for times in seconds.values())
    return [
        Measurement("bare decode + fill + encode, all cores", bare, n),
        Measurement(
            "render occlusions, each of another picture", first, n,
            ratio=bare / first, at_least=0.85,
        ),
        Measurement(
            "render occlusions, several of a picture", shared, n,
            ratio=bare / shared, at_least=0.85,
        ),
        Measurement("render again, all cached", again, n, ratio=again / shared, at_most=0.01),
    ]  # fmt: skip


def _linked(recipe: Recipe, folder: Path) -> Path:
    """The recipe's picture by a name that no other recipe has."""
    folder.mkdir(exist_ok=True)
    link = folder / f"{recipe.render_key}.jpg"
    link.symlink_to(recipe.path)
    return link


def _seconds(work: Callable[[], Any]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def _recipes(pictures: list[Path], folder: Path) -> list[Recipe]:
    known = [(path, cv2.imread(str(path)).shape, path.read_bytes()) for path in pictures]
    recipes = []
    for number in range(_RENDERINGS):
        path, (height, width, _), data = known[number % len(known)]
        recipes.append(
            Recipe(
                render_key=str(number),
                path=str(path),
                archive=None,
                sha256=hashlib.sha256(data).hexdigest(),
                family="occlusion",
                severity=1,
                left=number % (width // 2),
                top=number % (height // 2),
                width=width // 2,
                height=height // 2,
                rle=None,
                seed_key=None,
                inpainter=None,
                parameters=None,
                folder=str(folder),
                max_bytes=10**8,
            )
        )
    return recipes


def _bare_loop(recipes: list[Recipe], folder: Path) -> None:
    """What any program must do: decode, fill, encode, write."""
    folder.mkdir()

    def occlude(recipe: Recipe) -> None:
        picture = cv2.imread(recipe.path)
        assert recipe.left is not None
        assert recipe.top is not None
        bottom, right = recipe.top + (recipe.height or 0), recipe.left + (recipe.width or 0)
        picture[recipe.top : bottom, recipe.left : right] = 0
        name = str(folder / f"{recipe.render_key}.jpg")
        cv2.imwrite(name, picture, [cv2.IMWRITE_JPEG_QUALITY, 90])

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(occlude, recipes))


def _families(pictures: list[Path]) -> list[Measurement]:
    loaded = [cv2.imread(str(path)) for path in pictures[:_PICTURES_PER_FAMILY]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [
            Measurement(
                f"{family}, severity 3",
                _seconds(
                    lambda family=family: list(
                        pool.map(lambda picture: corrupt(picture, family, 3, "bench"), loaded)
                    )
                ),
                len(loaded),
            )
            for family in FAMILIES
        ]


def render_edits(pictures: list[Path], folder: Path, n_edits: int) -> list[Measurement]:
    """Edits rendered without loss, then read back and compared, so many of each family.

    Raises `RuntimeError` for an edit that changes pixels where it may not.
    """
    folder.mkdir()
    rows = []
    for family in EDIT_FAMILIES:
        recipes = _edit_recipes(pictures, folder, family, n_edits)
        columns = [
            pa.array(column)
            for column in zip(*(vars(recipe).values() for recipe in recipes), strict=True)
        ]
        started = time.perf_counter()
        renderings = render_recipes(*columns).to_pylist()
        rendered = time.perf_counter()
        checks = check_edits(
            *(
                pa.array(column)
                for column in zip(
                    *(
                        (
                            recipe.render_key,
                            recipe.path,
                            recipe.archive,
                            recipe.sha256,
                            rendering["rendered_file"],
                            rendering["sha256"],
                            recipe.family,
                            recipe.parameters,
                            recipe.rle,
                            recipe.folder,
                            recipe.max_bytes,
                        )
                        for recipe, rendering in zip(recipes, renderings, strict=True)
                    ),
                    strict=True,
                )
            )
        ).to_pylist()
        checked = time.perf_counter()
        wrong = [check for check in checks if check["error"] or check["n_changed_elsewhere"]]
        if wrong:
            raise RuntimeError(f"{family}: {len(wrong)} edits are not proved: {wrong[0]}")
        rows += [
            Measurement(f"render edits: {family}", rendered - started, len(recipes)),
            Measurement("  read back and compared", checked - rendered, len(recipes)),
        ]
    return rows  # fmt: skip


def _edit_recipes(pictures: list[Path], folder: Path, family: str, n_edits: int) -> list[Recipe]:
    """Recipes of a family on the pictures in turn: an ellipse in their middle is the mask."""
    recipes = []
    for number in range(n_edits):
        path = pictures[number % len(pictures)]
        height, width, _ = cv2.imread(str(path)).shape
        mask = np.zeros((height, width), np.uint8)
        cv2.ellipse(mask, (width // 2, height // 2), (width // 6, height // 20), 30, 0, 360, 1, -1)
        zoom = {
            "left": width // 4 + number % 8, "top": height // 4, "width": width // 5,
            "height": height // 5,
        }  # fmt: skip
        turn = {
            "pivot_x": width / 2, "pivot_y": height / 2, "degrees": 60 + number % 8,
            "margin": 3, "ring": 15, "least_gain": 0.15, "most_gain": 0.9,
        }  # fmt: skip
        parameters = {
            "flip": {"axis": "horizontal"},
            "silhouette": {},
            "zoom": zoom,
            "shadow_turn": turn,
            "region": {},
            "chain": {
                "steps": [
                    {"family": "shadow_turn", "parameters": turn},
                    {"family": "flip", "parameters": {"axis": "horizontal"}},
                ]
            },
        }[family]
        recipes.append(
            Recipe(
                render_key=f"{family} {number}",
                path=str(path),
                archive=None,
                sha256=hashlib.sha256(path.read_bytes()).hexdigest(),
                family=family,
                severity=1,
                left=None,
                top=None,
                width=None,
                height=None,
                rle=masks.encode(mask),
                seed_key=None,
                inpainter=None,
                parameters=json.dumps(parameters),
                folder=str(folder),
                max_bytes=10**8,
            )
        )
    return recipes


def _annotators(pictures: list[Path]) -> list[Measurement]:
    looks: dict[str, annotators.Annotator] = {
        "shadow": annotators.find_shadow,
        "texture": annotators.measure_texture,
    }
    loaded = [cv2.imread(str(path)) for path in pictures[:_PICTURES_PER_FAMILY]]

    def read_batch() -> None:
        ocr.read_texts([ocr.find_pages(picture) for picture in loaded], ocr.installed_engine().read)

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [
            Measurement("annotate ocr, one run", _seconds(read_batch), len(loaded)),
            *(Measurement(
                f"annotate {name}", _seconds(lambda look=look: list(pool.map(look, loaded))),
                len(loaded),
            )
            for name, look in looks.items()),
        ]  # fmt: skip


def _duplicates() -> list[Measurement]:
    """Random hashes, equal ones, and different ones that are all near each other."""
    generator = np.random.Generator(np.random.Philox(7))
    random = generator.integers(0, 2**64, _HASHES, np.uint64)
    equal = np.zeros(_ALIKE, np.uint64)
    near = np.zeros(_ALIKE, np.uint64)
    for _ in range(4):
        near ^= np.uint64(1) << generator.integers(0, 64, _ALIKE).astype(np.uint64)
    limits = Limits(distance=9, group_size=20, neighbours=50)
    return [
        Measurement(
            f"near-duplicates among {name}hashes",
            _seconds(lambda hashes=hashes: find_pairs(hashes, limits)),
            len(hashes),
            most_seconds=15,
        )
        for name, hashes in (("", random), ("equal ", equal), ("near ", near))
    ]


def _sun() -> Measurement:
    generator = np.random.Generator(np.random.Philox(7))
    start = np.datetime64("2010-01-01", "ms")
    times = start + generator.integers(0, 10**11, _POSITIONS).astype("m8[ms]")
    latitude = generator.uniform(-90, 90, _POSITIONS)
    longitude = generator.uniform(-180, 180, _POSITIONS)
    texts = pa.array(times.astype(str).tolist())
    none = pa.nulls(_POSITIONS)
    methods = pa.array(["closed_form"] * _POSITIONS)
    seconds = _seconds(
        lambda: sun.shadow_geometry(
            texts, none, texts, pa.array(latitude), pa.array(longitude), methods
        )
    )
    return Measurement("sun positions, closed form", seconds, _POSITIONS, most_seconds=60)


def main(folder: Path) -> None:
    """Measure and print; renderings go to a folder, which is emptied first."""
    measurements = pixels(folder)
    for measurement in measurements:
        print(" | ".join(measurement.cells()), "MISSED" if measurement.is_missed else "")
    sys.exit(any(measurement.is_missed for measurement in measurements))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
