"""The raw tables: their columns as delivered, and how batches of records are written to them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress

import duckdb
import pyarrow as pa

from ingest import clash, coco, vqa
from ingest.errors import GainsayError
from ingest.image_files import ensure_image_files
from ingest.predictions import PREDICTION_COLUMNS
from ingest.records import Rejection

_LAYOUTS = (vqa.QUESTIONS, vqa.ANNOTATIONS, coco.CAPTIONS, coco.INSTANCES, clash.SAMPLES)
_PROVENANCE = "_source_file varchar, _source_sha256 varchar, _position bigint, _landed_at timestamp"
_OFFICIAL_TABLES = {
    array.table: [f"{column.name} {column.sql_type}" for column in array.columns]
    for layout in _LAYOUTS
    for array in layout.arrays
}
_RECORD_TABLES = _OFFICIAL_TABLES | {
    "predictions": [
        *(f"{name} varchar" for name in ("benchmark", "task", "condition", "model", "run")),
        *(f"{column.name} {column.sql_type}" for column in PREDICTION_COLUMNS),
    ],
    "rejected_records": [
        f"{name} varchar" for name in ("array_name", "field", "found", "expected", "record")
    ],
}
# what holds rows of official files
FILE_TABLES = (*_OFFICIAL_TABLES, "rejected_records")
_CREATE_LANDED = (
    """
create table if not exists raw.landed_files (
    source_file varchar primary key, kind varchar, split varchar, year integer, path varchar,
    n_bytes bigint, sha256 varchar, n_records bigint, n_rejected bigint, landed_at timestamp
)""",
    """
create table if not exists raw.landed_predictions (
    source_file varchar primary key, benchmark varchar, task varchar, condition varchar,
    model varchar, run varchar, path varchar, id_column varchar, answer_column varchar,
    n_bytes bigint, sha256 varchar, n_records bigint, n_rejected bigint, landed_at timestamp
)""",
    """
create table if not exists raw.llm_requests (
    custom_id varchar primary key, task varchar, model varchar, prompt_sha256 varchar,
    input_id varchar, body varchar, _landed_at timestamp
)""",
    """
create table if not exists raw.llm_responses (
    custom_id varchar, status integer, body varchar, error varchar,
    _source_file varchar, _position bigint, _landed_at timestamp
)""",
    """
create table if not exists raw.column_edges (
    model varchar, column_name varchar, from_model varchar, from_column varchar,
    from_type varchar, kind varchar, literal varchar, _code_md5 varchar, _landed_at timestamp
)""",
)


def ensure_raw_schema(connection: duckdb.DuckDBPyConnection) -> None:
    """Create the schema `raw` and those of its tables that do not exist yet."""
    connection.execute("create schema if not exists raw")
    for create_landed in _CREATE_LANDED:
        connection.execute(create_landed)
    ensure_image_files(connection)
    for table, columns in _RECORD_TABLES.items():
        connection.execute(
            f"create table if not exists raw.{table} ({', '.join(columns)}, {_PROVENANCE})"
        )


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
