"""CARM's balanced mix as conversations that end in the right action and the right answer.

What a model is asked is word for word what `gainsay predict --task answer_and_action` asks; beside
the conversation stand the states of text and picture and what else a selector is trained on.
"""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records, fields
from gainsay.exports.writers.action_sft import conversation

FILE = "carm.json"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `carm.json` and the pictures."""
    write_pictures(records, folder)
    write_array(folder, FILE, map(_record, records))


def _record(record: Record) -> Record:
    return conversation(record) | fields(record, besides=("example_id", "target"))
