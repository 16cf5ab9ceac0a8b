"""People's votes: sheets written, filled in and landed, logs, and what does not fit."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.ingest import votes
from gainsay.ingest.sinks.duckdb import DuckDbSink, ensure_raw_schema
from gainsay.ingest.votes import Queue, VoteLanding, land_log, land_sheet, read_queues, write_sheet

QUEUE = Queue("b", "q", {"is_right": ("yes", "no"), "is_clear": ("yes", "no")})
SHOWN = {
    "pictures": [{"role": "picture", "picture_id": "coco-1", "file": None}],
    "texts": [
        {"label": "Caption", "text": "=A red red bus", "marks": [[3, 6], [11, 14]]},
        {"label": "Frage", "text": "犬 oder 猫?", "marks": []},
    ],
    "choices": [{"letter": "A", "text": "dog"}, {"letter": "B", "text": "-cat"}],
}
EVENT = {
    "event_id": "e1", "kind": "vote", "benchmark": "b", "queue": "q", "record_id": "r1",
    "record_md5": "m1", "question": "is_right", "answer": "yes", "reader": "ann",
    "voted_at": "2026-01-01T10:00:00+02:00",
}  # fmt: skip


@pytest.fixture
def connection() -> Iterator[duckdb.DuckDBPyConnection]:
    """A warehouse with three records to judge, as far as sheets look at it."""
    with duckdb.connect() as connection:
        ensure_raw_schema(connection)
        connection.execute("""
            create schema review; create schema people; create schema vocabulary;
            create table vocabulary.review_questions as
            select * from (values
                ('b', 'q', 'is_right', 1, 'yes', 'a', true),
                ('b', 'q', 'is_right', 1, 'no', 'x', false),
                ('b', 'q', 'is_clear', 2, 'no', 'x', false),
                ('b', 'q', 'is_clear', 2, 'yes', 'a', true)
            ) as rows(benchmark, queue, question, position, answer, answer_key, is_accepting);
            create view people.people__votes as
            select *, kind = 'ruling' as is_ruling from raw.votes;
        """)
        connection.execute(
            """
            create table review.review__records as
            select 'b' as benchmark, 'q' as queue, 'r' || n as record_id, 'm' || n as record_md5,
                if(n = 3, 'train', 'test') as split, 4 - n as draw, $shown as shown,
                if(n = 2, ['is_right'], null) as asked_questions
            from range(1, 4) as numbers(n)
            """,
            {"shown": json.dumps(SHOWN)},
        )
        yield connection


def _read(sheet: Path) -> list[dict[str, str]]:
    with sheet.open(newline="") as file:
        return list(csv.DictReader(file))


def _fill_in(sheet: Path, answers: dict[str, dict[str, str]], **changed: str) -> None:
    rows = [row | answers.get(row["record_id"], {}) | changed for row in _read(sheet)]
    with sheet.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def test_queues_are_those_of_the_warehouse(connection: duckdb.DuckDBPyConnection) -> None:
    assert read_queues(DuckDbSink(connection)) == [QUEUE]
    with duckdb.connect() as empty, pytest.raises(GainsayError, match="not built; run `dbt build"):
        read_queues(DuckDbSink(empty))


def test_a_sheet_shows_the_record_and_holds_no_formula(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    sheet = tmp_path / "ann.csv"
    assert write_sheet(connection, sheet, QUEUE, None, 1, "@ann") == 1
    assert _read(sheet) == [
        {
            "benchmark": "b", "queue": "q", "record_id": "r3", "record_md5": "m3",
            "pictures": "picture: coco-1, not landed", "Caption": "'=A **red** red **bus**",
            "Frage": "犬 oder 猫?", "choices": "(A) dog | (B) -cat",
            "is_right": "", "is_clear": "", "note": "", "reader": "'@ann",
        }
    ]  # fmt: skip


def test_a_sheet_says_where_its_pictures_are(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader opens them by the file or by the page, not by an id alone."""
    monkeypatch.setenv("GAINSAY_RENDERINGS", str(tmp_path / "renderings"))
    pictures = [
        {"role": "with it", "picture_id": "coco-1", "file": str(tmp_path / "1.jpg")},
        {
            "role": "without it", "picture_id": "coco-1::hidden", "file": "ab/cd.png",
            "is_rendering": True,
        },
        {"role": "another", "picture_id": "coco-2", "file": None},
    ]  # fmt: skip
    connection.execute(
        "update review.review__records set shown = ?", [json.dumps(SHOWN | {"pictures": pictures})]
    )
    connection.execute("""
        create schema exports;
        create table exports.exports__pictures as
        select 'coco-1' as source_image_id, 'https://www.flickr.com/photo.gne?id=7' as page_url
    """)
    assert write_sheet(connection, tmp_path / "ann.csv", QUEUE, None, 1, "ann") == 1
    [row] = _read(tmp_path / "ann.csv")
    assert row["pictures"].split(" | ") == [
        f"with it: coco-1, {tmp_path}/1.jpg, https://www.flickr.com/photo.gne?id=7",
        f"without it: coco-1::hidden, {tmp_path}/renderings/ab/cd.png",
        "another: coco-2, not landed",
    ]


