"""What somebody says of their own pictures: a manifest of a row a picture, and annotations.

A manifest is CSV, JSON lines or Parquet. `file` names a picture below the folder; every other
column is optional. A value that is wrong leaves its field empty and a row in
`raw.rejected_records`; a row that names no picture of the folder is such a row alone. Of two rows
of a picture the first counts.
"""

import csv
import hashlib
import io
import itertools
import math
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import Any, Final, Protocol

import msgspec
import pyarrow as pa

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable, require_printable
from gainsay.foundation.progress import Advance
from gainsay.foundation.sheets import allow_long_cells, text_of_cell
from ingest.decoding import Decoders
from ingest.files import OfficialName, Source
from ingest.landing import Landing, Sink, land
from ingest.own_annotations import ANNOTATIONS
from ingest.parquet_files import ParquetRows, parquet_errors_explained
from ingest.raw import REJECTED_RECORDS
from ingest.records import POSITION, Rejection
from ingest.rejections import Rejections, spooled_rejections
from ingest.sinks.raw_tables import RawTables
from python_udfs.pixels.image_files import ImageFile

COLUMNS: Final = (
    "file", "caption", "scene", "taken_at", "latitude", "longitude", "heading", "license", "author",
    "url", "split_group",
)  # fmt: skip
# what other programs call them
_OTHER_NAMES: Final = {
    "file_name": "file", "filename": "file", "split group": "split_group", "lat": "latitude",
    "lon": "longitude", "licence": "license",
}  # fmt: skip
_NUMBERS: Final = {"latitude": (-90.0, 90.0), "longitude": (-180.0, 180.0), "heading": (0.0, 360.0)}
_LONGEST_TEXT: Final = 10_000
_LONGEST_SHOWN: Final = 200
_LONGEST_RECORD: Final = 2_000
_ROWS_PER_BATCH: Final = 8_192
_EXIF_DATE: Final = re.compile(r"(\d{4}):(\d\d):(\d\d)(?=[ T])")
_PICTURES: Final = pa.schema(
    [
        *((name, pa.large_string()) for name in ("path", "caption", "scene", "taken_at")),
        *((name, pa.float64()) for name in _NUMBERS),
        *((name, pa.large_string()) for name in ("license", "author", "url", "split_group")),
        (POSITION, pa.int64()),
    ]
)
_FOLDERS: Final = pa.schema([("folder", pa.large_string()), (POSITION, pa.int64())])


class OwnTables(RawTables, Sink, Protocol):
    """The raw tables of one engine, for official files and for what is no such file."""


@dataclass(frozen=True)
class ManifestLanding:
    """How many rows of a manifest say something of a picture, and how many errors they have.

    `ignored` are the columns that nothing reads.
    """

    n_records: int
    n_rejected: int
    ignored: tuple[str, ...]


@dataclass(frozen=True)
class OwnLanding:
    """What came of annotations, each file a landing, and of a manifest, if there was one."""

    annotations: list[Landing]
    manifest: ManifestLanding | None


class _ProblemError(Exception):
    """What a value should be, and is not."""


def annotation_source(path: Path) -> Source:
    """A file of annotations in COCO's format. Raises `GainsayError` where it cannot be read."""
    require_printable(path)
    try:
        is_file, size = path.is_file(), path.stat().st_size
    except OSError as error:
        raise GainsayError(f"{printable(path)}: cannot be read: {error.strerror}") from error
    if not is_file:
        raise GainsayError(f"{printable(path)}: not a regular file")
    name = printable(path.absolute())
    official = OfficialName(name, ANNOTATIONS, "all", None, is_official=False)
    return Source(official, path.absolute(), None, size)


