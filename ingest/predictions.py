"""Answers of models in the files that evaluators write: JSONL, JSON, CSV, TSV, Parquet, .eval.

A file holds one record per answer; an id and an answer are all it needs. Files in which the
authors of CLASH published answers are known by their `modality_answers`, and bring the choices
that were offered, the authors' flags and the labels of judges along. Samples of lmms-eval have the
id and the answer within what the exported task's `gainsay_answer` says.

No file is held whole. What must be known of all of it before its first record lands, such as which
fields it has, takes readings of its own.
"""

import csv
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from io import TextIOWrapper
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
from msgspec import Meta, Struct

from gainsay.foundation.chunked_files import ChunkedFile, measure_file
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.foundation.sheets import allow_long_cells
from gainsay.ingest.csv_looks import (
    HEAD_BYTES,
    UTF_16,
    CsvLook,
    look_at_csv,
    not_unicode,
    require_no_spreadsheet,
)
from gainsay.ingest.eval_logs import samples
from gainsay.ingest.parquet_files import ParquetRows
from gainsay.ingest.records import TEXT, Column, Int64, RecordArray, Rejection, column, varchar
from gainsay.ingest.streams import BYTE_ORDER_MARK, lines_of, undecoded_arrays

# an id that is empty is none
_Key = Int64 | Annotated[str, Meta(min_length=1)]
Probability = Annotated[float, Meta(ge=0, le=1)]

_JUDGE_FIELD = re.compile(r"evaluation_(?P<judge>.+)_prediction")
# letters and the underscore, of which names of fields consist
_ESCAPED_LETTER = re.compile(rb"\\u00[4-7]")
# rows of tables that are read at a time
_ROWS_PER_RUN = 512
# a first line that is longer than this is no record
_LONGEST_FIRST_LINE = 16 * 2**20
# csv's key for the cells of a row behind the last column
_SURPLUS = "surplus cells"
# the metric of exported tasks whose value is the answer: samples keep metrics, and no ids
_SAMPLE_FIELD = "gainsay_answer"
_NUMBERS = ("confidence", "p_yes", "p_no", "lave_rating")
_OPTIONAL = (
    "question", "gold_answer", "stated_action", "confidence", "p_yes", "p_no", "lave_rating",
    "token_logprobs", "confidence_kind", "modality_answers", "evaluation", "asked",
)  # fmt: skip

# the columns of files that `gainsay predict` writes, and that land for every benchmark
USUAL_COLUMNS = ("example_id", "prediction")


class Choice(Struct, gc=False):
    """One of the offered answers and its letter."""

    choice: Literal["A", "B", "C", "D"]
    answer: str


class ModalityAnswers(Struct, gc=False):
    """The answers by the modality that they come from, as text or as lettered choices."""

    image_only: str | Choice
    text_only: str | Choice
    irrelevant_but_plausible: str | Choice | None = None
    contradiction: str | Choice | None = None


class PublishedFlags(Struct, gc=False):
    """The verdict of the authors' own matcher."""

    matches_contradiction: bool
    matches_image_only: bool
    matches_text_only: bool
    matches_irrelevant: bool | None = None
    matches_none: bool | None = None


class Asked(Struct, gc=False):
    """How an answer was asked for, as `gainsay predict` writes it."""

    benchmark: str | None = None
    task: str | None = None
    condition: str | None = None
    model: str | None = None
    prompt_version: str | None = None
    prompt_sha256: str | None = None
    parameters: msgspec.Raw = msgspec.Raw(b"null")
    answered_model: str | None = None


class _AskedLine(Struct, gc=False):
    """The part of a record that says how it was asked for."""

    asked: Asked | None = None


@dataclass(frozen=True)
class Answering:
    """Whose answers to which benchmark, and under which condition they were asked for."""

    benchmark: str
    task: str
    condition: str
    model: str
    run: str

    @property
    def source_file(self) -> str:
        """The name under which the answers are known; landing it again replaces them."""
        return "/".join(
            ("predictions", self.benchmark, self.task, self.condition, self.run, self.model)
        )

    def columns(self) -> dict[str, str]:
        """The columns that every row of the file shares."""
        return {
            "benchmark": self.benchmark,
            "task": self.task,
            "condition": self.condition,
            "model": self.model,
            "run": self.run,
        }


