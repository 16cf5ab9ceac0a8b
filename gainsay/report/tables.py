"""Tables of a report: the rows of a block, which is a file of SQL, as they stand on the page.

The first lines of such a file say what it is, where its columns do not: `-- title:` (the caption),
`-- note:` (a sentence below it), `-- draw:` (`bars`, `stages`, `scores`, `forest`, `curves` or
`heat`; of curves also `-- x:` and `-- y:`, what the axes say, and `-- diagonal: yes`; of a heat
table `-- rows:` and `-- columns:`, the columns of the query that name them), `-- folded: yes`,
`-- most:` (rows on the page, else 200), and which columns are `-- code:` or `-- prose:`. The number
of a column leads to the records behind it by `-- link: COLUMN: FIELD, FIELD=COLUMN, FIELD='TEXT'`,
the fields of an address of `gainsay browse`. What it reads must be built; what a page chooses of
its rows stands around it.

What a column is follows from its name and values: `is_...` is a flag, `n_...` a count, `..._share`
a share, and `..._low` and `..._high` are the ends of an interval of the column before.
"""

import re
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cache, cached_property
from itertools import groupby
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import urlencode

import duckdb
import sqlglot
from sqlglot import exp

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import literal

Kind = Literal[
    "text",
    "prose",
    "code",
    "count",
    "share",
    "number",
    "flag",
    "bar",
    "stage_bar",
    "score_bar",
    "forest_bar",
]
Row = dict[str, Any]
Choice = str | bool | None | Sequence[str]

# a page of a few megabytes has no room for every row of every table
_MOST_ROWS: Final = 200
# where `gainsay browse` is, unless it is told another port
BROWSE: Final = "http://127.0.0.1:8751"
_BLOCKS: Final = Path(__file__).with_name("blocks")
_SAID: Final = re.compile(
    r"-- (title|note|draw|x|y|diagonal|rows|columns|folded|most|link|code|prose): (.*)\n"
)
# what is drawn, before which column, and of which columns it takes the place
_DRAWN: Final[dict[str, tuple[str, Kind, frozenset[str]]]] = {
    "bars": ("share", "bar", frozenset()),
    "stages": ("n_ended", "stage_bar", frozenset({"n_candidates", "is_retained", "of_stage"})),
    "scores": ("value", "score_bar", frozenset({"of_slice"})),
    "heat": ("", "bar", frozenset({"of_slice", "of_model"})),
    "forest": ("difference", "forest_bar", frozenset({"reach"})),
}
# a boolean is an integer, too, so it comes first
_KINDS: Final[dict[Kind, type | tuple[type, ...]]] = {
    "flag": bool,
    "count": int,
    "number": (float, Decimal),
}
# words of names as people write them
_WORDS: Final = {
    "ac1": "AC1",
    "cohen": "Cohen's",
    "fleiss": "Fleiss'",
    "gwet": "Gwet's",
    "krippendorff": "Krippendorff's",
    "sha256": "SHA-256",
}


@dataclass(frozen=True)
class Column:
    """A column as the page shows it: which one of the query, under which heading, and how."""

    name: str
    heading: str
    kind: Kind = "text"


@dataclass(frozen=True)
class Block:
    """A file of SQL under `blocks`: what its first lines say, and the select behind them."""

    name: str
    sql: str
    said: Mapping[str, str]

    @property
    def title(self) -> str:
        """The caption of the block's table."""
        return self.said.get("title", "")

    @property
    def most_rows(self) -> int:
        """How many rows the page shows."""
        return int(self.said.get("most", _MOST_ROWS))

    @property
    def link(self) -> tuple[str, dict[str, str]]:
        """The column whose numbers lead to records, and by field of the address what says it."""
        column, _, said = self.said.get("link", "").partition(": ")
        pairs = [part.strip().partition("=") for part in said.split(",")]
        return column, {field: source or field for field, _, source in pairs}

    def has(self, what: str, column: str) -> bool:
        """Whether a column is named as `code` or `prose`."""
        return column in self.said.get(what, "").split(", ")


