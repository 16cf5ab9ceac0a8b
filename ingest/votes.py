"""Votes of readers on records, into the raw tables: logs of the review page, and sheets.

A row of `raw.votes` is an event: a vote of a reader on one question of a record, the ruling of an
adjudicator where readers differ, or the undoing of one. The page writes a log, one event a line; a
sheet (CSV) is for readers without the page. Both carry a hash of the record as it was shown, so
that a vote on a record that has changed since decides nothing.
"""

import csv
import hashlib
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, Literal

import duckdb
import msgspec
import pyarrow as pa
from msgspec import Meta, Struct

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_printable
from gainsay.foundation.names import kept_name, likeness
from gainsay.foundation.queries import set_variables, sql_beside
from gainsay.foundation.renderings import rendering_name, renderings_of
from gainsay.foundation.sheets import allow_long_cells, cell_of_text, text_of_cell
from gainsay.foundation.whole_files import read_whole_file
from gainsay.ingest.csv_looks import HEAD_BYTES, look_at_csv, not_unicode, require_no_spreadsheet
from gainsay.ingest.raw import rejected_records
from gainsay.ingest.records import Rejection
from gainsay.ingest.sinks.raw_tables import RawTables
from gainsay.ingest.streams import BYTE_ORDER_MARK
from gainsay.python_udfs.storage import absolute, is_local

_NOT_EMPTY = Meta(min_length=1)
_UNSEEN = re.compile("[\x00\ud800-\udfff]")
MOST_READER_CHARACTERS: Final = 60
# in `review__agreement` and `review__progress` it means everybody
EVERYBODY: Final = "all"
NO_READER: Final = "a name has 1 to 60 letters, nothing invisible, and is not: all"
_EARLIEST, _LATEST = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)
_LONGEST_FOUND = 200
_LONGEST_RECORD = 2_000


class Event(Struct, frozen=True, kw_only=True):
    """A line of a log: a vote or a ruling (with its `answer`), or an undo (of `undoes`).

    Landed, and with where it was read, it is a row of `raw.votes`.
    """

    event_id: Annotated[str, _NOT_EMPTY]
    kind: Literal["vote", "undo", "ruling"]
    benchmark: Annotated[str, _NOT_EMPTY]
    queue: Annotated[str, _NOT_EMPTY]
    record_id: Annotated[str, _NOT_EMPTY]
    record_md5: Annotated[str, _NOT_EMPTY]
    question: Annotated[str, _NOT_EMPTY]
    reader: Annotated[str, _NOT_EMPTY]
    voted_at: Annotated[datetime, Meta(tz=True)]
    undoes: str | None = None
    answer: str | None = None
    note: str | None = None

    def __post_init__(self) -> None:
        # a clock that is wrong loses no vote, but beyond these a later one has no time any more
        if not _EARLIEST <= self.voted_at <= _LATEST:
            raise ValueError(f"a time from {_EARLIEST.year} to {_LATEST.year}")


_SCHEMA = pa.schema(
    [
        *(
            (name, pa.string())
            for name in (
                "event_id", "kind", "undoes", "benchmark", "queue", "record_id", "record_md5",
                "question", "answer", "note", "reader",
            )
        ),
        ("voted_at", pa.timestamp("us")),
        ("_position", pa.int64()),
    ]
)  # fmt: skip

_KEYS = ("benchmark", "queue", "record_id", "record_md5")
_READERS = ("note", "reader")


@dataclass(frozen=True)
class VoteLanding:
    """The result of landing a file of votes.

    `n_landed`: events that are in the warehouse now and were not before, of a sheet all of its
    answers; `n_known`: events of a log that were there; `n_cut`: its last line where that has no
    end; `n_open`: rows of a sheet that are not
    filled in yet; `is_unchanged`: the sheet was landed before as it is.
    """

    n_landed: int
    n_rejected: int
    n_known: int = 0
    n_cut: int = 0
    n_open: int = 0
    is_unchanged: bool = False


@dataclass(frozen=True)
class Queue:
    """The questions that a queue asks, each with the answers that it takes, in their order."""

    benchmark: str
    name: str
    answers: Mapping[str, tuple[str, ...]]


_QUESTION_COLUMNS = (
    "benchmark", "queue", "position", "question", "is_accepting", "answer_key", "answer",
)  # fmt: skip


def person_of(name: str) -> str:
    """What is alike in all spellings of a person's name: "Ann", "ann" and full-width letters."""
    return likeness(name)


