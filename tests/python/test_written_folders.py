"""What gainsay writes appears whole or not at all, and nothing of somebody else's is lost."""

import os
import select
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from gainsay.exports.folder import ExportFolder
from gainsay.exports.reality_check import _SAMPLE_COLUMNS, _require_not_filled_in
from gainsay.foundation import atomic
from gainsay.foundation.atomic import atomic_folder, write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import EXPORT_LIST
from gainsay.inspect.manifest import read_file
from gainsay.release.files import CHECKSUMS, checksum_lines, files_of, own_files
from gainsay.release.record import RECORD
from tests.python.conftest import PROJECT


def _write_release(folder: Path, text: str) -> None:
    """The files by which a release is known, and one more."""
    (folder / "data").mkdir()
    (folder / "data" / "examples.parquet").write_text(text)
    (folder / RECORD).write_text("{}")
    (folder / CHECKSUMS).write_text(checksum_lines(list(files_of(folder))))


def _release(path: Path, text: str = "new", *besides: str) -> None:
    with atomic_folder(path, own_files) as unfinished:
        for name in besides:
            (unfinished / name).write_text(text)
        _write_release(unfinished, text)


def _text_of(path: Path) -> str:
    return (path / "data" / "examples.parquet").read_text()


WRITER = """
import sys
from pathlib import Path
from gainsay.foundation.atomic import atomic_folder
from gainsay.release.files import CHECKSUMS, checksum_lines, files_of, own_files
from gainsay.release.record import RECORD

with atomic_folder(Path(sys.argv[1]), own_files) as unfinished:
    (unfinished / "data").mkdir()
    (unfinished / "data" / "examples.parquet").write_text(sys.argv[2])
    (unfinished / RECORD).write_text("{}")
    (unfinished / CHECKSUMS).write_text(checksum_lines(list(files_of(unfinished))))
    print("written", flush=True)
    sys.stdin.readline()
"""


def _start_writer(path: Path, text: str) -> "subprocess.Popen[str]":
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, path, text],
        cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert writer.stdout is not None
    assert writer.stdout.readline() == "written\n"
    return writer


def _end(writer: "subprocess.Popen[str]") -> None:
    writer.communicate("go on\n")
    assert writer.returncode == 0


@pytest.mark.parametrize("is_there", [False, True])
def test_of_two_writers_at_once_the_last_ones_folder_stands_whole(
    tmp_path: Path, is_there: bool
) -> None:
    path = tmp_path / "out" / "suite-01"
    if is_there:
        _release(path, "earlier")
    one, other = _start_writer(path, "one"), _start_writer(path, "other")
    _end(other)
    assert _text_of(path) == "other"
    _end(one)
    assert _text_of(path) == "one"
    assert [found.name for found in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("can_exchange", [True, False])
def test_what_others_put_into_a_release_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, can_exchange: bool
) -> None:
    if not can_exchange:
        monkeypatch.setattr(atomic, "exchange", lambda *_: False)
    path = tmp_path / "suite-01"
    _release(path, "earlier")
    (path / ".git").mkdir()
    (path / ".git" / "HEAD").write_text("ref")
    (path / "NOTES.md").write_text("a note")
    (path / "data" / "mine.csv").write_text("rows")
    (path / "empty").mkdir()
    (path / "link").symlink_to(tmp_path)

    _release(path)

    assert _text_of(path) == "new"
    assert (path / ".git" / "HEAD").read_text() == "ref"
    assert (path / "NOTES.md").read_text() == "a note"
    assert (path / "data" / "mine.csv").read_text() == "rows"
    assert (path / "empty").is_dir()
    assert (path / "link").is_symlink()
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_a_file_of_a_new_release_takes_the_place_of_nobodys(tmp_path: Path) -> None:
    path = tmp_path / "suite-01"
    _release(path, "earlier")
    (path / "card.md").write_text("mine")
    with pytest.raises(GainsayError, match=r"card\.md: gainsay did not write it"):
        _release(path, "new", "card.md")
    assert _text_of(path) == "earlier"
    assert (path / "card.md").read_text() == "mine"
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize("kind", ["folder", "file", "link", "dangling link", "pipe"])
def test_what_is_no_release_is_not_replaced(tmp_path: Path, kind: str) -> None:
    path, elsewhere = tmp_path / "suite-01", tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "mine").write_text("mine")
    if kind == "folder":
        elsewhere.rename(path)
    elif kind == "file":
        path.write_text("mine")
    elif kind == "pipe":
        os.mkfifo(path)
    else:
        path.symlink_to(elsewhere if kind == "link" else tmp_path / "nowhere")
    before = sorted(tmp_path.rglob("*"))
    # the second run meets what the first one left
    for _ in range(2):
        with pytest.raises(GainsayError, match=r"suite-01: (is no release|expected a folder)"):
            _release(path)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_killed_writers_folder_goes_and_a_living_ones_stays(tmp_path: Path) -> None:
    path = tmp_path / "suite-01"
    killed, alive = _start_writer(path, "killed"), _start_writer(path, "alive")
    killed.kill()
    killed.wait()
    # names of somebody else's, which only look alike
    others = [tmp_path / ".suite-01.unfinished", tmp_path / f".suite-01.{'0' * 32}"]
    for other in others:
        other.mkdir()
    _release(path)
    assert len(list(tmp_path.iterdir())) == 2 + len(others)
    _end(alive)
    assert _text_of(path) == "alive"
    assert sorted(tmp_path.iterdir()) == sorted([*others, path])


