"""What a build on a warehouse of some benchmarks keeps to, and what it adds."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml

from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.project.holdings import require_built
from gainsay.project.keeping import Plan, kept_to_warehouse
from gainsay.project.parsing import ParsedNode, ParsedProject
from gainsay.scoring import building
from tests.python.conftest import PROJECT

VARS = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())["vars"]
OF_DEMO = {
    "benchmarks": ["conflict_suite", "occlusions", "clash"], "reviewed": ["clash", "audit"],
}  # fmt: skip


@pytest.fixture(autouse=True)
def of_demo(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A warehouse that has what the demo's has."""
    path = tmp_path / "gainsay.duckdb"
    monkeypatch.setenv("GAINSAY_DB", str(path))
    monkeypatch.setenv("GAINSAY_PROJECT", str(PROJECT))
    _make(path, [f"{name}__examples" for name in OF_DEMO["benchmarks"]]
          + [f"{name}__review_records" for name in OF_DEMO["reviewed"]])  # fmt: skip
    return path


def _make(path: Path, names: list[str]) -> None:
    with connect(path=path) as connection:
        for name in names:
            schema = name.partition("__")[0]
            connection.execute(f"create schema if not exists {schema}")
            connection.execute(f"create table if not exists {schema}.{name} as select 1 as id")


def _vars(*arguments: str) -> dict[str, Any]:
    kept = kept_to_warehouse(arguments).arguments
    assert kept.count("--vars") <= 1
    found: dict[str, Any] = json.loads(kept[kept.index("--vars") + 1]) if "--vars" in kept else {}
    return found


@pytest.mark.parametrize(
    ("arguments", "added"),
    [
        (["--select", "conflict_suite__screened+"], []),
        (["--select", "+exports__carm"], []),
        (["parse"], []),
        (["--select", "+certainly_uncertain__examples"], ["certainly_uncertain"]),
        (
            ["-s", "path:models/benchmarks/conflicts/conflict_suite_refined"],
            ["conflict_suite_refined"],
        ),
        (["--selector", "certainly_uncertain"], ["certainly_uncertain"]),
        (["--select", "clash", "@reality_check__pairs"], ["reality_check"]),
        # what is excluded is not asked for
        (["--select", "+tag:evaluation", "--exclude", "reality_check__outcomes"], []),
    ],
)
def test_a_selection_keeps_to_what_is_there_and_to_what_it_names(
    arguments: list[str], added: list[str]
) -> None:
    kept = {*OF_DEMO["benchmarks"], *added}
    looked_at = {*OF_DEMO["reviewed"], *added}
    assert _vars(*arguments) == {
        "benchmarks": [name for name in VARS["benchmarks"] if name in kept],
        "reviewed": [name for name in VARS["reviewed"] if name in looked_at],
    }
    sentence = kept_to_warehouse(arguments).sentence
    assert sentence is not None
    assert "conflict_suite, occlusions, clash" in sentence or "conflict_suite_refined" in sentence


def test_what_is_asked_for_by_vars_stays() -> None:
    assert _vars("--select", "x", "--vars", "{seed: 8}") == OF_DEMO | {"seed": 8}
    # the review reads no benchmark that is not listed
    assert _vars("--vars", "{benchmarks: [clash]}") == {
        "benchmarks": ["clash"],
        "reviewed": ["clash", "contradictions", "evaluation", "audit"],
    }
    for asked in ("{benchmarks: [clash], reviewed: []}", "{benchmarks: all}", "{a: [}", "7"):
        arguments = ["--select", "x", "--vars", asked]
        assert kept_to_warehouse(arguments).arguments == arguments
    on_spark = ["--select", "x", "--target", "spark"]
    assert kept_to_warehouse(on_spark).arguments == on_spark


@pytest.mark.parametrize("n_built", [0, len(VARS["benchmarks"])])
def test_a_warehouse_of_none_or_of_all_is_built_as_it_is_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, n_built: int
) -> None:
    path = tmp_path / "other.duckdb"
    monkeypatch.setenv("GAINSAY_DB", str(path))
    _make(path, [f"{name}__examples" for name in VARS["benchmarks"][:n_built]])
    assert kept_to_warehouse(["--select", "x+"]).arguments == ["--select", "x+"]
    with connect() as connection:
        require_built("clash", connection)


def test_a_benchmark_that_is_not_there_is_named_with_its_build() -> None:
    with connect() as connection:
        require_built("clash", connection)
        # commands say that it is not a warehouse
        require_built("nonsense", connection)
        with pytest.raises(GainsayError, match=r"build --select reality_check__examples\+` adds"):
            require_built("reality_check", connection)


def _project(**parents: tuple[str, ...]) -> ParsedProject:
    def node(name: str, read: tuple[str, ...]) -> ParsedNode:
        schema = name.partition("__")[0]
        is_own = schema in VARS["benchmarks"]
        path = Path("benchmarks", schema, f"{name}.sql") if is_own else Path(schema, f"{name}.sql")
        return ParsedNode(name, (schema, name), path, read, {}, {})

    return ParsedProject({name: node(name, read) for name, read in parents.items()}, {}, {})


