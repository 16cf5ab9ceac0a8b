"""`gainsay land`: official annotation files into the raw tables."""

import time
from pathlib import Path

import click
from rich.table import Column, Table

from gainsay.cli.progress import progress
from gainsay.cli.raw_tables import MEMORY_OF_A_LANDING, opened_tables, target_option
from gainsay.cli.tables import show
from gainsay.ingest.decoding import decoders
from gainsay.ingest.files import find_sources, names_of
from gainsay.ingest.landing import Landing, land
from gainsay.ingest.question_sets import QUESTION_SETS


@click.command()
@click.argument(
    "paths", nargs=-1, required=True, metavar="PATH...", type=click.Path(path_type=Path)
)
@target_option
@click.option(
    "--question-set",
    type=click.Choice(sorted(QUESTION_SETS)),
    help="Read the files of this set of questions, by their authors' names.",
)
def command(paths: tuple[Path, ...], target: str, question_set: str | None) -> None:
    """Land official VQA v2.0, COCO and GQA annotation files in the raw tables.

    A PATH is such a file (.json, .json.gz, or a .zip with some inside) or a folder to search.
    Everything named in one call lands, or nothing does. Files landed before with the same
    content are left as they are; with another content their rows are replaced.
    """
    started = time.monotonic()
    found = find_sources(paths, names_of(question_set))
    total = sum(source.size for source in found.sources)
    layouts = [source.official.layout for source in found.sources]
    with (
        # first of all, while this process is small and has one thread
        decoders(layouts, total) as decoding,
        opened_tables(target, MEMORY_OF_A_LANDING) as sink,
        progress("landing, bytes", total) as advance,
    ):
        landings = land(sink, found.sources, advance, decoding)
    show(_summary(landings))
    ignored = f", {found.n_ignored:,} other files ignored" if found.n_ignored else ""
    if found.n_of_systems:
        ignored += f", {found.n_of_systems:,} files of macOS or Windows left out"
    click.echo(f"{time.monotonic() - started:.1f} s{ignored}")
    for landing in landings:
        if landing.is_cut_short:
            click.echo(
                f"{landing.source.path}: the last line is cut short, and what came behind it is"
                " missing; fetch or write the file anew and land it again",
                err=True,
            )
    if n_left_empty := sum(landing.n_left_empty for landing in landings):
        click.echo(f"{n_left_empty:,} odd values of optional fields left empty", err=True)
    if n_left_empty or any(landing.n_rejected for landing in landings):
        click.echo("reasons: gainsay sql 'select * from raw.rejected_records'", err=True)


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
