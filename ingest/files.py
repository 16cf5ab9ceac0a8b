"""Official annotation files: which names are known, where they lie, and how they are read.

A file may lie as plain JSON, gzipped, or inside a zip archive, which is read without unpacking
to disk. Archives come from elsewhere: what they declare is not believed, and they can neither
name a path outside themselves nor inflate without bound.
"""

import gzip
import hashlib
import lzma
import os
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gainsay.errors import GainsayError
from ingest import clash, coco, vqa
from ingest.records import Layout

LARGEST_FILE = 4 * 2**30
# deflate cannot pass 1,032:1; annotation files stay near 1:20, very uniform ones near 1:100
LARGEST_RATIO = 200
_RATIO_MATTERS_FROM = 16 * 2**20
_READ_SIZE = 4 * 2**20

# ValueError: names and offsets that zipfile does not check
_CORRUPT = (
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    ValueError,
)


@dataclass(frozen=True)
class OfficialName:
    """What the name of an official file says: its kind, split and year."""

    name: str
    layout: Layout
    split: str
    year: int


def _official_names() -> Iterator[OfficialName]:
    for split, year in (("train", 2014), ("val", 2014), ("test", 2015), ("test-dev", 2015)):
        name = f"v2_OpenEnded_mscoco_{split}{year}_questions.json"
        yield OfficialName(name, vqa.QUESTIONS, split.removesuffix("-dev"), year)
    for split in ("train", "val"):
        yield OfficialName(f"v2_mscoco_{split}2014_annotations.json", vqa.ANNOTATIONS, split, 2014)
        for year in (2014, 2017):
            yield OfficialName(f"captions_{split}{year}.json", coco.CAPTIONS, split, year)
            yield OfficialName(f"instances_{split}{year}.json", coco.INSTANCES, split, year)
    yield OfficialName("clash_test.json", clash.SAMPLES, "test", 2025)


OFFICIAL_NAMES = {official.name: official for official in _official_names()}


@dataclass(frozen=True)
class Source:
    """One official file where it lies: `member` is set inside a zip archive.

    `size` is the number of bytes that the directory of its container declares.
    """

    official: OfficialName
    container: Path
    member: zipfile.ZipInfo | None
    size: int

    @property
    def path(self) -> str:
        return f"{self.container}!{self.member.filename}" if self.member else str(self.container)


@dataclass(frozen=True)
class Found:
    """The official files under some paths, in a stable order, and how many others there were."""

    sources: list[Source]
    n_ignored: int


@dataclass(frozen=True)
class Content:
    """The whole of one official file, uncompressed, and the hex sha256 of those bytes."""

    source: Source
    data: bytearray
    sha256: str


def find_sources(paths: Iterable[Path]) -> Found:
    """Find every official file among files and, recursively, folders.

    Raises `GainsayError` for a path that cannot be read, a file whose name is not official, and
    a folder or archive without any official file.
    """
    sources: list[Source] = []
    n_ignored = 0
    for path in paths:
        if stat.S_ISDIR(_mode(path)):
            found = [_sources_at(file) for file in _files_below(path)]
            here = [source for group in found for source in group]
            n_ignored += found.count([])
        else:
            here = _sources_at(path)
        if not here:
            raise GainsayError(f"{path}: no official file here; known names are\n{_known_names()}")
        sources += here
    return Found(sources, n_ignored)


def read_source(source: Source) -> Content:
    """Read one official file whole.

    Raises `GainsayError` when it is truncated, corrupt, encrypted, unreadable, or inflates to
    more than `LARGEST_FILE` bytes or `LARGEST_RATIO` times its compressed size.
    """
    with _explained(source.path), source.container.open("rb") as file:
        if source.member:
            with zipfile.ZipFile(file) as archive, archive.open(source.member) as stream:
                compressed = min(source.member.compress_size, source.container.stat().st_size)
                return _read(source, stream.read, lambda: compressed)
        if source.container.suffix == ".gz":
            with gzip.open(file) as stream:
                return _read(source, stream.read, file.tell)
        return _read(source, file.read, file.tell)


