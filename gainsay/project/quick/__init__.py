"""dbt without some of what it does anew for every node: a third of the CPU time of a build.

This room is all of gainsay that takes the place of private parts of dbt, and only for the time of a
run of `run_dbt`: the command `dbt` is left alone. Its results are those of dbt, which the tests
compare. GAINSAY_PLAIN_DBT=1 turns all of it off; where a version of dbt is not one of `KNOWN`, or a
part is not there, dbt runs as it is and one line says so.

Each module says what it is for, and which change of dbt's own would take its place: `contexts`
makes what Jinja sees of a node, `events` drops messages that nobody hears, `parses` has one parsed
project for all warehouses. The macros of `macros/dbt/unit_tests.sql` replace dbt's by their names,
which is dbt's own way.
"""

import inspect
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.metadata import version
from types import ModuleType
from typing import Any, TypeVar

_Listener = TypeVar("_Listener", bound=Callable[..., None])
_Replaced = tuple[tuple[type | ModuleType, str, Any], ...]

KNOWN = {"dbt-core": "1.11", "dbt-common": "1.39", "dbt-adapters": "1.24", "dbt-duckdb": "1.11"}
"""The packages whose parts are replaced, each with the version that the tests know."""


def heeds(*names: str) -> Callable[[_Listener], _Listener]:
    """Mark a listener, function or method, that heeds these events of dbt's and no others."""

    def mark(listener: _Listener) -> _Listener:
        listener.heeded_events = frozenset(names)  # type: ignore[attr-defined]
        return listener

    return mark


@contextmanager
def quick_dbt() -> Iterator[None]:
    """For a run of dbt in this process: the same results for less CPU time."""
    is_off = os.environ.get("GAINSAY_PLAIN_DBT", "0") not in ("", "0")
    with ExitStack() as replaced:
        for owner, name, function in () if is_off else _replacements():
            replaced.enter_context(_replaced(owner, name, function))
        yield


@cache
def _replacements() -> _Replaced:
    """What takes whose place: nothing for a dbt that is not known, and one line says so."""
    try:
        for package, known in KNOWN.items():
            found = version(package)
            if found.split(".")[:2] != known.split("."):
                raise ImportError(f"{package} {found} is not {known}")
        from gainsay.project.quick import contexts, events, parses

        replaced: _Replaced = (*contexts.REPLACED, *events.REPLACED, *parses.REPLACED)
        for owner, name, _ in replaced:
            inspect.getattr_static(owner, name)
    except (ImportError, AttributeError) as error:
        sys.stderr.write(f"dbt runs as it is, which takes longer: {error}\n")
        return ()
    return replaced


@contextmanager
def _replaced(owner: type | ModuleType, name: str, function: Any) -> Iterator[None]:
    # a class's static method is one again afterwards
    before = inspect.getattr_static(owner, name)
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, before)
