"""What breaks an integrity check is found by that check, and seals no manifest."""

import csv
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.python.conftest import PROJECT, Warehouse

EXAMPLES = "conflict_suite.conflict_suite__examples"
BASES = "conflict_suite.conflict_suite__bases"
SCREENED = "conflict_suite.conflict_suite__screened"
VIOLATIONS = "conflict_suite.conflict_suite__violations"
MANIFEST = "select * from conflict_suite.conflict_suite__manifest order by all"

# as the synthetic corpus is, its few question templates stand in every split
DISJOINT_TEMPLATES = f"update {EXAMPLES} set template_id = base_id"


def _first(condition: str, of: str = "example_id", table: str = EXAMPLES) -> str:
    return f"(select min({of}) from {table} where {condition})"


def _change(column: str, value: str, condition: str) -> str:
    return f"update {EXAMPLES} set {column} = {value} where example_id = {_first(condition)}"


FILTERED = _first("drop_stage = 'family'", of="question_id", table=SCREENED)
UNCAPTIONED = _first("drop_stage = 'caption'", of="question_id", table=SCREENED)
LOST = _first("operator = 'clean'")
REPEATED = _first("split = 'val'")
EDITED = _first("edit_kind is not null")
TRAIN_IMAGE = _first("split = 'train'", of="source_image_id")
TRAIN_BASE = _first("split = 'train'", of="base_id")
VAL_BASE = _first("split = 'val'", of="base_id")
TEST_BASE = _first("split = 'test_id'", of="base_id")

# check, what breaks it, the record that is reported
BREACHES = [
    (
        "screening_conserves_rows",
        f"delete from {SCREENED} where question_id = {FILTERED}",
        FILTERED,
    ),
    (
        "screening_conserves_rows",
        f"insert into {SCREENED} from {SCREENED} where question_id = {UNCAPTIONED}",
        UNCAPTIONED,
    ),
    (
        "screening_conserves_rows",
        f"insert into {SCREENED} select * replace (-1 as question_id) from {SCREENED} limit 1",
        "-1",
    ),
    (
        "every_base_has_its_variants",
        f"delete from {EXAMPLES} where example_id = {LOST}",
        _first(f"example_id = {LOST}", of="base_id"),
    ),
    (
        "every_swap_has_a_donor",
        _change("donor_base_id", "null", "variant_id = 'swap_easy'"),
        _first("variant_id = 'swap_easy'"),
    ),
    (
        "every_swap_has_a_donor",
        _change("donor_base_id", "base_id", "variant_id = 'swap_hard'"),
        _first("variant_id = 'swap_hard'"),
    ),
    (
        "every_swap_has_a_donor",
        _change("text_input", "text_input || '!'", "variant_id = 'swap_hard' and split = 'val'"),
        _first("variant_id = 'swap_hard' and split = 'val'"),
    ),
    (
        "example_id_is_unique",
        f"insert into {EXAMPLES} from {EXAMPLES} where example_id = {REPEATED}",
        REPEATED,
    ),
    (
        "every_edit_differs",
        f"update {EXAMPLES} as examples set text_input = bases.caption from {BASES} as bases"
        f" where examples.base_id = bases.base_id and examples.example_id = {EDITED}",
        EDITED,
    ),
    (
        "severity_matches_corruption",
        _change("severity", "0", "severity = 1"),
        _first("severity = 1"),
    ),
    (
        "severity_matches_corruption",
        _change("corrupt_modality", "'none'", "severity = 2"),
        _first("severity = 2"),
    ),
    (
        "no_heldout_record_in_id_splits",
        _change("split", "base_split", "split = 'test_ood_family'"),
        _first("split = 'test_ood_family'"),
    ),
    (
        "no_heldout_record_in_id_splits",
        _change("split", "base_split", "split = 'test_ood_severity'"),
        _first("split = 'test_ood_severity'"),
    ),
    (
        "ood_family_is_heldout",
        _change("family", "'count'", "split = 'test_ood_family'"),
        _first("split = 'test_ood_family'"),
    ),
    (
        "ood_severity_is_heldout",
        _change("severity", "2", "split = 'test_ood_severity' and base_split = 'val'"),
        _first("split = 'test_ood_severity' and base_split = 'val'"),
    ),
    (
        "no_source_image_crosses_id_splits",
        f"update {EXAMPLES} set source_image_id = {TRAIN_IMAGE} where base_id = {TEST_BASE}",
        TRAIN_IMAGE,
    ),
    (
        "no_template_crosses_id_splits",
        f"update {EXAMPLES} set template_id = 'shared' where base_id in ({TRAIN_BASE}, {VAL_BASE})",
        "'shared'",
    ),
]
CHECKS = [
    row["check_name"]
    for row in csv.DictReader(
        (PROJECT / "seeds/shared/integrity_checks.csv").read_text().splitlines()
    )
    if row["benchmark"] == "conflict_suite"
]
VARS = ("--vars", "conflict_suite_require_disjoint_templates: true")


