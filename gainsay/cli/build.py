"""`gainsay build`: dbt in the same process, what failed, and the funnel."""

import os
import sys
import time
from collections import defaultdict
from pathlib import Path

import click
import msgspec
from rich.table import Column, Table

from gainsay.cli.progress import dbt_progress
from gainsay.cli.tables import show
from gainsay.foundation.connection import connect, require_usable, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_writable
from gainsay.inspect.funnel import TOTALS, FunnelTotal, read_totals
from gainsay.project.building import Failure, Outcome, build
from gainsay.project.folder import project_folder
from gainsay.project.runner import build_folder
from gainsay.project.seeds import require_readable_seeds

_MOST_LINES = 12
NOTHING_SELECTED = (
    "nothing was built: nothing in the project is selected; `dbt ls` lists the names, and"
    " --select takes them"
)


@click.command(context_settings={"ignore_unknown_options": True})
@click.option(
    "--target",
    "-t",
    type=click.Choice(["dev", "spark"]),
    default="dev",
    show_default=True,
    help="Where to build: in DuckDB, or on Spark below GAINSAY_SPARK_WAREHOUSE.",
)
@click.option("--unit-tests", "has_unit_tests", is_flag=True, help="Run dbt's unit tests, too.")
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
@click.argument("dbt_arguments", nargs=-1, metavar="[DBT ARGUMENT]...", type=click.UNPROCESSED)
def command(
    target: str, has_unit_tests: bool, project: Path | None, dbt_arguments: tuple[str, ...]
) -> None:
    """Build the warehouse, as `dbt build` does, and show the funnel.

    Takes the arguments of dbt, such as `--select +clash__examples` or `--vars '{seed: 8}'`. Data
    tests run, unit tests where they are asked for. Ends with 1, and the query that shows the
    rows of each failed test, unless all went well. The whole log is in target/build/logs, and
    dbt's manifest.json and run_results.json, which `dbt retry` reads, are in target; with
    DBT_WRITE_JSON=false they are not written.

    In DuckDB a selection keeps to the benchmarks that the warehouse has, and to those that it
    names; what it reads and the warehouse lacks is built, too. Without a selection all is built.
    """
    arguments = [*dbt_arguments, "--target", target]
    if target == "spark":
        outcome = _on_spark(arguments, project)
    else:
        require_usable(warehouse_path())
        for folder in (warehouse_path().parent, build_folder()):
            require_writable(folder)
        outcome = run_build(
            _planned(arguments, project), project,
            has_unit_tests=has_unit_tests, has_artefacts=True,
        )  # fmt: skip
        if "audit__funnel" in outcome.built:
            show_funnel()
    if not outcome.is_success:
        sys.exit(1)


def _planned(arguments: list[str], project: Path | None) -> list[str]:
    from gainsay.project.keeping import planned

    require_readable_seeds(project_folder(project))
    plan = planned(arguments, project)
    if plan.sentence:
        click.echo(plan.sentence, err=True)
    return plan.arguments


def run_build(
    arguments: list[str],
    project: Path | None = None,
    *,
    has_unit_tests: bool = False,
    has_artefacts: bool = False,
    description: str = "building",
) -> Outcome:
    """Build with a display, and say in a few lines what came of it."""
    started = time.monotonic()
    require_readable_seeds(project_folder(project))
    with dbt_progress(description) as listen:
        outcome = build(
            arguments, project=project, listen=listen,
            has_unit_tests=has_unit_tests, has_artefacts=has_artefacts,
        )  # fmt: skip
    for failure in outcome.failures:
        show_failure(failure)
    if not outcome.statuses:
        raise GainsayError(NOTHING_SELECTED)
    click.echo(f"{_counts_text(outcome)} in {time.monotonic() - started:.1f} s")
    return outcome


def show_failure(failure: Failure) -> None:
    """Say what a node failed of, and the query that shows the rows of a test."""
    kind = failure.resource_type.replace("_", " ")
    click.echo(f"{failure.status}: {kind} {failure.name}", err=True)
    lines = failure.message.splitlines()
    for line in lines[:_MOST_LINES]:
        click.echo(f"    {line}", err=True)
    if len(lines) > _MOST_LINES:
        click.echo("    ...", err=True)
    if failure.resource_type == "test" and failure.compiled:
        path = os.path.relpath(failure.compiled)
        click.echo(f'    its rows: gainsay sql "$(cat {path})"', err=True)


def show_funnel() -> None:
    """Show what each stage of every benchmark dropped."""
    with connect(read_only=True) as connection:
        totals = read_totals(connection)
    show(_funnel(totals))


def _funnel(totals: list[FunnelTotal]) -> Table:
    table = Table(
        "benchmark", "stage", "reason", Column("n", justify="right"),
        Column("share", justify="right"),
    )  # fmt: skip
    shown = ""
    for total in totals:
        name = total.benchmark
        if total.screening != total.benchmark:
            name = f"{total.benchmark}, {total.screening}"
        if shown and name != shown:
            table.add_section()
        table.add_row(
            name if name != shown else "",
            total.stage,
            total.reason,
            f"{total.n:,}",
            f"{total.share:.1%}",
            style="bold" if total.stage == "retained" else None,
        )
        shown = name
    return table


def _counts_text(outcome: Outcome) -> str:
    """Such as `131 models, 412 tests; 2 tests fail`."""
    of_type: dict[str, int] = defaultdict(int)
    bad: dict[tuple[str, str], int] = {}
    for (kind, status), n in outcome.statuses.items():
        of_type[kind] += n
        if status not in ("success", "pass"):
            bad[kind, status] = n
    counts = ", ".join(f"{n:,} {_plural(kind, n)}" for kind, n in sorted(of_type.items()))
    ill = ", ".join(f"{n:,} {_plural(kind, n)} {status}" for (kind, status), n in bad.items())
    return counts + (f"; {ill}" if ill else "")


def _plural(kind: str, n: int) -> str:
    name = kind.replace("_", " ")
    return name if n == 1 else f"{name}s"


def _on_spark(arguments: list[str], project: Path | None) -> Outcome:
    from gainsay.exports.on_spark import write_exports
    from gainsay.spark.building import prepared_session

    with prepared_session() as session:
        # unit tests give rows in the words of DuckDB to what both engines read alike
        outcome = run_build(arguments, project, has_artefacts=True, description="building on Spark")
        write_exports(session, outcome.exports)
        if "audit__funnel" in outcome.built:
            rows = [row.asDict() for row in session.sql(TOTALS).collect()]
            show(_funnel(msgspec.convert(rows, list[FunnelTotal])))
    return outcome
