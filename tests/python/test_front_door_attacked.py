"""The third round: what a notebook may give to `gainsay.connect`, `load` and `score`, attacked.

What could not be scored is refused before anything lands; what lands is what was given.
"""

import os
import re
import subprocess
import sys
from collections import ChainMap, OrderedDict
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from math import nan
from pathlib import Path
from threading import Barrier
from types import MappingProxyType, SimpleNamespace
from typing import Any

import duckdb
import numpy as np
import pandas as pd
import pytest

import gainsay
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.predictions import Answering
from tests.python.conftest import PROJECT

HALF = "\ud83d"


class Choice(StrEnum):
    """A text that is more than one."""

    YES = "yes"


@pytest.fixture
def warehouse(tmp_path: Path) -> Path:
    """Two examples of the Conflict Suite."""
    path = tmp_path / "gainsay.duckdb"
    with duckdb.connect(path) as connection:
        connection.execute("""
            create schema conflict_suite;
            create table conflict_suite.conflict_suite__examples as
            select 'e' || i as example_id, if(i < 3, 'train', null) as split
            from range(1, 4) as numbers (i)
        """)
    return path


@pytest.fixture(autouse=True)
def nothing_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    """A call ends once its answers have landed."""

    def stop(*_: object, **__: object) -> object:
        raise _LandedError

    monkeypatch.setattr("gainsay.scoring.building.scoring_plan", stop)


class _LandedError(Exception):
    """Answers landed, and would be scored now."""


def _landed(warehouse: Path) -> list[tuple[Any, ...]]:
    """Model, run, id and answer of what landed; without raw tables nothing did."""
    with duckdb.connect(warehouse, read_only=True) as connection:
        if not connection.execute("from duckdb_schemas() where schema_name = 'raw'").fetchall():
            return []
        return connection.execute(
            "select model, run, example_key, prediction from raw.predictions order by example_key"
        ).fetchall()


class _Speechless:
    def __repr__(self) -> str:
        raise ValueError("no words")


_CIRCLE: dict[str, Any] = {}
_CIRCLE["e1"] = _CIRCLE


@pytest.mark.parametrize(
    ("answers", "cause"),
    [
        (None, "expected a dict of answers by the ids of examples, found None"),
        ("yes", "expected a dict"),
        (["yes"], "expected a dict"),
        ({("e1", "yes")}, "expected a dict"),
        (iter([("e1", "yes")]), "expected a dict"),
        (dict, "expected a dict"),
        (SimpleNamespace(items=3), "expected a dict"),
        (SimpleNamespace(items=lambda: [1, 2]), "expected a dict"),
        (SimpleNamespace(items=lambda: [("e1", "yes", 3)]), "expected a dict"),
        (_Speechless(), "found something of the type _Speechless"),
        ({}, "there are none"),
        (pd.Series(dtype=str), "there are none"),
        (pd.DataFrame({"e1": ["yes"]}), "the answer to 'e1' is 0 yes"),
        (pd.Series(["yes", "no"], index=["e1", "e1"]), "two answers to 'e1'"),
        (pd.Series({"e1": "yes", "e2": None}), "the answer to 'e2' is nan"),
        ({1: "yes", "1": "no"}, "two answers to '1'"),
        ({np.int64(1): "yes", 1.5: "no"}, "1.5 is no id of an example"),
        ({None: "yes"}, "None is no id"),
        ({True: "yes"}, "True is no id"),
        ({nan: "yes"}, "nan is no id"),
        ({b"e1": "yes"}, "b'e1' is no id"),
        ({("e1",): "yes"}, "('e1',) is no id"),
        ({f"e{HALF}": "yes"}, "is no id"),
        ({10**5000: "yes"}, "something of the type int is no id"),
        ({-(2**63): "yes"}, "is no id"),
        ({"e1": HALF}, "expected a text, or None"),
        ({"e1": 1}, "the answer to 'e1' is 1"),
        ({"e1": True}, "the answer to 'e1' is True"),
        ({"e1": nan}, "the answer to 'e1' is nan"),
        ({"e1": b"yes"}, "the answer to 'e1' is b'yes'"),
        ({"e1": ["yes"]}, "the answer to 'e1' is ['yes']"),
        ({"e1": pd.NA}, "the answer to 'e1' is <NA>"),
        ({"e1": pd.NaT}, "the answer to 'e1' is NaT"),
        ({"e1": 10**5000}, "is something of the type int"),
        ({"e1": _Speechless()}, "is something of the type _Speechless"),
        ({"e1": "yes", "e2": "x" * 10**6, "e3": 0}, "the answer to 'e3' is 0"),
        ({"k" * 10**6: 0}, "k..."),
        (_CIRCLE, "the answer to 'e1' is {'e1': {...}}"),
    ],
)
def test_answers_that_are_none_are_refused_before_they_land(
    warehouse: Path, answers: Any, cause: str
) -> None:
    with pytest.raises(GainsayError) as raised:
        gainsay.score("conflict_suite", answers, "m", warehouse=warehouse)
    assert cause in str(raised.value)
    assert len(str(raised.value)) < 300
    assert not _landed(warehouse)


