"""`gainsay predict`: ask a model of an OpenAI-compatible server."""

import shlex
import sys
from pathlib import Path
from typing import get_args

import click

from gainsay.cli.progress import progress
from gainsay.cli.tallies import show_doubts, show_failures
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.names import given_name
from gainsay.ingest.answers import require_unlike
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.lm.chat_client import ChatClient
from gainsay.lm.confidence import Confidence
from gainsay.lm.predicting import Only, Question, examples, predict, resolve_question
from gainsay.project.answer_files import BOARD_MODELS


@click.command()
@click.option("--base-url", required=True, help="Of the server, such as http://localhost:8000/v1.")
@click.option("--model", required=True, help="Name of the model on the server.")
@click.option("--benchmark", required=True, help="What to ask, such as conflict_suite.")
@click.option(
    "--task", default="open_ended", show_default=True,
    help="How to ask it, or multiple_choice, or answer_and_action.",
)  # fmt: skip
@click.option(
    "--condition", help="What stands beside the picture; for clash conflicting or original."
)
@click.option(
    "--only", type=click.Choice(get_args(Only)),
    help="Show one side alone: the text without the picture, or the picture without the text"
    " beside it. Its answers land under a condition of their own.",
)  # fmt: skip
@click.option(
    "--split",
    help="Ask this split only; test asks all test splits where none is called so. Without it all"
    " but what is held back is asked.",
)
@click.option("--limit", type=click.IntRange(min=1), help="Ask the first so many examples only.")
@click.option("--concurrency", type=click.IntRange(min=1), default=8, show_default=True)
@click.option("--max-tokens", type=click.IntRange(min=1), default=64, show_default=True)
@click.option(
    "--temperature", type=click.FloatRange(min=0),
    help="In place of the one in the seed llm_models; above 0, answers into several files are"
    " samples, of which `gainsay score` tells the entropy.",
)  # fmt: skip
@click.option("--logprobs", is_flag=True, help="Ask for the tokens' probabilities, too.")
@click.option(
    "--confidence", type=click.Choice(get_args(Confidence)),
    help="Keep how sure the model is: verify asks it in a second turn, sequence takes the"
    " probability of its words.",
)  # fmt: skip
@click.option(
    "--price-in", type=click.FloatRange(min=0),
    help="US dollars per million prompt tokens; else the price in the seed llm_models.",
)  # fmt: skip
@click.option("--price-out", type=click.FloatRange(min=0), help="The same of completion tokens.")
@click.option(
    "--backoff", type=click.FloatRange(0, 86_400), default=1.0, show_default=True,
    help="First pause after a failure, s.",
)  # fmt: skip
@click.option(
    "--longest-pause", type=click.FloatRange(0, 86_400), default=60.0, show_default=True,
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
    only: Only | None,
    split: str | None,
    limit: int | None,
    concurrency: int,
    max_tokens: int,
    temperature: float | None,
    logprobs: bool,
    confidence: Confidence | None,
    price_in: float | None,
    price_out: float | None,
    backoff: float,
    longest_pause: float,
    output: Path,
) -> None:
    """Ask a model every example whose picture is there, and keep its answers in OUTPUT (.jsonl).

    A call that was broken off is taken up where it ended. A key, if the server wants one, is
    read from GAINSAY_API_KEY. The commands that land OUTPUT and score it are shown at the end.
    """
    if output.suffix != ".jsonl":
        raise click.BadParameter(f"{output}: expected a name that ends in .jsonl")
    model = given_name(model, "model", BOARD_MODELS)
    with connect(read_only=True) as connection:
        # its answers would not land once they are paid for
        require_unlike(DuckDbSink(connection), model)
        question = resolve_question(connection, benchmark, task, condition, only)
        asked_for = examples(connection, question, model, split)[:limit]
    client = ChatClient(
        base_url,
        model,
        max_tokens=max_tokens,
        logprobs=logprobs or confidence == "sequence",
        temperature=temperature,
        backoff_seconds=backoff,
        longest_pause=longest_pause,
    )
    properties = client.properties
    if not properties.takes_pictures and only != "text":
        raise GainsayError(f"{model}: takes no pictures, by seeds/shared/llm/llm_models.csv")
    if (confidence or logprobs) and not properties.gives_logprobs:
        click.echo(
            f"{model} gives no log-probabilities, by seeds/shared/llm/llm_models.csv: its answers"
            " land without confidence",
            err=True,
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
            confidence=confidence,
        )
    tally = asked.tally
    tokens = f"{asked.n_prompt_tokens:,} + {asked.n_completion_tokens:,} tokens"
    dollars = asked.cost(
        properties.dollars_in or 0.0 if price_in is None else price_in,
        properties.dollars_out or 0.0 if price_out is None else price_out,
    )
    click.echo(
        f"{output}: {tally.n_answered:,} answered, {asked.n_before:,} before, {tokens},"
        f" ${dollars:,.2f}"
    )
    if asked.n_cut:
        click.echo(
            f"{asked.n_cut:,} answers were cut at {max_tokens:,} tokens; to ask again with more,"
            " raise --max-tokens and name another file",
            err=True,
        )
    if asked.n_unsure and properties.gives_logprobs:
        click.echo(
            f"{asked.n_unsure:,} answers have no confidence: the server gave no log-probabilities,"
            " or neither yes nor no",
            err=True,
        )
    if asked.other_models:
        named = ", ".join(f"{name!r} ({n:,})" for name, n in asked.other_models.most_common(3))
        click.echo(
            f"{asked.other_models.total():,} answers are, by the server, of other models than"
            f" {model}, such as {named}: each keeps its own as asked.answered_model in {output}",
            err=True,
        )
    show_failures(tally, "failed and stay open")
    if tally.is_given_up:
        click.echo("given up: none was answered, the rest was not asked", err=True)
    show_doubts(tally, base_url)
    if tally.is_stopped:
        click.echo("stopped; the same command goes on where this one ended", err=True)
        sys.exit(130)
    if tally.failures:
        sys.exit(1)
    if tally.n_answered + asked.n_before:
        run = output.stem if temperature else None
        click.echo(f"next: {_next_commands(question, model, run, output)}")


def _next_commands(question: Question, model: str, run: str | None, output: Path) -> str:
    """The commands that land a file of answers, a sample as a run of its own, and score them."""
    land = [
        "gainsay", "land-predictions", "--benchmark", question.benchmark, "--task", question.task,
        "--condition", question.answered_condition, "--model", model,
        *(["--run", run] if run else []), str(output),
    ]  # fmt: skip
    return f"{shlex.join(land)} && gainsay score --benchmark {shlex.quote(question.benchmark)}"
