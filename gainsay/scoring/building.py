"""What `gainsay score` has dbt build, and what has to have landed for it."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import duckdb
import msgspec

from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query
from gainsay.project.folder import project_vars
from gainsay.project.holdings import Relation
from gainsay.project.keeping import Plan, kept_to_warehouse, parsing_arguments, planned
from gainsay.project.parsing import ParsedNode, ParsedProject, parse_project


class _Landed(msgspec.Struct):
    benchmark: str


# the models of answers are always built anew, and so are those that cost nothing; verdicts of
# judges may have landed a moment ago
_ANSWERS = (
    "tag:evaluation",
    # matchers in the folders of their benchmarks
    "evaluation__predictions+",
    "llm__outcomes",
    "1+tag:evaluation,resource_type:seed",
    "+tag:evaluation,config.materialized:view",
)
REFERENCES = ("--vars", "{evaluation_reference_answers: true}")


def answered_benchmarks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The benchmarks that answers have landed to."""
    tables = connection.execute(
        "select 1 from information_schema.tables"
        " where table_schema = 'raw' and table_name = 'landed_predictions'"
    ).fetchall()
    if not tables:
        return []
    landed = "select distinct benchmark from raw.landed_predictions order by benchmark"
    return [row.benchmark for row in query(connection, landed, _Landed)]


def require_answers(connection: duckdb.DuckDBPyConnection, benchmark: str | None) -> None:
    """Raise `GainsayError` where no answer is landed, or none to this benchmark."""
    names = answered_benchmarks(connection)
    if benchmark in names or (names and benchmark is None):
        return
    to_whom = f" to {benchmark}" if benchmark else ""
    others = f" (only to {', '.join(names)})" if names else ""
    raise GainsayError(
        f"no answers{to_whom} are landed{others}; land a file by `gainsay land-predictions"
        f" --benchmark {benchmark or 'NAME'} --model NAME FILE`, ask a model by `gainsay predict`,"
        " or score answers that need no model by `gainsay score --references`"
    )


def scoring_plan(*, references: bool = False, project: Path | None = None) -> Plan:
    """What `dbt build` is to be called with to score what has landed in the warehouse.

    Of what the evaluation reads, what is there is taken as it is. Benchmarks that answers have
    landed to are built where they are missing. Raises `GainsayError` where dbt cannot parse the
    project.
    """
    arguments = [
        "--select", *_ANSWERS,
        # the review reads every benchmark, and no score reads the review. Nor are answers made
        # records of it here: with them the warehouse would have more for people to look at, which
        # a var lists, and dbt would parse the project anew
        "--exclude", "review__records+", "evaluation__review_records",
        "--exclude-resource-type", "test", "unit_test",
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
    more = ["--select", *newer] if newer else []
    plan = planned([*kept.arguments, *more], project, parsed=parsed)
    return replace(plan, sentence=kept.sentence)


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