@pytest.mark.parametrize(
    ("answers", "landed"),
    [
        ({"e1": ""}, [("e1", "")]),
        ({"e1": None}, [("e1", None)]),
        # what has no id is no answer
        ({"": "yes", "e1": "no"}, [("e1", "no")]),
        ({"e1": "a\0b"}, [("e1", "a\0b")]),
        ({"e1": "a\nb\r\u2028\x85c"}, [("e1", "a\nb\r\u2028\x85c")]),
        ({"\ufeffe1": "\ufeffyes"}, [("\ufeffe1", "\ufeffyes")]),
        ({"e1": '{"prediction": "no"}'}, [("e1", '{"prediction": "no"}')]),
        ({"e1": "x" * 2**20}, [("e1", "x" * 2**20)]),
        ({"😀": "😀", "é": "é"}, [("é", "é"), ("😀", "😀")]),
        ({1: "yes", 10**18: "no"}, [("1", "yes"), (str(10**18), "no")]),
        ({np.str_("e1"): np.str_("yes")}, [("e1", "yes")]),
        ({np.int64(7): "yes"}, [("7", "yes")]),
        ({"e1": Choice.YES}, [("e1", "yes")]),
        (pd.Series({"e1": "yes", "e2": "no"}), [("e1", "yes"), ("e2", "no")]),
        (pd.Series(["yes"], index=[7]), [("7", "yes")]),
        (MappingProxyType({"e1": "yes"}), [("e1", "yes")]),
        (ChainMap({"e1": "yes"}, {"e1": "no"}), [("e1", "yes")]),
        (OrderedDict(e2="no", e1="yes"), [("e1", "yes"), ("e2", "no")]),
        ({"unknown": "yes"}, [("unknown", "yes")]),
    ],
)
def test_answers_land_as_they_were_given(
    warehouse: Path, answers: Any, landed: list[tuple[str, str | None]]
) -> None:
    with pytest.raises(_LandedError):
        gainsay.score("conflict_suite", answers, "m", warehouse=warehouse)
    assert _landed(warehouse) == [("m", "default", *answer) for answer in landed]


