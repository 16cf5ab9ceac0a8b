"""What is shown is of what the warehouse holds now, or says what has changed since it was built."""

import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from gainsay.ingest.raw import RAW_TABLES
from gainsay.inspect.freshness import changes, warning
from tests.python.conftest import Warehouse


@pytest.fixture
def built() -> Iterator[duckdb.DuckDBPyConnection]:
    """A build of everything, and a later one of CLASH's screening alone, from other captions."""
    with duckdb.connect() as connection:
        connection.execute("""
            create schema audit;
            create table audit.audit__raw_contents as
            select * from (values
                ('captions', '2-7'), ('votes', '3-1'), ('predictions', '1-1')
            ) as contents (relation, content);
            create table audit.audit__built_models as
            select * from (values
                ('first', 'clash__screened', 'captions:1-5', '9-1'),
                ('first', 'occlusions__screened', 'votes:3-1', '9-2'),
                ('first', 'audit__candidates',
                    'captions:1-5,clash__screened:9-1,occlusions__screened:9-2,votes:3-1', null),
                ('first', 'report__stages', 'occlusions__screened:9-2,votes:3-1', null),
                ('first', 'evaluation__leaderboard', 'predictions:0-0,votes:3-1', null),
                ('later', 'clash__screened', 'captions:2-7', '9-3')
            ) as builds (invocation_id, model, reads, content)
        """)
        yield connection


@pytest.mark.parametrize(
    ("shown", "benchmarks", "changed"),
    [
        (["audit__candidates"], [], ["captions", "clash__screened"]),
        (["audit__candidates"], ["clash"], ["clash__screened"]),
        (["audit__", "report__"], ["occlusions"], []),
        (["clash__screened"], [], []),
        (["report__"], [], []),
        (["evaluation__"], ["clash"], ["predictions"]),
    ],
)
def test_what_has_changed_is_named(
    built: duckdb.DuckDBPyConnection, shown: list[str], benchmarks: list[str], changed: list[str]
) -> None:
    assert [one.relation for one in changes(built, shown, benchmarks)] == changed


def test_a_mart_is_as_old_as_what_it_was_built_of(built: duckdb.DuckDBPyConnection) -> None:
    """Of one benchmark, a table is stale with the marts that it shows."""
    built.execute("update audit.audit__raw_contents set content = '4-2' where relation = 'votes'")
    found = changes(built, ["report__"], ["occlusions"])
    assert [(one.shown, one.relation) for one in found] == [("occlusions__screened", "votes")]


def test_it_is_said_in_one_sentence(built: duckdb.DuckDBPyConnection) -> None:
    assert warning(changes(built, ["audit__candidates"])) == (
        "raw.captions has changed since what is shown here was built: `gainsay build` makes it"
        " anew."
    )
    assert warning(changes(built, ["audit__candidates"], ["clash"])) == (
        "clash__screened has changed since what is shown here was built: `gainsay build` makes it"
        " anew."
    )
    assert warning([]) is None


def test_a_warehouse_that_keeps_no_builds_says_nothing() -> None:
    with duckdb.connect() as connection:
        assert changes(connection, ["audit__"]) == []


def test_raw_tables_have_contents(tiny: Warehouse) -> None:
    """All but those that only say where the rows of others come from, or what the code is."""
    assert {*tiny.rows("select relation from audit.audit__raw_contents")} == {
        (name,)
        for name in RAW_TABLES.keys()
        - {"landed_files", "landed_predictions", "file_info", "rejected_records", "column_edges"}
    }


def test_other_captions_are_told_until_they_are_built(
    tiny: Warehouse, tiny_corpus: Path, tmp_path: Path
) -> None:
    name = "captions_val2014.json"
    warehouse = tiny.copied_to(tmp_path)
    before = tmp_path / "before.duckdb"
    before.write_bytes(warehouse.path.read_bytes())
    content = json.loads((tiny_corpus / name).read_bytes())
    del content["annotations"][::2]
    (tmp_path / name).write_text(json.dumps(content))
    funnel = ("funnel", "--benchmark", "conflict_suite")
    page = tmp_path / "report.html"

    warehouse.gainsay("land", tiny_corpus / name)
    assert warehouse.gainsay(*funnel).stderr == ""

    warehouse.gainsay("land", tmp_path / name)
    said = "raw.coco_captions and raw.coco_images have changed since what is shown here was built"
    assert said in warehouse.gainsay(*funnel).stderr
    assert said in warehouse.gainsay("manifest", "export", tmp_path / "sealed.json").stderr
    warehouse.gainsay("report", "--out", page)
    assert "have changed since what is shown here was built" in page.read_text()

    # what the report reads beside the suite stays as it was
    warehouse.build("--select", "+conflict_suite__manifest")
    assert warehouse.gainsay(*funnel).stderr == ""
    warehouse.gainsay("report", "--diff", before, "--out", page)
    assert "What each stage gained and lost" in page.read_text()
    assert "as many candidates as before" not in page.read_text()

    # the same file as at first, landed anew
    warehouse.gainsay("land", tiny_corpus / name)
    assert said in warehouse.gainsay(*funnel).stderr
    warehouse.gainsay("funnel", "--benchmark", "clash").check_returncode()
    assert warehouse.gainsay("funnel", "--benchmark", "clash").stderr == ""
