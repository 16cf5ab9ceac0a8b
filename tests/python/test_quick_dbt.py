"""dbt gives the same where it is made to do less, and runs as it is where it is another one."""

import re
from collections.abc import Iterator, Mapping
from contextlib import nullcontext
from dataclasses import replace
from inspect import getattr_static
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from dbt.cli.main import dbtRunner
from dbt.clients.jinja import MacroStack
from dbt.context.macros import MacroNamespaceBuilder
from dbt.contracts.graph.manifest import Manifest
from dbt.exceptions import PackageNotFoundForMacroError
from dbt_common.events.base_types import EventLevel
from dbt_common.events.event_manager import EventManager
from dbt_common.events.functions import get_stdout_config
from dbt_common.events.logger import LineFormat
from dbt_common.events.types import Formatting, Note

from gainsay.project import quick
from gainsay.project.quick import contexts, heeds, quick_dbt
from tests.python.conftest import PROJECT
from tests.python.forks import read_manifest


@pytest.fixture(scope="module")
def manifest(parsed: Path) -> Manifest:
    """This project with another package beside it, which has some macros of the same name."""
    found: Manifest = read_manifest(parsed)
    macros = found.get_macros_by_package()
    some = {name: macro for package in macros.values() for name, macro in package.items()}
    macros["other"] = {
        name: replace(some[name], package_name="other", unique_id=f"macro.other.{name}")
        for name in ("seeded_order", "default__type_string", "create_table_as")
    }
    return found


def _namespace(manifest: Manifest, search_package: str) -> Any:
    adapters = ["dbt_duckdb", "dbt"]
    builder = MacroNamespaceBuilder("gainsay", search_package, MacroStack(), adapters, None)
    return builder.build_namespace(manifest.get_macros_by_package(), {"a": "context"})


def _flat(namespace: Mapping[str, Any]) -> Iterator[tuple[str, object]]:
    for name in namespace:
        member = namespace[name]
        if isinstance(member, Mapping):
            yield from ((f"{name}.{below}", member[below].macro) for below in member)
        else:
            yield name, (member.macro, member.context, member.node)


@pytest.mark.parametrize("search_package", ["gainsay", "other", "dbt"])
def test_macros_are_found_as_dbt_finds_them(manifest: Manifest, search_package: str) -> None:
    expected = _namespace(manifest, search_package)
    with quick_dbt():
        found = _namespace(manifest, search_package)

    assert type(found) is not type(expected)
    assert dict(_flat(found)) == dict(_flat(expected))
    for package in (None, "gainsay", "other", "dbt"):
        for name in ("seeded_order", "default__type_string", "no_such_macro"):
            macros = [n.get_from_package(package, name) for n in (found, expected)]
            assert len({macro and macro.macro.unique_id for macro in macros}) == 1
    with pytest.raises(PackageNotFoundForMacroError):
        found.get_from_package("gone", "seeded_order")


@pytest.mark.parametrize("level", [None, EventLevel.DEBUG, EventLevel.INFO])
def test_a_listener_hears_every_event(level: EventLevel | None) -> None:
    manager, heard = EventManager(), []
    manager.add_callback(lambda message: heard.append(message.info.msg))
    with quick_dbt():
        manager.fire_event(Note(msg="said"), level=level)
    assert heard == ["said"]


@pytest.mark.parametrize(
    ("log_level", "expected"),
    [(EventLevel.DEBUG, ["quietly", "aloud"]), (EventLevel.INFO, ["aloud"])],
)
def test_a_log_has_what_its_level_says(
    capsys: pytest.CaptureFixture[str], log_level: EventLevel, expected: list[str]
) -> None:
    manager = EventManager()
    manager.add_logger(get_stdout_config(LineFormat.PlainText, False, log_level, False))
    with quick_dbt():
        manager.fire_event(Formatting("quietly"), level=EventLevel.DEBUG)
        manager.fire_event(Note(msg="aloud"), level=EventLevel.WARN)
    assert [line.split("  ")[-1] for line in capsys.readouterr().out.splitlines()] == expected


def test_a_marked_listener_hears_what_it_heeds() -> None:
    manager, heard = EventManager(), []

    @heeds("Formatting")
    def listen(message: Any) -> None:
        heard.append((message.info.name, message.data.msg))

    manager.add_callback(listen)
    with quick_dbt():
        manager.fire_event(Formatting("heeded"), level=EventLevel.DEBUG)
        manager.fire_event(Note(msg="not heeded"), level=EventLevel.DEBUG)
        manager.fire_event(Note(msg="for all"), level=EventLevel.WARN)
    assert heard == [("Formatting", "heeded"), ("Note", "for all")]


