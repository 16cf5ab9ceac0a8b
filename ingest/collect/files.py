"""Listings that come as files: Open Images' CSV files and YFCC100M's tables.

A file is known by its name and its content: the same content changes nothing, other content
replaces the rows of the former. Nothing is filtered but by `share`, which keeps whole groups.
"""

import bz2
import csv
import hashlib
import io
import itertools
import math
import re
from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import unquote_plus

import duckdb
import pyarrow as pa
from pyarrow import csv as arrow_csv

from gainsay.foundation.archives import inflated_chunks
from gainsay.foundation.chunked_files import ChunkReader
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable, require_printable
from gainsay.foundation.named_files import file_errors_explained, opened_file
from gainsay.foundation.progress import Advance
from gainsay.ingest.collect.layouts import (
    OPENIMAGES_BOXES,
    OPENIMAGES_CLASSES,
    OPENIMAGES_IMAGES,
    OPENIMAGES_LABELS,
    YFCC_AUTOTAGS,
    YFCC_PHOTOS,
    CollectionCursor,
    YfccAutotags,
    YfccPhoto,
)
from gainsay.ingest.collect.listing import replace_cursor, stamp
from gainsay.ingest.records import Layout
from gainsay.ingest.sinks.duckdb import DuckDbSink

_BYTES_PER_BLOCK: Final = 2**22
_LONGEST_LINE: Final = 2**22
_LARGEST_TABLE: Final = 2**40
_ROWS_PER_BATCH: Final = 8_192

# the header of each kind of Open Images' files, and how its columns are called here
_OPENIMAGES_KINDS: Final = {
    OPENIMAGES_IMAGES.kind: (
        "ImageID,Subset,OriginalURL,OriginalLandingURL,License,AuthorProfileURL,Author,Title,"
        "OriginalSize,OriginalMD5,Thumbnail300KURL,Rotation"
    ),
    OPENIMAGES_BOXES.kind: (
        "ImageID,Source,LabelName,Confidence,XMin,XMax,YMin,YMax,IsOccluded,IsTruncated,IsGroupOf,"
        "IsDepiction,IsInside"
    ),
    OPENIMAGES_LABELS.kind: "ImageID,Source,LabelName,Confidence",
    OPENIMAGES_CLASSES.kind: "LabelName,DisplayName",
}
_CLICK_COLUMNS: Final = [
    "XClick1X",
    "XClick2X",
    "XClick3X",
    "XClick4X",
    "XClick1Y",
    "XClick2Y",
    "XClick3Y",
    "XClick4Y",
]
_OPENIMAGES_LAYOUTS: Final = {
    layout.kind: layout
    for layout in (OPENIMAGES_IMAGES, OPENIMAGES_BOXES, OPENIMAGES_CLASSES, OPENIMAGES_LABELS)
}
_CLASS_CODE: Final = re.compile(r"/[mgt]/[0-9a-z_]+")


@dataclass(frozen=True)
class FileListing:
    """How many records of one file were listed, and whether it had been listed before."""

    name: str
    kind: str
    n_listed: int
    is_unchanged: bool


@dataclass(frozen=True)
class Share:
    """Which share of YFCC100M's groups is kept: groups are of one cell and day."""

    share: float
    seed: int
    cell_degrees: float


def list_openimages(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[Path], advance: Advance
) -> list[FileListing]:
    """List Open Images' files, each of the kind that its first line says; one transaction a file.

    Raises `GainsayError` for a file of another shape, naming the line.
    """
    listings = []
    for path in paths:
        require_printable(path)
        layout = _openimages_layout(path)
        batches = _openimages_batches(path, layout)
        listings.append(_land(connection, "openimages", path, layout, batches, advance))
    return listings


