"""A copy of the project, to edit: whole, or the next call goes on with it.

Files are copied into a folder within the new one, and moved out of it once all are there. A kill
while they are copied leaves that folder alone, which the next call copies anew; one while they are
moved leaves the rest in it, which the next call moves.
"""

import os
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

from gainsay.foundation.atomic import lock_folder
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_writable
from gainsay.project.parts import PROJECT_PARTS

_COPYING: Final = ".gainsay-init"
_WHOLE: Final = ".gainsay-init-whole"


def copy_project(source: Path, folder: Path) -> None:
    """Copy the project in `source` into a folder that is empty, absent or was not finished.

    Raises `GainsayError` where the folder holds something else, or cannot be written; it is then
    as it was.
    """
    try:
        is_new = not folder.exists()
        _require_empty(folder)
        require_writable(folder)
        folder.mkdir(parents=True, exist_ok=True)
        try:
            with _locked(folder):
                _fill(source, folder)
        except BaseException:
            if is_new:
                # only where nothing is in it
                with suppress(OSError):
                    folder.rmdir()
            raise
    except (OSError, shutil.Error) as error:
        raise GainsayError(f"{folder}: cannot write: {_reason(error)}") from error


def _fill(source: Path, folder: Path) -> None:
    copying, whole = folder / _COPYING, folder / _WHOLE
    if not whole.exists():
        # what a kill has left
        shutil.rmtree(copying, ignore_errors=True)
        try:
            _copy(source, copying)
        except BaseException:
            shutil.rmtree(copying, ignore_errors=True)
            raise
        copying.rename(whole)
    # what makes the folder a project comes last
    for part in sorted(whole.iterdir(), key=lambda part: part.name == "dbt_project.yml"):
        if (folder / part.name).exists():
            raise GainsayError(f"{folder / part.name}: is there already; move it away")
        part.rename(folder / part.name)
    whole.rmdir()


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Let one process at a time fill a folder. Raises `GainsayError` in another one."""
    try:
        lock = lock_folder(folder, is_waiting=False)
    except BlockingIOError as error:
        raise GainsayError(f"{folder}: another program is writing it; wait for its end") from error
    try:
        yield
    finally:
        os.close(lock)


def _require_empty(folder: Path) -> None:
    if not folder.exists():
        return
    if not folder.is_dir():
        raise GainsayError(f"{folder}: expected an empty folder or none, found a file")
    # the folder that is moved out of says what a kill may have left beside it
    parts = {Path(part).parts[0] for part in PROJECT_PARTS} | {"profiles.yml"}
    expected = {_COPYING} | ({_WHOLE} | parts if (folder / _WHOLE).is_dir() else set())
    if others := sorted({entry.name for entry in folder.iterdir()} - expected):
        raise GainsayError(
            f"{folder}: expected an empty folder or none, found {others[0]}; name another one"
        )


def _copy(source: Path, target: Path) -> None:
    for part in PROJECT_PARTS:
        copy = target / part
        copy.parent.mkdir(parents=True, exist_ok=True)
        if (source / part).is_dir():
            # a package's files may be for reading alone
            shutil.copytree(source / part, copy, copy_function=shutil.copyfile)
        else:
            shutil.copyfile(source / part, copy)
    # where `dbt build` looks for it
    shutil.copyfile(source / "profiles" / "profiles.yml", target / "profiles.yml")


def _reason(error: OSError) -> str:
    """The system's reason; `copytree` has one for each file, of which the first is told."""
    if isinstance(error, shutil.Error) and error.args and isinstance(error.args[0], list):
        first = str(error.args[0][0][-1])
        named = re.match(r"\[Errno \d+\] ([^:]+)", first)
        return named[1] if named else first
    return error.strerror or str(error)
