"""Queries that a person writes: they read the warehouse, write nothing, and come to an end.

Two locks, each of which is enough. What is no query is not run: a text is one if DuckDB's own
parser takes it as a table of another query, whatever statements it makes of it (a pivot becomes
several, of a kind that says nothing). And the connection cannot write: the warehouse is opened to
be read, no other file is reached, what is too large for memory goes to no disk, no setting can be
changed, and functions that work on files are unknown.

DuckDB's limit of memory does not count long texts and lists, so the process has one as well, and
what does not heed an interruption ends with the process.
"""

import os
import re
import sys
import threading
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final

import duckdb

from gainsay.foundation import limits
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.python_udfs.engines.duckdb import register
from gainsay.python_udfs.registry import UDFS

# in this order: the folder of temporary files is a file's path, too
_LOCKS: Final = (
    "set temp_directory = ''",
    "set python_enable_replacements = false",
    "set enable_external_access = false",
    "set lock_configuration = true",
)
_EXPLAINED: Final = re.compile(r"\s*explain\s+(?:analy[sz]e\s+|\([^)]*\)\s*)?", re.IGNORECASE)
_QUERIES: Final = ("SELECT", "MULTI")
# what functions of the registry import, and what they compute with
_REST_OF_THE_PROGRAM: Final = 3 * 2**30
# between the interruption of a query and the end of the process
_SECONDS_OF_GRACE: Final = 5.0


@contextmanager
def reading(
    memory_limit: str | None = None, seconds: float | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """The warehouse for queries that a person writes, each given to `run_query`.

    They may take `memory_limit` and `seconds`, without them what the environment says. Raises
    `GainsayError` for what is no query, fails, or takes more; where DuckDB is deaf for five
    seconds more, the process says so and ends with 1.
    """
    memory = memory_limit or limits.memory_limit()
    seconds = seconds or limits.query_seconds()
    too_long = (
        f"the query took more than {seconds:g} seconds; {limits.QUERY_SECONDS} gives it more, and"
        " --seconds of `gainsay sql`"
    )
    with ExitStack() as stack:
        connection = stack.enter_context(connect(read_only=True, memory_limit=memory))
        register(connection, (udf for udf in UDFS if not udf.touches_files))
        for lock in _LOCKS:
            connection.execute(lock)
        stack.enter_context(_address_space(limits.n_bytes(memory) + _REST_OF_THE_PROGRAM))
        is_late = stack.enter_context(_interrupted(connection, seconds, too_long))
        try:
            yield connection
        except (duckdb.OutOfMemoryException, MemoryError) as error:
            raise GainsayError(
                f"the query needs more memory than {memory}, and nothing of it goes to the disk;"
                f" {limits.MEMORY} gives it more, and --memory of `gainsay sql`"
            ) from error
        except duckdb.Error as error:
            if is_late.is_set():
                raise GainsayError(too_long) from error
            raise GainsayError(_explained(str(error))) from error


def run_query(connection: duckdb.DuckDBPyConnection, query: str) -> duckdb.DuckDBPyConnection:
    """Run the queries of a text; the last one's rows are the result.

    Raises `GainsayError`, before anything runs, for what is no statement, and `duckdb.Error`.
    """
    statements = connection.extract_statements(query)
    if not statements:
        raise GainsayError("no query; expected one such as 'select * from audit.audit__funnel'")
    for statement in statements:
        _require_query(connection, statement)
    return connection.execute(query)


def _require_query(connection: duckdb.DuckDBPyConnection, statement: duckdb.Statement) -> None:
    """Raise `GainsayError` for what is no query: `copy` writes files, and `attach` makes them."""
    explained = _EXPLAINED.match(statement.query)
    text = statement.query[explained.end() if explained else 0 :].rstrip().removesuffix(";")
    kind = _kind(statement)
    if kind in (*_QUERIES, "EXPLAIN") and _is_table(connection, text):
        return
    named = text.split(maxsplit=1)[0].lower() if kind in ("MULTI", "") else kind.lower()
    raise GainsayError(
        f"{named}: only queries are run, which read; expected select, from, with, describe, show"
        " or explain"
    )


def _kind(statement: duckdb.Statement) -> str:
    """DuckDB's name for what a statement is; an empty one for what its Python has no name for."""
    try:
        return statement.type.name
    except ValueError:
        return ""


def _is_table(connection: duckdb.DuckDBPyConnection, text: str) -> bool:
    """Whether a text is one statement that gives rows, and stays so as a table of another.

    That it is a statement by itself keeps out a text that closes the bracket it is put into.
    """
    try:
        return all(
            [_kind(statement) in _QUERIES for statement in connection.extract_statements(one)]
            == [True]
            for one in (text, f"from (\n{text}\n)")
        )
    except duckdb.Error:
        return False


def _explained(message: str) -> str:
    for udf in UDFS:
        if udf.touches_files and re.search(rf"\b{udf.name}\b does not exist", message):
            return f"{udf.name}: works on files, as no query may; builds call it"
    if "file system operations are disabled" in message:
        return (
            f"{message.partition(chr(10))[0]}: a query reads the warehouse alone; any DuckDB client"
            " reads other files beside it"
        )
    return message


@contextmanager
def _address_space(more: int) -> Iterator[None]:
    """Let the process grow by so many bytes, where the system says how large it is."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
    except (OSError, ValueError):
        yield
        return
    # where /proc is, this module is
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)
    most = pages * resource.getpagesize() + more
    if before[0] != resource.RLIM_INFINITY:
        most = min(most, before[0])
    resource.setrlimit(resource.RLIMIT_AS, (most, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


@contextmanager
def _interrupted(
    connection: duckdb.DuckDBPyConnection, seconds: float, message: str
) -> Iterator[threading.Event]:
    """Interrupt a connection after so many seconds; the event says that this was done."""
    is_done, is_late = threading.Event(), threading.Event()

    def watch() -> None:
        if is_done.wait(seconds):
            return
        is_late.set()
        connection.interrupt()
        if not is_done.wait(_SECONDS_OF_GRACE):
            # functions that make one long text look up at its end
            sys.stderr.write(f"Error: {message}\n")
            sys.stderr.flush()
            os._exit(1)

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        yield is_late
    finally:
        is_done.set()
        watcher.join()
