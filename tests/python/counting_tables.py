"""Raw tables that keep nothing, to see what a landing itself holds in memory."""

import tracemalloc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

import pyarrow as pa

from gainsay.ingest.sinks.raw_tables import RawTables


class _CountingTables:
    """Tables that are empty whatever is written, and count the rows."""

    def __init__(self) -> None:
        self.n_rows = 0

    @contextmanager
    def transaction(self) -> Iterator[None]:
        yield

    def rows(self, *_: object) -> list[tuple[Any, ...]]:
        return []

    def source_files(self, _table: str) -> set[str]:
        return set()

    def write(
        self, _table: str, _schema: object, batches: Iterator[pa.RecordBatch], _stamp: object
    ) -> None:
        self.n_rows += sum(batch.num_rows for batch in batches)

    def note_file(self, *_: object) -> None:
        pass


def peak_of_landing(land: Callable[[RawTables], object]) -> tuple[int, int]:
    """How many rows a landing brings, and the most memory that Python takes for it, in bytes."""
    tables = _CountingTables()
    tracemalloc.start()
    try:
        land(cast("RawTables", tables))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return tables.n_rows, peak
