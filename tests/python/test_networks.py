"""Networks of a few weights, made here, do what large ones would."""

import hashlib
import json
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import onnx
import pyarrow as pa
import pytest
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper

from python_udfs.annotate import annotators, networks
from python_udfs.errors import SetupError
from python_udfs.pixels import inpainters
from python_udfs.pixels.rendering import Recipe, render_recipes
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
    """Forty pictures of two sizes, and one that is none."""
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
    found = networks._detections(
        {int(key): label for key, label in LABELS.items()}, logits[0], boxes[0],
        networks.Prepared(np.zeros((3, 1, 1), np.float32), 200, 100),
    )  # fmt: skip
    assert [(one.label, round(one.confidence, 6)) for one in found] == [("cat", 0.6), ("cat", 0.1)]
    assert found[0].bbox == pytest.approx((80, 30, 40, 40), abs=1e-4)
    # as many logits as labels: each by itself
    [first, _] = networks._detections(
        {0: "a", 1: "b", 2: "c", 3: "d"}, np.zeros((2, 4), np.float32), boxes[0],
        networks.Prepared(np.zeros((3, 1, 1), np.float32), 200, 100),
    )  # fmt: skip
    assert first.confidence == 0.5


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


@pytest.mark.parametrize("side", [32, "side"])
def test_a_network_paints_within_the_mask_only(side: int | str, tmp_path: Path) -> None:
    network = inpainting_network(tmp_path, side)
    picture = specimens.photograph(61, 47)
    mask = np.zeros((47, 61), np.uint8)
    mask[10:20, 20:40] = 1
    painted = inpainters.paint_over(picture, mask, str(network))
    assert (painted[mask == 0] == picture[mask == 0]).all()
    assert (painted[mask > 0] == (255, 0, 0)).all()


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
    from python_udfs.pixels import masks

    mask = np.zeros((48, 64), np.uint8)
    mask[20:28, 28:36] = 1
    return masks.encode(mask)


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
