"""What an export wrote, read back and counted against the benchmark's own examples."""

import csv
import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec
import pyarrow.parquet as pq

from gainsay.foundation.errors import GainsayError

# the columns of a record that are counted by, as files call them
_COLUMNS = {
    "split": "split", "operator": "condition", "group_id": "group_id", "language": "language",
}  # fmt: skip
# a picture in base64
_LONGEST_CELL = 2**31 - 1


@dataclass(frozen=True)
class Row:
    """A record as it is counted; null is what its file does not say."""

    example_id: str
    split: str | None = None
    condition: str | None = None
    group_id: str | None = None
    language: str | None = None


@dataclass
class Count:
    """How many records there are, and the sum of 64 bits of the sha256 of what names each.

    That is its id and group, and its language where there are several.

    The sum says whether two sets of records are the same without holding either.
    """

    n: int = 0
    digest: int = 0

    def add(self, row: Row) -> None:
        """Count a record."""
        named = f"{row.example_id}\n{row.group_id}"
        if row.language is not None:
            named += f"\n{row.language}"
        self.n += 1
        bits = hashlib.sha256(named.encode()).digest()[:8]
        self.digest = (self.digest + int.from_bytes(bits)) % 2**64


Counts = dict[tuple[str | None, str | None], Count]


class _Line(msgspec.Struct):
    """What a line of JSON says of its record, or of those that show its picture."""

    id: str | int | None = None
    example_id: str | None = None
    example_ids: list[str] = []
    split: str | None = None
    operator: str | None = None
    group_id: str | None = None
    language: str | None = None


def counts_of(rows: Iterable[Row]) -> Counts:
    """How many rows there are by split and condition."""
    counts: Counts = {}
    for row in rows:
        counts.setdefault((row.split, row.condition), Count()).add(row)
    return counts


def compared(row: Row, columns: Iterable[str]) -> Row:
    """A row without what files of these columns do not say."""
    named = {_COLUMNS[name] for name in columns if name in _COLUMNS}
    known = {name: getattr(row, name) for name in named}
    return Row(row.example_id, **known)


def written_rows(path: Path) -> Iterator[Row]:
    """The records that a file of an export holds; none of a file that holds no records."""
    match path.suffix:
        case ".parquet":
            yield from _rows_of_parquet(path)
        case ".json" | ".jsonl":
            yield from _rows_of_json(path)
        case ".tsv":
            yield from _rows_of_table(path)


def require_equal(found: Counts, expected: Counts, what: str) -> None:
    """Raise `GainsayError` where files hold other records than the benchmark has."""
    wrong = [
        _difference(key, found.get(key, Count()), expected.get(key, Count()))
        for key in sorted(found.keys() | expected.keys(), key=str)
        if _value(found, key) != _value(expected, key)
    ]
    if wrong:
        raise GainsayError(
            f"{what}: what was written is not what the benchmark has: {'; '.join(wrong)}; run"
            " `gainsay build` so that exports follow their benchmark, then export again"
        )


def _value(counts: Counts, key: tuple[str | None, str | None]) -> tuple[int, int]:
    count = counts.get(key, Count())
    return count.n, count.digest


def _difference(key: tuple[str | None, str | None], found: Count, expected: Count) -> str:
    name = ", ".join(filter(None, key)) or "all"
    if found.n != expected.n:
        return f"{name}: {found.n:,} records where {expected.n:,} are expected"
    return f"{name}: {found.n:,} records, and others than expected or in other groups or languages"


def _rows_of_parquet(path: Path) -> Iterator[Row]:
    file = pq.ParquetFile(path)
    known = [name for name in ("example_id", *_COLUMNS) if name in file.schema_arrow.names]
    for batch in file.iter_batches(columns=known):
        yield from map(_row, batch.to_pylist())


def _rows_of_json(path: Path) -> Iterator[Row]:
    """Of an element on each line, as exports write arrays, too; annotations are no records."""
    with path.open("rb") as file:
        for line in file:
            text = line.strip().rstrip(b",")
            if text.startswith(b"],") or b'"annotations":' in text[:20]:
                return
            if not text.startswith(b"{") or not text.endswith(b"}"):
                continue
            found = msgspec.json.decode(text, type=_Line)
            for example_id in found.example_ids or [found.example_id or str(found.id)]:
                yield Row(example_id, found.split, found.operator, found.group_id, found.language)


def _rows_of_table(path: Path) -> Iterator[Row]:
    csv.field_size_limit(_LONGEST_CELL)
    with path.open(newline="", encoding="utf-8") as file:
        yield from map(_row, csv.DictReader(file, delimiter="\t"))


def _row(record: dict[str, Any]) -> Row:
    known = {field: record.get(column) for column, field in _COLUMNS.items()}
    return Row(record["example_id"], **known)
