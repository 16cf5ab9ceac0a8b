"""Commands of `gainsay` and `dbt` in forks of one process that has everything imported and parsed.

All workers of a run share the process: making it ready takes some twenty seconds.
A command costs its own work this way: neither the imports, some two seconds, nor dbt's parse of
the project, which is the same for every warehouse, some twenty. For other vars dbt parses again
what reads them, some three. What is killed, and what is itself about starting, runs as a process of
its own instead.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import re
import shutil
import socket
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import IO, Any

import yaml
from filelock import FileLock

PROJECT = Path(__file__).parents[2]
# what is decided when dbt parses: with one of these given, the parsed project is another
PARSED_VARS = (
    "benchmarks", "reviewed", "question_sets", "evaluation_reference_answers", "export_formats",
    "export_r_tuning_model", "export_finetuning_formats", "export_mixes_read_blind",
)  # fmt: skip
# DuckDB's name for a warehouse is its file's, and dbt's parse puts it into every relation
_CATALOG = "gainsay"
_MANIFEST = "manifest.msgpack"
# a command in whose environment this is reads the project as it does outside of tests
READS_ALONE = "GAINSAY_TESTS_READ_ALONE"
# what the last tests in this folder parsed; `make clean` removes it
_PARSED_BEFORE = PROJECT / "target" / "tests"
# dbt's events for a log of every detail that gainsay listens to
_HEARD = {"NodeStart", "NodeFinished"}
# what commands import, and what those import only when it is needed
_PRELOADED = (
    "dbt.cli.main", "dbt.task.test", "dbt.compilation", "dbt.adapters.duckdb", "duckdb", "pyarrow",
    "pyarrow.compute", "pyarrow.pandas_compat", "pandas", "numpy", "PIL.Image",
    "rich.progress", "sqlglot", "sqlparse", "requests", "yaml", "nltk.stem.porter",
)  # fmt: skip


class Forks:
    """A process that runs commands in forks of itself, one at a time for whoever asks."""

    def __init__(self, parsed: Path) -> None:
        """`parsed` is a target folder that dbt's parse left its state in.

        Whoever comes first starts the process, which ends when the last has closed.
        """
        with FileLock(parsed / "forks.lock"):
            stream = _connected(parsed)
            if stream is None:
                self._process = subprocess.Popen(
                    [sys.executable, "-m", __name__, str(parsed)],
                    cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                )  # fmt: skip
                assert self._process.stdout is not None
                # it is ready
                self._process.stdout.readline()
                stream = _connected(parsed)
        assert stream is not None
        self._stream = stream

    def run(
        self,
        command: list[str],
        folder: Path,
        environment: Mapping[str, str],
        working_folder: Path = PROJECT,
    ) -> "subprocess.CompletedProcess[str]":
        """Run `gainsay ...`, `dbt ...`, `parsed dbt ...` or `leave parsed ...`.

        Its output is kept in `folder`.
        """
        outputs = [folder / ".stdout", folder / ".stderr"]
        request = {
            "command": command,
            "environment": dict(environment),
            "outputs": [str(path) for path in outputs],
            "working_folder": str(working_folder),
        }
        self._stream.write(json.dumps(request) + "\n")
        self._stream.flush()
        code = int(self._stream.readline())
        stdout, stderr = (path.read_text(errors="replace") for path in outputs)
        return subprocess.CompletedProcess(command, code, stdout, stderr)

    def close(self) -> None:
        """Ask for no more."""
        self._stream.close()


def _connected(parsed: Path) -> IO[str] | None:
    """The line to the process that runs commands, if there is one."""
    address = parsed / "forks.address"
    with socket.socket(socket.AF_UNIX) as client, contextlib.suppress(OSError):
        client.connect(address.read_text())
        stream = client.makefile("rw")
        # one that is about to end does not greet
        if stream.readline():
            return stream
    return None


def parse(target: Path) -> None:
    """Let dbt parse the project; `target` then holds its `manifest.json` and its state.

    A warning is an error. The state is what `GAINSAY_PARSED` names, so that commands which run dbt
    need not parse. Of what the tests before these parsed, dbt parses what changed since.
    """
    # a list of unit tests has dbt parse these, too
    arguments = ["--quiet", "--write-json", "--warn-error", "ls", "--resource-type", "unit_test"]
    # what is read there counts for no test that measures memory here
    code = f"""
import gzip, sys
from pathlib import Path
from gainsay.project.runner import run_dbt
target = Path({str(target)!r})
error = run_dbt({arguments}, target_path=target).exception
if error:
    sys.exit(str(error))