def list_yfcc(
    connection: duckdb.DuckDBPyConnection, paths: Sequence[Path], share: Share, advance: Advance
) -> list[FileListing]:
    """List YFCC100M's tables: photographs first, then the autotags of those that were kept.

    Raises `GainsayError` for a file of another shape, naming the line.
    """
    for path in paths:
        require_printable(path)
    kinds = [(path, _yfcc_layout(path)) for path in paths]
    listings = []
    for path, layout in sorted(kinds, key=lambda kind: kind[1] is YFCC_AUTOTAGS):
        kept = _photo_ids(connection) if layout is YFCC_AUTOTAGS else frozenset()
        batches = _yfcc_batches(path, layout, share, kept)
        listings.append(_land(connection, "yfcc", path, layout, batches, advance))
    return listings


def _land(
    connection: duckdb.DuckDBPyConnection,
    source: str,
    path: Path,
    layout: Layout,
    batches: Iterator[pa.RecordBatch],
    advance: Advance,
) -> FileListing:
    sink = DuckDbSink(connection)
    sha256 = _sha256(path)
    with sink.transaction():
        former = sink.landed_before().get(path.name)
        if former and former[0] == sha256:
            advance(path.stat().st_size)
            return FileListing(path.name, layout.kind, former[1], is_unchanged=True)
        sink.forget(path.name)
        n_records = 0

        def counted() -> Iterator[pa.RecordBatch]:
            nonlocal n_records
            for batch in batches:
                positions = pa.array(range(n_records, n_records + batch.num_rows), pa.int64())
                n_records += batch.num_rows
                yield pa.RecordBatch.from_arrays(
                    [*batch.columns, positions], schema=layout.main.schema
                )

        stamped = stamp(path.name, sha256)
        sink.write(layout.main.table, layout.main.schema, counted(), stamped)
        sink.note(
            {
                "source_file": path.name,
                "kind": layout.kind,
                "split": "all",
                "year": None,
                "path": printable(path.absolute()),
                "n_bytes": path.stat().st_size,
                "sha256": sha256,
                "n_records": n_records,
                "n_rejected": 0,
                "landed_at": stamped["_landed_at"],
            }
        )
        replace_cursor(
            connection,
            CollectionCursor(
                source=source, query=path.name, n_listed=n_records, is_complete=True, cursor=sha256
            ),
        )
    advance(path.stat().st_size)
    return FileListing(path.name, layout.kind, n_records, is_unchanged=False)


def _sha256(path: Path) -> str:
    with opened_file(path) as file, file_errors_explained(path):
        return hashlib.file_digest(file, "sha256").hexdigest()  # type: ignore[arg-type]


# --- Open Images


def _first_line(path: Path) -> list[str]:
    with opened_file(path) as file, file_errors_explained(path):
        line = file.readline(2**16).decode("utf-8-sig", "replace")
    try:
        return next(csv.reader([line.rstrip("\r\n")]), [])
    except csv.Error:
        # such as a line's end of an old Mac, which nothing can be read from
        return [line]


def _openimages_layout(path: Path) -> Layout:
    found = _first_line(path)
    for kind, header in _OPENIMAGES_KINDS.items():
        names = header.split(",")
        if found == names or (kind == OPENIMAGES_BOXES.kind and found == names + _CLICK_COLUMNS):
            return _OPENIMAGES_LAYOUTS[kind]
    if len(found) == 2 and _CLASS_CODE.fullmatch(found[0]):
        return OPENIMAGES_CLASSES
    listed = "\n".join(f"  {kind}: {header}" for kind, header in _OPENIMAGES_KINDS.items())
    raise GainsayError(
        f"{printable(path)}: no file of Open Images V7: its first line is"
        f" {','.join(found)[:200]!r}, expected one of\n{listed}\nor a class without a header"
    )


