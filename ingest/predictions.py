"""Answers of models in the files that evaluators write: JSONL, JSON, CSV, TSV, Parquet.

A file holds one record per answer; an id and an answer are all it needs. Files in which the
authors of CLASH published answers are known by their `modality_answers`, and bring the choices
that were offered, the authors' flags and the labels of judges along. Samples of lmms-eval have the
id and the answer within what the exported task's `gainsay_answer` says.
"""

import csv
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from io import BytesIO, TextIOWrapper
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa
import pyarrow.parquet as pq
from msgspec import Meta, Struct

from gainsay.errors import GainsayError
from gainsay.io.whole_files import read_whole_file
from ingest.records import TEXT, Column, Int64, RecordArray, Rejection, column, varchar

Probability = Annotated[float, Meta(ge=0, le=1)]
JUDGE_LABELS = ("IMAGE", "TEXT", "CONFLICT", "NONE")

_JUDGE_FIELD = re.compile(r"evaluation_(?P<judge>.+)_prediction")
# letters and the underscore, of which names of fields consist
_ESCAPED_LETTER = re.compile(rb"\\u00[4-7]")
# what csv calls the cells of a row behind the last column
_SURPLUS = "surplus cells"
# the metric of exported tasks whose value is the answer: samples keep metrics, and no ids
_SAMPLE_FIELD = "gainsay_answer"
_NUMBERS = ("confidence", "p_yes", "p_no", "lave_rating")
_OPTIONAL = (
    "question", "gold_answer", "stated_action", "confidence", "p_yes", "p_no", "lave_rating",
    "token_logprobs", "confidence_kind", "modality_answers", "evaluation", "asked",
)  # fmt: skip

# the columns that evaluators of these benchmarks write unless told otherwise
_DEFAULT_COLUMNS = {
    "clash": ("image_id", "prediction"),
    "vqa": ("question_id", "answer"),
    "pope": ("question_id", "answer"),
    "okvqa": ("question_id", "answer"),
    "vizwiz": ("image", "answer"),
    "gqa": ("questionId", "prediction"),
    "conflict_suite": ("example_id", "prediction"),
    "certainly_uncertain": ("question_id", "prediction"),
}
BENCHMARKS = tuple(_DEFAULT_COLUMNS)
# each has a file of its own for every set of pictures
POPE_SETTINGS = ("random", "popular", "adversarial")
# what other benchmarks' files have, as `gainsay predict` writes them
_USUAL_COLUMNS = ("example_id", "prediction")


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
    """What the authors' own matcher said."""

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


def default_mapping(benchmark: str) -> Mapping:
    """The names that evaluators of a benchmark use."""
    return Mapping(*_DEFAULT_COLUMNS.get(benchmark, _USUAL_COLUMNS))


@dataclass(frozen=True)
class Delivered:
    """The undecoded records of a file, with their places in it, and those that are no record."""

    array: RecordArray
    raws: list[msgspec.Raw]
    positions: list[int]
    broken: list[Rejection]
    n_bytes: int
    sha256: str


def read_predictions(path: Path, mapping: Mapping) -> Delivered:
    """Read one file of answers, whose suffix says its format.

    Raises `GainsayError` for an unknown suffix, a file that cannot be read or is of another
    format than its suffix says, a table without the named columns, and a file without records.
    """
    suffixes = [suffix.lower() for suffix in path.suffixes]
    read = _READERS.get((suffixes[-2:] if suffixes[-1:] == [".gz"] else suffixes[-1:] or [""])[0])
    if read is None:
        raise GainsayError(
            f"{path}: expected a name that ends in {', '.join(_READERS)} (the texts also with"
            " .gz behind)"
        )
    file = read_whole_file(path)
    with _errors_explained(path):
        raws, positions, broken = read(path, file.content, mapping)
    if f'"{_SAMPLE_FIELD}"'.encode() in file.content:
        raws = [_answer_of_sample(raw, mapping) for raw in raws]
    if not raws and not broken:
        raise GainsayError(f"{path}: holds no records")
    return Delivered(
        _record_array(mapping, _judges(raws), _mentioned(file.content)),
        raws,
        positions,
        broken,
        file.n_bytes,
        file.sha256,
    )


