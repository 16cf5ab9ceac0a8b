"""dbt's unit tests, in parts that several workers take."""

from pathlib import Path

import pytest

from tests.python.conftest import Warehouse

_BENCHMARKS = "path:models/benchmarks"
_REALITY_CHECK = f"{_BENCHMARKS}/reality_check"
_PARTS = {
    "reality_check": ["--select", _REALITY_CHECK],
    "other benchmarks": ["--select", _BENCHMARKS, "--exclude", _REALITY_CHECK],
    "no benchmark": ["--exclude", _BENCHMARKS],
}


@pytest.mark.parametrize("part", _PARTS)
def test_unit_tests_pass(synthetic: Warehouse, tmp_path: Path, part: str) -> None:
    """They read no rows of a warehouse, but the types of its columns."""
    warehouse = synthetic.copied_to(tmp_path)
    tested = warehouse.dbt("test", "--resource-type", "unit_test", *_PARTS[part])
    assert "Nothing to do" not in tested.stdout
    # beside those of the data tests that the warehouse was built with
    assert warehouse.rows("""
        select test_kind, bool_and(status = 'pass') from audit.audit__test_results
        where test_kind = 'unit test' group by all
    """) == [("unit test", True)]
