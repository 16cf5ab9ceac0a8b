"""`raw.image_files` of a DuckDB warehouse, as a landing of pictures writes to it."""

import os
from collections.abc import Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.sinks.duckdb import ensure_raw_schema
from gainsay.python_udfs.pixels.image_files import IMAGE_ROWS, ImageFile, ImageLimits, image_row


class DuckDbImages:
    """The rows of pictures in a DuckDB warehouse; their files are read by threads of this process.

    Raises `GainsayError` when the warehouse cannot be written.
    """

    files_per_step = 256

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self._connection = connection
        with _errors_explained():
            ensure_raw_schema(connection)

    def fingerprints(self) -> dict[str, str | None]:
        with _errors_explained():
            rows = self._connection.execute("select path, _fingerprint from raw.image_files")
            return dict(rows.fetchall())

    def forget(self, paths: Collection[str]) -> None:
        with _errors_explained():
            self._delete(list(paths))

    def land(self, images: Sequence[ImageFile], limits: ImageLimits) -> None:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            rows = list(pool.map(lambda image: image_row(image, limits), images))
        with _errors_explained():
            self._replace(pa.Table.from_pylist(rows, schema=IMAGE_ROWS))

    def errors(self, paths: Collection[str]) -> dict[str, int]:
        with _errors_explained():
            rows = self._connection.execute(
                "select error_kind, count(*) from raw.image_files"
                " where list_contains($paths, path) and error_kind is not null group by all"
                " order by all",
                {"paths": list(paths)},
            )
            return dict(rows.fetchall())

    def _replace(self, landing: pa.Table) -> None:
        self._connection.begin()
        try:
            self._delete(landing["path"].to_pylist())
            self._connection.register("landing", landing)
            self._connection.execute("insert into raw.image_files by name select * from landing")
            self._connection.unregister("landing")
            self._connection.commit()
        except duckdb.Error:
            # a commit that failed, as on a full disk, has ended the transaction
            with suppress(duckdb.Error):
                self._connection.rollback()
            raise

    def _delete(self, paths: list[str]) -> None:
        self._connection.execute(
            "delete from raw.image_files where path in (select unnest($paths))", {"paths": paths}
        )


@contextmanager
def _errors_explained() -> Iterator[None]:
    try:
        yield
    except duckdb.Error as error:
        raise GainsayError(f"the warehouse could not be written: {error}") from error
