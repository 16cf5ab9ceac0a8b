"""Image files into `raw.image_files`: one row per file, whatever is wrong with it.

Files are read in steps, all cores at work, and every step is committed: a landing that is
stopped goes on where it was, and one that is repeated reads nothing but what has changed and
what could not be read for a reason that may have passed.
"""

import os
import re
import stat
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Final, Protocol

from pyarrow import ArrowException

from gainsay.foundation import archives
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import (
    files_below,
    is_of_system,
    is_printable,
    leads_outside,
    printable,
    resolved,
)
from gainsay.foundation.own_files import written_files
from gainsay.foundation.progress import Advance
from gainsay.ingest.sinks.raw_tables import RawTables
from gainsay.python_udfs.pixels.image_files import ImageFile, ImageLimits
from gainsay.python_udfs.storage import is_url, open_stored, status, stored_below

IMAGE_SUFFIXES: Final = frozenset(
    (".jpg", ".jpeg", ".jpe", ".jfif", ".png", ".gif", ".bmp", ".webp", ".tif", ".tiff")
)
# what no program here decodes: such a file has a row that says so, unless it is of another format
_OTHER_SUFFIXES: Final = frozenset((".heic", ".heif", ".avif", ".jp2", ".jxl"))
# 2014 and 2017 names
_COCO_NAME = re.compile(r"(?:COCO_(?:train|val|test)\d{4}_)?(\d{12})\.jpe?g", re.IGNORECASE)


@dataclass(frozen=True)
class FoundImages:
    """The image files under some paths in a stable order, and how many others there were.

    `left_out` are folders in which gainsay wrote pictures; what others put there is not left out.
    `ignored` are the others by the ends of their names, and `n_of_systems` files of macOS and
    Windows, such as `._a.jpg`, which are no others.
    """

    files: list[ImageFile]
    n_ignored: int
    left_out: tuple[Path, ...] = ()
    ignored: Mapping[str, int] = field(default_factory=dict)
    n_of_systems: int = 0


@dataclass(frozen=True)
class ImageLanding:
    """How many files were read, were left as they were, were gone; and errors by kind."""

    n_read: int
    n_unchanged: int
    n_gone: int
    errors: dict[str, int]


def image_id_of(file_name: str) -> int | None:
    """COCO's image id in a file name of the 2014 or the 2017 layout; None in any other."""
    match = _COCO_NAME.fullmatch(file_name)
    return int(match[1]) if match else None


def find_images(
    paths: Iterable[str], limits: ImageLimits, besides: Iterable[Path] = ()
) -> FoundImages:
    """Find every file with an image's suffix among files, folders and zip archives.

    A path may be a URL, of a folder in an object store for example. Below a folder, what gainsay
    wrote is left out: the folders `besides`, and the files that exports, deliveries and releases
    list as their own; each of these folders may be named itself. Raises `GainsayError` for a path
    that does not exist, cannot be listed or holds no such file.
    """
    files: list[ImageFile] = []
    ignored: Counter[str] = Counter()
    n_of_systems = 0
    left_out: dict[Path, None] = {}
    own = {resolved(folder) for folder in besides}
    # the pictures that a list names, with the folder of the list
    listed: dict[Path, Path] = {}

    def is_own(folder: Path) -> bool:
        for file in written_files(folder):
            if file.suffix.lower() in IMAGE_SUFFIXES:
                listed[file] = folder
        if is_left_out := resolved(folder) in own:
            left_out[folder] = None
        return is_left_out

    for path in paths:
        if not path:
            raise GainsayError("expected a path or a URL, found an empty text")
        listed.clear()
        if is_url(path):
            here = [*_stored_at(path)]
        else:
            here = [*_local_at(Path(path).absolute(), is_own, listed.keys())]
            left_out |= dict.fromkeys(listed.values())
        folder = searched_folder(path)
        found = [replace(image, folder=folder) for group in here for image in group.images]
        n_of_systems += sum(group.n_of_systems for group in here)
        if not found:
            endings = ", ".join(sorted(IMAGE_SUFFIXES))
            raise GainsayError(
                f"{printable(path)}: no image file here; their names end in {endings}"
            )
        ignored.update(group.ending for group in here if group.ending is not None)
        files += found
    unique: dict[str, ImageFile] = {}
    for image in files:
        other = unique.setdefault(
            image.path, replace(image, fingerprint=f"{image.fingerprint}:{limits}")
        )
        if other.archive != image.archive:
            raise GainsayError(
                f"{image.path}: is a file, and a picture in {image.archive or other.archive}, of"
                " which only one can be known by this name; rename the file"
            )
    return FoundImages(
        [unique[path] for path in sorted(unique)],
        ignored.total(),
        (*left_out,),
        dict(ignored.most_common()),
        n_of_systems,
    )


