"""Official files into the raw tables: all files of one call, or nothing.

A file is known by its official name, whatever container it came in, and by the sha256 of its
content: the same content changes nothing, other content replaces the rows of the former. That is
why a file is read twice, first for its sha256 and then for its records, and never held whole.
Reading, decoding and writing overlap, each in a thread of its own, because inflating, hashing
and the engine's writing release the interpreter while they work; decoding does not, so that large
files are decoded in processes of their own (`ingest/decoding.py`).
"""

from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, Protocol, TypeVar

import msgspec
import pyarrow as pa

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance
from gainsay.ingest.decoding import Decoders
from gainsay.ingest.file_info import TABLE as FILE_INFO
from gainsay.ingest.file_info import file_info
from gainsay.ingest.files import Content, Source, measure, read_again
from gainsay.ingest.raw import REJECTED_RECORDS
from gainsay.ingest.records import Batch, RecordArray, Rejection
from gainsay.ingest.rejections import Rejections, spooled_rejections
from gainsay.ingest.sinks.raw_tables import Transactions
from gainsay.ingest.streams import ReadAgainError, Repeats, arrays_of
from gainsay.ingest.tools import tool_of

State = Literal["landed", "replaced", "unchanged"]

_Item = TypeVar("_Item")

# as many as DuckDB stores at a time
_ROWS_PER_INSERT = 8_192


@dataclass(frozen=True)
class Landing:
    """The result of one file: records of its main array, and rejected ones of any array.

    `n_left_empty`: values that records landed without, where the file was read in this landing. Of
    a record a line, the last may be cut short: what came behind it is missing, too.
    """

    source: Source
    n_records: int
    n_rejected: int
    state: State
    is_cut_short: bool = False
    n_left_empty: int = 0


class Sink(Transactions, Protocol):
    """Raw tables that official files land in, of one engine or another."""

    def landed_before(self) -> dict[str, tuple[str, int, int]]:
        """Per official name the sha256, and how many records landed and were rejected."""

    def forget(self, source_file: str) -> None:
        """Remove the rows of a file's former content."""

    def note(self, landed: Mapping[str, object]) -> None:
        """Write the row of a file in `raw.landed_files`, in place of a former one."""


@dataclass(frozen=True)
class _Call:
    """The values that all files of one landing share."""

    sink: Sink
    landed_at: datetime
    advance: Advance
    decoders: Decoders | None


def land(
    sink: Sink, sources: Sequence[Source], advance: Advance, decoders: Decoders | None = None
) -> list[Landing]:
    """Land official files in one transaction; `advance` counts to the sum of `Source.size`.

    `decoders` are processes to decode records in, where there are some.

    Raises `GainsayError`, and lands nothing, when a file cannot be read, is not JSON, is of
    another kind than its name says or contradicts a file of the same name, and when the
    tables cannot be written.
    """
    call = _Call(sink, datetime.now(UTC).replace(tzinfo=None), advance, decoders)
    landings: list[Landing] = []
    delivered: dict[str, tuple[str, str]] = {}
    with sink.transaction():
        former = sink.landed_before()
        for content in read_ahead(map(measure, sources)):
            source = content.source
            name = source.official.name
            if name in delivered:
                _refuse_contradiction(content, *delivered[name])
                advance(source.size)
                continue
            delivered[name] = content.sha256, source.path
            landings.append(_land_file(call, content, former.get(name)))
    return landings


def _refuse_contradiction(content: Content, sha256: str, path: str) -> None:
    if content.sha256 != sha256:
        raise GainsayError(
            f"{path} and {content.source.path}: both are {content.source.official.name}, with"
            " different content; nothing was landed: name only the one to keep"
        )


def _land_file(call: _Call, content: Content, former: tuple[str, int, int] | None) -> Landing:
    source = content.source
    name = source.official.name
    if former and former[0] == content.sha256:
        call.advance(source.size)
        return Landing(source, former[1], former[2], "unchanged", _is_cut_short(content))
    if former:
        call.sink.forget(name)

    n_records, n_rejected, n_left_empty = _write_records(call, content)
    call.sink.note(
        {
            "source_file": name,
            "kind": source.official.layout.kind,
            "split": source.official.split,
            "year": source.official.year,
            "path": source.path,
            "n_bytes": content.n_bytes,
            "sha256": content.sha256,
            "n_records": n_records,
            "n_rejected": n_rejected,
            "landed_at": call.landed_at,
        }
    )
    state: State = "replaced" if former else "landed"
    return Landing(source, n_records, n_rejected, state, _is_cut_short(content), n_left_empty)


def _is_cut_short(content: Content) -> bool:
    """Whether the last line of a file of lines is no whole record."""
    end = content.end.rstrip()
    return content.source.official.layout.shape == "lines" and end != b"" and end[-1:] != b"}"


def _write_records(call: _Call, content: Content) -> tuple[int, int, int]:
    """Write all arrays of a file.

    How many records landed in the main one, how many nowhere, how many values were left out.
    """
    repeats = Repeats()
    progress = _Progress(content, call.advance)
    while True:
        with spooled_rejections() as rejections:
            try:
                return _write_arrays(call, content, repeats, rejections, progress)
            except ReadAgainError as error:
                if error.repeats.arrays:
                    twice = ", ".join(error.repeats.arrays)
                    raise GainsayError(
                        f"{content.source.path}: several lists are called {twice}, and which one"
                        " counts is not known; keep the one that is meant"
                    ) from error
                # the last of what came twice counts: what the one before it left is taken back
                repeats = error.repeats
                call.sink.forget(content.source.official.name)


