"""What changed between two builds: what decided, what each stage gained and lost, what moved."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.ports import port_of, ports
from gainsay.report.sections.blocks import (
    Card,
    Group,
    Note,
    Part,
    Section,
    add_line,
    anchor,
    title,
)
from gainsay.report.sections.regions import regions, regions_of
from gainsay.report.tables import Column, Reader, Table, literal

SECTION: Final = "difference"
_MOST_ROWS: Final = 200
_RECORDS_OF_A_MOVE: Final = 12
# the largest moves of a benchmark show so many of their candidates with their pictures
_PICTURED_MOVES: Final = 6
_CARDS_OF_A_MOVE: Final = 4
_PHOTOGRAPHS: Final = "report.report__photographs"
_OTHER: Final = "other"


def difference(
    connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str], other: Path
) -> Section:
    """The section of a report that compares its warehouse with an earlier one at `other`.

    Reads tables alone: a view of the other warehouse would read this one's tables. Raises
    `GainsayError` where the other cannot be opened or has no report.
    """
    _attach(connection, other)
    reader = Reader(connection)
    attached = f"attach {literal(str(other.resolve()))} as {_OTHER} (read_only)"
    section = Section(
        SECTION,
        "What changed",
        f"This build beside the one of {other.name}. The queries take the earlier warehouse as"
        f" `{_OTHER}`: `{attached}`.",
    )
    stages = _changed_stages(reader, benchmarks, attached)
    earlier = _ports_of_other(reader)
    compared = []
    for benchmark in benchmarks:
        part = Part(anchor(SECTION, benchmark), title(benchmark), [])
        if {f"{benchmark}__manifest", f"{benchmark}__screened"} <= earlier.keys():
            n_changes = _compare(connection, reader, benchmark, earlier, part, attached)
            compared.append((n_changes, part))
        else:
            part.blocks.append(Note(f"{other.name} has not built it."))
            compared.append(((0, 0), part))
    # the benchmark with the most moves first
    section.parts.extend(part for _, part in sorted(compared, key=lambda one: one[0], reverse=True))
    if stages.rows:
        section.blocks.append(stages)
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


def _changed_stages(reader: Reader, benchmarks: Sequence[str], attached: str) -> Table:
    return reader.table(
        anchor(SECTION, "stages"),
        "What each stage gained and lost",
        f"""
            -- {attached};
            select benchmark, screening, stage, coalesce(earlier.n, 0) as n_before,
                coalesce(now.n, 0) as n_now, coalesce(now.n, 0) - coalesce(earlier.n, 0) as n_more
            from report.report__stages as now
            full join {_OTHER}.report.report__stages as earlier
                using (benchmark, screening, stage)
            where benchmark in ({", ".join(map(literal, benchmarks))})
                and coalesce(now.n, 0) <> coalesce(earlier.n, 0)
            order by abs(n_more) desc, benchmark, screening,
                coalesce(now.stage_order, earlier.stage_order)
            """,
        [
            Column("benchmark", "benchmark"),
            Column("screening", "screening"),
            Column("stage", "stage"),
            Column("n_before", "before", "count"),
            Column("n_now", "now", "count"),
            Column("n_more", "change", "count"),
        ],
    )


def _attach(connection: duckdb.DuckDBPyConnection, other: Path) -> None:
    if not other.is_file():
        raise GainsayError(f"{other}: no warehouse here; name a DuckDB file of an earlier build")
    try:
        connection.execute(f"attach {literal(str(other))} as {_OTHER} (read_only)")
    except duckdb.Error as error:
        raise GainsayError(f"{other}: cannot open the other warehouse: {error}") from error
    found = connection.execute(
        "select 1 from duckdb_tables() where database_name = $name"
        " and table_name = 'report__stages'",
        {"name": _OTHER},
    ).fetchall()
    if not found:
        raise GainsayError(
            f"{other}: has no report__stages; build it with this version of gainsay first"
        )


def _ports_of_other(reader: Reader) -> dict[str, str]:
    """The tables of the other warehouse that are ports, and how a query names them."""
    rows = reader.rows(
        "select schema_name, table_name from duckdb_tables()"
        f" where database_name = {literal(_OTHER)}"
        " and (ends_with(table_name, '__manifest') or ends_with(table_name, '__screened'))"
    )
    return {
        row["table_name"]: f'{_OTHER}."{row["schema_name"]}"."{row["table_name"]}"' for row in rows
    }


def _compare(
    connection: duckdb.DuckDBPyConnection,
    reader: Reader,
    benchmark: str,
    earlier: dict[str, str],
    part: Part,
    attached: str,
) -> tuple[int, int]:
    """How many candidates of a benchmark moved, and how many entries of its manifest changed."""
    moves = _MOVES.format(
        attached=attached,
        now=port_of(connection, benchmark, "screened"),
        earlier=earlier[f"{benchmark}__screened"],
    )
    counts = _counted_moves(reader, benchmark, moves)
    same = Note("Every candidate ends where it ended before.")
    part.blocks.append(counts if counts.rows else same)
    n_changed = 0
    if benchmark in ports(connection, "manifest"):
        now = port_of(connection, benchmark, "manifest")
        changed = _changed_entries(
            reader, benchmark, now, earlier[f"{benchmark}__manifest"], attached
        )
        n_changed = len(changed.rows)
        undecided = Note(
            "Nothing that decides has changed: configuration, inputs, vocabularies, code and"
            " content are as before."
        )
        # an empty table would leave it open whether anything was compared
        part.blocks.append(changed if changed.rows else undecided)
    if counts.rows:
        for place, move in enumerate(counts.rows[:_PICTURED_MOVES]):
            part.blocks.append(_pictured_move(reader, benchmark, moves, move, is_open=place == 0))
        part.blocks.append(_moved_candidates(reader, benchmark, moves))
    return sum(row["n"] for row in counts.rows), n_changed


def _changed_entries(
    reader: Reader, benchmark: str, now: str, earlier: str, attached: str
) -> Table:
    return reader.table(
        anchor("difference-manifest", benchmark),
        f"{title(benchmark)}: what decided differently",
        f"""
        -- {attached};
        select section, item, measure, earlier.value as value_before, now.value as value_now,
            count(*) over () as n_rows
        from {now} as now
        full join {earlier} as earlier using (protocol, section, item, measure)
        where now.value is distinct from earlier.value
            and section in ('configuration', 'input', 'vocabulary', 'code', 'content')
        order by section, item, measure
        limit {_MOST_ROWS}
        """,
        [
            Column("section", "what"),
            Column("item", "name", "code"),
            Column("measure", "measure"),
            Column("value_before", "before", "code"),
            Column("value_now", "now", "code"),
        ],
    )


# the candidates that end elsewhere now; one that is in one build alone is not there in the other
_MOVES: Final = """-- {attached};
with

