"""`gainsay review [serve]`: the page on which people judge records."""

import importlib.util
import webbrowser
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gainsay.cli.land_votes import land_files
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.reading import reading
from gainsay.foundation.renderings import renderings_of
from gainsay.python_udfs.engines.duckdb import register
from gainsay.python_udfs.installing import install_command

if TYPE_CHECKING:
    from gainsay.review.records import Queue
    from gainsay.review.serving import Opened


@click.command("serve")
@click.option("--benchmark", help="The benchmark whose records are judged; all without it.")
@click.option("--queue", help="The queue to work through; all without it.")
@click.option(
    "--query",
    "sql",
    metavar="SQL",
    help="Ask only about the records whose ids this query gives in its first column. It may do and"
    " take what one of `gainsay sql` may.",
)
@click.option(
    "--ids",
    "ids_file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Ask only about the records whose ids this file names, one a line or as a JSON list, such"
    " as `gainsay browse` writes of what is marked.",
)
@click.option(
    "--reader",
    "readers",
    multiple=True,
    help="Who reviews, any number of times; each gets a link. The page asks without it.",
)
@click.option(
    "--adjudicator",
    "adjudicators",
    multiple=True,
    help="Who settles what readers differ about, any number of times; comes with a link.",
)
@click.option(
    "--overlap",
    type=click.FloatRange(0, 1),
    help="Deal the records to the readers in equal parts, this share of them to two.",
)
@click.option(
    "--languages",
    multiple=True,
    metavar="READER=es,zh",
    help="The languages that a reader reads; all without it. Records are dealt by it.",
)
@click.option(
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="The address of the page; any but loopback lets in only who has a link.",
)
@click.option(
    "--port",
    default=8750,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0 for any that is free.",
)
@click.option(
    "--log",
    "folder",
    default="data/votes",
    show_default=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the votes are kept.",
)
@click.option(
    "--browser/--no-browser",
    default=True,
    show_default=True,
    help="Open the page in the browser of this machine.",
)
@click.option(
    "--land/--no-land", default=True, show_default=True, help="Land the votes when the page ends."
)
def serve_page(
    benchmark: str | None,
    queue: str | None,
    sql: str | None,
    ids_file: Path | None,
    readers: tuple[str, ...],
    adjudicators: tuple[str, ...],
    overlap: float | None,
    languages: tuple[str, ...],
    host: str,
    port: int,
    folder: Path,
    browser: bool,
    land: bool,
) -> None:
    """Open a page on which people look at records and decide, until Ctrl+C.

    Every vote is on the disk, in a log of its queue in DIR, before the page says that it is kept.
    The warehouse is read once at the start and stays free for others; at the end the log lands in
    it, as `gainsay land-votes` does any number of times.
    """
    if not all(map(importlib.util.find_spec, ("starlette", "uvicorn"))):
        raise GainsayError(
            f"the review page needs starlette and uvicorn: {install_command('review')}; or have"
            " sheets filled in: gainsay review export --help"
        )
    from gainsay.ingest.votes import person_of
    from gainsay.review.assignment import Deal, dealt, parsed_languages
    from gainsay.review.log import told
    from gainsay.review.readers import reader_names
    from gainsay.review.records import ids_of_file, ids_of_query, read_queues
    from gainsay.review.serving import People, serve

    names = reader_names(readers, "--reader")
    judges = reader_names(adjudicators, "--adjudicator")
    if both := {*map(person_of, names)} & {*map(person_of, judges)}:
        raise click.BadParameter(
            f"{', '.join(sorted(both))}: who reads is blind to others, who adjudicates is not; name"
            " another person"
        )
    deal = None
    if overlap is not None or languages:
        if not names:
            raise click.UsageError("records are dealt to readers that --reader names")
        deal = Deal(names, parsed_languages(languages, names), overlap or 0.0)
    record_ids = None
    if sql is not None:
        try:
            with reading() as connection:
                record_ids = ids_of_query(connection, sql)
        except GainsayError as error:
            raise GainsayError(f"--query: {error}") from error
    if ids_file is not None:
        named = ids_of_file(ids_file)
        record_ids = named if record_ids is None else record_ids & named
    with connect(read_only=True) as connection:
        # a view may call them
        register(connection)
        renderings = renderings_of(connection)
        queues = read_queues(connection, benchmark, queue, record_ids)

    def say_where(opened: "Opened") -> None:
        for log, unreadable in opened.unreadable.items():
            click.echo(told(log, unreadable), err=True)
        for asked in queues:
            click.echo(f"{asked.label}: {len(asked.records):,} records")
            if deal:
                _say_who_reads(asked, dealt(asked, deal))
        for reader, link in opened.links.items():
            click.echo(f"{reader}: {link}")
        if not names:
            click.echo(opened.address)
        click.echo("Ctrl+C ends it")
        if browser:
            webbrowser.open(opened.links[names[0]] if names else opened.address)

    people = People(names, judges, deal)
    logs = serve(queues, renderings, folder, people, host, port, say_where)
    if logs and land:
        _land(logs)


def _say_who_reads(queue: "Queue", hands: dict[str, tuple[str, ...]]) -> None:
    sizes = Counter(reader for readers in hands.values() for reader in readers)
    click.echo("  " + ", ".join(f"{reader} {n:,}" for reader, n in sorted(sizes.items())))
    n_short = sum(len(readers) < queue.votes_per_record for readers in hands.values())
    if n_short:
        click.echo(
            f"  {n_short:,} of them have fewer readers than decide them, {queue.votes_per_record}",
            err=True,
        )


def _land(logs: list[Path]) -> None:
    """Land the logs where the warehouse is free, else say how."""
    try:
        land_files(tuple(logs))
    except GainsayError as error:
        click.echo(f"the votes are safe in their logs, and not landed: {error}", err=True)
        click.echo(f"land them later: gainsay land-votes {' '.join(map(str, logs))}", err=True)
