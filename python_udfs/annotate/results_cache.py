"""Results of earlier calls, kept beside the files they made: a killed run loses one batch.

A folder that is named by its path has one index for all of them. One that is named by a URL may
be written by several machines at once, which an index has no locks for: there each result is a
small file of its own, which appears whole.
"""

import hashlib
import sqlite3
import threading
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache, lru_cache
from pathlib import Path
from typing import Final

from gainsay.python_udfs.errors import SetupError
from gainsay.python_udfs.storage import is_url, read_whole, write_whole

# the file of a folder on this machine
INDEX: Final = "index.sqlite"
_KEYS_PER_QUERY = 500
# requests to a store far away take time, but hardly any of this machine's
_FILES_AT_ONCE: Final = 16
_writing = threading.Lock()


def read_results(folder: str, keys: Iterable[str]) -> dict[str, str]:
    """The results kept under some of `keys`, in a folder by its path or its URL.

    A key names whatever a result depends on: function, version, input hash and parameters.
    Errors: `OSError` when the folder cannot be written, `SetupError` for a damaged index.
    """
    wanted = list(keys)
    if is_url(folder):
        distinct = list(dict.fromkeys(wanted))
        contents = _files_pool().map(lambda key: read_whole(_file_of(folder, key)), distinct)
        return {
            key: content.decode()
            for key, content in zip(distinct, contents, strict=True)
            if content is not None
        }
    found: dict[str, str] = {}
    with _writing, _errors_named(folder):
        index = _index(folder)
        for start in range(0, len(wanted), _KEYS_PER_QUERY):
            part = wanted[start : start + _KEYS_PER_QUERY]
            marks = ", ".join("?" * len(part))
            found.update(
                index.execute(f"select key, result from results where key in ({marks})", part)
            )
    return found


def keep_results(folder: str, results: Mapping[str, str]) -> None:
    """Keep results under their keys, all of them at once in an index. Errors: as `read_results`."""
    if not results:
        return
    if is_url(folder):
        files = [(_file_of(folder, key), result.encode()) for key, result in results.items()]
        list(_files_pool().map(lambda file: write_whole(*file), files))
        return
    with _writing, _errors_named(folder), _index(folder) as index:
        index.executemany("insert or replace into results values (?, ?)", results.items())


def _file_of(folder: str, key: str) -> str:
    digest = hashlib.sha256(key.encode()).hexdigest()
    return f"{folder}/results/{digest[:2]}/{digest}.json"


@cache
def _files_pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(_FILES_AT_ONCE, thread_name_prefix="results")


@contextmanager
def _errors_named(folder: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.DatabaseError as error:
        raise SetupError(
            f"{folder}/{INDEX}: {error}; if it is damaged delete it: what it lists is made again"
        ) from error


@lru_cache(maxsize=8)
def _index(folder: str) -> sqlite3.Connection:
    Path(folder).mkdir(parents=True, exist_ok=True)
    index = sqlite3.connect(Path(folder) / INDEX, timeout=60, check_same_thread=False)
    index.execute("pragma journal_mode = wal")
    index.execute("pragma synchronous = normal")
    index.execute("create table if not exists results (key text primary key, result text)")
    return index
