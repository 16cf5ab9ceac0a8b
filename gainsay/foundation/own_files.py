"""Which files of a folder gainsay wrote, by their content: all others are somebody's.

A folder that gainsay fills has a list of names with the sha256 of what was written under each,
`.gainsay-written`. A file that is on it, and holds what was written, may be replaced. One that is
not, or that somebody has changed since, is refused by its name: nothing that another made is
replaced.
"""

import hashlib
import os
import stat
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePosixPath
from typing import IO, Final

import msgspec

from gainsay.foundation.atomic import atomic_file, write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import resolved
from gainsay.foundation.named_files import file_errors_explained
from gainsay.foundation.whole_files import read_whole_file

WRITTEN_LIST: Final = ".gainsay-written"
EXPORT_LIST: Final = ".gainsay-export"
# what an export or a release says of itself
CARD: Final = "README.md"
RELEASE_RECORD: Final = "release.json"
# a release has both
_RELEASE: Final = (RELEASE_RECORD, "SHA256SUMS")
_LONGEST_LIST: Final = 256 * 2**20


class _Written(msgspec.Struct):
    """A line of the list: a name below the folder, and what was written there."""

    name: str
    sha256: str


class OwnFiles:
    """The files that gainsay writes into a folder.

    What is written is on the list before it has its name, so that a kill in between leaves no file
    that the next run takes for somebody's. Raises `GainsayError` for a list that cannot be read, or
    names what is outside the folder.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._written = self._read_list()

    def require_own(self, names: Iterable[str]) -> None:
        """Raise `GainsayError` where one of these is there, and not as gainsay wrote it."""
        for name in names:
            self._require_own(name)

    def write(self, name: str, data: bytes) -> None:
        """Write a file, whole or not at all. Raises `GainsayError` where it is somebody's."""
        with self.file(name) as stream:
            stream.write(data)

    @contextmanager
    def file(self, name: str) -> Iterator[IO[bytes]]:
        """A stream whose content is the file of that name once the block ends well."""

        def claim(unfinished: Path) -> None:
            self._require_own(name)
            self._note(name, sha256_of(unfinished))

        with atomic_file(self._inside(name), claim) as stream:
            yield stream

    def have(self, name: str, sha256: str, read: Callable[[], bytes]) -> None:
        """Have a file of a known content, which is read only where the file has another.

        Raises `GainsayError` where somebody's file has the name, and what `read` raises.
        """
        if content_of(self._inside(name)) == sha256:
            if sha256 not in self._written[name]:
                self._note(name, sha256)
            return
        self.write(name, read())

    def keep_only(self, below: str, names: Collection[str]) -> int:
        """Remove what was written below a folder before and is not one of these; how many files.

        What somebody has changed since stays.
        """
        n_removed = 0
        for name in sorted(self._written.keys() - {*names}):
            if not name.startswith(f"{below}/"):
                continue
            path = self._inside(name)
            with file_errors_explained(path):
                if content_of(path) in self._written[name]:
                    path.unlink()
                    n_removed += 1
                    with suppress(OSError):
                        path.parent.rmdir()
            del self._written[name]
        lines = [_Written(name, one) for name, all_ in self._written.items() for one in all_]
        if n_removed:
            write_atomically(self._list, b"".join(map(_line, lines)))
        return n_removed

    @property
    def _list(self) -> Path:
        return self.folder / WRITTEN_LIST

    def _require_own(self, name: str) -> None:
        path = self._inside(name)
        if not os.path.lexists(path):
            return
        if name not in self._written:
            raise GainsayError(
                f"{path}: gainsay did not write it and does not overwrite it; move it away, or"
                " name another folder"
            )
        require_unchanged(path, self._written[name])

    def _note(self, name: str, sha256: str) -> None:
        with file_errors_explained(self._list), self._list.open("ab") as file:
            file.write(_line(_Written(name, sha256)))
        self._written[name].add(sha256)

    def _read_list(self) -> dict[str, set[str]]:
        written: dict[str, set[str]] = defaultdict(set)
        if not os.path.lexists(self._list):
            return written
        # a kill may have cut the last line, of a file that did not get its name
        for line in read_whole_file(self._list, _LONGEST_LIST).content.splitlines(keepends=True):
            if not line.endswith(b"\n"):
                continue
            try:
                found = msgspec.json.decode(line, type=_Written)
            except (msgspec.MsgspecError, UnicodeDecodeError) as error:
                raise GainsayError(
                    f"{self._list}: is not gainsay's list of what it wrote: {error}; move it away,"
                    " or name another folder"
                ) from error
            written[found.name].add(found.sha256)
        return written

    def _inside(self, name: str) -> Path:
        if _leaves_by_name(name):
            raise GainsayError(
                f"{name!r}: leaves the folder {self.folder}; expected a file inside it"
            )
        return self.folder / name


