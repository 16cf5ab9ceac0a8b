"""A manifest file seals the examples: whatever changes afterwards, `verify` names it."""

import ast
import hashlib
import importlib
import itertools
import json
import re
import shutil
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest

from gainsay.inspect import manifest as manifests
from gainsay.python_udfs.package_versions import package_md5s
from tests.python.conftest import PROJECT, Warehouse

_SEALING = PROJECT / "models/benchmarks/conflicts/conflict_suite/sealing"


@pytest.fixture
def sealed(synthetic: Warehouse, tmp_path: Path) -> tuple[Warehouse, Path]:
    """A copy of the synthetic warehouse with its manifest exported."""
    warehouse = Warehouse(tmp_path)
    shutil.copy(synthetic.path, warehouse.path)
    file = tmp_path / "manifest.json"
    warehouse.gainsay("manifest", "export", file)
    return warehouse, file


def test_untouched_warehouse_agrees(sealed: tuple[Warehouse, Path]) -> None:
    warehouse, file = sealed
    assert "every entry agrees" in warehouse.gainsay("manifest", "verify", file).stdout


@pytest.mark.parametrize(
    ("change", "differing"),
    [
        (
            "update conflict_suite.conflict_suite__examples set question = question || '!' "
            "where example_id = (select min(example_id) from "
            "conflict_suite.conflict_suite__examples where split = 'train')",
            [
                ("content", "examples", "sha256"),
                ("content", "examples", "tree_sha256"),
                ("split", "train", "tree_sha256"),
            ],
        ),
        (
            "update vocabulary.answer_forms set canonical = 'mauve' where surface = 'red'",
            [("vocabulary", "answer_forms", "sha256")],
        ),
        (
            "update raw.landed_files set sha256 = 'f00' "
            "where source_file = 'captions_val2014.json'",
            [("input", "captions_val2014.json", "sha256")],
        ),
    ],
)
def test_a_changed_value_is_named(
    sealed: tuple[Warehouse, Path], change: str, differing: list[tuple[str, str, str]]
) -> None:
    warehouse, file = sealed
    with duckdb.connect(warehouse.path) as connection:
        connection.execute(change)

    process = warehouse.gainsay("manifest", "verify", file, check=False)

    assert process.returncode == 1
    in_file = manifests.read_file(file)
    with duckdb.connect(warehouse.path, read_only=True) as connection:
        now = manifests.read_warehouse(connection, "conflict_suite", sealed=False)
    assert [difference[:3] for difference in manifests.compare(in_file, now)] == differing
    assert differing[0][1] in process.stdout


def test_a_lost_example_changes_its_split(sealed: tuple[Warehouse, Path]) -> None:
    warehouse, file = sealed
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("""
            delete from conflict_suite.conflict_suite__examples
            where example_id = (
                select min(example_id)
                from conflict_suite.conflict_suite__examples
                where split = 'train'
            )
        """)

    process = warehouse.gainsay("manifest", "verify", file, check=False)

    assert process.returncode == 1
    assert {"content", "split", "distribution"} <= set(process.stdout.split())


def test_split_hash_is_the_stated_one(synthetic: Warehouse) -> None:
    ids: dict[str, list[str]] = {}
    for split, example_id in synthetic.rows(
        "select split, example_id from conflict_suite.conflict_suite__examples"
    ):
        ids.setdefault(str(split), []).append(str(example_id))
    expected = {
        split: hashlib.sha256("\n".join(sorted(members)).encode()).hexdigest()
        for split, members in ids.items()
    }

    assert expected == dict(
        synthetic.rows("""
            select item, value
            from conflict_suite.conflict_suite__manifest
            where section = 'split' and measure = 'sha256'
        """)
    )


