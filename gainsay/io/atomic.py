"""Files and folders that appear whole or not at all."""

import ctypes
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from gainsay.errors import GainsayError
from python_udfs.storage import unfinished_file

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2


@contextmanager
def atomic_file(path: Path) -> Iterator[IO[bytes]]:
    """Yield a binary stream whose content stands at `path` once the block ends well.

    After an error, or a kill, `path` is as it was; what a kill leaves beside it goes with a writing
    of the same file on a later day (`unfinished_file`). Raises `GainsayError` when the folder
    cannot be written or the disk is full.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = unfinished_file(path)
        # `x` makes it anew, as readable as any new file is
        with unfinished.open("xb") as stream:
            try:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise GainsayError(f"{path}: cannot write: {error.strerror}") from error


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`, whole or not at all."""
    with atomic_file(path) as stream:
        stream.write(data)


@contextmanager
def atomic_folder(path: Path) -> Iterator[Path]:
    """Yield an empty folder that stands at `path` once the block ends well.

    It is made beside `path` under a hidden name; what stands at `path` stays until then. After
    an error it is as it was, and after a kill, too, as soon as this is called again. Raises
    `OSError` when something cannot be written.
    """
    unfinished = path.with_name(f".{path.name}.unfinished")
    replaced = path.with_name(f".{path.name}.replaced")
    restore_folder(path)
    # runs that were killed left them
    _remove(unfinished)
    _remove(replaced)
    unfinished.mkdir(parents=True)
    try:
        yield unfinished
        _put_in_place(unfinished, path, replaced)
    finally:
        _remove(unfinished)
    _remove(replaced)


def restore_folder(path: Path) -> None:
    """Put back the folder that a killed run had set aside. Raises `OSError`."""
    replaced = path.with_name(f".{path.name}.replaced")
    if replaced.exists() and not path.exists():
        replaced.rename(path)


def _put_in_place(unfinished: Path, path: Path, replaced: Path) -> None:
    if not path.exists():
        unfinished.rename(path)
        return
    if exchange(unfinished, path):
        return
    # the system cannot exchange two folders in one step: `restore_folder` mends a kill in between
    path.rename(replaced)
    try:
        unfinished.rename(path)
    except OSError:
        replaced.rename(path)
        raise


def exchange(one: Path, other: Path) -> bool:
    """Give two paths each other's place in one step; False where the system has no such step.

    Source: renameat2(2), Linux 3.15 and later, on most of its file systems.
    """
    if not sys.platform.startswith("linux"):
        return False
    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except (AttributeError, OSError):
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], _RENAME_EXCHANGE) == 0)


def _remove(folder: Path) -> None:
    if folder.exists():
        shutil.rmtree(folder)
