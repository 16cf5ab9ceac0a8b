"""Annotations of pictures by their pixels: shadows, texture, and text.

Every annotator keeps what it found under its name, its version and the picture's SHA-256, so
that no picture is looked at twice.
"""

import hashlib
import json
import math
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

from gainsay.python_udfs.annotate import detectors, grounders, networks, ocr, segmenters
from gainsay.python_udfs.annotate.results_cache import keep_results, read_results
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels import masks
from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, decode_pixels, read_landed
from gainsay.python_udfs.registry import (
    CROP_DETAIL,
    DEPTH,
    MIRROR,
    NAMED_OUTLINE,
    OBJECT_OUTLINE,
    OBJECTS,
    OUTLINE,
    SHADOW,
    SHADOW_REGION,
    TEXTS,
    TEXTURE,
    WRITING,
)

Finding: TypeAlias = dict[str, Any]
Annotator: TypeAlias = Callable[..., Finding]
Floats: TypeAlias = npt.NDArray[np.float32]

_PICTURES_PER_COMMIT: Final = 64
# hard shadows are dark and without colour
_SHADOW_SATURATION: Final = 50
_SHADOW_VALUE: Final = 80
_CANNY: Final = (100, 200)
_FREQUENCIES: Final = tuple(float(f) for f in np.geomspace(0.02, 0.4, 14))
_ORIENTATIONS: Final = 6
# texture is that of the middle, so that one set of filters serves pictures of any size
_WINDOW: Final = 512
_THUMBNAIL: Final = (32, 32)
# finer patterns are evened out: checks and stripes become one colour, parts of things stay
_CROP_THUMBNAIL: Final = (16, 12)
# edges of crops are counted at one size, so that pixels of a large picture count no more
_CROP_SIDE: Final = 128
_MOST_OTHER_SHADOWS: Final = 20


def detect_shadows(*columns: pa.Array) -> pa.Array:
    """The direction of the largest hard shadow, as `SHADOW`.

    Shapes: path, archive, SHA-256, folder for what is kept, most bytes. Units: degrees
    clockwise from the picture's vertical, 0 to 180, and share of the picture; null where
    nothing is that dark. Errors: a picture that cannot be read says so in `error`. Source: the
    specification: HSV saturation below 50 and value below 80, fitted ellipse.
    """
    return pa.array(annotated("shadow 2", find_shadow, columns), SHADOW)


def find_shadow_regions(*columns: pa.Array) -> pa.Array:
    """Where the largest hard shadow lies, as `SHADOW_REGION`.

    Shapes: as `detect_shadows`. Units: pixels; ends of the fitted ellipse's long axis and its
    centre as x, y. Null where nothing is that dark. Errors: as there. Source: the specification
    of VLM Reality Check; the region is the one whose direction `detect_shadows` tells. `others`
    are the next regions, largest first, 20 at most.
    """
    return pa.array(annotated("shadow region 2", find_shadow_region, columns), SHADOW_REGION)


def measure_textures(*columns: pa.Array) -> pa.Array:
    """Edge density, dominant texture frequency and largest contour of pictures, as `TEXTURE`.

    Shapes: as `detect_shadows`. Units: share of the pixels; cycles per pixel; share of the
    pixels. Errors: as there. Source: the specification: Canny edges, the Gabor filter of the
    most energy, and the largest contour of the edges.
    """
    return pa.array(annotated("texture 3", measure_texture, columns), TEXTURE)


def find_outlines(*columns: pa.Array) -> pa.Array:
    """The largest outline that edges draw in pictures, filled, as `OUTLINE`.

    Shapes: as `detect_shadows`. Units: pixels; left, top, width and height of its box. Null where
    there is no edge. Errors: as there. Source: the specification of VLM Reality Check: Canny
    edges (100, 200), dilated by 3 x 3, the largest outer contour.
    """
    return pa.array(annotated("outline 1", find_outline, columns), OUTLINE)


def measure_mirrors(*columns: pa.Array) -> pa.Array:
    """How much pictures differ from their mirror images, as `MIRROR`.

    Shapes: as `detect_shadows`. Units: mean absolute difference of the grey thumbnail and its
    mirror image, 0 to 1, left and right changed (horizontal), above and below (vertical). Errors:
    as there. Source: the specification of VLM Reality Check: a thumbnail of 32 x 32 pixels.
    """
    return pa.array(annotated("mirror 1", measure_mirror, columns), MIRROR)


