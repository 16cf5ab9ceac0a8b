"""Networks of a few weights, made here, do what large ones would."""

import dataclasses
import hashlib
import json
import os
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import onnx
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from gainsay.python_udfs.annotate import annotators, detectors, grounders, networks
from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.pixels import inpainters, masks
from gainsay.python_udfs.pixels.rendering import Recipe, render_recipes
from tests.python import image_specimens as specimens

Row = dict[str, Any]
FLOAT = TensorProto.FLOAT
LABELS = {"0": "cat", "1": "dog", "2": "truck"}


def save(
    path: Path, nodes: list[Any], inputs: dict[str, list[Any]], outputs: dict[str, list[Any]],
    weights: dict[str, NDArray[Any]],
) -> Path:  # fmt: skip
    """An ONNX file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    graph = helper.make_graph(
        nodes, "network",
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in inputs.items()],
        [helper.make_tensor_value_info(name, FLOAT, shape) for name, shape in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def random_weights(*shape: int) -> NDArray[np.float32]:
    """Weights as a network has them before it learns."""
    return np.random.Generator(np.random.Philox(7)).normal(0, 1, shape).astype(np.float32)


def detector(folder: Path, n_logits: int = 4, side: int | str = "side") -> Path:
    """DETR's layout in small: five boxes from the mean colour of a picture."""
    network = save(
        folder / "detector.onnx",
        [
            helper.make_node("GlobalAveragePool", ["pixel_values"], ["mean"]),
            helper.make_node("Flatten", ["mean"], ["flat"]),
            helper.make_node("Gemm", ["flat", "to_logits"], ["many_logits"]),
            helper.make_node("Reshape", ["many_logits", "logits_shape"], ["logits"]),
            helper.make_node("Gemm", ["flat", "to_boxes"], ["raw_boxes"]),
            helper.make_node("Sigmoid", ["raw_boxes"], ["many_boxes"]),
            helper.make_node("Reshape", ["many_boxes", "boxes_shape"], ["pred_boxes"]),
        ],
        {"pixel_values": ["batch", 3, side, side]},
        {"logits": ["batch", 5, n_logits], "pred_boxes": ["batch", 5, 4]},
        {
            "to_logits": random_weights(3, 5 * n_logits), "to_boxes": random_weights(3, 20),
            "logits_shape": np.array([-1, 5, n_logits]), "boxes_shape": np.array([-1, 5, 4]),
        },
    )  # fmt: skip
    (folder / "config.json").write_text(json.dumps({"id2label": LABELS}))
    size = {"shortest_edge": 24, "longest_edge": 40}
    (folder / "preprocessor_config.json").write_text(json.dumps({"size": size}))
    return network