def test_content_hashes_are_the_stated_ones(synthetic: Warehouse) -> None:
    """Every value is its length, a colon and its text; a null is a minus sign."""
    entries = (_SEALING / "conflict_suite__manifest_entries.sql").read_text()
    [listed] = re.findall(r"record_columns = (\[.*?\])", entries, re.DOTALL)
    columns = ast.literal_eval(listed)
    with synthetic.connect() as connection:
        texts = ", ".join(f'cast("{column}" as varchar)' for column in columns)
        rows = connection.execute(
            f"select {texts} from conflict_suite.conflict_suite__examples order by example_id"
        ).fetchall()

    forms = ("".join("-" if v is None else f"{len(v)}:{v}" for v in row) for row in rows)
    hashes = [_sha256(form) for form in forms]
    splits: dict[str, list[str]] = {}
    for row, row_sha256 in zip(rows, hashes, strict=True):
        splits.setdefault(row[columns.index("split")], []).append(row_sha256)
    trees = {split: _tree(members) for split, members in splits.items()}
    assert synthetic.rows("""
        select item, measure, value
        from conflict_suite.conflict_suite__manifest
        where measure = 'tree_sha256' or section = 'content' and measure = 'sha256'
        order by item, measure
    """) == [
        ("examples", "sha256", _sha256("\n".join(hashes))),
        ("examples", "tree_sha256", _sha256("\n".join(trees[split] for split in sorted(trees)))),
        *((split, "tree_sha256", trees[split]) for split in sorted(trees)),
    ]


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


def _tree(row_hashes: list[str]) -> str:
    """The hash of the parts of a split, which the first two digits of the rows' hashes make."""
    parts = itertools.groupby(sorted(row_hashes), lambda row_sha256: row_sha256[:2])
    return _sha256("\n".join(_sha256("\n".join(part)) for _, part in parts))


def test_a_large_content_has_the_hashes_of_the_tree_alone(
    sealed: tuple[Warehouse, Path],
) -> None:
    warehouse, file = sealed
    warehouse.build(
        "--select", "conflict_suite__manifest_entries",
        "--vars", "{manifest_flat_hash_limit: 2554}",
    )  # fmt: skip

    in_file = manifests.read_file(file)
    with duckdb.connect(warehouse.path, read_only=True) as connection:
        now = manifests.read_warehouse(connection, "conflict_suite", sealed=False)
    gone = manifests.compare(in_file, now)
    assert in_file["content"]["examples"]["n"] == "2555"
    assert {(difference.section, difference.measure) for difference in gone} == {
        ("content", "sha256"), ("split", "sha256"),
    }  # fmt: skip
    assert {difference.in_warehouse for difference in gone} == {None}


def test_what_only_operates_is_in_no_manifest(sealed: tuple[Warehouse, Path]) -> None:
    """The same examples, built with other walks and without pictures, have the same manifest."""
    warehouse, file = sealed
    warehouse.build(
        "--select", "conflict_suite__manifest_entries",
        "--vars", "{conflict_suite_donor_windows: "
        "{easy: 2, nearby: 256, farther: 2048, farthest: 16384, image: 16},"
        " annotate_ocr: false, render_images: false, clash_samples_per_image: 2}",
    )  # fmt: skip

    assert "every entry agrees" in warehouse.gainsay("manifest", "verify", file).stdout


def test_what_decides_is_in_the_manifest_whatever_its_text(
    sealed: tuple[Warehouse, Path],
) -> None:
    warehouse, file = sealed
    warehouse.build(
        "--select", "conflict_suite__examples", "conflict_suite__manifest_entries",
        "--vars",
        """{record_versions: {conflict_suite: "it's \\"2\\"", clash: "1", certainly_uncertain: "1",
            reality_check: "1"}, conflict_suite_pilot_size: 7}""",
    )  # fmt: skip

    in_file = manifests.read_file(file)
    with duckdb.connect(warehouse.path, read_only=True) as connection:
        now = manifests.read_warehouse(connection, "conflict_suite", sealed=False)
        versions = connection.execute(
            "select distinct record_version from conflict_suite.conflict_suite__examples"
        ).fetchall()
    assert [difference[:3] for difference in manifests.compare(in_file, now)] == [
        ("configuration", "conflict_suite_pilot_size", "value"),
        ("configuration", "record_versions", "value"),
        ("content", "examples", "sha256"),
        ("content", "examples", "tree_sha256"),
        *(("split", split, "tree_sha256") for split in sorted(now["split"])),
    ]
    assert versions == [("""it's "2\"""",)]


