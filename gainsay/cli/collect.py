"""`gainsay collect`: images of online sources, listed, chosen in SQL, and fetched."""

import csv
import io
import math
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.table import Column, Table

from gainsay.cli.progress import progress, progress_of_each
from gainsay.cli.tables import show
from gainsay.foundation.connection import connect, warehouse_path
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.http import checked_address, secret_of_environment
from gainsay.foundation.named_files import read_text
from gainsay.foundation.progress import Advance
from gainsay.ingest.collect import files, streetview, wikimedia
from gainsay.ingest.collect.client import Client, Clock, Hosts, Pace, SystemClock
from gainsay.ingest.collect.fetching import (
    Counts,
    Folder,
    Opened,
    Request,
    Wanted,
    fetch,
    openimages_addresses,
    plain_addresses,
    wikimedia_addresses,
)
from gainsay.ingest.collect.layouts import CollectionCursor
from gainsay.ingest.collect.listing import SKIPPED_NO_KEY, Warehouse, alone, replace_cursor
from gainsay.ingest.sinks.duckdb import transaction
from gainsay.project.folder import project_folder, project_vars
from gainsay.python_udfs.installing import own_version

_SOURCES = ("wikimedia", "openimages", "streetview", "yfcc")
_HOSTS = {
    "wikimedia": wikimedia.HOSTS,
    "openimages": ("open-images-dataset.s3.amazonaws.com", ".staticflickr.com", ".flickr.com"),
    "streetview": streetview.HOSTS,
    "yfcc": (".staticflickr.com", ".flickr.com"),
}
# a listing is larger than what is chosen of it, because filters and duplicates take their part
_LISTED_FOR_EACH_WANTED = 2
# Street View: points that are asked for in each city
_POINTS_PER_CITY = 50
# seconds between tries, and the longest wait that a server may ask for
_RETRY_PAUSES = (1, 2, 4)
_LONGEST_RETRY_AFTER = 600
# the public copy of Open Images' pictures
_OPENIMAGES_URL = "https://open-images-dataset.s3.amazonaws.com/{subset}/{image_id}.jpg"

_base_url = click.option(
    "--base-url",
    metavar="URL",
    help="Ask this origin instead of the source's hosts: a mirror, or a test's server.",
)


@click.group()
def command() -> None:
    """Collect images of online sources for VLM Reality Check.

    Four steps, each of which goes on where it was stopped: list (what a source says of its images
    lands in raw tables), choose (`dbt build --select +reality_check__wanted_images`, with a reason
    for every image that is left out), fetch, and `gainsay land-images`.
    """


@command.command("list")
@click.argument("source", type=click.Choice(_SOURCES))
@click.argument("paths", nargs=-1, metavar="[FILES]...", type=click.Path(path_type=Path))
@click.option("--limit", type=click.IntRange(min=1), help="List so many images at most.")
@click.option("--share", type=click.FloatRange(0, 1, min_open=True),
              help="YFCC100M: keep this share of its groups.  [default: var reality_check_yfcc_share]")  # fmt: skip # noqa: E501
@_base_url
def list_images(
    source: str, paths: tuple[Path, ...], limit: int | None, share: float | None,
    base_url: str | None,
) -> None:  # fmt: skip
    """List what SOURCE says of its images in the raw tables; nothing is filtered here.

    wikimedia walks the topics of the seed reality_check_wikimedia_queries; streetview asks which
    panoramas there are (STREET_VIEW_API_KEY), and stores no picture; openimages and yfcc read the
    FILES that their authors publish.
    """
    if bool(paths) != (source in ("openimages", "yfcc")):
        raise click.UsageError(
            f"{source} is asked, and takes no FILES"
            if paths
            else f"{source} is listed from files: name those that you have fetched"
        )
    lock = warehouse_path().with_name(f"{warehouse_path().name}.collect-{source}.lock")
    with alone(lock, f"lists {source}"):
        if paths:
            _list_files(source, paths, share)
        elif source == "wikimedia":
            _list_wikimedia(limit, base_url)
        else:
            _list_streetview(limit, base_url)


@command.command("fetch")
@click.argument("out", type=click.Path(file_okay=False, path_type=Path))
@click.option("--source", "names", type=click.Choice(_SOURCES), multiple=True,
              help="Fetch of this source alone; may be repeated.  [default: all but streetview]")  # fmt: skip # noqa: E501
@click.option("--target", type=click.IntRange(min=0),
              help="Stop when the manifest has so many pictures.")  # fmt: skip
@click.option("--verify", is_flag=True,
              help="Compare the files with the size and SHA-256 that were noted, and fetch anew"
              " what differs.")  # fmt: skip
@click.option("--accept-streetview-terms", is_flag=True,
              help="Fetch pictures of Street View, too. Its terms forbid to store them: you say"
              " that yours allow it. No export gives them along.")  # fmt: skip
