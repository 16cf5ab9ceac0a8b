"""Annotators see what was drawn."""

import csv
import hashlib
import json
import re
import shutil
from collections.abc import Callable
from math import dist
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pytest

from gainsay.python_udfs.annotate import annotators, ocr
from gainsay.python_udfs.annotate.object_colors import find_object_colors
from tests.python import image_specimens as specimens
from tests.python.conftest import PROJECT

Truth = dict[str, Any]

needs_tesseract = pytest.mark.skipif(
    shutil.which("tesseract") is None, reason="tesseract is not installed (.ci/install does)"
)


@pytest.fixture(scope="module")
def drawn(drawn_corpus: Callable[[int], Path]) -> list[tuple[Path, Truth]]:
    """Pictures of two corpora with what is true of them."""
    found = []
    for seed in (7, 31):
        folder = drawn_corpus(seed)
        truths = map(json.loads, (folder / "synthetic_truth.jsonl").read_text().splitlines())
        found += [(next(folder.glob(f"*2014/{truth['file_name']}")), truth) for truth in truths]
    return found


@pytest.mark.parametrize("angle", range(0, 180, 15))
def test_the_angle_of_a_shadow_is_clockwise_from_the_vertical(angle: int) -> None:
    picture = np.full((300, 400, 3), (60, 200, 120), np.uint8)
    # OpenCV turns the first axis clockwise from the horizontal
    cv2.ellipse(picture, (200, 150), (90, 20), angle - 90, 0, 360, (56, 58, 60), -1)
    found = annotators.find_shadow(picture)["angle"]
    assert min(abs(found - angle), 180 - abs(found - angle)) < 2


@pytest.mark.parametrize("colour", [(0, 0, 200), (90, 90, 90), (255, 255, 255)])
def test_what_has_colour_or_light_is_no_shadow(colour: tuple[int, int, int]) -> None:
    picture = np.full((300, 400, 3), 200, np.uint8)
    cv2.ellipse(picture, (200, 150), (90, 20), 30, 0, 360, colour, -1)
    assert annotators.find_shadow(picture) == {"angle": None, "area_share": None}


def test_the_share_of_the_largest_shadow_is_told() -> None:
    """`reality_check__annotator_results` decides from which share on it counts."""
    picture = np.full((300, 400, 3), 200, np.uint8)
    cv2.ellipse(picture, (300, 200), (9, 5), 0, 0, 360, (20, 20, 20), -1)
    cv2.ellipse(picture, (100, 150), (60, 20), 0, 0, 360, (20, 20, 20), -1)
    found = annotators.find_shadow(picture)
    assert found["area_share"] == pytest.approx(np.pi * 60 * 20 / (300 * 400), rel=0.05)
    assert found["angle"] == pytest.approx(90, abs=2)


@pytest.mark.slow
def test_shadows_of_the_synthetic_corpus(drawn: list[tuple[Path, Truth]]) -> None:
    within = []
    for path, truth in drawn:
        found = annotators.find_shadow(cv2.imread(str(path)))["angle"]
        if found is not None and truth["shadow_angle"] is not None:
            apart = abs(found - truth["shadow_angle"]) % 180
            within.append(min(apart, 180 - apart) < 10)
    assert len(within) > 50
    assert np.mean(within) >= 0.9


@pytest.mark.parametrize("frequency", [0.05, 0.1, 0.2, 0.35])
@pytest.mark.parametrize("turn", [0, 0.5, 1.2])
def test_the_frequency_of_a_grating(frequency: float, turn: float) -> None:
    y, x = np.mgrid[:240, :320]
    wave = np.sin(2 * np.pi * frequency * (x * np.cos(turn) + y * np.sin(turn)))
    grey = (128 + 80 * wave).astype(np.uint8)
    found = annotators.measure_texture(np.repeat(grey[..., None], 3, axis=2))
    assert found["dominant_texture_frequency"] == pytest.approx(frequency, rel=0.15)


def test_flat_pictures_have_no_texture() -> None:
    assert annotators.measure_texture(np.full((50, 60, 3), 90, np.uint8)) == {
        "edge_density": 0.0, "dominant_texture_frequency": None,
        "largest_contour_share": 0.0,
    }  # fmt: skip


def test_edges_and_the_largest_contour_are_shares_of_the_picture() -> None:
    """`reality_check__annotator_results` decides from which shares a silhouette can be cut out."""
    generator = np.random.Generator(np.random.Philox(7))
    picture = np.full((200, 200, 3), 128, np.uint8)
    picture[20:180, 20:180] = 240
    picture[60:140, 60:140] = generator.integers(0, 255, (80, 80, 1), np.uint8)
    found = annotators.measure_texture(picture)
    assert found["largest_contour_share"] == pytest.approx(160 * 160 / (200 * 200), rel=0.05)
    assert 0.05 < found["edge_density"] < 0.3


