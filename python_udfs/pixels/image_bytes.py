"""The bytes of image files, in folders and in zip archives."""

import threading
import zipfile
import zlib
from functools import lru_cache
from pathlib import Path

_CORRUPT = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, KeyError)
# zipfile seeks and reads under a lock of its own; opening does not
_opening = threading.Lock()


class ImageUnreadableError(Exception):
    """Why an image file gave no bytes: the kind in a word, then what was found."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


def read_image(path: str, archive: str | None, max_bytes: int) -> bytes:
    """The bytes of an image file; inside `archive`, `path` is `archive!member`.

    Raises `ImageUnreadableError` of kind `unreadable`, or `too_large` beyond `max_bytes`,
    whatever an archive declares of its member.
    """
    try:
        if archive is None:
            with Path(path).open("rb") as file:
                data = file.read(max_bytes + 1)
        else:
            status = Path(archive).stat()
            container = _archive(archive, status.st_mtime_ns, status.st_size)
            with container.open(path.removeprefix(f"{archive}!")) as member:
                data = member.read(max_bytes + 1)
    except OSError as error:
        raise ImageUnreadableError("unreadable", error.strerror or str(error)) from error
    except _CORRUPT as error:
        raise ImageUnreadableError("unreadable", f"corrupt in its archive: {error}") from error
    if len(data) > max_bytes:
        raise ImageUnreadableError(
            "too_large", f"more than {max_bytes:,} bytes; max_image_bytes is {max_bytes:,}"
        )
    return data


def _archive(path: str, modified: int, size: int) -> zipfile.ZipFile:
    with _opening:
        return _opened_archive(path, modified, size)


@lru_cache(maxsize=8)
def _opened_archive(path: str, modified: int, size: int) -> zipfile.ZipFile:
    """An archive that stays open: its directory is long, and every member would read it anew."""
    del modified, size
    return zipfile.ZipFile(path)
