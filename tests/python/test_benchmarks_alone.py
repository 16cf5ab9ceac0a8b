"""A benchmark is built alone, and what it alone reads lies with it."""

from functools import cache
from pathlib import Path

import pytest
import yaml

from gainsay.project.parsing import ParsedProject, parse_project
from tests.python.conftest import PROJECT, Warehouse

# what dbt parsed before is read, not parsed again
pytestmark = pytest.mark.usefixtures("parsed")

BENCHMARKS: list[str] = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())["vars"][
    "benchmarks"
]
# one family: occlusions hide what the Conflict Suite asks about; the refined protocols take bases
# of the one and pictures of the other. No benchmark reads another family's models
MADE_OF = {
    "occlusions": {"conflict_suite"},
    "conflict_suite_refined": {"conflict_suite", "occlusions"},
}


@pytest.fixture(scope="module")
def project() -> ParsedProject:
    """This project as dbt parses it."""
    return parse_project(project=PROJECT)


def ancestors(project: ParsedProject, name: str) -> set[str]:
    """The models and seeds above one, itself left out."""
    found: set[str] = set()
    unseen = [name]
    while unseen:
        parents = set(project.nodes[unseen.pop()].parents) - found
        found |= parents
        unseen += parents
    return found


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_no_other_benchmark_is_above_one(project: ParsedProject, benchmark: str) -> None:
    above = {
        other
        for node in project.nodes.values()
        if node.benchmark == benchmark
        for name in ancestors(project, node.name)
        if (other := project.nodes[name].benchmark) not in (None, benchmark)
    }
    assert above == MADE_OF.get(benchmark, set())


def readers(project: ParsedProject) -> dict[str, set[str]]:
    """By model the rooms that read it, through other shared models too; a benchmark is a room."""
    children: dict[str, list[str]] = {}
    for node in project.nodes.values():
        for parent in node.parents:
            children.setdefault(parent, []).append(node.name)

    @cache
    def rooms(name: str) -> frozenset[str]:
        found: set[str] = set()
        for child in children.get(name, []):
            node = project.nodes[child]
            found |= rooms(child) if node.folder == "shared" else {node.benchmark or node.folder}
        return frozenset(found)

    return {name: set(rooms(name)) for name in project.nodes}


def test_what_one_benchmark_reads_lies_with_it(project: ParsedProject) -> None:
    read_by = readers(project)
    alone = {
        node.name: read_by[node.name]
        for node in project.nodes.values()
        if node.folder == "shared" and len(read_by[node.name]) == 1
    }
    assert {name: rooms for name, rooms in alone.items() if rooms <= set(BENCHMARKS)} == {}


def test_how_many_models_a_benchmark_takes(project: ParsedProject) -> None:
    """A cap, so that a model above all of them is noticed."""
    models = {node.name for node in project.nodes.values() if node.path.suffix == ".sql"}
    assert len(ancestors(project, "certainly_uncertain__examples") & models) <= 92
    assert len(ancestors(project, "reality_check__challenges") & models) <= 115


def test_a_leaderboard_of_one_benchmark_reads_no_other(tmp_path: Path) -> None:
    listed = Warehouse(tmp_path).dbt(
        "ls", "--quiet", "--select", "+evaluation__leaderboard", "--resource-type", "model",
        "--output", "path", "--vars", "{benchmarks: [certainly_uncertain], question_sets: []}",
    )  # fmt: skip
    above = [Path(line).relative_to("models").parts for line in listed.stdout.split()]
    benchmarks = {parts[1] for parts in above if parts[0] == "benchmarks"}
    assert benchmarks == {"certainly_uncertain"}
    assert len(above) <= 130
