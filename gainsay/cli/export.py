"""`gainsay export`: records in the formats of other tools."""

from pathlib import Path

import click

from gainsay.cli.raw_tables import target_option
from gainsay.exports.formats import DEFAULT_BENCHMARK, FORMATS
from gainsay.foundation.connection import connect
from gainsay.foundation.folders import require_writable

_SHARD_MEGABYTES = 500
# why records stay behind, and how to have them
_STAYS = {
    "held_back": "held back, written by --split held_back",
    "one_sided": "told by their words, written by --one-sided",
}


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
    "--one-sided",
    "is_one_sided",
    is_flag=True,
    help="Files for fine-tuning: those records, too, of which the words tell the right answer.",
)
@click.option(
    "--without-pictures",
    "is_without_pictures",
    is_flag=True,
    help="Formats to train on: name COCO's files in the place of pictures, such as"
    " train2017/000000000009.jpg, for who has COCO; no licence is asked, edited pictures stay out.",
)
@click.option(
    "--shard-size",
    metavar="MB",
    type=click.IntRange(min=1),
    default=_SHARD_MEGABYTES,
    show_default=True,
    help="Megabytes of pictures that one Parquet file holds, or of text one of jsonl.",
)
@click.option(
    "--hub-id",
    metavar="ORG/NAME",
    help="lmms-eval: the data set of the Hub that the folder will be uploaded as, which the task"
    " then reads instead of the files beside it.",
)
@target_option
@click.argument("kind", metavar="FORMAT", type=click.Choice(list(FORMATS)))
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
def command(
    *,
    benchmark: str,
    split: str | None,
    language: str | None,
    is_one_sided: bool,
    is_without_pictures: bool,
    shard_size: int,
    hub_id: str | None,
    target: str,
    kind: str,
    folder: Path,
) -> None:
    """Write a benchmark into FOLDER in the FORMAT that another tool reads.

    FORMAT is jsonl, hugging-face, image-folder, fiftyone, lmms-eval, inspect, vlmevalkit, llava,
    dpo, r-tuning, action-sft or coco-instances. All but jsonl hold the records whose picture is
    landed and may be given along, the last one those whose picture is edited, with the objects in
    it. fiftyone has outlines, what ended at which stage, and models' answers, to look at.
    lmms-eval and inspect score as the board does, without gainsay. action-sft ends in the right
    action and the answer. carm is the balanced mix of CARM, of the refined suite's train split: a
    third each of records whose two sides agree, contradict each other, or whose text says nothing.
    clash-sft is the fine-tuning mix of CLASH instead,
    as conversations for TRL; clash-llava and clash-mplug-owl are the same mix in the layouts of
    these models' own trainers, a file for each task.

    VLM Reality Check asks about up to three pictures at once, in five languages: hugging-face,
    lmms-eval, vlmevalkit and llava write files for each language, controls included, and jsonl the
    English records.

    With --target spark executors write jsonl and hugging-face, from Spark's tables into a FOLDER
    that all of them reach, in files of at most --shard-size each.

    Of a benchmark with several splits each is written into a folder of its own in FOLDER, so that
    no file mixes them; hugging-face keeps them apart by itself. What is held back is written only
    where it is named.

    Every file is read back and counted against the benchmark's own examples before its card is
    written.

    An export into the FOLDER of an earlier one of the same FORMAT replaces it: pictures that may no
    longer be given along go. Files that gainsay did not write stay.
    """
    own = FORMATS[kind].benchmark
    if split not in (None, "all") and own:
        raise click.BadParameter(f"{kind} is a mix of the train split, and has no other")
    if hub_id and kind != "lmms-eval":
        raise click.BadParameter("--hub-id is for lmms-eval; other formats name no data set")
    if is_without_pictures and target == "spark":
        raise click.BadParameter("--without-pictures is for formats that are written from DuckDB")
    if own and benchmark not in (own, DEFAULT_BENCHMARK):
        raise click.BadParameter(f"{kind} is a mix of {own}, and of no other")
    # its imports take longer than `--help` may take
    order = (kind, folder, benchmark, split, shard_size * 10**6, language, is_one_sided)
    if target == "spark":
        from gainsay.exports.on_spark import export_on_spark
        from gainsay.spark.session import spark_session

        with spark_session() as session:
            exports = export_on_spark(session, *order)
    else:
        from gainsay.exports.export import export_by_split
        from gainsay.inspect.freshness import changes, warning
        from gainsay.project.holdings import require_built

        require_writable(folder)
        with connect(read_only=True) as connection:
            require_built(own or benchmark, connection)
            if newer := warning(changes(connection, [f"{own or benchmark}__examples"])):
                click.echo(newer, err=True)
            exports = export_by_split(
                connection, *order, hub_id=hub_id, is_without_pictures=is_without_pictures
            )
    held_back = 0
    for place, exported in exports.items():
        held_back = exported.stays.pop("held_back", held_back)
        click.echo(f"{place}: {exported.n_records:,} records")
        for state, n in exported.left_out.items():
            what = "name" if is_without_pictures else "picture"
            click.echo(f"without {what}, {state}: {n:,}")
        for reason, n in exported.stays.items():
            click.echo(f"{_STAYS[reason]}: {n:,}")
    if held_back:
        click.echo(f"{_STAYS['held_back']}: {held_back:,}")