@dataclass(frozen=True)
class Table:
    """Rows of a query, as they stand on the page. `is_folded` tables open on demand."""

    kind = "table"

    anchor: str
    caption: str
    sql: str
    columns: Sequence[Column]
    rows: list[Row]
    is_folded: bool = False
    n_cut: int = 0
    """Rows that the query without its last line gives and the page does not show."""
    linked: str = ""
    """The column whose numbers lead to the records behind them."""
    views: Sequence[str | None] = ()
    """By row the address of these records; null where none is."""

    def named(self, caption: str, *key: str) -> "Table":
        """The same table under a caption and an anchor of its own."""
        return replace(self, caption=caption, anchor=anchor(self.anchor, *key))


@dataclass(frozen=True)
class Records:
    """Rows of a query that the page shows as cards."""

    sql: str
    rows: list[Row]


class Reader:
    """Reads what a page shows from one warehouse.

    Missing relations are not an error: a page shows what is built.
    """

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        self._relations = {
            ".".join(name if database == current else (database, *name))
            for database, current, *name in connection.execute(
                "select table_catalog, current_database(), table_schema, table_name"
                " from information_schema.tables"
            ).fetchall()
        }

    @cached_property
    def browsable(self) -> frozenset[str]:
        """The benchmarks whose candidates `gainsay browse` shows."""
        block = "removed/stages"
        rows = self.rows(block) if self.has(block) else []
        return frozenset(row["benchmark"] for row in rows)

    def has(self, *blocks: str) -> bool:
        """Whether all that these blocks read is built."""
        return not any(self.missing(block) for block in blocks)

    def missing(self, block: str) -> frozenset[str]:
        """What a block reads and is not built, as `schema.name` or `warehouse.schema.name`."""
        return relations_of(block) - self._relations

    def rows(self, block: str, where: Mapping[str, Choice] | None = None) -> list[Row]:
        """The rows of a block with these values; a list chooses several values of a column."""
        return self._answer(query_of(read_block(block), where or {}))[1]

    def records(
        self, block: str, by: Sequence[str], where: Mapping[str, Choice], most: int | None = None
    ) -> list[tuple[Row, Records]]:
        """The rows of a block in groups by some columns: the first `most` of each.

        Each with its first row, and the query that gives the group alone.
        """
        file = read_block(block)
        found = []
        for key, group in groupby(self.rows(block, where), key=lambda row: [row[c] for c in by]):
            rows = list(group)
            sql = query_of(file, dict(zip(by, key, strict=True)), most)
            found.append((rows[0], Records(sql, rows[:most])))
        return found

    def table(
        self, block: str, where: Mapping[str, Choice] | None = None, caption: str | None = None
    ) -> Table:
        """The table of a block; a column that says nothing in any row is left out."""
        file = read_block(block)
        names, rows = self._answer(query_of(file, where or {}))
        return _table(file, where or {}, names, rows, caption or file.title, (), self.browsable)

    def tables(
        self,
        block: str,
        by: Sequence[str],
        where: Mapping[str, Choice],
        caption: Callable[[Row, str], str],
    ) -> list[tuple[Row, Table]]:
        """The tables of a block, one for each value of some columns, with its first row.

        `caption` is made of the first row and the block's title.
        """
        file = read_block(block)
        found = []
        for key, group in groupby(self.rows(block, where), key=lambda row: [row[c] for c in by]):
            rows = list(group)
            said = caption(rows[0], file.title)
            named = dict(zip(by, key, strict=True))
            found.append(
                (rows[0], _table(file, named, list(rows[0]), rows, said, key, self.browsable))
            )
        return found

    def _answer(self, sql: str) -> tuple[list[str], list[Row]]:
        try:
            result = self._connection.execute(sql)
        except (duckdb.CatalogException, duckdb.BinderException) as error:
            first_line = str(error).partition("\n")[0]
            raise GainsayError(
                f"the warehouse is not as a report expects it: {first_line}; run `gainsay build`"
            ) from error
        names = [column[0] for column in result.description or []]
        return names, [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def anchor(*names: str | None) -> str:
    """An id for HTML that stays the same from build to build."""
    return "-".join(re.sub(r"[^A-Za-z0-9_.]+", "-", name) for name in names if name).strip("-")


@cache
def read_block(name: str) -> Block:
    """The block `<chapter>/<name>`."""
    text = (_BLOCKS / f"{name}.sql").read_text(encoding="utf-8")
    said = {}
    while found := _SAID.match(text):
        said[found[1]] = found[2].strip()
        text = text[found.end() :]
    return Block(name, text.strip(), said)


@cache
def relations_of(block: str) -> frozenset[str]:
    """The relations that a block reads, as `schema.name`."""
    tables = sqlglot.parse_one(read_block(block).sql, dialect="duckdb").find_all(exp.Table)
    return frozenset(".".join(part.name for part in table.parts) for table in tables if table.db)


def query_of(block: Block, where: Mapping[str, Choice], most: int | None = None) -> str:
    """The query that gives the rows of a block with these values, at most so many."""
    sql = block.sql
    conditions = [_condition(column, chosen) for column, chosen in where.items()]
    if conditions or most is not None:
        sql = f"select *\nfrom (\n{textwrap.indent(sql, '    ')}\n)"
    if conditions:
        sql += "\nwhere " + "\n    and ".join(conditions)
    return sql if most is None else f"{sql}\nlimit {most}"


def _condition(column: str, chosen: Choice) -> str:
    match chosen:
        case None:
            return f"{column} is null"
        case bool():
            return column if chosen else f"not {column}"
        case str():
            return f"{column} = {literal(chosen)}"
    values = ", ".join(map(literal, chosen))
    # the rows of a list are of several benchmarks
    return (
        f"list_has_any(benchmarks, [{values}])"
        if column == "benchmarks"
        else f"{column} in ({values})"
    )


def _table(
    file: Block,
    where: Mapping[str, Choice],
    names: Sequence[str],
    rows: list[Row],
    caption: str,
    key: Sequence[Any],
    browsable: frozenset[str],
) -> Table:
    n_cut = max(0, len(rows) - file.most_rows)
    linked, fields = file.link
    return Table(
        anchor(file.name.rpartition("/")[2].replace("_", "-"), *map(str, key)),
        caption,
        query_of(file, where, file.most_rows if n_cut else None),
        _columns(file, where, names, rows),
        rows[: file.most_rows],
        file.said.get("folded") == "yes",
        n_cut,
        linked,
        [_view(row, fields, browsable) for row in rows[: file.most_rows]] if linked else (),
    )


def browse_address(fields: Mapping[str, str]) -> str:
    """The address of a view of `gainsay browse`, as it runs on this machine by itself."""
    return f"{BROWSE}/?{urlencode(fields)}"


def _view(row: Row, fields: Mapping[str, str], browsable: frozenset[str]) -> str | None:
    """The address of the records of a row; none where its benchmark has no candidates."""
    if row["benchmark"] not in browsable:
        return None
    said = {
        field: source.strip("'") if source.startswith("'") else row[source]
        for field, source in fields.items()
    }
    return browse_address({field: str(value) for field, value in said.items() if value is not None})


def _columns(
    block: Block, where: Mapping[str, Choice], names: Sequence[str], rows: list[Row]
) -> list[Column]:
    """The columns that the page shows: those whose value is not chosen and that say something."""
    before, drawing, hidden = _DRAWN.get(block.said.get("draw", ""), ("", "bar", frozenset()))
    columns = []
    for name in names:
        values = [row[name] for row in rows if row[name] is not None]
        is_chosen = name in where and not isinstance(where[name], list | tuple)
        if (rows and not values) or is_chosen or name in hidden:
            continue
        if name == before:
            columns.append(Column(name, "", drawing))
        columns.append(Column(name, _heading(name), _kind(block, name, values)))
    return columns


def _heading(name: str) -> str:
    if name.endswith("_low"):
        return "from"
    if name.endswith("_high"):
        return "to"
    if name.endswith("_at"):
        return f"{_words(name.removesuffix('_at'))} (UTC)"
    return _words(name.removeprefix("n_").removeprefix("is_").removesuffix("_share"))


def _words(name: str) -> str:
    return " ".join(_WORDS.get(word, word) for word in name.split("_"))


def _kind(block: Block, name: str, values: Sequence[Any]) -> Kind:
    words = name.removesuffix("_low").removesuffix("_high").split("_")
    if block.has("code", name):
        return "code"
    if block.has("prose", name):
        return "prose"
    if words[-1] == "share":
        return "share"
    for kind, types in _KINDS.items():
        if values and isinstance(values[0], types):
            return kind
    return "text"
