"""What people say of CLASH samples: a sheet to fill in, and its way back into the raw tables."""

import csv
import io
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import duckdb
import pyarrow as pa

from gainsay.errors import GainsayError
from gainsay.io.atomic import write_atomically
from gainsay.io.sheets import cell_of_text, text_of_cell
from gainsay.io.whole_files import read_whole_file
from ingest.raw import rejected_records
from ingest.records import Rejection
from ingest.sinks.duckdb import ensure_raw_schema, insert_batches, transaction

SHOWN = (
    "sample_id", "image_id", "image_file", "original_caption", "conflicting_caption", "question",
    "image_only_answer", "text_only_answer", "distractor_answer",
)  # fmt: skip
QUESTIONS = ("is_contradicted", "is_question_clear", "are_answers_right")
_NEEDED = ("sample_id", "conflicting_caption", *QUESTIONS, "verdict", "annotator")
_ASKED = (*QUESTIONS, "verdict", "note", "annotator")
_YES_OR_NO = {"yes": True, "no": False}
_QUERY = f"""
    select {", ".join(f"validation.{name}" for name in SHOWN)}
    from (
        select * from clash.clash__validation
        where origin = $origin
        order by draw
        limit $size
    ) as validation
    where not exists (
        select 1
        from staging.stg_clash__human_verdicts as given
        where given.sample_id = validation.sample_id
            and given.conflicting_caption = validation.conflicting_caption
            and given.annotator = $annotator
    )
    order by validation.draw
"""
_SCHEMA = pa.schema(
    [
        *((name, pa.string()) for name in ("sample_id", "conflicting_caption", "annotator")),
        *((name, pa.bool_()) for name in (*QUESTIONS, "is_accepted")),
        ("note", pa.string()),
        ("_position", pa.int64()),
    ]
)


@dataclass(frozen=True)
class VerdictLanding:
    """What became of the rows of a sheet; `n_open` are those that nobody has filled in yet."""

    n_landed: int
    n_open: int
    n_rejected: int
    is_unchanged: bool = False


def write_sheet(
    connection: duckdb.DuckDBPyConnection, file: Path, origin: str, size: int, annotator: str
) -> int:
    """Write the drawn samples that the annotator has not judged yet; how many they are.

    Raises `GainsayError` where the samples are not built, or `file` is there already: it may
    hold somebody's work.
    """
    if file.exists():
        raise GainsayError(f"{file}: there is such a file, perhaps filled in; name another one")
    try:
        rows = connection.execute(
            _QUERY, {"origin": origin, "size": size, "annotator": annotator}
        ).fetchall()
    except duckdb.CatalogException as error:
        raise GainsayError("clash.clash__validation: not built; run `dbt build`") from error
    if rows:
        text = io.StringIO()
        # quotes whatever holds either sign of a line's end
        writer = csv.writer(text, lineterminator="\r\n")
        writer.writerow([*SHOWN, *_ASKED])
        blank = [""] * (len(_ASKED) - 1)
        writer.writerows(
            [
                cell_of_text("" if value is None else str(value))
                for value in (*row, *blank, annotator)
            ]
            for row in rows
        )
        write_atomically(file, text.getvalue().encode())
    return len(rows)