(state,) = Path({str(_PARSED_BEFORE)!r}).glob("*-units.msgpack.gz")
(target / {_MANIFEST!r}).write_bytes(gzip.decompress(state.read_bytes()))
"""
    environment = os.environ | {
        "GAINSAY_DB": str(target / f"{_CATALOG}.duckdb"),
        "GAINSAY_PARSED": str(_PARSED_BEFORE),
    }
    subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, env=environment, check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    # commands that parse with other vars, or for Spark, put theirs beside it
    shutil.copytree(_PARSED_BEFORE, target / "state", dirs_exist_ok=True)


def _serve(parsed: Path) -> None:
    for name in _PRELOADED:
        importlib.import_module(name)
    for path in (PROJECT / "gainsay" / "cli").glob("[a-z]*.py"):
        importlib.import_module(f"gainsay.cli.{path.stem}")
    manifest = read_manifest(parsed)
    _warm_up(manifest, parsed)
    _spare_what_is_known()
    # what is here stays: no command looks for garbage in it, nor copies its pages
    gc.freeze()
    with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as listener:
        # in a folder of its own: the address of a socket is short
        address = f"{folder}/forks"
        listener.bind(address)
        listener.listen()
        (parsed / "forks.address").write_text(address)
        print("ready", flush=True)
        # as long as the first may take to come, if it comes at all
        listener.settimeout(60)
        answering: set[int] = set()
        while True:
            try:
                client, _ = listener.accept()
            except TimeoutError:
                # not of any child: what dbt imports may have started one that stays
                answering = {pid for pid in answering if not os.waitpid(pid, os.WNOHANG)[0]}
                if not answering:
                    return
                continue
            child = os.fork()
            if not child:
                _answer(client, manifest)
            answering.add(child)
            client.close()
            listener.settimeout(1)


def _answer(client: socket.socket, manifest: Any) -> None:
    """Run what one worker asks for, as long as it asks, and end."""
    try:
        stream = client.makefile("rw")
        print(file=stream, flush=True)
        while line := stream.readline():
            request = json.loads(line)
            child = os.fork()
            if not child:
                _become(request, manifest)
            _, status = os.waitpid(child, 0)
            print(os.waitstatus_to_exitcode(status), file=stream, flush=True)
    finally:
        os._exit(0)


def _spare_what_is_known() -> None:
    """Leave out what dbt does in every command and every unit test, and which is known here."""
    from dbt import compilation

    # a second a command; there was no cycle when this process warmed up
    compilation.Linker.find_cycles = lambda _: None
    # a third of a unit test is reading the model's SQL for the place of its inputs
    compilation.inject_ctes_into_sql = _with_inputs
    _make_events_when_seen()
    _set_once()


def _set_once() -> None:
    """Let dbt set the profile's settings in the first cursor of a database: they are its own."""
    from dbt.adapters.duckdb.environments.local import LocalEnvironment

    handle = LocalEnvironment.handle

    def handle_of_settled(environment: Any) -> Any:
        found = handle(environment)
        environment.creds.settings = {}
        return found

    LocalEnvironment.handle = handle_of_settled


def _make_events_when_seen() -> None:
    """Let dbt make what it logs where a log keeps it: that is a sixth of a build's time."""
    from dbt_common.events.base_types import BaseEvent, EventLevel
    from dbt_common.events.event_manager import EventManager

    make = BaseEvent.__init__
    fire = EventManager.fire_event

    def remember(event: Any, *values: Any, **named: Any) -> None:
        event.__dict__["said"] = (values, named)

    def made(event: Any, name: str) -> Any:
        if "pb_msg" not in event.__dict__:
            values, named = event.__dict__["said"]
            make(event, *values, **named)
        message = event.__dict__["pb_msg"]
        return message if name == "pb_msg" else getattr(message, name)

    def fire_what_is_seen(
        manager: Any, e: Any, level: Any = None, node: Any = None,
        force_warn_or_error_handling: bool = False,
    ) -> None:  # fmt: skip
        is_debug = (level or e.level_tag()) is EventLevel.DEBUG and not force_warn_or_error_handling
        heard = manager.callbacks and type(e).__name__ in _HEARD
        kept = [logger.level for logger in manager.loggers]
        if not is_debug or heard or EventLevel.DEBUG in kept:
            fire(manager, e, level, node, force_warn_or_error_handling)

    BaseEvent.__init__ = remember
    BaseEvent.__getattr__ = made
    EventManager.fire_event = fire_what_is_seen


