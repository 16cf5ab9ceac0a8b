"""A manifest file seals the examples: whatever changes afterwards, `verify` names it."""

import hashlib
import json
import shutil
from pathlib import Path

import duckdb
import pytest

from gainsay.inspect import manifest as manifests
from tests.python.conftest import Warehouse


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
            "conflict_suite.conflict_suite__examples)",
            [("content", "examples", "sha256")],
        ),
        (
            "update vocabulary.colors set color = 'mauve' where color = 'red'",
            [("vocabulary", "colors", "sha256")],
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


def test_content_hash_is_the_stated_one(synthetic: Warehouse) -> None:
    """Every value is its length, a colon and its text; a null is a minus sign."""
    with synthetic.connect() as connection:
        columns = [row[0] for row in connection.execute(
            "describe conflict_suite.conflict_suite__examples"
        ).fetchall()]  # fmt: skip
        texts = ", ".join(f'cast("{column}" as varchar)' for column in columns)
        rows = connection.execute(
            f"select {texts} from conflict_suite.conflict_suite__examples order by example_id"
        ).fetchall()

    def digest(text: str) -> str:
        return hashlib.sha256(text.encode()).hexdigest()

    forms = ("".join("-" if v is None else f"{len(v)}:{v}" for v in row) for row in rows)
    assert synthetic.rows("""
        select value
        from conflict_suite.conflict_suite__manifest
        where section = 'content' and measure = 'sha256'
    """) == [(digest("\n".join(map(digest, forms))),)]


def test_what_is_no_manifest_is_refused(synthetic: Warehouse, tmp_path: Path) -> None:
    file = tmp_path / "manifest.json"
    file.write_text(json.dumps([1, 2]))

    process = synthetic.gainsay("manifest", "verify", file, check=False)

    assert process.returncode == 1
    assert "not a manifest" in process.stderr
