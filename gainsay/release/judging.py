"""What people say of the gates: whether a stage was right to drop what it dropped."""

import duckdb
import msgspec

from gainsay.foundation.queries import has_table, read


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
    if not has_table(connection, "audit", "audit__gate_precision"):
        return []
    return read(
        connection,
        GatePrecision,
        "audit.audit__gate_precision",
        where="benchmark = $benchmark",
        order="screening, stage_order",
        parameters={"benchmark": benchmark},
    )
