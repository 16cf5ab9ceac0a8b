"""The records of a release, counted against the benchmark's own examples and against its audit."""

from collections.abc import Iterable
from pathlib import Path

import duckdb
from msgspec import Struct

from gainsay.exports.counting import Count, Counts, Row, counts_of, require_equal, written_rows
from gainsay.exports.records import HELD_BACK
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, read, set_variables, sql_beside
from gainsay.release.record import Counted


class _Record(Struct):
    example_id: str
    split: str
    condition: str | None
    group_id: str | None


class _Misread(Struct):
    read_in: str | None
    delivered_in: str | None
    n: int


def count_examples(
    connection: duckdb.DuckDBPyConnection, benchmark: str
) -> tuple[list[Counted], int]:
    """What the benchmark's own examples are, by split and condition, and how many are held back."""
    rows = read(
        connection,
        _Record,
        "exports.exports__deliverable",
        where="benchmark = $benchmark and records",
        parameters={"benchmark": benchmark},
    )
    delivered = [row for row in rows if row.split != HELD_BACK]
    counts = counts_of(
        Row(row.example_id, row.split, row.condition, row.group_id) for row in delivered
    )
    return [
        Counted(str(split), condition, count.n, f"{count.digest:016x}")
        for (split, condition), count in sorted(counts.items(), key=str)
    ], len(rows) - len(delivered)


def require_counted(paths: Iterable[Path], counted: list[Counted], what: str) -> None:
    """Raise `GainsayError` where the files of examples hold others than were counted."""
    found = counts_of(row for path in paths for row in written_rows(path))
    expected: Counts = {
        (one.split, one.condition): Count(one.n, int(one.digest, 16)) for one in counted
    }
    require_equal(found, expected, what)


def require_audited(connection: duckdb.DuckDBPyConnection, benchmark: str) -> None:
    """Raise `GainsayError` where the blind reader read other records than those that leave."""
    set_variables(connection, {"benchmark": benchmark})
    misread = query(connection, sql_beside(__file__, "misread"), _Misread)
    if misread:
        found = "; ".join(
            f"{one.n:,} read in {one.read_in or 'no split'} are in {one.delivered_in or 'no file'}"
            for one in misread
        )
        raise GainsayError(
            f"{benchmark}: the audit read other records than those that leave: {found}; run"
            " `gainsay build --select +audit__blind_scores` first"
        )
