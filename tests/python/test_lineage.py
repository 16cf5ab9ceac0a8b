"""Every column has an origin, and models read what they may."""

import os
import re
import shutil
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner
from rich.console import Console

from gainsay.cli.lineage import command
from gainsay.cli.tables import tree_of
from gainsay.foundation.errors import GainsayError
from gainsay.inspect.lineage import WHOLE_ROWS, Edge, column_edges, edge_rows, land_edges
from gainsay.inspect.tracing import trace
from gainsay.project.compiled import (
    Column,
    Node,
    Project,
    compile_project,
    model_files,
    read_manifest,
    typed_columns,
)
from gainsay.project.folder import project_folder
from tests.python.column_order import unions_out_of_order
from tests.python.conftest import Warehouse

pytestmark = pytest.mark.xdist_group("lineage")

# what reads something else than the way of the data says, and why it does
EXCEPTIONS = {
    ("audit__candidates", "images__files"): "says whose picture is landed; files are no mart",
    ("audit__candidates", "people__verdicts"): "shows what people judged; no mart lists it",
    ("audit__column_lineage", "stg_gainsay__column_edges"): "its own input",
    ("audit__drops", "images__captions"): "shows the captions that were seen; no mart lists them",
    ("audit__image_overlap", "images__likeness_keys"): "compares pictures, which are no mart",
    ("audit__review_records", "images__captions"): "shows a picture's captions; no mart lists them",
    ("audit__rejected_inputs", "images__source_images"): "tells of rows that no mart has",
    ("audit__rejected_inputs", "stg_coco__captions"): "tells of rows that no mart has",
    ("audit__rejected_inputs", "stg_gainsay__rejected_records"): "tells of rows that no mart has",
    ("audit__rejected_inputs", "stg_vqa__annotations"): "tells of rows that no mart has",
    ("audit__rejected_inputs", "stg_vqa__questions"): "tells of rows that no mart has",
    ("evaluation__answer_entropies", "stg_gainsay__predictions"): "its own input",
    ("evaluation__answered_lines", "stg_gainsay__predictions"): "its own input",
    ("evaluation__hallucination_inputs", "stg_question_sets__questions"): "what a judge is told",
    ("evaluation__named_answers", "stg_gainsay__predictions"): "its own input",
    ("evaluation__predictions", "stg_gainsay__predictions"): "its own input",
    ("evaluation__rejected_predictions", "stg_gainsay__rejected_records"): "its own input",
    ("exports__example_pictures", "images__likeness_keys"): "leaves out what looks alike",
    ("exports__example_pictures", "images__recipes"): "gives pictures along, which are no mart",
    ("exports__example_pictures", "images__renderings"): "gives pictures along, which are no mart",
    ("exports__edited_instances", "images__instances"): "gives objects along, which are no mart",
    ("exports__example_pictures", "images__renderings_folder"): "says where pictures lie",
    ("exports__pictures", "images__files"): "gives pictures along, which are no mart",
    ("exports__pictures", "stg_gainsay__withdrawn_images"): "leaves out what was taken down",
    ("exports__pictures", "images__source_images"): "says where a picture came from",
    ("exports__pictures", "stg_coco__licenses"): "says what a picture's licence allows",
    ("exports__release_inputs", "stg_gainsay__landed_files"): "says of which kind an input is",
    ("question_sets__questions", "stg_gqa__questions"): "questions of others, no mart",
    ("question_sets__questions", "stg_question_sets__annotations"): "questions of others, no mart",
    ("question_sets__questions", "stg_question_sets__questions"): "questions of others, no mart",
    ("question_sets__questions", "stg_vqa__annotations"): "questions of others, no mart",
    ("question_sets__questions", "stg_vqa__questions"): "questions of others, no mart",
}
SHARED = {"staging", "shared", "rendering"}
READERS_OF_MARTS = {"blind", "evaluation", "audit", "exports"}


@pytest.fixture(scope="module")
def project(synthetic: Warehouse) -> Project:
    """This project with the SQL that was built."""
    return read_manifest(synthetic.folder / "target/manifest.json")


