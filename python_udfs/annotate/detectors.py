"""Detectors in ONNX files: how they take a picture, and what their outputs say is in it.

The layout is known by the names and shapes of the outputs, or by `model_type` in `config.json`:

    detr      logits and pred_boxes, as Hugging Face's Optimum exports DETR and RT-DETR
    rt-detr   labels, boxes and scores, as RT-DETR and D-FINE export themselves
    yolov8    1 x (4 + labels) x cells: boxes in pixels, a score for each label
    yolov5    1 x cells x (5 + labels): boxes in pixels, a score for there being one, and labels'
    yolox     the same, one box a cell, and centres and sizes counted from the cell

Labels are those of `id2label` in `config.json`, else of `names` in the file.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np

from gainsay.python_udfs.annotate.network_files import check_numbers, check_range, check_size
from gainsay.python_udfs.annotate.networks import Floats, Network, Prepared, in_batches
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels.corruptions import Pixels

_RT_DETR: Final = ("labels", "boxes", "scores")
_YOLO: Final = ("yolov8", "yolov5", "yolox")
_STRIDES: Final = (8, 16, 32, 64)
_ANCHORS: Final = 3
_USUAL_SIDE: Final = 640
# the grey around a picture of another shape
_MARGIN: Final = 114
# below this a box is one of thousands that say nothing
_LEAST_CONFIDENCE: Final = 0.05
# boxes are compared with each other
_MOST_BOXES: Final = 10_000
# corners and centres as shares of the picture: things stick out of it
_SHARES: Final = (-2.0, 3.0)
# of two boxes of one label that overlap more than this the surer one stays
_MOST_OVERLAP: Final = 0.5
_LAYOUTS_WANTED: Final = (
    "logits and pred_boxes are needed (DETR), labels, boxes and scores (RT-DETR), or one output of"
    " YOLO's shapes: 1 x (4 + labels) x cells, 1 x cells x (5 + labels)"
)


@dataclass(frozen=True)
class Detection:
    """An object in a picture: left, top, width and height in pixels, confidence 0 to 1."""

    label: str
    bbox: tuple[float, float, float, float]
    confidence: float


def prepare(network: Network, pixels: Pixels) -> Prepared:
    """The picture as this detector takes it. Errors: `SetupError` for an unknown layout."""
    layout = layout_of(network)
    if layout == "detr":
        return network.prepare(pixels)
    if layout == "rt-detr":
        return network.prepare(pixels, is_normalized=False)
    return _in_letterbox(network, pixels, layout)


def detect(network: Network, prepared: list[Prepared]) -> list[list[Detection]]:
    """The objects of pictures, the surest first; how unsure the last are depends on the layout.

    Source: DETR: `logits` by query and label, with a last label for nothing where there is one more
    than the config names, and `pred_boxes`, centre and size as shares. RT-DETR's own: corners, as
    shares where it is told that the picture is 1 x 1. YOLO: of boxes that overlap, the surest.
    Errors: `SetupError` for other outputs, `ValueError` for numbers that are none or out of range.
    """
    layout = layout_of(network)
    labels = _labels(network)

    def run(tensors: list[Floats]) -> list[Any]:
        outputs = network.run(tensors)
        if layout == "detr":
            check_numbers("logits", outputs["logits"])
            check_range("boxes", outputs["pred_boxes"], *_SHARES)
            return list(zip(outputs["logits"], outputs["pred_boxes"], strict=True))
        if layout == "rt-detr":
            check_numbers("labels", outputs["labels"])
            check_range("boxes", outputs["boxes"], *_SHARES)
            check_range("scores", outputs["scores"], 0, 1)
            return list(zip(*(outputs[name] for name in _RT_DETR), strict=True))
        cells = next(iter(outputs.values()))
        check_numbers("cells", cells)
        return list(cells)

    found = in_batches(prepared, run)
    if layout == "detr":
        return [
            _of_queries(labels, logits, boxes, one)
            for one, (logits, boxes) in zip(prepared, found, strict=True)
        ]
    if layout == "rt-detr":
        return [
            _of_corners(labels, numbers, boxes, scores, one)
            for one, (numbers, boxes, scores) in zip(prepared, found, strict=True)
        ]
    return [_of_cells(labels, layout, of, one) for one, of in zip(prepared, found, strict=True)]


def layout_of(network: Network) -> str:
    """The layout of a detector's outputs. Errors: `SetupError` for any other."""
    shapes = {output.name: output.shape for output in network.session.get_outputs()}
    if {"logits", "pred_boxes"} <= shapes.keys():
        return "detr"
    if set(_RT_DETR) <= shapes.keys():
        return "rt-detr"
    named = network.config.get("model_type")
    if named in _YOLO:
        return str(named)
    first = next(iter(shapes.values()))
    *_, height, width = network.session.get_inputs()[0].shape
    if all(isinstance(side, int) for side in (*first[1:], height, width)) and len(first) == 3:
        _, rows, columns = first
        cells = {_n_cells(height, width, _STRIDES[:n]) for n in (3, 4)}
        if columns in cells and 4 < rows < columns:
            return "yolov8"
        if rows in cells and columns > 5:
            return "yolox"
        if rows in {_ANCHORS * n for n in cells} and columns > 5:
            return "yolov5"
    raise SetupError(
        f"a detector with outputs {', '.join(f'{name} {shape}' for name, shape in shapes.items())};"
        f" {_LAYOUTS_WANTED}; where sides are free, config.json beside it says which by"
        f" model_type: {', '.join(_YOLO)}"
    )


