"""The project as dbt parses it: what reads what, what columns mean, what a warehouse lacks."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gainsay.foundation.errors import GainsayError
from gainsay.project.runner import run_dbt

Relation = tuple[str, str]
"""schema and name in a warehouse, whatever the warehouse is called"""


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

    @property
    def folder(self) -> str:
        """The room that it lies in, such as `exports`."""
        return self.path.parts[0]


@dataclass(frozen=True)
class ParsedProject:
    """The models and seeds of a project, by name."""

    nodes: dict[str, ParsedNode]

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
        {
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
            )
            for node in found.values()
        }
    )
