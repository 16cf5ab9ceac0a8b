"""Functions of the registry are total: whatever a row holds is that row's error."""

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import EpsImagePlugin, Image

from gainsay.python_udfs.annotate import annotators, networks, ocr
from gainsay.python_udfs.pixels import image_bytes, rendering
from gainsay.python_udfs.pixels.image_bytes import FORMATS, ImageUnreadableError
from gainsay.python_udfs.pixels.probing import probe
from gainsay.python_udfs.registry import UDFS, Udf
from tests.python import image_specimens as specimens
from tests.python.conftest import PROJECT
from tests.python.test_annotators import needs_tesseract
from tests.python.test_networks import (
    depth_network,
    detector,
    grounder,
    segmenter,
    text_network,
)

POSTSCRIPT = b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 20 10\n%%EndComments\nshowpage\n"
FUNCTIONS = {udf.name: udf for udf in UDFS}
PICTURE_FUNCTIONS = [
    "gs_shadow",
    "gs_texture",
    "gs_mirror_difference",
    "gs_object_colors",
    "gs_outline",
    "gs_shadow_region",
    "gs_crop_detail",
    "gs_texts",
    "gs_objects",
    "gs_depth",
    "gs_writing",
    "gs_object_outline",
    "gs_named_outline",
]


EDIT_PARAMETERS = [
    '{"left": 0, "top": 0, "width": 2, "height": 2}',
    '{"left": 0, "top": -1, "width": 9000000000, "height": 2}',
    '{"steps": [{"family": "chain"}, 1]}',
    '{"steps": [{"family": "flip", "parameters": {"axis": "vertical"}}, {"family": "zoom"}]}',
    '{"pivot_x": 1e300, "pivot_y": 0, "degrees": 60, "margin": 3, "ring": 9, "least_gain": 0.1,'
    ' "most_gain": 0.9}',
    '{"pivot_x": "a"}',
]


def called(udf: Udf, *rows: list[Any]) -> list[Any]:
    """What a function of the registry gives for rows."""
    columns = [
        pa.array(values, kind)
        for values, kind in zip(zip(*rows, strict=True), udf.parameters, strict=True)
    ]
    found: list[Any] = udf.load()(*columns).cast(udf.returns).to_pylist()
    return found


