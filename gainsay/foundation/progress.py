"""How long-running work reports its progress, without knowing how it is shown."""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol


class Advance(Protocol):
    """Report `amount` more units of work done."""

    def __call__(self, amount: int = 1) -> None: ...


# shows a display of `total` units for a description, while its context lasts
Progress = Callable[[str, int], AbstractContextManager[Advance]]


# starts one display of several, by its title and its number of units of work
Begin = Callable[[str, int], Advance]


def advance_unseen(amount: int = 1) -> None:
    """Report nowhere."""


@contextmanager
def no_progress(_description: str, _total: int) -> Iterator[Advance]:
    """Show nothing."""
    yield advance_unseen
