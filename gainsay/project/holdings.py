"""Which of the project's benchmarks a warehouse has."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from gainsay.foundation.connection import connect, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.project.folder import project_vars

Relation = tuple[str, str]
"""schema and name in a warehouse, whatever the warehouse is called"""


@dataclass(frozen=True)
class Holdings:
    """What a warehouse has: its relations, and which benchmarks, of those of the project."""

    relations: frozenset[Relation]
    known: list[str]
    # those whose examples are built
    benchmarks: list[str]
    # what the project has records of for people to look at, and those of it that are built
    known_reviewed: list[str]
    reviewed: list[str]

    @property
    def is_part(self) -> bool:
        """Whether some benchmarks are there and others are not."""
        return 0 < len(self.benchmarks) < len(self.known)

    def vars_for(self, named: Iterable[str]) -> dict[str, Any]:
        """The vars of a build of what is there and of these benchmarks; none where that is all."""
        wanted = {*self.benchmarks, *named}
        if wanted >= {*self.known}:
            return {}
        return {
            "benchmarks": [name for name in self.known if name in wanted],
            "reviewed": [
                name for name in self.known_reviewed if name in {*self.reviewed, *named}
            ],
        }  # fmt: skip

    def reviewed_among(self, benchmarks: Sequence[str]) -> list[str]:
        """What has records for people where these benchmarks are built, and no others."""
        absent = {*self.known} - {*benchmarks}
        return [name for name in self.known_reviewed if name not in absent]


def holdings(
    project: Path | None = None, connection: duckdb.DuckDBPyConnection | None = None
) -> Holdings:
    """What is in a warehouse: the open one, or else that which GAINSAY_DB names, if it is there."""
    if connection is not None:
        relations = _relations(connection)
    elif warehouse_path().exists():
        with connect(read_only=True) as opened:
            relations = _relations(opened)
    else:
        relations = frozenset()
    names = {name for _, name in relations}
    known, reviewed = (list(project_vars(project)[name]) for name in ("benchmarks", "reviewed"))
    return Holdings(
        relations,
        known,
        [name for name in known if f"{name}__examples" in names],
        reviewed,
        [name for name in reviewed if f"{name}__review_records" in names],
    )


def require_built(benchmark: str, connection: duckdb.DuckDBPyConnection) -> None:
    """Raise `GainsayError` where a benchmark is not one of those that are built; say how to add it.

    What is no benchmark of the project is left to the caller, and so is a warehouse without any.
    """
    if any(name == f"{benchmark}__examples" for _, name in _relations(connection)):
        return
    found = holdings(connection=connection)
    if found.is_part and benchmark in found.known:
        raise GainsayError(
            f"{benchmark}: is not in this warehouse, which has {', '.join(found.benchmarks)};"
            f" `gainsay build --select {benchmark}__examples+` adds it and what is made of it"
        )


def _relations(connection: duckdb.DuckDBPyConnection) -> frozenset[Relation]:
    rows = connection.execute("select table_schema, table_name from information_schema.tables")
    return frozenset((schema, name) for schema, name in rows.fetchall())