# a project in which a node asks Jinja for everything that quick_dbt has late
_PROJECT = {
    "dbt_project.yml": """
        {name: gainsay, profile: gainsay, flags: {send_anonymous_usage_stats: false}}
    """,
    "profiles.yml": """
        gainsay:
          target: dev
          outputs: {dev: {type: duckdb, path: warehouse.duckdb, schema: main, threads: 1}}
    """,
    "macros/macros.sql": """
        {% macro ref(name) %}{{ return(builtins.ref(name)) }}{% endmacro %}
        {% macro hour() %}{{ modules.datetime.datetime(2014, 6, 21).hour }}{% endmacro %}
        {% macro duckdb__type_string() %}varchar{% endmacro %}
        {% macro twice(text) %}{{ text }}{{ caller() }}{{ text }}{% endmacro %}
        {% macro inner() %}{{ exceptions.raise_compiler_error('broken') }}{% endmacro %}
        {% macro outer() %}{{ inner() }}{% endmacro %}
        {% macro range() %}7{% endmacro %}
        {% test below(model, column_name, bound) %}
        select * from {{ model }} where {{ column_name }} >= {{ bound }}
        {% endtest %}
    """,
    "models/first.sql": """
        select {{ hour() }} as hour, cast('a' as {{ dbt.type_string() }}) as text,
            {{ range() }} as seven,
            {{ 'hour' in context }} as is_macro, {{ 'gone' in context }} as is_gone,
            {{ context.get('gone', 1) }} + {{ context['hour']() }} as found,
            '{{ invocation_args_dict.which }}' as command,
            {{ (context | length) > 500 }} as is_whole,
            {{ dict(a=3).a }} + {{ gainsay.hour() }} as of_package
    """,
    "models/second.sql": """
        {{ config(materialized='table') }}
        select *, {% call twice('1') %}+{% endcall %} as two, {{ hour() }} as now,
            {{ gainsay.hour() }} as own, {{ gainsay.range() }} as seven_more,
            typeof(cast('4' as {{ dbt.type_string() }})) as kind
        from {{ ref('first') }}
        {% if false %}{{ exceptions.raise_compiler_error('never') }}{% endif %}
    """,
    "models/models.yml": """
        models:
          - name: second
            columns:
              - name: hour
                data_tests:
                  - not_null
                  - below: {arguments: {bound: "{{ var('bound', 1) }}"}}
        unit_tests:
          - name: macros_of_a_test
            model: second
            overrides: {macros: {hour: 5, dbt.type_string: integer, gainsay.range: 3}}
            given: [{input: ref('first'), rows: [{hour: 4, text: b}]}]
            expect:
              rows: [{hour: 4, two: 2, now: 5, own: 0, seven_more: 3, kind: INTEGER}]
    """,
}


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name, text in _PROJECT.items():
        path = tmp_path / "project" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text))
    monkeypatch.chdir(tmp_path / "project")
    # the commands of this run take their events and artefacts from here
    monkeypatch.delenv("DBT_WRITE_JSON")
    return tmp_path / "project"


@pytest.mark.slow
def test_a_project_compiles_and_fails_as_with_dbt_alone(
    project: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    seen, errors = [], []
    for folder in ("dbt", "quick"):
        seen.append(_seen(project, folder))
        # what stands before it has the time
        errors.append(capfd.readouterr().out.split("while running operation: ")[-1])
    assert seen[0] == seen[1]
    assert errors[0] == errors[1]
    (texts, results), error = seen[0], errors[0]
    assert len(texts) >= 6
    assert set(results.values()) == {("success", None), ("pass", 0)}
    assert "broken" in error
    assert "called by macro outer" in error


def _seen(project: Path, target: str) -> tuple[dict[Path, str], dict[str, object]]:
    """What dbt writes, and what comes of each node; what it says of a macro that fails is shown."""
    (project / "warehouse.duckdb").unlink(missing_ok=True)
    arguments = ["--quiet", "--target-path", target, "--log-path", target]
    with quick_dbt() if target == "quick" else nullcontext():
        built = dbtRunner().invoke(["build", *arguments])
        failed = dbtRunner().invoke(["run-operation", "outer", *arguments])
    assert built.success, built.exception
    assert not failed.success
    texts = {
        path.relative_to(project / target): path.read_text()
        for path in (project / target).rglob("*.sql")
    }
    results = {
        result.node.unique_id: (str(result.status), result.failures) for result in built.result
    }
    return texts, results


def test_all_is_as_it_was_afterwards() -> None:
    before = [getattr_static(owner, name) for owner, name, _ in quick._replacements()]
    with quick.quick_dbt():
        assert MacroNamespaceBuilder.build_namespace is contexts.build_namespace
    assert before == [getattr_static(owner, name) for owner, name, _ in quick._replacements()]


@pytest.fixture
def forgetful() -> Iterator[None]:
    """A process that has not looked at dbt yet, before and after."""
    quick._replacements.cache_clear()
    yield
    quick._replacements.cache_clear()


def _is_plain() -> bool:
    before = MacroNamespaceBuilder.build_namespace, EventManager.fire_event
    with quick.quick_dbt():
        return before == (MacroNamespaceBuilder.build_namespace, EventManager.fire_event)


@pytest.mark.parametrize(("value", "is_plain"), [("1", True), ("", False), ("0", False)])
def test_one_variable_leaves_all_of_dbt_as_it_is(
    value: str, is_plain: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GAINSAY_PLAIN_DBT", value)
    assert _is_plain() == is_plain


@pytest.mark.usefixtures("forgetful")
def test_a_dbt_of_another_version_runs_as_it_is_and_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(quick, "version", lambda package: {"dbt-core": "1.12.0"}.get(package, "9"))
    assert _is_plain()
    assert _is_plain()
    assert capsys.readouterr().err == (
        "dbt runs as it is, which takes longer: dbt-core 1.12.0 is not 1.11\n"
    )


@pytest.mark.usefixtures("forgetful")
def test_a_dbt_without_a_part_runs_as_it_is_and_one_line_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = (*contexts.REPLACED, (MacroNamespaceBuilder, "gone", None))
    monkeypatch.setattr(contexts, "REPLACED", gone)
    assert _is_plain()
    assert capsys.readouterr().err == "dbt runs as it is, which takes longer: gone\n"


def test_the_known_versions_are_those_that_are_installed_with_gainsay() -> None:
    text = (PROJECT / "pyproject.toml").read_text()
    bounds = dict(re.findall(r'"(dbt-\w+)>=(\d+\.\d+)[.\d]*,<', text))
    assert bounds == quick.KNOWN
