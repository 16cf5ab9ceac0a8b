"""Progress of long work: a bar on a terminal, plain lines in a log."""

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from gainsay.progress import Advance

_SECONDS_BETWEEN_LINES = 10.0


@contextmanager
def progress(description: str, total: int) -> Iterator[Advance]:
    """Yield a function that advances the display of `total` units of work.

    Writes to standard error, so that standard output stays machine-readable. Without a
    terminal one line is written at most every ten seconds, and one at the end.
    """
    if sys.stderr.isatty():
        with Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
        ) as bar:
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