moves as (

    select screening, candidate_id,
        coalesce(now.source_image_id, earlier.source_image_id) as source_image_id,
        coalesce(now.question, earlier.question) as question,
        coalesce(now.gold_answer, earlier.gold_answer) as gold_answer,
        case
            when earlier.candidate_id is null then 'not there'
            else coalesce(earlier.drop_stage, 'retained')
        end as stage_before,
        case
            when now.candidate_id is null then 'not there'
            else coalesce(now.drop_stage, 'retained')
        end as stage_now,
        concat_ws(': ', earlier.drop_reason, earlier.drop_detail) as reason_before,
        concat_ws(': ', now.drop_reason, now.drop_detail) as reason_now
    from {now} as now
    full join {earlier} as earlier using (screening, candidate_id)
    where stage_before <> stage_now

)"""


def _counted_moves(reader: Reader, benchmark: str, moves: str) -> Table:
    return reader.table(
        anchor("moves", benchmark),
        f"{title(benchmark)}: from where to where candidates moved",
        f"""{moves}

select screening, stage_before, stage_now, count(*) as n
from moves
group by screening, stage_before, stage_now
order by n desc, screening, stage_before, stage_now""",
        [
            Column("screening", "screening"),
            Column("stage_before", "before"),
            Column("stage_now", "now"),
            Column("n", "candidates", "count"),
        ],
    )


def _moved_candidates(reader: Reader, benchmark: str, moves: str) -> Table:
    return reader.table(
        anchor("moved", benchmark),
        f"{title(benchmark)}: candidates that moved, and why",
        f"""{moves},

drawn_moves as (

    select *, count(*) over () as n_rows,
        count(*) over (partition by screening, stage_before, stage_now) as n_alike,
        row_number() over (
            partition by screening, stage_before, stage_now order by md5(candidate_id)
        ) as place
    from moves

)

select * from drawn_moves
where place <= {_RECORDS_OF_A_MOVE}
order by n_alike desc, screening, stage_before, stage_now, place
limit {_MOST_ROWS}""",
        [
            Column("candidate_id", "candidate", "code"),
            Column("question", "question", "prose"),
            Column("gold_answer", "gold answer"),
            Column("stage_before", "before"),
            Column("reason_before", "why"),
            Column("stage_now", "now"),
            Column("reason_now", "why"),
        ],
        is_folded=True,
    )


def _pictured_move(
    reader: Reader, benchmark: str, moves: str, move: dict[str, Any], *, is_open: bool
) -> Group:
    """Some candidates that moved alike, those first whose picture can be shown."""
    shown, joined = "false", ""
    if reader.has(_PHOTOGRAPHS):
        shown = "coalesce(photographs.picture_state = 'shown', false)"
        joined = f"""
left join {_PHOTOGRAPHS} as photographs
    on moves.source_image_id = photographs.source_image_id"""
    columns, regions_joined = regions_of(reader, benchmark, "moves")
    joined += regions_joined.replace("\n        ", "\n")
    sql = f"""{moves}

select moves.*{columns.replace("            ", "    ")}
from moves{joined}
where moves.screening = {literal(move["screening"])}
    and moves.stage_before = {literal(move["stage_before"])}
    and moves.stage_now = {literal(move["stage_now"])}
order by {shown} desc, md5(moves.candidate_id)
limit {_CARDS_OF_A_MOVE}"""
    names = [benchmark, move["screening"], move["stage_before"], move["stage_now"]]
    own = [] if move["screening"] == benchmark else [title(move["screening"])]
    return Group(
        anchor("move", *names),
        ": ".join([*own, f"{move['stage_before']} → {move['stage_now']}"]),
        f"{move['n']:,} candidate{'' if move['n'] == 1 else 's'}",
        sql,
        [_card(names, row) for row in reader.rows(sql)],
        is_open,
    )


def _card(names: Sequence[str], row: dict[str, Any]) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    add_line(lines, "question", row["question"])
    add_line(lines, "gold answer", row["gold_answer"])
    add_line(lines, "before", row["reason_before"] or row["stage_before"])
    add_line(lines, "now", row["reason_now"] or row["stage_now"])
    return Card(
        anchor("moved", *names, row["candidate_id"]),
        row["candidate_id"],
        [row["source_image_id"]] if row["source_image_id"] else [],
        lines,
        regions=regions(row),
    )
