"""Tables of a report: each names the query that its rows are the answer of."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import duckdb

from gainsay.foundation.errors import GainsayError

Kind = Literal[
    "text", "prose", "code", "count", "share", "number", "flag", "bar", "stage_bar", "score_bar"
]


@dataclass(frozen=True)
class Column:
    """A column as the page shows it: which one of the query, under which heading, and how."""

    name: str
    heading: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Table:
    """Rows of a query, as they stand on the page. `is_folded` tables open on demand."""

    kind = "table"

    anchor: str
    caption: str
    sql: str
    columns: Sequence[Column]
    rows: list[dict[str, Any]]
    is_folded: bool = False
    n_cut: int = 0
    """Rows that the query counts in its column `n_rows` and does not give."""


class Reader:
    """Reads what a page shows from one warehouse.

    Missing relations are not an error: a page shows what is built.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._relations = {
            f"{schema}.{name}"
            for schema, name in connection.execute(
                "select table_schema, table_name from information_schema.tables"
                " where table_catalog = current_database()"
            ).fetchall()
        }

    def has(self, *relations: str) -> bool:
        """Whether all of these `schema.name` are built."""
        return self._relations.issuperset(relations)

    def has_columns(self, relation: str, *columns: str) -> bool:
        """Whether a `schema.name` is built, with all of these columns."""
        if not self.has(relation):
            return False
        described = self._connection.execute(f"select * from {relation} limit 0").description
        return {column[0] for column in described or []}.issuperset(columns)

    def rows(self, sql: str) -> list[dict[str, Any]]:
        """The rows of a query by their columns. Raises `GainsayError` where a column is missing."""
        try:
            result = self._connection.execute(sql)
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            first_line = str(error).partition("\n")[0]
            raise GainsayError(
                f"the warehouse is not as a report expects it: {first_line}; run `gainsay build`"
            ) from error
        names = [column[0] for column in result.description or []]
        return [dict(zip(names, row, strict=True)) for row in result.fetchall()]

    def table(
        self,
        anchor: str,
        caption: str,
        sql: str,
        columns: Sequence[Column],
        *,
        is_folded: bool = False,
    ) -> Table:
        """The table of a query; a column that says nothing in any row is left out."""
        sql = plain(sql)
        rows = self.rows(sql)
        if rows:
            columns = [
                column for column in columns if any(row[column.name] is not None for row in rows)
            ]
        n_rows = rows[0].get("n_rows", len(rows)) if rows else 0
        return Table(anchor, caption, sql, columns, rows, is_folded, n_rows - len(rows))


def literal(text: str) -> str:
    """A text as a literal of SQL."""
    return "'" + text.replace("'", "''") + "'"


def plain(sql: str) -> str:
    """A query without the indentation of the code that it stands in."""
    lines = sql.strip("\n").rstrip().splitlines()
    indents = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    return "\n".join(line[min(indents, default=0) :] for line in lines)
