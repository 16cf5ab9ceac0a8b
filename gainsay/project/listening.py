"""Which of dbt's events a listener heeds: those that nobody heeds need not be made."""

from collections.abc import Callable
from typing import Any, TypeVar

_Listener = TypeVar("_Listener", bound=Callable[..., None])
_NAME = "heeded_events"


def heeds(*names: str) -> Callable[[_Listener], _Listener]:
    """Mark a listener, function or method, that heeds these events of dbt's and no others."""

    def mark(listener: _Listener) -> _Listener:
        setattr(listener, _NAME, frozenset(names))
        return listener

    return mark


def is_heeded(event: str, listener: Callable[[Any], None]) -> bool:
    """Whether a listener heeds an event: any, unless it is marked."""
    names = getattr(listener, _NAME, None)
    return names is None or event in names
