"""Whether two warehouses hold the same marts, whichever engines built them.

Every mart is read by DuckDB and each row reduced to the MD5 of its canonical form; the hash of a
mart is the sum of those, which no order of rows changes and which takes no memory. Only where
two hashes differ are the rows themselves looked for, by their primary key, on disk where they
are many.
"""

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import duckdb

from gainsay.foundation.connection import connect
from gainsay.inspect.canonical import canonical_form, type_name
from gainsay.project.compiled import Node, Project

_WORD = 2**64


@dataclass(frozen=True)
class Mart:
    """A table that both warehouses should have, and how its rows are told apart.

    `volatile` holds the columns that may differ, each with the reason.
    """

    name: str
    schema: str
    key: tuple[str, ...]
    volatile: dict[str, str]

    @property
    def relation(self) -> str:
        """Its name in SQL."""
        return f"{_quoted(self.schema)}.{_quoted(self.name)}"


@dataclass(frozen=True)
class Side:
    """One of two warehouses, in which marts have the names of the project."""

    name: str
    connection: duckdb.DuckDBPyConnection


class Difference(NamedTuple):
    """Something that two warehouses do not agree on, as each of them has it."""

    mart: str
    what: str
    left: str
    right: str


class RowDifference(NamedTuple):
    """A row, named by its key, that differs in one column or is in one warehouse alone."""

    row: str
    column: str
    left: str | None
    right: str | None


class Move(NamedTuple):
    """How many rows of a mart stand elsewhere: at another stage, or in another split.

    A row that is in one warehouse alone is `not there` in the other.
    """

    what: str
    left: str
    right: str
    n: int


@dataclass
class Comparison:
    """The result of comparing one mart; `n_rows` and `hashes` are of left and right."""

    mart: Mart
    n_rows: tuple[int | None, int | None] = (None, None)
    hashes: tuple[str | None, str | None] = (None, None)
    differences: list[Difference] = field(default_factory=list)
    rows: list[RowDifference] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)


class _Column(NamedTuple):
    type_name: str
    form: str


def marts_of(project: Project) -> list[Mart]:
    """The marts of a project: its models with a contract, keyed by their test `primary_key`.

    A column is left out of the comparison where its YAML gives a reason for it as
    `config: {meta: {volatile: reason}}`.
    """
    keys = project.primary_keys()
    return [_mart(node, keys.get(node.unique_id, [])) for node in project.marts]


def compare(left: Side, right: Side, mart: Mart, most_rows: int) -> Comparison:
    """Compare one mart of two warehouses; at most `most_rows` differing rows are shown."""
    comparison = Comparison(mart)
    columns = [_columns(side, mart) for side in (left, right)]
    if not columns[0] or not columns[1]:
        if columns[0] or columns[1]:
            found = ("present" if there else "absent" for there in columns)
            comparison.differences.append(Difference(mart.name, "presence", *found))
        return comparison

    comparison.differences += _column_differences(mart, columns[0], columns[1])
    common = sorted(columns[0].keys() & columns[1].keys() - mart.volatile.keys())
    summaries = [
        _summary(side, mart, [found[name].form for name in common])
        for side, found in zip((left, right), columns, strict=True)
    ]
    comparison.n_rows = summaries[0][0], summaries[1][0]
    comparison.hashes = summaries[0][1], summaries[1][1]
    for what, pair in (("rows", comparison.n_rows), ("content", comparison.hashes)):
        if pair[0] != pair[1]:
            comparison.differences.append(Difference(mart.name, what, *map(str, pair)))
    if comparison.hashes[0] != comparison.hashes[1]:
        kinds, keys = _differing_keys(left, right, mart, columns, common, most_rows)
        comparison.differences += kinds
        comparison.rows = _row_differences(left, right, mart, columns, common, keys)
        comparison.moves = _moves(left, right, mart, common)
    return comparison


def _mart(node: Node, key: Sequence[str]) -> Mart:
    volatile = {
        name: str(column.config.meta["volatile"])
        for name, column in node.columns.items()
        if "volatile" in column.config.meta
    }
    return Mart(node.name, node.schema, tuple(key), volatile)


