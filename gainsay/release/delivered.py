"""The seal of what a release delivers: a hash of the rows of each table, of each format and page.

The manifest seals the examples as the warehouse has them, with what is held back and columns that
no release has. This seals what lies in the folder, so that whoever has the folder alone can compute
it again. A row is hashed as DuckDB's JSON of its values, whatever Parquet spells it like; a table
is the hash of its columns' names, as JSON, and of the sorted hashes of its rows, one on each line.
A page names the seal, by a hash that is left out where the page itself is sealed.
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
from gainsay.foundation.own_files import CARD
from gainsay.release.files import (
    CITATION,
    EXAMPLES_STEM,
    LICENSES,
    PICTURES_STEM,
    PROMPTS_STEM,
    SHOWN_STEM,
    File,
    checksum_lines,
)
from gainsay.release.record import CROISSANT, RECORD

DELIVERED: Final = "delivered.json"
# stands in the pages for the hash of the seal while they are sealed
NOT_SEALED: Final = "0" * 64
# a picture's row holds its bytes
_ROWS_AT_ONCE: Final = 1_000


class Sealed(msgspec.Struct, frozen=True):
    """How many rows or files there are, and the hash of them all."""

    n: int
    sha256: str


def delivered(
    folder: Path,
    files: Iterable[File],
    splits: Iterable[str],
    formats: Iterable[str],
    own_sha256: str,
) -> dict[str, Sealed]:
    """The seals by what they are of: `data/examples/<split>`, the other tables, formats, pages.

    A format is sealed by the bytes of its files, and of those that run it; so are the licences of
    pictures. Pages are sealed as they are but for `own_sha256`, by which they name the seal. Raises
    `duckdb.Error`, `OSError` and `pyarrow.ArrowException` where a file of a table is no Parquet
    that can be read.
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
        seals[name] = _of_files(of_format)
    licences = [file for file in known.values() if file.name.startswith(f"{LICENSES}/")]
    seals[LICENSES] = _of_files(licences)
    for page in (CARD, CITATION, CROISSANT, RECORD):
        if page in known:
            text = (folder / page).read_bytes().replace(own_sha256.encode(), b"")
            seals[page] = Sealed(1, hashlib.sha256(text).hexdigest())
    return dict(sorted(seals.items()))


def _of_files(files: Iterable[File]) -> Sealed:
    found = sorted(files, key=lambda file: file.name)
    return Sealed(len(found), hashlib.sha256(checksum_lines(found).encode()).hexdigest())


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
