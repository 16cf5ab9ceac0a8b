"""Plain JSON, one record per line."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_line_shards
from gainsay.exports.records import Records


def write(records: Records, folder: ExportFolder) -> None:
    """Write `records.jsonl`, or shards of it."""
    write_line_shards(records, folder, "records")
