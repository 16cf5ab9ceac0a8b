"""Listings into the raw tables: every batch with the cursor behind it, in one transaction.

A listing that is killed goes on behind its last batch. The warehouse is open only while a batch is
written, so that other commands can use it while a source is walked for hours.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import duckdb
import msgspec
import pyarrow as pa
from filelock import lock_descriptor

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.collect.client import Clock
from gainsay.ingest.collect.layouts import COLLECTION_CURSORS, CollectionCursor
from gainsay.ingest.records import Layout
from gainsay.ingest.sinks.duckdb import ensure_raw_schema, insert_batches, transaction

Connect = Callable[[], AbstractContextManager[duckdb.DuckDBPyConnection]]

# another command may hold the warehouse for a moment
_PAUSES_FOR_WAREHOUSE = (1.0, 2.0, 4.0, 8.0, 16.0)
SKIPPED_NO_KEY = "skipped_no_key"


@dataclass
class Warehouse:
    """The warehouse that a collector writes to, opened for as long as a batch takes."""

    connect: Connect
    clock: Clock
    _has_tables: bool = False

    @contextmanager
    def opened(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The warehouse with its raw tables.

        Raises `GainsayError` where another command holds it for longer than half a minute.
        """
        with self._connected() as connection:
            if not self._has_tables:
                ensure_raw_schema(connection)
                self._has_tables = True
            yield connection

    @contextmanager
    def _connected(self) -> Iterator[duckdb.DuckDBPyConnection]:
        for pause in _PAUSES_FOR_WAREHOUSE:
            try:
                context = self.connect()
                connection = context.__enter__()
                break
            except GainsayError as error:
                if "lock" not in str(error):
                    raise
                self.clock.sleep(pause)
        else:
            context = self.connect()
            connection = context.__enter__()
        try:
            yield connection
        finally:
            context.__exit__(None, None, None)

    def cursor(self, source: str, query: str) -> CollectionCursor | None:
        """How far a listing has come; None where it has not begun."""
        with self.opened() as connection:
            found = connection.execute(
                "select source, query, n_listed, is_complete, cursor from raw.collection_cursors"
                " where source = $source and query = $query",
                {"source": source, "query": query},
            ).fetchone()
        return None if found is None else CollectionCursor(*found)

    def write(self, layout: Layout, records: Sequence[Any], cursor: CollectionCursor) -> None:
        """Write a batch of a listing, and how far it has come; both or neither.

        The rows' positions go on from those that the cursor has counted before them.
        """
        with self.opened() as connection, transaction(connection):
            if records:
                insert_records(
                    connection,
                    layout,
                    records,
                    source_file=f"collect/{cursor.source}/{cursor.query}",
                    first_position=cursor.n_listed - len(records),
                )
            replace_cursor(connection, cursor)


def insert_records(
    connection: duckdb.DuckDBPyConnection,
    layout: Layout,
    records: Sequence[Any],
    *,
    source_file: str,
    first_position: int,
) -> None:
    """Insert records of a layout's main array as rows that `source_file` stands for."""
    array = layout.main
    values = [column.build(records) for column in array.columns]
    positions = range(first_position, first_position + len(records))
    values.append(pa.array(positions, pa.int64()))
    batch = pa.RecordBatch.from_arrays(values, schema=array.schema)
    insert_batches(connection, array.table, array.schema, iter([batch]), stamp(source_file))


def stamp(source_file: str, sha256: str | None = None) -> Mapping[str, object]:
    """The columns that the rows of one landing share."""
    return {
        "_source_file": source_file,
        "_source_sha256": sha256,
        "_landed_at": datetime.now(UTC).replace(tzinfo=None),
    }


def replace_cursor(connection: duckdb.DuckDBPyConnection, cursor: CollectionCursor) -> None:
    """Write a cursor in place of its former state."""
    connection.execute(
        "delete from raw.collection_cursors where source = $source and query = $query",
        {"source": cursor.source, "query": cursor.query},
    )
    insert_records(
        connection,
        COLLECTION_CURSORS,
        [cursor],
        source_file=f"collect/{cursor.source}/{cursor.query}",
        first_position=0,
    )


@contextmanager
def alone(path: Path, what: str) -> Iterator[None]:
    """Keep a second process out while the block runs: both would ask a source at once.

    Raises `GainsayError` where another one is at work.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        if not lock_descriptor(descriptor, blocking=False):
            raise GainsayError(f"{path}: another `gainsay collect` {what}; wait for it")
        yield
    finally:
        os.close(descriptor)


def json_text(value: object) -> str:
    """A value as JSON in a text column, keys sorted."""
    return msgspec.json.encode(value, order="sorted").decode()