@pytest.mark.parametrize("when", ["before anything came along", "while it is removed"])
def test_a_kill_after_the_exchange_loses_nothing_of_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, when: str
) -> None:
    path = tmp_path / "suite-01"
    _release(path, "earlier")
    (path / "NOTES.md").write_text("a note")

    def killed(*_: object) -> bool:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        name = "_is_brought_along" if when == "before anything came along" else "_remove"
        patch.setattr(atomic, name, killed)
        with pytest.raises(KeyboardInterrupt):
            _release(path, "second")
    assert _text_of(path) == "second"
    _release(path, "third")
    assert _text_of(path) == "third"
    assert (path / "NOTES.md").read_text() == "a note"
    assert [found.name for found in tmp_path.iterdir()] == [path.name]


def test_two_exports_into_one_folder_do_not_mix(tmp_path: Path) -> None:
    one, other = (ExportFolder(tmp_path, "jsonl", "conflict_suite") for _ in range(2))
    with one.taken_over(set()):
        with one.part() as part:
            part.write(b"one")
        with (
            pytest.raises(GainsayError, match="another program is exporting"),
            other.taken_over(set()),
        ):
            pass
        with pytest.raises(GainsayError, match="another program is exporting"):
            other.clear()
        one.keep(Path(part.name), "records.jsonl")
        one.finish("a card")
    assert (tmp_path / "records.jsonl").read_bytes() == b"one"
    # the files of the first are known to the second, which was made before
    with other.taken_over(set()):
        other.write("other.jsonl", b"other")
        other.finish("another card")
    assert not (tmp_path / "records.jsonl").exists()


def test_a_pipe_in_an_exports_folder_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "README.md")
    ExportFolder(tmp_path, "jsonl", "conflict_suite")
    os.mkfifo(tmp_path / EXPORT_LIST)
    with pytest.raises(GainsayError, match="not a regular file"):
        ExportFolder(tmp_path, "jsonl", "conflict_suite")


def test_a_sample_that_people_filled_in_is_not_overwritten(tmp_path: Path) -> None:
    sheet = tmp_path / "sample.csv"
    _require_not_filled_in(sheet)
    header = ",".join(_SAMPLE_COLUMNS)
    open_row = "spatial,spatial,es,Is it?,Es?,,,"
    sheet.write_text(f"{header}\n{open_row}\n")
    _require_not_filled_in(sheet)
    sheet.write_text(f"{header}\n{open_row}\n{open_row[:-2]}yes,,\n")
    with pytest.raises(GainsayError, match=r"sample\.csv: people have filled it in"):
        _require_not_filled_in(sheet)


def test_a_manifest_that_is_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "manifest.json")
    with pytest.raises(GainsayError, match="not a regular file"):
        read_file(tmp_path / "manifest.json")


def test_a_pipe_is_written_to_and_stays_one(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(GainsayError, match="no program reads this pipe"):
        write_atomically(pipe, b"unread")
    read: list[bytes] = []
    opened = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    os.set_blocking(opened, True)

    def read_all() -> None:
        # before a writer comes, a read would end at once
        select.select([opened], [], [])
        read.append(os.fdopen(opened, "rb").read())

    reader = threading.Thread(target=read_all)
    reader.start()
    write_atomically(pipe, b"x" * 200_000)
    reader.join()
    assert read == [b"x" * 200_000]
    assert pipe.is_fifo()
    assert list(tmp_path.iterdir()) == [pipe]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux alone has /dev/full")
def test_a_device_is_written_to_and_stays_one(tmp_path: Path) -> None:
    write_atomically(Path("/dev/null"), b"nowhere")
    with pytest.raises(GainsayError, match="No space left on device"):
        write_atomically(Path("/dev/full"), b"x" * 100_000)
    link = tmp_path / "link"
    link.symlink_to("/dev/null")
    write_atomically(link, b"nowhere")
    assert link.is_symlink()
    for device in ("null", "full"):
        assert Path("/dev", device).is_char_device()


def test_a_socket_is_no_file(tmp_path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket"))
        with pytest.raises(GainsayError, match="a disk or a socket"):
            write_atomically(tmp_path / "socket", b"x")
