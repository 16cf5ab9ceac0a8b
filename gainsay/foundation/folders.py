"""The files below a folder, and their names as text.

One policy for links: what a person names may be a link to anywhere. Below it, a link that leads
out of the folder is never read as if it lay inside. Who walks a folder decides between the two
ways of keeping that: `files_below` yields links to folders as they are, so that a link that
`leads_outside` can be refused by name (pictures: what is in them is shown and exported), and
`files_through_links` goes through them, each folder once (official files: nothing but a file of
an official name and layout is taken from there).
"""

import os
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, NoReturn

from gainsay.foundation.errors import GainsayError

_TRIED_BYTES: Final = 2**20
# what macOS and Windows put beside files, and into archives
_OF_SYSTEMS: Final = frozenset((".ds_store", "thumbs.db", "desktop.ini"))


def files_below(
    folder: Path, is_left_out: Callable[[Path], bool] = lambda _: False
) -> Iterator[Path]:
    """Every file below a folder in a stable order, and links to folders, which are not followed.

    Folders below it that `is_left_out` knows are not looked into. Raises `GainsayError` for a
    folder that cannot be read.
    """
    for name, folders, files in os.walk(folder, onerror=_refuse):
        folders[:] = sorted(each for each in folders if not is_left_out(Path(name, each)))
        here = Path(name)
        yield from (here / name for name in folders if (here / name).is_symlink())
        yield from (here / file for file in sorted(files))


def files_through_links(folder: Path) -> Iterator[Path]:
    """Every file below a folder in a stable order, links followed, each folder once.

    Raises `GainsayError` for a folder that cannot be read.
    """
    seen: set[tuple[int, int]] = set()
    for name, folders, files in os.walk(folder, onerror=_refuse, followlinks=True):
        here = Path(name)
        status = here.stat()
        if (status.st_dev, status.st_ino) in seen:
            folders.clear()
            continue
        seen.add((status.st_dev, status.st_ino))
        folders.sort()
        yield from (here / file for file in sorted(files))


def leads_outside(path: Path, root: Path) -> bool:
    """Whether a link leads out of the folder `root`; a circle of links leads nowhere."""
    return not resolved(path).is_relative_to(resolved(root))


def resolved(path: Path) -> Path:
    """Where a path leads; `/` for a circle of links."""
    try:
        return path.resolve()
    except (OSError, RuntimeError):
        return Path("/")


def printable(path: Path | str) -> str:
    r"""A path as text that any table and terminal takes: bytes that are not UTF-8 as `\xff`."""
    return _bytes_of(path).decode("utf-8", "backslashreplace")


def is_printable(path: Path | str) -> bool:
    """Whether a path is UTF-8, so that its text leads back to the file."""
    return _bytes_of(path) == printable(path).encode()


def _bytes_of(path: Path | str) -> bytes:
    try:
        return os.fsencode(path)
    except UnicodeEncodeError:
        # half a character, which no file system has
        return str(path).encode("utf-8", "surrogatepass")


def require_printable(path: Path) -> None:
    """Raise `GainsayError` where the name of a file, by which tables know it, is not UTF-8."""
    if not is_printable(path):
        raise GainsayError(f"{printable(path)}: the name is not UTF-8; rename the file")


def require_writable(folder: Path) -> None:
    """Raise `GainsayError` where no file can be written into a folder, or where it would be made.

    For long work to ask before it begins: a file of 1 MiB is written there, and gone at once.
    """
    place = folder.absolute()
    try:
        while not place.exists():
            place = place.parent
        with tempfile.TemporaryFile(dir=place) as file:
            file.write(bytes(_TRIED_BYTES))
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise GainsayError(
            f"{printable(folder)}: cannot be written: no file can be put into {printable(place)}:"
            f" {error.strerror}"
        ) from error


def _refuse(error: OSError) -> NoReturn:
    raise GainsayError(f"{printable(error.filename)}: cannot be read: {error.strerror}") from error


def is_of_system(path: str) -> bool:
    """Whether a path is of a file that macOS or Windows puts beside those of people."""
    *folders, name = re.split(r"[/\\]", path.lower())
    return name.startswith("._") or name in _OF_SYSTEMS or "__macosx" in (*folders, name)