def network_that_says(
    path: Path, shape: list[int | str], outputs: dict[str, NDArray[np.float32]],
    others: dict[str, int] | None = None, **metadata: str,
) -> Path:  # fmt: skip
    """A network with the inputs and outputs of a published one, which says the same of anything.

    But for the first number of each output, to which the first level of the picture is added.
    `others` are inputs beside the picture, with how many whole numbers each has.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    corner = [helper.make_node("Slice", ["image", "starts", "ends"], ["level"])]
    corner += [helper.make_node("Reshape", ["level", "flat"], ["scalar"])]
    weights = {
        "starts": np.array([0, 0, 0, 0]), "ends": np.array([1, 1, 1, 1]), "flat": np.array([1]),
    }  # fmt: skip
    inputs = [helper.make_tensor_value_info("image", FLOAT, shape)]
    inputs += [
        helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", n])
        for name, n in (others or {}).items()
    ]
    for name, said in outputs.items():
        first = np.zeros(said.shape, np.float32)
        first.flat[0] = 1
        weights |= {f"{name}_said": said, f"{name}_first": first}
        corner += [
            helper.make_node("Mul", ["scalar", f"{name}_first"], [f"{name}_added"]),
            helper.make_node("Add", [f"{name}_said", f"{name}_added"], [name]),
        ]
    graph = helper.make_graph(
        corner, "network", inputs,
        [helper.make_tensor_value_info(name, FLOAT, said.shape) for name, said in outputs.items()],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(model, metadata)
    onnx.checker.check_model(model)
    onnx.save(model, path)
    return path


def depth_network(folder: Path) -> Path:
    """Depth is the red of a picture of 16 x 16 pixels."""
    path = save(
        folder / "depth.onnx",
        [
            helper.make_node("Conv", ["pixel_values", "red"], ["map"]),
            helper.make_node("Squeeze", ["map", "axes"], ["predicted_depth"]),
        ],
        {"pixel_values": ["batch", 3, 16, 16]},
        {"predicted_depth": ["batch", 16, 16]},
        {"red": np.array([1, 0, 0], np.float32).reshape(1, 3, 1, 1), "axes": np.array([1])},
    )
    (folder / "preprocessor_config.json").write_text(json.dumps({"do_normalize": False}))
    return path


def text_network(folder: Path, n_maps: int = 1) -> Path:
    """Writing is what is bright and blue."""
    return save(
        folder / f"text_{n_maps}.onnx",
        [
            helper.make_node("Conv", ["x", "blue"], ["brightness"]),
            helper.make_node("Clip", ["brightness", "zero", "one"], ["maps"]),
        ],
        {"x": ["batch", 3, "height", "width"]},
        {"maps": ["batch", n_maps, "height", "width"]},
        {
            "blue": np.array([[1, 0, 0]] * n_maps, np.float32).reshape(n_maps, 3, 1, 1),
            "zero": np.array(0, np.float32), "one": np.array(1, np.float32),
        },
    )  # fmt: skip


BERT_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", ".", "a", "red", "cup", "##s", "dog"]
CLIP_WORDS = ["<|startoftext|>", "<|endoftext|>", "a</w>", "cup</w>", "dog</w>"]
# how sure a made network is that each of its four boxes is of a token
SURENESS = {
    "[CLS]": [0.01, 0.01, 0.01, 0.99], ".": [0.01, 0.01, 0.01, 0.99],
    "red": [0.28, 0.29, 0.1, 0.01], "cup": [0.9, 0.2, 0.35, 0.01], "##s": [0.26, 0.2, 0.1, 0.01],
    "cup</w>": [0.9, 0.29, 0.35, 0.01],
}  # fmt: skip
BOXES = [[0.5, 0.5, 0.5, 0.5], [0.1, 0.1, 0.1, 0.1], [0.9, 0.5, 0.4, 1.0], [0.2, 0.2, 0.2, 0.2]]


def grounder(folder: Path, layout: str = "grounding-dino") -> Path:
    """The inputs and outputs of Grounding DINO or OWL-ViT: four boxes, each sure of some tokens."""
    folder.mkdir(parents=True, exist_ok=True)
    is_clip = layout == "owl-vit"
    words = CLIP_WORDS if is_clip else BERT_WORDS
    if is_clip:
        numbers = {word: number for number, word in enumerate(words)}
        (folder / "vocab.json").write_text(json.dumps(numbers))
        (folder / "merges.txt").write_text("#version: 0.2\nc u\ncu p</w>\nd o\ndo g</w>\n")
    else:
        (folder / "vocab.txt").write_text("\n".join(words) + "\n")
    sure = np.array([SURENESS.get(word, [0.01] * 4) for word in words], np.float32)
    nodes = [
        helper.make_node("Gather", ["logits_of_tokens", "input_ids"], ["by_token"]),
        # OWL-ViT has one score for all of a phrase
        helper.make_node("ReduceMax", ["by_token"], ["by_phrase"], axes=[1], keepdims=1),
        helper.make_node(
            "Transpose", ["by_phrase" if is_clip else "by_token"], ["logits"], perm=[0, 2, 1]
        ),
        helper.make_node("Identity", ["boxes"], ["pred_boxes"]),
    ]
    whole = ["input_ids", "attention_mask", *([] if is_clip else ["token_type_ids"])]
    inputs = [helper.make_tensor_value_info("pixel_values", FLOAT, [1, 3, 32, 32])]
    inputs += [helper.make_tensor_value_info(name, TensorProto.INT64, [1, "n"]) for name in whole]
    if not is_clip:
        inputs.append(helper.make_tensor_value_info("pixel_mask", TensorProto.INT64, [1, 32, 32]))
    weights = {
        "logits_of_tokens": np.log(sure / (1 - sure)), "boxes": np.array([BOXES], np.float32),
    }  # fmt: skip
    graph = helper.make_graph(
        nodes, "network", inputs,
        [
            helper.make_tensor_value_info("logits", FLOAT, [1, 4, "m"]),
            helper.make_tensor_value_info("pred_boxes", FLOAT, [1, 4, 4]),
        ],
        [numpy_helper.from_array(value, name) for name, value in weights.items()],
    )  # fmt: skip
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    onnx.checker.check_model(model)
    path = folder / f"{layout}.onnx"
    onnx.save(model, path)
    return path


def segmenter(
    folder: Path, best: int = 1, side: int | str = 64, n_points: int | str = 6,
    label_sides: int = 3,
) -> Path:  # fmt: skip
    """EfficientSAM's layout: nothing, what is red, or the whole of the box that it is asked about.

    Of the three masks it thinks `best` best. Points beyond the corners are far away.
    """
    folder.mkdir(parents=True, exist_ok=True)
    across, down = np.meshgrid(np.arange(64, dtype=np.float32), np.arange(64, dtype=np.float32))
    qualities = np.full((1, 1, 3), 0.2, np.float32)
    qualities[0, 0, best] = 0.9
    edges = {
        f"{name}_{place}": np.array([0, 0, corner, axis])
        for corner, name in enumerate(("start", "end"))
        for axis, place in enumerate(("x", "y"))
    }
    nodes = [helper.make_node("GatherND", ["points", name], [f"{name}_edge"]) for name in edges]
    nodes += [
        helper.make_node("Sub", ["across", "start_x_edge"], ["from_left"]),
        helper.make_node("Sub", ["end_x_edge", "across"], ["from_right"]),
        helper.make_node("Sub", ["down", "start_y_edge"], ["from_top"]),
        helper.make_node("Sub", ["end_y_edge", "down"], ["from_bottom"]),
        helper.make_node("Min", ["from_left", "from_right", "from_top", "from_bottom"], ["boxed"]),
        helper.make_node("Conv", ["image", "red", "dark"], ["redness"]),
        helper.make_node("Reshape", ["redness", "flat"], ["red_map"]),
        helper.make_node("Reshape", ["boxed", "flat"], ["box_map"]),
        # the labels of the corners are 2 and 3, and of no point -1
        helper.make_node("ReduceSum", ["labels"], ["label_sum"], keepdims=0),
        helper.make_node("Sub", ["label_sum", "wanted_sum"], ["wrong"]),
        helper.make_node("Abs", ["wrong"], ["how_wrong"]),
        helper.make_node("Sub", ["box_map", "how_wrong"], ["asked_map"]),
        helper.make_node("Concat", ["nothing", "red_map", "asked_map"], ["output_masks"], axis=2),
        helper.make_node("Identity", ["qualities"], ["iou_predictions"]),
    ]
    n_beyond = n_points - 2 if isinstance(n_points, int) else 0
    shapes = {
        "image": [1, 3, side, side], "points": [1, 1, n_points, 2],
        "labels": [1, 1, n_points, *[1] * (label_sides - 3)],
    }  # fmt: skip
    return save(
        folder / "segmenter.onnx", nodes, shapes,
        {"output_masks": [1, 1, 3, 64, 64], "iou_predictions": [1, 1, 3]},
        edges | {
            "across": across, "down": down, "qualities": qualities,
            "red": np.array([1, 0, 0], np.float32).reshape(1, 3, 1, 1),
            "dark": np.array([-0.5], np.float32), "flat": np.array([1, 1, 1, 64, 64]),
            "nothing": np.full((1, 1, 1, 64, 64), -1, np.float32),
            "wanted_sum": np.array(5 - n_beyond, np.float32),
        },
    )  # fmt: skip


def inpainting_network(folder: Path, side: int | str) -> Path:
    """LaMa's layout: everything becomes blue, except that the mask is subtracted from red."""
    to_blue = np.zeros((3, 3, 1, 1), np.float32)
    from_mask = np.array([1, 0, 0], np.float32).reshape(3, 1, 1, 1)
    return save(
        folder / f"lama_{side}.onnx",
        [
            helper.make_node("Conv", ["image", "to_blue", "blue"], ["painted"]),
            helper.make_node("Conv", ["mask", "from_mask"], ["marked"]),
            helper.make_node("Sub", ["painted", "marked"], ["output"]),
        ],
        {"image": [1, 3, side, side], "mask": [1, 1, side, side]},
        {"output": [1, 3, side, side]},
        {
            "to_blue": to_blue, "from_mask": from_mask,
            "blue": np.array([0, 0, 255], np.float32),
        },
    )  # fmt: skip


