"""Two warehouses that differ anywhere are told apart, and nothing else tells them apart."""

import shutil
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from gainsay.cli import compare as cli_compare
from gainsay.cli.compare import _moves
from gainsay.foundation.errors import GainsayError
from gainsay.inspect.canonical import canonical_form, type_name
from gainsay.inspect.compare import (
    Comparison,
    Difference,
    Mart,
    Move,
    RowDifference,
    Side,
    compare,
    marts_of,
)
from gainsay.inspect.targets import opened
from gainsay.project.compiled import Project, read_manifest
from tests.python.conftest import PROJECT, Warehouse

pytestmark = pytest.mark.xdist_group("compare")

MART = Mart("m", "main", ("id",), {"path": "lies elsewhere"})
ROWS = """
    create or replace table m as
    select *
    from (
        values
            ('a', 1, 1.5::double, ['x', null], {'label': 'p', 'box': [0.0::double]},
             timestamp '2020-01-02', true, '/here'),
            ('b', null, 0.0, [], null, null, false, '/here'),
            ('c', 3, 'nan', null, {'label': null, 'box': null}, null, null, null)
    ) as rows(id, n, x, words, object, moment, flag, path)
"""

Compare = Callable[[str], Comparison]


@pytest.fixture
def compared() -> Compare:
    """Compare the table with itself after some statements."""

    def run(change: str) -> Comparison:
        sides = []
        for name, statements in (("left", ""), ("right", change)):
            connection = duckdb.connect()
            connection.execute(ROWS + ";" + statements)
            sides.append(Side(name, connection))
        return compare(*sides, MART, 5)

    return run


@pytest.mark.parametrize(
    "change",
    [
        "",
        # rows in another order
        "create or replace table m as from m order by id desc",
        # what may differ
        "update m set path = '/there'",
        # a zero without a sign is the same zero
        "update m set x = -0.0::double where id = 'b'",
        "alter table m alter n type integer",
        # a moment with its zone
        "alter table m alter moment type timestamptz using to_timestamp(epoch(moment))",
    ],
)
def test_what_is_the_same_agrees(compared: Compare, change: str) -> None:
    comparison = compared(change)

    assert comparison.differences == []
    assert comparison.rows == []
    assert comparison.n_rows == (3, 3)
    assert comparison.hashes[0] == comparison.hashes[1]


@pytest.mark.parametrize(
    ("change", "row"),
    [
        ("update m set n = 2 where id = 'a'", ("id a", "n", "1", "2")),
        ("update m set n = null where id = 'a'", ("id a", "n", "1", None)),
        ("update m set x = 1.5000000000000002 where id = 'a'",
         ("id a", "x", "1.5", "1.5000000000000002")),
        ("update m set x = null where id = 'c'", ("id c", "x", "nan", None)),
        ("update m set words = ['x'] where id = 'a'", ("id a", "words", "[x, NULL]", "[x]")),
        ("update m set words = ['x', ''] where id = 'a'",
         ("id a", "words", "[x, NULL]", "[x, '']")),
        ("update m set words = null where id = 'b'", ("id b", "words", "[]", None)),
        ("update m set object = null where id = 'c'",
         ("id c", "object", "{'label': NULL, 'box': NULL}", None)),
        ("update m set moment = moment + interval 1 microsecond where id = 'a'",
         ("id a", "moment", "2020-01-02 00:00:00", "2020-01-02 00:00:00.000001")),
        ("update m set flag = null where id = 'b'", ("id b", "flag", "false", None)),
    ],
)  # fmt: skip
def test_a_changed_cell_is_shown(
    compared: Compare, change: str, row: tuple[str, str, str | None, str | None]
) -> None:
    comparison = compared(change)

    assert comparison.rows == [RowDifference(*row)]
    assert [d.what for d in comparison.differences] == ["content", "rows that differ"]


def test_a_lost_row_is_shown(compared: Compare) -> None:
    comparison = compared("delete from m where id = 'b'")

    assert comparison.rows == [RowDifference("id b", "", "present", "absent")]
    assert Difference("m", "rows", "3", "2") in comparison.differences
    assert Difference("m", "rows of its own", "1", "0") in comparison.differences


def test_a_row_under_another_key_is_two_rows(compared: Compare) -> None:
    comparison = compared("update m set id = 'd' where id = 'b'")

    assert comparison.rows == [
        RowDifference("id b", "", "present", "absent"),
        RowDifference("id d", "", "absent", "present"),
    ]
    assert Difference("m", "rows of its own", "1", "1") in comparison.differences


def test_a_repeated_row_is_shown(compared: Compare) -> None:
    comparison = compared("insert into m from m where id = 'a'")

    assert comparison.rows == [RowDifference("id a", "", "present", "2 times")]


