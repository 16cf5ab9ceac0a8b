"""Official files into the raw tables: all files of one call, or nothing.

A file is known by its official name, whatever container it came in, and by the sha256 of its
content: the same content changes nothing, another content replaces the rows of the former one.
Reading, decoding and writing overlap, because inflating, hashing and DuckDB release the
interpreter while they work.
"""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Literal, TypeVar

import duckdb
import msgspec
import pyarrow as pa

from ingest import coco, vqa
from ingest.errors import GainsayError
from ingest.files import Content, Source, read_source
from ingest.image_files import ensure_image_files
from ingest.progress import Advance
from ingest.records import Batch, RecordArray, Rejection, decode, split

State = Literal["landed", "replaced", "unchanged"]

_LAYOUTS = (vqa.QUESTIONS, vqa.ANNOTATIONS, coco.CAPTIONS, coco.INSTANCES)
_PROVENANCE = "_source_file varchar, _source_sha256 varchar, _position bigint, _landed_at timestamp"
_RECORD_TABLES = {
    array.table: [f"{column.name} {column.sql_type}" for column in array.columns]
    for layout in _LAYOUTS
    for array in layout.arrays
} | {
    "rejected_records": [
        f"{name} varchar" for name in ("array_name", "field", "found", "expected", "record")
    ]
}
_CREATE_LANDED_FILES = """
create table if not exists raw.landed_files (
    source_file varchar primary key, kind varchar, split varchar, year integer, path varchar,
    n_bytes bigint, sha256 varchar, n_records bigint, n_rejected bigint, landed_at timestamp
)"""

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Landing:
    """What became of one file: records of its main array, and rejected ones of any array."""

    source: Source
    n_records: int
    n_rejected: int
    state: State


