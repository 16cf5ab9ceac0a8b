"""Whole tables of Spark: taken along as Parquet files, and replaced."""

import time
import uuid
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance
from gainsay.python_udfs.storage import LONGEST_PAUSE_S
from gainsay.spark.session import spark_warehouse

# Spark passes over names that begin with a dot
_COPY: Final = ".copy-"


def copy_tables(
    session: Any, names: Iterable[tuple[str, str]], folder: Path, advance: Advance
) -> list[tuple[str, str]]:
    """Copy those tables, by schema and name, that are there into `folder/schema.name`.

    What users read are views, which have no files of their own, so Spark writes the rows of
    each anew: executors write them beside its tables, where all of them can, and from there they
    come here. The driver collects no rows. Says which tables were there; `advance` counts all
    that were asked for.
    """
    warehouse = session.conf.get("spark.sql.warehouse.dir")
    beside = f"{warehouse}/{_COPY}{uuid.uuid4().hex}"
    path = session.sparkContext._jvm.org.apache.hadoop.fs.Path
    files = path(beside).getFileSystem(session.sparkContext._jsc.hadoopConfiguration())
    _remove_leftovers(files, path(warehouse))
    copied = []
    try:
        for schema, name in names:
            advance()
            relation = f"{schema}.{name}"
            if not session.catalog.tableExists(relation):
                continue
            session.table(relation).write.parquet(f"{beside}/{relation}")
            target = path((folder / relation).absolute().as_uri())
            files.copyToLocalFile(True, path(f"{beside}/{relation}"), target, True)
            copied.append((schema, name))
    finally:
        files.delete(path(beside), True)
    return copied


def _remove_leftovers(files: Any, warehouse: Any) -> None:
    """Remove the copies of killed runs: those that were not written to for a day."""
    if not files.exists(warehouse):
        return
    oldest_ms = 1000 * (time.time() - LONGEST_PAUSE_S)
    for entry in files.listStatus(warehouse):
        is_copy = entry.getPath().getName().startswith(_COPY)
        if is_copy and entry.getModificationTime() < oldest_ms:
            files.delete(entry.getPath(), True)


def replace_rows(session: Any, table: str, rows: pa.Table) -> None:
    """Put rows in the place of those that a landed table has.

    Raises `GainsayError` when the table is not there.
    """
    if not session.catalog.tableExists(table):
        raise GainsayError(
            f"{spark_warehouse()}: has no {table}; run `gainsay land --target spark PATH...`"
            " first, or set GAINSAY_SPARK_WAREHOUSE"
        )
    frame = session.createDataFrame(rows).select(session.table(table).columns)
    frame.coalesce(1).write.insertInto(table, overwrite=True)
