"""`gainsay sql`: a query over the warehouse, for those without a DuckDB shell."""

import csv
import sys
from decimal import Decimal

import click
import duckdb
from rich.table import Table
from rich.text import Text

from gainsay.cli.arguments import Utf8
from gainsay.cli.tables import NULL, show
from gainsay.foundation.limits import checked_size
from gainsay.foundation.reading import reading, run_query
from gainsay.foundation.sheets import cell_of_text

_MOST_ROWS_SHOWN = 50
# of a list that stands on one line
_LONGEST_LINE = 60


@click.command()
@click.option("--csv", "as_csv", is_flag=True, help="Write all rows as CSV instead of a table.")
@click.option(
    "--memory",
    metavar="SIZE",
    help="How much of it the query may take, such as 8GB; GAINSAY_MEMORY_LIMIT or 4GB without it.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True, max=10**7),
    help="How many it may take; GAINSAY_QUERY_SECONDS or 600 without it.",
)
@click.argument("query", type=Utf8())
def command(query: str, as_csv: bool, memory: str | None, seconds: float | None) -> None:
    """Run QUERY on the warehouse and show what it returns.

    It reads the warehouse alone: no file is written, no other one read, and functions that work on
    files, such as gs_render, are unknown. In CSV a text that a spreadsheet program would take for
    a formula has an apostrophe before it.
    """
    if memory is not None:
        checked_size(memory, "--memory")
    with reading(memory, seconds) as connection:
        result = run_query(connection, query)
        headers = [column[0] for column in result.description or []]
        if as_csv:
            _write_csv(headers, result)
            return
        rows = result.fetchmany(_MOST_ROWS_SHOWN + 1)

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
