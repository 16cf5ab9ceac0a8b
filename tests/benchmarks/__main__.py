"""`make bench`: speed and memory at official scale, contenders side by side in one run."""

import os
import sys
from pathlib import Path

import click
from rich.console import Console
from rich.table import Table

from tests.benchmarks.asking import asking
from tests.benchmarks.blind_reading import blind_reading
from tests.benchmarks.browsing import browsing
from tests.benchmarks.certainly_uncertain import certainly_uncertain
from tests.benchmarks.conflict_suite import conflict_suite
from tests.benchmarks.contradictions import contradictions
from tests.benchmarks.growth_on_spark import show_growth
from tests.benchmarks.image_overlap import image_overlap
from tests.benchmarks.measuring import Measurement
from tests.benchmarks.pixels import pixels
from tests.benchmarks.reality_check import OFFICIAL_IMAGES, reality_check
from tests.benchmarks.reviewing import reviewing
from tests.benchmarks.scoring import scoring
from tests.benchmarks.thread_counts import thread_counts


@click.command()
@click.option("--questions", default=658_111, show_default=True, help="Size of the corpus.")
@click.option("--images", default=OFFICIAL_IMAGES, show_default=True, help="Of Reality Check.")
@click.option("--answers", default=1_000_000, show_default=True, help="Answers to score.")
@click.option(
    "--folder",
    default="data/bench",
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where corpora and warehouses are kept; corpora are made once.",
)
@click.option(
    "--spark/--no-spark",
    default=True,
    show_default=True,
    help="Measure how the build on Spark grows, too, which takes half an hour.",
)
def main(questions: int, images: int, answers: int, folder: Path, spark: bool) -> None:
    """Measure and print; exits with 1 when a target is missed."""
    os.environ["DO_NOT_TRACK"] = "1"
    measurements = conflict_suite(questions, folder.resolve())
    # the corpora of the Conflict Suite, which are made by now
    corpora = [folder.resolve() / f"corpus_{n}" for n in (questions, questions // 4)]
    measurements += contradictions(*corpora, folder.resolve())
    [suite] = [one.seconds for one in measurements if one.stage == "dbt build, tests included"]
    measurements += certainly_uncertain(*corpora, folder.resolve(), suite)
    measurements += blind_reading(corpora[0], folder.resolve())
    measurements += reality_check(folder.resolve() / "reality_check", images)
    measurements += thread_counts(folder.resolve() / "thread_counts")
    measurements += scoring(answers, folder.resolve())
    measurements += image_overlap(folder.resolve() / "image_overlap")
    measurements += pixels(folder.resolve() / "pixels")
    measurements += asking(10_000, folder.resolve() / "asking")
    measurements += reviewing(10_000, folder.resolve() / "reviewing")
    measurements += browsing(corpora[0], folder.resolve() / "browsing")
    _print(measurements)
    if spark:
        show_growth([16, 4, 1], folder.resolve(), "6g")
    sys.exit(any(measurement.is_missed for measurement in measurements))


def _print(measurements: list[Measurement]) -> None:
    table = Table(title=f"{os.cpu_count()} cores", title_justify="left")
    for header in ("stage", "seconds", "rows/s", "peak MB", "ratio", "target"):
        table.add_column(header, justify="left" if header == "stage" else "right")
    for measurement in measurements:
        style = "red" if measurement.is_missed else None
        table.add_row(*measurement.cells(), style=style)
    Console(width=120).print(table)


main()
