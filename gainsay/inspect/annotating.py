"""What became of the pictures that a build annotated: looked at, kept from before, or failed."""

import sqlite3
from collections import Counter
from collections.abc import Set as AbstractSet
from contextlib import closing
from pathlib import Path

import duckdb
from msgspec import Struct

from gainsay.foundation.queries import query, sql_beside
from gainsay.python_udfs.annotate.results_cache import INDEX


class Annotated(Struct, frozen=True):
    """What an annotator did with the pictures of one source."""

    source: str
    annotator: str
    n_looked_at: int
    n_kept: int
    n_failed: int


class _Content(Struct):
    sha256: str
    source: str


class _Failed(Struct):
    annotator: str
    source: str
    n: int


def kept_findings(folder: Path) -> frozenset[tuple[str, str]]:
    """The findings that a folder of annotations holds: annotator and content, empty without any."""
    index = folder / INDEX
    if not index.is_file():
        return frozenset()
    with closing(sqlite3.connect(f"{index.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        keys = connection.execute("select key from results").fetchall()
    return frozenset(_annotator_and_content(key) for (key,) in keys)


def counted_findings(folder: Path) -> Counter[str]:
    """How many findings of each annotator a folder of annotations holds, while it is filled."""
    index = folder / INDEX
    if not index.is_file():
        return Counter()
    with closing(sqlite3.connect(f"{index.resolve().as_uri()}?mode=ro", uri=True)) as connection:
        try:
            rows = connection.execute(
                "select substr(key, 1, instr(key, '|') - 1), count(*) from results group by 1"
            ).fetchall()
        except sqlite3.OperationalError:
            # it is made a moment before its table
            return Counter()
    counts: Counter[str] = Counter()
    for versioned, n in rows:
        counts[_annotator(versioned)] += n
    return counts


def annotated(
    connection: duckdb.DuckDBPyConnection,
    before: AbstractSet[tuple[str, str]],
    after: AbstractSet[tuple[str, str]],
) -> list[Annotated]:
    """What each annotator did with the landed pictures of each source, in order of both.

    `before` and `after` are the findings that were kept before and after a build.
    """
    source_of = {
        each.sha256: each.source
        for each in query(connection, sql_beside(__file__, "annotated_pictures"), _Content)
    }
    looked_at: Counter[tuple[str, str]] = Counter()
    kept: Counter[tuple[str, str]] = Counter()
    for annotator, sha256 in after:
        if sha256 in source_of:
            counted = kept if (annotator, sha256) in before else looked_at
            counted[source_of[sha256], annotator] += 1
    failed = Counter(
        {
            (each.source, each.annotator): each.n
            for each in query(connection, sql_beside(__file__, "failed_annotations"), _Failed)
        }
    )
    return [
        Annotated(*place, looked_at[place], kept[place], failed[place])
        for place in sorted(looked_at.keys() | kept.keys() | failed.keys())
    ]


def _annotator_and_content(key: str) -> tuple[str, str]:
    """Of a key `texture 3|<sha256>`, or one with a hash of what else was told behind it."""
    versioned, sha256 = key.split("|")[:2]
    return _annotator(versioned), sha256


def _annotator(versioned: str) -> str:
    """The annotator without its version."""
    return versioned.partition(",")[0].rstrip("0123456789. ")
