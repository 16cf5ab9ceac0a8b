"""The notebook of the docs runs from first to last, and shows what the warehouse has."""

import ast
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from gainsay.rows import Rows
from tests.python.conftest import PROJECT, Warehouse
from tests.python.demos import Demo

pytestmark = pytest.mark.xdist_group("demo")

_FILE = PROJECT / "docs/notebook.ipynb"


def _cells() -> list[dict[str, Any]]:
    notebook: dict[str, Any] = json.loads(_FILE.read_bytes())
    assert (notebook["nbformat"], notebook["nbformat_minor"]) == (4, 5)
    cells: list[dict[str, Any]] = notebook["cells"]
    return cells


def _run(source: str, names: dict[str, Any]) -> object:
    """Run a cell as Jupyter does: the value of an expression at its end is what it shows."""
    body = ast.parse(source)
    last = body.body[-1]
    if not isinstance(last, ast.Expr):
        exec(compile(body, str(_FILE), "exec"), names)
        return None
    exec(compile(ast.Module(body.body[:-1], []), str(_FILE), "exec"), names)
    return eval(compile(ast.Expression(last.value), str(_FILE), "eval"), names)


def test_it_is_kept_without_what_a_run_left() -> None:
    cells = _cells()
    assert len({cell["id"] for cell in cells}) == len(cells)
    for cell in cells:
        if cell["cell_type"] == "code":
            assert (cell["execution_count"], cell["outputs"]) == (None, [])


def test_it_runs_on_the_demo(demo: Demo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(demo.warehouse, tmp_path / "gainsay.duckdb")
    warehouse = Warehouse(tmp_path)
    monkeypatch.setenv("GAINSAY_DB", str(warehouse.path))
    names: dict[str, Any] = {}
    sources = ["".join(cell["source"]) for cell in _cells() if cell["cell_type"] == "code"]
    shown = [_run(source, names) for source in sources]

    # whatever is no import shows something, and rows are a table
    assert [value for value in shown[1:] if not value] == []
    assert sum(isinstance(value, Rows) for value in shown) == 4
    assert "<td>consistency</td>" in names["funnel"]._repr_html_()
    assert names["dropped"] == warehouse.rows("""
        select stage, reason, sum(n) as n from audit.audit__funnel
        where benchmark = 'conflict_suite' group by all order by n desc
    """)
    assert {drop.stage for drop in names["drops"]} == {"consistency"}
    assert {one.value for one in names["scores"]["gold"] if one.metric == "task_success"} == {1}
    assert {one.difference > 0 for one in names["differences"]} == {True}
