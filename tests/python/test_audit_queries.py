"""The queries that README and docs/queries.md offer run and answer what they say."""

import re

import pytest

from tests.python.conftest import PROJECT, Warehouse

README = "\n".join((PROJECT / path).read_text() for path in ("README.md", "docs/queries.md"))
QUERIES = dict(
    re.findall(r"^\*\*(.+?)\*\*\n+```sql\n(.+?)```", README, flags=re.MULTILINE | re.DOTALL)
)


def test_readme_asks_five_questions() -> None:
    assert len(QUERIES) >= 5


@pytest.mark.parametrize("question", QUERIES)
def test_query_answers(synthetic: Warehouse, question: str) -> None:
    query = QUERIES[question]
    candidate = re.search(r"question_id = (\d+)", query)
    if candidate:
        # the README's example id, replaced by one that this corpus dropped
        [(question_id,)] = synthetic.rows("""
            select min(question_id)
            from audit.audit__drops
            where stage = 'consistency'
        """)
        query = query.replace(candidate.group(), f"question_id = {question_id}")

    assert synthetic.rows(query)


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
