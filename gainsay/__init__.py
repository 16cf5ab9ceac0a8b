"""The program: what people run or import.

Three functions are what a notebook needs: `connect`, `load` and `score`. docs/python.md shows them.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from gainsay.front_door import connect, load, score

__all__ = ["connect", "load", "score"]


def __getattr__(name: str) -> Any:
    # commands start without what a notebook needs
    if name in __all__:
        from gainsay import front_door

        return getattr(front_door, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