def annotate(function: Any, paths: list[Path], network: Path, folder: Path) -> list[Row]:
    """What an annotator with a network says of files."""
    rows = [
        (str(p), None, hashlib.sha256(p.read_bytes()).hexdigest(), str(folder), 10**8, str(network))
        for p in paths
    ]
    types = (*(pa.string(),) * 4, pa.int64(), pa.string())
    columns = [
        pa.array(column, kind) for column, kind in zip(zip(*rows, strict=True), types, strict=True)
    ]
    found: list[Row] = function(*columns).to_pylist()
    return found


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    """Forty pictures of two sizes, and one file that is no picture."""
    paths = []
    for number in range(40):
        path = tmp_path / f"{number:02}.jpg"
        path.write_bytes(specimens.jpeg(64, 48 if number % 2 else 64, seed=number))
        paths.append(path)
    (tmp_path / "text.jpg").write_text("no picture")
    return [*paths, tmp_path / "text.jpg"]


def test_detections_do_not_depend_on_their_batch(pictures: list[Path], tmp_path: Path) -> None:
    network = detector(tmp_path / "net")
    together = annotate(annotators.detect_objects, pictures, network, tmp_path / "a")
    assert together[-1]["objects"] is None
    assert "the file starts with b'no picture'" in together[-1]["error"]
    for place in (0, 1, 39):
        [alone] = annotate(
            annotators.detect_objects, [pictures[place]], network, tmp_path / f"b{place}"
        )
        assert alone["error"] is None
        for one, other in zip(alone["objects"], together[place]["objects"], strict=True):
            assert one["label"] == other["label"]
            assert one["confidence"] == pytest.approx(other["confidence"], abs=1e-6)
            assert one["bbox"] == pytest.approx(other["bbox"], abs=1e-3)
    objects = together[0]["objects"]
    assert len(objects) == 5
    confidences = [found["confidence"] for found in objects]
    assert confidences == sorted(confidences, reverse=True)
    *_, width, height = objects[0]["bbox"]
    assert objects[0]["area_fraction"] == pytest.approx(width * height / 64 / 64)
    assert {found["label"] for row in together[:-1] for found in row["objects"]} <= set(
        LABELS.values()
    )


def test_boxes_and_scores_are_those_of_the_network() -> None:
    """Written down: two queries, softmax with a label for nothing, centre and size as shares."""
    logits = np.log(np.array([[[6, 2, 1, 1], [1, 1, 1, 7]]], np.float32))
    boxes = np.array([[[0.5, 0.5, 0.2, 0.4], [0.1, 0.1, 0.1, 0.1]]], np.float32)
    found = detectors._of_queries(
        {int(key): label for key, label in LABELS.items()}, logits[0], boxes[0],
        networks.Prepared(np.zeros((3, 1, 1), np.float32), 200, 100),
    )  # fmt: skip
    assert [(one.label, round(one.confidence, 6)) for one in found] == [("cat", 0.6), ("cat", 0.1)]
    assert found[0].bbox == pytest.approx((80, 30, 40, 40), abs=1e-4)
    # as many logits as labels: each by itself
    [first, _] = detectors._of_queries(
        {0: "a", 1: "b", 2: "c", 3: "d"}, np.zeros((2, 4), np.float32), boxes[0],
        networks.Prepared(np.zeros((3, 1, 1), np.float32), 200, 100),
    )  # fmt: skip
    assert first.confidence == 0.5


# what YOLO says of a picture of 320 x 160, which it sees as 640 x 320: a dog, twice, and a cat
SEEN = {
    5: ((100, 40, 60, 20), 1, 0.9),
    6: ((102, 40, 60, 20), 1, 0.8),
    7: ((102, 40, 60, 20), 0, 0.75),
    8: ((10, 10, 40, 40), 2, 0.04),
}
# boxes by corner and size, the last one beyond what counts as seen
SEEN_OBJECTS = [
    ("dog", 0.9, (70, 30, 60, 20)),
    ("cat", 0.75, (72, 30, 60, 20)),
]


