"""Messages of a conversation as TRL reads them."""

from gainsay.exports.records import Record


def said(role: str, *content: Record) -> Record:
    """One turn of a conversation."""
    return {"role": role, "content": list(content)}


def text(words: str) -> Record:
    """The part of a message that is text."""
    return {"type": "text", "text": words}
