"""A warehouse of an older layout is refused with what to do, and a current one is left alone."""

from pathlib import Path

import duckdb
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.ingest.raw import RAW_TABLES
from gainsay.ingest.sinks.duckdb import ensure_raw_schema


def test_a_current_warehouse_is_left_alone(tmp_path: Path) -> None:
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        ensure_raw_schema(connection)
        ensure_raw_schema(connection)
        # a column of somebody's own does no harm
        connection.execute("alter table raw.predictions add column mine varchar")
        ensure_raw_schema(connection)
        tables = connection.execute(
            "select table_name from duckdb_tables() where schema_name = 'raw'"
        ).fetchall()
    assert {name for (name,) in tables} == set(RAW_TABLES)


@pytest.mark.parametrize(
    ("older", "lacking"),
    [
        ("alter table raw.predictions drop column p_yes", "raw.predictions has no column p_yes"),
        (
            "create or replace table raw.llm_requests as select * from raw.llm_requests",
            "raw.llm_requests has no key",
        ),
    ],
    ids=["column", "key"],
)
def test_an_older_layout_is_refused(tmp_path: Path, older: str, lacking: str) -> None:
    with duckdb.connect(tmp_path / "gainsay.duckdb") as connection:
        ensure_raw_schema(connection)
        connection.execute(older)
        with pytest.raises(GainsayError, match=f"{lacking}; set GAINSAY_DB to a new file"):
            ensure_raw_schema(connection)
