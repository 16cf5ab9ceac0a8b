"""Records that were rejected, until they land: on disk, since a file may hold no other."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import attrgetter
from typing import IO

import pyarrow as pa

from gainsay.ingest.raw import REJECTED_RECORDS, rejected_records
from gainsay.ingest.records import Rejection

_BYTES_IN_MEMORY = 16 * 2**20


class Rejections:
    """The rejected records of a file, as rows in a file of their own; the first of each array."""

    def __init__(self, file: IO[bytes]) -> None:
        self.first: dict[str, Rejection] = {}
        self.n_rejected = 0
        # values that records landed without
        self.n_notes = 0
        self._file = file
        self._writer = pa.ipc.new_stream(file, REJECTED_RECORDS)

    def add(self, array_name: str, rejections: Sequence[Rejection]) -> None:
        if rejections:
            # a record whose key came again is decoded last
            former = self.first.get(array_name, rejections[0])
            self.first[array_name] = min(former, rejections[0], key=attrgetter("position"))
            self.n_rejected += len(rejections)
            self._writer.write_batch(rejected_records(array_name, rejections))

    def note(self, array_name: str, notes: Sequence[Rejection]) -> None:
        """Keep what records landed without; they are not rejected."""
        if notes:
            self.n_notes += len(notes)
            self._writer.write_batch(rejected_records(array_name, notes))

    def batches(self) -> Iterator[pa.RecordBatch]:
        self._writer.close()
        self._file.seek(0)
        yield from pa.ipc.open_stream(self._file)


@contextmanager
def spooled_rejections() -> Iterator[Rejections]:
    """Rejections that are kept as long as the block runs."""
    with tempfile.SpooledTemporaryFile(_BYTES_IN_MEMORY) as file:
        yield Rejections(file)
