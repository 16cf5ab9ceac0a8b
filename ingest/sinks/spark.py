"""The raw tables on Spark: the same columns as on DuckDB, in Parquet files.

The rows of a table that came with one file are a part: a partition of their own, under a name
that nothing else ever has. The tables of the schema `raw` are views of those parts that one list
names. To let that one view show another list is one step of the metastore, and the whole commit:
a landing that is stopped before it has changed nothing that anybody reads.
"""

import re
import tempfile
import uuid
from collections.abc import Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.raw import FILE_TABLES, RAW_TABLES, source_column

STORE = "gainsay_store"
_LIST = f"{STORE}.raw__parts"
# tables that others than a landing replace as a whole
_WHOLE_TABLES = ("column_edges",)
_ROWS_PER_GROUP = 65_536
_TYPES = {"varchar": "string", "integer": "int", "timestamp": "timestamp_ntz"}
_ARROW_TYPES = {
    "varchar": pa.string(),
    "integer": pa.int32(),
    "bigint": pa.int64(),
    "timestamp": pa.timestamp("us"),
}
_STRUCT = re.compile(r"struct\((?P<fields>.*)\)")


def spark_type(sql_type: str) -> str:
    """DuckDB's name of a raw column's type, as Spark spells it."""
    if sql_type.endswith("[]"):
        return f"array<{spark_type(sql_type.removesuffix('[]'))}>"
    if struct := _STRUCT.fullmatch(sql_type):
        fields = (field.strip().split(" ", 1) for field in struct["fields"].split(","))
        return f"struct<{', '.join(f'{name}: {spark_type(kind)}' for name, kind in fields)}>"
    return _TYPES.get(sql_type, sql_type)


def spark_columns(table: str) -> str:
    """The columns of a raw table, as a `create table` of Spark lists them."""
    return ", ".join(f"{name} {spark_type(kind)}" for name, kind in RAW_TABLES[table])


@dataclass(frozen=True)
class Part:
    """Rows of one table that came with one file, or with several if `source_file` is empty."""

    name: str
    table: str
    source_file: str


