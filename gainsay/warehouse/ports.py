"""Where benchmarks publish: the relations of a port, by its name."""

import duckdb
from msgspec import Struct

from gainsay.errors import GainsayError
from gainsay.warehouse.queries import query


class _Relation(Struct):
    table_schema: str
    table_name: str


def ports(connection: duckdb.DuckDBPyConnection, port: str) -> dict[str, str]:
    """The benchmarks whose `<benchmark>__<port>` is built, and its relation, quoted."""
    suffix = f"__{port}"
    relations = query(
        connection,
        "select table_schema, table_name from information_schema.tables"
        " where ends_with(table_name, $suffix)"
        " order by table_name",
        _Relation,
        {"suffix": suffix},
    )
    return {
        relation.table_name.removesuffix(suffix): (
            f'"{relation.table_schema}"."{relation.table_name}"'
        )
        for relation in relations
    }


def port_of(connection: duckdb.DuckDBPyConnection, benchmark: str, port: str) -> str:
    """The relation of a benchmark's port, quoted.

    Raises `GainsayError` with the benchmarks that have one where this has none.
    """
    relations = ports(connection, port)
    if benchmark not in relations:
        names = ", ".join(sorted(relations)) or "none"
        raise GainsayError(
            f"{benchmark}: not in the warehouse, which has {port} of {names}; run `dbt build`"
        )
    return relations[benchmark]
