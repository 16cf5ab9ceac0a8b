"""`gainsay sql`: a query over the warehouse, for those without a DuckDB shell."""

import csv
import re
import sys
from decimal import Decimal

import click
import duckdb
from rich.table import Table
from rich.text import Text

from gainsay.cli.tables import NULL, show
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.sheets import cell_of_text
from python_udfs.engines.duckdb import register

_MOST_ROWS_SHOWN = 50
# of a list that stands on one line
_LONGEST_LINE = 60
# a pivot is several statements
_READING = ("SELECT", "MULTI")
_EXPLAINED = re.compile(r"\s*explain\s+(?:analyze\s+)?(?:\([^)]*\)\s*)?", re.IGNORECASE)


@click.command()
@click.option("--csv", "as_csv", is_flag=True, help="Write all rows as CSV instead of a table.")
@click.argument("query")
def command(query: str, as_csv: bool) -> None:
    """Run QUERY on the warehouse and show what it returns; nothing is written, no file either.

    In CSV a text that a spreadsheet program would take for a formula has an apostrophe before it.
    """
    with connect(read_only=True) as connection:
        register(connection)
        try:
            _require_reading(connection, query)
            result = connection.execute(query)
            headers = [column[0] for column in result.description or []]
            if as_csv:
                _write_csv(headers, result)
                return
            rows = result.fetchmany(_MOST_ROWS_SHOWN + 1)
        except duckdb.Error as error:
            raise GainsayError(str(error)) from error

    table = Table(*headers)
    for place, column in enumerate(table.columns):
        values = [row[place] for row in rows if row[place] is not None]
        if values and all(map(_is_number, values)):
            column.justify = "right"
    for row in rows[:_MOST_ROWS_SHOWN]:
        table.add_row(*map(_value_text, row))
    show(table)
    if len(rows) > _MOST_ROWS_SHOWN:
        click.echo(f"the first {_MOST_ROWS_SHOWN} rows; --csv writes them all", err=True)


def _require_reading(connection: duckdb.DuckDBPyConnection, query: str) -> None:
    """Raise `GainsayError` for what is no query: `copy` writes files, and `attach` makes them."""
    statements = connection.extract_statements(query)
    if not statements:
        raise GainsayError("no query; expected one such as 'select * from audit.audit__funnel'")
    for statement in statements:
        kind = statement.type.name
        explained = _EXPLAINED.match(statement.query) if kind == "EXPLAIN" else None
        if explained:
            _require_reading(connection, statement.query[explained.end() :])
        elif kind not in _READING:
            raise GainsayError(
                f"{kind.lower()}: only queries are run, which read; expected select, from, with,"
                " describe, show or explain"
            )


def _write_csv(headers: list[str], result: duckdb.DuckDBPyConnection) -> None:
    writer = csv.writer(sys.stdout)
    writer.writerow(map(_cell, headers))
    while rows := result.fetchmany(10_000):
        writer.writerows(map(_cell, row) for row in rows)


def _cell(value: object) -> object:
    return cell_of_text(value) if isinstance(value, str) else value


def _value_text(value: object) -> str | Text:
    if value is None:
        return NULL
    if isinstance(value, float):
        return f"{value:.4g}"
    return _list_text(value) if isinstance(value, list) else str(value)


def _list_text(values: list[object]) -> str:
    """A list in brackets, a long one with a line for each of its values."""
    texts = ["null" if value is None else str(value) for value in values]
    is_long = sum(map(len, texts)) > _LONGEST_LINE
    between = ",\n " if is_long else ", "
    return f"[{between.join(texts)}]"


def _is_number(value: object) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)