def reader_name(text: str) -> str | None:
    """A name as it is kept, composed and without blanks around it; None where it will not do."""
    return kept_name(text, MOST_READER_CHARACTERS, {EVERYBODY})


def _people(tables: RawTables) -> dict[str, str]:
    """The readers of the votes that have landed, as they are spelled there."""
    readers = sorted(
        {str(reader) for (reader,) in tables.rows("votes", ["reader"], {})}, reverse=True
    )
    return {person_of(reader): reader for reader in readers}


def read_queues(tables: RawTables) -> list[Queue]:
    """The queues of a built warehouse; raises `GainsayError` where there are none."""
    rows = tables.built_rows("vocabulary.review_questions", _QUESTION_COLUMNS)
    if rows is None:
        raise GainsayError(
            "vocabulary.review_questions: not built; run `dbt build --select +review__records`"
        )
    answers: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    # answers that accept a record come first
    for benchmark, name, _, question, _, _, answer in sorted(
        rows, key=lambda row: (*row[:4], not row[4], row[5])
    ):
        asked = answers.setdefault((benchmark, name), {})
        asked[question] = (*asked.get(question, ()), answer)
    return [Queue(benchmark, name, asked) for (benchmark, name), asked in answers.items()]


def land_log(tables: RawTables, file: Path) -> VoteLanding:
    """Land a log of the review page, any number of times: an event that is there stays as it is.

    A last line without its end was cut, by a kill or a full disk; it was never acknowledged and is
    left for the next time. Any other line that is no event is a row of `raw.rejected_records`.
    Raises `GainsayError` where the file cannot be read.
    """
    require_printable(file)
    log = read_whole_file(file)
    *lines, cut = log.content.removeprefix(BYTE_ORDER_MARK).split(b"\n")
    events: dict[str, dict[str, object]] = {}
    rejections: list[Rejection] = []
    people = _people(tables)
    for position, line in enumerate(lines):
        if not line.strip():
            continue
        read = event_of_line(position, line)
        if isinstance(read, Rejection):
            rejections.append(read)
        else:
            # the same event twice is one
            name = reader_name(read.reader) or read.reader
            reader = people.setdefault(person_of(name), name)
            events.setdefault(
                read.event_id,
                msgspec.structs.asdict(read)
                | {"reader": reader, "voted_at": _naive(read.voted_at), "_position": position},
            )
    name = f"votes/{file.name}"
    with tables.transaction():
        landed = tables.rows("votes", ["event_id"], {"event_id": [*events]})
        known = {event_id for (event_id,) in landed}
        fresh = [event for event_id, event in events.items() if event_id not in known]
        tables.forget_rows("rejected_records", name)
        _write(tables, name, log.sha256, fresh, rejections)
    n_cut = 1 if cut.strip() else 0
    return VoteLanding(len(fresh), len(rejections), n_known=len(known), n_cut=n_cut)


def event_of_line(position: int, line: bytes) -> Event | Rejection:
    """The event on a line of a log, or why the line is not one."""
    try:
        event = msgspec.json.decode(line, type=Event)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        expected, _, path = str(error).partition(" - at ")
        found = _excerpt(line, _LONGEST_FOUND)
        return Rejection(
            position, path.strip("`") or "$", found, expected, _excerpt(line, _LONGEST_RECORD)
        )
    texts = [text for text in msgspec.structs.astuple(event) if isinstance(text, str)]
    checks = [
        (any(_UNSEEN.search(text) for text in texts), "$", "NUL or half a character", "text"),
        (event.kind != "undo" and not event.answer, "$.answer", "nothing", "the vote's answer"),
        (event.kind == "undo" and not event.undoes, "$.undoes", "nothing", "an event's id"),
        (
            reader_name(event.reader) is None,
            "$.reader",
            event.reader[:_LONGEST_FOUND],
            NO_READER,
        ),
    ]
    for is_bad, path, found, expected in checks:
        if is_bad:
            return Rejection(position, path, found, expected, _excerpt(line, _LONGEST_RECORD))
    return event


def _excerpt(line: bytes, length: int) -> str:
    return _UNSEEN.sub("\ufffd", line[: 4 * length].decode(errors="replace"))[:length]


def _naive(moment: datetime) -> datetime:
    return moment.astimezone(UTC).replace(tzinfo=None)


