"""The raw tables: their columns as delivered, and how batches of records are written to them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa

from gainsay.errors import GainsayError
from ingest import clash, coco, vqa
from ingest.image_files import IMAGE_COLUMNS
from ingest.predictions import PREDICTION_COLUMNS
from ingest.records import Rejection

Columns = tuple[tuple[str, str], ...]


def _texts(*names: str) -> Columns:
    return tuple((name, "varchar") for name in names)


_LAYOUTS = (vqa.QUESTIONS, vqa.ANNOTATIONS, coco.CAPTIONS, coco.INSTANCES, clash.SAMPLES)
_PROVENANCE = (
    ("_source_file", "varchar"),
    ("_source_sha256", "varchar"),
    ("_position", "bigint"),
    ("_landed_at", "timestamp"),
)
_OFFICIAL_TABLES = {
    array.table: tuple((column.name, column.sql_type) for column in array.columns)
    for layout in _LAYOUTS
    for array in layout.arrays
}
_RECORD_TABLES = _OFFICIAL_TABLES | {
    "predictions": (
        *_texts("benchmark", "task", "condition", "model", "run"),
        *((column.name, column.sql_type) for column in PREDICTION_COLUMNS),
    ),
    "clash_human_verdicts": (
        *_texts("sample_id", "conflicting_caption", "annotator", "note"),
        *(
            (name, "boolean")
            for name in ("is_contradicted", "is_question_clear", "are_answers_right", "is_accepted")
        ),
    ),
    "rejected_records": _texts("array_name", "field", "found", "expected", "record"),
}
# what holds rows of official files
FILE_TABLES = (*_OFFICIAL_TABLES, "rejected_records")
_SIZES: Columns = (
    ("n_bytes", "bigint"),
    ("sha256", "varchar"),
    ("n_records", "bigint"),
    ("n_rejected", "bigint"),
    ("landed_at", "timestamp"),
)
# the first column of each is its key
_KEYED_TABLES: Mapping[str, Columns] = {
    "landed_files": (
        *_texts("source_file", "kind", "split"),
        ("year", "integer"),
        ("path", "varchar"),
        *_SIZES,
    ),
    "landed_predictions": (
        *_texts("source_file", "benchmark", "task", "condition", "model", "run", "path"),
        *_texts("id_column", "answer_column"),
        *_SIZES,
    ),
    "llm_requests": (
        *_texts("custom_id", "task", "model", "prompt_sha256", "input_id", "body"),
        ("_landed_at", "timestamp"),
    ),
}
_OTHER_TABLES: Mapping[str, Columns] = {
    "llm_responses": (
        ("custom_id", "varchar"),
        ("status", "integer"),
        *_texts("body", "error", "_source_file"),
        ("_position", "bigint"),
        ("_landed_at", "timestamp"),
    ),
    "column_edges": (
        *_texts("model", "column_name", "from_model", "from_column", "from_type", "kind"),
        *_texts("literal", "_code_md5"),
        ("_landed_at", "timestamp"),
    ),
    "image_files": tuple((name, sql_type) for name, (sql_type, _) in IMAGE_COLUMNS.items()),
}
# every table of the schema `raw`, with DuckDB's names of the types
RAW_TABLES: Mapping[str, Columns] = {
    **_KEYED_TABLES,
    **_OTHER_TABLES,
    **{table: (*columns, *_PROVENANCE) for table, columns in _RECORD_TABLES.items()},
}


def ensure_raw_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the schema `raw` and those of its tables that do not exist yet."""
    connection.execute("create schema if not exists raw")
    for table, columns in RAW_TABLES.items():
        spelled = [f"{name} {sql_type}" for name, sql_type in columns]
        if table in _KEYED_TABLES:
            spelled[0] += " primary key"
        connection.execute(f"create table if not exists raw.{table} ({', '.join(spelled)})")


def rejected_records(array_name: str, rejections: list[Rejection]) -> pa.RecordBatch:
    """Rejections as rows of `raw.rejected_records`."""
    return pa.RecordBatch.from_pylist(
        [
            {
                "array_name": array_name,
                "field": rejection.field,
                "found": rejection.found,
                "expected": rejection.expected,
                "record": rejection.record,
                "_position": rejection.position,
            }
            for rejection in rejections
        ]
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

    def forget(self, source_file: str) -> None:
        for table in FILE_TABLES:
            self._connection.execute(
                f"delete from raw.{table} where _source_file = ?", [source_file]
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
        marks = ", ".join("?" * len(landed))
        self._connection.execute(
            f"insert or replace into raw.landed_files ({', '.join(landed)}) values ({marks})",
            [*landed.values()],
        )
