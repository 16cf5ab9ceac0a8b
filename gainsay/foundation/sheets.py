"""Cells of CSV sheets that a spreadsheet program takes for texts, whatever they begin with.

A cell that begins with = + - @, a tab or a carriage return may be a formula to a spreadsheet
program, and a formula may send the sheet's content elsewhere. An apostrophe before it makes it
a text (OWASP, CSV injection). The same mark stands before a cell that has the mark already, so
that every text comes back as it was.
"""

import csv
import re
from typing import Final

# the last four are the full-width signs of East Asian keyboards
_STARTS = r"[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]"
_FORMULA_LIKE = re.compile(f"'*{_STARTS}")
_MARKED = re.compile(f"'+{_STARTS}")


# an answer with its reasoning; what is longer is a quote without its second
_LONGEST_CELL: Final = 16 * 2**20


def allow_long_cells() -> None:
    """Have `csv` read cells beyond its own limit of 131,072 characters."""
    csv.field_size_limit(_LONGEST_CELL)


def cell_of_text(text: str) -> str:
    """The cell that shows `text` and is no formula."""
    return f"'{text}" if _FORMULA_LIKE.match(text) else text


def text_of_cell(cell: str) -> str:
    """The text that `cell_of_text` made a cell of."""
    return cell[1:] if _MARKED.match(cell) else cell
