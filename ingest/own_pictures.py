"""What somebody says of their own pictures: a manifest of a row a picture, and annotations.

A manifest is CSV, JSON lines or Parquet. `file` names a picture below the folder; every other
column is optional. A value that is wrong leaves its field empty and a row in
`raw.rejected_records`; a row that names no picture of the folder is such a row alone. Of two rows
of a picture the first counts. What would mix rows or columns refuses the whole file: two columns of
one meaning, a quote without its second.
"""

import csv
import itertools
import json
import math
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path, PurePosixPath
from typing import IO, Any, Final, Protocol

import msgspec
import pyarrow as pa

from gainsay.foundation.chunked_files import MOST_BYTES, measure_file
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable, require_printable
from gainsay.foundation.named_files import lines_of, opened_file, require_regular
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
_MOST_IGNORED: Final = 20
_ROWS_PER_BATCH: Final = 8_192
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
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
    require_regular(path, MOST_BYTES)
    size = path.stat().st_size
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
    measured = measure_file(path)
    pictures = _Pictures(files)
    with tables.transaction(), spooled_rejections() as rejections:
        tables.forget(name)
        stamp = {"_source_file": name, "_source_sha256": measured.sha256, "_landed_at": _now()}
        with _opened(path, pictures) as (columns, rows):
            reader = _Reader(pictures, columns.known if columns else None, rejections)
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
                "n_bytes": measured.n_bytes,
                "sha256": measured.sha256,
                "n_records": reader.n_records,
                "n_rejected": rejections.n_rejected,
                "landed_at": stamp["_landed_at"],
            }
        )
        measured.require_unchanged()
    ignored = columns.ignored if columns else (*reader.ignored,)
    return ManifestLanding(reader.n_records, rejections.n_rejected, ignored)


# a row: its fields by the names that the file gives them, or what is wrong with all of it
_Row = Mapping[str, Any] | _ProblemError
_Rows = Iterator[_Row]


@dataclass(frozen=True)
class _Columns:
    """The columns of a manifest that are read, by their names in it, and all others."""

    known: Mapping[str, str]
    ignored: tuple[str, ...]


@contextmanager
def _opened(path: Path, pictures: "_Pictures") -> Iterator[tuple[_Columns | None, _Rows]]:
    """The columns of a manifest, if it names them before its rows, and its rows."""
    suffix = path.suffix.lower()
    if suffix not in (".parquet", ".csv", ".tsv", ".jsonl", ".ndjson"):
        raise GainsayError(
            f"{printable(path)}: a manifest is .csv, .tsv, .jsonl or .parquet, with a column file"
            f" and any of {', '.join(COLUMNS[1:])}"
        )
    with opened_file(path, MOST_BYTES) as file:
        if suffix == ".parquet":
            table = ParquetRows(path, file, path.stat().st_size)
            columns = _columns_of(path, table.names)
            with parquet_errors_explained(path):
                rows = (row for batch in table.batches([*columns.known]) for row in _plain(batch))
                yield columns, rows
        elif suffix in (".csv", ".tsv"):
            yield _csv_rows(path, _texts(file, path), pictures, is_tsv=suffix == ".tsv")
        else:
            yield None, (_json_row(line) for line in lines_of(file, path) if line.strip())