@_base_url
def fetch_images(
    out: Path, names: tuple[str, ...], target: int | None, verify: bool,
    accept_streetview_terms: bool, base_url: str | None,
) -> None:  # fmt: skip
    """Fetch the chosen images into OUT/raw/images, with OUT/raw/manifest.jsonl.

    What the manifest names is not fetched again.
    """
    chosen = names or tuple(name for name in _SOURCES if name != "streetview")
    if not names and not os.environ.get("GAINSAY_CONTACT"):
        # who names no source wants what can be had
        chosen = tuple(name for name in chosen if name != "wikimedia")
        click.echo("left out: wikimedia, which wants to know who asks (GAINSAY_CONTACT)", err=True)
    if "streetview" in chosen and not accept_streetview_terms:
        raise GainsayError(
            "pictures of Street View are not fetched: the provider's terms forbid to store them;"
            " if yours allow it, say so with --accept-streetview-terms"
        )
    if accept_streetview_terms and not names:
        chosen = (*chosen, "streetview")
    settings = project_vars()
    clock = SystemClock()
    with ExitStack() as stack:
        opened = {}
        for name in chosen:
            if (source := _opened(name, settings, base_url, clock)) is not None:
                stack.callback(source.client.close)
                opened[name] = source
        begin = stack.enter_context(progress_of_each("fetching pictures"))
        counts = fetch(
            Folder(out),
            Warehouse(connect, clock),
            opened,
            most_bytes=settings["max_image_bytes"],
            target=target,
            verify=verify,
            begin=begin,
        )
    _show_counts(counts)
    if any(count.stopped for count in counts.values()):
        raise GainsayError("not all was fetched; run the same command again to go on from here")
    n_failed = sum(count.n_failed for count in counts.values())
    if n_failed and not any(count.n_fetched + count.n_there for count in counts.values()):
        raise GainsayError(f"none of {n_failed:,} pictures was fetched, for the reasons above")
    pictures = out / "raw" / "images"
    if pictures.is_dir():
        click.echo(f"next: gainsay land-images {pictures}")
    else:
        click.echo(
            "no picture was fetched: none is wanted of these sources; list images of them with"
            " `gainsay collect list`, then `dbt build --select +reality_check__wanted_images`"
        )


def _show_counts(counts: Mapping[str, Counts]) -> None:
    table = Table(
        "source",
        *(
            Column(name, justify="right")
            for name in ("wanted", "there", "fetched", "failed", "failed before", "same bytes")
        ),
    )
    for source, count in counts.items():
        numbers = (
            count.n_wanted, count.n_there, count.n_fetched, count.n_failed, count.n_given_up,
            count.n_repeated,
        )  # fmt: skip
        table.add_row(source, *(f"{number:,}" for number in numbers))
    show(table)
    for source, count in counts.items():
        if count.stopped:
            click.echo(f"{source} stopped: {count.stopped}", err=True)
    if any(count.n_failed for count in counts.values()):
        click.echo(
            'reasons: gainsay sql "select image_id, error from raw.collected_images'
            " where state = 'failed'\"",
            err=True,
        )


def _pace(settings: Mapping[str, Any]) -> Pace:
    return Pace(settings["reality_check_requests_per_second"], _RETRY_PAUSES, _LONGEST_RETRY_AFTER)


def _client(source: str, settings: Mapping[str, Any], base_url: str | None, clock: Clock) -> Client:
    if base_url:
        checked_address(base_url, "--base-url")
    hosts = Hosts(_HOSTS[source], base_url)
    version = own_version()
    if source != "wikimedia":
        key = secret_of_environment("STREET_VIEW_API_KEY")
        return Client(
            hosts, _pace(settings), clock, user_agent=f"gainsay/{version}", secrets=[key.value]
        )
    contact = os.environ.get("GAINSAY_CONTACT", "")
    if not contact.isascii() or not contact.isprintable():
        raise GainsayError("GAINSAY_CONTACT: holds what no header may hold; write it in ASCII")
    if not contact:
        raise GainsayError(
            "Wikimedia Commons wants to know who asks: set GAINSAY_CONTACT to an address of mail"
            " or a page, which goes into the User-Agent"
            " (https://meta.wikimedia.org/wiki/User-Agent_policy)"
        )
    token = secret_of_environment("WIKIMEDIA_TOKEN").value
    return Client(
        hosts,
        _pace(settings),
        clock,
        user_agent=f"gainsay/{version} ({contact})",
        headers={"Authorization": f"Bearer {token}"} if token else {},
        secrets=[token],
    )


def _streetview_key() -> streetview.Key | None:
    key = secret_of_environment("STREET_VIEW_API_KEY").value
    if not key:
        click.echo("warning: streetview is skipped: STREET_VIEW_API_KEY is not set", err=True)
        return None
    return streetview.Key(key, secret_of_environment("STREET_VIEW_SIGNING_SECRET").value or None)


