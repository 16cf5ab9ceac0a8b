"""dbt without what it does anew for every node of a project: half of the CPU time of a build.

dbt builds what Jinja sees once to compile a node, once to run it and once for every call of an
adapter's macro, each time with an object for every macro there is. It writes down every event,
heard or not, walks through the graph by views of views, and takes the SQL of a unit test apart
to put its rows in front. All of it is as it was after the run; `dbt` itself, called without
gainsay, is left alone.
"""

import gc
import json
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import networkx
from dbt import compilation
from dbt.adapters.base.impl import BaseAdapter
from dbt.adapters.base.relation import BaseRelation
from dbt.adapters.cache import RelationsCache
from dbt.adapters.exceptions.cache import NoneRelationFoundError
from dbt.artifacts.resources.v1.components import InjectedCTE
from dbt.artifacts.resources.v1.unit_test_definition import UnitTestFormat
from dbt.clients.jinja import MacroGenerator
from dbt.compilation import Linker, inject_ctes_into_sql
from dbt.context.macros import MacroNamespaceBuilder
from dbt.contracts.graph.nodes import Macro
from dbt.exceptions import PackageNotFoundForMacroError
from dbt.graph.graph import Graph
from dbt.include.global_project import PROJECT_NAME
from dbt.parser.unit_tests import UnitTestManifestLoader
from dbt.tracking import track_behavior_change_warn
from dbt_common.clients import agate_helper
from dbt_common.events.base_types import BaseEvent, EventLevel
from dbt_common.events.event_manager import EventManager
from dbt_common.utils.formatting import lowercase

from gainsay.project.listening import is_heeded

# objects made, less those freed, before Python looks for cycles among the youngest; by default
# 700, so that it walks through the whole project several times a second
_YOUNGEST = 100_000
# a statement up to what its first `with` names
_FIRST_WITH = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*with\s+(?!recursive\b)(?!\s)", re.S | re.I)
# where a semicolon ends no statement
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.S)
_fire_event = EventManager.fire_event
_fixture_code = UnitTestManifestLoader._build_fixture_raw_code
_find_cycles = Linker.find_cycles
_make_event = BaseEvent.__init__
_make_match = BaseAdapter._make_match


@contextmanager
def quick_dbt() -> Iterator[None]:
    """For a run of dbt in this process: the same results for less CPU time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_YOUNGEST, 50, 100)
    with ExitStack() as replaced:
        for owner, name, function in (
            (MacroNamespaceBuilder, "build_namespace", build_namespace),
            (EventManager, "fire_event", _fire_heard_event),
            (BaseEvent, "__init__", _keep_given),
            (BaseEvent, "__getattr__", _made_when_asked),
            (BaseEvent, "__setattr__", _made_when_changed),
            (RelationsCache, "get_relations", relations_of_schema),
            (BaseAdapter, "_make_match", relations_of_name),
            (Graph, "select_parents", select_parents),
            (Graph, "select_children", select_children),
            (Linker, "find_cycles", find_cycles),
            # the same order of tests and models by a twentieth of the edges; dbt has it as a flag
            # that a project cannot set
            (Linker, "add_test_edges", Linker.add_test_edges_2),
            # what dbt tells its own developers
            (Linker, "get_graph_summary", _no_summary),
            (UnitTestManifestLoader, "_build_fixture_raw_code", fixture_code),
            (compilation, "inject_ctes_into_sql", with_ctes),
            # a table that nobody changes, and a third of a millisecond to make
            (agate_helper, "empty_table", cache(agate_helper.empty_table)),
        ):
            replaced.enter_context(_replaced(owner, name, function))
        yield
    gc.set_threshold(*thresholds)


@contextmanager
def _replaced(owner: type | ModuleType, name: str, function: Callable[..., Any]) -> Iterator[None]:
    before = getattr(owner, name)
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, before)


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


class _Generator(MacroGenerator):
    """A macro as Jinja calls it, made without a call for each class that it is of."""

    def __init__(self, macro: Macro, context: dict[str, Any], node: Any, stack: Any) -> None:
        self.macro = macro
        self.context = context
        self.node = node
        self.stack = stack


def build_namespace(
    builder: MacroNamespaceBuilder,
    macros_by_package: dict[str, dict[str, Macro]],
    context: dict[str, Any],
) -> _Namespace:
    """What `MacroNamespaceBuilder.build_namespace` makes."""
    node, stack = builder.node, builder.thread_ctx
    namespaces: dict[str, dict[str, MacroGenerator]] = {
        package: {name: _Generator(macro, context, node, stack) for name, macro in macros.items()}
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
    if (level or event.level_tag()) == EventLevel.DEBUG and not _is_heard(manager, event):
        return
    _fire_event(manager, event, level, *arguments, **options)


def _is_heard(manager: EventManager, event: BaseEvent) -> bool:
    name = type(event).__name__
    return any(logger.level == EventLevel.DEBUG for logger in manager.loggers) or any(
        callback is not track_behavior_change_warn and is_heeded(name, callback)
        for callback in manager.callbacks
    )


def _keep_given(event: BaseEvent, *arguments: Any, **given: Any) -> None:
    event.__dict__["_given"] = arguments, given


def _made_when_asked(event: BaseEvent, name: str) -> Any:
    """An event's message, which `BaseEvent.__init__` makes at once, and what the message says."""
    if name == "pb_msg":
        arguments, given = event.__dict__.pop("_given")
        # sets it
        _make_event(event, *arguments, **given)
        return event.__dict__["pb_msg"]
    return getattr(event.pb_msg, name)


