"""`gainsay lineage`: where a column comes from."""

from pathlib import Path

import click
import pyarrow as pa

from gainsay.cli.tables import show, tree_of
from gainsay.foundation.connection import connect, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.inspect.lineage import column_edges, edge_rows, land_edges
from gainsay.inspect.tracing import check_column, check_model, names_of, trace
from gainsay.project.compiled import compile_project, model_files, typed_columns
from gainsay.project.folder import project_folder


@click.command()
@click.option("--rows", "with_rows", is_flag=True, help="Also show what decides the model's rows.")
@click.option("--land", is_flag=True, help="Land the steps of all columns, for SQL.")
@click.option(
    "--target",
    type=click.Choice(["dev", "spark"]),
    default="dev",
    show_default=True,
    help="The tables of which dbt target to land in.",
)
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
@click.argument("column", metavar="[MODEL.COLUMN]", required=False)
def command(
    column: str | None, with_rows: bool, land: bool, target: str, project: Path | None
) -> None:
    """Trace a column through all models down to raw tables, seeds and literals.

    Each branch is one step: `passed` on as it is, `derived` from, `counted` rows, a `constant`.
    Reads the models' SQL and no warehouse; --land puts the steps of all columns into one, where
    the next build makes audit__column_lineage of them.
    """
    if not column and not land:
        raise click.UsageError("expected MODEL.COLUMN, or --land")
    if land and target == "dev" and not warehouse_path().exists():
        raise GainsayError(
            f"{warehouse_path()}: no warehouse to land in; run `gainsay land PATH...` first, or"
            " set GAINSAY_DB"
        )
    folder = project_folder(project)
    if column:
        _check(column, folder)
    compiled = compile_project(folder)
    edges = column_edges(compiled if land or not column else compiled.up_to(names_of(column)[0]))
    if column:
        show(tree_of(trace(edges, column, with_rows=with_rows)))
    if land:
        _land(edge_rows(edges, compiled.code_fingerprint()), target)
        click.echo(
            f"{len(edges):,} steps landed; the next build makes audit__column_lineage of them"
        )


def _check(name: str, folder: Path) -> None:
    """Tell a name that is not there before dbt compiles, as far as the project's files tell."""
    models = model_files(folder)
    check_model(name, models)
    if columns := typed_columns(models[names_of(name)[0]]):
        check_column(name, columns)


def _land(rows: pa.Table, target: str) -> None:
    if target == "spark":
        from gainsay.spark.session import spark_session
        from gainsay.spark.tables import replace_rows

        with spark_session() as session:
            replace_rows(session, "raw.column_edges", rows)
        return
    with connect() as connection:
        land_edges(connection, rows)