def _opened(
    source: str, settings: Mapping[str, Any], base_url: str | None, clock: Clock
) -> Opened | None:
    if source == "streetview":
        key = _streetview_key()
        if key is None:
            return None

        def signed(wanted: Wanted) -> list[Request]:
            return [Request(key.sign(wanted.url))]

        return Opened(_client(source, settings, base_url, clock), signed)
    addresses = {
        "wikimedia": wikimedia_addresses(settings["max_image_bytes"]),
        "openimages": openimages_addresses(_OPENIMAGES_URL),
        "yfcc": plain_addresses,
    }
    return Opened(_client(source, settings, base_url, clock), addresses[source])


def _list_files(source: str, paths: tuple[Path, ...], share: float | None) -> None:
    settings = project_vars()
    for path in paths:
        if not path.is_file():
            raise GainsayError(f"{path}: no file")
    list_paths: Callable[..., list[files.FileListing]] = files.list_openimages
    if source == "yfcc":
        kept = files.Share(
            share or settings["reality_check_yfcc_share"],
            settings["reality_check_seed"],
            _threshold("day_cell_degrees"),
        )
        list_paths = partial(files.list_yfcc, share=kept)
    total = sum(path.stat().st_size for path in paths)
    with connect() as connection, progress(f"listing {source}, bytes", total) as advance:
        listings = list_paths(connection, paths, advance=advance)
    table = Table("file", "kind", Column("records", justify="right"), "state")
    for listing in listings:
        state = "unchanged" if listing.is_unchanged else "listed"
        table.add_row(listing.name, listing.kind, f"{listing.n_listed:,}", state)
    show(table)


def _seed(name: str) -> list[dict[str, str]]:
    """The rows of a seed's file in the project."""
    (path,) = (project_folder() / "seeds").rglob(f"{name}.csv")
    return list(csv.DictReader(io.StringIO(read_text(path), newline="")))


def _threshold(name: str) -> float:
    (value,) = (row["value"] for row in _seed("reality_check_thresholds") if row["name"] == name)
    return float(value)


def _share_of_images(source: str, settings: Mapping[str, Any]) -> float:
    """How many images of a source are chosen."""
    targets = {
        row["source"]: int(row["target"] or 0) for row in _seed("reality_check_image_sources")
    }
    return targets[source] / sum(targets.values()) * float(settings["reality_check_target_images"])


@contextmanager
def _asking(
    source: str, base_url: str | None
) -> Iterator[tuple[Client, Warehouse, dict[str, Any]]]:
    settings = project_vars()
    clock = SystemClock()
    client = _client(source, settings, base_url, clock)
    try:
        yield client, Warehouse(connect, clock), settings
    finally:
        client.close()


def _list_wikimedia(limit: int | None, base_url: str | None) -> None:
    with _asking("wikimedia", base_url) as (client, warehouse, settings):
        total = limit or _LISTED_FOR_EACH_WANTED * _share_of_images("wikimedia", settings)
        with progress("listing wikimedia, files", math.ceil(total)) as advance:
            for row in _seed("reality_check_wikimedia_queries"):
                topic = wikimedia.Topic(row["topic"], math.ceil(total * float(row["share"])))
                state = wikimedia.list_topic(
                    client, warehouse, topic, settings["reality_check_wikimedia_depth"], advance
                )
                end = "all there are" if state.is_complete else "more are left"
                click.echo(f"{topic.name}: {state.n_listed:,} files, {end}")


def _list_streetview(limit: int | None, base_url: str | None) -> None:
    key = _streetview_key()
    warehouse = Warehouse(connect, SystemClock())
    if key is None:
        _note_skipped(warehouse)
        return
    with _asking("streetview", base_url) as (client, warehouse, settings):
        _forget_skipped(warehouse)
        n_points = _POINTS_PER_CITY
        cities = [
            streetview.City(row["city"], float(row["lat"]), float(row["lon"]))
            for row in _seed("streetview_cities")
        ]
        left = limit or len(cities) * n_points
        with progress("listing streetview, points", left) as advance:
            for city in cities:
                n_asked = min(left, n_points)
                if n_asked:
                    _list_city(client, warehouse, city, key, n_asked, settings, advance)
                left -= n_asked


def _list_city(
    client: Client, warehouse: Warehouse, city: streetview.City, key: streetview.Key,
    n_points: int, settings: Mapping[str, Any], advance: Advance,
) -> None:  # fmt: skip
    seed = settings["reality_check_seed"]
    streetview.list_city(client, warehouse, city, key, n_points, seed, advance)


def _note_skipped(warehouse: Warehouse) -> None:
    """Say in the raw tables that the source was passed over, and why."""
    with warehouse.opened() as connection, transaction(connection):
        replace_cursor(
            connection,
            CollectionCursor(
                source="streetview",
                query=SKIPPED_NO_KEY,
                n_listed=0,
                is_complete=False,
                cursor=SKIPPED_NO_KEY,
            ),
        )


def _forget_skipped(warehouse: Warehouse) -> None:
    with warehouse.opened() as connection:
        connection.execute(
            "delete from raw.collection_cursors where query = $query", {"query": SKIPPED_NO_KEY}
        )
