"""Records that other processes decode are those that this one would decode."""

import json
import multiprocessing
import os
import random
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from multiprocessing.connection import Connection
from unittest.mock import patch

import pytest

from gainsay.ingest import decoding, streams, vqa
from gainsay.ingest.decoding import Decoders, decoders
from gainsay.ingest.records import Batch, Layout, RecordArray
from tests.python.conftest import PATIENCE
from tests.python.official_layout import annotation, question
from tests.python.test_streams import LAYOUTS, outcome, some_file, streamed, whole

pytestmark = pytest.mark.skipif(
    not hasattr(os, "fork"), reason="processes that decode begin as copies of this one"
)


def _alone(check: Callable[..., None], *arguments: object) -> None:
    """Run a check in a process of one thread, which this one may not be."""
    process = multiprocessing.get_context("spawn").Process(target=check, args=arguments)
    process.start()
    process.join()
    assert process.exitcode == 0, "what failed stands in its standard error"


@contextmanager
def _two_decoders() -> Iterator[Decoders]:
    with (
        patch("os.cpu_count", lambda: 2),
        decoders(LAYOUTS, decoding._LEAST_BYTES) as found,
    ):
        assert found is not None
        yield found


class _Counted:
    """Decoders that count how many pieces they were given, and how many of them were sound."""

    def __init__(self, decoders: Decoders) -> None:
        self.most_ahead = decoders.most_ahead
        self._decoders = decoders
        self._begun: list[Future[Batch | None]] = []

    def begin(self, layout: Layout, array: RecordArray, runs: list[bytes]) -> Future[Batch | None]:
        self._begun.append(self._decoders.begin(layout, array, runs))
        return self._begun[-1]

    @property
    def n_sound(self) -> int:
        return sum(one.result() is not None for one in self._begun)

    @property
    def n_unsound(self) -> int:
        return len(self._begun) - self.n_sound


def _check_any_file() -> None:
    with _two_decoders() as found:
        counted = _Counted(found)
        for seed in range(400):
            dice = random.Random(seed)
            layout = dice.choice(LAYOUTS)
            content = some_file(dice, layout)
            chunk_bytes = dice.choice([1, 7, 50, 4096])
            with (
                patch.object(streams, "RUN_BYTES", dice.choice([5, 20, 60, 200])),
                patch.object(streams, "RUNS_PER_PIECE", dice.choice([1, 2, 3])),
            ):
                found_apart = outcome(streamed, layout, content, chunk_bytes, counted)
            assert found_apart == outcome(whole, layout, content), seed
        assert counted.n_sound > 20
        assert counted.n_unsound > 2


@pytest.mark.slow
def test_any_file_gives_what_it_gives_whole() -> None:
    """Broken JSON, guesses that fail and records that do not fit among them."""
    _alone(_check_any_file)


def _check_after_a_failure() -> None:
    # one question has a long list of what begins like questions
    inner = {"others": [{"question_id": 7}] * 50}
    records = [question(n, n, "?") | (inner if n == 200 else {}) for n in range(400)]
    content = json.dumps({"questions": records}).encode()
    with (
        _two_decoders() as found,
        patch.object(streams, "RUN_BYTES", 500),
        patch.object(streams, "RUNS_PER_PIECE", 2),
    ):
        counted = _Counted(found)
        rows, _ = streamed(vqa.QUESTIONS, content, 64, counted)["questions"]
        assert [row["question_id"] for row in rows] == [*range(400)]
        assert [row["_position"] for row in rows] == [*range(400)]
        # what was cut off behind it, before that showed, is cut off again
        assert 1 <= counted.n_unsound <= counted.most_ahead
        # and most of the rest is decoded apart again
        assert counted.n_sound > 20


@pytest.mark.slow
def test_after_a_run_that_fails_the_others_are_decoded_apart_again() -> None:
    _alone(_check_after_a_failure)


def _check_killed() -> None:
    content = json.dumps({"annotations": [annotation(n, n, "yes") for n in range(300)]}).encode()
    expected = whole(vqa.ANNOTATIONS, content)
    with _two_decoders() as found, patch.object(streams, "RUN_BYTES", 3000):
        victims = multiprocessing.active_children()
        assert len(victims) == 2
        for victim in victims:
            victim.kill()
            assert streamed(vqa.ANNOTATIONS, content, 64, found) == expected


@pytest.mark.slow
def test_nothing_is_lost_where_such_a_process_is_killed() -> None:
    _alone(_check_killed)


def _check_ended(_open_here: Connection) -> None:
    with _two_decoders():
        os.kill(os.getpid(), signal.SIGKILL)


@pytest.mark.slow
def test_they_end_with_whom_they_decode_for() -> None:
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_check_ended, args=[theirs])
    process.start()
    theirs.close()
    process.join()
    assert process.exitcode == -signal.SIGKILL
    # nothing is sent: this comes to its end when no process has the other end any more
    assert ours.poll(PATIENCE)
    with pytest.raises(EOFError):
        ours.recv()


def _check_none() -> None:
    with decoders(LAYOUTS, decoding._LEAST_BYTES - 1) as found:
        assert found is None
    with patch("os.cpu_count", lambda: 1), decoders(LAYOUTS, decoding._LEAST_BYTES) as found:
        assert found is None
    ended = threading.Event()
    other = threading.Thread(target=ended.wait)
    other.start()
    try:
        with (
            patch("os.cpu_count", lambda: 2),
            decoders(LAYOUTS, decoding._LEAST_BYTES) as found,
        ):
            assert found is None
    finally:
        ended.set()
        other.join()
    # and all of that is what it takes
    with _two_decoders():
        pass


@pytest.mark.slow
def test_small_files_and_those_of_a_process_with_threads_are_decoded_here() -> None:
    _alone(_check_none)
