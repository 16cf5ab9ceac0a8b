"""`gainsay reality-check`: what VLM Reality Check alone has."""

from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from gainsay.cli.tables import show
from gainsay.exports.reality_check import export_reality_check
from gainsay.foundation.connection import connect
from gainsay.project.folder import project_folder


@click.group()
def command() -> None:
    """Export VLM Reality Check as its source protocol has it, and measure what its gates ask."""


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


@command.command("probe")
@click.option(
    "--exported",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="A folder of `gainsay reality-check export` to look at; one is made without it.",
)
def probe(exported: Path | None) -> None:
    """Measure for the quality gates what no query does, and land it.

    Make's targets, pictures of noise that are told apart, downloads and annotations that are made
    once, and the files of an export; `dbt build --select reality_check__quality_gates` takes it up.
    """
    from gainsay.inspect.reality_check_probes import probe as measure
    from ingest.probes import land_probes

    with connect(read_only=True) as connection:
        measured = measure(connection, project_folder(), exported)
    with connect() as connection:
        land_probes(connection, measured)
    table = Table("gate", "check", "measured", "", "what was looked at")
    for each in measured:
        state = {True: "passes", False: "fails", None: "not measured"}[each.is_passed]
        style = {True: "green", False: "bold red", None: "yellow"}[each.is_passed]
        table.add_row(
            each.gate_id, each.check_name, each.measured or "", Text(state, style), each.evidence
        )
    show(table)
    click.echo("next: dbt build --select reality_check__quality_gates")
