"""Results of earlier calls, kept beside the files they made: a killed run loses one batch."""

import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache
from pathlib import Path

from python_udfs.errors import SetupError

_INDEX = "index.sqlite"
_KEYS_PER_QUERY = 500
_writing = threading.Lock()


def read_results(folder: Path, keys: Iterable[str]) -> dict[str, str]:
    """The results kept under some of `keys`.

    A key names whatever a result depends on: function, version, input hash and parameters.
    Errors: `OSError` when the folder cannot be written, `SetupError` for a damaged index.
    """
    wanted = list(keys)
    found: dict[str, str] = {}
    with _writing, _errors_named(folder):
        index = _index(str(folder))
        for start in range(0, len(wanted), _KEYS_PER_QUERY):
            part = wanted[start : start + _KEYS_PER_QUERY]
            marks = ", ".join("?" * len(part))
            found.update(
                index.execute(f"select key, result from results where key in ({marks})", part)
            )
    return found


def keep_results(folder: Path, results: Mapping[str, str]) -> None:
    """Keep results under their keys, all of them at once. Errors: as `read_results`."""
    if not results:
        return
    with _writing, _errors_named(folder), _index(str(folder)) as index:
        index.executemany("insert or replace into results values (?, ?)", results.items())


@contextmanager
def _errors_named(folder: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise SetupError(
            f"{folder / _INDEX}: {error}; if it is damaged delete it: what it lists is made again"
        ) from error


@lru_cache(maxsize=8)
def _index(folder: str) -> sqlite3.Connection:
    Path(folder).mkdir(parents=True, exist_ok=True)
    index = sqlite3.connect(Path(folder) / _INDEX, timeout=60, check_same_thread=False)
    index.execute("pragma journal_mode = wal")
    index.execute("pragma synchronous = normal")
    index.execute("create table if not exists results (key text primary key, result text)")
    return index
