"""What changed between two builds: what decided, what each stage gained and lost, what moved."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.names import title
from gainsay.foundation.queries import literal
from gainsay.report.sections.blocks import (
    Card,
    Group,
    Note,
    Part,
    Region,
    Section,
    add_line,
)
from gainsay.report.sections.regions import regions_of
from gainsay.report.tables import Reader, Records, Row, Table, anchor

SECTION: Final = "difference"
# the largest moves of a benchmark show so many of their candidates with their pictures
_PICTURED_MOVES: Final = 6
_CARDS_OF_A_MOVE: Final = 4
_OTHER: Final = "other"
_BLOCKS: Final = ("stages", "entries", "moves", "moved")
_MOVE: Final = ("benchmark", "screening", "stage_before", "stage_now")


def difference(
    connection: duckdb.DuckDBPyConnection,
    benchmarks: Sequence[str],
    other: Path,
    newer: str | None = None,
) -> Section:
    """The section of a report that compares its warehouse with an earlier one at `other`.

    Its blocks read tables alone: a view of the other warehouse would read this one's tables. Where
    `newer` says that tables are not of what the warehouse holds now, it stands in the place of
    sentences that nothing has changed.
    Raises `GainsayError` where the other cannot be opened or lacks a table that they read.
    """
    _attach(connection, other)
    reader = Reader(connection)
    missing = sorted({table for name in _BLOCKS for table in reader.missing(f"{SECTION}/{name}")})
    if missing:
        raise GainsayError(
            f"{other}: has no {missing[0].rpartition('.')[2]}; build it with this version of"
            " gainsay first"
        )
    attached = f"attach {literal(str(other.resolve()))} as {_OTHER} (read_only)"
    section = Section(
        SECTION,
        "What changed",
        f"This build beside the one of {other.name}. The queries take the earlier warehouse as"
        f" `{_OTHER}`: `{attached}`.",
        is_folded=False,
    )
    earlier = {row["benchmark"] for row in reader.rows(f"{SECTION}/earlier")}
    compared = []
    for benchmark in benchmarks:
        part = Part(anchor(SECTION, benchmark), title(benchmark), [])
        n_changes = (0, 0)
        if benchmark in earlier:
            n_changes = _compare(reader, benchmark, part, attached, newer)
        else:
            part.blocks.append(Note(f"{other.name} has not built it."))
        compared.append((n_changes, part))
    # the benchmark with the most moves first
    section.parts.extend(part for _, part in sorted(compared, key=lambda one: one[0], reverse=True))
    stages = _table(reader, "stages", attached, benchmarks)
    if stages.rows:
        section.blocks.append(replace(stages, anchor=anchor(SECTION, "stages")))
    elif newer:
        section.blocks.append(Note(newer))
    elif any(any(n_changes) for n_changes, _ in compared):
        section.blocks.append(
            Note("Every stage of every screening has as many candidates as before.")
        )
    else:
        section.blocks.append(
            Note(
                "No difference: every candidate ends where it ended before, and nothing that"
                " decides has changed."
            )
        )
    return section


def _attach(connection: duckdb.DuckDBPyConnection, other: Path) -> None:
    if not other.is_file():
        raise GainsayError(f"{other}: no warehouse here; name a DuckDB file of an earlier build")
    try:
        connection.execute(f"attach {literal(str(other))} as {_OTHER} (read_only)")
    except duckdb.Error as error:
        raise GainsayError(f"{other}: cannot open the other warehouse: {error}") from error


def _table(reader: Reader, name: str, attached: str, benchmark: str | Sequence[str]) -> Table:
    """The table of a block, under whose query stands where the other warehouse is."""
    table = reader.table(f"{SECTION}/{name}", {"benchmark": benchmark})
    return replace(table, sql=f"-- {attached};\n{table.sql}")


def _compare(
    reader: Reader, benchmark: str, part: Part, attached: str, newer: str | None
) -> tuple[int, int]:
    """How many candidates of a benchmark moved, and how many entries of its manifest changed."""
    moves = _table(reader, "moves", attached, benchmark)
    part.blocks.append(
        moves.named(f"{title(benchmark)}: {moves.caption}", benchmark)
        if moves.rows
        else Note(newer or "Every candidate ends where it ended before.")
    )
    entries = _table(reader, "entries", attached, benchmark)
    # an empty table would leave it open whether anything was compared
    part.blocks.append(
        replace(
            entries,
            anchor=anchor("difference-manifest", benchmark),
            caption=f"{title(benchmark)}: {entries.caption}",
        )
        if entries.rows
        else Note(
            newer
            or "Nothing that decides has changed: configuration, inputs, vocabularies, code and"
            " content are as before."
        )
    )
    if moves.rows:
        part.blocks.extend(_pictured_moves(reader, benchmark, moves, attached))
        moved = _table(reader, "moved", attached, benchmark)
        part.blocks.append(moved.named(f"{title(benchmark)}: {moved.caption}", benchmark))
    return sum(row["n_candidates"] for row in moves.rows), len(entries.rows) + entries.n_cut


def _pictured_moves(reader: Reader, benchmark: str, moves: Table, attached: str) -> list[Group]:
    """Some candidates of the largest moves, those first whose picture can be shown."""
    drawn = {
        tuple(row[name] for name in _MOVE): records
        for row, records in reader.records(
            f"{SECTION}/moved", _MOVE, {"benchmark": benchmark}, _CARDS_OF_A_MOVE
        )
    }
    largest = moves.rows[:_PICTURED_MOVES]
    shown = [drawn[tuple(move[name] for name in _MOVE)] for move in largest]
    regions = regions_of(
        reader, benchmark, [row["candidate"] for records in shown for row in records.rows]
    )
    return [
        _pictured_move(move, records, regions, attached, is_open=place == 0)
        for place, (move, records) in enumerate(zip(largest, shown, strict=True))
    ]


def _pictured_move(
    move: Row,
    records: Records,
    regions: dict[tuple[str, str], list[Region]],
    attached: str,
    *,
    is_open: bool,
) -> Group:
    names = [move[name] for name in _MOVE]
    own = [] if move["screening"] == move["benchmark"] else [title(move["screening"])]
    n = move["n_candidates"]
    return Group(
        anchor("move", *names),
        ": ".join([*own, f"{move['stage_before']} → {move['stage_now']}"]),
        f"{n:,} candidate{'' if n == 1 else 's'}",
        f"-- {attached};\n{records.sql}",
        [
            _card(names, row, regions.get((row["screening"], row["candidate"]), []))
            for row in records.rows
        ],
        is_open,
    )


def _card(names: Sequence[str], row: dict[str, Any], regions: Sequence[Region]) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    add_line(lines, "question", row["question"])
    add_line(lines, "gold answer", row["gold_answer"])
    add_line(lines, "before", row["why_before"] or row["stage_before"])
    add_line(lines, "now", row["why_now"] or row["stage_now"])
    return Card(
        anchor("moved", *names, row["candidate"]),
        row["candidate"],
        [row["source_image_id"]] if row["source_image_id"] else [],
        lines,
        regions=regions,
    )