def _read(source: Source, read: Callable[[int], bytes], compressed: Callable[[], int]) -> Content:
    """Read to the end; `compressed` tells how many bytes the container has given for it."""
    data = bytearray()
    digest = hashlib.sha256()
    while chunk := read(_READ_SIZE):
        data += chunk
        digest.update(chunk)
        if len(data) > LARGEST_FILE:
            raise GainsayError(
                f"{source.path}: refused: more than {LARGEST_FILE:,} bytes; no official file is"
                " that large"
            )
        if len(data) > max(_RATIO_MATTERS_FROM, LARGEST_RATIO * compressed()):
            raise GainsayError(
                f"{source.path}: refused: inflates to more than {LARGEST_RATIO} times its"
                " compressed size, as no official file does"
            )
    return Content(source, data, digest.hexdigest())


def _files_below(folder: Path) -> Iterator[Path]:
    seen: set[tuple[int, int]] = set()

    def refuse(error: OSError) -> None:
        raise GainsayError(f"{error.filename}: cannot be read: {error.strerror}") from error

    for name, folders, files in os.walk(folder, onerror=refuse, followlinks=True):
        here = Path(name)
        status = here.stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders.sort()
        yield from (here / file for file in sorted(files))


def _sources_at(path: Path) -> list[Source]:
    is_archive = path.suffix.lower() == ".zip"
    official = OFFICIAL_NAMES.get(path.name.removesuffix(".gz"))
    if not is_archive and not official:
        return []
    # a pipe would be waited for
    if not stat.S_ISREG(_mode(path)):
        raise GainsayError(f"{path}: not a regular file")
    with _explained(str(path)):
        if official:
            return [Source(official, path, None, path.stat().st_size)]
        return list(_members(path))


def _mode(path: Path) -> int:
    with _explained(str(path)):
        return path.stat().st_mode


def _members(path: Path) -> Iterator[Source]:
    with zipfile.ZipFile(path) as archive:
        members = archive.infolist()
    known = [
        (official, member)
        for member in members
        if (official := OFFICIAL_NAMES.get(re.split(r"[/\\]", member.orig_filename)[-1]))
    ]
    for member in members if known else ():
        _refuse_escape(path, member)
    for official, member in known:
        if member.file_size > LARGEST_FILE:
            raise GainsayError(
                f"{path}!{member.filename}: refused: declares {member.file_size:,} bytes; no"
                " official file is that large"
            )
        yield Source(official, path, member, member.file_size)


def _refuse_escape(path: Path, member: zipfile.ZipInfo) -> None:
    name = member.orig_filename
    escapes = (
        name.startswith(("/", "\\"))
        or re.match(r"[A-Za-z]:", name)
        or ".." in re.split(r"[/\\]", name)
        or "\0" in name
        or stat.S_ISLNK(member.external_attr >> 16)
    )
    if escapes:
        raise GainsayError(
            f"{path}!{name!r}: refused: a member that points outside its archive; official"
            " archives hold none, fetch this one anew with `gainsay download`"
        )


def _known_names() -> str:
    return "\n".join(f"  {name}" for name in sorted(OFFICIAL_NAMES)) + (
        "\nas they are, with .gz, or inside a .zip"
    )


@contextmanager
def _explained(path: str) -> Iterator[None]:
    try:
        yield
    except _CORRUPT as error:
        raise GainsayError(
            f"{path}: truncated or corrupt ({error}); fetch it anew with `gainsay download`"
        ) from error
    except RuntimeError as error:
        raise GainsayError(
            f"{path}: cannot be unpacked ({error}); unpack it with another program and land the"
            " .json file"
        ) from error
    except OSError as error:
        raise GainsayError(f"{path}: cannot be read: {error.strerror or error}") from error