@pytest.mark.parametrize(
    ("change", "differences"),
    [
        ("alter table m drop flag", [("column flag", "present", "absent")]),
        ("alter table m add extra int", [("column extra", "absent", "present")]),
        ("alter table m alter n type bigint", [("type of n", "int", "bigint")]),
        ("create or replace table m as select id, x, n, * exclude (id, n, x) from m",
         [("order of columns", "id, n, x, words, object, moment, flag, path",
           "id, x, n, words, object, moment, flag, path")]),
        ("drop table m", [("presence", "present", "absent")]),
    ],
)  # fmt: skip
def test_another_shape_is_told_and_the_rest_compared(
    compared: Compare, change: str, differences: list[tuple[str, str, str]]
) -> None:
    comparison = compared(change)

    assert comparison.differences == [Difference("m", *found) for found in differences]
    assert comparison.rows == []


def test_only_the_first_rows_are_shown() -> None:
    sides = [Side(name, duckdb.connect()) for name in ("left", "right")]
    for number, side in enumerate(sides):
        side.connection.execute(
            f"create table m as select i as id, {number} as n from range(10) as r(i)"
        )
    comparison = compare(*sides, MART, 3)

    assert [row.row for row in comparison.rows] == ["id 0", "id 1", "id 2"]
    assert Difference("m", "rows that differ", "10", "10") in comparison.differences


def test_rows_without_a_key_are_compared_as_they_are() -> None:
    sides = [Side(name, duckdb.connect()) for name in ("left", "right")]
    for side, values in zip(sides, ("('p', 1), ('q', 2)", "('p', 1), ('q', 3)"), strict=True):
        side.connection.execute(f"create table m as from (values {values}) as rows(word, n)")
    comparison = compare(*sides, Mart("m", "main", (), {}), 5)

    assert comparison.rows == [
        RowDifference("n 2, word q", "", "present", "absent"),
        RowDifference("n 3, word q", "", "absent", "present"),
    ]


@pytest.mark.parametrize(
    ("literal", "form", "name"),
    [
        ("'né:'", "3:né:", "string"),
        ("null::varchar", "-", "string"),
        ("''", "0:", "string"),
        ("7::bigint", "1:7", "bigint"),
        ("0.1::double", "3:0.1", "double"),
        ("1.50::decimal(5,2)", "4:1.50", "decimal(5,2)"),
        ("timestamp '1970-01-01 00:00:01'", "7:1000000", "timestamp"),
        ("['a', null]", "4:1:a-", "array<string>"),
        ("[]::varchar[]", "0:", "array<string>"),
        ("[['a'], []]", "7:3:1:a0:", "array<array<string>>"),
        ("{'p': 'a', 'q': [1]}", "8:1:a3:1:1", "struct<p: string, q: array<int>>"),
        ("'\\xAA'::blob", "2:AA", "binary"),
    ],
)  # fmt: skip
def test_a_value_has_one_canonical_form(literal: str, form: str, name: str) -> None:
    relation = duckdb.connect().sql(f"select {literal} as v")

    assert type_name(relation.types[0]) == name
    assert relation.project(canonical_form("v", relation.types[0])).fetchall() == [(form,)]


WORDS = st.lists(st.one_of(st.none(), st.text(alphabet="a1:-", max_size=3)), max_size=3)


@pytest.mark.slow
@given(st.lists(WORDS, min_size=2, max_size=2))
def test_no_two_lists_share_a_form(lists: list[list[str | None]]) -> None:
    connection = duckdb.default_connection()
    relation = connection.sql("select $lists as lists", params={"lists": [*lists, ["x"]]})
    type_ = connection.sql("select ['x'] as v").types[0]
    (forms,) = relation.query(
        "found", f"select list_transform(lists, lambda v: {canonical_form('v', type_)}) from found"
    ).fetchall()[0]

    assert (forms[0] == forms[1]) == (lists[0] == lists[1])


@pytest.fixture(scope="module")
def project(synthetic: Warehouse) -> Project:
    """This project as it was built."""
    return read_manifest(synthetic.folder / "target/manifest.json")


@pytest.fixture
def copies(synthetic: Warehouse, tmp_path: Path) -> tuple[Warehouse, Path]:
    """A warehouse, and the file of a copy; dbt need not compile what it has compiled."""
    compiled = tmp_path / "gainsay"
    compiled.mkdir()
    shutil.copy(synthetic.folder / "target/manifest.json", compiled)
    copy = tmp_path / "copy.duckdb"
    shutil.copy(synthetic.path, copy)
    return Warehouse(tmp_path, synthetic.path, DBT_TARGET_PATH=str(tmp_path)), copy


def test_every_mart_has_a_key_that_is_compared(project: Project) -> None:
    marts = marts_of(project)

    assert len(marts) > 20
    assert [mart.name for mart in marts if not set(mart.key) - set(mart.volatile)] == []


def test_a_copy_agrees_with_its_target(copies: tuple[Warehouse, Path]) -> None:
    warehouse, copy = copies

    process = warehouse.gainsay("compare", "dev", copy)

    assert f"all marts of dev and {copy} agree" in process.stdout
    assert "left out: exports__records.image_path, " in process.stderr