def _made_when_changed(event: BaseEvent, name: str, value: Any) -> None:
    if name == "pb_msg":
        event.__dict__[name] = value
    else:
        setattr(event.pb_msg, name, value)


def relations_of_schema(
    cache: RelationsCache, database: str | None, schema: str | None
) -> list[BaseRelation]:
    """What `RelationsCache.get_relations` gives, by the keys, which are in lower case."""
    expected = lowercase(database), lowercase(schema)
    with cache.lock:
        found = [
            cached.inner
            for key, cached in cache.relations.items()
            if (key.database, key.schema) == expected
        ]
    if None in found:
        raise NoneRelationFoundError
    return found


def relations_of_name(
    adapter: BaseAdapter,
    relations: list[BaseRelation],
    database: str,
    schema: str,
    identifier: str,
) -> list[BaseRelation]:
    """What `BaseAdapter._make_match` gives: it looks at those of the name alone."""
    named = [one for one in relations if lowercase(one.identifier) == lowercase(identifier)]
    return _make_match(adapter, named, database, schema, identifier)


def select_parents(graph: Graph, selected: set[str], max_depth: int | None = None) -> set[str]:
    """What `Graph.select_parents` selects."""
    return _reached(_neighbours(graph, "parents"), selected, max_depth)


def select_children(graph: Graph, selected: set[str], max_depth: int | None = None) -> set[str]:
    """What `Graph.select_children` selects."""
    return _reached(_neighbours(graph, "children"), selected, max_depth)


def _reached(
    neighbours: dict[str, list[str]], selected: Iterable[str], max_depth: int | None
) -> set[str]:
    reached: set[str] = set()
    layer = set(selected)
    depth = 0
    while layer and (max_depth is None or depth < max_depth):
        layer = {near for node in layer for near in neighbours[node]} - reached
        reached |= layer
        depth += 1
    return reached


def _neighbours(graph: Graph, side: str) -> dict[str, list[str]]:
    """What every node reads, or what reads it, without the edges that only make tests be first.

    A graph of dbt's is a view of another one, which filters anew for every edge that is looked at.
    """
    known = graph.__dict__.get(f"_{side}")
    if known is not None:
        return known  # type: ignore[no-any-return]
    parents: dict[str, list[str]] = {node: [] for node in graph.graph}
    children: dict[str, list[str]] = {node: [] for node in graph.graph}
    for first, second, edge_type in graph.graph.edges(data="edge_type"):
        if edge_type != "parent_test":
            children[first].append(second)
            parents[second].append(first)
    graph.__dict__.update(_parents=parents, _children=children)
    return parents if side == "parents" else children


def find_cycles(linker: Linker) -> str | None:
    """What `Linker.find_cycles` finds: one cycle, if there is any."""
    if networkx.is_directed_acyclic_graph(linker.graph):
        return None
    return _find_cycles(linker)  # type: ignore[no-any-return, no-untyped-call]


def fixture_code(loader: UnitTestManifestLoader, rows: Any, types: Any, kind: Any) -> str:
    """What `UnitTestManifestLoader._build_fixture_raw_code` gives, its rows as one JSON text.

    Jinja reads one text in a hundredth of the time that it takes for each value by itself.
    """
    if kind != UnitTestFormat.SQL and types is None:
        try:
            text = json.dumps(rows)
        except TypeError:
            text = None
        if text is not None and json.loads(text) == rows:
            return f"{{{{ get_fixture_sql(fromjson({json.dumps(text)}), None) }}}}"
    code: str = _fixture_code(loader, rows, types, kind)
    return code


def _no_summary(_linker: Linker, _manifest: Any) -> dict[int, Any]:
    return {}


def with_ctes(sql: str, ctes: list[InjectedCTE]) -> str:
    """What `inject_ctes_into_sql` gives; it takes the whole statement apart to find its `with`."""
    found = _FIRST_WITH.match(sql)
    # of several statements dbt keeps the first
    if not ctes or not found or ";" in _QUOTED.sub("", sql):
        text: str = inject_ctes_into_sql(sql, ctes)
        return text
    position = found.end()
    return f"{sql[:position]}{', '.join(cte.sql for cte in ctes)}, {sql[position:]}"
