"""`gainsay clash`: people's verdicts on CLASH samples."""

from pathlib import Path

import click

from gainsay.warehouse.connection import connect
from ingest.human_verdicts import land_sheet, write_sheet


@click.group()
def command() -> None:
    """Have people judge CLASH samples, and land what they say."""


@command.command()
@click.option("--size", type=click.IntRange(min=1), default=200, show_default=True,
              help="How many samples are drawn.")  # fmt: skip
@click.option("--origin", type=click.Choice(["generated", "released"]), default="generated",
              show_default=True, help="Which samples are drawn from.")  # fmt: skip
@click.option("--annotator", default="", help="Who fills it in; samples judged before stay out.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="The sheet to write.")  # fmt: skip
def validation(size: int, origin: str, annotator: str, out: Path) -> None:
    """Write a sheet (CSV) of seeded samples that passed every filter, for a person to fill in.

    Three questions are answered yes or no (is_contradicted: does the picture bear out the
    original caption, and contradict the other? is_question_clear: does the question lead to the
    change and name no side? are_answers_right: is each answer right by its side, and the third
    by neither?), then verdict by accept or reject. Rows may stay empty; land the sheet as often
    as you like with `gainsay clash land-validation`.
    """
    with connect(read_only=True) as connection:
        n_samples = write_sheet(connection, out, origin, size, annotator)
    click.echo(f"{out}: {n_samples:,} samples" if n_samples else "no samples are left to judge")


@command.command("land-validation")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def land_validation(files: tuple[Path, ...]) -> None:
    """Land filled-in sheets; one of the same name replaces what it said before."""
    for file in files:
        if [other.name for other in files].count(file.name) > 1:
            raise click.BadParameter(f"{file.name}: two sheets of one name; rename one of them")
    n_rejected = 0
    with connect() as connection:
        for file in files:
            landing = land_sheet(connection, file)
            n_rejected += landing.n_rejected
            unchanged = ", as before" if landing.is_unchanged else ""
            click.echo(
                f"{file}: {landing.n_landed:,} verdicts, {landing.n_open:,} rows not filled in,"
                f" {landing.n_rejected:,} rejected{unchanged}"
            )
    if n_rejected:
        click.echo("reasons: gainsay sql 'select * from raw.rejected_records'", err=True)
    click.echo("next: dbt build --select stg_clash__human_verdicts+")