def test_scoring_says_what_it_does(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """On standard error, and what is refused is refused without dbt, whose import takes seconds."""
    monkeypatch.setattr(
        "gainsay.scoring.building.scoring_plan",
        lambda **_: SimpleNamespace(arguments=[], manifest=None),
    )
    monkeypatch.setattr("gainsay.project.building.build", lambda *_, **__: _stop())
    with pytest.raises(_LandedError):
        gainsay.score("conflict_suite", {"e1": "yes", "e2": "no"}, "m", warehouse=warehouse)
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.splitlines() == [
        "gainsay.score: 2 answers landed; dbt reads the project",
        "gainsay.score: dbt builds the scores",
    ]


def _stop() -> None:
    raise _LandedError


@pytest.mark.parametrize(
    "call",
    [
        "gainsay.score('clahs', {'a': 'b'}, 'm', warehouse='none.duckdb')",
        "main(['score', '--benchmark', 'clahs'], standalone_mode=False)",
    ],
)
def test_a_misspelt_benchmark_is_told_before_dbt_is_imported(call: str, tmp_path: Path) -> None:
    script = f"""
import sys
import gainsay
from gainsay.cli import main
try:
    {call}
except Exception as error:
    assert "clahs: no benchmark; did you mean clash?" in str(error), error
    print("dbt.cli.main" in sys.modules)
"""
    done = subprocess.run(
        [sys.executable, "-c", script], cwd=tmp_path, text=True, check=True, capture_output=True
    )
    assert done.stdout.strip() == "False"


def test_many_answers_land_and_replace_the_former(warehouse: Path) -> None:
    for said in ("yes", "no"):
        with pytest.raises(_LandedError):
            gainsay.score(
                "conflict_suite", {str(n): said for n in range(50_000)}, "m", warehouse=warehouse
            )
    landed = _landed(warehouse)
    assert len(landed) == 50_000
    assert {row[3] for row in landed} == {"no"}


@pytest.mark.parametrize(
    ("names", "cause"),
    [
        ({"benchmark": "nope"}, "nope: no benchmark; did you mean pope? There are amber"),
        ({"benchmark": "chess"}, "chess: no benchmark; there are amber"),
        ({"benchmark": ""}, "benchmark: expected a name as a text, found ''"),
        ({"benchmark": None}, "benchmark: expected a name as a text, found None"),
        ({"benchmark": "conflict_suite'--"}, "did you mean conflict_suite? There are"),
        ({"model": ""}, "model: expected a name"),
        ({"model": 3}, "model: expected a name"),
        ({"model": HALF}, "model: expected a name"),
        ({"run": ""}, "run: expected a name"),
        ({"run": None}, "run: expected a name"),
        ({"model": " "}, "model ' ': a name has 1 to 200 letters"),
        ({"model": "a\u200bb"}, "model 'a\\u200bb': a name has 1 to 200 letters"),
        ({"model": "\u202eAlpha"}, "model '\\u202eAlpha': a name has"),
        ({"model": "\u3164"}, "model '\u3164': a name has"),
        ({"model": "a\0b"}, "model 'a\\x00b': a name has"),
        ({"model": "x" * 10**5}, "a name has 1 to 200 letters"),
        ({"model": "Majority"}, "and is not: blind reader, majority; give the model another name"),
        ({"model": "blind  reader"}, "and is not: blind reader"),
        ({"run": "reference"}, "run 'reference': a name has"),
        ({"run": "a\u2066"}, "run 'a\\u2066': a name has"),
        ({"condition": "zzz"}, "zzz: conflict_suite is asked under default, or with one side"),
        ({"run": "a/b"}, "a task, condition or run has no / in its name"),
        ({"task": "nope"}, "nope: conflict_suite knows open_ended"),
        ({"condition": "../x"}, "a task, condition or run has no / in its name"),
        ({"benchmark": "clash", "condition": "nope"}, "nope: clash knows conflicting and original"),
        ({"condition": ""}, "condition: expected a name"),
        ({"split": ""}, "split: expected a name"),
        ({"split": 3}, "split: expected a name"),
        ({"warehouse": 3}, "warehouse: 3 is no path"),
        ({"warehouse": b"gainsay.duckdb"}, "is no path"),
    ],
)
def test_names_that_are_none_are_refused_before_anything_lands(
    warehouse: Path, names: dict[str, Any], cause: str
) -> None:
    with duckdb.connect(warehouse) as connection:
        connection.execute(
            "create table conflict_suite.conflict_suite__prompts as select 'default' as condition"
        )
    given: dict[str, Any] = {
        "benchmark": "conflict_suite", "answers": {"e1": "yes"}, "model": "m",
        "warehouse": warehouse,
    } | names  # fmt: skip
    with pytest.raises(GainsayError) as raised:
        gainsay.score(**given)
    assert cause in str(raised.value)
    assert not _landed(warehouse)


@pytest.mark.parametrize(
    ("benchmark", "split", "is_known"),
    [
        ("conflict_suite", "nope", False),
        ("conflict_suite", "dev", False),
        ("conflict_suite", "' or true --", False),
        ("conflict_suite", "train", True),
        ("conflict_suite", "training", True),
        ("conflict_suite", "test_id", True),
        ("conflict_suite", "all", True),
        ("vqa", "nope", False),
        ("vqa", "val", True),
    ],
)
def test_a_split_that_is_none_is_told_before_anything_lands(
    warehouse: Path, benchmark: str, split: str, is_known: bool
) -> None:
    with duckdb.connect(warehouse) as connection:
        connection.execute(f"""
            create schema vocabulary;
            create table vocabulary.split_roles as
            from read_csv('{PROJECT}/seeds/exports/split_roles.csv', header = true)
        """)
    expected = _LandedError if is_known else GainsayError
    with pytest.raises(expected) as raised:
        gainsay.score(benchmark, {"e1": "yes"}, "m", split=split, warehouse=warehouse)
    assert is_known or f"{benchmark}: no split {split!r}; there are " in str(raised.value)
    assert bool(_landed(warehouse)) is is_known


@pytest.mark.parametrize(
    ("model", "kept"),
    [
        *((name, name) for name in ("../x", "org/m", "x" * 200, "😀", "'; --", "\uff21lpha")),
        (" a\n\u3000b ", "a b"),
        ("e\u0301", "\xe9"),
    ],
    ids=range(8),
)
def test_a_model_of_any_name_lands(warehouse: Path, model: str, kept: str) -> None:
    with pytest.raises(_LandedError):
        gainsay.score("conflict_suite", {"e1": "yes"}, model, warehouse=warehouse)
    assert _landed(warehouse) == [(kept, "default", "e1", "yes")]


def test_names_that_look_alike_are_one_model_and_one_run(warehouse: Path) -> None:
    for model, run in (("Alpha", "default"), ("Alpha ", "default"), ("Alpha", " default")):
        with pytest.raises(_LandedError):
            gainsay.score("conflict_suite", {"e1": "yes"}, model, run=run, warehouse=warehouse)
    for model, run, cause in (
        ("\uff21lpha", "default", r"model '\uff21lpha': looks like the model 'Alpha'"),
        ("ALPHA", "other", "model 'ALPHA': looks like the model 'Alpha'"),
        ("Alpha", "Default", "run 'Default': looks like the run 'default'"),
    ):
        with pytest.raises(GainsayError) as raised:
            gainsay.score("conflict_suite", {"e1": "no"}, model, run=run, warehouse=warehouse)
        assert cause in str(raised.value)
    assert _landed(warehouse) == [("Alpha", "default", "e1", "yes")]


@pytest.mark.parametrize(
    ("name", "cause"),
    [
        ("missing.duckdb", "no warehouse here; land files first"),
        ("", "is no regular file"),
        ("a\0b.duckdb", "cannot be"),
        (f"{HALF}.duckdb", "cannot be"),
        ("x" * 5_000 + ".duckdb", "no warehouse can be here: File name too long"),
        ("text.duckdb", "not a valid DuckDB database file"),
        ("table.csv", "it is no DuckDB database"),
        ("pipe.duckdb", "is no regular file"),
        ("missing/gainsay.duckdb", "no warehouse here"),
        ("text.duckdb/gainsay.duckdb", "no warehouse"),
        ("raw.duckdb", "a warehouse of this name cannot be built"),
        ("loop.duckdb", "no warehouse"),
    ],
)
def test_a_warehouse_that_is_none_is_not_made(tmp_path: Path, name: str, cause: str) -> None:
    (tmp_path / "text.duckdb").write_text("a text, and no warehouse at all" * 1_000)
    (tmp_path / "table.csv").write_text("a,b\n1,2\n")
    os.mkfifo(tmp_path / "pipe.duckdb")
    (tmp_path / "loop.duckdb").symlink_to("loop.duckdb")
    before = sorted(tmp_path.iterdir())
    for call in (
        gainsay.connect,
        lambda path: gainsay.load("conflict_suite", warehouse=path),
        lambda path: gainsay.score("conflict_suite", {"e1": "yes"}, "m", warehouse=path),
    ):
        with pytest.raises(GainsayError, match=cause):
            call(f"{tmp_path}/{name}")
    assert sorted(tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("benchmark", "split", "cause"),
    [
        ("conflict_suite", "test", "no split 'test'; there are train"),
        ("conflict_suite", "", "split: expected a name"),
        ("conflict_suite", 3, "split: expected a name"),
        ("conflict_suite", "train' or true --", 'no split "train\' or true --"; there are train'),
        ("conflict_suite", HALF, "split: expected a name"),
        ("CONFLICT_SUITE", None, "no such benchmark"),
        ("", None, "benchmark: expected a name"),
        ("nope", "train", "no such benchmark"),
        ("main", None, "no such benchmark"),
        ('conflict_suite"."x', None, "no such benchmark"),
    ],
)
def test_what_is_not_there_is_not_loaded(
    warehouse: Path, benchmark: Any, split: Any, cause: str
) -> None:
    with pytest.raises(GainsayError, match=re.escape(cause)):
        gainsay.load(benchmark, split, warehouse=warehouse)


@pytest.mark.parametrize(
    "statement",
    [
        "create table other as select 1",
        "insert into conflict_suite.conflict_suite__examples values ('e4', 'train')",
        "update conflict_suite.conflict_suite__examples set split = null",
        "delete from conflict_suite.conflict_suite__examples",
        "drop table conflict_suite.conflict_suite__examples",
        "attach '{warehouse}' as again (read_write)",
    ],
)
def test_a_connection_changes_no_warehouse(warehouse: Path, statement: str) -> None:
    before = warehouse.read_bytes()
    refused = pytest.raises(duckdb.Error, match=r"read-only|already attached")
    with gainsay.connect(warehouse) as connection, refused:
        connection.execute(statement.format(warehouse=warehouse))
    assert warehouse.read_bytes() == before


def test_a_connection_works_beside_the_warehouse(warehouse: Path, tmp_path: Path) -> None:
    before = warehouse.read_bytes()
    mine = pd.DataFrame({"example_id": ["e1", "e9"]})
    with gainsay.connect(warehouse) as connection:
        connection.execute(
            "copy (from mine semi join conflict_suite.conflict_suite__examples using (example_id))"
            f" to '{tmp_path}/mine.csv'"
        )
    assert (tmp_path / "mine.csv").read_text() == "example_id\ne1\n"
    assert len(mine) == 2
    assert warehouse.read_bytes() == before


def test_threads_that_open_a_warehouse_at_once_all_load_it(warehouse: Path) -> None:
    ready = Barrier(8)

    def load(_: int) -> int:
        ready.wait()
        n: int = gainsay.load("conflict_suite", warehouse=warehouse).num_rows
        return n

    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(load, range(8))) == [3] * 8


