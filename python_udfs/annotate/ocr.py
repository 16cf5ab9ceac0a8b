"""The words in pictures, as Tesseract reads them."""

import hashlib
import os
import shlex
import shutil
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt

from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels.corruptions import Pixels

Finding: TypeAlias = dict[str, Any]
Box: TypeAlias = tuple[int, int, int, int]
Boxes: TypeAlias = npt.NDArray[np.int64]
# grey pictures and a page segmentation mode, to Tesseract's table of each
Reader: TypeAlias = Callable[[list[Pixels], int], list[str]]

VERSION: Final = 3
_SPARSE_TEXT: Final = 11
_ONE_LINE: Final = 7
_SURE: Final = 60
# pictures are read at up to twice their size, up to this length of the longer side
_READ_SCALE: Final = 2.0
_READ_SIDE: Final = 2560
# letters are searched for at up to this length, and this many of each kind
_SEARCHED_SIDE: Final = 1280
_MOST_LETTERS: Final = 1500
# pixels darker than the mean of so many pixels by so many levels may be a letter
_SURROUNDINGS: Final = 31
_DARKER: Final = 12
_LEAST_LETTER: Final = 6
_LARGEST_LETTER: Final = 0.25
# lines of letters
_FEWEST_LETTERS: Final = 2
_MOST_LINES: Final = 24
_LINE_MARGINS: Final = (0.7, 0.35)
# Tesseract reads capitals of about this height best
_CAPITAL_HEIGHT: Final = 40
_PAGE_MARGIN: Final = 20
# what Tesseract learnt of English, and where systems keep it
_LEARNT_FILE: Final = "eng.traineddata"
_LEARNT: Final = (
    "usr/share/tesseract-ocr/*/tessdata",
    "usr/share/tessdata",
    "usr/local/share/tessdata",
    "opt/homebrew/share/tessdata",
)


@dataclass(frozen=True)
class Line:
    """A line of letters in a picture.

    `page` has its letters dark on white; a pixel of it at (x, y) is one of the picture at
    `left + x / scale` and `top + y / scale`.
    """

    box: Box
    page: Pixels
    left: float
    top: float
    scale: float


@dataclass(frozen=True)
class Pages:
    """What is read of a picture: its lines of letters one by one, and the picture whole."""

    lines: list[Line]
    whole: Line


def find_pages(pixels: Pixels) -> Pages:
    """The pages that are read of a picture (blue, green, red).

    Tesseract reads clean lines as it reads pages; the whole picture is read for what is no such
    line.
    """
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    scale = min(_READ_SCALE, _READ_SIDE / max(pixels.shape))
    height, width = grey.shape
    whole = Line((0, 0, width, height), _resized(grey, scale), 0.0, 0.0, scale)
    return Pages(find_lines(pixels), whole)


def read_texts(pictures: list[Pages], read: Reader) -> list[Finding]:
    """The words in pictures, with boxes and confidences, as `TEXTS`.

    The reader is called once for the lines of all pictures and once for all whole pictures. Of
    readings of one place the surest and longest stays. Words are in order of their tops.
    """
    lines = [line for pages in pictures for line in pages.lines]
    wholes = [pages.whole for pages in pictures]
    tables = iter(read([line.page for line in lines], _ONE_LINE) if lines else [])
    whole_tables = iter(read([whole.page for whole in wholes], _SPARSE_TEXT) if wholes else [])
    return [
        {"words": _surest([
            word
            for page, table in [
                *((line, next(tables)) for line in pages.lines), (pages.whole, next(whole_tables)),
            ]
            for word in _words(table, page)
        ])}
        for pages in pictures
    ]  # fmt: skip


def _surest(words: list[Finding]) -> list[Finding]:
    """Of words that were read at one place the surest and longest, in order of their tops."""
    kept: list[Finding] = []
    for word in sorted(words, key=lambda word: (-_weight(word), word["bbox"], word["text"])):
        if not any(_overlap(word["bbox"], other["bbox"], min) for other in kept):
            kept.append(word)
    return sorted(kept, key=lambda word: word["bbox"][1::-1])


def _weight(word: Finding) -> float:
    """How much speaks for a reading: many letters, if they are sure."""
    return float((word["confidence"] - _SURE) * len(word["text"]))


