"""dbt without what it does anew for every node of a project: a third less CPU time of a build.

dbt builds what Jinja sees once to compile a node, once to run it and once for every call of an
adapter's macro, each time with an object for every macro there is. All of it is as it was after
the run; `dbt` itself, called without gainsay, is left alone.
"""

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from dbt.clients.jinja import MacroGenerator
from dbt.context.macros import MacroNamespaceBuilder
from dbt.contracts.graph.nodes import Macro
from dbt.exceptions import PackageNotFoundForMacroError
from dbt.include.global_project import PROJECT_NAME
from dbt.tracking import track_behavior_change_warn
from dbt_common.events.base_types import BaseEvent, EventLevel
from dbt_common.events.event_manager import EventManager

# objects made, less those freed, before Python looks for cycles among the youngest; by default
# 700, so that it walks through the whole project several times a second
_YOUNGEST = 100_000
_build_namespace = MacroNamespaceBuilder.build_namespace
_fire_event = EventManager.fire_event


@contextmanager
def quick_dbt() -> Iterator[None]:
    """For a run of dbt in this process: the same results for less CPU time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_YOUNGEST, 50, 100)
    _replace(MacroNamespaceBuilder, "build_namespace", build_namespace)
    _replace(EventManager, "fire_event", _fire_heard_event)
    try:
        yield
    finally:
        _replace(EventManager, "fire_event", _fire_event)
        _replace(MacroNamespaceBuilder, "build_namespace", _build_namespace)
        gc.set_threshold(*thresholds)


def _replace(owner: type, name: str, method: Callable[..., Any]) -> None:
    setattr(owner, name, method)


class _Namespace(dict[str, Any]):
    """The macros that a node sees, as dbt's `MacroNamespace`, looked up once instead of anew."""

    def __init__(
        self,
        global_namespace: dict[str, MacroGenerator],
        local_namespace: dict[str, MacroGenerator],
        global_project_namespace: dict[str, MacroGenerator],
        packages: dict[str, dict[str, MacroGenerator]],
    ) -> None:
        # what comes later wins
        super().__init__(global_project_namespace)
        self[PROJECT_NAME] = global_project_namespace
        self.update(packages)
        self.update(global_namespace)
        self.update(local_namespace)
        self.global_namespace = global_namespace
        self.local_namespace = local_namespace
        self.global_project_namespace = global_project_namespace
        self.packages = packages

    def get_from_package(self, package_name: str | None, name: str) -> MacroGenerator | None:
        if package_name is None:
            return self.get(name)
        if package_name == PROJECT_NAME:
            return self.global_project_namespace.get(name)
        if package_name in self.packages:
            return self.packages[package_name].get(name)
        raise PackageNotFoundForMacroError(package_name)


def build_namespace(
    builder: MacroNamespaceBuilder,
    macros_by_package: dict[str, dict[str, Macro]],
    context: dict[str, Any],
) -> _Namespace:
    """What `MacroNamespaceBuilder.build_namespace` makes."""
    node, stack = builder.node, builder.thread_ctx
    namespaces = {
        package: {
            name: MacroGenerator(macro, context, node, stack) for name, macro in macros.items()
        }
        for package, macros in macros_by_package.items()
    }
    project: dict[str, MacroGenerator] = {}
    # a plugin of dbt's that is named first wins
    for package in reversed(builder.internal_package_names_order):
        project |= namespaces.pop(package, {})
    return _Namespace(
        namespaces.get(builder.root_package, {}),
        namespaces.get(builder.search_package, {}),
        project,
        namespaces,
    )


def _fire_heard_event(
    manager: EventManager,
    event: BaseEvent,
    level: EventLevel | None = None,
    *arguments: Any,
    **options: Any,
) -> None:
    """Put together what an event says only where a log or a listener takes it."""
    if (level or event.level_tag()) == EventLevel.DEBUG and not _hears_debug(manager):
        return
    _fire_event(manager, event, level, *arguments, **options)


def _hears_debug(manager: EventManager) -> bool:
    return any(logger.level == EventLevel.DEBUG for logger in manager.loggers) or any(
        callback is not track_behavior_change_warn for callback in manager.callbacks
    )