def written_files(folder: Path) -> dict[Path, str | None]:
    """The files that the lists of a folder name, with the sha256 of what was last written to each.

    The folder is a delivery, an export or a release; a folder without a list has none. The sha256
    is null in the lists of early exports. What is no line of a list, and a name that leaves the
    folder, is skipped: whoever deletes or passes over what is named here believes no list that came
    from elsewhere. Raises `GainsayError` for a list that cannot be read.
    """
    named: dict[str, str | None] = {}
    for name in (WRITTEN_LIST, EXPORT_LIST):
        for line in _lines_of(folder / name):
            with suppress(msgspec.MsgspecError, UnicodeDecodeError):
                written = msgspec.json.decode(line, type=str | _Written)
                if isinstance(written, str):
                    named[written] = None
                else:
                    named[written.name] = written.sha256
    if all((folder / name).is_file() for name in _RELEASE):
        for line in _lines_of(folder / _RELEASE[1]):
            sha256, _, name = line.decode(errors="replace").partition("  ")
            named[name] = sha256
    named = {name: sha256 for name, sha256 in named.items() if not _leaves_by_name(name)}
    # each folder is resolved once: a delivery has a million files in a few
    own = {
        parent: _is_below(parent, folder) for parent in {(folder / name).parent for name in named}
    }
    return {folder / name: sha256 for name, sha256 in named.items() if own[(folder / name).parent]}


def leaves(folder: Path, name: str) -> bool:
    """Whether a name in a list leads out of its folder, by itself or through a link."""
    return _leaves_by_name(name) or not _is_below((folder / name).parent, folder)


def _leaves_by_name(name: str) -> bool:
    pure = PurePosixPath(name)
    return pure.is_absolute() or not pure.parts or ".." in pure.parts or "\0" in name


def _is_below(path: Path, folder: Path) -> bool:
    return resolved(path).is_relative_to(resolved(folder))


def _lines_of(file: Path) -> list[bytes]:
    if not file.is_file():
        return []
    return read_whole_file(file, _LONGEST_LIST).content.splitlines()


def content_of(path: Path) -> str | None:
    """The sha256 of a regular file; None where there is none. Raises `GainsayError`."""
    with file_errors_explained(path):
        try:
            is_file = stat.S_ISREG(path.lstat().st_mode)
        except (FileNotFoundError, NotADirectoryError):
            return None
        return sha256_of(path) if is_file else None


def sha256_of(path: Path) -> str:
    """The sha256 of a file's bytes, in hexadecimal digits. Raises `OSError`."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def require_unchanged(path: Path, written: Collection[str]) -> None:
    """Raise `GainsayError` where a file is there and holds nothing that was written to it."""
    if os.path.lexists(path) and content_of(path) not in written:
        raise GainsayError(
            f"{path}: was changed since gainsay wrote it, and is not overwritten; move it away, or"
            " name another folder"
        )


def _line(written: _Written) -> bytes:
    return msgspec.json.encode(written) + b"\n"