def _write_arrays(
    call: _Call,
    content: Content,
    repeats: Repeats,
    rejections: Rejections,
    progress: "_Progress",
) -> tuple[int, int, int]:
    """As `_write_records`. Raises `ReadAgainError` where a file has something once more."""
    source = content.source
    stamp = {
        "_source_file": source.official.name,
        "_source_sha256": content.sha256,
        "_landed_at": call.landed_at,
    }
    sink = call.sink
    main = source.official.layout.main
    n_records: Counter[str] = Counter()
    chunks = read_ahead(progress.shown(read_again(content)))
    infos: list[bytes] = []
    arrays = arrays_of(chunks, source.official.layout, repeats, infos.append, call.decoders)
    for array, batches in _arrays_explained(source, arrays):
        accepted = _accepted(array, batches, n_records, rejections)
        sink.write(array.table, array.schema, read_ahead(larger_batches(accepted)), stamp)
    first = rejections.first.get(main.name)
    if first and not n_records[main.name]:
        raise _wrong_kind(source, _none_fits(main, first))
    for info in filter(None, map(file_info, infos)):
        sink.write(FILE_INFO, info.schema, iter([info]), stamp)
    if rejections.n_rejected or rejections.n_notes:
        sink.write("rejected_records", REJECTED_RECORDS, rejections.batches(), stamp)
    return n_records[main.name], rejections.n_rejected, rejections.n_notes


class _Progress:
    """How far a file has come, told in bytes of its container, whatever it is read to."""

    def __init__(self, content: Content, advance: Advance) -> None:
        self._content = content
        self._advance = advance
        self._told = 0

    def shown(self, chunks: Iterator[bytes]) -> Iterator[bytes]:
        """Pass on chunks, telling how far they have come; a second reading tells nothing new."""
        size, n_bytes, n_read = self._content.source.size, self._content.n_bytes, 0
        for chunk in chunks:
            yield chunk
            n_read += len(chunk)
            self._tell(size * n_read // n_bytes)
        self._tell(size)

    def _tell(self, reached: int) -> None:
        if reached > self._told:
            self._advance(reached - self._told)
            self._told = reached


def _accepted(
    array: RecordArray, batches: Iterator[Batch], n_records: Counter[str], rejections: Rejections
) -> Iterator[pa.RecordBatch]:
    """The records of batches, counted; their rejections go to `rejections`."""
    for batch in batches:
        rejections.add(array.name, batch.rejections)
        rejections.note(array.name, batch.notes)
        n_records[array.name] += batch.records.num_rows
        yield batch.records


def larger_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Fewer, larger batches, because each one handed over waits for the interpreter."""
    group: list[pa.RecordBatch] = []
    n_rows = 0
    for batch in batches:
        group.append(batch)
        n_rows += batch.num_rows
        if n_rows >= _ROWS_PER_INSERT:
            yield pa.concat_batches(group)
            group, n_rows = [], 0
    if group:
        yield pa.concat_batches(group)


def _arrays_explained(
    source: Source, arrays: Iterator[tuple[RecordArray, Iterator[Batch]]]
) -> Iterator[tuple[RecordArray, Iterator[Batch]]]:
    """The arrays of a file, and what is wrong with it explained."""
    while True:
        with _errors_explained(source):
            found = next(arrays, None)
        if found is None:
            return
        array, batches = found
        yield array, _explained(source, batches)


def _explained(source: Source, batches: Iterator[Batch]) -> Iterator[Batch]:
    with _errors_explained(source):
        yield from batches


@contextmanager
def _errors_explained(source: Source) -> Iterator[None]:
    try:
        yield
    except msgspec.ValidationError as error:
        raise _wrong_kind(source, str(error)) from error
    except msgspec.DecodeError as error:
        tool = None if source.official.is_official else tool_of(source.container)
        if tool:
            raise GainsayError(
                f"{source.path}: no annotations in COCO's format: {tool} ({error}); nothing was"
                " landed"
            ) from error
        remedy = (
            "fetch it again (`gainsay download` has the archives of VQA and COCO), or write it"
            " again"
            if source.official.is_official
            else "write it again; JSON has no NaN and no Infinity, which some programs write"
        )
        raise GainsayError(
            f"{source.path}: not JSON, or cut short ({error}); nothing was landed: {remedy}"
        ) from error
    except UnicodeDecodeError as error:
        raise _wrong_kind(source, f"a key is no UTF-8 ({error})") from error
    except RecursionError as error:
        raise _wrong_kind(source, "values nested too deeply") from error


def _wrong_kind(source: Source, reason: str) -> GainsayError:
    official = source.official
    if not official.is_official:
        if tool := tool_of(source.container):
            return GainsayError(
                f"{source.path}: no annotations in COCO's format: {tool} ({reason})"
            )
        return GainsayError(
            f"{source.path}: no annotations in COCO's format, an object with the lists images,"
            f" annotations and categories: {reason}"
        )
    return GainsayError(
        f"{source.path}: not a file of {official.layout.kind}, as its name {official.name} says:"
        f" {reason}; fetch it again with `gainsay download`, or rename it"
    )


def _none_fits(array: RecordArray, first: Rejection) -> str:
    return (
        f"none of its {array.name} fits; {first.field} of the first is {first.found}, expected"
        f" {first.expected}"
    )


def read_ahead(items: Iterator[_Item]) -> Iterator[_Item]:
    """Yield `items` while another thread makes the next two, so that a large one starts in time."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        upcoming = deque(pool.submit(next, items, None) for _ in range(2))
        while (item := upcoming.popleft().result()) is not None:
            upcoming.append(pool.submit(next, items, None))
            yield item
