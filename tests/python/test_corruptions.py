"""A pixel depends on the picture, the recipe and the seed key, and on nothing else."""

import csv
import hashlib
import importlib.util
import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from gainsay.python_udfs.pixels.corruptions import (
    FAMILIES,
    corrupt,
    generator_of,
    occlude_box,
    occlude_mask,
)
from gainsay.python_udfs.pixels.inpainters import paint_over
from gainsay.python_udfs.pixels.rendering import FAMILY_NAMES
from tests.python.conftest import PROJECT
from tests.python.image_specimens import photograph
from tests.python.real_data import REAL_SAMPLE, needs_real_sample

GOLDEN: dict[str, str] = json.loads((Path(__file__).parent / "golden_corruptions.json").read_text())
EVERY = [(family, severity) for family in FAMILIES for severity in range(1, 6)]
# the package fails on them with today's numpy and scikit-image
NOT_IN_ORACLE = {"glass_blur", "fog", "gaussian_blur"}
# synthesised, where the package cuts from its photographs
OWN_TEXTURE = {"frost"}

needs_oracle = pytest.mark.skipif(
    importlib.util.find_spec("imagecorruptions") is None,
    reason="the package imagecorruptions is not installed (.ci/install does)",
)


def digest(pixels: NDArray[np.uint8]) -> str:
    """The raw array in a few digits."""
    shape = "x".join(map(str, pixels.shape))
    return f"{shape}:{hashlib.sha256(np.ascontiguousarray(pixels).tobytes()).hexdigest()[:16]}"


@pytest.mark.parametrize(("family", "severity"), EVERY)
def test_golden_pixels(family: str, severity: int) -> None:
    corrupted = corrupt(photograph(160, 120), family, severity, "vqa-9::golden")
    assert corrupted.dtype == np.uint8
    assert digest(corrupted) == GOLDEN[f"{family}:{severity}"]


def test_golden_pixels_of_boxes_and_masks() -> None:
    picture = photograph(160, 120)
    mask = np.zeros((120, 160), np.uint8)
    cv2.circle(mask, (80, 60), 25, 1, -1)
    assert digest(picture) == GOLDEN["photograph"]
    assert digest(occlude_box(picture, 3, 4, 50, 60)) == GOLDEN["occlude_box"]
    assert digest(occlude_mask(picture, mask)) == GOLDEN["occlude_mask"]
    assert digest(paint_over(picture, mask, "telea")) == GOLDEN["inpaint"]


def test_threads_and_order_change_nothing() -> None:
    picture = photograph()
    alone = [corrupt(picture, *case, "key") for case in EVERY]
    with ThreadPoolExecutor(8) as pool:
        together = list(pool.map(lambda case: corrupt(picture, *case, "key"), EVERY[::-1]))
    assert all((a == b).all() for a, b in zip(alone, together[::-1], strict=True))


def test_seed_keys_matter_where_there_is_noise() -> None:
    picture = photograph()
    for family, severity in EVERY:
        same = (
            corrupt(picture, family, severity, "a") == corrupt(picture, family, severity, "b")
        ).all()
        assert bool(same) != FAMILIES[family].is_noisy, family


def test_noise_is_that_of_philox() -> None:
    """Written down, so that no version of a library can change it unseen."""
    assert generator_of("vqa-9::golden").integers(0, 1000, 5).tolist() == GOLDEN["draws"]


def test_the_seed_lists_the_families() -> None:
    with (PROJECT / "seeds/shared/images/corruption_families.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["family"] for row in rows} == set(FAMILY_NAMES)
    for row in rows:
        family = FAMILIES.get(row["family"])
        assert row["is_noisy"] == str(bool(family and family.is_noisy)).lower()
        assert (row["scale"] == "imagenet_c") == (family is not None)
        most = {"imagenet_c": "5", "conflict_suite": "3", "coco_mask": "1", "reality_check": "1"}
        assert row["max_severity"] == most[row["scale"]]


@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 9, 3), (7, 2, 3), (40, 33, 3)])
@pytest.mark.parametrize("level", [0, 77, 255])
def test_any_size_and_any_flat_picture(shape: tuple[int, int, int], level: int) -> None:
    flat = np.full(shape, level, np.uint8)
    for case in EVERY:
        assert corrupt(flat, *case, "key").shape == shape


def test_what_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="no family"):
        corrupt(photograph(), "rain", 1, "key")
    with pytest.raises(ValueError, match="severity 6"):
        corrupt(photograph(), "fog", 6, "key")


def test_boxes_are_half_open() -> None:
    white = np.full((6, 8, 3), 255, np.uint8)
    occluded = occlude_box(white, 2, 1, 3, 4)
    assert (occluded[1:5, 2:5] == 0).all()
    assert (occluded == 0).sum() == 3 * 3 * 4
    assert (occlude_box(white, 0, 0, 8, 6) == 0).all()
    assert (white == 255).all()


@pytest.mark.parametrize("box", [(6, 0, 3, 1), (0, 5, 1, 2), (-1, 0, 2, 2), (0, 0, 0, 1)])
def test_boxes_must_lie_in_the_picture(box: tuple[int, int, int, int]) -> None:
    with pytest.raises(ValueError, match="a box of"):
        occlude_box(np.zeros((6, 8, 3), np.uint8), *box)


@pytest.mark.slow
@needs_oracle
@needs_real_sample
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("family", sorted(FAMILIES.keys() - NOT_IN_ORACLE - OWN_TEXTURE))
def test_families_agree_with_imagecorruptions(family: str) -> None:
    """Mean, spread and edges within 2 % + 1 level; blurred pictures correlate."""
    import imagecorruptions

    path = sorted((REAL_SAMPLE / "val2017").glob("*.jpg"))[0]
    picture = cv2.imread(str(path))
    for severity in (1, 3, 5):
        ours = corrupt(picture, family, severity, path.name)
        np.random.seed(7)
        rgb = np.ascontiguousarray(picture[..., ::-1])
        theirs = np.asarray(imagecorruptions.corrupt(rgb, severity, family))[..., ::-1]
        tolerance = {"snow": 8.0, "spatter": 2.0}.get(family, 1.0)
        assert abs(ours.mean() - theirs.mean()) <= 0.02 * theirs.mean() + tolerance
        assert abs(ours.std() - theirs.std()) <= 0.02 * theirs.std() + tolerance
        assert abs(_edges(ours) - _edges(theirs)) <= 0.1 * _edges(theirs) + tolerance
        smooth = [cv2.blur(p.astype(np.float32), (15, 15)).ravel() for p in (ours, theirs)]
        # noise and drops fall elsewhere
        least = 0.8 if family in ("snow", "spatter") else 0.9
        assert np.corrcoef(*smooth)[0, 1] >= least


def _edges(pixels: NDArray[np.uint8]) -> float:
    return float(np.abs(np.diff(pixels.astype(np.float32).mean(axis=2), axis=0)).mean())
