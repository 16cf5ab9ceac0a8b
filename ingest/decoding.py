"""Runs of records decoded by processes of their own, a few at a time ahead of who reads them.

msgspec holds the interpreter while it decodes, so that threads decode no faster than one does.
A process gets the runs of a piece as they are cut off and answers with one Arrow batch; the reader
takes the batches in the order of the file, so that a landing is the same row by row with any
number of processes, and without.
"""

import gc
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from queue import SimpleQueue
from typing import NoReturn

import msgspec
import pyarrow as pa

from gainsay.ingest.records import Batch, Layout, RecordArray, Rejection, RunDecoder

# one reader that cuts and one DuckDB that stores keep no more processes busy
_MOST_PROCESSES = 4
# processes take longer to begin than less than this to be decoded
_LEAST_BYTES = 32 * 2**20
# pieces that are cut, decoded or waiting to be taken, for each process
_PIECES_PER_PROCESS = 2

_Key = tuple[str, str]


class Decoders:
    """Processes that decode; `most_ahead` pieces may be given to them before one is taken."""

    def __init__(self, connections: Sequence[Connection], pool: ThreadPoolExecutor) -> None:
        self.most_ahead = _PIECES_PER_PROCESS * len(connections)
        self._pool = pool
        self._idle: SimpleQueue[Connection] = SimpleQueue()
        for connection in connections:
            self._idle.put(connection)

    def begin(self, layout: Layout, array: RecordArray, runs: list[bytes]) -> Future[Batch | None]:
        """Decode runs that each stand as a JSON array, into one batch, the first record at 0.

        The batch is None where a run is no such array, or the process ended before it answered:
        then the process that cut the runs finds out what is wrong with them.
        """
        return self._pool.submit(self._decoded, (layout.kind, array.name), runs)

    def _decoded(self, key: _Key, runs: list[bytes]) -> Batch | None:
        connection = self._idle.get()
        try:
            connection.send((key, len(runs)))
            for run in runs:
                connection.send_bytes(run)
            told: tuple[list[Rejection], list[Rejection]] | None = connection.recv()
            if told is None:
                return None
            with pa.ipc.open_stream(connection.recv_bytes()) as reader:
                return Batch(reader.read_next_batch(), *told)
        except (EOFError, OSError):
            return None
        finally:
            self._idle.put(connection)


@contextmanager
def decoders(layouts: Sequence[Layout], n_bytes: int) -> Iterator[Decoders | None]:
    """Processes for files of these layouts; none where they would not pay, or could do harm.

    A process begins as a copy of this one, which is safe as long as this has one thread: before
    DuckDB is opened and anything is shown.
    """
    n_processes = min(_MOST_PROCESSES, os.cpu_count() or 1)
    if (
        n_bytes < _LEAST_BYTES
        or n_processes < 2
        or sys.platform != "linux"
        or threading.active_count() > 1
    ):
        yield None
        return
    arrays = {(layout.kind, array.name): array for layout in layouts for array in layout.arrays}
    context = multiprocessing.get_context("fork")
    pipes = [context.Pipe() for _ in range(n_processes)]
    ours = [our for our, _ in pipes]
    processes = [
        context.Process(target=_serve, args=(number, pipes, arrays), daemon=True)
        for number in range(n_processes)
    ]
    for process in processes:
        process.start()
    for _, theirs in pipes:
        theirs.close()
    try:
        with ThreadPoolExecutor(n_processes) as pool:
            yield Decoders(ours, pool)
    finally:
        # they end when the process that asks them is gone
        for our in ours:
            our.close()
        for process in processes:
            process.join()


def _serve(
    number: int,
    pipes: Sequence[tuple[Connection, Connection]],
    arrays: dict[_Key, RecordArray],
) -> NoReturn:
    """Decode what comes until nothing more can come."""
    # who presses Ctrl-C interrupts the landing, which ends this process
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    for place, (theirs, own) in enumerate(pipes):
        # an end that stayed open here would keep the other processes waiting
        theirs.close()
        if place != number:
            own.close()
    # decoded records hold no circles
    gc.disable()
    connection = pipes[number][1]
    try:
        while True:
            key, n_runs = connection.recv()
            _answer(connection, arrays[key], n_runs)
    except (EOFError, OSError):
        # the process that would hear of it is gone, and cleans up what was inherited
        os._exit(0)


def _answer(connection: Connection, array: RecordArray, n_runs: int) -> None:
    decode_run = RunDecoder(array)
    batches: list[Batch] = []
    is_sound = True
    for _ in range(n_runs):
        run = connection.recv_bytes()
        try:
            if is_sound:
                batches.append(decode_run(run))
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
            is_sound = False
    if not is_sound:
        connection.send(None)
        return
    rejections = [rejection for batch in batches for rejection in batch.rejections]
    connection.send((rejections, [note for batch in batches for note in batch.notes]))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, array.schema) as writer:
        writer.write_batch(pa.concat_batches([batch.records for batch in batches]))
    connection.send_bytes(sink.getvalue())
