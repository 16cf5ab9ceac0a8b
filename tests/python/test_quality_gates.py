"""Every check of Reality Check's quality gates passes where its condition holds, and else fails.

Unit tests of the findings' models give each condition both ways; dbt runs them with the models.
"""

import csv
from functools import cache

import duckdb
import jinja2
import msgspec
import pytest

from tests.python.conftest import PROJECT, Warehouse

CHECKS = PROJECT / "seeds" / "reality_check" / "reality_check_quality_checks.csv"
FINDINGS = PROJECT / "models" / "benchmarks" / "reality_check" / "sealing"

with CHECKS.open(newline="") as seed:
    # what is measured outside the warehouse is tested where it is measured
    MEASURED = [
        (row["gate_id"], row["check_name"])
        for row in csv.DictReader(seed)
        if row["is_probed"] == "false"
    ]


@cache
def verdicts() -> dict[tuple[str, str], set[bool | None]]:
    """What unit tests expect of each check."""
    found: dict[tuple[str, str], set[bool | None]] = {}
    for path in FINDINGS.glob("*_findings.yml"):
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


@pytest.mark.parametrize(
    ("count_a", "count_b", "expected"),
    [
        (3, 7, "easy"),
        (2, 6, "easy"),
        (5, 7, "medium"),
        (5, 6, "hard"),
        (6, 5, "hard"),
        # a gap of one is no pair where a number is seen at a glance
        (4, 5, None),
        (3, 4, None),
        (6, 6, None),
    ],
)
def test_numbers_are_as_hard_to_compare_as_the_protocol_says(
    count_a: int, count_b: int, expected: str | None
) -> None:
    project = msgspec.yaml.decode((PROJECT / "dbt_project.yml").read_bytes())
    source = (PROJECT / "macros/sampling/partners.sql").read_text()
    # what it makes is SQL
    environment = jinja2.Environment(autoescape=False)
    macros = environment.from_string(source, globals={"var": project["vars"].get}).module
    difficulty = macros.counting_difficulty(count_a, count_b)  # type: ignore[attr-defined]
    with duckdb.connect() as connection:
        found = connection.execute(f"select {difficulty}").fetchall()
    assert found == [(expected,)]