def yolo_output(layout: str) -> NDArray[np.float32]:
    """An output of the layout's published shape, for 640 x 640 pixels and 80 labels."""
    n_cells = 25_200 if layout == "yolov5" else 8_400
    cells = np.zeros((n_cells, 84 if layout == "yolov8" else 85), np.float32)
    # in the middle of the square, or at its top
    top = 0 if layout == "yolox" else 160
    cells[:, 2:4] = -9 if layout == "yolox" else 1
    for cell, ((across, down, width, height), label, confidence) in SEEN.items():
        box = np.array([2 * across, 2 * down + top, 2 * width, 2 * height], np.float32)
        if layout == "yolox":
            # cells of 8 x 8 pixels, 80 in a row
            box = np.array([box[0] / 8 - cell, box[1] / 8, *np.log(box[2:] / 8)], np.float32)
        cells[cell, :4] = box
        cells[cell, (4 if layout == "yolov8" else 5) + label] = confidence
        if layout != "yolov8":
            cells[cell, 4] = 1.0
    return (cells.T if layout == "yolov8" else cells)[None]


@pytest.mark.parametrize("layout", ["yolov8", "yolov5", "yolox"])
def test_yolo_is_read_in_each_of_its_layouts(layout: str, tmp_path: Path) -> None:
    names = str({int(key): label for key, label in LABELS.items()})
    path = network_that_says(
        tmp_path / "yolo.onnx", [1, 3, 640, 640], {"output0": yolo_output(layout)}, names=names
    )
    picture = np.zeros((160, 320, 3), np.uint8)
    files = []
    for number in range(3):
        files.append(tmp_path / f"{number}.png")
        picture[0, 0] = number
        files[-1].write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    rows = annotate(annotators.detect_objects, files, path, tmp_path / "kept")
    for row in rows:
        assert row["error"] is None
        assert [(one["label"], round(one["confidence"], 4)) for one in row["objects"]] == [
            (label, confidence) for label, confidence, _ in SEEN_OBJECTS
        ]
        for one, (_, _, box) in zip(row["objects"], SEEN_OBJECTS, strict=True):
            assert one["bbox"] == pytest.approx(box, abs=0.01)
            assert one["area_fraction"] == pytest.approx(60 * 20 / 320 / 160, abs=1e-4)


def loaded(path: Path, **config: Any) -> networks.Network:
    """A network, with what stands beside it."""
    for name, value in config.items():
        (path.parent / f"{name}.json").write_text(json.dumps(value))
    return networks.load(str(path), networks.network_version(str(path)), "detection", "")


def test_yolo_sees_a_picture_in_its_shape_on_grey(tmp_path: Path) -> None:
    picture = np.zeros((160, 320, 3), np.uint8)
    picture[..., 0] = 255
    for layout, top, high in (("yolov8", 160, 1.0), ("yolox", 0, 255.0)):
        output = {"output0": yolo_output(layout)}
        path = network_that_says(tmp_path / layout / "n.onnx", [1, 3, 640, 640], output)
        prepared = detectors.prepare(loaded(path), picture)
        assert prepared.tensor.shape == (3, 640, 640)
        # red, green, blue
        assert prepared.tensor[:, top, 0].tolist() == [0, 0, high]
        assert prepared.tensor[:, 600, 0] == pytest.approx([114 / 255 * high] * 3)
        flipped = detectors.prepare(
            loaded(
                path.rename(tmp_path / layout / "flipped.onnx"),
                preprocessor_config={"do_flip_channel_order": True},
            ),
            picture,
        )
        assert flipped.tensor[:, top, 0].tolist() == [high, 0, 0]


def test_yolox_that_was_decoded_is_read_as_it_is(tmp_path: Path) -> None:
    cells = np.ones((8_400, 85), np.float32)
    cells[:, :2] = np.linspace(4, 636, 8_400)[:, None]
    cells[:, 4:] = 0
    cells[9, [0, 1, 2, 3, 4, 5]] = [200, 80, 120, 40, 1, 0.8]
    path = network_that_says(tmp_path / "x.onnx", [1, 3, 640, 640], {"output": cells[None]})
    network = loaded(path, config={"id2label": LABELS})
    prepared = detectors.prepare(network, np.zeros((160, 320, 3), np.uint8))
    [[found]] = detectors.detect(network, [prepared])
    assert (found.label, found.bbox) == ("cat", pytest.approx((70, 30, 60, 20)))


def test_free_sides_need_the_name_of_the_layout(tmp_path: Path) -> None:
    path = network_that_says(
        tmp_path / "free.onnx", [1, 3, "height", "width"], {"output0": yolo_output("yolov8")}
    )
    picture = np.zeros((160, 320, 3), np.uint8)
    with pytest.raises(SetupError, match="model_type: yolov8, yolov5, yolox"):
        detectors.prepare(loaded(path), picture)
    named = loaded(
        path.rename(tmp_path / "named.onnx"), config={"model_type": "yolov8", "id2label": LABELS}
    )
    [found] = detectors.detect(named, [detectors.prepare(named, picture)])
    assert [one.label for one in found] == ["dog", "cat"]


def test_rt_detr_as_it_exports_itself(tmp_path: Path) -> None:
    """Labels, corners and scores, for a picture whose size it is told."""
    scores = np.array([[0.2, 0.9]], np.float32)
    path = network_that_says(
        tmp_path / "rt.onnx",
        ["batch", 3, 640, 640],
        {
            "labels": np.array([[2, 1]], np.float32),
            "boxes": np.array([[[0, 0, 1, 1], [0.25, 0.5, 0.75, 1.0]]], np.float32),
            "scores": scores,
        },
        {"orig_target_sizes": 2},
    )
    network = loaded(path, config={"id2label": LABELS})
    prepared = detectors.prepare(network, np.zeros((160, 320, 3), np.uint8))
    # neither normalized nor in its shape
    assert prepared.tensor.shape == (3, 640, 640)
    assert not prepared.tensor.any()
    [found] = detectors.detect(network, [prepared])
    assert [(one.label, one.bbox) for one in found] == [
        ("dog", pytest.approx((80, 80, 160, 80))), ("truck", pytest.approx((0, 0, 320, 160))),
    ]  # fmt: skip


