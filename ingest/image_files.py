"""Image files into `raw.image_files`: one row per file, whatever is wrong with it.

Files are read in batches, both cores at work, and every batch is committed: a landing that is
stopped goes on where it was, and one that is repeated reads nothing but what has changed and
what could not be read for a reason that may have passed.
"""

import os
import re
import stat
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

import duckdb
import pyarrow as pa

from gainsay.errors import GainsayError
from gainsay.io import archives
from gainsay.io.folders import files_below, is_printable, leads_outside, printable, resolved
from gainsay.progress import Advance
from python_udfs.pixels.image_bytes import ImageUnreadableError, read_image
from python_udfs.pixels.probing import Probe, probe

IMAGE_SUFFIXES: Final = frozenset(
    (".jpg", ".jpeg", ".jpe", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff")
)
_FILES_PER_BATCH: Final = 256
# 2014 and 2017 names
_COCO_NAME = re.compile(r"(?:COCO_(?:train|val|test)\d{4}_)?(\d{12})\.jpe?g", re.IGNORECASE)

IMAGE_COLUMNS: Final[dict[str, tuple[str, pa.DataType]]] = {
    "path": ("varchar", pa.string()),
    "archive": ("varchar", pa.string()),
    "file_name": ("varchar", pa.string()),
    "image_id": ("bigint", pa.int64()),
    "n_bytes": ("bigint", pa.int64()),
    "width": ("integer", pa.int32()),
    "height": ("integer", pa.int32()),
    "format": ("varchar", pa.string()),
    "mode": ("varchar", pa.string()),
    "n_frames": ("integer", pa.int32()),
    "sha256": ("varchar", pa.string()),
    "perceptual_hash": ("varchar", pa.string()),
    "exif_orientation": ("integer", pa.int32()),
    "exif_taken_at": ("varchar", pa.string()),
    "exif_utc_offset_minutes": ("integer", pa.int32()),
    "gps_latitude": ("double", pa.float64()),
    "gps_longitude": ("double", pa.float64()),
    "gps_utc": ("varchar", pa.string()),
    "exif_error": ("varchar", pa.string()),
    "error_kind": ("varchar", pa.string()),
    "error": ("varchar", pa.string()),
    "_fingerprint": ("varchar", pa.string()),
    "_landed_at": ("timestamp", pa.timestamp("us")),
}
_SCHEMA: Final = pa.schema([(name, arrow) for name, (_, arrow) in IMAGE_COLUMNS.items()])


@dataclass(frozen=True)
class ImageLimits:
    """The vars `max_image_bytes` and `max_image_pixels`."""

    max_bytes: int
    max_pixels: int

    def __str__(self) -> str:
        return f"{self.max_bytes}:{self.max_pixels}"


@dataclass(frozen=True)
class ImageFile:
    """An image file where it lies: `member` is set inside the zip archive `container`.

    `fingerprint` changes when the file does. `error`, a kind and its reason, is set for what must
    not be read.
    """

    container: Path
    member: zipfile.ZipInfo | None
    n_bytes: int | None
    fingerprint: str
    error: tuple[str, str] | None = None

    @property
    def path(self) -> str:
        container = printable(self.container)
        return f"{container}!{self.member.orig_filename}" if self.member else container

    @property
    def archive(self) -> str | None:
        return printable(self.container) if self.member else None

    @property
    def file_name(self) -> str:
        if self.member:
            return archives.last_name(self.member)
        return printable(re.split(r"[/\\]", self.container.name)[-1])


@dataclass(frozen=True)
class FoundImages:
    """The image files under some paths in a stable order, and how many others there were."""

    files: list[ImageFile]
    n_ignored: int


@dataclass(frozen=True)
class ImageLanding:
    """How many files were read, were left as they were, were gone; and errors by kind."""

    n_read: int
    n_unchanged: int
    n_gone: int
    errors: dict[str, int]


def ensure_image_files(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the table `raw.image_files` where it does not exist yet."""
    columns = ", ".join(f"{name} {sql_type}" for name, (sql_type, _) in IMAGE_COLUMNS.items())
    connection.execute("create schema if not exists raw")
    connection.execute(f"create table if not exists raw.image_files ({columns})")


def image_id_of(file_name: str) -> int | None:
    """COCO's image id in a file name of the 2014 or the 2017 layout; None in any other."""
    match = _COCO_NAME.fullmatch(file_name)
    return int(match[1]) if match else None


def find_images(paths: Iterable[Path]) -> FoundImages:
    """Find every file with an image's suffix among files, folders and zip archives.

    Raises `GainsayError` for a path that does not exist or that holds no such file.
    """
    files: list[ImageFile] = []
    n_ignored = 0
    for path in map(Path.absolute, paths):
        if path.is_dir():
            here = list(files_below(path))
        elif path.exists():
            here = [path]
        else:
            raise GainsayError(f"{printable(path)}: cannot be read: no such file or folder")
        found = [image for file in here for image in _images_at(file, path)]
        if not found:
            endings = ", ".join(sorted(IMAGE_SUFFIXES))
            raise GainsayError(
                f"{printable(path)}: no image file here; their names end in {endings}"
            )
        n_ignored += len(here) - len({image.container for image in found})
        files += found
    unique = {image.path: image for image in files}
    return FoundImages([unique[path] for path in sorted(unique)], n_ignored)


def _images_at(path: Path, root: Path) -> list[ImageFile]:
    suffix = path.suffix.lower()
    is_image = suffix in IMAGE_SUFFIXES
    # what the user named himself may be a link to anywhere
    if path.is_symlink() and path != root:
        if leads_outside(path, root) and (is_image or path.is_dir()):
            target = printable(resolved(path))
            problem = ("escapes_folder", f"a link to {target}, outside {printable(root)}")
            return [ImageFile(path, None, None, f"link:{target}", problem)]
        if path.is_dir():
            return []
    if suffix != ".zip" and not is_image:
        return []
    if not is_printable(path):
        reason = f"the name {os.fsencode(path.name)!r} or that of a folder is not UTF-8; rename it"
        return [ImageFile(path, None, None, "bad_name", ("bad_name", reason))]
    return list(_members(path)) if suffix == ".zip" else [_plain_file(path)]


def _plain_file(path: Path) -> ImageFile:
    try:
        status = path.stat()
    except OSError as error:
        return ImageFile(path, None, None, "gone", ("unreadable", f"{error.strerror}"))
    # a pipe would be waited for
    problem = None if stat.S_ISREG(status.st_mode) else ("unreadable", "not a regular file")
    fingerprint = f"{status.st_size}:{status.st_mtime_ns}"
    return ImageFile(path, None, status.st_size, fingerprint, problem)


def _members(path: Path) -> Iterator[ImageFile]:
    try:
        members = archives.members(path)
    except (OSError, *archives.CORRUPT) as error:
        reason = f"cannot be read as a zip archive: {error}"
        yield ImageFile(path, None, None, f"broken:{reason}", ("unreadable", reason))
        return
    for member in members:
        if member.is_dir() or Path(member.orig_filename).suffix.lower() not in IMAGE_SUFFIXES:
            continue
        escapes = archives.points_outside(member)
        problem = (
            ("escapes_folder", "a member that points outside its archive") if escapes else None
        )
        fingerprint = f"{member.file_size}:{member.CRC:08x}"
        yield ImageFile(path, member, member.file_size, fingerprint, problem)


def land_images(
    connection: duckdb.DuckDBPyConnection,
    images: Sequence[ImageFile],
    roots: Sequence[Path],
    limits: ImageLimits,
    advance: Advance,
) -> ImageLanding:
    """Land image files, skipping those landed before with the same fingerprint and limits.

    A file that could not be read for a reason that may have passed (no permission, a failing disk,
    too little memory) is read again, whatever its fingerprint.
    Rows of files below `roots` that are no longer there are removed. `advance` counts files.
    Raises `GainsayError` when the warehouse cannot be written; what earlier batches landed
    stays.
    """
    try:
        ensure_image_files(connection)
        former = dict(
            connection.execute("select path, _fingerprint from raw.image_files").fetchall()
        )
        n_gone = _forget_gone(connection, former, {image.path for image in images}, roots)
        pending = [
            image for image in images if former.get(image.path) != _fingerprint(image, limits)
        ]
        advance(len(images) - len(pending))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            for start in range(0, len(pending), _FILES_PER_BATCH):
                batch = pending[start : start + _FILES_PER_BATCH]
                rows = list(pool.map(lambda image: _row(image, limits), batch))
                _replace_rows(connection, rows)
                advance(len(batch))
        errors = connection.execute(
            "select error_kind, count(*) from raw.image_files"
            " where list_contains($paths, path) and error_kind is not null group by all"
            " order by all",
            {"paths": [image.path for image in images]},
        ).fetchall()
    except duckdb.Error as error:
        raise GainsayError(f"the warehouse could not be written: {error}") from error
    return ImageLanding(len(pending), len(images) - len(pending), n_gone, dict(errors))


def _forget_gone(
    connection: duckdb.DuckDBPyConnection,
    former: dict[str, str],
    present: set[str],
    roots: Sequence[Path],
) -> int:
    folders = [printable(root.absolute()) for root in roots]
    gone = [
        path
        for path in former
        if path not in present
        and any(
            path.startswith((f"{folder}/", f"{folder}!")) or path == folder for folder in folders
        )
    ]
    _delete_rows(connection, gone)
    return len(gone)


def _delete_rows(connection: duckdb.DuckDBPyConnection, paths: list[str]) -> None:
    if paths:
        connection.execute(
            "delete from raw.image_files where path in (select unnest($paths))", {"paths": paths}
        )


def _replace_rows(connection: duckdb.DuckDBPyConnection, rows: list[dict[str, object]]) -> None:
    landing = pa.Table.from_pylist(rows, schema=_SCHEMA)
    connection.begin()
    try:
        _delete_rows(connection, landing["path"].to_pylist())
        connection.register("landing", landing)
        connection.execute("insert into raw.image_files by name select * from landing")
        connection.unregister("landing")
        connection.commit()
    except duckdb.Error:
        connection.rollback()
        raise


def _fingerprint(image: ImageFile, limits: ImageLimits) -> str:
    return f"{image.fingerprint}:{limits}"


def _row(image: ImageFile, limits: ImageLimits) -> dict[str, object]:
    found = _read_and_probe(image, limits)
    exif = found.exif
    return {
        "path": image.path,
        "archive": image.archive,
        "file_name": image.file_name,
        "image_id": image_id_of(image.file_name),
        "n_bytes": image.n_bytes,
        "width": found.width,
        "height": found.height,
        "format": found.format,
        "mode": found.mode,
        "n_frames": found.n_frames,
        "sha256": found.sha256 or None,
        "perceptual_hash": found.perceptual_hash,
        "exif_orientation": exif.orientation if found.format else None,
        "exif_taken_at": exif.taken_at,
        "exif_utc_offset_minutes": exif.utc_offset_minutes,
        "gps_latitude": exif.gps_latitude,
        "gps_longitude": exif.gps_longitude,
        "gps_utc": exif.gps_utc,
        "exif_error": exif.error,
        "error_kind": found.error_kind,
        "error": found.error,
        # no fingerprint is one that no file has: it is read again
        "_fingerprint": None if found.is_transient else _fingerprint(image, limits),
        "_landed_at": datetime.now(UTC).replace(tzinfo=None),
    }


def _read_and_probe(image: ImageFile, limits: ImageLimits) -> Probe:
    if image.error:
        return Probe("", error_kind=image.error[0], error=image.error[1])
    try:
        data = read_image(image.path, image.archive, limits.max_bytes)
    except ImageUnreadableError as error:
        return Probe("", error_kind=error.kind, error=str(error), is_transient=error.is_transient)
    return probe(data, limits.max_pixels)
