"""What the program asks of a warehouse stands in files of SQL, each of which binds."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from tests.python.conftest import PROJECT, Warehouse

FILES = sorted([*PROJECT.glob("gainsay/**/*.sql"), *PROJECT.glob("ingest/**/*.sql")])


# what the report compares with those of an earlier build, which it calls `other`
COMPARED = ("audit.audit__candidates", "report.report__stages", "report.report__manifests")


@pytest.fixture(scope="module")
def connection(
    synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[duckdb.DuckDBPyConnection]:
    other = tmp_path_factory.mktemp("other") / "other.duckdb"
    with duckdb.connect(other) as earlier:
        earlier.execute("attach $path as now (read_only)", {"path": str(synthetic.path)})
        for relation in COMPARED:
            earlier.execute(f"create schema if not exists {relation.partition('.')[0]}")
            earlier.execute(f"create table {relation} as from now.{relation} limit 0")
    with synthetic.connect() as opened:
        opened.execute("attach $path as other (read_only)", {"path": str(other)})
        yield opened


@pytest.mark.parametrize("file", FILES, ids=lambda path: str(path.relative_to(PROJECT)))
def test_a_query_binds_as_one_would_paste_it(
    connection: duckdb.DuckDBPyConnection, file: Path
) -> None:
    statements = connection.extract_statements(file.read_text())
    assert len(statements) == 1
    assert not statements[0].named_parameters
    connection.execute(f"explain {file.read_text()}")
