"""`gainsay demo`: a first result, from nothing to pictures."""

import json
import os
import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from gainsay.foundation.errors import GainsayError

# what a first look is at, in the selector `demo`
_BENCHMARKS = ("conflict_suite", "occlusions", "clash")
# whose records the demo gives people to judge
_REVIEWED = ("clash", "audit")
# captions are swapped with those of other pictures, so that one picture makes no suite
_FEWEST_IMAGES = 10
_TRY = (
    "select question, answer, captions_seen from audit.audit__drops"
    " where stage = 'consistency' limit 5",
    "select variant_id, text_input, gold_answer, oracle_action"
    " from conflict_suite.conflict_suite__examples where base_id ="
    " (select min(base_id) from conflict_suite.conflict_suite__examples)",
    "select split, family, count(*) as n from conflict_suite.conflict_suite__examples"
    " group by all order by all",
)


@click.command()
@click.option("--all", "has_all", is_flag=True, help="Build every benchmark, and all marts.")
@click.option(
    "--images",
    default=200,
    show_default=True,
    type=click.IntRange(min=_FEWEST_IMAGES),
    help="How many images.",
)
@click.option(
    "--folder",
    default=Path("data/demo"),
    show_default=True,
    type=click.Path(file_okay=False, path_type=Path),
    help="Where everything of the demo goes.",
)
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
@click.pass_context
def command(
    context: click.Context, *, has_all: bool, images: int, folder: Path, project: Path | None
) -> None:
    """Build three benchmarks on a synthetic corpus, and draw what came out.

    Writes the corpus, lands and builds it in a warehouse of its own, shows the funnel, and leaves
    `report.html`, what was built, what fell out and pictures of both.
    """
    from gainsay.cli import land, land_images, report, synth
    from gainsay.cli.build import run_build, show_funnel
    from gainsay.foundation.connection import create_small, warehouse_path

    folder = folder.resolve()
    corpus = folder / "corpus"
    with _warehouse_in(folder):
        create_small(warehouse_path())
        context.invoke(
            synth.command, out=corpus, images=images, questions=None, seed=7,
            has_pictures=True, has_flaws=True, is_faithful=True,
        )  # fmt: skip
        context.invoke(land.command, paths=(corpus,), target="dev")
        context.invoke(
            land_images.command, paths=(str(corpus),), annotations=(), manifest=None, target="dev"
        )
        arguments = [] if has_all else ["--selector", "demo"]
        chosen: dict[str, object] = (
            {} if has_all else {"benchmarks": _BENCHMARKS, "reviewed": _REVIEWED}
        )
        if not shutil.which("tesseract"):
            click.echo("without Tesseract, no text in pictures is read", err=True)
            chosen["annotate_ocr"] = False
        if chosen:
            arguments += ["--vars", json.dumps(chosen)]
        try:
            outcome = run_build(arguments, project)
        except GainsayError as error:
            raise GainsayError(
                f"{error}\nIf an earlier demo is in the way, remove {folder} and run it again."
            ) from error
        if not outcome.is_success:
            raise GainsayError("the demo's build failed, see above")
        show_funnel()
        context.invoke(report.command, benchmarks=(), out=folder / "report.html", other=None)
    _say_where_to_look(Path(os.path.relpath(folder)))


@contextmanager
def _warehouse_in(folder: Path) -> Iterator[None]:
    """Name a warehouse, renderings and exports of this folder's own."""
    names = {
        "GAINSAY_DB": folder / "gainsay.duckdb",
        "GAINSAY_RENDERINGS": folder / "renderings",
        "GAINSAY_EXPORTS": folder / "exports",
    }
    before = {name: os.environ.get(name) for name in names}
    os.environ.update({name: str(path) for name, path in names.items()})
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def _say_where_to_look(folder: Path) -> None:
    program = os.path.relpath(sys.argv[0])
    if program.startswith("..") or not program.endswith("gainsay"):
        program = "gainsay"
    click.echo(
        f"\nOpen {folder}/report.html. The warehouse is {folder}/gainsay.duckdb. Try:"
        f"\n  export GAINSAY_DB={folder}/gainsay.duckdb"
    )
    for query in _TRY:
        click.echo(f'  {program} sql "{query}"')
    click.echo(f"  {program} browse    # every candidate, and why it is in or out")
    click.echo(
        f"  {program} review --benchmark clash    # judge samples; this counts what you say:"
    )
    click.echo(f"  {program} build --select stg_gainsay__votes+")
    click.echo(f"  {program} release conflict_suite {folder}/releases")