def _plain(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


def _texts(file: IO[bytes], path: Path) -> Iterator[str]:
    """The lines of a text, however they end, without a byte order mark."""
    encoding = "utf-8-sig"
    for line in lines_of(file, path):
        try:
            text = line.decode(encoding)
        except UnicodeDecodeError as error:
            raise GainsayError(
                f"{printable(path)}: is not UTF-8; save it as CSV in UTF-8"
            ) from error
        # an old Mac's lines end with a carriage return
        yield from _LINE.findall(text) if "\r" in text else (text,)
        encoding = "utf-8"


def _csv_rows(
    path: Path, texts: Iterator[str], pictures: "_Pictures", *, is_tsv: bool
) -> tuple[_Columns, _Rows]:
    allow_long_cells()
    first = next(texts, "")
    separator = "\t" if is_tsv else max(",;\t", key=lambda one: _fitness(first, one))
    lines = _Lines(itertools.chain([first], texts))
    reader = csv.reader(lines, delimiter=separator, strict=True)

    def read() -> Iterator[list[str]]:
        while True:
            lines.of_row.clear()
            try:
                cells = next(reader, None)
            except csv.Error as error:
                begun = reader.line_num - len(lines.of_row) + 1
                raise GainsayError(
                    f"{printable(path)}: line {max(begun, 1):,}: no CSV: {error}; perhaps a quote"
                    " without its second"
                ) from error
            if cells is None:
                return
            yield cells

    records = read()
    names = next(records, [])
    columns = _columns_of(path, names)
    [place] = [number for number, name in enumerate(names) if columns.known.get(name) == "file"]

    def rows() -> _Rows:
        for cells in records:
            for line in lines.of_row[1:]:
                if _names_a_picture(line, separator, len(names), place, pictures):
                    number = reader.line_num - len(lines.of_row) + 1
                    raise GainsayError(
                        f"{printable(path)}: line {number:,}: a quote without its second, which"
                        f" takes in the row of the next picture: {line.strip()[:80]}"
                    )
            if cells and len(cells) != len(names):
                yield _ProblemError(f"{len(names)} cells, as the first line has")
            elif cells:
                yield dict(zip(names, map(text_of_cell, cells), strict=True))

    return columns, rows()


def _fitness(header: str, separator: str) -> tuple[bool, int]:
    """How well a header is cut: whether it has a column `file`, and into how many."""
    names = next(csv.reader([header], delimiter=separator), [])
    return any(_known_name(name) == "file" for name in names), len(names)


class _Lines:
    """Lines, and which of them a reader has taken since it was last asked for a row."""

    def __init__(self, lines: Iterator[str]) -> None:
        self.of_row: list[str] = []
        self._lines = lines

    def __iter__(self) -> Iterator[str]:
        for line in self._lines:
            self.of_row.append(line)
            yield line


def _names_a_picture(
    line: str, separator: str, n_cells: int, place: int, pictures: "_Pictures"
) -> bool:
    """Whether a line that continues a cell is itself a row of a picture."""
    cells = next(csv.reader([line], delimiter=separator), [])
    if len(cells) != n_cells or n_cells == 1:
        return False
    try:
        pictures.path_of(text_of_cell(cells[place]))
    except _ProblemError:
        return False
    return True


def _json_row(line: bytes) -> _Row:
    line = line.removeprefix(b"\xef\xbb\xbf")
    try:
        found = msgspec.json.decode(line, type=dict[str, Any])
        # of two fields of one name msgspec takes the last
        json.loads(line, object_pairs_hook=_one_of_each)
    except _ProblemError as problem:
        return problem
    except (ValueError, RecursionError):
        return _ProblemError("a JSON object")
    return found


def _one_of_each(pairs: list[tuple[str, Any]]) -> None:
    if len(dict(pairs)) < len(pairs):
        raise _ProblemError("one field of each name")


def _columns_of(path: Path, names: Sequence[str]) -> _Columns:
    """The columns that are read, and the others. Raises `GainsayError` for two of one meaning."""
    meant = [(name, known_name) for name in names if (known_name := _known_name(name))]
    known = dict(meant)
    if "file" not in known.values():
        found = ", ".join(name[:40] for name in names[:20]) or "none"
        raise GainsayError(
            f"{printable(path)}: no column `file`, which names the pictures; found {found}"
        )
    if twice := _meant_twice(known_name for _, known_name in meant):
        called = ", ".join(name[:40] for name, known_name in meant if known_name == twice)
        raise GainsayError(
            f"{printable(path)}: several columns say {twice}: {called}; keep the one that is meant"
        )
    return _Columns(known, tuple(name for name in names if name not in known))


def _meant_twice(names: Iterable[str]) -> str | None:
    """A name that comes more than once, if there is one."""
    return next((name for name, n in Counter(names).items() if n > 1), None)


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
        # names that rows give their fields and nothing reads, the first of them
        self.ignored: dict[str, None] = {}
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

        def refuse(field: str, value: object, problem: _ProblemError) -> None:
            shown = _shown(value, _LONGEST_SHOWN)
            record = _shown(dict(row), _LONGEST_RECORD)
            problems.append(Rejection(position, field, shown, str(problem), record))

        columns = self._columns
        if columns is None:
            columns = {name: known for name in row if (known := _known_name(name))}
            self._note_ignored(name for name in row if name not in columns)
        if twice := _meant_twice(columns.values()):
            named = [name for name, known in columns.items() if known == twice]
            refuse(twice, named, _ProblemError("one field that says it"))
            return None
        fields = {known: row.get(name) for name, known in columns.items()}
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

    def _note_ignored(self, names: Iterable[str]) -> None:
        for name in names:
            if len(self.ignored) < _MOST_IGNORED:
                self.ignored[name] = None

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
        # a name may begin or end with a blank
        if found := self._by_place.get(_composed(file)):
            return _the_one(found)
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
        if isinstance(value, str) and "_" in value:
            # Python's own way to write a number
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