def test_what_differs_is_printed(copies: tuple[Warehouse, Path]) -> None:
    warehouse, copy = copies
    with duckdb.connect(copy) as connection:
        connection.execute("""
            update conflict_suite.conflict_suite__examples set gold_answer = '[b]'
            where example_id = (
                select min(example_id) from conflict_suite.conflict_suite__examples
            );
            drop table evaluation.evaluation__scores
        """)

    process = warehouse.gainsay("compare", "dev", copy, check=False)

    assert process.returncode == 1
    assert "present" in process.stdout
    assert "[b]" in process.stdout
    # the pilot is a copy of its own; exports show the examples as they are
    assert "6 of" in process.stderr
    lines = process.stdout.splitlines()
    differing = {line.split()[1] for line in lines if line.startswith("│") and "differs" in line}
    assert differing == {
        "conflict_suite__examples", "evaluation__scores", "exports__records",
        "exports__jsonl", "exports__r_tuning", "exports__release_records",
    }  # fmt: skip


def test_what_moved_comes_first() -> None:
    """Two candidates of the family gate reach a later one, one is new; the cells stand behind."""
    mart = Mart("b__screened", "main", ("screening", "candidate_id"), {})
    sides = []
    for name, rows in (
        ("left", "('s', 'a', 'family'), ('s', 'b', 'family'), ('s', 'c', null)"),
        ("right", "('s', 'a', 'caption'), ('s', 'b', 'caption'), ('s', 'c', null),"
         " ('s', 'd', null)"),
    ):  # fmt: skip
        connection = duckdb.connect()
        connection.execute(
            f"create table b__screened as from (values {rows})"
            " as rows (screening, candidate_id, drop_stage)"
        )
        sides.append(Side(name, connection))
    comparison = compare(*sides, mart, 5)
    assert comparison.moves == [
        Move("candidates", "family", "caption", 2),
        Move("candidates", "not there", "retained", 1),
    ]
    assert list(_moves([comparison])) == [
        "b: 2 candidates from family to caption",
        "b: 1 candidate from not there to retained",
    ]


def test_marts_without_rows_are_named(copies: tuple[Warehouse, Path], tmp_path: Path) -> None:
    warehouse, copy = copies
    with duckdb.connect(copy) as connection:
        connection.execute("""
            delete from evaluation.evaluation__leaderboard;
            drop table evaluation.evaluation__scores
        """)
    other = shutil.copy(copy, tmp_path / "other.duckdb")
    marts = ("audit__funnel", "evaluation__leaderboard", "evaluation__scores")

    process = warehouse.gainsay("compare", copy, other, *(f"--mart={mart}" for mart in marts))

    lines = [line.strip("│").rsplit("│", 1) for line in process.stdout.splitlines() if "│" in line]
    assert {row.split()[0]: state.strip() for row, state in lines} == {
        "audit__funnel": "agrees",
        "evaluation__leaderboard": "empty in both",
        "evaluation__scores": "in neither",
    }
    assert "empty in both: evaluation__leaderboard\n" in process.stderr
    assert "in neither: evaluation__scores\n" in process.stderr


def test_one_mart_can_be_chosen(copies: tuple[Warehouse, Path]) -> None:
    warehouse, copy = copies

    process = warehouse.gainsay("compare", "dev", copy, "--mart", "audit__funnel")
    assert "1 in" in process.stderr

    refused = warehouse.gainsay("compare", "dev", copy, "--mart", "audit__funel", check=False)
    assert "audit__funel: no mart of the project; the marts are " in refused.stderr
    assert ", audit__funnel, " in refused.stderr


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("nowhere", "nowhere: neither a DuckDB file nor a target of .*profiles.yml, which has dev"),
        ("nowhere.duckdb", "nowhere.duckdb: no warehouse here"),
    ],
)
def test_what_is_no_warehouse_is_refused(project: Project, name: str, message: str) -> None:
    with (
        pytest.raises(GainsayError, match=message),
        opened(name, PROJECT, marts_of(project)),
    ):
        pass


def test_a_misspelt_name_is_told_before_a_project_is_compiled(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    there = tmp_path / "there.duckdb"
    duckdb.connect(there).close()
    monkeypatch.setattr(cli_compare, "compile_project", lambda _: pytest.fail("compiled"))
    for names in ((there, "nowhere.duckdb"), ("nowhere", there)):
        refused = CliRunner().invoke(cli_compare.command, [*map(str, names)])
        assert isinstance(refused.exception, GainsayError)
        assert "nowhere" in str(refused.exception)


def test_a_warehouse_without_marts_is_refused(project: Project, tmp_path: Path) -> None:
    empty = tmp_path / "empty.duckdb"
    duckdb.connect(empty).close()

    with (
        pytest.raises(GainsayError, match="has none of the marts; run `dbt build`"),
        opened(str(empty), PROJECT, marts_of(project)),
    ):
        pass