def test_many_load_at_once(warehouse: Path) -> None:
    with ThreadPoolExecutor(8) as pool, gainsay.connect(warehouse) as connection:
        tables = list(
            pool.map(lambda _: gainsay.load("conflict_suite", warehouse=warehouse), range(32))
        )
        assert connection.sql("select 1").fetchall() == [(1,)]
    assert {tuple(table["example_id"].to_pylist()) for table in tables} == {("e1", "e2", "e3")}


def test_answers_do_not_land_beside_an_open_connection(warehouse: Path) -> None:
    cause = "cannot open the warehouse: this process has it open already.*close the other"
    with gainsay.connect(warehouse), pytest.raises(GainsayError, match=cause):
        gainsay.score("conflict_suite", {"e1": "yes"}, "m", warehouse=warehouse)
    assert not _landed(warehouse)


def test_a_warehouse_that_another_process_writes_is_named_as_locked(warehouse: Path) -> None:
    script = f"import duckdb; c = duckdb.connect({str(warehouse)!r}); print(flush=True); input()"
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as writer:
        assert writer.stdout is not None
        writer.stdout.readline()
        with pytest.raises(GainsayError, match=f"PID {writer.pid}"):
            gainsay.load("conflict_suite", warehouse=warehouse)
        writer.communicate(b"\n")
    assert gainsay.load("conflict_suite", warehouse=warehouse).num_rows == 3


