"""Measurements made outside the warehouse for gates of VLM Reality Check, into their raw table."""

from collections.abc import Sequence
from datetime import UTC, datetime

import duckdb
from msgspec import Struct

from ingest.sinks.duckdb import ensure_raw_schema, transaction


class Probe(Struct, frozen=True):
    """One check of a gate. `measured` and `is_passed` are null where `evidence` says why not."""

    gate_id: str
    check_name: str
    measured: str | None
    is_passed: bool | None
    evidence: str


def land_probes(connection: duckdb.DuckDBPyConnection, probes: Sequence[Probe]) -> None:
    """Land what was measured, in place of what was measured of the same checks before.

    Raises `GainsayError` when the warehouse cannot be written.
    """
    landed_at = datetime.now(UTC).replace(tzinfo=None)
    with transaction(connection):
        ensure_raw_schema(connection)
        for each in probes:
            connection.execute(
                "delete from raw.reality_check_probes where gate_id = $1 and check_name = $2",
                [each.gate_id, each.check_name],
            )
            connection.execute(
                "insert into raw.reality_check_probes by name select"
                " $1 as gate_id, $2 as check_name, $3 as measured, $4 as is_passed,"
                " $5 as evidence, $6 as _landed_at",
                [
                    each.gate_id, each.check_name, each.measured, each.is_passed, each.evidence,
                    landed_at,
                ],
            )  # fmt: skip
