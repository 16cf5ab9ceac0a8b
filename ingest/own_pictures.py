"""What somebody says of their own pictures: a manifest of a row a picture, and annotations.

A manifest is CSV, JSON lines, a JSON array or Parquet. `file` names a picture below the folder;
every other column is optional. A value that is wrong leaves its field empty and a row in
`raw.rejected_records`; a row that names no picture of the folder is such a row alone. Of two rows
of a picture the first counts, but for captions, of which a picture has as many as it is given.
What would mix rows or columns refuses the whole file: two columns of one meaning, a quote without
its second.
"""

import csv
import io
import itertools
import json
import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime
from pathlib import Path
from typing import IO, Any, Final, Protocol

import msgspec
import pyarrow as pa

from gainsay.foundation.chunked_files import MOST_BYTES, measure_file
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable, require_printable
from gainsay.foundation.named_files import (
    MOST_WHOLE_BYTES,
    lines_of,
    opened_file,
    read_all,
    require_regular,
)
from gainsay.foundation.progress import Advance
from gainsay.foundation.sheets import allow_long_cells, text_of_cell
from gainsay.ingest.csv_looks import (
    HEAD_BYTES,
    UTF_16,
    CsvLook,
    look_at_csv,
    not_unicode,
    require_no_spreadsheet,
)
from gainsay.ingest.decoding import Decoders
from gainsay.ingest.files import OfficialName, Source
from gainsay.ingest.landing import Landing, Sink, land
from gainsay.ingest.own_annotations import ANNOTATIONS
from gainsay.ingest.parquet_files import ParquetRows, parquet_errors_explained
from gainsay.ingest.picture_names import PictureNames
from gainsay.ingest.raw import REJECTED_RECORDS
from gainsay.ingest.records import POSITION, Rejection
from gainsay.ingest.rejections import Rejections, spooled_rejections
from gainsay.ingest.sinks.raw_tables import RawTables
from gainsay.ingest.tools import tool_of
from gainsay.python_udfs.pixels.image_files import ImageFile

