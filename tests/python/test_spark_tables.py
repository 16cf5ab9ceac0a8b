"""Tables of Spark are compared with those of DuckDB, and their SQL has the same lineage."""

import os
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from gainsay.cli.progress import progress
from gainsay.foundation.errors import GainsayError
from gainsay.inspect.compare import Difference, Mart, RowDifference, Side, compare
from gainsay.inspect.lineage import Edge, column_edges
from gainsay.project import runner
from gainsay.project.compiled import read_manifest
from gainsay.spark.session import spark_session
from gainsay.spark.tables import copy_tables, replace_rows
from tests.python.conftest import PROJECT, not_in_a_quick_run

pytestmark = pytest.mark.xdist_group("spark")

MART = Mart("m", "kept", ("id",), {})
# the same rows in each engine's words, of every type that a mart has
ON_SPARK = """
    select
        id, n, cast(n as bigint) as big, x, cast(x as decimal(7, 6)) as share, words, object,
        cast(moment as timestamp_ntz) as moment, flag
    from values
        ('é', 1, 0.1d, array('x', null), named_struct('p', 'a', 'q', array(0.5d)),
         '2020-01-02 03:04:05.000006', true),
        ('b', null, -0.0d, array(), named_struct('p', null, 'q', null), null, null),
        ('c', 3, null, null, null, '1969-12-31 23:59:59', false)
        as given (id, n, x, words, object, moment, flag)
"""
ON_DUCKDB = """
    select
        id, n, cast(n as bigint) as big, x, cast(x as decimal(7, 6)) as share, words, object,
        cast(moment as timestamp) as moment, flag
    from (
        values
            ('é', 1, 0.1::double, ['x', null], {'p': 'a', 'q': [0.5::double]},
             '2020-01-02 03:04:05.000006', true),
            ('b', null, 0.0, [], {'p': null, 'q': null}, null, null),
            ('c', 3, null, null, null, '1969-12-31 23:59:59', false)
    ) as given(id, n, x, words, object, moment, flag)
"""


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Iterator[Any]:
    """A session with the schema `kept`."""
    not_in_a_quick_run(pytestconfig)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GAINSAY_SPARK_WAREHOUSE", str(tmp_path_factory.mktemp("spark")))
        patch.setenv("PYSPARK_SUBMIT_ARGS", "pyspark-shell")
        settings = ["spark.sql.shuffle.partitions=1"]
        with spark_session(master="local[1]", settings=settings) as session:
            session.sql("create schema kept")
            yield session


def compared(spark: Any, folder: Path, on_spark: str) -> list[Difference | RowDifference]:
    """How DuckDB's rows differ from those of a view on Spark."""
    spark.sql(f"create or replace view kept.m as {on_spark}")
    with progress("copying", 2) as advance:
        copied = copy_tables(spark, [("kept", "absent"), ("kept", "m")], folder, advance)
    assert copied == [("kept", "m")]
    sides = [Side(name, duckdb.connect()) for name in ("dev", "spark")]
    for side, rows in zip(sides, (ON_DUCKDB, f"from '{folder}/kept.m/*.parquet'"), strict=True):
        side.connection.execute(f"create schema kept; create view kept.m as {rows}")
    comparison = compare(sides[0], sides[1], MART, 5)
    return [*comparison.differences, *comparison.rows]


def test_equal_rows_of_both_engines_agree(spark: Any, tmp_path: Path) -> None:
    assert compared(spark, tmp_path, ON_SPARK) == []


def test_another_row_on_spark_is_shown(spark: Any, tmp_path: Path) -> None:
    changed = ON_SPARK.replace("array('x', null)", "array('x', '')")

    assert RowDifference("id é", "words", "[x, NULL]", "[x, '']") in compared(
        spark, tmp_path, changed
    )


def test_a_table_without_rows_is_taken_along(spark: Any, tmp_path: Path) -> None:
    found = compared(spark, tmp_path, f"select * from ({ON_SPARK}) where n > 3")

    assert found[0] == Difference("m", "rows", "3", "0")


