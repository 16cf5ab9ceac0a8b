"""Files and folders that appear whole or not at all."""

import ctypes
import errno
import os
import re
import shutil
import stat
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Final

from filelock import lock_descriptor

from gainsay.foundation.errors import GainsayError
from gainsay.python_udfs.storage import unfinished_file

_AT_FDCWD: Final = -100
_RENAME_EXCHANGE: Final = 2
_STATES: Final = ("unfinished", "replaced")

# the names of the files below a folder that its program wrote; raises `GainsayError` for a folder
# that it did not write
OwnFiles = Callable[[Path], set[str]]


@contextmanager
def atomic_file(path: Path, before: Callable[[Path], None] | None = None) -> Iterator[IO[bytes]]:
    """Yield a binary stream whose content stands at `path` once the block ends well.

    `before` is called with the whole file before it gets its name, and may refuse that.

    After an error, or a kill, `path` is as it was; what a kill leaves beside it goes with a writing
    of the same file on a later day (`unfinished_file`). A device or pipe, which no file can take
    the place of, is written to. Raises `GainsayError` when the folder cannot be written or the disk
    is full.
    """
    try:
        if _is_stream(path):
            with _opened_stream(path) as stream:
                yield stream
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        unfinished = unfinished_file(path)
        # `x` makes it anew, as readable as any new file is
        with unfinished.open("xb") as stream:
            try:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
                if before is not None:
                    before(unfinished)
                unfinished.replace(path)
            except BaseException:
                unfinished.unlink(missing_ok=True)
                raise
    except OSError as error:
        raise GainsayError(f"{path}: cannot write: {error.strerror}") from error


def _is_stream(path: Path) -> bool:
    """Whether there is a device or a pipe. Raises `GainsayError` for what can't be written to."""
    try:
        mode = path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return False
    if stat.S_ISBLK(mode) or stat.S_ISSOCK(mode):
        raise GainsayError(f"{path}: cannot write: is a disk or a socket; name a file")
    return stat.S_ISCHR(mode) or stat.S_ISFIFO(mode)


def _opened_stream(path: Path) -> IO[bytes]:
    """Open a device, or a pipe that somebody reads. Raises `OSError`, `GainsayError` for none."""
    try:
        # opening a pipe waits for its reader otherwise
        opened = os.open(path, os.O_WRONLY | os.O_NONBLOCK | os.O_NOCTTY)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise GainsayError(
                f"{path}: cannot write: no program reads this pipe; start its reader first, or name"
                " a file"
            ) from error
        raise
    os.set_blocking(opened, True)
    return os.fdopen(opened, "wb")


def write_atomically(path: Path, data: bytes) -> None:
    """Write `data` to `path`, whole or not at all."""
    with atomic_file(path) as stream:
        stream.write(data)


@contextmanager
def atomic_folder(path: Path, own_files: OwnFiles | None = None) -> Iterator[Path]:
    """Yield an empty folder that stands at `path` once the block ends well.

    It is made beside `path` under a hidden name of its own; what stands at `path` stays until then.
    After an error it is as it was, and after a kill, too, as soon as this is called again. Of
    several writers at once each writes all of its own, and the last one's folder stands.

    `own_files` says which files of the earlier folder are replaced; the others come along into the
    new one. Without it all are replaced. Raises `GainsayError` where a file or a link stands at
    `path`, and where a file that comes along has the name of a new one; `OSError` when something
    cannot be written.
    """
    _require_folder(path)
    if path.parent.exists() and not path.parent.is_dir():
        raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), str(path.parent))
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = _hidden_name(path, "unfinished")
    with _locked(path.parent):
        _mend(path, own_files)
        if own_files and path.exists():
            own_files(path)
        unfinished.mkdir()
        writing = lock_folder(unfinished, is_waiting=True)
    try:
        yield unfinished
        with _locked(path.parent):
            _require_folder(path)
            _put_in_place(unfinished, path, own_files)
    except BaseException:
        # after an exchange the earlier folder has this name, and the next run brings along from it
        # what is somebody else's
        if _is_same_folder(unfinished, writing):
            _remove(unfinished)
        raise
    finally:
        os.close(writing)


def restore_folder(path: Path) -> None:
    """Put back the folder that a killed run had set aside. Raises `OSError`."""
    if path.parent.is_dir() and not os.path.lexists(path):
        with _locked(path.parent):
            _restore(path)


