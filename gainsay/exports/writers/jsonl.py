"""Plain JSON, one record per line."""

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.json_files import line_shards, write_line_shards
from gainsay.exports.records import Records

_STEM = "records"


def files(_records: Records, _benchmark: str) -> list[str | Shards]:
    """`records.jsonl`, or shards of it."""
    return [*line_shards(_STEM)]


def write(records: Records, folder: ExportFolder) -> None:
    """Write `records.jsonl`, or shards of it."""
    write_line_shards(records, folder, _STEM)
