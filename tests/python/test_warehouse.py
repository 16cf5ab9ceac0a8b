"""Opening warehouses, and showing what is in them."""

import errno
import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.connection import connect, create_small
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query
from tests.python.conftest import PROJECT


def _no_links(_self: Path, _target: Path) -> None:
    raise OSError(errno.EPERM, "Operation not permitted")


def test_a_file_system_without_links_holds_a_warehouse(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Path, "hardlink_to", _no_links)
    path = tmp_path / "new" / "gainsay.duckdb"
    with connect(path=path) as connection:
        connection.execute("create table kept as select 1 as n")
    with connect(path=path, read_only=True) as connection:
        assert connection.execute("from kept").fetchall() == [(1,)]
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_without_links_what_another_process_made_is_left_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "gainsay.duckdb"

    def other_is_first(_self: Path, _target: Path) -> None:
        monkeypatch.undo()
        with connect(path=path) as connection:
            connection.execute("create table of_the_other as select 1 as n")
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(Path, "hardlink_to", other_is_first)
    with connect(path=path) as connection:
        assert connection.execute("from of_the_other").fetchall() == [(1,)]


def test_a_small_warehouse_has_small_blocks_and_is_made_once(tmp_path: Path) -> None:
    path = tmp_path / "new" / "gainsay.duckdb"
    create_small(path)
    with connect(path=path) as connection:
        connection.execute("create table kept as select 1 as n")
        block = "select block_size from pragma_database_size()"
        assert connection.execute(block).fetchall() == [(16_384,)]
    create_small(path)
    with connect(path=path, read_only=True) as connection:
        assert connection.execute("from kept").fetchall() == [(1,)]


def test_writing_a_file_leaves_the_mask_of_the_process_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    before = os.umask(0o027)
    try:
        with monkeypatch.context() as patch:
            patch.setattr(os, "umask", calls.append)
            write_atomically(tmp_path / "file", b"x")
        assert (tmp_path / "file").stat().st_mode & 0o777 == 0o640
        # other threads would make their files by the mask of the moment
        assert calls == []
    finally:
        os.umask(before)


def _write_elsewhere(path: Path, ending: str) -> None:
    """Write a file in a process of its own, which ends in the midst of it or not."""
    program = f"""
import os, signal
from pathlib import Path
from gainsay.foundation.atomic import atomic_file
with atomic_file(Path({str(path)!r})) as stream:
    stream.write(b"half")
    stream.flush()
    {ending}
"""
    subprocess.run([sys.executable, "-c", program], cwd=PROJECT, check=ending == "pass")


def test_what_a_killed_writer_left_goes_with_a_writing_a_day_later(tmp_path: Path) -> None:
    path = tmp_path / "file"
    _write_elsewhere(path, "os.kill(os.getpid(), signal.SIGKILL)")
    [left] = tmp_path.iterdir()
    assert left.name.startswith(".file.")
    # its writer may be alive, for all that another knows
    _write_elsewhere(path, "pass")
    assert sorted(tmp_path.iterdir()) == [left, path]

    others = [tmp_path / f".other.{'0' * 32}", tmp_path / ".file.backup", tmp_path / ".file"]
    for other in others:
        other.write_bytes(b"")
    yesterday = time.time() - 25 * 3600
    for old in (left, *others):
        os.utime(old, (yesterday, yesterday))
    _write_elsewhere(path, "pass")
    assert sorted(tmp_path.iterdir()) == sorted([path, *others])
    assert path.read_bytes() == b"half"


@pytest.fixture(name="warehouse")
def warehouse_of_markup(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    with connect() as connection:
        connection.execute("create table texts as select '[red]no[/red] :cat: [/]' as caption")


@pytest.mark.usefixtures("warehouse")
@pytest.mark.parametrize("columns", ["caption", "[caption]", "null as n, caption"])
def test_markup_in_a_cell_is_shown_as_text(columns: str) -> None:
    result = CliRunner().invoke(main, ["sql", f"select {columns} from texts"])
    assert result.exit_code == 0, result.output
    assert "[red]no[/red] :cat: [/]" in result.output


@pytest.mark.usefixtures("warehouse")
def test_markup_in_the_name_of_a_column_is_shown_as_text() -> None:
    result = CliRunner().invoke(main, ["sql", 'select 1 as "[bold]n[/bold]" from texts'])
    assert "[bold]n[/bold]" in result.output


class _Count(msgspec.Struct):
    family: str
    n: int
    share: float | None


@pytest.mark.parametrize(
    "columns",
    ["'count' as family, 3 as n, 0.5::double as share", "null as share, 3 as n, 'count' as family"],
)
def test_rows_are_structs_by_the_names_of_columns(tmp_path: Path, columns: str) -> None:
    with connect(path=tmp_path / "gainsay.duckdb") as connection:
        (row,) = query(connection, f"select {columns}", _Count)
    assert (row.family, row.n) == ("count", 3)


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select * from audit.nowhere", "nowhere.*run `gainsay build`"),
        ("select family from (select 1 as n)", "family.*run `gainsay build`"),
        ("select 'count' as family, 3 as n", "missing required field `share`"),
        ("select 'count' as family, 'three' as n, null as share", "Expected `int`, got `str`"),
        ("select null as family, 3 as n, null as share", "Expected `str`, got `null`"),
    ],
)
def test_rows_of_another_shape_are_an_error(tmp_path: Path, sql: str, message: str) -> None:
    with (
        connect(path=tmp_path / "gainsay.duckdb") as connection,
        pytest.raises(GainsayError, match=message),
    ):
        query(connection, sql, _Count)


def test_threads_that_are_the_first_to_read_a_kind_of_row_together() -> None:
    # in a process of its own, which msgspec ends where they are not kept apart
    code = """
import sys
from threading import Barrier, Thread
import duckdb
from msgspec import Struct
from gainsay.foundation.queries import query

sys.setswitchinterval(1e-6)
connection = duckdb.connect()
def reader():
    class Part(Struct):
        name: str | None
    class Whole(Struct):
        parts: list[Part]
    start = Barrier(8)
    def read(cursor):
        cursor.execute("select 1")
        start.wait()
        query(cursor, "select [{'name': 'a'}] as parts", Whole)
    return read
for _ in range(150):
    read = reader()
    threads = [Thread(target=read, args=(connection.cursor(),)) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
