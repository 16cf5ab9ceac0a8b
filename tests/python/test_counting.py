"""What leaves is counted against the benchmark's own examples, row by row."""

import json
from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from gainsay.exports.counting import Row, compared, counts_of, require_equal, written_rows
from gainsay.foundation.errors import GainsayError
from gainsay.release.counting import count_examples, require_audited, require_counted
from gainsay.release.record import ReleaseRecord
from gainsay.release.verify import _wrong_records

_PAIR = [
    {"example_id": "p1::answerable", "split": "test", "operator": "answerable", "group_id": "p1"},
    {"example_id": "p1::open", "split": "test", "operator": "open", "group_id": "p1"},
    {"example_id": "p2::open", "split": "train", "operator": "open", "group_id": "p2"},
]
_ROWS = [Row(*record.values()) for record in _PAIR]


def test_every_kind_of_file_is_read_back(tmp_path: Path) -> None:
    lines = [json.dumps(record, separators=(",", ":")) for record in _PAIR]
    (tmp_path / "a.jsonl").write_text("\n".join(lines))
    (tmp_path / "b.json").write_text("[\n" + ",\n".join(lines) + "\n]\n")
    (tmp_path / "c.tsv").write_text(
        "index\texample_id\tsplit\toperator\tgroup_id\n"
        + "".join(f"{n}\t" + "\t".join(row.values()) + "\n" for n, row in enumerate(_PAIR))
    )
    pq.write_table(pa.Table.from_pylist(_PAIR), tmp_path / "d.parquet")
    for path in tmp_path.iterdir():
        assert list(written_rows(path)) == _ROWS, path.name
    # a picture's name, and a task of lmms-eval, are no records
    (tmp_path / "e.yaml").write_text("task: x")
    assert list(written_rows(tmp_path / "e.yaml")) == []


def test_pictures_with_objects_name_their_records_once(tmp_path: Path) -> None:
    path = tmp_path / "instances.json"
    path.write_text(
        '{"info":{"description":"x"},"licenses":[{"id":1}],"images":[\n'
        '{"id":1,"file_name":"images/a.png","example_ids":["e1","e2"]},\n'
        '{"id":2,"file_name":"images/b.png","example_ids":["e3"]}\n'
        '],"annotations":[\n{"id":1,"image_id":1},\n{"id":2,"image_id":2}\n],"categories":[]}\n'
    )
    assert [row.example_id for row in written_rows(path)] == ["e1", "e2", "e3"]


def test_conversations_are_known_by_their_ids_alone(tmp_path: Path) -> None:
    path = tmp_path / "llava_sft.json"
    path.write_text('[\n{"id":"p1::open","image":"a.jpg"},\n{"id":"7","image":"b.jpg"}\n]\n')
    found = counts_of(compared(row, []) for row in written_rows(path))
    require_equal(found, counts_of([Row("p1::open"), Row("7")]), "llava")
    with pytest.raises(GainsayError, match="all: 2 records, and others than expected"):
        require_equal(found, counts_of([Row("p1::open"), Row("8")]), "llava")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (_ROWS[:2], "train, open: 0 records where 1 are expected"),
        ([*_ROWS, _ROWS[0]], "test, answerable: 2 records where 1 are expected"),
        ([*_ROWS[:2], Row("p2::open", "test", "open", "p2")], "test, open: 2 records where 1"),
        ([*_ROWS[:2], Row("p2::open", "train", "clean", "p2")], "train, clean: 1 records where 0"),
        ([*_ROWS[:2], Row("p2::open", "train", "open", "p1")], "or in other groups"),
        (
            [*_ROWS[:2], Row("p2::open", "train", "open", "p2", "hi")],
            "train, open: 1 records, and others than expected",
        ),
        (
            [*_ROWS[:2], Row("p3::open", "train", "open", "p2")],
            "train, open: 1 records, and others",
        ),
    ],
)
def test_a_row_too_few_or_many_or_elsewhere_is_found(wrong: list[Row], message: str) -> None:
    require_equal(counts_of(reversed(_ROWS)), counts_of(_ROWS), "a file")
    with pytest.raises(GainsayError, match=message):
        require_equal(counts_of(wrong), counts_of(_ROWS), "a file")


@pytest.fixture
def warehouse() -> duckdb.DuckDBPyConnection:
    """A pair for testing, one for training, and one that is held back."""
    connection = duckdb.connect()
    connection.execute("""
        create schema exports; create schema audit;
        create table exports.exports__deliverable as
        select 'pairs' as benchmark, pair || '::' || condition as example_id, split, condition,
            pair as group_id, true as records
        from (values ('p1', 'test'), ('p2', 'train'), ('p3', 'held_back')) as pairs (pair, split)
        cross join (values ('answerable'), ('open')) as sides (condition);
        create table audit.audit__blind_guesses as
        select benchmark, example_id, split from exports.exports__deliverable
        where split <> 'held_back'
    """)
    return connection


def test_a_release_is_counted_by_what_its_benchmark_has(
    warehouse: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    counted, n_held_back = count_examples(warehouse, "pairs")
    assert [(one.split, one.condition, one.n) for one in counted] == [
        ("test", "answerable", 1), ("test", "open", 1),
        ("train", "answerable", 1), ("train", "open", 1),
    ]  # fmt: skip
    assert n_held_back == 2
    rows = warehouse.sql("""
        select example_id, split, condition as operator, group_id from exports.exports__deliverable
    """).to_arrow_table()
    path = tmp_path / "data/examples/test-00000-of-00001.parquet"
    path.parent.mkdir(parents=True)
    pq.write_table(rows.filter(pa.compute.field("split") != "held_back"), path)
    require_counted([path], counted, "pairs")
    record = ReleaseRecord(
        "pairs", "1.0.0", "2026-01-01", "", [], {"test": 2, "train": 2}, 0, 0, {}, 0, 0, {},
        counts=counted, n_held_back=2,
    )  # fmt: skip
    found = {path.relative_to(tmp_path).as_posix(): None}
    assert list(_wrong_records(tmp_path, record, found)) == []  # type: ignore[arg-type]

    # what is held back in the place of a tested pair, the counts of rows being those of before
    held = rows.filter(pa.compute.field("split") != "test").to_pylist()
    leaked = [row | {"split": "test"} if row["split"] == "held_back" else row for row in held]
    pq.write_table(pa.Table.from_pylist(leaked), path)
    [finding] = _wrong_records(tmp_path, record, found)  # type: ignore[arg-type]
    assert "test, open: 1 records, and others than expected" in finding


def test_a_release_stops_where_other_records_were_read_blind(
    warehouse: duckdb.DuckDBPyConnection,
) -> None:
    require_audited(warehouse, "pairs")
    # the leak as it was: what was read in no split is delivered as tested
    warehouse.execute("""
        update exports.exports__deliverable set split = 'test' where split = 'held_back';
        insert into audit.audit__blind_guesses
        select benchmark, example_id, null from exports.exports__deliverable where group_id = 'p3'
    """)
    with pytest.raises(GainsayError, match="2 read in no split are in test"):
        require_audited(warehouse, "pairs")
    warehouse.execute("""
        delete from exports.exports__deliverable where group_id = 'p3';
        delete from audit.audit__blind_guesses where split is not null
    """)
    with pytest.raises(GainsayError, match="2 read in no split are in no file"):
        require_audited(warehouse, "pairs")
