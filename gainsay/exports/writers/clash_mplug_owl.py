"""Conversations for mPLUG-Owl2's own trainer, of CLASH's fine-tuning mix."""

from gainsay.exports.clash_conversations import conversation_files, write_conversations
from gainsay.exports.folder import ExportFolder, Shards
from gainsay.exports.records import Records

_MODEL = "mplug-owl"


def files(_records: Records, _benchmark: str) -> list[str | Shards]:
    """A file for each task."""
    return [*conversation_files(_MODEL).values()]


def write(records: Records, folder: ExportFolder) -> None:
    """Write `clash_mplug_owl_<task>.json` for both tasks, and the pictures."""
    write_conversations(records, folder, _MODEL)
