"""The pages of rules name files and tests that are there, and leave nothing out."""

import csv
import re
from pathlib import Path

import pytest
import yaml

from tests.python.conftest import PROJECT

PAGES = [
    (PROJECT / "docs" / name).read_text()
    for name in ("protocol_rules.md", "reality_check_rules.md")
]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for page in PAGES
    for line in page.splitlines()
    if line.startswith("| ") and not line.startswith("| rule")
]
NAMED = {
    name for page in PAGES for name in re.findall(r"\w+", " ".join(re.findall(r"`[^`]+`", page)))
}
BENCHMARKS = ("conflict_suite", "conflict_suite_refined", "occlusions", "clash", "reality_check")
# what their records, choices and edits depend on beside the vars that bear their names
SHARED_VARS = ("seed", "short_token_length", "editor_policy", "code_version")
PROMPTS = ("conflict_suite_", "clash_", "edit_", "picture_answers", "judge")


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_rule_has_its_file_and_its_test(row: list[str]) -> None:
    _, implemented, tested = row
    path, _, name = tested.strip("`").partition("::")

    assert (PROJECT / implemented.strip("`")).is_file()
    assert (PROJECT / path).is_file()
    if name:
        named = rf"def {name}\(" if path.endswith(".py") else rf"^ +(- )?name: {name}$"
        assert re.search(named, (PROJECT / path).read_text(), re.M)


def test_every_var_is_a_rule() -> None:
    names = yaml.safe_load((PROJECT / "dbt_project.yml").read_text())["vars"]
    protocol = [
        name
        for name in names
        if name.startswith((*(f"{benchmark}_" for benchmark in BENCHMARKS), "refined_"))
    ]

    assert len(protocol) > 25
    assert [name for name in (*protocol, *SHARED_VARS) if name not in NAMED] == []


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_seed_is_a_rule(benchmark: str) -> None:
    seeds = [path.stem for path in (PROJECT / "seeds" / benchmark).glob("*.csv")]

    assert seeds
    assert [name for name in seeds if name not in NAMED] == []


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_reason_to_drop_is_a_rule(benchmark: str) -> None:
    with (PROJECT / "seeds" / benchmark / f"{benchmark}__gates.csv").open(newline="") as file:
        reasons = [row["reason"] for row in csv.DictReader(file) if row["reason"] != "retained"]

    assert reasons
    assert [reason for reason in reasons if reason not in NAMED] == []


@pytest.mark.parametrize("benchmark", BENCHMARKS)
def test_every_field_of_an_example_is_a_rule(benchmark: str) -> None:
    path = PROJECT / "models/benchmarks" / benchmark / "marts" / f"{benchmark}__examples.yml"

    assert [name for name in _columns(path) if name not in NAMED] == []


def test_every_field_of_a_clash_sample_is_a_rule() -> None:
    path = PROJECT / "models/benchmarks/clash/marts/clash__samples.yml"

    assert [name for name in _columns(path) if name not in NAMED] == []


def test_every_prompt_is_a_rule() -> None:
    prompts = [path.stem for path in (PROJECT / "gainsay/lm/prompts").glob("*.toml")]
    protocol = [name for name in prompts if name.startswith(PROMPTS)]

    assert len(protocol) > 15
    assert [name for name in protocol if name not in NAMED] == []


def _columns(path: Path) -> list[str]:
    """Names of the columns that a model's YAML describes."""
    columns = re.findall(r"^      - name: (\w+)$", path.read_text(), re.M)
    assert columns
    return columns