def measure_crops(*columns: pa.Array) -> pa.Array:
    """How much a crop of each picture shows, as `CROP_DETAIL`.

    Shapes: as `detect_shadows`, then left, top, width and height of the crop in pixels, and from
    which difference of red, green or blue (0 to 255) on a colour is another one. Units: of a
    thumbnail of 16 x 12 pixels the share that has another colour than most of it; of the crop at
    128 pixels on its longer side the share that are edges. Null for a crop that lies outside of
    the picture. Errors: as there. Source: Canny edges (100, 200), as of `measure_textures`.
    """
    return pa.array(annotated("crop detail 2", measure_crop, columns), CROP_DETAIL)


def read_texts(*columns: pa.Array) -> pa.Array:
    """The words that Tesseract reads in pictures, as `TEXTS`.

    Shapes: as `detect_shadows`. Units: boxes in pixels, confidence 0 to 100. Errors: as there;
    `SetupError` where Tesseract is missing, which says how to go on without it. `engine` names
    what read, with its version. Source: the program `tesseract`, of which one run a processor
    reads all the pictures of a batch.
    """
    engine = ocr.installed_engine()

    def prepare(pixels: Pixels) -> Finding:
        return {"pages": ocr.find_pages(pixels)}

    def read(prepared: list[Finding]) -> list[Finding]:
        return ocr.read_texts([one["pages"] for one in prepared], engine.read)

    def finish(prepared: list[Finding]) -> list[Finding]:
        n_runs = min(os.cpu_count() or 1, len(prepared))
        runs = list(_pool().map(read, [prepared[start::n_runs] for start in range(n_runs)]))
        return [runs[place % n_runs][place // n_runs] for place in range(len(prepared))]

    found = annotated(f"ocr {ocr.VERSION}, {engine.name}", prepare, columns, finish)
    return pa.array(
        [one if "error" in one else one | {"engine": engine.name} for one in found], TEXTS
    )


def detect_objects(*columns: pa.Array) -> pa.Array:
    """The objects that a detector sees in pictures, sure or not, as `OBJECTS`.

    Shapes: as `detect_shadows`, then the detector's ONNX file, alike in all rows. Units: boxes
    (left, top, width, height) in pixels, confidence 0 to 1, box area by picture area. Errors:
    as `detect_shadows`; `SetupError` without onnxruntime or a detector. Source:
    `detectors.detect`.
    """
    if not len(columns[0]):
        return pa.array([], OBJECTS)
    network, version = _network(columns[-1], "detection", "{detector: ''}")

    def finish(prepared: list[Finding]) -> list[Finding]:
        pictures = [one["prepared"] for one in prepared]
        return [
            {
                "objects": [
                    vars(found)
                    | {"area_fraction": found.bbox[2] * found.bbox[3] / one.width / one.height}
                    for found in detections
                ]
            }
            for one, detections in zip(pictures, detectors.detect(network, pictures), strict=True)
        ]

    def prepare(pixels: Pixels) -> Finding:
        return {"prepared": detectors.prepare(network, pixels)}

    return pa.array(annotated(f"objects 1, {version}", prepare, columns[:-1], finish), OBJECTS)


def measure_depths(*columns: pa.Array) -> pa.Array:
    """The mean depth of the halves of pictures, as `DEPTH`.

    Shapes: as `detect_objects`. Units: the network's depth, its smallest in a picture 0 and its
    largest 1; 0 all over where it is flat. Errors: as there. Source: `networks.estimate_depth`.
    """
    if not len(columns[0]):
        return pa.array([], DEPTH)
    network, version = _network(columns[-1], "depth", "{depth_network: ''}")

    def finish(prepared: list[Finding]) -> list[Finding]:
        pictures = [one["prepared"] for one in prepared]
        return [halves_of(depth) for depth in networks.estimate_depth(network, pictures)]

    def prepare(pixels: Pixels) -> Finding:
        return {"prepared": network.prepare(pixels)}

    return pa.array(annotated(f"depth 1, {version}", prepare, columns[:-1], finish), DEPTH)


def find_writing(*columns: pa.Array) -> pa.Array:
    """Where pictures have writing, sure or not, as `WRITING`; what it says is not read.

    Shapes: as `detect_objects`. Units: upright boxes (left, top, width, height) in pixels,
    confidence 0 to 1. Errors: as there. Source: `networks.find_writing`.
    """
    if not len(columns[0]):
        return pa.array([], WRITING)
    network, version = _network(columns[-1], "finding text", "{text_network: ''}")

    def find(pixels: Pixels) -> Finding:
        return {"lines": [vars(line) for line in networks.find_writing(network, pixels)]}

    return pa.array(annotated(f"writing 1, {version}", find, columns[:-1]), WRITING)


def outline_objects(*columns: pa.Array) -> pa.Array:
    """The pixels of an object that somebody drew a box around, as `OBJECT_OUTLINE`.

    Shapes: as `detect_shadows`, then left, top, width and height of the box in pixels, and the
    segmentation network's ONNX file, alike in all rows. Units: pixels. Null where the network sees
    nothing there. Errors: as `detect_objects`. Source: `segmenters.outline`.
    """
    if not len(columns[0]):
        return pa.array([], OBJECT_OUTLINE)
    network, version = _network(columns[-1], "outlining", "{segmenter: ''}")

    def look(pixels: Pixels, *box: float) -> Finding:
        mask = segmenters.outline(network, pixels, box)
        if mask is None:
            return {"rle": None, "area": None}
        return {"rle": masks.encode(mask), "area": int(np.count_nonzero(mask))}

    found = annotated(f"object outline 1, {version}", look, columns[:-1])
    return pa.array(found, OBJECT_OUTLINE)


def outline_named_things(*columns: pa.Array) -> pa.Array:
    """The pixels of all things in pictures that a phrase names, as `NAMED_OUTLINE`.

    Shapes: as `detect_shadows`, then the phrase, from which confidence on a box and a word count,
    and the ONNX files of the network that finds boxes and of the one that outlines what is in
    them, alike in all rows. Units: pixels; confidence 0 to 1, of the surest box. Null where nothing
    is found, or nothing is seen in the boxes. Errors: as `detect_objects`. Source:
    `grounders.find`, `segmenters.outline`.
    """
    if not len(columns[0]):
        return pa.array([], NAMED_OUTLINE)
    *_, grounder_paths, segmenter_paths = columns
    path = grounder_paths[0].as_py()
    grounder, version = _network(grounder_paths, "finding named things", "{grounder: ''}")
    segmenter, other_version = _network(segmenter_paths, "outlining", "{segmenter: ''}")

    def look(pixels: Pixels, phrase: str, box_from: float, word_from: float) -> Finding:
        boxes = grounders.find(grounder, Path(path).parent, pixels, phrase, box_from, word_from)
        outlines = [segmenters.outline(segmenter, pixels, box.bbox) for box in boxes]
        seen = [mask for mask in outlines if mask is not None]
        found: Finding = {
            "n_boxes": len(boxes),
            "confidence": boxes[0].confidence if boxes else None,
            "words": boxes[0].words if boxes else None,
            "rle": None,
            "area": None,
        }
        if seen:
            union = np.bitwise_or.reduce(seen)
            found |= {"rle": masks.encode(union), "area": int(np.count_nonzero(union))}
        return found

    found = annotated(f"named outline 1, {version} {other_version}", look, columns[:-2])
    return pa.array(found, NAMED_OUTLINE)


def halves_of(depth: Floats) -> Finding:
    """The means of the halves of a depth map, scaled to [0, 1]; middles belong to the later."""
    spread = float(depth.max() - depth.min())
    unit = (depth.astype(np.float64) - float(depth.min())) / (spread or 1.0)
    rows, columns = (side // 2 for side in depth.shape)
    parts = {
        "left": unit[:, : max(1, columns)],
        "right": unit[:, columns:],
        "top": unit[: max(1, rows)],
        "bottom": unit[rows:],
    }
    return {name: float(part.mean()) for name, part in parts.items()}


def _network(paths: pa.Array, what: str, way_out: str) -> tuple[networks.Network, str]:
    path = paths[0].as_py()
    version = networks.network_version(path)
    return networks.load(path, version, what, way_out), version


def annotated(
    annotator: str,
    look: Annotator,
    columns: tuple[pa.Array, ...],
    finish: Callable[[list[Finding]], list[Finding]] | None = None,
) -> list[Finding]:
    """The findings of an annotator in pictures, each looked at once.

    `annotator`: its name and version, under which findings are kept. `look` runs side by side
    for several pictures; `finish`, if any, makes findings of what it saw in a batch of them.
    Shapes of `columns`: as `detect_shadows`, and what else `look` is to be told of a picture.
    Errors: a picture that cannot be read, or that the annotator fails at, is a finding with
    nothing but `error`; it is not kept. `SetupError` stops the call.
    """
    rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
    found: list[Finding] = []
    for start in range(0, len(rows), _PICTURES_PER_COMMIT):
        part = rows[start : start + _PICTURES_PER_COMMIT]
        keys = [_key(annotator, row) for row in part]
        folder = part[0][3]
        known = {key: json.loads(result) for key, result in read_results(folder, keys).items()}
        missing = {key: row for key, row in zip(keys, part, strict=True) if key not in known}
        looked = list(_pool().map(lambda row: _look(row, look), missing.values()))
        seen = [finding for finding in looked if "error" not in finding]
        finished = iter(_finish(seen, finish) if finish else seen)
        known |= {
            key: finding if "error" in finding else next(finished)
            for key, finding in zip(missing, looked, strict=True)
        }
        kept = [key for key in missing if "error" not in known[key]]
        keep_results(folder, {key: json.dumps(known[key]) for key in kept})
        found += (known[key] for key in keys)
    return found


def _key(annotator: str, row: tuple[Any, ...]) -> str:
    """The key of a finding: the annotator, the picture, and the other arguments."""
    _, _, sha256, _, _, *told = row
    if not told:
        return f"{annotator}|{sha256}"
    digest = hashlib.md5(json.dumps(told).encode(), usedforsecurity=False).hexdigest()
    return f"{annotator}|{sha256}|{digest}"


def _look(row: tuple[Any, ...], look: Annotator) -> Finding:
    path, archive, sha256, _, max_bytes, *told = row
    try:
        data = read_landed(path, archive, max_bytes, sha256)
        # these very bytes landed, so the size in their header has been checked
        return look(decode_pixels(data, None), *told)
    except ImageUnreadableError as error:
        return {"error": str(error)}
    except SetupError:
        raise
    except Exception as error:
        return {"error": _error_text(error)}


def _finish(seen: list[Finding], finish: Callable[[list[Finding]], list[Finding]]) -> list[Finding]:
    """What `finish` makes of a batch; where it fails, of each alone."""
    try:
        return finish(seen)
    except SetupError:
        raise
    except Exception as error:
        if len(seen) == 1:
            return [{"error": _error_text(error)}]
        return [finding for one in seen for finding in _finish([one], finish)]


def _error_text(error: Exception) -> str:
    """The error of an annotator, for the row of its picture."""
    return f"the annotator failed: {type(error).__name__}: {error}"


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(os.cpu_count(), thread_name_prefix="annotators")


def measure_mirror(pixels: Pixels) -> Finding:
    """How much a picture differs from its mirror images, 0 to 1."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    thumbnail = cv2.resize(grey, _THUMBNAIL, interpolation=cv2.INTER_AREA).astype(np.int64)
    # a whole sum, so that no order of adding matters
    horizontal, vertical = (
        int(np.abs(thumbnail - np.flip(thumbnail, axis)).sum()) / (thumbnail.size * 255)
        for axis in (1, 0)
    )
    return {"horizontal": horizontal, "vertical": vertical}


def measure_crop(
    pixels: Pixels, left: int, top: int, width: int, height: int, least_difference: int
) -> Finding:
    """How much of a crop differs from the middle of its colours, and how much of it are edges."""
    crop = pixels[max(top, 0) : top + height, max(left, 0) : left + width]
    if not crop.size:
        return {"detail_share": None, "edge_share": None}
    thumbnail = cv2.resize(crop, _CROP_THUMBNAIL, interpolation=cv2.INTER_AREA).reshape(-1, 3)
    # the upper one of two middles, so that it is a whole number
    middle = np.sort(thumbnail, axis=0)[len(thumbnail) // 2].astype(np.int64)
    apart = np.abs(thumbnail.astype(np.int64) - middle).max(axis=1)
    zoom = _CROP_SIDE / max(crop.shape[:2])
    size = [max(1, round(side * zoom)) for side in (crop.shape[1], crop.shape[0])]
    grey = cv2.cvtColor(cv2.resize(crop, size, interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    return {
        "detail_share": int(np.count_nonzero(apart >= least_difference)) / len(thumbnail),
        "edge_share": int(np.count_nonzero(cv2.Canny(grey, *_CANNY))) / grey.size,
    }


def find_shadow(pixels: Pixels) -> Finding:
    """Direction and size of the largest hard shadow of a picture (blue, green, red)."""
    dark = _dark_pixels(pixels)
    largest = _largest_region(dark)
    if largest is None:
        return {"angle": None, "area_share": None}
    axis, *_ = _long_axis(largest)
    return {
        "angle": axis if math.isfinite(axis) else None,
        "area_share": float(cv2.contourArea(largest)) / dark.size,
    }


def find_shadow_region(pixels: Pixels) -> Finding:
    """The pixels of the largest hard shadow of a picture, its long axis, and the other shadows."""
    dark = _dark_pixels(pixels)
    regions = sorted(_regions(dark), key=cv2.contourArea, reverse=True)
    largest = next(iter(regions), None)
    axis, length, center_x, center_y = (
        _long_axis(largest) if largest is not None else (math.nan,) * 4
    )
    if largest is None or not all(map(math.isfinite, (axis, length, center_x, center_y))):
        return dict.fromkeys(("rle", "area", "ends", "center", "angle", "others"))
    region = np.zeros(dark.shape, np.uint8)
    cv2.drawContours(region, [largest], -1, 1, cv2.FILLED)
    region &= dark
    turn = math.radians(axis)
    # a vertical axis points up at 0 degrees and turns clockwise
    step_x, step_y = math.sin(turn) * length / 2, -math.cos(turn) * length / 2
    return {
        "rle": masks.encode(region),
        "area": int(np.count_nonzero(region)),
        "ends": [center_x + step_x, center_y + step_y, center_x - step_x, center_y - step_y],
        "center": [center_x, center_y],
        "angle": axis,
        "others": [
            {"area": float(cv2.contourArea(other)), "angle": angle}
            for other in regions[1 : _MOST_OTHER_SHADOWS + 1]
            if math.isfinite(angle := _long_axis(other)[0])
        ],
    }


def _dark_pixels(pixels: Pixels) -> Pixels:
    hsv = cv2.cvtColor(pixels, cv2.COLOR_BGR2HSV)
    dark = (hsv[..., 1] < _SHADOW_SATURATION) & (hsv[..., 2] < _SHADOW_VALUE)
    return cast(Pixels, dark.astype(np.uint8))


def _largest_region(dark: Pixels) -> npt.NDArray[np.int32] | None:
    """The outline of the largest dark region; none without an area."""
    return max(_regions(dark), key=cv2.contourArea, default=None)


def _regions(dark: Pixels) -> list[npt.NDArray[np.int32]]:
    """The outlines of the dark regions that have an area, in the order in which they are found."""
    contours, _ = cv2.findContours(dark, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    # an ellipse has five unknowns
    regions = [contour for contour in contours if len(contour) >= 5 and cv2.contourArea(contour)]
    return cast(list[npt.NDArray[np.int32]], regions)


def _long_axis(outline: npt.NDArray[np.int32]) -> tuple[float, float, float, float]:
    """Angle (degrees clockwise from the vertical), length and centre of the fitted ellipse."""
    (center_x, center_y), (width, height), angle = cv2.fitEllipse(outline)
    # OpenCV turns the width's axis clockwise from the horizontal, and the height's with it
    axis = float(angle if height >= width else angle + 90.0) % 180.0
    return axis, float(max(width, height)), float(center_x), float(center_y)


def measure_texture(pixels: Pixels) -> Finding:
    """Edges, texture and largest contour of a picture (blue, green, red)."""
    grey = cast(Pixels, cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY))
    edges = cv2.Canny(grey, *_CANNY)
    density = float(np.count_nonzero(edges) / edges.size)
    contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    largest = max(map(cv2.contourArea, contours), default=0.0) / edges.size
    return {
        "edge_density": density,
        "dominant_texture_frequency": _dominant_frequency(grey),
        "largest_contour_share": float(largest),
    }


def find_outline(pixels: Pixels) -> Finding:
    """The largest outline of a picture (blue, green, red), filled."""
    grey = cv2.cvtColor(pixels, cv2.COLOR_BGR2GRAY)
    edges = cv2.dilate(cv2.Canny(grey, *_CANNY), np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(edges, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(contours, key=cv2.contourArea, default=None)
    if largest is None:
        return {"rle": None, "bbox": None}
    region = np.zeros(grey.shape, np.uint8)
    cv2.drawContours(region, [largest], -1, 1, cv2.FILLED)
    return {
        "rle": masks.encode(region),
        "bbox": [float(number) for number in cv2.boundingRect(largest)],
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
