"""The log of a queue's votes: one event a line, on the disk before its sender hears of it.

Many requests share one fsync: what arrives while the disk is busy is written at once after it, so
that the number of fsyncs and not that of readers is the limit. A log has one writer, which holds
the lock of the file. It holds who judged what, with notes: nobody but its owner may read it.
"""

import asyncio
import errno
import os
import re
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from filelock import lock_descriptor

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import MOST_WHOLE_BYTES, require_regular
from gainsay.foundation.whole_files import read_whole_file
from gainsay.ingest.streams import BYTE_ORDER_MARK
from gainsay.ingest.votes import Event, event_of_line
from gainsay.review.records import Queue
from gainsay.review.votes import line_of

# of a line that this page wrote
_BEGINNING: Final = b'{"event_id":"'
_MOST_NAMED: Final = 10
_APPENDING: Final = os.O_RDWR | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
_OWNERS_FILE: Final = 0o600
_OWNERS_FOLDER: Final = 0o700
_LOGS: Final = re.compile(r"\.secret|.+\.ndjson(\.aside)?")
_FULL: Final = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}


class NotKeptError(Exception):
    """Why events could not be kept; `is_full` where the disk has no room."""

    def __init__(self, reason: str, *, is_full: bool) -> None:
        super().__init__(reason)
        self.is_full = is_full


