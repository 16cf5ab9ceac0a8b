"""What `gainsay doctor` finds, and misses."""

import os
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from gainsay.cli import main


def _doctor() -> Result:
    return CliRunner().invoke(main, ["doctor"])


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("GAINSAY_DB", "GAINSAY_RENDERINGS", "DBT_TARGET_PATH", "GAINSAY_PROJECT"):
        monkeypatch.delenv(name, raising=False)


def test_a_machine_that_can_build_ends_with_0() -> None:
    result = _doctor()
    assert result.exit_code == 0, result.output
    assert "dbt-duckdb" in result.output
    assert "for Linux and macOS" in " ".join(result.output.split())


def test_an_absent_program_is_optional_and_has_a_remedy(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    result = _doctor()
    assert result.exit_code == 0, result.output
    (line,) = (line for line in result.output.splitlines() if "Tesseract" in line)
    assert "optional" in line
    assert "apt-get install tesseract-ocr" in line
    assert "annotate_ocr: false" in line


def test_a_folder_that_cannot_be_written_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    # root may write everywhere but here
    monkeypatch.setenv("GAINSAY_DB", "/proc/gainsay.duckdb")
    monkeypatch.setattr(os, "access", lambda path, _mode: not str(path).startswith("/proc"))
    result = _doctor()
    assert result.exit_code == 1
    assert "/proc/gainsay.duckdb: cannot be written" in result.output


def test_a_project_that_is_not_there_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_PROJECT", str(tmp_path))
    result = _doctor()
    assert result.exit_code == 1
    assert "gainsay init DIR" in result.output
