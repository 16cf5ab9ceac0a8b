"""The description that an official file gives of itself, as a row of `raw.file_info`.

VQA and COCO write an object `info` beside their arrays; a file of a record a line may have it in
its first record. It decides nothing about a record, so that whatever stands there, the file lands.
"""

from typing import Any, Final

import msgspec
import pyarrow as pa

from gainsay.ingest.records import INFO

COLUMNS: Final = ("description", "url", "version", "year", "contributor", "date_created")
TABLE: Final = "file_info"
_SCHEMA: Final = pa.schema([(name, pa.string()) for name in COLUMNS])


def file_info(raw: bytes) -> pa.RecordBatch | None:
    """The row of what a file says of itself, as JSON; None where that is no object of texts."""
    info = _object(raw)
    if not info:
        return None
    return pa.RecordBatch.from_pylist([{name: _text(info.get(name)) for name in COLUMNS}], _SCHEMA)


def info_of_record(record: bytes) -> bytes:
    """The file's description in its first record, as JSON; `null` where it has none."""
    return bytes(_object(record).get(INFO, b"null"))


def _object(raw: bytes) -> dict[str, msgspec.Raw]:
    try:
        return msgspec.json.decode(raw, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return {}


def _text(raw: msgspec.Raw | None) -> str | None:
    """A text as it is, anything else as its JSON."""
    try:
        value: Any = None if raw is None else msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        return None
    if value is None or isinstance(value, str):
        return value
    return msgspec.json.encode(value).decode()
