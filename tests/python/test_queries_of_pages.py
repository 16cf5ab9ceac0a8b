"""What the program asks of a warehouse stands in files of SQL, each of which binds."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.python.conftest import PROJECT, Warehouse

FILES = sorted([*PROJECT.glob("gainsay/**/*.sql"), *PROJECT.glob("ingest/**/*.sql")])


@pytest.fixture(scope="module")
def connection(synthetic: Warehouse) -> Iterator[duckdb.DuckDBPyConnection]:
    with synthetic.connect() as opened:
        yield opened


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_a_query_binds_as_one_would_paste_it(
    connection: duckdb.DuckDBPyConnection, file: Path
) -> None:
    statements = connection.extract_statements(file.read_text())
    assert len(statements) == 1
    assert not statements[0].named_parameters
    connection.execute(f"explain {file.read_text()}")
