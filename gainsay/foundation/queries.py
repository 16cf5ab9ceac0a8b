"""Queries whose rows come back as structs, by the names of their columns."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any, Final, TypeVar

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError

Row = TypeVar("Row")

_ROWS_PER_PART: Final = 4_096
# msgspec crashes where two threads are the first to learn what a struct is
_converting: Final = Lock()


@cache
def sql_beside(module: str, name: str) -> str:
    """The text of `<name>.sql` in the folder of a module, whose `__file__` is given.

    Such a file is what one would paste into a client of DuckDB. What a caller chooses it reads by
    `getvariable('<name>')`, which is null in a session that has not set it: then it asks for all.
    """
    return Path(module).with_name(f"{name}.sql").read_text(encoding="utf-8")


def set_variables(connection: duckdb.DuckDBPyConnection, variables: dict[str, Any]) -> None:
    """Set what the files of SQL that this session runs from now on read by `getvariable`."""
    for name, value in variables.items():
        connection.execute(f"set variable {name} = $value", {"value": value})


def query(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    row_type: type[Row],
    parameters: dict[str, Any] | None = None,
) -> list[Row]:
    """Every row of a query as a `row_type`: a msgspec struct, dataclass or typed dictionary.

    Columns become the fields of the same names, so their order says nothing; a column without a
    field is left out. Raises `GainsayError` when a field has no column or a value another type,
    and when the query reads a table or column that the warehouse has not.
    """
    return list(query_in_parts(connection, sql, row_type, parameters))


def query_in_parts(
    connection: duckdb.DuckDBPyConnection,
    sql: str,
    row_type: type[Row],
    parameters: dict[str, Any] | None = None,
) -> Iterator[Row]:
    """The same rows, of which few are held at once; until the last one the connection is busy.

    Raises `GainsayError` as `query` does.
    """
    try:
        result = connection.execute(sql, parameters or {})
    except (duckdb.CatalogException, duckdb.BinderException) as error:
        first_line = str(error).partition("\n")[0]
        raise GainsayError(
            f"the warehouse is not as gainsay expects it: {first_line}; run `gainsay build`"
        ) from error
    names = [column[0] for column in result.description or []]
    while rows := result.fetchmany(_ROWS_PER_PART):
        records = [dict(zip(names, row, strict=True)) for row in rows]
        try:
            with _converting:
                converted = msgspec.convert(records, list[row_type])  # type: ignore[valid-type]
        except msgspec.ValidationError as error:
            raise GainsayError(
                f"a row of a query is no {row_type.__name__}: {error}; run `gainsay build`"
            ) from error
        yield from converted


def read(
    connection: duckdb.DuckDBPyConnection,
    row_type: type[Row],
    relation: str,
    *,
    where: str = "true",
    order: str = "all",
    parameters: dict[str, Any] | None = None,
) -> list[Row]:
    """The rows of a relation: its columns that a `row_type`, a msgspec struct, has as fields.

    So the columns of a row stand in its struct alone. `where` and `order` are SQL. Raises
    `GainsayError` as `query` does.
    """
    names = ", ".join(fields_of(row_type))
    sql = f"select {names} from {relation} where {where} order by {order}"
    return query(connection, sql, row_type, parameters)


def fields_of(row_type: type) -> tuple[str, ...]:
    """The names of a struct's fields, which are those of columns."""
    return tuple(field.name for field in msgspec.structs.fields(row_type))


def literal(text: str) -> str:
    """A text as SQL writes it."""
    return "'" + text.replace("'", "''") + "'"


def has_table(connection: duckdb.DuckDBPyConnection, schema: str, name: str) -> bool:
    """Whether the warehouse has a table or view."""
    found = connection.execute(
        "select 1 from information_schema.tables where table_schema = $schema"
        " and table_name = $name and table_catalog = current_database()",
        {"schema": schema, "name": name},
    )
    return found.fetchone() is not None
