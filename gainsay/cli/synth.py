"""`gainsay synth`: write a synthetic corpus."""

from pathlib import Path

import click

from gainsay.cli.progress import progress
from gainsay.synth.collected import N_PICTURES
from gainsay.synth.corpus import Summary, write_corpus
from gainsay.synth.layout import SPLITS
from gainsay.synth.plan import order_of


@click.command(name="synth", short_help="Write a synthetic corpus in the official layouts.")
@click.argument("out", type=click.Path(path_type=Path))
@click.option("--images", type=click.IntRange(min=1), help="How many images.  [default: 200]")
@click.option(
    "--questions",
    type=click.IntRange(min=1),
    help="How many good questions.  [default: 5.3 for each image]",
)
@click.option("--seed", type=click.IntRange(0, 2**63 - 1), default=7, show_default=True)
@click.option(
    "--pictures/--no-images",
    "has_pictures",
    default=True,
    help="Draw the pictures, or write the annotation files only.  [default: pictures]",
)
@click.option(
    "--flaws/--no-flaws",
    "has_flaws",
    default=True,
    help="Add records that violate the layouts or contradict each other.  [default: flaws]",
)
@click.option(
    "--faithful",
    "is_faithful",
    is_flag=True,
    help="Say only what the pictures show, as in the demo, and leave out the edge cases.",
)
@click.option(
    "--reality-check",
    "has_collected",
    is_flag=True,
    help="Add listings and pictures of four online sources, and OUT/vars.yml for its build.",
)
def command(
    *,
    out: Path,
    images: int | None,
    questions: int | None,
    seed: int,
    has_pictures: bool,
    has_flaws: bool,
    is_faithful: bool,
    has_collected: bool,
) -> None:
    """Write a synthetic corpus into the folder OUT, in the layouts of VQA v2.0 and COCO 2014.

    The same options give the same bytes. From 137 images on, every edge case of the Conflict
    Suite occurs. What is true of each picture stands in
    OUT/synthetic_truth.jsonl. With --reality-check there are 440 images of Wikimedia Commons, Open
    Images, Street View and YFCC100M beside them, as `gainsay collect` lists and fetches them; build
    them with `dbt build --vars "$(cat OUT/vars.yml)"`.

    An earlier corpus in OUT is replaced once the new one is whole; a folder with anything else in
    it is refused.
    """
    order = order_of(
        images,
        questions,
        seed,
        has_pictures=has_pictures,
        has_flaws=has_flaws,
        is_faithful=is_faithful,
    )
    pictures_too = N_PICTURES if has_collected and has_pictures else 0
    with progress("synth", order.images + pictures_too) as advance:
        summary = write_corpus(out, order, advance, has_collected=has_collected)
    for line in _lines(out, summary):
        click.echo(line)


def _lines(out: Path, summary: Summary) -> list[str]:
    lines = [f"{out}:"]
    for split in SPLITS:
        counts = [
            f"{count:,} {array}"
            for (of_split, array), count in summary.records.items()
            if of_split == split
        ]
        lines.append(f"  {split}: {', '.join(counts)}")
    if summary.flaws:
        lines.append(f"  {summary.flaws.total()} flawed records among them:")
        lines += [f"    {count} x {what}" for what, count in sorted(summary.flaws.items())]
    return lines