def land_own(
    tables: OwnTables,
    folders: Sequence[str],
    files: Sequence[ImageFile],
    *,
    annotations: Sequence[Source],
    manifest: Path | None,
    advance: Advance,
    decoders: Decoders | None = None,
) -> OwnLanding:
    """Land what files of annotations and a manifest say of the pictures in `folders`.

    They replace what other files of their kind said of these folders before. `advance` counts
    bytes of annotations. Raises `GainsayError` for a file that cannot be read or is of another
    form; what landed before it stays.
    """
    landings = land(tables, annotations, advance, decoders) if annotations else []
    landed = None
    if manifest is not None:
        landed = _land_manifest(tables, manifest, files)
    named = {
        "own_annotations": [source.official.name for source in annotations],
        "own_manifest": [printable(manifest.absolute())] if manifest else [],
    }
    with tables.transaction():
        kinds = dict(tables.rows("landed_files", ("source_file", "kind"), {"kind": [*named]}))
        spoken = {kind: names for kind, names in named.items() if names}
        _replace_folders(tables, folders, kinds, spoken)
    return OwnLanding(landings, landed)


def _replace_folders(
    tables: OwnTables,
    folders: Sequence[str],
    kinds: Mapping[str, str],
    named: Mapping[str, Sequence[str]],
) -> None:
    """Let the files that were named speak of `folders`, and no other file of their kinds."""
    former: dict[str, set[str]] = defaultdict(set)
    for source_file, folder in tables.rows("own_folders", ("_source_file", "folder"), {}):
        former[source_file].add(folder)
    now = {name: set(spoken_of) for name, spoken_of in former.items()}
    for kind, names in named.items():
        for other in [name for name in now if kinds.get(name) == kind and name not in names]:
            now[other] -= set(folders)
        for name in names:
            now.setdefault(name, set()).update(folders)
    for name, spoken_of in now.items():
        if spoken_of == former.get(name):
            continue
        tables.forget_rows("own_folders", name)
        if not spoken_of:
            tables.forget(name)
            tables.forget_rows("landed_files", name)
            continue
        batch = pa.RecordBatch.from_pydict(
            {"folder": sorted(spoken_of), POSITION: [*range(len(spoken_of))]}, _FOLDERS
        )
        stamp = {"_source_file": name, "_source_sha256": "", "_landed_at": _now()}
        tables.write("own_folders", _FOLDERS, iter([batch]), stamp)


def _now() -> datetime:
    return datetime.now(UTC).replace(tzinfo=None)


# --- the manifest


def _land_manifest(tables: OwnTables, path: Path, files: Sequence[ImageFile]) -> ManifestLanding:
    """Land a manifest; its pictures are looked for anew, though its bytes be the same."""
    require_printable(path)
    name = printable(path.absolute())
    sha256, n_bytes = _sha256(path)
    pictures = _Pictures(files)
    with tables.transaction(), spooled_rejections() as rejections:
        tables.forget(name)
        stamp = {"_source_file": name, "_source_sha256": sha256, "_landed_at": _now()}
        with _opened(path) as (columns, rows):
            taken, ignored = _known_columns(path, columns)
            reader = _Reader(pictures, taken, rejections)
            tables.write("own_pictures", _PICTURES, reader.batches(rows), stamp)
        if rejections.n_rejected:
            tables.write("rejected_records", REJECTED_RECORDS, rejections.batches(), stamp)
        tables.note(
            {
                "source_file": name,
                "kind": "own_manifest",
                "split": "all",
                "year": None,
                "path": name,
                "n_bytes": n_bytes,
                "sha256": sha256,
                "n_records": reader.n_records,
                "n_rejected": rejections.n_rejected,
                "landed_at": stamp["_landed_at"],
            }
        )
    return ManifestLanding(reader.n_records, rejections.n_rejected, ignored)


def _sha256(path: Path) -> tuple[str, int]:
    try:
        if not path.is_file():
            raise GainsayError(f"{printable(path)}: no such file")
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest(), path.stat().st_size
    except OSError as error:
        raise GainsayError(f"{printable(path)}: cannot be read: {error.strerror}") from error


# a row: its fields by the names that the file gives them, or what is wrong with all of it
_Row = Mapping[str, Any] | _ProblemError
_Rows = Iterator[_Row]


