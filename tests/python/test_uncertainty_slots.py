"""Questions of CertainlyUncertain hold words of captions and of their template, and no others."""

import re
from collections.abc import Iterator

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.python.conftest import PROJECT, Warehouse

SLOTS = ("noun", "verb", "predicate", "plural_term", "garment", "quantity", "source_answer")
RULES = ("color", "place", "object", "activity", "posture", "count", "two_colors", "worn_color")
# words that no template has, so that each shows where it comes from
WORD = st.text("qxz", min_size=2, max_size=6)
FACT = st.fixed_dictionaries(
    {
        "form": st.sampled_from(("singular", "plural")),
        "rule": st.sampled_from(RULES),
        "class": st.sampled_from(("person", "animal", "vehicle", "food", "furniture", "thing")),
        "concept": WORD,
        **dict.fromkeys(SLOTS, WORD),
        "verb": st.none() | st.sampled_from(("sitting", "holding", "eating", "riding")) | WORD,
    }
)


@pytest.fixture(scope="module")
def templates(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """The compiled model `certainly_uncertain__rule_pairs` as `pairs`, over empty inputs."""
    compiled = Warehouse(tmp_path_factory.mktemp("slots"))
    compiled.dbt(
        "compile", "--no-introspect", "--select", "certainly_uncertain__rule_pairs", parses=False
    )
    [path] = (compiled.folder / "target/compiled").rglob("certainly_uncertain__rule_pairs.sql")
    seed = PROJECT / "seeds/certainly_uncertain/uncertainty_templates.csv"
    with duckdb.connect() as connection:
        connection.execute("attach ':memory:' as gainsay; use gainsay")
        connection.execute("create schema certainly_uncertain; create schema vocabulary")
        connection.execute(f"""
            create table certainly_uncertain.certainly_uncertain__image_facts (
                fact_id varchar, source_image_id varchar, form varchar, rule varchar,
                class varchar, concept varchar, answer varchar,
                {", ".join(f"{slot} varchar" for slot in SLOTS)}
            );
            create table certainly_uncertain.certainly_uncertain__texts (
                source_image_id varchar, words varchar[]
            );
            create table certainly_uncertain.certainly_uncertain__rival_facts (
                fact_id varchar, rival_fact_id varchar
            );
            create table vocabulary.uncertainty_templates as
            from read_csv('{seed}', all_varchar = true);
            create view pairs as {path.read_text()};
        """)
        yield connection


@settings(max_examples=30)
@given(facts=st.lists(FACT, min_size=1, max_size=12))
def test_a_slot_takes_no_word_of_its_own(
    templates: duckdb.DuckDBPyConnection, facts: list[dict[str, str | None]]
) -> None:
    fact_table = "certainly_uncertain.certainly_uncertain__image_facts"
    rival_table = "certainly_uncertain.certainly_uncertain__rival_facts"
    templates.execute(f"delete from {fact_table}; delete from {rival_table}")
    names = sorted(facts[0])
    for number, fact in enumerate(facts):
        templates.execute(
            f"insert into {fact_table} (fact_id, source_image_id, {', '.join(names)})"
            f" values (?, 'i', {', '.join('?' * len(names))})",
            [str(number), *(fact[name] for name in names)],
        )
        templates.execute(f"insert into {rival_table} (fact_id) values (?)", [str(number)])

    sides = templates.execute("""
        with sides as (
            select fact_id, answerable_rule as template, answerable_question as question from pairs
            union all
            select fact_id, unanswerable_rule, unanswerable_question from pairs
        )
        select sides.fact_id, sides.question, templates.question
        from sides
        inner join vocabulary.uncertainty_templates as templates using (template)
    """).fetchall()

    for number, question, pattern in sides:
        fact = facts[int(number)]
        own = set(re.findall(r"\w+", re.sub(r"{\w+}", " ", pattern)))
        captions = {word for slot in SLOTS for word in re.findall(r"\w+", fact[slot] or "")}
        assert set(re.findall(r"\w+", question)) <= own | captions
        assert not re.search(r"[{}]", question)
        assert "{" not in pattern or captions & set(re.findall(r"\w+", question))