@dataclass(frozen=True)
class Mapping:
    """The names of the columns that hold the id and the answer."""

    id_column: str
    answer_column: str


@dataclass(frozen=True)
class Layout:
    """How files of answers to a benchmark may be laid out.

    `mappings` are pairs of names, of which the first that a file has is taken; our own before
    others, as a table that `gainsay export` made has columns of further ids. Under
    `line_conditions` a file without ids is known by its lines.
    """

    mappings: tuple[Mapping, ...]
    line_conditions: tuple[str, ...] = ()

    def fitting(self, names: list[str]) -> Mapping | None:
        """The pair of names that a file with these columns is read by; None where none fits."""
        own = Mapping(*USUAL_COLUMNS)
        for mapping in sorted(self.mappings, key=lambda mapping: mapping != own):
            if {mapping.id_column, mapping.answer_column} <= set(names):
                return mapping
        return None

    @property
    def expected(self) -> str:
        """Which names would do."""
        ids = dict.fromkeys(mapping.id_column for mapping in self.mappings)
        answers = dict.fromkeys(mapping.answer_column for mapping in self.mappings)
        return (
            f"expected an id in {' or '.join(ids)} and an answer in {' or '.join(answers)}, or say"
            " which to take with --id-column and --answer-column"
        )


def layout_of(
    id_column: str | None = None,
    answer_column: str | None = None,
    *,
    usual: tuple[str, str] = USUAL_COLUMNS,
    line_conditions: tuple[str, ...] = (),
) -> Layout:
    """The names that a person gave, else a benchmark's usual ones, else those of them all."""
    ids = [id_column] if id_column else [usual[0], USUAL_COLUMNS[0]]
    answers = [answer_column] if answer_column else [usual[1], USUAL_COLUMNS[1], "answer"]
    found = [Mapping(name, answer) for name in ids for answer in answers]
    if not id_column and not answer_column:
        # a file of `gainsay predict` before one that mixes its names with others
        found.insert(1, Mapping(*USUAL_COLUMNS))
    return Layout(tuple(dict.fromkeys(found)), line_conditions)


@dataclass(frozen=True)
class Run:
    """Consecutive records of a file, undecoded, with their places in it; and what is no record."""

    raws: Sequence[msgspec.Raw]
    positions: Sequence[int]
    broken: Sequence[Rejection] = ()


# the records of a file, read from its beginning; what is passed counts its bytes
Reading = Callable[[Advance], Iterator[Run]]
# of a table also the names that were found among its columns
_Read = tuple[Reading, Mapping | None]


@dataclass(frozen=True)
class Delivered:
    """A file of answers: how its records are laid out, and how to read them as often as it takes.

    A reading raises `GainsayError` where it comes upon what is not of the file's format.
    """

    array: RecordArray
    mapping: Mapping
    # the fields of the first records
    names: list[str]
    runs: Reading
    n_bytes: int
    sha256: str


