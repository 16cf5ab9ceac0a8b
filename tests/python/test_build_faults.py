"""A build that is killed, or runs out of disk, leaves whole tables, and the next succeeds."""

import os
import signal
import subprocess
from pathlib import Path

from tests.python.conftest import PROJECT, Warehouse
from tests.python.disks import mounted, needs_mount, remount
from tests.python.test_determinism import HASHES, SCREENING

BUILT_TABLES = """
    select table_schema || '.' || table_name
    from information_schema.tables
    where table_schema in ('conflict_suite', 'audit', 'images')
    order by all
"""
# what an untested build of the Conflict Suite takes
_SUITE = (
    "--select", "+conflict_suite__manifest", "--exclude-resource-type", "test", "unit_test",
)  # fmt: skip


def test_killed_build_leaves_whole_tables(
    synthetic: Warehouse, landed: Warehouse, tmp_path: Path
) -> None:
    warehouse = landed.copied_to(tmp_path)
    _kill_when(warehouse, "START sql table model conflict_suite.conflict_suite__screened ")

    # every table that is there at all is there whole
    built = warehouse.rows(BUILT_TABLES)
    assert built
    for (table,) in built:
        count = f"select count(*) from {table}"
        assert warehouse.rows(count) == synthetic.rows(count), table


def test_killed_rebuild_keeps_the_old_tables_or_the_new_and_the_next_succeeds(
    synthetic: Warehouse, reseeded: Warehouse, tmp_path: Path
) -> None:
    """The next is of one thread, where `synthetic` has two."""
    warehouse = reseeded.copied_to(tmp_path)
    old_sizes = _sizes(warehouse)
    _kill_when(warehouse, "START sql table model conflict_suite.conflict_suite__examples ")

    new_sizes = _sizes(synthetic)
    for table, size in _sizes(warehouse).items():
        assert size in (old_sizes[table], new_sizes[table]), table
    warehouse.environment |= {"GAINSAY_DBT_THREADS": "1", "GAINSAY_DUCKDB_THREADS": "1"}
    assert warehouse.build_suite().rows(HASHES) == synthetic.rows(HASHES)
    assert warehouse.rows(SCREENING) == synthetic.rows(SCREENING)


@needs_mount
def test_full_disk_fails_clearly_and_the_next_build_succeeds(
    synthetic: Warehouse, corpus: Path, tmp_path: Path
) -> None:
    with mounted(tmp_path / "disk", "1g") as disk:
        warehouse = Warehouse(tmp_path, path=disk / "gainsay.duckdb")
        warehouse.gainsay("land", corpus)
        remount(disk, f"size={_used_kilobytes(disk) + 1024}k")
        failed = warehouse.dbt("build", *_SUITE, check=False)

        assert failed.returncode != 0
        assert "No space left on device" in failed.stdout + failed.stderr

        remount(disk, "size=1g")
        warehouse.build("--select", "+conflict_suite__screened")
        assert warehouse.rows(SCREENING) == synthetic.rows(SCREENING)


@needs_mount
def test_read_only_warehouse_fails_clearly(corpus: Path, tmp_path: Path) -> None:
    with mounted(tmp_path / "disk", "1g") as disk:
        warehouse = Warehouse(tmp_path, path=disk / "gainsay.duckdb")
        warehouse.gainsay("land", corpus)
        rows = "select count(*) from raw.vqa_questions"
        landed = warehouse.rows(rows)
        remount(disk, "ro")
        failed = warehouse.dbt("build", check=False)

        assert failed.returncode != 0
        assert "Read-only file system" in failed.stdout + failed.stderr
        remount(disk, "rw")
        assert warehouse.rows(rows) == landed


def _kill_when(warehouse: Warehouse, line: str) -> None:
    """Start a build and kill it, with no chance to tidy up, once it prints `line`."""
    process = subprocess.Popen(
        warehouse.dbt_command("build", *_SUITE),
        cwd=PROJECT,
        env=warehouse.environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    seen = any(line in printed for printed in process.stdout)
    os.killpg(process.pid, signal.SIGKILL)
    process.stdout.close()
    assert process.wait() == -signal.SIGKILL
    assert seen


def _sizes(warehouse: Warehouse) -> dict[str, object]:
    return {
        str(table): warehouse.rows(f"select count(*), sum(hash(t)) from {table} as t")[0]
        for (table,) in warehouse.rows(BUILT_TABLES)
    }


def _used_kilobytes(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) // 1024


def test_a_warehouse_without_a_landing_says_what_to_do(tmp_path: Path) -> None:
    process = Warehouse(tmp_path).dbt("build", check=False)

    assert process.returncode != 0
    assert "raw.vqa_questions" in process.stdout
    assert "run `gainsay land PATH...` first" in process.stdout
