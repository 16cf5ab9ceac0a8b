"""A file that streams lands as the whole file would, however its bytes come."""

import itertools
import json
import random
import tracemalloc
from collections.abc import Iterator
from operator import attrgetter, itemgetter
from typing import Any
from unittest.mock import patch

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gainsay.ingest import coco, gqa, question_sets, streams, vqa
from gainsay.ingest.records import Layout, Rejection, decode, split
from tests.python.official_layout import annotation, question
from tests.python.test_gqa import GRAPH
from tests.python.test_records import EXAMPLES

Arrays = dict[str, tuple[list[dict[str, Any]], list[Rejection]]]
Outcome = Arrays | tuple[str, str]

LAYOUTS = (
    vqa.QUESTIONS,
    vqa.ANNOTATIONS,
    coco.CAPTIONS,
    coco.INSTANCES,
    question_sets.VIZWIZ,
    question_sets.POPE,
    gqa.QUESTIONS,
    gqa.SCENE_GRAPHS,
)
UNFIT: list[Any] = [
    5,
    "x",
    None,
    [1],
    {},
    {"id": 1, "inner": [{"id": 2}, {"id": 3}]},
    {"a": 'b, } ] { \\ "'},
]
FRAGMENTS = [
    b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\xff", b"NaN", b" ", b"\n", b"null", b"1",
    b"{}", b"[]", b'"questions"', b"},{",
]  # fmt: skip


def whole(layout: Layout, content: bytes) -> Arrays:
    """The arrays of a file that is split whole."""
    return _gathered((array.name, decode(array, raws)) for array, raws in split(content, layout))


def streamed(layout: Layout, content: bytes, size: int, decoders: Any = None) -> Arrays:
    """The arrays of a file that comes in chunks of a size."""
    repeats = streams.Repeats()
    while True:
        chunks = (content[at : at + size] for at in range(0, len(content), size))
        arrays = streams.arrays_of(chunks, layout, repeats, decoders=decoders)
        try:
            return _gathered((array.name, batches) for array, batches in arrays)
        except streams.ReadAgainError as error:
            repeats = error.repeats


def _gathered(arrays: Iterator[tuple[str, Any]]) -> Arrays:
    found: Arrays = {}
    for name, batches in arrays:
        rows, rejections = found.setdefault(name, ([], []))
        for batch in batches:
            rows += batch.records.to_pylist()
            rejections += batch.rejections
        # where a record's key comes again, it is decoded last
        rows.sort(key=itemgetter("_position"))
        rejections.sort(key=attrgetter("position"))
    return {name: read for name, read in found.items() if read != ([], [])}


def outcome(read: Any, *arguments: Any) -> Outcome:
    try:
        arrays: Arrays = read(*arguments)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        return type(error).__name__, str(error)
    return arrays


def some_file(dice: random.Random, layout: Layout) -> bytes:
    """A file of a layout, often with records, keys and bytes that it should not have."""
    styles: list[dict[str, Any]] = [
        {},
        {"separators": (",", ":")},
        {"indent": 1},
        {"sort_keys": True},
    ]
    style = dice.choice(styles)

    def records() -> list[Any]:
        usual: Any = dice.choice([example for _, example in EXAMPLES.values()])
        return [
            usual if dice.random() < 0.8 else dice.choice(UNFIT)
            for _ in range(dice.choice(range(6)))
        ]

    if layout.shape == "list":
        content = json.dumps(records(), **style).encode()
    elif layout.shape == "keyed":
        keys = [f"{dice.randrange(6)}" + dice.choice(["", "", "é", '"', "\\"]) for _ in records()]
        members = [
            json.dumps({key: record}, **style).strip()[1:-1]
            for key, record in zip(keys, itertools.cycle([*records(), GRAPH]), strict=False)
        ]
        content = "{{{}}}".format(dice.choice([",", ", ", " ,\n"]).join(members)).encode()
    elif layout.shape == "lines":
        content = dice.choice(["\n", "\r\n", "\n\n"]).join(map(json.dumps, records())).encode()
    else:
        names = [array.name for array in layout.arrays] + ["info", "others"]
        keys = dice.choices(names, k=dice.choice(range(4))) + [layout.main.name] * dice.choice(
            [0, 1, 1, 1]
        )
        values = [
            json.dumps(records() if dice.random() < 0.9 else dice.choice(UNFIT), **style)
            for _ in keys
        ]
        members = [f"{json.dumps(key)}: {value}" for key, value in zip(keys, values, strict=True)]
        dice.shuffle(members)
        content = "{{{}}}".format(", ".join(members)).encode()
    for _ in range(dice.choice([0, 0, 1, 2])):
        at = dice.randrange(len(content) + 1)
        end = at + dice.choice([0, 0, 1, 3, len(content)])
        content = content[:at] + dice.choice([b"", *FRAGMENTS]) + content[end:]
    return content


