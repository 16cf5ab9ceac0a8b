"""`gainsay review progress`: how far each queue is, and how far its readers agree, as of now."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table

from gainsay.cli.tables import show
from gainsay.foundation.connection import connect
from gainsay.python_udfs.engines.duckdb import register

if TYPE_CHECKING:
    from gainsay.review.standing import Standing

# what is said of the agreement on a question; the build has all of them, with their intervals
_STATISTICS = {
    "percent": "alike",
    "krippendorff_alpha": "alpha",
    "fleiss_kappa": "Fleiss' kappa",
    "gwet_ac1": "AC1",
}


@click.command("progress")
@click.option("--benchmark", help="The benchmark whose queues are shown; all without it.")
@click.option("--queue", "name", help="The queue to show; all without it.")
@click.option(
    "--log",
    "folder",
    default="data/votes",
    show_default=True,
    metavar="DIR",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where the votes are kept.",
)
def show_progress(benchmark: str | None, name: str | None, folder: Path) -> None:
    """Show how far people are, and how far they agree, while they work; nothing is built.

    Votes are those that have landed and those of the logs in DIR, also while a page writes them.
    After the next build `review__progress` and `review__agreement` say the same.
    """
    from gainsay.review.log import log_path, read_log, told
    from gainsay.review.records import read_queues
    from gainsay.review.standing import Standing

    with connect(read_only=True) as connection:
        # a view may call them
        register(connection)
        queues = read_queues(connection, benchmark, name)
    for queue in queues:
        log = log_path(folder, queue)
        events, unreadable = read_log(log)
        if unreadable:
            click.echo(told(log, unreadable), err=True)
        _show_queue(Standing(queue, (*queue.earlier, *events)))


def _show_queue(standing: "Standing") -> None:
    from gainsay.review.agreement import agreement_of

    progress, disputes = standing.progress(), standing.disputes()
    click.echo(
        f"{standing.queue.label}: {progress.n_decided:,} of {progress.n_records:,} records decided,"
        f" each by {progress.votes_per_record}; readers differ about {disputes.n_disputed:,}, of"
        f" which {disputes.n_settled:,} are settled"
    )
    for reader, n in progress.readers.items():
        click.echo(f"  {reader}: {n:,} read")
    measured = agreement_of(standing)
    if not any(found["n_records"] for found in measured.values()):
        return
    table = Table("question", "records", *_STATISTICS.values())
    for column in table.columns[1:]:
        column.justify = "right"
    for question, found in measured.items():
        values = [_with_interval(found, statistic) for statistic in _STATISTICS]
        table.add_row(question, f"{found['n_records']:,}", *values)
    show(table)


def _with_interval(found: dict[str, Any], statistic: str) -> str:
    value, low, high = (found[f"{statistic}{end}"] for end in ("", "_low", "_high"))
    if value is None:
        return ""
    return f"{value:.2f}" if low is None else f"{value:.2f} ({low:.2f} to {high:.2f})"
