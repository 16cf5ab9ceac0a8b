"""A landing that is killed, or finds no disk or no right to write, leaves the warehouse whole."""

import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.disks import mounted, needs_mount, remount
from tests.python.official_layout import Asked, question, write, write_corpus

VAL_QUESTIONS = "v2_OpenEnded_mscoco_val2014_questions.json"
TABLES = """
    select table_name from information_schema.tables where table_schema = 'raw' order by all
"""
COUNT = 200_000

# Runs a landing that stops, for good, at one place: when it comes to read a file, or to commit.
STOPPED_LANDING = """
import sys
from gainsay.ingest import landing
from gainsay.cli import main

place, *arguments = sys.argv[1:]
measure, ahead = landing.measure, landing.read_ahead

def stop():
    print("reached", flush=True)
    sys.stdin.read()

def read(source):
    if source.official.name == place:
        stop()
    return measure(source)

def ahead_and_stop(items):
    yield from ahead(items)
    if place == "commit":
        stop()

landing.measure, landing.read_ahead = read, ahead_and_stop
main(arguments)
"""


@pytest.fixture(scope="module")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files large enough that the database file grows before the commit."""
    folder = tmp_path_factory.mktemp("large")
    write_corpus(folder, [Asked(1, "Is there a cat?", "yes", ["A cat."])])
    questions = [question(n, n, f"Is this question {n}?") for n in range(COUNT)]
    write(folder / VAL_QUESTIONS, {"questions": questions})
    return folder


@pytest.fixture(scope="module")
def clean(large: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, object]:
    """What a landing of `large` that nothing disturbs gives."""
    warehouse = Warehouse(tmp_path_factory.mktemp("clean"))
    warehouse.gainsay("land", large)
    return _content(warehouse)


def _content(warehouse: Warehouse) -> dict[str, object]:
    """A digest of every raw table, whatever the time and the order of landing."""
    with warehouse.connect() as connection:
        return {
            table: connection.execute(f"""
                select count(*), sum(hash(landed))
                from (
                    select columns(lambda name: name not in ('landed_at', '_landed_at'))
                    from raw.{table}
                ) as landed
            """).fetchone()
            for (table,) in connection.execute(TABLES).fetchall()
        }


def _start(warehouse: Warehouse, *command: str | Path) -> "subprocess.Popen[str]":
    return subprocess.Popen(
        [sys.executable, *map(str, command)],
        cwd=PROJECT,
        env=warehouse.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )


def _kill(process: "subprocess.Popen[str]") -> None:
    process.kill()
    process.communicate()
    assert process.returncode == -signal.SIGKILL


def _kill_at(place: str, warehouse: Warehouse, folder: Path) -> None:
    """Kill a landing with no chance to tidy up, once it comes to `place`."""
    process = _start(warehouse, "-c", STOPPED_LANDING, place, "land", folder)
    assert process.stdout is not None
    assert process.stdout.readline() == "reached\n"
    _kill(process)


@pytest.mark.parametrize("place", [VAL_QUESTIONS, "commit"])
def test_killed_first_landing_leaves_nothing(
    large: Path, clean: dict[str, object], tmp_path: Path, place: str
) -> None:
    warehouse = Warehouse(tmp_path)
    _kill_at(place, warehouse, large)
    assert _content(warehouse) == {}
    warehouse.gainsay("land", large)
    assert _content(warehouse) == clean


@pytest.fixture
def landed_before(tmp_path: Path) -> Warehouse:
    """A warehouse that holds other files of the names in `large`."""
    warehouse = Warehouse(tmp_path)
    corpus = write_corpus(tmp_path / "old", [Asked(7, "What is it?", "a dog", ["A dog."])])
    write(corpus / VAL_QUESTIONS, {"questions": [question(8, 7, "Where?"), "no question"]})
    warehouse.gainsay("land", corpus)
    return warehouse


@pytest.mark.parametrize("place", [VAL_QUESTIONS, "commit"])
def test_killed_replacement_keeps_what_was_there(
    landed_before: Warehouse, large: Path, clean: dict[str, object], place: str
) -> None:
    old = _content(landed_before)
    _kill_at(place, landed_before, large)
    assert _content(landed_before) == old
    landed_before.gainsay("land", large)
    assert _content(landed_before) == clean


@pytest.mark.parametrize("growing", ["rows", "log", "checkpoint"])
def test_killed_while_it_writes(
    landed_before: Warehouse, large: Path, clean: dict[str, object], growing: str
) -> None:
    old = _content(landed_before)
    database = landed_before.path
    log = database.with_name(f"{database.name}.wal")
    process = _start(landed_before, "-m", "gainsay", "land", large)
    if growing != "rows":
        _watch(process, log.exists)
    if growing != "log":
        size = database.stat().st_size
        _watch(process, lambda: database.stat().st_size > size)
    _kill(process)

    assert _content(landed_before) in (old, clean)
    landed_before.gainsay("land", large)
    assert _content(landed_before) == clean


def _watch(process: "subprocess.Popen[str]", has_come: Callable[[], bool]) -> None:
    while not has_come():
        assert process.poll() is None, "it ended before it could be killed"


def test_second_landing_at_the_same_time_is_refused(
    large: Path, clean: dict[str, object], tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path)
    first = _start(warehouse, "-c", STOPPED_LANDING, VAL_QUESTIONS, "land", large)
    assert first.stdout is not None
    assert first.stdout.readline() == "reached\n"

    second = warehouse.gainsay("land", large, check=False)
    assert second.returncode == 1
    assert "cannot open the warehouse" in second.stderr
    assert f"PID {first.pid}" in second.stderr

    first.communicate("go on")
    assert first.returncode == 0
    assert _content(warehouse) == clean


@needs_mount
@pytest.mark.parametrize("size", ["8k", "300k"])
def test_disk_too_small_for_a_first_landing(
    large: Path, clean: dict[str, object], tmp_path: Path, size: str
) -> None:
    with mounted(tmp_path / "disk", size) as disk:
        warehouse = Warehouse(tmp_path, path=disk / "gainsay.duckdb")
        failed = warehouse.gainsay("land", large, check=False)
        assert failed.returncode == 1
        assert failed.stderr.endswith("No space left on device\n")
        assert "Traceback" not in failed.stderr

        remount(disk, "size=50m")
        warehouse.gainsay("land", large)
        assert _content(warehouse) == clean


# kilobytes that are left on the disk, for rows and log and checkpoint to fail on in turn
@needs_mount
@pytest.mark.parametrize("free", [0, 1_500, 2_400])
def test_disk_that_fills_up_keeps_the_old_rows_or_the_new(
    landed_before: Warehouse, large: Path, clean: dict[str, object], tmp_path: Path, free: int
) -> None:
    old = _content(landed_before)
    with mounted(tmp_path / "disk", "50m") as disk:
        warehouse = Warehouse(tmp_path, path=disk / "gainsay.duckdb")
        shutil.copy(landed_before.path, warehouse.path)
        remount(disk, f"size={shutil.disk_usage(disk).used // 1024 + free}k")
        landing = warehouse.gainsay("land", large, check=False)

        remount(disk, "size=50m")
        if landing.returncode == 0:
            # committed to the log; only the checkpoint had no room

            assert free > 1_500
            assert _content(warehouse) == clean
        else:
            assert "nothing was landed" in landing.stderr
            assert landing.stderr.endswith("No space left on device\n")
            assert _content(warehouse) == old
        warehouse.gainsay("land", large)
        assert _content(warehouse) == clean


@needs_mount
def test_read_only_warehouse(landed_before: Warehouse, large: Path, tmp_path: Path) -> None:
    old = _content(landed_before)
    with mounted(tmp_path / "disk", "50m") as disk:
        warehouse = Warehouse(tmp_path, path=disk / "gainsay.duckdb")
        shutil.copy(landed_before.path, warehouse.path)
        remount(disk, "ro")
        failed = warehouse.gainsay("land", large, check=False)
        assert failed.returncode == 1
        assert f"{warehouse.path}: cannot open the warehouse" in failed.stderr
        assert "Read-only file system" in failed.stderr
        assert "Traceback" not in failed.stderr
        assert _content(warehouse) == old


@needs_mount
def test_read_only_folder(large: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "50m") as disk:
        warehouse = Warehouse(tmp_path, path=disk / "new" / "gainsay.duckdb")
        remount(disk, "ro")
        failed = warehouse.gainsay("land", large, check=False)
        assert failed.returncode == 1
        assert "Read-only file system" in failed.stderr
        assert "Traceback" not in failed.stderr
