"""`gainsay land-images`: pictures into the raw tables."""

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.cli.raw_tables import target_option
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import printable
from gainsay.foundation.renderings import renderings_folder
from gainsay.ingest.files import Source
from gainsay.ingest.image_files import (
    FoundImages,
    ImageRows,
    KnownElsewhere,
    find_images,
    forget_images,
    known_elsewhere,
    land_images,
    searched_folder,
)
from gainsay.ingest.landing import Landing
from gainsay.ingest.own_pictures import (
    Matched,
    OwnTables,
    annotation_source,
    forget_folders,
    land_own,
    match_annotations,
)
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.sinks.duckdb_images import DuckDbImages
from gainsay.project.folder import project_vars
from gainsay.python_udfs.pixels.image_files import ImageLimits
from gainsay.python_udfs.storage import absolute, is_local, is_url

_REASONS = (
    "reasons: gainsay sql 'select path, error_kind, error from raw.image_files"
    " where error_kind is not null'"
)
_MOST_ENDINGS = 5
_file = click.Path(dir_okay=False, path_type=Path)


@click.command()
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option(
    "--annotations",
    multiple=True,
    type=_file,
    help="Objects or captions of these pictures, as JSON in COCO's format; several times.",
)
@click.option(
    "--manifest",
    type=_file,
    help="What is known of these pictures, a row each: CSV, JSON lines or Parquet.",
)
@click.option("--max-bytes", type=click.IntRange(min=1), help="[default: var max_image_bytes]")
@click.option("--max-pixels", type=click.IntRange(min=1), help="[default: var max_image_pixels]")
@click.option(
    "--forget", is_flag=True, help="Land nothing; forget what landed from these paths before."
)
@target_option
def command(
    paths: tuple[str, ...],
    annotations: tuple[Path, ...],
    manifest: Path | None,
    max_bytes: int | None,
    max_pixels: int | None,
    forget: bool,
    target: str,
    besides: Sequence[Path] = (),
) -> None:
    """Land the image files at PATH... in the raw tables.

    A PATH is an image file, a folder to search, or a zip archive with images inside, on this
    machine or in an object store (s3://bucket/folder). Pictures
    stay where they are; what lands is one row per file: its size, format, hashes and EXIF, or
    why it cannot be used. Exports, deliveries, releases and renderings below a PATH are left out.
    A landing that was stopped goes on where it was. Files that have not
    changed are not read again.

    Annotations are joined to pictures by `file_name`; a manifest has a column file, and any of
    caption, scene, taken_at, latitude, longitude, heading, license, author, url and split_group.
    """
    started = time.monotonic()
    if forget:
        _forget(paths, annotations, manifest, target)
        return
    defaults = project_vars()
    limits = ImageLimits(
        max_bytes or defaults["max_image_bytes"], max_pixels or defaults["max_image_pixels"]
    )
    sources = [annotation_source(path) for path in annotations]
    renderings = renderings_folder()
    if is_local(renderings):
        besides = (*besides, Path(absolute(renderings)))
    found = find_images(paths, limits, besides)
    for folder in found.left_out:
        click.echo(
            f"{printable(folder)}: the pictures that gainsay wrote there are left out; name the"
            " folder to land them",
            err=True,
        )
    with _opened(target) as (rows, tables):
        with progress("landing, images", len(found.files)) as advance:
            landing = land_images(rows, found.files, paths, limits, advance)
        elsewhere = known_elsewhere(rows, tables, found.files, limits)
        for kind, count in landing.errors.items():
            click.echo(f"{count:,} x {kind}")
        click.echo(
            f"{landing.n_read:,} images landed, {landing.n_unchanged:,} unchanged,"
            f" {landing.n_gone:,} gone, {found.n_ignored:,} other files ignored"
            f"{_listed(found.ignored)}, {time.monotonic() - started:.1f} s"
        )
        if found.n_of_systems:
            click.echo(
                f"{found.n_of_systems:,} files of macOS or Windows (._x, Thumbs.db) left out"
            )
        if landing.errors:
            click.echo(_REASONS, err=True)
        for line in _of_other_places(elsewhere):
            click.echo(line, err=True)
        if sources or manifest:
            _land_own(tables, paths, found, sources, manifest)
        else:
            # pictures may have come that annotations which landed before name
            match_annotations(tables, list(map(searched_folder, paths)), found.files)
    if sum(landing.errors.values()) == len(found.files):
        raise GainsayError(
            f"none of the {len(found.files):,} images can be used; their rows say why"
        )


def _forget(
    paths: Sequence[str], annotations: Sequence[Path], manifest: Path | None, target: str
) -> None:
    """Forget the pictures at paths, which need not be there, and what was said of them."""
    if annotations or manifest:
        raise GainsayError("--forget lands nothing; leave --annotations and --manifest out")
    with _opened(target) as (rows, tables):
        n_forgotten = forget_images(rows, paths)
        if not n_forgotten:
            named = ", ".join(map(printable, paths))
            raise GainsayError(f"{named}: no picture landed from here; see raw.image_files")
        folders = [path if is_url(path) else printable(Path(path).absolute()) for path in paths]
        forget_folders(tables, [folder.rstrip("/") for folder in folders])
    click.echo(f"{n_forgotten:,} images forgotten; the files stay as they are")