def test_postscript_is_no_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pillow would hand it to the program Ghostscript."""
    monkeypatch.setattr(
        EpsImagePlugin, "Ghostscript", lambda *_, **__: pytest.fail("Ghostscript was called")
    )
    found = probe(POSTSCRIPT, 10**6)
    assert (found.error_kind, found.format) == ("not_an_image", None)
    assert "the file starts with b'%!PS-Adobe-3'" in str(found.error)
    with pytest.raises(ImageUnreadableError, match="JPEG"):
        image_bytes.decode_pixels(POSTSCRIPT)
    with pytest.raises(ImageUnreadableError, match="JPEG"):
        image_bytes.picture_size(POSTSCRIPT)


@pytest.mark.parametrize("name", ["PPM", "TGA", "ICO", "PCX", "DDS", "JPEG2000"])
def test_formats_that_are_not_named_are_not_opened(name: str) -> None:
    data = specimens.encoded(Image.fromarray(specimens.photograph()), name)
    assert probe(data, 10**6).error_kind == "not_an_image"
    with pytest.raises(ImageUnreadableError):
        image_bytes.decode_pixels(data, None)


def test_every_named_format_is_opened() -> None:
    picture = Image.fromarray(specimens.photograph())
    for name in FORMATS:
        data = specimens.encoded(picture, name)
        assert image_bytes.picture_format(data) == name
        assert probe(data, 10**6).format == name
        assert image_bytes.decode_pixels(data).shape == (48, 64, 3)


def test_sizes_are_checked_before_pixels_are_decoded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(image_bytes.cv2, "imdecode", lambda *_: pytest.fail("decoded"))
    with pytest.raises(ImageUnreadableError) as caught:
        image_bytes.decode_pixels(specimens.bomb(3_000, 3_000), 8_000_000)
    assert caught.value.kind == "too_many_pixels"


def _no_other_module_opens_pictures() -> list[str]:
    calls = ("Image.open(", "cv2.imread(", "cv2.imdecode(")
    return [
        f"{path.relative_to(PROJECT)}: {call}"
        for package in ("gainsay", "ingest", "python_udfs")
        for path in sorted((PROJECT / package).rglob("*.py"))
        for call in calls
        if call in path.read_text()
        and path.name != "image_bytes.py"
        # jpeg_compression decodes what it has just encoded
        and (path.name, call) != ("corruptions.py", "cv2.imdecode(")
    ]


def test_pictures_are_opened_in_one_place() -> None:
    assert _no_other_module_opens_pictures() == []


def test_functions_need_neither_engine() -> None:
    """Clusters get them alone: without DuckDB, PySpark and the rest of the house."""
    rooms = [f"gainsay.{path.name}" for path in (PROJECT / "gainsay").iterdir() if path.is_dir()]
    # the package itself says its errors
    others = {"duckdb", "pyspark", *rooms} - {"gainsay.python_udfs", "gainsay.foundation"}
    assert "gainsay.ingest" in others
    program = (
        "import sys\n"
        f"for name in {sorted(others)}: sys.modules[name] = None\n"
        "from gainsay.python_udfs.registry import UDFS\n"
        "for udf in UDFS: udf.load()\n"
    )
    subprocess.run([sys.executable, "-c", program], cwd=PROJECT, check=True)


@pytest.mark.parametrize("shape", [(3000, 1, 3), (1, 3000, 3), (40_000, 1, 3), (2, 9_000, 3)])
def test_a_strip_is_read(shape: tuple[int, int, int]) -> None:
    """OpenCV refuses to scale a side to less than a pixel."""
    pages = ocr.find_pages(np.full(shape, 128, np.uint8))
    assert ocr.read_texts([pages], lambda pages, _: [""] * len(pages)) == [{"words": []}]


@needs_tesseract
def test_a_strip_is_a_row(tmp_path: Path) -> None:
    path = tmp_path / "strip.png"
    path.write_bytes(specimens.encoded(Image.new("RGB", (1, 3000)), "PNG"))
    row = _picture_row(path, tmp_path)
    [found] = called(FUNCTIONS["gs_texts"], row)
    assert (found["words"], found["error"]) == ([], None)


def _picture_row(path: Path, folder: Path) -> list[Any]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return [str(path), None, digest, str(folder / "kept"), 10**8]


@pytest.mark.parametrize("size", [(65_501, 2), (2, 65_501)])
def test_a_side_beyond_jpeg_is_an_error_row(tmp_path: Path, size: tuple[int, int]) -> None:
    path = tmp_path / "long.png"
    path.write_bytes(specimens.encoded(Image.new("RGB", size, (90, 80, 70)), "PNG"))
    [row] = called(FUNCTIONS["gs_render"], _recipe_row(path, tmp_path, "brightness"))
    assert row["error_kind"] == "too_large"
    assert "65,500" in row["error"]


def test_the_longest_side_of_jpeg_is_rendered(tmp_path: Path) -> None:
    path = tmp_path / "long.png"
    path.write_bytes(specimens.encoded(Image.new("RGB", (65_500, 2), (90, 80, 70)), "PNG"))
    [row] = called(FUNCTIONS["gs_render"], _recipe_row(path, tmp_path, "brightness"))
    assert row["error"] is None


def _recipe_row(path: Path, folder: Path, family: str | None, **fields: Any) -> list[Any]:
    values: dict[str, Any] = {
        "render_key": "key", "path": str(path), "archive": None,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "family": family, "severity": 1,
        "left": 0, "top": 0, "width": 1, "height": 1, "rle": None, "seed_key": "seed",
        "inpainter": "telea", "parameters": None, "folder": str(folder / "out"), "max_bytes": 10**8,
    }  # fmt: skip
    return list((values | fields).values())


def test_what_fails_is_one_recipe_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(specimens.jpeg())

    def fail(*_: Any) -> Any:
        raise ZeroDivisionError("nobody thought of this")

    monkeypatch.setitem(rendering._GEOMETRIC, "inpaint_remove", fail)
    rows = called(
        FUNCTIONS["gs_render"],
        _recipe_row(path, tmp_path, "inpaint_remove", render_key="a"),
        _recipe_row(path, tmp_path, "occlusion", render_key="b"),
    )
    assert [row["error_kind"] for row in rows] == ["failed", None]
    assert rows[0]["error"] == "ZeroDivisionError: nobody thought of this"


def test_what_fails_is_one_annotation_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = []
    for name, size in (("a.jpg", (16, 16)), ("b.jpg", (32, 16)), ("c.jpg", (24, 16))):
        (tmp_path / name).write_bytes(specimens.jpeg(*size))
        rows.append(
            [*_picture_row(tmp_path / name, tmp_path), str(depth_network(tmp_path / "depth"))]
        )
    halves_of = annotators.halves_of

    def fail_once(depth: Any) -> Any:
        if depth.shape[1] == 32:
            raise ZeroDivisionError
        return halves_of(depth)

    monkeypatch.setattr(annotators, "halves_of", fail_once)
    monkeypatch.setattr(networks, "estimate_depth", lambda _, ones: [one.tensor[0] for one in ones])
    monkeypatch.setattr(networks.Network, "_size", lambda _, width, height: (width, height))
    found = called(FUNCTIONS["gs_depth"], *rows)
    assert [row["error"] is None for row in found] == [True, False, True]
    assert "ZeroDivisionError" in found[1]["error"]


hostile_bytes = st.one_of(
    st.binary(max_size=200),
    st.builds(
        lambda start, rest: start + rest,
        st.sampled_from([*image_bytes._SIGNATURES, b"RIFF\0\0\0\0WEBP", POSTSCRIPT]),
        st.binary(max_size=300),
    ),
    st.sampled_from(sorted(specimens.usable().values())).flatmap(
        lambda data: st.builds(
            lambda place, byte, end: (data[:place] + bytes([byte]) + data[place + 1 :])[:end],
            st.integers(0, len(data) - 1),
            st.integers(0, 255),
            st.integers(1, len(data)),
        )
    ),
)


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[Any]]:
    """The further arguments of functions that run a network or look at parts of a picture."""
    folder = tmp_path_factory.mktemp("networks")
    return {
        "gs_objects": [str(detector(folder / "detector"))],
        "gs_depth": [str(depth_network(folder / "depth"))],
        "gs_writing": [str(text_network(folder / "text"))],
        "gs_object_outline": [-3.0, 0.0, 9.0, 1e9, str(segmenter(folder / "segmenter"))],
        "gs_named_outline": [
            "a red cup",
            0.3,
            0.25,
            str(grounder(folder / "grounder")),
            str(segmenter(folder / "segmenter")),
        ],
        "gs_crop_detail": [-3, 0, 9, 2**40, 24],
        "gs_object_colors": [[{"bbox": [-5.0, 0.0, 9.0, 1e9], "rle": None}]],
    }


@pytest.fixture
def no_tesseract(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reads nothing, at once."""
    engine = ocr.Engine("none", lambda pages, _: [""] * len(pages))
    monkeypatch.setattr(ocr, "installed_engine", lambda: engine)


