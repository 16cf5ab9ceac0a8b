"""What pictures show, as far as pixels tell: shadows, texture, and text.

Every annotator keeps what it found under its name, its version and the picture's SHA-256, so
that no picture is looked at twice.
"""

import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt
import pyarrow as pa

from python_udfs.corruptions import Pixels
from python_udfs.image_bytes import ImageUnreadableError, read_image
from python_udfs.registry import SHADOW, TEXTS, TEXTURE
from python_udfs.results_cache import keep_results, read_results

Finding: TypeAlias = dict[str, Any]
Annotator: TypeAlias = Callable[[Pixels], Finding]
Floats: TypeAlias = npt.NDArray[np.float32]

_PICTURES_PER_COMMIT: Final = 64
# hard shadows are dark and without colour
_SHADOW_SATURATION: Final = 50
_SHADOW_VALUE: Final = 80
_SMALLEST_SHADOW: Final = 0.01
_CANNY: Final = (100, 200)
_LEAST_EDGES: Final = 0.05
_SMALLEST_SILHOUETTE: Final = 0.10
_FREQUENCIES: Final = tuple(float(f) for f in np.geomspace(0.02, 0.4, 14))
_ORIENTATIONS: Final = 6
# texture is that of the middle, so that one set of filters serves pictures of any size
_WINDOW: Final = 512
# steps between neighbouring pixels of a plain board, its share of the picture, how many
_FLAT: Final = 28
_BOARD_SHARES: Final = (0.002, 0.4)
_MOST_BOARDS: Final = 6
_SURE: Final = 60


def detect_shadows(*columns: pa.Array) -> pa.Array:
    """The direction of the largest hard shadow, as `SHADOW`.

    Shapes: path, archive, SHA-256, folder for what is kept, most bytes. Units: degrees
    clockwise from the picture's vertical, 0 to 180; null without a shadow of at least 1 % of
    the picture. Errors: a picture that cannot be read says so in `error`. Source: the
    specification: HSV saturation below 50 and value below 80, fitted ellipse.
    """
    return pa.array(_annotated("shadow", 1, find_shadow, columns), SHADOW)


def measure_textures(*columns: pa.Array) -> pa.Array:
    """Edge density, dominant texture frequency and silhouette of pictures, as `TEXTURE`.

    Shapes: as `detect_shadows`. Units: share of the pixels; cycles per pixel. Errors: as
    there. Source: the specification: Canny edges, the Gabor filter of the most energy, and a
    largest contour of more than 10 %.
    """
    return pa.array(_annotated("texture", 2, measure_texture, columns), TEXTURE)


def read_texts(*columns: pa.Array) -> pa.Array:
    """The words that Tesseract reads in pictures, as `TEXTS`.

    Shapes: as `detect_shadows`. Units: boxes in pixels, confidence 0 to 100. Errors: as there;
    `RuntimeError` where Tesseract is missing, which says how to go on without it. Source:
    Tesseract through pytesseract, one thread for each picture.
    """
    return pa.array(_annotated("ocr", 2, read_text, columns), TEXTS)


def _annotated(
    name: str, version: int, annotate: Annotator, columns: tuple[pa.Array, ...]
) -> list[Finding]:
    rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
    found: list[Finding] = []
    for start in range(0, len(rows), _PICTURES_PER_COMMIT):
        found += _annotated_part(
            name, version, annotate, rows[start : start + _PICTURES_PER_COMMIT]
        )
    return found


def _annotated_part(
    name: str, version: int, annotate: Annotator, rows: list[tuple[Any, ...]]
) -> list[Finding]:
    keys = [f"{name}|{version}|{sha256}" for _, _, sha256, *_ in rows]
    folder = Path(rows[0][3])
    known = {key: json.loads(result) for key, result in read_results(folder, keys).items()}
    missing = {key: row for key, row in zip(keys, rows, strict=True) if key not in known}

    def look(row: tuple[Any, ...]) -> Finding:
        path, archive, sha256, _, max_bytes = row
        try:
            data = read_image(path, archive, max_bytes)
        except ImageUnreadableError as error:
            return {"error": str(error)}
        if hashlib.sha256(data).hexdigest() != sha256:
            return {"error": "the file is not the one that landed; land images again"}
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        if pixels is None:
            return {"error": "OpenCV cannot decode the file"}
        return annotate(cast(Pixels, pixels))

    looked = dict(zip(missing, _pool().map(look, missing.values()), strict=True))
    keep_results(
        folder, {key: json.dumps(row) for key, row in looked.items() if "error" not in row}
    )
    return [(known | looked)[key] for key in keys]


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="annotators")


