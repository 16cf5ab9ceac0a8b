"""`gainsay release`: what one publishes of a benchmark, in one folder."""

import sys
from functools import partial
from pathlib import Path

import click

from gainsay.exports.formats import FORMATS
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.folders import require_writable
from gainsay.inspect.freshness import changes, warning

_SHARD_MEGABYTES = 500


@click.command()
@click.option(
    "--verify",
    "is_verified",
    is_flag=True,
    help="Check a release instead: gainsay release --verify FOLDER.",
)
@click.option(
    "--format",
    "formats",
    multiple=True,
    type=click.Choice(list(FORMATS)),
    help="Add the records in this format of `gainsay export`; may be given again.",
)
@click.option("--version", default="1.0.0", show_default=True, help="Version of the data.")
@click.option("--date", metavar="YYYY-MM-DD", help="Day of publication; else the seed's.")
@click.option("--url", help="Where it will be found; else the hash of its manifest.")
@click.option(
    "--shard-size",
    metavar="MB",
    type=click.IntRange(min=1),
    default=_SHARD_MEGABYTES,
    show_default=True,
    help="Megabytes from which a Parquet file is full.",
)
@click.option(
    "--although-guessed",
    metavar="REASON",
    help="Release it although it can be guessed without looking; the card quotes the reason.",
)
@click.option("--vars", "vars_text", help="Vars of dbt for the exports; builds them anew.")
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
@click.argument("arguments", nargs=-1, metavar="BENCHMARK OUT")
def command(
    *,
    is_verified: bool,
    formats: tuple[str, ...],
    version: str,
    date: str | None,
    url: str | None,
    shard_size: int,
    although_guessed: str | None,
    vars_text: str | None,
    project: Path | None,
    arguments: tuple[str, ...],
) -> None:
    """Put together what one publishes of BENCHMARK, in a folder of its own in OUT.

    The folder's name ends in the first digits of the hash of the sealed manifest. It holds
    examples, prompts and the pictures that may be given along as Parquet, the records in each
    FORMAT, the manifest, croissant.json, a card, CITATION.cff, credits for each picture, and the
    hash of every file. The same warehouse gives the same bytes. Exports and audits that it reads
    are built first where they are missing; BENCHMARK itself has to be built. Where it can be
    guessed without its pictures beyond the limits of the seed blind_views, nothing is written.

    With --verify FOLDER, a release, or a folder of releases, is checked file by file; this needs no
    warehouse. Exits with 1 and names what differs.
    """
    if is_verified:
        _verify(arguments)
        return
    try:
        benchmark, out = arguments
    except ValueError:
        raise click.UsageError("name a BENCHMARK and the folder OUT that it goes into") from None
    # its imports take longer than `--help` may take
    from gainsay.release.prepare import prepare
    from gainsay.release.release import Order, release, require_formats, require_identity

    order = Order(benchmark, formats, version, date, url, shard_size * 10**6, although_guessed)
    require_formats(order)
    require_identity(order)
    require_writable(Path(out))
    parsed = prepare(
        benchmark,
        formats,
        vars_text=vars_text,
        project=project,
        build=partial(_build, project=project),
    )
    with connect(read_only=True) as connection:
        if newer := warning(changes(connection, [f"{benchmark}__examples"])):
            click.echo(newer, err=True)
        released = release(connection, order, parsed, Path(out))
    record = released.record
    click.echo(
        f"{released.folder}: {sum(record.n_records.values()):,} examples,"
        f" {record.n_pictures:,} pictures, {released.n_files:,} files"
    )
    if although_guessed and not record.although_guessed:
        click.echo("every limit of guessing is met: the card does not quote the reason")
    for state, n in record.withheld.items():
        click.echo(f"pictures that stay out, {state}: {n:,}")
    if record.n_withdrawn_pictures:
        click.echo(
            f"pictures taken down: {record.n_withdrawn_pictures:,}, of this benchmark"
            f" {record.n_own_withdrawn_pictures:,}; candidates that dropped for it:"
            f" {record.n_withdrawn:,}"
        )


def _build(arguments: list[str], *, project: Path | None) -> None:
    from gainsay.cli.build import show_failure
    from gainsay.cli.progress import dbt_progress
    from gainsay.project.building import build

    with dbt_progress("exports and audits") as listen:
        outcome = build(
            [*arguments, "--exclude-resource-type", "test", "unit_test"],
            project=project,
            listen=listen,
        )
    for failure in outcome.failures:
        show_failure(failure)
    if not outcome.is_success:
        raise GainsayError("the build failed; dbt's log is in target/build/logs")


def _verify(arguments: tuple[str, ...]) -> None:
    from gainsay.release.verify import find_releases, verify

    if len(arguments) != 1:
        raise click.UsageError("name the one FOLDER to verify")
    n_findings = 0
    for folder in find_releases(Path(arguments[0])):
        checked = verify(folder)
        for finding in checked.findings:
            click.echo(f"{folder}: {finding}", err=True)
        n_findings += len(checked.findings)
        if not checked.findings:
            click.echo(f"{folder}: {checked.summary}")
    if n_findings:
        sys.exit(1)