def read_predictions(path: Path, layout: Layout) -> Delivered:
    """Read one file of answers, whose suffix says its format.

    Raises `GainsayError` for an unknown suffix, a file that cannot be read, JSON that is not sound
    to its end, a file without the named columns, and a file without records.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    read = _READERS.get((suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:] or [""])[0])
    if read is None:
        require_no_spreadsheet(path)
        raise _unknown_suffix(path)
    file = measure_file(path)
    if not file.n_bytes:
        raise GainsayError(f"{path}: the file is empty")
    mentioned, has_samples = _mentioned(file)
    with _errors_explained(path):
        runs, columns = read(file, layout)
    mapping = layout.mappings[0]
    if has_samples:
        runs = _changed(runs, partial(_answers_of_samples, mapping=mapping))
    runs = _explained(path, runs)
    first = next((run for run in runs(advance_unseen) if run.raws or run.broken), None)
    if first is None:
        raise GainsayError(f"{path}: holds no records")
    if columns is not None:
        mapping = columns
    elif not has_samples:
        mapping = _mapping_of(_names_of(first), layout)
    array = _record_array(mapping, _judges(runs), mentioned)
    return Delivered(array, mapping, _names_of(first), runs, file.n_bytes, file.sha256)


def _mapping_of(names: list[str], layout: Layout) -> Mapping:
    """The names that the first records have; where they have no id, the usual ones.

    A record without an answer is one that says nothing.
    """
    if (mapping := layout.fitting(names)) is not None:
        return mapping
    answers = [m for m in layout.mappings if m.answer_column in names]
    ids = [m for m in layout.mappings if m.id_column in names]
    return next(iter(ids or (answers if layout.line_conditions else ())), layout.mappings[0])


def _names_of(run: Run) -> list[str]:
    """The names of the fields that any of these records has."""
    names: dict[str, None] = {}
    for raw in run.raws:
        names |= dict.fromkeys(_fields(raw) or ())
    return list(names)


def _fitting(path: Path, names: list[str], layout: Layout) -> Mapping:
    """The first pair of names that a file has. Raises `GainsayError` where it has none of them."""
    if (mapping := layout.fitting(names)) is not None:
        return mapping
    usual = layout.mappings[0]
    missing = usual.answer_column if usual.id_column in names else usual.id_column
    raise GainsayError(
        f"{path}: no column {missing!r}; its columns are {', '.join(names)}; {layout.expected}"
    )


def require_one_asking(path: Path, delivered: Delivered, answering: Answering) -> None:
    """Raise `GainsayError` where a file's answers were asked for otherwise than they are landed.

    Answers that do not say how they were asked for pass; those that do must be of this
    benchmark, task, condition and model, and of one prompt.
    """
    decode = msgspec.json.Decoder(_AskedLine).decode
    expected = (answering.benchmark, answering.task, answering.condition, answering.model)
    prompts: dict[str, int] = {}
    for raw, position in _placed_records(delivered.runs):
        try:
            asked = decode(raw).asked
        except (msgspec.DecodeError, UnicodeDecodeError):
            # the rejected record says what is wrong with it
            continue
        if asked is None:
            # files of `gainsay predict` say it everywhere
            return
        found = (asked.benchmark, asked.task, asked.condition, asked.model)
        # a record that leaves a name out is landed under the name that is expected
        if any(said not in (None, name) for said, name in zip(found, expected, strict=True)):
            raise GainsayError(
                f"{path}: record {position + 1} is an answer of {asked.model} to"
                f" {asked.benchmark}, {asked.task}, {asked.condition}; expected one of"
                f" {answering.model} to {answering.benchmark}, {answering.task},"
                f" {answering.condition}; land it under the names it was asked under"
            )
        prompts.setdefault(asked.prompt_sha256 or "", position)
        if len(prompts) > 1:
            raise GainsayError(
                f"{path}: record {position + 1} answers another prompt ({asked.prompt_version})"
                " than the first; answers to different prompts are different runs: split the"
                " file and land each with --run"
            )


def require_answers(path: Path, delivered: Delivered, layout: Layout) -> None:
    """Raise `GainsayError` where no record of a file has the field of the answers.

    A table says so by its columns, and what is null in all records is no such file.
    """
    name = delivered.mapping.answer_column
    for raw, _ in _placed_records(delivered.runs):
        if name in (_fields(raw) or {}):
            return
    raise GainsayError(
        f"{path}: no record has the field {name!r}; its fields are"
        f" {', '.join(delivered.names) or 'none'}; {layout.expected}"
    )


def known_by_line(
    path: Path, delivered: Delivered, answering: Answering, layout: Layout
) -> Delivered:
    """The answers of a file without ids, such as POPE's own: each by its line, `line 1` first.

    A file in which any record has an id stays as it is, and so do the answers to benchmarks whose
    files always have ids. Which question is meant by a line is decided where the questions are.
    Raises `GainsayError` where the condition has no file of its own.
    """
    if not layout.line_conditions:
        return delivered
    id_column = delivered.mapping.id_column
    has_question = False
    for raw, _ in _placed_records(delivered.runs):
        record = _fields(raw) or {}
        if record.get(id_column) is not None:
            return delivered
        has_question = has_question or "question" in record
    if not has_question:
        return delivered
    if answering.condition not in layout.line_conditions:
        raise GainsayError(
            f"{path}: no record has {id_column!r}, so that they are known by their lines in a file"
            f" of {answering.benchmark}'s own, but {answering.condition!r} is no setting; expected"
            f" one of {', '.join(layout.line_conditions)}: say which with --condition"
        )
    return replace(
        delivered, runs=_changed(delivered.runs, partial(_with_line, id_column=id_column))
    )


def _with_line(run: Run, id_column: str) -> Run:
    """The same records, each with its line as its id."""
    raws = [
        raw
        if (record := _fields(raw)) is None
        else msgspec.Raw(msgspec.json.encode({**record, id_column: f"line {position + 1}"}))
        for raw, position in zip(run.raws, run.positions, strict=True)
    ]
    return replace(run, raws=raws)


def _placed_records(runs: Reading) -> Iterator[tuple[msgspec.Raw, int]]:
    """The records one by one with their places."""
    for run in runs(advance_unseen):
        yield from zip(run.raws, run.positions, strict=True)


def _changed(runs: Reading, change: Callable[[Run], Run]) -> Reading:
    """The same records, changed."""
    return lambda advance: map(change, runs(advance))


def _explained(path: Path, runs: Reading) -> Reading:
    """The same records; what is wrong with their file is explained."""

    def reading(advance: Advance) -> Iterator[Run]:
        with _errors_explained(path):
            yield from runs(advance)

    return reading


def _fields(raw: msgspec.Raw) -> dict[str, Any] | None:
    """The fields of a record; None where it is no object."""
    try:
        return msgspec.json.decode(raw, type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def _answers_of_samples(run: Run, mapping: Mapping) -> Run:
    return replace(run, raws=[_answer_of_sample(raw, mapping) for raw in run.raws])


def _answer_of_sample(raw: msgspec.Raw, mapping: Mapping) -> msgspec.Raw:
    """The id and the answer of a sample of lmms-eval, under the expected names."""
    fields = _fields(raw)
    said = None if fields is None else fields.get(_SAMPLE_FIELD)
    if not isinstance(said, dict):
        return raw
    answer = {
        mapping.id_column: said.get("example_id"),
        mapping.answer_column: said.get("prediction"),
    }
    return msgspec.Raw(msgspec.json.encode(answer))


def _read_lines(file: ChunkedFile, _layout: Layout) -> _Read:
    """One JSON object per line; a line that is no object, such as a cut last one, is rejected."""
    _require_utf_8(file)
    return partial(_runs_of_lines, file), None


def _runs_of_lines(file: ChunkedFile, advance: Advance) -> Iterator[Run]:
    check = msgspec.json.Decoder(msgspec.Raw).decode
    n_lines = 0
    for part in lines_of(file.chunks(advance)):
        lines = [line for line in part.split(b"\n") if line.strip()]
        places = range(n_lines, n_lines + len(lines))
        n_lines += len(lines)
        try:
            run = Run([check(line) for line in lines], places)
        except (msgspec.DecodeError, RecursionError):
            run = _run_of_some_lines(lines, places)
        yield run


def _run_of_some_lines(lines: list[bytes], places: range) -> Run:
    """The records among lines of which some are none."""
    raws, positions, broken = [], [], []
    for position, line in zip(places, lines, strict=True):
        try:
            raws.append(msgspec.json.decode(line, type=msgspec.Raw))
            positions.append(position)
        except (msgspec.DecodeError, RecursionError) as error:
            text = line[:2_000].decode("utf-8", "backslashreplace")
            broken.append(
                Rejection(position, "$", str(error), "one whole JSON object in a line", text)
            )
    return Run(raws, positions, broken)


def _read_array(file: ChunkedFile, layout: Layout) -> _Read:
    """A JSON array of objects, or one such array as the only one in an object.

    POPE's own files have one object per line under this name.
    """
    _require_utf_8(file)
    keys: list[str | None] = []
    outlines: list[Any] = []
    try:
        for key, runs in undecoded_arrays(file.chunks(), outlines.append):
            keys.append(key)
            for _ in runs:
                pass
    except msgspec.DecodeError as error:
        if _fields(msgspec.Raw(_first_line(file))) is not None:
            return _read_lines(file, layout)
        raise GainsayError(
            f"{file.path}: not a JSON array of answers, or cut short ({error}); one object per line"
            " is a file that ends in .jsonl"
        ) from error
    number = 0
    if isinstance(outlines[0], dict):
        names = [name for name, raw in outlines[0].items() if bytes(raw)[:1] == b"["]
        if len(names) != 1:
            raise GainsayError(
                f"{file.path}: an object with {len(names)} arrays; expected an array of answers, or"
                " an object with exactly one"
            )
        if keys.count(names[0]) > 1:
            raise GainsayError(
                f"{file.path}: several lists are called {names[0]}, and which one counts is not"
                " known; keep the one that is meant"
            )
        number = keys.index(names[0])
    return partial(_runs_of_array, file, number), None


def _require_utf_8(file: ChunkedFile) -> None:
    if file.opened().read(2) in UTF_16:
        raise GainsayError(f"{file.path}: the file is UTF-16; save it as UTF-8")


def _first_line(file: ChunkedFile) -> bytes:
    """The first line that holds anything; nothing where it is too long for a record."""
    content = b""
    for chunk in file.chunks():
        content = (content + chunk).removeprefix(BYTE_ORDER_MARK).lstrip()
        line, end, _ = content.partition(b"\n")
        if end:
            return line
        if len(content) > _LONGEST_FIRST_LINE:
            return b""
    return content


def _runs_of_array(file: ChunkedFile, number: int, advance: Advance) -> Iterator[Run]:
    n_records = 0
    for place, (_, runs) in enumerate(undecoded_arrays(file.chunks(advance))):
        for raws in runs:
            if place == number:
                yield Run(raws, range(n_records, n_records + len(raws)))
                n_records += len(raws)


def _read_text(file: ChunkedFile, layout: Layout) -> _Read:
    """A table that a spreadsheet program saved as text, or some other text."""
    try:
        return _read_csv(file, layout)
    except GainsayError as error:
        raise _unknown_suffix(file.path) from error


def _read_csv(file: ChunkedFile, layout: Layout) -> _Read:
    """A first line with the names of columns; a row with other cells than those is rejected."""
    head = file.opened().read(HEAD_BYTES)
    look = look_at_csv(head, lambda names: layout.fitting([*names]) is not None)
    with _opened_csv(file, look, advance_unseen) as reader:
        names, mapping = _wanted_columns(file.path, list(reader.fieldnames or ()), layout)
    return partial(_runs_of_csv, file, names, look), mapping


@contextmanager
def _opened_csv(
    file: ChunkedFile, look: CsvLook, advance: Advance
) -> Iterator["csv.DictReader[str]"]:
    with TextIOWrapper(file.opened(advance), encoding=look.encoding, newline="") as text:
        allow_long_cells()
        for _ in range(look.n_before):
            text.readline()
        yield csv.DictReader(text, restkey=_SURPLUS, strict=True, delimiter=look.delimiter)


def _runs_of_csv(
    file: ChunkedFile, names: list[str], look: CsvLook, advance: Advance
) -> Iterator[Run]:
    with _opened_csv(file, look, advance) as reader:
        rows = enumerate(_sound_rows(file.path, reader))
        while part := list(islice(rows, _ROWS_PER_RUN)):
            yield _run_of_rows(part, names)


def _sound_rows(path: Path, reader: "csv.DictReader[str]") -> Iterator[dict[str, Any]]:
    try:
        yield from reader
    except csv.Error as error:
        raise GainsayError(
            f"{path}: no CSV from line {reader.line_num + 1:,} on: {error}; a quote"
            " without its second stands there, or the file is cut short"
        ) from error


def _run_of_rows(rows: list[tuple[int, dict[str, Any]]], names: list[str]) -> Run:
    raws, positions, broken = [], [], []
    for position, row in rows:
        n_surplus = sum(cell != "" for cell in row.pop(_SURPLUS, ()))
        n_missing = sum(cell is None for cell in row.values())
        if n_surplus or n_missing:
            broken.append(_unfit_row(position, row, n_surplus - n_missing))
            continue
        record = {name: _cell(name, row[name]) for name in names}
        raws.append(msgspec.Raw(msgspec.json.encode(record)))
        positions.append(position)
    return Run(raws, positions, broken)


def _unfit_row(position: int, row: dict[str, str | None], n_more: int) -> Rejection:
    found = f"{len(row) + n_more} cells"
    expected = f"{len(row)} cells, as the first line; one with a comma stands in quotes"
    text = ",".join(cell for cell in row.values() if cell is not None)[:2_000]
    return Rejection(position, "$", found, expected, text)


def _cell(name: str, text: str | None) -> object:
    if not text:
        return None
    if name not in _NUMBERS:
        return text
    try:
        number = float(text)
    except ValueError:
        return text
    return int(number) if number.is_integer() else number


def _read_eval_log(file: ChunkedFile, layout: Layout) -> _Read:
    """A log of inspect, whose samples are answers; of several to an example the first counts."""
    return partial(_runs_of_eval_log, file, layout.mappings[0]), None


def _runs_of_eval_log(file: ChunkedFile, mapping: Mapping, advance: Advance) -> Iterator[Run]:
    answers = enumerate(samples(file.path))
    while part := list(islice(answers, _ROWS_PER_RUN)):
        # a sample that ended in an error has no answer, and so no field of one
        raws = [
            msgspec.Raw(
                msgspec.json.encode(
                    {mapping.id_column: key}
                    | ({} if said is None else {mapping.answer_column: said})
                )
            )
            for _, (key, said) in part
        ]
        yield Run(raws, [position for position, _ in part])
    file.require_unchanged()
    advance(file.n_bytes)


def _read_parquet(file: ChunkedFile, layout: Layout) -> _Read:
    with _opened_parquet(file) as table:
        names, mapping = _wanted_columns(file.path, table.names, layout)
    return partial(_runs_of_parquet, file, names), mapping


@contextmanager
def _opened_parquet(file: ChunkedFile) -> Iterator[ParquetRows]:
    """A table, which is read from its end: one that is gzipped from a copy on disk."""
    if file.is_gzipped:
        with tempfile.TemporaryFile() as copy:
            copy.writelines(file.chunks())
            yield ParquetRows(file.path, copy, file.n_bytes)
    else:
        with file.path.open("rb") as opened:
            yield ParquetRows(file.path, opened, file.n_bytes)
        file.require_unchanged()


def _runs_of_parquet(file: ChunkedFile, names: list[str], advance: Advance) -> Iterator[Run]:
    n_rows = n_told = 0
    with _opened_parquet(file) as table:
        for batch in table.batches(names):
            try:
                raws = [_raw(row) for row in _plain_numbers(batch).to_pylist()]
            except ValueError as error:
                raise GainsayError(
                    f"{file.path}: holds values that no answer has: {error}; write them as texts"
                ) from error
            yield Run(raws, range(n_rows, n_rows + len(raws)))
            n_rows += len(raws)
            reached = file.n_bytes * n_rows // table.n_rows
            advance(reached - n_told)
            n_told = reached


def _plain_numbers(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Decimals as floats, as databases write them and JSON has none; times as texts."""
    return batch.cast(pa.schema([_plain_field(field) for field in batch.schema]))


