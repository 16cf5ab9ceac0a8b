"""Official files into the raw tables: all files of one call, or nothing.

A file is known by its official name, whatever container it came in, and by the sha256 of its
content: the same content changes nothing, other content replaces the rows of the former.
Reading, decoding and writing overlap, each in a thread of its own, because inflating, hashing
and the engine's writing release the interpreter while they work.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from typing import Literal, Protocol, TypeVar

import msgspec
import pyarrow as pa

from gainsay.errors import GainsayError
from gainsay.progress import Advance
from ingest.files import Content, Source, read_source
from ingest.raw import rejected_records
from ingest.records import Batch, RecordArray, Rejection, decode, split

State = Literal["landed", "replaced", "unchanged"]

_Item = TypeVar("_Item")

_BATCHES_PER_INSERT = 16


@dataclass(frozen=True)
class Landing:
    """What became of one file: records of its main array, and rejected ones of any array.

    Of a record a line, the last may be cut short: what came behind it is missing, too.
    """

    source: Source
    n_records: int
    n_rejected: int
    state: State
    is_cut_short: bool = False


class Sink(Protocol):
    """Raw tables that a landing writes to, of one engine or another."""

    def transaction(self) -> AbstractContextManager[None]:
        """Keep what the block writes, or nothing of it; the tables are there within.

        Raises `GainsayError` when the tables cannot be written.
        """

    def landed_before(self) -> dict[str, tuple[str, int, int]]:
        """Per official name the sha256, and how many records landed and were rejected."""

    def forget(self, source_file: str) -> None:
        """Remove the rows of a file's former content."""

    def write(
        self,
        table: str,
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        stamp: Mapping[str, object],
    ) -> None:
        """Write batches as they come; `stamp` holds the columns that are the same in all rows.

        What `batches` raises is raised again.
        """

    def note(self, landed: Mapping[str, object]) -> None:
        """Write the row of a file in `raw.landed_files`, in place of a former one."""


def land(sink: Sink, sources: Sequence[Source], advance: Advance) -> list[Landing]:
    """Land official files in one transaction; `advance` counts to the sum of `Source.size`.

    Raises `GainsayError`, and lands nothing, when a file cannot be read, is not JSON, is of
    another kind than its name says or contradicts a file of the same name, and when the
    tables cannot be written.
    """
    landed_at = datetime.now(UTC).replace(tzinfo=None)
    landings: list[Landing] = []
    delivered: dict[str, tuple[str, str]] = {}
    with sink.transaction():
        former = sink.landed_before()
        for content in read_ahead(map(read_source, sources)):
            source = content.source
            name = source.official.name
            if name in delivered:
                _refuse_contradiction(content, *delivered[name])
                advance(source.size)
                continue
            delivered[name] = content.sha256, source.path
            landings.append(_land_file(sink, content, former.get(name), landed_at, advance))
    return landings


def _refuse_contradiction(content: Content, sha256: str, path: str) -> None:
    if content.sha256 != sha256:
        raise GainsayError(
            f"{path} and {content.source.path}: both are {content.source.official.name}, with"
            " different content; nothing was landed: name only the one to keep"
        )


def _land_file(
    sink: Sink,
    content: Content,
    former: tuple[str, int, int] | None,
    landed_at: datetime,
    advance: Advance,
) -> Landing:
    source = content.source
    name = source.official.name
    if former and former[0] == content.sha256:
        advance(source.size)
        return Landing(source, former[1], former[2], "unchanged", _is_cut_short(content))
    if former:
        sink.forget(name)

    n_records, n_rejected = _write_records(sink, content, landed_at, advance)
    sink.note(
        {
            "source_file": name,
            "kind": source.official.layout.kind,
            "split": source.official.split,
            "year": source.official.year,
            "path": source.path,
            "n_bytes": len(content.data),
            "sha256": content.sha256,
            "n_records": n_records,
            "n_rejected": n_rejected,
            "landed_at": landed_at,
        }
    )
    state: State = "replaced" if former else "landed"
    return Landing(source, n_records, n_rejected, state, _is_cut_short(content))


def _is_cut_short(content: Content) -> bool:
    """Whether the last line of a file of lines is no whole record."""
    end = bytes(content.data[-64:]).rstrip()
    return content.source.official.layout.shape == "lines" and end != b"" and end[-1:] != b"}"


def _write_records(
    sink: Sink, content: Content, landed_at: datetime, advance: Advance
) -> tuple[int, int]:
    """Write all arrays of a file: how many records landed in the main one, how many nowhere."""
    source = content.source
    stamp = {
        "_source_file": source.official.name,
        "_source_sha256": content.sha256,
        "_landed_at": landed_at,
    }
    arrays = _split(content)
    size_of_record = source.size / max(1, sum(len(raws) for _, raws in arrays))
    n_rejected = []
    for array, raws in arrays:
        rejections: list[Rejection] = []
        batches = read_ahead(
            _larger_batches(_records_of(decode(array, raws), rejections, size_of_record, advance))
        )
        sink.write(array.table, array.schema, batches, stamp)
        if rejections and len(rejections) == len(raws) and array is source.official.layout.main:
            raise _wrong_kind(source, _none_fits(array, rejections[0]))
        if rejections:
            records = rejected_records(array.name, rejections)
            sink.write("rejected_records", records.schema, iter([records]), stamp)
        n_rejected.append(len(rejections))
    return len(arrays[0][1]) - n_rejected[0], sum(n_rejected)


def _records_of(
    batches: Iterator[Batch],
    rejections: list[Rejection],
    size_of_record: float,
    advance: Advance,
) -> Iterator[pa.RecordBatch]:
    """The records of batches; their rejections go to `rejections`, the progress to `advance`."""
    for batch in batches:
        rejections += batch.rejections
        yield batch.records
        advance(round(size_of_record * (batch.records.num_rows + len(batch.rejections))))


def _larger_batches(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Fewer, larger batches, because each one handed over waits for the interpreter."""
    while group := list(islice(batches, _BATCHES_PER_INSERT)):
        yield pa.concat_batches(group)


def _split(content: Content) -> list[tuple[RecordArray, list[msgspec.Raw]]]:
    source = content.source
    try:
        return split(content.data, source.official.layout)
    except msgspec.ValidationError as error:
        raise _wrong_kind(source, str(error)) from error
    except msgspec.DecodeError as error:
        raise GainsayError(
            f"{source.path}: not JSON, or cut short ({error}); nothing was landed: fetch it anew"
            " (`gainsay download` has the archives of VQA and COCO), or write it anew"
        ) from error
    except RecursionError as error:
        raise _wrong_kind(source, "values nested too deeply") from error


def _wrong_kind(source: Source, reason: str) -> GainsayError:
    official = source.official
    return GainsayError(
        f"{source.path}: not a file of {official.layout.kind}, as its name {official.name} says:"
        f" {reason}; fetch it anew with `gainsay download`, or rename it"
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