def write_sheet(
    connection: duckdb.DuckDBPyConnection,
    file: Path,
    queue: Queue,
    split: str | None,
    size: int | None,
    reader: str,
    language: str | None = None,
    record_ids: Iterable[str] | None = None,
) -> int:
    """Write the records of a queue that the reader has not judged as they are; how many.

    `split`: only the records of that split; `language`: only those whose last text, the one that
    is judged, is in it; `record_ids`: only these. Raises `GainsayError` where the records are not
    built, or `file` is there already: it may hold somebody's work.
    """
    if file.exists():
        raise GainsayError(f"{file}: there is such a file, perhaps filled in; name another one")
    records = _open_records(connection, queue, split, size, reader, language, record_ids)
    if records:
        pictures = _Pictures(connection)
        shown = [_shown_cells(shown, pictures) for *_, shown in records]
        labels = list(dict.fromkeys(label for cells in shown for label in cells))
        text = io.StringIO()
        # quotes whatever holds either sign of a line's end
        writer = csv.writer(text, lineterminator="\r\n")
        header = [*_KEYS, *labels, *queue.answers, *_READERS]
        if len(set(header)) < len(header):
            raise GainsayError(
                f"{queue.benchmark}, {queue.name}: a text has the name of a column of the sheet;"
                f" the columns would be {', '.join(header)}"
            )
        writer.writerow(header)
        for (record_id, record_md5, _), cells in zip(records, shown, strict=True):
            row = (
                queue.benchmark, queue.name, record_id, record_md5,
                *(cells.get(label, "") for label in labels), *("" for _ in queue.answers), "",
                reader,
            )  # fmt: skip
            writer.writerow([cell_of_text(cell) for cell in row])
        write_atomically(file, text.getvalue().encode())
        _require_counted(connection, file, queue, len(records))
    return len(records)


def _require_counted(
    connection: duckdb.DuckDBPyConnection, file: Path, queue: Queue, n_records: int
) -> None:
    """Raise `GainsayError` where a sheet holds other records than its queue has."""
    allow_long_cells()
    with file.open(newline="", encoding="utf-8") as lines:
        written = Counter(
            (text_of_cell(row["record_id"]), text_of_cell(row["record_md5"]))
            for row in csv.DictReader(lines)
        )
    due = Counter(
        connection.execute(
            "select record_id, record_md5 from review.review__records"
            " where benchmark = $benchmark and queue = $queue and list_contains($ids, record_id)",
            {
                "benchmark": queue.benchmark,
                "queue": queue.name,
                "ids": [record_id for record_id, _ in written],
            },
        ).fetchall()
    )
    if written != due or written.total() != n_records:
        raise GainsayError(
            f"{file}: {written.total():,} records were written, and the queue has {due.total():,}"
            f" of these; {n_records:,} are expected: remove it, and run `gainsay build` so that"
            " the queue follows its benchmark"
        )


def _open_records(
    connection: duckdb.DuckDBPyConnection,
    queue: Queue,
    split: str | None,
    size: int | None,
    reader: str,
    language: str | None,
    record_ids: Iterable[str] | None,
) -> list[tuple[str, str, str]]:
    """The records that the reader has not answered every question of: id, hash and `shown`."""
    set_variables(
        connection,
        {
            "benchmark": queue.benchmark, "queue": queue.name, "split": split,
            "language": language, "reader": reader, "questions": [*queue.answers], "size": size,
            "record_ids": None if record_ids is None else sorted(record_ids),
        },
    )  # fmt: skip
    try:
        return connection.execute(sql_beside(__file__, "open_records")).fetchall()
    except duckdb.CatalogException as error:
        raise GainsayError(
            "review.review__records: not built; run `dbt build --select +review__records`"
        ) from error


class _Pictures:
    """Where a reader of a sheet opens a picture: its file here, and its page in the web."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._renderings = renderings_of(connection)
        try:
            rows = connection.execute(
                "select source_image_id, page_url from exports.exports__pictures"
                " where page_url is not null"
            ).fetchall()
        except duckdb.CatalogException:
            rows = []
        self._pages = dict(rows)

    def cell(self, picture: Mapping[str, Any]) -> str:
        """The picture's role, its id, and where it is."""
        file = picture.get("file")
        if file and picture.get("is_rendering"):
            file = rendering_name(self._renderings, file)
        places = [absolute(file) if file and is_local(file) else file]
        places.append(self._pages.get(picture["picture_id"]))
        known = ", ".join(filter(None, places)) or "not landed"
        return f"{picture['role']}: {picture['picture_id']}, {known}"