def find_shadow(pixels: Pixels) -> Finding:
    """The direction of the largest hard shadow of a picture (blue, green, red)."""
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)
    dark = (hsv[..., 1] < _SHADOW_SATURATION) & (hsv[..., 2] < _SHADOW_VALUE)
    contours, _ = cv2.findContours(dark.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    least = _SMALLEST_SHADOW * dark.size
    # an ellipse has five unknowns
    large = [c for c in contours if cv2.contourArea(c) >= least and len(c) >= 5]
    if not large:
        return {"angle": None}
    _, (width, height), angle = cv2.fitEllipse(max(large, key=cv2.contourArea))
    # OpenCV turns the width's axis clockwise from the horizontal, and the height's with it
    return {"angle": float(angle if height >= width else angle + 90.0) % 180.0}


def measure_texture(pixels: Pixels) -> Finding:
    """Edges, texture and silhouette of a picture (blue, green, red)."""
    grey = cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    edges = cv2.Canny(grey, *_CANNY)
    density = float(np.count_nonzero(edges) / edges.size)
    contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(map(cv2.contourArea, contours), default=0.0) / edges.size
    return {
        "edge_density": density,
        "dominant_texture_frequency": _dominant_frequency(grey),
        "is_silhouette_extractable": bool(
            density > _LEAST_EDGES and largest > _SMALLEST_SILHOUETTE
        ),
    }


def _dominant_frequency(grey: Pixels) -> float | None:
    """The frequency of the Gabor filter with the most energy; null for a flat picture.

    A filter's energy is that of the spectrum under its transfer function, so the filters need
    not be run.
    """
    height, width = (min(side, _WINDOW) for side in grey.shape)
    top, left = (grey.shape[0] - height) // 2, (grey.shape[1] - width) // 2
    middle = grey[top : top + height, left : left + width]
    window = np.outer(np.hanning(height + 2)[1:-1], np.hanning(width + 2)[1:-1])
    signal = ((middle - middle.mean()) * window).astype(np.float32)
    power = np.abs(np.fft.rfft2(signal, (_WINDOW, _WINDOW))).astype(np.float32) ** 2
    power[0, 0] = 0
    if power.sum() < 1.0:
        return None
    energies = _gabor_bank() @ power.ravel()
    return _FREQUENCIES[int(energies.argmax()) // _ORIENTATIONS]


@cache
def _gabor_bank() -> Floats:
    """Squared transfer functions of filters one octave wide: filters by frequencies."""
    v, u = np.meshgrid(np.fft.fftfreq(_WINDOW), np.fft.rfftfreq(_WINDOW), indexing="ij")
    bank = []
    for frequency in _FREQUENCIES:
        spread = 2 * (frequency / 3) ** 2
        for turn in range(_ORIENTATIONS):
            angle = np.pi * turn / _ORIENTATIONS
            du, dv = u - frequency * np.cos(angle), v - frequency * np.sin(angle)
            mirrored = (u + frequency * np.cos(angle)) ** 2 + (v + frequency * np.sin(angle)) ** 2
            transfer = np.exp(-(du**2 + dv**2) / spread) + np.exp(-mirrored / spread)
            bank.append((transfer**2).astype(np.float32).ravel())
    return np.stack(bank)


def read_text(pixels: Pixels) -> Finding:
    """The words in a picture (blue, green, red), with boxes and confidences.

    Boards are read one by one, as Tesseract reads pages; the whole picture is read for text
    that stands on none. Where both read something, the board's reading stays.
    """
    words: list[Finding] = []
    height, width = pixels.shape[:2]
    for left, top, right, bottom in [*find_boards(pixels), (0, 0, width, height)]:
        is_board = (right - left, bottom - top) != (width, height)
        part = cast(Pixels, cv2.cvtColor(pixels[top:bottom, left:right], cv2.COLOR_BGR2GRAY))
        for word in _board_words(part) if is_board else _words(part, 2.0, "--psm 11"):
            word["bbox"][0] += left
            word["bbox"][1] += top
            if not any(_overlap(word["bbox"], other["bbox"]) for other in words):
                words.append(word)
    return {"words": words}


def find_boards(pixels: Pixels) -> list[tuple[int, int, int, int]]:
    """Boxes (left, top, right, bottom) of upright rectangles that may carry text, largest first."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    steps = cv2.morphologyEx(pixels, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)).max(axis=2)
    boards: list[tuple[int, int, int, int]] = []
    # a board shows as a plain region with holes, or by its outline
    for shapes in ((steps < _FLAT).astype(np.uint8), cv2.Canny(grey, 50, 150)):
        outlines, _ = cv2.findContours(shapes, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
        for outline in outlines:
            left, top, width, height = cv2.boundingRect(outline)
            share = width * height / grey.size
            if width < 24 or height < 12 or not _BOARD_SHARES[0] < share < _BOARD_SHARES[1]:
                continue
            if cv2.contourArea(outline) < 0.8 * width * height:
                continue
            # plain all over carries no text
            part = steps[top + 3 : top + height - 3, left + 3 : left + width - 3]
            if 0.1 < (part >= _FLAT).mean() < 0.9:
                boards.append((left, top, left + width, top + height))
    boards.sort(key=lambda box: ((box[0] - box[2]) * (box[3] - box[1]), box))
    kept: list[tuple[int, int, int, int]] = []
    for box in boards:
        # a frame and the board within it may both stay
        if not any(_overlap(_sides(box), _sides(other), of=max) for other in kept):
            kept.append(box)
    return kept[:_MOST_BOARDS]


def _sides(box: tuple[int, int, int, int]) -> list[float]:
    left, top, right, bottom = box
    return [left, top, right - left, bottom - top]


def _overlap(
    one: list[float], other: list[float], of: Callable[[float, float], float] = min
) -> bool:
    """Whether two boxes (left, top, width, height) share half of the smaller, or of the larger."""
    across = min(one[0] + one[2], other[0] + other[2]) - max(one[0], other[0])
    down = min(one[1] + one[3], other[1] + other[3]) - max(one[1], other[1])
    area = of(one[2] * one[3], other[2] * other[3])
    return across > 0 and down > 0 and 2 * across * down > area


def _board_words(grey: Pixels) -> list[Finding]:
    """The surest reading of a board: as it is, or as dark letters on a wider white one."""
    readings: list[list[Finding]] = []
    for scale, is_binary in ((2.0, False), (120.0 / grey.shape[0], True), (3.0, True)):
        readings.append(_words(grey, scale, "--psm 6", is_binary=is_binary))
        if all(word["confidence"] > _SURE for word in readings[-1]):
            break
    return max(
        readings,
        key=lambda words: sum(
            (word["confidence"] - _SURE) * len(word["text"])
            for word in words
            if word["confidence"] > _SURE
        ),
    )


def _words(grey: Pixels, scale: float, mode: str, *, is_binary: bool = False) -> list[Finding]:
    import pytesseract

    # Tesseract's own threads cost more than they give; pictures are read side by side
    os.environ["OMP_THREAD_LIMIT"] = "1"
    large = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC)
    margin = 0
    if is_binary:
        _, large = cv2.threshold(large, 0, 255, cv2.THRESH_OTSU)
        # more paper than ink
        large = large if large.mean() > 127 else 255 - large
        margin = 24
        large = cv2.copyMakeBorder(large, *(margin,) * 4, cv2.BORDER_CONSTANT, value=255)
    try:
        data = pytesseract.image_to_data(large, config=mode, output_type=pytesseract.Output.DICT)
    except pytesseract.TesseractNotFoundError as error:
        raise RuntimeError(
            "Tesseract is not installed: install Debian's tesseract-ocr (or your system's"
            " equivalent), or build without reading text: --vars '{annotate_ocr: false}'"
        ) from error
    found = zip(
        *(data[name] for name in ("text", "conf", "left", "top", "width", "height")), strict=True
    )
    return [
        {
            "text": text.strip(),
            "bbox": [
                (left - margin) / scale,
                (top - margin) / scale,
                width / scale,
                height / scale,
            ],
            "confidence": float(confidence),
        }
        for text, confidence, left, top, width, height in found
        if text.strip()
    ]
