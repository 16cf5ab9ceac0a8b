"""How much memory, how many threads and how much time: the numbers of the environment.

DuckDB's own words for a wrong one do not name the variable, and 10^9 threads end the process.
"""

import os
import re
from typing import Final

from gainsay.foundation.errors import GainsayError

MEMORY: Final = "GAINSAY_MEMORY_LIMIT"
DUCKDB_THREADS: Final = "GAINSAY_DUCKDB_THREADS"
DBT_THREADS: Final = "GAINSAY_DBT_THREADS"
QUERY_SECONDS: Final = "GAINSAY_QUERY_SECONDS"

_MEMORY_UNLESS_SAID: Final = "4GB"
_SECONDS_UNLESS_SAID: Final = 600
_MOST_THREADS: Final = 256
_MOST_SECONDS: Final = 10**7
# DuckDB opens no warehouse with less
_LEAST_MEMORY: Final = 16 * 10**6
_MOST_MEMORY: Final = 2**50
_SIZE: Final = re.compile(
    r"\s*(\d{1,15}(?:\.\d{1,9})?)\s*(?:([kmgt]i?)b?|b|(%))\s*", re.IGNORECASE | re.ASCII
)
_FACTORS: Final = {
    unit: base ** (power + 1)
    for base, suffix in ((1000, ""), (1024, "i"))
    for power, unit in enumerate(f"{letter}{suffix}" for letter in "kmgt")
} | {"": 1}


def memory_limit() -> str:
    """What DuckDB may take, as the environment says it. Raises `GainsayError` for no size."""
    return checked_size(os.environ.get(MEMORY, _MEMORY_UNLESS_SAID), MEMORY)


def checked_size(text: str, name: str) -> str:
    """A size as DuckDB takes it. Raises `GainsayError`, with the name of what gave it."""
    found = _SIZE.fullmatch(text)
    if not found or not _LEAST_MEMORY <= n_bytes(text) <= _MOST_MEMORY:
        raise GainsayError(f"{name} {text!r}: expected a size of 16MB or more, such as 4GB")
    return text


def n_bytes(size: str) -> int:
    """How many bytes a size is that `checked_size` took."""
    found = _SIZE.fullmatch(size)
    assert found is not None
    number, unit, percent = found.groups(default="")
    if percent:
        machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        return int(float(number) / 100 * machine)
    return int(float(number) * _FACTORS[unit.lower()])


def duckdb_threads() -> int | None:
    """How many threads DuckDB has; none where the environment does not say."""
    return _number(DUCKDB_THREADS, _MOST_THREADS)


def query_seconds() -> int:
    """How long a query that a person wrote may take."""
    return _number(QUERY_SECONDS, _MOST_SECONDS) or _SECONDS_UNLESS_SAID


def require_sound_numbers() -> None:
    """Raise `GainsayError` for a variable of this module that is no number of its kind."""
    memory_limit()
    for name in (DUCKDB_THREADS, DBT_THREADS):
        _number(name, _MOST_THREADS)
    query_seconds()


def _number(name: str, most: int) -> int | None:
    text = os.environ.get(name)
    if text is None:
        return None
    if not re.fullmatch(r"\d{1,9}", text, re.ASCII) or not 1 <= int(text) <= most:
        raise GainsayError(f"{name} {text!r}: expected a number from 1 to {most:,}")
    return int(text)
