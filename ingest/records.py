"""Official files as arrays of typed records, and records as Arrow batches.

An official file is one JSON object that holds arrays of records, or that is itself the records by
their ids; one array of records; or a record a line. A `Layout` names those arrays and, for each,
the Struct its records must fit and the raw table they land in.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import attrgetter
from typing import Annotated, Any, Literal

import msgspec
import pyarrow as pa

from gainsay.ingest.meanings import meant

Int64 = Annotated[int, msgspec.Meta(ge=-(2**63), le=2**63 - 1)]

# few enough that their objects stay in the processor's cache: a whole file decoded at once
# takes three times as long
_RECORDS_PER_BATCH = 512

_UNFIT = (msgspec.DecodeError, UnicodeDecodeError, RecursionError)
_LONGEST_RECORD = 2_000
_LONGEST_VALUE = 200

# an object of arrays, an object of records by their keys, an array of records, a record a line
Shape = Literal["object", "keyed", "list", "lines"]

# the field in which a record of a keyed file finds its key
KEY = "_key"

# the end of what is expected where a record landed without an odd value
LEFT_EMPTY = "; left empty"

# the place of a record in its array, counted from 0
POSITION = "_position"

# the key under which a file describes itself; in files of lines the first record has it
INFO = "info"

# 64-bit offsets: a batch of very long captions may pass 2 GiB
TEXT = pa.large_string()


@dataclass(frozen=True)
class Column:
    """A column of a raw table: its types, and how the records of a batch become its values."""

    name: str
    sql_type: str
    arrow_type: pa.DataType
    build: Callable[[Sequence[Any]], pa.Array]

    def of_nulls(self) -> "Column":
        """The same column for records that have nothing for it, and are not looked at."""
        return replace(self, build=lambda records: pa.nulls(len(records), self.arrow_type))


def column(
    name: str, sql_type: str, arrow_type: pa.DataType, value: Callable[[Any], object] | None = None
) -> Column:
    """A column of one value per record: the field `name` unless `value` says otherwise."""
    of = value or attrgetter(name)
    return Column(
        name, sql_type, arrow_type, lambda records: pa.array(map(of, records), arrow_type)
    )


def bigint(name: str) -> Column:
    """The integer field `name` of the records."""
    return column(name, "bigint", pa.int64())


def double(name: str) -> Column:
    """The number field `name` of the records."""
    return column(name, "double", pa.float64())


def varchar(name: str) -> Column:
    """The text field `name` of the records."""
    return column(name, "varchar", TEXT)


@dataclass(frozen=True)
class RecordArray:
    """One array of an official file: its JSON key, record type, raw table and columns."""

    name: str
    table: str
    record: type[msgspec.Struct]
    columns: tuple[Column, ...]
    # optional fields without which a record is not what it says: an odd value of one rejects it,
    # a truth value is yes or no
    essential: frozenset[str] = frozenset()
    # fields that a record must not have twice; else those that it must have
    single: tuple[str, ...] | None = None

    @property
    def single_fields(self) -> tuple[str, ...]:
        if self.single is not None:
            return self.single
        fields = msgspec.structs.fields(self.record)
        return tuple(each.encode_name for each in fields if each.required)

    @property
    def schema(self) -> pa.Schema:
        fields = [(column.name, column.arrow_type) for column in self.columns]
        return pa.schema([*fields, (POSITION, pa.int64())])


@dataclass(frozen=True)
class Layout:
    """The arrays of one kind of official file; the main one must be there, others may be.

    A file of another shape than an object has no arrays: its records are those of the main one,
    in a keyed file each with its key as the field `KEY`.
    """

    kind: str
    main: RecordArray
    others: tuple[RecordArray, ...] = ()
    shape: Shape = "object"

    @property
    def arrays(self) -> tuple[RecordArray, ...]:
        return (self.main, *self.others)


@dataclass(frozen=True)
class Rejection:
    """Why one record does not fit its layout."""

    position: int
    field: str
    found: str
    expected: str
    record: str


@dataclass(frozen=True)
class Batch:
    """Consecutive records of one array: those that fit, as Arrow, and the others.

    `notes` are values of records that landed without them.
    """

    records: pa.RecordBatch
    rejections: list[Rejection]
    notes: list[Rejection] = field(default_factory=list)


def split(data: bytes | bytearray, layout: Layout) -> list[tuple[RecordArray, list[msgspec.Raw]]]:
    """The arrays of an official file, main one first, with their records still undecoded.

    Raises `msgspec.DecodeError` for what is not JSON, its child `msgspec.ValidationError` for
    JSON of another shape, `RecursionError` for JSON nested beyond any official layout.
    """
    data = bytes(data).removeprefix(b"\xef\xbb\xbf")
    if layout.shape == "keyed":
        members = decode_outline(data, layout)
        return [(layout.main, [keyed_record(key, raw) for key, raw in members.items()])]
    if layout.shape == "lines":
        lines = data.splitlines()
        return [(layout.main, [msgspec.Raw(line) for line in lines if line.strip()])]
    file = decode_outline(data, layout)
    if layout.shape == "list":
        return [(layout.main, file)]
    return [(array, getattr(file, array.name)) for array in layout.arrays]


def decode_outline(data: bytes | bytearray, layout: Layout) -> Any:
    """A file that is an object of arrays or of records, or one array, its records still undecoded.

    Raises as `split`.
    """
    if layout.shape == "list":
        return _decode_whole(data, list[msgspec.Raw])
    if layout.shape == "keyed":
        return _decode_whole(data, dict[str, msgspec.Raw])
    main, *others = [(array.name, list[msgspec.Raw]) for array in layout.arrays]
    info = (INFO, msgspec.Raw, msgspec.Raw(b"null"))
    shape = msgspec.defstruct(layout.kind, [main, *((*other, []) for other in others), info])
    return _decode_whole(data, shape)


def decode_any_outline(data: bytes | bytearray) -> Any:
    """A file that is one array or any object, its values still undecoded. Raises as `split`."""
    return _decode_whole(data, list[msgspec.Raw] | dict[str, msgspec.Raw])


def _decode_whole(data: bytes | bytearray, shape: Any) -> Any:
    """A file whose records stay undecoded."""
    try:
        return msgspec.json.decode(data, type=shape)
    except msgspec.ValidationError:
        raise
    except msgspec.DecodeError:
        mended = spell_out_lone_surrogates(data)
        if mended == data:
            raise
        return msgspec.json.decode(mended, type=shape)


def keyed_record(key: str, raw: msgspec.Raw) -> msgspec.Raw:
    """An object with its key as its first field; what is no object stays as it is."""
    record = bytes(raw)
    if not record.startswith(b"{"):
        return raw
    fields = record[1:].lstrip()
    comma = b"" if fields == b"}" else b","
    return msgspec.Raw(b'{"%s":%s%s' % (KEY.encode(), msgspec.json.encode(key), comma) + fields)


def decode(array: RecordArray, raws: Sequence[msgspec.Raw]) -> Iterator[Batch]:
    """Decode the records of one array, in order, in small batches."""
    decode_run = RunDecoder(array)
    for start in range(0, len(raws), _RECORDS_PER_BATCH):
        yield decode_run.undecoded(raws[start : start + _RECORDS_PER_BATCH])


# a JSON array of records that stay undecoded; raises `msgspec.DecodeError` for what is no JSON
decode_undecoded = msgspec.json.Decoder(list[msgspec.Raw]).decode
# a JSON object of such records by their keys; raises the same, or `UnicodeDecodeError` for a key
decode_members = msgspec.json.Decoder(dict[str, msgspec.Raw]).decode


class RunDecoder:
    """Decodes the records of one array, a run of consecutive ones at a time."""

    def __init__(self, array: RecordArray) -> None:
        self._array = array
        self._decode_record = msgspec.json.Decoder(array.record).decode
        self._decode_records = msgspec.json.Decoder(list[array.record]).decode  # type: ignore[name-defined]
        self._n_decoded = 0
        self._single = [b'"%s"' % name.encode() for name in array.single_fields]

    def __call__(self, run: bytes) -> Batch:
        """Decode a run that stands as a JSON array.

        Raises `msgspec.DecodeError` or `RecursionError` when it is no such array.
        """
        try:
            records = self._decode_records(run)
        except _UNFIT:
            return self.undecoded(decode_undecoded(run))
        if self._may_repeat(run, len(records)):
            return self.undecoded(decode_undecoded(run))
        return self._batch(self._positions(len(records)), records)

    def undecoded(
        self, raws: Sequence[msgspec.Raw], positions: Sequence[int] | None = None
    ) -> Batch:
        """Decode a run of undecoded records, which stand one after the other unless told where."""
        if positions is None:
            positions = self._positions(len(raws))
        repeated: list[Rejection] = []
        if self._may_repeat(b"".join(raws), len(raws)):
            repeated = [
                rejection
                for position, raw in zip(positions, raws, strict=True)
                if (rejection := _repeated_field(raw, position)) is not None
            ]
            places = {rejection.position for rejection in repeated}
            kept = [pair for pair in zip(positions, raws, strict=True) if pair[0] not in places]
            positions, raws = [position for position, _ in kept], [raw for _, raw in kept]
        try:
            records = [self._decode_record(raw) for raw in raws]
            return self._batch(positions, records, repeated)
        except _UNFIT:
            sorted_out = _SortedOut(self._array, self._decode_record, raws, positions)
        rejections = sorted([*repeated, *sorted_out.rejections], key=attrgetter("position"))
        return self._batch(sorted_out.positions, sorted_out.records, rejections, sorted_out.notes)

    def _may_repeat(self, run: bytes, n_records: int) -> bool:
        """Whether records may have a field twice, of which msgspec would take the last."""
        return any(run.count(name) > n_records for name in self._single)

    def placed(self, batch: Batch) -> Batch:
        """The next batch of the array, which was decoded elsewhere, its first record at 0."""
        first = self._n_decoded
        n_rejected = len(batch.rejections)
        self._positions(batch.records.num_rows + n_rejected)
        place = batch.records.schema.get_field_index(POSITION)
        positions = pa.array(batch.records.column(place).to_numpy() + first)
        return Batch(
            batch.records.set_column(place, POSITION, positions),
            [replace(one, position=first + one.position) for one in batch.rejections],
            [replace(one, position=first + one.position) for one in batch.notes],
        )

    def _positions(self, n_records: int) -> range:
        first = self._n_decoded
        self._n_decoded += n_records
        return range(first, self._n_decoded)

    def _batch(
        self,
        positions: Sequence[int],
        records: list[Any],
        rejections: Sequence[Rejection] = (),
        notes: Sequence[Rejection] = (),
    ) -> Batch:
        values = [column.build(records) for column in self._array.columns]
        values.append(pa.array(positions, pa.int64()))
        batch = pa.RecordBatch.from_arrays(values, schema=self._array.schema)
        return Batch(batch, [*rejections], [*notes])


# how answers say what programs write as a truth value
_YES_OR_NO = {b"true": msgspec.Raw(b'"yes"'), b"false": msgspec.Raw(b'"no"')}


class _SortedOut:
    """Records that fit, as they are or without an odd value, and why the others do not."""

    def __init__(
        self,
        array: RecordArray,
        decode_record: Callable[[msgspec.Raw], Any],
        raws: Sequence[msgspec.Raw],
        positions: Sequence[int],
    ) -> None:
        self.positions: list[int] = []
        self.records: list[Any] = []
        self.rejections: list[Rejection] = []
        self.notes: list[Rejection] = []
        self._fields = msgspec.structs.fields(array.record)
        self._essential = array.essential
        self._decode_record = decode_record
        for position, raw in zip(positions, raws, strict=True):
            self._take(raw, position)

    def _take(self, raw: msgspec.Raw, position: int) -> None:
        notes: list[Rejection] = []
        try:
            record = self._decode_record(raw)
        except _UNFIT as error:
            try:
                values = decode_members(raw)
            except _UNFIT:
                self.rejections.append(_explain(raw, position, error))
                return
            try:
                record = self._decode_record(self._mended(raw, values, position, notes))
            except _UNFIT as other:
                self.rejections.append(_explain(raw, position, other))
                return
        self.records.append(record)
        self.positions.append(position)
        self.notes += notes

    def _mended(
        self,
        raw: msgspec.Raw,
        values: dict[str, msgspec.Raw],
        position: int,
        notes: list[Rejection],
    ) -> msgspec.Raw:
        """The record with odd values read as what they can only mean, or left out with a note."""
        for each in self._fields:
            name = each.encode_name
            if name not in values:
                continue
            try:
                msgspec.json.decode(values[name], type=each.type)
                continue
            except _UNFIT as error:
                # with its traceback it would keep this frame, and the record with it
                problem = error.with_traceback(None)
            is_essential = name in self._essential
            said = _YES_OR_NO.get(bytes(values[name])) if is_essential else None
            found = said or meant(values[name], each.type)
            if found is not None:
                values[name] = found
            elif not each.required and not is_essential:
                alone = msgspec.Raw(b'{"%s":%s}' % (name.encode(), bytes(values[name])))
                noted = _explain(alone, position, _at(problem, name))
                expected = f"{noted.expected}{LEFT_EMPTY}"
                record = _text(raw, _LONGEST_RECORD)
                notes.append(replace(noted, expected=expected, record=record))
                del values[name]
        return msgspec.Raw(msgspec.json.encode(values))


def _repeated_field(raw: msgspec.Raw, position: int) -> Rejection | None:
    """The rejection of a record that has a field twice, with two values; None of any other."""
    found: list[tuple[str, object, object]] = []

    def compare(pairs: list[tuple[str, object]]) -> dict[str, object]:
        values: dict[str, object] = {}
        for name, value in pairs:
            if name in values and values[name] != value:
                found.append((name, values[name], value))
            values[name] = value
        return values

    try:
        json.loads(bytes(raw), object_pairs_hook=compare)
    except (ValueError, RecursionError):
        # what is wrong with it is found where it is decoded
        return None
    if not found:
        return None
    name, first, last = found[0]
    said = f"{json.dumps(first)} and {json.dumps(last)}"[:_LONGEST_VALUE]
    return Rejection(
        position, f"$.{name}", said, "one field of each name", _text(raw, _LONGEST_RECORD)
    )


def _at(error: Exception, name: str) -> Exception:
    """The error of a value as that of the field `name` of a record."""
    if not isinstance(error, msgspec.ValidationError):
        return error
    problem, _, path = str(error).partition(" - at `$")
    return msgspec.ValidationError(f"{problem} - at `$.{name}{path.removesuffix('`')}`")


_MESSAGE = re.compile(r"(?P<problem>.*?)(?: - at `(?P<path>\$.*)`)?", re.DOTALL)
_MISSING = re.compile(r"Object missing required field `(?P<name>.*)`")
_EXPECTED = re.compile(r"Expected (?P<expected>.*?)(?:, got `.*`)?")
_STEP = re.compile(r"\.(?P<name>\w+)|\[(?P<index>\d+)\]")


def _explain(raw: msgspec.Raw, position: int, error: Exception) -> Rejection:
    """Say in which field the record breaks its layout, and show what stands there."""
    record = _text(raw, _LONGEST_RECORD)
    if not isinstance(error, msgspec.ValidationError):
        if re.search("malformed|truncated", str(error)):
            return Rejection(position, "$", record[:_LONGEST_VALUE], "one whole object", record)
        field, value = _first_undecodable(raw)
        found = _text(value, _LONGEST_VALUE)
        return Rejection(position, field, found, "UTF-8, surrogates in pairs", record)
    message = _MESSAGE.fullmatch(str(error))
    assert message is not None
    path = message["path"] or "$"
    if missing := _MISSING.fullmatch(message["problem"]):
        field = f"{path}.{missing['name']}"
        return Rejection(position, field, "nothing", "required field", record)
    if message["problem"].startswith("Invalid enum value"):
        return Rejection(position, path, _value_text(_value_at(raw, path)), "known value", record)
    # the one other problem that says nothing of what was expected is a number out of range
    expected = _EXPECTED.fullmatch(message["problem"])
    wanted = expected["expected"].replace("`", "") if expected else "number within 64 bits"
    return Rejection(position, path, _value_text(_value_at(raw, path)), wanted, record)


def _value_at(raw: msgspec.Raw, path: str) -> msgspec.Raw:
    """The undecoded value at a path such as `$.answers[3].answer`.

    A path does not say which of an object's keys it goes through (`$.objects[...].name`), and an
    object with a key that is no text can't be looked into: the value is the whole object then.
    """
    for step in _STEP.finditer(path.partition("[...]")[0]):
        if step["name"]:
            try:
                raw = decode_members(raw)[step["name"]]
            except UnicodeDecodeError:
                return raw
        else:
            raw = msgspec.json.decode(raw, type=list[msgspec.Raw])[int(step["index"])]
    return raw


def _value_text(value: msgspec.Raw) -> str:
    match bytes(value)[:1]:
        case b"{":
            return "object"
        case b"[":
            return f"array of length {len(msgspec.json.decode(value, type=list[msgspec.Raw]))}"
        case _:
            return _text(value, _LONGEST_VALUE)


def _first_undecodable(raw: msgspec.Raw) -> tuple[str, msgspec.Raw]:
    try:
        for name, value in msgspec.json.decode(raw, type=dict[str, msgspec.Raw]).items():
            try:
                msgspec.json.decode(value)
            except _UNFIT:
                return f"$.{name}", value
    except _UNFIT:
        # it is a name that cannot be decoded
        pass
    return "$", raw


_ESCAPE = re.compile(
    rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
    rb"|\\u(?P<lone>[dD][89a-fA-F][0-9a-fA-F]{2})"
    rb"|\\."
)
_SPELLED_OUT = re.compile(rb"\xed[\xa0-\xbf][\x80-\xbf]")


def spell_out_lone_surrogates(content: bytes | bytearray) -> bytes:
    r"""Replace `\ud800` and its like by the three bytes that UTF-8 forbids for them.

    msgspec refuses a whole file for one such escape, but reports forbidden bytes only in the
    record that holds them.
    """

    def spell_out(escape: re.Match[bytes]) -> bytes:
        lone = escape["lone"]
        return chr(int(lone, 16)).encode("utf-8", "surrogatepass") if lone else escape[0]

    return _ESCAPE.sub(spell_out, content)


def _text(raw: msgspec.Raw, longest: int) -> str:
    r"""The JSON text of a value as it was delivered, cut; bytes that are no text as `\xff`."""
    # no character takes more than four bytes
    escaped = _SPELLED_OUT.sub(
        lambda found: b"\\u%04x" % ord(found[0].decode("utf-8", "surrogatepass")),
        bytes(raw)[: 4 * longest],
    )
    return escaped.decode("utf-8", "backslashreplace")[:longest]
