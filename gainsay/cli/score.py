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


_LEADERBOARD = """
    select benchmark, task, condition, matcher, metric, rank, model, run, value,
        standard_deviation, unit, target, is_target_met, n, n_unmatched
    from evaluation.evaluation__leaderboard
    where $benchmark is null or benchmark = $benchmark
    order by benchmark, task, condition, matcher, metric, rank, model, run
"""

_READ_TABLES = {"clash__samples", "clash__screened", "conflict_suite__examples", "llm__outcomes"}
# what belongs to the answers, and what of the rest costs nothing; a test set, or what judges say,
# may just have landed
_ANSWERS = (
    "tag:evaluation",
    "clash__samples",
    "llm__outcomes",
    "+tag:evaluation,resource_type:seed",
    "+tag:evaluation,config.materialized:view",
)


@click.command()
@click.option("--benchmark", help="Show the scores of this benchmark only.")
@click.option(
    "--references/--no-references",
    default=False,
    help="Score answers to the Conflict Suite that need no model, too.",
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
    benchmark: str | None, references: bool, picture: Path | None, project: Path | None
) -> None:
    """Match and score all landed answers, and show the leaderboard.

    Builds the evaluation models as `dbt build` does, without its tests. What they read of the
    benchmarks is built where it is missing, and else taken as the last `dbt build` left it.
    """
    if picture and picture.suffix not in (".png", ".svg"):
        raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    with connect(read_only=True) as connection:
        is_built = not _missing(connection)
    _build(project, references, is_built)
    with connect(read_only=True) as connection:
        show(_table(query(connection, _LEADERBOARD, _Ranked, {"benchmark": benchmark})))
        if picture:
            # a second of imports that most calls do without
            from gainsay.report import plots

            plots.save(plots.draw(connection, "leaderboard", benchmark), picture)
            click.echo(f"drawn: {picture}")


def _table(rows: list[_Ranked]) -> Table:
    table = Table(
        "benchmark", "asked", "metric", "rank", "model", "score", "target", "n", "not scored"
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
        )
    return table


def _missing(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The tables of benchmarks that the evaluation reads and the warehouse lacks."""
    rows = connection.execute("select table_name from information_schema.tables").fetchall()
    return _READ_TABLES - {name for (name,) in rows}


def _build(project: Path | None, references: bool, is_built: bool) -> None:
    # dbt, which takes a second to import, only once the options are known to be good
    from gainsay.cli.build import show_failure
    from gainsay.cli.progress import dbt_progress
    from gainsay.project.building import build

    arguments = ["--select", *(_ANSWERS if is_built else ("+tag:evaluation",))]
    arguments += ["--exclude-resource-type", "test", "unit_test"]
    if references:
        arguments += ["--vars", "{evaluation_reference_answers: true}"]
    with dbt_progress("scoring") as listen:
        outcome = build(arguments, project=project, listen=listen)
    for failure in outcome.failures:
        show_failure(failure)
    if not outcome.is_success:
        raise GainsayError("the build failed; dbt's log is in target/build/logs")
