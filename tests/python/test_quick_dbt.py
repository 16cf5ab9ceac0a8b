"""dbt gives the same where it is made to do less: macros as it finds them, events as it tells."""

import gc
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from dbt.clients.jinja import MacroStack
from dbt.context.macros import MacroNamespaceBuilder
from dbt.contracts.graph.manifest import Manifest
from dbt.exceptions import PackageNotFoundForMacroError
from dbt_common.events.base_types import EventLevel
from dbt_common.events.event_manager import EventManager
from dbt_common.events.functions import get_stdout_config
from dbt_common.events.logger import LineFormat
from dbt_common.events.types import Formatting, Note

from gainsay.project.quick_dbt import quick_dbt
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


def test_all_is_as_it_was_afterwards() -> None:
    before = MacroNamespaceBuilder.build_namespace, EventManager.fire_event, gc.get_threshold()
    with quick_dbt():
        assert before[0] is not MacroNamespaceBuilder.build_namespace
    after = MacroNamespaceBuilder.build_namespace, EventManager.fire_event, gc.get_threshold()
    assert after == before