def read_all(pictures: list[npt.NDArray[np.uint8]]) -> list[list[Truth]]:
    """The words that the installed engine reads in pictures, in one run."""
    pages = [ocr.find_pages(picture) for picture in pictures]
    found = ocr.read_texts(pages, ocr.installed_engine().read)
    return [one["words"] for one in found]


@pytest.mark.slow
@needs_tesseract
def test_signs_of_the_synthetic_corpus_are_read(drawn: list[tuple[Path, Truth]]) -> None:
    signed = [(cv2.imread(str(path)), truth["signs"]) for path, truth in drawn if truth["signs"]]
    n_words = n_read = 0
    for found, (_, signs) in zip(read_all([one for one, _ in signed]), signed, strict=True):
        read_words = {word["text"].upper() for word in found if word["confidence"] > 60}
        words = [word for sign in signs for word in sign["text"].upper().split()]
        n_words += len(words)
        n_read += sum(word in read_words for word in words)
    assert n_words >= 30
    assert n_read / n_words >= 0.95


def signpost(*lines: str) -> npt.NDArray[np.uint8]:
    """A green picture with white words below each other."""
    picture = np.full((240, 400, 3), (60, 110, 40), np.uint8)
    for number, (text, size) in enumerate(zip(lines, (2.0, 1.0), strict=False)):
        place = (40, 100 + 80 * number)
        cv2.putText(picture, text, place, cv2.FONT_HERSHEY_DUPLEX, size, (240,) * 3, int(2 * size))
    return picture


@needs_tesseract
def test_words_are_where_they_stand() -> None:
    [words] = read_all([signpost("HARBOR", "ROAD")])
    assert [word["text"] for word in words] == ["HARBOR", "ROAD"]
    assert all(word["confidence"] > 60 for word in words)
    (left, top, width, height), _ = (word["bbox"] for word in words)
    assert (left, top) == pytest.approx((40, 56), abs=5)
    assert (width, height) == pytest.approx((244, 44), abs=10)


@needs_tesseract
@pytest.mark.parametrize("shape", [(1, 1, 3), (2, 900, 3), (500, 3, 3)])
def test_any_size_can_be_read(shape: tuple[int, int, int]) -> None:
    assert read_all([np.full(shape, 128, np.uint8)]) == [[]]
    assert read_all([]) == []


@needs_tesseract
def test_what_a_picture_reads_does_not_depend_on_those_before(
    drawn: list[tuple[Path, Truth]],
) -> None:
    """The same first, last, alone, and in runs side by side."""
    signs = [cv2.imread(str(path)) for path, truth in drawn if truth["signs"]][:2]
    pictures = [
        signpost("MAIN", "STREET"), *signs, signpost("EXIT", "12"), np.zeros((9, 9, 3), np.uint8),
    ]  # fmt: skip
    alone = [read_all([picture])[0] for picture in pictures]
    assert all(alone[:-1])
    assert read_all(pictures) == alone
    assert read_all(pictures[::-1]) == alone[::-1]


@needs_tesseract
def test_a_batch_of_the_array_reads_as_each_picture_alone(tmp_path: Path) -> None:
    rows = []
    for number, words in enumerate([("HARBOR", "ROAD"), ("BUS", "STOP"), ("HOTEL",)]):
        path = tmp_path / f"{number}.png"
        cv2.imwrite(str(path), signpost(*words))
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        rows.append((str(path), None, digest, str(tmp_path / "kept"), 10**8))
    rows.append((str(tmp_path / "none.png"), None, "0" * 64, str(tmp_path / "kept"), 10**8))

    def read(rows: list[tuple[Any, ...]], folder: str) -> list[Truth]:
        types = (pa.string(), pa.string(), pa.string(), pa.string(), pa.int64())
        told = [(*row[:3], str(tmp_path / folder), row[4]) for row in rows]
        columns = zip(*told, strict=True)
        arrays = [pa.array(one, kind) for one, kind in zip(columns, types, strict=True)]
        found: list[Truth] = annotators.read_texts(*arrays).to_pylist()
        return found

    together = read(rows, "together")
    assert [one for row in rows for one in read([row], "alone")] == together
    assert read(rows[::-1], "backwards") == together[::-1]
    texts = [" ".join(word["text"] for word in one["words"] or []) for one in together]
    assert texts == ["HARBOR ROAD", "BUS STOP", "HOTEL", ""]
    engine = ocr.installed_engine().name
    assert [one["engine"] for one in together] == [engine] * 3 + [None]
    assert re.fullmatch(r"tesseract [0-9.]+, eng [0-9a-f]{12}", engine)