@pytest.fixture(scope="module")
def violations(
    synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[duckdb.DuckDBPyConnection, str]]:
    """A copy of the synthetic warehouse to write to, and the query that finds violations."""
    warehouse = _copy(synthetic, tmp_path_factory.mktemp("violations"))
    warehouse.dbt("compile", "--select", "conflict_suite__violations", *VARS)
    [query] = warehouse.folder.glob("target/compiled/**/conflict_suite__violations.sql")
    with duckdb.connect(warehouse.path) as connection:
        connection.execute(DISJOINT_TEMPLATES)
        yield connection, query.read_text()


def test_sound_warehouse_has_no_violation(
    violations: tuple[duckdb.DuckDBPyConnection, str],
) -> None:
    connection, query = violations
    assert connection.execute(query).fetchall() == []


@pytest.mark.parametrize(
    ("check", "breach", "record"), BREACHES, ids=[breach[0] for breach in BREACHES]
)
def test_a_breach_is_found_by_its_check_alone(
    violations: tuple[duckdb.DuckDBPyConnection, str], check: str, breach: str, record: str
) -> None:
    connection, query = violations
    connection.begin()
    try:
        expected = connection.execute(f"select '{check}', cast({record} as varchar)").fetchall()
        connection.execute(breach)
        found = connection.execute(f"select check_name, record_id from ({query})").fetchall()
    finally:
        connection.rollback()

    assert found == expected


def test_every_check_is_breached() -> None:
    assert {check for check, _, _ in BREACHES} == set(CHECKS)


def test_a_breach_fails_the_build_and_keeps_the_sealed_manifest(
    synthetic: Warehouse, tmp_path: Path
) -> None:
    """One build with every breach in it: the test of the violations fails, and says so for good."""
    warehouse = _copy(synthetic, tmp_path)
    sealed = warehouse.rows(MANIFEST)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute(DISJOINT_TEMPLATES)
        for _, breach, _ in BREACHES:
            connection.execute(breach)

    build = warehouse.dbt("build", "--select", "conflict_suite__violations+", *VARS, check=False)

    assert build.returncode == 1
    assert re.search(r"SKIP relation conflict_suite\.conflict_suite__manifest ", build.stdout)
    assert warehouse.rows(MANIFEST) == sealed
    assert {check for (check,) in warehouse.rows(f"select check_name from {VIOLATIONS}")} == set(
        CHECKS
    )
    assert warehouse.rows(f"""
        select test_name, n_failures = (select count(*) from {VIOLATIONS})
        from audit.audit__test_results
        where status = 'fail' and message is not null
    """) == [("holds_conflict_suite__violations", True)]


def test_a_policy_without_an_action_for_a_row_fails_the_build(
    synthetic: Warehouse, tmp_path: Path
) -> None:
    warehouse = _copy(synthetic, tmp_path)
    examples = warehouse.rows(f"select count(*), sum(hash(e)) from {EXAMPLES} as e")
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("delete from vocabulary.oracle_policy where text_state = 'corrupted'")

    build = warehouse.dbt(
        "build", "--select", "conflict_suite__examples", "--exclude-resource-type", "unit_test",
        check=False,
    )  # fmt: skip

    assert build.returncode == 1
    assert "NOT NULL constraint failed" in build.stdout
    assert "oracle_action" in build.stdout
    assert warehouse.rows(f"select count(*), sum(hash(e)) from {EXAMPLES} as e") == examples


def test_results_of_every_test_are_kept(synthetic: Warehouse) -> None:
    [(are_many, n_repeated, n_not_passed, n_without_node)] = synthetic.rows("""
        select
            count(*) > 100,
            count(*) - count(distinct (invocation_id, test_name)),
            count(*) filter (where status <> 'pass' or n_failures <> 0 or message is not null),
            count(*) filter (where tested_nodes = '' or tested_nodes is null)
        from audit.audit__test_results
        -- a corpus of 200 images is no size for a gate, which warns
        where test_name not like '%every_gate_passes%'
    """)
    assert are_many
    assert (n_repeated, n_not_passed, n_without_node) == (0, 0, 0)


def _copy(synthetic: Warehouse, folder: Path) -> Warehouse:
    warehouse = Warehouse(folder)
    shutil.copy(synthetic.path, warehouse.path)
    return warehouse
