"""Crossed groups that were read: the project still makes them, and enough of them are right."""

import csv
from collections import defaultdict

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

GOAL = 0.95


@pytest.fixture(scope="module")
def records() -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / "crossed_groups.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_labels_are_right_as_often_as_they_should_be(records: list[dict[str, str]]) -> None:
    assert len(records) == 200
    assert sum(record["is_right"] == "true" for record in records) / len(records) >= GOAL


def test_every_verdict_has_a_reason_of_its_own(records: list[dict[str, str]]) -> None:
    reasons = [record["reason"] for record in records]

    assert all(reasons)
    assert len(set(reasons)) > 0.9 * len(reasons)


def test_the_page_says_how_many_groups_are_right(records: list[dict[str, str]]) -> None:
    groups: defaultdict[str, list[bool]] = defaultdict(list)
    for record in records:
        groups[record["id"].split("::")[0]].append(record["is_right"] == "true")
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())

    assert len(groups) == 50
    assert f"in {sum(map(all, groups.values()))} groups all four are right" in page


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