@contextmanager
def _opened(path: Path) -> Iterator[tuple[list[str] | None, _Rows]]:
    """The columns of a manifest, if it names them before its rows, and its rows."""
    suffix = path.suffix.lower()
    if suffix == ".parquet":
        with path.open("rb") as file:
            table = ParquetRows(path, file, path.stat().st_size)
            with parquet_errors_explained(path):
                yield (
                    table.names,
                    (row for batch in table.batches(table.names) for row in batch.to_pylist()),
                )
    elif suffix in (".csv", ".tsv"):
        with path.open(encoding="utf-8-sig", newline="") as text:
            yield _csv_rows(path, text)
    elif suffix in (".jsonl", ".ndjson"):
        with path.open("rb") as file:
            yield None, (_json_row(line) for line in file if line.strip())
    else:
        raise GainsayError(
            f"{printable(path)}: a manifest is .csv, .tsv, .jsonl or .parquet, with a column file"
            f" and any of {', '.join(COLUMNS[1:])}"
        )


def _csv_rows(path: Path, text: io.TextIOWrapper) -> tuple[list[str], _Rows]:
    allow_long_cells()
    try:
        header = text.readline()
    except UnicodeDecodeError as error:
        raise _not_utf_8(path) from error
    separator = max(",;\t", key=header.count)
    names = next(csv.reader([header], delimiter=separator), [])

    def rows() -> _Rows:
        reader = csv.reader(text, delimiter=separator)
        try:
            for cells in reader:
                if len(cells) > len(names):
                    yield _ProblemError(f"{len(names)} cells, as the first line has")
                elif cells:
                    values = (text_of_cell(cell) for cell in cells)
                    yield dict(zip(names, values, strict=False))
        except UnicodeDecodeError as error:
            raise _not_utf_8(path) from error
        except csv.Error as error:
            line = reader.line_num + 1
            raise GainsayError(f"{printable(path)}: line {line:,}: no CSV: {error}") from error

    return names, rows()


def _not_utf_8(path: Path) -> GainsayError:
    return GainsayError(f"{printable(path)}: is not UTF-8; save it as CSV in UTF-8")


def _json_row(line: bytes) -> _Row:
    try:
        return msgspec.json.decode(line.removeprefix(b"\xef\xbb\xbf"), type=dict[str, Any])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return _ProblemError("a JSON object")


def _known_columns(
    path: Path, names: Sequence[str] | None
) -> tuple[dict[str, str] | None, tuple[str, ...]]:
    """By its name in the file each column that is read, and those that are not."""
    if names is None:
        return None, ()
    known = {name: known_name for name in names if (known_name := _known_name(name))}
    if "file" not in known.values():
        found = ", ".join(name[:40] for name in names[:20]) or "none"
        raise GainsayError(
            f"{printable(path)}: no column `file`, which names the pictures; found {found}"
        )
    return known, tuple(name for name in names if name not in known)


def _known_name(name: str) -> str | None:
    lower = name.strip().lower()
    lower = _OTHER_NAMES.get(lower, lower)
    return lower if lower in COLUMNS else None


class _Reader:
    """Reads the rows of a manifest, keeps what is right, and notes what is not."""

    def __init__(
        self, pictures: "_Pictures", columns: Mapping[str, str] | None, rejections: Rejections
    ) -> None:
        self.n_records = 0
        self._pictures = pictures
        self._columns = columns
        self._rejections = rejections
        self._seen: set[str] = set()

    def batches(self, rows: _Rows) -> Iterator[pa.RecordBatch]:
        numbered = enumerate(rows)
        while group := list(itertools.islice(numbered, _ROWS_PER_BATCH)):
            problems: list[Rejection] = []
            found = [self._read(position, row, problems) for position, row in group]
            records = [record for record in found if record is not None]
            self._rejections.add("pictures", problems)
            self.n_records += len(records)
            if records:
                yield pa.RecordBatch.from_pylist(records, _PICTURES)

    def _read(self, position: int, row: _Row, problems: list[Rejection]) -> dict[str, Any] | None:
        if isinstance(row, _ProblemError):
            problems.append(Rejection(position, "row", "something else", str(row), ""))
            return None
        columns = self._columns
        if columns is None:
            columns = {name: known for name in row if (known := _known_name(name))}
        fields = {known: row.get(name) for name, known in columns.items()}

        def refuse(field: str, value: object, problem: _ProblemError) -> None:
            shown = _shown(value, _LONGEST_SHOWN)
            record = _shown(dict(row), _LONGEST_RECORD)
            problems.append(Rejection(position, field, shown, str(problem), record))

        try:
            path = self._picture(fields.get("file"))
        except _ProblemError as problem:
            refuse("file", fields.get("file"), problem)
            return None
        record: dict[str, Any] = {"path": path, POSITION: position}
        for name in COLUMNS[1:]:
            value = fields.get(name)
            if value is None or value == "":
                continue
            try:
                record[name] = _READERS[name](value)
            except _ProblemError as problem:
                refuse(name, value, problem)
        return record

    def _picture(self, value: object) -> str:
        path = self._pictures.path_of(_text(value) if value is not None else "")
        if path in self._seen:
            raise _ProblemError("one row a picture, of which the first counts")
        self._seen.add(path)
        return path


