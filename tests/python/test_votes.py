"""Sheets of pairs to verify: written, filled in, landed, and what does not fit."""

import csv
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from gainsay.errors import GainsayError
from ingest.sinks.duckdb import ensure_raw_schema
from ingest.votes import QUEUES, VoteLanding, land_sheet, write_sheet

QUEUE = QUEUES["certainly_uncertain"]


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse with three pairs to verify, as far as sheets look at it."""
    with duckdb.connect() as connection:
        ensure_raw_schema(connection)
        columns = ", ".join(f"'={name}' as {name}" for name in QUEUE.shown)
        connection.execute(f"""
            create schema certainly_uncertain;
            create schema staging;
            create table {QUEUE.source} as
            select 'p' || n as pair_id, 'md5-' || n as record_md5, 'test' as split,
                4 - n as draw, {columns}
            from range(1, 4) as numbers(n);
            create view staging.stg_gainsay__votes as select * from raw.votes;
        """)
        yield connection


def _fill_in(sheet: Path, verdicts: dict[str, str], **changed: str) -> None:
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(
            row | {"verdict": verdicts.get(row["record_id"], "")} | changed for row in rows
        )


def test_a_sheet_lands_and_asks_nobody_twice(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    sheet = tmp_path / "ann.csv"
    assert write_sheet(connection, sheet, QUEUE, "test", None, "ann") == 3
    with sheet.open(newline="") as file:
        rows = list(csv.DictReader(file))
    # in the order of the queue, and no cell can be a formula
    assert [row["record_id"] for row in rows] == ["p3", "p2", "p1"]
    assert rows[0]["category"] != "=category"

    _fill_in(sheet, {"p1": "keep", "p3": " Wrong_Answer"}, note="a note")
    assert land_sheet(connection, sheet) == VoteLanding(n_landed=2, n_open=1, n_rejected=0)
    assert land_sheet(connection, sheet).is_unchanged
    assert connection.execute(
        "select record_id, record_md5, verdict, note, reader, queue from raw.votes order by all"
    ).fetchall() == [
        ("p1", "md5-1", "keep", "a note", "ann", "verification"),
        ("p3", "md5-3", "wrong_answer", "a note", "ann", "verification"),
    ]

    # one record is left to ann, and so is one that has changed since; bob has seen none
    connection.execute(f"update {QUEUE.source} set record_md5 = 'new' where pair_id = 'p1'")
    assert write_sheet(connection, tmp_path / "more.csv", QUEUE, "test", None, "ann") == 2
    assert write_sheet(connection, tmp_path / "bob.csv", QUEUE, "test", 1, "bob") == 1
    assert write_sheet(connection, tmp_path / "none.csv", QUEUE, "train", None, "bob") == 0


@pytest.mark.parametrize(
    ("changed", "field", "found"),
    [
        ({"verdict": "perhaps"}, "verdict", "perhaps"),
        ({"reader": ""}, "reader", "nothing"),
        ({"record_md5": " "}, "record_md5", "nothing"),
        ({"benchmark": "clash"}, "benchmark", "clash"),
        ({"queue": "other"}, "queue", "other"),
        ({"record_id": "p1"}, "record_id", "p1"),
    ],
)
def test_a_row_that_does_not_fit_is_rejected(
    connection: duckdb.DuckDBPyConnection,
    tmp_path: Path,
    changed: dict[str, str],
    field: str,
    found: str,
) -> None:
    sheet = tmp_path / "ann.csv"
    write_sheet(connection, sheet, QUEUE, "test", 2, "ann")
    _fill_in(sheet, {"p2": "keep", "p3": "keep"}, **changed)
    landing = land_sheet(connection, sheet)
    # the same record twice: the first vote counts
    assert landing.n_rejected == (1 if field == "record_id" else 2)
    rejected = connection.execute(
        "select distinct field, found from raw.rejected_records where array_name = 'votes'"
    ).fetchall()
    assert rejected == [(field, found)]


def test_what_is_no_sheet_is_refused(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    sheet = tmp_path / "other.csv"
    sheet.write_text("record_id,verdict\np1,keep\n")
    with pytest.raises(GainsayError, match="no column benchmark, queue, record_md5, note, reader"):
        land_sheet(connection, sheet)
    with pytest.raises(GainsayError, match="there is such a file"):
        write_sheet(connection, sheet, QUEUE, "test", None, "ann")
