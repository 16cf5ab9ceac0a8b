"""`gainsay score`: from landed answers to a leaderboard."""

from pathlib import Path

import click
import duckdb
import msgspec
from rich.table import Table

from gainsay.cli.tables import show
from gainsay.errors import GainsayError
from gainsay.warehouse.connection import connect
from gainsay.warehouse.queries import query


class _Ranked(msgspec.Struct):
    """A row of the leaderboard."""

    benchmark: str
    task: str
    condition: str
    matcher: str
    metric: str
    rank: int
    model: str
    run: str
    value: float
    standard_deviation: float | None
    unit: str
    target: float | None
    is_target_met: bool | None
    n: int
    n_unmatched: int
    completeness: float | None


_LEADERBOARD = """
    select benchmark, task, condition, matcher, metric, rank, model, run, value,
        standard_deviation, unit, target, is_target_met, n, n_unmatched, completeness
    from evaluation.evaluation__leaderboard
    where $benchmark is null or benchmark = $benchmark
    order by benchmark, task, condition, matcher_place, metric, rank, model, run
"""


class _Published(msgspec.Struct):
    """A published score and ours."""

    benchmark: str
    task: str
    condition: str
    matcher: str
    metric: str
    published_model: str
    unit: str
    published_value: float
    own_value: float
    difference: float
    published_n: int
    n: int
    run: str


_PUBLISHED = """
    select benchmark, task, condition, matcher, metric, published_model, unit, published_value,
        own_value, difference, published_n, n, run
    from evaluation.evaluation__published_results
    where own_value is not null and ($benchmark is null or benchmark = $benchmark)
    order by benchmark, task, condition, matcher, published_model, run, metric
"""


class _Unscored(msgspec.Struct):
    """Why answers of a run of which none is scored are not: one row a reason."""

    benchmark: str
    model: str
    run: str
    n_answers: int
    n_asked: int | None
    reason: str
    description: str
    n: int
    example_key: str


_UNSCORED = """
    select runs.benchmark, runs.model, runs.run, runs.n_answers, runs.n_asked,
        predictions.reason, rejections.description, count(*) as n,
        min(predictions.example_key) as example_key
    from evaluation.evaluation__runs as runs
    inner join evaluation.evaluation__predictions as predictions using (source_file)
    inner join vocabulary.prediction_rejections as rejections
        on predictions.reason = rejections.reason
    where runs.n_unmatched = runs.n_answers
        and ($benchmark is null or runs.benchmark = $benchmark)
    group by all
    order by runs.benchmark, runs.model, runs.run, n desc, predictions.reason
"""


class _Landed(msgspec.Struct):
    benchmark: str


_READ_TABLES = {
    "clash__choices",
    "clash__examples",
    "clash__samples",
    "clash__screened",
    "conflict_suite__examples",
    "conflict_suite_refined__examples",
    "llm__outcomes",
    "occlusions__examples",
}
# the models of answers are always built anew, and so are those that cost nothing; verdicts of
# judges may have landed a moment ago
_ANSWERS = (
    "tag:evaluation",
    # matchers in the folders of their benchmarks
    "evaluation__predictions+",
    "clash__samples",
    "llm__outcomes",
    "1+tag:evaluation,resource_type:seed",
    "+tag:evaluation,config.materialized:view",
)
# a test set that landed after the last build
_SAMPLES = "+clash__prompts,path:models/benchmarks/clash"


@click.command()
@click.option("--benchmark", help="Show the scores of this benchmark only.")
@click.option(
    "--references/--no-references",
    default=False,
    help="Score answers that need no model, too: to the Conflict Suite and its sisters.",
)
@click.option(
    "--published", is_flag=True, help="Show the scores that papers print beside ours, too."
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Draw the leaderboard into this file (.png or .svg).",
)
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
def command(
    *,
    benchmark: str | None,
    references: bool,
    published: bool,
    picture: Path | None,
    project: Path | None,
) -> None:
    """Match and score all landed answers, and show the leaderboard.

    Builds the evaluation models as `dbt build` does, without its tests. What they read of the
    benchmarks is built where it is missing, and else taken as the last `dbt build` left it.
    """
    if picture and picture.suffix not in (".png", ".svg"):
        raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    with connect(read_only=True) as connection:
        if not references:
            _require_answers(connection, benchmark)
        selected = _selected(connection)
    _build(project, references, selected)
    with connect(read_only=True) as connection:
        for unscored in query(connection, _UNSCORED, _Unscored, {"benchmark": benchmark}):
            click.echo(_explained(unscored), err=True)
        ranked = query(connection, _LEADERBOARD, _Ranked, {"benchmark": benchmark})
        if not ranked:
            raise GainsayError(
                "no landed answer is scored; look at evaluation__rejected_predictions, and whether"
                " GAINSAY_DB names the warehouse whose examples were asked"
            )
        show(_table(ranked))
        if published:
            _show_published(query(connection, _PUBLISHED, _Published, {"benchmark": benchmark}))
        if picture:
            # a second of imports that most calls do without
            from gainsay.report import plots

            plots.save(plots.draw(connection, "leaderboard", benchmark), picture)
            click.echo(f"drawn: {picture}")


