"""A folder that holds one export, and knows which of its files are its own.

The list of these, `.gainsay-export`, is written ahead of them, each with its sha256: whatever stops
an export, the next one into the folder knows what to remove. What is not on the list is somebody
else's and stays, and so does a file that somebody has changed since.
"""

import itertools
import os
import re
import shutil
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import IO

import msgspec

from gainsay.foundation.atomic import lock_folder, write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import CARD, EXPORT_LIST, leaves, require_unchanged, sha256_of
from gainsay.foundation.whole_files import read_whole_file

PICTURES = "images"
_PARTS = ".gainsay-parts"
_LONGEST_LIST = 256 * 2**20
# datasets' own limit
SHARD_BYTES = 500_000_000


class _Contents(msgspec.Struct):
    """The first line of a folder's list, which says what the folder holds."""

    format: str
    benchmark: str


class _Own(msgspec.Struct):
    """Another line: a file, and what was written to it. Earlier lists have names alone."""

    name: str
    sha256: str


@dataclass(frozen=True)
class Shards:
    """A file in as many shards as its records need: its name but for their numbers."""

    stem: str
    suffix: str

    def names(self, n_shards: int) -> list[str]:
        """The names of so many shards, as the Hugging Face hub counts them."""
        return [
            f"{self.stem}-{number:05}-of-{n_shards:05}{self.suffix}" for number in range(n_shards)
        ]

    def found(self, folder: Path) -> list[str]:
        """The names in a folder that pass for its shards, however many it has."""
        place = PurePosixPath(self.stem).parent
        if not (folder / place).is_dir():
            return []
        shard = re.compile(rf"{re.escape(self.stem)}-\d{{5,}}-of-\d{{5,}}{re.escape(self.suffix)}")
        names = (str(place / path.name) for path in (folder / place).iterdir())
        return sorted(filter(shard.fullmatch, names))