def require_one_asking(path: Path, delivered: Delivered, answering: Answering) -> None:
    """Raise `GainsayError` where a file's answers were asked for otherwise than they are landed.

    Answers that do not say how they were asked for pass; those that do must be of this
    benchmark, task, condition and model, and of one prompt.
    """
    decode = msgspec.json.Decoder(_AskedLine).decode
    expected = (answering.benchmark, answering.task, answering.condition, answering.model)
    prompts: dict[str, int] = {}
    for raw, position in zip(delivered.raws, delivered.positions, strict=True):
        try:
            asked = decode(raw).asked
        except msgspec.DecodeError:
            # what is wrong with it is said of the record
            continue
        if asked is None:
            # files of `gainsay predict` say it everywhere
            return
        found = (asked.benchmark, asked.task, asked.condition, asked.model)
        # what a file does not say is as it is landed
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


def known_by_line(
    path: Path, delivered: Delivered, answering: Answering, id_column: str
) -> Delivered:
    """The answers of a file of POPE's own, which has no ids: each by its line, `line 1` first.

    A file in which any record has an id stays as it is, and so do the answers to other benchmarks.
    Which question is meant by a line is decided where the questions are. Raises `GainsayError`
    where the condition is no setting of POPE, since every setting has a file of its own.
    """
    if answering.benchmark != "pope":
        return delivered
    records = [_fields(raw) for raw in delivered.raws]
    if any(record is not None and record.get(id_column) is not None for record in records):
        return delivered
    if not any(record is not None and "question" in record for record in records):
        return delivered
    if answering.condition not in POPE_SETTINGS:
        raise GainsayError(
            f"{path}: no record has {id_column!r}, so that they are known by their lines in a file"
            f" of POPE's, but {answering.condition!r} is no setting; expected one of"
            f" {', '.join(POPE_SETTINGS)}: say which with --condition"
        )
    raws = [
        raw
        if record is None
        else msgspec.Raw(msgspec.json.encode({**record, id_column: f"line {position + 1}"}))
        for raw, record, position in zip(delivered.raws, records, delivered.positions, strict=True)
    ]
    return replace(delivered, raws=raws)


def _fields(raw: msgspec.Raw) -> dict[str, Any] | None:
    """What a record says; None where it is no object."""
    try:
        return msgspec.json.decode(raw, type=dict[str, Any])
    except msgspec.DecodeError:
        return None


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


_Read = tuple[list[msgspec.Raw], list[int], list[Rejection]]


def _read_lines(_path: Path, content: bytes, _mapping: Mapping) -> _Read:
    """One JSON object per line; a line that is none, such as a cut last one, is rejected."""
    raws, positions, broken = [], [], []
    check = msgspec.json.Decoder(msgspec.Raw).decode
    lines = (line for line in content.removeprefix(b"\xef\xbb\xbf").split(b"\n") if line.strip())
    for position, line in enumerate(lines):
        try:
            raws.append(check(line))
            positions.append(position)
        except msgspec.DecodeError as error:
            text = line[:2_000].decode("utf-8", "backslashreplace")
            broken.append(
                Rejection(position, "$", str(error), "one whole JSON object in a line", text)
            )
    return raws, positions, broken


def _read_array(path: Path, content: bytes, mapping: Mapping) -> _Read:
    """A JSON array of objects, or one such array as the only one in an object.

    POPE's own files have one object per line under this name.
    """
    try:
        value = msgspec.json.decode(content, type=list[msgspec.Raw] | dict[str, msgspec.Raw])
    except msgspec.DecodeError as error:
        if _fields(msgspec.Raw(content.lstrip().partition(b"\n")[0])) is not None:
            return _read_lines(path, content, mapping)
        raise GainsayError(
            f"{path}: not a JSON array of answers, or cut short ({error}); one object per line is"
            " a file that ends in .jsonl"
        ) from error
    if isinstance(value, dict):
        arrays = [raw for raw in value.values() if bytes(raw).lstrip()[:1] == b"["]
        if len(arrays) != 1:
            raise GainsayError(
                f"{path}: an object with {len(arrays)} arrays; expected an array of answers, or"
                " an object with exactly one"
            )
        value = msgspec.json.decode(arrays[0], type=list[msgspec.Raw])
    return value, list(range(len(value))), []


def _read_tsv(path: Path, content: bytes, mapping: Mapping) -> _Read:
    """As VLMEvalKit writes it with PRED_FORMAT=tsv."""
    return _read_csv(path, content, mapping, delimiter="\t")


