"""`gainsay score`: from landed answers to a leaderboard."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import click
import duckdb
from rich.table import Table

from gainsay.cli.tables import show
from gainsay.errors import GainsayError
from gainsay.project.folder import project_folder
from gainsay.report import plots
from gainsay.warehouse.connection import connect, warehouse_path

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
    help="The folder of dbt_project.yml, if neither this one nor gainsay's own.",
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
    _build(project or project_folder(), references, is_built)
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


def _missing(connection: duckdb.DuckDBPyConnection) -> set[str]:
    """The tables of benchmarks that the evaluation reads and the warehouse lacks."""
    rows = connection.execute("select table_name from information_schema.tables").fetchall()
    return _READ_TABLES - {name for (name,) in rows}


def _build(project: Path, references: bool, is_built: bool) -> None:
    selected = _ANSWERS if is_built else ("+tag:evaluation",)
    # in a process of its own, which lets go of the warehouse when it ends
    arguments = [
        "--quiet", "build", "--select", *selected,
        "--exclude-resource-type", "test", "unit_test",
        "--project-dir", str(project), "--profiles-dir", str(project / "profiles"),
        "--vars", f"{{evaluation_reference_answers: {str(references).lower()}}}",
    ]  # fmt: skip
    command_line = [sys.executable, "-c", "from dbt.cli.main import cli; cli()", *arguments]
    # dbt works in the project's folder
    environment = os.environ | {"GAINSAY_DB": str(warehouse_path().resolve())}
    process = subprocess.run(command_line, env=environment, check=False)  # noqa: S603
    if process.returncode != 0:
        raise GainsayError("the build failed; dbt says above why, and in logs/dbt.log")
