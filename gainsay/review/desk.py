"""The desk of a queue: who has decided what, what comes next for whom, and keeping new votes.

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

from gainsay.foundation.errors import GainsayError
from gainsay.review.log import VoteLog
from gainsay.review.records import Queue, Record
from gainsay.review.votes import SentEvent, says_the_same, stamped
from ingest.votes import Event

# how long a record that somebody looks at is offered to others only after all the rest
LOOKED_AT_SECONDS: Final = 600
LAST_DECISIONS: Final = 10


@dataclass
class Receipt:
    """The events that are on the disk, and why others never will be."""

    acknowledged: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    stale: list[str] = field(default_factory=list)
    """Acknowledged votes on a record that has changed since: kept, and decide nothing."""


@dataclass(frozen=True)
class Progress:
    """How far a queue is: records in all, decided by as many as it needs, and by each reader.

    Of two answers of the server, the one with more events is the later one.
    """

    n_events: int
    n_records: int
    n_decided: int
    votes_per_record: int
    readers: dict[str, int]


class Desk:
    """The votes of one queue, those that have landed and those of its log."""

    def __init__(
        self, queue: Queue, log: VoteLog, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.queue = queue
        self._log = log
        self._clock = clock
        self._events: dict[str, Event] = {}
        self._undone: set[str] = set()
        self._unfinished: dict[str, tuple[Event, asyncio.Future[None]]] = {}
        # votes that stand, by record and reader, then by question, the last one at the end
        self._votes: dict[tuple[str, str], dict[str, list[Event]]] = defaultdict(dict)
        self._by_reader: dict[str, list[Event]] = defaultdict(list)
        # who has answered all that is asked of a record as it is now
        self._finished: dict[str, set[str]] = defaultdict(set)
        self._looked_at: dict[str, dict[str, float]] = defaultdict(dict)
        self._n_decided = 0
        self._n_finished: Counter[str] = Counter()
        self._asked = {name: queue.asked(record) for name, record in queue.records.items()}
        if idle := next((name for name, asked in self._asked.items() if not asked), None):
            raise GainsayError(
                f"review__records.asked_questions of {queue.label}, {idle}: none of the queue's"
                f" questions, which are {', '.join(queue.questions)}; mend the benchmark's"
                " __review_records or seeds/shared/review_questions.csv"
            )
        self._last_time = datetime.min.replace(tzinfo=UTC)
        for event in sorted((*queue.earlier, *log.events), key=lambda event: event.voted_at):
            if event.event_id not in self._events:
                self._apply(event)

    # the next record

    def next_record(
        self,
        reader: str,
        skipped: Sequence[str] = (),
        answered: Mapping[str, Collection[str]] | None = None,
    ) -> Record | None:
        """The record that a reader should look at now; None where nothing is left for them.

        `answered` are questions, by record, whose votes have not arrived yet. A record that
        lacks votes comes before one that lacks them only because others, who look at it now, have
        not decided; gold comes to everybody. What the reader has skipped comes last, the longest
        ago first.
        """
        now = self._clock()
        places = {record_id: place for place, record_id in enumerate(skipped, start=2)}
        best: tuple[int, Record] | None = None
        for record_id, record in self.queue.records.items():
            finished = self._finished.get(record_id, ())
            if reader in finished or self._is_answered(reader, record, answered or {}):
                continue
            needed = self.queue.votes_per_record - len(finished)
            if needed <= 0 and not record.is_gold:
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

    def _is_answered(
        self, reader: str, record: Record, answered: Mapping[str, Collection[str]]
    ) -> bool:
        """Whether a reader has answered everything with votes that have not arrived yet."""
        if record.record_id not in answered:
            return False
        known = {*self.own_answers(reader, record), *answered[record.record_id]}
        return known.issuperset(self._asked[record.record_id])

    def _n_lookers(self, record_id: str, reader: str, now: float) -> int:
        finished = self._finished.get(record_id, ())
        return sum(
            other != reader and other not in finished and now - since < LOOKED_AT_SECONDS
            for other, since in self._looked_at.get(record_id, {}).items()
        )

    def own_answers(self, reader: str, record: Record) -> dict[str, str]:
        """The answers of a reader about a record as it is now."""
        standing = self._votes.get((record.record_id, reader), {})
        return {
            question: votes[-1].answer
            for question, votes in standing.items()
            if votes and votes[-1].record_md5 == record.record_md5 and votes[-1].answer
        }

    def last_decisions(self, reader: str) -> list[Event]:
        """The last ten votes of a reader that stand, the latest first."""
        last: list[Event] = []
        for event in reversed(self._by_reader.get(reader, [])):
            if event.event_id not in self._undone:
                last.append(event)
                if len(last) == LAST_DECISIONS:
                    break
        return last

    def progress(self) -> Progress:
        """How far the queue is."""
        return Progress(
            n_events=len(self._events),
            n_records=len(self.queue.records),
            n_decided=self._n_decided,
            votes_per_record=self.queue.votes_per_record,
            readers={reader: n for reader, n in sorted(self._n_finished.items()) if n},
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
                if not says_the_same(known, stamped(event, known.voted_at)):
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
        return self._events.get(event_id)

    def _refusal(self, reader: str, event: SentEvent, fresh: dict[str, Event]) -> str | None:
        """Why an event can never be kept."""
        if event.reader != reader:
            return f"this vote is {event.reader}'s, and {reader} has signed in"
        if (event.benchmark, event.queue) != self.queue.key:
            return f"this vote is of {event.benchmark}/{event.queue}"
        if event.kind == "undo":
            return self._refusal_of_undo(event, fresh)
        if event.undoes is not None or not self.queue.takes(event.question, event.answer):
            return f"{event.question}: {event.answer}: no question and answer of this queue"
        return None

    def _refusal_of_undo(self, event: SentEvent, fresh: dict[str, Event]) -> str | None:
        if event.answer is not None or event.note is not None:
            return "an undo answers nothing"
        target = fresh.get(event.undoes or "") or self._known(event.undoes or "")
        if target is None or target.kind != "vote" or target.reader != event.reader:
            return "there is no such vote to undo"
        if (target.record_id, target.question) != (event.record_id, event.question):
            return "the vote to undo is of another record or question"
        return None

    def _is_stale(self, event: SentEvent) -> bool:
        record = self.queue.records.get(event.record_id)
        return event.kind == "vote" and (record is None or record.record_md5 != event.record_md5)

    def _now(self) -> datetime:
        """The time in UTC, later than that of every event before."""
        self._last_time = max(datetime.now(UTC), self._last_time + timedelta(microseconds=1))
        return self._last_time

    def _apply(self, event: Event) -> None:
        self._events[event.event_id] = event
        self._last_time = max(self._last_time, event.voted_at)
        standing = self._votes[event.record_id, event.reader].setdefault(event.question, [])
        if event.kind == "vote":
            if event.event_id not in self._undone:
                standing.append(event)
            self._by_reader[event.reader].append(event)
        else:
            self._undone.add(event.undoes or "")
            standing[:] = [vote for vote in standing if vote.event_id != event.undoes]
        self._count(event.record_id, event.reader)

    def _count(self, record_id: str, reader: str) -> None:
        record = self.queue.records.get(record_id)
        if record is None:
            return
        answers = self.own_answers(reader, record)
        finished = self._finished[record_id]
        was_decided = len(finished) >= self.queue.votes_per_record
        if all(question in answers for question in self._asked[record_id]):
            self._n_finished[reader] += reader not in finished
            finished.add(reader)
            self._looked_at[record_id].pop(reader, None)
        else:
            self._n_finished[reader] -= reader in finished
            finished.discard(reader)
        self._n_decided += (len(finished) >= self.queue.votes_per_record) - was_decided
