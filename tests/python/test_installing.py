"""Hints fetch more of this program from where it came from, and never another project's."""

import json
import sys
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from gainsay.cli import doctor, main
from gainsay.python_udfs import installing
from gainsay.python_udfs.installing import (
    DISTRIBUTION,
    install_command,
    own_distribution,
    own_version,
)
from tests.python.conftest import PROJECT

SUMMARY = "A dbt warehouse for benchmarks in which picture and text disagree"


class _Distribution(metadata.Distribution):
    def __init__(self, name: str, summary: str, origin: dict[str, Any] | None = None) -> None:
        self._texts = {
            "METADATA": f"Metadata-Version: 2.1\nName: {name}\nVersion: 9.9\nSummary: {summary}\n",
            "direct_url.json": json.dumps(origin) if origin else None,
        }

    def read_text(self, filename: str) -> str | None:
        return self._texts.get(filename)

    def locate_file(self, path: Any) -> Any:
        return Path(path)


@pytest.fixture(name="installed")
def nothing_installed(monkeypatch: pytest.MonkeyPatch) -> dict[str, _Distribution]:
    """Distributions by name, in the place of those of this environment."""
    found: dict[str, _Distribution] = {}

    def distribution(name: str) -> _Distribution:
        try:
            return found[name]
        except KeyError:
            raise metadata.PackageNotFoundError(name) from None

    monkeypatch.setattr(installing.metadata, "distribution", distribution)
    return found


@pytest.fixture(name="environment")
def environment_in(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout with an environment in it, as the current folder."""
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "pip").touch()
    monkeypatch.setattr(sys, "executable", str(programs / "python"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(
    ("origin", "expected"),
    [
        ({"url": "file://{here}", "dir_info": {"editable": True}},
         ".venv/bin/pip install -e '.[review]'"),
        ({"url": "file:///else%20where", "dir_info": {"editable": True}},
         ".venv/bin/pip install -e '/else where[review]'"),
        ({"url": "file:///wheels/gainsay_warehouse-0.2.0-py3-none-any.whl", "archive_info": {}},
         ".venv/bin/pip install '/wheels/gainsay_warehouse-0.2.0-py3-none-any.whl[review]'"),
        ({"url": "file://{here}/dist/g.whl", "archive_info": {}},
         ".venv/bin/pip install 'dist/g.whl[review]'"),
        ({"url": "https://example.org/g.git", "vcs_info": {"vcs": "git"}},
         f".venv/bin/pip install '{DISTRIBUTION}[review] @ git+https://example.org/g.git'"),
        ({"url": "https://example.org/g.whl", "archive_info": {}},
         f".venv/bin/pip install '{DISTRIBUTION}[review] @ https://example.org/g.whl'"),
        (None, f".venv/bin/pip install '{DISTRIBUTION}[review]'"),
    ],
)  # fmt: skip
def test_more_comes_from_where_this_came_from(
    installed: dict[str, _Distribution],
    environment: Path,
    origin: dict[str, Any] | None,
    expected: str,
) -> None:
    if origin:
        origin = origin | {"url": origin["url"].format(here=environment)}
    installed[DISTRIBUTION] = _Distribution(DISTRIBUTION, SUMMARY, origin)
    assert install_command("review") == expected


def test_files_that_were_never_installed_are_installed_as_a_checkout(
    installed: dict[str, _Distribution], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert installed == {}
    monkeypatch.chdir(PROJECT)
    assert install_command("models").endswith("install -e '.[models]'")
    assert own_version() == "unknown"


def test_another_projects_distribution_is_never_taken_for_this_one(
    installed: dict[str, _Distribution],
) -> None:
    installed["gainsay"] = _Distribution("gainsay", "A linter of commit messages")
    assert own_distribution() is None
    assert "gainsay[" not in install_command("review")
    [finding] = doctor._distribution()
    assert finding.state == "missing"
    assert "A linter of commit messages" in finding.found
    assert "pip uninstall" in finding.remedy

    installed[DISTRIBUTION] = _Distribution(DISTRIBUTION, SUMMARY)
    own, other = doctor._distribution()
    assert (own.state, other.state) == ("ok", "missing")


def test_an_installation_under_the_earlier_name_is_this_one(
    installed: dict[str, _Distribution],
) -> None:
    installed["gainsay"] = _Distribution("gainsay", SUMMARY)
    assert own_version() == "9.9"
    [finding] = doctor._distribution()
    assert finding.state == "ok"


def test_the_projects_file_has_the_name_and_refers_to_it_alone() -> None:
    project = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    assert project["name"] == DISTRIBUTION
    assert project["description"] == SUMMARY
    assert project["scripts"] == {"gainsay": "gainsay.cli:main"}
    asked_for = [one for extra in project["optional-dependencies"].values() for one in extra]
    own = [one for one in asked_for if one.startswith("gainsay")]
    assert own == [f"{DISTRIBUTION}[models,plots,review,spark,translation]"]


def test_no_text_sends_anybody_to_the_index_for_the_imports_name() -> None:
    texts = [
        *PROJECT.glob("*.md"), *(PROJECT / "docs").rglob("*.md"),
        *(path for name in ("gainsay", "ingest", "python_udfs") for path in
          (PROJECT / name).rglob("*.py")),
    ]  # fmt: skip
    named = [path for path in texts if "install 'gainsay" in path.read_text() or
             "gainsay[" in path.read_text().replace(f"{DISTRIBUTION}[", "")]  # fmt: skip
    assert named == []


def test_the_command_says_its_version() -> None:
    result = CliRunner().invoke(main, ["--version"])
    assert result.exit_code == 0
    assert own_version() in result.output
