"""What docs/python.md shows runs, to the letter."""

import re
from pathlib import Path
from typing import Any

import pytest

import gainsay
from gainsay.foundation.errors import GainsayError
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
    assert len(examples) == 3
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


def test_commands_start_without_what_a_notebook_needs() -> None:
    assert "front_door" not in Path(PROJECT / "gainsay/__main__.py").read_text()
    assert {"connect", "load", "score"} <= set(dir(gainsay))
    with pytest.raises(AttributeError, match="lode"):
        _ = gainsay.lode