def _plain_field(field: pa.Field) -> pa.Field:
    if pa.types.is_decimal(field.type):
        return field.with_type(pa.float64())
    if pa.types.is_duration(field.type):
        return field.with_type(pa.int64())
    # whatever the unit, of which Python knows no nanoseconds
    is_moment = any(
        is_kind(field.type) for is_kind in (pa.types.is_timestamp, pa.types.is_date,
                                            pa.types.is_time)
    )  # fmt: skip
    return field.with_type(pa.string()) if is_moment else field


def _raw(row: dict[str, Any]) -> msgspec.Raw:
    """A row as JSON; a value that JSON has no form for as its text."""
    return msgspec.Raw(msgspec.json.encode(row, enc_hook=str))


def _wanted_columns(path: Path, names: list[str], layout: Layout) -> tuple[list[str], Mapping]:
    if not names:
        raise GainsayError(f"{path}: holds no records, nor a first line with names of columns")
    mapping = _fitting(path, names, layout)
    wanted = {mapping.id_column, mapping.answer_column, *_OPTIONAL}
    found = [name for name in names if name in wanted or _JUDGE_FIELD.fullmatch(name)]
    if twice := sorted({name for name in found if found.count(name) > 1}):
        raise GainsayError(
            f"{path}: several columns are called {', '.join(twice)}, and which one counts is not"
            " known; rename the others"
        )
    return found, mapping


