"""Conversations for LLaVA's supervised fine-tuning, in several languages and with several pictures.

As in LLaVA-NeXT's interleaved files `image` is a list where there are several pictures, and
`<image>` stands once for each.
"""

from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.json_files import write_array
from gainsay.exports.pictures import write_pictures
from gainsay.exports.records import Record, Records, shown_pictures


def files(records: Records, _benchmark: str) -> list[str | Shards]:
    """A file for each language."""
    return [*map(_name, records.languages())]


def _name(language: str) -> str:
    return f"llava_sft_{language}.json"


def write(records: Records, folder: ExportFolder) -> None:
    """Write `llava_sft_<language>.json` for each language, and the pictures."""
    write_pictures(records, folder)
    for language in records.languages():
        conversations = map(_conversation, records.of_language(language))
        write_array(folder, _name(language), conversations)


def _conversation(record: Record) -> Record:
    pictures = [picture["image"] for picture in shown_pictures(record).values()]
    return {
        "id": record["example_id"],
        "language": record["language"],
        "image": pictures[0] if len(pictures) == 1 else pictures,
        "conversations": [
            {"from": "human", "value": "<image>\n" * len(pictures) + record["prompt"]},
            {"from": "gpt", "value": record["target"]},
        ],
    }
