"""Recipes become files that are named by their content, once, whatever happens meanwhile."""

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pyarrow as pa
import pytest

from gainsay.python_udfs.pixels import masks, rendering
from gainsay.python_udfs.pixels.rendering import Recipe, render_recipes
from tests.python import image_specimens as specimens
from tests.python.conftest import PROJECT, Warehouse
from tests.python.test_networks import depth_network, detector, inpainting_network

Row = dict[str, Any]
# what the edits among the families need
EDITS = {"flip": '{"axis": "horizontal"}'}


def recipe(path: Path, folder: Path, key: str = "k", **fields: Any) -> Recipe:
    """An occlusion of a file unless told otherwise."""
    values: dict[str, Any] = {
        "render_key": key, "path": str(path), "archive": None,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "family": "occlusion",
        "severity": 1, "left": 5, "top": 6, "width": 20, "height": 10, "rle": None,
        "seed_key": "seed", "inpainter": "telea", "parameters": EDITS.get(fields.get("family", "")),
        "folder": str(folder), "max_bytes": 10**8,
    }  # fmt: skip
    return Recipe(**(values | fields))


def render(*recipes: Recipe) -> list[Row]:
    """What became of recipes."""
    columns = zip(*(vars(one).values() for one in recipes), strict=True)
    rows: list[Row] = render_recipes(*map(pa.array, map(list, columns))).to_pylist()
    return rows


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A JPEG of 64 x 48 pixels."""
    path = tmp_path / "picture.jpg"
    path.write_bytes(specimens.jpeg())
    return path


def test_a_box_is_filled_and_the_file_named_by_its_content(picture: Path, tmp_path: Path) -> None:
    [row] = render(recipe(picture, tmp_path / "out"))
    data = (tmp_path / "out" / row["rendered_file"]).read_bytes()
    expected = cv2.imread(str(picture))
    expected[6:16, 5:25] = 0
    assert data == cv2.imencode(".jpg", expected, [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()
    assert row["sha256"] == hashlib.sha256(data).hexdigest()
    assert row["rendered_file"] == f"{row['sha256'][:2]}/{row['sha256']}.jpg"
    assert row["n_bytes"] == len(data)


def test_every_family_renders(picture: Path, tmp_path: Path) -> None:
    mask = np.zeros((48, 64), np.uint8)
    mask[10:20, 30:40] = 1
    turn = {
        "pivot_x": 30, "pivot_y": 10, "degrees": 60, "margin": 1, "ring": 4,
        "least_gain": 0.15, "most_gain": 0.9,
    }  # fmt: skip
    flip = {"axis": "horizontal"}
    steps = [{"family": "shadow_turn", "parameters": turn}, {"family": "flip", "parameters": flip}]
    parameters = {
        "flip": flip, "zoom": {"left": 30, "top": 10, "width": 10, "height": 10},
        "shadow_turn": turn, "chain": {"steps": steps},
    }  # fmt: skip
    rows = render(*(
        recipe(
            picture, tmp_path / "out", family, family=family, severity=1, rle=masks.encode(mask),
            parameters=json.dumps(parameters.get(family, {})),
        )
        for family in rendering.FAMILY_NAMES
    ))  # fmt: skip
    assert [row["error"] for row in rows] == [None] * len(rows)
    # target and control hide the same mask here
    assert len({row["sha256"] for row in rows}) == len(rows) - 1


def test_a_second_run_makes_nothing(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipes = [recipe(picture, tmp_path / "out", f"k{i}", left=i) for i in range(40)]
    first = render(*recipes)
    made: list[object] = []
    monkeypatch.setattr(rendering, "_render_group", made.append)
    assert render(*recipes) == first
    assert made == []


def test_a_file_that_is_gone_is_made_again(picture: Path, tmp_path: Path) -> None:
    [row] = render(recipe(picture, tmp_path / "out"))
    (tmp_path / "out" / row["rendered_file"]).unlink()
    assert render(recipe(picture, tmp_path / "out")) == [row]
    assert (tmp_path / "out" / row["rendered_file"]).exists()


def test_what_is_there_is_told_by_its_size(picture: Path, tmp_path: Path) -> None:
    [row] = render(recipe(picture, tmp_path / "out"))
    name, size, out = row["rendered_file"], row["n_bytes"], str(tmp_path / "out")

    def is_there(name: str | None, size: int | None) -> bool:
        columns = (pa.array([name], pa.string()), pa.array([size], pa.int64()), pa.array([out]))
        return bool(rendering.are_rendered(*columns).to_pylist()[0])

    assert is_there(name, size)
    assert not is_there(name, size - 1)
    assert not is_there("00/no.jpg", size)
    assert not is_there(None, None)


def test_a_picture_is_decoded_once_for_several_recipes(
    picture: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    decoded: list[Path] = []
    decode = rendering.decode_pixels
    monkeypatch.setattr(
        rendering, "decode_pixels", lambda *data: decoded.append(picture) or decode(*data)
    )
    rows = render(*(recipe(picture, tmp_path / "out", f"k{i}", left=i) for i in range(16)))
    assert len({row["sha256"] for row in rows}) == 16
    assert len(decoded) == 1


def test_one_or_many_at_once_is_the_same(picture: Path, tmp_path: Path) -> None:
    families = [name for name in rendering.FAMILY_NAMES if "occlusion" not in name]
    recipes = [
        recipe(picture, tmp_path / "many", name, family=name, severity=2)
        for name in families
        if name != "inpaint_remove"
    ]
    many = render(*recipes)
    alone = [
        render(Recipe(**(vars(one) | {"folder": str(tmp_path / "alone")})))[0] for one in recipes
    ]
    assert many == alone


def test_errors_are_rows_and_are_tried_again(picture: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    good = recipe(picture, out, "good")
    gone = Recipe(**(vars(good) | {"render_key": "gone", "path": str(tmp_path / "no.jpg")}))
    changed = Recipe(**(vars(good) | {"render_key": "changed", "sha256": "0" * 64}))
    text = tmp_path / "text.jpg"
    text.write_text("no picture")
    rows = render(
        good, gone, changed,
        recipe(text, out, "text"),
        recipe(picture, out, "outside", left=60),
        recipe(picture, out, "no box", left=None),
        recipe(picture, out, "no mask", family="occlusion_target"),
        recipe(picture, out, "wrong mask", family="occlusion_target", rle="54"),
        recipe(picture, out, "no family", family="rain"),
        recipe(picture, out, "no severity", family="fog", severity=9),
        recipe(picture, out, "no inpainter", family="inpaint_remove", rle="54", inpainter=None),
        recipe(picture, out, "large", max_bytes=100),
    )  # fmt: skip
    assert [row["error_kind"] for row in rows] == [
        None, "unreadable", "changed", "not_an_image", *["wrong_recipe"] * 7, "too_large",
    ]  # fmt: skip
    assert all((row["error"] is None) == (row["rendered_file"] is not None) for row in rows)
    (tmp_path / "no.jpg").write_bytes(picture.read_bytes())
    assert render(gone)[0]["error_kind"] is None


def test_a_damaged_index_is_named(picture: Path, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "index.sqlite").write_text("no database " * 1000)
    with pytest.raises(RuntimeError, match=r"out/index.sqlite.*delete it"):
        render(recipe(picture, tmp_path / "out"))
    (tmp_path / "out" / "index.sqlite").unlink()
    assert render(recipe(picture, tmp_path / "out"))[0]["error"] is None


def test_a_folder_that_cannot_be_written_is_an_error_row(picture: Path, tmp_path: Path) -> None:
    [row] = render(recipe(picture, tmp_path / "out"))
    blocked = tmp_path / "out" / row["rendered_file"][:2]
    (blocked / row["rendered_file"][3:]).unlink()
    blocked.rmdir()
    blocked.write_text("a file where a folder should be")
    assert render(recipe(picture, tmp_path / "out"))[0]["error_kind"] == "unwritable"


def test_a_folder_that_was_removed_is_made_again(picture: Path, tmp_path: Path) -> None:
    folder = tmp_path / "out"
    [before] = render(recipe(picture, folder, family="contrast", severity=1))
    shutil.rmtree(folder)
    [after] = render(recipe(picture, folder, family="contrast", severity=1))
    assert after == before
    assert (folder / after["rendered_file"]).is_file()


@pytest.mark.parametrize("name", sorted(specimens.usable()))
def test_pictures_are_rendered_upright_in_eight_bits(name: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(specimens.usable()[name])
    [row] = render(recipe(path, tmp_path / "out", family="contrast", severity=1))
    if name == "animated.gif" and row["error_kind"]:
        pytest.fail(row["error"])
    pixels = cv2.imread(str(tmp_path / "out" / row["rendered_file"]))
    expected = {"1x1.png": (1, 1, 3), "rotated.jpg": (64, 48, 3)}.get(name, (48, 64, 3))
    assert pixels.shape == expected


@pytest.mark.slow
def test_a_killed_run_loses_at_most_one_batch(picture: Path, tmp_path: Path) -> None:
    first = vars(recipe(picture, tmp_path / "out"))
    recipes = [first | {"render_key": f"k{i}", "left": i % 40, "top": i // 40} for i in range(1000)]
    program = (
        "import os, json, sys, pyarrow as pa\n"
        "from gainsay.python_udfs.pixels import rendering\n"
        "kept, keep = [0], rendering.keep_results\n"
        "def counted(folder, results):\n"
        "    if kept[0] == 5: os.kill(os.getpid(), 9)\n"
        "    keep(folder, results); kept[0] += 1\n"
        "rendering.keep_results = counted\n"
        f"first = {first!r}\n"
        "recipes = [first | {'render_key': f'k{i}', 'left': i % 40, 'top': i // 40}"
        " for i in range(1000)]\n"
        "rendering.render_recipes(*(pa.array([r[f] for r in recipes]) for f in recipes[0]))\n"
    )
    process = subprocess.run([sys.executable, "-c", program], cwd=PROJECT, check=False)
    assert process.returncode == -9
    before = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("??/*.jpg")}
    rows = render(*(Recipe(**fields) for fields in recipes))
    assert [row["error"] for row in rows if row["error"]] == []
    after = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("??/*.jpg")}
    assert before.items() <= after.items()
    assert len(before) >= 5 * 128
    # what the killed process had not finished goes
    assert len(list((tmp_path / "out" / "unfinished").iterdir())) == 1


@pytest.mark.long
@pytest.mark.xdist_group("rendered")
def test_a_build_renders_once_and_resumes(tiny: Warehouse, tmp_path: Path) -> None:
    warehouse = tiny.copied_to(tmp_path, GAINSAY_RENDERINGS=str(tmp_path / "out"))
    # the pictures of that corpus
    corpus = tmp_path / "corpus"
    warehouse.gainsay("synth", corpus, "--images", "20")
    assert warehouse.rows("select count(*) from images.images__renderings") == [(0,)]

    warehouse.gainsay("land-images", corpus)
    # pictures are read in tests of their own
    networks = {
        "detector": detector(tmp_path / "detector"), "detector_confidence": 0.3,
        "depth_network": depth_network(tmp_path / "depth"), "annotate_ocr": "false",
        "inpainter": inpainting_network(tmp_path / "lama", "side"),
    }  # fmt: skip
    values = ", ".join(f"{name}: {value}" for name, value in networks.items())
    given = ["--vars", f"{{{values}}}"]
    # unit tests read no data
    warehouse.dbt(
        "build", "--select", "images__files+", "--exclude", "tag:evaluation+", "review__records+",
        "--exclude-resource-type", "unit_test", *given,
    )  # fmt: skip
    # what two recipes make alike is one file
    [(n_recipes, n_made, n_files)] = warehouse.rows("""
        select
            (select count(distinct render_key) from images.images__recipes), count(*),
            count(distinct rendered_file)
        from images.images__renderings where error_kind is null
    """)
    assert n_made == n_recipes > 20
    files = {path: path.stat().st_mtime_ns for path in (tmp_path / "out").glob("??/*")}
    assert len(files) == n_files > 20

    assert warehouse.rows("""
        select
            bool_and(depth_left between 0 and 1 and depth_bottom between 0 and 1),
            count(objects) > 0,
            min(list_min(list_transform(objects, lambda object: object.confidence))) > 0.3,
            count(objects_error) + count(depth_error) + count(has_text)
        from images.images__annotations
    """) == [(True, True, True, 0)]

    # nothing is made anew, not even when the table is
    warehouse.build("--select", "images__renderings", *given, "--full-refresh")
    assert warehouse.rows("select count(*) from images.images__renderings") == [(n_made,)]
    assert {p: p.stat().st_mtime_ns for p in (tmp_path / "out").glob("??/*")} == files

    # what is no longer there is made again, and nothing else
    gone = sorted(files)[:2]
    for path in gone:
        path.unlink()
    warehouse.build("--select", "images__renderings", *given)
    again = {p: p.stat().st_mtime_ns for p in (tmp_path / "out").glob("??/*")}
    assert again.keys() == files.keys()
    assert {path for path in files if files[path] != again[path]} == set(gone)
