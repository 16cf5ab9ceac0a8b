"""dbt without what it does anew for every node of a project: half of the CPU time of a build.

dbt builds what Jinja sees once to compile a node, once to run it and once for every call of an
adapter's macro, each time with an object for every macro there is. It writes down every event,
heard or not, walks through the graph by views of views, and takes the SQL of a unit test apart
to put its rows in front. It also takes nodes in an order in which little runs beside a long query.
All of it is as it was after the run; `dbt` itself, called without gainsay, is left alone.
"""

import gc
import inspect
import json
import re
import sys
import threading
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from types import ModuleType
from typing import Any

import agate
import networkx
from dbt import compilation
from dbt.adapters.base.impl import BaseAdapter
from dbt.adapters.base.relation import BaseRelation
from dbt.adapters.cache import RelationsCache
from dbt.adapters.contracts.relation import RelationConfig
from dbt.adapters.exceptions.cache import NoneRelationFoundError
from dbt.artifacts.resources.v1.components import InjectedCTE
from dbt.artifacts.resources.v1.unit_test_definition import UnitTestFormat
from dbt.compilation import Linker, inject_ctes_into_sql
from dbt.graph.graph import Graph
from dbt.graph.queue import GraphQueue
from dbt.graph.thread_pool import DbtThreadPool
from dbt.parser.unit_tests import UnitTestManifestLoader
from dbt.task.runnable import GraphRunnableTask
from dbt.tracking import track_behavior_change_warn
from dbt_common.behavior_flags import BehaviorFlagRendered
from dbt_common.clients import agate_helper
from dbt_common.events.base_types import BaseEvent, EventLevel
from dbt_common.events.event_manager import EventManager
from dbt_common.utils.formatting import lowercase

from gainsay.project import quick_macros, quick_parse
from gainsay.project.listening import is_heeded

# objects made, less those freed, before Python looks for cycles among the youngest; by default
# 700, so that it walks through the whole project several times a second
_YOUNGEST = 100_000
# a statement up to what its first `with` names
_FIRST_WITH = re.compile(r"(?:\s|--[^\n]*\n|/\*.*?\*/)*with\s+(?!recursive\b)(?!\s)", re.S | re.I)
# where a semicolon ends no statement
_QUOTED = re.compile(r"'[^']*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/", re.S)
_fire_event = EventManager.fire_event
_build_type_tester = agate_helper.build_type_tester
# a parser of dates is one thread's
_testers = threading.local()
_fixture_code = UnitTestManifestLoader._build_fixture_raw_code
_find_cycles = Linker.find_cycles
_run_queue = GraphRunnableTask.run_queue
_next_node = GraphQueue.get
_make_event = BaseEvent.__init__
_make_match = BaseAdapter._make_match
_get_cache_schemas = BaseAdapter._get_cache_schemas


@contextmanager
def quick_dbt() -> Iterator[None]:
    """For a run of dbt in this process: the same results for less CPU time."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_YOUNGEST, 50, 100)
    with ExitStack() as replaced:
        for owner, name, function in (
            *quick_macros.REPLACED,
            *quick_parse.replaced(),
            (EventManager, "fire_event", _fire_heard_event),
            (BaseEvent, "__init__", _keep_given),
            (BaseEvent, "__getattr__", _made_when_asked),
            (BaseEvent, "__setattr__", _made_when_changed),
            (RelationsCache, "get_relations", relations_of_schema),
            (BaseAdapter, "_make_match", relations_of_name),
            (BaseAdapter, "_get_cache_schemas", schemas_of),
            (BehaviorFlagRendered, "_default_source", staticmethod(asking_module)),
            (Graph, "select_parents", select_parents),
            (Graph, "select_children", select_children),
            (Graph, "get_subset_graph", subset_graph),
            (GraphQueue, "_get_scores", longest_way_first),
            (GraphQueue, "get", next_node),
            (GraphRunnableTask, "run_queue", run_queue),
            (Linker, "find_cycles", find_cycles),
            # the same order of tests and models by a twentieth of the edges; dbt has it as a flag
            # that a project cannot set
            (Linker, "add_test_edges", Linker.add_test_edges_2),
            # what dbt tells its own developers
            (Linker, "get_graph_summary", _no_summary),
            (UnitTestManifestLoader, "_build_fixture_raw_code", fixture_code),
            (compilation, "inject_ctes_into_sql", with_ctes),
            (agate_helper, "build_type_tester", type_tester),
            # a table that nobody changes, and a third of a millisecond to make
            (agate_helper, "empty_table", cache(agate_helper.empty_table)),
        ):
            replaced.enter_context(_replaced(owner, name, function))
        yield
    gc.set_threshold(*thresholds)


@contextmanager
def _replaced(owner: type | ModuleType, name: str, function: Any) -> Iterator[None]:
    # a class's static method is one again afterwards
    before = inspect.getattr_static(owner, name)
    setattr(owner, name, function)
    try:
        yield
    finally:
        setattr(owner, name, before)


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


def schemas_of(adapter: BaseAdapter, nodes: Iterable[RelationConfig]) -> set[BaseRelation]:
    """What `BaseAdapter._get_cache_schemas` gives: it makes a relation of every node."""
    differing: dict[tuple[Any, ...], RelationConfig] = {}
    for node in nodes:
        # what a relation is made of beside the node's own name; sources have more of their own
        settings: Any = node.config
        known = settings.get("catalog"), getattr(node, "catalog_name", None)
        name = node.identifier if node.resource_type == "source" else ""
        differing.setdefault((node.database, node.schema, name, *known), node)
    found: set[BaseRelation] = _get_cache_schemas(adapter, differing.values())
    return found


def asking_module() -> str:
    """What `BehaviorFlagRendered._default_source` gives, without reading every caller's file."""
    frame = sys._getframe(1)
    passed = {BehaviorFlagRendered.__module__, __name__}
    while frame and frame.f_globals.get("__name__") in passed:
        frame = frame.f_back  # type: ignore[assignment]
    return str(frame.f_globals["__name__"]) if frame else "Unknown"


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


