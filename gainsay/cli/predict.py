"""`gainsay predict`: ask a model of an OpenAI-compatible server."""

import sys
from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.lm.chat_client import KEY_VARIABLE, ChatClient
from gainsay.lm.predicting import examples, predict, resolve_question
from gainsay.warehouse.connection import connect


@click.command()
@click.option("--base-url", required=True, help="Of the server, such as http://localhost:8000/v1.")
@click.option("--model", required=True, help="Name of the model on the server.")
@click.option("--benchmark", required=True, help="What to ask, such as conflict_suite.")
@click.option(
    "--task", default="open_ended", show_default=True, help="How to ask it, or multiple_choice."
)
@click.option(
    "--condition", help="What stands beside the picture; for clash conflicting or original."
)
@click.option("--limit", type=click.IntRange(min=1), help="Ask the first so many examples only.")
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--max-tokens", type=click.IntRange(min=1), default=64, show_default=True)
@click.option("--logprobs", is_flag=True, help="Ask for the tokens' probabilities, too.")
@click.option("--price-in", type=float, default=0.0, help="US dollars per million prompt tokens.")
@click.option("--price-out", type=float, default=0.0, help="The same of completion tokens.")
@click.option(
    "--backoff", type=float, default=1.0, show_default=True, help="First pause after a failure, s."
)
@click.option(
    "--longest-pause", type=click.FloatRange(min=0), default=60.0, show_default=True,
    help="Longest pause before a question is asked again, s, whatever the server asks for.",
)  # fmt: skip
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
    longest_pause: float,
    output: Path,
) -> None:
    """Ask a model every example whose picture is there, and keep its answers in OUTPUT (.jsonl).

    A call that was broken off is taken up where it ended. A key, if the server wants one, is
    read from GAINSAY_API_KEY. Land OUTPUT with `gainsay land-predictions`.
    """
    if output.suffix != ".jsonl":
        raise click.BadParameter(f"{output}: expected a name that ends in .jsonl")
    with connect(read_only=True) as connection:
        question = resolve_question(connection, benchmark, task, condition)
        asked_for = examples(connection, question)[:limit]
    client = ChatClient(
        base_url,
        model,
        max_tokens=max_tokens,
        logprobs=logprobs,
        backoff_seconds=backoff,
        longest_pause=longest_pause,
    )
    with progress(f"asking {model}, examples", len(asked_for)) as advance:
        asked = predict(
            client,
            question,
            asked_for,
            output,
            concurrency=concurrency,
            advance=advance,
            report=lambda text: click.echo(text, err=True),
        )
    tally = asked.tally
    tokens = f"{asked.n_prompt_tokens:,} + {asked.n_completion_tokens:,} tokens"
    click.echo(
        f"{output}: {tally.n_answered:,} answered, {asked.n_before:,} before, {tokens},"
        f" ${asked.cost(price_in, price_out):,.2f}"
    )
    for reason, n in sorted(tally.failures.items()):
        click.echo(f"{n:,} failed and stay open: {reason}", err=True)
    if tally.is_given_up:
        click.echo("given up: none was answered, the rest was not asked", err=True)
    if tally.failures:
        click.echo(f"is {KEY_VARIABLE} set, and {base_url} the server's address?", err=True)
    if tally.is_stopped:
        click.echo("stopped; the same command goes on where this one ended", err=True)
        sys.exit(130)
    if tally.failures:
        sys.exit(1)
