"""Answers of models into the raw tables: all of one file, or nothing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import numpy as np
import pyarrow as pa

from gainsay.errors import GainsayError
from gainsay.progress import Advance
from ingest.predictions import (
    Answering,
    Delivered,
    Mapping,
    known_by_line,
    read_predictions,
    require_one_asking,
)
from ingest.raw import rejected_records
from ingest.records import Rejection, decode
from ingest.sinks.raw_tables import RawTables


@dataclass(frozen=True)
class AnswerLanding:
    """What became of one file of answers."""

    n_records: int
    n_rejected: int
    state: Literal["landed", "replaced", "unchanged"]


def land_predictions(
    tables: RawTables,
    path: Path,
    answering: Answering,
    mapping: Mapping,
    advance: Advance,
) -> AnswerLanding:
    """Land one file of answers; `advance` counts its bytes.

    The same content under the same names changes nothing; another content replaces the
    answers that were landed for this benchmark, task, condition, model and run. Raises
    `GainsayError`, and lands nothing, when the file cannot be read or none of its records fits.
    """
    delivered = known_by_line(path, read_predictions(path, mapping), answering, mapping.id_column)
    require_one_asking(path, delivered, answering)
    name = answering.source_file
    with tables.transaction():
        former = _former_landing(tables, name)
        if former and (former.sha256, former.mapping) == (delivered.sha256, mapping):
            advance(delivered.n_bytes)
            return AnswerLanding(former.n_records, former.n_rejected, "unchanged")
        for table in ("predictions", "rejected_records") if former else ():
            tables.forget_rows(table, name)
        landed_at = datetime.now(UTC).replace(tzinfo=None)
        n_records, n_rejected = _write(
            tables,
            path=path,
            answering=answering,
            mapping=mapping,
            delivered=delivered,
            landed_at=landed_at,
            advance=advance,
        )
        tables.note_file(
            "landed_predictions",
            {
                "source_file": name,
                **answering.columns(),
                "path": str(path),
                "id_column": mapping.id_column,
                "answer_column": mapping.answer_column,
                "n_bytes": delivered.n_bytes,
                "sha256": delivered.sha256,
                "n_records": n_records,
                "n_rejected": n_rejected,
                "landed_at": landed_at,
            },
        )
    return AnswerLanding(n_records, n_rejected, "replaced" if former else "landed")


@dataclass(frozen=True)
class _FormerLanding:
    """What was landed under a name before."""

    sha256: str
    mapping: Mapping
    n_records: int
    n_rejected: int


def _former_landing(tables: RawTables, name: str) -> _FormerLanding | None:
    columns = ("sha256", "id_column", "answer_column", "n_records", "n_rejected")
    for row in tables.rows("landed_predictions", columns, {"source_file": [name]}):
        sha256, id_column, answer_column, n_records, n_rejected = row
        return _FormerLanding(sha256, Mapping(id_column, answer_column), n_records, n_rejected)
    return None


def _write(
    tables: RawTables,
    *,
    path: Path,
    answering: Answering,
    mapping: Mapping,
    delivered: Delivered,
    landed_at: datetime,
    advance: Advance,
) -> tuple[int, int]:
    """Write all records of a file: how many landed, how many were rejected."""
    stamp = {
        "_source_file": answering.source_file,
        "_source_sha256": delivered.sha256,
        "_landed_at": landed_at,
    }
    rejections = list(delivered.broken)
    batches = _records_with_places(delivered, rejections, advance)
    tables.write(
        "predictions",
        delivered.array.schema,
        batches,
        stamp | answering.columns(),
    )
    n_records = len(delivered.raws) + len(delivered.broken) - len(rejections)
    if not n_records:
        first = rejections[0]
        raise GainsayError(
            f"{path}: none of its records fits; {first.field} of the first is {first.found},"
            f" expected {first.expected}; the id is read from {mapping.id_column!r} and the answer"
            f" from {mapping.answer_column!r}, see --id-column and --answer-column"
        )
    if rejections:
        records = rejected_records("predictions", rejections)
        tables.write("rejected_records", records.schema, iter([records]), stamp)
    return n_records, len(rejections)


def _records_with_places(
    delivered: Delivered, rejections: list[Rejection], advance: Advance
) -> Iterator[pa.RecordBatch]:
    """The records batch by batch with their places in the file; rejections put aside."""
    places = np.array(delivered.positions, dtype=np.int64)
    size_of_record = delivered.n_bytes / max(1, len(delivered.raws))
    for batch in decode(delivered.array, delivered.raws):
        rejections += [
            replace(rejection, position=delivered.positions[rejection.position])
            for rejection in batch.rejections
        ]
        numbers = batch.records.column("_position").to_numpy()
        yield batch.records.set_column(
            batch.records.num_columns - 1, "_position", pa.array(places[numbers])
        )
        advance(round(size_of_record * (batch.records.num_rows + len(batch.rejections))))