def _openimages_batches(path: Path, layout: Layout) -> Iterator[pa.RecordBatch]:
    columns = layout.main.columns
    schema = pa.schema([(column.name, column.arrow_type) for column in columns])
    try:
        with closing(_openimages_reader(path, layout)) as reader:
            for batch in reader:
                yield pa.RecordBatch.from_arrays(batch.columns, schema=schema)
    except (pa.ArrowInvalid, OSError) as error:
        problem = _problem_with_row(path, layout) or error
        raise GainsayError(
            f"{printable(path)}: broken or cut short: {problem}; nothing of it was listed: fetch"
            " it anew"
        ) from error


def _openimages_reader(
    path: Path, layout: Layout, use_threads: bool = True
) -> arrow_csv.CSVStreamingReader:
    names = _OPENIMAGES_KINDS[layout.kind].split(",")
    has_header = _first_line(path)[: len(names)] == names
    columns = layout.main.columns
    by_name = {_snake(name): name for name in names}
    return arrow_csv.open_csv(
        path,
        read_options=arrow_csv.ReadOptions(
            block_size=_BYTES_PER_BLOCK,
            column_names=None if has_header else names,
            use_threads=use_threads,
        ),
        parse_options=arrow_csv.ParseOptions(newlines_in_values=True),
        convert_options=arrow_csv.ConvertOptions(
            include_columns=[by_name[column.name] for column in columns],
            column_types={by_name[column.name]: column.arrow_type for column in columns},
            null_values=[""],
            strings_can_be_null=True,
        ),
    )


def _problem_with_row(path: Path, layout: Layout) -> str | None:
    """What is wrong and in which row, which Arrow knows when it reads in one thread."""
    try:
        with closing(_openimages_reader(path, layout, use_threads=False)) as reader:
            deque(reader, maxlen=0)
    except (pa.ArrowInvalid, OSError) as error:
        return str(error)
    return None


def _snake(name: str) -> str:
    """`OriginalMD5` as `original_md5`, as the layouts have it."""
    special = {"Thumbnail300KURL": "thumbnail_300k_url", "ImageID": "image_id"}
    if name in special:
        return special[name]
    return re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[XY])(?=M)", "_", name).lower()


# --- YFCC100M


@contextmanager
def _opened(path: Path) -> Iterator[IO[bytes]]:
    """A table, unpacked; raises `GainsayError` where it inflates as no table does."""
    with opened_file(path) as file:
        if path.suffix != ".bz2":
            yield file
            return
        with bz2.open(file) as unpacked:
            chunks = inflated_chunks(printable(path), unpacked.read, file.tell, _LARGEST_TABLE)
            yield ChunkReader(chunks)


