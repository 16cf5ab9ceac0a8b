"""`gainsay land`: official annotation files into the raw tables."""

import time
from pathlib import Path

import click
from rich.table import Column, Table

from ingest.files import find_sources
from ingest.landing import Landing, land
from ingest.progress import progress
from ingest.tables import show
from ingest.warehouse import connect


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path)
)
def command(paths: tuple[Path, ...]) -> None:
    """Land official VQA v2.0 and COCO annotation files in the raw tables.

    A PATH is such a file (.json, .json.gz, or a .zip with some inside) or a folder to search.
    Everything named in one call lands, or nothing does. Files landed before with the same
    content are left as they are; with another content their rows are replaced.
    """
    started = time.monotonic()
    found = find_sources(paths)
    total = sum(source.size for source in found.sources)
    with connect() as connection, progress("landing, bytes", total) as advance:
        landings = land(connection, found.sources, advance)
    show(_summary(landings))
    ignored = f", {found.n_ignored:,} other files ignored" if found.n_ignored else ""
    click.echo(f"{time.monotonic() - started:.1f} s{ignored}")


def _summary(landings: list[Landing]) -> Table:
    table = Table(
        "file",
        "kind",
        Column("records", justify="right"),
        Column("rejected", justify="right"),
        "state",
    )
    for landing in landings:
        official = landing.source.official
        table.add_row(
            official.name,
            official.layout.kind,
            f"{landing.n_records:,}",
            f"{landing.n_rejected:,}",
            landing.state,
        )
    return table