def test_nothing_is_left_beside_the_tables(spark: Any, tmp_path: Path) -> None:
    folder = Path(str(spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:"))
    compared(spark, tmp_path, ON_SPARK)

    assert list(folder.glob(".copy-*")) == []


def test_what_a_killed_copy_left_goes_a_day_later(spark: Any, tmp_path: Path) -> None:
    folder = Path(str(spark.conf.get("spark.sql.warehouse.dir")).removeprefix("file:"))
    yesterday = time.time() - 25 * 3600
    old, new = folder / ".copy-old", folder / ".copy-new"
    for left in (old, new):
        (left / "kept.m").mkdir(parents=True)
    os.utime(old, (yesterday, yesterday))
    try:
        compared(spark, tmp_path, ON_SPARK)
        assert (old.exists(), new.exists()) == (False, True)
    finally:
        shutil.rmtree(new)


def test_rows_are_replaced(spark: Any) -> None:
    spark.sql("create table kept.edges (model string, literal string) using parquet")
    for models in (["a", "b"], ["c"]):
        # in another order than the table's columns
        replace_rows(
            spark, "kept.edges", pa.table({"literal": [None] * len(models), "model": models},
            pa.schema([("literal", pa.string()), ("model", pa.string())])),
        )  # fmt: skip

    assert [tuple(row) for row in spark.table("kept.edges").collect()] == [("c", None)]


def test_rows_of_an_absent_table_are_refused(spark: Any) -> None:
    with pytest.raises(GainsayError, match=r"has no kept\.nothing; run `gainsay land"):
        replace_rows(spark, "kept.nothing", pa.table({"model": ["a"]}))


@pytest.mark.usefixtures("parsed_for_spark")
def test_elements_have_their_places_on_both_engines(spark: Any, tmp_path: Path) -> None:
    """Two functions that make rows would pair up on DuckDB and multiply on Spark."""
    query = """
        select {{ unnest_list_with_position('words', 'word', 'place') }}
        from (select {{ list_value("'b'", "'a'") }} as words) as given
    """
    compiled = {
        target: run_dbt(tmp_path, "compile", "--inline", query, "--target", target)
        for target in ("dev", "spark")
    }

    expected = {("b", 1), ("a", 2)}
    found = duckdb.connect().execute(compiled["dev"].node.compiled_code).fetchall()
    assert (set(found), len(found)) == (expected, 2)
    rows = spark.sql(compiled["spark"].node.compiled_code).collect()
    assert (set(map(tuple, rows)), len(rows)) == (expected, 2)


def run_dbt(folder: Path, *arguments: str) -> Any:
    """Run dbt in this process, where the session is; the first of its results."""
    result = runner.run_dbt(
        ["--quiet", *arguments, "--no-populate-cache"],
        warehouse=folder / "gainsay.duckdb",
        target_path=folder,
    )
    assert result.success, result.exception
    return result.result.results[0]


@pytest.mark.usefixtures("spark", "parsed_for_spark")
def test_models_on_spark_have_the_lineage_of_duckdb(edges: list[Edge], tmp_path: Path) -> None:
    """Every model is read in the dialect of either engine, to the same steps.

    Where places are counted by ranges on Spark there are more steps, between the same models.
    """
    compiling = ("compile", "--write-json", "--select", "resource_type:model")
    run_dbt(tmp_path, *compiling, "--target", "spark")

    ranged = {
        path.stem
        for path in (PROJECT / "models").rglob("*.sql")
        if "seeded_places(" in path.read_text()
    }
    assert ranged

    def compared(edges: Iterable[Edge]) -> set[Edge | tuple[str, str]]:
        return {
            (edge.model, edge.from_model) if edge.model in ranged else edge._replace(literal=None)
            for edge in edges
        }

    on_spark = column_edges(read_manifest(tmp_path / "manifest.json"), "spark")
    assert len(on_spark) > 3_000
    assert compared(on_spark) == compared(edges)
