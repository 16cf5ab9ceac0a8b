"""The project's files agree with each other."""

import re
import tomllib

import pytest
import yaml

from tests.python.conftest import PROJECT


def test_manifest_echoes_every_var() -> None:
    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())
    macro = (PROJECT / "macros/dbt/manifest.sql").read_text()
    listing = macro[macro.index("return([") : macro.index("])")]

    # how answers are scored and what is exported say nothing of the examples
    later = ("clash_", "evaluation_", "export_", "benchmarks", "question_sets")
    of_examples = [name for name in project["vars"] if not name.startswith(later)]
    assert sorted(re.findall(r"'(\w+)'", listing)) == sorted(of_examples)


def test_versions_agree() -> None:
    package = tomllib.loads((PROJECT / "pyproject.toml").read_text())
    project = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())

    assert project["vars"]["code_version"] == package["project"]["version"]


def test_every_vocabulary_is_hashed() -> None:
    """All seeds that decide a record's fate; the audit's two only describe."""
    seeds = {
        path.stem
        for path in (PROJECT / "seeds").rglob("*.csv")
        if path.parent.name not in ("clash", "evaluation", "exports", "images", "llm")
    }
    entries = (
        PROJECT / "models/benchmarks/conflict_suite/sealing/conflict_suite__manifest_entries.sql"
    ).read_text()

    gates = {name for name in seeds if name.endswith("_gates")}
    assert set(re.findall(r"vocabulary_hash\('(\w+)'\)", entries)) == seeds - gates - {
        "integrity_checks"
    }


def test_no_model_asks_which_engine_it_runs_on() -> None:
    models = (PROJECT / "models").rglob("*.sql")
    assert [path.name for path in models if "target.type" in path.read_text()] == []


def test_screening_reads_no_seeded_choice() -> None:
    """A different seed must change nothing in the screening."""
    models = PROJECT / "models/benchmarks/conflict_suite"
    stages = ["candidates", "family_gate", "gold_answers", "evidence_words", "caption_evidence",
              "caption_choice", "screened"]  # fmt: skip
    texts = [next(models.rglob(f"conflict_suite__{stage}.sql")).read_text() for stage in stages]
    assert [text for text in texts if "seeded_" in text] == []


@pytest.mark.xdist_group("grouped")
def test_groups_of_tests_are_kept_together(request: pytest.FixtureRequest) -> None:
    """What a group shares would be made once per worker, and the suite takes half as long again."""
    is_asked_for = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@grouped") == is_asked_for