def find_lines(pixels: Pixels) -> list[Line]:
    """Lines of letters, those of the most letters first."""
    grey = cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    scale = min(1.0, _SEARCHED_SIDE / max(grey.shape))
    small = _resized(grey, scale)
    chains = [chain for ink in (small, 255 - small) for chain in _chains(_letters(ink))]
    lines: list[Line] = []
    for letters in sorted(chains, key=lambda letters: (-len(letters), letters.tolist())):
        line = _line(grey, letters / scale)
        # a line may be found dark on light and light on dark
        if line and not any(_overlap(_sides(line.box), _sides(other.box), max) for other in lines):
            lines.append(line)
        if len(lines) == _MOST_LINES:
            break
    return lines


def _letters(ink: Pixels) -> Boxes:
    """Regions darker than around them in the shape of letters: left, top, width, height."""
    dark = cv2.adaptiveThreshold(
        ink, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, _SURROUNDINGS, _DARKER
    )
    shapes = cv2.connectedComponentsWithStats(dark, connectivity=8)[2][1:]
    width, height, area = shapes[:, 2:].T
    is_letter = (
        (height >= _LEAST_LETTER)
        & (height <= ink.shape[0] * _LARGEST_LETTER)
        & (width <= 3 * height)
        & (12 * width >= height)
        & (8 * area >= width * height)
    )
    letters = shapes[is_letter, :4]
    largest = np.argsort(-letters[:, 3], kind="stable")[:_MOST_LETTERS]
    return np.asarray(letters[largest], np.int64)


def _chains(letters: Boxes) -> list[Boxes]:
    """Letters of like height side by side."""
    left, top, width, height = letters.astype(np.float32).T
    higher, lower = np.maximum(height[:, None], height), np.minimum(height[:, None], height)
    gap = left - (left + width)[:, None]
    bottom = top + height
    common = np.minimum(bottom[:, None], bottom) - np.maximum(top[:, None], top)
    is_next = (
        (gap < higher) & (gap > -0.4 * lower) & (higher <= 1.35 * lower) & (common > 0.75 * lower)
    )
    chain = np.arange(len(letters))
    for one, other in np.argwhere(np.triu(is_next | is_next.T, 1)):
        chain[chain == chain[other]] = chain[one]
    sizes = np.bincount(chain, minlength=1)
    return [letters[chain == name] for name in np.flatnonzero(sizes >= _FEWEST_LETTERS)]


def _line(grey: Pixels, letters: npt.NDArray[np.float64]) -> Line | None:
    """A line as a page of its letters, dark on white, without what surrounds them.

    What touches the edge of the page, such as a frame, is no letter.
    """
    height = float(np.median(letters[:, 3]))
    margins = height * np.array(_LINE_MARGINS)
    starts, ends = letters[:, :2], letters[:, :2] + letters[:, 2:]
    left, top = (starts.min(axis=0) - margins).clip(0).astype(int).tolist()
    right, bottom = (ends.max(axis=0) + margins + 1).astype(int).tolist()
    part = grey[top:bottom, left:right]
    # edges stay smooth: found at twice the size
    scale = _CAPITAL_HEIGHT / height
    large = _resized(part, 2 * scale)
    _, ink = cv2.threshold(large, 0, 255, cv2.THRESH_OTSU)
    # more paper than ink
    ink = 255 - ink if ink.mean() > 127 else ink
    _, labels, shapes, _ = cv2.connectedComponentsWithStats(ink, connectivity=8)
    x, y, across, down, _ = shapes.T
    rows, columns = ink.shape
    is_ink = (x > 0) & (y > 0) & (x + across < columns) & (y + down < rows)
    if np.count_nonzero(is_ink) < _FEWEST_LETTERS:
        return None
    page = _resized(np.where(is_ink[labels], 0, 255).astype(np.uint8), 0.5)
    framed = cv2.copyMakeBorder(page, *(_PAGE_MARGIN,) * 4, cv2.BORDER_CONSTANT, value=255)
    margin = _PAGE_MARGIN / scale
    box = left, top, left + part.shape[1], top + part.shape[0]
    return Line(box, cast(Pixels, framed), left - margin, top - margin, scale)


