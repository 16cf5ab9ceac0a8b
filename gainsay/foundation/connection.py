"""Where the warehouse is, and how it is opened."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import duckdb
from filelock import lock_descriptor

from gainsay.foundation import limits
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable

_SETTINGS = {
    # an extension must never be fetched behind the user's back
    "autoinstall_known_extensions": "false",
    "autoload_known_extensions": "false",
    # no result of the warehouse depends on row order; keeping it costs memory
    "preserve_insertion_order": "false",
}


# DuckDB's smallest; its own are of 262144
_SMALL_BLOCK = 16_384

# schemas of the project, by which tables are named: DuckDB names the catalog by the file, and with
# `raw.duckdb` it is not known whether `raw.votes` names a schema or a catalog
SCHEMAS = frozenset({
    "audit", "certainly_uncertain", "clash", "code", "conflict_suite", "conflict_suite_refined",
    "contradictions", "evaluation", "exports", "images", "information_schema", "lexicon", "llm",
    "main", "occlusions", "people", "pg_catalog", "raw", "reality_check", "report", "review",
    "staging", "vocabulary", "vqa",
})  # fmt: skip
# what DuckDB itself calls a catalog
_CATALOGS = frozenset({"main", "memory", "system", "temp"})
_UNUSABLE_NAME = re.compile(r"""["'\x00-\x1f\x7f]|[^\x00-\ud7ff\ue000-\U0010ffff]""")
# of DuckDB's sentence which process has the file
_LOCKED = re.compile(r"Could not set lock on file(?:.*\(PID (\d+)\))?", re.DOTALL)
# sentences of DuckDB's that name another cause, or no way on
_CAUSES = {
    "Cannot launch in-memory database": "it is no DuckDB database",
    "with a different configuration": (
        "this process has it open already, one for reading and one for writing; close the other"
        " connection first"
    ),
}
# DuckDB takes what stands before a colon for a kind of database
_KIND = re.compile(r"[A-Za-z0-9]*:")


def warehouse_path() -> Path:
    """The DuckDB file that `GAINSAY_DB` names, `data/gainsay.duckdb` without it."""
    return Path(os.environ.get("GAINSAY_DB", "data/gainsay.duckdb"))


@contextmanager
def connect(
    *, read_only: bool = False, path: Path | None = None, memory_limit: str | None = None
) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the warehouse, or another one at `path`, and close it again; see `opened`."""
    connection = opened(read_only=read_only, path=path, memory_limit=memory_limit)
    try:
        yield connection
    finally:
        connection.close()


def opened(
    *, read_only: bool = False, path: Path | None = None, memory_limit: str | None = None
) -> duckdb.DuckDBPyConnection:
    """The warehouse, or another one at `path`, which who opens it closes.

    DuckDB takes at most `memory_limit`, without one what `GAINSAY_MEMORY_LIMIT` says. Raises
    `GainsayError` when the file is absent (read-only), locked by another process, not a DuckDB
    database, has a name that no build can use, or cannot be written, and for a variable of the
    environment that should be a number and is not.
    """
    path = path or warehouse_path()
    require_usable(path)
    if read_only and not path.exists():
        raise GainsayError(f"{path}: no warehouse here; land files first, or set GAINSAY_DB")
    settings: dict[str, str | bool | int | float | list[str]] = {
        **_SETTINGS,
        "memory_limit": memory_limit or limits.memory_limit(),
    }
    if threads := limits.duckdb_threads():
        settings["threads"] = threads
    try:
        if not path.exists():
            _create(path)
        return duckdb.connect(path, read_only=read_only, config=settings)
    except (duckdb.Error, OSError) as error:
        raise GainsayError(f"{path}: cannot open the warehouse: {cause_of(error)}") from error


def cause_of(error: BaseException) -> str:
    """Why a warehouse cannot be opened: as DuckDB says it, but where that hides the way on."""
    for said, cause in _CAUSES.items():
        if said in str(error):
            return cause
    locked = _LOCKED.search(str(error))
    if not locked:
        return str(error)
    process = f"another process (PID {locked[1]})" if locked[1] else "another process"
    return f"{process} has it open; try again once it has ended"


def create_small(path: Path) -> None:
    """Put an empty warehouse for a small corpus at `path`, unless one is there.

    Each column of a table begins in a block, and most of some 200 tables have a few rows: in the
    blocks that suit large ones the file would be four times as large. Raises `GainsayError` where
    no warehouse can be.
    """
    require_usable(path)
    if path.exists():
        return
    try:
        _create(path, {"default_block_size": str(_SMALL_BLOCK)})
    except (duckdb.Error, OSError) as error:
        raise GainsayError(f"{path}: cannot make a warehouse: {error}") from error


@contextmanager
def building_in(path: Path) -> Iterator[None]:
    """Meanwhile `GAINSAY_DB`, by which dbt finds the warehouse, names the one at `path`."""
    before = os.environ.get("GAINSAY_DB")
    os.environ["GAINSAY_DB"] = str(path)
    try:
        yield
    finally:
        if before is None:
            del os.environ["GAINSAY_DB"]
        else:
            os.environ["GAINSAY_DB"] = before


def require_usable(path: Path) -> None:
    """Raise `GainsayError` where no warehouse can be at a path, or none that can be built."""
    name = str(path)
    if name in (".", "") or _KIND.match(name):
        raise GainsayError(
            f"GAINSAY_DB {printable(name)!r}: is no file, and nothing would be kept; name one, such"
            " as data/gainsay.duckdb"
        )
    catalog = path.name.partition(".")[0]
    if (
        catalog != path.stem
        or catalog.lower() in SCHEMAS | _CATALOGS
        or _UNUSABLE_NAME.search(path.name)
    ):
        raise GainsayError(
            f"{printable(path)}: a warehouse of this name cannot be built: the name is a schema's,"
            " or has a quote or a second dot; rename the file, such as to gainsay.duckdb"
        )
    if sign := next((sign for sign in "#?" if sign in name), None):
        # DuckDB and dbt's adapter read the rest of such a path as that of an address
        raise GainsayError(
            f"{printable(path)}: no warehouse can be built in a folder with {sign} in its name;"
            " set GAINSAY_DB to a file in another one"
        )
    try:
        is_another = path.exists() and not path.is_file()
    except (OSError, ValueError) as error:
        cause = getattr(error, "strerror", None) or "no file can be called so"
        raise GainsayError(f"{printable(path)}: no warehouse can be here: {cause}") from error
    if is_another:
        raise GainsayError(f"{printable(path)}: is no regular file, and no warehouse; name another")


def _create(path: Path, settings: dict[str, str] | None = None) -> None:
    """Put an empty warehouse at `path`, whole at once.

    A file that DuckDB was stopped from making, by a kill or a full disk, is no database to it
    ever after.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{path.name}.", dir=path.parent) as folder:
        made = Path(folder) / path.name
        duckdb.connect(made, config={**(settings or {})}).close()
        # unlike a rename, a link leaves alone what another process put there meanwhile
        try:
            path.hardlink_to(made)
        except FileExistsError:
            return
        except OSError:
            _rename(made, path)


def _rename(made: Path, path: Path) -> None:
    """Move a new warehouse to its place where the file system has no links.

    Of several processes that do so at once, one moves its own; the others leave it alone.
    """
    folder = os.open(path.parent, os.O_RDONLY)
    try:
        # where the file system has no locks either, processes are taken to come one by one
        with suppress(OSError):
            lock_descriptor(folder)
        if not path.exists():
            made.rename(path)
    finally:
        os.close(folder)
