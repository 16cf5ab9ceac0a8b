"""The seed `readings` says of each file of verdicts what is in it."""

import csv

import pytest

from gainsay.release.readings import read_readings
from tests.python.conftest import PROJECT


def _rows() -> list[dict[str, str]]:
    with (PROJECT / "seeds" / "exports" / "readings.csv").open(newline="") as seed:
        return list(csv.DictReader(seed))


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
