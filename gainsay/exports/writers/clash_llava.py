"""Conversations for LLaVA's own trainer, of CLASH's fine-tuning mix."""

from gainsay.exports.clash_conversations import write_conversations
from gainsay.exports.folder import ExportFolder
from gainsay.exports.records import Records


def write(records: Records, folder: ExportFolder) -> None:
    """Write `clash_llava_<task>.json` for both tasks, and the pictures."""
    write_conversations(records, folder, "llava")
