"""Decisions as events: a reader's vote, an adjudicator's ruling, or an undo of either.

An event is one line of a log (NDJSON) and, once landed, one row of `raw.votes`. The page makes its
id, so that the same event may be sent any number of times; the server adds who sent it and when.
"""

from datetime import datetime
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct

from gainsay.ingest.votes import MOST_READER_CHARACTERS, Event

MOST_EVENTS_AT_ONCE: Final = 100
MOST_NOTE_CHARACTERS: Final = 2_000

EventId = Annotated[str, Meta(pattern="^[0-9a-f]{16,64}$")]
# DuckDB and files of text take a NUL for an end
_TEXT: Final = "^[^\x00]*$"
Name = Annotated[str, Meta(min_length=1, max_length=100, pattern=_TEXT)]
RecordId = Annotated[str, Meta(min_length=1, max_length=500, pattern=_TEXT)]
Md5 = Annotated[str, Meta(pattern="^[0-9a-f]{32}$")]


class SentEvent(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """An event as the page sends it.

    A vote and a ruling have an `answer`, an undo has `undoes`, the id of an event.
    """

    event_id: EventId
    kind: Literal["vote", "undo", "ruling"]
    benchmark: Name
    queue: Name
    record_id: RecordId
    record_md5: Md5
    question: Name
    # a vote is its reader's, also where another one has signed in meanwhile
    reader: Annotated[str, Meta(min_length=1, max_length=MOST_READER_CHARACTERS)]
    undoes: EventId | None = None
    answer: Name | None = None
    note: Annotated[str, Meta(max_length=MOST_NOTE_CHARACTERS, pattern=_TEXT)] | None = None


class SentEvents(Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request that hands in votes."""

    events: Annotated[list[SentEvent], Meta(max_length=MOST_EVENTS_AT_ONCE)]


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(Event)


def line_of(event: Event) -> bytes:
    """The event as a line of the log."""
    return _encoder.encode(event) + b"\n"


def read_line(line: bytes) -> Event:
    """The event on a line of the log. Raises `msgspec.MsgspecError` where the line is not one."""
    return _decoder.decode(line)


def stamped(sent: SentEvent, voted_at: datetime) -> Event:
    """The event that is kept of what the page sent."""
    return Event(**msgspec.structs.asdict(sent), voted_at=voted_at)


def is_same_vote(event: Event, other: Event) -> bool:
    """Whether two events say the same, whenever they were made."""
    return msgspec.structs.replace(other, voted_at=event.voted_at) == event