def test_a_manifest_says_what_is_in_the_lineage_of_its_examples(synthetic: Warehouse) -> None:
    """What decides for another benchmark or for pictures alone is not there."""
    items: dict[object, set[object]] = {}
    for section, item in synthetic.rows(
        "select section, item from conflict_suite.conflict_suite__manifest"
    ):
        items.setdefault(section, set()).add(item)

    configuration = items["configuration"]
    assert {"seed", "conflict_suite_jaccard_min", "conflict_suite_val_share"} <= configuration
    others = ("clash_", "conflict_suite_refined_", "annotate_", "evaluation_", "export_")
    assert [name for name in configuration if str(name).startswith(others)] == []
    assert {"answer_forms", "oracle_policy", "conflict_suite_vocabulary"} <= items["vocabulary"]
    assert {"lexicon_terms", "integrity_checks"} & items["vocabulary"] == set()
    assert items["code"] == {"gainsay", "models", "python_udfs"}


def test_each_protocol_has_a_manifest_of_its_own(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("create schema doubts")
        connection.execute("""
            create table doubts.doubts__manifest as
            from (values ('one', 'content', 'examples', 'n', '1'),
                         ('two', 'content', 'examples', 'n', '2'))
                as entries(protocol, section, item, measure, value)
        """)
    file = tmp_path / "two.json"
    export = ("manifest", "export", "--benchmark", "doubts")

    unsaid = warehouse.gainsay(*export, file, check=False)
    unknown = warehouse.gainsay(*export, "--protocol", "three", file, check=False)
    warehouse.gainsay(*export, "--protocol", "two", file)

    assert "name one with --protocol: one, two" in unsaid.stderr
    assert "has no protocol three; it has one, two" in unknown.stderr
    assert manifests.read_file(file) == {"content": {"examples": {"n": "2"}}}


def test_functions_are_known_by_the_content_of_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fingerprint(name: str, content: str, file: str = "pixels.py") -> str | None:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / file).write_text(content)
        importlib.invalidate_caches()
        [found] = package_md5s(pa.array([name])).to_pylist()
        return found

    monkeypatch.syspath_prepend(tmp_path)

    first = fingerprint("first_package", "GREY = 1")
    assert first is not None
    assert fingerprint("same_package", "GREY = 1") == first
    assert fingerprint("changed_package", "GREY = 2") != first
    assert fingerprint("renamed_package", "GREY = 1", "picture.py") != first
    assert package_md5s(pa.array([None, "no package", "no.package"])).to_pylist() == [None] * 3


def test_functions_in_an_archive_are_known_as_those_in_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("folder", "zipped"):
        package = tmp_path / folder / f"{folder}_functions"
        (package / "edits").mkdir(parents=True)
        (package / "__init__.py").touch()
        (package / "edits" / "pixels.py").write_text("GREY = 1")
    archive = shutil.make_archive(str(tmp_path / "packages"), "zip", tmp_path / "zipped")
    monkeypatch.syspath_prepend(tmp_path / "folder")
    monkeypatch.syspath_prepend(archive)

    names = pa.array(["folder_functions", "zipped_functions"])
    [in_folder, in_archive] = package_md5s(names).to_pylist()

    assert in_archive == in_folder != hashlib.md5(b"").hexdigest()


def test_what_is_no_manifest_is_refused(synthetic: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps([1, 2]))

    process = synthetic.gainsay("manifest", "verify", file, check=False)

    assert process.returncode == 1
    assert "not a manifest" in process.stderr
