"""Tables and trees on standard output that show what is in them, whatever that is."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

if TYPE_CHECKING:
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


def tree_of(branch: Branch) -> Tree:
    """A branch and all below it, to be shown."""
    tree = Tree(Text(branch.label))
    tree.children = [tree_of(lower) for lower in branch.branches]
    return tree
