"""JSON, written element by element."""

from collections.abc import Iterable
from typing import IO

import msgspec

from gainsay.exports.folder import ExportFolder
from gainsay.exports.records import Record


def write_lines(folder: ExportFolder, name: str, lines: Iterable[Record]) -> None:
    """One object per line."""
    with folder.file(name) as file:
        for line in lines:
            file.write(msgspec.json.encode(line) + b"\n")


def write_array(folder: ExportFolder, name: str, elements: Iterable[Record]) -> None:
    """One array, an element per line."""
    with folder.file(name) as file:
        write_elements(file, elements)
        file.write(b"\n")


def write_elements(file: IO[bytes], elements: Iterable[Record]) -> None:
    """An array within a file, an element per line."""
    before = b"[\n"
    for element in elements:
        file.write(before + msgspec.json.encode(element))
        before = b",\n"
    file.write(b"\n]" if before == b",\n" else b"[]")
