"""`gainsay manifest`: take the seal of a benchmark along, and check against it later."""

import sys
from pathlib import Path

import click
from rich.table import Table

from gainsay.cli.tables import show
from gainsay.foundation.connection import connect
from gainsay.inspect import manifest as manifests
from gainsay.inspect.freshness import changes, warning

_benchmark = click.option(
    "--benchmark", default="conflict_suite", show_default=True, help="Whose manifest."
)
_protocol = click.option(
    "--protocol", help="Which protocol's manifest, where the benchmark has several."
)


@click.group()
def command() -> None:
    """Export the sealed manifest, or compare one with the warehouse."""


@command.command()
@_benchmark
@_protocol
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(benchmark: str, protocol: str | None, file: Path) -> None:
    """Write the manifest that the last build sealed to FILE, as JSON."""
    with connect(read_only=True) as connection:
        manifest = manifests.read_warehouse(connection, benchmark, sealed=True, protocol=protocol)
        if newer := warning(changes(connection, [f"{benchmark}__manifest"])):
            click.echo(newer, err=True)
    manifests.write_file(manifest, file)
    click.echo(f"{file}: {sum(map(len, manifest.values()))} items of {protocol or benchmark}")


@command.command()
@_benchmark
@_protocol
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def verify(benchmark: str, protocol: str | None, file: Path) -> None:
    """Compare the manifest in FILE with the warehouse as it is now.

    Hashes are computed anew from the examples and vocabularies; nothing is built. Exits
    with 1 and lists what differs unless every entry agrees.
    """
    in_file = manifests.read_file(file)
    with connect(read_only=True) as connection:
        in_warehouse = manifests.read_warehouse(
            connection, benchmark, sealed=False, protocol=protocol
        )
    differences = manifests.compare(in_file, in_warehouse)
    if not differences:
        click.echo(f"{file}: every entry agrees with the warehouse")
        return

    table = Table("section", "item", "measure", "in the file", "in the warehouse")
    for difference in differences:
        table.add_row(*("absent" if value is None else value for value in difference))
    show(table)
    click.echo(f"{file}: {len(differences)} entries differ from the warehouse", err=True)
    sys.exit(1)
