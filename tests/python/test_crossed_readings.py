"""Crossed groups that were read: the project still makes them, and enough of them are right."""

import csv

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

GOAL = 0.95
# what a reading asks of a record
FIVE = ("true", "alone", "asked", "needed", "shown")


@pytest.fixture(scope="module")
def records() -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / "crossed_groups.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_labels_are_right_as_often_as_they_should_be(records: list[dict[str, str]]) -> None:
    assert sum(record["is_right"] == "true" for record in records) / len(records) >= GOAL


def test_every_verdict_has_a_reason_of_its_own(records: list[dict[str, str]]) -> None:
    reasons = [record["reason"] for record in records]

    assert all(reasons)
    assert len(set(reasons)) > 0.9 * len(reasons)


def _stranger(name: str) -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / f"stranger_{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def _signed(record: dict[str, str], *asked: str) -> bool:
    """Whether all who read the record say yes to what is asked."""
    readers = ("", "second_") if "second_true" in record else ("",)
    return all(record[reader + name] == "true" for reader in readers for name in asked)


@pytest.mark.parametrize(
    ("name", "unit"),
    [("refined", "groups"), ("clash", "samples"), ("certainly_uncertain", "pairs"),
     ("occlusions", "occlusions")],
)  # fmt: skip
def test_the_page_says_what_strangers_signed(name: str, unit: str) -> None:
    read = _stranger(name)
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())

    assert f"{sum(_signed(record, *FIVE) for record in read)} of {len(read)} {unit}" in page
    if name != "occlusions":
        counts = (str(sum(_signed(record, asked) for record in read)) for asked in FIVE)
        assert f"| `stranger_{name}` | {len(read)} | {' | '.join(counts)} |" in page


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_the_real_sample_still_has_the_records_that_were_read(
    records: list[dict[str, str]], real: Warehouse
) -> None:
    made = {
        str(row[0]): row[1:]
        for row in real.rows("""
            select example_id, question, text_input, shown_image_id, coalesce(target, '')
            from conflict_suite_refined.conflict_suite_refined__examples
        """)
    }

    assert {record["id"]: made.get(record["id"]) for record in records} == {
        record["id"]: tuple(
            record[name] for name in ("question", "text", "shown_image_id", "target")
        )
        for record in records
    }


STRANGERS = {
    "refined": """
        select group_id, question
        from conflict_suite_refined.conflict_suite_refined__examples
        where protocol = 'refined'
    """,
    "clash": "select sample_id, question from clash.clash__examples",
    "certainly_uncertain": """
        select pair_id, question
        from certainly_uncertain.certainly_uncertain__examples
        where is_answerable
    """,
}


@needs_real_sample
@pytest.mark.xdist_group("real")
@pytest.mark.parametrize("name", STRANGERS)
def test_the_real_sample_still_has_what_strangers_read(name: str, real: Warehouse) -> None:
    made = {(str(record), str(question)) for record, question in real.rows(STRANGERS[name])}
    assert {(record["id"], record["question"]) for record in _stranger(name)} <= made
