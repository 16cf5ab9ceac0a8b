"""Files that are read whole, plain or gzipped, within limits."""

import gzip
import hashlib
import io
from dataclasses import dataclass
from pathlib import Path

from gainsay.foundation.archives import inflated_chunks
from gainsay.foundation.named_files import (
    MOST_WHOLE_BYTES,
    file_errors_explained,
    opened_file,
    read_all,
)


@dataclass(frozen=True)
class WholeFile:
    """A file's content, uncompressed, with the size and hex sha256 of the file itself."""

    content: bytes
    n_bytes: int
    sha256: str


def read_whole_file(path: Path, most_bytes: int = MOST_WHOLE_BYTES) -> WholeFile:
    """Read a file; one whose name ends in .gz is unpacked.

    Raises `GainsayError` for what is no regular file, cannot be read, is truncated or corrupt,
    holds more than `most_bytes`, or inflates to more than 200 times its size.
    """
    with opened_file(path, most_bytes) as file:
        data = read_all(file, path, most_bytes)
    with file_errors_explained(path):
        content = _unpacked(path, data, most_bytes) if path.suffix.lower() == ".gz" else data
    return WholeFile(content, len(data), hashlib.sha256(data).hexdigest())


def _unpacked(path: Path, data: bytes, most_bytes: int) -> bytes:
    with gzip.open(io.BytesIO(data)) as stream:
        return b"".join(inflated_chunks(str(path), stream.read, lambda: len(data), most_bytes))