@dataclass(frozen=True)
class _Group:
    """The image files in one file; `ending` is that of a file without any."""

    images: Sequence[ImageFile]
    ending: str | None = None
    n_of_systems: int = 0


def _group(name: str, images: Iterable[ImageFile]) -> _Group:
    """The images of a file of this name, without those that a system wrote."""
    if is_of_system(name):
        return _Group([], n_of_systems=1)
    all_images = [*images]
    own = [image for image in all_images if not is_of_system(image.path.rpartition("!")[2])]
    ending = None if all_images else PurePosixPath(name).suffix.lower() or "without an ending"
    return _Group(own, ending, len(all_images) - len(own))


def _has_pictures_suffix(name: str) -> bool:
    return PurePosixPath(name).suffix.lower() in IMAGE_SUFFIXES | _OTHER_SUFFIXES


def searched_folder(path: str) -> str:
    """What a path or URL that is searched for pictures is called: of a single picture its folder.

    The path of each picture found there begins with it.
    """
    if is_url(path):
        root = path.rstrip("/")
        is_picture = PurePosixPath(root).suffix.lower() in IMAGE_SUFFIXES
        return root.rpartition("/")[0] if is_picture else root
    local = Path(path).absolute()
    is_picture = not local.is_dir() and local.suffix.lower() != ".zip"
    return printable(local.parent if is_picture else local).rstrip("/")


def _local_at(
    root: Path, is_own: Callable[[Path], bool], listed: Collection[Path]
) -> Iterator[_Group]:
    """The image files in each file at or below a path of this machine, but those `listed`."""
    if root.is_dir():
        files: Iterable[Path] = files_below(root, is_own)
    elif root.exists():
        files = [root]
    else:
        raise GainsayError(f"{printable(root)}: cannot be read: no such file or folder")
    for file in files:
        if file not in listed:
            yield _group(file.name, _images_at(file, root))


def _images_at(path: Path, root: Path) -> Iterable[ImageFile]:
    suffix = path.suffix.lower()
    is_image = _has_pictures_suffix(path.name)
    # a path that the user gave may be a link to anywhere
    if path.is_symlink() and path != root:
        if leads_outside(path, root) and (is_image or path.is_dir()):
            target = printable(resolved(path))
            reason = f"a link to {target}, outside {printable(root)}"
            return [_refused(path, f"link:{target}", "escapes_folder", reason)]
        if path.is_dir():
            return []
    if suffix != ".zip" and not is_image:
        return []
    if not is_printable(path):
        reason = f"the name {os.fsencode(path.name)!r} or that of a folder is not UTF-8; rename it"
        return [_refused(path, "bad_name", "bad_name", reason)]
    # a pipe would be waited for
    if suffix == ".zip" and path.exists() and not path.is_file():
        return [_refused(path, "no_file", "unreadable", "not a regular file")]
    return _members(str(path)) if suffix == ".zip" else [_plain_file(path)]


def _refused(path: Path, fingerprint: str, kind: str, reason: str) -> ImageFile:
    file_name = printable(_last_name(path.name))
    image_id = image_id_of(file_name)
    return ImageFile(printable(path), None, file_name, image_id, None, fingerprint, kind, reason)


def _last_name(path: str) -> str:
    return re.split(r"[/\\]", path)[-1]