def _shown_cells(shown: str, pictures: _Pictures) -> dict[str, str]:
    """A record as cells of a sheet: marked words stand between asterisks."""
    record: dict[str, Any] = msgspec.json.decode(shown)
    cells = {"pictures": " | ".join(map(pictures.cell, record["pictures"]))}
    for text in record["texts"]:
        cells[text["label"]] = _marked(text["text"], text["marks"])
    if record["choices"]:
        cells["choices"] = " | ".join(
            f"({choice['letter']}) {choice['text']}" for choice in record["choices"]
        )
    return cells


def _marked(text: str, marks: Sequence[Sequence[int]]) -> str:
    for start, end in sorted(map(tuple, marks), reverse=True):
        text = f"{text[:start]}**{text[start:end]}**{text[end:]}"
    return text


def land_sheet(tables: RawTables, file: Path, *, is_replacing: bool = False) -> VoteLanding:
    """Land a sheet; one of the same name replaces what it said before, the same changes nothing.

    A row that is not filled in stays open, and an answer that does not fit is a row of
    `raw.rejected_records` with its reason. Raises `GainsayError` where the file is no sheet, and,
    unless `is_replacing`, where votes of the former sheet of its name have no row in it: it is
    another one's.
    """
    require_printable(file)
    require_no_spreadsheet(file)
    try:
        sheet = read_whole_file(file)
        look = look_at_csv(sheet.content[:HEAD_BYTES], lambda names: {*_KEYS} <= {*names})
        text = io.StringIO(sheet.content.decode(look.encoding), newline="")
        for _ in range(look.n_before):
            text.readline()
        allow_long_cells()
        reader = csv.DictReader(text, strict=True, delimiter=look.delimiter)
        rows = list(reader)
    except UnicodeError as error:
        raise not_unicode(file, error) from error
    except csv.Error as error:
        raise GainsayError(
            f"{file}: no CSV from line {reader.line_num + 1:,} on: {error}; a quote"
            " without its second stands there, or the file is cut short"
        ) from error
    if missing := [name for name in (*_KEYS, *_READERS) if name not in (reader.fieldnames or ())]:
        raise GainsayError(
            f"{file}: no sheet of `gainsay review export`: no column {', '.join(missing)}"
        )
    names = [name for name in reader.fieldnames or () if name]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise GainsayError(
            f"{file}: several columns are called {', '.join(twice)}, and which one counts is not"
            " known; rename the others"
        )
    name = f"votes/{file.name}"
    queues = {(queue.benchmark, queue.name): queue for queue in read_queues(tables)}
    read = _Sheet(name, queues, _people(tables))
    for position, row in enumerate(rows):
        read.add(position, row)
    with tables.transaction():
        is_unchanged = _is_landed(tables, name, sheet.sha256)
        if not is_unchanged:
            if not is_replacing:
                _require_successor(tables, name, file, read)
            for table in ("votes", "rejected_records"):
                tables.forget_rows(table, name)
            _write(tables, name, sheet.sha256, read.votes, read.rejections)
    return VoteLanding(
        len(read.votes), len(read.rejections), n_open=read.n_open, is_unchanged=is_unchanged
    )


def _require_successor(tables: RawTables, name: str, file: Path, read: "_Sheet") -> None:
    """Raise `GainsayError` where a sheet would take back votes that it has no row for."""
    landed = set(tables.rows("votes", _Sheet.KEY, {"_source_file": [name]}))
    lost = landed - read.keys
    if lost:
        readers = ", ".join(sorted({str(reader) for *_, reader in lost})[:5])
        raise GainsayError(
            f"{file}: a sheet of this name landed before, with {len(lost):,} votes of {readers} on"
            " records that have no row here: rename this one, or, if it corrects that, land it"
            " with --replace"
        )


_Row = Mapping[str, str | None]


