"""The raw tables on Spark: the same columns as on DuckDB, in Parquet files.

A file's rows are a partition of their own, named after the file and the sha256 of its content,
and the tables of the schema `raw` are views of those partitions that `raw.landed_files` lists.
To let that one view show another list is one step of the metastore, and the whole commit: a
landing that is stopped before it has changed nothing that anybody reads.
"""

import re
import tempfile
import uuid
from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.errors import GainsayError
from ingest.raw import FILE_TABLES, RAW_TABLES

STORE = "gainsay_store"
_ROWS_PER_GROUP = 65_536
_PARTITIONED_BY = ("_source_file", "_source_sha256")
_TYPES = {"varchar": "string", "integer": "int", "timestamp": "timestamp_ntz"}
_STRUCT = re.compile(r"struct\((?P<fields>.*)\)")

_Partition = tuple[str, str, str]


def spark_type(sql_type: str) -> str:
    """DuckDB's name of a raw column's type, as Spark spells it."""
    if sql_type.endswith("[]"):
        return f"array<{spark_type(sql_type.removesuffix('[]'))}>"
    if struct := _STRUCT.fullmatch(sql_type):
        fields = (field.strip().split(" ", 1) for field in struct["fields"].split(","))
        return f"struct<{', '.join(f'{name}: {spark_type(kind)}' for name, kind in fields)}>"
    return _TYPES.get(sql_type, sql_type)


