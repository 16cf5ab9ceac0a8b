"""The third round: `gainsay export carm`, into odd places, of odd records, and onto full disks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from click.testing import CliRunner, Result
from PIL import Image

from gainsay.cli import main
from gainsay.foundation.errors import GainsayError
from tests.python.disks import mounted, needs_mount, remount
from tests.python.made_exports import make_exports


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    """A balanced mix of three records, with a picture of 30 kB each."""
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for number in range(3):
        noise = np.random.default_rng(number).integers(0, 256, (100, 100, 3), np.uint8)
        Image.fromarray(noise).save(pictures / f"{number}.png")
    path = tmp_path / "gainsay.duckdb"
    with duckdb.connect(path) as connection:
        make_exports(connection, pictures)
    return path


def _export(warehouse: Path, folder: Path | str, *options: str) -> Result:
    result = CliRunner().invoke(
        main, ["export", "carm", str(folder), *options], env={"GAINSAY_DB": str(warehouse)}
    )
    assert result.exception is None or isinstance(result.exception, SystemExit | GainsayError)
    return result


def _change(warehouse: Path, statement: str, *values: Any) -> None:
    with duckdb.connect(warehouse) as connection:
        connection.execute(statement, values)


def _files(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_the_same_mix_is_the_same_files(warehouse: Path, tmp_path: Path) -> None:
    assert _export(warehouse, tmp_path / "a").exit_code == 0
    first = _files(tmp_path / "a")
    assert _export(warehouse, tmp_path / "a", "--split", "all").exit_code == 0
    assert _files(tmp_path / "a") == first
    assert len(json.loads(first["carm.json"])) == 3


@needs_mount
@pytest.mark.parametrize("size", ["16k", "48k", "80k", "100k"])
def test_a_full_disk_leaves_no_card_and_is_made_good(
    warehouse: Path, tmp_path: Path, size: str
) -> None:
    assert _export(warehouse, tmp_path / "right").exit_code == 0
    with mounted(tmp_path / "disk", size) as disk:
        result = _export(warehouse, disk / "out")
        assert result.exit_code == 1
        assert "No space left on device" in result.stderr
        assert not (disk / "out/README.md").exists()
        remount(disk, "size=10m")
        assert _export(warehouse, disk / "out").exit_code == 0
        assert _files(disk / "out") == _files(tmp_path / "right")


@pytest.mark.parametrize(
    ("options", "cause"),
    [
        (["--split", "train"], "carm is a mix of the train split, and has no other"),
        (["--split", "test"], "carm is a mix of the train split"),
        (["--split", ""], "carm is a mix of the train split"),
        (["--benchmark", "clash"], "carm is a mix of conflict_suite_refined, and of no other"),
        (["--benchmark", ""], "carm is a mix of conflict_suite_refined"),
        (["--language", "de"], "has no languages"),
        (["--shard-size", "0"], "--shard-size"),
        (["--shard-size", "nan"], "--shard-size"),
    ],
)
def test_what_a_mix_cannot_be_is_refused(
    warehouse: Path, tmp_path: Path, options: list[str], cause: str
) -> None:
    result = _export(warehouse, tmp_path / "out", *options)
    assert result.exit_code in (1, 2)
    assert cause in " ".join(result.stderr.replace("│", " ").split())
    assert not (tmp_path / "out").exists()


def _a_file(path: Path) -> None:
    path.write_text("mine")


def _own_mix(path: Path) -> None:
    path.mkdir()
    (path / "carm.json").write_text("mine")


def _own_picture(path: Path) -> None:
    (path / "images").mkdir(parents=True)
    (path / "images/0.png").write_text("mine")


def _own_card(path: Path) -> None:
    path.mkdir()
    (path / "README.md").write_text("mine")


def _folder_as_mix(path: Path) -> None:
    (path / "carm.json").mkdir(parents=True)
    (path / "carm.json/mine").write_text("mine")


def _loop(path: Path) -> None:
    path.symlink_to(path.name)


def _link_to_a_file(path: Path) -> None:
    (path.parent / "other").write_text("mine")
    path.symlink_to("other")


@pytest.mark.parametrize(
    "make",
    [_a_file, _own_mix, _own_picture, _own_card, _folder_as_mix, _loop, _link_to_a_file],
)
def test_what_is_somebodys_is_not_replaced(
    warehouse: Path, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    place = tmp_path / "place"
    place.mkdir()
    make(place / "out")
    before = _files(place)
    result = _export(warehouse, place / "out")
    assert result.exit_code in (1, 2)
    assert "out" in result.stderr
    assert _files(place) == before


def test_an_edited_mix_stays(warehouse: Path, tmp_path: Path) -> None:
    _export(warehouse, tmp_path / "out")
    (tmp_path / "out/carm.json").write_text("[]")
    result = _export(warehouse, tmp_path / "out")
    assert (result.exit_code, (tmp_path / "out/carm.json").read_text()) == (1, "[]")
    assert "carm.json" in result.stderr


@pytest.mark.parametrize(
    ("change", "cause"),
    [
        ("delete from exports.records", "nothing to export"),
        ("update exports.records set image_path = null", "nothing to export: no picture"),
        ("drop view exports.exports__carm", "gainsay build"),
        ("drop view exports.exports__deliverable", "gainsay build"),
        (
            "update exports.records set image_path = '/nowhere/0.png' where example_id = 'e0'",
            "/nowhere/0.png",
        ),
        (
            "update exports.records set image_path = '/dev/zero' where example_id = 'e0'",
            "/dev/zero",
        ),
        ("update exports.records set image_archive = 'no.zip' where example_id = 'e0'", "no.zip"),
    ],
)
def test_a_mix_that_is_not_there_whole_is_no_success(
    warehouse: Path, tmp_path: Path, change: str, cause: str
) -> None:
    _change(warehouse, change)
    result = _export(warehouse, tmp_path / "out")
    assert result.exit_code == 1
    assert cause in result.stderr
    assert not (tmp_path / "out/README.md").exists()


@pytest.mark.parametrize(
    "text",
    ["", " ", 'a "quoted" \\ text', "a\nb\r\n\u2028c", "a\0b", "<image>", "Action: distrust", "😀é",
     "</script>", "=1+1", "x" * 2**20],
    ids=range(11),
)  # fmt: skip
@pytest.mark.parametrize("column", ["target", "text_input", "question"])
def test_a_mix_has_every_text_as_it_is(
    warehouse: Path, tmp_path: Path, column: str, text: str
) -> None:
    _change(warehouse, f"update exports.records set {column} = ? where example_id = 'e0'", text)
    assert _export(warehouse, tmp_path / "out").exit_code == 0
    [first, *others] = json.loads((tmp_path / "out/carm.json").read_text(encoding="utf-8"))
    assert (first["id"], len(others)) == ("e0", 2)
    said = [turn["value"] for turn in first["conversations"]]
    if column == "target":
        assert said[1] == f"Action: trust_vision\nAnswer: {text}"
    else:
        assert text in (said[0] if column == "question" else first["text_input"])