_READERS: dict[str, Callable[[ChunkedFile, Layout], _Read]] = {
    ".jsonl": _read_lines,
    ".json": _read_array,
    ".csv": _read_csv,
    ".tsv": _read_csv,
    ".parquet": _read_parquet,
    ".txt": _read_text,
    ".eval": _read_eval_log,
}
# what a program may call a text
_SUFFIXES = [suffix for suffix in _READERS if suffix != ".txt"]


def _unknown_suffix(path: Path) -> GainsayError:
    return GainsayError(
        f"{path}: expected a name that ends in {', '.join(_SUFFIXES)} (the texts also with"
        " .gz behind)"
    )


def _judges(runs: Reading) -> list[str]:
    """The judges whose labels the first record carries."""
    try:
        first = next(_placed_records(runs), None)
        names = list(msgspec.json.decode(first[0], type=dict[str, msgspec.Raw])) if first else []
    except (msgspec.DecodeError, UnicodeDecodeError):
        return []
    return [match["judge"] for name in names if (match := _JUDGE_FIELD.fullmatch(name))]


def _mentioned(file: ChunkedFile) -> tuple[frozenset[str], bool]:
    """The optional fields that a file may hold, and whether it may hold samples of lmms-eval.

    A file may hold what stands in it anywhere by its name. Parquet and CSV hold the names of their
    columns as they are, JSON may escape letters.
    """
    sought = {name.encode() for name in _OPTIONAL}
    sample = f'"{_SAMPLE_FIELD}"'.encode()
    unseen = {*sought, sample}
    may_be_any = False
    longest = max(map(len, unseen))
    before = b""
    for chunk in file.chunks():
        content = before + chunk
        may_be_any = may_be_any or _ESCAPED_LETTER.search(content) is not None
        unseen -= {name for name in unseen if name in content}
        before = content[-longest:]
    mentioned = sought if may_be_any else sought - unseen
    return frozenset(name.decode() for name in mentioned), sample not in unseen