class VoteLog:
    """An append-only file of events.

    `events` are those that the file held when it was opened, `unreadable` the numbers of its lines
    that are none: they stay in the file, and landing it says what is wrong with each. A last line
    that a kill or a full disk has cut is no event: it was never acknowledged, and is cut off; what
    the page has not begun itself is kept in a file beside. Raises `GainsayError` where the file
    cannot be written, or another process writes it.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.events: list[Event] = []
        self.unreadable: list[int] = []
        self._waiting: list[tuple[bytes, asyncio.Future[None]]] = []
        self._writing: asyncio.Task[None] | None = None
        self._broken: str | None = None
        try:
            private_folder(path.parent)
            if path.exists():
                # a pipe would be waited for
                require_regular(path, MOST_WHOLE_BYTES)
            self._file = os.open(path, _APPENDING, _OWNERS_FILE)
            # a log of former times, or one that a person copied here; somebody else's stays theirs
            with suppress(PermissionError):
                os.fchmod(self._file, _OWNERS_FILE)
        except OSError as error:
            raise GainsayError(f"{path}: cannot be written: {error.strerror}") from error
        try:
            self._lock()
            self._size = self._read()
        except BaseException:
            os.close(self._file)
            raise
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix=path.name)

    def _lock(self) -> None:
        try:
            is_ours = lock_descriptor(self._file, blocking=False)
        except OSError as error:
            raise GainsayError(
                f"{self.path}: its file system has no locks ({error.strerror}); name a folder on"
                " another one with --log"
            ) from error
        if not is_ours:
            raise GainsayError(
                f"{self.path}: another `gainsay review` writes this log; use its page, or name"
                " another folder with --log"
            )

    def _read(self) -> int:
        """Read the events, mend the last line, and return the size of the file."""
        try:
            data = read_whole_file(self.path).content
            cut = data.rpartition(b"\n")[2]
            size = len(data) - len(cut)
            if cut and isinstance(event_of_line(0, cut), Event):
                # somebody's editor has left out the end of the last line
                os.write(self._file, b"\n")
                size = len(data) + 1
            elif cut:
                if not cut.startswith(_BEGINNING):
                    self._put_aside(cut)
                os.ftruncate(self._file, size)
                data = data[:size]
            os.fsync(self._file)
            folder = os.open(self.path.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise GainsayError(f"{self.path}: cannot be mended: {error.strerror}") from error
        self.events, self.unreadable = _events_of(data)
        return size

    def _put_aside(self, cut: bytes) -> None:
        """Keep what stood without its end at the end of the file, whoever wrote it there."""
        aside = self.path.with_name(f"{self.path.name}.aside")
        with os.fdopen(os.open(aside, _APPENDING, _OWNERS_FILE), "ab") as file:
            file.write(cut + b"\n")
            file.flush()
            os.fsync(file.fileno())

    async def append(self, events: Sequence[Event]) -> None:
        """Keep events; they are on the disk when this returns.

        Raises `NotKeptError` when they are not; the file is then as it was before.
        """
        if not events:
            return
        loop = asyncio.get_running_loop()
        kept = loop.create_future()
        self._waiting.append((b"".join(map(line_of, events)), kept))
        if self._writing is None:
            self._writing = loop.create_task(self._write_waiting())
        await kept

    async def _write_waiting(self) -> None:
        loop = asyncio.get_running_loop()
        try:
            while self._waiting:
                batch, self._waiting = self._waiting, []
                data = b"".join(data for data, _ in batch)
                failure: NotKeptError | None = None
                try:
                    await loop.run_in_executor(self._thread, self._store, data)
                except NotKeptError as error:
                    failure = error
                for _, kept in batch:
                    if kept.cancelled():
                        continue
                    if failure:
                        kept.set_exception(NotKeptError(str(failure), is_full=failure.is_full))
                    else:
                        kept.set_result(None)
        finally:
            self._writing = None

    def _store(self, data: bytes) -> None:
        if self._broken:
            raise NotKeptError(self._broken, is_full=False)
        try:
            left = memoryview(data)
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            self._take_back()
            raise self._not_kept(error) from error
        try:
            os.fsync(self._file)
        except OSError as error:
            # the system may have dropped what it could not write, and says so only once
            self._take_back()
            self._broken = f"{self.path}: {error.strerror}; start `gainsay review` again"
            raise self._not_kept(error) from error
        self._size += len(data)

    def _take_back(self) -> None:
        """Cut off the events that were written and never acknowledged."""
        try:
            os.ftruncate(self._file, self._size)
        except OSError as error:
            self._broken = (
                f"{self.path}: half a vote cannot be taken back: {error.strerror}; start"
                " `gainsay review` again"
            )

    def _not_kept(self, error: OSError) -> NotKeptError:
        is_full = error.errno in _FULL
        reason = "the server's disk is full" if is_full else f"{self.path.name}: {error.strerror}"
        return NotKeptError(reason, is_full=is_full)

    def close(self) -> None:
        """Close the file, and let another process write it."""
        self._thread.shutdown()
        os.close(self._file)


def private_folder(folder: Path) -> None:
    """Have a folder for logs that nobody but its owner looks into.

    One that holds other files, too, such as a home or /tmp, keeps who may. Raises `OSError`.
    """
    folder.mkdir(mode=_OWNERS_FOLDER, parents=True, exist_ok=True)
    if all(_LOGS.fullmatch(path.name) for path in folder.iterdir()):
        with suppress(PermissionError):
            folder.chmod(_OWNERS_FOLDER)


def log_path(folder: Path, queue: Queue) -> Path:
    """The log of a queue; names of queues are no paths, whatever they hold."""
    return folder / f"{quote(queue.benchmark, safe='')}__{quote(queue.name, safe='')}.ndjson"


def read_log(path: Path) -> tuple[list[Event], list[int]]:
    """The events of a log that another process may be writing, and the lines that are none.

    Of a log that is not there, none. Its last line may be half written. Raises `GainsayError` where
    it cannot be read.
    """
    try:
        path.stat()
    except FileNotFoundError:
        return [], []
    except OSError as error:
        raise GainsayError(f"{path}: cannot be read: {error.strerror}") from error
    data = read_whole_file(path).content
    events, unreadable = _events_of(data)
    n_lines = data.count(b"\n")
    return events, [number for number in unreadable if number <= n_lines]


def _events_of(data: bytes) -> tuple[list[Event], list[int]]:
    """The events of a log, as landing takes them, and the numbers of the lines that are none."""
    events, unreadable = [], []
    for number, line in enumerate(data.removeprefix(BYTE_ORDER_MARK).split(b"\n"), start=1):
        if not line.strip():
            continue
        read = event_of_line(number, line)
        if isinstance(read, Event):
            events.append(read)
        else:
            unreadable.append(number)
    return events, unreadable


def told(log: Path, unreadable: Sequence[int]) -> str:
    """What people are told of lines of a log that are no votes."""
    named = ", ".join(f"{number:,}" for number in unreadable[:_MOST_NAMED])
    more = len(unreadable) - _MOST_NAMED
    and_more = f" and {more:,} more" if more > 0 else ""
    return (
        f"{log}: {len(unreadable):,} lines are no votes and are left out: {named}{and_more}; they"
        f" stay in the log, and `gainsay land-votes {log}` says what is wrong with each"
    )
