"""`gainsay export`: records in the formats of other tools."""

from pathlib import Path

import click

from gainsay.cli.raw_tables import target_option
from gainsay.exports.formats import DEFAULT_BENCHMARK, FORMATS
from gainsay.foundation.connection import connect

_SHARD_MEGABYTES = 500


@click.command()
@click.option(
    "--benchmark",
    default=DEFAULT_BENCHMARK,
    show_default=True,
    help="Export the examples of this benchmark.",
)
@click.option(
    "--split", help="Export this split only, or `all` together; else each into a folder of its own."
)
@click.option("--language", help="Export this language only, of a benchmark that asks in several.")
@click.option(
    "--shard-size",
    metavar="MB",
    type=click.IntRange(min=1),
    default=_SHARD_MEGABYTES,
    show_default=True,
    help="Megabytes of pictures that one Parquet file holds, or of text one of jsonl.",
)
@target_option
@click.argument("kind", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def command(
    *,
    benchmark: str,
    split: str | None,
    language: str | None,
    shard_size: int,
    target: str,
    kind: str,
    folder: Path,
) -> None:
    """Write a benchmark into FOLDER in the FORMAT that another tool reads.

    FORMAT is jsonl, hugging-face, image-folder, lmms-eval, vlmevalkit, llava, dpo, r-tuning,
    action-sft or coco-instances. All but jsonl hold the records whose picture is landed and may be
    given along, the last one those whose picture is edited, with the objects in it. action-sft ends
    in the right action and the answer. clash-sft is the fine-tuning mix of CLASH instead, as
    conversations for TRL; clash-llava and clash-mplug-owl are the same mix in the layouts of these
    models' own trainers, a file for each task.

    VLM Reality Check asks about up to three pictures at once, in five languages: hugging-face,
    lmms-eval, vlmevalkit and llava write files for each language, controls included, and jsonl the
    English records.

    With --target spark executors write jsonl and hugging-face, from Spark's tables into a FOLDER
    that all of them reach, in files of at most --shard-size each.

    Of a benchmark with several splits each is written into a folder of its own in FOLDER, so that
    no file mixes them; hugging-face keeps them apart by itself.

    An export into the FOLDER of an earlier one of the same FORMAT replaces it: pictures that may no
    longer be given along go. Files that gainsay did not write stay.
    """
    is_of_clash = FORMATS[kind].benchmark == "clash"
    if split not in (None, "all") and is_of_clash:
        raise click.BadParameter("the fine-tuning mix of CLASH has no splits")
    if is_of_clash and benchmark not in ("clash", DEFAULT_BENCHMARK):
        raise click.BadParameter(f"{kind} is the fine-tuning mix of CLASH, and of no other")
    # its imports take longer than `--help` may take
    order = (kind, folder, benchmark, split, shard_size * 10**6, language)
    if target == "spark":
        from gainsay.exports.on_spark import export_on_spark
        from gainsay.spark.session import spark_session

        with spark_session() as session:
            exports = export_on_spark(session, *order)
    else:
        from gainsay.exports.export import export_by_split

        with connect(read_only=True) as connection:
            exports = export_by_split(connection, *order)
    for place, exported in exports.items():
        click.echo(f"{place}: {exported.n_records:,} records")
        for state, n in exported.left_out.items():
            click.echo(f"without picture, {state}: {n:,}")