COLUMNS: Final = (
    "file", "caption", "scene", "taken_at", "latitude", "longitude", "heading", "license", "author",
    "url", "split_group",
)  # fmt: skip
# what other programs call them
_OTHER_NAMES: Final = {
    "file_name": "file", "filename": "file", "split group": "split_group", "lat": "latitude",
    "lon": "longitude", "licence": "license",
}  # fmt: skip
# what they call them where no column has one of these names
_LAST_NAMES: Final = {
    "image": "file", "image_name": "file", "img": "file", "path": "file", "text": "caption",
    "comment": "caption", "captions": "caption",
}  # fmt: skip
_NUMBERS: Final = {"latitude": (-90.0, 90.0), "longitude": (-180.0, 180.0), "heading": (0.0, 360.0)}
_ONE_ROW: Final = "one row a picture, of which the first counts, but for further captions"
# what pandas writes for nothing
_GAPS: Final = frozenset(("None", "nan", "NaN", "NaT", "<NA>"))
_LONGEST_TEXT: Final = 10_000
_LONGEST_SHOWN: Final = 200
_LONGEST_RECORD: Final = 2_000
_MOST_IGNORED: Final = 20
_MOST_SHOWN: Final = 3
_ROWS_PER_BATCH: Final = 8_192
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")
_SUFFIXES: Final = (".parquet", ".csv", ".tsv", ".txt", ".jsonl", ".ndjson", ".json")
_EXIF_DATE: Final = re.compile(r"(\d{4}):(\d\d):(\d\d)(?=[ T])")
# with dots a day stands before its month; with strokes either may
_DOTTED_DATE: Final = re.compile(r"(\d\d)\.(\d\d)\.(\d{4})(?=[ T])")
# of a spreadsheet program whose decimal sign is a comma
_DECIMAL_COMMA: Final = re.compile(r"\s*[+-]?\d+,\d+\s*")
_PICTURES: Final = pa.schema(
    [
        *((name, pa.large_string()) for name in ("path", "caption", "scene", "taken_at")),
        *((name, pa.float64()) for name in _NUMBERS),
        *((name, pa.large_string()) for name in ("license", "author", "url", "split_group")),
        (POSITION, pa.int64()),
    ]
)
_MATCHES: Final = pa.schema(
    [
        ("path", pa.large_string()),
        ("found_by", pa.large_string()),
        ("n_pictures", pa.int64()),
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
    # the first error, where no row lands
    problem: str


@dataclass(frozen=True)
class OwnLanding:
    """What came of annotations, each file a landing, and of a manifest, if there was one."""

    annotations: list[Landing]
    manifest: ManifestLanding | None
    # of each of these files, and of what it says
    matches: list["Matched"]


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
    matched = match_annotations(tables, folders, files)
    matches = [matched[source.official.name] for source in annotations]
    return OwnLanding(landings, landed, matches)


def forget_folders(tables: OwnTables, folders: Sequence[str]) -> None:
    """Forget what manifests and annotations say of pictures in `folders`, and of no others."""
    kinds = ("own_annotations", "own_manifest")
    with tables.transaction():
        files = tables.rows("landed_files", ("source_file", "kind"), {"kind": kinds})
        _replace_folders(tables, folders, dict(files), dict.fromkeys(kinds, ()))


@dataclass(frozen=True)
class Matched:
    """What the images and objects of a file of annotations came to, in the folders it speaks of.

    `n_annotated`: records of its `annotations` whose image was found; `n_of_shares`: of those with
    a box the ones whose numbers all lie within 0 and 1; `n_unnamed`: objects of a category that the
    file does not list; `n_shared_ids`: ids of several images or several categories; `missed` and
    `present`: first names that no picture has, and that some have.
    """

    n_images: int
    n_found: int
    n_respelled: int
    n_several: int
    n_annotated: int
    n_boxes: int
    n_of_shares: int
    n_unnamed: int
    n_captions: int
    n_shared_ids: int
    missed: tuple[str, ...]
    present: tuple[str, ...]


def match_annotations(
    tables: OwnTables, folders: Sequence[str], files: Sequence[ImageFile]
) -> dict[str, Matched]:
    """Look for the pictures of all files of annotations that speak of `folders`, by their names.

    Pictures of their other folders are those that landed. Each image of a file is a row of
    `raw.own_matches`, which replaces what it was before.
    """
    with tables.transaction():
        spoken_of: dict[str, set[str]] = defaultdict(set)
        for source_file, folder in tables.rows("own_folders", ("_source_file", "folder"), {}):
            spoken_of[source_file].add(folder)
        kinds = dict(tables.rows("landed_files", ("source_file", "kind"), {}))
        names = [
            name
            for name, its in spoken_of.items()
            if kinds.get(name) == ANNOTATIONS.kind and its & set(folders)
        ]
        if not names:
            return {}
        landed = tables.rows("image_files", ("path", "sha256"), {})
        return {
            name: _match(tables, name, _named_in(spoken_of[name], files, landed, Path(name)))
            for name in names
        }


def _names_of(tables: OwnTables, files: Sequence[ImageFile], said_by: Path) -> PictureNames:
    """The pictures of a landing by their names in the file `said_by`."""
    landed = tables.rows("image_files", ("path", "sha256"), {})
    return _named_in(set(), files, landed, said_by)


def _named_in(
    folders: Collection[str],
    files: Sequence[ImageFile],
    landed: Sequence[tuple[Any, ...]],
    said_by: Path,
) -> PictureNames:
    """The pictures of a landing, and those that landed in `folders`, by their names in a file."""
    places = {}
    for folder in folders:
        for path, _ in landed:
            if path.startswith((f"{folder}/", f"{folder}!")):
                places[path] = path[len(folder) + 1 :]
    places |= {file.path: file.path[len(file.folder or "") + 1 :] for file in files}
    contents = {path: sha256 for path, sha256 in landed if path in places and sha256}
    return PictureNames(places, contents, printable(said_by.absolute().parent))


def _match(tables: OwnTables, name: str, pictures: PictureNames) -> Matched:
    """Write which picture each image of a file is."""
    among = {"_source_file": [name]}
    images = tables.rows("own_images", ("id", "file_name", POSITION), among)
    found = [pictures.find(file_name) for _, file_name, _ in images]
    rows = [
        {
            "path": match.path,
            "found_by": match.how,
            "n_pictures": match.n_pictures,
            POSITION: position,
        }
        for match, (_, _, position) in zip(found, images, strict=True)
    ]
    stamp = {"_source_file": name, "_source_sha256": "", "_landed_at": _now()}
    tables.forget_rows("own_matches", name)
    if rows:
        batch = pa.RecordBatch.from_pylist(rows, _MATCHES)
        tables.write("own_matches", _MATCHES, iter([batch]), stamp)
    known = {
        key for match, (key, _, _) in zip(found, images, strict=True) if match.path is not None
    }
    names = tables.rows("own_categories", ("id", "name"), among)
    categories = {key for key, _ in names}
    columns = ("image_id", "category_id", "bbox", "caption")
    objects = tables.rows("own_annotations", columns, among)
    boxes = [box for _, _, box, _ in objects if box]
    missed = (
        file_name
        for match, (_, file_name, _) in zip(found, images, strict=True)
        if match.path is None
    )
    return Matched(
        n_images=len(images),
        n_found=sum(match.path is not None for match in found),
        n_respelled=sum(match.path is not None and match.how == "spelling" for match in found),
        n_several=sum(match.path is None and match.n_pictures > 0 for match in found),
        n_annotated=sum(image_id in known for image_id, *_ in objects),
        n_boxes=len(boxes),
        n_of_shares=sum(all(0 <= number <= 1 for number in box) for box in boxes),
        n_unnamed=sum(bool(box) and category not in categories for _, category, box, _ in objects),
        n_captions=sum(caption is not None for *_, caption in objects),
        n_shared_ids=_n_shared((key, name) for key, name, _ in images) + _n_shared(names),
        missed=(*itertools.islice(missed, _MOST_SHOWN),),
        present=pictures.first(_MOST_SHOWN),
    )


def _n_shared(names: Iterable[tuple[str, str]]) -> int:
    """How many ids have several names."""
    return sum(n > 1 for n in Counter(key for key, _ in set(names)).values())


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
    with tables.transaction(), spooled_rejections() as rejections:
        pictures = _names_of(tables, files, path)
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
    problem = _problem_of(reader, rejections)
    return ManifestLanding(reader.n_records, rejections.n_rejected, ignored, problem)


def _problem_of(reader: "_Reader", rejections: Rejections) -> str:
    """Why no row of a manifest says anything of a picture."""
    if not rejections.n_rejected:
        return "it has no rows"
    if not reader.has_file:
        found = ", ".join(name[:40] for name in reader.names) or "none"
        return f"no row has a field `file`, which names the pictures; found {found}"
    first = rejections.first["pictures"]
    return f"expected {first.expected}, found {first.found or 'nothing'} in the first"


# a row: its fields by the names that the file gives them, or what is wrong with all of it
_Row = Mapping[str, Any] | _ProblemError
_Rows = Iterator[_Row]


@dataclass(frozen=True)
class _Columns:
    """The columns of a manifest that are read, by their names in it, and all others."""

    known: Mapping[str, str]
    ignored: tuple[str, ...]


@contextmanager
def _opened(path: Path, pictures: PictureNames) -> Iterator[tuple[_Columns | None, _Rows]]:
    """The columns of a manifest, if it names them before its rows, and its rows."""
    suffix = path.suffix.lower()
    require_no_spreadsheet(path)
    if suffix not in _SUFFIXES:
        if tool := tool_of(path):
            raise GainsayError(
                f"{printable(path)}: no manifest: {tool}, and land that with --annotations"
            )
        raise GainsayError(
            f"{printable(path)}: a manifest is .csv, .tsv, .jsonl, .json or .parquet, with a column"
            f" file and any of {', '.join(COLUMNS[1:])}"
        )
    with opened_file(path, MOST_BYTES) as file:
        head = file.read(HEAD_BYTES)
        file.seek(0)
        if not head:
            raise GainsayError(f"{printable(path)}: the file is empty")
        if suffix in (".json", ".jsonl", ".ndjson") and head.startswith(UTF_16):
            raise GainsayError(f"{printable(path)}: the file is UTF-16; save it as UTF-8")
        if suffix == ".parquet":
            table = ParquetRows(path, file, path.stat().st_size)
            columns = _columns_of(path, table.names)
            with parquet_errors_explained(path):
                rows = (row for batch in table.batches([*columns.known]) for row in _plain(batch))
                yield columns, rows
        elif suffix in (".csv", ".tsv", ".txt"):
            look = look_at_csv(head, _names_pictures)
            yield _csv_rows(path, _texts(file, path, look.encoding), pictures, look)
        elif suffix == ".json" and head.lstrip(b"\xef\xbb\xbf \t\r\n")[:1] == b"[":
            yield None, _json_rows(read_all(file, path, MOST_WHOLE_BYTES), path)
        else:
            yield None, (_json_row(line) for line in lines_of(file, path) if line.strip())


def _plain(batch: pa.RecordBatch) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = batch.to_pylist()
    return rows


def _texts(file: IO[bytes], path: Path, encoding: str) -> Iterator[str]:
    """The lines of a text, however they end, without a byte order mark."""
    if encoding == "utf-16":
        # no line of such a text ends where a byte is that of a line's end
        file = io.BytesIO(_utf_8(read_all(file, path, MOST_WHOLE_BYTES), path))
    for line in lines_of(file, path):
        try:
            text = line.decode("utf-8-sig" if encoding != "utf-8" else encoding)
        except UnicodeDecodeError as error:
            raise not_unicode(path, error) from error
        # an old Mac's lines end with a carriage return
        yield from _LINE.findall(text) if "\r" in text else (text,)
        encoding = "utf-8"


def _utf_8(data: bytes, path: Path) -> bytes:
    try:
        return data.decode("utf-16").encode()
    except UnicodeError as error:
        raise not_unicode(path, error) from error


def _csv_rows(
    path: Path, texts: Iterator[str], pictures: PictureNames, look: CsvLook
) -> tuple[_Columns, _Rows]:
    allow_long_cells()
    separator = look.delimiter
    for _ in range(look.n_before):
        next(texts, "")
    lines = _Lines(texts)
    reader = csv.reader(lines, delimiter=separator, strict=True, skipinitialspace=look.has_blanks)

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
    line: str, separator: str, n_cells: int, place: int, pictures: PictureNames
) -> bool:
    """Whether a line that continues a cell is itself a row of a picture."""
    cells = next(csv.reader([line], delimiter=separator), [])
    if len(cells) != n_cells or n_cells == 1:
        return False
    # by its place alone, for a caption may end with the name of a file
    found = pictures.find(text_of_cell(cells[place]))
    return found.path is not None and found.how == "place"


def _json_rows(data: bytes, path: Path) -> _Rows:
    """The rows of a JSON array."""
    try:
        rows = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"), type=list[msgspec.Raw])
    except (ValueError, RecursionError) as error:
        raise GainsayError(
            f"{printable(path)}: no JSON array of rows, or cut short ({error})"
        ) from error
    return (_json_row(bytes(row)) for row in rows)


def _json_row(line: bytes) -> _Row:
    line = line.removeprefix(b"\xef\xbb\xbf")
    try:
        line.decode()
    except UnicodeDecodeError:
        return _ProblemError("a JSON object in UTF-8")
    try:
        found = msgspec.json.decode(line, type=dict[str, Any])
        # of two fields of one name msgspec takes the last
        json.loads(line, object_pairs_hook=_one_of_each)
    except _ProblemError as problem:
        return problem
    except (ValueError, RecursionError):
        return _ProblemError("a JSON object")
    return found


def _one_of_each(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """The fields of an object, of which two of one name say the same."""
    fields = dict(pairs)
    if any(fields[name] != value for name, value in pairs):
        raise _ProblemError("one field of each name")
    return fields


def _columns_of(path: Path, names: Sequence[str]) -> _Columns:
    """The columns that are read, and the others. Raises `GainsayError` for two of one meaning."""
    known = _known_names(names)
    meant = [(name, known[name]) for name in names if name in known]
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


def _known_names(names: Iterable[str]) -> dict[str, str]:
    """The columns that are read, by their names in a manifest."""
    lower = {name: name.strip().lower() for name in names}
    known = {name: _OTHER_NAMES.get(said, said) for name, said in lower.items()}
    found = {name: said for name, said in known.items() if said in COLUMNS}
    for name, said in lower.items():
        last = _LAST_NAMES.get(said)
        if last and last not in found.values():
            found[name] = last
    return found


def _names_pictures(names: Iterable[str]) -> bool:
    return "file" in _known_names(names).values()


class _Reader:
    """Reads the rows of a manifest, keeps what is right, and notes what is not."""

    def __init__(
        self, pictures: PictureNames, columns: Mapping[str, str] | None, rejections: Rejections
    ) -> None:
        self.n_records = 0
        # names that rows give their fields and nothing reads, the first of them
        self.ignored: dict[str, None] = {}
        # the names of fields of the first rows, and whether any row or column names pictures
        self.names: dict[str, None] = {}
        self.has_file = columns is not None
        self._pictures = pictures
        self._columns = columns
        self._rejections = rejections
        # what the first row of each picture says
        self._said: dict[str, dict[str, Any]] = {}

    def batches(self, rows: _Rows) -> Iterator[pa.RecordBatch]:
        numbered = enumerate(rows)
        while group := list(itertools.islice(numbered, _ROWS_PER_BATCH)):
            problems: list[Rejection] = []
            records = [
                record for position, row in group for record in self._read(position, row, problems)
            ]
            self._rejections.add("pictures", problems)
            self.n_records += len(records)
            if records:
                yield pa.RecordBatch.from_pylist(records, _PICTURES)

    def _read(self, position: int, row: _Row, problems: list[Rejection]) -> list[dict[str, Any]]:
        if isinstance(row, _ProblemError):
            # what a row that cannot be read would say is not known
            self.has_file = True
            problems.append(Rejection(position, "row", "something else", str(row), ""))
            return []

        def refuse(field: str, value: object, problem: _ProblemError) -> None:
            shown = _shown(value, _LONGEST_SHOWN)
            record = _shown(dict(row), _LONGEST_RECORD)
            problems.append(Rejection(position, field, shown, str(problem), record))

        columns = self._columns
        if columns is None:
            columns = _known_names(row)
            self.has_file = self.has_file or "file" in columns.values()
            if len(self.names) < _MOST_IGNORED:
                self.names |= dict.fromkeys(row)
            self._note_ignored(name for name in row if name not in columns)
        if twice := _meant_twice(columns.values()):
            named = [name for name, known in columns.items() if known == twice]
            refuse(twice, named, _ProblemError("one field that says it"))
            return []
        fields = {known: row.get(name) for name, known in columns.items()}
        try:
            file = fields.get("file")
            path = _picture(self._pictures, _text(file) if file is not None else "")
        except _ProblemError as problem:
            refuse("file", fields.get("file"), problem)
            return []
        record: dict[str, Any] = {"path": path, POSITION: position}
        captions: list[str] = []
        for name in COLUMNS[1:]:
            # a row may have all captions of its picture
            values = fields.get(name)
            for value in values if name == "caption" and isinstance(values, list) else (values,):
                if value is None or value == "" or (isinstance(value, str) and value in _GAPS):
                    continue
                try:
                    record[name] = _READERS[name](value)
                except _ProblemError as problem:
                    refuse(name, value, problem)
                else:
                    captions += [record[name]] if name == "caption" else []
        first = self._said.setdefault(path, record)
        if first is record:
            return [record | {"caption": caption} for caption in captions] or [record]
        if not captions or not _agrees(record, first):
            refuse("file", file, _ProblemError(_ONE_ROW))
            return []
        return [{"path": path, POSITION: position, "caption": caption} for caption in captions]

    def _note_ignored(self, names: Iterable[str]) -> None:
        for name in names:
            if len(self.ignored) < _MOST_IGNORED:
                self.ignored[name] = None


def _agrees(record: Mapping[str, Any], first: Mapping[str, Any]) -> bool:
    """Whether a further row of a picture says nothing else than the first but for its caption."""
    return all(
        value == first.get(name)
        for name, value in record.items()
        if name not in ("caption", POSITION)
    )


def _picture(pictures: PictureNames, name: str) -> str:
    """The path of the picture that a manifest calls so. Raises `_ProblemError`."""
    if not name.strip():
        raise _ProblemError("the name of a picture")
    match = pictures.find(name)
    if match.path is not None:
        return match.path
    if match.n_pictures:
        raise _ProblemError(f"the path within the folder of one of {match.n_pictures} of this name")
    raise _ProblemError("a picture in the folder, which has none of this name")


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
        if isinstance(value, str) and _DECIMAL_COMMA.fullmatch(value):
            value = value.replace(",", ".")
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
    text = _EXIF_DATE.sub(r"\1-\2-\3", _DOTTED_DATE.sub(r"\3-\2-\1", value.strip()))
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