def test_rt_detr_as_optimum_exports_it_has_a_score_for_each_label(tmp_path: Path) -> None:
    """Three logits for three labels, so none of them is for nothing."""
    path = str(detector(tmp_path, n_logits=3))
    network = loaded(Path(path))
    prepared = detectors.prepare(network, np.zeros((50, 70, 3), np.uint8))
    [found] = detectors.detect(network, [prepared])
    assert {one.label for one in found} <= set(LABELS.values())
    assert len(found) == 5


def test_midas_gives_one_map_under_any_name(tmp_path: Path) -> None:
    depth = np.zeros((1, 256, 256), np.float32)
    depth[:, :, 128:] = 500
    path = network_that_says(tmp_path / "midas.onnx", [1, 3, 256, 256], {"797": depth})
    files = []
    for number in range(2):
        files.append(tmp_path / f"{number}.png")
        files[-1].write_bytes(cv2.imencode(".png", np.full((30, 40, 3), number))[1].tobytes())
    for row in annotate(annotators.measure_depths, files, path, tmp_path / "kept"):
        assert row["error"] is None
        assert [row[half] for half in ("left", "right", "top", "bottom")] == pytest.approx(
            [0, 1, 0.5, 0.5], abs=0.01
        )


@pytest.mark.parametrize(
    "outputs",
    [
        {"a": np.zeros((1, 4, 4), np.float32), "b": np.zeros((1, 4, 4), np.float32)},
        {"a": np.zeros((1, 2, 4, 4), np.float32)},
        {"a": np.zeros((1, 4), np.float32)},
    ],
    ids=["two_outputs", "two_maps", "a_row"],
)
def test_other_outputs_are_no_depth(outputs: dict[str, Any], tmp_path: Path) -> None:
    network = loaded(network_that_says(tmp_path / "n.onnx", [1, 3, 16, 16], outputs))
    with pytest.raises(SetupError, match="one map of height x width"):
        networks.estimate_depth(network, [network.prepare(np.zeros((8, 8, 3), np.uint8))])


@pytest.mark.parametrize(
    ("width", "height", "taken"),
    [(64, 48, (32, 24)), (48, 64, (24, 32)), (200, 50, (40, 10)), (1, 1, (24, 24))],
)
def test_pictures_come_in_the_size_that_the_config_names(
    width: int, height: int, taken: tuple[int, int], tmp_path: Path
) -> None:
    path = str(detector(tmp_path))
    network = networks.load(path, networks.network_version(path), "detection", "")
    prepared = network.prepare(np.full((height, width, 3), 255, np.uint8))
    assert prepared.tensor.shape == (3, taken[1], taken[0])
    assert prepared.tensor[:, 0, 0] == pytest.approx([2.2489, 2.4286, 2.64], abs=1e-3)


def test_fixed_sizes_come_before_the_config(tmp_path: Path) -> None:
    path = str(detector(tmp_path, side=16))
    network = networks.load(path, networks.network_version(path), "detection", "")
    assert network.prepare(np.zeros((50, 70, 3), np.uint8)).tensor.shape == (3, 16, 16)


def test_depth_is_told_by_halves(tmp_path: Path) -> None:
    picture = np.zeros((64, 64, 3), np.uint8)
    picture[:, 32:, 2] = 200
    path = tmp_path / "a.png"
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    flat = tmp_path / "flat.png"
    flat.write_bytes(cv2.imencode(".png", np.full((9, 9, 3), 90, np.uint8))[1].tobytes())
    network = depth_network(tmp_path / "net")
    rows = annotate(annotators.measure_depths, [path, flat], network, tmp_path / "kept")
    assert rows[0] == {"left": 0.0, "right": 1.0, "top": 0.5, "bottom": 0.5, "error": None}
    assert rows[1] == {"left": 0.0, "right": 0.0, "top": 0.0, "bottom": 0.0, "error": None}


@pytest.mark.parametrize("side", [64, 1472])
def test_lines_of_writing_have_boxes(side: int, tmp_path: Path) -> None:
    one = side // 64
    picture = np.zeros((side, 2 * side, 3), np.uint8)
    picture[8 * one : 16 * one, 16 * one : 64 * one, 0] = 255
    picture[40 * one : 48 * one, 80 * one : 96 * one, 0] = 220
    # not bright enough
    picture[40 * one : 48 * one, : 16 * one, 0] = 110
    path, blank = tmp_path / "written.png", tmp_path / "blank.png"
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    blank.write_bytes(cv2.imencode(".png", np.zeros((40, 60, 3), np.uint8))[1].tobytes())
    rows = annotate(
        annotators.find_writing, [path, blank], text_network(tmp_path / "net"), tmp_path / "kept"
    )
    assert rows[1] == {"lines": [], "error": None}
    # a box grows by 0.8 of the product of its sides by their sum: 5.5 and 4.3 of these units
    for line, (left, top, right, bottom, grown) in zip(
        rows[0]["lines"], [(16, 8, 64, 16, 5.5), (80, 40, 96, 48, 4.3)], strict=True
    ):
        box = [value / one for value in line["bbox"]]
        expected = [
            left - grown, top - grown, right - left + 2 * grown, bottom - top + 2 * grown,
        ]  # fmt: skip
        assert box == pytest.approx(expected, abs=0.8)
        assert line["confidence"] > 0.8


def test_a_text_network_gives_one_map(tmp_path: Path) -> None:
    path = str(text_network(tmp_path, n_maps=2))
    network = networks.load(path, networks.network_version(path), "finding text", "")
    with pytest.raises(SetupError, match=r"shape \(1, 2, 736, 1120\).*\(1, 1, 736, 1120\)"):
        networks.find_writing(network, np.zeros((50, 76, 3), np.uint8))


