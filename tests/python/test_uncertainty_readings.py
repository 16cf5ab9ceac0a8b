"""Extraneous questions that were read: the project still makes them, and enough are right."""

import csv
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

READING = PROJECT / "tests" / "readings" / "extraneous_questions.csv"
GOAL = 0.9


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with Path(READING).open(newline="") as file:
        return list(csv.DictReader(file))


def test_enough_questions_are_right(rows: list[dict[str, str]]) -> None:
    assert len(rows) == 100
    assert {row["is_right"] for row in rows} == {"true", "false"}
    assert all(row["reason"] for row in rows)
    assert sum(row["is_right"] == "true" for row in rows) >= GOAL * len(rows)


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_the_questions_read_are_the_ones_made(real: Warehouse, rows: list[dict[str, str]]) -> None:
    made = real.rows("""
        select candidates.pair_id, candidates.question, gold_answer, candidates.object_words,
            pairs.unanswerable_answer
        from certainly_uncertain.certainly_uncertain__image_candidates as candidates
        inner join certainly_uncertain.certainly_uncertain__pair_candidates as pairs using (pair_id)
        where coalesce(presence_words, number_words, whole_picture_words, world_knowledge_words,
                empty_answer_kind) is null
            and object_name is not null and n_asked_objects = 1 and n_agreeing >= 3
    """)
    columns = ("pair_id", "question", "answer", "object_words", "unanswerable_answer")
    assert {tuple(row[column] for column in columns) for row in rows} - set(made) == set()
