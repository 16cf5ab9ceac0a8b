"""The project's files agree with each other."""

import re
import tomllib

import pytest
import yaml

from tests.python.conftest import PROJECT

_SETUP = PROJECT / "setup.py"


def test_what_only_operates_is_a_var() -> None:
    """A manifest says every var in its lineage but these, so a stale name would hide nothing."""
    names = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())["vars"]

    assert set(names["operating_vars"]) <= set(names)


def test_the_version_stands_in_one_place() -> None:
    package = tomllib.loads((PROJECT / "pyproject.toml").read_text())["project"]
    text = (PROJECT / "dbt_project.yml").read_text()
    [pattern] = re.findall(r"^VERSION = re.compile\(r'(.+)', re", _SETUP.read_text(), re.MULTILINE)

    assert package["dynamic"] == ["version"]
    assert "version" not in package
    # what setup.py finds is what manifests say, and the newest version of the changelog
    [found] = re.findall(pattern, text, re.MULTILINE)
    assert found == yaml.safe_load(text)["vars"]["code_version"]
    changes = (PROJECT / "CHANGELOG.md").read_text()
    assert (
        re.findall(r"^## \[(\d+\.\d+\.\d+)\] - \d{4}-\d\d-\d\d$", changes, re.MULTILINE)[0] == found
    )
    # the page of citation has none of its own
    assert "version" not in yaml.safe_load((PROJECT / "CITATION.cff").read_text())


def test_no_model_asks_which_engine_it_runs_on() -> None:
    models = (PROJECT / "models").rglob("*.sql")
    assert [path.name for path in models if "target.type" in path.read_text()] == []


def test_screening_reads_no_seeded_choice() -> None:
    """A different seed must change nothing in the screening."""
    models = PROJECT / "models/benchmarks/conflicts/conflict_suite"
    stages = ["candidates", "question_findings", "caption_evidence", "caption_findings", "screened"]
    texts = [next(models.rglob(f"conflict_suite__{stage}.sql")).read_text() for stage in stages]
    assert [text for text in texts if "seeded_" in text] == []


@pytest.mark.xdist_group("grouped")
def test_groups_of_tests_are_kept_together(request: pytest.FixtureRequest) -> None:
    """What a group shares would be made once per worker, and the suite takes half as long again."""
    is_asked_for = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@grouped") == is_asked_for
