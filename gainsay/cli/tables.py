"""Tables and trees on standard output that show what is in them, whatever that is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from msgspec import Struct
from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from gainsay.cli.outputs import raw
from gainsay.foundation.queries import fields_of
from gainsay.report.visible_text import visible

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gainsay.inspect.tracing import Branch

_WIDE_ENOUGH = 10_000
# of a cell; what is longer is folded into a screenful that nobody reads
_MOST_CHARACTERS = 20_000

NULL = Text("null", style="dim")


def show(drawn: Table | Tree) -> None:
    """Print a table or tree: folded to the terminal's width, in a pipe as wide as it is.

    Texts are shown as they are: `[red]` or `:cat:` in a caption is neither markup nor a picture,
    and what would steer the terminal is shown, too.
    """
    if isinstance(drawn, Table):
        for column in drawn.columns:
            column.overflow = "fold"
    width = None if sys.stdout.isatty() else _WIDE_ENOUGH
    _Console(file=raw(sys.stdout), width=width, markup=False, emoji=False).print(drawn)


class _Console(Console):
    """A console on which every character of a text is seen, and none is an order."""

    def render_str(self, text: str, **options: Any) -> Text:
        return super().render_str(visible(text, _MOST_CHARACTERS), **options)


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
    tree = Tree(Text(visible(branch.label, _MOST_CHARACTERS)))
    tree.children = [tree_of(lower) for lower in branch.branches]
    return tree
