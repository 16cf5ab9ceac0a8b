"""Whether what is shown is of the build that made it, or of an earlier one."""

from collections.abc import Sequence
from datetime import datetime

import duckdb
import msgspec

from gainsay.foundation.queries import has_table, query, set_variables, sql_beside


class Newer(msgspec.Struct, frozen=True):
    """A mart that was built again after what is made of it."""

    shown: str
    shown_at: datetime
    mart: str
    built_at: datetime


def newer_marts(
    connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str] = ()
) -> list[Newer]:
    """The marts of benchmarks that are newer than a table of audit or report made of them."""
    if not has_table(connection, "audit", "audit__built_models"):
        return []
    set_variables(connection, {"benchmarks": list(benchmarks) or None})
    return query(connection, sql_beside(__file__, "newer_marts"), Newer)


def warning(newer: Sequence[Newer], shown: Sequence[str] = ()) -> str | None:
    """That some marts are newer than what is shown, and how both become one; none where none is.

    `shown` are the tables that are shown, or begin their names; all of audit and report without.
    """
    concerned = [one for one in newer if not shown or one.shown.startswith(tuple(shown))]
    if not concerned:
        return None
    built = max(one.built_at for one in concerned)
    earlier = min(one.shown_at for one in concerned)
    marts = sorted({one.mart for one in concerned})
    return (
        f"{', '.join(marts)} {'is' if len(marts) == 1 else 'are'} newer than what is shown here:"
        f" built {built:%Y-%m-%d %H:%M:%S} UTC, and this {earlier:%Y-%m-%d %H:%M:%S}."
        " `gainsay build` makes both anew."
    )
