"""Pictures beside a metadata.jsonl that names them, as `datasets`' ImageFolder reads it."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_lines
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Records, fields

FILE = "metadata.jsonl"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `metadata.jsonl` and the pictures."""
    write_pictures(records, folder)
    lines = ({"file_name": record["image"]} | fields(record) for record in records)
    write_lines(folder, FILE, lines)
