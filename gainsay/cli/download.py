"""`gainsay download`: the official archives."""

from pathlib import Path

import click
from rich.table import Column, Table

from gainsay.cli.progress import progress
from gainsay.cli.tables import show
from gainsay.ingest.collect.download import (
    download,
    download_network,
    official_archives,
    published_networks,
)

_ARCHIVES, _NETWORKS = Path("data/official"), Path("data/networks")


@click.command()
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--coco-year",
    type=click.Choice(["2014", "2017"]),
    default="2014",
    show_default=True,
    help="Which of COCO's two arrangements of the same images; VQA v2.0 speaks of 2014.",
)
@click.option("--images", "has_images", is_flag=True, help="Fetch the photographs too (20 GB).")
@click.option(
    "--network",
    "networks",
    multiple=True,
    type=click.Choice([*published_networks()]),
    help="Fetch this network in place of archives, into data/networks; several times.",
)
def command(
    folder: Path | None, coco_year: str, has_images: bool, networks: tuple[str, ...]
) -> None:
    """Fetch the official VQA v2.0 and COCO archives into FOLDER (default: data/official).

    Each is verified by its sha256. One that is there already is not fetched again; one that
    was interrupted goes on where it stopped.
    """
    if networks:
        _download_networks(networks, folder or _NETWORKS)
        return
    folder = folder or _ARCHIVES
    archives = [
        archive
        for archive in official_archives()
        if archive.coco_year in (None, int(coco_year)) and (has_images or archive.holds != "images")
    ]
    with progress("download, bytes", sum(archive.size for archive in archives)) as advance:
        states = download(archives, folder, advance)
    table = Table("archive", Column("bytes", justify="right"), "state")
    for archive, state in zip(archives, states, strict=True):
        table.add_row(archive.name, f"{archive.size:,}", f"{state}, sha256 agrees")
    show(table)
    click.echo(f"next: gainsay land {folder}")


def _download_networks(keys: tuple[str, ...], folder: Path) -> None:
    chosen = [published_networks()[key] for key in dict.fromkeys(keys)]
    table = Table("network", "license", Column("bytes", justify="right"), "state")
    paths = {}
    with progress("download, bytes", sum(network.size for network in chosen)) as advance:
        for network in chosen:
            paths[network.var], state = download_network(network, folder, advance)
            told = f"{state}, sha256 agrees"
            table.add_row(network.key, network.license, f"{network.size:,}", told)
    show(table)
    named = ", ".join(f"{var}: {path}" for var, path in paths.items())
    click.echo(f"next: gainsay build --vars '{{{named}}}'")