def _read_csv(path: Path, content: bytes, mapping: Mapping, delimiter: str = ",") -> _Read:
    """A first line with the names of columns; a row with other cells than those is rejected."""
    text = TextIOWrapper(BytesIO(content), encoding="utf-8-sig", newline="")
    reader = csv.DictReader(text, restkey=_SURPLUS, strict=True, delimiter=delimiter)
    names = _wanted_columns(path, list(reader.fieldnames or ()), mapping)
    raws, positions, broken = [], [], []
    try:
        for position, row in enumerate(reader):
            n_surplus = sum(cell != "" for cell in row.pop(_SURPLUS, ()))
            n_missing = sum(cell is None for cell in row.values())
            if n_surplus or n_missing:
                broken.append(_unfit_row(position, row, n_surplus - n_missing))
                continue
            record = {name: _cell(name, row[name]) for name in names}
            raws.append(msgspec.Raw(msgspec.json.encode(record)))
            positions.append(position)
    except csv.Error as error:
        raise GainsayError(
            f"{path}: no CSV from line {reader.line_num + 1:,} on: {error}; a quote"
            " without its second stands there, or the file is cut short"
        ) from error
    return raws, positions, broken


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


def _read_parquet(path: Path, content: bytes, mapping: Mapping) -> _Read:
    file = pq.ParquetFile(pa.BufferReader(content))
    names = _wanted_columns(path, file.schema_arrow.names, mapping)
    batches = file.iter_batches(columns=names)
    return _as_json(row for batch in batches for row in _plain_numbers(batch).to_pylist())


def _plain_numbers(batch: pa.RecordBatch) -> pa.RecordBatch:
    """Decimals as floats: databases write them, and JSON has texts for them only."""
    fields = [
        field.with_type(pa.float64()) if pa.types.is_decimal(field.type) else field
        for field in batch.schema
    ]
    return batch.cast(pa.schema(fields))


def _as_json(rows: Iterator[dict[str, object]]) -> _Read:
    raws = [msgspec.Raw(msgspec.json.encode(row)) for row in rows]
    return raws, list(range(len(raws))), []


def _wanted_columns(path: Path, names: Sequence[str], mapping: Mapping) -> list[str]:
    if not names:
        raise GainsayError(f"{path}: holds no records, nor a first line with names of columns")
    for name in (mapping.id_column, mapping.answer_column):
        if name not in names:
            raise GainsayError(
                f"{path}: no column {name!r}; its columns are {', '.join(names)}; say which to"
                " take with --id-column and --answer-column"
            )
    wanted = {mapping.id_column, mapping.answer_column, *_OPTIONAL}
    return [name for name in names if name in wanted or _JUDGE_FIELD.fullmatch(name)]


_READERS: dict[str, Callable[[Path, bytes, Mapping], _Read]] = {
    ".jsonl": _read_lines,
    ".json": _read_array,
    ".csv": _read_csv,
    ".tsv": _read_tsv,
    ".parquet": _read_parquet,
}


def _judges(raws: list[msgspec.Raw]) -> list[str]:
    """The judges whose labels the first record carries."""
    try:
        names = list(msgspec.json.decode(raws[0], type=dict[str, msgspec.Raw])) if raws else []
    except msgspec.DecodeError:
        return []
    return [match["judge"] for name in names if (match := _JUDGE_FIELD.fullmatch(name))]


def _mentioned(content: bytes) -> frozenset[str]:
    """The optional fields that a file may hold: those whose names stand in it anywhere.

    Parquet and CSV hold the names of their columns as they are, JSON may escape letters.
    """
    if _ESCAPED_LETTER.search(content):
        return frozenset(_OPTIONAL)
    return frozenset(name for name in _OPTIONAL if name.encode() in content)


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
        [("example_key", Int64 | str), ("prediction", str | None, None), *fields, *labels],
        rename={"example_key": mapping.id_column, "prediction": mapping.answer_column} | renamed,
        gc=False,
        namespace={"judges": tuple(judges)},
    )
    missing = {*_OPTIONAL} - mentioned | ({"judges"} if not judges else set())
    columns = tuple(
        column.of_nulls() if _FIELD_OF.get(column.name, column.name) in missing else column
        for column in PREDICTION_COLUMNS
    )
    return RecordArray("predictions", "predictions", record, columns)


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
    """What a request said beside its messages, as JSON with sorted keys."""
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
    **dict.fromkeys(("prompt_version", "prompt_sha256", "parameters"), "asked"),
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
    except (pa.ArrowException, UnicodeDecodeError, csv.Error) as error:
        raise GainsayError(f"{path}: not of the format that its name says: {error}") from error
