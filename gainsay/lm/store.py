"""Answers that were paid for: JSON lines in a file that only grows, by one process at a time."""

import os
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import msgspec
from filelock import lock_descriptor

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import lines_of, opened_file

_BLOCK = 64 * 1024
# with its prompt, and however much was reasoned
_LONGEST_ANSWER = 64 * 2**20
LineT = TypeVar("LineT")


class AnswerStore:
    """The answers of one question set; `open_store` makes it.

    Every record begins with the field `first_field`: by it the rest of a line that a kill or a
    full disk cut short is told from somebody else's file.
    """

    def __init__(self, path: Path, file: IO[bytes], first_field: str) -> None:
        self.path = path
        self._file = file
        whole, rest = _whole_lines(file)
        self._end = whole
        self._lacks_newline = False
        if rest and _is_json(rest):
            self._end += len(rest)
            self._lacks_newline = True
        elif not _begins_alike(rest, b'{"%s"' % first_field.encode()):
            raise _not_ours(path, "its last line is neither whole nor the start of an answer")

    def lines(self, kind: type[LineT]) -> Iterator[LineT]:
        """Every record, in the order in which they came.

        Raises `GainsayError` for a line that is no record of this kind.
        """
        decode = msgspec.json.Decoder(kind).decode
        n_read = 0
        with opened_file(self.path) as file:
            for number, line in enumerate(lines_of(file, self.path, _LONGEST_ANSWER), 1):
                n_read += len(line)
                if n_read > self._end:
                    return
                try:
                    yield decode(line)
                except (msgspec.DecodeError, UnicodeDecodeError) as error:
                    raise _not_ours(self.path, f"line {number}: {error}") from error

    def append(self, records: Iterable[Any]) -> None:
        """Add records; they are there whole, or not at all.

        Raises `GainsayError` when they cannot be written.
        """
        data = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
        if not data:
            return
        if self._lacks_newline:
            data = b"\n" + data
        try:
            # takes off what was cut short
            self._file.truncate(self._end)
            left = memoryview(data)
            while left:
                left = left[self._file.write(left) :]
        except OSError as error:
            self._file.truncate(self._end)
            raise GainsayError(f"{self.path}: cannot be written: {error.strerror}") from error
        self._end += len(data)
        self._lacks_newline = False


@contextmanager
def open_store(path: Path, first_field: str) -> Iterator[AnswerStore]:
    """Hold the answers in `path`, which is made where it is not there.

    Raises `GainsayError` while another process holds them, and for a file that is none of ours
    or cannot be written; such a file stays as it is.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a+b", buffering=0) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise GainsayError(f"{path}: not a regular file; name another one")
            if not lock_descriptor(file.fileno(), blocking=False):
                raise GainsayError(
                    f"{path}: another process is asking and keeps its answers here; wait until it"
                    " has ended, or its answers would be paid for twice"
                )
            yield AnswerStore(path, file, first_field)
    except OSError as error:
        raise GainsayError(f"{path}: cannot be written: {error.strerror or error}") from error


def _whole_lines(file: IO[bytes]) -> tuple[int, bytes]:
    """How many bytes the whole lines have, and what stands behind them."""
    # from the end on; joined once, for a file with a hole in it has thousands
    blocks: list[bytes] = []
    position = end = file.seek(0, os.SEEK_END)
    while position and end - position <= _LONGEST_ANSWER:
        start = max(0, position - _BLOCK)
        file.seek(start)
        block = file.read(position - start)
        if (newline := block.rfind(b"\n") + 1) > 0:
            position = start + newline
            blocks.append(block[newline:])
            break
        position = start
        blocks.append(block)
    return position, b"".join(reversed(blocks))


def _begins_alike(one: bytes, other: bytes) -> bool:
    return one.startswith(other) or other.startswith(one)


def _is_json(line: bytes) -> bool:
    try:
        msgspec.json.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return False
    return True


def _not_ours(path: Path, problem: str) -> GainsayError:
    return GainsayError(f"{path}: not answers of a former call: {problem}; name another file")
