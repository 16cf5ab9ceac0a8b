"""Plain JSON, one record per line."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_lines
from gainsay.exports.records import Records, fields


def write(records: Records, folder: ExportFolder) -> None:
    """Write `records.jsonl`."""
    write_lines(folder, "records.jsonl", map(fields, records))