class SparkSink:
    """The raw tables of a Spark session, as a landing writes to them."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._tables: Set[str] = set()
        self._landed: dict[str, Mapping[str, object]] = {}
        self._staged: list[tuple[_Partition, Path]] = []
        self._folder = Path()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        try:
            self._tables = self._raw_tables()
            self._landed = self._landed_rows()
            former = dict(self._landed)
            self._staged = []
            with tempfile.TemporaryDirectory(prefix="gainsay-") as folder:
                self._folder = Path(folder)
                yield
                if self._landed != former or self._tables != RAW_TABLES.keys():
                    self._commit()
        except (OSError, pa.ArrowException) as error:
            raise _not_written(error) from error
        except Exception as error:
            if type(error).__module__.startswith(("pyspark", "py4j")):
                raise _not_written(error) from error
            raise

    def landed_before(self) -> dict[str, tuple[str, int, int]]:
        return {
            name: (str(row["sha256"]), _count(row["n_records"]), _count(row["n_rejected"]))
            for name, row in self._landed.items()
        }

    def forget(self, source_file: str) -> None:
        """Take back what this landing wrote of the file.

        Rows of a content that is listed no more are not seen any more.
        """
        self._staged = [staged for staged in self._staged if staged[0][1] != source_file]

    def write(
        self,
        table: str,
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        stamp: Mapping[str, object],
    ) -> None:
        path = self._folder / f"{uuid.uuid4().hex}.parquet"
        landed_at = pa.scalar(stamp["_landed_at"], pa.timestamp("us"))
        schema = schema.append(pa.field("_landed_at", landed_at.type))
        n_rows = 0
        with pq.ParquetWriter(path, schema, compression="zstd") as writer:
            for group in _row_group_tables(batches):
                times = pa.repeat(landed_at, group.num_rows)
                writer.write_table(group.append_column("_landed_at", times).cast(schema))
                n_rows += group.num_rows
        if n_rows:
            source_file, sha256 = (str(stamp[name]) for name in _PARTITIONED_BY)
            self._staged.append(((table, source_file, sha256), path))

    def note(self, landed: Mapping[str, object]) -> None:
        self._landed[str(landed["source_file"])] = landed

    def _raw_tables(self) -> set[str]:
        if not self._session.sql("show databases like 'raw'").collect():
            return set()
        return {row["tableName"] for row in self._session.sql("show tables in raw").collect()}

    def _landed_rows(self) -> dict[str, Mapping[str, object]]:
        if "landed_files" not in self._tables:
            return {}
        rows = self._session.sql("select * from raw.landed_files").collect()
        return {row["source_file"]: row.asDict() for row in rows}

    def _commit(self) -> None:
        sql = self._session.sql
        for schema in ("raw", STORE):
            sql(f"create schema if not exists {schema}")
        for table in FILE_TABLES:
            if table not in self._tables:
                self._create_partitioned(table)
        for number, (partition, path) in enumerate(self._staged):
            self._add_partition(partition, path, number)
        # all that was landed before and now becomes visible at once
        self._show("landed_files", f"select * from {self._write_landed_files()}")
        for table in RAW_TABLES.keys() - self._tables - {"landed_files"}:
            self._create(table)
        self._tidy_up()

    def _create_partitioned(self, table: str) -> None:
        columns = ", ".join(f"{name} {spark_type(kind)}" for name, kind in RAW_TABLES[table])
        self._session.sql(
            f"create table if not exists {STORE}.raw__{table} ({columns}) using parquet"
            f" partitioned by ({', '.join(_PARTITIONED_BY)}) location '{self._location(table)}'"
        )

    def _location(self, table: str) -> str:
        return f"{self._session.conf.get('spark.sql.warehouse.dir')}/{STORE}_raw/{table}"

    def _add_partition(self, partition: _Partition, path: Path, number: int) -> None:
        table, source_file, sha256 = partition
        folder = f"{self._location(table)}/_source_file={source_file}/_source_sha256={sha256}"
        files, folder_path = self._files(folder)
        if not any(earlier == partition for earlier, _ in self._staged[:number]):
            # what an interrupted landing of the same content has left
            files.delete(folder_path, True)
        files.mkdirs(folder_path)
        local = self._hadoop_path(path.as_uri())
        files.copyFromLocalFile(
            True, True, local, self._hadoop_path(f"{folder}/part-{number}.parquet")
        )
        self._session.sql(
            f"alter table {STORE}.raw__{table} add if not exists"
            f" partition ({_partition_of(source_file, sha256)}) location '{folder}'"
        )
        self._session.sql(f"refresh table {STORE}.raw__{table}")

    def _write_landed_files(self) -> str:
        """The list of landed files as a table of its own; returns the table's name."""
        name = f"{STORE}.raw__landed_files__v{uuid.uuid4().hex}"
        columns = [(column, spark_type(kind)) for column, kind in RAW_TABLES["landed_files"]]
        rows = [tuple(row[column] for column, _ in columns) for row in self._landed.values()]
        schema = ", ".join(f"{column} {kind}" for column, kind in columns)
        self._session.createDataFrame(rows, schema).coalesce(1).write.saveAsTable(name)
        return name

    def _show(self, table: str, query: str) -> None:
        verb = "alter" if table in self._tables else "create"
        self._session.sql(f"{verb} view raw.{table} as {query}")

    def _create(self, table: str) -> None:
        if table not in FILE_TABLES:
            columns = ", ".join(f"{name} {spark_type(kind)}" for name, kind in RAW_TABLES[table])
            self._session.sql(f"create table raw.{table} ({columns}) using parquet")
            return
        columns = ", ".join(f"landed.{name}" for name, _ in RAW_TABLES[table])
        self._show(
            table,
            f"select {columns} from {STORE}.raw__{table} as landed"
            " left semi join raw.landed_files as files on"
            " landed._source_file = files.source_file and landed._source_sha256 = files.sha256",
        )

    def _tidy_up(self) -> None:
        """Remove what is no longer shown: former lists, rows of former contents."""
        sql = self._session.sql
        shown = {(name, str(row["sha256"])) for name, row in self._landed.items()}
        (newest,) = {
            row["tableName"] for row in self._lists() if self._is_shown(str(row["tableName"]))
        }
        for row in self._lists():
            if row["tableName"] != newest:
                sql(f"drop table {STORE}.{row['tableName']}")
        for table in FILE_TABLES:
            for (partition,) in sql(f"show partitions {STORE}.raw__{table}").collect():
                source_file, sha256 = (part.split("=", 1)[1] for part in partition.split("/"))
                if (source_file, sha256) not in shown:
                    sql(
                        f"alter table {STORE}.raw__{table} drop if exists"
                        f" partition ({_partition_of(source_file, sha256)})"
                    )
                    files, folder = self._files(f"{self._location(table)}/{partition}")
                    files.delete(folder, True)

    def _lists(self) -> list[Any]:
        rows: list[Any] = self._session.sql(
            f"show tables in {STORE} like 'raw__landed_files__v*'"
        ).collect()
        return rows

    def _is_shown(self, table: str) -> bool:
        (row,) = self._session.sql("show create table raw.landed_files").collect()
        return table in row[0]

    def _files(self, folder: str) -> tuple[Any, Any]:
        """The file system of a folder, as Spark is configured for it, and the folder's path."""
        path = self._hadoop_path(folder)
        return path.getFileSystem(self._session.sparkContext._jsc.hadoopConfiguration()), path

    def _hadoop_path(self, path: str) -> Any:
        return self._session.sparkContext._jvm.org.apache.hadoop.fs.Path(path)


def _row_group_tables(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.Table]:
    """Batches as tables of a row group's size, so that not all of a file is held at once."""
    gathered: list[pa.RecordBatch] = []
    for batch in batches:
        gathered.append(batch)
        if sum(part.num_rows for part in gathered) >= _ROWS_PER_GROUP:
            yield pa.Table.from_batches(gathered)
            gathered = []
    if gathered:
        yield pa.Table.from_batches(gathered)


def _partition_of(source_file: str, sha256: str) -> str:
    return f"_source_file = '{source_file}', _source_sha256 = '{sha256}'"


def _count(value: object) -> int:
    assert isinstance(value, int)
    return value


def _not_written(error: Exception) -> GainsayError:
    return GainsayError(f"the Spark tables could not be written, nothing was landed: {error}")
