"""A question family joins the Conflict Suite by rows in seeds.

What docs/adding_a_question_family.md says is done to the letter, with a copy of the project and a
warehouse that was built before.
"""

import re
import shlex
from pathlib import Path

import pytest

from gainsay.inspect.freshness import changes, warning
from tests.python.conftest import PROJECT, Warehouse
from tests.python.project_copies import CopyWarehouse, copied_project

pytestmark = pytest.mark.xdist_group("question_family")

PAGE = (PROJECT / "docs/adding_a_question_family.md").read_text()


@pytest.fixture(scope="module")
def extended(synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> CopyWarehouse:
    """The built synthetic corpus, built again by a project that knows one family more."""
    folder = tmp_path_factory.mktemp("question_family")
    project = copied_project(folder / "project", ["conflict_suite"])
    steps = re.findall(r"^\d\. `(seeds/\S+\.csv)`.*?```\n\s*(\S+)\n\s*```", PAGE, re.DOTALL | re.M)
    assert len(steps) == 3
    for seed, row in steps:
        with (project / seed).open("a") as file:
            file.write(f"{row}\n")
    synthetic.copied_to(folder)
    warehouse = CopyWarehouse(folder, project)
    [command] = re.findall(r"^\d\. `gainsay (build --select .*?)`", PAGE, re.M)
    warehouse.run(*shlex.split(command))
    return warehouse


def test_the_page_s_query_shows_its_rows(extended: CopyWarehouse) -> None:
    [query] = re.findall(r"```sql\n(.*?)```", PAGE, re.DOTALL)
    found = extended.rows(query)
    assert {stage for stage, _, _ in found} >= {"retained", "consistency"}
    assert (
        sum(int(str(n)) for _, n, _ in found)
        == extended.rows("""
        select count(*) from conflict_suite.conflict_suite__screened where family = 'feature'
    """)[0][0]
    )


def test_what_was_not_built_again_says_so(extended: CopyWarehouse) -> None:
    with extended.connect() as connection:
        said = warning(changes(connection, ["audit__candidates"]))
    assert said is not None
    assert "conflict_suite__screened" in said


def test_its_questions_are_retained_or_dropped_for_a_reason(
    synthetic: Warehouse, extended: CopyWarehouse
) -> None:
    query = """
        select base_id, drop_stage, gold_answer
        from conflict_suite.conflict_suite__screened
        where question ilike 'has %' and answer is not null
        order by base_id
    """
    before, after = synthetic.rows(query), extended.rows(query)
    assert {stage for _, stage, _ in before} == {"family"}
    assert [row[0] for row in before] == [row[0] for row in after]
    stages = {stage for _, stage, _ in after}
    assert None in stages
    assert "family" not in stages
    assert {answer for _, stage, answer in after if stage is None} <= {"yes", "no"}


def test_its_bases_have_every_variant(extended: CopyWarehouse) -> None:
    operators = extended.rows("""
        select family = 'feature' as is_new, list(distinct operator order by operator)
        from conflict_suite.conflict_suite__examples
        group by all
        order by all
    """)
    assert len(operators) == 2
    assert operators[0][1] == operators[1][1]


def test_all_other_bases_stay_as_they_are(synthetic: Warehouse, extended: CopyWarehouse) -> None:
    query = """
        select base_id, family, gold_answer, caption
        from conflict_suite.conflict_suite__bases
        where family <> 'feature'
        order by base_id
    """
    assert synthetic.rows(query) == extended.rows(query)
    assert extended.rows("""
        select measure from conflict_suite.conflict_suite__manifest
        where section = 'distribution' and item = 'family' and measure = 'feature'
    """) == [("feature",)]


def test_a_row_that_breaks_its_seed_stops_the_build(extended: CopyWarehouse) -> None:
    """Last in this file: the seed is not there until it is loaded again."""
    seed = Path(extended.environment["GAINSAY_PROJECT"]) / "seeds/conflict_suite"
    with (seed / "question_families.csv").open("a") as file:
        file.write("feature,boolean,either\nshape,polygon,both\n")

    build = extended.gainsay("build", "--select", "question_families+1", check=False)

    assert build.returncode == 1
    assert "error: seed question_families" in build.stderr
    assert 'primary_key family: {"family":"feature","n_rows":2}' in build.stderr
    assert 'answer_type: {"value_field":"polygon","n_records":1}' in build.stderr
    assert re.search(r"1 seed error, \d+ models? skipped", build.stdout)
