"""The raw tables of an engine, as landings use them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

import pyarrow as pa


class Transactions(Protocol):
    """Raw tables that are written to in one go, or not at all."""

    def transaction(self) -> AbstractContextManager[None]:
        """Keep what the block writes, or nothing of it; the tables are there within.

        Raises `GainsayError` when the tables cannot be written.
        """

    def write(
        self,
        table: str,
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        stamp: Mapping[str, object],
    ) -> None:
        """Write batches as they come; `stamp` holds the columns that are the same in all rows.

        What `batches` raises is raised again.
        """


class RawTables(Transactions, Protocol):
    """The raw tables of one engine, as everything but official files lands in them."""

    def rows(
        self, table: str, columns: Sequence[str], among: Mapping[str, Collection[str]]
    ) -> list[tuple[Any, ...]]:
        """The rows that were there before, whose values are among those of every named column."""

    def built_rows(self, relation: str, columns: Sequence[str]) -> list[tuple[Any, ...]] | None:
        """All rows of a small table that dbt has built; None before it has."""

    def source_files(self, table: str) -> set[str]:
        """The names of the files that a table has rows of."""

    def forget_rows(self, table: str, source_file: str) -> None:
        """Remove the rows of a file from a table."""

    def note_file(self, table: str, landed: Mapping[str, object]) -> None:
        """Write the row of a file in a list of landed files, in place of a former one."""
