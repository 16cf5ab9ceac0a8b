"""Answers followed by whether one can be sure of them, as R-Tuning trains refusal.

Each record is a conversation, as LLaVA's trainers read it, and the same as one text, as R-Tuning's
own code does.
"""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records

FILE = "r_tuning.json"

_QUESTION = "Are you sure you accurately answered the question based on what you see and read?"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `r_tuning.json` and the pictures."""
    write_pictures(records, folder)
    write_array(folder, FILE, map(_answer, records))


def _answer(record: Record) -> Record:
    # an answer may be a sentence already
    answer = f"{record['answer'].rstrip('.')}."
    sureness = f"I am {'sure' if record['is_sure'] else 'unsure'}."
    return {
        "id": record["example_id"],
        "image": record["image"],
        "text": f"{record['prompt']}\nAnswer: {answer} {_QUESTION} {sureness}",
        "conversations": [
            {"from": "human", "value": f"<image>\n{record['prompt']}"},
            {"from": "gpt", "value": answer},
            {"from": "human", "value": _QUESTION},
            {"from": "gpt", "value": sureness},
        ],
    }