def _of_other_places(elsewhere: KnownElsewhere) -> Iterator[str]:
    """What somebody should know of pictures that are known by other places or names."""
    for folder, n_images in elsewhere.gone.items():
        yield (
            f"{n_images:,} of these pictures landed from {folder} before, where they are no longer;"
            f" they are read here. To forget that folder: gainsay land-images --forget {folder}"
        )
    if elsewhere.n_unlisted:
        yield (
            f"{elsewhere.n_unlisted:,} pictures have names of COCO's, and no landed file of COCO"
            " names them: they are your own, until it lands"
        )
    if elsewhere.n_misshapen:
        yield (
            f"{elsewhere.n_misshapen:,} pictures have names of COCO's and another shape than its"
            " files say: they are your own"
        )
    if elsewhere.n_of_several:
        yield (
            f"{elsewhere.n_of_several:,} names of COCO's are of several files that differ: COCO's"
            " is the one of its size, then the one in a folder such as val2014; where that leaves"
            " several pictures, none is, and all are your own. Rename your own"
        )
    if elsewhere.n_unlisted or elsewhere.n_misshapen or elsewhere.n_of_several:
        yield "which and why: not_cocos_because in staging.stg_images__files, after a build"


def _listed(endings: Mapping[str, int]) -> str:
    """How many files there are of each end of their names, the most frequent first."""
    listed = [f"{n:,} {ending}" for ending, n in endings.items()][:_MOST_ENDINGS]
    return f" ({', '.join(listed)})" if listed else ""


def _land_own(
    tables: OwnTables,
    paths: Sequence[str],
    found: FoundImages,
    sources: Sequence[Source],
    manifest: Path | None,
) -> None:
    """Land what files say of the pictures, and tell what came of it."""
    folders = list(dict.fromkeys(map(searched_folder, paths)))
    with progress("landing, bytes of annotations", sum(each.size for each in sources)) as advance:
        landed = land_own(
            tables, folders, found.files, annotations=sources, manifest=manifest, advance=advance
        )
    for each, matched in zip(landed.annotations, landed.matches, strict=True):
        left_empty = f" {each.n_left_empty:,} odd values left empty," if each.n_left_empty else ""
        click.echo(
            f"{each.source.path}: {each.n_records:,} annotations, {each.n_rejected:,} rejected,"
            f"{left_empty} {each.state}"
        )
        for line in _told(matched):
            click.echo(f"{each.source.path}: {line}", err=True)
    rejected = sum(each.n_rejected + each.n_left_empty for each in landed.annotations)
    if landed.manifest:
        rejected += landed.manifest.n_rejected
        click.echo(
            f"{manifest}: {landed.manifest.n_records:,} rows of pictures,"
            f" {landed.manifest.n_rejected:,} errors"
        )
        if landed.manifest.ignored:
            ignored = ", ".join(name[:40] for name in landed.manifest.ignored[:20])
            click.echo(f"{manifest}: columns that nothing reads: {ignored}", err=True)
    if rejected:
        click.echo("reasons: gainsay sql 'select * from raw.rejected_records'", err=True)
    for each, matched in zip(landed.annotations, landed.matches, strict=True):
        _require_annotated(each, matched)
    if landed.manifest and not landed.manifest.n_records:
        raise GainsayError(
            f"{manifest}: no row says anything of a picture here: {landed.manifest.problem}; the"
            " column file names each by its path in the folder"
        )


def _told(matched: Matched) -> Iterator[str]:
    """What of a file of annotations somebody should look at."""
    n_missed = matched.n_images - matched.n_found - matched.n_several
    if matched.n_respelled or n_missed or matched.n_several:
        yield (
            f"of {matched.n_images:,} images {matched.n_found:,} are pictures here"
            f" ({matched.n_respelled:,} by another spelling of their name), {n_missed:,} are none,"
            f" {matched.n_several:,} could be several; a row each in raw.own_matches"
        )
    if matched.n_boxes and matched.n_of_shares == matched.n_boxes:
        yield (
            "all boxes lie within 0 and 1, as shares of the picture do; they are read as pixels, of"
            " which a box has at least one: multiply them by the picture's width and height"
        )
    if matched.n_shared_ids:
        yield (
            f"{matched.n_shared_ids:,} ids are of several images, or of several categories, by"
            " their names; which one an annotation means is not known"
        )
    if matched.n_unnamed:
        yield (
            f"{matched.n_unnamed:,} objects are of a category that its list `categories` lacks, an"
            " object with id and name each"
        )


def _require_annotated(landing: Landing, matched: Matched) -> None:
    """Raise `GainsayError` where annotations say nothing of a picture here."""
    if not landing.n_records:
        raise GainsayError(
            f"{landing.source.path}: its list `annotations` is empty; expected an object for each"
            " box (id, image_id, category_id, bbox) or caption (id, image_id, caption)"
        )
    if not matched.n_boxes and not matched.n_captions:
        raise GainsayError(
            f"{landing.source.path}: none of its annotations has a `bbox` (x, y, width, height) or"
            " a `caption`"
        )
    if not matched.n_annotated:
        named = ", ".join(matched.missed) or "none"
        raise GainsayError(
            f"{landing.source.path}: no annotation is of a picture here: `file_name` of its images"
            f" is {named}, pictures here are {', '.join(matched.present)}; `image_id` names the"
            " `id` of an image of the file"
        )


@contextmanager
def _opened(target: str) -> Iterator[tuple[ImageRows, OwnTables]]:
    if target == "spark":
        from gainsay.ingest.sinks.spark import SparkSink
        from gainsay.ingest.sinks.spark_images import SparkImages
        from gainsay.spark.session import spark_session

        with spark_session() as session:
            yield SparkImages(session), SparkSink(session)
    else:
        with connect() as connection:
            yield DuckDbImages(connection), DuckDbSink(connection)
