"""What the command line does with outputs, arguments and files that are not as it expects them."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from gainsay.cli import build as cli_build
from gainsay.cli import main
from gainsay.foundation.connection import SCHEMAS, connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import advance_unseen
from gainsay.ingest.predictions import layout_of, read_predictions
from gainsay.project import runner
from gainsay.project.building import Outcome
from gainsay.project.folder import project_vars
from gainsay.project.seeds import require_readable_seeds
from tests.python.conftest import PATIENCE, PROJECT


def _run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, list(arguments))
    assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
    return result


@pytest.fixture(name="warehouse")
def warehouse_of_texts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "gainsay.duckdb"
    monkeypatch.setenv("GAINSAY_DB", str(path))
    monkeypatch.setenv("GAINSAY_PROJECT", str(PROJECT))
    with connect() as connection:
        connection.execute("create table texts as select '=1+2' as a, '-x' as b, -3 as c")
    return path


# --- gainsay sql reads and writes nothing


@pytest.mark.parametrize(
    "query",
    [
        "copy (select 1) to '{out}'",
        "select 1; copy texts to '{out}' (format csv)",
        "explain analyze copy (select 1) to '{out}'",
        "explain analyze create table memory.x as select 1",
        "export database '{out}'",
        "attach '{out}'",
        "install httpfs",
        "load json",
        "set profiling_output = '{out}'",
        "pragma profiling_output = '{out}'",
        "prepare x as copy (select 1) to '{out}'",
        "create temp table x as select 1",
        "drop table texts",
        "checkpoint",
        "begin",
    ],
)
@pytest.mark.usefixtures("warehouse")
def test_what_is_no_query_is_not_run(tmp_path: Path, query: str) -> None:
    out = tmp_path / "written"
    result = _run("sql", query.format(out=out))
    assert result.exit_code == 1
    assert "only queries are run" in result.output
    assert not out.exists()


@pytest.mark.parametrize(
    "query",
    ["from texts", "with a as (select 1) from a", "describe texts", "show tables", "values (1)",
     "explain select 1", "explain analyze select 1", "summarize texts", "select 1;",
     "pivot texts on c using count(*)"],
)  # fmt: skip
@pytest.mark.usefixtures("warehouse")
def test_every_kind_of_query_is_run(query: str) -> None:
    assert _run("sql", query).exit_code == 0


@pytest.mark.parametrize("query", ["", " ", ";", "/* nothing */"])
@pytest.mark.usefixtures("warehouse")
def test_no_query_is_said_so(query: str) -> None:
    result = _run("sql", query)
    assert result.exit_code == 1
    assert "no query" in result.output


@pytest.mark.usefixtures("warehouse")
def test_numbers_stand_right_and_lists_have_brackets() -> None:
    query = "from (values (1, 'a', ['x', null]), (1000, 'bcd', [])) as rows(n, word, listed)"
    lines = [line for line in _run("sql", query).output.splitlines() if line.startswith("│")]
    assert lines == [
        "│    1 │ a    │ [x, null] │",
        "│ 1000 │ bcd  │ []        │",
    ]  # fmt: skip


@pytest.mark.usefixtures("warehouse")
def test_no_cell_of_csv_is_a_formula() -> None:
    result = _run("sql", "--csv", "select *, 'plain' as \"=d\" from texts")
    assert result.output.split() == ["a,b,c,'=d", "'=1+2,'-x,-3,plain"]


# --- outputs


def _gainsay(*arguments: str, output: object, shell: str = "") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "gainsay", *arguments]
    if shell:
        command = ["sh", "-c", f'exec "$@" {shell}', "sh", *command]
    return subprocess.run(
        command, cwd=PROJECT, stdout=output, stderr=subprocess.PIPE, text=True, check=False
    )  # type: ignore[call-overload,no-any-return]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux alone has /dev/full")
@pytest.mark.parametrize(
    "arguments", [("sql", "from texts"), ("sql", "--csv", "from range(99999)")]
)
@pytest.mark.usefixtures("warehouse")
def test_a_full_output_is_no_success(arguments: tuple[str, ...]) -> None:
    with Path("/dev/full").open("w") as full:
        process = _gainsay(*arguments, output=full)
    assert process.returncode == 1
    assert "the output cannot be written" in process.stderr
    assert "Traceback" not in process.stderr
    assert "leaked" not in process.stderr


@pytest.mark.parametrize("arguments", [("sql", "from texts"), ("sql", "--csv", "from texts")])
@pytest.mark.usefixtures("warehouse")
def test_a_closed_output_is_no_traceback(arguments: tuple[str, ...]) -> None:
    process = _gainsay(*arguments, output=subprocess.PIPE, shell=">&-")
    assert "Traceback" not in process.stderr


@pytest.mark.usefixtures("warehouse")
def test_a_reader_that_goes_away_is_no_traceback() -> None:
    read, write = os.pipe()
    os.close(read)
    with os.fdopen(write, "w") as broken:
        process = _gainsay("sql", "--csv", "from range(99999)", output=broken)
    assert process.returncode != 0
    assert "Traceback" not in process.stderr


# --- arguments


@pytest.mark.parametrize(
    "arguments",
    [("land", ""), ("land-images", ""), ("land-votes", ""), ("llm", "import", ""),
     ("report", "--out", ""), ("export", "jsonl", ""), ("collect", "fetch", ""), ("synth", ""),
     ("init", ""), ("land-predictions", "--benchmark", "vqa", "")],
)  # fmt: skip
@pytest.mark.usefixtures("warehouse")
def test_an_empty_path_is_not_the_current_folder(arguments: tuple[str, ...]) -> None:
    result = _run(*arguments)
    assert result.exit_code != 0
    assert "found an empty text" in result.output


@pytest.mark.usefixtures("warehouse")
def test_names_that_are_no_utf8_are_named_as_the_cause(tmp_path: Path) -> None:
    name = os.fsdecode(b"answers\xff.jsonl")
    (tmp_path / name).write_text('{"example_id": "a", "prediction": "b"}\n')
    for arguments in (
        ("land-predictions", "--benchmark", "occlusions"), ("llm", "import"), ("land-votes",),
    ):  # fmt: skip
        result = _run(*arguments, str(tmp_path / name))
        assert result.exit_code != 0
        assert "is not UTF-8" in result.output
        assert "could not be written" not in result.output
    result = _run("report", "--benchmark", os.fsdecode(b"\xff"))
    assert "is not UTF-8" in result.output


def _nothing_selected(*_arguments: object, **_options: object) -> Outcome:
    return Outcome(statuses={}, built=set(), exports=[], failures=[], is_success=True)


@pytest.mark.usefixtures("warehouse")
def test_commands_that_did_nothing_are_no_success(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    noise = tmp_path / "noise.ndjson"
    noise.write_bytes(b"\x00\xff\n{}\n")
    result = _run("land-votes", str(noise))
    assert (result.exit_code, "no vote landed" in result.output) == (1, True)

    monkeypatch.setattr(cli_build, "_planned", lambda arguments, _project: arguments)
    monkeypatch.setattr(cli_build, "build", _nothing_selected)
    result = _run("build", "--select", "a_misspelt_model")
    assert (result.exit_code, "nothing was built" in result.output) == (1, True)
    monkeypatch.setenv("GAINSAY_DB", ":memory:")
    result = _run("build")
    assert (result.exit_code, "nothing would be kept" in result.output) == (1, True)


# --- seeds, answers, the kept parse


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a,b\n1,2\n".encode("utf-16"), r"words\.csv: is not UTF-8 \(byte 0\); save it as such"),
        (b"a,b\n1,2\n3\n", r"words\.csv: line 3 has 1 cells; expected 2, as the first line: a, b"),
        (b"a,b\n1,2,3\n", r"words\.csv: line 2 has 3 cells; expected 2"),
        (b'a,b\n1,"2\n', r"words\.csv: no CSV at line 2"),
    ],
)
def test_a_seed_that_cannot_be_read_is_named(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "seeds" / "shared").mkdir(parents=True)
    (tmp_path / "seeds" / "shared" / "words.csv").write_bytes(content)
    with pytest.raises(GainsayError, match=message):
        require_readable_seeds(tmp_path)


def test_the_seeds_of_the_project_can_be_read() -> None:
    require_readable_seeds(PROJECT)


@pytest.mark.parametrize(
    "values",
    [
        pa.array([datetime(2020, 1, 2, tzinfo=UTC)]),
        pa.array([1], pa.timestamp("ns")),
        pa.array([1], pa.time64("ns")),
        pa.array([1], pa.date32()),
        pa.array([timedelta(1)]),
        pa.array([[datetime(2020, 1, 2, tzinfo=UTC)]]),
        pa.array([b"\xff"]),
    ],
    ids=str,
)
def test_a_value_of_any_type_is_an_answer_or_a_rejected_row(
    tmp_path: Path, values: pa.Array
) -> None:
    path = tmp_path / "answers.parquet"
    pq.write_table(pa.table({"example_id": ["a"], "prediction": values}), path)
    runs = list(read_predictions(path, layout_of()).runs(advance_unseen))
    assert sum(len(run.raws) for run in runs) == 1


def test_a_flipped_bit_in_the_kept_parse_is_parsed_again(tmp_path: Path) -> None:
    written, store = tmp_path / "partial_parse.msgpack", tmp_path / "kept" / "parsed.msgpack.gz"
    parsed = bytes(range(256)) * 8
    for position in (0, -1, 40):
        written.write_bytes(parsed)
        runner._keep(written, store)
        with runner._unpacked(store) as path:
            assert path is not None
            assert path.read_bytes() == parsed
        assert not path.exists()
        kept = bytearray(store.read_bytes())
        kept[position] ^= 1
        store.write_bytes(kept)
        with runner._unpacked(store) as path:
            assert path is None
        assert not store.exists()


def test_a_warehouse_is_named_as_no_schema_of_the_project() -> None:
    project = (PROJECT / "dbt_project.yml").read_text().splitlines()
    schemas = {line.split()[1] for line in project if line.strip().startswith("+schema:")}
    assert schemas <= SCHEMAS
    assert {*project_vars()["benchmarks"]} <= SCHEMAS


# --- the server of the review page


SERVER = """
import socket, sys
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from gainsay.review import serving

