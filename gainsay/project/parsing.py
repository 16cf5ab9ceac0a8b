"""The project as dbt parses it: what reads what, what columns mean, what a warehouse lacks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gainsay.foundation.errors import GainsayError
from gainsay.project.holdings import Relation
from gainsay.project.runner import run_dbt

# benchmarks that stand on each other's bases and evidence lie in one folder
_FAMILIES = ("conflicts",)


@dataclass(frozen=True)
class ParsedColumn:
    """A column as the YAML has it: what it holds in words, and its `meta`."""

    description: str
    meta: dict[str, Any]


@dataclass(frozen=True)
class ParsedNode:
    """A model or seed."""

    name: str
    relation: Relation
    # where it lies in the folder of models or seeds
    path: Path
    parents: tuple[str, ...]
    columns: dict[str, ParsedColumn]
    # what the YAML says of it for commands
    meta: dict[str, Any]
    tags: frozenset[str] = frozenset()
    materialized: str = "table"
    # of its file
    checksum: str = ""

    @property
    def folder(self) -> str:
        """The room that it lies in, such as `exports`."""
        return self.path.parts[0]

    @property
    def benchmark(self) -> str | None:
        """The benchmark in whose folder of models it lies."""
        if self.folder != "benchmarks":
            return None
        return next(folder for folder in self.path.parts[1:] if folder not in _FAMILIES)


@dataclass(frozen=True)
class ParsedTest:
    """A test of data, and the models and seeds that it reads."""

    name: str
    parents: tuple[str, ...]


@dataclass(frozen=True)
class ParsedProject:
    """The models and seeds of a project, by name, and its tests by their ids."""

    nodes: dict[str, ParsedNode]
    # the names of the nodes
    by_id: dict[str, str]
    tests: dict[str, ParsedTest]
    # what dbt made of it, by which a later run need not read the project again
    manifest: Any = field(default=None, repr=False, compare=False)

    def lacking(self, wanted: Iterable[str], present: Collection[Relation]) -> list[str]:
        """What has to be built for the wanted models, where these relations are there.

        What is there is taken as it is, whatever it was made of.
        """
        lacking: set[str] = set()
        unseen = list(wanted)
        while unseen:
            node = self.nodes[unseen.pop()]
            if node.name not in lacking and node.relation not in present:
                lacking.add(node.name)
                unseen += node.parents
        return sorted(lacking)

    def left_out(self, benchmarks: Collection[str]) -> set[str]:
        """The models that cannot be built where these benchmarks alone are: all made of others.

        A model of another benchmark that they read, as occlusions read the Conflict Suite, is not
        of them.
        """
        read = self.up_to(node.name for node in self.nodes.values() if node.benchmark in benchmarks)
        made: dict[str, bool] = {}

        def is_made_of_others(name: str) -> bool:
            if name not in made:
                node = self.nodes[name]
                made[name] = name not in read and (
                    node.benchmark is not None or any(map(is_made_of_others, node.parents))
                )
            return made[name]

        return set(filter(is_made_of_others, self.nodes))

    def up_to(self, names: Iterable[str]) -> set[str]:
        """These models and seeds, and all that they are made of."""
        seen: set[str] = set()
        unseen = [*names]
        while unseen:
            if (name := unseen.pop()) not in seen:
                seen.add(name)
                unseen += self.nodes[name].parents
        return seen

    def down_from(self, names: Iterable[str]) -> set[str]:
        """These models and seeds, and all that is made of them."""
        children = self.children()
        seen: set[str] = set()
        unseen = [*names]
        while unseen:
            if (name := unseen.pop()) not in seen:
                seen.add(name)
                unseen += children.get(name, ())
        return seen

    def children(self) -> dict[str, set[str]]:
        """What reads each model or seed that is read."""
        found: dict[str, set[str]] = {}
        for node in self.nodes.values():
            for parent in node.parents:
                found.setdefault(parent, set()).add(node.name)
        return found

    def relations_in(self, *folders: str) -> set[Relation]:
        """The relations of what lies in these rooms."""
        return {node.relation for node in self.nodes.values() if node.folder in folders}


def parse_project(arguments: Sequence[str] = (), *, project: Path | None = None) -> ParsedProject:
    """Parse a project, or read what an earlier command parsed; no warehouse is opened.

    `arguments` are dbt's, such as `--vars`, and `project` is that of `run_dbt`. Raises
    `GainsayError` where dbt cannot parse it.
    """
    result = run_dbt(["parse", *arguments, "--log-level", "none"], project=project)
    if result.exception is not None or not result.success:
        raise GainsayError(f"dbt cannot parse the project: {result.exception}")
    manifest: Any = result.result
    found = {
        unique_id: node
        for unique_id, node in manifest.nodes.items()
        if node.resource_type.value in ("model", "seed")
    }
    return ParsedProject(
        nodes={
            node.name: ParsedNode(
                node.name,
                (node.schema, node.identifier),
                Path(node.path),
                tuple(found[parent].name for parent in node.depends_on_nodes if parent in found),
                {
                    column.name: ParsedColumn(column.description, column.config.meta)
                    for column in node.columns.values()
                },
                dict(node.config.meta),
                frozenset(node.tags),
                node.config.materialized,
                node.checksum.checksum,
            )
            for node in found.values()
        },
        by_id={unique_id: node.name for unique_id, node in found.items()},
        tests={
            unique_id: ParsedTest(
                node.name,
                tuple(found[parent].name for parent in node.depends_on_nodes if parent in found),
            )
            for unique_id, node in manifest.nodes.items()
            if node.resource_type.value == "test"
        },
        manifest=manifest,
    )
