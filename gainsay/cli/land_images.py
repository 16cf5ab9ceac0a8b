"""`gainsay land-images`: pictures into the raw tables."""

import time
from collections.abc import Iterator
from contextlib import contextmanager

import click

from gainsay.cli.progress import progress
from gainsay.cli.raw_tables import target_option
from gainsay.foundation.connection import connect
from gainsay.project.folder import project_vars
from ingest.image_files import ImageRows, find_images, land_images
from ingest.sinks.duckdb_images import DuckDbImages
from python_udfs.pixels.image_files import ImageLimits


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("--max-bytes", type=click.IntRange(min=1), help="[default: var max_image_bytes]")
@click.option("--max-pixels", type=click.IntRange(min=1), help="[default: var max_image_pixels]")
@target_option
def command(
    paths: tuple[str, ...], max_bytes: int | None, max_pixels: int | None, target: str
) -> None:
    """Land the image files at PATH... in the raw tables.

    A PATH is an image file, a folder to search, or a zip archive with images inside, on this
    machine or in an object store (s3://bucket/folder). Pictures
    stay where they are; what lands is one row per file: its size, format, hashes and EXIF, or
    why it cannot be used. A landing that was stopped goes on where it was. Files that have not
    changed are not read again.
    """
    started = time.monotonic()
    defaults = project_vars()
    limits = ImageLimits(
        max_bytes or defaults["max_image_bytes"], max_pixels or defaults["max_image_pixels"]
    )
    found = find_images(paths, limits)
    with _image_rows(target) as rows, progress("landing, images", len(found.files)) as advance:
        landing = land_images(rows, found.files, paths, limits, advance)
    for kind, count in landing.errors.items():
        click.echo(f"{count:,} x {kind}")
    click.echo(
        f"{landing.n_read:,} images landed, {landing.n_unchanged:,} unchanged,"
        f" {landing.n_gone:,} gone, {found.n_ignored:,} other files ignored,"
        f" {time.monotonic() - started:.1f} s"
    )
    if landing.errors:
        click.echo(
            "reasons: gainsay sql 'select path, error_kind, error from raw.image_files"
            " where error_kind is not null'",
            err=True,
        )


@contextmanager
def _image_rows(target: str) -> Iterator[ImageRows]:
    if target == "spark":
        from gainsay.spark.session import spark_session
        from ingest.sinks.spark_images import SparkImages

        with spark_session() as session:
            yield SparkImages(session)
    else:
        with connect() as connection:
            yield DuckDbImages(connection)