def test_a_failed_call_leaves_the_environment_alone(
    warehouse: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_DB", "elsewhere.duckdb")
    with pytest.raises(_LandedError):
        gainsay.score("conflict_suite", {"e1": "yes"}, "m", warehouse=warehouse)
    assert os.environ["GAINSAY_DB"] == "elsewhere.duckdb"


@pytest.mark.parametrize("most", [-1, nan, float("inf"), 2.5, 10**30, "5", True, [1]], ids=repr)
def test_how_many_drops_is_a_whole_number(warehouse: Path, most: Any) -> None:
    with pytest.raises(GainsayError, match=r"^most: expected a whole number, or None for all"):
        gainsay.drops("conflict_suite", most=most, warehouse=warehouse)


@pytest.mark.parametrize("ids", [[["e1"]], [{"e1": 1}], [None], [b"e1"]], ids=repr)
def test_what_is_no_id_is_named(warehouse: Path, ids: Any) -> None:
    with pytest.raises(GainsayError, match=r"^ids: .* is no id of an example; give a text$"):
        gainsay.load("conflict_suite", ids=ids, warehouse=warehouse)


@pytest.mark.parametrize("path", ["", " "])
def test_an_empty_path_is_no_warehouse(path: str) -> None:
    with pytest.raises(GainsayError, match=r"^warehouse: an empty path"):
        gainsay.load("conflict_suite", warehouse=path)


@pytest.mark.parametrize(("n_unknown", "is_refused"), [(1, False), (2, True)])
def test_ids_that_name_nothing_are_told_before_dbt_runs(
    warehouse: Path, capsys: pytest.CaptureFixture[str], n_unknown: int, *, is_refused: bool
) -> None:
    source_file = Answering("conflict_suite", "open_ended", "default", "m", "default").source_file
    with duckdb.connect(warehouse) as connection:
        connection.execute(
            """
            create schema evaluation;
            create table evaluation.evaluation__named_answers as
            select
                $source_file as source_file, 'conflict_suite' as benchmark,
                'default' as condition, 'e8' as unknown_id, null::varchar as misplaced_id,
                null::varchar as other_condition, 'e1' as wanted_id, 2::bigint as n_answers,
                $n_unknown::bigint as n_unknown, 0::bigint as n_misplaced
            """,
            {"source_file": source_file, "n_unknown": n_unknown},
        )
    said = "of 2 ids name no example of conflict_suite as it was built last, such as 'e8'"
    if is_refused:
        with pytest.raises(GainsayError, match=f"^answers: 2 {said}"):
            gainsay.score("conflict_suite", {"e8": "a", "e9": "b"}, "m", warehouse=warehouse)
    else:
        with pytest.raises(_LandedError):
            gainsay.score("conflict_suite", {"e1": "a", "e8": "b"}, "m", warehouse=warehouse)
        assert f"1 {said}" in capsys.readouterr().err
