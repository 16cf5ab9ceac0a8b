"""The queries that README and pages of docs offer run and answer what they say."""

import re
from pathlib import Path

import pytest

from gainsay.cli.demo import _FIRST_LOOK, _TRY
from tests.python.conftest import PROJECT, Warehouse

PAGES = ("README.md", "docs/queries.md", "docs/guessing.md")
README = "\n".join((PROJECT / path).read_text() for path in PAGES)
QUERIES = dict(
    re.findall(r"^\*\*(.+?)\*\*\n+```sql\n(.+?)```", README, flags=re.MULTILINE | re.DOTALL)
)


def test_readme_asks_five_questions() -> None:
    assert len(QUERIES) >= 5


@pytest.mark.parametrize("question", QUERIES)
def test_query_answers(synthetic: Warehouse, question: str) -> None:
    # the corpus is the demo's
    assert synthetic.rows(QUERIES[question])


@pytest.mark.parametrize("query", _TRY)
def test_what_the_demo_says_to_try_answers(synthetic: Warehouse, query: str) -> None:
    assert synthetic.rows(query)


def test_the_demo_builds_what_is_asked_of(parsed: Path) -> None:
    """Of the tables that the queries name each is among the models of the first look."""
    from gainsay.project.runner import run_dbt

    listed = run_dbt(
        ["--quiet", "ls", "--select", *_FIRST_LOOK, "--resource-type", "model", "--output", "name"],
        warehouse=parsed / "gainsay.duckdb", target_path=parsed, parsed=parsed / "state",
    )  # fmt: skip
    built = set(listed.result)
    named = {
        table
        for query in (*QUERIES.values(), *_TRY)
        for table in re.findall(r"\b\w+\.(\w+__\w+)", query)
    }
    # what `gainsay review` and `gainsay browse` begin with, and what the report says of the gates
    pages = {"review__records", "review__progress", "audit__candidates", "audit__gate_precision"}
    assert pages <= built
    # made while dbt runs
    assert named - built == {"audit__test_results"}


def test_a_question_that_is_in_the_suite_is_not_said_to_be_out_of_it(synthetic: Warehouse) -> None:
    """A base that drops from another benchmark is in the Conflict Suite all the same."""
    [query] = [query for question, query in QUERIES.items() if "not in the suite" in question]
    [(question_id,)] = synthetic.rows("""
        select min(drops.question_id)
        from audit.audit__drops as drops
        inner join conflict_suite.conflict_suite__screened as screened
            on drops.question_id = screened.question_id
        where screened.is_retained
    """)
    assert question_id is not None

    assert synthetic.rows(re.sub(r"question_id = \d+", f"question_id = {question_id}", query)) == []
