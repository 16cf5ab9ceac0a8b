"""The seed `readings` and the page of readings say of each file of verdicts what is in it."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from gainsay.release.readings import read_readings
from tests.python.conftest import PROJECT

_DRAWN = "reality_check_drawn_"


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def _rows() -> list[dict[str, str]]:
    return _read(PROJECT / "seeds" / "exports" / "readings.csv")


def _verdicts() -> dict[str, list[dict[str, str]]]:
    """The records of each file with verdicts; the drawn pictures of all biases are one."""
    found: dict[str, list[dict[str, str]]] = defaultdict(list)
    for path in sorted((PROJECT / "tests" / "readings").glob("*.csv")):
        records = _read(path)
        if "is_right" in records[0]:
            found[f"{_DRAWN}<bias>" if path.stem.startswith(_DRAWN) else path.stem] += records
    return found


READINGS = _verdicts()


def _row_of_page(name: str) -> str:
    """How many are right, and what a second reader says of those that were read twice."""
    records = READINGS[name]
    n, right = len(records), sum(row["is_right"] == "true" for row in records)
    twice = [
        (row["is_right"] == "true", row["second_is_right"] == "true")
        for row in records
        if row.get("second_is_right")
    ]
    return f"| `{name}` | {n} | {right} | {right / n:.1%} | {_agreement(twice)} |"


def _agreement(verdicts: list[tuple[bool, bool]]) -> str:
    """How many, how many are right to the second, in how many both agree, and Cohen's kappa."""
    if not verdicts:
        return "| | |"
    n = len(verdicts)
    first, second = (sum(verdict[reader] for verdict in verdicts) for reader in (0, 1))
    agreed = sum(one == other for one, other in verdicts) / n
    by_chance = (first * second + (n - first) * (n - second)) / n**2
    kappa = f"{(agreed - by_chance) / (1 - by_chance):.2f}" if by_chance < 1 else ""
    return f"{n} | {second} | {agreed:.1%} | {kappa}".rstrip()


@pytest.mark.parametrize("name", READINGS)
def test_the_page_publishes_what_was_read(name: str) -> None:
    assert _row_of_page(name) in (PROJECT / "docs" / "readings.md").read_text().splitlines()


def test_a_second_reader_judged_a_third_of_each_file() -> None:
    share = {
        name: sum(bool(row.get("second_is_right")) for row in records) / len(records)
        for name, records in READINGS.items()
    }
    assert [name for name, twice in share.items() if twice < 1 / 3] == []


@pytest.mark.parametrize("row", _rows(), ids=lambda row: str(row["name"]))
def test_the_seed_counts_the_verdicts_of_its_file(row: dict[str, str]) -> None:
    [reading] = read_readings(PROJECT, [row["name"]])
    counted = [int(row[name]) for name in ("n", "n_right", "n_second", "n_agreed")]
    assert counted == [reading.n, reading.n_right, reading.n_second, reading.n_agreed]


def test_a_record_of_a_reading_has_an_id_of_its_own() -> None:
    """What a card shows of a reading: never the tier or the family as its id."""
    for reading in read_readings(PROJECT, [row["name"] for row in _rows()]):
        told = {(sample.record_id, sample.texts) for sample in reading.samples}
        assert len(told) == len(reading.samples)
        assert not any("stands:" in sample.texts for sample in reading.samples)
