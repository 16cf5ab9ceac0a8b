"""Pictures of the images that SQL chose, into a folder with a manifest.

A picture is written under another name, synced and renamed; then its line is appended to the
manifest and synced; then its row goes into the warehouse. Whatever is stopped in between goes on
without a second download: a file without a line gets its line, a line without a row its row. Ids
in the manifest are not fetched again, whether or not their files are there; `verify` looks at the
files.
"""

import base64
import binascii
import hashlib
import os
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from http import HTTPStatus
from itertools import islice
from pathlib import Path
from typing import Any, Final

import duckdb
import msgspec
from filelock import lock_descriptor
from msgspec import Struct

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.http import passes
from gainsay.foundation.progress import Advance, Begin
from gainsay.foundation.queries import query, read
from gainsay.foundation.whole_files import read_whole_file
from gainsay.ingest.collect.client import Answer, Client, NoAnswerError, without_secrets
from gainsay.ingest.collect.layouts import COLLECTED_IMAGES, CollectedImage
from gainsay.ingest.collect.listing import Warehouse, insert_records
from gainsay.ingest.collect.records import Collector, ImageRecord
from gainsay.ingest.sinks.duckdb import transaction
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, picture_format

MANIFEST: Final = "raw/manifest.jsonl"
_PICTURES_PER_BATCH: Final = 20


class Wanted(Struct, frozen=True):
    """An image that is to be fetched, a row of `reality_check__wanted_images`."""

    image_id: str
    source: str
    url: str
    local_path: str
    license: str | None
    metadata: str
    thumbnail_url: str | None = None
    openimages_id: str | None = None
    subset: str | None = None
    original_md5: str | None = None
    n_bytes: int | None = None
    original_n_bytes: int | None = None


@dataclass(frozen=True)
class Request:
    """One address that a picture may be had from, and whether its bytes are the right ones."""

    url: str
    refusal: Callable[[bytes], str | None] = lambda _data: None


# the addresses of an image's picture, in the order in which they are tried
Addresses = Callable[[Wanted], list[Request]]


@dataclass(frozen=True)
class Opened:
    """A source that pictures are fetched from."""

    client: Client
    addresses: Addresses


@dataclass
class Counts:
    """What became of one source's images in this run."""

    n_wanted: int = 0
    n_there: int = 0
    # an earlier run was told that there is none
    n_given_up: int = 0
    n_fetched: int = 0
    n_failed: int = 0
    n_repeated: int = 0
    stopped: str | None = None