def _plain_file(path: Path) -> ImageFile:
    try:
        found = path.stat()
    except OSError as error:
        return _refused(path, "gone", "unreadable", f"{error.strerror}")
    # no program can give a file with other bytes the time of change that it had
    fingerprint = f"{found.st_size}:{found.st_mtime_ns}:{found.st_ctime_ns}"
    image = _image_file(str(path), found.st_size, fingerprint)
    # a pipe would be waited for
    if not stat.S_ISREG(found.st_mode):
        return replace(image, error_kind="unreadable", error="not a regular file")
    return image


def _image_file(path: str, n_bytes: int, fingerprint: str) -> ImageFile:
    file_name = _last_name(path)
    return ImageFile(path, None, file_name, image_id_of(file_name), n_bytes, fingerprint)


def _stored_at(url: str) -> Iterator[_Group]:
    """The image files in each file at or below a URL."""
    try:
        file = status(url)
        for found in [file] if file else stored_below(url):
            name = _last_name(found.name)
            if PurePosixPath(name).suffix.lower() == ".zip":
                yield _group(name, _members(found.name))
            elif _has_pictures_suffix(name):
                fingerprint = f"{found.n_bytes}:{found.modified_ns}"
                yield _group(name, [_image_file(found.name, found.n_bytes, fingerprint)])
            else:
                yield _group(name, [])
    except (OSError, ValueError, ArrowException) as error:
        raise GainsayError(f"{url}: cannot be listed: {error}") from error


def _members(archive: str) -> Iterator[ImageFile]:
    """The image files in a zip archive, by its path or URL."""
    try:
        with open_stored(archive) as file:
            members = archives.members(file)
    except (OSError, *archives.CORRUPT) as error:
        reason = f"cannot be read as a zip archive: {error}"
        image = _image_file(archive, 0, f"broken:{reason}")
        yield replace(image, n_bytes=None, error_kind="unreadable", error=reason)
        return
    n_of_name = Counter(member.orig_filename for member in members)
    for member in members:
        if member.is_dir() or not _has_pictures_suffix(member.orig_filename):
            continue
        file_name = archives.last_name(member)
        image = ImageFile(
            path=f"{archive}!{member.orig_filename}",
            archive=archive,
            file_name=file_name,
            image_id=image_id_of(file_name),
            n_bytes=member.file_size,
            fingerprint=f"{member.file_size}:{member.CRC:08x}",
        )
        if n_of_name[member.orig_filename] > 1:
            reason = f"one of {n_of_name[member.orig_filename]} members of this name; rename them"
            image = replace(image, error_kind="unreadable", error=reason)
        if archives.points_outside(member):
            reason = "a member that points outside its archive"
            image = replace(image, error_kind="escapes_folder", error=reason)
        yield image


class ImageRows(Protocol):
    """The rows of `raw.image_files` of one engine, each step of which stays once it is done."""

    files_per_step: int

    def fingerprints(self) -> dict[str, str | None]:
        """The fingerprint of each file that was landed before, by path."""

    def forget(self, paths: Collection[str]) -> None:
        """Remove the rows of files."""

    def land(self, images: Sequence[ImageFile], limits: ImageLimits) -> None:
        """Read files and put their rows in the place of former ones."""

    def errors(self, paths: Collection[str]) -> dict[str, int]:
        """How many of these files cannot be used, by what is wrong with them."""


def land_images(
    rows: ImageRows,
    images: Sequence[ImageFile],
    roots: Sequence[str],
    limits: ImageLimits,
    advance: Advance,
) -> ImageLanding:
    """Land image files, skipping those landed before with the same fingerprint and limits.

    A file that could not be read for a reason that may have passed (no permission, a failing disk,
    too little memory) is read again, whatever its fingerprint.
    Rows of files below `roots` that are no longer there are removed. `advance` counts files.
    Raises `GainsayError` when the warehouse cannot be written; what earlier steps landed stays.
    """
    former = rows.fingerprints()
    gone = _gone(former, {image.path for image in images}, roots)
    if gone:
        rows.forget(gone)
    pending = [image for image in images if former.get(image.path) != image.fingerprint]
    advance(len(images) - len(pending))
    for start in range(0, len(pending), rows.files_per_step):
        step = pending[start : start + rows.files_per_step]
        rows.land(step, limits)
        advance(len(step))
    errors = rows.errors([image.path for image in images])
    return ImageLanding(len(pending), len(images) - len(pending), len(gone), errors)