@settings(max_examples=300)
@given(
    seed=st.integers(0, 2**32),
    chunk_bytes=st.sampled_from([1, 2, 7, 50, 4096]),
    run_bytes=st.sampled_from([1, 5, 20, 60, 200, 1000, 2**17]),
)
def test_any_chunks_give_what_the_whole_file_gives(
    seed: int, chunk_bytes: int, run_bytes: int
) -> None:
    dice = random.Random(seed)
    layout = dice.choice(LAYOUTS)
    content = some_file(dice, layout)
    with patch.object(streams, "RUN_BYTES", run_bytes):
        found = outcome(streamed, layout, content, chunk_bytes)
    assert found == outcome(whole, layout, content)


@pytest.mark.parametrize("run_bytes", [10, 2**17])
def test_lone_surrogates_cost_their_records_only(run_bytes: int) -> None:
    questions = [question(n, n, "lone \ud800" if n % 3 == 0 else "fine") for n in range(9)]
    content = json.dumps({"in\ud800fo": "\ud800", "questions": questions}).encode()
    with patch.object(streams, "RUN_BYTES", run_bytes):
        rows, rejections = streamed(vqa.QUESTIONS, content, 64)["questions"]
    assert [row["question_id"] for row in rows] == [1, 2, 4, 5, 7, 8]
    assert [rejection.position for rejection in rejections] == [0, 3, 6]
    assert [rejection.field for rejection in rejections] == ["$.question"] * 3


def test_of_arrays_of_one_name_the_last_counts() -> None:
    parts = [json.dumps([question(n, n, "?")]) for n in range(3)]
    members = ", ".join(f'"questions": {part}' for part in parts)
    rows, _ = streamed(vqa.QUESTIONS, f"{{{members}}}".encode(), 16)["questions"]
    assert [row["question_id"] for row in rows] == [2]


@pytest.mark.parametrize("run_bytes", [10, 100, 2**17])
def test_of_records_of_one_key_the_last_counts_in_the_place_of_the_first(run_bytes: int) -> None:
    pairs = [("a", "first"), ("b", "only"), ("c", 5), ("a", "second"), ("d", "whole"),
             ("a", "last"), ("c", "mended"), ("d", {})]  # fmt: skip
    members = [
        f'"{key}": {json.dumps({"imageId": key, "question": text} if text == str(text) else text)}'
        for key, text in pairs
    ]
    content = f"{{{', '.join(members)}}}".encode()
    with patch.object(streams, "RUN_BYTES", run_bytes):
        rows, rejections = streamed(gqa.QUESTIONS, content, 64)["questions"]
    assert [(row["_position"], row["question_id"], row["question"]) for row in rows] == [
        (0, "a", "last"), (1, "b", "only"), (2, "c", "mended"),
    ]  # fmt: skip
    assert [(rejection.position, rejection.field) for rejection in rejections] == [(3, "$.imageId")]