def land_sheet(connection: duckdb.DuckDBPyConnection, file: Path) -> VerdictLanding:
    """Land a sheet; one of the same name replaces what it said before, the same changes nothing.

    A row that is not filled in stays open, and one that does not fit is a row of
    `raw.rejected_records` with its reason. Raises `GainsayError` where the file is no sheet.
    """
    try:
        sheet = read_whole_file(file)
        text = sheet.content.decode("utf-8-sig")
        reader = csv.DictReader(io.StringIO(text, newline=""), strict=True)
        rows = list(reader)
    except (UnicodeDecodeError, csv.Error) as error:
        raise GainsayError(f"{file}: no CSV in UTF-8: {error}") from error
    if missing := [name for name in _NEEDED if name not in (reader.fieldnames or ())]:
        raise GainsayError(
            f"{file}: no sheet of `gainsay clash validation`: no column {', '.join(missing)}"
        )
    name = f"clash_validation/{file.name}"
    verdicts, rejections, n_open = _read(rows)
    landing = VerdictLanding(len(verdicts), n_open, len(rejections))
    with transaction(connection):
        ensure_raw_schema(connection)
        if _is_landed(connection, name, sheet.sha256):
            return VerdictLanding(len(verdicts), n_open, len(rejections), is_unchanged=True)
        for table in ("clash_human_verdicts", "rejected_records"):
            connection.execute(f"delete from raw.{table} where _source_file = ?", [name])
        stamp = {
            "_source_file": name,
            "_source_sha256": sheet.sha256,
            "_landed_at": datetime.now(UTC).replace(tzinfo=None),
        }
        batch = pa.RecordBatch.from_pylist(verdicts, schema=_SCHEMA)
        insert_batches(connection, "clash_human_verdicts", _SCHEMA, iter([batch]), stamp)
        if rejections:
            records = rejected_records("clash_human_verdicts", rejections)
            insert_batches(connection, "rejected_records", records.schema, iter([records]), stamp)
    return landing


def _is_landed(connection: duckdb.DuckDBPyConnection, name: str, sha256: str) -> bool:
    [(n_alike,)] = connection.execute(
        """
        select count(*) from (
            select _source_file, _source_sha256 from raw.clash_human_verdicts
            union all
            select _source_file, _source_sha256 from raw.rejected_records
        )
        where _source_file = ? and _source_sha256 = ?
        """,
        [name, sha256],
    ).fetchall()
    return bool(n_alike)


_Row = dict[str, str | None]


def _read(rows: list[_Row]) -> tuple[list[dict[str, object]], list[Rejection], int]:
    """The verdicts, the rows that do not fit, and how many nobody has filled in."""
    verdicts: list[dict[str, object]] = []
    rejections: list[Rejection] = []
    n_open = 0
    judged: set[tuple[str, str]] = set()
    for position, row in enumerate(rows):
        texts = {name: text_of_cell(row.get(name) or "") for name in (*_NEEDED, "note")}
        cells = {name: text.strip() for name, text in texts.items()}
        answers = {name: cells[name].lower() for name in (*QUESTIONS, "verdict")}
        if not any(answers.values()):
            n_open += 1
            continue
        key = (cells["sample_id"], cells["annotator"])
        if unfit := _unfit(row, cells, answers, is_second=key in judged):
            field, found, expected = unfit
            record = ",".join(cells.values())[:2_000]
            rejections.append(Rejection(position, field, found, expected, record))
            continue
        judged.add(key)
        verdict: dict[str, object] = {name: _YES_OR_NO[answers[name]] for name in QUESTIONS}
        verdict |= {
            "sample_id": cells["sample_id"],
            # as delivered: it is compared with the sample's
            "conflicting_caption": texts["conflicting_caption"],
            "annotator": cells["annotator"],
            "is_accepted": answers["verdict"] == "accept",
            "note": cells["note"] or None,
            "_position": position,
        }
        verdicts.append(verdict)
    return verdicts, rejections, n_open


def _unfit(
    row: _Row, cells: dict[str, str], answers: dict[str, str], *, is_second: bool
) -> tuple[str, str, str] | None:
    """The field of a filled-in row that does not fit, what it holds and what was expected."""
    found = {name: cell or "nothing" for name, cell in cells.items()}
    checks = [
        (None in row, "row", "more cells than columns", "one cell for each column"),
        *((not cells[n], n, found[n], "a name") for n in ("sample_id", "annotator")),
        *((answers[n] not in _YES_OR_NO, n, found[n], "yes or no") for n in QUESTIONS),
        (
            answers["verdict"] not in ("accept", "reject"),
            "verdict", found["verdict"], "accept or reject",
        ),
        (
            answers["verdict"] == "accept" and "no" in answers.values(),
            "verdict", "accept", "reject where a question is answered no",
        ),
        (is_second, "sample_id", found["sample_id"], "one verdict of an annotator on a sample"),
    ]  # fmt: skip
    unfit = ((field, held, wanted) for is_unfit, field, held, wanted in checks if is_unfit)
    return next(unfit, None)
