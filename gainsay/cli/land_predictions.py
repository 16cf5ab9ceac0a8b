"""`gainsay land-predictions`: answers of models into the raw tables."""

from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.errors import GainsayError
from gainsay.project.folder import project_vars
from gainsay.warehouse.connection import connect
from ingest.answers import land_predictions
from ingest.predictions import BENCHMARKS, Answering, Mapping, default_mapping

_DEFAULT_CONDITIONS = {"clash": "conflicting"}
# how these may be asked; others say it in their prompts
_TASKS = {
    "vqa": ("open_ended",),
    "pope": ("open_ended",),
    "conflict_suite": ("open_ended", "answer_and_action"),
    "clash": ("open_ended", "multiple_choice"),
}


@click.command()
@click.option("--benchmark", required=True, help="What was asked, such as conflict_suite.")
@click.option(
    "--task", default="open_ended", show_default=True, help="How it was asked, or multiple_choice."
)
@click.option(
    "--condition",
    help="What stood beside the picture; for clash conflicting (its default) or original.",
)
@click.option("--model", required=True, help="Name of the model that answered.")
@click.option("--run", default="default", show_default=True, help="Which of its runs this is.")
@click.option("--id-column", help="Where the id stands, if not under the benchmark's usual name.")
@click.option("--answer-column", help="Where the answer stands, likewise.")
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def command(
    *,
    benchmark: str,
    task: str,
    condition: str | None,
    model: str,
    run: str,
    id_column: str | None,
    answer_column: str | None,
    file: Path,
) -> None:
    """Land the answers in FILE (.jsonl, .json, .csv or .parquet), one record per answer.

    Ids and answers stand in image_id and prediction (clash), question_id and answer (vqa,
    pope, okvqa), image and answer (vizwiz), questionId and prediction (gqa), question_id and
    prediction (certainly_uncertain) or example_id and prediction (all others) unless told
    otherwise. Optional columns: question, gold_answer, stated_action, confidence,
    confidence_kind, p_yes, p_no, lave_rating, token_logprobs. Files of POPE's own layout, question
    and answer without ids, are known by their lines in the file of the setting that --condition
    names.
    Landing other answers of the same benchmark, task, condition, model and run replaces the
    former ones.
    """
    if benchmark not in (names := _benchmarks()):
        raise click.BadParameter(f"{benchmark}: no benchmark; there are {', '.join(names)}")
    condition = condition or _DEFAULT_CONDITIONS.get(benchmark, "default")
    if benchmark == "clash" and condition not in ("conflicting", "original"):
        raise click.BadParameter(f"{condition}: clash knows conflicting and original")
    if task not in (tasks := _TASKS.get(benchmark, (task,))):
        if tasks == ("open_ended",):
            raise click.BadParameter(f"{benchmark} is asked open-ended only")
        raise click.BadParameter(f"{task}: {benchmark} knows {' and '.join(tasks)}")
    if "/" in task or "/" in condition or "/" in run:
        raise click.BadParameter("a task, condition or run has no / in its name")
    usual = default_mapping(benchmark)
    mapping = Mapping(id_column or usual.id_column, answer_column or usual.answer_column)
    answering = Answering(benchmark, task, condition, model, run)
    try:
        n_bytes = file.stat().st_size
    except OSError as error:
        raise GainsayError(f"{file}: cannot be read: {error.strerror}") from error
    with connect() as connection, progress("landing, bytes", n_bytes) as advance:
        landing = land_predictions(connection, file, answering, mapping, advance)
    rejected = f", {landing.n_rejected:,} rejected" if landing.n_rejected else ""
    click.echo(f"{file}: {landing.n_records:,} answers of {model} {landing.state}{rejected}")
    if landing.n_rejected:
        click.echo("reasons: gainsay sql 'select * from raw.rejected_records'", err=True)


def _benchmarks() -> list[str]:
    """What the project's vars name, and what has answers that are scored without a benchmark."""
    plugged_in = project_vars()
    return sorted({*BENCHMARKS, *plugged_in["benchmarks"], *plugged_in["question_sets"]})
