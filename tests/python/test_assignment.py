"""How records are dealt to named readers."""

import json
from collections import Counter

import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.review.assignment import Deal, dealt, parsed_languages
from gainsay.review.records import Answer, Question, Queue, Record

MD5 = "0" * 32


def _queue(languages: list[str], votes_per_record: int = 1) -> Queue:
    records = {
        f"r{place}": Record(
            f"r{place}", MD5, False, None,
            json.dumps({"texts": [{"label": "Text", "text": "x", "language": language}]}),
        )
        for place, language in enumerate(languages)
    }  # fmt: skip
    question = Question("verdict", "Is it right?", (Answer("keep", "a", "Keep", False),))
    return Queue("b", "q", "Title", "Task", votes_per_record, {"verdict": question}, records)


def _sizes(hands: dict[str, tuple[str, ...]]) -> Counter[str]:
    return Counter(reader for readers in hands.values() for reader in readers)


def test_each_record_goes_to_one_and_parts_are_alike() -> None:
    hands = dealt(_queue(["en"] * 31), Deal(["ann", "ben", "kim"]))
    assert {len(readers) for readers in hands.values()} == {1}
    assert sorted(_sizes(hands).values()) == [10, 10, 11]


def test_a_share_of_the_records_is_read_by_two() -> None:
    hands = dealt(_queue(["en"] * 50), Deal(["ann", "ben", "kim"], overlap=0.2))
    assert Counter(len(readers) for readers in hands.values()) == {1: 40, 2: 10}
    assert sorted(_sizes(hands).values()) == [20, 20, 20]
    assert all(len(set(readers)) == len(readers) for readers in hands.values())


def test_a_record_has_as_many_readers_as_decide_it() -> None:
    hands = dealt(_queue(["en"] * 9, votes_per_record=2), Deal(["ann", "ben", "kim"], overlap=0))
    assert {len(readers) for readers in hands.values()} == {2}
    # two can't be three
    hands = dealt(_queue(["en"] * 9, votes_per_record=3), Deal(["ann", "ben"]))
    assert {len(readers) for readers in hands.values()} == {2}


def test_languages_go_to_who_reads_them() -> None:
    queue = _queue(["es"] * 10 + ["zh"] * 10 + ["hi"] * 2)
    hands = dealt(queue, Deal(["ann", "ben"], {"ann": ("es",), "ben": ("es", "zh")}))
    by_language = {
        language: {
            reader for name, readers in hands.items() for reader in readers
            if queue.language(queue.records[name]) == language
        }
        for language in ("es", "zh", "hi")
    }  # fmt: skip
    # ben has Chinese to read already
    assert by_language["zh"] == {"ben"}
    assert by_language["hi"] == set()
    assert _sizes(hands) == {"ann": 10, "ben": 10}


def test_the_same_names_are_dealt_the_same_in_any_order() -> None:
    queue = _queue(["en", "es"] * 20)
    first = dealt(queue, Deal(["ann", "ben", "kim"], {"kim": ("es",)}, 0.25))
    queue.records = dict(reversed(queue.records.items()))
    assert dealt(queue, Deal(["kim", "ben", "ann"], {"kim": ("es",)}, 0.25)) == first


def test_languages_are_named_by_reader() -> None:
    assert parsed_languages(["ann=es, zh", "ben=ar"], ["ann", "ben"]) == {
        "ann": ("es", "zh"), "ben": ("ar",),
    }  # fmt: skip
    for wrong in ("es", "ann=", "eve=es", "=es"):
        with pytest.raises(GainsayError, match="expected a reader"):
            parsed_languages([wrong], ["ann", "ben"])
