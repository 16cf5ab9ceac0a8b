"""The desk of a queue: what comes next for whom, and keeping new votes.

What comes next is computed when somebody asks, from the votes there are, so that no record waits
for a reader who is absent.
"""

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Final

from gainsay.ingest.votes import Event
from gainsay.review.log import VoteLog
from gainsay.review.records import Queue, Record
from gainsay.review.standing import Standing
from gainsay.review.votes import SentEvent, is_same_vote, stamped

# how long a record that somebody looks at is offered to others only after all the rest
LOOKED_AT_SECONDS: Final = 600


@dataclass
class Receipt:
    """The events that are on the disk, and why others never will be."""

    acknowledged: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)
    """Acknowledged votes on a record that has changed since: kept, and decide nothing."""


class Desk:
    """The votes of one queue, those that have landed and those of its log.

    `adjudicators` settle what readers differ about, and read nothing themselves. `assigned` are the
    readers of each record, where the records were dealt; else any reader reads any record.
    """

    def __init__(
        self,
        queue: Queue,
        log: VoteLog,
        clock: Callable[[], float] = time.monotonic,
        adjudicators: Collection[str] = (),
        assigned: Mapping[str, Collection[str]] | None = None,
    ) -> None:
        self.queue = queue
        self.standing = Standing(queue, (*queue.earlier, *log.events))
        self.adjudicators = frozenset(adjudicators)
        self._assigned = assigned
        self._log = log
        self._clock = clock
        self._unfinished: dict[str, tuple[Event, asyncio.Future[None]]] = {}
        self._looked_at: dict[str, dict[str, float]] = defaultdict(dict)
        self._languages = {name: queue.language(record) for name, record in queue.records.items()}
        self._last_time = max(
            (event.voted_at for event in self.standing.events.values()),
            default=datetime.min.replace(tzinfo=UTC),
        )

    # the next record

    def next_record(
        self,
        reader: str,
        skipped: Sequence[str] = (),
        answered: Mapping[str, Collection[str]] | None = None,
        language: str | None = None,
    ) -> Record | None:
        """The record that a reader should look at now; None where nothing is left for them.

        With a `language`, only records whose last text, the one that is judged, is in it.
        `answered` are questions, by record, whose votes have not arrived yet. A record that
        lacks votes comes before one that lacks them only because others, who look at it now, have
        not decided; gold comes to everybody. What the reader has skipped comes last, the longest
        ago first. To an adjudicator come the records that readers differ about.
        """
        if reader in self.adjudicators:
            return self._next_dispute(reader, skipped, answered or {}, language)
        now = self._clock()
        places = {record_id: place for place, record_id in enumerate(skipped, start=2)}
        best: tuple[int, Record] | None = None
        for record_id, record in self.queue.records.items():
            finished = self.standing.finished(record_id)
            if reader in finished or self._is_answered(reader, record, answered or {}):
                continue
            if language is not None and self._languages[record_id] != language:
                continue
            needed = self._n_wanted(record_id) - len(finished)
            if not self._is_for(reader, record) or (needed <= 0 and not record.is_gold):
                continue
            is_taken = not record.is_gold and self._n_lookers(record_id, reader, now) >= needed
            rank = places.get(record_id, int(is_taken))
            if best is None or rank < best[0]:
                best = (rank, record)
            if rank == 0:
                break
        if best is None:
            return None
        self._looked_at[best[1].record_id][reader] = now
        return best[1]

    def languages(self, reader: str) -> dict[str, int]:
        """The languages of what a reader may read, in the queue's order, and how many records.

        None where some record is in no language: who chose one would never see it.
        """
        found = [
            language
            for record_id, language in self._languages.items()
            if self._is_for(reader, self.queue.records[record_id])
        ]
        return {} if None in found else dict(Counter(filter(None, found)))

    def _n_wanted(self, record_id: str) -> int:
        """How many readers a record is read by."""
        dealt = len(self._assigned[record_id]) if self._assigned is not None else 0
        return max(dealt, self.queue.votes_per_record)

    def _is_for(self, reader: str, record: Record) -> bool:
        """Whether a reader reads a record, where records were dealt."""
        return (
            self._assigned is None or record.is_gold or reader in self._assigned[record.record_id]
        )

    def _next_dispute(
        self,
        adjudicator: str,
        skipped: Sequence[str],
        answered: Mapping[str, Collection[str]],
        language: str | None,
    ) -> Record | None:
        """A record that readers differ about and nobody has settled, ties before majorities.

        What the adjudicator has read is another one's to settle.
        """
        places = {record_id: place for place, record_id in enumerate(skipped, start=2)}
        best: tuple[int, Record] | None = None
        for record_id, record in self.queue.records.items():
            disputed = self.standing.disputed(record)
            settled = {*self.standing.rulings(record), *answered.get(record_id, ())}
            if adjudicator in self.standing.finished(record_id) or disputed.keys() <= settled:
                continue
            if language is not None and self._languages[record_id] != language:
                continue
            rank = places.get(record_id, int(not self.standing.is_tied(disputed)))
            if best is None or rank < best[0]:
                best = (rank, record)
        return best[1] if best else None

    def _is_answered(
        self, reader: str, record: Record, answered: Mapping[str, Collection[str]]
    ) -> bool:
        """Whether a reader has answered everything with votes that have not arrived yet."""
        if record.record_id not in answered:
            return False
        known = {*self.standing.own_answers(reader, record), *answered[record.record_id]}
        return known.issuperset(self.standing.asked[record.record_id])

    def _n_lookers(self, record_id: str, reader: str, now: float) -> int:
        finished = self.standing.finished(record_id)
        return sum(
            other != reader and other not in finished and now - since < LOOKED_AT_SECONDS
            for other, since in self._looked_at.get(record_id, {}).items()
        )

    # keeping votes

    async def keep(self, reader: str, sent: Iterable[SentEvent]) -> Receipt:
        """Keep a reader's events; those that are acknowledged are on the disk.

        An event that is kept already is acknowledged again. Raises `NotKeptError` where the disk
        takes none.
        """
        receipt = Receipt()
        fresh: dict[str, Event] = {}
        unfinished: list[asyncio.Future[None]] = []
        for event in sent:
            known = self._known(event.event_id) or fresh.get(event.event_id)
            if known is not None:
                if not is_same_vote(known, stamped(event, known.voted_at)):
                    receipt.refused[event.event_id] = "another vote has this id"
                    continue
                if event.event_id in self._unfinished:
                    unfinished.append(self._unfinished[event.event_id][1])
            elif refusal := self._refusal(reader, event, fresh):
                receipt.refused[event.event_id] = refusal
                continue
            else:
                fresh[event.event_id] = stamped(event, self._now())
            receipt.acknowledged.append(event.event_id)
            if self._is_stale(event):
                receipt.stale.append(event.event_id)
        if fresh:
            written: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            # the error is read even if no other request waits for it
            written.add_done_callback(lambda future: future.exception())
            self._unfinished.update({name: (event, written) for name, event in fresh.items()})
            # a reader who hangs up must not leave the desk without what the disk has
            await asyncio.shield(asyncio.ensure_future(self._write(fresh, written)))
        for other in unfinished:
            await other
        return receipt

    async def _write(self, events: dict[str, Event], written: asyncio.Future[None]) -> None:
        try:
            await self._log.append(list(events.values()))
            for event in events.values():
                self._apply(event)
        except BaseException as error:
            written.set_exception(error)
            raise
        else:
            written.set_result(None)
        finally:
            for name in events:
                del self._unfinished[name]

    def _known(self, event_id: str) -> Event | None:
        if event_id in self._unfinished:
            return self._unfinished[event_id][0]
        return self.standing.events.get(event_id)

    def _refusal(self, reader: str, event: SentEvent, fresh: dict[str, Event]) -> str | None:
        """Why an event can never be kept."""
        if event.reader != reader:
            return f"this vote is {event.reader}'s, and {reader} has signed in"
        if (event.benchmark, event.queue) != self.queue.key:
            return f"this vote is of {event.benchmark}/{event.queue}"
        if event.kind == "undo":
            return self._refusal_of_undo(event, fresh)
        if event.kind == "ruling" and event.reader not in self.adjudicators:
            return f"{event.reader} does not adjudicate here"
        if event.undoes is not None or not self.queue.takes(event.question, event.answer):
            return f"{event.question}: {event.answer}: no question and answer of this queue"
        return None

    def _refusal_of_undo(self, event: SentEvent, fresh: dict[str, Event]) -> str | None:
        if event.answer is not None or event.note is not None:
            return "an undo answers nothing"
        target = fresh.get(event.undoes or "") or self._known(event.undoes or "")
        if target is None or target.kind == "undo" or target.reader != event.reader:
            return "there is no such vote to undo"
        if (target.record_id, target.question) != (event.record_id, event.question):
            return "the vote to undo is of another record or question"
        return None

    def _is_stale(self, event: SentEvent) -> bool:
        record = self.queue.records.get(event.record_id)
        return event.kind != "undo" and (record is None or record.record_md5 != event.record_md5)

    def _now(self) -> datetime:
        """The time in UTC, later than that of every event before."""
        self._last_time = max(datetime.now(UTC), self._last_time + timedelta(microseconds=1))
        return self._last_time

    def _apply(self, event: Event) -> None:
        self._last_time = max(self._last_time, event.voted_at)
        self.standing.apply(event)
        if event.reader in self.standing.finished(event.record_id):
            self._looked_at[event.record_id].pop(event.reader, None)