GOOD = b'{"questions": [' + b", ".join([b'{"question_id": 1, "image_id": 2, "question": "?"}'] * 9)


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        (b"", "Input data was truncated"),
        (b",", "Input data was truncated"),
        (b"]", "Input data was truncated"),
        (b"]} {}", f"JSON is malformed: trailing characters (byte {len(GOOD) + 4})"),
        (b",]}", f"JSON is malformed: trailing comma in array (byte {len(GOOD) + 1})"),
        (b", NaN]}", f"JSON is malformed: invalid character (byte {len(GOOD) + 2})"),
        (b"}}", f"JSON is malformed: expected ',' or ']' (byte {len(GOOD)})"),
        (b", nu}, 1]}", f"JSON is malformed: invalid character (byte {len(GOOD) + 3})"),
        (b'], "questions": 1}', "Expected `array`, got `int` - at `$.questions`"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_in_the_file(ending: bytes, message: str) -> None:
    with (
        patch.object(streams, "RUN_BYTES", 60),
        pytest.raises(msgspec.DecodeError) as raised,
    ):
        streamed(vqa.QUESTIONS, GOOD + ending, 100)
    assert str(raised.value) == message


GOOD_MEMBERS = b"{" + b", ".join(b'"%d": {"imageId": "1", "question": "?"}' % n for n in range(9))


@pytest.mark.parametrize(
    ("ending", "message"),
    [
        (b"", "Input data was truncated"),
        (b", }", f"trailing comma in object (byte {len(GOOD_MEMBERS) + 2})"),
        (b", 1: 2}", f"object keys must be strings (byte {len(GOOD_MEMBERS) + 2})"),
        (b', "9" {}}', f"expected ':' (byte {len(GOOD_MEMBERS) + 6})"),
        (b', "9": NaN}', f"invalid character (byte {len(GOOD_MEMBERS) + 7})"),
        (b"]", f"expected ',' or '}}' (byte {len(GOOD_MEMBERS)})"),
        (b"} {}", f"trailing characters (byte {len(GOOD_MEMBERS) + 3})"),
    ],
)
def test_what_is_wrong_with_a_keyed_file_is_told_with_its_place(
    ending: bytes, message: str
) -> None:
    with (
        patch.object(streams, "RUN_BYTES", 60),
        pytest.raises(msgspec.DecodeError) as raised,
    ):
        streamed(gqa.QUESTIONS, GOOD_MEMBERS + ending, 100)
    assert str(raised.value).removeprefix("JSON is malformed: ") == message


@pytest.mark.parametrize(
    "beginning",
    [b'{"questions": {"1": ', b'{"questions": [{"a": NaN}, [', b'{"a": 1 "b": [', b"[{"],
)
def test_a_file_of_another_kind_is_not_read_to_its_end(beginning: bytes) -> None:
    endless = itertools.chain([beginning], itertools.repeat(b'{"a": [1, 2, 3]}, ' * 1000))
    arrays = streams.arrays_of(endless, vqa.QUESTIONS, streams.Repeats())
    with pytest.raises(msgspec.DecodeError):
        _gathered((array.name, batches) for array, batches in arrays)


def _peak_of_reading(layout: Layout, chunks: Iterator[bytes]) -> tuple[int, int]:
    """How many records a file holds, and the most memory that reading it took."""
    n_records = 0
    tracemalloc.start()
    try:
        for _, batches in streams.arrays_of(chunks, layout, streams.Repeats()):
            n_records += sum(batch.records.num_rows for batch in batches)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return n_records, peak


@pytest.mark.slow
def test_memory_is_bounded_by_a_chunk_and_not_by_the_file() -> None:
    record = json.dumps(annotation(1, 2, "yes")).encode()
    chunk = b", ".join([record] * 1000)
    chunks = itertools.chain(
        [b'{"annotations": ['],
        itertools.repeat(chunk + b", ", 60),
        [record + b'], "info": {}}'],
    )
    n_records, peak = _peak_of_reading(vqa.ANNOTATIONS, chunks)
    assert n_records == 60_001
    assert peak < 8 * len(chunk) < 60 * len(chunk) / 5


@pytest.mark.long
@pytest.mark.slow
def test_a_keyed_file_leaves_no_more_than_eight_bytes_a_key() -> None:
    graph = json.dumps(GRAPH).encode()

    def chunks(n_chunks: int) -> Iterator[bytes]:
        yield b"{"
        for hundred in range(n_chunks):
            members = (b'"%d": %s' % (100 * hundred + n, graph) for n in range(100))
            yield b", ".join(members) + (b"}" if hundred == n_chunks - 1 else b", ")

    # pyarrow imports some of itself with the first list of objects
    _peak_of_reading(gqa.SCENE_GRAPHS, chunks(1))
    n_records, peak = _peak_of_reading(gqa.SCENE_GRAPHS, chunks(400))
    assert n_records == 40_000
    # the digests, as their array grows, and what is sorted of them
    assert peak < 12 * streams.RUN_BYTES + 4 * 8 * n_records < 40_000 * len(graph) / 3