def _n_cells(height: int, width: int, strides: tuple[int, ...]) -> int:
    return sum((height // stride) * (width // stride) for stride in strides)


def _labels(network: Network) -> dict[int, str]:
    if "id2label" in network.config:
        return {int(key): label for key, label in network.config["id2label"].items()}
    names = network.session.get_modelmeta().custom_metadata_map.get("names", "{}")
    try:
        return {int(key): str(label) for key, label in dict(ast.literal_eval(names)).items()}
    except (ValueError, SyntaxError, TypeError):
        return {}


def _in_letterbox(network: Network, pixels: Pixels, layout: str) -> Prepared:
    """The picture in its shape on a grey ground: in the middle, or with YOLOX at the top left."""
    height, width = pixels.shape[:2]
    *_, rows, columns = network.session.get_inputs()[0].shape
    if not (isinstance(rows, int) and isinstance(columns, int)):
        size = network.preparation.get("size", {})
        sides = size if isinstance(size, dict) else {"height": size, "width": size}
        rows, columns = sides.get("height", _USUAL_SIDE), sides.get("width", _USUAL_SIDE)
        check_size(columns, rows)
    scale = min(rows / height, columns / width)
    taken = max(1, round(width * scale)), max(1, round(height * scale))
    left, top = (0, 0) if layout == "yolox" else ((columns - taken[0]) // 2, (rows - taken[1]) // 2)
    ground = np.full((rows, columns, 3), _MARGIN, np.uint8)
    resized = cv2.resize(pixels, taken, interpolation=cv2.INTER_LINEAR)
    ground[top : top + taken[1], left : left + taken[0]] = resized
    # some exports of YOLOX take blue first
    if not network.preparation.get("do_flip_channel_order", False):
        ground = np.ascontiguousarray(ground[..., ::-1])
    # YOLOX takes levels as they are
    usual = 1.0 if layout == "yolox" else 1 / 255
    factor = np.float32(network.preparation.get("rescale_factor", usual))
    tensor = ground.astype(np.float32) * factor
    return Prepared(
        np.ascontiguousarray(tensor.transpose(2, 0, 1)), width, height, scale, left, top
    )


def _of_queries(
    labels: dict[int, str], logits: Floats, boxes: Floats, picture: Prepared
) -> list[Detection]:
    if labels and logits.shape[1] == len(labels):
        scores = 1 / (1 + np.exp(-logits.astype(np.float64)))
    else:
        powers = np.exp(logits.astype(np.float64) - logits.max(axis=1, keepdims=True))
        scores = (powers / powers.sum(axis=1, keepdims=True))[:, :-1]
    best = scores.argmax(axis=1)
    found = []
    for query in np.argsort(-scores.max(axis=1), kind="stable").tolist():
        across, down, width, height = map(float, boxes[query])
        label = int(best[query])
        found.append(
            Detection(
                labels.get(label, str(label)),
                (
                    (across - width / 2) * picture.width,
                    (down - height / 2) * picture.height,
                    width * picture.width,
                    height * picture.height,
                ),
                float(scores[query, label]),
            )
        )
    return found


def _of_corners(
    labels: dict[int, str], numbers: Floats, boxes: Floats, scores: Floats, picture: Prepared
) -> list[Detection]:
    found = []
    for query in np.argsort(-scores, kind="stable").tolist():
        left, top, right, bottom = map(float, boxes[query])
        label = int(numbers[query])
        box = (
            left * picture.width,
            top * picture.height,
            (right - left) * picture.width,
            (bottom - top) * picture.height,
        )
        found.append(Detection(labels.get(label, str(label)), box, float(scores[query])))
    return found


def _of_cells(
    labels: dict[int, str], layout: str, output: Floats, picture: Prepared
) -> list[Detection]:
    cells = output.astype(np.float64)
    if layout == "yolov8":
        cells = cells.T
        scores = cells[:, 4:]
    else:
        scores = cells[:, 4:5] * cells[:, 5:]
    boxes = cells[:, :4]
    if layout == "yolox":
        boxes = _from_cells(boxes, *picture.tensor.shape[1:])
    best = scores.argmax(axis=1)
    confidences = scores.max(axis=1)
    likely = np.flatnonzero(confidences >= _LEAST_CONFIDENCE)
    check_range("scores", confidences, 0, 1)
    likely = likely[np.argsort(-confidences[likely], kind="stable")][:_MOST_BOXES]
    corners = np.concatenate([boxes[likely, :2] - boxes[likely, 2:] / 2, boxes[likely, 2:]], axis=1)
    check_numbers("boxes", corners)
    return [
        Detection(
            labels.get(int(best[likely[place]]), str(int(best[likely[place]]))),
            _in_picture(corners[place], picture),
            float(confidences[likely[place]]),
        )
        for place in _surest(corners, best[likely])
    ]


def _from_cells(boxes: Any, rows: int, columns: int) -> Any:
    """Boxes of YOLOX in pixels: its files count them from each cell, unless they were decoded."""
    # the last cells' centres lie far to the right in pixels, and near their cell when counted so
    if np.abs(boxes[:, :2]).max(initial=0.0) > min(rows, columns) / 2:
        return boxes
    steps, corners = [], []
    n_strides = 3 if len(boxes) == _n_cells(rows, columns, _STRIDES[:3]) else 4
    for stride in _STRIDES[:n_strides]:
        down, across = np.mgrid[: rows // stride, : columns // stride]
        corners.append(np.stack([across.ravel(), down.ravel()], axis=1))
        steps.append(np.full((across.size, 1), stride))
    step, corner = np.concatenate(steps), np.concatenate(corners)
    return np.concatenate([(boxes[:, :2] + corner) * step, np.exp(boxes[:, 2:]) * step], axis=1)


def _surest(boxes: Any, labels: Any) -> Iterator[int]:
    """The places of boxes that no surer one of their label covers; the surest come first."""
    kept: dict[int, list[int]] = {}
    for place, (left, top, width, height) in enumerate(boxes):
        others = boxes[kept.setdefault(int(labels[place]), [])]
        across = np.minimum(others[:, 0] + others[:, 2], left + width) - np.maximum(
            others[:, 0], left
        )
        down = np.minimum(others[:, 1] + others[:, 3], top + height) - np.maximum(others[:, 1], top)
        shared = np.clip(across, 0, None) * np.clip(down, 0, None)
        union = others[:, 2] * others[:, 3] + width * height - shared
        if (shared <= _MOST_OVERLAP * union).all():
            kept[int(labels[place])].append(place)
            yield place


def _in_picture(box: Any, picture: Prepared) -> tuple[float, float, float, float]:
    """A box of the letterbox in the picture's pixels, cut off at its edges."""
    left, top, width, height = (float(number) for number in box)
    edges = [
        min(max((edge - margin) / picture.scale, 0.0), float(side))
        for edge, margin, side in (
            (left, picture.left, picture.width),
            (top, picture.top, picture.height),
            (left + width, picture.left, picture.width),
            (top + height, picture.top, picture.height),
        )
    ]
    return edges[0], edges[1], edges[2] - edges[0], edges[3] - edges[1]
