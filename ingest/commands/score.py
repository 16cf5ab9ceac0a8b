"""`gainsay score`: from landed answers to a leaderboard."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import click
from rich.table import Table

from ingest import plots
from ingest.errors import GainsayError
from ingest.tables import show
from ingest.warehouse import connect

_LEADERBOARD = """
    select benchmark, task, condition, matcher, metric, rank, model, run, value,
        standard_deviation, unit, target, is_target_met, n, n_unmatched
    from evaluation.evaluation__leaderboard
    where $benchmark is null or benchmark = $benchmark
    order by benchmark, task, condition, matcher, metric, rank, model, run
"""


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
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml.",
)
def command(benchmark: str | None, references: bool, picture: Path | None, project: Path) -> None:
    """Match and score all landed answers, and show the leaderboard.

    Builds the evaluation models and what they read, as `dbt build` does, without its tests.
    """
    if picture and picture.suffix not in (".png", ".svg"):
        raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    _build(project, references)
    with connect(read_only=True) as connection:
        rows = connection.execute(_LEADERBOARD, {"benchmark": benchmark}).fetchall()
        show(_table(rows))
        figure = plots.draw(connection, "leaderboard", benchmark) if picture else None
    if picture and figure:
        plots.save(figure, picture)
        click.echo(f"drawn: {picture}")


def _table(rows: list[tuple[Any, ...]]) -> Table:
    table = Table(
        "benchmark", "asked", "metric", "rank", "model", "score", "target", "n", "not scored"
    )
    for row in rows:
        name, task, condition, matcher, metric, rank, model, run, value, deviation, *rest = row
        unit, target, is_met, *ns = rest
        suffix = " %" if unit == "percent" else ""
        digits = 2 if unit == "percent" else 4
        spread = "" if deviation is None else f" ± {deviation:.{digits}f}"
        table.add_row(
            name,
            f"{task.replace('_', ' ')}, {condition}, {matcher}",
            metric,
            str(rank),
            model if run == "default" else f"{model} ({run})",
            f"{value:.{digits}f}{spread}{suffix}",
            "" if target is None else f"{target:g} {'met' if is_met else 'missed'}",
            *(f"{n:,}" for n in ns),
        )
    return table


def _build(project: Path, references: bool) -> None:
    # in a process of its own, which lets go of the warehouse when it ends
    arguments = [
        "--quiet", "build", "--select", "+tag:evaluation",
        "--exclude-resource-type", "test", "unit_test",
        "--project-dir", str(project), "--profiles-dir", str(project / "profiles"),
        "--vars", f"{{evaluation_reference_answers: {str(references).lower()}}}",
    ]  # fmt: skip
    command_line = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *arguments]
    process = subprocess.run(command_line, check=False)  # noqa: S603
    if process.returncode != 0:
        raise GainsayError("the build failed; dbt says above why, and in logs/dbt.log")
