"""Every model, seed, source and column is described, as it is in a built warehouse."""

import csv
import json
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from gainsay.project.compiled import read_manifest
from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

pytestmark = pytest.mark.xdist_group("documentation")

Node = dict[str, Any]

# they hold what breaks a rule, or what the key of another model is tested on
WITHOUT_KEY = ("__violations", "__manifest_entries")


_QUICK_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
# what dbt knows of a column; any other key is the rest of a description that a comma cut
COLUMN_KEYS = frozenset({"name", "description", "data_type", "data_tests", "constraints", "config"})
YAML_FILES = sorted(
    path
    for room in ("models", "seeds", "macros", "tests")
    for path in PROJECT.glob(f"{room}/**/*.yml")
)


@pytest.mark.long
def test_pyyaml_alone_reads_every_file() -> None:
    # libyaml, which dbt takes where it is installed, lets more pass
    others = [*PROJECT.glob("*.yml"), *PROJECT.glob(".*.yaml"), *PROJECT.glob("docs/**/*.yml")]
    assert len(others) > 3
    for path in YAML_FILES + others:
        assert list(yaml.parse(path.read_text(), yaml.SafeLoader)), path


def test_no_description_is_cut() -> None:
    columns = []
    for path in YAML_FILES:
        content = yaml.load(path.read_text(), _QUICK_LOADER) or {}
        relations = [*content.get("models", []), *content.get("seeds", [])]
        for source in content.get("sources", []):
            relations += source["tables"]
        columns += [column for relation in relations for column in relation.get("columns", [])]

    assert len(columns) > 1000
    assert [column for column in columns if not COLUMN_KEYS.issuperset(column)] == []


@pytest.fixture(scope="module")
def project(parsed: Path) -> Node:
    """The project as dbt read it for the builds."""
    manifest: Node = json.loads((parsed / "manifest.json").read_text())
    return manifest


@pytest.fixture(scope="module")
def relations(project: Node) -> list[Node]:
    """Whatever has a name and columns in the warehouse."""
    nodes = [n for n in project["nodes"].values() if n["resource_type"] in ("model", "seed")]
    return nodes + list(project["sources"].values())


def test_every_relation_is_described(relations: list[Node]) -> None:
    assert len(relations) > 50
    assert [node["name"] for node in relations if not node["description"].strip()] == []


def test_every_column_that_people_query_is_described_and_none_else(
    synthetic: Warehouse, relations: list[Node]
) -> None:
    built: dict[tuple[str, str], set[str]] = {}
    for schema, table, column in synthetic.rows(
        "select schema_name, table_name, column_name from duckdb_columns() where not internal"
    ):
        built.setdefault((str(schema), str(table)), set()).add(str(column))
    queried = {}
    for node in relations:
        described = {
            name for name, column in node["columns"].items() if column["description"].strip()
        }
        relation = (node["schema"], node["name"])
        if node["resource_type"] != "model" or node["access"] == "public":
            queried[relation] = described
        # a column of others is described where it is born, and none that is not there
        assert described <= built[relation], relation

    assert queried == {relation: built[relation] for relation in queried}


def test_a_warehouse_says_what_its_marts_and_raw_tables_hold(
    synthetic: Warehouse, relations: list[Node]
) -> None:
    kept = {
        row[:3]: row[3]
        for row in synthetic.rows("""
            select schema_name, table_name, '', comment from duckdb_tables()
            union all select schema_name, view_name, '', comment from duckdb_views()
            union all select schema_name, table_name, column_name, comment from duckdb_columns()
        """)
    }
    told = {}
    for node in relations:
        if node["resource_type"] == "source" or node.get("contract", {}).get("enforced"):
            told[node["schema"], node["name"], ""] = node["description"].strip()
            for name, column in node["columns"].items():
                told[node["schema"], node["name"], name] = column["description"].strip()

    assert len(told) > 2000
    assert {key: kept[key] for key in told} == told


def test_docs_describe_what_is_passed_on_as_where_it_is_born() -> None:
    describe = runpy.run_path(str(PROJECT / "docs" / "generate.py"))["describe_columns"]
    raw = {"name": "q", "columns": {"question": {"name": "question", "description": "As asked."}}}
    nodes = {
        "staging": {"name": "s", "columns": {}, "depends_on": {"nodes": ["raw"]}},
        "findings": {
            "name": "conflict_suite__question_findings",
            "columns": {},
            "depends_on": {"nodes": ["staging"]},
        },
    }
    built = {"findings": {"columns": {"question": {}, "passes_family": {}, "unknown": {}}}}

    describe({"nodes": nodes, "sources": {"raw": raw}}, {"nodes": built})

    assert {
        name: column["description"] for name, column in nodes["findings"]["columns"].items()
    } == {
        "question": "As asked.",
        "passes_family": "the question opens like none of the three question families",
        "unknown": "",
    }


@pytest.fixture(scope="module")
def counted() -> list[dict[str, str]]:
    """The capabilities whose state is a count."""
    with (PROJECT / "docs" / "capabilities.csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["query"]]


def test_counts_of_capabilities_are_of_what_is_there(
    synthetic: Warehouse, counted: list[dict[str, str]]
) -> None:
    assert len(counted) > 100
    with synthetic.connect() as connection:
        for row in counted:
            connection.execute(f"explain {row['query']}")


@needs_real_sample
def test_states_of_capabilities_are_those_of_the_real_sample(
    exported: Warehouse, counted: list[dict[str, str]]
) -> None:
    """Where a rule changes so much that a capability yields nothing any more, or yields at last."""
    with exported.connect() as connection:
        wrong = [
            (row["capability"], row["state"], n)
            for row in counted
            for (n,) in connection.execute(row["query"]).fetchall()
            if row["state"] != "not here" and (n > 0) != (row["state"] in ("works", "differs"))
        ]

    assert wrong == []


def test_every_model_and_seed_has_a_primary_key(parsed: Path, project: Node) -> None:
    keys = read_manifest(parsed / "manifest.json").primary_keys()
    keyed = {project["nodes"][node]["name"] for node in keys}
    named = {node["name"] for kind in ("model", "seed") for node in _nodes(project, kind)}

    assert len(keyed) > 100
    assert [name for name in sorted(named - keyed) if not name.endswith(WITHOUT_KEY)] == []


def test_every_mart_has_a_contract_with_types(project: Node) -> None:
    marts = [node for node in _nodes(project, "model") if node["access"] == "public"]
    without = [
        (mart["name"], name)
        for mart in marts
        for name, column in mart["columns"].items()
        if not mart["contract"]["enforced"] or not column["data_type"]
    ]

    assert len(marts) >= 7
    assert without == []


def test_every_mart_has_a_user(project: Node) -> None:
    used = {name for e in project["exposures"].values() for name in e["depends_on"]["nodes"]}
    marts = {n["unique_id"] for n in _nodes(project, "model") if n["access"] == "public"}

    assert marts - used == set()


def test_every_screening_stage_is_unit_tested(project: Node) -> None:
    tested = {unit["model"] for unit in project["unit_tests"].values()}
    stages = {
        "candidates", "question_findings", "caption_evidence", "caption_findings", "screened"
    }  # fmt: skip

    assert {f"conflict_suite__{stage}" for stage in stages} - tested == set()


def _nodes(project: Node, resource_type: str) -> Iterator[Node]:
    return (n for n in project["nodes"].values() if n["resource_type"] == resource_type)
