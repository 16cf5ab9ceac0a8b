"""`gainsay plot`: scores as pictures."""

from pathlib import Path

import click

from gainsay.foundation.connection import connect
from gainsay.report import plots

_HELP = """Draw KIND into every PICTURE (.png or .svg).

\b
funnel         what every stage of screening dropped and left
modality       whom models follow where picture and caption disagree (CLASH)
risk-coverage  risk by the share of questions answered, the surest first
reliability    how often answers are right, by how sure the model is
severity       accuracy by the severity of the corrupted picture
leaderboard    the main metric of a benchmark with its deviation, by model
"""


@click.command(help=_HELP)
@click.option("--benchmark", help="Which benchmark; needed where several are there.")
@click.option("--split", help="Draw the leaderboard of this split, or of all answers (all).")
@click.argument("kind", metavar="KIND", type=click.Choice(list(plots.PLOTS)))
@click.argument(
    "pictures", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path)
)
def command(
    benchmark: str | None, split: str | None, kind: str, pictures: tuple[Path, ...]
) -> None:
    """Draw a kind of plot into every picture."""
    for picture in pictures:
        if picture.suffix not in (".png", ".svg"):
            raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    with connect(read_only=True) as connection:
        figure = plots.draw(connection, kind, benchmark, split)
    for picture in pictures:
        plots.save(figure, picture)
        click.echo(f"drawn: {picture}")
