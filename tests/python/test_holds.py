"""The one data test of a model names each rule that a row breaks."""

from pathlib import Path

import duckdb

from tests.python.conftest import Warehouse

_BREACHES = (
    # of what was screened: a key, a condition, a combination that no seed has, and a row too many
    """
    insert into conflict_suite.conflict_suite__screened
    from (
        select * replace ('no family' as family, not is_retained as is_retained)
        from conflict_suite.conflict_suite__screened
        order by question_id
        limit 1
    )
    """,
    # of the choices: their other key, and a value that no choice has
    "update clash.clash__choices set choice_kind = 'no kind'",
)


def test_each_rule_that_a_row_breaks_is_named(synthetic: Warehouse, tmp_path: Path) -> None:
    warehouse = synthetic.copied_to(tmp_path)
    with duckdb.connect(warehouse.path) as connection:
        for breach in _BREACHES:
            connection.execute(breach)

    tested = warehouse.dbt(
        "test", "--select", "holds_conflict_suite__screened", "holds_clash__choices",
        "holds_conflict_suite__examples", check=False,
    )  # fmt: skip

    assert tested.returncode == 1
    kept = warehouse.rows("""
        select test_name, status, message
        from audit.audit__test_results
        where started_at = (select max(started_at) from audit.audit__test_results)
        order by test_name
    """)
    assert [row[:2] for row in kept] == [
        ("holds_clash__choices", "fail"),
        ("holds_conflict_suite__examples", "pass"),
        ("holds_conflict_suite__screened", "fail"),
    ]
    broken = {name: _rules(str(message)) for name, _, message in kept if message}
    assert broken == {
        "holds_clash__choices": [
            "accepted_values choice_kind",
            "primary_key sample_id, choice_kind",
        ],
        "holds_conflict_suite__screened": [
            "a_candidate_is_retained_or_dropped_for_a_reason",
            "combination_in family, answer_type, evidence_modality",
            "primary_key question_id",
            "row_count_equals conflict_suite__candidates",
        ],
    }
    # who runs dbt sees them, too
    assert 'primary_key question_id: {"question_id":' in tested.stdout


def _rules(message: str) -> list[str]:
    return [line.split(": {")[0] for line in message.splitlines()[1:]]
