"""Files that appear whole or not at all."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from gainsay.errors import GainsayError


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a binary stream whose content stands at `path` once the block ends well.

    After an error, or a kill, `path` is as it was. Raises `GainsayError` when the folder
    cannot be written or the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        try:
            with os.fdopen(descriptor, "wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            # mkstemp keeps others out; a result is as readable as any new file
            mask = os.umask(0)
            os.umask(mask)
            Path(name).chmod(0o666 & ~mask)
            Path(name).replace(path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise GainsayError(f"{path}: cannot write: {error.strerror}") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`, whole or not at all."""
    with atomic_file(path) as stream:
        stream.write(data)
