"""Every check of Reality Check's quality gates passes where its condition holds, and else fails.

Unit tests of the models of checks give each condition both ways; dbt runs them with the models.
"""

import csv
import re
from functools import cache

import msgspec
import pytest

from tests.python.conftest import PROJECT, Warehouse

CHECKS = PROJECT / "seeds" / "reality_check" / "reality_check_quality_checks.csv"
CHECKS_OF_MODELS = PROJECT / "tests" / "unit" / "benchmarks" / "reality_check" / "sealing"

with CHECKS.open(newline="") as seed:
    MEASURED = [(row["gate_id"], row["check_name"]) for row in csv.DictReader(seed)]


@cache
def verdicts() -> dict[tuple[str, str], set[bool | None]]:
    """What unit tests expect of each check."""
    found: dict[tuple[str, str], set[bool | None]] = {}
    for path in CHECKS_OF_MODELS.glob("*_checks.yml"):
        for unit_test in msgspec.yaml.decode(path.read_bytes())["unit_tests"]:
            for row in unit_test["expect"]["rows"]:
                check = (str(row["gate_id"]), row["check_name"])
                found.setdefault(check, set()).add(row["is_passed"])
    return found


@pytest.mark.parametrize("check", MEASURED, ids="-".join)
def test_a_unit_test_breaks_the_condition_and_another_keeps_it(check: tuple[str, str]) -> None:
    # a unit test has no table whose columns could be whole
    expected = {False} if check == ("2.1", "record_fields") else {True, False}
    assert verdicts().get(check, set()) >= expected


def test_a_table_of_collected_images_has_its_columns(synthetic: Warehouse) -> None:
    assert synthetic.rows(
        "select measured, is_passed from reality_check.reality_check__quality_gates"
        " where check_name = 'record_fields'"
    ) == [("0", True)]


def test_unit_tests_know_no_check_that_the_seed_lacks() -> None:
    with CHECKS.open(newline="") as seed:
        listed = {(row["gate_id"], row["check_name"]) for row in csv.DictReader(seed)}
    assert verdicts().keys() <= listed


# concerns of thresholds of which a model reads all rows
_READ_AS_A_WHOLE = {"spatial_quota", "streetview_headings"}


def test_thresholds_are_read_by_their_names() -> None:
    listed = set()
    for path in (PROJECT / "seeds").rglob("*_thresholds.csv"):
        with path.open(newline="") as seed:
            # those of such a concern have names that nobody asks for
            listed |= {
                (path.stem.removesuffix("_thresholds"), row["name"])
                for row in csv.DictReader(seed)
                if row.get("name") and row["concern"] not in _READ_AS_A_WHOLE
            }
    read = set()
    for folder in ("models", "macros", "tests/sql"):
        for path in (PROJECT / folder).rglob("*.sql"):
            text = path.read_text()
            read |= set(re.findall(r"\bthreshold\('(\w+)', '(\w+)'\)", text))
            names = re.findall(r"\brc_threshold\('(\w+)'\)", text)
            read |= {("reality_check", name) for name in names}
    assert read == listed
