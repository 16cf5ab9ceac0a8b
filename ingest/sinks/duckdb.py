"""The raw tables of a DuckDB warehouse: how they are made, and how records are written to them."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import duckdb
import pyarrow as pa

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.raw import FILE_TABLES, KEYED_TABLES, RAW_TABLES, source_column


def ensure_raw_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the schema `raw` and those of its tables that do not exist yet.

    Raises `GainsayError` where a table is there in the layout of an older version.
    """
    connection.execute("create schema if not exists raw")
    for table, columns in RAW_TABLES.items():
        spelled = [f"{name} {sql_type}" for name, sql_type in columns]
        if table in KEYED_TABLES:
            spelled[0] += " primary key"
        connection.execute(f"create table if not exists raw.{table} ({', '.join(spelled)})")
    _refuse_older_layout(connection)


def _refuse_older_layout(connection: duckdb.DuckDBPyConnection) -> None:
    found = set(
        connection.execute(
            "select table_name, column_name from duckdb_columns()"
            " where schema_name = 'raw' and database_name = current_database()"
        ).fetchall()
    )
    keyed = {
        name
        for (name,) in connection.execute(
            "select table_name from duckdb_constraints() where schema_name = 'raw'"
            " and database_name = current_database() and constraint_type = 'PRIMARY KEY'"
        ).fetchall()
    }
    lacking = [
        f"raw.{table} has no column {name}"
        for table, columns in RAW_TABLES.items()
        for name, _ in columns
        if (table, name) not in found
    ]
    lacking += [f"raw.{table} has no key" for table in KEYED_TABLES if table not in keyed]
    if lacking:
        raise GainsayError(
            f"this warehouse is of an older version of gainsay: {', '.join(lacking)}; set"
            " GAINSAY_DB to a new file, land your files there with the same commands, and run"
            " `dbt build`"
        )


def insert_batches(
    connection: duckdb.DuckDBPyConnection,
    table: str,
    schema: pa.Schema,
    batches: Iterator[pa.RecordBatch],
    stamp: Mapping[str, object],
) -> None:
    """Insert batches while they are made: DuckDB stores the former ones during the next.

    `stamp` holds the columns that are alike in all rows. What `batches` raises is raised
    again, where DuckDB would pass on its text only.
    """
    raised: list[BaseException] = []

    def noting_errors() -> Iterator[pa.RecordBatch]:
        try:
            yield from batches
        except BaseException as error:
            raised.append(error)
            raise

    connection.register("landing", pa.RecordBatchReader.from_batches(schema, noting_errors()))
    stamped = ", ".join(f"${name} as {name}" for name in stamp)
    try:
        connection.execute(
            f"insert into raw.{table} by name select *, {stamped} from landing", dict(stamp)
        )
    except duckdb.Error:
        if raised:
            raise raised[0] from None
        raise
    finally:
        # an aborted transaction refuses this as well, and would hide what aborted it
        with suppress(duckdb.Error):
            connection.unregister("landing")


@contextmanager
def transaction(connection: duckdb.DuckDBPyConnection) -> Iterator[None]:
    """Commit what the block writes, or nothing of it.

    Raises `GainsayError` when the warehouse cannot be written.
    """
    try:
        connection.begin()
        yield
        connection.commit()
    except BaseException as error:
        # a failed commit has already ended the transaction
        with suppress(duckdb.Error):
            connection.rollback()
        if isinstance(error, duckdb.Error):
            raise GainsayError(
                f"the warehouse could not be written, nothing was landed: {error}"
            ) from error
        raise


class DuckDbSink:
    """The raw tables of a DuckDB warehouse, as a landing writes to them."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection

    @contextmanager
    def transaction(self) -> Iterator[None]:
        with transaction(self._connection):
            ensure_raw_schema(self._connection)
            yield

    def landed_before(self) -> dict[str, tuple[str, int, int]]:
        rows = self._connection.execute(
            "select source_file, sha256, n_records, n_rejected from raw.landed_files"
        ).fetchall()
        return {
            name: (sha256, n_records, n_rejected) for name, sha256, n_records, n_rejected in rows
        }

    def rows(
        self, table: str, columns: Sequence[str], among: Mapping[str, Collection[str]]
    ) -> list[tuple[Any, ...]]:
        wanted = " and ".join(f"{name} in (select unnest(${name}))" for name in among) or "true"
        try:
            rows = self._connection.execute(
                f"select {', '.join(columns)} from raw.{table} where {wanted}",
                {name: list(values) for name, values in among.items()},
            )
        except duckdb.CatalogException:
            # nothing has landed in this warehouse
            return []
        return rows.fetchall()

    def built_rows(self, relation: str, columns: Sequence[str]) -> list[tuple[Any, ...]] | None:
        try:
            rows = self._connection.execute(f"select {', '.join(columns)} from {relation}")
        except duckdb.CatalogException:
            return None
        return rows.fetchall()

    def source_files(self, table: str) -> set[str]:
        rows = self._connection.execute(f"select distinct _source_file from raw.{table}")
        return {name for (name,) in rows.fetchall()}

    def forget(self, source_file: str) -> None:
        for table in FILE_TABLES:
            self.forget_rows(table, source_file)

    def forget_rows(self, table: str, source_file: str) -> None:
        self._connection.execute(
            f"delete from raw.{table} where {source_column(table)} = ?", [source_file]
        )

    def write(
        self,
        table: str,
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        stamp: Mapping[str, object],
    ) -> None:
        insert_batches(self._connection, table, schema, batches, stamp)

    def note(self, landed: Mapping[str, object]) -> None:
        self.note_file("landed_files", landed)

    def note_file(self, table: str, landed: Mapping[str, object]) -> None:
        marks = ", ".join("?" * len(landed))
        self._connection.execute(
            f"insert or replace into raw.{table} ({', '.join(landed)}) values ({marks})",
            [*landed.values()],
        )