# LaMa is published for 512 x 512
@pytest.mark.parametrize("side", [32, 512, "side"])
def test_a_network_paints_within_the_mask_only(side: int | str, tmp_path: Path) -> None:
    network = inpainting_network(tmp_path, side)
    picture = specimens.photograph(61, 47)
    mask = np.zeros((47, 61), np.uint8)
    mask[10:20, 20:40] = 1
    painted = inpainters.paint_over(picture, mask, str(network))
    assert (painted[mask == 0] == picture[mask == 0]).all()
    assert (painted[mask > 0] == (255, 0, 0)).all()


def outlined(network: Path, path: Path, box: tuple[float, ...], folder: Path) -> Row:
    """What a segmentation network says of a box."""
    columns = [
        *(pa.array([value], pa.string()) for value in (
            str(path), None, hashlib.sha256(path.read_bytes()).hexdigest(), str(folder))),
        pa.array([10**8]), *(pa.array([float(edge)]) for edge in box), pa.array([str(network)]),
    ]  # fmt: skip
    [found] = annotators.outline_objects(*columns).to_pylist()
    return dict(found)


@pytest.fixture
def red_square(tmp_path: Path) -> Path:
    """A picture of 128 x 96 pixels with 20 x 30 red ones."""
    picture = np.zeros((96, 128, 3), np.uint8)
    picture[30:60, 40:60, 2] = 255
    path = tmp_path / "red.png"
    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    return path


@pytest.mark.parametrize(("n_points", "label_sides"), [(6, 3), (6, 4), (2, 3), ("points", 3)])
def test_a_box_is_asked_about_by_its_corners(
    red_square: Path, tmp_path: Path, n_points: int | str, label_sides: int
) -> None:
    network = segmenter(tmp_path / "net", 2, n_points=n_points, label_sides=label_sides)
    found = outlined(network, red_square, (32, 24, 64, 48), tmp_path / "kept")
    assert found["error"] is None
    mask = masks.decode(found["rle"], 96, 128)
    # its corners are points of 64 x 64, to which the last pixel belongs
    assert mask[24:72, 32:96].all()
    assert found["area"] == mask.sum() == 48 * 64


def test_the_mask_that_the_network_thinks_best_is_cut_to_the_box(
    red_square: Path, tmp_path: Path
) -> None:
    network = segmenter(tmp_path / "net")
    found = outlined(network, red_square, (36, 20, 14, 60), tmp_path / "kept")
    mask = masks.decode(found["rle"], 96, 128)
    rows, columns = np.nonzero(mask)
    assert (columns.min(), columns.max()) == (40, 49)
    assert (rows.min(), rows.max()) == pytest.approx((30, 59), abs=1)
    nothing = outlined(network, red_square, (0, 0, 20, 20), tmp_path / "kept")
    assert nothing == {"rle": None, "area": None, "error": None}


def found_boxes(path: Path, phrase: str) -> list[tuple[str, float, tuple[float, ...]]]:
    """What a network finds of a phrase in a picture of 200 x 100 pixels, rounded."""
    found = grounders.find(
        loaded(path), path.parent, np.zeros((100, 200, 3), np.uint8), phrase, 0.3, 0.25
    )
    return [
        (one.words, round(one.confidence, 3), tuple(round(edge) for edge in one.bbox))
        for one in found
    ]


def test_boxes_of_grounding_dino_are_of_the_phrases_tokens(tmp_path: Path) -> None:
    """From 0.3 on a box counts, from 0.25 on a word; the full stop and the ends are no words."""
    assert found_boxes(grounder(tmp_path), "Red cups") == [
        ("red cups", 0.9, (50, 25, 100, 50)), ("cup", 0.35, (140, 0, 60, 100)),
    ]  # fmt: skip
    assert found_boxes(grounder(tmp_path), "a dog.") == []
    assert found_boxes(grounder(tmp_path), " . ") == []


def test_boxes_of_owl_vit_are_of_the_phrase(tmp_path: Path) -> None:
    assert found_boxes(grounder(tmp_path, "owl-vit"), "cup") == [
        ("cup", 0.9, (50, 25, 100, 50)), ("cup", 0.35, (140, 0, 60, 100)),
    ]  # fmt: skip
    assert found_boxes(grounder(tmp_path, "owl-vit"), "dog") == []


@pytest.mark.parametrize(
    ("word", "pieces"),
    [("cups", ["cup", "##s"]), ("red", ["red"]), ("cupboard", ["[UNK]"]), ("reds", ["red", "##s"])],
)
def test_words_are_the_longest_pieces(word: str, pieces: list[str]) -> None:
    numbers = {known: number for number, known in enumerate(BERT_WORDS)}
    assert grounders.bert_pieces(word, numbers) == pieces


def test_bytes_are_merged_in_the_order_of_the_merges() -> None:
    merges = {pair: place for place, pair in enumerate([("c", "u"), ("cu", "p</w>"), ("u", "p")])}
    assert grounders.clip_pieces("cup", merges) == ["cup</w>"]
    assert grounders.clip_pieces("cut", merges) == ["cu", "t</w>"]
    assert grounders.clip_pieces("\u00e9", merges) == ["\u00c3", "\u00a9</w>"]


@pytest.mark.parametrize("file", ["vocab.txt", "vocab.json"])
def test_a_network_without_its_words_is_told(tmp_path: Path, file: str) -> None:
    path = grounder(tmp_path, "owl-vit" if file == "vocab.json" else "grounding-dino")
    (tmp_path / file).unlink()
    with pytest.raises(SetupError, match=rf"{file}.*the words of the network are needed"):
        found_boxes(path, "cup")