_START = re.compile(r"(\s|--[^\n]*\n|/\*.*?\*/)*with\s+(recursive\s+)?", re.DOTALL | re.IGNORECASE)


def _with_inputs(sql: str, inputs: list[Any]) -> str:
    """A model's SQL with the inputs of a unit test before its own CTEs, as dbt says it."""
    if not inputs:
        return sql
    given = ", ".join(each.sql for each in inputs)
    start = _START.match(sql)
    if start is None:
        return f"with {given} {sql}"
    return f"{sql[: start.end()]}{given}, {sql[start.end() :]}"


def _warm_up(manifest: Any, parsed: Path) -> None:
    """Let dbt make what it makes once a process, so that no command has to: templates, schemas.

    So does astropy with its tables of the turning earth, which nearly every build asks for.
    """
    from dbt.cli.main import dbtRunner
    from dbt_common.clients.jinja import get_template, template_cache

    from gainsay.python_udfs.annotate.sun import astropy_position

    astropy_position(["2014-06-21T12:00:00"], [0.0], [0.0])
    for macro in manifest.macros.values():
        template_cache.get_node_template(macro)
    for node in manifest.nodes.values():
        if node.resource_type == "model":
            get_template(node.raw_code, {}, node)
    os.environ["GAINSAY_DB"] = str(parsed / f"{_CATALOG}.duckdb")
    arguments = [
        "--log-path",
        str(parsed),
        "--target-path",
        str(parsed),
        "--select",
        "audit__funnel",
    ]
    with contextlib.redirect_stdout(None):
        dbtRunner(manifest=manifest).invoke(["--quiet", "--no-write-json", "ls", *arguments])


def read_manifest(parsed: Path) -> Any:
    """dbt's manifest of the project as `parse` left it."""
    from dbt.contracts.graph.manifest import Manifest
    from dbt.parser.manifest import extended_mashumuro_decoder

    manifest = Manifest.from_msgpack(
        (parsed / _MANIFEST).read_bytes(), decoder=extended_mashumuro_decoder
    )
    manifest.build_flat_graph()
    return manifest


def _become(request: dict[str, Any], manifest: Any) -> None:
    """Be the command, in a session of its own, and end with its exit code."""
    code = 1
    try:
        os.setsid()
        os.environ.clear()
        os.environ.update(request["environment"])
        os.chdir(request["working_folder"])
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        for descriptor, path in enumerate(request["outputs"], start=1):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), descriptor)
        code = _call(request["command"], manifest)
    except BaseException:
        traceback.print_exc()
    finally:
        # dbt closes its warehouse when the program ends
        atexit._run_exitfuncs()
        with contextlib.suppress(OSError):
            for stream in (sys.stdout, sys.stderr):
                _flush(stream)
        os._exit(code)


def _flush(stream: IO[str] | None) -> None:
    if stream is not None:
        stream.flush()


def _call(command: list[str], manifest: Any) -> int:
    from gainsay.project import runner

    program, *arguments = command
    held = _Held(manifest, runner._invoke)
    runner._invoke = held.invoke
    try:
        if program == "leave parsed":
            return _leave_parsed(arguments, held)
        if program != "gainsay":
            return _dbt(arguments, held, parses=program == "dbt")
        from gainsay.cli import main

        sys.argv = ["gainsay", *arguments]
        main.main(arguments, prog_name="gainsay")
    except SystemExit as ending:
        if ending.code is None or isinstance(ending.code, int):
            return ending.code or 0
        print(ending.code, file=sys.stderr)
        return 1
    return 0


def _dbt(arguments: list[str], held: "_Held", *, parses: bool) -> int:
    from dbt.cli.main import dbtRunner

    from gainsay.project.runner import run_dbt

    if parses and _vars_that_decide(arguments):
        result = run_dbt(arguments)
    else:
        held.name_catalog()
        result = dbtRunner(manifest=held.manifest).invoke(arguments)
    if result.exception:
        print(result.exception, file=sys.stderr)
    return 0 if result.success else 1


def _leave_parsed(arguments: list[str], held: "_Held") -> int:
    """Leave in the target folder what dbt would parse for these arguments, as it leaves it."""
    from dbt.cli.main import dbtRunner
    from dbt.parser.manifest import ManifestLoader

    load = ManifestLoader.load

    def load_and_leave(loader: Any) -> Any:
        manifest = load(loader)
        # by itself it writes only where it parsed something
        loader.write_manifest_for_partial_parse()
        return manifest

    ManifestLoader.load = load_and_leave
    held.name_catalog()
    with _parsed_but_for(held.manifest, {*_vars_that_decide(arguments)}):
        return 0 if dbtRunner().invoke(["parse", *arguments]).success else 1


