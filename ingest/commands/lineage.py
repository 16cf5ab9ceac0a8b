"""`gainsay lineage`: where a column comes from."""

from pathlib import Path

import click

from ingest.errors import GainsayError
from ingest.lineage import column_edges, land_edges
from ingest.project import compile_project
from ingest.tables import show
from ingest.tracing import trace
from ingest.warehouse import connect, warehouse_path


@click.command()
@click.option("--rows", "with_rows", is_flag=True, help="Also show what decides the model's rows.")
@click.option("--land", is_flag=True, help="Land the steps of all columns, for SQL.")
@click.option(
    "--project",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml.",
)
@click.argument("column", metavar="[MODEL.COLUMN]", required=False)
def command(column: str | None, with_rows: bool, land: bool, project: Path) -> None:
    """Trace a column through all models down to raw tables, seeds and literals.

    Each branch is one step: `passed` on as it is, `derived` from, `counted` rows, a `constant`.
    Reads the models' SQL and no warehouse; --land puts the steps of all columns into one, where
    the next build makes audit__column_lineage of them.
    """
    if not column and not land:
        raise click.UsageError("expected MODEL.COLUMN, or --land")
    if land and not warehouse_path().exists():
        raise GainsayError(
            f"{warehouse_path()}: no warehouse to land in; run `gainsay land PATH...` first, or"
            " set GAINSAY_DB"
        )
    compiled = compile_project(project)
    edges = column_edges(compiled)
    if column:
        show(trace(edges, column, with_rows=with_rows))
    if land:
        with connect() as connection:
            n_edges = land_edges(connection, edges, compiled.code_fingerprint())
        click.echo(
            f"{n_edges:,} steps landed; the next `dbt build` makes audit__column_lineage of them"
        )