def test_what_finds_no_words_is_no_grounder(tmp_path: Path) -> None:
    with pytest.raises(SetupError, match="a picture and input_ids"):
        found_boxes(detector(tmp_path), "cup")


def test_all_things_of_a_phrase_are_outlined_together(red_square: Path, tmp_path: Path) -> None:
    """Both boxes are asked about; what is red in one of them is outlined, and kept."""
    columns = [
        *(pa.array([value] * 2, pa.string()) for value in (
            str(red_square), None, hashlib.sha256(red_square.read_bytes()).hexdigest(),
            str(tmp_path / "kept"))),
        pa.array([10**8] * 2), pa.array(["red cups", "dog"]), pa.array([0.3] * 2),
        pa.array([0.25] * 2), pa.array([str(grounder(tmp_path / "g"))] * 2),
        pa.array([str(segmenter(tmp_path / "s"))] * 2),
    ]  # fmt: skip
    for _ in range(2):
        cups, dog = annotators.outline_named_things(*columns).to_pylist()
        assert (cups["n_boxes"], cups["words"], cups["error"]) == (2, "red cups", None)
        rows, across = np.nonzero(masks.decode(cups["rle"], 96, 128))
        # the first box is the middle half of the picture
        assert (across.min(), across.max()) == pytest.approx((40, 59), abs=1)
        assert (rows.min(), rows.max()) == pytest.approx((30, 59), abs=1)
        assert cups["area"] == len(rows)
        assert dog == {**dict.fromkeys(cups), "n_boxes": 0}


def test_what_segments_nothing_is_told(red_square: Path, tmp_path: Path) -> None:
    with pytest.raises(RuntimeError, match=r"a picture, points .* are needed"):
        outlined(depth_network(tmp_path / "d"), red_square, (0, 0, 9, 9), tmp_path / "kept")


