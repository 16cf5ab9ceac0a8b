"""Commands of `gainsay` and `dbt` in forks of one process that has everything imported and parsed.

A command costs its own work this way: neither the imports, some two seconds, nor dbt's parse of
the project, which is the same for every warehouse, some five. What is killed, and what is itself
about starting, runs as a process of its own instead.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import shutil
import subprocess
import sys
import traceback
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

PROJECT = Path(__file__).parents[2]
# what is decided when dbt parses: with one of these given, the parsed project is another
PARSED_VARS = (
    "benchmarks", "question_sets", "evaluation_reference_answers", "export_formats",
    "export_r_tuning_model",
)  # fmt: skip
# DuckDB's name for a warehouse is its file's, and dbt's parse puts it into every relation
_CATALOG = "gainsay"
_MANIFEST = "manifest.msgpack"
# what commands import, and what those import only when it is needed, such as the stemmer
_PRELOADED = (
    "dbt.cli.main", "dbt.task.test", "dbt.compilation", "dbt.adapters.duckdb", "duckdb", "pyarrow",
    "pyarrow.compute", "pyarrow.pandas_compat", "pandas", "numpy", "nltk.stem.porter", "PIL.Image",
    "rich.progress", "sqlglot", "sqlparse", "requests", "yaml",
)  # fmt: skip


class Forks:
    """A process that runs commands in forks of itself, one at a time."""

    def __init__(self, parsed: Path) -> None:
        """`parsed` is a target folder that dbt's parse left its state in."""
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(parsed)],
            cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def run(
        self,
        command: list[str],
        folder: Path,
        environment: Mapping[str, str],
        working_folder: Path = PROJECT,
    ) -> "subprocess.CompletedProcess[str]":
        """Run `gainsay ...`, `dbt ...` or `parsed dbt ...`, its output kept in `folder`."""
        outputs = [folder / ".stdout", folder / ".stderr"]
        request = {
            "command": command,
            "environment": dict(environment),
            "outputs": [str(path) for path in outputs],
            "working_folder": str(working_folder),
        }
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        code = int(self._process.stdout.readline())
        stdout, stderr = (path.read_text(errors="replace") for path in outputs)
        return subprocess.CompletedProcess(command, code, stdout, stderr)

    def close(self) -> None:
        """End the process; a command that runs is waited for."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def parse(target: Path) -> None:
    """Let dbt parse the project; `target` then holds its `manifest.json` and its state.

    The state is what `GAINSAY_PARSED` names, so that commands which run dbt need not parse.
    """
    run = f"run_dbt(['--quiet', '--write-json', 'parse'], target_path=Path({str(target)!r}))"
    code = f"from pathlib import Path; from gainsay.project.runner import run_dbt; {run}"
    environment = os.environ | {
        "GAINSAY_DB": str(target / f"{_CATALOG}.duckdb"),
        "GAINSAY_PARSED": str(target / "own"),
    }
    subprocess.run([sys.executable, "-c", code], cwd=PROJECT, env=environment, check=True)
    (state,) = (target / "own").glob("*.msgpack")
    shutil.copy(state, target / _MANIFEST)
    # commands that parse with other vars, or for Spark, put theirs beside it
    shutil.copytree(target / "own", target / "state", dirs_exist_ok=True)


def _serve(parsed: Path) -> None:
    for name in _PRELOADED:
        importlib.import_module(name)
    for path in (PROJECT / "gainsay" / "cli").glob("[a-z]*.py"):
        importlib.import_module(f"gainsay.cli.{path.stem}")
    # nothing that a command prints may come between the answers
    answers = os.fdopen(os.dup(1), "w")
    manifest = read_manifest(parsed)
    _warm_up(manifest, parsed)
    # what is here stays: no command looks for garbage in it, nor copies its pages
    gc.freeze()
    for line in sys.stdin:
        request = json.loads(line)
        child = os.fork()
        if not child:
            _become(request, manifest)
        _, status = os.waitpid(child, 0)
        print(os.waitstatus_to_exitcode(status), file=answers, flush=True)


def _warm_up(manifest: Any, parsed: Path) -> None:
    """Let dbt make what it makes once a process, so that no command has to: templates, schemas.

    So does astropy with its tables of the turning earth, which nearly every build asks for.
    """
    from dbt.cli.main import dbtRunner
    from dbt_common.clients.jinja import get_template, template_cache

    from gainsay.project.quick import quick_dbt
    from python_udfs.annotate.sun import astropy_position

    astropy_position(["2014-06-21T12:00:00"], [0.0], [0.0])
    for macro in manifest.macros.values():
        template_cache.get_node_template(macro)
    with quick_dbt():
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
    with contextlib.redirect_stdout(None), quick_dbt():
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
    program, *arguments = command
    try:
        if program != "gainsay":
            parses = program == "dbt" and any(
                name in argument for argument in arguments for name in PARSED_VARS
            )
            return _dbt(arguments, None if parses else manifest)
        from gainsay.cli import main

        sys.argv = ["gainsay", *arguments]
        main.main(arguments, prog_name="gainsay")
    except SystemExit as ending:
        if ending.code is None or isinstance(ending.code, int):
            return ending.code or 0
        print(ending.code, file=sys.stderr)
        return 1
    return 0


def _dbt(arguments: list[str], manifest: Any) -> int:
    from dbt.cli.main import dbtRunner

    from gainsay.project.quick import quick_dbt
    from gainsay.project.runner import run_dbt

    if manifest is None:
        # parsed once for every set of vars
        result = run_dbt(arguments)
    else:
        _name_catalog(manifest, Path(os.environ["GAINSAY_DB"]).stem)
        with quick_dbt():
            result = dbtRunner(manifest=manifest).invoke(arguments)
    if result.exception:
        print(result.exception, file=sys.stderr)
    return 0 if result.success else 1


def _name_catalog(manifest: Any, catalog: str) -> None:
    if catalog == _CATALOG:
        return
    for node in [*manifest.nodes.values(), *manifest.sources.values()]:
        if node.database == _CATALOG:
            node.database = catalog
        if getattr(node, "relation_name", None):
            node.relation_name = node.relation_name.replace(f'"{_CATALOG}".', f'"{catalog}".', 1)
    manifest.build_flat_graph()


if __name__ == "__main__":
    _serve(Path(sys.argv[1]))
