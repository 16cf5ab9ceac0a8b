"""Questions of CLASH that were read: the project still asks them, and enough of them are right."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

READ = PROJECT / "tests" / "readings" / "clash_questions.csv"
SIDES = PROJECT / "tests" / "readings" / "clash_sides.csv"
# positions: the rules were mended after the first draws
RELATIONS = ("clash_relations", "clash_positions", "fresh_positions")
RIGHT_GOAL = 0.95
ASKED_GOAL = 0.11
VERDICTS = {"true": True, "false": False, "": None}


@dataclass(frozen=True)
class ReadQuestion:
    """An edited caption and its question, and whether both are right."""

    proposal_id: str
    edited_caption: str
    question: str
    distractor: str
    is_right: bool
    reason: str
    # whether the rules still ask it
    stands: bool


def verdicts_of(path: Path) -> list[ReadQuestion]:
    """The records of a reading with their verdicts."""
    with path.open(newline="") as file:
        return [
            ReadQuestion(
                row["proposal_id"],
                row["edited_caption"],
                row["question"],
                row["distractor"],
                VERDICTS[row["is_right"]] is True,
                row["reason"],
                row.get("stands") != "false",
            )
            for row in csv.DictReader(file)
        ]


@pytest.fixture(scope="module")
def read() -> list[ReadQuestion]:
    return verdicts_of(READ)


def test_questions_are_right_as_often_as_they_should_be(read: list[ReadQuestion]) -> None:
    standing = [question for question in read if question.stands]

    assert len(standing) == 7
    assert sum(question.is_right for question in standing) >= RIGHT_GOAL * len(standing)


@pytest.fixture(scope="module")
def relations() -> list[ReadQuestion]:
    """All draws of questions about positions."""
    folder = PROJECT / "tests" / "readings"
    return [each for name in RELATIONS for each in verdicts_of(folder / f"{name}.csv")]


@pytest.mark.parametrize("name", RELATIONS)
def test_enough_positions_are_right(name: str) -> None:
    read = verdicts_of(PROJECT / "tests" / "readings" / f"{name}.csv")
    standing = [question for question in read if question.stands]

    assert len({question.reason for question in read}) == len(read)
    assert sum(question.is_right for question in standing) >= RIGHT_GOAL * len(standing)


def test_every_question_was_judged_by_itself(read: list[ReadQuestion]) -> None:
    reasons = [question.reason for question in read]

    assert all(reasons + [question.reason for question in verdicts_of(SIDES)])
    assert len(set(reasons)) > 0.95 * len(reasons)


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_of_what_was_read_just_what_stands_is_asked(
    real: Warehouse, read: list[ReadQuestion], relations: list[ReadQuestion]
) -> None:
    asked = set(
        real.rows("""
        select proposal_id, trim(proposals.edited_caption), question, distractor
        from clash.clash__questions
        inner join contradictions.contradictions__proposals as proposals
            using (proposal_id)
    """)
    )
    standing = {
        (each.proposal_id, each.edited_caption, each.question, each.distractor): each.stands
        for each in read + relations
    }

    assert {record: record in asked for record in standing} == standing


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_all_questions_for_sides_were_read(real: Warehouse) -> None:
    asked = real.rows("""
        select proposal_id, trim(proposals.edited_caption), question, distractor
        from clash.clash__questions
        inner join contradictions.contradictions__proposals as proposals
            using (proposal_id)
        where kind in ('hand', 'side')
    """)

    assert set(asked) == {
        (each.proposal_id, each.edited_caption, each.question, each.distractor)
        for each in verdicts_of(SIDES)
        if each.stands
    }


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_enough_real_captions_get_a_question(real: Warehouse) -> None:
    [(n_captions, n_asked)] = real.rows("""
        select
            (select count(*) from images.images__captions),
            count(distinct caption_id)
        from clash.clash__questions
    """)

    assert n_captions == 26_702
    assert n_asked >= ASKED_GOAL * n_captions  # type: ignore[operator]