def _table(rows: list[_Ranked]) -> Table:
    table = Table(
        "benchmark",
        "asked",
        "metric",
        "rank",
        "model",
        "score",
        "target",
        "n",
        "not scored",
        "complete",
    )
    for row in rows:
        is_percent = row.unit == "percent"
        digits = 2 if is_percent else 4
        deviation = row.standard_deviation
        spread = "" if deviation is None else f" ± {deviation:.{digits}f}"
        met = "met" if row.is_target_met else "missed"
        table.add_row(
            row.benchmark,
            f"{row.task.replace('_', ' ')}, {row.condition}, {row.matcher}",
            row.metric,
            str(row.rank),
            row.model if row.run == "default" else f"{row.model} ({row.run})",
            f"{row.value:.{digits}f}{spread}{' %' if is_percent else ''}",
            "" if row.target is None else f"{row.target:g} {met}",
            f"{row.n:,}",
            f"{row.n_unmatched:,}",
            "" if row.completeness is None else f"{row.completeness:.1%}",
        )
    return table


def _show_published(rows: list[_Published]) -> None:
    """Published scores beside ours, where answers of a model of that name landed."""
    if not rows:
        click.echo(
            "no landed answers are of a model whose scores are published; the names are in"
            " vocabulary.published_results"
        )
        return
    table = Table("benchmark", "asked", "metric", "model", "published", "ours", "difference", "n")
    for row in rows:
        digits = 2 if row.unit == "percent" else 4
        sizes = f"{row.n:,}" if row.n == row.published_n else f"{row.n:,} of {row.published_n:,}"
        table.add_row(
            row.benchmark,
            f"{row.task.replace('_', ' ')}, {row.condition}, {row.matcher}",
            row.metric,
            row.published_model,
            f"{row.published_value:.{digits}f}",
            f"{row.own_value:.{digits}f}",
            f"{row.difference:+.{digits}f}",
            sizes,
        )
    show(table)


def _explained(unscored: _Unscored) -> str:
    """Why none of a run's answers is scored, for one reason."""
    asked = "none are asked" if unscored.n_asked is None else f"{unscored.n_asked:,} are asked"
    return (
        f"{unscored.benchmark}, {unscored.model}, run {unscored.run}: none of"
        f" {unscored.n_answers:,} answers is scored; {unscored.n:,} {unscored.reason} (such as"
        f" {unscored.example_key!r}): {unscored.description} Of {unscored.benchmark}'s examples"
        f" {asked} in this warehouse; were the answers given to another one, or to another"
        " protocol?"
    )


def _require_answers(connection: duckdb.DuckDBPyConnection, benchmark: str | None) -> None:
    """Raise `GainsayError` where no answer is landed, or none to this benchmark."""
    tables = connection.execute(
        "select 1 from information_schema.tables"
        " where table_schema = 'raw' and table_name = 'landed_predictions'"
    ).fetchall()
    landed = []
    if tables:
        landed = query(
            connection,
            "select distinct benchmark from raw.landed_predictions order by benchmark",
            _Landed,
        )
    names = [row.benchmark for row in landed]
    if benchmark in names or (names and benchmark is None):
        return
    to_whom = f" to {benchmark}" if benchmark else ""
    others = f" (only to {', '.join(names)})" if names else ""
    raise GainsayError(
        f"no answers{to_whom} are landed{others}; land a file by `gainsay land-predictions"
        f" --benchmark {benchmark or 'NAME'} --model NAME FILE`, ask a model by `gainsay predict`,"
        " or score answers that need no model by `gainsay score --references`"
    )


def _selected(connection: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """What has to be built: the evaluation, and what it reads where the warehouse lacks it."""
    rows = connection.execute("select table_name from information_schema.tables").fetchall()
    if not {name for (name,) in rows} >= _READ_TABLES:
        return ("+tag:evaluation",)
    unseen = connection.execute("""
        select 1 from staging.stg_clash__samples
        where sample_id not in (select sample_id from clash.clash__examples)
        limit 1
    """).fetchall()
    return (*_ANSWERS, _SAMPLES) if unseen else _ANSWERS


def _build(project: Path | None, references: bool, selected: tuple[str, ...]) -> None:
    # dbt, which takes a second to import, only once the options are known to be good
    from gainsay.cli.build import show_failure
    from gainsay.cli.progress import dbt_progress
    from gainsay.project.building import build

    arguments = ["--select", *selected]
    # what people look at draws upon every benchmark, and no score does upon it
    arguments += ["--exclude", "review__records+"]
    arguments += ["--exclude-resource-type", "test", "unit_test"]
    if references:
        arguments += ["--vars", "{evaluation_reference_answers: true}"]
    with dbt_progress("scoring") as listen:
        outcome = build(arguments, project=project, listen=listen)
    for failure in outcome.failures:
        show_failure(failure)
    if not outcome.is_success:
        raise GainsayError("the build failed; dbt's log is in target/build/logs")
