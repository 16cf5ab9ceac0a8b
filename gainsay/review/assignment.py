"""Who reads which record, where a queue is dealt to named readers."""

import hashlib
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from gainsay.foundation.errors import GainsayError
from gainsay.project.folder import project_vars
from gainsay.review.records import Queue


@dataclass(frozen=True)
class Deal:
    """How records are dealt: among whom, who reads which languages, and how many are read twice.

    A reader without `languages` reads all of them. `overlap` is the share of the records that two
    read where one would do, so that their agreement is known.
    """

    readers: Sequence[str]
    languages: Mapping[str, Collection[str]] = field(default_factory=dict)
    overlap: float = 0.0


def parsed_languages(texts: Sequence[str], readers: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """What `ann=es,zh` says of each reader. Raises `GainsayError` where it says something else."""
    found = {}
    for text in texts:
        reader, _, named = text.rpartition("=")
        languages = tuple(filter(None, map(str.strip, named.split(","))))
        if reader not in readers or not languages:
            raise GainsayError(
                f"--languages {text}: expected a reader that --reader names, and codes of"
                " languages, such as ann=es,zh"
            )
        found[reader] = languages
    return found


def dealt(queue: Queue, deal: Deal) -> dict[str, tuple[str, ...]]:
    """The readers of each record; the same records, readers and seed are always dealt alike.

    Within the records that the same readers can read, the first by seed are shared by two (or by as
    many as the queue needs), and each goes to those who have the fewest so far, so that parts are
    of one size. A record in a language that nobody reads has no reader.
    """
    able: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for record_id, record in queue.records.items():
        able[_able(deal, queue.language(record))].append(record_id)
    seed = project_vars()["seed"]
    loads: Counter[str] = Counter()
    hands: dict[str, tuple[str, ...]] = {}
    # who reads one language alone gets records before those who read them all
    for readers, record_ids in sorted(able.items(), key=lambda item: (len(item[0]), item[0])):
        ordered = sorted(record_ids, key=lambda name: _digest(seed, queue, name))
        n_shared = round(deal.overlap * len(ordered))
        for place, record_id in enumerate(ordered):
            n_wanted = max(queue.votes_per_record, 2 if place < n_shared else 1)
            ranked = sorted(
                readers, key=lambda name: (loads[name], _digest(seed, queue, record_id, name))
            )
            hands[record_id] = tuple(ranked[:n_wanted])
            loads.update(hands[record_id])
    return {record_id: hands[record_id] for record_id in queue.records}


def _able(deal: Deal, language: str | None) -> tuple[str, ...]:
    return tuple(
        reader
        for reader in sorted(deal.readers)
        if reader not in deal.languages or language is None or language in deal.languages[reader]
    )


def _digest(seed: int, queue: Queue, *names: str) -> str:
    key = ":".join((str(seed), "assignment", queue.label, *names))
    return hashlib.md5(key.encode(), usedforsecurity=False).hexdigest()