def test_scoring_makes_nothing_that_would_have_dbt_read_the_project_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """With answers as records for people, `reviewed` would say more, and be parsed for."""
    project = _project(
        question_sets__guesses=(), audit__blind_examples=(), evaluation__predictions=(),
        llm__outcomes=(), evaluation__review_records=("evaluation__predictions",),
        review__records=("evaluation__review_records",), review__progress=("review__records",),
    )  # fmt: skip
    assert _scored(project, monkeypatch) == {"evaluation__predictions", "llm__outcomes"}
    records = [path.stem for path in PROJECT.glob("models/evaluation/**/*__review_records.sql")]
    assert records == ["evaluation__review_records"]


def _scored(project: ParsedProject, monkeypatch: pytest.MonkeyPatch) -> set[str]:
    chosen: set[str] = set()

    def plan(arguments: list[str], *_: object, selected: set[str], **__: object) -> Plan:
        chosen.update(selected)
        return Plan(arguments)

    monkeypatch.setattr(building, "parse_project", lambda *_, **__: project)
    monkeypatch.setattr(building, "planned", plan)
    building.scoring_plan()
    return chosen


def test_scoring_builds_what_answers_change(of_demo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Views show what is there, and what a table alone reads is not asked for."""
    project = _project(
        staging__stg_clash=(), staging__stg_coco=(), staging__stg_samples=("vocabulary__words",),
        vocabulary__words=(), vocabulary__metrics=(),
        clash__examples=("staging__stg_coco",), clash__prompts=("staging__stg_clash",),
        question_sets__guesses=(), audit__blind_examples=(), llm__outcomes=(),
        evaluation__predictions=("staging__stg_samples",),
        clash__outcomes=("evaluation__predictions", "clash__prompts", "clash__examples"),
        evaluation__runs=("clash__outcomes", "vocabulary__metrics"),
    )  # fmt: skip
    for name, node in project.nodes.items():
        kind = {"staging": "view", "vocabulary": "seed"}.get(node.folder, "table")
        project.nodes[name] = replace(node, materialized=kind, checksum="new")
    project.nodes["clash__prompts"] = replace(project.nodes["clash__prompts"], materialized="view")
    wanted = {"evaluation__predictions", "llm__outcomes", "clash__outcomes", "evaluation__runs"}
    assert _scored(project, monkeypatch) == wanted | {"vocabulary__metrics"}
    # a seed that is there as its file is stays, and one of another file does not
    _make(of_demo, ["vocabulary__metrics"])
    with connect(path=of_demo) as connection:
        connection.execute(
            "create table audit.audit__built_models as select * from (values"
            " ('vocabulary__metrics', 'old')) as built (model, content)"
        )
    assert _scored(project, monkeypatch) == wanted | {"vocabulary__metrics"}
    with connect(path=of_demo) as connection:
        connection.execute(
            "insert into audit.audit__built_models values ('vocabulary__metrics', 'new')"
        )
    assert _scored(project, monkeypatch) == wanted


def test_of_what_is_tagged_dbt_is_told_few_words(monkeypatch: pytest.MonkeyPatch) -> None:
    project = _project(
        question_sets__guesses=(), audit__blind_examples=(), evaluation__predictions=(),
        llm__outcomes=(), evaluation__review_records=("evaluation__predictions",),
        review__records=("evaluation__review_records",),
    )  # fmt: skip
    for name in ("evaluation__predictions", "evaluation__review_records"):
        project.nodes[name] = replace(project.nodes[name], tags=frozenset({"evaluation"}))
    monkeypatch.setattr(building, "parse_project", lambda *_, **__: project)
    monkeypatch.setattr(building, "planned", lambda arguments, *_, **__: Plan(arguments))
    arguments = building.scoring_plan().arguments
    assert arguments[arguments.index("--select") :] == [
        "--select", "tag:evaluation", "llm__outcomes", "--exclude", "evaluation__review_records",
    ]  # fmt: skip


def test_what_is_made_of_other_benchmarks_is_left_out() -> None:
    project = _project(
        conflict_suite__bases=(), conflict_suite__examples=("conflict_suite__bases",),
        occlusions__examples=("conflict_suite__bases",),
        reality_check__pairs=(),
        exports__pictures=("occlusions__examples",),
        exports__pairs=("reality_check__pairs", "exports__pictures"),
    )  # fmt: skip
    assert project.left_out(["occlusions"]) == {
        "conflict_suite__examples", "reality_check__pairs", "exports__pairs",
    }  # fmt: skip
    assert project.left_out(["occlusions", "reality_check"]) == {"conflict_suite__examples"}


def test_what_is_lacking_is_built_with_what_it_lacks_itself() -> None:
    project = _project(
        staging__a=(), staging__b=(),
        shared__c=("staging__a", "staging__b"), audit__d=("shared__c",),
    )  # fmt: skip
    present = {("staging", "staging__b")}
    assert project.lacking(["audit__d"], present) == ["audit__d", "shared__c", "staging__a"]
    assert project.lacking(["staging__b"], present) == []
