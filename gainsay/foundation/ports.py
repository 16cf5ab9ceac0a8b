"""Where benchmarks publish: the relations of a port, by its name."""

import duckdb
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import literal, query, set_variables, sql_beside

# what is made of the ports of all benchmarks, under names that end as theirs do
_UNIONS = ("evaluation__", "exports__", "report__")


class _Relation(Struct):
    table_schema: str
    table_name: str
    is_shared: bool

    @property
    def quoted(self) -> str:
        return f'"{self.table_schema}"."{self.table_name}"'


def _relations(connection: duckdb.DuckDBPyConnection, port: str) -> list[_Relation]:
    set_variables(connection, {"suffix": f"__{port}"})
    relations = query(connection, sql_beside(__file__, "ports"), _Relation)
    return [found for found in relations if not found.table_name.startswith(_UNIONS)]


def ports(connection: duckdb.DuckDBPyConnection, port: str) -> dict[str, str]:
    """The benchmarks whose `<benchmark>__<port>` is built, and its relation, quoted."""
    return {
        found.table_name.removesuffix(f"__{port}"): found.quoted
        for found in _relations(connection, port)
        if not found.is_shared
    }


def port_of(connection: duckdb.DuckDBPyConnection, benchmark: str, port: str) -> str:
    """The relation of a benchmark's port, quoted, or its rows of one that several share.

    Raises `GainsayError` with the benchmarks that have one where this has none.
    """
    own = ports(connection, port)
    if benchmark in own:
        return own[benchmark]
    names = set(own)
    for found in _relations(connection, port):
        if not found.is_shared:
            continue
        rows = connection.execute(f"select distinct benchmark from {found.quoted}").fetchall()
        published = {name for (name,) in rows}
        if benchmark in published:
            named = f"benchmark = {literal(benchmark)}"
            return f"(select * exclude (benchmark) from {found.quoted} where {named})"
        names |= published
    if benchmark in _known(connection):
        raise GainsayError(
            f"{benchmark}: is known here, and none of it is landed; land its files with"
            " `gainsay land`, as `gainsay land --help` says, then `gainsay build`"
        )
    raise GainsayError(
        f"{benchmark}: not in the warehouse, which has {port} of"
        f" {', '.join(sorted(names)) or 'none'}; run `dbt build`"
    )


def _known(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """What the house scores, landed or not; nothing where its seeds are not built."""
    try:
        rows = connection.execute("select distinct benchmark from vocabulary.matchers").fetchall()
    except duckdb.CatalogException:
        return set()
    return {name for (name,) in rows}
