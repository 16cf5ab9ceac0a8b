"""`gainsay funnel`: where candidates ended."""

from itertools import groupby
from pathlib import Path

import click
from rich.table import Table

from gainsay.cli.tables import show
from gainsay.foundation.connection import connect
from gainsay.inspect import funnel as funnels
from gainsay.inspect.freshness import changes, warning
from gainsay.report import plots


@click.command()
@click.option(
    "--benchmark", default="conflict_suite", show_default=True, help="Whose funnel to show."
)
@click.option(
    "--picture",
    "pictures",
    multiple=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Also draw the funnel (of several screenings the first) into this file (.png or .svg);"
    " may be given more than once.",
)
def command(benchmark: str, pictures: tuple[Path, ...]) -> None:
    """Show how many candidates each screening stage kept and dropped."""
    for picture in pictures:
        if picture.suffix not in (".png", ".svg"):
            raise click.BadParameter(f"{picture}: expected a name that ends in .png or .svg")
    with connect(read_only=True) as connection:
        rows = funnels.read_funnel(connection, benchmark)
        if newer := warning(changes(connection, [f"{benchmark}__screened"])):
            click.echo(newer, err=True)
        for screening, screening_rows in funnels.by_screening(rows).items():
            title = benchmark if screening == benchmark else f"{benchmark}, {screening}"
            show(funnel_table(screening_rows, title))
        for picture in pictures:
            plots.save(plots.draw(connection, "funnel", benchmark), picture)
            click.echo(f"drawn: {picture}")


def funnel_table(rows: list[funnels.FunnelRow], title: str) -> Table:
    """A screening's funnel as a table, one line per stage, reason and family, with a total."""
    n_candidates = sum(row.n for row in rows)
    table = Table(title=f"{title}: {n_candidates:,} candidates", title_justify="left")
    for header in ("stage", "reason", "family"):
        table.add_column(header)
    for header in ("n", "share"):
        table.add_column(header, justify="right")
    for stage, group in groupby(rows, key=lambda row: row.stage):
        for row in group:
            style = "bold" if stage == "retained" else None
            table.add_row(
                row.stage, row.reason, row.family, f"{row.n:,}", f"{row.share:.1%}", style=style
            )
        table.add_section()
    return table
