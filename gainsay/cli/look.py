"""`gainsay look`: a contact sheet, so that a person can judge with eyes."""

import os
from pathlib import Path

import click

from gainsay.io.atomic import write_atomically
from gainsay.project.folder import project_vars
from gainsay.report.contact_sheet import contact_sheet, sample_bases
from gainsay.warehouse.connection import connect


@click.command()
@click.argument("example_ids", nargs=-1, metavar="[EXAMPLE_ID]...")
@click.option("--sample", is_flag=True, help="Some bases with a contrastive pair.")
@click.option("--bases", default=6, show_default=True, type=click.IntRange(1, 50), help="How many.")
@click.option(
    "--out",
    default="data/look.png",
    show_default=True,
    type=click.Path(dir_okay=False, path_type=Path),
    help="The PNG to write.",
)
def command(example_ids: tuple[str, ...], *, sample: bool, bases: int, out: Path) -> None:
    """Write a PNG with the pictures of EXAMPLE_ID... (or of their bases), or of a sample.

    Each row is one base: its clean picture with the question's objects outlined, then its
    variants, with caption, question, gold answer and the right action.
    """
    if bool(example_ids) == sample:
        raise click.UsageError("name an EXAMPLE_ID, or take a --sample")
    folder = Path(os.environ.get("GAINSAY_RENDERINGS", "data/renderings"))
    with connect(read_only=True) as connection:
        base_ids = (
            sample_bases(connection, bases, project_vars()["seed"])
            if sample
            else list(dict.fromkeys(name.partition("::")[0] for name in example_ids))
        )
        png = contact_sheet(connection, base_ids, folder)
    write_atomically(out, png)
    click.echo(f"{out}: {len(base_ids)} bases")