def ensure_raw_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the schema `raw` and those of its tables that do not exist yet."""
    connection.execute("create schema if not exists raw")
    connection.execute(_CREATE_LANDED_FILES)
    ensure_image_files(connection)
    for table, columns in _RECORD_TABLES.items():
        connection.execute(
            f"create table if not exists raw.{table} ({', '.join(columns)}, {_PROVENANCE})"
        )


def land(
    connection: duckdb.DuckDBPyConnection, sources: Sequence[Source], advance: Advance
) -> list[Landing]:
    """Land official files in one transaction; `advance` counts to the sum of `Source.size`.

    Raises `GainsayError`, and lands nothing, when a file cannot be read, is not JSON, is of
    another kind than its name says or contradicts a file of the same name, and when the
    warehouse cannot be written.
    """
    landed_at = datetime.now(UTC).replace(tzinfo=None)
    landings: list[Landing] = []
    delivered: dict[str, tuple[str, str]] = {}
    with _transaction(connection):
        ensure_raw_schema(connection)
        former = _landed_before(connection)
        for content in _ahead(map(read_source, sources)):
            source = content.source
            name = source.official.name
            if name in delivered:
                _refuse_contradiction(content, *delivered[name])
                advance(source.size)
                continue
            delivered[name] = content.sha256, source.path
            landings.append(_land_file(connection, content, former.get(name), landed_at, advance))
    return landings


def _landed_before(connection: duckdb.DuckDBPyConnection) -> dict[str, tuple[str, int, int]]:
    rows = connection.execute(
        "select source_file, sha256, n_records, n_rejected from raw.landed_files"
    ).fetchall()
    return {name: (sha256, n_records, n_rejected) for name, sha256, n_records, n_rejected in rows}


def _refuse_contradiction(content: Content, sha256: str, path: str) -> None:
    if content.sha256 != sha256:
        raise GainsayError(
            f"{path} and {content.source.path}: both are {content.source.official.name}, with"
            " different content; nothing was landed: name only the one to keep"
        )


def _land_file(
    connection: duckdb.DuckDBPyConnection,
    content: Content,
    former: tuple[str, int, int] | None,
    landed_at: datetime,
    advance: Advance,
) -> Landing:
    source = content.source
    name = source.official.name
    if former and former[0] == content.sha256:
        advance(source.size)
        return Landing(source, former[1], former[2], "unchanged")
    if former:
        for table in _RECORD_TABLES:
            connection.execute(f"delete from raw.{table} where _source_file = ?", [name])

    n_records, n_rejected = _write_records(connection, content, landed_at, advance)
    connection.execute(
        "insert or replace into raw.landed_files values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            name,
            source.official.layout.kind,
            source.official.split,
            source.official.year,
            source.path,
            len(content.data),
            content.sha256,
            n_records,
            n_rejected,
            landed_at,
        ],
    )
    return Landing(source, n_records, n_rejected, "replaced" if former else "landed")


def _write_records(
    connection: duckdb.DuckDBPyConnection, content: Content, landed_at: datetime, advance: Advance
) -> tuple[int, int]:
    """Write all arrays of a file: how many records landed in the main one, how many nowhere."""
    source = content.source
    stamp = {
        "source_file": source.official.name,
        "source_sha256": content.sha256,
        "landed_at": landed_at,
    }
    arrays = _split(content)
    size_of_record = source.size / max(1, sum(len(raws) for _, raws in arrays))
    n_rejected = []
    for array, raws in arrays:
        rejections: list[Rejection] = []
        batches = _told(decode(array, raws), rejections, size_of_record, advance)
        _insert(connection, array.table, array.schema, batches, stamp)
        if rejections and len(rejections) == len(raws) and array is source.official.layout.main:
            raise _wrong_kind(source, _none_fits(array, rejections[0]))
        if rejections:
            records = _rejected_records(array, rejections)
            _insert(connection, "rejected_records", records.schema, iter([records]), stamp)
        n_rejected.append(len(rejections))
    return len(arrays[0][1]) - n_rejected[0], sum(n_rejected)


def _told(
    batches: Iterator[Batch],
    rejections: list[Rejection],
    size_of_record: float,
    advance: Advance,
) -> Iterator[pa.RecordBatch]:
    """Pass the records of batches on, put their rejections aside and tell of the progress."""
    for batch in batches:
        rejections += batch.rejections
        yield batch.records
        advance(round(size_of_record * (batch.records.num_rows + len(batch.rejections))))


def _split(content: Content) -> list[tuple[RecordArray, list[msgspec.Raw]]]:
    source = content.source
    try:
        return split(content.data, source.official.layout)
    except msgspec.ValidationError as error:
        raise _wrong_kind(source, str(error)) from error
    except msgspec.DecodeError as error:
        raise GainsayError(
            f"{source.path}: not JSON, or cut short ({error}); fetch it anew with"
            " `gainsay download`"
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


def _rejected_records(array: RecordArray, rejections: list[Rejection]) -> pa.RecordBatch:
    return pa.RecordBatch.from_pylist(
        [
            {
                "array_name": array.name,
                "field": rejection.field,
                "found": rejection.found,
                "expected": rejection.expected,
                "record": rejection.record,
                "_position": rejection.position,
            }
            for rejection in rejections
        ]
    )


def _insert(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    schema: pa.Schema,
    batches: Iterator[pa.RecordBatch],
    stamp: dict[str, object],
) -> None:
    """Insert batches while they are made: DuckDB stores the former ones during the next.

    What `batches` raises is raised again, where DuckDB would pass on its text only.
    """
    raised: list[BaseException] = []

    def noting_errors() -> Iterator[pa.RecordBatch]:
        try:
            yield from batches
        except BaseException as error:
            raised.append(error)
            raise

    connection.register("landing", pa.RecordBatchReader.from_batches(schema, noting_errors()))
    try:
        connection.execute(
            f"insert into raw.{table} by name"
            " select *, $source_file as _source_file, $source_sha256 as _source_sha256,"
            " $landed_at as _landed_at from landing",
            stamp,
        )
    except duckdb.Error:
        if raised:
            raise raised[0] from None
        raise
    finally:
        # an aborted transaction refuses this as well, and would hide what aborted it
        with suppress(duckdb.Error):
            connection.unregister("landing")


def _ahead(items: Iterator[_Item]) -> Iterator[_Item]:
    """Yield `items` while another thread makes the next one."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        upcoming = pool.submit(next, items, None)
        while (item := upcoming.result()) is not None:
            upcoming = pool.submit(next, items, None)
            yield item


@contextmanager
def _transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    try:
        connection.begin()
        yield
        connection.commit()
    except BaseException as error:
        # a failed commit has already ended the transaction
        with suppress(duckdb.Error):
            connection.rollback()
        if isinstance(error, duckdb.Error):
            raise GainsayError(
                f"the warehouse could not be written, nothing was landed: {error}"
            ) from error
        raise
