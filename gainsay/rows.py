"""Rows as a notebook shows them, and as a data frame."""

import html
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import fields_of

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

Row = TypeVar("Row", bound=msgspec.Struct)

# a notebook keeps what it shows
_MOST_SHOWN = 50
_LONGEST_SHOWN = 300


class Rows(list[Row], Generic[Row]):
    """A list of rows of one kind, whose fields are columns."""

    def __init__(self, row_type: type[Row], rows: Iterable[Row] = ()) -> None:
        super().__init__(rows)
        self.columns = fields_of(row_type)

    def to_pandas(self) -> "pd.DataFrame":
        """The rows as a data frame. Raises `GainsayError` where pandas is not installed."""
        try:
            import pandas as pd
        except ImportError as error:
            raise GainsayError("a data frame needs the package pandas: pip install pandas") from (
                error
            )
        return pd.DataFrame(self._cells(), columns=[*self.columns])

    def to_arrow(self) -> "pa.Table":
        """The rows as a table of Arrow."""
        import pyarrow as pa

        cells = self._cells()
        return pa.table(
            {name: [row[place] for row in cells] for place, name in enumerate(self.columns)}
        )

    def _cells(self, most: int | None = None) -> list[tuple[Any, ...]]:
        return [tuple(getattr(row, name) for name in self.columns) for row in self[:most]]

    def _repr_html_(self) -> str:
        """A table of the first rows, as notebooks ask for it."""
        head = "".join(f"<th>{html.escape(name)}</th>" for name in self.columns)
        body = "".join(
            f"<tr>{''.join(f'<td>{_shown(cell)}</td>' for cell in cells)}</tr>"
            for cells in self._cells(_MOST_SHOWN)
        )
        more = "" if len(self) <= _MOST_SHOWN else f", the first {_MOST_SHOWN} shown"
        return (
            f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"
            f"<p>{len(self):,} rows{more}</p>"
        )


def _shown(cell: object) -> str:
    if cell is None:
        return ""
    text = f"{cell:.4g}" if isinstance(cell, float) else str(cell)
    if len(text) > _LONGEST_SHOWN:
        text = f"{text[:_LONGEST_SHOWN]}..."
    # what turns text round, or has no width, is told by its number
    return html.escape("".join(c if c.isprintable() else ascii(c)[1:-1] for c in text))
