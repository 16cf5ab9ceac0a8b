"""`gainsay predict`: ask a model of an OpenAI-compatible server."""

import sys
from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.lm.asking import ASKABLE, ask_all, examples
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient
from gainsay.warehouse.connection import connect


@click.command()
@click.option("--base-url", required=True, help="Of the server, such as http://localhost:8000/v1.")
@click.option("--model", required=True, help="Name of the model on the server.")
@click.option("--benchmark", type=click.Choice(ASKABLE), required=True, help="What to ask.")
@click.option("--task", type=click.Choice(["open_ended", "multiple_choice"]), default="open_ended")
@click.option("--condition", help="For clash conflicting (its default) or original.")
@click.option("--limit", type=click.IntRange(min=1), help="Ask the first so many examples only.")
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--max-tokens", type=click.IntRange(min=1), default=64, show_default=True)
@click.option("--logprobs", is_flag=True, help="Ask for the tokens' probabilities, too.")
@click.option("--price-in", type=float, default=0.0, help="US dollars per million prompt tokens.")
@click.option("--price-out", type=float, default=0.0, help="The same of completion tokens.")
@click.option(
    "--backoff", type=float, default=1.0, show_default=True, help="First pause after a failure, s."
)
@click.argument("output", type=click.Path(dir_okay=False, path_type=Path))
def command(
    *,
    base_url: str,
    model: str,
    benchmark: str,
    task: str,
    condition: str | None,
    limit: int | None,
    concurrency: int,
    max_tokens: int,
    logprobs: bool,
    price_in: float,
    price_out: float,
    backoff: float,
    output: Path,
) -> None:
    """Ask a model every example whose picture is landed, and keep its answers in OUTPUT (.jsonl).

    A call that was broken off is taken up where it ended. A key, if the server wants one, is
    read from GAINSAY_API_KEY. Land OUTPUT with `gainsay land-predictions`.
    """
    if output.suffix != ".jsonl":
        raise click.BadParameter(f"{output}: expected a name that ends in .jsonl")
    if task == "multiple_choice" and benchmark != "clash":
        raise click.BadParameter(f"{benchmark} is asked open-ended only")
    with connect(read_only=True) as connection:
        asked_for = examples(connection, benchmark, task, condition or "conflicting")[:limit]
    client = ChatClient(
        base_url, model, max_tokens=max_tokens, logprobs=logprobs, backoff_seconds=backoff
    )
    with progress(f"asking {model}, examples", len(asked_for)) as advance:
        asked = ask_all(client, benchmark, asked_for, output, concurrency, advance)
    tokens = f"{asked.n_prompt_tokens:,} + {asked.n_completion_tokens:,} tokens"
    click.echo(
        f"{output}: {asked.n_answered:,} answered, {asked.n_before:,} before, {tokens},"
        f" ${asked.cost(price_in, price_out):,.2f}"
    )
    for reason, n in sorted((asked.failures or {}).items()):
        click.echo(f"{n:,} failed and stay open: {reason}", err=True)
    if asked.is_given_up:
        click.echo("given up: none was answered, the rest was not asked", err=True)
    if asked.failures:
        click.echo(f"is {KEY_VARIABLE} set, and {base_url} the server's address?", err=True)
        sys.exit(1)
