"""A `dbt_project.yml` that is another's, damaged or hostile is named, and what to do."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.project.folder import project_folder, project_vars
from tests.python.conftest import PROJECT

# nine lists of nine, nine times over
BOMB = "a0: &a0 [x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)
PROJECTS = {
    "empty": b"",
    "no vars": b"name: gainsay\n",
    "empty vars": b"name: gainsay\nvars:\n",
    "a list": b"- name: gainsay\n",
    "a list of vars": b"name: gainsay\nvars: [seed]\n",
    "another's": b"name: jaffle_shop\nvars: {start_date: 2020-01-01}\n",
    "UTF-16": "name: gainsay\nvars: {seed: 1}\n".encode("utf-16"),
    "latin-1": "name: gainsay\nvars: {größe: 1}\n".encode("latin-1"),
    "a tag": b"name: gainsay\nvars: !!python/object/apply:os.system [true]\n",
    "an unknown tag": b"name: gainsay\nvars: !x {seed: 1}\n",
    "a bomb": f"name: gainsay\nvars: *a9\n{BOMB}".encode(),
    "a bomb of vars": f"{BOMB}name: gainsay\nvars: {{seed: *a9}}\n".encode(),
    "no date": b"name: gainsay\nvars: {seed: 2024-13-45}\n",
    "brackets": b"name: gainsay\nvars: " + b"[" * 100_000,
    "NUL": b"name: gainsay\0\n",
    "two documents": b"name: gainsay\n---\nname: other\n",
    "two megabytes": b"name: gainsay\nvars: {seed: 1}\n" + b"# \n" * 700_000,
}


@pytest.fixture(name="project", params=PROJECTS)
def broken_project(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "dbt_project.yml").write_bytes(PROJECTS[request.param])
    monkeypatch.setenv("GAINSAY_PROJECT", str(folder))
    monkeypatch.setenv("GAINSAY_DB", str(tmp_path / "gainsay.duckdb"))
    with connect():
        pass
    return folder


def test_a_var_that_a_project_lacks_is_named_with_its_file(project: Path) -> None:
    with pytest.raises(GainsayError, match=r"dbt_project\.yml: .*(gainsay init|UTF-8|bytes)"):
        project_vars()["review_votes_per_record"]
    assert project


def test_commands_end_without_a_traceback(project: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    for arguments in (("land-images", str(pictures)), ("land-votes", str(pictures / "a.ndjson"))):
        result = CliRunner().invoke(main, arguments)
        assert result.exit_code != 0
        assert isinstance(result.exception, SystemExit), (arguments, result.exception)
    assert project


def test_the_current_folder_counts_where_it_says_gainsays_name(
    project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GAINSAY_PROJECT")
    monkeypatch.chdir(project)
    is_ours = b"\nname: gainsay" in b"\n" + (project / "dbt_project.yml").read_bytes()[:15_000]
    assert project_folder() in ((project, PROJECT) if is_ours else (PROJECT,))


@pytest.mark.parametrize("name", ["x" * 300, "a/" + "y" * 300, "x" * 5_000, "nul\0byte"])
def test_a_folder_that_cannot_be_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(main, ["init", name])
    assert result.exit_code != 0
    assert isinstance(result.exception, SystemExit), result.exception
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]
