"""Tables and trees on standard output that never hide what they are printed for."""

import sys

from rich.console import Console
from rich.table import Table
from rich.tree import Tree

_WIDE_ENOUGH = 10_000


def show(drawn: Table | Tree) -> None:
    """Print a table or tree: folded to the terminal's width, in a pipe as wide as it is."""
    if isinstance(drawn, Table):
        for column in drawn.columns:
            column.overflow = "fold"
    Console(width=None if sys.stdout.isatty() else _WIDE_ENOUGH).print(drawn)
