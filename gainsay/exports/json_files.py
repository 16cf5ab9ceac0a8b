"""JSON, written element by element."""

from collections.abc import Iterable, Iterator
from typing import IO

import msgspec

from gainsay.exports.folder import ExportFolder, Parts, Shards
from gainsay.exports.records import Record, Records, fields

# a share is a number, whatever the warehouse keeps it as
_JSON = msgspec.json.Encoder(decimal_format="number")
# where many tasks write: about half of what one shard holds
_LINES_PER_TASK = 500_000


def write_lines(folder: ExportFolder, name: str, lines: Iterable[Record]) -> None:
    """One object per line."""
    with folder.file(name) as file:
        for line in lines:
            file.write(_JSON.encode(line) + b"\n")


def line_shards(stem: str) -> tuple[str, Shards]:
    """The file of all lines, and its shards where they are more than fit into one."""
    return f"{stem}.jsonl", Shards(stem, ".jsonl")


def write_line_shards(records: Records, folder: ExportFolder, stem: str) -> None:
    """One record per line, in `<stem>.jsonl` or as many files as `shard_bytes` makes of it."""
    shards = records.shards(_line_shards, folder, _LINES_PER_TASK)
    whole, parts = line_shards(stem)
    names = [whole] if len(shards) == 1 else parts.names(len(shards))
    for shard, name in zip(shards, names, strict=True):
        folder.keep(shard, name)


def _line_shards(records: Iterable[Record], parts: Parts) -> Iterator[IO[bytes]]:
    lines = (_JSON.encode(fields(record)) + b"\n" for record in records)
    line = next(lines, None)
    while line is not None:
        n_bytes = 0
        with parts.part() as part:
            while line is not None and (not n_bytes or n_bytes + len(line) <= parts.shard_bytes):
                n_bytes += part.write(line)
                line = next(lines, None)
        yield part


def write_array(folder: ExportFolder, name: str, elements: Iterable[Record]) -> None:
    """One array, an element per line."""
    with folder.file(name) as file:
        write_elements(file, elements)
        file.write(b"\n")


def write_elements(file: IO[bytes], elements: Iterable[Record]) -> None:
    """An array within a file, an element per line."""
    before = b"[\n"
    for element in elements:
        file.write(before + _JSON.encode(element))
        before = b",\n"
    file.write(b"\n]" if before == b",\n" else b"[]")
