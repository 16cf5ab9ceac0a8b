"""`gainsay llm`: language models for what rules cannot say."""

import sys
from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.lm import batches as llm
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient
from gainsay.warehouse.connection import connect

_task = click.option("--task", type=click.Choice(llm.TASKS), required=True, help="What to ask for.")
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
        made = llm.requests_of(connection, task, model, max_tokens, limit)
        llm.keep_requests(connection, made)
        files = llm.write_batches(llm.open_requests(connection, made), folder, task)
    for file in files:
        click.echo(f"{file}: {file.stat().st_size:,} bytes")
    if not files:
        click.echo("no open requests")


@command.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def import_(files: tuple[Path, ...]) -> None:
    """Land output and error files of batches, in any order."""
    with connect() as connection:
        for file in files:
            click.echo(f"{file}: {llm.land_responses(connection, file):,} lines")
    click.echo("next: dbt build --select llm__outcomes+")


@command.command()
@_task
@_model
@_limit
@_tokens
@click.option("--base-url", required=True, help="Of the server, such as http://localhost:8000/v1.")
@click.option("--concurrency", type=click.IntRange(1, 256), default=16, show_default=True)
@click.option("--backoff", type=float, default=1.0, show_default=True, help="First pause, s.")
def run(
    *,
    task: str,
    model: str,
    limit: int | None,
    max_tokens: int,
    base_url: str,
    concurrency: int,
    backoff: float,
) -> None:
    """Send the open requests of a task to an OpenAI-compatible server.

    A run that was stopped goes on where it ended. A key, if the server wants one, is read from
    GAINSAY_API_KEY.
    """
    client = ChatClient(base_url, model, backoff_seconds=backoff)
    with connect() as connection:
        made = llm.requests_of(connection, task, model, max_tokens, limit)
        llm.keep_requests(connection, made)
        requests = llm.open_requests(connection, made)
        with progress(f"asking {model}, requests", len(requests)) as advance:
            n_answered, failures = llm.run(connection, client, requests, concurrency, advance)
    click.echo(f"{n_answered:,} answered, {failures.total():,} failed and still open")
    for reason, n in failures.most_common():
        click.echo(f"{n:,} failed: {reason}", err=True)
    if failures:
        click.echo(f"is {KEY_VARIABLE} set, and {base_url} the server's address?", err=True)
        sys.exit(1)
    click.echo("next: dbt build --select llm__outcomes+")


@command.command()
@_task
@_model
@_limit
@_tokens
def cost(task: str, model: str, limit: int | None, max_tokens: int) -> None:
    """Estimate tokens and dollars of the open requests of a task; nothing is sent."""
    with connect(read_only=True) as connection:
        dollars_in, dollars_out = llm.prices_of(connection, model)
        made = llm.requests_of(connection, task, model, max_tokens, limit)
        requests = llm.open_requests(connection, made)
    estimate = llm.estimate(requests, dollars_in, dollars_out, max_tokens)
    click.echo(
        f"{estimate.n_requests:,} requests, {estimate.n_tokens_in:,} tokens in and at most"
        f" {estimate.n_tokens_out:,} out: ${estimate.dollars:.3f}"
    )
