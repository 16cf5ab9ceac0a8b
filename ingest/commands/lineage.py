"""`gainsay lineage`: where a column comes from."""

from pathlib import Path

import click

from ingest.lineage import column_edges
from ingest.project import compile_project
from ingest.tables import show
from ingest.tracing import trace


@click.command()
@click.option("--rows", "with_rows", is_flag=True, help="Also show what decides the model's rows.")
@click.option(
    "--project",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml.",
)
@click.argument("column", metavar="MODEL.COLUMN")
def command(column: str, with_rows: bool, project: Path) -> None:
    """Trace a column through all models down to raw tables, seeds and literals.

    Each branch is one step: `passed` on as it is, `derived` from, `counted` rows, a `constant`.
    Reads the models' SQL, no warehouse.
    """
    show(trace(column_edges(compile_project(project)), column, with_rows=with_rows))
