"""Conversations for TRL's supervised fine-tuning, of CLASH's fine-tuning mix."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_lines
from gainsay.exports.messages import said, text
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records, fields

FILE = "clash_sft.jsonl"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `clash_sft.jsonl` and the pictures."""
    write_pictures(records, folder)
    write_lines(folder, FILE, map(_conversation, records))


def _conversation(record: Record) -> Record:
    # the parts of a message have the same fields, or `datasets` cannot tell their types
    picture = {"type": "image", "text": None}
    return {
        "images": [record["image"]],
        "messages": [
            said("user", picture, text(record["prompt"])),
            said("assistant", text(record["target"])),
        ],
    } | fields(record, besides=("prompt", "target"))
