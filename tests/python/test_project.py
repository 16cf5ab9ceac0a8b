"""The project's files agree with each other."""

import tomllib

import pytest
import yaml

from tests.python.conftest import PROJECT


def test_what_only_operates_is_a_var() -> None:
    """A manifest says every var in its lineage but these, so a stale name would hide nothing."""
    names = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())["vars"]

    assert set(names["operating_vars"]) <= set(names)


def test_versions_agree() -> None:
    package = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())

    assert project["vars"]["code_version"] == package["project"]["version"]


def test_no_model_asks_which_engine_it_runs_on() -> None:
    models = (PROJECT / "models").rglob("*.sql")
    assert [path.name for path in models if "target.type" in path.read_text()] == []


def test_screening_reads_no_seeded_choice() -> None:
    """A different seed must change nothing in the screening."""
    models = PROJECT / "models/benchmarks/conflict_suite"
    stages = ["candidates", "family_gate", "gold_answers", "evidence_words", "caption_evidence",
              "annotation_gate", "caption_gate", "consistency_gate", "screened"]  # fmt: skip
    texts = [next(models.rglob(f"conflict_suite__{stage}.sql")).read_text() for stage in stages]
    assert [text for text in texts if "seeded_" in text] == []


@pytest.mark.xdist_group("grouped")
def test_groups_of_tests_are_kept_together(request: pytest.FixtureRequest) -> None:
    """What a group shares would be made once per worker, and the suite takes half as long again."""
    is_asked_for = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@grouped") == is_asked_for
