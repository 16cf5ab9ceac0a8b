"""Files that are read in chunks, plain or gzipped, within limits, as often as it takes."""

import gzip
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from io import DEFAULT_BUFFER_SIZE, BufferedReader, RawIOBase
from pathlib import Path
from typing import IO

from gainsay.foundation.archives import inflated_chunks
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import file_errors_explained, opened_file
from gainsay.foundation.progress import Advance, advance_unseen

# inode, size and time of writing: where they differ, a file may hold something else by now
State = tuple[int, int, int]

MOST_BYTES = 4 * 2**30
_READ_BYTES = 2**20


@dataclass(frozen=True)
class ChunkedFile:
    """A file that was measured: the size and the hex sha256 of the file itself.

    `state` is that of the file when it was read.
    """

    path: Path
    n_bytes: int
    sha256: str
    most_bytes: int
    state: State

    @property
    def is_gzipped(self) -> bool:
        return self.path.suffix.lower() == ".gz"

    def chunks(self, advance: Advance = advance_unseen) -> Iterator[bytes]:
        """The file's content, uncompressed; `advance` counts to `n_bytes`.

        Raises `GainsayError` where it is truncated or corrupt, can't be read, holds more than
        `most_bytes` or inflates to more than 200 times its size, and, after the last chunk, where
        it was written to since it was measured.
        """
        n_told = 0
        with opened_file(self.path) as file, file_errors_explained(self.path):
            for chunk in self._inflated(file):
                yield chunk
                advance(file.tell() - n_told)
                n_told = file.tell()
        self.require_unchanged()
        advance(self.n_bytes - n_told)

    def opened(self, advance: Advance = advance_unseen) -> BufferedReader:
        """The same as a binary file, for what reads such."""
        return ChunkReader(self.chunks(advance))

    def require_unchanged(self) -> None:
        """Raise `GainsayError` where the file was written to since it was measured."""
        require_state(self.path, self.state, str(self.path))

    def _inflated(self, file: IO[bytes]) -> Iterator[bytes]:
        read = gzip.GzipFile(fileobj=file).read if self.is_gzipped else file.read
        return inflated_chunks(str(self.path), read, lambda: self.n_bytes, self.most_bytes)


def measure_file(path: Path, most_bytes: int = MOST_BYTES) -> ChunkedFile:
    """Read a file to know its content.

    Raises `GainsayError` for what is no regular file, can't be read, or has more than
    `most_bytes`.
    """
    n_bytes, digest = 0, hashlib.sha256()
    with opened_file(path, most_bytes) as file, file_errors_explained(path):
        state = state_of(path)
        while chunk := file.read(_READ_BYTES):
            n_bytes += len(chunk)
            if n_bytes > most_bytes:
                raise GainsayError(f"{path}: refused: more than {most_bytes:,} bytes; split it")
            digest.update(chunk)
    return ChunkedFile(path, n_bytes, digest.hexdigest(), most_bytes, state)


def state_of(path: Path) -> State:
    """Size and times of a file, which change when it is written to. Raises `OSError`."""
    found = path.stat()
    return found.st_ino, found.st_size, found.st_mtime_ns


def require_state(path: Path, state: State, name: str) -> None:
    """Raise `GainsayError` where a file is in another state, or can't be read any more."""
    with file_errors_explained(path):
        is_same = state_of(path) == state
    if not is_same:
        raise GainsayError(
            f"{name}: another program wrote to it while it was landed; nothing was landed: wait for"
            " that program's end, and land it again"
        )


class _Chunks(RawIOBase):
    """Chunks as a file, for readers that want one."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__()
        self._chunks = chunks
        self._ahead = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        if not self._ahead:
            self._ahead = memoryview(next(self._chunks, b""))
        n_bytes = min(len(buffer), len(self._ahead))
        buffer[:n_bytes] = self._ahead[:n_bytes]
        self._ahead = self._ahead[n_bytes:]
        return n_bytes


class ChunkReader(BufferedReader):
    """Chunks as a binary file."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        super().__init__(_Chunks(chunks), DEFAULT_BUFFER_SIZE)
