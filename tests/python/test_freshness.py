"""What is shown is of the build that made it, or says which mart is newer."""

from collections.abc import Iterator

import duckdb
import pytest

from gainsay.inspect.freshness import newer_marts, warning


@pytest.fixture
def built() -> Iterator[duckdb.DuckDBPyConnection]:
    """Two builds of everything, and a later one of a benchmark's screening alone."""
    with duckdb.connect() as connection:
        connection.execute("""
            create schema audit;
            create table audit.audit__built_models as
            select * from (values
                ('first', 'clash__screened', '', timestamp '2026-01-01 10:00:00'),
                ('first', 'audit__candidates', '', timestamp '2026-01-01 10:00:00'),
                ('second', 'clash__screened', '', timestamp '2026-01-02 10:00:00'),
                ('second', 'occlusions__screened', '', timestamp '2026-01-02 10:00:00'),
                ('second', 'audit__candidates', 'clash__screened,occlusions__screened',
                    timestamp '2026-01-02 10:00:00'),
                ('second', 'report__stages', 'occlusions__screened',
                    timestamp '2026-01-02 10:00:00'),
                ('third', 'clash__screened', '', timestamp '2026-01-03 10:00:00'),
                ('third', 'clash__texts', '', timestamp '2026-01-03 10:00:00')
            ) as builds (invocation_id, model, shows, started_at)
        """)
        yield connection


def test_a_mart_that_was_built_later_is_named(built: duckdb.DuckDBPyConnection) -> None:
    newer = newer_marts(built)
    assert [(one.shown, one.mart) for one in newer] == [("audit__candidates", "clash__screened")]
    assert warning(newer) == (
        "clash__screened is newer than what is shown here: built 2026-01-03 10:00:00 UTC, and this"
        " 2026-01-02 10:00:00. `gainsay build` makes both anew."
    )
    assert warning(newer, ["report__"]) is None
    assert newer_marts(built, ["occlusions"]) == []


def test_what_one_build_made_is_of_one_time(built: duckdb.DuckDBPyConnection) -> None:
    built.execute("delete from audit.audit__built_models where invocation_id = 'third'")
    assert newer_marts(built) == []
    assert warning([]) is None


def test_a_warehouse_that_keeps_no_builds_says_nothing() -> None:
    with duckdb.connect() as connection:
        assert newer_marts(connection) == []