class _Held:
    """The parsed project that a command has from its process, instead of reading one."""

    def __init__(self, manifest: Any, invoke: Callable[..., Any]) -> None:
        """`invoke` is that of `run_dbt`, which reads one that an earlier call has parsed."""
        self.manifest = manifest
        self._invoke = invoke
        self._catalog = _CATALOG
        # of those vars that decide something when dbt parses
        self._vars: dict[str, str] = {}

    def invoke(
        self,
        arguments: list[str],
        store: Path,
        listen: Callable[[Any], None] | None,
        manifest: Any,
    ) -> Any:
        """Run dbt; with other vars it parses what reads one of these anew.

        `manifest`, which an earlier run in the command gave, is the held one where that is meant.
        """
        from dbt.cli.main import dbtRunner

        if not self._is_meant(arguments):
            return self._invoke(arguments, store, listen, manifest)
        self.name_catalog()
        callbacks = [listen] if listen else []
        given = _vars_that_decide(arguments)
        changed = {name for name, _ in given.items() ^ self._vars.items()}
        if not changed:
            return dbtRunner(manifest=self.manifest, callbacks=callbacks).invoke(arguments)
        self._vars = given
        with _parsed_but_for(self.manifest, changed):
            return dbtRunner(callbacks=callbacks).invoke(arguments)

    def _is_meant(self, arguments: list[str]) -> bool:
        """Whether dbt is to run on this project, on DuckDB, and may parse in part."""
        from gainsay.project.runner import option

        folder = option(arguments, "--project-dir")
        return (
            (folder is None or Path(folder).resolve() == PROJECT)
            and option(arguments, "--target", "-t") is None
            and "--no-partial-parse" not in arguments
            and READS_ALONE not in os.environ
            and self._catalog in (_CATALOG, Path(os.environ["GAINSAY_DB"]).stem)
            and Path(os.environ["GAINSAY_DB"]).suffix == ".duckdb"
        )

    def name_catalog(self) -> None:
        """Name the warehouse's catalog in all relations."""
        catalog = Path(os.environ["GAINSAY_DB"]).stem
        if catalog == self._catalog:
            return
        self._catalog = catalog
        for node in [*self.manifest.nodes.values(), *self.manifest.sources.values()]:
            if node.database == _CATALOG:
                node.database = catalog
            if getattr(node, "relation_name", None):
                node.relation_name = node.relation_name.replace(
                    f'"{_CATALOG}".', f'"{catalog}".', 1
                )
        self.manifest.build_flat_graph()


def _vars_that_decide(arguments: list[str]) -> dict[str, str]:
    """The vars among dbt's arguments that decide something when it parses, their values as text."""
    from gainsay.project.runner import option

    text = option(arguments, "--vars") or ""
    if not any(name in text for name in PARSED_VARS):
        return {}
    given = yaml.safe_load(text)
    return {name: repr(given[name]) for name in PARSED_VARS if name in given}


@contextlib.contextmanager
def _parsed_but_for(manifest: Any, names: set[str]) -> Iterator[None]:
    """Let dbt take a manifest for what it parsed before, and what reads one of the vars as changed.

    By itself it parses all of a project for any other var.
    """
    from dbt.contracts.files import FileHash
    from dbt.parser.manifest import ManifestLoader

    read = ManifestLoader.read_manifest_for_partial_parse
    # macros that ask for the first of them
    asking = ["listed_of(", "benchmarks_of("] if names & {"benchmarks", "question_sets"} else []
    words = [*(f"var('{name}'" for name in names), *asking]

    def parsed(loader: Any) -> Any:
        for file in manifest.files.values():
            path = Path(file.path.full_path)
            if path.suffix in (".sql", ".yml") and path.is_relative_to(PROJECT):
                text = path.read_text()
                if any(word in text for word in words):
                    file.checksum = FileHash.empty()
                    # of YAML it looks at the time, and compares each entry
                    file.path.modification_time = 0.0
                    for model in (getattr(file, "dfy", None) or {}).get("models", ()):
                        model["was_read_with"] = "other vars"
        # for whoever reads later what is written of this
        manifest.state_check = loader.manifest.state_check
        return manifest

    ManifestLoader.read_manifest_for_partial_parse = parsed
    try:
        yield
    finally:
        ManifestLoader.read_manifest_for_partial_parse = read


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
