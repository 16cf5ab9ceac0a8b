"""Pixels by recipe: rendering beside the bare OpenCV loop, families, annotators, duplicates."""

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa

from python_udfs import annotators, sun
from python_udfs.corruptions import FAMILIES, corrupt
from python_udfs.near_duplicates import find_pairs
from python_udfs.rendering import Recipe, render_recipes
from tests.benchmarks.measuring import Measurement

_RENDERINGS = 2_000
_PICTURES_PER_FAMILY = 12
_HASHES = 500_000
_POSITIONS = 1_000_000


def pixels(pictures: list[Path], folder: Path) -> list[Measurement]:
    """Measure on some photographs; renderings go to `folder`, which is emptied first."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    recipes = _recipes(pictures, folder / "renderings")
    bare = _seconds(lambda: _bare_loop(recipes, folder / "bare"))
    columns = [
        pa.array(column) for column in zip(*(vars(r).values() for r in recipes), strict=True)
    ]
    first = _seconds(lambda: render_recipes(*columns))
    again = _seconds(lambda: render_recipes(*columns))
    n = len(recipes)
    return [
        Measurement("bare decode + fill + encode, all cores", bare, n),
        Measurement("render occlusions", first, n, ratio=bare / first, at_least=0.85),
        Measurement("render again, all cached", again, n, ratio=again / first, at_most=0.01),
        *_families(pictures),
        *_annotators(pictures),
        _duplicates(),
        _sun(),
    ]


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


def _annotators(pictures: list[Path]) -> list[Measurement]:
    looks = {"shadow": annotators.find_shadow, "texture": annotators.measure_texture}
    if shutil.which("tesseract"):
        looks["ocr"] = annotators.read_text
    loaded = [cv2.imread(str(path)) for path in pictures[:_PICTURES_PER_FAMILY]]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return [
            Measurement(
                f"annotate {name}", _seconds(lambda look=look: list(pool.map(look, loaded))),
                len(loaded),
            )
            for name, look in looks.items()
        ]  # fmt: skip


def _duplicates() -> Measurement:
    hashes = np.random.Generator(np.random.Philox(7)).integers(0, 2**64, _HASHES, np.uint64)
    seconds = _seconds(lambda: find_pairs(hashes, 9))
    return Measurement("near-duplicates among hashes", seconds, _HASHES, most_seconds=15)


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


def main(pictures: Path, folder: Path) -> None:
    """Measure on the photographs below `pictures` and print."""
    measurements = pixels(sorted(pictures.rglob("*.jpg")), folder)
    for measurement in measurements:
        print(" | ".join(measurement.cells()), "MISSED" if measurement.is_missed else "")
    sys.exit(any(measurement.is_missed for measurement in measurements))


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