@pytest.mark.usefixtures("no_tesseract")
@pytest.mark.parametrize("name", PICTURE_FUNCTIONS)
def test_any_bytes_are_a_finding_or_an_error(name: str, network: dict[str, list[Any]]) -> None:
    @settings(max_examples=60)
    @given(hostile_bytes, st.booleans(), st.booleans())
    def check(data: bytes, has_hash: bool, has_path: bool) -> None:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "picture.jpg"
            path.write_bytes(data)
            row = _picture_row(path, Path(folder))
            row[0] = row[0] if has_path else None
            row[2] = row[2] if has_hash else None
            [found] = called(FUNCTIONS[name], [*row, *network.get(name, [])])
            values = [value for field, value in found.items() if field != "error"]
            assert found["error"] is None or not any(value is not None for value in values)
            assert (has_hash and has_path) or found["error"]

    check()


@pytest.mark.slow
@settings(max_examples=150)
@given(
    hostile_bytes,
    st.sampled_from([*rendering.FAMILY_NAMES, "none", None]),
    st.sampled_from([None, -1, 0, 1, 5, 6, 2**62]),
    st.sampled_from([None, -5, 0, 3, 2**62]),
    st.sampled_from([None, "", "0", "54", "\u00e9", "o" * 40]),
    st.sampled_from([None, "seed", "\u00e9"]),
    st.sampled_from([None, "", "[]", "{", '{"axis": 1}', '{"axis": "vertical"}', *EDIT_PARAMETERS]),
)
def test_any_recipe_is_a_file_or_an_error(
    data: bytes,
    family: str | None,
    severity: int | None,
    side: int | None,
    rle: str | None,
    seed_key: str | None,
    parameters: str | None,
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "picture.jpg"
        path.write_bytes(data)
        row = _recipe_row(
            path, Path(folder), family, severity=severity, left=side, width=side,
            rle=rle, seed_key=seed_key, parameters=parameters,
        )  # fmt: skip
        [found] = called(FUNCTIONS["gs_render"], row)
    assert (found["error_kind"] is None) == (found["rendered_file"] is not None)


@pytest.mark.parametrize("place", range(16))
def test_a_recipe_may_lack_anything(tmp_path: Path, place: int) -> None:
    path = tmp_path / "a.jpg"
    path.write_bytes(specimens.jpeg())
    row = _recipe_row(path, tmp_path, "occlusion")
    row[place] = None
    [found] = called(FUNCTIONS["gs_render"], row)
    assert (found["error_kind"] is None) == (found["rendered_file"] is not None)


sides = st.sampled_from([None, -1, 0, 1, 2, 7, 48, 2**31, 2**62])
runs = st.one_of(st.none(), st.text(max_size=12), st.just("\x7f" * 30), st.sampled_from(["", "54"]))
numbers = st.one_of(
    st.none(), st.floats(allow_nan=True, allow_infinity=True), st.integers(-9, 60).map(float)
)
segmentations = st.one_of(
    st.none(),
    st.fixed_dictionaries({
        "polygons": st.none() | st.lists(st.none() | st.lists(numbers, max_size=8), max_size=3),
        "counts": st.none() | st.lists(st.none() | st.integers(-5, 2**62), max_size=4),
        "string": runs,
        "size": st.none() | st.lists(sides, max_size=3),
    }),
)  # fmt: skip


@pytest.mark.slow
@settings(max_examples=300)
@given(st.data())
def test_any_masks_are_masks_or_errors(data: st.DataObject) -> None:
    """Of these pycocotools would read beyond the picture, walk for ever or crash."""
    side = data.draw(st.tuples(sides, sides))
    row = {
        "gs_union_mask": [data.draw(st.none() | st.lists(segmentations, max_size=3)), *side],
        "gs_hole_mask": [data.draw(runs), *side, data.draw(sides), 0.5],
        "gs_control_mask": [data.draw(runs), *side, data.draw(runs), data.draw(runs)],
        "gs_covered_area": [data.draw(runs), *side, *data.draw(st.tuples(*[sides] * 4))],
        "gs_common_area": [data.draw(runs), data.draw(runs), *side],
        "gs_open_share": [data.draw(runs), *side],
    }
    for name, arguments in row.items():
        [found] = called(FUNCTIONS[name], arguments)
        if isinstance(found, dict):
            assert (found["rle"] is None) == (found["error"] is not None)
