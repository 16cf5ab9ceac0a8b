"""Official annotation files: which names are known, where they lie, and how they are read.

A file may lie as plain JSON, gzipped, or inside a zip archive, which is read without unpacking
to disk, within the limits of `gainsay.foundation.archives`.
"""

import gzip
import hashlib
import stat
import zipfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gainsay.foundation import archives
from gainsay.foundation.chunked_files import State, require_state, state_of
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import files_through_links, is_of_system, printable
from gainsay.ingest import clash, coco, docci, gqa, vqa
from gainsay.ingest.collect.layouts import LAYOUTS as COLLECTED_LAYOUTS
from gainsay.ingest.question_sets import QUESTION_SETS
from gainsay.ingest.records import Layout

LARGEST_FILE = 4 * 2**30

_LENGTH_OF_END = 64


@dataclass(frozen=True)
class OfficialName:
    """Kind, split and year of an official file, by its name; of a file of one's own, its path."""

    name: str
    layout: Layout
    split: str
    year: int | None
    is_official: bool = True


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
    for suffix in ("jsonlines", "jsonl"):
        yield OfficialName(f"docci_descriptions.{suffix}", docci.DESCRIPTIONS, "all", 2024)
    for split in ("train", "val"):
        yield OfficialName(f"{split}_sceneGraphs.json", gqa.SCENE_GRAPHS, split, 2019)
    for split in ("train", "val", "testdev"):
        yield OfficialName(f"{split}_balanced_questions.json", gqa.QUESTIONS, split, 2019)
    for name in ("val_all_questions", "testdev_all_questions"):
        yield OfficialName(f"{name}.json", gqa.QUESTIONS, name.split("_")[0], 2019)
    for layout in COLLECTED_LAYOUTS:
        yield OfficialName(f"{layout.kind}.jsonl", layout, "all", 2026)
    # the one file that is published in parts
    for part in range(10):
        name = f"train_all_questions_{part}.json"
        yield OfficialName(name, gqa.QUESTIONS, "train", 2019)


# files whose names are known in the folder that their authors publish
Names = Mapping[str, OfficialName]

OFFICIAL_NAMES: Names = {official.name: official for official in _official_names()}


def names_of(question_set: str | None) -> Names:
    """The names of a set's files; its rows name the set before the file. Without one the official.

    Raises `KeyError` for a set that `QUESTION_SETS` has not.
    """
    if question_set is None:
        return OFFICIAL_NAMES
    return {
        file.name: OfficialName(f"{question_set}/{file.name}", file.layout, file.split, file.year)
        for file in QUESTION_SETS[question_set]
    }


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
        container = printable(self.container)
        return f"{container}!{self.member.filename}" if self.member else container


@dataclass(frozen=True)
class Found:
    """The official files under some paths, in a stable order, and how many others there were."""

    sources: list[Source]
    n_ignored: int
    # files of macOS and Windows, such as `._a.zip`, which are no others
    n_of_systems: int = 0


@dataclass(frozen=True)
class Content:
    """The content of one official file, uncompressed: number of bytes, hex sha256, last byte.

    `state` is that of its container when it was read.
    """

    source: Source
    n_bytes: int
    sha256: str
    end: bytes
    state: State


def find_sources(paths: Iterable[Path], names: Names = OFFICIAL_NAMES) -> Found:
    """Find every file of a known name among files and, recursively, folders.

    Raises `GainsayError` for a path that cannot be read, a file whose name is not official, and
    a folder or archive without any official file.
    """
    sources: list[Source] = []
    n_ignored = n_of_systems = 0
    for path in paths:
        if stat.S_ISDIR(_mode(path)):
            files = [*files_through_links(path)]
            of_people = [file for file in files if not is_of_system(file.name)]
            n_of_systems += len(files) - len(of_people)
            found = [_sources_at(file, names) for file in of_people]
            here = [source for group in found for source in group]
            n_ignored += found.count([])
        else:
            here = _sources_at(path, names)
        if not here:
            raise GainsayError(
                f"{printable(path)}: no official file here; known names are\n{_listed(names)}"
            )
        sources += here
    return Found(sources, n_ignored, n_of_systems)


