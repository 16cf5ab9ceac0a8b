"""dbt in the same process: parsed once for all warehouses, and gone when it returns."""

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gainsay.project.runner import run_dbt

_PROFILE = """
gainsay:
  target: dev
  outputs:
    dev: {type: duckdb, path: "{{ env_var('GAINSAY_DB') }}", schema: main, threads: 1}
"""


@pytest.fixture(name="project")
def small_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one model, the current folder elsewhere."""
    folder = tmp_path / "project"
    (folder / "profiles").mkdir(parents=True)
    (folder / "models").mkdir()
    (folder / "dbt_project.yml").write_text(
        "{name: gainsay, profile: gainsay, vars: {answer: 1},"
        " flags: {send_anonymous_usage_stats: false}}"
    )
    (folder / "profiles" / "profiles.yml").write_text(_PROFILE)
    (folder / "models" / "answers.sql").write_text(
        "select {{ var('answer') }} as answer, '{{ this.database }}' as database_name"
    )
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    monkeypatch.chdir(elsewhere)
    return folder


def _run(project: Path, warehouse: Path, *arguments: str) -> list[str]:
    """Run dbt; returns the names of its events."""
    events: list[str] = []

    def listen(event: Any) -> None:
        events.append(event.info.name)

    result = run_dbt(["--quiet", *arguments], project=project, warehouse=warehouse, listen=listen)
    assert result.success, result.exception
    return events


def _answers(warehouse: Path) -> list[tuple[object, ...]]:
    # another configuration than dbt's: refused while dbt holds the file
    with duckdb.connect(warehouse, config={"threads": 1}) as connection:
        return connection.execute("select answer, database_name from answers").fetchall()


@pytest.mark.slow
def test_a_second_warehouse_needs_no_parsing(project: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "one" / "gainsay.duckdb", tmp_path / "two" / "gainsay.duckdb"
    for warehouse in (first, second):
        warehouse.parent.mkdir()
    assert "UnableToPartialParse" in _run(project, first, "build")
    assert "PartialParsingSkipParsing" in _run(project, second, "build")
    assert _answers(first) == _answers(second) == [(1, "gainsay")]


@pytest.mark.slow
def test_a_clock_before_1970_stops_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now = time.time
    monkeypatch.setattr(time, "time", lambda: now() - 1.83e9)
    _run(project, tmp_path / "gainsay.duckdb", "build")
    assert _answers(tmp_path / "gainsay.duckdb") == [(1, "gainsay")]


@pytest.mark.slow
def test_a_database_of_another_name_is_parsed_by_its_name(project: Path, tmp_path: Path) -> None:
    _run(project, tmp_path / "gainsay.duckdb", "build")
    _run(project, tmp_path / "other.duckdb", "build")
    assert _answers(tmp_path / "other.duckdb") == [(1, "other")]


@pytest.mark.slow
def test_changed_files_and_vars_are_seen(project: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    _run(project, warehouse, "build")
    _run(project, warehouse, "build", "--vars", "{answer: 2}")
    assert _answers(warehouse) == [(2, "gainsay")]
    # each set of vars has a parsed project of its own
    assert "PartialParsingSkipParsing" in _run(project, warehouse, "build", "--vars", "answer: 2")
    assert "PartialParsingSkipParsing" in _run(project, warehouse, "build")
    (project / "models" / "answers.sql").write_text("select 3 as answer, null as database_name")
    _run(project, warehouse, "build")
    assert _answers(warehouse) == [(3, None)]


@pytest.mark.slow
def test_naming_the_default_target_needs_no_parsing(project: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    _run(project, warehouse, "build")
    for named in (["--target", "dev"], ["--target=dev"], ["-t", "dev"]):
        events = _run(project, warehouse, "build", *named, "--select", "answers")
        assert {"PartialParsingSkipParsing", "LogStartLine"} <= set(events)


@pytest.mark.slow
def test_folder_and_environment_are_as_before(project: Path, tmp_path: Path) -> None:
    folder, environment = Path.cwd(), dict(os.environ)
    _run(project, tmp_path / "gainsay.duckdb", "parse")
    assert Path.cwd() == folder
    assert dict(os.environ) == environment
    # nothing is written beside the project's files
    assert {path.name for path in project.iterdir()} == {"dbt_project.yml", "models", "profiles"}


@pytest.mark.slow
def test_a_stop_by_hand_ends_a_running_query(project: Path, tmp_path: Path) -> None:
    (project / "models" / "answers.sql").write_text(
        "{{ config(materialized='table') }}"
        " select max(hash(range)) as endless from range(100000000000)"
    )

    def press() -> None:
        # dbt says that it queries just before it does: what takes the processor is the query then
        before = time.process_time()
        while time.process_time() - before < 0.5:
            time.sleep(0.01)
        os.kill(os.getpid(), signal.SIGINT)

    presser = threading.Thread(target=press)

    def listen(event: Any) -> None:
        if event.info.name == "SQLQuery" and "endless" in event.info.msg and not presser.ident:
            presser.start()

    warehouse = tmp_path / "gainsay.duckdb"
    with pytest.raises(KeyboardInterrupt):
        run_dbt(["--quiet", "build"], project=project, warehouse=warehouse, listen=listen)
    with duckdb.connect(warehouse, config={"threads": 1}) as connection:
        assert connection.execute("from duckdb_tables()").fetchall() == []