class Parts:
    """Where files are written before they have their names; every writer has its own `prefix`."""

    def __init__(self, parts: Path, shard_bytes: int, prefix: str = "") -> None:
        self.parts = parts
        # what one file of several may hold at most
        self.shard_bytes = shard_bytes
        self._prefix = prefix
        self._numbers = itertools.count()

    @contextmanager
    def part(self) -> Iterator[IO[bytes]]:
        """A stream into a file that has no name yet: `ExportFolder.keep` gives it one."""
        path = self.parts / f"{self._prefix}{next(self._numbers)}"
        with _named_in_errors(path), path.open("wb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())


class ExportFolder(Parts):
    """Writes files whole or not at all, and removes those of an earlier export.

    Raises `GainsayError` where the folder holds another export or somebody else's file of the
    same name, and where it cannot be written.
    """

    def __init__(
        self,
        path: Path,
        kind: str,
        benchmark: str,
        shard_bytes: int = SHARD_BYTES,
        hub_id: str | None = None,
    ) -> None:
        super().__init__(path / _PARTS, shard_bytes)
        # the data set of the Hub that the folder will be, where files name one
        self.hub_id = hub_id
        self.path = path
        self.benchmark = benchmark
        self._contents = _Contents(kind, benchmark)
        self._written: set[str] = set()
        # what was written to each file, by this export and by earlier ones
        self._contents_of: dict[str, set[str]] = defaultdict(set)
        self._earlier = self._read_list()

    @contextmanager
    def taken_over(self, pictures: set[str], files: Iterable[str | Shards] = ()) -> Iterator[None]:
        """Write within this: the earlier card goes first, and pictures that are none of these.

        No other export may write into the folder meanwhile; raises `GainsayError` where one does,
        and before anything is written where somebody's file is called as a picture, the card or one
        of the `files`, or passes for a shard of theirs, which readers would take for the export's.
        """
        with self._locked():
            # another export may have ended since it was read
            self._earlier = self._read_list()
            for name in sorted(self._earlier):
                self._require_unchanged(name)
            named = {CARD, *pictures}
            for file in files:
                named |= {file} if isinstance(file, str) else {*file.found(self.path)}
            for name in sorted(named - self._earlier):
                _require_free(self._inside(name))
            forbidden = {
                name
                for name in self._earlier
                if name.startswith(f"{PICTURES}/") and name not in pictures
            }
            try:
                with _named_in_errors(self.path):
                    shutil.rmtree(self.parts, ignore_errors=True)
                    self.parts.mkdir(parents=True)
                    self._write_list(self._earlier)
                    self._remove(forbidden | ({CARD} & self._earlier))
                yield
            finally:
                shutil.rmtree(self.parts, ignore_errors=True)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        with _named_in_errors(self.path):
            self.path.mkdir(parents=True, exist_ok=True)
            try:
                lock = lock_folder(self.path, is_waiting=False)
            except BlockingIOError as error:
                raise GainsayError(
                    f"{self.path}: another program is exporting into it; wait for its end, or"
                    " export into another folder"
                ) from error
        try:
            yield
        finally:
            os.close(lock)

    @property
    def written(self) -> list[str]:
        """The names of the files that this export has written."""
        return sorted(self._written)

    def keep(self, part: Path, name: str) -> None:
        """Make a part the export's file of that name."""
        target = self._inside(name)
        with _named_in_errors(target):
            self._claim(name, target, sha256_of(part))
            target.parent.mkdir(parents=True, exist_ok=True)
            part.replace(target)

    @contextmanager
    def file(self, name: str) -> Iterator[IO[bytes]]:
        """A stream whose content is the file of that name once the block ends well."""
        with self.part() as stream:
            yield stream
        self.keep(Path(stream.name), name)

    def write(self, name: str, data: bytes) -> None:
        """Write a file whose content is at hand."""
        with self.file(name) as stream:
            stream.write(data)

    def finish(self, card: str) -> None:
        """Remove what only the earlier export has, then say in a card what this one is."""
        with _named_in_errors(self.path):
            self._remove(self._earlier - self._written - {CARD})
            self.write(CARD, card.encode())
            self._write_list(self._written)

    def clear(self) -> int:
        """Remove all files of an earlier export, and say how many there were."""
        if not self.path.is_dir():
            return 0
        with self._locked(), _named_in_errors(self.path):
            for name in sorted(self._earlier):
                self._require_unchanged(name)
            n_removed = self._remove(self._earlier)
            (self.path / EXPORT_LIST).unlink(missing_ok=True)
            shutil.rmtree(self.parts, ignore_errors=True)
            with suppress(OSError):
                self.path.rmdir()
        return n_removed

    def _require_unchanged(self, name: str) -> None:
        """Raise `GainsayError` where somebody has changed a file since it was written."""
        if contents := self._contents_of.get(name):
            require_unchanged(self._inside(name), contents)

    def _claim(self, name: str, target: Path, sha256: str) -> None:
        """Put a file on the list, which says so before the file is there."""
        if name not in self._earlier | self._written:
            _require_free(target)
        with (self.path / EXPORT_LIST).open("ab") as file:
            file.write(msgspec.json.encode(_Own(name, sha256)) + b"\n")
        self._written.add(name)
        self._contents_of[name].add(sha256)

    def _read_list(self) -> set[str]:
        """The files of the earlier export, if it is one of the same format and benchmark."""
        if not os.path.lexists(self.path / EXPORT_LIST):
            return _files_without_a_list(self.path)
        content = read_whole_file(self.path / EXPORT_LIST, _LONGEST_LIST).content
        lines = content.splitlines(keepends=True)
        if not lines:
            # stopped before its first line
            return set()
        first, *lines = lines
        try:
            contents = msgspec.json.decode(first, type=_Contents)
            # a stopped export may have left half of a line, of a file that it had not written yet
            files = [
                msgspec.json.decode(line, type=str | _Own)
                for line in lines
                if line.endswith(b"\n") or (line[:1] == b'"' and line[-1:] == b'"')
            ]
        except (msgspec.MsgspecError, UnicodeDecodeError) as error:
            raise GainsayError(
                f"{self.path / EXPORT_LIST}: is not gainsay's list of an export's files: {error};"
                " export into another folder"
            ) from error
        if contents != self._contents:
            raise GainsayError(
                f"{self.path}: holds {contents.format} of {contents.benchmark}; export"
                f" {self._contents.format} of {self._contents.benchmark} into a folder of its own"
            )
        self._contents_of.clear()
        for file in files:
            if isinstance(file, _Own):
                self._contents_of[file.name].add(file.sha256)
        return {file.name if isinstance(file, _Own) else file for file in files}

    def _write_list(self, names: set[str]) -> None:
        lines: list[_Contents | _Own | str] = [self._contents]
        for name in sorted(names):
            contents = self._contents_of.get(name)
            lines += [_Own(name, each) for each in sorted(contents)] if contents else [name]
        data = b"".join(msgspec.json.encode(line) + b"\n" for line in lines)
        write_atomically(self.path / EXPORT_LIST, data)

    def _remove(self, names: set[str]) -> int:
        n_removed = 0
        for name in sorted(names):
            path = self._inside(name)
            if os.path.lexists(path):
                path.unlink()
                n_removed += 1
            if path.parent != self.path:
                # somebody else's files may be beside it
                with suppress(OSError):
                    path.parent.rmdir()
        return n_removed

    def _inside(self, name: str) -> Path:
        """A file's path; names in a list that came from elsewhere must not leave the folder."""
        if leaves(self.path, name):
            raise GainsayError(
                f"{name!r}: leaves the folder {self.path}; expected a file inside it"
            )
        return self.path / name


def is_export_of(path: Path, kind: str, benchmark: str) -> bool:
    """Whether a folder's list says that it holds this format of this benchmark."""
    with suppress(msgspec.MsgspecError, UnicodeDecodeError):
        first = read_whole_file(path / EXPORT_LIST, _LONGEST_LIST).content.partition(b"\n")[0]
        return msgspec.json.decode(first, type=_Contents) == _Contents(kind, benchmark)
    return False


def _require_free(path: Path) -> None:
    """Raise `GainsayError` where a file is there that no export wrote."""
    if os.path.lexists(path):
        raise GainsayError(
            f"{path}: is no file of an earlier export and is not overwritten; move it away, or"
            " export into another folder"
        )


@contextmanager
def _named_in_errors(path: Path) -> Iterator[None]:
    """Say which file an error of the operating system is about."""
    try:
        yield
    except OSError as error:
        raise GainsayError(f"{error.filename or path}: cannot write: {error.strerror}") from error


_CARD_BEGINS = "---\nlicense: other\ntask_categories:\n- visual-question-answering\n"
_RECORDS = (
    "records.jsonl", "metadata.jsonl", "llava_sft.json", "dpo.jsonl", "r_tuning.json",
    "clash_sft.jsonl", "instances.json",
)  # fmt: skip
_OTHERS = (
    CARD, "GainsayConflictSuite.tsv", "gainsay_conflict_suite.yaml", "utils.py",
)  # fmt: skip
_PICTURE_NAMES = re.compile(rb'"(?:image|images|file_name)":\[?("(?:images/)?[^"/\\]+")')


def _files_without_a_list(path: Path) -> set[str]:
    """The files of an export before there were lists: its records name its pictures."""
    # a pipe of that name would be waited for
    if not (path / CARD).is_file():
        return set()
    with _named_in_errors(path / CARD), (path / CARD).open("rb") as file:
        if file.read(len(_CARD_BEGINS)) != _CARD_BEGINS.encode():
            return set()
    records = [path / name for name in _RECORDS if (path / name).is_file()]
    pictures = {
        msgspec.json.decode(found[1], type=str)
        for file in records
        for line in file.open("rb")
        for found in _PICTURE_NAMES.finditer(line)
    }
    shards = {f"data/{shard.name}" for shard in path.glob("data/*-00000-of-00001.parquet")}
    names = {file.name for file in records} | set(_OTHERS) | pictures | shards
    return {name for name in names if (path / name).is_file()}
