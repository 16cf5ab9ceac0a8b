"""Whether what is shown was built of what the warehouse holds now."""

from collections.abc import Sequence

import duckdb
import msgspec

from gainsay.foundation.queries import has_table, query, set_variables, sql_beside

_MOST_NAMED = 5


class Change(msgspec.Struct, frozen=True):
    """A raw table or mart that holds something else than when a table was made of it."""

    shown: str
    relation: str
    is_raw: bool


def changes(
    connection: duckdb.DuckDBPyConnection, shown: Sequence[str], benchmarks: Sequence[str] = ()
) -> list[Change]:
    """What has changed since tables were built whose names begin with one of `shown`.

    With `benchmarks` only what they show of these: what has changed since their marts were built,
    and these marts themselves.
    """
    if not has_table(connection, "audit", "audit__raw_contents"):
        return []
    set_variables(connection, {"shown": list(shown), "benchmarks": list(benchmarks) or None})
    return query(connection, sql_beside(__file__, "changes"), Change)


def warning(found: Sequence[Change]) -> str | None:
    """That what is shown is not of what the warehouse holds now, in a sentence; None where it is.

    It names the raw tables, and marts where no raw table has changed.
    """
    raw = sorted({f"raw.{one.relation}" for one in found if one.is_raw})
    names = raw or sorted({one.relation for one in found})
    if not names:
        return None
    if len(names) > _MOST_NAMED:
        names[_MOST_NAMED:] = [f"{len(names) - _MOST_NAMED} more"]
    named = " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))
    return (
        f"{named} {'have' if len(names) > 1 else 'has'} changed since what is shown here was built:"
        " `gainsay build` makes it anew."
    )