def _record_array(mapping: Mapping, judges: list[str], mentioned: frozenset[str]) -> RecordArray:
    """The layout of a file with these names for the id, the answer and the judges' labels.

    Columns of fields that are not mentioned are built as nulls, without looking at any record.
    """
    fields: list[tuple[str, Any, Any]] = [
        ("question", str | None, None),
        ("gold_answer", str | None, None),
        ("stated_action", str | None, None),
        ("confidence", Probability | None, None),
        ("p_yes", Probability | None, None),
        ("p_no", Probability | None, None),
        ("lave_rating", Annotated[int, Meta(ge=1, le=3)] | None, None),
        ("token_logprobs", list[float] | None, None),
        ("confidence_kind", str | None, None),
        ("asked", Asked | None, None),
        ("modality_answers", ModalityAnswers | None, None),
        ("evaluation", PublishedFlags | None, None),
    ]
    taken = {mapping.id_column, mapping.answer_column}
    fields = [field for field in fields if field[0] not in taken]
    labels = [(f"judge_{n}", str | None, None) for n in range(len(judges))]
    renamed = {f"judge_{n}": f"evaluation_{judge}_prediction" for n, judge in enumerate(judges)}
    record = msgspec.defstruct(
        "Prediction",
        [("example_key", _Key), ("prediction", str | None, None), *fields, *labels],
        rename={"example_key": mapping.id_column, "prediction": mapping.answer_column} | renamed,
        gc=False,
        namespace={"judges": tuple(judges)},
    )
    missing = {*_OPTIONAL} - mentioned | ({"judges"} if not judges else set())
    columns = tuple(
        column.of_nulls() if _FIELD_OF.get(column.name, column.name) in missing else column
        for column in PREDICTION_COLUMNS
    )
    essential = frozenset((mapping.answer_column, "asked", "modality_answers", "evaluation"))
    single = (mapping.id_column, mapping.answer_column)
    return RecordArray("predictions", "predictions", record, columns, essential, single)


