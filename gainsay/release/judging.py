"""What people say of the gates: whether a stage was right to drop what it dropped."""

from typing import Final

import duckdb
import msgspec

from gainsay.foundation.queries import query

_PRECISION: Final = """
    select screening, stage, reason, n_sampled, n, n_right, share, low, high, n_readers, agreement,
        is_retained_sample
    from audit.audit__gate_precision
    where benchmark = $benchmark
    order by screening, stage_order
"""


class GatePrecision(msgspec.Struct, frozen=True):
    """How often a stage was right, of the records that people judged.

    A row of `audit__gate_precision`. Of what was retained, how often it is right as it is. Shares
    have Wilson's interval of 95 %; where `n` is 0 nobody has judged it, and nothing is known.
    """

    screening: str
    stage: str
    reason: str
    n_sampled: int
    n: int
    n_right: int
    share: float | None
    low: float | None
    high: float | None
    n_readers: int
    agreement: float | None
    is_retained_sample: bool

    @property
    def said(self) -> str:
        """The share and its interval in words."""
        if self.share is None or self.low is None or self.high is None:
            return "not judged"
        interval = f"{100 * self.low:.1f} to {100 * self.high:.1f}"
        return f"{100 * self.share:.1f} % of {self.n} ({interval})"


def read_gate_precision(
    connection: duckdb.DuckDBPyConnection, benchmark: str
) -> list[GatePrecision]:
    """The stages of a benchmark; none where the warehouse was built without people's votes."""
    built = connection.execute(
        "select 1 from information_schema.tables where table_schema = 'audit'"
        " and table_name = 'audit__gate_precision' and table_catalog = current_database()"
    ).fetchone()
    return query(connection, _PRECISION, GatePrecision, {"benchmark": benchmark}) if built else []