def test_recipes_paint_with_a_network(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(specimens.jpeg())
    network = inpainting_network(tmp_path / "net", "side")
    recipe = Recipe(
        render_key="k", path=str(path), archive=None, family="inpaint_remove", severity=1,
        sha256=hashlib.sha256(path.read_bytes()).hexdigest(), left=None, top=None, width=None,
        height=None, rle=_middle(), seed_key=None, inpainter=str(network), parameters=None,
        folder=str(tmp_path / "out"), max_bytes=10**8,
    )  # fmt: skip
    columns = [pa.array([value]) for value in vars(recipe).values()]
    [row] = render_recipes(*columns).to_pylist()
    assert row["error"] is None
    pixels = cv2.imread(str(tmp_path / "out" / row["rendered_file"]))
    assert pixels[24, 32].tolist() == pytest.approx([255, 0, 0], abs=8)


def _middle() -> str:
    mask = np.zeros((48, 64), np.uint8)
    mask[20:28, 28:36] = 1
    return masks.encode(mask)


def described(folder: Path, **files: bytes | str) -> str:
    """A depth network with files beside it."""
    path = depth_network(folder)
    for name, content in files.items():
        file = folder / f"{name}.json"
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("config", "no JSON", "config.json: cannot be read as settings"),
        ("config", '{"id2label": {}}'.encode("utf-16"), "config.json: cannot be read as settings"),
        ("config", "[" * 100_000, "config.json: cannot be read as settings"),
        ("config", "[1]", "expected a JSON object"),
        ("config", '{"id2label": {"0": 7}}', "id2label: expected a text for each number"),
        ("config", '{"id2label": {"cat": "cat"}}', "id2label: expected a text for each number"),
        ("config", '{"id2label": ["cat"]}', "id2label: expected a text for each number"),
        ("config", '{"model_type": 8}', "model_type: expected a text"),
        ("preprocessor_config", '{"size": "large"}', "size: expected sides"),
        ("preprocessor_config", '{"size": {"shortest_edge": -1}}', "size: expected sides"),
        ("preprocessor_config", '{"size": {"height": 40000, "width": 1}}', "size: expected sides"),
        ("preprocessor_config", '{"size": {"height": 640}}', "size: expected a height with its"),
        ("preprocessor_config", '{"rescale_factor": "x"}', "rescale_factor: expected a positive"),
        ("preprocessor_config", '{"rescale_factor": NaN}', "rescale_factor: expected a positive"),
        ("preprocessor_config", '{"image_std": [1, 1, 0]}', "image_std: expected three numbers"),
        ("preprocessor_config", '{"image_mean": [1]}', "image_mean: expected three numbers"),
        ("preprocessor_config", '{"do_normalize": "no"}', "do_normalize: expected true or false"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_what_stands_beside_a_network_is_checked(
    tmp_path: Path, name: str, content: bytes | str, problem: str
) -> None:
    with pytest.raises(SetupError, match=re.escape(problem)):
        networks.load(described(tmp_path, **{name: content}), "v", "depth", "way out")


@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "nothing"])
def test_what_is_no_file_is_no_network(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "depth.onnx"
    if kind == "folder":
        path.mkdir()
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    with pytest.raises(SetupError, match=r"depth\.onnx: no network here"):
        networks.network_version(str(path))
    # and beside one
    (tmp_path / "other").mkdir()
    whole = depth_network(tmp_path / "other")
    if kind == "pipe":
        os.mkfifo(tmp_path / "other/config.json")
    elif kind == "device":
        (tmp_path / "other/config.json").symlink_to("/dev/zero")
    elif kind == "folder":
        (tmp_path / "other/config.json").mkdir()
    else:
        return
    with pytest.raises(SetupError, match=r"config\.json: cannot be read"):
        networks.load(str(whole), "v", "depth", "way out")


@pytest.mark.parametrize(
    ("shape", "problem"),
    [
        ([1, 3, 40_000, 40_000], "the largest has 4,194,304 pixels"),
        ([1, 3, 0, 16], "a picture, 1 x 3 x height x width, is needed"),
    ],
)
def test_a_declared_input_is_not_believed(
    tmp_path: Path, shape: list[int | str], problem: str
) -> None:
    path = network_that_says(tmp_path / "n.onnx", shape, {"map": np.zeros((1, 4, 4), np.float32)})
    with pytest.raises(SetupError, match=re.escape(problem)):
        networks.load(str(path), "v", "depth", "way out")


def test_a_picture_is_not_enlarged_without_end(tmp_path: Path) -> None:
    """A strip of a pixel's height, whose shortest edge is to have 800."""
    path = described(tmp_path, preprocessor_config='{"size": {"shortest_edge": 800}}')
    network = networks.load(path, "v", "depth", "way out")
    free = dataclasses.replace(network, session=FreeSides())
    with pytest.raises(ValueError, match="would take it as 800,000 x 800 pixels"):
        free.prepare(np.zeros((1, 1000, 3), np.uint8))


class FreeSides:
    """A session whose pictures may have any size."""

    def get_inputs(self) -> list[Any]:
        return [SimpleNamespace(shape=["batch", 3, "height", "width"])]


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_depth_that_is_no_number_is_the_error_of_its_picture(
    tmp_path: Path, value: float
) -> None:
    said = np.full((1, 4, 4), value, np.float32)
    path = network_that_says(tmp_path / "n/n.onnx", [1, 3, 16, 16], {"map": said})
    picture = tmp_path / "a.jpg"
    picture.write_bytes(specimens.jpeg(seed=1))
    sha256 = hashlib.sha256(picture.read_bytes()).hexdigest()
    values = [str(picture), None, sha256, str(tmp_path / "results"), 2**20, str(path)]
    [row] = annotators.measure_depths(*(pa.array([each]) for each in values)).to_pylist()
    assert "depths are not all numbers" in row.pop("error")
    assert set(row.values()) == {None}


@pytest.mark.parametrize(
    ("boxes", "scores", "problem"),
    [
        ([0.1, 0.1, 0.2, np.nan], 0.5, "boxes are not all numbers"),
        ([10.0, 10.0, 620.0, 470.0], 0.5, "boxes are 10 to 620; expected -2 to 3"),
        ([0.1, 0.1, 0.2, 0.2], 1.5, "scores are 1.5 to 1.5; expected 0 to 1"),
        ([0.1, 0.1, 0.2, 0.2], np.nan, "scores are not all numbers"),
    ],
)
def test_boxes_and_scores_are_in_range_or_an_error(
    tmp_path: Path, boxes: list[float], scores: float, problem: str
) -> None:
    outputs = {
        "labels": np.zeros((1, 1), np.float32),
        "boxes": np.array([[boxes]], np.float32),
        "scores": np.array([[scores]], np.float32),
    }
    path = network_that_says(tmp_path / "n.onnx", [1, 3, 16, 16], outputs)
    network = networks.load(str(path), problem, "detection", "way out")
    prepared = [detectors.prepare(network, np.zeros((16, 16, 3), np.uint8))]
    with pytest.raises(ValueError, match=problem):
        detectors.detect(network, prepared)


@pytest.mark.parametrize("value", [np.nan, 12.0])
def test_a_map_of_writing_is_of_shares(tmp_path: Path, value: float) -> None:
    said = np.full((1, 1, 64, 64), value, np.float32)
    path = network_that_says(tmp_path / "n.onnx", [1, 3, 64, 64], {"map": said})
    network = networks.load(str(path), str(value), "finding text", "way out")
    with pytest.raises(ValueError, match="shares of lines are"):
        networks.find_writing(network, np.zeros((64, 64, 3), np.uint8))


def test_an_inpainter_is_known_by_its_file(tmp_path: Path) -> None:
    network = inpainting_network(tmp_path, 32)
    names = pa.array(["telea", "ns", str(network), None])
    versions = inpainters.inpainter_versions(names).to_pylist()
    digest = hashlib.sha256(network.read_bytes()).hexdigest()[:16]
    assert versions == ["telea", "ns", digest, None]
    with pytest.raises(RuntimeError, match="inpainter rain: it is telea, ns or the path"):
        inpainters.inpainter_versions(pa.array(["rain"]))


def test_telea_and_navier_stokes_differ() -> None:
    picture, mask = specimens.photograph(64, 48), np.zeros((48, 64), np.uint8)
    mask[10:30, 20:40] = 1
    one, other = (inpainters.paint_over(picture, mask, name) for name in ("telea", "ns"))
    assert (one != other).any()
    assert (one[mask == 0] == picture[mask == 0]).all()
    with pytest.raises(ValueError, match="a mask of"):
        inpainters.paint_over(picture, mask[:40], "telea")


def test_without_onnxruntime_the_way_out_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    network = detector(tmp_path / "net")
    path = tmp_path / "a.jpg"
    path.write_bytes(specimens.jpeg())
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(RuntimeError, match=r"onnxruntime.*-warehouse\[models\].*detector: ''"):
        annotate(annotators.detect_objects, [path], network, tmp_path / "kept")


def test_what_is_no_network_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(specimens.jpeg())
    text = tmp_path / "net.onnx"
    with pytest.raises(RuntimeError, match="no network here"):
        annotate(annotators.measure_depths, [path], text, tmp_path / "kept")
    text.write_text("no network")
    with pytest.raises(RuntimeError, match=r"is no ONNX network.*depth_network: ''"):
        annotate(annotators.measure_depths, [path], text, tmp_path / "kept")
    with pytest.raises(RuntimeError, match="logits and pred_boxes are needed"):
        annotate(
            annotators.detect_objects, [path], depth_network(tmp_path / "d"), tmp_path / "kept"
        )
