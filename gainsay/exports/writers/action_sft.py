"""Conversations that end in the right action and the right answer, to train a selector on.

What a model is asked is word for word what `gainsay predict --task answer_and_action` asks.
"""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records
from gainsay.lm.prompt_files import read_picture_prompt

FILE = "action_sft.json"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `action_sft.json` and the pictures."""
    write_pictures(records, folder)
    write_array(folder, FILE, map(conversation, records))


def conversation(record: Record) -> Record:
    """A record as LLaVA's trainers read it."""
    prompt = read_picture_prompt(record["benchmark"], "answer_and_action")
    asked = prompt.text(record["question"], record["text_input"], (), None)
    return {
        "id": record["example_id"],
        "image": record["image"],
        "conversations": [
            {"from": "human", "value": f"<image>\n{asked}"},
            {
                "from": "gpt",
                "value": (
                    f"{prompt.action_marker} {record['oracle_action']}\n"
                    f"{prompt.answer_marker} {record['target']}"
                ),
            },
        ],
    }
