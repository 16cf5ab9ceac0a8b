"""Every macro says what it takes, and none hides SQL in strings that Jinja puts together."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jinja2 import nodes

from tests.python.conftest import PROJECT

# what a macro dispatches to by engine is documented where it is called, and nobody calls a
# materialization
_FORMS = re.compile(r"(default|duckdb|spark)__|materialization_")
# what only SQL has: spaces, brackets, operators; names of models and files have none
_SQL = re.compile(r"[\s(),|*+=<>]")
_MESSAGES = ("raise_compiler_error", "warn")
# where texts with spaces are no SQL
_TEXTS: dict[str, set[str] | None] = {
    # every text is a part of a message
    "macros/dbt/var_values.sql": None,
    "macros/dbt/manifest.sql": {"macro "},
    # the message of an error, before it is raised
    "macros/dbt/require_names.sql": {"; did you mean "},
}


def _parsed(sql: str) -> nodes.Template:
    from dbt_common.clients.jinja import get_environment

    return get_environment(None).parse(sql)


def _macros() -> dict[str, list[str]]:
    """The arguments of every macro of the project, by its name as dbt's parser spells it."""
    return {
        macro.name: [argument.name for argument in macro.args]
        for path in sorted((PROJECT / "macros").rglob("*.sql"))
        for macro in _parsed(path.read_text()).find_all(nodes.Macro)
    }


def _documented() -> dict[str, dict[str, Any]]:
    entries = [
        entry
        for path in sorted((PROJECT / "macros").rglob("*.yml"))
        for entry in yaml.safe_load(path.read_text())["macros"]
    ]
    names = [entry["name"] for entry in entries]
    assert sorted(names) == sorted(set(names))
    return {entry["name"]: entry for entry in entries}


def _plain(name: str) -> str:
    return name.removeprefix("dbt_macro__")


def test_every_macro_is_documented_with_its_arguments_and_an_example() -> None:
    macros = {_plain(name): arguments for name, arguments in _macros().items()}
    public = {name: taken for name, taken in macros.items() if not _FORMS.match(name)}
    documented = _documented()

    assert len(public) > 80
    assert set(documented) == set(public)
    for name, arguments in public.items():
        entry = documented[name]
        described = entry.get("arguments", [])
        assert [argument["name"] for argument in described] == arguments, name
        assert all(argument["description"] and argument["type"] for argument in described), name
        assert re.search(r"Example: \S", entry["description"]), f"{name}: no example"


def _concatenated_sql(template: nodes.Node) -> Iterator[str]:
    """The texts that look like SQL among what `~` puts together, messages of errors left out."""
    for child in template.iter_child_nodes():
        if isinstance(child, nodes.Call) and getattr(child.node, "attr", "") in _MESSAGES:
            continue
        if isinstance(child, nodes.Concat):
            texts = (str(part.value) for part in child.nodes if isinstance(part, nodes.Const))
            yield from filter(_SQL.search, texts)
        yield from _concatenated_sql(child)


@pytest.mark.parametrize(
    "path",
    [
        path
        for folder in ("macros", "models", "tests/sql", "tests/generic")
        for path in sorted((PROJECT / folder).rglob("*.sql"))
        if "~" in path.read_text()
    ],
    ids=lambda path: str(path.relative_to(PROJECT)),
)
def test_no_sql_is_put_together_in_strings(path: Path) -> None:
    allowed = _TEXTS.get(str(path.relative_to(PROJECT)), set())
    assert allowed is None or set(_concatenated_sql(_parsed(path.read_text()))) <= allowed


def test_sql_in_strings_is_found() -> None:
    sql = """
        {{ list_filter('words', 'word', 'length(word) > ' ~ n) }}
        {{ ref(benchmark ~ '__examples') }}
        {{ exceptions.raise_compiler_error('no port ' ~ name) }}
    """
    assert list(_concatenated_sql(_parsed(sql))) == ["length(word) > "]