def _resized(grey: Any, scale: float) -> Pixels:
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    height, width = grey.shape
    if min(height, width) * scale > 0.5:
        return cast(Pixels, cv2.resize(grey, None, fx=scale, fy=scale, interpolation=how))
    # OpenCV would round the shorter side of such a strip to no pixel at all
    size = max(1, round(width * scale)), max(1, round(height * scale))
    return cast(Pixels, cv2.resize(grey, size, interpolation=how))


def _sides(box: Box) -> list[float]:
    left, top, right, bottom = box
    return [left, top, right - left, bottom - top]


def _overlap(one: list[float], other: list[float], of: Callable[[float, float], float]) -> bool:
    """Whether two boxes (left, top, width, height) share half of the smaller, or of the larger."""
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    area = of(one[2] * one[3], other[2] * other[3])
    return across > 0 and down > 0 and 2 * across * down > area


def _words(table: str, page: Line) -> list[Finding]:
    """The words of Tesseract's table of a page, in the picture's pixels."""
    words = []
    for line in table.splitlines():
        *_, x, y, width, height, confidence, text = line.split("\t")
        if text.strip():
            words.append({
                "text": text.strip(),
                "bbox": [
                    page.left + int(x) / page.scale, page.top + int(y) / page.scale,
                    int(width) / page.scale, int(height) / page.scale,
                ],
                "confidence": float(confidence),
            })  # fmt: skip
    return words


@dataclass(frozen=True)
class Engine:
    """The reader and its name with its version: another one may read otherwise."""

    name: str
    read: Reader


@cache
def installed_engine() -> Engine:
    """The program `tesseract`, which reads for everybody, with what it learnt of English.

    Its name has its version and a hash of what it learnt: another version reads many photographs
    otherwise. Errors: `SetupError` where the program or what it learnt is not here, which says
    how to go on without.
    """
    import pytesseract

    # Tesseract's own threads cost more than they give; runs go side by side
    os.environ["OMP_THREAD_LIMIT"] = "1"
    folder = learnt_folder()
    try:
        version = pytesseract.get_tesseract_version()
    except pytesseract.TesseractNotFoundError as error:
        raise SetupError(
            "Tesseract is not installed: install Debian's tesseract-ocr (or your system's"
            " equivalent), or build without reading text: --vars '{annotate_ocr: false}'"
        ) from error
    if folder is None:
        raise SetupError(
            f"Tesseract is installed without {_LEARNT_FILE}, what it learnt of English: install"
            " Debian's tesseract-ocr-eng, or name its folder by TESSDATA_PREFIX, or build without"
            " reading text: --vars '{annotate_ocr: false}'"
        )
    learnt = hashlib.sha256((folder / _LEARNT_FILE).read_bytes()).hexdigest()[:12]

    def read(pages: list[Pixels], mode: int) -> list[str]:
        return read_pages(pages, mode, folder)

    return Engine(f"tesseract {version}, eng {learnt}", read)


def learnt_folder() -> Path | None:
    """The folder with what Tesseract learnt of English."""
    named = os.environ.get("TESSDATA_PREFIX")
    program = shutil.which("tesseract")
    places = (
        [Path(named)]
        if named
        else [
            *(place for pattern in _LEARNT for place in sorted(Path("/").glob(pattern))),
            *([Path(program).parent.parent / "share/tessdata"] if program else []),
        ]
    )
    return next((place for place in places if (place / _LEARNT_FILE).is_file()), None)


def read_pages(pages: list[Pixels], mode: int, folder: Path) -> list[str]:
    """Read pages by one run of the program `tesseract`, with what `folder` says it learnt.

    Tesseract takes a third of a second to start, and reads a page the same whichever pages stand
    before it in its list. Source: pytesseract.
    """
    import pytesseract

    with tempfile.TemporaryDirectory(prefix="gainsay-ocr-") as scratch:
        names = [f"{scratch}/{number}.pgm" for number in range(len(pages))]
        for name, page in zip(names, pages, strict=True):
            cv2.imwrite(name, page)
        listed = Path(scratch) / "pages.txt"
        listed.write_text("\n".join(names), encoding="utf-8")
        table = pytesseract.image_to_data(
            str(listed), config=f"--tessdata-dir {shlex.quote(str(folder))} --psm {mode}"
        )
    tables: list[list[str]] = [[] for _ in pages]
    for line in table.splitlines()[1:]:
        tables[int(line.split("\t")[1]) - 1].append(line)
    return ["\n".join(lines) for lines in tables]