def _columns(side: Side, mart: Mart) -> dict[str, _Column]:
    """The columns of a mart in their order; none where it is not there."""
    try:
        relation = side.connection.sql(f"select * from {mart.relation} limit 0")
    except duckdb.CatalogException:
        return {}
    return {
        name: _Column(type_name(type_), canonical_form(_quoted(name), type_))
        for name, type_ in zip(relation.columns, relation.types, strict=True)
    }


def _column_differences(
    mart: Mart, left: dict[str, _Column], right: dict[str, _Column]
) -> Iterator[Difference]:
    for name in sorted(left.keys() ^ right.keys()):
        found = ("present" if name in columns else "absent" for columns in (left, right))
        yield Difference(mart.name, f"column {name}", *found)
    orders = [name for name in left if name in right], [name for name in right if name in left]
    if orders[0] != orders[1]:
        yield Difference(mart.name, "order of columns", *map(", ".join, orders))
    for name in orders[0]:
        types = left[name].type_name, right[name].type_name
        if types[0] != types[1]:
            yield Difference(mart.name, f"type of {name}", *types)


def _summary(side: Side, mart: Mart, forms: Sequence[str]) -> tuple[int, str]:
    """How many rows there are, and a hash of what they hold in whatever order."""
    n_rows, high, low = _only_row(
        side.connection,
        f"""
        with hashed as (
            select md5_number({_row_form(forms)}) as hash from {mart.relation}
        )
        select
            count(*),
            coalesce(sum(cast(hash >> 64 as ubigint)), 0),
            coalesce(sum(cast(hash & {_WORD - 1} as ubigint)), 0)
        from hashed
        """,
    )
    return n_rows, f"{high % _WORD:016x}{low % _WORD:016x}"


def _differing_keys(
    left: Side,
    right: Side,
    mart: Mart,
    columns: Sequence[dict[str, _Column]],
    common: Sequence[str],
    most_rows: int,
) -> tuple[list[Difference], list[str]]:
    """How many rows differ in which way, and the keys of the first ones."""
    with tempfile.TemporaryDirectory(prefix="gainsay-compare-") as folder:
        files = [Path(folder) / "left.parquet", Path(folder) / "right.parquet"]
        for side, found, file in zip((left, right), columns, files, strict=True):
            # rows of one key, which a mart has only by mistake, are taken together
            side.connection.execute(
                f"""
                copy (
                    select
                        {_key_form(mart, found, common)} as row_key,
                        count(*) as n,
                        sum(cast(md5_number(
                            {_row_form([found[name].form for name in common])}
                        ) >> 64 as ubigint)) as hash
                    from {mart.relation}
                    group by row_key
                ) to '{file}' (format parquet)
                """
            )
        with connect(path=Path(folder) / "joined.duckdb") as connection:
            connection.execute(
                f"""
                create temp table differing as
                select
                    row_key,
                    case
                        when left_rows.n is null then 'right'
                        when right_rows.n is null then 'left'
                        else 'both'
                    end as found_in
                from '{files[0]}' as left_rows
                full join '{files[1]}' as right_rows using (row_key)
                where
                    left_rows.n is distinct from right_rows.n
                    or left_rows.hash is distinct from right_rows.hash
                """
            )
            counts = dict(
                connection.execute(
                    "select found_in, count(*) from differing group by found_in"
                ).fetchall()
            )
            keys = connection.execute(
                "select row_key from differing order by row_key limit ?", [most_rows]
            ).fetchall()
    differences = []
    alone = counts.get("left", 0), counts.get("right", 0)
    if any(alone):
        differences.append(Difference(mart.name, "rows of its own", *map(str, alone)))
    if n_changed := counts.get("both"):
        differences.append(Difference(mart.name, "rows that differ", *(str(n_changed),) * 2))
    return differences, [key for (key,) in keys]


# of ports, what their rows are called, where a row stands, and what tells rows apart
_PLACES = {
    "__screened": (
        "candidates", "coalesce(drop_stage, 'retained')", ("screening", "candidate_id"),
        "drop_stage",
    ),
    "__examples": ("examples", "coalesce(split, 'no split')", ("example_id",), "split"),
}  # fmt: skip


