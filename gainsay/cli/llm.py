"""`gainsay llm`: language models for what rules cannot say."""

import sys
from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.cli.raw_tables import opened_tables, target_option
from gainsay.cli.tallies import show_doubts, show_failures
from gainsay.foundation.connection import connect, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.llm_responses import (
    land_batch_output,
    land_request_file,
    land_requests,
    write_requests,
)
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.lm import batches, requesting
from gainsay.lm.chat_client import ChatClient
from gainsay.lm.model_properties import properties_of
from gainsay.lm.tasks import TASKS, requests_of

_task = click.option("--task", type=click.Choice(TASKS), required=True, help="What to ask for.")
_model = click.option("--model", required=True, help="Name of the model.")
_limit = click.option("--limit", type=click.IntRange(min=1), help="The first so many inputs only.")
_tokens = click.option(
    "--max-tokens", type=click.IntRange(min=1), default=500, show_default=True,
    help="Most tokens of an answer.",
)  # fmt: skip


@click.group()
def command() -> None:
    """Ask language models for edits and verdicts, by batch files or a server."""


@command.command()
@_task
@_model
@_limit
@_tokens
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export(task: str, model: str, limit: int | None, max_tokens: int, folder: Path) -> None:
    """Write the open requests of a task to batch files in FOLDER."""
    with connect() as connection:
        made = requests_of(connection, task, model, max_tokens, limit)
        land_requests(DuckDbSink(connection), made)
        still_open = requesting.open_requests(connection, made)
    files = batches.write_batches(still_open, folder, task)
    for file in files:
        click.echo(f"{file}: {file.stat().st_size:,} bytes")
    if not files:
        click.echo("no open requests")


@command.command("import")
@target_option
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def import_(files: tuple[Path, ...], target: str) -> None:
    """Land output and error files of batches (.jsonl, or .jsonl.gz), in any order.

    A file that was landed before changes nothing, whatever its name is now. A warehouse that has
    not asked takes the requests, too, which answers belong to: the file (.parquet) that
    `gainsay llm requests` writes where they were made.
    """
    n_lines = n_unfit = 0
    with opened_tables(target) as tables:
        for file in files:
            if file.suffix == ".parquet":
                click.echo(f"{file}: {land_request_file(tables, file):,} new requests")
                continue
            landing = land_batch_output(tables, file)
            unfit = f", {landing.n_unfit:,} of them no responses" if landing.n_unfit else ""
            unchanged = ", as before" if landing.is_unchanged else ""
            click.echo(f"{file}: {landing.n_lines:,} lines{unfit}{unchanged}")
            n_lines += landing.n_lines
            n_unfit += landing.n_unfit
    if n_unfit:
        click.echo(
            "reasons: gainsay sql 'select _source_file, _position, error from raw.llm_responses"
            " where status is null'",
            err=True,
        )
    if n_unfit and n_unfit == n_lines:
        raise GainsayError(
            "no line is a response; expected the output or error file of a batch, a JSON object a"
            " line with custom_id and response"
        )
    click.echo("next: dbt build --select llm__outcomes+")


@command.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def requests(file: Path) -> None:
    """Write the requests that are landed to FILE (.parquet), which `import` lands elsewhere."""
    if file.suffix != ".parquet":
        raise click.BadParameter(f"{file}: expected a name that ends in .parquet")
    with connect(read_only=True) as connection:
        n = write_requests(connection, file)
    click.echo(f"{file}: {n:,} requests")


@command.command()
@_task
@_model
@_limit
@_tokens
@click.option("--base-url", required=True, help="Of the server, such as http://localhost:8000/v1.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=16, show_default=True)
@click.option(
    "--backoff", type=click.FloatRange(0, 86_400), default=1.0, show_default=True,
    help="First pause, s.",
)  # fmt: skip
@click.option(
    "--longest-pause", type=click.FloatRange(0, 86_400), default=60.0, show_default=True,
    help="Longest pause before a request is sent again, s, whatever the server asks for.",
)  # fmt: skip
def run(
    *,
    task: str,
    model: str,
    limit: int | None,
    max_tokens: int,
    base_url: str,
    concurrency: int,
    backoff: float,
    longest_pause: float,
) -> None:
    """Send the open requests of a task to an OpenAI-compatible server.

    Answers are kept in a file beside the warehouse as they come, and land in it at the end;
    meanwhile others may read and write it. A run that was stopped, or killed, goes on where it
    ended. A key, if the server wants one, is read from GAINSAY_API_KEY.
    """
    client = ChatClient(base_url, model, backoff_seconds=backoff, longest_pause=longest_pause)
    with requesting.open_responses(warehouse_path(), task, model) as store:
        with connect() as connection:
            made = requests_of(connection, task, model, max_tokens, limit)
            land_requests(DuckDbSink(connection), made)
            # of a run that was killed
            requesting.land(connection, store)
            still_open = requesting.open_requests(connection, made)
        is_landed = False
        try:
            with progress(f"asking {model}, requests", len(still_open)) as advance:
                tally = requesting.ask_open(
                    client, still_open, store,
                    concurrency=concurrency, advance=advance, report=_report,
                )  # fmt: skip
        finally:
            is_landed = _land(store)
    click.echo(f"{tally.n_answered:,} answered, {tally.failures.total():,} failed and still open")
    show_failures(tally, "failed")
    if tally.is_given_up:
        click.echo("given up: none was answered, the rest was not asked", err=True)
    show_doubts(tally, base_url)
    if tally.is_stopped:
        click.echo("stopped; the same command goes on where this one ended", err=True)
        sys.exit(130)
    if tally.failures or not is_landed:
        sys.exit(1)
    click.echo("next: dbt build --select llm__outcomes+")


def _report(text: str) -> None:
    click.echo(text, err=True)


def _land(store: requesting.ResponseStore) -> bool:
    """Land what came, unless somebody else holds the warehouse; whether it is landed."""
    try:
        with connect() as connection:
            requesting.land(connection, store)
    except GainsayError as error:
        _report(f"the answers are kept, and land when the same command runs again: {error}")
        return False
    return True


@command.command()
@_task
@_model
@_limit
@_tokens
def cost(task: str, model: str, limit: int | None, max_tokens: int) -> None:
    """Estimate tokens and dollars of the open requests of a task; nothing is sent."""
    dollars_in, dollars_out = properties_of(model).prices(model)
    with connect(read_only=True) as connection:
        made = requests_of(connection, task, model, max_tokens, limit)
        still_open = requesting.open_requests(connection, made)
    estimate = batches.estimate(still_open, dollars_in, dollars_out, max_tokens)
    click.echo(
        f"{estimate.n_requests:,} requests, {estimate.n_tokens_in:,} tokens in and at most"
        f" {estimate.n_tokens_out:,} out: ${estimate.dollars:.3f}"
    )
