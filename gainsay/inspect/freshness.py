"""Whether what is shown is of the build that made it, or of an earlier one."""

from collections.abc import Sequence
from datetime import datetime

import duckdb
import msgspec

from gainsay.foundation.queries import query


class Newer(msgspec.Struct, frozen=True):
    """A mart that was built again after what is made of it."""

    shown: str
    shown_at: datetime
    mart: str
    built_at: datetime


_HAS_BUILDS = """
    select 1 from information_schema.tables
    where table_schema = 'audit' and table_name = 'audit__built_models'
"""
_NEWER = """
    with builds as (
        select model, max(started_at) as started_at, max_by(shows, started_at) as shows
        from audit.audit__built_models
        group by model
    ),
    shown as (
        select model, started_at, unnest(string_split(shows, ',')) as mart
        from builds
        where starts_with(model, 'audit__') or starts_with(model, 'report__')
    )
    select shown.model as shown, shown.started_at as shown_at, shown.mart,
        builds.started_at as built_at
    from shown
    inner join builds on shown.mart = builds.model
    where builds.started_at > shown.started_at
        and ($benchmarks is null or list_contains($benchmarks, split_part(shown.mart, '__', 1)))
    order by all
"""


def newer_marts(
    connection: duckdb.DuckDBPyConnection, benchmarks: Sequence[str] = ()
) -> list[Newer]:
    """The marts of benchmarks that are newer than a table of audit or report made of them."""
    if not connection.execute(_HAS_BUILDS).fetchall():
        return []
    return query(connection, _NEWER, Newer, {"benchmarks": list(benchmarks) or None})


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
