"""Tables on standard output that never hide what they are printed for."""

import sys

from rich.console import Console
from rich.table import Table

_WIDE_ENOUGH = 10_000


def show(table: Table) -> None:
    """Print a table: folded to the terminal's width, in a pipe or a file as wide as it is."""
    for column in table.columns:
        column.overflow = "fold"
    Console(width=None if sys.stdout.isatty() else _WIDE_ENOUGH).print(table)
