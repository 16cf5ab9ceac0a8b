"""Drops that were read: the project still drops them there, and the docs say how many are right."""

import csv
from collections import Counter, defaultdict
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

READINGS = PROJECT / "tests" / "readings" / "gates.csv"
Stage = tuple[str, str]
# gates that came before a stage after its drops were read, and take some of them
SINCE = {("pairs_from_captions", "draw"): "overlap"}


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def readings() -> list[dict[str, str]]:
    return _read(READINGS)


def test_ten_stages_were_read_record_by_record(readings: list[dict[str, str]]) -> None:
    by_stage = Counter((row["screening"], row["stage"]) for row in readings)
    assert set(by_stage.values()) == {50}
    assert len(by_stage) == 10
    assert {row["verdict"] for row in readings} == {"true", "false", "unsure"}
    # a reason that fits two records was written for neither
    for column in ("reason", "second_reason"):
        reasons = [row[column] for row in readings if row[column]]
        assert len(set(reasons)) == len(reasons)
    twice = [row for row in readings if row["second_verdict"]]
    assert len(twice) >= len(readings) / 3


def test_the_docs_say_what_was_read(readings: list[dict[str, str]]) -> None:
    counts: dict[Stage, Counter[str]] = defaultdict(Counter)
    for row in readings:
        count = counts[row["screening"], row["stage"]]
        count[row["verdict"]] += 1
        if row["second_verdict"]:
            count["twice"] += 1
            count["agreed"] += row["second_verdict"] == row["verdict"]
    docs = (PROJECT / "docs" / "readings.md").read_text()
    for (screening, stage), count in counts.items():
        share = count["true"] / (count["true"] + count["false"])
        assert (
            f"| {screening} | {stage} | {count['true']} | {count['false']} | {count['unsure']}"
            f" | {share:.0%} | {count['agreed']} of {count['twice']} |"
        ) in docs


@needs_real_sample
def test_what_was_read_is_still_dropped_there(
    real: Warehouse, readings: list[dict[str, str]]
) -> None:
    ends = {
        (screening, candidate_id): stage
        for screening, candidate_id, stage in real.rows(
            "select screening, candidate_id, stage from audit.audit__candidates"
        )
    }
    moved = [
        row["candidate_id"]
        for row in readings
        if row["stands"] == "true"
        and ends.get((row["screening"], row["candidate_id"]))
        not in (row["stage"], SINCE.get((row["screening"], row["stage"])))
    ]
    assert moved == []
