"""Files that a person names, such as a manifest, a log or a sheet: one policy for all of them.

A regular file, or a link to one: a pipe would be waited for, and a device never ends. Its size is
known before any of it is read, so that a file of which a program can hold only a part is refused
at once, whatever it is made of. What may be large is read in chunks or in lines, none of which is
longer than what it is read for can be.
"""

import gzip
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable

# what is held in memory; ten times the votes on every record of the largest queue
MOST_WHOLE_BYTES: Final = 512 * 2**20
LONGEST_LINE: Final = 16 * 2**20


@contextmanager
def opened_file(path: Path, most_bytes: int | None = None) -> Iterator[IO[bytes]]:
    """A file that a person named, to be read.

    Raises `GainsayError` for what is no regular file, cannot be read, or has more bytes.
    """
    with file_errors_explained(path):
        # a pipe without a writer would be waited for
        opened = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC)
    try:
        status = os.fstat(opened)
        if not stat.S_ISREG(status.st_mode):
            raise GainsayError(f"{printable(path)}: not a regular file")
        if most_bytes is not None and status.st_size > most_bytes:
            raise _too_large(path, most_bytes)
        # for readers of other packages
        os.set_blocking(opened, True)
    except BaseException:
        os.close(opened)
        raise
    with os.fdopen(opened, "rb") as file:
        yield file


def require_regular(path: Path, most_bytes: int | None = None) -> None:
    """Raise `GainsayError` as `opened_file` does, for what another program is to read."""
    with opened_file(path, most_bytes):
        pass


def read_all(file: IO[bytes], path: Path, most_bytes: int) -> bytes:
    """All bytes of a file. Raises `GainsayError` where it has grown beyond `most_bytes`."""
    with file_errors_explained(path):
        data = file.read(most_bytes + 1)
    if len(data) > most_bytes:
        raise _too_large(path, most_bytes)
    return data


def read_text(path: Path, encoding: str = "utf-8", most_bytes: int = MOST_WHOLE_BYTES) -> str:
    """A text of UTF-8. Raises `GainsayError` as `opened_file` does, and for another text."""
    with opened_file(path, most_bytes) as file:
        data = read_all(file, path, most_bytes)
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        raise GainsayError(
            f"{printable(path)}: is not UTF-8 (byte {error.start:,}); save it as such"
        ) from error


def lines_of(file: IO[bytes], path: Path, longest: int = LONGEST_LINE) -> Iterator[bytes]:
    """The lines of a file with their ends. Raises `GainsayError` for a longer one."""
    number = 0
    with file_errors_explained(path):
        while line := file.readline(longest + 1):
            number += 1
            if len(line) > longest:
                raise GainsayError(
                    f"{printable(path)}: line {number:,} has more than {longest:,} bytes, which no"
                    " line of such a file has"
                )
            yield line


@contextmanager
def file_errors_explained(path: Path) -> Iterator[None]:
    """Raise `GainsayError` for what is wrong with a file that the block reads."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise GainsayError(f"{printable(path)}: truncated or corrupt: {error}") from error
    except OSError as error:
        raise GainsayError(
            f"{printable(path)}: cannot be read: {error.strerror or error}"
        ) from error


def _too_large(path: Path, most_bytes: int) -> GainsayError:
    return GainsayError(f"{printable(path)}: refused: more than {most_bytes:,} bytes; split it")
