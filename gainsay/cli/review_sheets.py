"""`gainsay review export|import`: the review in sheets, for readers who can't run the page."""

from pathlib import Path

import click
import duckdb

from gainsay.cli.land_votes import land_files, replace_option
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.sinks.duckdb import DuckDbSink
from gainsay.ingest.votes import Queue, person_of, read_queues, write_sheet
from gainsay.review.assignment import Deal, dealt, parsed_languages
from gainsay.review.readers import reader_names
from gainsay.review.records import read_queues as queues_with_records


@click.command("export")
@click.option("--benchmark", help="Whose records are judged.")
@click.option("--queue", "name", help="Which queue; enough where no other has its name.")
@click.option("--split", help="The split that is judged; all unless said.")
@click.option(
    "--language", help="Only records whose last text, the one that is judged, is in it: es."
)
@click.option("--size", type=click.IntRange(min=1), help="How many records; all unless said.")
@click.option("--reader", default="", help="Who fills it in; what was judged before stays out.")
@click.option(
    "--among",
    multiple=True,
    help="Everybody who reads, once each: the sheet holds the part that is dealt to --reader.",
)
@click.option(
    "--overlap",
    default=0.0,
    type=click.FloatRange(0, 1),
    help="With --among, the share of the records that two of them read.",
)
@click.option(
    "--languages",
    multiple=True,
    metavar="READER=es,zh",
    help="With --among, the languages that a reader reads; all without it.",
)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="The sheet to write.")  # fmt: skip
def export_sheet(
    benchmark: str | None,
    name: str | None,
    split: str | None,
    language: str | None,
    size: int | None,
    reader: str,
    among: tuple[str, ...],
    overlap: float,
    languages: tuple[str, ...],
    out: Path,
) -> None:
    """Write a sheet (CSV) of records for a person to fill in, in the order of their queue.

    Each question of the queue is a column; its answers are those of the seed `review_questions`,
    such as yes and no. Cells may stay empty; land the sheet as often as you like with `gainsay
    review import`.
    """
    [reader] = reader_names([reader], "--reader") if reader else [""]
    with connect(read_only=True) as connection:
        queue = _queue(read_queues(DuckDbSink(connection)), benchmark, name)
        ids = None
        if among:
            people = reader_names(among, "--among")
            deal = Deal(people, parsed_languages(languages, people), overlap)
            ids = _part(connection, queue, deal, reader)
        n_records = write_sheet(connection, out, queue, split, size, reader, language, ids)
    if not n_records:
        click.echo("no records are left to judge")
        return
    click.echo(f"{out}: {n_records:,} records")
    for question, answers in queue.answers.items():
        click.echo(f"  {question}: {' or '.join(answers)}")


def _part(
    connection: duckdb.DuckDBPyConnection, queue: Queue, deal: Deal, reader: str
) -> list[str]:
    """The records of a queue that are dealt to a reader."""
    named = {person_of(name): name for name in deal.readers}
    reader = named.get(person_of(reader), reader)
    if reader not in deal.readers:
        raise click.BadParameter(f"{reader or 'nobody'}: one of --among", param_hint="--reader")
    [shown] = queues_with_records(connection, queue.benchmark, queue.name)
    hands = dealt(shown, deal)
    return [record_id for record_id, readers in hands.items() if reader in readers]


def _queue(queues: list[Queue], benchmark: str | None, name: str | None) -> Queue:
    found = [queue for queue in queues if benchmark in (None, queue.benchmark)]
    chosen = [queue for queue in found if name in (None, queue.name)]
    if len(chosen) == 1:
        return chosen[0]
    there = ", ".join(f"--benchmark {queue.benchmark} --queue {queue.name}"
                      for queue in found or queues)  # fmt: skip
    asked = " with ".join(filter(None, (benchmark, name))) or "neither benchmark nor queue"
    raise GainsayError(f"{asked}: {'several queues' if chosen else 'no queue'}; there are {there}")


@click.command("import")
@replace_option
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def import_sheets(files: tuple[Path, ...], is_replacing: bool) -> None:
    """Land filled-in sheets, as `gainsay land-votes` does; a corrected one replaces the former."""
    land_files(files, is_replacing=is_replacing)
