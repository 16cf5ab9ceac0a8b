"""Queries that people write: they read the warehouse, write no file, and come to an end."""

import random
import resource
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import duckdb
import pytest
from click.testing import CliRunner

from gainsay.cli import main
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.reading import reading, run_query
from gainsay.python_udfs.engines.duckdb import register
from gainsay.python_udfs.registry import UDFS
from gainsay.review.records import ids_of_query
from tests.python.conftest import PATIENCE

PIVOT = "pivot (select 1 as a, 2 as b) on a using sum(b)"


@pytest.fixture(name="folder")
def watched_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The current folder and home of what runs, with files that a query could write."""
    folder = tmp_path / "watched"
    folder.mkdir()
    monkeypatch.setenv("GAINSAY_DB", str(folder / "gainsay.duckdb"))
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.chdir(folder)
    with connect() as connection:
        connection.execute("create table texts as select 'x' as a, 1 as b")
    (folder / "victim.csv").write_text("a,b\nx,1\n")
    return folder


def _files(folder: Path) -> dict[str, tuple[int, int, bytes]]:
    found = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = path.read_bytes() if path.is_file() else b""
        found[str(path)] = status.st_ino, status.st_mtime_ns, content
    return found


# --- what is no query is not run


@pytest.mark.parametrize(
    "query",
    [
        f"copy ({PIVOT}) to 'victim.csv'",
        f"copy ({PIVOT}) to 'new.parquet' (format parquet)",
        f"explain analyze copy ({PIVOT}) to 'new.csv'",
        f"explain (analyze) copy ({PIVOT}) to 'new.csv'",
        f"explain analyse copy ({PIVOT}) to 'new.csv'",
        f"EXPLAIN ANALYZE (FORMAT json) copy ({PIVOT}) to 'new.csv'",
        f"/* a */ copy ({PIVOT}) to 'new.csv' -- b",
        f"create temp table x as {PIVOT}",
        f"prepare x as copy ({PIVOT}) to 'new.csv'",
        f"with x as ({PIVOT}) insert into texts from x",
        f"from texts; copy ({PIVOT}) to 'new.csv'",
        "pragma database_list",
        "call enable_logging()",
        "use memory",
        "execute x",
        "set variable x = 1",
        "update extensions",
    ],
)
def test_what_becomes_several_statements_is_looked_at_too(folder: Path, query: str) -> None:
    before = _files(folder)
    for run in (_sql, _ids):
        with pytest.raises(GainsayError, match=r"only queries are run|syntax error"):
            run(query)
    assert _files(folder) == before


def _sql(query: str) -> list[tuple[object, ...]]:
    with reading() as connection:
        return run_query(connection, query).fetchall()


def _ids(query: str) -> set[str]:
    with reading() as connection:
        return ids_of_query(connection, query)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        (PIVOT, [(2,)]),
        (f"from ({PIVOT})", [(2,)]),
        (f"with x as ({PIVOT}) from x", [(2,)]),
        ("select 1; select 2;", [(2,)]),
        ("select ')' -- (", [(")",)]),
        ("from texts", [("x", 1)]),
        ("select gs_porter_stem('running')", [("run",)]),
    ],
)
@pytest.mark.usefixtures("folder")
def test_queries_are_run(query: str, expected: list[tuple[object, ...]]) -> None:
    assert _sql(query) == expected


@pytest.mark.parametrize(
    "query",
    [f"describe {PIVOT}", f"explain {PIVOT}", f"explain analyze {PIVOT}",
     "explain (format json) from texts", "show all tables", "summarize texts",
     "from query('select 1')"],
)  # fmt: skip
@pytest.mark.usefixtures("folder")
def test_what_describes_is_run(query: str) -> None:
    assert _sql(query)


@pytest.mark.usefixtures("folder")
def test_ids_are_the_first_column() -> None:
    assert _ids("select * from (values ('r1', 1), ('r2', 2), (null, 3))") == {"r1", "r2"}


# --- the connection writes nothing, whatever runs on it


@pytest.mark.parametrize(
    "statement",
    [
        "copy texts to 'victim.csv'",
        f"copy ({PIVOT}) to 'new.csv'",
        "attach 'new.duckdb'",
        "export database 'new'",
        "insert into texts values ('y', 2)",
        "set temp_directory = 'new'",
        "set enable_external_access = true",
        "set lock_configuration = false",
        "set profiling_output = 'new.json'",
        "select * from enable_logging(storage = 'file', storage_path = 'new')",
        "install httpfs",
        "create persistent secret s (type s3)",
        "from 'victim.csv'",
        "from read_text('victim.csv')",
        "from glob('*')",
        "from read_duckdb('other.duckdb')",
    ],
)
def test_the_connection_reaches_no_file(folder: Path, statement: str) -> None:
    before = _files(folder)
    with pytest.raises(GainsayError), reading() as connection:
        connection.execute(statement)
    assert _files(folder) == before


@pytest.mark.usefixtures("folder")
def test_functions_that_work_on_files_are_unknown_to_a_query() -> None:
    with reading() as connection:
        known = {
            name
            for (name,) in connection.execute(
                "select distinct function_name from duckdb_functions()"
                " where function_name like 'gs\\_%' escape '\\'"
            ).fetchall()
        }
    assert known == {udf.name for udf in UDFS if not udf.touches_files}
    assert {"gs_render", "gs_texture", "gs_depth", "gs_absolute_path"}.isdisjoint(known)
    with pytest.raises(GainsayError, match="gs_render: works on files"):
        _sql("select gs_render(1)")


# --- a fuzz by the grammar of statements


class _Grammar:
    """Statements that read and write, by a seed; their files are in the current folder."""

    def __init__(self, seed: int) -> None:
        self._dice = random.Random(seed)
        self._n = 0

    def statement(self) -> str:
        """A text of one or several statements, of which every third at least would write."""
        return self._dice.choice([
            self._query, self._query, self._query, self._writing, self._writing, self._writing,
            self._wrapped, self._several,
        ])()  # fmt: skip

    def _file(self) -> str:
        self._n += 1
        name = self._dice.choice([
            "victim.csv", f"new{self._n}.csv", f"new{self._n}.parquet", f"new{self._n}.json",
            f"new{self._n}", f"./deep{self._n}/new.csv", "gainsay.duckdb", "~/home.csv",
        ])  # fmt: skip
        return f"'{name}'"

    def _query(self, depth: int = 0) -> str:
        inner = self._query(depth + 1) if depth < 3 else "select 1 as a, 2 as b"
        return self._dice.choice([
            "from texts",
            f"select * from ({inner})",
            f"with x as ({inner}) from x",
            f"with x as materialized ({inner}) select count(*) as a, 2 as b from x",
            "with recursive r as (select 1 as a union all select a + 1 from r where a < 9)"
            " select a, 2 as b from r",
            f"pivot ({inner}) on 1 using count(*)",
            f"from (pivot (select 1 as a, 2 as b) on a using sum(b)), ({inner})",
            "unpivot (select 1 as a, 2 as b) on a, b",
            f"({inner}) union all by name (select 3 as a)",
            "values (1, 2)",
            f"from {self._file()}",
            f"from {self._reader()}({self._file()})",
            f"select a, {self._function()} as b from texts",
            f"from query('{inner.replace(chr(39), chr(39) * 2)}')",
            f"from (insert into texts values ('y', 3) returning a) as x, ({inner})",
            "with x as (insert into texts values ('y', 3) returning a) from x",
            "describe texts", "summarize texts", "show tables", "table texts",
        ])  # fmt: skip

    def _reader(self) -> str:
        return self._dice.choice([
            "read_csv", "read_json", "read_text", "read_blob", "read_parquet", "read_duckdb",
            "glob", "sniff_csv", "parquet_metadata",
        ])  # fmt: skip

    def _function(self) -> str:
        file = self._file()
        return self._dice.choice([
            "write_log('x')",
            f"gs_texture('victim.csv', null, null, {file}, 1000000)",
            f"gs_texts('victim.csv', null, null, {file}, 1000000)",
            f"gs_is_rendered({file}, 1, '.')",
            f"gs_absolute_path({file})",
            "gs_package_md5('gainsay')",
            "gs_plain_text('<b>x</b>')",
            "current_setting('temp_directory')",
            "repeat('x', 100000)",
        ])  # fmt: skip

    def _writing(self) -> str:
        query, file = self._query(1), self._file()
        return self._dice.choice([
            f"copy ({query}) to {file}",
            f"copy ({query}) to {file} (format parquet)",
            f"copy ({query}) to {file} (format json)",
            f"copy ({PIVOT}) to {file}",
            f"copy texts to {file} (format csv, header)",
            f"copy (select 1 as a, 2 as b) to {file} (partition_by (a))",
            f"copy texts from {file}",
            f"create table x{self._n} as {query}",
            f"create or replace temp table x as {query}",
            f"create view v{self._n} as {query}",
            f"insert into texts select 'x', 1 from ({query})",
            "update texts set a = 'changed'",
            "delete from texts",
            "truncate texts",
            "alter table texts rename to other",
            "drop table texts",
            "merge into texts using (select 'x' as a, 9 as b) as other using (a)"
            " when matched then update",
            f"attach {file}",
            f"attach {file} as other (read_only)",
            "attach ':memory:' as other",
            f"export database {file}",
            f"import database {file}",
            f"copy from database gainsay to {file}",
            "install json", "load json", "update extensions", "checkpoint", "vacuum", "analyze",
            "begin", "use memory",
            f"set temp_directory = {file}",
            f"set profiling_output = {file}",
            f"pragma profiling_output = {file}",
            "pragma enable_profiling = 'json'",
            "set enable_external_access = true",
            "set lock_configuration = false",
            "reset all",
            f"set log_query_path = {file}",
            f"call enable_logging(storage = 'file', storage_path = {file})",
            "create persistent secret s (type http)",
            f"prepare p as copy ({query}) to {file}",
            "execute p",
            "call force_checkpoint()",
            "create macro m() as 1",
            "create type t as enum ('a')",
            "comment on table texts is 'x'",
        ])  # fmt: skip

    def _wrapped(self) -> str:
        before = self._dice.choice([
            "explain ", "explain analyze ", "explain (analyze) ", "EXPLAIN ANALYSE ",
            "explain (analyze, format json) ", "/* a */ ", "-- a\n", "explain /* a */ analyze ",
            "describe ", "(", "from (", "select * from query('", "prepare p as ", "with x as (",
        ])  # fmt: skip
        inner = self._dice.choice([self._writing, self._query])()
        after = {"(": ")", "from (": ")", "select * from query('": "')", "with x as (": ") from x"}
        if before.endswith("'"):
            inner = inner.replace("'", "''")
        return before + inner + after.get(before, "")

    def _several(self) -> str:
        parts = [self._dice.choice([self._query, self._writing, self._wrapped])() for _ in range(2)]
        return "; ".join(parts) + self._dice.choice(["", ";", ";;", " -- end"])


N_QUERIES = 1_000


def test_a_thousand_statements_write_nothing(folder: Path) -> None:
    grammar = _Grammar(39)
    before = _files(folder)
    n_run = 0
    for _ in range(N_QUERIES // 50):
        with reading("500MB") as connection:
            for _ in range(50):
                statement = grammar.statement()
                with suppress(GainsayError, duckdb.Error):
                    run_query(connection, statement).fetchmany(10)
                    n_run += 1
                assert _files(folder) == before, statement
        assert _files(folder) == before
    assert n_run > N_QUERIES / 10


def test_statements_of_the_grammar_would_write(folder: Path) -> None:
    grammar = _Grammar(39)
    before = _files(folder)
    with connect() as connection:
        register(connection)
        for _ in range(100):
            # of a kind that DuckDB's Python has no name for, such as update extensions
            with suppress(duckdb.Error, RuntimeError, ValueError):
                connection.execute(grammar.statement()).fetchmany(10)
    assert {*_files(folder)} - {*before}


# --- memory and time


@pytest.mark.parametrize(
    "query",
    [
        "select range(0, 1000000000)",
        "select repeat(['x'], 1000000000)",
        "select list(i) from range(1000000000) as t(i)",
        "select i from range(100000000) as t(i) order by hash(i)",
        "with recursive r as (select [1] as i union all select i || i from r) from r",
    ],
)
def test_what_takes_all_memory_ends_and_fills_no_disk(folder: Path, query: str) -> None:
    before = _files(folder)
    # by itself: what the process may take counts from what the tests took
    ended = _gainsay("sql", "--memory", "200MB", query)
    assert ended.returncode == 1
    assert "the query needs more memory than 200MB" in ended.stderr
    assert "--memory" in ended.stderr
    assert _files(folder) == before


@pytest.mark.parametrize(
    "query",
    [
        "with recursive r as (select 1 as i union all select i + 1 from r) select count(*) from r",
        # made by functions that heed no interruption
        "select length(lpad('x', 2000000000, 'y')) + length(lpad('z', 2000000000, 'y'))",
    ],
)
@pytest.mark.usefixtures("folder")
def test_what_never_ends_is_ended(query: str) -> None:
    ended = _gainsay("sql", "--seconds", "0.01", query)
    assert ended.returncode == 1
    assert "the query took more than 0.01 seconds" in ended.stderr
    assert "Traceback" not in ended.stderr


def _gainsay(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "gainsay", *arguments],
        capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip


@pytest.mark.usefixtures("folder")
def test_the_limits_are_those_that_one_names(monkeypatch: pytest.MonkeyPatch) -> None:
    query = "select current_setting('memory_limit')"
    for arguments, expected in (((), "2.5 GiB"), (("--memory", "1GiB"), "1.0 GiB")):
        monkeypatch.setenv("GAINSAY_MEMORY_LIMIT", "2.5GiB")
        result = CliRunner().invoke(main, ["sql", *arguments, query])
        assert expected in result.output
    monkeypatch.setenv("GAINSAY_QUERY_SECONDS", "0")
    result = CliRunner().invoke(main, ["sql", query])
    assert "GAINSAY_QUERY_SECONDS '0': expected a number from 1" in result.output
    result = CliRunner().invoke(main, ["sql", "--memory", "much", query])
    assert "--memory 'much': expected a size" in result.output


@pytest.mark.usefixtures("folder")
def test_the_process_has_its_room_back() -> None:
    before = resource.getrlimit(resource.RLIMIT_AS)
    _sql("select 1")
    assert resource.getrlimit(resource.RLIMIT_AS) == before
