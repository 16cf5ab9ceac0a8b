"""What a release reads of the warehouse, built where it is missing or older than the benchmark."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import duckdb
import msgspec
import yaml

from gainsay.exports.formats import FORMATS
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import has_table, query, set_variables, sql_beside
from gainsay.inspect import manifest as manifests
from gainsay.project.folder import project_vars
from gainsay.project.holdings import Relation, require_built
from gainsay.project.keeping import kept_to_warehouse
from gainsay.project.parsing import ParsedProject, parse_project

_READ: Final = (
    "audit__blind_guesses",
    "audit__blind_scores",
    "audit__funnel",
    "audit__gates",
    "audit__group_coverage",
    "audit__image_overlap",
    "audit__telltale_words",
    "audit__variety",
    "exports__deliverable",
    "exports__prompts",
    "exports__release_inputs",
    "exports__release_pictures",
    "exports__release_records",
    "exports__release_shown_pictures",
    "exports__release_texts",
    "papers",
    "readings",
)
_KNOWN: Final = "select distinct benchmark from exports.exports__release_texts"


class _Audit(msgspec.Struct):
    """A table of audits."""

    model: str


@dataclass(frozen=True)
class _Warehouse:
    """What is in a warehouse: benchmarks with a manifest, and what can be read."""

    benchmarks: list[str]
    readable: set[Relation]
    # those that exports and audits speak of
    described: set[str]
    # tables of audits that are older than what they are made of
    outdated: set[str]


def prepare(
    benchmark: str,
    formats: Sequence[str] = (),
    *,
    vars_text: str | None = None,
    project: Path | None = None,
    build: Callable[[list[str]], None],
) -> ParsedProject:
    """Have built what the release of a benchmark reads, and give the project that says what it is.

    `build` takes arguments of `dbt build` and is called at most once. Benchmarks that are not in
    the warehouse stay out of exports and audits. `vars_text` is dbt's `--vars`; with it, what
    exports and audits is built anew. Raises `GainsayError` where the benchmark is not built.
    """
    with connect(read_only=True) as connection:
        found = _look_into(connection, benchmark)
    _require_vars(vars_text)
    arguments = kept_to_warehouse(["--vars", vars_text] if vars_text else [], project).arguments
    parsed = parse_project(arguments, project=project)
    readable = set(found.readable)
    values = yaml.safe_load(arguments[1]) if arguments else {}
    known = project_vars(project)["benchmarks"]
    if vars_text or found.described != set(values.get("benchmarks", known)):
        readable -= parsed.relations_in("audit", "blind", "exports")
    readable -= {parsed.nodes[name].relation for name in found.outdated if name in parsed.nodes}
    wanted = [*_READ, *(FORMATS[name].model.partition(".")[2] for name in formats)]
    if lacking := parsed.lacking(wanted, readable):
        build(["--select", *lacking, *arguments])
    return parsed


def require_benchmark(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[str]:
    """The benchmarks that are built; raises `GainsayError` where this one is not."""
    known = manifests.benchmarks(connection)
    if benchmark not in known:
        require_built(benchmark, connection)
        raise GainsayError(
            f"{benchmark}: no such benchmark in the warehouse; there are"
            f" {', '.join(known) or 'none; run `gainsay build` first'}"
        )
    return known


def _look_into(connection: duckdb.DuckDBPyConnection, benchmark: str) -> _Warehouse:
    benchmarks = require_benchmark(connection, benchmark)
    rows = connection.execute("select table_schema, table_name from information_schema.tables")
    readable = {
        (schema, name)
        for schema, name in rows.fetchall()
        # a view of what is gone, or has other columns now, is none
        if schema not in ("audit", "exports") or _is_readable(connection, schema, name)
    }
    has_texts = ("exports", "exports__release_texts") in readable
    return _Warehouse(
        benchmarks,
        readable,
        {name for (name,) in connection.execute(_KNOWN).fetchall()} if has_texts else set(),
        _older_audits(connection, benchmark),
    )


def _older_audits(connection: duckdb.DuckDBPyConnection, benchmark: str) -> set[str]:
    if not has_table(connection, "audit", "audit__built_models"):
        return set()
    set_variables(connection, {"benchmark": benchmark})
    return {one.model for one in query(connection, sql_beside(__file__, "older_audits"), _Audit)}


def _is_readable(connection: duckdb.DuckDBPyConnection, schema: str, name: str) -> bool:
    try:
        connection.execute(f'describe "{schema}"."{name}"')
    except duckdb.Error:
        return False
    return True


def _require_vars(text: str | None) -> None:
    try:
        values = yaml.safe_load(text or "{}")
    except yaml.YAMLError as error:
        raise GainsayError(f"--vars: is no YAML: {error}") from error
    if not isinstance(values, dict):
        raise GainsayError(
            f"--vars: expected names and values, such as '{{seed: 8}}'; found {text}"
        )
