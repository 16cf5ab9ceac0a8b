"""The page of rules names files and tests that are there."""

import re

import pytest

from tests.python.conftest import PROJECT

PAGE = (PROJECT / "docs" / "protocol_rules.md").read_text()
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PAGE.splitlines()
    if line.startswith("| ") and not line.startswith("| rule")
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_a_rule_has_its_file_and_its_test(row: list[str]) -> None:
    _, implemented, tested = row
    path, _, name = tested.strip("`").partition("::")

    assert (PROJECT / implemented.strip("`")).is_file()
    assert (PROJECT / path).is_file()
    if name:
        named = rf"def {name}\(" if path.endswith(".py") else rf"- name: {name}\n"
        assert re.search(named, (PROJECT / path).read_text() + "\n")


def test_every_gate_of_clash_is_a_rule() -> None:
    models = (PROJECT / "models/benchmarks/clash/screening").glob("clash__*_check.sql")

    assert ROWS
    assert [model.name for model in models if f"/{model.name}`" not in PAGE] == []