def subset_graph(graph: Graph, selected: Iterable[str]) -> Graph:
    """What `Graph.get_subset_graph` gives: the selected nodes, and which comes before which.

    dbt copies the whole graph and takes out all other nodes one by one.
    """
    whole = graph.graph
    kept = set(selected)
    for node in kept:
        if node not in whole:
            raise ValueError(f"Couldn't find model '{node}' -- does it exist or is it disabled?")
    # the first selected nodes on all ways from a node that is not
    reached: dict[str, set[str]] = {}

    def first_selected(start: str) -> set[str]:
        stack = [start]
        while stack:
            node = stack[-1]
            children = [child for child in whole.successors(node) if child not in kept]
            missing = [child for child in children if child not in reached]
            if missing:
                stack += missing
                continue
            stack.pop()
            reached[node] = {child for child in whole.successors(node) if child in kept}.union(
                *(reached[child] for child in children)
            )
        return reached[start]

    subset = networkx.DiGraph()
    subset.add_nodes_from(node for node in whole if node in kept)
    for node in list(subset):
        for child, edge in whole.adj[node].items():
            if child in kept:
                subset.add_edge(node, child, **edge)
        for child in whole.successors(node):
            if child not in kept:
                for after in first_selected(child):
                    if not subset.has_edge(node, after):
                        subset.add_edge(node, after)
    return Graph(subset)


def longest_way_first(_queue: GraphQueue, graph: networkx.DiGraph) -> dict[str, int]:
    """In the place of what `GraphQueue._get_scores` gives: less, the more nodes wait in a row.

    dbt takes nodes by how many come before them, all seeds and what tests them before the second
    model. Of what is ready, this takes what begins the longest way to the end, so that small nodes
    are done beside long queries and not before them.
    """
    n_waiting: dict[str, int] = {}
    for node in reversed(list(networkx.topological_sort(graph))):
        n_waiting[node] = max((n_waiting[child] + 1 for child in graph.successors(node)), default=0)
    return {node: -n for node, n in n_waiting.items()}


def run_queue(task: GraphRunnableTask, pool: DbtThreadPool) -> None:
    """What `GraphRunnableTask.run_queue` does, no node taken long before a thread is free.

    dbt hands all that is ready to the threads at once, so that what is ready later, and more
    urgent, comes behind it.
    """
    assert task.job_queue is not None
    # one more than there are threads, so that none waits for the next
    task.job_queue.__dict__["most_taken"] = (pool.max_threads or 1) + 1
    _run_queue(task, pool)


def next_node(queue: GraphQueue, block: bool = True, timeout: float | None = None) -> Any:
    """What `GraphQueue.get` gives, once so few others are being worked on as `run_queue` says."""
    most_taken = queue.__dict__.get("most_taken")
    if most_taken is not None:
        with queue.lock:
            while len(queue.in_progress) >= most_taken:
                queue.some_task_done.wait()
    return _next_node(queue, block, timeout)


def type_tester(
    text_columns: Iterable[str], string_null_values: Iterable[str] | None = ("null", "")
) -> agate.TypeTester:
    """What `agate_helper.build_type_tester` gives; it makes two parsers of dates for each."""
    known = _testers.__dict__.setdefault("of_no_columns", {})
    nulls = None if string_null_values is None else tuple(string_null_values)
    if nulls not in known:
        known[nulls] = _build_type_tester((), nulls)
    text = agate.data_types.Text(null_values=nulls)
    return agate.TypeTester(
        force=dict.fromkeys(text_columns, text), types=known[nulls]._possible_types
    )


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
