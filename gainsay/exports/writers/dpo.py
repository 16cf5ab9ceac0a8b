"""Preferences for TRL, as conversations."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_lines
from gainsay.exports.messages import said, text
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records, fields

FILE = "dpo.jsonl"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `dpo.jsonl` and the pictures."""
    write_pictures(records, folder)
    write_lines(folder, FILE, map(_preference, records))


def _preference(record: Record) -> Record:
    return {
        "images": [record["image"]],
        "prompt": [said("user", {"type": "image"}, text(record["prompt"]))],
        "chosen": [said("assistant", text(record["target"]))],
        "rejected": [said("assistant", text(record["rejected"]))],
    } | fields(record, besides=("prompt", "target", "rejected"))
