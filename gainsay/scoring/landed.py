"""To which benchmarks answers have landed: asked before dbt is imported, which takes seconds."""

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query


class _Landed(msgspec.Struct):
    benchmark: str


def answered_benchmarks(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """The benchmarks that answers have landed to."""
    tables = connection.execute(
        "select 1 from information_schema.tables"
        " where table_schema = 'raw' and table_name = 'landed_predictions'"
    ).fetchall()
    if not tables:
        return []
    landed = "select distinct benchmark from raw.landed_predictions order by benchmark"
    return [row.benchmark for row in query(connection, landed, _Landed)]


def require_answers(connection: duckdb.DuckDBPyConnection, benchmark: str | None) -> None:
    """Raise `GainsayError` where no answer is landed, or none to this benchmark."""
    names = answered_benchmarks(connection)
    if benchmark in names or (names and benchmark is None):
        return
    to_whom = f" to {benchmark}" if benchmark else ""
    others = f" (only to {', '.join(names)})" if names else ""
    raise GainsayError(
        f"no answers{to_whom} are landed{others}; land a file by `gainsay land-predictions"
        f" --benchmark {benchmark or 'NAME'} --model NAME FILE`, ask a model by `gainsay predict`,"
        " or score answers that need no model by `gainsay score --references`"
    )