def _example_key(record: Any) -> str:
    return str(record.example_key)


def _field_if_present(name: str) -> Callable[[Any], object]:
    """A field that the file's own names may have taken the place of."""
    return lambda record: getattr(record, name, None)


def _answer_of(modality: str) -> Callable[[Any], object]:
    def answer(record: Any) -> str | None:
        given = getattr(getattr(record, "modality_answers", None), modality, None)
        return given.answer if isinstance(given, Choice) else given

    return answer


def _letter_of(modality: str) -> Callable[[Any], object]:
    def letter(record: Any) -> str | None:
        given = getattr(getattr(record, "modality_answers", None), modality, None)
        return given.choice if isinstance(given, Choice) else None

    return letter


def _published(flag: str) -> Callable[[Any], object]:
    return lambda record: getattr(getattr(record, "evaluation", None), flag, None)


def _asked(field: str) -> Callable[[Any], object]:
    return lambda record: getattr(getattr(record, "asked", None), field, None)


def _parameters(record: Any) -> str | None:
    """The parameters of a request beside its messages, as JSON with sorted keys."""
    asked: Asked | None = getattr(record, "asked", None)
    if asked is None or (value := msgspec.json.decode(asked.parameters)) is None:
        return None
    return msgspec.json.encode(value, order="sorted").decode()


