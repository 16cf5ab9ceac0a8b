"""The Conflict Suite on dbt 1.11, in an environment of its own, is that of the tests' dbt."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse

pytestmark = pytest.mark.long

CONTENT = """
    select section, item, measure, value
    from conflict_suite.conflict_suite__manifest
    where section in ('content', 'split', 'distribution', 'vocabulary', 'integrity')
    order by all
"""


@pytest.fixture(name="python", scope="module")
def python_with_earlier_dbt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The Python of an environment with what the project requires, and dbt 1.11."""
    uv = shutil.which("uv", path=f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    if uv is None:
        pytest.skip("uv is not installed, which makes the environment with dbt 1.11")
    folder = tmp_path_factory.mktemp("earlier_dbt")
    constraints = folder / "constraints.txt"
    pinned = (PROJECT / "constraints.txt").read_text()
    constraints.write_text(re.sub(r"(?m)^dbt-core==.*$", "dbt-core<1.12", pinned))
    python = folder / "venv" / "bin" / "python"
    subprocess.run([uv, "venv", "--quiet", "--python", sys.executable, folder / "venv"], check=True)
    # in the project's folder, whose settings say what uv leaves out
    process = subprocess.run(
        [uv, "pip", "install", "--quiet", "--python", python, "--constraint", constraints,
         "--requirements", "pyproject.toml"],
        cwd=PROJECT, capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "Failed to fetch" in process.stderr:
        pytest.skip(f"dbt 1.11 cannot be fetched: {process.stderr}")
    assert process.returncode == 0, process.stderr
    return python


def test_the_conflict_suite_is_the_same_on_dbt_1_11(
    python: Path, tiny: Warehouse, tiny_corpus: Path, tmp_path: Path
) -> None:
    warehouse = Warehouse(
        tmp_path,
        PYTHONPATH=str(PROJECT),
        GAINSAY_PARSED=str(tmp_path / "parsed"),
        DBT_TARGET_PATH=str(tmp_path / "target"),
    )
    warehouse.gainsay("land", tiny_corpus)
    # what dbt 1.11 would warn of is an error
    select = ["--warn-error", "--select", "+conflict_suite__manifest"]
    warehouse.process([str(python), "-m", "gainsay", "build", *select])
    [dbt_version] = {
        path.name for path in python.parents[1].glob("lib/*/site-packages/dbt_core-*.dist-info")
    }
    assert dbt_version.startswith("dbt_core-1.11.")
    assert warehouse.rows(CONTENT) == tiny.rows(CONTENT)
