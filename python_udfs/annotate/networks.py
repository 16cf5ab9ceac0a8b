"""Networks in ONNX files, each behind one small function: objects, depth, inpainting, writing.

A network is optional, and named by its file. `config.json` and `preprocessor_config.json` beside
it, as Hugging Face's Optimum exports them, say what its inputs and outputs mean; what detectors
find is read in `detectors`. What runs them is onnxruntime, the extra `models`.
"""

import hashlib
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt

from gainsay.python_udfs.annotate.network_files import (
    check_config,
    check_input,
    check_numbers,
    check_preparation,
    check_range,
    check_size,
    network_status,
    settings_in,
)
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.installing import install_command
from gainsay.python_udfs.pixels.corruptions import Mask, Pixels

Floats: TypeAlias = npt.NDArray[np.float32]
Session: TypeAlias = Any

# ImageNet's, as most networks were trained with
_MEAN: Final = (0.485, 0.456, 0.406)
_DEVIATION: Final = (0.229, 0.224, 0.225)
_BATCH: Final = 32
# of a batch; 32 pictures of 800 x 1,333 are less
_MOST_NUMBERS: Final = 2**27
# sides of pictures in which writing is searched for: at least and at most, in such steps
_WRITING_SIDES: Final = (736, 2048)
_WRITING_STEP: Final = 32
# where a map of writing is above this there may be some
_WRITING_LEVEL: Final = 0.3
# a map shows the core of a line; by how much its box grows to hold the line (PP-OCR)
_WRITING_GROWTH: Final = 1.6


@dataclass(frozen=True)
class Writing:
    """A line of writing, unread: left, top, width and height in pixels, confidence 0 to 1."""

    bbox: tuple[float, float, float, float]
    confidence: float


@dataclass(frozen=True)
class Prepared:
    """A picture as a network takes it (3 x height x width), and its size before that.

    Where it keeps its shape on a larger ground: by what it was enlarged, and where it lies.
    """

    tensor: Floats
    width: int
    height: int
    scale: float = 1.0
    left: int = 0
    top: int = 0


def network_version(path: str) -> str:
    """The key of a network's findings: the SHA-256 of its file, shortened.

    Errors: `SetupError` for a file that cannot be read.
    """
    status = network_status(Path(path))
    return _digest(path, status.st_size, status.st_mtime_ns)


@cache
def _digest(path: str, size: int, modified: int) -> str:
    del size, modified
    with Path(path).open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()[:16]


@dataclass(frozen=True)
class Network:
    """An ONNX file that is ready to run, with what its neighbours say of it."""

    session: Session
    config: dict[str, Any]
    preparation: dict[str, Any]

    def prepare(self, pixels: Pixels, *, is_normalized: bool = True) -> Prepared:
        """The picture in the network's size, order of channels and range.

        `is_normalized` counts where no file beside the network says. Errors: `ValueError` for a
        picture that would be too large there.
        """
        height, width = pixels.shape[:2]
        rgb = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
        size = check_size(*self._size(width, height))
        resized = cv2.resize(rgb, size, interpolation=cv2.INTER_AREA)
        scale = self.preparation.get("rescale_factor", 1 / 255)
        tensor = resized.astype(np.float32) * np.float32(scale)
        if self.preparation.get("do_normalize", is_normalized):
            mean = np.array(self.preparation.get("image_mean", _MEAN), np.float32)
            deviation = np.array(self.preparation.get("image_std", _DEVIATION), np.float32)
            tensor = (tensor - mean) / deviation
        return Prepared(np.ascontiguousarray(tensor.transpose(2, 0, 1)), width, height)

    def _size(self, width: int, height: int) -> tuple[int, int]:
        """Width and height that the network takes: fixed ones, or edges of a given length."""
        *_, rows, columns = self.session.get_inputs()[0].shape
        if isinstance(rows, int) and isinstance(columns, int):
            return columns, rows
        size = self.preparation.get("size", {})
        if isinstance(size, dict) and "height" in size:
            return size["width"], size["height"]
        edges = size if isinstance(size, dict) else {"shortest_edge": size}
        scale = edges.get("shortest_edge", min(width, height)) / min(width, height)
        if edges.get("longest_edge"):
            scale = min(scale, edges["longest_edge"] / max(width, height))
        return max(1, round(width * scale)), max(1, round(height * scale))

    def run(self, tensors: list[Floats]) -> dict[str, npt.NDArray[Any]]:
        """The outputs by name, for tensors of one shape."""
        pixels, *others = self.session.get_inputs()
        if pixels.shape[0] == 1 and len(tensors) > 1:
            # many files take one picture at a time
            alone = [self.run([tensor]) for tensor in tensors]
            return {name: np.concatenate([each[name] for each in alone]) for name in alone[0]}
        batch = np.stack(tensors)
        inputs: dict[str, npt.NDArray[Any]] = {pixels.name: batch}
        for other in others:
            if other.name == "pixel_mask":
                # no picture is padded
                inputs[other.name] = np.ones((len(batch), *batch.shape[2:]), np.int64)
            elif other.name == "orig_target_sizes":
                # of a picture of 1 x 1 boxes are shares
                inputs[other.name] = np.ones((len(batch), 2), np.int64)
            else:
                raise SetupError(
                    f"a network with an input {other.name}; beside the picture only pixel_mask and"
                    " orig_target_sizes are known"
                )
        names = [output.name for output in self.session.get_outputs()]
        return dict(zip(names, self.session.run(names, inputs), strict=True))


