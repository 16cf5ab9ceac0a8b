"""What of the project dbt reads for a run: no more than it may need, and nothing missing."""

import re
from pathlib import Path

import pytest

from gainsay.project.folder import project_vars
from gainsay.project.slices import UNIT_TESTS, link, slice_of
from tests.python.conftest import PROJECT

BENCHMARKS: list[str] = project_vars(PROJECT)["benchmarks"]
DEMO = ["conflict_suite", "occlusions", "clash"]


def _stems(files: list[Path], *suffixes: str) -> set[str]:
    return {path.stem for path in files if path.suffix in suffixes and path.parts[0] != "macros"}


def test_a_run_with_unit_tests_on_all_benchmarks_reads_the_project_itself() -> None:
    assert slice_of(PROJECT, None, has_unit_tests=True) is None
    assert slice_of(PROJECT, BENCHMARKS, has_unit_tests=True) is None


def test_without_unit_tests_all_else_is_read() -> None:
    files = slice_of(PROJECT, None, has_unit_tests=False)
    assert files is not None
    assert not [path for path in files if path.is_relative_to(UNIT_TESTS)]
    models = {path.relative_to(PROJECT) for path in (PROJECT / "models").rglob("*.*")}
    assert models <= {*files}


@pytest.mark.parametrize("benchmarks", [DEMO, *([name] for name in BENCHMARKS)])
def test_no_file_that_is_read_needs_one_that_is_not(benchmarks: list[str]) -> None:
    """But for those that ask the var themselves, which dbt renders."""
    files = slice_of(PROJECT, benchmarks, has_unit_tests=False)
    assert files is not None
    there = _stems(files, ".sql", ".csv")
    whole = slice_of(PROJECT, None, has_unit_tests=False)
    assert whole is not None
    gone = _stems(whole, ".sql", ".csv") - there
    broken = {}
    for path in files:
        text = re.sub(r"\{#.*?#\}", "", (PROJECT / path).read_text(), flags=re.DOTALL)
        if path.suffix == ".sql" and path.parts[0] != "macros" and "benchmarks" not in text:
            broken[path] = {*re.findall(r"ref\('(\w+)'\)", text)} & gone
    assert not {path: names for path, names in broken.items() if names}
    # what a benchmark is made of is there, and nothing of another that has not to be
    for benchmark in benchmarks:
        assert {f"{benchmark}__examples", f"{benchmark}__screened"} <= there
    assert len(gone) > 40


@pytest.mark.parametrize("benchmarks", [DEMO, *([name] for name in BENCHMARKS)])
def test_unit_tests_of_models_that_are_not_read_are_not_either(benchmarks: list[str]) -> None:
    files = slice_of(PROJECT, benchmarks, has_unit_tests=True)
    assert files is not None
    there = _stems(files, ".sql", ".csv")
    units = [path for path in files if path.is_relative_to(UNIT_TESTS)]
    tested = {
        path: {*re.findall(r"^ +model: (\w+)$", (PROJECT / path).read_text(), re.MULTILINE)}
        for path in units
    }
    assert {path: names - there for path, names in tested.items() if names - there} == {}


def test_links_are_to_what_is_read_and_to_nothing_else(tmp_path: Path) -> None:
    project = tmp_path / "project"
    for name in ("models/a.sql", "models/b.sql", "seeds/c.csv"):
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(name)
    folder = tmp_path / "slice"
    link(project, [Path("models/a.sql"), Path("seeds/c.csv")], folder)
    link(project, [Path("models/b.sql"), Path("seeds/c.csv")], folder)
    found = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink()}
    assert found == {"models/b.sql", "seeds/c.csv"}
    assert (folder / "models/b.sql").read_text() == "models/b.sql"