def _judge_labels(records: Sequence[Any]) -> pa.Array:
    kind = pa.list_(pa.struct([("judge", TEXT), ("label", TEXT)]))
    values = [
        [
            {"judge": judge, "label": label}
            for n, judge in enumerate(record.judges)
            if (label := getattr(record, f"judge_{n}")) is not None
        ]
        or None
        for record in records
    ]
    return pa.array(values, kind)


def _text(name: str, value: Callable[[Any], object]) -> Column:
    return column(name, "varchar", TEXT, value)


def _flag(name: str, published: str) -> Column:
    return column(name, "boolean", pa.bool_(), _published(published))


def _number(name: str) -> Column:
    return column(name, "double", pa.float64(), _field_if_present(name))


_MODALITIES = {
    "image_only": "image_only",
    "text_only": "text_only",
    "distractor": "irrelevant_but_plausible",
}
_FLAGS = {
    "contradiction": "matches_contradiction",
    "image_only": "matches_image_only",
    "text_only": "matches_text_only",
    "distractor": "matches_irrelevant",
    "none": "matches_none",
}
# the field of a record that a column is read from, where it is not of the column's name
_FIELD_OF = {
    **{f"{name}_answer": "modality_answers" for name in _MODALITIES},
    **{f"{name}_letter": "modality_answers" for name in (*_MODALITIES, "contradiction")},
    **{f"published_is_{name}": "evaluation" for name in _FLAGS},
    **dict.fromkeys(("prompt_version", "prompt_sha256", "parameters", "answered_model"), "asked"),
    "judge_labels": "judges",
}
PREDICTION_COLUMNS: tuple[Column, ...] = (
    _text("example_key", _example_key),
    _text("question", _field_if_present("question")),
    varchar("prediction"),
    _text("gold_answer", _field_if_present("gold_answer")),
    _text("stated_action", _field_if_present("stated_action")),
    *(_text(f"{name}_answer", _answer_of(given)) for name, given in _MODALITIES.items()),
    *(_text(f"{name}_letter", _letter_of(given)) for name, given in _MODALITIES.items()),
    _text("contradiction_letter", _letter_of("contradiction")),
    _text("confidence_kind", _field_if_present("confidence_kind")),
    _text("prompt_version", _asked("prompt_version")),
    _text("prompt_sha256", _asked("prompt_sha256")),
    _text("parameters", _parameters),
    _text("answered_model", _asked("answered_model")),
    Column(
        "judge_labels",
        "struct(judge varchar, label varchar)[]",
        pa.list_(pa.struct([("judge", TEXT), ("label", TEXT)])),
        _judge_labels,
    ),
    column("lave_rating", "bigint", pa.int64(), _field_if_present("lave_rating")),
    _number("confidence"),
    _number("p_yes"),
    _number("p_no"),
    column(
        "token_logprobs", "double[]", pa.list_(pa.float64()), _field_if_present("token_logprobs")
    ),
    *(_flag(f"published_is_{name}", flag) for name, flag in _FLAGS.items()),
)


@contextmanager
def _errors_explained(path: Path) -> Iterator[None]:
    try:
        yield
    except UnicodeError as error:
        raise not_unicode(path, error) from error
    except (pa.ArrowException, csv.Error) as error:
        raise GainsayError(f"{path}: not of the format that its name says: {error}") from error
    except RecursionError as error:
        raise GainsayError(f"{path}: values nested too deeply for any answers") from error
