"""Conversations for LLaVA's supervised fine-tuning."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records

FILE = "llava_sft.json"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `llava_sft.json` and the pictures."""
    write_pictures(records, folder)
    write_array(folder, FILE, map(_conversation, records))


def _conversation(record: Record) -> Record:
    return {
        "id": record["example_id"],
        "image": record["image"],
        "conversations": [
            {"from": "human", "value": f"<image>\n{record['prompt']}"},
            {"from": "gpt", "value": record["target"]},
        ],
    }
