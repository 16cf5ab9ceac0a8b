"""`gainsay look`: a contact sheet, so that a person can judge with eyes."""

from pathlib import Path

import click

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.connection import connect
from gainsay.foundation.renderings import renderings_of
from gainsay.project.folder import project_vars
from gainsay.project.holdings import require_built
from gainsay.report.contact_sheet import contact_sheet
from gainsay.report.example_rows import group_rows, sample_groups
from gainsay.report.suite_rows import base_row, sample_bases

_SUITE = "conflict_suite"


@click.command()
@click.argument("example_ids", nargs=-1, metavar="[EXAMPLE_ID]...")
@click.option(
    "--benchmark", default=_SUITE, show_default=True, help="The benchmark whose examples are drawn."
)
@click.option("--sample", is_flag=True, help="Some bases (or groups), in seeded order.")
@click.option("--bases", default=6, show_default=True, type=click.IntRange(1, 50), help="How many.")
@click.option(
    "--out",
    default="data/look.png",
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PNG to write.",
)
def command(
    example_ids: tuple[str, ...], *, benchmark: str, sample: bool, bases: int, out: Path
) -> None:
    """Write a PNG with the pictures of EXAMPLE_ID... (or of their bases), or of a sample.

    Each row is one base of the Conflict Suite: its clean picture with the question's objects
    outlined, then its variants, with caption, question, gold answer and the right action. For
    any other benchmark it is one group of examples, made from one source: their pictures with
    the texts beside them and the right answers.
    """
    if bool(example_ids) == sample:
        raise click.UsageError("name an EXAMPLE_ID, or take a --sample")
    seed = project_vars()["seed"]
    with connect(read_only=True) as connection:
        require_built(benchmark, connection)
        folder = renderings_of(connection)
        if benchmark == _SUITE:
            base_ids = (
                sample_bases(connection, bases, seed)
                if sample
                else list(dict.fromkeys(name.partition("::")[0] for name in example_ids))
            )
            rows = [base_row(connection, base_id, folder) for base_id in base_ids]
        else:
            names = (
                sample_groups(connection, benchmark, bases, seed) if sample else list(example_ids)
            )
            rows = group_rows(connection, benchmark, names, folder)
        png = contact_sheet(rows)
    write_atomically(out, png)
    click.echo(f"{out}: {len(rows)} {'bases' if benchmark == _SUITE else 'groups'}")
