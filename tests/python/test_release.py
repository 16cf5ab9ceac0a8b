"""A release holds what one publishes, says what it holds, and is found out where it is damaged."""

import csv
import hashlib
import json
import shutil
from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from pathlib import Path

import duckdb
import msgspec
import pyarrow.parquet as pq
import pytest
import yaml

from gainsay.foundation.connection import connect
from gainsay.release.card import card
from gainsay.release.contents import read_contents
from gainsay.release.identity import Identity
from gainsay.release.judging import GatePrecision
from gainsay.release.readings import read_readings
from gainsay.release.record import ReleaseRecord
from gainsay.release.verify import verify
from tests.python.conftest import PROJECT, Warehouse, once
from tests.python.hugging_face import load_dataset
from tests.python.real_data import needs_real_sample

_IDENTITY = Identity("conflict_suite", "A title", "1.0.0", "2026-01-01", "00" * 32, "urn:none")
_RECORD = ReleaseRecord(
    "conflict_suite", "1.0.0", "2026-01-01", "00" * 32, ["manifest.json"], {"train": 1}, 1, 0, {},
    0, 0, {},
)  # fmt: skip

pytestmark = [needs_real_sample, pytest.mark.xdist_group("exports")]


@pytest.fixture(scope="session")
def releases(shared_folder: Path, exported: Warehouse) -> Path:
    """The Conflict Suite of the real sample, released with its pictures and in a format."""

    def make(folder: Path) -> None:
        exported.gainsay("release", "conflict_suite", folder, "--format", "hugging-face")

    return once(shared_folder, "releases", make)


@pytest.fixture(scope="session")
def released(releases: Path) -> Path:
    """The folder of that release."""
    [folder] = releases.glob("conflict_suite-*")
    return folder


def test_a_warehouse_without_exports_gives_the_same_bytes(
    exported: Warehouse, released: Path, tmp_path: Path
) -> None:
    """What a release reads is built where it is missing or older, and else taken as it is."""
    demo = exported.copied_to(tmp_path)
    with duckdb.connect(demo.path) as connection:
        connection.execute("drop schema exports cascade")
        connection.execute("drop view audit.audit__image_overlap")
        # as a build of the examples alone leaves it
        connection.execute("""
            delete from audit.audit__blind_scores;
            insert into audit.audit__built_models
            values ('later', 'conflict_suite__examples', '', '0-0', now()::timestamp)
        """)

    out = tmp_path / "out"
    order = ("release", "conflict_suite", out, "--format", "hugging-face")
    assert "exports and audits: " in demo.gainsay(*order).stderr
    assert demo.gainsay(*order).stderr == ""

    [again] = out.iterdir()
    assert again.name == released.name
    assert _bytes(again) == _bytes(released)
    # what names it is the hash of the manifest beside it
    record = json.loads((released / "release.json").read_bytes())
    assert released.name == f"conflict_suite-{record['manifest_sha256'][:12]}"


