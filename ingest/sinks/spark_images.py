"""`raw.image_files` on Spark: workers read the files and write the rows, step by step.

The driver knows names, sizes and fingerprints; no picture passes it. Rows of one step are a part
of the table, which appears when they are all there.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import Any

import pyarrow as pa

from gainsay.ingest.sinks.spark import STORE, SparkSink, spark_columns
from gainsay.python_udfs.pixels.image_files import (
    IMAGE_FILES,
    IMAGE_ROWS,
    ImageFile,
    ImageLimits,
    image_rows,
)

_TABLE = "image_files"
# so few that none of them keeps the others waiting for long
_FILES_PER_TASK = 64


class SparkImages:
    """The rows of pictures in the Spark tables of a session.

    Paths must lead to the files from every worker: those of a shared folder, or URLs. Raises
    `GainsayError` when the tables cannot be written.
    """

    files_per_step = 16_384

    def __init__(self, session: Any) -> None:
        self._session = session
        self._sink = SparkSink(session)

    def fingerprints(self) -> dict[str, str | None]:
        with self._sink.transaction():
            return dict(self._sink.rows(_TABLE, ("path", "_fingerprint"), {}))

    def forget(self, paths: Collection[str]) -> None:
        with self._sink.transaction():
            self._without(paths)

    def land(self, images: Sequence[ImageFile], limits: ImageLimits) -> None:
        listing = pa.Table.from_pylist([vars(image) for image in images], IMAGE_FILES)
        n_tasks = -(-len(images) // _FILES_PER_TASK)
        with self._sink.transaction():
            self._without([image.path for image in images])
            files = self._session.createDataFrame(listing).repartition(n_tasks)
            rows = files.mapInArrow(_reading(limits), spark_columns(_TABLE))
            self._write(rows)

    def errors(self, paths: Collection[str]) -> dict[str, int]:
        with self._sink.transaction():
            kinds = self._sink.rows(_TABLE, ("error_kind",), {"path": paths})
        found = [kind for (kind,) in kinds if kind is not None]
        return {kind: found.count(kind) for kind in sorted(set(found))}

    def _without(self, paths: Collection[str]) -> None:
        """Put parts without the rows of some files in the place of those that have them."""
        names = self._sink.parts_of(_TABLE)
        if not names:
            return
        gone = self._frame("path", paths)
        stored = self._session.table(f"{STORE}.raw__{_TABLE}")
        # as a join: Hive's metastore may know no filter of partitions
        listed = stored.join(self._frame("_part", names), "_part", "left_semi")
        hit = listed.join(gone, "path", "left_semi").select("_part").distinct().collect()
        if changed := {part for (part,) in hit}:
            rows = stored.join(self._frame("_part", changed), "_part", "left_semi")
            self._write(rows.join(gone, "path", "left_anti"))
            self._sink.forget_parts(changed)

    def _frame(self, column: str, values: Collection[str]) -> Any:
        return self._session.createDataFrame([(value,) for value in values], f"{column} string")

    def _write(self, rows: Any) -> None:
        part = self._sink.add_part(_TABLE)
        rows.select(*IMAGE_ROWS.names).write.parquet(self._sink.folder_of(part))


def _reading(
    limits: ImageLimits,
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Read a worker's share of a listing."""

    def read(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            yield image_rows(batch, limits)

    return read
