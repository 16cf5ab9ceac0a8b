"""`gainsay review`: people's verdicts on records, on a page or in sheets."""

from pathlib import Path

import click

from gainsay.cli.review_page import serve_page
from gainsay.warehouse.connection import connect
from ingest.votes import QUEUES, land_sheet, write_sheet


class _PageUnlessNamed(click.Group):
    """A group whose command without a name is `serve`."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        is_help = args[:1] in ([name] for name in ctx.help_option_names)
        if not is_help and (not args or args[0].startswith("-")):
            args = ["serve", *args]
        return super().parse_args(ctx, args)


@click.group(cls=_PageUnlessNamed)
def command() -> None:
    """Have people judge records, and land what they say.

    `gainsay review` alone opens the page, with the options of `gainsay review serve`; those who
    cannot run a page fill in sheets.
    """


command.add_command(serve_page)


@command.command("export")
@click.option("--benchmark", type=click.Choice(sorted(QUEUES)), default="certainly_uncertain",
              show_default=True, help="Whose records are judged.")  # fmt: skip
@click.option("--split", default="test", show_default=True, help="The split that is judged.")
@click.option("--size", type=click.IntRange(min=1), help="How many records; all unless said.")
@click.option("--reader", default="", help="Who fills it in; what was judged before stays out.")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), required=True,
              help="The sheet to write.")  # fmt: skip
def export_sheet(benchmark: str, split: str, size: int | None, reader: str, out: Path) -> None:
    """Write a sheet of records that passed every other gate, for a person to fill in.

    The column verdict of a pair of CertainlyUncertain takes keep, drop, wrong_category or
    wrong_answer; note and reader are text. Rows may stay empty; land the sheet as often as you
    like with `gainsay review import`.
    """
    with connect(read_only=True) as connection:
        n_records = write_sheet(connection, out, QUEUES[benchmark], split, size, reader)
    click.echo(f"{out}: {n_records:,} records" if n_records else "no records are left to judge")


@command.command("import")
@click.argument("files", nargs=-1, required=True, type=click.Path(dir_okay=False, path_type=Path))
def import_sheets(files: tuple[Path, ...]) -> None:
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
    click.echo("next: dbt build --select stg_gainsay__votes+")
