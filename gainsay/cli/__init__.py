"""The `gainsay` command line.

Commands are imported when they are called, so that `gainsay --help` stays instant and a
command's optional dependencies are needed by that command alone.
"""

import contextlib
import errno
import importlib
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import click

from gainsay.cli.arguments import check_arguments
from gainsay.cli.outputs import have_outputs
from gainsay.foundation.errors import GainsayError

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
    "browse": "Look at all candidates, retained and dropped, on a page.",
    "review": "Have people judge records, on a page or in sheets.",
    "score": "Match and score landed answers, and show the leaderboard.",
    "plot": "Draw the scores of answers.",
    "report": "Write a page of what was built, what fell out and why.",
    "export": "Write records in the formats of other tools.",
    "release": "Put together what one publishes of a benchmark.",
    "withdraw": "Take a picture down, in builds, renderings and exports.",
    "reality-check": "Export VLM Reality Check in the layout of its source protocol.",
    "spark": "Run dbt on Spark.",
    "sql": "Run a query on the warehouse.",
    "lineage": "Show where a column comes from.",
    "compare": "Compare every mart of two targets.",
    "manifest": "Export the sealed manifest, or compare one with the warehouse.",
}


class _LazyGroup(click.Group):
    def main(self, args: Sequence[str] | None = None, *others: Any, **named: Any) -> Any:
        have_outputs()
        try:
            return super().main(args, *others, **named)
        except OSError as error:
            # of what a command writes, its own errors say the rest
            _explain_output(error)
        except SystemExit as ending:
            # what was to be shown and is not must not end as a success
            try:
                sys.stdout.flush()
            except OSError as error:
                if not ending.code:
                    _explain_output(error)
            raise

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_COMMANDS)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except GainsayError as error:
            raise click.ClickException(str(error)) from error
        except FileNotFoundError as error:
            if _has_working_folder():
                raise
            raise click.ClickException(
                "the current folder is gone: change into one that is there"
            ) from error

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in _COMMANDS:
            return None
        module = importlib.import_module(f"gainsay.cli.{cmd_name.replace('-', '_')}")
        command = module.command
        assert isinstance(command, click.Command)
        check_arguments(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(_COMMANDS.items()))


def _has_working_folder() -> bool:
    try:
        Path.cwd()
    except FileNotFoundError:
        return False
    return True


def _explain_output(error: OSError) -> NoReturn:
    """End with 1 where the output is full or gone; raise any other error again."""
    if error.errno not in (errno.ENOSPC, errno.EPIPE, errno.EIO, errno.EBADF) or error.filename:
        raise error
    # nor can what is left of it be written at the end
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"Error: the output cannot be written: {error.strerror}\n")
        sys.stderr.flush()
    raise SystemExit(1)


def _say_version(context: click.Context, _parameter: click.Parameter, is_asked: bool) -> None:
    if is_asked:
        from gainsay.python_udfs.installing import own_version

        click.echo(f"gainsay, version {own_version()}")
        context.exit()


@click.group(cls=_LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--version", is_flag=True, is_eager=True, expose_value=False, callback=_say_version,
              help="Show the version and exit.")  # fmt: skip
def main() -> None:
    """Build and audit benchmarks in which picture and text disagree."""


if __name__ == "__main__":
    main()
