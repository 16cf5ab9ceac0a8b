"""Files by a path or by a URL, on this machine or in an object store.

A URL is `file:///folder/name`, or `s3://bucket/name` and whatever else PyArrow has a file system
for (`gs://`, `abfs://`, `hdfs://`). Its path stands there as it is, nothing is escaped. Amazon's
usual variables say who asks: `AWS_ACCESS_KEY_ID`, `AWS_PROFILE` and so on, `AWS_REGION`, and
`AWS_ENDPOINT_URL` for a store of somebody else's. What is written appears whole or not at all,
and where several machines write the same, the last one wins.

Clusters get this package without the rest of the house, so it depends on nothing outside it.
"""

import errno
import os
import re
import stat
import time
import uuid
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

_LOCAL: Final = "file://"
# Hadoop's names of Amazon's scheme
_S3: Final = ("s3", "s3a", "s3n")
_UNFINISHED: Final = re.compile(r"\.(?P<name>.+)\.[0-9a-f]{32}", re.DOTALL)
# seconds without a write after which a file belongs to no living process
LONGEST_PAUSE_S: Final = 24 * 3600


class Stored(NamedTuple):
    """A file that is there: its name as it was asked for, its size, and when it was written."""

    name: str
    n_bytes: int
    modified_ns: int


def is_url(name: str) -> bool:
    """Whether a name is a URL, and not a path of this machine."""
    return "://" in name


def absolute(name: str) -> str:
    """A path from the root, and a URL of this machine's files as a path; other URLs as they are."""
    if name.startswith(_LOCAL):
        return name.removeprefix(_LOCAL)
    return name if is_url(name) else os.path.abspath(name)  # noqa: PTH100


def open_stored(name: str) -> IO[bytes]:
    """Open a file for reading, from any place of it. Raises `OSError`, also for a pipe."""
    if is_local(name):
        return _open_regular(absolute(name))
    system, path = _system(name)
    opened: IO[bytes] = system.open_input_file(path)
    return opened


def _open_regular(path: str) -> IO[bytes]:
    """Open a file of this machine; a pipe, which would be waited for, and a device are none."""
    mode = Path(path).stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise OSError(errno.EINVAL, "not a regular file", path)
    return Path(path).open("rb")


def status(name: str) -> Stored | None:
    """Size and time of a file; None where there is none. Raises `OSError`."""
    if is_local(name):
        try:
            found = Path(absolute(name)).stat()
        except (FileNotFoundError, NotADirectoryError):
            return None
        return Stored(name, found.st_size, found.st_mtime_ns)
    system, path = _system(name)
    info = system.get_file_info(path)
    return Stored(name, info.size, info.mtime_ns or 0) if info.is_file else None


def stored(name: str) -> Stored:
    """Size and time of a file that must be there. Raises `OSError`."""
    found = status(name)
    if found is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), name)
    return found


def write_whole(name: str, data: bytes) -> None:
    """Put a file in its place, in the place of a former one. Raises `OSError`."""
    if is_local(name):
        _write_local(Path(absolute(name)), data)
        return
    system, path = _system(name)
    # an object appears when its stream is closed, and a stream that fails is not
    stream = system.open_output_stream(path)
    stream.write(data)
    stream.close()


def read_whole(name: str) -> bytes | None:
    """The content of a file; None where there is none. Raises `OSError`."""
    try:
        with open_stored(name) as file:
            return file.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


def delete(name: str) -> bool:
    """Remove a file; whether there was one. Raises `OSError`."""
    if status(name) is None:
        return False
    if is_local(name):
        Path(absolute(name)).unlink(missing_ok=True)
    else:
        system, path = _system(name)
        system.delete_file(path)
    return True


def stored_below(url: str) -> Iterator[Stored]:
    """The files below a folder that a URL names, in any order. Raises `OSError`."""
    from pyarrow import fs

    system, path = _system(url)
    root = url.rstrip("/").removesuffix(path)
    for info in system.get_file_info(fs.FileSelector(path, recursive=True)):
        if info.is_file:
            yield Stored(f"{root}{info.path}", info.size, info.mtime_ns or 0)


def is_local(name: str) -> bool:
    """Whether a name is a file of this machine, by its path or as a URL."""
    return name.startswith(_LOCAL) or not is_url(name)


def unfinished_file(path: Path) -> Path:
    """A hidden name beside a file, to write it under, that no other process or machine has.

    What killed runs left of the same file goes: whatever was not written to for a day, which no
    living process takes, on this machine or on another. Raises `OSError`.
    """
    for leftover in _leftovers(str(path.parent), os.getpid()).pop(path.name, []):
        leftover.unlink(missing_ok=True)
    return path.with_name(f".{path.name}.{uuid.uuid4().hex}")


@cache
def _leftovers(folder: str, process: int) -> dict[str, list[Path]]:
    """Leftovers of killed runs in a folder, by the file they were to become; looked up once."""
    del process
    left: dict[str, list[Path]] = {}
    oldest = time.time() - LONGEST_PAUSE_S
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                named = _UNFINISHED.fullmatch(entry.name)
                if (
                    named
                    and entry.is_file(follow_symlinks=False)
                    and entry.stat(follow_symlinks=False).st_mtime < oldest
                ):
                    left.setdefault(named["name"], []).append(Path(entry.path))
    except (FileNotFoundError, NotADirectoryError):
        return {}
    return left


def _write_local(path: Path, data: bytes) -> None:
    unfinished = unfinished_file(path)
    try:
        stream = unfinished.open("xb")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = unfinished.open("xb")
    with stream:
        try:
            stream.write(data)
            stream.flush()
            unfinished.replace(path)
        except BaseException:
            unfinished.unlink(missing_ok=True)
            raise


def _system(url: str) -> tuple[Any, str]:
    """The file system of a URL, and the path on it."""
    from pyarrow import fs

    scheme, _, path = url.partition("://")
    path = path.rstrip("/")
    if scheme == "file":
        return fs.LocalFileSystem(), path
    bucket = path.partition("/")[0]
    if scheme in _S3:
        endpoint = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
        region = os.environ.get("AWS_REGION") or os.environ.get("AWS_DEFAULT_REGION")
        return _s3(bucket, endpoint, region, os.getpid()), path
    system, root = _other_system(f"{scheme}://{bucket}", os.getpid())
    return system, f"{root}{path.removeprefix(bucket)}" if root else path


@cache
def _s3(bucket: str, endpoint: str | None, region: str | None, process: int) -> Any:
    """The store of a bucket, for one process: its threads do not outlive a fork."""
    from pyarrow import fs

    del process
    if not (region or endpoint):
        region = fs.resolve_s3_region(bucket)
    return fs.S3FileSystem(endpoint_override=endpoint, region=region, background_writes=False)


@cache
def _other_system(root: str, process: int) -> tuple[Any, str]:
    from pyarrow import fs

    del process
    return fs.FileSystem.from_uri(root)  # type: ignore[no-any-return]
