"""Official archives and networks over HTTP: resumed where a connection broke, and verified.

While an archive is fetched it is `NAME.part`; beside it, `NAME.part.version` holds what the
server calls the version of the file (RFC 9110, section 8.8), so that a later run appends only
to bytes of the same version.
"""

import hashlib
import json
import os
import re
import sys
import time
import tomllib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from importlib import resources
from pathlib import Path
from typing import IO, Literal

import msgspec
import requests
from filelock import lock_descriptor
from urllib3.exceptions import HTTPError

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.http import (
    PassingError,
    SlowAnswerError,
    file_version,
    pause_seconds,
    require_lasting,
    timed,
)
from gainsay.foundation.own_files import OwnFiles, content_of
from gainsay.foundation.progress import Advance

State = Literal["fetched", "already there"]

_SECONDS_TO_CONNECT, _SECONDS_OF_SILENCE = 15, 60
_MOST_FAILURES = 8
_LONGEST_PAUSE = 60.0
_LONGEST_RETRY_AFTER = 600.0
_CHUNK = 2**20
_CONFIG = "config.json"
_SECONDS_OF_ANSWER = 3600.0
_LEAST_PROGRESS = 2**20


class Archive(msgspec.Struct, frozen=True):
    """One official archive: `size` in bytes, `sha256` as 64 hex digits.

    `coco_year` is set for archives that COCO publishes in two arrangements of the same images.
    """

    url: str
    size: int
    sha256: str
    holds: Literal["annotations", "images"] = "annotations"
    coco_year: Literal[2014, 2017] | None = None

    @property
    def name(self) -> str:
        return self.url.rpartition("/")[2]


class _Archives(msgspec.Struct):
    archive: list[Archive]


class Network(msgspec.Struct, frozen=True):
    """A network that may be fetched, and the var that its path is a value of.

    `model_type` and `labels` are what the file does not say of itself.
    """

    key: str
    var: str
    license: str
    url: str
    size: int
    sha256: str
    model_type: str | None = None
    labels: list[str] = []

    @property
    def archive(self) -> Archive:
        return Archive(self.url, self.size, self.sha256)


class _Networks(msgspec.Struct):
    network: list[Network]


def official_archives() -> list[Archive]:
    """Every archive that `archives.toml` names."""
    return msgspec.convert(_table("archives"), _Archives).archive


def published_networks() -> dict[str, Network]:
    """Every network that `networks.toml` names, by its key."""
    return {each.key: each for each in msgspec.convert(_table("networks"), _Networks).network}


def _table(name: str) -> dict[str, object]:
    text = resources.files("gainsay.ingest.collect").joinpath(f"{name}.toml").read_text("utf-8")
    return tomllib.loads(text)


def download_network(network: Network, folder: Path, advance: Advance) -> tuple[Path, State]:
    """Fetch a network into a folder of its own within `folder`, with what its file does not say.

    Raises `GainsayError` as `download` does, and where somebody has edited what is said of it.
    """
    own = folder / network.key
    files = OwnFiles(own)
    content = b""
    if network.labels:
        config = {"model_type": network.model_type, "id2label": dict(enumerate(network.labels))}
        content = json.dumps(config, indent=1).encode() + b"\n"
        # before the network comes
        if content_of(own / _CONFIG) != hashlib.sha256(content).hexdigest():
            files.require_own([_CONFIG])
    [state] = download([network.archive], own, advance)
    if network.labels:
        files.have(_CONFIG, hashlib.sha256(content).hexdigest(), lambda: content)
    return own / network.archive.name, state


def download(
    archives: Sequence[Archive],
    folder: Path,
    advance: Advance,
    sleep: Callable[[float], None] = time.sleep,
) -> list[State]:
    """Fetch archives into a folder; `advance` counts to the sum of their sizes.

    An archive appears under its name whole and verified, or not at all. Raises `GainsayError`
    when one cannot be had, has the wrong content, or cannot be written. What was fetched of it
    is kept for the next run unless it is wrong.
    """
    with (
        _on_disk(folder),
        _alone_in(folder),
        timed(requests.Session(), _SECONDS_OF_ANSWER) as session,
    ):
        return [_obtain(archive, folder, session, advance, sleep) for archive in archives]


def _obtain(
    archive: Archive,
    folder: Path,
    session: requests.Session,
    advance: Advance,
    sleep: Callable[[float], None],
) -> State:
    target = folder / archive.name
    if target.exists():
        if not _is_official(archive, target):
            raise GainsayError(
                f"{target}: not the official archive of that name (by size or sha256), and not"
                " touched; move it away, or name another folder"
            )
        advance(archive.size)
        return "already there"

    part = _Part(folder, archive)
    with _on_disk(part.path):
        _fetch(part, session, advance, sleep)
        if not _is_official(archive, part.path):
            part.discard()
            raise GainsayError(
                f"{archive.url}: the download's sha256 differs from {archive.sha256}, so it was"
                " removed; run `gainsay download` again: if this repeats, the server has another"
                " file"
            )
        part.path.replace(target)
        part.version_path.unlink(missing_ok=True)
    return "fetched"