def small_project(**models: str) -> Project:
    """Models over the raw tables `t` and `u` and the seed `words`, each by its SQL."""

    def node(name: str, type_: str, schema: str, columns: str = "", sql: str = "") -> Node:
        reads = [f"model.{other}" for other in models if re.search(rf"\b{other}\b", sql)]
        made = Node(f"{type_}.{name}", name, type_, schema, f"{schema}/{name}.sql")
        made.columns = {column: Column(column) for column in columns.split()}
        made.compiled_code = sql
        made.depends_on.nodes = reads
        return made

    nodes = [node("words", "seed", "vocabulary", "word n")]
    nodes += [node(name, "model", "main", sql=sql) for name, sql in models.items()]
    sources = [node("t", "source", "raw", "a b c"), node("u", "source", "raw", "a d")]
    return Project({n.unique_id: n for n in nodes}, {n.unique_id: n for n in sources})


def origins(sql: str, column: str = "x", dialect: str = "duckdb") -> set[str]:
    """Where a column of a query comes from, as `kind from.column` or `constant SQL`."""
    return {
        f"{edge.kind} {edge.from_model}.{edge.from_column}"
        if edge.from_model
        else f"{edge.kind} {edge.literal}"
        for edge in column_edges(small_project(m=sql), dialect)
        if edge.column_name == column
    }


@pytest.mark.parametrize("dialect", ["duckdb", "spark"])
@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select a as x from raw.t", {"passed raw.t.a"}),
        ("select (a) as x from raw.t", {"passed raw.t.a"}),
        ("select cast(a as int) as x from raw.t", {"derived raw.t.a"}),
        ("select a || b as x from raw.t", {"derived raw.t.a", "derived raw.t.b"}),
        ("select x from (select a as x from raw.t) as s", {"passed raw.t.a"}),
        ("with s as (select * from raw.t) select s.a as x from s", {"passed raw.t.a"}),
        ("with s as (select lower(a) as x from raw.t) select * from s", {"derived raw.t.a"}),
        ("select case when b = 1 then 'p' end as x from raw.t", {"derived raw.t.b"}),
        # the arms of a union by position, constants of the other arm left out
        ("select a as x from raw.t union all select d from raw.u",
         {"passed raw.t.a", "passed raw.u.d"}),
        ("select a as x, b from raw.t union all select 'k', d from raw.u", {"passed raw.t.a"}),
        ("select 'p' as x from raw.t union all select 'q' from raw.u", {"constant 'p' | 'q'"}),
        # as it is in one arm and changed in the other is changed
        ("select a as x from raw.t union all select lower(a) from raw.t", {"derived raw.t.a"}),
        ("select 1 as x from raw.t", {"constant 1"}),
        ("with s as (select 'k' as k from raw.t) select k as x from s", {"constant 'k'"}),
        ("select count(*) as x from raw.t", {"counted raw.t.*"}),
        ("select count(*) as x from (select a from raw.t union all select a from raw.u) as s",
         {"counted raw.t.*", "counted raw.u.*"}),
        ("select count(b) as x from raw.t", {"derived raw.t.b"}),
        ("select row_number() over (partition by a order by b) as x from raw.t",
         {"derived raw.t.a", "derived raw.t.b"}),
        ("select words.n as x from raw.t inner join vocabulary.words on t.a = words.word",
         {"passed words.n"}),
        # a subquery says what it selects and by what it finds it
        ("select (select max(d) from raw.u where u.a = t.b) as x from raw.t",
         {"derived raw.u.d", "derived raw.u.a", "derived raw.t.b"}),
        ("select exists (select 1 from raw.u where u.a = t.b) as x from raw.t",
         {"derived raw.u.a", "derived raw.t.b"}),
    ],
)  # fmt: skip
def test_a_column_comes_from(sql: str, expected: set[str], dialect: str) -> None:
    assert origins(sql, dialect=dialect) == expected


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select unnest(a) as x from raw.t", {"derived raw.t.a"}),
        ("select e.v as x from raw.t cross join unnest(t.b) as e(v)", {"derived raw.t.b"}),
        ("select list_filter(a, lambda e: e > b) as x from raw.t",
         {"derived raw.t.a", "derived raw.t.b"}),
        ("select a.field as x from raw.t", {"derived raw.t.a"}),
        ("select * exclude (a) replace (b + 1 as b) from raw.t", set()),
        ("select a as x from raw.t inner join raw.u using (a)",
         {"derived raw.t.a", "derived raw.u.a"}),
        ("with recursive s as (select a as x from raw.t union all select x + 1 from s) "
         "select x from s", {"passed raw.t.a"}),
    ],
)  # fmt: skip
def test_a_column_comes_from_on_duckdb(sql: str, expected: set[str]) -> None:
    assert origins(sql) == expected


