"""The boards as pages have them: each number leads to the records behind it."""

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import attrgetter

import duckdb
from msgspec import Struct

from gainsay.foundation.queries import has_table, query, sql_beside
from gainsay.report.charts import Chart
from gainsay.report.sections.drawn import asked_of, heats_of
from gainsay.report.tables import Reader, Table
from gainsay.scoring.boards import Board, Column, Score, boards, other_models, read_scores

_ALL = "all"
_ASKED = ("benchmark", "task", "condition")


class Cell(Struct, frozen=True):
    """A number, and the fields of the view of the records that it is over."""

    text: str
    n: int
    # of what can be reached, for the shade
    share: float | None
    fields: dict[str, str]


class BoardTable(Struct, frozen=True):
    """A board, with a row of cells a run; null where a run has no such score.

    `other_models` says of which runs the server named another model than was asked.
    """

    board: Board
    rows: list[tuple[str, str, list[Cell | None]]]
    other_models: list[str]


class SliceTable(Struct, frozen=True):
    """What runs reach by slice: a row a value of the slice, a column a run."""

    benchmark: str
    task: str
    condition: str
    metric: str
    slice_name: str
    runs: list[tuple[str, str]]
    rows: list[tuple[str, list[Cell | None]]]


class Drawings(Struct, frozen=True):
    """How models agree, and how they differ from the best: blocks of the report."""

    agreement: list[Chart]
    # by benchmark, task and condition
    forests: list[Table]


class _Slice(Struct, frozen=True):
    benchmark: str
    task: str
    condition: str
    metric: str
    slice_name: str
    slice_value: str
    model: str
    run: str
    value: float
    unit: str
    n: int


def board_tables(connection: duckdb.DuckDBPyConnection, known: Sequence[str]) -> list[BoardTable]:
    """The boards of the warehouse. `known` are the benchmarks whose candidates can be looked at."""
    if not has_table(connection, "evaluation", "evaluation__leaderboard"):
        return []
    others: dict[tuple[str, str, str], list[str]] = {}
    if has_table(connection, "evaluation", "evaluation__runs"):
        for run in other_models(connection):
            others.setdefault((run.benchmark, run.task, run.condition), []).append(run.sentence())
    return [
        BoardTable(
            board,
            [*_rows(board, known)],
            others.get((board.benchmark, board.task, board.condition), []),
        )
        for board in boards(connection, read_scores(connection))
    ]


def _rows(board: Board, known: Sequence[str]) -> Iterator[tuple[str, str, list[Cell | None]]]:
    for row in board.rows:
        first = next(iter(row.values()))
        cells = [_cell(board, column, row.get(column), known) for column in board.columns]
        yield first.name, first.model, cells


def _cell(board: Board, column: Column, score: Score | None, known: Sequence[str]) -> Cell | None:
    if score is None:
        return None
    fields = {"benchmark": board.benchmark, "task": board.task, "condition": board.condition}
    if column.split != _ALL:
        fields["slice"] = f"split={column.split}"
    return Cell(
        score.shown(),
        score.n,
        _share(score.value, score.unit),
        fields if board.benchmark in known else {},
    )


def _share(value: float, unit: str) -> float | None:
    share = value / 100 if unit == "percent" else value
    return share if 0 <= share <= 1 else None


def slice_tables(connection: duckdb.DuckDBPyConnection, known: Sequence[str]) -> list[SliceTable]:
    """What runs reach by slice, a table a slice, those with the widest spread first."""
    if not has_table(connection, "evaluation", "evaluation__scores"):
        return []
    rows = query(connection, sql_beside(__file__, "slices"), _Slice)
    key = attrgetter("benchmark", "task", "condition", "metric", "slice_name")
    return [_slice_table(asked, list(group), known) for asked, group in groupby(rows, key=key)]


def _slice_table(
    asked: tuple[str, str, str, str, str], rows: Sequence[_Slice], known: Sequence[str]
) -> SliceTable:
    benchmark, task, condition, _, slice_name = asked
    runs = sorted({(row.model, row.run) for row in rows})
    found = {(row.slice_value, row.model, row.run): row for row in rows}

    def cell(value: str, model: str, run: str) -> Cell | None:
        row = found.get((value, model, run))
        if row is None:
            return None
        fields = {
            "benchmark": benchmark, "task": task, "condition": condition,
            "slice": f"{slice_name}={value}",
        }  # fmt: skip
        digits = 2 if row.unit == "percent" else 4
        return Cell(
            f"{row.value:.{digits}f}",
            row.n,
            _share(row.value, row.unit),
            fields if benchmark in known else {},
        )

    return SliceTable(
        *asked,
        runs,
        [
            (value, [cell(value, *run) for run in runs])
            for value in sorted({row.slice_value for row in rows})
        ],
    )


def drawings(connection: duckdb.DuckDBPyConnection) -> Drawings:
    """The drawings of the report's scores, of all benchmarks; what is not built has none."""
    reader = Reader(connection)
    agreement = (
        heats_of(reader, "scores/agreement", _ASKED, {}) if reader.has("scores/agreement") else []
    )
    forests = []
    if reader.has("scores/forest"):
        forests = reader.tables(
            "scores/forest", _ASKED, {}, lambda row, caption: f"{asked_of(row, _ASKED)}: {caption}"
        )
    return Drawings(agreement, [table for _, table in forests])
