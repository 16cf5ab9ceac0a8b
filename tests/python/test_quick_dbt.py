"""dbt gives the same where it is made to do less: macros, events, selections and unit tests."""

import gc
import json
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any, cast

import networkx
import pytest
from dbt import compilation
from dbt.adapters.base.impl import BaseAdapter
from dbt.adapters.cache import RelationsCache
from dbt.adapters.duckdb.relation import DuckDBRelation
from dbt.adapters.exceptions.compilation import ApproximateMatchError
from dbt.artifacts.resources.v1.components import InjectedCTE
from dbt.artifacts.resources.v1.unit_test_definition import UnitTestFormat
from dbt.cli.main import dbtRunner
from dbt.clients import jinja
from dbt.clients.jinja import MacroStack, get_rendered
from dbt.compilation import Linker
from dbt.context.macros import MacroNamespaceBuilder
from dbt.contracts.graph.manifest import Manifest
from dbt.exceptions import PackageNotFoundForMacroError
from dbt.graph.graph import Graph
from dbt.graph.queue import GraphQueue
from dbt.parser import manifest as manifest_parser
from dbt.parser.unit_tests import UnitTestManifestLoader
from dbt_common import dataclass_schema
from dbt_common.behavior_flags import BehaviorFlagRendered
from dbt_common.clients import agate_helper
from dbt_common.dataclass_schema import dbtClassMixin
from dbt_common.events.base_types import EventLevel
from dbt_common.events.event_manager import EventManager
from dbt_common.events.functions import get_stdout_config
from dbt_common.events.logger import LineFormat
from dbt_common.events.types import Formatting, Note

from gainsay.project import kept_schemas, quick_classes
from gainsay.project.listening import heeds
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


def test_an_event_says_what_it_was_given_when_it_is_asked() -> None:
    with quick_dbt():
        event, changed, late = Note(msg="one"), Note(msg="two"), Note(msg="three")
        assert (event.msg, event.message(), event.to_dict()) == ("one", "one", {"msg": "one"})
        changed.msg = "other"
        assert changed.message() == "other"
    assert Note(msg="four").pb_msg.msg == "four"
    with quick_dbt(), pytest.raises(Exception, match="Unable to parse logging event"):
        assert Note(no_such_field=1).pb_msg
    with quick_dbt():
        assert late.msg == "three"


def test_relations_are_found_as_dbt_finds_them() -> None:
    cache = RelationsCache()
    names = [
        ("one", "main", "a"), ("one", "main", "B"), ("one", "Other", "a"), ("two", "main", "a"),
    ]  # fmt: skip
    for database, schema, name in names:
        cache.add(DuckDBRelation.create(database=database, schema=schema, identifier=name))
    adapter = SimpleNamespace(
        _make_match_kwargs=lambda database, schema, identifier: {
            "database": database, "schema": schema, "identifier": identifier,
        },
    )  # fmt: skip
    make_match: Any = BaseAdapter._make_match
    for database, schema, n in (("one", "main", 2), ("ONE", "other", 1), ("one", "none", 0)):
        expected = cache.get_relations(database, schema)
        assert len(expected) == n
        with quick_dbt():
            assert cache.get_relations(database, schema) == expected
    relations = cache.get_relations("one", "main")
    for name in ("a", "B", "c"):
        expected = make_match(adapter, relations, "one", "main", name)
        with quick_dbt():
            quick: Any = BaseAdapter._make_match
            assert quick(adapter, relations, "one", "main", name) == expected
            # a name that is another one's but for its case is an error of dbt's
            with pytest.raises(ApproximateMatchError):
                quick(adapter, relations, "one", "main", "b")


def test_schemas_are_those_of_all_relations(manifest: Manifest) -> None:
    nodes = [*manifest.nodes.values(), *manifest.sources.values()]
    adapter = SimpleNamespace(Relation=DuckDBRelation, config=SimpleNamespace(quoting={}))
    expected = BaseAdapter._get_cache_schemas(adapter, nodes)
    assert len(expected) > 10
    with quick_dbt():
        assert BaseAdapter._get_cache_schemas(adapter, nodes) == expected


