"""Archives from outside: what they declare is not believed.

No member may name a path outside its archive, and no member or file inflates without bound.
"""

import gzip
import lzma
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import IO, Final

from gainsay.foundation.errors import GainsayError

# deflate cannot pass 1,032:1; annotation files stay near 1:20 and answers of models near 1:30,
# very uniform files near 1:100
LARGEST_RATIO: Final = 200
_RATIO_MATTERS_FROM: Final = 16 * 2**20
_READ_SIZE: Final = 4 * 2**20

# ValueError: names and offsets that zipfile does not check
CORRUPT: Final = (
    zipfile.BadZipFile,
    gzip.BadGzipFile,
    zlib.error,
    lzma.LZMAError,
    struct.error,
    EOFError,
    ValueError,
)


def members(archive: Path | IO[bytes]) -> list[zipfile.ZipInfo]:
    """The members of a zip archive, by path or opened. Raises one of `CORRUPT`, or `OSError`."""
    with zipfile.ZipFile(archive) as file:
        return file.infolist()


def last_name(member: zipfile.ZipInfo) -> str:
    """The member's name without its folders, whichever way their names are joined."""
    return re.split(r"[/\\]", member.orig_filename)[-1]


def points_outside(member: zipfile.ZipInfo) -> bool:
    """Whether a member names a path outside its archive, or is a link, which may lead anywhere."""
    name = member.orig_filename
    return (
        name.startswith(("/", "\\"))
        or re.match(r"[A-Za-z]:", name) is not None
        or ".." in re.split(r"[/\\]", name)
        or "\0" in name
        or stat.S_ISLNK(member.external_attr >> 16)
    )


def inflated_chunks(
    path: str, read: Callable[[int], bytes], compressed: Callable[[], int], largest: int
) -> Iterator[bytes]:
    """What `read` gives, in chunks, until it gives no more.

    `path` is for messages; `compressed` says how many bytes the container has given for it so
    far. Raises `GainsayError` beyond `largest` bytes or `LARGEST_RATIO` times the compressed
    size.
    """
    n_bytes = 0
    while chunk := read(_READ_SIZE):
        n_bytes += len(chunk)
        if n_bytes > largest:
            raise GainsayError(
                f"{path}: refused: more than {largest:,} bytes, the most that one file may hold"
            )
        if n_bytes > max(_RATIO_MATTERS_FROM, LARGEST_RATIO * compressed()):
            raise GainsayError(
                f"{path}: refused: inflates to more than {LARGEST_RATIO} times its compressed"
                " size, as no file of annotations or answers does; unpack it yourself if it is"
                " sound"
            )
        yield chunk
