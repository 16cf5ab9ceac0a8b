"""What changed between two builds: what decided, what each stage gained and lost, what moved."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import duckdb

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.ports import port_of, ports
from gainsay.report.sections.blocks import Note, Part, Section, anchor, title
from gainsay.report.tables import Column, Reader, Table, literal

_MOST_ROWS: Final = 200
_RECORDS_OF_A_MOVE: Final = 12
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
    section = Section(
        "difference",
        "What changed",
        f"This build beside the one of {other.name}. The queries take the earlier warehouse as"
        f" `other`: `attach {literal(str(other.resolve()))} as other (read_only)`.",
    )
    stages = reader.table(
        "difference-stages",
        "What each stage gained and lost",
        f"""
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
    # an empty table would leave it open whether anything was compared
    same = Note("Every stage of every screening has as many candidates as before.")
    section.blocks.append(stages if stages.rows else same)
    earlier = _ports_of_other(reader)
    for benchmark in benchmarks:
        part = Part(anchor("difference", benchmark), title(benchmark), [])
        section.parts.append(part)
        if {f"{benchmark}__manifest", f"{benchmark}__screened"} <= earlier.keys():
            _compare(connection, reader, benchmark, earlier, part)
        else:
            part.blocks.append(Note(f"{other.name} has not built it."))
    return section


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
) -> None:
    if benchmark in ports(connection, "manifest"):
        now = port_of(connection, benchmark, "manifest")
        part.blocks.append(
            _changed_entries(reader, benchmark, now, earlier[f"{benchmark}__manifest"])
        )
    moves = _MOVES.format(
        now=port_of(connection, benchmark, "screened"), earlier=earlier[f"{benchmark}__screened"]
    )
    counts = _counted_moves(reader, benchmark, moves)
    if not counts.rows:
        part.blocks.append(Note("Every candidate ends where it ended before."))
        return
    part.blocks.append(counts)
    part.blocks.append(_moved_candidates(reader, benchmark, moves))


def _changed_entries(reader: Reader, benchmark: str, now: str, earlier: str) -> Table:
    return reader.table(
        anchor("difference-manifest", benchmark),
        f"{title(benchmark)}: what decided differently",
        f"""
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
_MOVES: Final = """moves as (

    select screening, candidate_id,
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
        f"""with

{moves}

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
        f"""with

{moves},

drawn_moves as (

    select *, count(*) over () as n_rows, row_number() over (
        partition by screening, stage_before, stage_now order by md5(candidate_id)
    ) as place
    from moves

)

select * from drawn_moves
where place <= {_RECORDS_OF_A_MOVE}
order by screening, stage_before, stage_now, place
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
    )
