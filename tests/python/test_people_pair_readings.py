"""Pairs that people's doubt makes, read by answers and captions: those that stand are right."""

import csv
from collections import defaultdict

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

GOAL = 0.95


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / "people_pairs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def _verdicts(rows: list[dict[str, str]], reader: str) -> dict[tuple[str, str], list[bool]]:
    """Verdicts of what the rules keep, by tier and category."""
    verdicts = defaultdict(list)
    for row in rows:
        if row["stands"] == "true":
            verdicts[row["tier"], row["category"]].append(row[reader] == "true")
    return verdicts


def test_each_category_is_right_as_often_as_it_should_be(rows: list[dict[str, str]]) -> None:
    shares = {
        family: sum(found) / len(found) for family, found in _verdicts(rows, "is_right").items()
    }
    assert {family: share for family, share in shares.items() if share < GOAL} == {}
    assert {category for tier, category in shares if tier == "pair"} == {
        "complexity",
        "knowledge",
        "perception",
        "temporal",
    }


def test_every_record_was_read_by_itself(rows: list[dict[str, str]]) -> None:
    assert len(rows) == 157
    reasons = [row["reason"] for row in rows]
    assert len(set(reasons)) == len(reasons)
    assert [reason for reason in reasons if len(reason.split()) < 5] == []


def test_the_page_publishes_how_much_of_what_stands_is_right(rows: list[dict[str, str]]) -> None:
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())
    stand = [row for row in rows if row["stands"] == "true"]
    twice = [row for row in stand if row["second_is_right"]]
    first, second = (
        sum(row[reader] == "true" for row in read)
        for reader, read in (("is_right", stand), ("second_is_right", twice))
    )
    said = f"Of the {len(stand)} that stand the first finds {first} right, the second {second} of"
    assert f"{said} {len(twice)}." in page


def test_the_looser_tier_is_left_out_for_what_was_read() -> None:
    """What both readers find right, and whose words do not tell, would have to come in."""
    with (PROJECT / "tests" / "readings" / "people_loose.csv").open(newline="") as file:
        read = list(csv.DictReader(file))
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())
    assert len({row["reason"] for row in read}) == len(read) == 60
    n_told = sum(row["told_by_words"] == "true" for row in read)
    assert f"the second reader named the open one for {n_told} of {len(read)}" in page
    for category in {row["category"] for row in read}:
        found = [row for row in read if row["category"] == category]
        right, second, told = (
            sum(row[column] == "true" for row in found)
            for column in ("is_right", "second_is_right", "told_by_words")
        )
        assert min(right, second) / len(found) < GOAL or told / len(found) > 0.5


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_what_stands_is_what_the_rules_draw(rows: list[dict[str, str]], real: Warehouse) -> None:
    drawn = {
        str(pair_id)
        for (pair_id,) in real.rows("""
            select pair_id from certainly_uncertain.certainly_uncertain__people_pairs
            where passes_draw
        """)
    }
    assert {row["pair_id"] for row in rows if row["stands"] == "true"} == {
        row["pair_id"] for row in rows if row["pair_id"] in drawn
    }


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_every_pair_of_people_was_read(rows: list[dict[str, str]], real: Warehouse) -> None:
    """The pairs of the sample are few enough to read each."""
    retained = {
        str(pair_id)
        for (pair_id,) in real.rows("""
            select pair_id
            from certainly_uncertain.certainly_uncertain__screened
            where is_retained and source = 'people'
        """)
    }
    read = {row["pair_id"] for row in rows if row["tier"] == "pair"}
    assert len(retained) >= 60
    assert retained - read == set()


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_a_question_of_people_tells_no_side(real: Warehouse) -> None:
    """Each question is asked as often of a picture that answers as of one that leaves it open."""
    assert (
        real.rows("""
            select question
            from certainly_uncertain.certainly_uncertain__examples
            where source = 'people'
            group by split, question
            having
                sum(case when is_answerable then 1 else -1 end) <> 0
                or bool_or(stem_is_one_sided)
        """)
        == []
    )
