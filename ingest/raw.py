"""The raw tables: their columns as delivered, whatever engine holds them."""

from collections.abc import Mapping, Sequence

import pyarrow as pa

from gainsay.ingest import clash, coco, docci, file_info, gqa, own_annotations, question_sets, vqa
from gainsay.ingest.collect.layouts import LAYOUTS as COLLECTED_LAYOUTS
from gainsay.ingest.predictions import PREDICTION_COLUMNS
from gainsay.ingest.records import Rejection
from gainsay.python_udfs.pixels.image_files import IMAGE_COLUMNS

Columns = tuple[tuple[str, str], ...]


def _texts(*names: str) -> Columns:
    return tuple((name, "varchar") for name in names)


_LAYOUTS = (
    vqa.QUESTIONS,
    vqa.ANNOTATIONS,
    coco.CAPTIONS,
    coco.INSTANCES,
    clash.SAMPLES,
    gqa.SCENE_GRAPHS,
    gqa.QUESTIONS,
    *question_sets.LAYOUTS,
    docci.DESCRIPTIONS,
    own_annotations.ANNOTATIONS,
    *COLLECTED_LAYOUTS,
)
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
    "votes": (
        *_texts("event_id", "kind", "undoes", "benchmark", "queue", "record_id", "record_md5"),
        *_texts("question", "answer", "note", "reader"),
        ("voted_at", "timestamp"),
    ),
    "rejected_records": _texts("array_name", "field", "found", "expected", "record"),
    "own_pictures": (
        *_texts("path", "caption", "scene", "taken_at"),
        ("latitude", "double"),
        ("longitude", "double"),
        ("heading", "double"),
        *_texts("license", "author", "url", "split_group"),
    ),
    "own_folders": _texts("folder"),
    "own_matches": (*_texts("path", "found_by"), ("n_pictures", "bigint")),
}
# the tables that hold rows of official files, and of what people say of their own pictures
FILE_TABLES = (
    *_OFFICIAL_TABLES,
    "own_pictures",
    "own_folders",
    "own_matches",
    "rejected_records",
    file_info.TABLE,
)
_SIZES: Columns = (
    ("n_bytes", "bigint"),
    ("sha256", "varchar"),
    ("n_records", "bigint"),
    ("n_rejected", "bigint"),
    ("landed_at", "timestamp"),
)
# the first column of each is its key
KEYED_TABLES: Mapping[str, Columns] = {
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
    "withdrawn_images": (*_texts("source_image_id", "reason"), ("_landed_at", "timestamp")),
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
    file_info.TABLE: (
        *_texts(*file_info.COLUMNS, "_source_file", "_source_sha256"),
        ("_landed_at", "timestamp"),
    ),
    "image_files": tuple((name, sql_type) for name, (sql_type, _) in IMAGE_COLUMNS.items()),
}
# every table of the schema `raw`, with DuckDB's names of the types
RAW_TABLES: Mapping[str, Columns] = {
    **KEYED_TABLES,
    **_OTHER_TABLES,
    **{table: (*columns, *_PROVENANCE) for table, columns in _RECORD_TABLES.items()},
}


REJECTED_RECORDS = pa.schema(
    [
        *((name, pa.string()) for name in ("array_name", "field", "found", "expected", "record")),
        ("_position", pa.int64()),
    ]
)


def source_column(table: str) -> str:
    """The column of a raw table that names the file its rows come from; empty without one."""
    names = [name for name, _ in RAW_TABLES[table] if name in ("source_file", "_source_file")]
    return names[0] if names else ""


def rejected_records(array_name: str, rejections: Sequence[Rejection]) -> pa.RecordBatch:
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
        ],
        REJECTED_RECORDS,
    )
