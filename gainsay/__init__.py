"""The program: what people run or import.

Six functions are what a notebook needs: `connect`, `load`, `score`, `compare`, `funnel` and
`drops`; their errors are a `GainsayError`. docs/python.md shows them.
"""

from typing import TYPE_CHECKING, Any

from gainsay.foundation.errors import GainsayError

if TYPE_CHECKING:
    from gainsay.front_door import compare, connect, drops, funnel, load, score

__all__ = ["GainsayError", "compare", "connect", "drops", "funnel", "load", "score"]

# a name that is none is found by type checkers
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        # commands start without what a notebook needs
        if name in __all__:
            from gainsay import front_door

            return getattr(front_door, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
