"""`gainsay funnel`: where candidates ended."""

from pathlib import Path

import click

from gainsay.cli.tables import show
from gainsay.inspect import funnel as funnels
from gainsay.report import plots
from gainsay.warehouse.connection import connect


@click.command()
@click.option(
    "--benchmark", default="conflict_suite", show_default=True, help="Whose funnel to show."
)
@click.option(
    "--picture",
    "pictures",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw the funnel into this file (.png or .svg); may be given more than once.",
)
def command(benchmark: str, pictures: tuple[Path, ...]) -> None:
    """Show how many candidates each screening stage kept and dropped."""
    for picture in pictures:
        if picture.suffix not in (".png", ".svg"):
            raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    with connect(read_only=True) as connection:
        show(funnels.as_table(funnels.read_funnel(connection, benchmark), benchmark))
        for picture in pictures:
            plots.save(plots.draw(connection, "funnel", benchmark), picture)
            click.echo(f"drawn: {picture}")
