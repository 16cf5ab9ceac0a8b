"""`gainsay export`: records in the formats of other tools."""

from pathlib import Path

import click

from gainsay.exports import formats as exports
from gainsay.warehouse.connection import connect


@click.command()
@click.option("--split", help="Export this split only.")
@click.argument("kind", metavar="FORMAT", type=click.Choice(exports.FORMATS))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def command(split: str | None, kind: str, folder: Path) -> None:
    """Write the Conflict Suite into FOLDER in the FORMAT that another tool reads.

    FORMAT is jsonl, hugging-face, image-folder, lmms-eval, vlmevalkit, llava, dpo, r-tuning or
    coco-instances. All but jsonl hold the records whose picture is landed and may be given
    along, the last one those whose picture is edited, with the objects in it. clash-sft is the
    fine-tuning mix of CLASH instead, as conversations.
    """
    if split and kind == "clash-sft":
        raise click.BadParameter("the fine-tuning mix of CLASH has no splits")
    with connect(read_only=True) as connection:
        exported = exports.export(connection, kind, folder, split)
    click.echo(f"{folder}: {exported.n_records:,} records")
    for state, n in exported.left_out.items():
        click.echo(f"without picture, {state}: {n:,}")
