"""`gainsay land-votes`: what people say of records, into the raw tables."""

from pathlib import Path

import click

from gainsay.cli.raw_tables import opened_tables, target_option
from gainsay.foundation.errors import GainsayError
from gainsay.ingest.votes import land_log, land_sheet

replace_option = click.option(
    "--replace",
    "is_replacing",
    is_flag=True,
    help="Let a sheet take the place of another of its name, whose votes have no row in it.",
)


@click.command()
@target_option
@replace_option
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def command(files: tuple[Path, ...], target: str, is_replacing: bool) -> None:
    """Land logs of the review page and filled-in sheets (.csv), any number of times.

    An event of a log lands once, whichever copy of the log it comes from; a sheet of the same name
    replaces what it said before, if it has a row for each record that was judged there.
    """
    land_files(files, target, is_replacing=is_replacing)


def land_files(files: tuple[Path, ...], target: str = "dev", *, is_replacing: bool = False) -> None:
    """Land each file and say what became of it."""
    sheets = [file.name for file in files if _is_sheet(file)]
    for name in sheets:
        if sheets.count(name) > 1:
            raise click.BadParameter(f"{name}: two sheets of one name; rename one of them")
    n_rejected = n_good = 0
    with opened_tables(target) as tables:
        for file in files:
            if _is_sheet(file):
                landing = land_sheet(tables, file, is_replacing=is_replacing)
            else:
                landing = land_log(tables, file)
            n_rejected += landing.n_rejected
            n_good += landing.n_landed + landing.n_known + landing.n_open
            counts = [(landing.n_landed, "votes"), (landing.n_known, "landed before"),
                      (landing.n_cut, "line without its end left for the next time"),
                      (landing.n_open, "rows not filled in"),
                      (landing.n_rejected, "rejected")]  # fmt: skip
            told = ", ".join(f"{n:,} {what}" for n, what in counts if n or what == "votes")
            click.echo(f"{file}: {told}{', as before' if landing.is_unchanged else ''}")
    if n_rejected:
        click.echo("reasons: gainsay sql 'select * from raw.rejected_records'", err=True)
    if n_rejected and not n_good:
        raise GainsayError(
            "no vote landed: every line was rejected; expected logs of `gainsay review` or sheets"
            " of `gainsay review export`"
        )
    program = "gainsay spark build" if target == "spark" else "gainsay build"
    click.echo(f"next: {program} --select stg_gainsay__votes+")


def _is_sheet(file: Path) -> bool:
    return file.suffix.lower() == ".csv"