class _Pictures:
    """The pictures of a landing, by what a manifest may call them."""

    def __init__(self, files: Sequence[ImageFile]) -> None:
        self._by_place: dict[str, set[str]] = defaultdict(set)
        self._by_name: dict[str, set[str]] = defaultdict(set)
        for file in files:
            place = file.path[len(file.folder or "") + 1 :]
            for name in (place, file.path):
                self._by_place[_composed(name)].add(file.path)
            self._by_name[_composed(file.file_name)].add(file.path)

    def path_of(self, file: str) -> str:
        """The path of the picture that a manifest calls so. Raises `_ProblemError`."""
        name = _composed(file.strip())
        if not name:
            raise _ProblemError("the name of a picture")
        parts = PurePosixPath(name).parts
        if ".." in parts or ".." in re.split(r"[/\\]", name):
            raise _ProblemError("a picture in the folder, which this name leads out of")
        place = str(PurePosixPath(*parts))
        for called in (place, place.replace("\\", "/")):
            if found := self._by_place.get(called):
                return _the_one(found)
        if "/" not in place and "\\" not in place and (found := self._by_name.get(place)):
            return _the_one(found)
        raise _ProblemError("a picture in the folder, which has none of this name")


def _the_one(paths: set[str]) -> str:
    if len(paths) > 1:
        raise _ProblemError(f"the path within the folder of one of {len(paths)} of this name")
    return next(iter(paths))


def _composed(name: str) -> str:
    """A name as most systems spell it; others spell an umlaut as a letter and its dots."""
    return unicodedata.normalize("NFC", name)


def _shown(value: object, longest: int) -> str:
    if not isinstance(value, str):
        # dates and what else a Parquet file holds, as text
        value = msgspec.json.encode(value, enc_hook=str, order="sorted").decode()
    return value[:longest]


# --- the fields


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise _ProblemError("text")
    if len(value) > _LONGEST_TEXT:
        raise _ProblemError(f"at most {_LONGEST_TEXT:,} characters")
    if "\0" in value:
        raise _ProblemError("text without the character NUL")
    return value


def _group(value: object) -> str:
    # houses and walks have numbers
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else _text(value)


def _number(name: str) -> Callable[[object], float]:
    least, most = _NUMBERS[name]

    def read(value: object) -> float:
        problem = _ProblemError(f"degrees from {least:g} to {most:g}")
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise problem
        try:
            degrees = float(value)
        except (ValueError, OverflowError) as error:
            raise problem from error
        if not math.isfinite(degrees) or not least <= degrees <= most:
            raise problem
        return degrees % 360 if name == "heading" else degrees

    return read


def _moment(value: object) -> str:
    """A date and a time of day, as ISO 8601: a clock's reading, or with its offset from UTC."""
    problem = _ProblemError("a date and a time of day, such as 2024-06-21T12:00:00+02:00")
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, date) or not isinstance(value, str):
        raise problem
    text = _EXIF_DATE.sub(r"\1-\2-\3", value.strip())
    if not re.match(r"\d{4}-?\d\d-?\d\d[T ]\d\d", text):
        raise problem
    try:
        return datetime.fromisoformat(text).isoformat()
    except ValueError as error:
        raise problem from error


_READERS: Final[Mapping[str, Callable[[object], Any]]] = {
    "caption": _text,
    "scene": _text,
    "taken_at": _moment,
    **{name: _number(name) for name in _NUMBERS},
    "license": _text,
    "author": _text,
    "url": _text,
    "split_group": _group,
}