def _moves(left: Side, right: Side, mart: Mart, common: Sequence[str]) -> list[Move]:
    """From where to where rows of a port moved, the most first; none of other marts."""
    ending = f"__{mart.name.rpartition('__')[2]}"
    if ending not in _PLACES:
        return []
    what, place, key, column = _PLACES[ending]
    if not {*key, column} <= set(common):
        return []
    names = ", ".join(key)
    with tempfile.TemporaryDirectory(prefix="gainsay-compare-") as folder:
        files = [Path(folder) / "left.parquet", Path(folder) / "right.parquet"]
        for side, file in zip((left, right), files, strict=True):
            side.connection.execute(
                f"copy (select {names}, {place} as place from {mart.relation}) to '{file}'"
                " (format parquet)"
            )
        with connect(path=Path(folder) / "moved.duckdb") as connection:
            rows = connection.execute(
                f"""
                select
                    coalesce(left_rows.place, 'not there') as left_place,
                    coalesce(right_rows.place, 'not there') as right_place,
                    count(*) as n
                from '{files[0]}' as left_rows
                full join '{files[1]}' as right_rows using ({names})
                where left_rows.place is distinct from right_rows.place
                group by all
                order by n desc, left_place, right_place
                """
            ).fetchall()
    return [Move(what, *row) for row in rows]


def _row_differences(
    left: Side,
    right: Side,
    mart: Mart,
    columns: Sequence[dict[str, _Column]],
    common: Sequence[str],
    keys: Sequence[str],
) -> list[RowDifference]:
    """The rows of the given keys, column by column where they differ."""
    found = [
        _rows_of(side, mart, of_side, common, keys)
        for side, of_side in zip((left, right), columns, strict=True)
    ]
    differences = []
    for key in keys:
        rows = [rows.get(key, []) for rows in found]
        row = _name_of(mart, (*rows[0], *rows[1])[0])
        if len(rows[0]) != len(rows[1]):
            differences.append(RowDifference(row, "", *(_times_text(len(there)) for there in rows)))
            continue
        for one, other in zip(*rows, strict=True):
            differences += [
                RowDifference(row, name, one[name][1], other[name][1])
                for name in common
                if one[name] != other[name]
            ]
    return differences


_Row = dict[str, tuple[str, str | None]]


def _rows_of(
    side: Side,
    mart: Mart,
    columns: dict[str, _Column],
    common: Sequence[str],
    keys: Sequence[str],
) -> dict[str, list[_Row]]:
    """The rows of the given keys: of each column its canonical form and its text."""
    texts = ", ".join(f"{columns[name].form}, cast({_quoted(name)} as varchar)" for name in common)
    key_form = _key_form(mart, columns, common)
    rows = side.connection.execute(
        f"select {key_form} as row_key, {texts} from {mart.relation} where row_key in $keys",
        {"keys": list(keys)},
    ).fetchall()
    found: dict[str, list[_Row]] = {}
    for key, *values in sorted(rows):
        pairs = zip(values[::2], values[1::2], strict=True)
        found.setdefault(key, []).append(dict(zip(common, pairs, strict=True)))
    return found


def _key_form(mart: Mart, columns: dict[str, _Column], common: Sequence[str]) -> str:
    """The canonical form of a row's key; where both sides do not have all of it, of the row."""
    key = mart.key if set(mart.key) <= set(common) else ()
    return _row_form([columns[name].form for name in key or common])


def _row_form(forms: Sequence[str]) -> str:
    return " || ".join(forms) or "''"


def _name_of(mart: Mart, row: _Row) -> str:
    key = [name for name in mart.key if name in row] or list(row)
    return ", ".join(f"{name} {row[name][1]}" for name in key)


def _times_text(n_rows: int) -> str:
    return ("absent", "present")[n_rows] if n_rows < 2 else f"{n_rows} times"


def _only_row(connection: duckdb.DuckDBPyConnection, query: str) -> tuple[Any, ...]:
    row = connection.execute(query).fetchone()
    assert row is not None
    return row


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
