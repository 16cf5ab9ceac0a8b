"""`gainsay build`: what it runs, what it says of failures, and how it ends."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from dbt.cli.main import dbtRunner

from gainsay.cli import main

_UNIT_TEST = """
unit_tests:
  - name: answers_are_two
    model: answers
    given: []
    expect: {rows: [{answer: 2}]}
"""


@pytest.fixture(name="project")
def failing_project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project of one model, and tests of both kinds that fail."""
    folder = tmp_path / "project"
    for name in ("profiles", "models", "tests"):
        (folder / name).mkdir(parents=True)
    (folder / "dbt_project.yml").write_text(
        "{name: gainsay, profile: gainsay, flags: {send_anonymous_usage_stats: false}}"
    )
    (folder / "profiles" / "profiles.yml").write_text(
        "gainsay: {target: dev, outputs: {dev: {type: duckdb, schema: main, threads: 1,"
        " path: \"{{ env_var('GAINSAY_DB') }}\"}}}"
    )
    (folder / "models" / "answers.sql").write_text("select 1 as answer")
    (folder / "models" / "answers.yml").write_text(_UNIT_TEST)
    (folder / "tests" / "assert_no_answer_is_one.sql").write_text(
        "select * from {{ ref('answers') }} where answer = 1"
    )
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    monkeypatch.chdir(tmp_path)
    return folder


def _build(project: Path, *arguments: str) -> Result:
    return CliRunner().invoke(main, ["build", "--project", str(project), *arguments])


@pytest.mark.slow
def test_a_failed_test_is_named_with_the_query_that_shows_its_rows(project: Path) -> None:
    result = _build(project)
    assert result.exit_code == 1
    assert "fail: test assert_no_answer_is_one" in result.output
    found = re.search(r'gainsay sql "\$\(cat (.+)\)"', result.output)
    assert found, result.output
    rows = CliRunner().invoke(main, ["sql", "--csv", Path(found[1]).read_text()])
    assert rows.output.split() == ["answer", "1"]


@pytest.mark.slow
def test_unit_tests_run_where_they_are_asked_for(project: Path) -> None:
    assert "answers_are_two" not in _build(project, "--exclude-resource-type", "test").output
    assert "fail: unit test answers_are_two" in _build(project, "--unit-tests").output


@pytest.mark.slow
def test_a_selection_without_failures_ends_with_0(project: Path) -> None:
    result = _build(project, "--exclude-resource-type", "test")
    assert result.exit_code == 0, result.output
    assert "1 model in" in result.output


@pytest.mark.slow
def test_a_project_that_cannot_be_parsed_says_why(project: Path) -> None:
    (project / "models" / "answers.sql").write_text("select * from {{ ref('nowhere') }}")
    result = _build(project)
    assert result.exit_code == 1
    assert "dbt cannot build" in result.output
    assert "nowhere" in result.output
    assert "Traceback" not in result.output


@pytest.mark.slow
def test_plain_dbt_retries_what_failed(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DBT_WRITE_JSON", raising=False)
    monkeypatch.chdir(project)
    (project / "profiles.yml").write_text((project / "profiles" / "profiles.yml").read_text())
    (project / "models" / "others.sql").write_text("select {{ var('other') }} as other")
    # the second build finds the project parsed, in a file that is gone when it ends
    for _ in range(2):
        assert _build(project, "--vars", "{other: nowhere}").exit_code == 1
    # its own settings are those of the project, as a process of dbt reads them
    retried = dbtRunner().invoke(["retry", "--vars", "{other: 2}", "--log-path", "logs"])
    results = {result.node.name: result.status.value for result in retried.result.results}
    assert results == {"assert_no_answer_is_one": "fail", "others": "success"}
    listed = dbtRunner().invoke(
        ["ls", "--select", "state:modified", "--state", "target", "--vars", "{other: nowhere}"]
    )
    assert listed.result == []


@pytest.mark.slow
def test_artefacts_are_not_written_where_a_variable_says_so(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DBT_WRITE_JSON", "false")
    _build(project, "--exclude-resource-type", "test")
    written = {path.name for path in Path("target").rglob("*")}
    assert "compiled" in written
    assert not written & {"manifest.json", "run_results.json"}


def test_an_option_that_dbt_does_not_know_is_an_error(project: Path) -> None:
    result = _build(project, "--no-such-option")
    assert result.exit_code == 1
    assert "--no-such-option" in result.output
