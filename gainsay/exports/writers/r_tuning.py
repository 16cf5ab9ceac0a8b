"""Answers followed by whether one can be sure of them, as R-Tuning trains refusal."""

from gainsay.exports.folder import ExportFolder
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records


def write(records: Records, folder: ExportFolder) -> None:
    """Write `r_tuning.json` and the pictures."""
    write_pictures(records, folder)
    write_array(folder, "r_tuning.json", map(_answer, records))


def _answer(record: Record) -> Record:
    return {
        "id": record["example_id"],
        "image": record["image"],
        "text": (
            f"{record['prompt']}\nAnswer: {record['answer']}. Are you sure you"
            " accurately answered the question based on what you see and read? I am"
            f" {'sure' if record['is_sure'] else 'unsure'}."
        ),
    }
