"""`gainsay sql`: a query over the warehouse, for those without a DuckDB shell."""

import csv
import sys

import click
import duckdb
from rich.table import Table
from rich.text import Text

from gainsay.cli.tables import NULL, show
from gainsay.errors import GainsayError
from gainsay.warehouse.connection import connect
from python_udfs.engines.duckdb import register

_MOST_ROWS_SHOWN = 50


@click.command()
@click.option("--csv", "as_csv", is_flag=True, help="Write all rows as CSV instead of a table.")
@click.argument("query")
def command(query: str, as_csv: bool) -> None:
    """Run QUERY on the warehouse, read-only, and show what it returns."""
    with connect(read_only=True) as connection:
        register(connection)
        try:
            result = connection.execute(query)
        except duckdb.Error as error:
            raise GainsayError(str(error)) from error
        headers = [column[0] for column in result.description or []]
        if as_csv:
            writer = csv.writer(sys.stdout)
            writer.writerow(headers)
            while rows := result.fetchmany(10_000):
                writer.writerows(rows)
            return
        rows = result.fetchmany(_MOST_ROWS_SHOWN + 1)

    table = Table(*headers)
    for row in rows[:_MOST_ROWS_SHOWN]:
        table.add_row(*map(_value_text, row))
    show(table)
    if len(rows) > _MOST_ROWS_SHOWN:
        click.echo(f"the first {_MOST_ROWS_SHOWN} rows; --csv writes them all", err=True)


def _value_text(value: object) -> str | Text:
    if value is None:
        return NULL
    if isinstance(value, float):
        return f"{value:.4g}"
    return "\n".join(map(str, value)) if isinstance(value, list) else str(value)
