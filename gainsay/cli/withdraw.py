"""`gainsay withdraw`: take a picture down."""

import os
from pathlib import Path

import click

from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.withdrawals import put_back, read_withdrawals, remove_bytes, withdraw


@click.command()
@click.option("--reason", help="Why, in words; the records of the picture drop with it.")
@click.option("--undo", is_flag=True, help="Put pictures back that were taken down.")
@click.option("--list", "is_listed", is_flag=True, help="Show what was taken down.")
@click.option(
    "--renderings",
    envvar="GAINSAY_RENDERINGS",
    default="data/renderings",
    show_default=True,
    help="Where edited pictures lie; those of the picture are removed.",
)
@click.option(
    "--exports",
    multiple=True,
    default=lambda: [os.environ.get("GAINSAY_EXPORTS", "data/exports")],
    show_default="GAINSAY_EXPORTS, or data/exports",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where exports and deliveries lie, at any depth; several times. Files that are the"
    " picture are removed.",
)
@click.argument("image_ids", nargs=-1, metavar="SOURCE_IMAGE_ID...")
def command(
    *,
    reason: str | None,
    undo: bool,
    is_listed: bool,
    renderings: str,
    exports: tuple[Path, ...],
    image_ids: tuple[str, ...],
) -> None:
    """Take pictures down: a row that every build honours, and files that go at once.

    From the next build on nothing is rendered or exported of SOURCE_IMAGE_ID (`coco-<number>` for
    COCO), and records that show it drop with the reason picture_withdrawn. Its renderings, and its
    files in exports and deliveries, are removed now, by their names and by what was written. No
    page shows it from now on, and no server is asked about it. Tables of an export hold its
    records, and Parquet and TSV its bytes, until it is written anew: these are named, and so are
    releases and the landed file, which stay. Reports, releases and copies that lie elsewhere hold
    it until they are made anew.
    """
    if is_listed:
        with connect(read_only=True) as connection:
            for picture in read_withdrawals(connection):
                click.echo(f"{picture.source_image_id}: {picture.reason}")
        return
    if not image_ids:
        raise click.UsageError("name the pictures, such as coco-139")
    if undo:
        with connect() as connection:
            n_back = put_back(connection, image_ids)
        click.echo(f"pictures put back: {n_back:,}; next: gainsay build")
        return
    if not reason or not reason.strip():
        raise GainsayError("no reason; say why with --reason, for those who ask where it went")
    with connect() as connection:
        n_new = withdraw(connection, image_ids, reason.strip())
        found = remove_bytes(connection, image_ids, renderings, exports)
    click.echo(f"pictures taken down: {n_new:,}, files removed: {len(found.removed):,}")
    for folder in found.exports:
        click.echo(f"{folder}: its tables may hold a picture until the export is written anew")
    for folder in found.releases:
        click.echo(f"{folder}: is a release, which may hold a picture until it is released anew")
    for file in found.changed:
        click.echo(f"{file}: was changed since gainsay wrote it, and stays")
    for file in found.landed:
        click.echo(f"{file}: is the landed picture, or has its bytes, and stays")
    click.echo("what lies elsewhere is not searched: reports, releases, copies, caches of browsers")
    click.echo(
        f"{renderings}: may hold what former builds rendered of it, which no table names any more;"
        " the folder may be deleted, the next build renders what it needs"
    )
    click.echo("next: gainsay build, then export and release anew what held them")