@pytest.mark.parametrize("column", ["x", "place"])
def test_columns_come_from_rows_made_on_spark(column: str) -> None:
    made = "inline(transform(b, (e, i) -> named_struct('e', e, 'i', i))) as (x, place)"
    sql = f"with s as (select {made} from raw.t) select * from s"

    assert origins(sql, column, "spark") == {"derived raw.t.b"}


def test_what_decides_rows_is_told() -> None:
    sql = """
        with chosen as (select a, b from raw.t where c > 0)
        select chosen.a as x
        from chosen
        inner join raw.u on chosen.a = u.a
        where exists (select 1 from vocabulary.words where words.word = u.d)
        qualify row_number() over (partition by chosen.b) = 1
    """
    assert origins(sql, WHOLE_ROWS) == {
        "rows raw.t.c", "rows raw.t.a", "rows raw.u.a", "rows words.word", "rows raw.u.d",
        "rows raw.t.b",
    }  # fmt: skip


def test_models_follow_one_another() -> None:
    small = small_project(second="select x as y from main.first", first="select a as x from raw.t")

    assert column_edges(small) == [
        Edge("first", "x", "raw.t", "a", "raw", column_edges(small)[0].kind, None),
        Edge("second", "y", "first", "x", "model", column_edges(small)[1].kind, None),
    ]


@pytest.mark.parametrize(
    ("sql", "message"),
    [
        ("select from where", "main/m.sql: not read as SQL of duckdb"),
        ("select no_such_column as x from raw.t", "main/m.sql: its columns are not clear"),
    ],
)
def test_what_cannot_be_traced_is_an_error(sql: str, message: str) -> None:
    with pytest.raises(GainsayError, match=message):
        column_edges(small_project(m=sql))


def test_every_model_has_the_columns_of_its_yaml(project: Project, edges: list[Edge]) -> None:
    """A mart's contract lists all; other models describe what is born in them."""
    found: dict[str, set[str]] = {}
    for edge in edges:
        found.setdefault(edge.model, set()).add(edge.column_name)
    models = project.of_type("model")

    assert len(models) > 100
    assert {m.name: found[m.name] - {WHOLE_ROWS} for m in models if m.contract.enforced} == {
        m.name: set(m.columns) for m in models if m.contract.enforced
    }
    assert {
        f"{m.name}.{column}" for m in models for column in set(m.columns) - found[m.name]
    } == set()


def test_every_column_of_a_mart_is_traced_to_the_ground(
    project: Project, edges: list[Edge]
) -> None:
    """Down to columns and rows of raw tables and seeds, and literals."""
    below: dict[tuple[str | None, str | None], list[Edge]] = {}
    for edge in edges:
        below.setdefault((edge.model, edge.column_name), []).append(edge)

    seen: set[tuple[str | None, str | None]] = set()

    def unfounded(column: tuple[str | None, str | None], above: frozenset[object]) -> Iterator[str]:
        if column in above or not below.get(column):
            yield f"{column[0]}.{column[1]}"
        # many columns come from one, which is followed once
        elif column not in seen:
            seen.add(column)
            for edge in below[column]:
                if edge.from_type == "model" and edge.from_column != WHOLE_ROWS:
                    yield from unfounded((edge.from_model, edge.from_column), above | {column})

    columns = [(mart.name, column) for mart in project.marts for column in mart.columns]

    assert len(columns) > 300
    assert [name for column in columns for name in unfounded(column, frozenset())] == []


@pytest.mark.parametrize(
    ("sql", "is_out_of_order"),
    [
        ("select a.*, 1 as x from a join b using (k) union all select *, 1 as x from a", True),
        (
            "with c as (select a.* from a join b using (k)) select * from c union select * from a",
            True,
        ),
        ("select * from moved union all select * from a", True),
        ("select * from (select a.* from a join b using (k)) as c union all select * from a", True),
        ("select a.* from a join b on a.k = b.k union all select * from a", False),
        ("select a.t, k from a join b using (k) union all select * from a", False),
        ("select * from moved union all select a.* from a join b using (k)", False),
    ],
)
def test_a_key_that_spark_moves_puts_a_union_out_of_order(sql: str, is_out_of_order: bool) -> None:
    models = {"moved": "select a.* from a join b using (k)", "m": sql}

    assert unions_out_of_order(models) == ["m"] * is_out_of_order


def test_no_union_is_out_of_order_on_spark(project: Project) -> None:
    models = {model.unique_id: model for model in project.of_type("model")}
    order = TopologicalSorter({name: model.depends_on.nodes for name, model in models.items()})

    assert not unions_out_of_order(
        {
            models[name].name: models[name].compiled_code
            for name in order.static_order()
            if name in models
        }
    )


