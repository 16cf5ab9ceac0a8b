"""The wheel in an empty environment and an empty folder: nothing of the checkout is there."""

import os
import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]

pytestmark = pytest.mark.wheel

# what a checkout holds beside its sources
_GENERATED = shutil.ignore_patterns(
    *(".venv", ".git", "data", "target", "logs", "build", "dist", "*.egg-info", "__pycache__"),
    ".*_cache",
)


def _run(*command: str | Path, cwd: Path, **environment: str) -> str:
    names = ("GAINSAY_", "DBT_", "PYTHONPATH", "VIRTUAL_ENV")
    clean = {name: value for name, value in os.environ.items() if not name.startswith(names)}
    process = subprocess.run(
        list(map(str, command)), cwd=cwd, env=clean | environment,
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert process.returncode == 0, f"{command}\n{process.stdout}\n{process.stderr}"
    return process.stdout


@pytest.fixture(name="programs", scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of an environment with nothing but the wheel and what it asks for."""
    folder = tmp_path_factory.mktemp("wheel")
    # a build leaves files beside the sources
    shutil.copytree(PROJECT, folder / "source", ignore=_GENERATED)
    pip = (sys.executable, "-m", "pip", "--disable-pip-version-check")
    _run(*pip, "wheel", "--quiet", "--no-deps", "--wheel-dir", folder, "./source", cwd=folder)
    (wheel,) = folder.glob("gainsay_warehouse-*.whl")
    _run(sys.executable, "-m", "venv", folder / "venv", cwd=folder)
    programs = folder / "venv" / "bin"
    constraints, excludes = folder / "constraints.txt", folder / "excludes.txt"
    constraints.write_text((PROJECT / "constraints.txt").read_text())
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    installer: tuple[str | Path, ...]
    if uv:
        # outside of the project uv does not read what the project leaves out
        settings = tomllib.loads((PROJECT / "pyproject.toml").read_text())["tool"]["uv"]
        excludes.write_text("\n".join(settings["exclude-dependencies"]))
        installer = (uv, "pip", "install", "--python", programs / "python", "--excludes", excludes)
    else:
        # pip leaves out nothing, so it takes the dbt that requires nothing of the kind
        constraints.write_text(
            re.sub(r"(?m)^dbt-core==.*$", "dbt-core<1.12", constraints.read_text())
        )
        installer = (programs / "pip", "install")
    _run(*installer, "--quiet", "--constraint", constraints, wheel, cwd=folder)
    shutil.rmtree(folder / "source")
    return programs


def test_the_wheel_takes_no_name_but_its_own(programs: Path, tmp_path: Path) -> None:
    (packages,) = programs.parent.glob("lib/python*/site-packages")
    (records,) = packages.glob("gainsay_warehouse-*.dist-info/RECORD")
    tops = {line.split("/")[0] for line in records.read_text().splitlines() if "," in line}
    assert {top for top in tops if top != ".." and not top.endswith(".dist-info")} == {"gainsay"}
    program = "import gainsay.ingest.landing, gainsay.python_udfs.registry as registry\n"
    program += "for udf in registry.UDFS: udf.load()\nimport ingest"
    with pytest.raises(AssertionError, match="No module named 'ingest'"):
        _run(programs / "python", "-c", program, cwd=tmp_path)


def _files_of_project(programs: Path) -> dict[Path, int]:
    (package,) = programs.parent.glob("lib/python*/site-packages/gainsay/_project")
    return {path: path.stat().st_mtime_ns for path in package.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def shown(programs: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder in which the demo has run, empty before, and what it said."""
    folder = tmp_path_factory.mktemp("shown")
    before = _files_of_project(programs)
    assert before
    said = _run(programs / "gainsay", "demo", "--images", "20", cwd=folder)
    # what is written goes into the current folder, never beside the code
    assert _files_of_project(programs) == before
    return folder, said


# what a user writes, checked without the checkout
_SCRIPT = """
import gainsay

answers = {str(one["example_id"]): "yes" for one in gainsay.load("conflict_suite").to_pylist()}
try:
    scores = gainsay.score("conflict_suite", answers, model="always yes", split="test_id")
except gainsay.GainsayError as error:
    raise SystemExit(str(error)) from error
best = max(score.value for score in scores if score.metric == "task_success")
reasons = {drop.reason for drop in gainsay.drops("conflict_suite", "consistency")}
beyond = [one.difference for one in gainsay.compare("a", "b") if one.is_beyond_noise]
frame = gainsay.funnel("conflict_suite").to_pandas()
"""


def test_a_users_script_is_checked_by_its_types(programs: Path, tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    mypy = (sys.executable, "-m", "mypy", "--strict", "--python-executable", programs / "python")
    script.write_text(_SCRIPT)
    _run(*mypy, script, cwd=tmp_path)
    script.write_text(f"{_SCRIPT}wrong: int = best")
    with pytest.raises(AssertionError, match="Incompatible types in assignment"):
        _run(*mypy, script, cwd=tmp_path)


def test_a_demo_in_an_empty_folder(programs: Path, shown: tuple[Path, str]) -> None:
    folder, said = shown
    before = _files_of_project(programs)
    assert "consistency_filter_failed" in said
    for name in ("report.html", "gainsay.duckdb"):
        assert (folder / "data" / "demo" / name).stat().st_size > 0
    _run(
        programs / "gainsay", "release", "conflict_suite", "data/releases",
        cwd=folder, GAINSAY_DB="data/demo/gainsay.duckdb",
    )  # fmt: skip
    assert list((folder / "data/releases").glob("conflict_suite-*/data/pictures/*.parquet"))
    assert _files_of_project(programs) == before
    assert {path.name for path in folder.iterdir()} == {"data", "target"}


def test_a_build_and_scores_of_a_demo(programs: Path, shown: tuple[Path, str]) -> None:
    folder, _ = shown

    def gainsay(*arguments: str) -> str:
        return _run(
            programs / "gainsay", *arguments, cwd=folder, GAINSAY_DB="data/demo/gainsay.duckdb"
        )

    gainsay("build", "--select", "conflict_suite__examples")
    (folder / "data/answers.csv").write_text(
        gainsay(
            "sql", "--csv",
            "select example_id, gold_answer from conflict_suite.conflict_suite__examples",
        )
    )  # fmt: skip
    gainsay(
        "land-predictions", "--benchmark", "conflict_suite", "--model", "gold",
        "--id-column", "example_id", "--answer-column", "gold_answer", "data/answers.csv",
    )  # fmt: skip
    assert "gold" in gainsay("score")


def test_a_copy_of_the_project_is_what_its_folder_builds(programs: Path, tmp_path: Path) -> None:
    gainsay = programs / "gainsay"
    _run(gainsay, "init", "copy", cwd=tmp_path)
    copy = tmp_path / "copy"
    (copy / "models" / "mine.sql").write_text("select 42 as answer")
    _run(gainsay, "synth", "corpus", "--images", "5", "--no-images", cwd=copy)
    _run(gainsay, "land", "corpus", cwd=copy)
    # of one benchmark, which is parsed in a third of the time
    mine = ("build", "--select", "mine", "--vars", "{benchmarks: [clash], question_sets: []}")
    _run(gainsay, *mine, cwd=copy)
    assert "42" in _run(gainsay, "sql", "--csv", "select answer from mine", cwd=copy)
    # plain dbt finds project, profile and warehouse there, too
    assert "All checks passed!" in _run(programs / "dbt", "debug", cwd=copy)
    # another folder names it
    other = tmp_path / "other"
    other.mkdir()
    _run(
        gainsay, *mine, cwd=other,
        GAINSAY_PROJECT=str(copy), GAINSAY_DB=str(copy / "data" / "gainsay.duckdb"),
        # what was parsed once
        GAINSAY_PARSED=str(copy / "target" / "parsed"),
    )  # fmt: skip