def test_a_flag_says_whose_it_is() -> None:
    def source() -> str:
        flag = BehaviorFlagRendered({"name": "a", "default": False, "description": "b"}, {})
        found: str = flag._behavior_change_event.flag_source
        return found

    expected = source()
    with quick_dbt():
        assert source() == expected == __name__


def _classes() -> tuple[type[dbtClassMixin], type[dbtClassMixin]]:
    @dataclass
    class Part(dbtClassMixin):
        name: str | None = None
        on: date | None = None

    @dataclass
    class Whole(Part):
        parts: list[Part] = field(default_factory=list)
        sizes: dict[str, int] = field(default_factory=dict)

    return Part, Whole


def _as_written(part: Any, whole: Any) -> list[Any]:
    made = whole("a", date(2014, 6, 21), [part("b"), part(on=date(2015, 1, 2))], {"c": 1})
    written = [
        part().to_dict(), made.to_dict(), made.to_dict(omit_none=True), made.to_msgpack(),
        part("d").to_dict(omit_none=True),
    ]  # fmt: skip
    read = [whole.from_dict(written[1]), whole.from_msgpack(written[3])]
    assert read == [made, made]
    return written


def test_classes_read_and_write_as_those_of_dbt(monkeypatch: pytest.MonkeyPatch) -> None:
    quick = _classes()
    for cls in quick:
        assert cls.to_dict.__module__ == cls.from_dict.__module__ == quick_classes.__name__
    builder = quick_classes.CodeBuilder
    monkeypatch.setattr(builder, "add_pack_method", quick_classes._add_pack_method)
    monkeypatch.setattr(builder, "add_unpack_method", quick_classes._add_unpack_method)
    expected = _as_written(*_classes())
    monkeypatch.undo()
    assert _as_written(*quick) == expected
    for cls in quick:
        assert cls.to_dict.__module__ != quick_classes.__name__


def test_schemas_of_settings_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _, local = _classes()
    expected = [dataclass_schema.dbtClassMixin.json_schema.__func__(cls) for cls in (Named, local)]

    def schemas() -> list[Any]:
        with kept_schemas.kept_schemas(tmp_path):
            return [Named.json_schema(), local.json_schema()]

    made: list[type[Any]] = []
    build = dataclass_schema.build_json_schema
    monkeypatch.setattr(
        dataclass_schema, "build_json_schema", lambda cls: made.append(cls) or build(cls)
    )
    assert schemas() == expected
    dbtClassMixin.json_schema.__func__.cache_clear()
    made.clear()
    # one that has no name of its own is not kept
    assert schemas() == expected
    assert made == [local]
    [file] = tmp_path.iterdir()
    for broken in (b"", b"[]", b"{"):
        file.write_bytes(broken)
        assert schemas() == expected
    # other packages, other schemas
    file.write_text(json.dumps({f"{__name__}.Named": {}}))
    assert schemas()[0] == {}
    monkeypatch.setattr(kept_schemas, "_versions", lambda: "other")
    assert schemas() == expected


@dataclass
class Named(dbtClassMixin):
    """A class that is found by its name."""

    name: str


@pytest.mark.parametrize(
    "text",
    ["", " a ", "1", "true", "none", "[1, 2]", "'a'", "a\nb", "a\n", "a\n\n", "a\r\nb", "# a", "%"],
)
def test_a_text_without_jinja_is_rendered_as_dbt_does(
    text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jinja, "_render_cache", {})
    expected = get_rendered(text, {}, native=True)
    assert isinstance(expected, str)
    with quick_dbt():
        if expected == text:
            monkeypatch.setattr(jinja, "get_template", None)
        # what it was is not what the next one is
        for _ in range(2):
            assert get_rendered(text, {}, native=True) == expected