def _bytes(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def test_mlcroissant_validates_it_and_reads_every_record(
    exported: Warehouse, released: Path
) -> None:
    import mlcroissant

    dataset = mlcroissant.Dataset(jsonld=str(released / "croissant.json"))
    metadata = json.loads((released / "croissant.json").read_bytes())
    n_records = json.loads((released / "release.json").read_bytes())["n_records"]

    assert str(dataset.metadata.ctx.conforms_to.value) == "http://mlcommons.org/croissant/1.1"
    assert dataset.metadata.ctx.issues.warnings == set()
    assert dataset.metadata.data_biases
    assert dataset.metadata.data_preprocessing_protocol
    first_examples = list(islice(dataset.records("examples"), 300))
    assert len({example["examples/example_id"] for example in first_examples}) == 300
    # every field says what it holds, and where its values come from, what others refer to
    fields = {
        field["@id"]: field for record_set in metadata["recordSet"] for field in record_set["field"]
    }
    assert [name for name, field in fields.items() if not field["description"]] == []
    assert {
        name: (field["references"]["fileSet"]["@id"], field["references"]["extract"]["column"])
        for name, field in fields.items()
        if "references" in field
    } == {
        "prompts/asked_example_id": ("examples-files", "example_id"),
        "shown_pictures/example_id": ("examples-files", "example_id"),
        "shown_pictures/image": ("pictures-files", "image"),
    }
    assert fields["examples/split"]["dataType"] == ["sc:Text", "cr:Split"]
    assert fields["pictures/license_url"]["dataType"] == "sc:URL"
    assert fields["pictures/license_url"]["equivalentProperty"] == "sc:license"
    assert {row["splits/name"] for row in dataset.records("splits")} == set(n_records)
    [shown] = islice(dataset.records("shown_pictures"), 1)
    assert shown["shown_pictures/place"] == 1
    pictures = list(dataset.records("pictures"))
    [(n_files,)] = exported.rows("""
        select count(distinct image) from exports.exports__release_pictures
        where benchmark = 'conflict_suite'
    """)
    assert len(pictures) == n_files
    assert all(picture["pictures/picture"].size[0] > 0 for picture in pictures)
    # examples name no other pictures than these
    lists = pq.read_table(released / "data/examples", columns=["images"])["images"].to_pylist()
    assert len(lists) == 24_374
    assert {image.encode() for images in lists for image in images if image is not None} == {
        picture["pictures/image"] for picture in pictures
    }


def test_datasets_loads_the_folder(
    released: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import datasets

    monkeypatch.setattr(datasets.config, "HF_DATASETS_CACHE", tmp_path)
    loaded = load_dataset(str(released), "examples", cache_dir=str(tmp_path))
    shown = load_dataset(str(released), cache_dir=str(tmp_path))
    pictures = load_dataset(str(released), "pictures", cache_dir=str(tmp_path))["train"]

    assert {split: len(rows) for split, rows in loaded.items()} == json.loads(
        (released / "release.json").read_bytes()
    )["n_records"]
    assert pictures[0]["picture"].size[0] > 0
    # the first that one sees has its picture
    assert shown["test_id"][0]["image"].size[0] > 0
    front_matter = yaml.safe_load((released / "README.md").read_text().split("---\n")[1])
    assert front_matter["size_categories"] == ["10K<n<100K"]
    assert front_matter["pretty_name"]


def test_every_picture_is_credited_and_no_other_is_given_along(
    exported: Warehouse, released: Path
) -> None:
    with (released / "LICENSES/pictures.csv").open() as sheet:
        credits_of = {row["image"]: row for row in csv.DictReader(sheet)}
    given = pq.read_table(released / "data/pictures", columns=["image"])["image"].to_pylist()
    forbidden = exported.rows("""
        select distinct source_image_id from exports.exports__release_pictures
        where benchmark = 'conflict_suite' and picture_state <> 'available'
    """)

    assert sorted(credits_of) == sorted(given)
    assert all(row["license_url"] and row["page_url"] for row in credits_of.values())
    with (released / "LICENSES/withheld.csv").open() as sheet:
        withheld = {(row["source_image_id"],) for row in csv.DictReader(sheet)}
    assert withheld == set(forbidden)
    n_withheld = sum(json.loads((released / "release.json").read_bytes())["withheld"].values())
    assert f"{n_withheld:,} pictures stay out" in (released / "README.md").read_text()


def test_the_card_has_the_figures_of_the_warehouse(exported: Warehouse, released: Path) -> None:
    card = (released / "README.md").read_text()
    rows = exported.rows("""
        select stage, reason, sum(n) from audit.audit__funnel
        where benchmark = 'conflict_suite' group by all
    """)

    assert rows
    for stage, reason, n in rows:
        assert f"| {stage} | {reason} | {n:,} |" in card
    cited = yaml.safe_load((released / "CITATION.cff").read_text())
    assert cited["references"][0]["title"].startswith("Making the V in VQA Matter")
    assert cited["references"][0]["authors"][0] == {
        "family-names": "Goyal", "given-names": "Yash",
    }  # fmt: skip


def test_the_card_says_how_often_people_find_the_gates_right(
    exported: Warehouse, released: Path
) -> None:
    """Nobody has judged the real sample's gates, and that is said; what is judged is shown."""
    page = (released / "README.md").read_text()
    assert "| not judged |" in page
    assert "Nobody has judged yet whether these stages were right" in page
    assert json.loads((released / "release.json").read_bytes())["gate_precision"] == []

    with connect(read_only=True, path=exported.path) as connection:
        contents = read_contents(connection, "conflict_suite")
    judged = GatePrecision(
        "conflict_suite", "consistency", "consistency_filter_failed", 50, 40, 38, 0.95, 0.835,
        0.986, 2, 0.925, False,
    )  # fmt: skip
    shown = card(replace(contents, gate_precision=[judged]), _IDENTITY, _RECORD, [])
    assert "| 95.0 % of 40 (83.5 to 98.6) |" in shown
    assert "| conflict_suite | consistency | 50 | 40 | 2 | 92.5 % |" in shown


def test_the_card_says_what_readers_found(released: Path) -> None:
    with (PROJECT / "tests/readings/strict_evidence.csv").open(newline="") as sheet:
        rows = list(csv.DictReader(sheet))
    n_right = sum(row["is_right"] == "true" for row in rows)
    card = (released / "README.md").read_text()

    assert f"| strict_evidence | {len(rows)} | {100 * n_right / len(rows):.1f} % |" in card
    # one that is wrong is shown with its reason
    shown = [row for row in rows if row["is_right"] == "false" and f"| {row['base_id']} |" in card]
    assert shown
    assert all(row["reason"] in card for row in shown)


def test_every_reading_that_a_release_names_is_there() -> None:
    named = {
        row["text"]
        for row in csv.DictReader(
            (PROJECT / "seeds/exports/release_texts.csv").read_text().splitlines()
        )
        if row["field"] == "reading"
    }

    assert {reading.name for reading in read_readings(PROJECT, sorted(named))} == named


def _flip_a_byte(folder: Path) -> str:
    path = next((folder / "data/examples").glob("train-*.parquet"))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    return f"data/examples/{path.name}: its bytes are others"


def _lose_a_shard(folder: Path) -> str:
    path = next((folder / "data/pictures").iterdir())
    path.unlink()
    return f"data/pictures/{path.name}: is missing"


def _add_a_picture(folder: Path) -> str:
    (folder / "data/pictures/coco-1.jpg").write_bytes(b"a picture")
    return "data/pictures/coco-1.jpg: is not of this release"


def _exchange_the_manifest(folder: Path) -> str:
    path = folder / "manifest.json"
    path.write_bytes(path.read_bytes().replace(b'"7"', b'"8"'))
    return "manifest.json: its bytes are others"


def _hide_a_row_from_every_list(folder: Path) -> str:
    """A shard, its hash in both lists and nothing else are exchanged."""
    path = next((folder / "data/examples").glob("val-*.parquet"))
    before = _sha256(path)
    table = pq.read_table(path)
    pq.write_table(table.slice(1), path)
    for name in ("SHA256SUMS", "croissant.json"):
        listed = folder / name
        listed.write_text(listed.read_text().replace(before, _sha256(path)))
    sums = folder / "SHA256SUMS"
    lines = [
        line if not line.endswith("  croissant.json")
        else f"{_sha256(folder / 'croissant.json')}  croissant.json"
        for line in sums.read_text().splitlines()
    ]  # fmt: skip
    sums.write_text("\n".join(lines) + "\n")
    return f"data/examples/val-*.parquet: {table.num_rows - 1:,} rows; release.json expects"


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    "damage",
    [
        _flip_a_byte,
        _lose_a_shard,
        _add_a_picture,
        _exchange_the_manifest,
        _hide_a_row_from_every_list,
    ],
)
def test_a_copy_verifies_and_damage_is_found_by_name(
    released: Path, tmp_path: Path, damage: Callable[[Path], str]
) -> None:
    copy = tmp_path / "elsewhere" / released.name
    shutil.copytree(released, copy)
    assert verify(copy).findings == []

    expected = damage(copy)

    assert any(finding.startswith(expected) for finding in verify(copy).findings)


def test_verify_needs_no_warehouse_and_exits_with_what_it_found(
    releases: Path, tmp_path: Path
) -> None:
    nobody = Warehouse(tmp_path)
    found = nobody.gainsay("release", "--verify", releases)
    assert "24,374 examples" in found.stdout
    assert "is valid, by mlcroissant" in found.stdout

    process = nobody.gainsay("release", "--verify", tmp_path, check=False)
    assert process.returncode == 1
    assert "no release here; expected the file release.json" in process.stderr


def test_what_cannot_be_released_says_why(exported: Warehouse, tmp_path: Path) -> None:
    for arguments, message in (
        (("conflict_sweet",), "no such benchmark in the warehouse; there are"),
        (("conflict_suite", "--format", "clash-sft"), "is a format of clash"),
    ):
        benchmark, *options = arguments
        process = exported.gainsay("release", benchmark, tmp_path / "out", *options, check=False)
        assert process.returncode == 1
        assert message in process.stderr
    assert list(tmp_path.rglob("release.json")) == []


def test_a_release_says_which_of_its_files_are_made_up(exported: Warehouse) -> None:
    with duckdb.connect(exported.path, read_only=True) as connection:
        contents = read_contents(connection, "conflict_suite")
    assert contents.synthetic_note == ""
    assert contents.title == contents.one("title")

    first, *others = contents.inputs
    mixed = replace(contents, inputs=[msgspec.structs.replace(first, is_synthetic=True), *others])
    assert mixed.title == f"{contents.title} (synthetic in part)"
    assert mixed.description.startswith(
        f"Synthetic in part: of the {len(contents.inputs)} files that this release was made of,"
        f" {first.source_file} was made by `gainsay synth`"
    )
    said = card(mixed, _IDENTITY, _RECORD, [])
    assert f"| {first.source_file} | {first.holds} | yes |" in said
    assert said.count(" | no | ") >= len(others)
