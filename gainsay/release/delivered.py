"""The seal of what a release delivers: a hash of the rows of each table, and of each format.

The manifest seals the examples as the warehouse has them, with what is held back and columns that
no release has. This seals what lies in the folder, so that whoever has the folder alone can compute
it again. A row is hashed as DuckDB's JSON of its values, whatever Parquet spells it like; a table
is the hash of its columns' names, as JSON, and of the sorted hashes of its rows, one on each line.
"""

import hashlib
from collections.abc import Iterable
from fnmatch import fnmatch
from glob import escape
from pathlib import Path
from typing import Final

import duckdb
import msgspec
import pyarrow.dataset as ds

from gainsay.exports.writers.inspect import RUN_FROM_ROOT
from gainsay.release.files import (
    EXAMPLES_STEM,
    PICTURES_STEM,
    PROMPTS_STEM,
    SHOWN_STEM,
    File,
    checksum_lines,
)

DELIVERED: Final = "delivered.json"
# a picture's row holds its bytes
_ROWS_AT_ONCE: Final = 1_000


class Sealed(msgspec.Struct, frozen=True):
    """How many rows or files there are, and the hash of them all."""

    n: int
    sha256: str


def delivered(
    folder: Path, files: Iterable[File], splits: Iterable[str], formats: Iterable[str]
) -> dict[str, Sealed]:
    """The seals by what they are of: `data/examples/<split>`, the other tables, each format.

    A format is sealed by the bytes of its files, and of those that run it. Raises `duckdb.Error`,
    `OSError` and `pyarrow.ArrowException` where a file of a table is no Parquet that can be read.
    """
    known = {file.name: file for file in files}
    patterns = {f"{EXAMPLES_STEM}{split}": f"{escape(EXAMPLES_STEM + split)}-*" for split in splits}
    patterns |= {stem.rstrip("/"): f"{stem}*" for stem in (PROMPTS_STEM, SHOWN_STEM, PICTURES_STEM)}
    seals = {}
    for what, pattern in patterns.items():
        names = sorted(name for name in known if fnmatch(name, pattern))
        if names:
            seals[what] = _of_rows([folder / name for name in names])
    for name in formats:
        of_format = [
            file
            for file in known.values()
            if file.name.startswith(f"{name}/")
            or (name == "inspect" and file.name in RUN_FROM_ROOT)
        ]
        lines = checksum_lines(sorted(of_format, key=lambda file: file.name))
        seals[name] = Sealed(len(of_format), hashlib.sha256(lines.encode()).hexdigest())
    return dict(sorted(seals.items()))


def _of_rows(paths: list[Path]) -> Sealed:
    # a path is no pattern to Arrow, as it would be to DuckDB
    tables = ds.dataset([str(path) for path in paths], format="parquet")
    batches = tables.scanner(
        batch_size=_ROWS_AT_ONCE, batch_readahead=1, fragment_readahead=1
    ).to_reader()
    with duckdb.connect() as connection:
        rows = connection.from_arrow(batches)
        values = ", ".join(map(_quoted, rows.columns))
        hashed = rows.project(f"sha256(cast(to_json(row({values})) as varchar)) as row_sha256")
        [(n, lines)] = hashed.aggregate(
            "count(*), coalesce(string_agg(row_sha256, chr(10) order by row_sha256), '')"
        ).fetchall()
        names = msgspec.json.encode(rows.columns)
    return Sealed(n, hashlib.sha256(names + b"\n" + lines.encode()).hexdigest())


def _quoted(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'
