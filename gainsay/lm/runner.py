"""Many questions at once, never more than allowed; every answer that was paid for is kept."""

import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from queue import Empty, SimpleQueue
from types import FrameType
from typing import Generic, TypeVar

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance, advance_unseen
from gainsay.lm.chat_client import ChatError, ChatStoppedError, Doubt, UnaskedError

GRACE_SECONDS = 30.0
# when so many failed and none was answered, such as by a model that the server does not know
_HOPELESS_AFTER = 20

JobT = TypeVar("JobT")
ReplyT = TypeVar("ReplyT")


@dataclass(frozen=True)
class Outcome(Generic[JobT, ReplyT]):
    """A job with its reply, or with why there is none.

    `is_asked` is unset where the question never went out. `doubt` is what may be wrong with the
    command.
    """

    job: JobT
    reply: ReplyT | None
    failure: str | None
    is_asked: bool = True
    doubt: Doubt | None = None


@dataclass
class Tally:
    """What became of the jobs.

    `is_given_up` where all of the first ones failed, `is_stopped` where somebody pressed Ctrl-C:
    the rest was not asked. `n_unasked` of the failures are no server's: what was to be sent cannot
    be read. `doubts` are what may be wrong with the command. `n_left` were still under way when the
    run no longer waited for them.
    """

    n_answered: int = 0
    failures: Counter[str] = field(default_factory=Counter)
    n_unasked: int = 0
    doubts: set[Doubt] = field(default_factory=set)
    is_given_up: bool = False
    is_stopped: bool = False
    n_left: int = 0


def ask_all(
    jobs: Iterable[JobT],
    ask: Callable[[JobT], ReplyT],
    keep: Callable[[Sequence[Outcome[JobT, ReplyT]]], None],
    *,
    concurrency: int,
    stop: threading.Event,
    advance: Advance,
    report: Callable[[str], None],
    grace_seconds: float = GRACE_SECONDS,
) -> Tally:
    """Ask every job in one of `concurrency` threads, and hand what comes to `keep` at once.

    A first Ctrl-C, an error, or twenty failures before any answer end the asking: `stop` is set,
    which ends every pause between attempts, and for `grace_seconds` the answers under way are
    awaited and kept. A second Ctrl-C leaves them. `ask` raises `ChatError` for a job that failed.
    """
    return _Run(ask, keep, concurrency, stop, advance, report).all_of(jobs, grace_seconds)


class _Wake:
    """Put among the results to end a wait for them."""


@dataclass(frozen=True)
class _Unexpected:
    error: BaseException