def test_letters_make_lines_wherever_they_stand() -> None:
    picture = np.full((300, 400, 3), 230, np.uint8)
    # a frame, and a pale line that leads into the board
    cv2.rectangle(picture, (20, 30), (390, 200), (250, 250, 250), -1)
    cv2.rectangle(picture, (20, 30), (390, 200), (90, 90, 90), 3)
    cv2.putText(picture, "TAXI", (90, 140), cv2.FONT_HERSHEY_DUPLEX, 3.0, (88, 40, 28), 5)
    [line] = ocr.find_lines(picture)
    left, top, right, bottom = line.box
    assert left <= 92
    assert right >= 288
    assert top <= 72
    assert bottom >= 142
    assert ocr.find_lines(np.full((300, 400, 3), 230, np.uint8)) == []
    assert ocr.find_lines(np.zeros((1, 1, 3), np.uint8)) == []


def annotate(path: Path, folder: Path, sha256: str | None = None) -> Truth:
    """What the texture annotator says of a file."""
    digest = sha256 or hashlib.sha256(path.read_bytes()).hexdigest()
    values = (str(path), None, digest, str(folder), 10**8)
    types = (pa.string(), pa.string(), pa.string(), pa.string(), pa.int64())
    columns = [pa.array([value], kind) for value, kind in zip(values, types, strict=True)]
    [row] = annotators.measure_textures(*columns).to_pylist()
    return dict(row)


def test_a_picture_is_looked_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(specimens.jpeg())
    first = annotate(path, tmp_path / "kept")
    assert first["error"] is None
    monkeypatch.setattr(annotators, "read_landed", lambda *_: pytest.fail("read again"))
    assert annotate(path, tmp_path / "kept") == first


def test_bad_pictures_are_errors(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_text("no picture")
    assert "the file starts with b'no picture'" in annotate(path, tmp_path / "kept")["error"]
    assert "land images again" in annotate(path, tmp_path / "kept", "0" * 64)["error"]
    path.write_bytes(specimens.jpeg())
    assert annotate(path, tmp_path / "kept")["error"] is None


def test_without_tesseract_the_way_out_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pytesseract.get_tesseract_version", lambda: "5.3.0")
    monkeypatch.setenv("TESSDATA_PREFIX", str(tmp_path))
    with pytest.raises(RuntimeError, match=r"tesseract-ocr-eng.*annotate_ocr: false"):
        ocr.installed_engine.__wrapped__()
    monkeypatch.undo()
    monkeypatch.setattr("pytesseract.pytesseract.tesseract_cmd", "/nowhere/tesseract")
    with pytest.raises(RuntimeError, match=r"tesseract-ocr \(.*annotate_ocr: false"):
        ocr.installed_engine.__wrapped__()


def test_a_picture_differs_from_its_mirror_image_by_its_halves() -> None:
    pixels = np.zeros((64, 64, 3), np.uint8)
    pixels[:, 32:] = 255
    assert annotators.measure_mirror(pixels) == {"horizontal": 1.0, "vertical": 0.0}


@pytest.mark.parametrize(
    ("left", "right", "words", "difference", "are_dark"),
    [
        ((206, 46, 40), (44, 98, 190), ("red", "blue"), 106.8, False),
        ((20, 35, 90), (20, 60, 35), ("blue", "green"), 59.2, True),
    ],
)
def test_colors_of_two_objects_are_those_of_the_worked_record(
    left: tuple[int, int, int],
    right: tuple[int, int, int],
    words: tuple[str, str],
    difference: float,
    are_dark: bool,
) -> None:
    pixels = np.zeros((10, 20, 3), np.uint8)
    pixels[:, :10], pixels[:, 10:] = left[::-1], right[::-1]
    boxes = [{"bbox": [x, 0, 10, 10], "rle": None} for x in (0, 10)]

    first, second = find_object_colors(pixels, boxes)["colors"]
    places = [(one["lightness"], one["a"], one["b"]) for one in (first, second)]

    with (PROJECT / "seeds/reality_check/color_prototypes.csv").open(newline="") as file:
        prototypes = [
            (row["color"], [float(row[axis]) for axis in ("lightness", "a", "b")])
            for row in csv.DictReader(file)
        ]
    assert (first["share"], second["share"]) == (1.0, 1.0)
    # OpenCV rounds within its curve of light
    assert dist(*places) == pytest.approx(difference, abs=0.4)
    assert all(place[0] < 30 for place in places) is are_dark
    assert tuple(
        min(prototypes, key=lambda known: dist(known[1], place))[0] for place in places
    ) == words  # fmt: skip
