"""The card of an export says what people answered of its records, where they did."""

import json

import duckdb
import pytest

from gainsay.exports.card import card
from gainsay.exports.formats import format_of
from gainsay.exports.records import Records

ROWS = [
    ("a", "answerable", 0.0, [("rome", 0.9), ("italy", 0.1)]),
    ("b", "answerable", 0.0, [("2", 1.0)]),
    ("c", "unanswerable", 0.4, [("unknown", 0.4), ("oslo", 0.3)]),
    # held back, and without its picture
    ("d", "unanswerable", 1.0, [("unknown", 1.0)]),
    ("e", "unanswerable", 1.0, [("unknown", 1.0)]),
    ("f", "unanswerable", None, None),
]


def _records(rows: list[tuple[str, str, float | None, list[tuple[str, float]] | None]]) -> Records:
    connection = duckdb.connect()
    connection.execute("create schema exports")
    connection.execute("""
        create table exports.exports__records (
            example_id varchar, benchmark varchar, split varchar, operator varchar,
            doubt_share double, answer_shares varchar, license_name varchar, license_url varchar,
            is_two_sided boolean
        )
    """)
    for example_id, side, doubt, answers in rows:
        split = "held_back" if example_id == "d" else "test"
        shares = answers and json.dumps([{"answer": said, "share": n} for said, n in answers])
        connection.execute(
            "insert into exports.exports__records"
            " values (?, 'certainly_uncertain', ?, ?, ?, ?, 'CC BY', 'https://x', true)",
            [example_id, split, side, doubt, shares],
        )
    connection.execute("""
        create view exports.exports__jsonl as
        select * from exports.exports__records where example_id <> 'e'
    """)
    chosen = format_of("jsonl", "certainly_uncertain")
    return Records(connection, chosen.model, chosen.source, "certainly_uncertain")


def test_means_are_of_the_records_that_are_exported() -> None:
    assert _records(ROWS).people() == [
        {"side": "answerable", "n": 2, "doubt_share": 0.0, "answer_share": pytest.approx(0.95)},
        {"side": "unanswerable", "n": 1, "doubt_share": 0.4, "answer_share": 0.4},
    ]


@pytest.mark.parametrize("rows", [ROWS, ROWS[-1:]])
def test_the_card_has_their_table_where_there_are_such_records(
    rows: list[tuple[str, str, float | None, list[tuple[str, float]] | None]],
) -> None:
    records = _records(rows)
    shown = card(
        format_of("jsonl", "certainly_uncertain"), records, "certainly_uncertain", 4, {}, {}
    )
    assert ("| answerable | 2 | 0.000 | 0.950 |" in shown) == (rows is ROWS)
    assert ("## What people answered" in shown) == (rows is ROWS)