@dataclass
class _Sheet:
    """The votes of a sheet, rows that do not fit, and how many rows are not filled in.

    `people` are readers as they are spelled in the warehouse. `keys` are the records that it has a
    row for, each with its reader.
    """

    KEY: ClassVar = ("benchmark", "queue", "record_id", "reader")

    name: str
    queues: Mapping[tuple[str, str], Queue]
    people: dict[str, str]
    votes: list[dict[str, object]] = field(default_factory=list)
    rejections: list[Rejection] = field(default_factory=list)
    n_open: int = 0
    keys: set[tuple[str, ...]] = field(default_factory=set)
    _judged: set[tuple[str, ...]] = field(default_factory=set)
    _read_at: datetime = field(default_factory=lambda: _naive(datetime.now(UTC)))

    def add(self, position: int, row: _Row) -> None:
        """Read a row: one vote for each of its questions that is answered."""
        cells = {name: text_of_cell(row.get(name) or "").strip() for name in (*_KEYS, *_READERS)}
        if person := person_of(cells["reader"]):
            name = reader_name(cells["reader"]) or cells["reader"]
            cells["reader"] = self.people.setdefault(person, name)
        self.keys.add(self._key(cells))
        queue = self.queues.get((cells["benchmark"], cells["queue"]))
        answers = {
            question: text_of_cell(row.get(question) or "").strip().lower()
            for question in (queue.answers if queue else ())
        }
        said = {question: answer for question, answer in answers.items() if answer}
        unfit = self._unfit_row(row, cells, queue, said)
        if unfit is None and not said:
            self.n_open += 1
            return
        wrong = [] if unfit is None else [unfit]
        if queue and not wrong:
            wrong = [
                (question, answer, " or ".join(queue.answers[question]))
                for question, answer in said.items()
                if answer not in queue.answers[question]
            ]
        if wrong:
            unfit_field, found, expected = wrong[0]
            record = ",".join([*cells.values(), *answers.values()])[:_LONGEST_RECORD]
            self.rejections.append(
                Rejection(position, unfit_field, found or "nothing", expected, record)
            )
            return
        self._judged.add(self._key(cells))
        for question, answer in said.items():
            self.votes.append(self._vote(position, cells, question, answer))

    def _key(self, cells: Mapping[str, str]) -> tuple[str, ...]:
        return tuple(cells[name] for name in self.KEY)

    def _unfit_row(
        self, row: _Row, cells: Mapping[str, str], queue: Queue | None, said: Mapping[str, str]
    ) -> tuple[str, str, str] | None:
        """The field of a row that does not fit, what it holds and what was expected."""
        names = sorted({f"{benchmark} with {name}" for benchmark, name in self.queues})
        # a row without a queue asks nothing, and one that is not filled in may be any reader's
        checks: Iterable[tuple[bool, str, str, str]] = [
            (None in row, "row", "more cells than columns", "one cell for each column"),
            (
                queue is None,
                "queue",
                " with ".join(filter(None, (cells["benchmark"], cells["queue"]))),
                " or ".join(names),
            ),
            *(
                (bool(said) and not cells[name], name, "", "a name")
                for name in ("record_id", "record_md5", "reader")
            ),
            (
                bool(cells["reader"]) and reader_name(cells["reader"]) is None,
                "reader",
                cells["reader"][:_LONGEST_FOUND],
                NO_READER,
            ),
            (
                bool(said) and self._key(cells) in self._judged,
                "record_id",
                cells["record_id"],
                "one row of a reader for a record",
            ),
        ]
        unfit = ((name, found, wanted) for is_bad, name, found, wanted in checks if is_bad)
        return next(unfit, None)

    def _vote(
        self, position: int, cells: Mapping[str, str], question: str, answer: str
    ) -> dict[str, object]:
        named = [self.name, *(cells[name] for name in (*_KEYS, *_READERS)), question, answer]
        return {
            **{name: cells[name] for name in (*_KEYS, "reader")},
            "event_id": hashlib.md5(
                msgspec.json.encode(named), usedforsecurity=False
            ).hexdigest(),
            "kind": "vote",
            "undoes": None,
            "question": question,
            "answer": answer,
            "note": cells["note"] or None,
            "voted_at": self._read_at,
            "_position": position,
        }  # fmt: skip


def _write(
    tables: RawTables,
    name: str,
    sha256: str,
    votes: list[dict[str, object]],
    rejections: list[Rejection],
) -> None:
    stamp = {
        "_source_file": name,
        "_source_sha256": sha256,
        "_landed_at": datetime.now(UTC).replace(tzinfo=None),
    }
    if votes:
        batch = pa.RecordBatch.from_pylist(votes, schema=_SCHEMA)
        tables.write("votes", _SCHEMA, iter([batch]), stamp)
    if rejections:
        records = rejected_records("votes", rejections)
        tables.write("rejected_records", records.schema, iter([records]), stamp)


def _is_landed(tables: RawTables, name: str, sha256: str) -> bool:
    same = {"_source_file": [name], "_source_sha256": [sha256]}
    return any(tables.rows(table, ["_position"], same) for table in ("votes", "rejected_records"))
