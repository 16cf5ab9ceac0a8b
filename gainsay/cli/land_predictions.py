"""`gainsay land-predictions`: answers of models into the raw tables."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.cli.raw_tables import MEMORY_OF_A_LANDING, opened_tables, target_option
from gainsay.foundation.connection import connect, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_printable
from gainsay.foundation.names import likeness
from gainsay.ingest.answers import land_predictions
from gainsay.ingest.predictions import Answering
from gainsay.project.answer_files import answer_files, answering_of
from gainsay.scoring.naming import look_at_answers, namings, require_condition


@click.command()
@click.option("--benchmark", required=True, help="What was asked, such as conflict_suite.")
@click.option(
    "--task", default="open_ended", show_default=True, help="How it was asked, or multiple_choice."
)
@click.option(
    "--condition",
    help="What stood beside the picture; for clash conflicting (its default) or original.",
)
@click.option(
    "--model", help="Name of the model that answered, if not the file's name without its suffix."
)
@click.option("--run", default="default", show_default=True, help="Which of its runs this is.")
@click.option("--id-column", help="Where the id stands, if not under the benchmark's usual name.")
@click.option("--answer-column", help="Where the answer stands, likewise.")
@target_option
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def command(
    *,
    benchmark: str,
    task: str,
    condition: str | None,
    model: str | None,
    run: str,
    id_column: str | None,
    answer_column: str | None,
    target: str,
    files: tuple[Path, ...],
) -> None:
    """Land the answers in FILES, one record each (.jsonl, .json, .csv, .tsv, .parquet, .eval).

    Each file holds the answers of one model, and is called by its name unless --model says
    otherwise. A file lands whole or not at all; those before one that does not stay landed.

    Ids and answers stand in example_id and prediction, or where the evaluators of a benchmark put
    them: image_id and prediction (clash), question_id and answer (vqa, pope, okvqa), image and
    answer (vizwiz), questionId and prediction (gqa), question_id and prediction
    (certainly_uncertain), unless told otherwise. Optional columns: question, gold_answer,
    stated_action, confidence, confidence_kind, p_yes, p_no, lave_rating, token_logprobs. Files of
    POPE's own layout, question and answer without ids, are known by their lines in the file of the
    setting that --condition names. Samples of lmms-eval's --log_samples, logs of inspect
    (.eval) and tables of VLMEvalKit's PRED_FORMAT=tsv, of tasks and tables that `gainsay export`
    made, land as they are.
    An id is an example's, its key in such files, or that of a record as `gainsay export` writes it;
    what names no example of a benchmark that is built is told.
    Landing other answers of the same benchmark, task, condition, model and run replaces the
    former ones.
    """
    if model is not None and len(files) > 1:
        raise click.BadParameter(f"--model names one model and there are {len(files)} files")
    for file in files:
        require_printable(file)
    models = [_model_in_name(file) if model is None else model for file in files]
    try:
        asked = [answering_of(benchmark, task, condition, name, run) for name in models]
        _require_condition(asked[0], target)
    except GainsayError as error:
        raise click.BadParameter(str(error)) from error
    layout = answer_files(benchmark).layout(id_column, answer_column)
    alike = [likeness(each.model) for each in asked]
    if twice := sorted({name for name in models if alike.count(likeness(name)) > 1}):
        raise click.BadParameter(f"several files are named after the model {', '.join(twice)}")
    with (
        opened_tables(target, MEMORY_OF_A_LANDING) as tables,
        progress("landing, bytes", _size_of(files)) as advance,
    ):
        landings = [
            land_predictions(tables, file, answering, layout, advance)
            for file, answering in zip(files, asked, strict=True)
        ]
    for file, answering, landing in zip(files, asked, landings, strict=True):
        rejected = f", {landing.n_rejected:,} rejected" if landing.n_rejected else ""
        if landing.n_left_empty:
            rejected += f", {landing.n_left_empty:,} odd values left empty"
        click.echo(
            f"{file}: {landing.n_records:,} answers of {answering.model} {landing.state}{rejected}"
        )
    for line in _unnamed(asked, target):
        click.echo(line, err=True)
    if any(landing.n_rejected or landing.n_left_empty for landing in landings):
        click.echo("reasons: gainsay sql 'select * from raw.rejected_records'", err=True)


def _require_condition(answering: Answering, target: str) -> None:
    """Refuse a condition that is not asked; Spark's tables are asked by the build alone."""
    if target != "spark" and warehouse_path().is_file():
        with connect(read_only=True) as connection:
            require_condition(connection, answering.benchmark, answering.condition)


def _unnamed(landed: Iterable[Answering], target: str) -> Iterator[str]:
    """What to look at in answers, and which ids name no example; the build alone asks Spark's."""
    if target == "spark":
        return
    with connect(read_only=True) as connection:
        for answering in landed:
            told = look_at_answers(connection, answering.source_file)
            yield from (f"{answering.model}: {line}" for line in told.sentences())
            for found in namings(connection, answering.source_file):
                yield from (f"{answering.model}: {line}" for line in found.sentences())


def _model_in_name(file: Path) -> str:
    """`llava-1.5` of `answers/llava-1.5.jsonl.gz`."""
    name = file.name.removesuffix(".gz")
    return name.removesuffix(Path(name).suffix)


def _size_of(files: Iterable[Path]) -> int:
    """Bytes of all files, and `GainsayError` for one that is not there."""
    n_bytes = 0
    for file in files:
        try:
            n_bytes += file.stat().st_size
        except OSError as error:
            raise GainsayError(f"{file}: cannot be read: {error.strerror}") from error
    return n_bytes
