"""The votes of a queue that stand: who has read what, what readers differ about, who settled it."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.votes import Event
from gainsay.review.records import Queue, Record

LAST_DECISIONS: Final = 10


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


@dataclass(frozen=True)
class Disputes:
    """How many records readers differ about, and for how many of them that is settled."""

    n_disputed: int
    n_settled: int


@dataclass(frozen=True)
class GivenAnswer:
    """An answer that readers gave, how many of them, and what they noted."""

    answer: str
    n: int
    notes: list[str]


class Standing:
    """What stands of the events of a queue.

    Raises `GainsayError` where a record asks none of the queue's questions.
    """

    def __init__(self, queue: Queue, events: Iterable[Event]) -> None:
        self.queue = queue
        self.events: dict[str, Event] = {}
        self.asked = {name: queue.asked(record) for name, record in queue.records.items()}
        self._undone: set[str] = set()
        # votes that stand, by record and reader, then by question, the last one at the end
        self._votes: dict[tuple[str, str], dict[str, list[Event]]] = defaultdict(dict)
        self._rulings: dict[str, dict[str, list[Event]]] = defaultdict(dict)
        self._by_reader: dict[str, list[Event]] = defaultdict(list)
        # who has answered all that is asked of a record as it is now
        self._finished: dict[str, set[str]] = defaultdict(set)
        self._n_decided = 0
        self._n_finished: Counter[str] = Counter()
        if idle := next((name for name, asked in self.asked.items() if not asked), None):
            raise GainsayError(
                f"review__records.asked_questions of {queue.label}, {idle}: none of the queue's"
                f" questions, which are {', '.join(queue.questions)}; mend the benchmark's"
                " __review_records or seeds/shared/review_questions.csv"
            )
        for event in sorted(events, key=lambda event: event.voted_at):
            if event.event_id not in self.events:
                self.apply(event)

    def apply(self, event: Event) -> None:
        """Take an event into account."""
        self.events[event.event_id] = event
        undone = self.events.get(event.undoes or "")
        is_of_ruling = "ruling" in (event.kind, undone.kind if undone else None)
        holder = (
            self._rulings[event.record_id]
            if is_of_ruling
            else self._votes[event.record_id, event.reader]
        )
        standing = holder.setdefault(event.question, [])
        if event.kind == "undo":
            self._undone.add(event.undoes or "")
            standing[:] = [other for other in standing if other.event_id != event.undoes]
        else:
            if event.event_id not in self._undone:
                standing.append(event)
            self._by_reader[event.reader].append(event)
        if not is_of_ruling:
            self._count(event.record_id, event.reader)

    def _count(self, record_id: str, reader: str) -> None:
        record = self.queue.records.get(record_id)
        if record is None:
            return
        answers = self.own_answers(reader, record)
        finished = self._finished[record_id]
        was_decided = self.is_read(record_id)
        if all(question in answers for question in self.asked[record_id]):
            self._n_finished[reader] += reader not in finished
            finished.add(reader)
        else:
            self._n_finished[reader] -= reader in finished
            finished.discard(reader)
        self._n_decided += self.is_read(record_id) - was_decided

    # readers

    def finished(self, record_id: str) -> set[str]:
        """Who has answered all that is asked of a record as it is now."""
        return self._finished.get(record_id, set())

    def is_read(self, record_id: str) -> bool:
        """Whether as many have read a record as decide it."""
        return len(self.finished(record_id)) >= self.queue.votes_per_record

    def own_answers(self, reader: str, record: Record) -> dict[str, str]:
        """The answers of a reader about a record as it is now."""
        standing = self._votes.get((record.record_id, reader), {})
        return {question: last.answer or "" for question, last in _last(standing, record)}

    def last_decisions(self, reader: str) -> list[Event]:
        """The last ten decisions of a reader that stand, the latest first."""
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
            n_events=len(self.events),
            n_records=len(self.queue.records),
            n_decided=self._n_decided,
            votes_per_record=self.queue.votes_per_record,
            readers={reader: n for reader, n in sorted(self._n_finished.items()) if n},
        )

    # what they differ about

    def rulings(self, record: Record) -> dict[str, str]:
        """What adjudicators said of a record as it is now."""
        standing = self._rulings.get(record.record_id, {})
        return {question: last.answer or "" for question, last in _last(standing, record)}

    def disputed(self, record: Record) -> dict[str, list[GivenAnswer]]:
        """The questions of a record that readers answer differently, and what they say.

        None before as many have read the record as decide it. Names of readers are not given: the
        adjudicator judges what was said.
        """
        if not self.is_read(record.record_id):
            return {}
        found = {}
        for question in self.asked[record.record_id]:
            votes = [
                last
                for reader in sorted(self.finished(record.record_id))
                for name, last in _last(self._votes[record.record_id, reader], record)
                if name == question
            ]
            counts = Counter(vote.answer or "" for vote in votes)
            if len(counts) > 1:
                found[question] = [
                    GivenAnswer(answer, n, [v.note for v in votes if v.note and v.answer == answer])
                    for answer, n in sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
                ]
        return found

    def is_tied(self, disputed: dict[str, list[GivenAnswer]]) -> bool:
        """Whether no answer of some question is that of more than half of its readers."""
        return any(2 * said[0].n <= sum(one.n for one in said) for said in disputed.values())

    def disputes(self) -> Disputes:
        """How many records are in dispute, and how many of these are settled."""
        n_disputed = n_settled = 0
        for record in self.queue.records.values():
            if disputed := self.disputed(record):
                n_disputed += 1
                n_settled += disputed.keys() <= self.rulings(record).keys()
        return Disputes(n_disputed, n_settled)

    def counted_votes(self) -> Iterator[tuple[Record, str, str, str]]:
        """The votes that count: the record, the question, the reader and the answer."""
        for (record_id, reader), standing in self._votes.items():
            record = self.queue.records.get(record_id)
            if record is None:
                continue
            for question, last in _last(standing, record):
                asked = self.queue.questions.get(question)
                if asked is not None and last.answer and asked.has(last.answer):
                    yield record, question, reader, last.answer


def _last(standing: dict[str, list[Event]], record: Record) -> Iterator[tuple[str, Event]]:
    """The last vote on each question of a record as it is now."""
    for question, votes in standing.items():
        if votes and votes[-1].record_md5 == record.record_md5 and votes[-1].answer:
            yield question, votes[-1]