def _lines(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The fields of each line, still encoded, with its number from 1."""
    try:
        with _opened(path) as file:
            text = io.TextIOWrapper(file, "utf-8", newline="\n")
            for number in itertools.count(1):
                line = text.readline(_LONGEST_LINE)
                if not line:
                    return
                if len(line) == _LONGEST_LINE and not line.endswith("\n"):
                    raise GainsayError(
                        f"{printable(path)}: line {number:,} is longer than {_LONGEST_LINE:,}"
                        " characters, as none of YFCC100M is; nothing of it was listed"
                    )
                yield number, line.rstrip("\n").split("\t")
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise GainsayError(
            f"{printable(path)}: truncated or corrupt: {error}; nothing of it was listed"
        ) from error


def _yfcc_layout(path: Path) -> Layout:
    _, fields = next(_lines(path), (0, []))
    if len(fields) in (23, 25):
        return YFCC_PHOTOS
    if len(fields) == 2:
        return YFCC_AUTOTAGS
    raise GainsayError(
        f"{printable(path)}: no table of YFCC100M: its first line has {len(fields)} columns,"
        " expected 23 or 25 (photographs) or 2 (autotags), with tabs between them"
    )


def _photo_ids(connection: duckdb.DuckDBPyConnection) -> frozenset[int]:
    rows = connection.execute("select photo_id from raw.yfcc_photos").fetchall()
    return frozenset(photo_id for (photo_id,) in rows)


def _yfcc_batches(
    path: Path, layout: Layout, share: Share, kept: frozenset[int]
) -> Iterator[pa.RecordBatch]:
    records: Iterator[Any] = (
        _autotags(path, kept) if layout is YFCC_AUTOTAGS else _photos(path, share)
    )
    columns = layout.main.columns
    schema = pa.schema([(column.name, column.arrow_type) for column in columns])
    while batch := list(islice(records, _ROWS_PER_BATCH)):
        yield pa.RecordBatch.from_arrays([column.build(batch) for column in columns], schema=schema)


def _photos(path: Path, share: Share) -> Iterator[YfccPhoto]:
    n_columns = 0
    for number, fields in _lines(path):
        n_columns = n_columns or len(fields)
        if len(fields) != n_columns:
            raise GainsayError(
                f"{printable(path)}: line {number:,} has {len(fields)} columns, expected"
                f" {n_columns} as in the first; nothing of it was listed"
            )
        try:
            photo = photo_of(fields)
        except ValueError as error:
            raise GainsayError(
                f"{printable(path)}: line {number:,}: {error}; nothing of it was listed"
            ) from error
        if is_in_share(photo, share):
            yield photo


def photo_of(fields: Sequence[str]) -> YfccPhoto:
    """A line's fields, of 23 or 25 columns. Raises `ValueError` for a text in a number's place."""
    line_number, photo_hash = None, None
    if len(fields) == 25:
        line_number, photo_hash = int(fields[0]), _text(fields[2])
        fields = [fields[1], *fields[3:]]
    return YfccPhoto(
        photo_id=int(fields[0]),
        line_number=line_number,
        photo_hash=photo_hash,
        user_nsid=_text(fields[1]),
        user_nickname=_text(fields[2]),
        date_taken=_text(fields[3]),
        date_uploaded=_text(fields[4]),
        capture_device=_text(fields[5]),
        title=_text(fields[6]),
        description=_text(fields[7]),
        user_tags=_text(fields[8]),
        machine_tags=_text(fields[9]),
        longitude=_number(fields[10]),
        latitude=_number(fields[11]),
        accuracy=int(fields[12]) if _text(fields[12]) else None,
        page_url=_text(fields[13]),
        download_url=_text(fields[14]),
        license_name=_text(fields[15]),
        license_url=_text(fields[16]),
        server=_text(fields[17]),
        farm=_text(fields[18]),
        secret=_text(fields[19]),
        original_secret=_text(fields[20]),
        extension=_text(fields[21]),
        marker=int(fields[22]) if _text(fields[22]) else None,
    )


def _text(field: str) -> str | None:
    """A field decoded; empty and the word null are nothing."""
    return None if field in ("", "null") else unquote_plus(field)


def _number(field: str) -> float | None:
    number = float(field) if _text(field) else None
    return number if number is None or math.isfinite(number) else None


def is_in_share(photo: YfccPhoto, share: Share) -> bool:
    """Whether the group of a photo is kept: its cell and day, or the photo alone without them."""
    if photo.latitude is None or photo.longitude is None or photo.date_taken is None:
        key = str(photo.photo_id)
    else:
        cells = (
            math.floor(degrees / share.cell_degrees)
            for degrees in (photo.latitude, photo.longitude)
        )
        key = f"{','.join(map(str, cells))}:{photo.date_taken[:10]}"
    text = f"{share.seed}:rc_yfcc_share:{key}"
    digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    return int(digest[:15], 16) < share.share * 16**15


def _autotags(path: Path, kept: frozenset[int]) -> Iterator[YfccAutotags]:
    for number, fields in _lines(path):
        if len(fields) != 2 or not fields[0].isdecimal():
            raise GainsayError(
                f"{printable(path)}: line {number:,} is not a photo's id, a tab and its concepts;"
                " nothing of it was listed"
            )
        if int(fields[0]) in kept:
            yield YfccAutotags(photo_id=int(fields[0]), autotags=_text(fields[1]))
