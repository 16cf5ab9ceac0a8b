"""What `gainsay score` has dbt build, and what has to have landed for it."""

from collections.abc import Iterator

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query
from gainsay.project.parsing import ParsedNode, ParsedProject, Relation


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
_EVALUATION = "evaluation"
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


def scoring_arguments(
    connection: duckdb.DuckDBPyConnection, project: ParsedProject, *, references: bool
) -> list[str]:
    """The arguments of `dbt build` that score what has landed; `project` is parsed with them."""
    return [
        "--select", *_selected(connection, project),
        # the review reads every benchmark, and no score reads the review
        "--exclude", "review__records+",
        "--exclude-resource-type", "test", "unit_test",
        *(REFERENCES if references else ()),
    ]  # fmt: skip


def _selected(connection: duckdb.DuckDBPyConnection, project: ParsedProject) -> tuple[str, ...]:
    """What has to be built: the evaluation, and what it reads where the warehouse lacks it."""
    relations = connection.execute(
        "select table_schema, table_name from information_schema.tables"
    ).fetchall()
    present = {(schema, name) for schema, name in relations}
    if not any(schema == _EVALUATION for schema, _ in present):
        return ("+tag:evaluation",)
    read = {
        parent
        for node in project.nodes.values()
        if node.folder == _EVALUATION
        for parent in node.parents
        if project.nodes[parent].folder != _EVALUATION
    }
    return (
        *_ANSWERS,
        *project.lacking(read, present),
        *_outdated(connection, project, present),
        *_unread(connection, project, present),
    )


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
        yield node.name
        if not {staged.relation, examples.relation} <= present:
            continue
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
        yield "path:models/audit/blind"


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
