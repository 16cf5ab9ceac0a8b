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


@pytest.mark.parametrize(("name", "unit"), [("refined", "records"), ("occlusions", "occlusions")])
def test_the_page_says_what_a_stranger_signed(name: str, unit: str) -> None:
    read = _stranger(name)
    signed = [all(record[asked] == "true" for asked in FIVE) for record in read]
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())

    assert f"{sum(signed)} of {len(read)} {unit}" in page


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

    read = records + _stranger("refined")
    assert {record["id"]: made.get(record["id"]) for record in read} == {
        record["id"]: tuple(
            record[name] for name in ("question", "text", "shown_image_id", "target")
        )
        for record in read
    }
