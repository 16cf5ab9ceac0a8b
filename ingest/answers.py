"""Answers of models into the raw tables: all of one file, or nothing."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import pyarrow as pa
import pyarrow.compute as pc

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_printable
from gainsay.foundation.names import likeness
from gainsay.foundation.progress import Advance
from gainsay.ingest.landing import larger_batches
from gainsay.ingest.predictions import (
    Answering,
    Delivered,
    Layout,
    Mapping,
    known_by_line,
    read_predictions,
    require_answers,
    require_one_asking,
)
from gainsay.ingest.raw import REJECTED_RECORDS
from gainsay.ingest.records import RunDecoder
from gainsay.ingest.rejections import spooled_rejections
from gainsay.ingest.sinks.raw_tables import RawTables

# a number as spreadsheet programs show a large one
_ROUNDED = r"^\d(?:[.,]\d+)?E\+\d+$"


@dataclass(frozen=True)
class AnswerLanding:
    """The result of landing one file of answers.

    `n_left_empty`: values that answers landed without, where the file was read in this landing.
    """

    n_records: int
    n_rejected: int
    state: Literal["landed", "replaced", "unchanged"]
    n_left_empty: int = 0


def land_predictions(
    tables: RawTables,
    path: Path,
    answering: Answering,
    layout: Layout,
    advance: Advance,
) -> AnswerLanding:
    """Land one file of answers; `advance` counts its bytes.

    The same content under the same names changes nothing; another content replaces the
    answers that were landed for this benchmark, task, condition, model and run. Raises
    `GainsayError`, and lands nothing, when the file cannot be read, none of its records fits, or
    the model or the run looks like another one.
    """
    require_printable(path)
    require_unlike(tables, answering.model, answering.run)
    delivered = known_by_line(path, read_predictions(path, layout), answering, layout)
    mapping = delivered.mapping
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
        n_records, n_rejected, n_left_empty = _write(
            tables,
            path=path,
            answering=answering,
            layout=layout,
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
    state: Literal["replaced", "landed"] = "replaced" if former else "landed"
    return AnswerLanding(n_records, n_rejected, state, n_left_empty)


def require_unlike(tables: RawTables, model: str, run: str | None = None) -> None:
    """Raise `GainsayError` where answers of a model landed under another spelling of its name.

    With `run` also where those of that run of the model did.
    """
    landed = tables.rows("landed_predictions", ("model", "run"), {})
    _require_spelled("model", model, {name for name, _ in landed})
    if run is not None:
        _require_spelled("run", run, {name for of, name in landed if of == model})


def _require_spelled(what: str, name: str, known: set[str]) -> None:
    alike = sorted(each for each in known if likeness(each) == likeness(name))
    if alike and name not in alike:
        raise GainsayError(
            f"{what} {name!a}: looks like the {what} {alike[0]!a}, of which answers"
            " landed; call it so, or give another name"
        )


@dataclass(frozen=True)
class _FormerLanding:
    """An earlier landing under the same name."""

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
    layout: Layout,
    delivered: Delivered,
    landed_at: datetime,
    advance: Advance,
) -> tuple[int, int, int]:
    """Write all records of a file: how many landed, how many not, how many values were left out."""
    mapping = delivered.mapping
    stamp = {
        "_source_file": answering.source_file,
        "_source_sha256": delivered.sha256,
        "_landed_at": landed_at,
    }
    n_records, n_rounded, has_answers = 0, 0, False

    def accepted() -> Iterator[pa.RecordBatch]:
        nonlocal n_records, n_rounded, has_answers
        decode = RunDecoder(delivered.array)
        for run in delivered.runs(advance):
            batch = decode.undecoded(run.raws, run.positions)
            for rejected in (run.broken, batch.rejections):
                rejections.add("predictions", rejected)
            rejections.note("predictions", batch.notes)
            n_records += batch.records.num_rows
            keys = batch.records["example_key"]
            n_rounded += pc.sum(pc.match_substring_regex(keys, _ROUNDED)).as_py() or 0
            has_answers = has_answers or batch.records["prediction"].null_count < len(batch.records)
            yield batch.records

    with spooled_rejections() as rejections:
        tables.write(
            "predictions",
            delivered.array.schema,
            larger_batches(accepted()),
            stamp | answering.columns(),
        )
        if not n_records:
            first = rejections.first["predictions"]
            raise GainsayError(
                f"{path}: none of its records fits; {first.field} of the first is {first.found},"
                f" expected {first.expected}; the id is read from {mapping.id_column!r} and the"
                f" answer from {mapping.answer_column!r}, see --id-column and --answer-column;"
                f" its fields are {', '.join(delivered.names) or 'none'}; {layout.expected}"
            )
        if 2 * n_rounded > n_records:
            raise GainsayError(
                f"{path}: {n_rounded:,} of {n_records:,} ids were rounded by a spreadsheet program,"
                " as 9.00E+03 is; take them from the file that it read, as texts"
            )
        if not has_answers:
            require_answers(path, delivered, layout)
        if rejections.n_rejected or rejections.n_notes:
            tables.write("rejected_records", REJECTED_RECORDS, rejections.batches(), stamp)
    return n_records, rejections.n_rejected, rejections.n_notes