class SparkSink:
    """The raw tables of a Spark session, as landings write to them."""

    def __init__(self, session: Any) -> None:
        self._session = session
        self._tables: Set[str] = set()
        self._listed: list[Part] = []
        self._parts: list[Part] = []
        self._staged: dict[Part, Path] = {}
        self._folder = Path()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        try:
            self._tables = self._raw_tables()
            self._parts = self._listed_parts()
            self._listed = list(self._parts)
            self._staged = {}
            with tempfile.TemporaryDirectory(prefix="gainsay-") as folder:
                self._folder = Path(folder)
                yield
                if self._parts != self._listed or self._tables != RAW_TABLES.keys():
                    self._commit()
        except (OSError, pa.ArrowException) as error:
            raise _not_written(error) from error
        except Exception as error:
            if type(error).__module__.startswith(("pyspark", "py4j")):
                raise _not_written(error) from error
            raise

    def rows(
        self, table: str, columns: Sequence[str], among: Mapping[str, Collection[str]]
    ) -> list[tuple[Any, ...]]:
        if table not in self._tables:
            return []
        found = self._session.table(f"raw.{table}")
        for name, values in among.items():
            wanted = [(value,) for value in values]
            frame = self._session.createDataFrame(wanted, f"{name} string")
            found = found.join(frame, name, "left_semi")
        return [tuple(row) for row in found.select(*columns).collect()]

    def built_rows(self, relation: str, columns: Sequence[str]) -> list[tuple[Any, ...]] | None:
        if not self._session.catalog.tableExists(relation):
            return None
        return [tuple(row) for row in self._session.table(relation).select(*columns).collect()]

    def source_files(self, table: str) -> set[str]:
        return {part.source_file for part in self._parts if part.table == table}

    def landed_before(self) -> dict[str, tuple[str, int, int]]:
        columns = ("source_file", "sha256", "n_records", "n_rejected")
        return {name: tuple(rest) for name, *rest in self.rows("landed_files", columns, {})}

    def forget(self, source_file: str) -> None:
        for table in FILE_TABLES:
            self.forget_rows(table, source_file)

    def forget_rows(self, table: str, source_file: str) -> None:
        self._parts = [
            part for part in self._parts if (part.table, part.source_file) != (table, source_file)
        ]

    def write(
        self,
        table: str,
        schema: pa.Schema,
        batches: Iterator[pa.RecordBatch],
        stamp: Mapping[str, object],
    ) -> None:
        kinds = dict(RAW_TABLES[table])
        values = {
            name: pa.scalar(value, _ARROW_TYPES[kinds[name]]) for name, value in stamp.items()
        }
        fields = [pa.field(name, value.type) for name, value in values.items()]
        stamped = pa.schema([*schema, *fields])
        path = self._folder / f"{uuid.uuid4().hex}.parquet"
        n_rows = 0
        with pq.ParquetWriter(path, stamped, compression="zstd") as writer:
            for group in _row_group_tables(batches):
                columns = [pa.repeat(value, group.num_rows) for value in values.values()]
                rows = pa.table([*group.columns, *columns], [*group.column_names, *values])
                writer.write_table(rows.cast(stamped))
                n_rows += group.num_rows
        if n_rows:
            self._staged[self.add_part(table, str(stamp.get(source_column(table), "")))] = path

    def note(self, landed: Mapping[str, object]) -> None:
        self.note_file("landed_files", landed)

    def note_file(self, table: str, landed: Mapping[str, object]) -> None:
        self.forget_rows(table, str(landed["source_file"]))
        # one row: what is not alike in all rows of the batch is its size
        batch = pa.RecordBatch.from_pydict({"n_bytes": pa.array([landed["n_bytes"]], pa.int64())})
        stamp = {name: value for name, value in landed.items() if name != "n_bytes"}
        self.write(table, batch.schema, iter([batch]), stamp)

    def add_part(self, table: str, source_file: str = "") -> Part:
        """A new part of a table, which is shown once the transaction ends well."""
        part = Part(uuid.uuid4().hex, table, source_file)
        self._parts.append(part)
        return part

    def parts_of(self, table: str) -> list[str]:
        """The names of the parts that a table has."""
        return [part.name for part in self._parts if part.table == table]

    def forget_parts(self, names: Set[str]) -> None:
        """Show some parts no longer."""
        self._parts = [part for part in self._parts if part.name not in names]

    def folder_of(self, part: Part) -> str:
        """Where the Parquet files of a part lie."""
        return f"{self._location(part.table)}/_part={part.name}"

    def _raw_tables(self) -> set[str]:
        sql = self._session.sql
        if not sql("show databases like 'raw'").collect():
            return set()
        return {row["tableName"] for row in sql("show tables in raw").collect()}

    def _listed_parts(self) -> list[Part]:
        if not self._session.catalog.tableExists(_LIST):
            return []
        rows = self._session.sql(f"select part, table_name, source_file from {_LIST}").collect()
        return sorted((Part(*row) for row in rows), key=lambda part: part.name)

    def _commit(self) -> None:
        sql = self._session.sql
        for schema in ("raw", STORE):
            sql(f"create schema if not exists {schema}")
        stores = {
            row["tableName"] for row in sql(f"show tables in {STORE} like 'raw__*'").collect()
        }
        for part in self._parts:
            if part in self._staged:
                self._put_in_place(part, self._staged[part])
        new = set(self._parts) - set(self._listed)
        filled = {part.table for part in new}
        for table in filled:
            self._create_store(table)
            self._add_partitions(table, [part for part in new if part.table == table])
        # a table that had no part was shown without the store, and still shows none of its parts
        for table in filled & self._tables - {part.table for part in self._listed}:
            sql(f"alter view raw.{table} as {_view_of(table)}")
        self._show_list("raw__parts" in stores)
        for table in RAW_TABLES.keys() - self._tables:
            self._create(table, has_store=table in filled or f"raw__{table}" in stores)
        changed = set(self._parts) ^ set(self._listed)
        self._tidy_up({part.table for part in changed})

    def _create_store(self, table: str) -> None:
        self._session.sql(
            f"create table if not exists {STORE}.raw__{table} ({spark_columns(table)},"
            " _part string) using parquet partitioned by (_part)"
            f" location '{self._location(table)}'"
        )

    def _location(self, table: str) -> str:
        return f"{self._session.conf.get('spark.sql.warehouse.dir')}/{STORE}_raw/{table}"

    def _put_in_place(self, part: Part, path: Path) -> None:
        files, folder = self._files(self.folder_of(part))
        files.mkdirs(folder)
        target = self._hadoop_path(f"{self.folder_of(part)}/part.parquet")
        files.copyFromLocalFile(True, True, self._hadoop_path(path.as_uri()), target)

    def _add_partitions(self, table: str, parts: list[Part]) -> None:
        store = f"{STORE}.raw__{table}"
        added = " ".join(
            f"partition (_part = '{part.name}') location '{self.folder_of(part)}'" for part in parts
        )
        self._session.sql(f"alter table {store} add if not exists {added}")
        self._session.sql(f"refresh table {store}")

    def _show_list(self, is_there: bool) -> None:
        """Let all that was landed, before and now, be seen at once."""
        verb = "alter" if is_there else "create"
        self._session.sql(f"{verb} view {_LIST} as select * from {self._write_list()}")

    def _write_list(self) -> str:
        """The list of parts as a table of its own; returns the table's name."""
        name = f"{_LIST}__v{uuid.uuid4().hex}"
        rows = [(part.name, part.table, part.source_file) for part in self._parts]
        frame = self._session.createDataFrame(
            rows, "part string, table_name string, source_file string"
        )
        frame.coalesce(1).write.saveAsTable(name)
        return name

    def _create(self, table: str, *, has_store: bool) -> None:
        if table in _WHOLE_TABLES:
            self._session.sql(f"create table raw.{table} ({spark_columns(table)}) using parquet")
            return
        query = _view_of(table) if has_store else _no_rows_of(table)
        self._session.sql(f"create view raw.{table} as {query}")

    def _tidy_up(self, tables: Set[str]) -> None:
        """Remove what is no longer shown: former lists, rows of former contents of some tables."""
        sql = self._session.sql
        (shown,) = sql(f"show create table {_LIST}").collect()
        for row in sql(f"show tables in {STORE} like 'raw__parts__v*'").collect():
            if row["tableName"] not in shown[0]:
                sql(f"drop table {STORE}.{row['tableName']}")
        names = {part.name for part in self._parts}
        for table in tables:
            for (partition,) in sql(f"show partitions {STORE}.raw__{table}").collect():
                name = partition.removeprefix("_part=")
                if name not in names:
                    sql(
                        f"alter table {STORE}.raw__{table} drop if exists"
                        f" partition (_part = '{name}')"
                    )
            self._remove_folders(self._location(table), names)

    def _remove_folders(self, location: str, names: Set[str]) -> None:
        """Remove the folders of parts that are not shown, those of stopped landings included."""
        files, folder = self._files(location)
        if files.exists(folder):
            for entry in files.listStatus(folder):
                if entry.getPath().getName().removeprefix("_part=") not in names:
                    files.delete(entry.getPath(), True)

    def _files(self, folder: str) -> tuple[Any, Any]:
        """The file system of a folder, as Spark is configured for it, and the folder's path."""
        path = self._hadoop_path(folder)
        return path.getFileSystem(self._session.sparkContext._jsc.hadoopConfiguration()), path

    def _hadoop_path(self, path: str) -> Any:
        return self._session.sparkContext._jvm.org.apache.hadoop.fs.Path(path)


def _view_of(table: str) -> str:
    columns = ", ".join(f"landed.{name}" for name, _ in RAW_TABLES[table])
    return (
        f"select {columns} from {STORE}.raw__{table} as landed"
        f" left semi join {_LIST} as parts on landed._part = parts.part"
    )


def _no_rows_of(table: str) -> str:
    """A table that nothing has landed in, without the cost of files that hold nothing."""
    columns = (f"cast(null as {spark_type(kind)}) as {name}" for name, kind in RAW_TABLES[table])
    return f"select {', '.join(columns)} where false"


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


def _not_written(error: Exception) -> GainsayError:
    return GainsayError(f"the Spark tables could not be written, nothing was landed: {error}")
