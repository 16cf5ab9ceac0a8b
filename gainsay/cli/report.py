"""`gainsay report`: what was built, and what fell out, as one page."""

from pathlib import Path

import click

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.connection import connect
from gainsay.foundation.folders import require_writable
from gainsay.foundation.renderings import renderings_of
from gainsay.python_udfs.engines.duckdb import register
from gainsay.report.page import report


@click.command()
@click.option(
    "--benchmark",
    "benchmarks",
    multiple=True,
    help="A benchmark to report of, any number of times; all that are built without it.",
)
@click.option(
    "--out",
    default="data/report.html",
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The HTML file to write.",
)
@click.option(
    "--diff",
    "other",
    metavar="OTHER.duckdb",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Begin with what changed since this other warehouse was built.",
)
def command(benchmarks: tuple[str, ...], out: Path, other: Path | None) -> None:
    """Write one HTML file that shows what was built, and opens without a network.

    What decided, what each filter removed with records of every reason, how the examples spread
    and look, checks, scores, agreement, lineage and test results, each number with its query. At
    most 3 MB, whatever the corpus: what has no room is counted.
    """
    # a pipe or a device is written to as it is
    if out.is_file() or not out.exists():
        require_writable(out.parent)
    with connect(read_only=True) as connection:
        # a view may call them
        register(connection)
        page = report(connection, benchmarks, renderings_of(connection), other)
    write_atomically(out, page)
    click.echo(f"{out}: {len(page):,} bytes")