def read_source(source: Source) -> Iterator[bytes]:
    """Read one official file, uncompressed, in chunks.

    Raises `GainsayError` when it is truncated, corrupt, encrypted, unreadable, or inflates to
    more than `LARGEST_FILE` bytes or `archives.LARGEST_RATIO` times its compressed size.
    """
    with _errors_explained(source.path), source.container.open("rb") as file:
        if source.member:
            with zipfile.ZipFile(file) as archive, archive.open(source.member) as stream:
                compressed = min(source.member.compress_size, source.container.stat().st_size)
                yield from _chunks(source, stream.read, lambda: compressed)
        elif source.container.suffix == ".gz":
            with gzip.open(file) as stream:
                yield from _chunks(source, stream.read, file.tell)
        else:
            yield from _chunks(source, file.read, file.tell)


def measure(source: Source) -> Content:
    """Read one official file to know its content. Raises as `read_source`."""
    with _errors_explained(source.path):
        state = state_of(source.container)
    n_bytes, end, digest = 0, b"", hashlib.sha256()
    for chunk in read_source(source):
        n_bytes += len(chunk)
        end = (end + chunk)[-_LENGTH_OF_END:]
        digest.update(chunk)
    return Content(source, n_bytes, digest.hexdigest(), end, state)


def read_again(content: Content) -> Iterator[bytes]:
    """The chunks of a file that was measured.

    Raises `GainsayError`, after the last chunk, when the file has been written to since then;
    otherwise as `read_source`.
    """
    yield from read_source(content.source)
    require_state(content.source.container, content.state, content.source.path)


def _chunks(
    source: Source, read: Callable[[int], bytes], compressed: Callable[[], int]
) -> Iterator[bytes]:
    return archives.inflated_chunks(source.path, read, compressed, LARGEST_FILE)


def _sources_at(path: Path, names: Names) -> list[Source]:
    is_archive = path.suffix.lower() == ".zip"
    official = names.get(path.name.removesuffix(".gz"))
    if not is_archive and not official:
        return []
    # a pipe would be waited for
    if not stat.S_ISREG(_mode(path)):
        raise GainsayError(f"{printable(path)}: not a regular file")
    with _errors_explained(printable(path)):
        if official:
            n_bytes = path.stat().st_size
            if n_bytes > LARGEST_FILE:
                raise GainsayError(
                    f"{printable(path)}: refused: {n_bytes:,} bytes; one file may hold"
                    f" {LARGEST_FILE:,} at most"
                )
            return [Source(official, path, None, n_bytes)]
        return list(_members(path, names))


def _mode(path: Path) -> int:
    with _errors_explained(printable(path)):
        return path.stat().st_mode


def _members(path: Path, names: Names) -> Iterator[Source]:
    members = archives.members(path)
    known = [
        (official, member)
        for member in members
        if (official := names.get(archives.last_name(member)))
        and not is_of_system(member.orig_filename)
    ]
    for member in members if known else ():
        if archives.points_outside(member):
            raise GainsayError(
                f"{printable(path)}!{member.orig_filename!r}: refused: a member that points outside"
                " its archive; official archives hold none, fetch this one again with"
                " `gainsay download`"
            )
    for official, member in known:
        if member.file_size > LARGEST_FILE:
            raise GainsayError(
                f"{printable(path)}!{member.filename}: refused: declares"
                f" {member.file_size:,} bytes; one file may hold {LARGEST_FILE:,} at most"
            )
        yield Source(official, path, member, member.file_size)


def _listed(names: Names) -> str:
    return "\n".join(f"  {name}" for name in sorted(names)) + (
        "\nas they are, with .gz, or inside a .zip"
    )


@contextmanager
def _errors_explained(path: str) -> Iterator[None]:
    try:
        yield
    except archives.CORRUPT as error:
        raise GainsayError(
            f"{path}: truncated or corrupt ({error}); fetch it again with `gainsay download`"
        ) from error
    except RuntimeError as error:
        raise GainsayError(
            f"{path}: cannot be unpacked ({error}); unpack it with another program and land the"
            " .json file"
        ) from error
    except OSError as error:
        raise GainsayError(f"{path}: cannot be read: {error.strerror or error}") from error
