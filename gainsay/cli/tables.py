"""Tables and trees on standard output that show what is in them, whatever that is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gainsay.foundation.queries import fields_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gainsay.inspect.tracing import Branch

_WIDE_ENOUGH = 10_000

NULL = Text("null", style="dim")


def show(drawn: Table | Tree) -> None:
    """Print a table or tree: folded to the terminal's width, in a pipe as wide as it is.

    Texts are shown as they are: `[red]` or `:cat:` in a caption is neither markup nor a picture.
    """
    if isinstance(drawn, Table):
        for column in drawn.columns:
            column.overflow = "fold"
    width = None if sys.stdout.isatty() else _WIDE_ENOUGH
    Console(width=width, markup=False, emoji=False).print(drawn)


def table_of(rows: Sequence[Struct], row_type: type[Struct]) -> Table:
    """Rows as a table whose columns are the fields of their struct.

    What is alike in all of several rows stands above the table, once; a column that says nothing is
    left out.
    """
    values = {name: [getattr(row, name) for row in rows] for name in fields_of(row_type)}
    alike = {
        name: cells[0]
        for name, cells in values.items()
        if all(cell == cells[0] for cell in cells) and (len(rows) > 1 or cells[0] is None)
    }
    said = [
        f"{name.replace('_', ' ')} {_cell(value)}"
        for name, value in alike.items()
        if value is not None
    ]
    table = Table(title=", ".join(said) or None, title_justify="left")
    shown = [name for name in values if name not in alike]
    for name in shown:
        is_number = all(isinstance(cell, int | float | None) for cell in values[name])
        table.add_column(name.replace("_", " "), justify="right" if is_number else "left")
    for row in rows:
        table.add_row(*(_cell(getattr(row, name)) for name in shown))
    return table


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:,.4f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def tree_of(branch: Branch) -> Tree:
    """A branch and all below it, to be shown."""
    tree = Tree(Text(branch.label))
    tree.children = [tree_of(lower) for lower in branch.branches]
    return tree
