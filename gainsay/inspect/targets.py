"""The warehouses that a comparison can name: targets of the profiles, and DuckDB files."""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import duckdb
import jinja2
import yaml

from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Progress, no_progress
from gainsay.inspect.compare import Mart, Side
from gainsay.python_udfs.engines.duckdb import register

_DUCKDB_SUFFIXES = (".duckdb", ".db")


@contextmanager
def opened(
    name: str, project: Path, marts: list[Mart], progress: Progress = no_progress
) -> Iterator[Side]:
    """Open a target of `profiles/profiles.yml`, or a DuckDB file, for reading its marts.

    Raises `GainsayError` for a name that is neither, for a warehouse that cannot be opened and
    for one that has none of the marts.
    """
    path = _path_of(name, project)
    with _spark(marts, progress) if path is None else _duckdb(path) as connection:
        _check_built(name, connection, marts)
        yield Side(name, connection)


def require_openable(name: str, project: Path) -> None:
    """Raise `GainsayError` where `opened` cannot open what is named, before a project is compiled.

    Whether Spark has a warehouse, Spark alone can tell.
    """
    if (path := _path_of(name, project)) is not None:
        with connect(read_only=True, path=path):
            pass


def _path_of(name: str, project: Path) -> Path | None:
    """The DuckDB file that is named; none for a target of Spark's."""
    if Path(name).is_file() or Path(name).suffix in _DUCKDB_SUFFIXES:
        return Path(name)
    output = _output(name, project)
    return None if output["type"] == "spark" else Path(output["path"])


@contextmanager
def _duckdb(path: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    with connect(read_only=True, path=path) as connection:
        # an export's view may call them
        register(connection)
        yield connection


@contextmanager
def _spark(marts: list[Mart], progress: Progress) -> Iterator[duckdb.DuckDBPyConnection]:
    """Spark's tables as views of DuckDB, over a copy that lives as long as they do."""
    from gainsay.spark.session import spark_session
    from gainsay.spark.tables import copy_tables

    with tempfile.TemporaryDirectory(prefix="gainsay-compare-") as name:
        folder = Path(name)
        names = [(mart.schema, mart.name) for mart in marts]
        with spark_session() as session, progress("reading Spark, marts", len(names)) as advance:
            copied = copy_tables(session, names, folder, advance)
        with connect(path=folder / "views.duckdb") as connection:
            for schema, table in copied:
                connection.execute(f'create schema if not exists "{schema}"')
                connection.execute(
                    f'create view "{schema}"."{table}" as'
                    f" select * from read_parquet('{folder}/{schema}.{table}/*.parquet')"
                )
            yield connection


def _output(name: str, project: Path) -> dict[str, Any]:
    """A target's settings, its calls of `env_var` answered."""
    path = project / "profiles" / "profiles.yml"
    try:
        profiles = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (OSError, yaml.YAMLError) as error:
        raise GainsayError(f"{path}: cannot be read: {error}") from error
    outputs: dict[str, dict[str, Any]] = next(iter(profiles.values()))["outputs"]
    if name not in outputs:
        raise GainsayError(
            f"{name}: neither a DuckDB file nor a target of {path}, which has"
            f" {', '.join(sorted(outputs))}"
        )
    settings = outputs[name]
    rendered = jinja2.Template(str(settings.get("path", ""))).render(env_var=os.environ.get)
    return settings | {"path": rendered}


def _check_built(name: str, connection: duckdb.DuckDBPyConnection, marts: list[Mart]) -> None:
    relations = connection.execute(
        "select table_schema, table_name from information_schema.tables"
    ).fetchall()
    if not {(mart.schema, mart.name) for mart in marts} & set(relations):
        raise GainsayError(f"{name}: has none of the marts; run `dbt build` on it first")
