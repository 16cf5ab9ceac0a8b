"""Jobs are asked at once within bounds, and whatever ends the asking, what came is kept."""

import signal
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.lm.chat_client import ChatError
from gainsay.lm.runner import Outcome, Tally, ask_all
from tests.python.conftest import PATIENCE


class Desk:
    """Where jobs are asked: those that `held` names wait until they are let go."""

    def __init__(self, *held: int) -> None:
        self.held = held
        self.let_go = threading.Event()
        self.stop = threading.Event()
        self.kept: list[int] = []
        self.reports: list[str] = []

    def ask(self, job: int) -> int:
        if job in self.held:
            self.let_go.wait(PATIENCE)
        return job

    def keep(self, outcomes: Sequence[Outcome[int, int]]) -> None:
        self.kept += [outcome.job for outcome in outcomes if outcome.failure is None]

    def run(
        self,
        n_jobs: int,
        ask: Callable[[int], int] | None = None,
        report: Callable[[str], None] | None = None,
        *,
        concurrency: int = 4,
        advance: Advance = advance_unseen,
        grace_seconds: float = PATIENCE,
    ) -> Tally:
        return ask_all(
            range(n_jobs),
            ask or self.ask,
            self.keep,
            concurrency=concurrency,
            stop=self.stop,
            advance=advance,
            report=report or self.reports.append,
            grace_seconds=grace_seconds,
        )


@pytest.fixture
def desk() -> Iterator[Desk]:
    made = Desk(0, 1)
    yield made
    made.let_go.set()


def test_every_job_is_asked_once_by_so_many_threads() -> None:
    desk = Desk()
    threads = set()

    def ask(job: int) -> int:
        threads.add(threading.current_thread())
        return job

    tally = desk.run(100, ask)
    assert sorted(desk.kept) == list(range(100))
    assert (tally.n_answered, tally.failures, tally.n_left) == (100, {}, 0)
    assert len(threads) <= 4
    # nobody is left behind, and nothing was said of stopping
    assert not any(thread.is_alive() for thread in threads)
    assert (desk.reports, desk.stop.is_set()) == ([], False)


def _pressing_at(job: int) -> Callable[[int], int]:
    def ask(asked: int) -> int:
        if asked == job:
            # comes to the main thread, as every signal does
            signal.raise_signal(signal.SIGINT)
        return asked

    return ask


def _pressing_once_kept(desk: Desk, n_kept: int) -> Advance:
    """Press Ctrl-C between two answers.

    Where a single thread is not held, nothing but what is held is under way then.
    """

    def advance(_amount: int = 1) -> None:
        if len(desk.kept) == n_kept:
            signal.raise_signal(signal.SIGINT)

    return advance


def test_nobody_waits_longer_than_the_grace(desk: Desk) -> None:
    press = _pressing_once_kept(desk, 7)
    tally = desk.run(1_000, concurrency=3, advance=press, grace_seconds=0.05)
    assert (tally.is_stopped, tally.n_left) == (True, 2)
    assert desk.stop.is_set()
    assert desk.kept == list(range(2, 9))
    assert "waiting at most 0 s for" in desk.reports[0]


def test_answers_under_way_are_awaited(desk: Desk) -> None:
    press = _pressing_at(8)

    def report(text: str) -> None:
        desk.reports.append(text)
        desk.let_go.set()

    tally = desk.run(1_000, lambda job: press(desk.ask(job)), report)
    assert (tally.is_stopped, tally.n_left) == (True, 0)
    assert sorted(desk.kept) == list(range(max(desk.kept) + 1))


def test_a_second_ctrl_c_waits_for_nobody(desk: Desk) -> None:
    def report(_text: str) -> None:
        signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    with pytest.raises(KeyboardInterrupt):
        desk.run(1_000, report=report, concurrency=3, advance=_pressing_once_kept(desk, 7))
    assert not desk.let_go.is_set()
    assert desk.kept == list(range(2, 9))
    assert signal.getsignal(signal.SIGINT) is handler


def test_what_nobody_expected_is_raised_and_the_rest_is_kept() -> None:
    desk = Desk()

    def ask(job: int) -> int:
        if job == 8:
            raise ZeroDivisionError
        return job

    with pytest.raises(ZeroDivisionError):
        desk.run(1_000, ask)
    assert set(desk.kept) >= {0, 1, 2, 3, 4}
    assert 8 not in desk.kept


def test_failures_before_any_answer_end_the_asking() -> None:
    desk = Desk()
    asked = []

    def ask(job: int) -> int:
        asked.append(job)
        raise ChatError("status 404: no such model")

    tally = desk.run(1_000, ask)
    assert tally.is_given_up
    assert tally.failures == {"status 404: no such model": len(asked)}
    assert 20 <= len(asked) < 24
