"""One policy for every file that a person names: regular, of a known size, never held whole unseen.

A file of 5 GB with a hole in it takes no room on the disk; a pipe that nobody writes to would be
waited for.
"""

import os
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from gainsay.foundation.chunked_files import measure_file
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.named_files import LONGEST_LINE, lines_of, opened_file, read_text
from gainsay.foundation.own_files import WRITTEN_LIST, OwnFiles
from gainsay.foundation.whole_files import read_whole_file
from gainsay.ingest.collect.fetching import Folder
from gainsay.ingest.collect.files import list_openimages, list_yfcc
from gainsay.ingest.own_pictures import annotation_source
from gainsay.ingest.sinks.duckdb import DuckDbSink, ensure_raw_schema
from gainsay.ingest.votes import land_log, land_sheet
from gainsay.inspect.manifest import read_file
from gainsay.lm.store import open_store
from gainsay.project.seeds import require_readable_seeds
from gainsay.release.readings import read_readings
from gainsay.release.verify import verify
from gainsay.review.log import VoteLog, read_log

# what a path may name in the place of a file
KINDS = ("pipe", "device", "folder", "hole")
HOLE = 5 * 2**30


def make(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if kind == "pipe":
        os.mkfifo(path)
    elif kind == "device":
        path.symlink_to("/dev/zero")
    elif kind == "folder":
        path.mkdir()
    else:
        with path.open("wb") as file:
            file.truncate(HOLE)


def _listing(path: Path, kind: str) -> None:
    with duckdb.connect() as connection:
        ensure_raw_schema(connection)
        if kind == "openimages":
            list_openimages(connection, [path], lambda _=1: None)
        else:
            from gainsay.ingest.collect.files import Share

            list_yfcc(connection, [path], Share(1.0, 1, 1.0), lambda _=1: None)


def _landed(path: Path, land: Callable[[DuckDbSink, Path], object]) -> None:
    with duckdb.connect() as connection:
        ensure_raw_schema(connection)
        land(DuckDbSink(connection), path)


def _answers(path: Path) -> None:
    with open_store(path, "id"):
        pass


# what a person may name, and who reads it
READERS: dict[str, tuple[str, Callable[[Path], object]]] = {
    "a whole file": ("file", read_whole_file),
    "a text": ("file", read_text),
    "a file in chunks": ("file", measure_file),
    "a log that lands": ("a.ndjson", lambda path: _landed(path, land_log)),
    "a sheet that lands": ("a.csv", lambda path: _landed(path, land_sheet)),
    "a log of the page": ("a.ndjson", VoteLog),
    "a log of progress": ("a.ndjson", read_log),
    "annotations": ("a.json", annotation_source),
    "a manifest": ("a.json", read_file),
    "a seed": ("seeds/a.csv", lambda path: require_readable_seeds(path.parents[1])),
    "a reading": (
        "tests/readings/a.csv",
        lambda path: read_readings(path.parents[2], ["a"]),
    ),
    "a listing of Open Images": ("a.csv", lambda path: _listing(path, "openimages")),
    "a table of YFCC100M": ("a", lambda path: _listing(path, "yfcc")),
    "a manifest of what was fetched": (
        "raw/manifest.jsonl",
        lambda path: Folder(path.parents[1]).read(),
    ),
    "answers that were paid for": ("a.jsonl", _answers),
    "what gainsay wrote": (WRITTEN_LIST, lambda path: OwnFiles(path.parent)),
    "a release": ("release.json", lambda path: verify(path.parent)),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", READERS)
def test_what_is_no_file_of_a_size_is_refused(tmp_path: Path, name: str, kind: str) -> None:
    called, read = READERS[name]
    path = tmp_path / called
    make(path, kind)
    with pytest.raises(GainsayError) as refused:
        read(path)
    assert path.name in str(refused.value) or printable_parent(path) in str(refused.value)


def printable_parent(path: Path) -> str:
    return str(path.parent)


def test_a_line_has_an_end(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"x\n" + b"y" * LONGEST_LINE + b"\n")
    with opened_file(path) as file, pytest.raises(GainsayError, match="line 2 has more than"):
        list(lines_of(file, path))


def test_a_file_that_grows_meanwhile_is_not_read_on(tmp_path: Path) -> None:
    path = tmp_path / "a"
    path.write_bytes(b"12")
    assert read_whole_file(path, 2).content == b"12"
    with pytest.raises(GainsayError, match="refused: more than 1 bytes"):
        read_whole_file(path, 1)


def test_a_link_to_a_file_is_the_file(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("ä")
    (tmp_path / "b").symlink_to("a")
    assert read_text(tmp_path / "b") == "ä"
    (tmp_path / "a").write_bytes(b"\xff")
    with pytest.raises(GainsayError, match=r"b: is not UTF-8 \(byte 0\); save it as such"):
        read_text(tmp_path / "b")
