"""Edits, and what proves that they changed no more than they may."""

import hashlib
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest

from python_udfs.pixels import edits
from python_udfs.pixels.edits import apply_edit
from tests.python.test_hostile_pictures import FUNCTIONS, called
from tests.python.test_rendering import recipe, render

HORIZONTAL = '{"axis": "horizontal"}'


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A picture of 4 x 3 pixels, no two of them alike."""
    pixels = np.arange(36, dtype=np.uint8).reshape(3, 4, 3) * 5
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), pixels)
    return path


@pytest.mark.parametrize(
    ("axis", "expected"),
    [("horizontal", [[3, 2, 1, 0], [7, 6, 5, 4]]), ("vertical", [[4, 5, 6, 7], [0, 1, 2, 3]])],
)
def test_a_flip_mirrors_along_its_axis(axis: str, expected: list[list[int]]) -> None:
    pixels = np.repeat(np.arange(8, dtype=np.uint8).reshape(2, 4, 1), 3, axis=2)
    flipped = apply_edit("flip", pixels, f'{{"axis": "{axis}"}}', None)
    assert flipped[:, :, 0].tolist() == expected


@pytest.mark.parametrize("parameters", [None, "{}", "[]", "{", '{"axis": "both"}'])
def test_a_flip_names_its_axis(parameters: str | None) -> None:
    with pytest.raises(ValueError, match="flip: "):
        apply_edit("flip", np.zeros((2, 2, 3), np.uint8), parameters, None)


def _checked(picture: Path, folder: Path, file: str, parameters: str | None) -> dict[str, Any]:
    sha256 = hashlib.sha256(picture.read_bytes()).hexdigest()
    edited = folder / file
    edited_sha256 = hashlib.sha256(edited.read_bytes()).hexdigest() if edited.exists() else "0" * 64
    row = ["key", str(picture), None, sha256, file, edited_sha256, "flip", parameters, None]
    found: dict[str, Any] = called(FUNCTIONS["gs_check_edit"], [*row, str(folder), 10**6])[0]
    return found


def test_a_flip_is_written_without_loss_and_read_back(picture: Path, tmp_path: Path) -> None:
    [row] = render(recipe(picture, tmp_path / "out", family="flip", parameters=HORIZONTAL))
    assert row["rendered_file"].endswith(".png")
    assert _checked(picture, tmp_path / "out", row["rendered_file"], HORIZONTAL) == {
        "n_changed_elsewhere": 0, "n_changed_inside": 12, "error": None,
    }  # fmt: skip


def test_one_pixel_that_is_off_is_found(picture: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    pixels = cv2.flip(cv2.imread(str(picture)), 1)
    pixels[1, 2, 0] ^= 1
    cv2.imwrite(str(tmp_path / "out" / "b.png"), pixels)
    found = _checked(picture, tmp_path / "out", "b.png", HORIZONTAL)
    assert found["n_changed_elsewhere"] == 1


def test_what_cannot_be_compared_says_why(picture: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.mkdir()
    assert "FileNotFoundError" in _checked(picture, out, "gone.png", HORIZONTAL)["error"]
    cv2.imwrite(str(out / "small.png"), np.zeros((2, 2, 3), np.uint8))
    found = _checked(picture, out, "small.png", HORIZONTAL)
    assert "sizes differ: (4, 3) and (2, 2)" in found["error"]


def test_a_picture_is_compared_once(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    [row] = render(recipe(picture, tmp_path / "out", family="flip", parameters=HORIZONTAL))
    first = _checked(picture, tmp_path / "out", row["rendered_file"], HORIZONTAL)
    monkeypatch.setattr(edits, "_check_row", lambda row: pytest.fail(f"compared again: {row}"))
    assert _checked(picture, tmp_path / "out", row["rendered_file"], HORIZONTAL) == first
