"""Exports from Spark: executors write the shards, the driver names them and writes the card.

A task has a range of the records in their order and writes it as the one process does that reads
from DuckDB, into the export's folder, which every worker must reach. No record and no picture
passes the driver. What a lost task leaves is among the parts, which go at the end.
"""

import math
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa

from gainsay.exports.export import Exported, export_by_split
from gainsay.exports.folder import SHARD_BYTES, Parts
from gainsay.exports.formats import DEFAULT_BENCHMARK, FORMATS, format_of
from gainsay.exports.records import Record, Records, ShardWriter
from gainsay.foundation.errors import GainsayError

_WRITTEN = "place int, number int, path string"


def export_on_spark(
    session: Any,
    kind: str,
    folder: Path,
    benchmark: str = DEFAULT_BENCHMARK,
    split: str | None = None,
    shard_bytes: int = SHARD_BYTES,
    language: str | None = None,
    is_one_sided: bool = False,
) -> dict[Path, Exported]:
    """Write a benchmark as `export_by_split` does, from the tables of a session.

    Raises `GainsayError` also for a format that is not of shards.
    """
    if not format_of(kind, benchmark).is_sharded:
        known = ", ".join(name for name, one in FORMATS.items() if one.is_sharded)
        raise GainsayError(
            f"{kind}: is not written from Spark, where every file is a shard of some task's;"
            f" export {known}, or {kind} from DuckDB"
        )
    folder = folder.absolute()
    with _kept_records(session, kind, benchmark) as kept:
        records_of = partial(SparkRecords, kept=kept)
        return export_by_split(
            session, kind, folder, benchmark, split, shard_bytes, language, is_one_sided, records_of
        )


@contextmanager
def _kept_records(session: Any, kind: str, benchmark: str) -> Iterator[dict[str, str]]:
    """Let executors keep all records of a format, without pictures, once they have made them.

    The models are views over views of joins, which each split and each count of the card would
    have Spark plan and compute anew. Gives the names of the temporary views to read in their place;
    none of a model that is not built, which the export says.
    """
    chosen = format_of(kind, benchmark)
    kept = {}
    frames = []
    try:
        # what is kept of the source also serves the model, which reads it
        for model in (chosen.source, chosen.model):
            if session.catalog.tableExists(model):
                kept[model] = f"kept_{model.split('.')[1]}"
                frames.append(session.table(model).persist())
                frames[-1].createOrReplaceTempView(kept[model])
        yield kept
    finally:
        for name in kept.values():
            session.catalog.dropTempView(name)
        for frame in frames:
            frame.unpersist()


def write_exports(session: Any, kinds: Iterable[str]) -> None:
    """Write formats of the Conflict Suite into folders of their names below `GAINSAY_EXPORTS`."""
    folder = Path(os.environ.get("GAINSAY_EXPORTS", "data/exports"))
    for kind in kinds:
        export_on_spark(session, kind, folder / kind)


@dataclass(frozen=True)
class SparkRecords(Records):
    """The rows of a format's model in Spark; `connection` is the session.

    `kept` has temporary views that are read in the place of models.
    """

    kept: Mapping[str, str] = field(default_factory=dict)

    def shards(self, write: ShardWriter, parts: Parts, records_per_task: int) -> list[Path]:
        """What `write` makes of the rows, in tasks of about `records_per_task`."""
        n_tasks = max(1, math.ceil(self.n_rows() / records_per_task))
        ordered = (
            self._frame(self.selected)
            .repartitionByRange(n_tasks, "example_id")
            .sortWithinPartitions("example_id")
        )
        task = partial(_write_range, write, parts.parts, parts.shard_bytes)
        try:
            written = ordered.mapInArrow(task, _WRITTEN).collect()
        except Exception as error:
            raise GainsayError(f"{parts.parts}: a task of Spark failed: {error}") from error
        return [Path(row["path"]) for row in sorted(written)]

    def rows(self, query: str) -> Iterator[Record]:
        """The rows of a query, as of `Records`; they pass the driver."""
        for row in self._frame(query).toLocalIterator():
            yield row.asDict(recursive=True)

    def has_table(self, schema: str, name: str) -> bool:
        """Whether a table is built."""
        return bool(self.connection.catalog.tableExists(f"{schema}.{name}"))

    def _schema_of(self, query: str) -> pa.Schema:
        empty: pa.Table = self._frame(query).toArrow()
        return empty.schema

    def _frame(self, query: str) -> Any:
        named = {name: value for name, value in self._named.items() if f"${name}" in query}
        for name in named:
            query = query.replace(f"${name}", f":{name}")
        if not self.has_table(*self.model.split(".")):
            raise GainsayError(f"{self.model}: run `gainsay spark build` first")
        for model, view in self.kept.items():
            query = re.sub(rf"\b{re.escape(model)}\b", view, query)
        return self.connection.sql(query, args=named)


def _write_range(
    write: ShardWriter, folder: Path, shard_bytes: int, batches: Iterator[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    """Write the records of a task and say which files these are, in their order."""
    from pyspark import TaskContext

    context = TaskContext.get()
    assert context is not None
    records = (record for batch in batches for record in batch.to_pylist())
    # an attempt after a failed one must not write what that may still be writing
    parts = Parts(folder, shard_bytes, prefix=f"{context.taskAttemptId()}-")
    paths = [part.name for part in write(records, parts)]
    places = pa.array([context.partitionId()] * len(paths), pa.int32())
    numbers = pa.array(range(len(paths)), pa.int32())
    columns = [places, numbers, pa.array(paths, pa.string())]
    yield pa.RecordBatch.from_arrays(columns, ["place", "number", "path"])