def test_blocks_of_a_description_are_those_of_dbt(manifest: Manifest) -> None:
    doc = next(doc for doc in manifest.docs.values() if doc.package_name == "gainsay")
    for description, expected in (
        ("", []),
        ("a doc", []),
        ("doc('x')", []),
        (f"a {{{{ doc('{doc.name}') }}}} b", [doc.unique_id]),
        ("{{ doc('no such doc') }} {# doc #}", []),
    ):
        assert manifest_parser._get_doc_blocks(description, manifest, "gainsay") == expected
        with quick_dbt():
            for _ in range(2):
                found = manifest_parser._get_doc_blocks(description, manifest, "gainsay")
                assert found == expected


def test_the_same_settings_are_validated_once(monkeypatch: pytest.MonkeyPatch) -> None:
    validated: list[Any] = []
    errors = dataclass_schema.jsonschema.Draft7Validator.iter_errors
    monkeypatch.setattr(
        dataclass_schema.jsonschema.Draft7Validator,
        "iter_errors",
        lambda self, data: validated.append(data) or errors(self, data),
    )
    with quick_dbt():
        for data in ({"name": "1"}, {"name": "1"}, {"name": "2"}):
            Named.validate(data)
        other, _ = _classes()
        other.validate({"name": "1"})
        assert validated == [{"name": "1"}, {"name": "2"}, {"name": "1"}]
        for bad in ({"name": 1}, {"name": 1}, {"name": None}, {}):
            with pytest.raises(dataclass_schema.ValidationError):
                Named.validate(bad)


@pytest.fixture(scope="module")
def graph(manifest: Manifest) -> Graph:
    """The project as dbt selects in it: with its tests, each in front of what comes after."""
    linker = Linker()
    linker.link_graph(manifest)
    manifest.build_parent_and_child_maps()
    linker.add_test_edges_2(manifest)
    whole = Graph(linker.graph)
    return whole.subgraph({node for node in whole.nodes() if "audit" not in node})


@pytest.mark.parametrize("max_depth", [None, 0, 1, 3])
@pytest.mark.parametrize("direction", ["select_parents", "select_children"])
def test_relatives_are_those_that_dbt_selects(
    graph: Graph, direction: str, max_depth: int | None
) -> None:
    nodes = sorted(graph.nodes())
    for selected in (set(nodes[:3]), set(nodes[::40]), set(nodes), set()):
        expected = getattr(graph, direction)(set(selected), max_depth)
        with quick_dbt():
            assert getattr(graph, direction)(set(selected), max_depth) == expected
    assert len(getattr(graph, direction)(set(nodes))) > 100


def test_a_part_of_the_graph_has_the_order_of_the_whole(graph: Graph) -> None:
    nodes = sorted(graph.nodes())
    for selected in (set(nodes[:3]), set(nodes[::40]), set(nodes[1::2]), set(nodes), set()):
        expected = graph.get_subset_graph(selected)
        with quick_dbt():
            found = graph.get_subset_graph(selected)
        assert found.nodes() == expected.nodes()
        assert set(found.edges()) == set(expected.edges())
    with quick_dbt(), pytest.raises(ValueError, match=r"Couldn't find model 'model\.gone'"):
        graph.get_subset_graph({"model.gone"})


def test_what_most_nodes_wait_for_is_taken_first(graph: Graph) -> None:
    queue = GraphQueue.__new__(GraphQueue)
    with quick_dbt():
        scores = queue._get_scores(graph.graph)
        chain = queue._get_scores(networkx.DiGraph([("a", "b"), ("b", "c"), ("d", "c")]))
    assert chain == {"a": -2, "b": -1, "c": 0, "d": -1}
    assert set(scores) == set(graph.nodes())
    assert all(scores[first] < scores[second] for first, second in graph.graph.edges())


class _Names:
    """A manifest whose nodes are their names."""

    @staticmethod
    def expect(name: str) -> str:
        return name


