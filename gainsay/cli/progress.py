"""Progress of long work: a bar on a terminal, plain lines in a log."""

import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from gainsay.cli.outputs import raw
from gainsay.foundation.progress import Advance, Begin

_SECONDS_BETWEEN_LINES = 10.0
_MOST_NAMES_SHOWN = 2


@contextmanager
def progress(description: str, total: int) -> Iterator[Advance]:
    """Yield a function that advances the display of `total` units of work.

    Writes to standard error, so that standard output stays machine-readable. Without a
    terminal one line is written at most every ten seconds, and one at the end.
    """
    if sys.stderr.isatty():
        with _bars() as bar:
            task = bar.add_task(description, total=total)
            yield lambda amount=1: bar.advance(task, amount)
        return

    done = 0
    started = last_line = time.monotonic()

    def advance(amount: int = 1) -> None:
        nonlocal done, last_line
        done += amount
        now = time.monotonic()
        if now - last_line >= _SECONDS_BETWEEN_LINES:
            last_line = now
            click.echo(f"{description}: {done:,} of {total:,}", err=True)

    yield advance
    click.echo(f"{description}: {done:,} in {time.monotonic() - started:.1f} s", err=True)


def _bars() -> Progress:
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=Console(file=raw(sys.stderr)),
    )


@contextmanager
def progress_of_each(description: str) -> Iterator[Begin]:
    """Yield a function that begins a display for each of several that are at work at once.

    Each may advance in a thread of its own. Written as `progress` writes, without a terminal in one
    line for all of them.
    """
    if sys.stderr.isatty():
        with _bars() as bars:

            def begin_bar(name: str, total: int) -> Advance:
                task = bars.add_task(f"{description}, {escape(name)}", total=total)
                return lambda amount=1: bars.advance(task, amount)

            yield begin_bar
        return

    done: dict[str, int] = {}
    totals: dict[str, int] = {}
    started = last_line = time.monotonic()

    def begin(name: str, total: int) -> Advance:
        done[name], totals[name] = 0, total

        def advance(amount: int = 1) -> None:
            nonlocal last_line
            done[name] += amount
            now = time.monotonic()
            if now - last_line >= _SECONDS_BETWEEN_LINES:
                last_line = now
                each = (f"{one} {n:,} of {totals[one]:,}" for one, n in done.items())
                click.echo(f"{description}: {', '.join(each)}", err=True)

        return advance

    yield begin
    each = ", ".join(f"{name} {n:,}" for name, n in done.items())
    click.echo(f"{description}: {each} in {time.monotonic() - started:.1f} s", err=True)


@contextmanager
def dbt_progress(description: str) -> Iterator[Callable[[Any], None]]:
    """Yield a listener for dbt's events that shows how many nodes are done, and what runs now.

    On standard error, as `progress` does. dbt parses the project first, and says only then how
    many nodes there are.
    """
    if not sys.stderr.isatty():
        shown = _DbtLines(description)
        yield shown.listen
        shown.end()
        return
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("{task.fields[now]}"),
        console=Console(file=raw(sys.stderr)),
    ) as bar:
        task = bar.add_task(description, total=None, now="reading the project")
        yield _DbtBar(bar, task).listen
        bar.update(task, now="")


class _DbtNodes(ABC):
    """A build by dbt's events: the nodes that run, those that are done, and how many there are."""

    def __init__(self) -> None:
        self.n_done = 0
        self.total: int | None = None
        self.running: dict[str, str] = {}

    def listen(self, event: Any) -> None:
        """Take an event; dbt calls this from several threads, one at a time."""
        name = event.info.name
        if name in ("LogStartLine", "LogHookStartLine"):
            self.total = event.data.total if name == "LogStartLine" else self.total
        elif name == "NodeStart":
            node = event.data.node_info
            self.running[node.unique_id] = node.node_name
        elif name == "NodeFinished":
            # a hook has no start of its own
            if self.running.pop(event.data.node_info.unique_id, None):
                self.n_done += 1
        else:
            return
        self.changed()

    @abstractmethod
    def changed(self) -> None:
        """Show it."""

    @property
    def now(self) -> str:
        names = list(self.running.values())
        more = f" and {len(names) - _MOST_NAMES_SHOWN} more" * (len(names) > _MOST_NAMES_SHOWN)
        return ", ".join(names[:_MOST_NAMES_SHOWN]) + more


class _DbtBar(_DbtNodes):
    def __init__(self, bar: Progress, task: TaskID) -> None:
        super().__init__()
        self._bar, self._task = bar, task

    def changed(self) -> None:
        self._bar.update(self._task, completed=self.n_done, total=self.total, now=escape(self.now))


class _DbtLines(_DbtNodes):
    def __init__(self, description: str) -> None:
        super().__init__()
        self._description = description
        self._started = self._last_line = time.monotonic()

    def changed(self) -> None:
        now = time.monotonic()
        if now - self._last_line >= _SECONDS_BETWEEN_LINES and self.total:
            self._last_line = now
            click.echo(
                f"{self._description}: {self.n_done:,} of {self.total:,}; now {self.now}", err=True
            )

    def end(self) -> None:
        seconds = time.monotonic() - self._started
        click.echo(f"{self._description}: {self.n_done:,} nodes in {seconds:.1f} s", err=True)