def test_no_view_is_too_long_for_the_metastore_of_spark(
    project: Project, synthetic: Warehouse
) -> None:
    """The embedded one keeps 32,700 characters, and Spark's forms are a little longer."""
    views = {name for (name,) in synthetic.rows("select view_name from duckdb_views()")}
    lengths = {
        model.name: len(model.compiled_code)
        for model in project.of_type("model")
        if model.name in views
    }

    assert len(lengths) > 50
    assert {name: length for name, length in lengths.items() if length > 31000} == {}


def test_models_read_what_they_may(project: Project) -> None:
    """No benchmark reads another's private models; what comes after reads marts alone."""
    nodes = {n.unique_id: n for kind in ("model", "seed", "source") for n in project.of_type(kind)}
    crossings = {
        (model.name, nodes[name].known_as)
        for model in project.of_type("model")
        for name in model.depends_on.nodes
        if not may_read(model, nodes[name])
    }

    assert crossings == set(EXCEPTIONS)


def may_read(model: Node, read: Node) -> bool:
    if read.resource_type == "seed" or read.folder == model.folder or read.contract.enforced:
        return True
    if read.resource_type == "source":
        return model.folder == "staging"
    return read.folder in SHARED and model.folder not in READERS_OF_MARTS


def drawn(edges: list[Edge], name: str, *, with_rows: bool = False) -> str:
    console = Console(width=200, color_system=None)
    with console.capture() as capture:
        console.print(tree_of(trace(edges, name, with_rows=with_rows)))
    return capture.get()


def test_a_trace_is_a_tree_that_repeats_nothing() -> None:
    edges = column_edges(
        small_project(
            first="select a as x, '[k]' as k, count(*) over () as n from raw.t where c = 1",
            second="select x || k || x as y, n from main.first",
            third="select y, upper(y) as z, n from main.second",
        )
    )

    assert drawn(edges, "third.z").splitlines() == [
        "third.z",
        "└── derived second.y",
        "    ├── derived first.k",
        "    │   └── constant '[k]'",
        "    └── derived first.x",
        "        └── passed raw.t.a (raw)",
    ]
    assert drawn(edges, "third.n").splitlines()[-1] == "        └── counted raw.t.* (raw)"
    assert drawn(edges, "first.x", with_rows=True).splitlines() == [
        "first.x",
        "├── passed raw.t.a (raw)",
        "└── rows",
        "    └── rows raw.t.c (raw)",
    ]


