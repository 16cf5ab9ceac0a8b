"""The `gainsay` command line.

Commands are imported when they are called, so that `gainsay --help` stays instant and a
command's optional dependencies are needed by that command alone.
"""

import atexit
import contextlib
import gc
import importlib
import os
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import click

from gainsay.errors import GainsayError

_COMMANDS = {
    "demo": "Build three benchmarks on a synthetic corpus, and draw what came out.",
    "doctor": "Say what is there, what is missing, and how to get it.",
    "init": "Write a copy of the dbt project, to edit.",
    "download": "Fetch the official VQA v2.0 and COCO archives.",
    "collect": "List and fetch images of online sources.",
    "land": "Land official annotation files in the raw tables.",
    "land-images": "Land image files in the raw tables.",
    "land-predictions": "Land answers of models in the raw tables.",
    "land-votes": "Land what people say of records in the raw tables.",
    "build": "Build the warehouse with dbt, and show the funnel.",
    "synth": "Write a synthetic corpus in the official layouts.",
    "funnel": "Show how many candidates each screening stage kept and dropped.",
    "predict": "Ask a model of an OpenAI-compatible server.",
    "llm": "Ask language models for edits and verdicts, by batch files or a server.",
    "review": "Have people judge records, on a page or in sheets.",
    "score": "Match and score landed answers, and show the leaderboard.",
    "plot": "Draw the scores of answers.",
    "report": "Write a page of what was built, what fell out and why.",
    "export": "Write records in the formats of other tools.",
    "release": "Put together what one publishes of a benchmark.",
    "withdraw": "Take a picture down, in builds, renderings and exports.",
    "reality-check": "Export VLM Reality Check in the layout of its source protocol.",
    "look": "Draw a contact sheet of pictures and what is said of them.",
    "spark": "Run dbt on Spark.",
    "sql": "Run a query on the warehouse.",
    "lineage": "Show where a column comes from.",
    "compare": "Compare every mart of two targets.",
    "manifest": "Export the sealed manifest, or compare one with the warehouse.",
}


# commands that give pyarrow nothing of pandas', unless Spark does
_WITHOUT_PANDAS = {"land", "build"}


class _LazyGroup(click.Group):
    def main(self, args: Sequence[str] | None = None, *others: Any, **named: Any) -> Any:
        if args is None and _WITHOUT_PANDAS & {*sys.argv[1:2]} and "spark" not in str(sys.argv):
            _keep_pandas_out()
        try:
            return super().main(args, *others, **named)
        except SystemExit as ending:
            # without arguments of a caller's, the process is this command and nothing else
            if args is None:
                _end(ending.code)
            raise
        finally:
            # else DuckDB says of all that is never freed that it leaks
            gc.unfreeze()

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GainsayError as error:
            raise click.ClickException(str(error)) from error

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        with _modules_kept():
            module = importlib.import_module(f"gainsay.cli.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _keep_pandas_out() -> None:
    """Have pyarrow find no pandas, which it imports for the first list that it is given.

    That takes a seventh of a second, in each process that decodes as well. A conversion to pandas
    that is asked for by name still finds it.
    """
    import pyarrow as pa

    if "pandas" not in sys.modules:
        sys.meta_path.insert(0, _NoPandas)
        try:
            pa.array([0])
        finally:
            sys.meta_path.remove(_NoPandas)


class _NoPandas:
    """A finder of modules by which there is no pandas."""

    @staticmethod
    def find_spec(name: str, _path: object = None, _target: object = None) -> None:
        if name == "pandas":
            raise ModuleNotFoundError(name=name)


@contextmanager
def _modules_kept() -> Iterator[None]:
    """Import without looking for garbage, now or later, in what stays to the end anyway."""
    is_collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if is_collecting:
            gc.enable()


def _end(code: str | int | None) -> None:
    """End the process as Python would, but leave its memory to the system.

    Taking dbt's project apart, object by object, is a fifth of the time of a small build. All
    that Python promises to do before that is done here, too.
    """
    # where a thread is still at work, Python waits for it
    if threading.active_count() > 1 or isinstance(code, str):
        return
    atexit._run_exitfuncs()
    with contextlib.suppress(OSError, ValueError):
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
        os._exit(code or 0)


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="gainsay")
def main() -> None:
    """Build and audit benchmarks in which picture and text disagree."""


if __name__ == "__main__":
    main()