def _restore(path: Path) -> None:
    replaced = [left for left in _leftovers(path) if left.name.endswith(".replaced")]
    if replaced and not os.path.lexists(path):
        max(replaced, key=lambda left: left.stat().st_mtime_ns).rename(path)


def _mend(path: Path, own_files: OwnFiles | None) -> None:
    """Put back, or remove, what killed runs left beside a folder."""
    _restore(path)
    for left in _leftovers(path):
        try:
            lock = lock_folder(left, is_waiting=False)
        except BlockingIOError:
            # its writer is alive
            continue
        try:
            if _is_emptied(left, path, own_files):
                _remove(left)
        finally:
            os.close(lock)


def _is_same_folder(path: Path, descriptor: int) -> bool:
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _leftovers(path: Path) -> list[Path]:
    """Folders that runs of this folder made beside it, those of living runs included."""
    named = re.compile(rf"\.{re.escape(path.name)}\.[0-9a-f]{{32}}\.(?:{'|'.join(_STATES)})")
    return [
        Path(entry.path)
        for entry in os.scandir(path.parent)
        if named.fullmatch(entry.name) and entry.is_dir(follow_symlinks=False)
    ]


def _hidden_name(path: Path, state: str) -> Path:
    return path.with_name(f".{path.name}.{uuid.uuid4().hex}.{state}")


def _require_folder(path: Path) -> None:
    if path.is_symlink() or (path.exists() and not path.is_dir()):
        found = "a link" if path.is_symlink() else "a file"
        raise GainsayError(f"{path}: expected a folder or nothing, found {found}; move it away")


def _put_in_place(unfinished: Path, path: Path, own_files: OwnFiles | None) -> None:
    """Give a folder its name, and remove what had it but for what comes along."""
    if not path.exists():
        unfinished.rename(path)
        return
    foreign = _foreign(path, own_files(path)) if own_files else []
    for name in foreign:
        if os.path.lexists(unfinished / name):
            raise GainsayError(
                f"{path / name}: gainsay did not write it and does not overwrite it; move it away"
            )
    if exchange(unfinished, path):
        earlier = unfinished
    else:
        # the system cannot exchange two folders in one step: `_mend` puts one back that a kill
        # left between the two
        earlier = _hidden_name(path, "replaced")
        path.rename(earlier)
        try:
            unfinished.rename(path)
        except OSError:
            earlier.rename(path)
            raise
    if _is_brought_along(foreign, earlier, path):
        _remove(earlier)


def _foreign(folder: Path, own: set[str], below: str = "") -> list[str]:
    """The names below a folder of what is not its own; a folder of none of these by its name."""
    kept = {str(parent) for name in own for parent in Path(name).parents}
    found = []
    for entry in sorted(os.scandir(folder / below), key=lambda entry: entry.name):
        name = f"{below}/{entry.name}" if below else entry.name
        if entry.is_dir(follow_symlinks=False) and name in kept:
            found += _foreign(folder, own, name)
        elif name not in own:
            found.append(name)
    return found


def _is_emptied(left: Path, path: Path, own_files: OwnFiles | None) -> bool:
    """Whether nothing is left in a folder but files of its program, of which some may be cut."""
    if own_files is None:
        return True
    try:
        own = own_files(left)
    except GainsayError:
        # only what was whole ever stood at `path`, where others write
        return True
    foreign = _foreign(left, own)
    return not foreign or (path.exists() and _is_brought_along(foreign, left, path))


def _is_brought_along(names: list[str], source: Path, target: Path) -> bool:
    """Move what is somebody else's from the earlier folder to the new one. Raises `OSError`.

    False where something stays, because the new folder has its name.
    """
    is_all = True
    for name in names:
        if os.path.lexists(target / name):
            is_all = False
            continue
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (source / name).rename(target / name)
    return is_all


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time change what lies in a folder."""
    lock = lock_folder(folder, is_waiting=True)
    try:
        yield
    finally:
        os.close(lock)


def lock_folder(folder: Path, *, is_waiting: bool) -> int:
    """Lock a folder until the descriptor that comes back is closed, or the process has ended.

    Raises `BlockingIOError` where another process has it and `is_waiting` is false.
    """
    lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        is_ours = lock_descriptor(lock, blocking=is_waiting)
    except OSError:
        # where the file system has no locks, processes are taken to come one by one
        is_ours = True
    if not is_ours:
        os.close(lock)
        raise BlockingIOError(errno.EWOULDBLOCK, "another process has it", str(folder))
    return lock


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