class _Part:
    """The bytes of an archive that are already here, and the version they are of."""

    def __init__(self, folder: Path, archive: Archive) -> None:
        self.archive = archive
        self.path = folder / f"{archive.name}.part"
        self.version_path = folder / f"{archive.name}.part.version"

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.exists() else 0

    @property
    def version(self) -> str | None:
        return self.version_path.read_text("latin-1") if self.version_path.exists() else None

    def start(self, version: str | None) -> None:
        # first the bytes go, so that they never stand beside the version of others
        self.discard()
        if version:
            self.version_path.write_text(version, "latin-1")

    def discard(self) -> None:
        self.path.unlink(missing_ok=True)
        self.version_path.unlink(missing_ok=True)


def _fetch(
    part: _Part,
    session: requests.Session,
    advance: Advance,
    sleep: Callable[[float], None],
) -> None:
    """Bring `part` to its full size, in as many requests as it takes.

    Failures in a row count; bytes beyond all that were ever here start the count anew.
    """
    archive = part.archive
    reported = 0

    def report() -> None:
        nonlocal reported
        advance(part.size - reported)
        reported = part.size

    failures = 0
    furthest = part.size
    while part.size != archive.size:
        report()
        try:
            _request(part, session, report)
        # ValueError: a redirect to what is no address
        except (
            PassingError, SlowAnswerError, requests.RequestException, HTTPError, ValueError,
        ) as error:  # fmt: skip
            # bytes that drip for hours are no progress
            least = _LEAST_PROGRESS if isinstance(error, SlowAnswerError) else 1
            failures = 1 if part.size >= furthest + least else failures + 1
            furthest = max(furthest, part.size)
            if failures == _MOST_FAILURES:
                raise GainsayError(
                    f"{archive.url}: gave up after {failures} failures in a row, with"
                    f" {part.size:,} of {archive.size:,} bytes kept: {error}; run"
                    " `gainsay download` again to go on from there"
                ) from error
            pause = _pause(error, failures, archive)
            sys.stderr.write(f"{archive.name}: {error}; next try in {pause:.0f} s\n")
            sleep(pause)
    report()


def _pause(error: Exception, failures: int, archive: Archive) -> float:
    """Seconds to wait: longer after each failure, and never less than the server asks."""
    own = pause_seconds(failures, _LONGEST_PAUSE)
    if isinstance(error, PassingError):
        return error.pause_of(own, _LONGEST_RETRY_AFTER, archive.url)
    return own


def _request(part: _Part, session: requests.Session, report: Callable[[], None]) -> None:
    """Append to `part` what one request brings."""
    archive = part.archive
    # without a version there is no telling whether the server's bytes continue ours
    if part.size > archive.size or not part.version:
        part.discard()
        report()
    offset = part.size
    # a compressed body would have other bytes at other places
    headers = {"Accept-Encoding": "identity", "User-Agent": "gainsay"}
    if offset:
        headers |= {"Range": f"bytes={offset}-", "If-Range": str(part.version)}
    with session.get(
        archive.url,
        headers=headers,
        stream=True,
        timeout=(_SECONDS_TO_CONNECT, _SECONDS_OF_SILENCE),
    ) as response:
        match response.status_code:
            case HTTPStatus.PARTIAL_CONTENT if offset and _continues(response, part):
                pass
            case HTTPStatus.OK:
                part.start(file_version(response.headers))
                report()
            case HTTPStatus.PARTIAL_CONTENT | HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE:
                part.discard()
                raise PassingError("the server's file is not the one that was begun")
            case status:
                require_lasting(response)
                raise GainsayError(f"{archive.url}: {status} {response.reason}")
        _append(part, response, report)


def _append(part: _Part, response: requests.Response, report: Callable[[], None]) -> None:
    archive = part.archive
    with part.path.open("ab", buffering=0) as file:
        # read1 gives what has come; other reads lose it when the connection breaks
        while chunk := response.raw.read1(_CHUNK):
            _write_all(file, chunk)
            report()
            if part.size > archive.size:
                part.discard()
                raise GainsayError(
                    f"{archive.url}: the server sends more than the {archive.size:,} bytes of"
                    " the official file; nothing was kept"
                )
        os.fsync(file.fileno())
    if part.size < archive.size:
        announced = response.headers.get("Content-Length")
        raise PassingError(f"the server sent {announced or 'too few'} bytes")


def _write_all(file: IO[bytes], data: bytes) -> None:
    rest = memoryview(data)
    # unbuffered, so that what is written is in the file, whatever ends this process
    while rest:
        rest = rest[file.write(rest) :]


def _continues(response: requests.Response, part: _Part) -> bool:
    """Whether a partial answer is the rest of what is here, of the same version."""
    stated = re.fullmatch(
        r"bytes (?P<first>\d+)-\d+/(?P<size>\d+|\*)", response.headers.get("Content-Range", "")
    )
    if not stated or int(stated["first"]) != part.size:
        return False
    of_same_size = stated["size"] in ("*", str(part.archive.size))
    return of_same_size and file_version(response.headers) in (None, part.version)


def _is_official(archive: Archive, path: Path) -> bool:
    if path.stat().st_size != archive.size:
        return False
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest() == archive.sha256


@contextmanager
def _alone_in(folder: Path) -> Iterator[None]:
    """Keep a second download out: two that append to one file would spoil it."""
    folder.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        if not lock_descriptor(descriptor, blocking=False):
            raise GainsayError(f"{folder}: another `gainsay download` is at work here")
        yield
    finally:
        os.close(descriptor)


@contextmanager
def _on_disk(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise GainsayError(
            f"{path}: {error.strerror or error}; what was fetched is kept, run"
            " `gainsay download` again to go on from there"
        ) from error
