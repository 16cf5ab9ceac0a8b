"""Bases whose evidence was read: the project still makes them, and enough of them are right."""

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

READINGS = PROJECT / "tests" / "readings"
STRICT_GOAL = 0.95
VERDICTS = {"true": True, "false": False, "": None}


@dataclass(frozen=True)
class ReadBase:
    """A base, and whether its caption answers its question as the gold answer does."""

    base_id: str
    family: str
    question: str
    gold_answer: str
    caption: str
    is_right: bool
    reason: str


def _read(path: Path) -> list[ReadBase]:
    with path.open(newline="") as file:
        return [
            ReadBase(
                row["base_id"],
                row["family"],
                row["question"],
                row["gold_answer"],
                row["caption"],
                VERDICTS[row["is_right"]] is True,
                row["reason"],
            )
            for row in csv.DictReader(file)
        ]


@pytest.fixture(scope="module")
def strict() -> list[ReadBase]:
    return _read(READINGS / "strict_evidence.csv")


@pytest.fixture(scope="module")
def loose() -> list[ReadBase]:
    return _read(READINGS / "loose_evidence.csv")


def _share_right(bases: list[ReadBase]) -> float:
    return sum(base.is_right for base in bases) / len(bases)


def test_strict_evidence_is_right_as_often_as_it_should_be(strict: list[ReadBase]) -> None:
    assert len(strict) >= 113
    assert _share_right(strict) >= STRICT_GOAL


def test_every_verdict_has_a_reason_of_its_own(
    strict: list[ReadBase], loose: list[ReadBase]
) -> None:
    reasons = [base.reason for base in strict + loose]

    assert all(reasons)
    assert len(set(reasons)) > 0.9 * len(reasons)


@needs_real_sample
@pytest.mark.xdist_group("real")
@pytest.mark.parametrize(("sample", "is_strict"), [("strict", True), ("loose", False)])
def test_the_bases_read_are_the_ones_made(
    real: Warehouse, sample: str, is_strict: bool, request: pytest.FixtureRequest
) -> None:
    read: list[ReadBase] = request.getfixturevalue(sample)
    made = real.rows("""
        select
            base_id, bases.family, question, bases.gold_answer, caption, evidence_is_strict
        from conflict_suite.conflict_suite__bases as bases
        inner join conflict_suite.conflict_suite__evidence
            using (base_id)
    """)

    wanted: set[tuple[object, ...]] = {
        (base.base_id, base.family, base.question, base.gold_answer, base.caption, is_strict)
        for base in read
    }
    assert wanted - set(made) == set()
