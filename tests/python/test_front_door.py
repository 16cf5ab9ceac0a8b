"""What docs/python.md shows runs, to the letter."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import gainsay
from gainsay.foundation.errors import GainsayError
from gainsay.rows import Rows
from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

_PAGE = (PROJECT / "docs/python.md").read_text()


@pytest.fixture(scope="module")
def notebook(
    synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Warehouse, dict[str, Any]]:
    """A warehouse in which the examples of the page have run, and the names that they left."""
    warehouse = synthetic.copied_to(tmp_path_factory.mktemp("notebook"))
    names: dict[str, Any] = {}
    examples = re.findall(r"```python\n(.*?)```", _PAGE, re.DOTALL)
    assert len(examples) == 4
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAINSAY_DB", str(warehouse.path))
        for example in examples:
            exec(example, names)
    return warehouse, names


def test_a_connection_reads_and_does_not_write(notebook: tuple[Warehouse, dict[str, Any]]) -> None:
    warehouse, names = notebook
    assert names["dropped"] == warehouse.rows("""
        select stage, reason, sum(n) as n from audit.audit__funnel
        where benchmark = 'conflict_suite' group by all order by n desc
    """)
    with gainsay.connect(warehouse.path) as connection, pytest.raises(Exception, match="read-only"):
        connection.execute("create table other as select 1")


def test_a_split_is_loaded_whole(notebook: tuple[Warehouse, dict[str, Any]]) -> None:
    warehouse, names = notebook
    assert [(row["example_id"],) for row in names["examples"]] == warehouse.rows("""
        select example_id from conflict_suite.conflict_suite__examples
        where split = 'test_id' order by example_id
    """)
    with pytest.raises(GainsayError, match=r"no split 'tset'; there are .*test_id"):
        gainsay.load("conflict_suite", "tset", warehouse=warehouse.path)
    with pytest.raises(GainsayError, match="no such benchmark"):
        gainsay.load("conflict", warehouse=warehouse.path)


def test_scores_are_those_of_the_leaderboard(notebook: tuple[Warehouse, dict[str, Any]]) -> None:
    warehouse, names = notebook
    success = names["success"]
    assert (success.model, success.split, success.matcher) == ("always yes", "test_id", "extracted")
    assert warehouse.rows("""
        select value, n from evaluation.evaluation__leaderboard
        where model = 'always yes' and split = 'test_id' and metric = 'task_success'
            and matcher_place = 1
    """) == [(success.value, success.n)]
    assert success.n == len(names["answers"])


def test_what_dropped_is_the_warehouses(notebook: tuple[Warehouse, dict[str, Any]]) -> None:
    warehouse, names = notebook
    assert [(question,) for question in names["lost"]] == warehouse.rows("""
        select question from audit.audit__drops
        where benchmark = 'conflict_suite' and stage = 'consistency'
        order by candidate_id limit 100
    """)
    assert [(names["n_retained"],)] == warehouse.rows("""
        select sum(n) from audit.audit__funnel
        where benchmark = 'conflict_suite' and stage = 'retained'
    """)
    with pytest.raises(gainsay.GainsayError, match="nothing dropped at a stage 'none'; there are"):
        gainsay.drops("conflict_suite", "none", warehouse=warehouse.path)


def test_models_are_compared_as_the_command_does(
    notebook: tuple[Warehouse, dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    warehouse, names = notebook
    monkeypatch.setenv("GAINSAY_DB", str(warehouse.path))
    with pytest.raises(gainsay.GainsayError, match="nobody: no scored answers of this model"):
        gainsay.compare("always yes", "nobody")
    gold = {one["example_id"]: one["gold_answer"] or "unknown" for one in names["examples"]}
    gainsay.score("conflict_suite", gold, model="gold", split="test_id")
    found = gainsay.compare("gold", "always yes", "conflict_suite", split="test_id")
    said = warehouse.gainsay(
        "score", "--benchmark", "conflict_suite", "--compare", "gold", "always yes",
        "--split", "test_id",
    ).stdout  # fmt: skip
    for one in found:
        assert one.difference == one.first - one.second
        assert one.low <= one.difference <= one.high
    assert f"gold - always yes: {100 * found[0].difference:+.2f}" in said


def test_examples_are_loaded_by_their_ids(notebook: tuple[Warehouse, dict[str, Any]]) -> None:
    warehouse, names = notebook
    ids = [names["examples"][place]["example_id"] for place in (5, 2, 5)]
    found = gainsay.load("conflict_suite", ids=ids, warehouse=warehouse.path)
    assert found["example_id"].to_pylist() == sorted(set(ids))
    with pytest.raises(gainsay.GainsayError, match="no example 'none', and 1 more"):
        gainsay.load("conflict_suite", ids=[*ids, "none", "one"], warehouse=warehouse.path)
    with pytest.raises(gainsay.GainsayError, match="expected a list of ids of examples"):
        gainsay.load("conflict_suite", ids="none", warehouse=warehouse.path)


class _Cell(msgspec.Struct):
    name: str
    value: float | None


def test_rows_are_a_table_in_a_notebook_and_a_data_frame(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = Rows(_Cell, [_Cell("<b>\u202e", 0.123456), _Cell("two", None)])
    assert rows._repr_html_() == (
        "<table><thead><tr><th>name</th><th>value</th></tr></thead><tbody>"
        "<tr><td>&lt;b&gt;\\u202e</td><td>0.1235</td></tr><tr><td>two</td><td></td></tr>"
        "</tbody></table><p>2 rows</p>"
    )
    assert "<p>60 rows, the first 50 shown</p>" in Rows(_Cell, [*rows] * 30)._repr_html_()
    assert rows.to_pandas().to_dict("list")["name"] == ["<b>\u202e", "two"]
    assert [*Rows(_Cell).to_pandas().columns] == ["name", "value"]
    assert rows.to_arrow().to_pylist()[1] == {"name": "two", "value": None}
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(gainsay.GainsayError, match="pip install pandas"):
        rows.to_pandas()


@needs_real_sample
def test_pictures_come_as_a_dataset(exported: Warehouse) -> None:
    with exported.connect() as connection:
        [(split, n)] = connection.execute("""
            select split, count(*) from exports.exports__hugging_face
            where benchmark = 'conflict_suite' group by split order by count(*) limit 1
        """).fetchall()
    found = gainsay.load("conflict_suite", split, pictures=True, warehouse=exported.path)
    assert found.num_rows == n
    assert found[0]["image"].size[0] > 0
    assert set(found["split"]) == {split}
    # they lie on disk, and what is looked at alone is in memory
    assert found.cache_files
    ids = found["example_id"][:2]
    some = gainsay.load("conflict_suite", ids=ids, pictures=True, warehouse=exported.path)
    assert list(some["example_id"]) == list(ids)


def test_commands_start_without_what_a_notebook_needs() -> None:
    assert "front_door" not in Path(PROJECT / "gainsay/__main__.py").read_text()
    assert {"connect", "load", "score", "compare", "funnel", "drops"} <= set(dir(gainsay))
    with pytest.raises(AttributeError, match="lode"):
        _ = gainsay.lode


def test_it_is_imported_where_there_are_no_locks_of_unix() -> None:
    """As on Windows: `import gainsay` and all that a notebook needs."""
    code = (
        "import sys; sys.modules['fcntl'] = sys.modules['resource'] = None;"
        " import gainsay; print(gainsay.connect, gainsay.load)"
    )
    process = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stderr
