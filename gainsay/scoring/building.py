"""What `gainsay score` has dbt build."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb

from gainsay.foundation.connection import connect
from gainsay.project.folder import project_vars
from gainsay.project.holdings import Relation
from gainsay.project.keeping import Plan, kept_to_warehouse, parsing_arguments, planned
from gainsay.project.parsing import ParsedNode, ParsedProject, parse_project
from gainsay.scoring.landed import answered_benchmarks

_TAG = "evaluation"
# what answers become first, from which the matchers start that lie in folders of benchmarks; and
# verdicts of judges, which may have landed a moment ago
_FROM = "evaluation__predictions"
_VERDICTS = "llm__outcomes"
# the review reads every benchmark, and no score reads the review. Nor are answers made records of
# it here: with them the warehouse would have more for people to look at, which a var lists, and
# dbt would parse the project anew
_REVIEW = ("review__records", "evaluation__review_records")
REFERENCES = ("--vars", "{evaluation_reference_answers: true}")


def scoring_plan(*, references: bool = False, project: Path | None = None) -> Plan:
    """What `dbt build` is to be called with to score what has landed in the warehouse.

    Of what the evaluation reads, what is there is taken as it is. Benchmarks that answers have
    landed to are built where they are missing. Raises `GainsayError` where dbt cannot parse the
    project.
    """
    arguments = [
        "--exclude-resource-type", "test", "unit_test",
        # nor does dbt look for tests of each model
        "--indirect-selection", "empty",
        *(REFERENCES if references else ()),
    ]  # fmt: skip
    with connect(read_only=True) as connection:
        answered = answered_benchmarks(connection)
    named = {*answered} & {*project_vars(project)["benchmarks"]}
    kept = kept_to_warehouse(arguments, project, named=named)
    parsed = parse_project(parsing_arguments(kept.arguments), project=project)
    with connect(read_only=True) as connection:
        relations = connection.execute(
            "select table_schema, table_name from information_schema.tables"
        ).fetchall()
        present = {(schema, name) for schema, name in relations}
        newer = [*_outdated(connection, parsed, present), *_unread(connection, parsed, present)]
        loaded = _loaded(connection, parsed, present)
    wanted = {*_models_of_answers(parsed), *newer} - loaded
    # what stands for several models is for dbt to say
    names = wanted if wanted <= parsed.nodes.keys() else None
    plan = planned(
        [*kept.arguments, *_selection(wanted, parsed)], project, parsed=parsed, selected=names
    )
    return replace(plan, sentence=kept.sentence)


def _selection(wanted: set[str], project: ParsedProject) -> list[str]:
    """Few words for what is wanted: dbt compares each of them with each node, three times."""
    tagged = {name for name, node in project.nodes.items() if _TAG in node.tags}
    excluded = sorted(tagged - wanted)
    return [
        "--select", f"tag:{_TAG}", *sorted(wanted - tagged),
        *(["--exclude", *excluded] if excluded else []),
    ]  # fmt: skip


def _models_of_answers(project: ParsedProject) -> set[str]:
    """What is built anew for answers: all models of them, and their seeds.

    What else they read is taken as it is: a view shows what has landed by now.
    """
    own = {name for name, node in project.nodes.items() if _TAG in node.tags}
    own |= {_VERDICTS} | project.down_from([_FROM])
    own &= project.nodes.keys() - project.down_from(_REVIEW[:1]) - {*_REVIEW}
    read = {parent for name in own for parent in project.nodes[name].parents}
    return own | {name for name in read if project.nodes[name].materialized == "seed"}


def _loaded(
    connection: duckdb.DuckDBPyConnection, project: ParsedProject, present: set[Relation]
) -> set[str]:
    """The seeds that are there as their files are."""
    if ("audit", "audit__built_models") not in present:
        return set()
    rows = connection.execute(
        "select model, arg_max(content, rowid) from audit.audit__built_models group by model"
    ).fetchall()
    contents = dict(rows)
    return {
        node.name
        for node in project.nodes.values()
        if node.materialized == "seed"
        and node.relation in present
        and contents.get(node.name) == node.checksum
    }


def _outdated(
    connection: duckdb.DuckDBPyConnection, project: ParsedProject, present: set[Relation]
) -> Iterator[str]:
    """What is made of examples that landed after the last build, such as a test set.

    A model of landed examples says in its `meta` where they are staged, which column names them,
    and which port has them once they are built.
    """
    for node in project.nodes.values():
        if not (landed := node.meta.get("landed_examples")):
            continue
        staged, examples = project.nodes[landed["staged"]], project.nodes[landed["examples"]]
        if not {staged.relation, examples.relation} <= present:
            continue
        yield node.name
        if _is_ahead(connection, staged, examples, landed["key"]):
            benchmark = examples.name.partition("__")[0]
            yield f"+{benchmark}__prompts"
            yield f"path:models/benchmarks/{benchmark}"


def _unread(
    connection: duckdb.DuckDBPyConnection, project: ParsedProject, present: set[Relation]
) -> Iterator[str]:
    """The blind readers, where a question set landed that they have not read, such as AMBER.

    The guesses of question sets are views, so they show what landed a moment ago.
    """
    guesses, read = (
        project.nodes[name] for name in ("question_sets__guesses", "audit__blind_examples")
    )
    if {guesses.relation, read.relation} <= present and _is_ahead(
        connection, guesses, read, "benchmark", "label is not null"
    ):
        yield "path:models/blind"


def _is_ahead(
    connection: duckdb.DuckDBPyConnection,
    source: ParsedNode,
    built: ParsedNode,
    key: str,
    condition: str = "true",
) -> bool:
    """Whether a relation has keys that are not yet in what was built of it."""
    unseen = connection.execute(
        f"select 1 from {'.'.join(source.relation)} where {condition} and {key} not in"
        f" (select {key} from {'.'.join(built.relation)} where {key} is not null) limit 1"
    ).fetchall()
    return bool(unseen)