class _Run(Generic[JobT, ReplyT]):
    def __init__(
        self,
        ask: Callable[[JobT], ReplyT],
        keep: Callable[[Sequence[Outcome[JobT, ReplyT]]], None],
        concurrency: int,
        stop: threading.Event,
        advance: Advance,
        report: Callable[[str], None],
    ) -> None:
        self._ask, self._keep, self._concurrency = ask, keep, concurrency
        self._stop, self._advance, self._report = stop, advance, report
        self._waiting: SimpleQueue[JobT | _Wake] = SimpleQueue()
        self._results: SimpleQueue[Outcome[JobT, ReplyT] | _Unexpected | _Wake] = SimpleQueue()
        self._unkept: list[Outcome[JobT, ReplyT]] = []
        self._threads: list[threading.Thread] = []
        self._n_under_way = 0
        self._tally = Tally()

    def all_of(self, jobs: Iterable[JobT], grace_seconds: float) -> Tally:
        try:
            with self._interruptible():
                try:
                    self._ask_and_keep(iter(jobs))
                except Exception:
                    # what was paid for is kept, whatever else is wrong, such as the display
                    self._advance = advance_unseen
                    with suppress(GainsayError):
                        self._await_rest(grace_seconds)
                    raise
                self._await_rest(grace_seconds)
        finally:
            self._end_threads()
        self._tally.n_left = self._n_under_way
        return self._tally

    def _ask_and_keep(self, upcoming: Iterator[JobT]) -> None:
        tally = self._tally
        while not tally.is_stopped and not tally.is_given_up:
            for job in islice(upcoming, self._concurrency - self._n_under_way):
                self._submit(job)
            if not self._n_under_way:
                return
            self._receive(timeout=None)
            n_failed = tally.failures.total() - tally.n_unasked
            tally.is_given_up = not tally.n_answered and n_failed >= _HOPELESS_AFTER

    def _await_rest(self, grace_seconds: float) -> None:
        deadline = time.monotonic() + grace_seconds
        if self._n_under_way:
            self._stop.set()
            self._report(
                f"stopping: waiting at most {grace_seconds:.0f} s for {self._n_under_way} answers"
                " under way; Ctrl-C leaves them"
            )
        while self._n_under_way and (seconds := deadline - time.monotonic()) > 0:
            self._receive(seconds)
        self._keep_unkept()

    def _submit(self, job: JobT) -> None:
        if len(self._threads) < self._concurrency:
            # a daemon, because a server may keep a thread waiting longer than anybody else does
            thread = threading.Thread(target=self._work, daemon=True)
            thread.start()
            self._threads.append(thread)
        self._n_under_way += 1
        self._waiting.put(job)

    def _work(self) -> None:
        while not isinstance(job := self._waiting.get(), _Wake):
            try:
                self._results.put(Outcome(job, self._ask(job), None))
            except ChatStoppedError:
                self._results.put(Outcome(job, None, None))
            except ChatError as error:
                is_asked = not isinstance(error, UnaskedError)
                self._results.put(Outcome(job, None, str(error), is_asked, error.doubt))
            except BaseException as error:
                self._results.put(_Unexpected(error))

    def _end_threads(self) -> None:
        """End the threads; those that a server keeps waiting end with the process."""
        for _ in self._threads:
            self._waiting.put(_Wake())
        if not self._n_under_way:
            for thread in self._threads:
                thread.join()

    def _receive(self, timeout: float | None) -> None:
        """Take what has come, and keep it."""
        with suppress(Empty):
            self._take(self._results.get(timeout=timeout))
            while True:
                self._take(self._results.get_nowait())
        self._keep_unkept()

    def _take(self, result: Outcome[JobT, ReplyT] | _Unexpected | _Wake) -> None:
        if isinstance(result, _Wake):
            return
        self._n_under_way -= 1
        if isinstance(result, _Unexpected):
            raise result.error
        # a job that was stopped before it was asked has no outcome
        if result.reply is not None or result.failure is not None:
            self._unkept.append(result)

    def _keep_unkept(self) -> None:
        if not self._unkept:
            return
        self._keep(self._unkept)
        kept, self._unkept = self._unkept, []
        self._tally.n_answered += sum(outcome.failure is None for outcome in kept)
        self._tally.failures.update(
            outcome.failure for outcome in kept if outcome.failure is not None
        )
        self._tally.doubts |= {outcome.doubt for outcome in kept if outcome.doubt}
        self._tally.n_unasked += sum(not outcome.is_asked for outcome in kept)
        self._advance(len(kept))

    @contextmanager
    def _interruptible(self) -> Iterator[None]:
        """Let Ctrl-C, or a SIGTERM, fall between two answers and never into the keeping of one."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(_number: int, _frame: FrameType | None) -> None:
            if self._tally.is_stopped:
                raise KeyboardInterrupt
            self._tally.is_stopped = True
            self._results.put(_Wake())

        signals = (signal.SIGINT, signal.SIGTERM)
        former = {number: signal.getsignal(number) for number in signals}
        for number, handler in former.items():
            if handler is not signal.SIG_IGN:
                signal.signal(number, stop)
        try:
            yield
        finally:
            for number, handler in former.items():
                signal.signal(number, handler or signal.SIG_DFL)