def forget_images(rows: ImageRows, roots: Sequence[str]) -> int:
    """Forget the pictures that landed from `roots`, whether they are still there; how many."""
    forgotten = _gone(rows.fingerprints(), set(), roots)
    if forgotten:
        rows.forget(forgotten)
    return len(forgotten)


@dataclass(frozen=True)
class KnownElsewhere:
    """What is to be told of landed pictures that are known by another place, or by COCO's names.

    `gone`: how many of them are known from folders where they are no longer, by folder. Of names of
    COCO's: how many no landed file of a data set lists (`n_unlisted`), are of pictures of another
    shape than COCO lists (`n_misshapen`), or of several files that differ (`n_of_several`).
    """

    gone: Mapping[str, int]
    n_unlisted: int
    n_misshapen: int
    n_of_several: int


def known_elsewhere(
    rows: ImageRows, tables: RawTables, images: Sequence[ImageFile], limits: ImageLimits
) -> KnownElsewhere:
    """Compare the pictures of a landing with all that landed before it.

    Of several files of one content the last that was landed is read, so that those whose other
    file is gone are landed once more where it was landed later.
    """
    present = {image.path: image for image in images}
    columns = ("path", "folder", "archive", "sha256", "_landed_at")
    with tables.transaction():
        landed = [row for row in tables.rows("image_files", columns, {}) if row[3]]
        of_coco = _of_coco(tables, images)
    contents = {sha256 for path, _, _, sha256, _ in landed if path in present}
    latest: dict[str, datetime] = {}
    gone: Counter[str] = Counter()
    is_there: dict[str, bool] = {}
    for path, folder, archive, sha256, landed_at in landed:
        if path in present or sha256 not in contents or is_url(path):
            continue
        file = archive or path
        if file not in is_there:
            is_there[file] = Path(file).exists()
        if not is_there[file]:
            gone[folder] += 1
            latest[sha256] = max(landed_at, latest.get(sha256, landed_at))
    behind = [
        present[path]
        for path, _, _, sha256, landed_at in landed
        if path in present and sha256 in latest and landed_at <= latest[sha256]
    ]
    for start in range(0, len(behind), rows.files_per_step):
        rows.land(behind[start : start + rows.files_per_step], limits)
    return KnownElsewhere(gone, *of_coco)


def _of_coco(tables: RawTables, images: Sequence[ImageFile]) -> tuple[int, int, int]:
    """How many names of COCO's are not listed, of another shape, of several files.

    Which picture is COCO's is decided by `stg_images__files`, when all of a data set has landed.
    """
    paths = {image.path for image in images if image.image_id is not None}
    if not paths:
        return 0, 0, 0
    sizes = {key: size for key, *size in tables.rows("coco_images", ("id", "width", "height"), {})}
    has_questions = any(
        tables.source_files(table)
        for table in ("vqa_questions", "clash_samples", "question_set_questions")
    )
    n_unlisted = n_misshapen = 0
    contents: dict[int, set[str]] = defaultdict(set)
    here = set()
    columns = ("path", "image_id", "sha256", "width", "height")
    for path, image_id, sha256, width, height in tables.rows("image_files", columns, {}):
        if image_id is None or not sha256:
            continue
        contents[image_id].add(sha256)
        if path not in paths:
            continue
        here.add(image_id)
        if image_id not in sizes:
            n_unlisted += bool(sizes) or not has_questions
        elif width and None not in sizes[image_id]:
            long, short = sorted(sizes[image_id], reverse=True)
            off = abs(max(width, height) * short - min(width, height) * long)
            n_misshapen += off > long + short
    return n_unlisted, n_misshapen, sum(len(contents[image_id]) > 1 for image_id in here)


def _gone(former: Iterable[str], present: set[str], roots: Sequence[str]) -> list[str]:
    folders = [
        root.rstrip("/") if is_url(root) else printable(Path(root).absolute()) for root in roots
    ]
    return [
        path
        for path in former
        if path not in present
        and any(
            path.startswith((f"{folder}/", f"{folder}!")) or path == folder for folder in folders
        )
    ]
