"""dbt in the same process: parsed once for all warehouses, and gone when it returns."""

import os
import pickle
import signal
import threading
from pathlib import Path
from typing import Any

import duckdb
import pytest

from gainsay.project import kept_parse
from gainsay.project.runner import run_dbt
from tests.python.forks import read_manifest

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


def test_a_second_warehouse_needs_no_parsing(project: Path, tmp_path: Path) -> None:
    first, second = tmp_path / "one" / "gainsay.duckdb", tmp_path / "two" / "gainsay.duckdb"
    for warehouse in (first, second):
        warehouse.parent.mkdir()
    assert "UnableToPartialParse" in _run(project, first, "build")
    assert "PartialParsingSkipParsing" in _run(project, second, "build")
    assert _answers(first) == _answers(second) == [(1, "gainsay")]


# what dbt says when it begins to compare a project with what it parsed before
_COMPARES = "StateCheckVarsHash"


def test_an_unchanged_project_is_not_even_compared(project: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    assert _COMPARES in _run(project, warehouse, "build")
    assert _COMPARES not in _run(project, warehouse, "build", "--select", "answers")
    # another file of the same name, and a file that is none of dbt's
    (project / "models" / "answers.txt").write_text("a note")
    (tmp_path / "two").mkdir()
    assert _COMPARES not in _run(project, tmp_path / "two" / "gainsay.duckdb", "build")
    assert _answers(tmp_path / "two" / "gainsay.duckdb") == [(1, "gainsay")]
    assert _COMPARES in _run(project, warehouse, "build", "--no-partial-parse")


_CHANGES = {
    "models/answers.sql": "select 2 as answer, 'x' as database_name",
    "models/more.sql": "select 2 as answer",
    "models/answers.yml": "models: [{name: answers, description: the only one}]",
    "macros/two.sql": "{% macro two() %}2{% endmacro %}",
    "tests/one.sql": "select * from {{ ref('answers') }} where answer is null",
    "seeds/words.csv": "word\nno\n",
    "dbt_project.yml": "{name: gainsay, profile: gainsay, vars: {answer: 2}}",
    "profiles/profiles.yml": _PROFILE.replace("schema: main", "schema: other"),
}


def test_any_changed_file_is_compared(project: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    _run(project, warehouse, "parse")
    for file, text in _CHANGES.items():
        path = project / file
        path.parent.mkdir(exist_ok=True)
        before = path.stat() if path.exists() else None
        path.write_text(text)
        if before:
            # a clock that stood still
            os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))
        assert _COMPARES in _run(project, warehouse, "parse"), file
    (project / "models" / "more.sql").unlink()
    assert _COMPARES in _run(project, warehouse, "parse")
    assert _COMPARES not in _run(project, warehouse, "parse")


def test_changed_variables_and_packages_are_compared(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    (project / "models" / "answers.sql").write_text(
        "select {{ env_var('ANSWER', '1') }} as answer, null as database_name"
    )
    for answer in (None, 2):
        if answer:
            monkeypatch.setenv("ANSWER", str(answer))
        assert _COMPARES in _run(project, warehouse, "build")
        assert _answers(warehouse) == [(answer or 1, None)]
    assert _COMPARES not in _run(project, warehouse, "build")
    monkeypatch.setattr(kept_parse, "_installed", lambda: ["dbt_core-9.9.9.dist-info"])
    assert _COMPARES in _run(project, warehouse, "build")


class _Call:
    """What calls a function where it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (self.path,)


def test_a_kept_project_calls_nothing(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    monkeypatch.setenv("GAINSAY_PARSED", str(tmp_path / "parsed"))
    _run(project, warehouse, "parse")
    [kept] = (tmp_path / "parsed").glob("*.pickle")
    fingerprint = kept.read_bytes()[:32]
    assert pickle.loads(kept.read_bytes()[32:])["nodes"]
    for broken in (pickle.dumps(_Call(tmp_path / "called")), b"", b"\x80\x05", b"no pickle"):
        kept.write_bytes(fingerprint + broken)
        assert _COMPARES in _run(project, warehouse, "parse")
    assert not (tmp_path / "called").exists()


def test_a_kept_project_is_the_parsed_one(parsed: Path, tmp_path: Path) -> None:
    expected = read_manifest(parsed)
    # the project is the same wherever it is built
    assert not expected.env_vars
    store = tmp_path / "kept.pickle"
    store.write_bytes(kept_parse._kept(expected, b"as it is"))
    found = kept_parse._read(store, b"as it is")
    assert found is not None
    assert found.to_dict() == expected.to_dict()
    assert found.flat_graph == expected.flat_graph
    assert kept_parse._read(store, b"otherwise") is None


def test_a_database_of_another_name_is_parsed_by_its_name(project: Path, tmp_path: Path) -> None:
    _run(project, tmp_path / "gainsay.duckdb", "build")
    _run(project, tmp_path / "other.duckdb", "build")
    assert _answers(tmp_path / "other.duckdb") == [(1, "other")]


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


def test_naming_the_default_target_needs_no_parsing(project: Path, tmp_path: Path) -> None:
    warehouse = tmp_path / "gainsay.duckdb"
    _run(project, warehouse, "build")
    for named in (["--target", "dev"], ["--target=dev"], ["-t", "dev"]):
        events = _run(project, warehouse, "build", *named, "--select", "answers")
        assert {"PartialParsingSkipParsing", "LogStartLine"} <= set(events)


def test_folder_and_environment_are_as_before(project: Path, tmp_path: Path) -> None:
    folder, environment = Path.cwd(), dict(os.environ)
    _run(project, tmp_path / "gainsay.duckdb", "parse")
    assert Path.cwd() == folder
    assert dict(os.environ) == environment
    # nothing is written beside the project's files
    assert {path.name for path in project.iterdir()} == {"dbt_project.yml", "models", "profiles"}


def test_a_stop_by_hand_ends_a_running_query(project: Path, tmp_path: Path) -> None:
    (project / "models" / "answers.sql").write_text(
        "{{ config(materialized='table') }}"
        " select max(hash(range)) as endless from range(100000000000)"
    )
    # dbt says that it queries just before the query is under way
    stop = threading.Timer(0.5, os.kill, [os.getpid(), signal.SIGINT])

    def listen(event: Any) -> None:
        if event.info.name == "SQLQuery" and "endless" in event.info.msg and not stop.ident:
            stop.start()

    warehouse = tmp_path / "gainsay.duckdb"
    with pytest.raises(KeyboardInterrupt):
        run_dbt(["--quiet", "build"], project=project, warehouse=warehouse, listen=listen)
    with duckdb.connect(warehouse, config={"threads": 1}) as connection:
        assert connection.execute("from duckdb_tables()").fetchall() == []