serving.SECONDS_OF_A_REQUEST = float(sys.argv[1])
app = Starlette(routes=[Route("/", lambda _: PlainTextResponse("here"))])
bound = socket.create_server(("127.0.0.1", 0), backlog=256)
print(bound.getsockname()[1], flush=True)
serving.run(app, bound)
"""


@contextmanager
def _served(seconds: float) -> Iterator[int]:
    """The port of a page, whose requests may take so many seconds."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVER, str(seconds)],
        cwd=PROJECT,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    yield int(process.stdout.readline())
    process.terminate()
    process.communicate()


AT_ONCE = """
import signal, uvicorn
run = uvicorn.Server.run

def run_after_a_signal(server, sockets):
    signal.raise_signal(signal.SIGTERM)
    run(server, sockets)

uvicorn.Server.run = run_after_a_signal
"""


def test_a_signal_before_the_page_takes_requests_ends_it() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", AT_ONCE + SERVER, "600"],
        cwd=PROJECT, capture_output=True, text=True, check=False, timeout=PATIENCE,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr


def _asked(port: int) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as connected:
        connected.settimeout(PATIENCE)
        connected.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        found = b""
        while part := connected.recv(4096):
            found += part
    return found


@contextmanager
def _half_open(port: int, n: int) -> Iterator[list[socket.socket]]:
    """Connections on which nothing was sent, or half a request."""
    with ExitStack() as stack:
        found = []
        for number in range(n):
            connected = stack.enter_context(socket.create_connection(("127.0.0.1", port)))
            connected.settimeout(PATIENCE)
            if number % 2:
                with suppress(OSError):
                    connected.sendall(b"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
            found.append(connected)
        yield found


def _is_closed(connected: socket.socket) -> bool:
    try:
        return connected.recv(1) in (b"", b"H")
    except ConnectionError:
        return True


def test_half_open_requests_keep_nobody_out() -> None:
    with _served(PATIENCE) as port, _half_open(port, 600) as half_open:
        assert _asked(port).endswith(b"here")
        # the first made room for the last
        assert all(map(_is_closed, half_open[:400]))
        assert _asked(port).endswith(b"here")


def test_half_open_requests_have_an_end() -> None:
    # more than the page lets wait, so that the last ones make room for nobody
    with _served(0.2) as port, _half_open(port, 200) as half_open:
        assert all(map(_is_closed, half_open))


def test_a_connection_is_used_for_several_requests() -> None:
    with _served(PATIENCE) as port, socket.create_connection(("127.0.0.1", port)) as connected:
        connected.settimeout(PATIENCE)
        for _ in range(5):
            connected.sendall(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
            found = b""
            while not found.endswith(b"here"):
                found += connected.recv(4096)


@pytest.mark.parametrize("command", [("doctor",), ("build", "--select", "nothing")])
def test_a_working_folder_that_is_gone_is_told(tmp_path: Path, command: tuple[str, ...]) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    started = (
        "import os, sys; os.chdir(sys.argv.pop(1)); os.rmdir(os.getcwd());"
        " from gainsay.cli import main; main()"
    )
    done = subprocess.run(
        [sys.executable, "-c", started, gone, *command], cwd=PROJECT, check=False,
        env=os.environ | {"GAINSAY_PROJECT": str(PROJECT), "PYTHONPATH": str(PROJECT)},
        capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 1
    assert done.stderr == "Error: the current folder is gone: change into one that is there\n"