def test_a_sheet_holds_some_records_alone(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    sheet = tmp_path / "ann.csv"
    assert write_sheet(connection, sheet, QUEUE, None, None, "ann", None, ["r1", "r2"]) == 2
    assert [row["record_id"] for row in _read(sheet)] == ["r2", "r1"]


def test_a_sheet_that_holds_a_record_twice_is_refused(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def wrong(*_: object) -> list[tuple[str, str, str]]:
        return [(*row, json.dumps(SHOWN)) for row in (("r1", "m1"), ("r1", "m1"), ("r9", "m9"))]

    monkeypatch.setattr(votes, "_open_records", wrong)
    with pytest.raises(GainsayError, match="3 records were written, and the queue has 1 of these"):
        write_sheet(connection, tmp_path / "ann.csv", QUEUE, None, None, "ann")


def test_a_sheet_lands_and_asks_nobody_twice(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    sheet = tmp_path / "ann.csv"
    assert write_sheet(connection, sheet, QUEUE, None, None, "ann") == 3
    # in the order of the queue
    assert [row["record_id"] for row in _read(sheet)] == ["r3", "r2", "r1"]

    both = {"is_right": " No", "is_clear": "YES", "note": "a note"}
    _fill_in(sheet, {"r1": both, "r2": {"is_right": "yes"}})
    assert land_sheet(DuckDbSink(connection), sheet) == VoteLanding(
        n_landed=3, n_rejected=0, n_open=1
    )
    assert land_sheet(DuckDbSink(connection), sheet).is_unchanged
    landed = "select record_id, record_md5, question, answer, note, reader, kind from raw.votes"
    assert connection.execute(f"{landed} order by all").fetchall() == [
        ("r1", "m1", "is_clear", "yes", "a note", "ann", "vote"),
        ("r1", "m1", "is_right", "no", "a note", "ann", "vote"),
        ("r2", "m2", "is_right", "yes", None, "ann", "vote"),
    ]

    # what was answered in part or has changed since is asked again; bob has seen nothing
    assert write_sheet(connection, tmp_path / "a.csv", QUEUE, None, None, "ann") == 1
    connection.execute("update review.review__records set record_md5 = 'new' where draw = 3")
    assert write_sheet(connection, tmp_path / "b.csv", QUEUE, None, None, "ann") == 2
    assert write_sheet(connection, tmp_path / "c.csv", QUEUE, "test", None, "bob") == 2
    assert write_sheet(connection, tmp_path / "d.csv", QUEUE, "none", None, "bob") == 0

    # a corrected sheet replaces what it said
    _fill_in(sheet, {"r1": {"is_right": "yes", "is_clear": ""}, "r2": {"is_right": ""}})
    assert land_sheet(DuckDbSink(connection), sheet).n_landed == 1
    assert connection.execute(f"{landed} order by all").fetchall() == [
        ("r1", "m1", "is_right", "yes", "a note", "ann", "vote")
    ]


def test_a_sheet_of_another_reader_takes_nobodys_votes(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """Two readers fill in `sheet.csv`, each in a folder of their own."""
    sheets = []
    for reader in ("ann", "bob"):
        sheets.append(tmp_path / reader / "sheet.csv")
        sheets[-1].parent.mkdir()
        write_sheet(connection, sheets[-1], QUEUE, None, None, reader)
        _fill_in(sheets[-1], {"r1": {"is_right": "yes"}, "r2": {"is_right": "no"}})
    sink = DuckDbSink(connection)
    assert land_sheet(sink, sheets[0]).n_landed == 2
    with pytest.raises(GainsayError, match=r"with 2 votes of ann on records .* rename this one"):
        land_sheet(sink, sheets[1])
    readers = "select distinct reader from raw.votes"
    assert connection.execute(readers).fetchall() == [("ann",)]
    # a part of it is not all of it, and whoever says so may replace it
    lines = sheets[0].read_text().splitlines(keepends=True)
    sheets[0].write_text("".join(lines[:3]))
    with pytest.raises(GainsayError, match="with 1 votes of ann"):
        land_sheet(sink, sheets[0])
    assert land_sheet(sink, sheets[1], is_replacing=True).n_landed == 2
    assert connection.execute(readers).fetchall() == [("bob",)]


def test_a_sheet_of_a_language_has_what_is_judged_in_it(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    english = {"label": "en_question", "text": "How many?", "marks": [], "language": "en"}
    spanish = {"label": "translated_question", "text": "¿Cuántos?", "marks": [], "language": "es"}
    for draw, judged in ((1, english), (2, spanish)):
        shown = {"pictures": [], "texts": [english, judged], "choices": []}
        connection.execute(
            "update review.review__records set shown = ? where draw = ?",
            [json.dumps(shown), draw],
        )
    sheet = tmp_path / "es.csv"
    assert write_sheet(connection, sheet, QUEUE, None, None, "ann", "es") == 1
    [row] = _read(sheet)
    assert (row["record_id"], row["en_question"]) == ("r2", "How many?")
    assert row["translated_question"] == "¿Cuántos?"
    assert write_sheet(connection, tmp_path / "en.csv", QUEUE, None, None, "ann", "en") == 1
    assert [row["record_id"] for row in _read(tmp_path / "en.csv")] == ["r3"]
    assert write_sheet(connection, tmp_path / "ar.csv", QUEUE, None, None, "ann", "ar") == 0


@pytest.mark.parametrize(
    ("changed", "field", "found"),
    [
        ({"is_clear": "perhaps"}, "is_clear", "perhaps"),
        ({"reader": ""}, "reader", "nothing"),
        ({"reader": "all"}, "reader", "all"),
        ({"reader": "a\u200bnn"}, "reader", "a\u200bnn"),
        ({"record_md5": " "}, "record_md5", "nothing"),
        ({"benchmark": "other"}, "queue", "other with q"),
        ({"queue": ""}, "queue", "b"),
        ({"record_id": "r1"}, "record_id", "r1"),
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
    write_sheet(connection, sheet, QUEUE, None, 2, "ann")
    _fill_in(sheet, {name: {"is_right": "yes"} for name in ("r2", "r3")}, **changed)
    landing = land_sheet(DuckDbSink(connection), sheet)
    # of two rows for one record the first counts
    assert landing.n_rejected == (1 if field == "record_id" else 2)
    rejected = connection.execute(
        "select distinct field, found from raw.rejected_records where array_name = 'votes'"
    ).fetchall()
    assert rejected == [(field, found)]


def test_what_is_no_sheet_is_refused(connection: duckdb.DuckDBPyConnection, tmp_path: Path) -> None:
    sheet = tmp_path / "other.csv"
    sheet.write_text("record_id,is_right\nr1,yes\n")
    with pytest.raises(GainsayError, match="no column benchmark, queue, record_md5, note, reader"):
        land_sheet(DuckDbSink(connection), sheet)
    cut = tmp_path / "cut.csv"
    cut.write_text('record_id,note\nr1,fine\nr2,"not so f')
    with pytest.raises(GainsayError, match=r"cut\.csv: no CSV from line 3 on: .* cut short"):
        land_sheet(DuckDbSink(connection), cut)
    with pytest.raises(GainsayError, match="there is such a file"):
        write_sheet(connection, sheet, QUEUE, None, None, "ann")
    clashing = Queue("b", "q", {"choices": ("yes", "no")})
    with pytest.raises(GainsayError, match="a text has the name of a column"):
        write_sheet(connection, tmp_path / "new.csv", clashing, None, None, "ann")


def test_a_log_lands_once_and_its_cut_line_when_it_is_whole(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    log = tmp_path / "q.ndjson"
    line = json.dumps(EVENT)
    undo = json.dumps(
        EVENT | {"event_id": "e2", "kind": "undo", "undoes": "e1", "answer": None, "later": 1}
    )
    log.write_text(f"{line}\n{line}\n\n{undo[:50]}")
    assert land_log(DuckDbSink(connection), log) == VoteLanding(n_landed=1, n_rejected=0, n_cut=1)
    log.write_text(f"{line}\n{line}\n\n{undo}\n")
    assert land_log(DuckDbSink(connection), log) == VoteLanding(n_landed=1, n_rejected=0, n_known=1)
    # a copy of the log elsewhere says nothing new
    copy = tmp_path / "copy.ndjson"
    copy.write_bytes(log.read_bytes())
    assert land_log(DuckDbSink(connection), copy) == VoteLanding(
        n_landed=0, n_rejected=0, n_known=2
    )
    assert connection.execute(
        "select event_id, kind, undoes, answer, cast(voted_at as varchar), _source_file, _position"
        " from raw.votes order by event_id"
    ).fetchall() == [
        ("e1", "vote", None, "yes", "2026-01-01 08:00:00", "votes/q.ndjson", 0),
        ("e2", "undo", "e1", None, "2026-01-01 08:00:00", "votes/q.ndjson", 3),
    ]


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("{", "$"),
        ("[]", "$"),
        ("\xff", "$"),
        ("[" * 5_000, "$"),
        (json.dumps({name: EVENT[name] for name in EVENT if name != "reader"}), "$"),
        (json.dumps(EVENT | {"voted_at": "2026-01-01T10:00:00"}), "$.voted_at"),
        (json.dumps(EVENT | {"record_id": ""}), "$.record_id"),
        (json.dumps(EVENT | {"kind": "flag"}), "$.kind"),
        (json.dumps(EVENT | {"answer": None}), "$.answer"),
        (json.dumps(EVENT | {"kind": "undo"}), "$.undoes"),
        (json.dumps(EVENT | {"note": "a\x00b"}), "$"),
        (json.dumps(EVENT | {"reader": "all"}), "$.reader"),
        (json.dumps(EVENT | {"reader": " "}), "$.reader"),
        (json.dumps(EVENT | {"reader": "\u202eann"}), "$.reader"),
    ],
)
def test_a_line_that_is_no_event_is_rejected(
    connection: duckdb.DuckDBPyConnection, tmp_path: Path, line: str, field: str
) -> None:
    log = tmp_path / "q.ndjson"
    good = json.dumps(EVENT | {"event_id": "good"})
    log.write_bytes(f"{line}\n{good}\n".encode("latin-1"))
    for n_known in (0, 1):
        landing = land_log(DuckDbSink(connection), log)
        assert landing == VoteLanding(1 - n_known, n_rejected=1, n_known=n_known)
    assert connection.execute(
        "select field, _position, _source_file from raw.rejected_records"
    ).fetchall() == [(field, 0, "votes/q.ndjson")]