def test_what_was_traced_is_referred_to() -> None:
    edges = column_edges(
        small_project(
            first="select lower(a) as x from raw.t",
            second="select x as y, upper(x) as z from main.first",
            third="select y || z as w from main.second",
        )
    )

    assert drawn(edges, "third.w").splitlines() == [
        "third.w",
        "├── derived second.y",
        "│   └── passed first.x",
        "│       └── derived raw.t.a (raw)",
        "└── derived second.z",
        "    └── derived first.x (traced above)",
    ]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("conflict_suite__exmples.split", "nearest names are conflict_suite__examples"),
        ("conflict_suite__examples.splitt", "no column splitt; the nearest names are split"),
        ("raw.vqa_questions.question", "raw.vqa_questions: no model"),
        ("conflict_suite__examples", "expected MODEL.COLUMN; the nearest names"),
    ],
)
def test_an_unknown_name_is_told_with_its_neighbours(
    edges: list[Edge], name: str, message: str
) -> None:
    with pytest.raises(GainsayError, match=message):
        trace(edges, name)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("conflict_suite__exmples.split", "nearest names are conflict_suite__examples"),
        ("conflict_suite__examples.splitt", "no column splitt; the nearest names are split"),
        ("conflict_suite__examples", "expected MODEL.COLUMN; the nearest names"),
    ],
)
def test_the_command_tells_it_before_dbt_compiles(
    name: str, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compile_nothing(_: Path) -> Project:
        pytest.fail("compiled")

    monkeypatch.setattr("gainsay.cli.lineage.compile_project", compile_nothing)

    refused = CliRunner().invoke(command, [name])

    assert isinstance(refused.exception, GainsayError)
    assert message in str(refused.exception)


def test_files_tell_the_columns_of_models_with_a_contract(
    project: Project, edges: list[Edge]
) -> None:
    found: dict[str, set[str]] = {}
    for edge in edges:
        found.setdefault(edge.model, set()).add(edge.column_name)
    files = model_files(project_folder())
    typed = {name: set(typed_columns(path)) for name, path in files.items()}
    told = {name: columns for name, columns in typed.items() if columns}

    assert set(files) == {model.name for model in project.of_type("model")}
    assert told == {name: found[name] - {WHOLE_ROWS} for name in told}
    assert len(told) > 100


def test_only_what_a_model_is_made_of_is_traced_for_it() -> None:
    small = small_project(
        first="select a as x from raw.t",
        second="select x as y from main.first",
        other="select a as z from raw.t",
    )

    assert {edge.model for edge in column_edges(small.up_to("second"))} == {"first", "second"}
    assert trace(column_edges(small.up_to("second")), "second.y") == trace(
        column_edges(small), "second.y"
    )


def test_landed_steps_become_a_table(
    synthetic: Warehouse, project: Project, edges: list[Edge], tmp_path: Path
) -> None:
    warehouse = Warehouse(tmp_path)
    shutil.copy(synthetic.path, warehouse.path)
    assert warehouse.rows("select count(*) from audit.audit__column_lineage") == [(0,)]

    for fingerprint in ("f00", project.code_fingerprint()):
        with duckdb.connect(warehouse.path) as connection:
            land_edges(connection, edge_rows(edges, fingerprint))
    warehouse.dbt("build", "--select", "stg_gainsay__column_edges", "audit__column_lineage")

    landed = warehouse.rows("""
        select model, column_name, from_model, from_column, from_type, kind, literal
        from audit.audit__column_lineage
        where is_current
    """)
    assert set(landed) == set(edges)
    assert len(landed) == len(edges)


def test_steps_are_landed_by_the_command(of_one_model: Path, tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)

    refused = warehouse.gainsay("lineage", "--land", "--project", of_one_model, check=False)
    assert refused.returncode == 1
    assert "no warehouse to land in; run `gainsay land PATH...` first" in refused.stderr
    assert not warehouse.path.exists()

    duckdb.connect(warehouse.path).close()
    warehouse.gainsay("lineage", "--land", "--project", of_one_model)
    assert warehouse.rows("select * exclude (_code_md5, _landed_at) from raw.column_edges") == [
        ("m", "x", None, None, None, "constant", "1")
    ]


def test_a_folder_without_a_project_is_refused(tmp_path: Path) -> None:
    with pytest.raises(GainsayError, match=r"no dbt_project.yml here; .* --project"):
        compile_project(tmp_path)


@pytest.fixture(scope="module")
def of_one_model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a dbt project with the model `m`, which is compiled once."""
    folder = tmp_path_factory.mktemp("of_one_model")
    for name in ("models", "macros", "seeds", "tests", "profiles"):
        (folder / name).mkdir()
    (folder / "dbt_project.yml").write_text("{name: small, profile: small}")
    (folder / "profiles/profiles.yml").write_text(
        "{small: {target: dev, outputs: {dev:"
        " {type: duckdb, path: \"{{ env_var('GAINSAY_DB') }}\"}}}}"
    )
    (folder / "models/m.sql").write_text("select 1 as x")
    return folder


def test_the_command_needs_no_warehouse(of_one_model: Path, tmp_path: Path) -> None:
    nowhere = Warehouse(tmp_path)

    process = nowhere.gainsay("lineage", "m.x", "--project", of_one_model)

    assert process.stdout == "m.x\n└── constant 1\n"
    assert not nowhere.path.exists()


@pytest.mark.long
@pytest.mark.slow
def test_only_a_changed_project_is_compiled_again(
    of_one_model: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What dbt did shows in the time of its manifest."""
    monkeypatch.delenv("DBT_TARGET_PATH", raising=False)
    project = shutil.copytree(
        of_one_model, tmp_path / "project", ignore=shutil.ignore_patterns("target")
    )
    model = project / "models/m.sql"
    manifest = project / "target/gainsay/manifest.json"

    assert compile_project(project).of_type("model")[0].compiled_code == "select 1 as x"
    written = manifest.stat().st_mtime_ns
    compile_project(project)
    assert manifest.stat().st_mtime_ns == written

    model.write_text("select 2 as x")
    os.utime(model, ns=(written + 10**9, written + 10**9))
    assert compile_project(project).of_type("model")[0].compiled_code == "select 2 as x"

    model.write_text("select {{ no_such_macro() }} as x")
    os.utime(model, ns=(written + 10**12, written + 10**12))
    for _ in range(2):
        with pytest.raises(GainsayError, match="no_such_macro"):
            compile_project(project)