def test_what_is_ready_later_and_more_urgent_is_taken_before_the_rest() -> None:
    graph = networkx.DiGraph([("first", "second"), ("second", "third")])
    graph.add_nodes_from(["small 1", "small 2"])
    with quick_dbt(), ThreadPoolExecutor(1) as pool:
        queue = GraphQueue(graph, cast(Manifest, _Names), set(graph))
        queue.__dict__["most_taken"] = 2
        assert [queue.get(), queue.get()] == ["first", "small 1"]
        later = pool.submit(queue.get)
        queue.mark_done("first")
        # without the bound it would be what is ready already
        assert later.result() == "second"
        queue.mark_done("small 1")
        assert queue.get() == "small 2"


def test_types_of_a_result_are_those_that_dbt_gives() -> None:
    columns = ["text", "number", "time", "nothing"]
    rows = [["005", 1, "2014-06-21 10:00:00", None], ["null", 2, "2015-01-01 00:00:00", None]]
    expected = agate_helper.table_from_rows(rows, columns, text_only_columns=["text"])
    with quick_dbt():
        found = [agate_helper.table_from_rows(rows, columns, ["text"]) for _ in range(2)]
    for table in found:
        assert [list(row) for row in table.rows] == [list(row) for row in expected.rows]
        assert [type(column) for column in table.column_types] == [
            type(column) for column in expected.column_types
        ]


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


def test_a_cycle_is_found() -> None:
    linker = Linker()
    with quick_dbt():
        for edge in (("b", "a"), ("c", "b")):
            linker.dependency(*edge)
        assert linker.find_cycles() is None
        linker.dependency("a", "c")
        assert sorted(linker.find_cycles().split(" --> ")) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "sql",
    [
        "with a as (select 1) select * from a",
        "\n-- first\n/* with */ WITH\n\na as (select 1)\n\nselect * from a",
        "with recursive a as (select 1) select * from a",
        "-- with\nselect 'with x as (y)' as a",
        "select 1 as without",
        "with a as (select ';' as b -- ;\n) select * from a",
        "with a as (select 1 as b) select * from a; select 2",
    ],
)
def test_rows_of_a_unit_test_stand_in_front_of_its_sql(sql: str) -> None:
    ctes = [InjectedCTE(name, f" {name} as (\nselect 1\n)") for name in ("__x", "__y")]
    for given in ([], ctes[:1], ctes):
        expected = compilation.inject_ctes_into_sql(sql, given)
        with quick_dbt():
            assert compilation.inject_ctes_into_sql(sql, given) == expected


@pytest.mark.parametrize(
    "rows",
    [
        [],
        [{"id": 1, "text": 'it\'s "a" {{ b }} {% c %} \\n \n é\u2028😀', "none": None}],
        [{"list": [1, 2.5, "a"], "struct": {"a": True}, "number": 1e-7}, {"id": -(2**62)}],
        # what JSON would say otherwise
        [{"a": date(2014, 6, 21)}],
        [{1: "a"}],
    ],
)
def test_rows_of_a_unit_test_are_read_as_they_are_written(rows: list[Any]) -> None:
    loader = UnitTestManifestLoader(Manifest(), None, set())
    given: list[Any] = []
    context = {
        "get_fixture_sql": lambda rows, types: given.append((rows, types)) or "",
        "fromjson": json.loads,
        "datetime": __import__("datetime"),
    }
    for text in (
        loader._build_fixture_raw_code(rows, None, UnitTestFormat.Dict),
        *_made_quickly(loader, rows),
    ):
        get_rendered(text, context)
    assert given == [(rows, None)] * 2


def _made_quickly(loader: UnitTestManifestLoader, rows: list[Any]) -> Iterator[str]:
    with quick_dbt():
        yield loader._build_fixture_raw_code(rows, None, UnitTestFormat.Dict)


def test_all_is_as_it_was_afterwards() -> None:
    before = MacroNamespaceBuilder.build_namespace, EventManager.fire_event, gc.get_threshold()
    with quick_dbt():
        assert before[0] is not MacroNamespaceBuilder.build_namespace
    after = MacroNamespaceBuilder.build_namespace, EventManager.fire_event, gc.get_threshold()
    assert after == before