@cache
def load(path: str, version: str, what: str, way_out: str) -> Network:
    """The network in a file.

    `what` is what it does and `way_out` the var that does without it, for errors: `SetupError`
    without onnxruntime, or for a file that is no network.
    """
    del version
    try:
        import onnxruntime
    except ImportError as error:
        raise SetupError(
            f"{what} by {path} needs the package onnxruntime, which is not installed:"
            f" {install_command('models')}, or go on without it: --vars '{way_out}'"
        ) from error
    try:
        session = onnxruntime.InferenceSession(
            path, providers=onnxruntime.get_available_providers()
        )
    except Exception as error:
        # it raises classes of its own
        raise SetupError(
            f"{what}: {path} is no ONNX network that can be run ({error}); name another, or go on"
            f" without it: --vars '{way_out}'"
        ) from error
    inputs = session.get_inputs()
    check_input(path, inputs[0].shape if inputs else [])
    beside = Path(path).parent
    config = settings_in(beside / "config.json")
    check_config(beside / "config.json", config)
    preparation = settings_in(beside / "preprocessor_config.json")
    check_preparation(beside / "preprocessor_config.json", preparation)
    return Network(session, config, preparation)


def in_batches(prepared: list[Prepared], run: Callable[[list[Floats]], list[Any]]) -> list[Any]:
    """What `run` makes of tensors, given to it in batches of one shape.

    Pictures are not padded to each other's size, so what is found in one does not depend on its
    neighbours.
    """
    found: dict[int, Any] = {}
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for place, one in enumerate(prepared):
        by_shape.setdefault(one.tensor.shape, []).append(place)
    for shape, places in by_shape.items():
        n_pictures = max(1, min(_BATCH, _MOST_NUMBERS // math.prod(shape)))
        for start in range(0, len(places), n_pictures):
            batch = places[start : start + n_pictures]
            found |= zip(batch, run([prepared[place].tensor for place in batch]), strict=True)
    return [found[place] for place in range(len(prepared))]


def estimate_depth(network: Network, prepared: list[Prepared]) -> list[Floats]:
    """The depth maps of pictures as the network gives them.

    Source: the layout of DPT (`predicted_depth`), or of MiDaS: one output, whatever its name, of
    height x width for each picture. Errors: `SetupError` for other outputs, `ValueError` for a
    depth that is no number.
    """

    def run(tensors: list[Floats]) -> list[Any]:
        outputs = network.run(tensors)
        only = next(iter(outputs.values())) if len(outputs) == 1 else None
        maps = outputs.get("predicted_depth", only)
        if maps is None or maps.ndim < 3 or maps[0].size != math.prod(maps.shape[-2:]):
            raise SetupError(
                f"a depth network with outputs {', '.join(outputs)}; predicted_depth, or one map of"
                " height x width for each picture, is needed"
            )
        check_numbers("depths", maps)
        return [one.reshape(one.shape[-2:]).astype(np.float32) for one in maps]

    return in_batches(prepared, run)


def inpaint(network: Network, pixels: Pixels, mask: Mask) -> Pixels:
    """The picture with the pixels of a mask (0 or 1) painted over; all others stay as they are.

    Source: the layout of LaMa: a picture in [0, 1] and a mask, to a picture in [0, 255]; sides
    of a free size are filled up to multiples of 8. Errors: `ValueError` for a picture that is too
    large, and for an output that is no picture of that size.
    """
    picture, hole = network.session.get_inputs()
    *_, rows, columns = picture.shape
    height, width = pixels.shape[:2]
    rgb = cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB)
    if isinstance(rows, int) and isinstance(columns, int):
        taken = cv2.resize(rgb, (columns, rows), interpolation=cv2.INTER_AREA)
        holes = cv2.resize(mask, (columns, rows), interpolation=cv2.INTER_NEAREST)
    else:
        check_size(width, height)
        filled = (0, -height % 8, 0, -width % 8)
        taken = cv2.copyMakeBorder(rgb, *filled, cv2.BORDER_REFLECT)
        holes = cv2.copyMakeBorder(mask, *filled, cv2.BORDER_CONSTANT, value=0)
    inputs = {
        picture.name: taken.astype(np.float32).transpose(2, 0, 1)[None] / 255,
        hole.name: (holes > 0).astype(np.float32)[None, None],
    }
    [painted] = network.session.run(None, inputs)[0]
    if painted.shape != (3, *taken.shape[:2]):
        raise ValueError(f"the network painted {painted.shape}, expected {(3, *taken.shape[:2])}")
    check_numbers("levels", painted)
    levels = np.clip(np.rint(painted.transpose(1, 2, 0)), 0, 255).astype(np.uint8)
    bgr = cv2.cvtColor(levels, cv2.COLOR_RGB2BGR)
    if isinstance(rows, int) and isinstance(columns, int):
        bgr = cv2.resize(bgr, (width, height), interpolation=cv2.INTER_CUBIC)
    return cast(Pixels, np.where(mask[..., None] > 0, bgr[:height, :width], pixels))


def find_writing(network: Network, pixels: Pixels) -> list[Writing]:
    """Where a picture has writing, as upright boxes, the surest first, however unsure.

    Source: the layout of differentiable binarization (DB) as PP-OCR exports it: a picture of its
    fixed sides, else of sides in steps of 32, to a map of how much each pixel is the core of a
    line. Errors: `SetupError` for another output, `ValueError` for one that is no share.
    """
    height, width = pixels.shape[:2]
    least, most = _WRITING_SIDES
    scale = max(1.0, least / min(height, width))
    scale = min(scale, most / max(height, width))
    *_, rows, columns = network.session.get_inputs()[0].shape
    if not (isinstance(rows, int) and isinstance(columns, int)):
        columns, rows = (
            max(_WRITING_STEP, round(side * scale / _WRITING_STEP) * _WRITING_STEP)
            for side in (width, height)
        )
        check_size(columns, rows)
    how = cv2.INTER_CUBIC if scale > 1 else cv2.INTER_AREA
    resized = cv2.resize(pixels, (columns, rows), interpolation=how)
    # the means of red and blue on blue and red, as PP-OCR was trained
    tensor = (resized.astype(np.float32) / 255 - np.array(_MEAN, np.float32)) / np.array(
        _DEVIATION, np.float32
    )
    picture = network.session.get_inputs()[0].name
    cores = network.session.run(None, {picture: tensor.transpose(2, 0, 1)[None]})[0]
    if cores.shape != (1, 1, rows, columns):
        raise SetupError(
            f"a text network with an output of the shape {cores.shape}; a map of the picture's"
            f" size, {(1, 1, rows, columns)}, is needed"
        )
    check_range("shares of lines", cores, 0, 1)
    return _lines_of(cores[0, 0], width / columns, height / rows)


def _lines_of(cores: Floats, across: float, down: float) -> list[Writing]:
    """The connected parts of a map, grown; `across` and `down` are pixels of its pixels."""
    is_core = (cores > _WRITING_LEVEL).astype(np.uint8)
    n_parts, parts, shapes, _ = cv2.connectedComponentsWithStats(is_core, connectivity=8)
    sums = np.bincount(parts.ravel(), weights=cores.ravel(), minlength=n_parts)
    rows, columns = cores.shape
    lines = []
    for part in range(1, n_parts):
        left, top, width, height, area = shapes[part].tolist()
        margin = width * height * _WRITING_GROWTH / (2 * (width + height))
        start_x, start_y = max(0.0, left - margin), max(0.0, top - margin)
        end_x = min(float(columns), left + width + margin)
        end_y = min(float(rows), top + height + margin)
        box = (
            start_x * across,
            start_y * down,
            (end_x - start_x) * across,
            (end_y - start_y) * down,
        )
        lines.append(Writing(box, min(1.0, float(sums[part]) / area)))
    return sorted(lines, key=lambda line: (-line.confidence, line.bbox))
