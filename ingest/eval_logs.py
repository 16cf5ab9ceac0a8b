"""Logs of inspect_ai, `.eval`: a zip of JSON with a member for each sample, read without inspect.

Its members are deflated, or compressed as zstd, which Python's own zipfile knows from 3.14 on.
"""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

import msgspec
import pyarrow as pa
from msgspec import Struct

from gainsay.foundation.archives import CORRUPT, inflated_chunks
from gainsay.foundation.errors import GainsayError

_SAMPLES = "samples/"
_ZSTD = 93
# a sample holds its pictures, and every event of its run
_LARGEST_SAMPLE = 256 * 2**20
# of a member's own header, before its name and what follows that
_HEADER = 30


class _Part(Struct, frozen=True):
    """A part of a message; that of a thought has no text."""

    text: str = ""


class _Message(Struct, frozen=True):
    content: str | list[_Part] = ""

    @property
    def text(self) -> str:
        """What the message says."""
        if isinstance(self.content, str):
            return self.content
        return "\n".join(part.text for part in self.content if part.text)


class _Choice(Struct, frozen=True):
    message: _Message = _Message()


class _Output(Struct, frozen=True):
    completion: str | None = None
    choices: list[_Choice] = []

    @property
    def answer(self) -> str | None:
        """The first choice's text, which logs of today have as the completion, too."""
        if self.completion is None and self.choices:
            return self.choices[0].message.text
        return self.completion


class _Sample(Struct):
    id: str | int
    output: _Output = _Output()
    metadata: dict[str, Any] = {}


def samples(path: Path) -> Iterator[tuple[str, str | None]]:
    """The example and the answer of every sample, in the order of their names.

    A sample that ended in an error has no answer, None. Raises `GainsayError` where the file is no
    such log, is cut, or a sample is too large or none that inspect writes.
    """
    try:
        with zipfile.ZipFile(path) as log, path.open("rb") as file:
            found = [info for info in log.infolist() if info.filename.startswith(_SAMPLES)]
            for info in sorted(found, key=lambda info: info.filename):
                sample = _decoded(f"{path}, {info.filename}", _content(path, log, file, info))
                yield str(sample.metadata.get("example_id", sample.id)), sample.output.answer
    except (*CORRUPT, OSError, NotImplementedError) as error:
        raise GainsayError(f"{path}: is no whole log of inspect: {error}") from error


def _decoded(name: str, content: bytes) -> _Sample:
    try:
        # a score may be NaN, which JSON has no word for and inspect writes all the same
        return msgspec.convert(json.loads(content), _Sample)
    except (ValueError, RecursionError) as error:
        raise GainsayError(f"{name}: is no sample of inspect: {error}") from error


def _content(path: Path, log: zipfile.ZipFile, file: IO[bytes], info: zipfile.ZipInfo) -> bytes:
    """A member's bytes, no more than a sample may have."""
    name = f"{path}, {info.filename}"
    if info.compress_type != _ZSTD:
        with log.open(info) as member:
            return b"".join(
                inflated_chunks(name, member.read, lambda: info.compress_size, _LARGEST_SAMPLE)
            )
    file.seek(info.header_offset)
    header = file.read(_HEADER)
    behind = int.from_bytes(header[26:28], "little") + int.from_bytes(header[28:30], "little")
    file.seek(info.header_offset + _HEADER + behind)
    compressed = file.read(min(info.compress_size, _LARGEST_SAMPLE))
    with pa.input_stream(pa.py_buffer(compressed), compression="zstd") as member:
        return b"".join(
            inflated_chunks(name, member.read, lambda: info.compress_size, _LARGEST_SAMPLE)
        )
