"""Files that are read whole, plain or gzipped, within limits."""

import gzip
import hashlib
import io
import stat
from dataclasses import dataclass
from pathlib import Path

from gainsay.foundation.archives import inflated_chunks
from gainsay.foundation.chunked_files import MOST_BYTES, file_errors_explained
from gainsay.foundation.errors import GainsayError


@dataclass(frozen=True)
class WholeFile:
    """A file's content, uncompressed, with the size and hex sha256 of the file itself."""

    content: bytes
    n_bytes: int
    sha256: str


def read_whole_file(path: Path, most_bytes: int = MOST_BYTES) -> WholeFile:
    """Read a file; one whose name ends in .gz is unpacked.

    Raises `GainsayError` for what is no regular file, cannot be read, is truncated or corrupt,
    holds more than `most_bytes`, or inflates to more than 200 times its size.
    """
    with file_errors_explained(path):
        if not stat.S_ISREG(path.stat().st_mode):
            raise GainsayError(f"{path}: not a regular file")
        with path.open("rb") as file:
            data = file.read(most_bytes + 1)
        if len(data) > most_bytes:
            raise GainsayError(f"{path}: refused: more than {most_bytes:,} bytes; split it")
        content = _unpacked(path, data, most_bytes) if path.suffix.lower() == ".gz" else data
    return WholeFile(content, len(data), hashlib.sha256(data).hexdigest())


def _unpacked(path: Path, data: bytes, most_bytes: int) -> bytes:
    with gzip.open(io.BytesIO(data)) as stream:
        return b"".join(inflated_chunks(str(path), stream.read, lambda: len(data), most_bytes))
