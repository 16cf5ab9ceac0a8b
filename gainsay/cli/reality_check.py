"""`gainsay reality-check`: what VLM Reality Check alone has."""

from pathlib import Path

import click

from gainsay.exports.reality_check import export_reality_check
from gainsay.warehouse.connection import connect


@click.group()
def command() -> None:
    """Export VLM Reality Check in the layout of its source protocol."""


@command.command("export")
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def export(folder: Path) -> None:
    """Write configuration, images, annotations, challenges and the sample for people.

    FOLDER gets configs/ and data/ as the source protocol's own scripts read them; files of these
    names are replaced, others stay.
    """
    with connect(read_only=True) as connection:
        for name, n_rows in export_reality_check(connection, folder).items():
            click.echo(f"{folder / name}: {n_rows:,}")