class Folder:
    """The folder of a fetch: its files and its manifest, which several sources append to."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.manifest = path / MANIFEST
        self.records: dict[str, ImageRecord] = {}
        self._contents: set[str] = set()
        self._lock = threading.Lock()

    def read(self) -> None:
        """Read the manifest, once a last line that a kill has cut is taken off.

        Raises `GainsayError` for a line that is no record.
        """
        if not self.manifest.exists():
            return
        data = read_whole_file(self.manifest).content
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            write_atomically(self.manifest, whole)
        for number, line in enumerate(whole.splitlines(), 1):
            try:
                record = msgspec.json.decode(line, type=ImageRecord)
            except msgspec.DecodeError as error:
                raise GainsayError(
                    f"{self.manifest}: line {number:,} is no record: {error}; mend or remove the"
                    " line, its picture stays"
                ) from error
            self.records[record.image_id] = record

    def file(self, record: ImageRecord | Wanted) -> Path:
        """Where the picture of a record lies. Raises `GainsayError` for a path that leads out."""
        path = self.path / record.local_path
        if not path.resolve().is_relative_to(self.path.resolve()):
            raise GainsayError(f"{record.local_path}: leads out of {self.path}")
        return path

    def keep(self, wanted: Wanted, data: bytes) -> None:
        """Put a picture in its place, whole or not at all."""
        write_atomically(self.file(wanted), data)

    def append(self, record: ImageRecord, sha256: str) -> bool:
        """Append a record to the manifest; whether another picture had the same bytes."""
        with self._lock:
            self.manifest.parent.mkdir(parents=True, exist_ok=True)
            with self.manifest.open("ab") as file:
                file.write(record.line())
                file.flush()
                os.fsync(file.fileno())
            self.records[record.image_id] = record
            is_repeated = sha256 in self._contents
            self._contents.add(sha256)
            return is_repeated

    def forget(self, image_ids: set[str]) -> None:
        """Take records out of the manifest, so that they are fetched again."""
        for image_id in image_ids:
            self.records.pop(image_id, None)
        write_atomically(self.manifest, b"".join(one.line() for one in self.records.values()))

    @contextmanager
    def alone(self) -> Iterator[None]:
        """Keep a second fetch out. Raises `GainsayError` where one is at work."""
        self.path.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, os.O_RDONLY)
        try:
            if not lock_descriptor(descriptor, blocking=False):
                raise GainsayError(
                    f"{self.path}: another `gainsay collect fetch` is at work here; wait for it"
                )
            yield
        finally:
            os.close(descriptor)


@dataclass
class PictureCollector(Collector):
    """Fetches the wanted images of one source, in their order."""

    folder: Folder
    warehouse: Warehouse
    opened: Opened
    waiting: Iterator[Wanted]
    most_bytes: int
    earlier_fetches: Mapping[str, int]
    counts: Counts = field(default_factory=Counts)

    def fetch_batch(self, n: int) -> list[ImageRecord]:
        """Fetch the next `n` images at most, and write a row for each, the failed ones included."""
        rows: list[CollectedImage] = []
        records = []
        n_taken = 0
        try:
            for wanted in islice(self.waiting, n):
                n_taken += 1
                row = self._collect(wanted)
                rows.append(row)
                if row.state == "fetched":
                    records.append(self.folder.records[wanted.image_id])
        finally:
            write_rows(self.warehouse, rows)
        self.counts.n_fetched += len(records)
        self.counts.n_failed += len(rows) - len(records)
        return records

    def _collect(self, wanted: Wanted) -> CollectedImage:
        file = self.folder.file(wanted)
        n_before = self.earlier_fetches.get(wanted.image_id, 0)
        if (data := _whole_picture(file, self.most_bytes)) is not None:
            # a run that was killed had put it there
            return self._note(wanted, wanted.url, data, None, max(1, n_before))
        n_requests, failure = n_before, NoAnswerError("no address to fetch it from")
        for request in self.opened.addresses(wanted):
            try:
                answer = self.opened.client.get(request.url, most_bytes=self.most_bytes)
                n_requests += answer.n_requests
                _refuse_other_bytes(answer, request)
            except NoAnswerError as error:
                n_requests += error.n_requests
                failure = error
                continue
            self.folder.keep(wanted, answer.body)
            return self._note(wanted, request.url, answer.body, answer.status, n_requests)
        return CollectedImage(
            image_id=wanted.image_id,
            source=wanted.source,
            state="failed",
            url=without_secrets(wanted.url),
            http_status=failure.status,
            n_fetches=n_requests,
            error=str(failure),
            fetched_at=_now(),
        )

    def _note(
        self, wanted: Wanted, url: str, data: bytes, status: int | None, n_requests: int
    ) -> CollectedImage:
        sha256 = hashlib.sha256(data).hexdigest()
        self.counts.n_repeated += self.folder.append(_record_of(wanted), sha256)
        return CollectedImage(
            image_id=wanted.image_id,
            source=wanted.source,
            state="fetched",
            url=without_secrets(url),
            local_path=wanted.local_path,
            http_status=status,
            n_bytes=len(data),
            sha256=sha256,
            n_fetches=n_requests,
            fetched_at=_now(),
        )


def wanted_images(connection: duckdb.DuckDBPyConnection) -> list[Wanted]:
    """The images to fetch, in order. Raises `GainsayError` before they were chosen."""
    try:
        return read(
            connection,
            Wanted,
            "reality_check.reality_check__wanted_images",
            where="local_path is not null",
            order="source_position, place, image_id",
        )
    except GainsayError as error:
        raise GainsayError(
            "nothing was chosen yet: run `dbt build --select +reality_check__wanted_images` first"
        ) from error


def fetch(
    folder: Folder,
    warehouse: Warehouse,
    sources: Mapping[str, Opened],
    *,
    most_bytes: int,
    target: int | None = None,
    verify: bool = False,
    begin: Begin,
) -> dict[str, Counts]:
    """Fetch pictures of the given sources, all at once and each serially.

    `begin` shows how far each source is, and how many of its pictures are there.

    With a `target` no more are fetched than the manifest lacks to it. Raises `GainsayError` when
    nothing was chosen, another fetch is at work, or a file cannot be written.
    """
    with folder.alone():
        folder.read()
        with warehouse.opened() as connection:
            wanted = [one for one in wanted_images(connection) if one.source in sources]
            rows = _former_rows(connection)
        if verify:
            folder.forget(_differing(folder, rows))
        _mend_rows(folder, warehouse, rows)
        counts = {source: Counts() for source in sources}
        waiting = list(_waiting(folder, wanted, rows, counts))
        if target is not None:
            waiting = waiting[: max(0, target - len(folder.records))]
        collectors = {
            source: PictureCollector(
                folder,
                warehouse,
                opened,
                iter([one for one in waiting if one.source == source]),
                most_bytes,
                {image_id: row.n_fetches or 0 for image_id, row in rows.items()},
                counts[source],
            )
            for source, opened in sources.items()
        }
        left = Counter(one.source for one in waiting)
        advances = {
            source: begin(f"{source} ({count.n_there:,} there)", left[source])
            for source, count in counts.items()
        }
        with ThreadPoolExecutor(max(1, len(collectors))) as pool:
            runs = [pool.submit(_run, one, advances[name]) for name, one in collectors.items()]
            for run in runs:
                run.result()
        return counts


def _run(collector: PictureCollector, advance: Advance) -> None:
    """Fetch until nothing is left; a source that wants to be left alone stops alone."""
    while True:
        before = collector.counts.n_fetched + collector.counts.n_failed
        try:
            collector.fetch_batch(_PICTURES_PER_BATCH)
        except GainsayError as error:
            collector.counts.stopped = str(error)
            return
        done = collector.counts.n_fetched + collector.counts.n_failed - before
        advance(done)
        if not done:
            return


def _waiting(
    folder: Folder,
    wanted: Sequence[Wanted],
    rows: Mapping[str, CollectedImage],
    counts: Mapping[str, Counts],
) -> Iterator[Wanted]:
    """What is in no manifest, and has not failed for good."""
    for one in wanted:
        counts[one.source].n_wanted += 1
        row = rows.get(one.image_id)
        if one.image_id in folder.records:
            counts[one.source].n_there += 1
        elif row and row.state == "failed" and _is_final(row.http_status):
            counts[one.source].n_given_up += 1
        else:
            yield one


def _is_final(status: int | None) -> bool:
    return status is not None and status >= HTTPStatus.BAD_REQUEST and not passes(status)


def _former_rows(connection: duckdb.DuckDBPyConnection) -> dict[str, CollectedImage]:
    columns = ", ".join(column.name for column in COLLECTED_IMAGES.main.columns)
    found = query(connection, f"select {columns} from raw.collected_images", CollectedImage)
    return {row.image_id: row for row in found}


def _mend_rows(folder: Folder, warehouse: Warehouse, rows: Mapping[str, CollectedImage]) -> None:
    """Write the rows of pictures that are in the manifest and whose rows a kill has prevented."""
    missing = []
    for image_id, record in folder.records.items():
        if image_id in rows and rows[image_id].state == "fetched":
            continue
        file = folder.file(record)
        data = file.read_bytes() if file.is_file() else None
        missing.append(
            CollectedImage(
                image_id=image_id,
                source=record.source,
                state="fetched",
                url=record.url,
                local_path=record.local_path,
                n_bytes=None if data is None else len(data),
                sha256=None if data is None else hashlib.sha256(data).hexdigest(),
                n_fetches=1,
                fetched_at=_now(),
            )
        )
    write_rows(warehouse, missing)


def write_rows(warehouse: Warehouse, rows: Sequence[CollectedImage]) -> None:
    """Write what became of pictures, in place of what became of them before."""
    if not rows:
        return
    with warehouse.opened() as connection, transaction(connection):
        connection.execute(
            "delete from raw.collected_images where image_id in (select unnest($ids))",
            {"ids": [row.image_id for row in rows]},
        )
        insert_records(
            connection, COLLECTED_IMAGES, rows, source_file="collect/fetch", first_position=0
        )


def _differing(folder: Folder, rows: Mapping[str, CollectedImage]) -> set[str]:
    """Ids of the manifest whose file is missing, or not of the size and SHA-256 that were noted."""
    differing = set()
    for image_id, record in folder.records.items():
        file, row = folder.file(record), rows.get(image_id)
        if not file.is_file():
            differing.add(image_id)
        elif row and row.sha256:
            if file.stat().st_size == row.n_bytes:
                with file.open("rb") as stream:
                    if hashlib.file_digest(stream, "sha256").hexdigest() == row.sha256:
                        continue
            file.unlink()
            differing.add(image_id)
    return differing


def _whole_picture(file: Path, most_bytes: int) -> bytes | None:
    """A picture that is in its place already; files get there whole or not at all."""
    if not file.is_file() or file.is_symlink() or file.stat().st_size > most_bytes:
        return None
    data = file.read_bytes()
    return data if _is_picture(data) else None


def _is_picture(data: bytes) -> bool:
    try:
        picture_format(data)
    except ImageUnreadableError:
        return False
    return True


def _refuse_other_bytes(answer: Answer, request: Request) -> None:
    """Raises `NoAnswerError` for what is no picture, or not the one that was meant."""
    if not _is_picture(answer.body):
        raise NoAnswerError(
            "the answer is no picture", status=answer.status, n_requests=0, is_final=True
        )
    if reason := request.refusal(answer.body):
        raise NoAnswerError(reason, status=answer.status)


def _record_of(wanted: Wanted) -> ImageRecord:
    metadata: dict[str, Any] = msgspec.json.decode(wanted.metadata)
    return ImageRecord(
        image_id=wanted.image_id,
        source=wanted.source,
        local_path=wanted.local_path,
        url=wanted.url,
        license=wanted.license,
        metadata=metadata,
    )


def _now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%S")


# --- the addresses of each source's pictures


def wikimedia_addresses(most_bytes: int) -> Addresses:
    """The original, which has its EXIF, unless it is too large; else the smaller copy."""

    def addresses(wanted: Wanted) -> list[Request]:
        urls = [wanted.url] if (wanted.n_bytes or 0) <= most_bytes else []
        return [Request(url) for url in (*urls, wanted.thumbnail_url) if url]

    return addresses


def openimages_addresses(template: str) -> Addresses:
    """The public copy, else the original where its size and MD5 are those that are listed."""

    def addresses(wanted: Wanted) -> list[Request]:
        copy = template.format(subset=wanted.subset, image_id=wanted.openimages_id)
        is_original = original_check(wanted.original_n_bytes, wanted.original_md5)
        return [Request(copy), Request(wanted.url, is_original)]

    return addresses


def original_check(n_bytes: int | None, md5: str | None) -> Callable[[bytes], str | None]:
    """Why bytes are not the original: dead links answer with a placeholder."""

    def refusal(data: bytes) -> str | None:
        if n_bytes is not None and len(data) != n_bytes:
            return f"not the original: {len(data):,} bytes, listed are {n_bytes:,}"
        try:
            listed = base64.b64decode(md5 or "", validate=True)
        except binascii.Error:
            listed = b""
        if hashlib.md5(data, usedforsecurity=False).digest() != listed:
            return "not the original: its MD5 differs from the listed one"
        return None

    return refusal


def plain_addresses(wanted: Wanted) -> list[Request]:
    """The listed address."""
    return [Request(wanted.url)]
