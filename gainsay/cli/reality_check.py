"""`gainsay reality-check`: what VLM Reality Check alone has."""

import json
import os
import shutil
import sys
import threading
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import msgspec
import yaml
from rich.table import Column, Table
from rich.text import Text

from gainsay.cli.progress import progress
from gainsay.cli.tables import show
from gainsay.exports.reality_check import STAGES, export_reality_check, n_pictures
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.own_files import OwnFiles
from gainsay.foundation.queries import query
from gainsay.foundation.renderings import renderings_of
from gainsay.inspect.annotating import annotated, counted_findings, kept_findings

_PARTS = (
    "+reality_check__screened",
    "+reality_check__statistics",
    "+reality_check__controls",
    "+reality_check__multilingual",
    "+reality_check__translation_sample",
    "+reality_check__quality_gates",
)
# beside the delivery: what became of each picture, and what each bias makes of them
_SHEET, _PAGE = "pictures.csv", "yields.html"
_STATES = {
    True: ("passes", "green"),
    False: ("fails", "bold red"),
    None: ("not measured", "yellow"),
}
_file = click.Path(exists=True, dir_okay=False, path_type=Path)
_folder = click.Path(file_okay=False, path_type=Path)


class _Gate(msgspec.Struct):
    gate_id: str
    check_name: str
    measured: str | None
    threshold: str
    is_passed: bool | None


class _Commands(click.Group):
    """Commands, and `run` where none of them is named."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and args[0] not in self.commands:
            args = ["run", *args]
        return super().resolve_command(ctx, args)


@click.group(cls=_Commands, context_settings={"ignore_unknown_options": True})
def command() -> None:
    """Make VLM Reality Check of a folder of pictures, export it, and measure its gates.

    `gainsay reality-check FOLDER OUT` is `gainsay reality-check run FOLDER OUT`.
    """


def _with_vars(command: Any) -> Any:
    return click.option(
        "--vars", "dbt_vars", default="{}", show_default=True, metavar="YAML",
        help="Vars of the build, as dbt takes them.",
    )(command)  # fmt: skip


@command.command("run")
@click.argument("folder", type=click.Path(exists=True, path_type=Path))
@click.argument("out", type=_folder)
@click.option("--annotations", multiple=True, type=_file, help="As `gainsay land-images` takes it.")
@click.option("--manifest", type=_file, help="As `gainsay land-images` takes it.")
@_with_vars
@click.pass_context
def run(
    context: click.Context,
    *,
    folder: Path,
    out: Path,
    annotations: tuple[Path, ...],
    manifest: Path | None,
    dbt_vars: str,
) -> None:
    """Land, annotate, build and export the pictures in FOLDER; OUT gets everything.

    OUT is the delivery of the source protocol, with `yields.html`, what each bias makes of the
    pictures and what stops the rest, `pictures.csv`, each picture's stage and reason, and the
    warehouse in work/. What was stopped goes on where it was when it is run again. Where OUT lies
    in FOLDER, no picture in it is landed; a file in OUT that gainsay did not write, or that was
    changed since, is not replaced.
    """
    from gainsay.cli import land_images
    from gainsay.cli.build import run_build

    out = out.resolve()
    _require_apart(folder, out)
    OwnFiles(out).require_own((_SHEET, _PAGE))
    chosen: dict[str, object] = {"benchmarks": ["reality_check"], "reviewed": ["reality_check"]}
    if not shutil.which("tesseract"):
        click.echo("without Tesseract, no text in pictures is read", err=True)
        chosen["annotate_ocr"] = False
    chosen |= _vars_of(dbt_vars)
    with _warehouse_in(out / "work"):
        context.invoke(
            land_images.command,
            paths=(str(folder),),
            annotations=annotations,
            manifest=manifest,
            target="dev",
            besides=(out,),
        )
        annotations_folder = out / "work/renderings/annotations"
        kept_before = kept_findings(annotations_folder)
        arguments = ["--vars", json.dumps(chosen), "--exclude-resource-type", "test", "unit_test"]
        with _told_while_annotated(annotations_folder):
            outcome = run_build(["--select", *_PARTS, *arguments])
        if not outcome.is_success:
            raise GainsayError("the build failed, see above; run the same again to go on")
        _show_annotated(kept_before, kept_findings(annotations_folder))
        _export(out, tuple(STAGES))
        _say_gates()
        _show_yields(out)
    click.echo(f"\nOpen {os.path.relpath(out / 'yields.html')}; the warehouse is"
               f" {os.path.relpath(out / 'work/gainsay.duckdb')}")  # fmt: skip


@command.command("export")
@click.argument("folder", type=_folder)
@click.option(
    "--stage",
    "stages",
    multiple=True,
    type=click.Choice([*STAGES]),
    help="Only the files of this stage; several times.  [default: all]",
)
def export(folder: Path, stages: tuple[str, ...]) -> None:
    """Write configuration, images, annotations, challenges and the sample for people.

    FOLDER gets configs/ and data/ as the source protocol's own scripts read them. What an earlier
    export wrote is replaced; a file of these names that gainsay did not write, or that was changed
    since, is refused, and others stay.
    """
    _export(folder, stages or tuple(STAGES))


@command.command("validate")
@click.argument("folder", type=_folder)
def validate(folder: Path) -> None:
    """Export what is built into FOLDER, and print every gate.

    Ends with 1 where a gate fails, or was not measured.
    """
    _export(folder, tuple(STAGES))
    if not _show_gates():
        sys.exit(1)


def _require_apart(folder: Path, out: Path) -> None:
    """Raise `GainsayError` where the pictures are those of the delivery itself."""
    found = folder.resolve()
    if found == out or any(found.is_relative_to(out / name) for name in ("data", "work")):
        raise GainsayError(
            f"{folder}: lies in {out}, where the delivery goes: its pictures would be taken for"
            " yours; name another OUT"
        )


def _vars_of(text: str) -> dict[str, Any]:
    try:
        found = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise click.UsageError(f"--vars is no YAML: {error}") from error
    if not isinstance(found, dict):
        raise click.UsageError("--vars: expected names with values, such as '{seed: 8}'")
    return found


@contextmanager
def _warehouse_in(folder: Path) -> Iterator[None]:
    """Name a warehouse and renderings of this folder's own."""
    names = {
        "GAINSAY_DB": folder / "gainsay.duckdb",
        "GAINSAY_RENDERINGS": folder / "renderings",
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


def _export(folder: Path, stages: Sequence[str]) -> None:
    with (
        connect(read_only=True) as connection,
        progress("exporting, pictures", n_pictures(connection)) as advance,
    ):
        written = export_reality_check(connection, folder, stages, advance)
    for name, n_rows in written.items():
        click.echo(f"{folder / name}: {n_rows:,}")


def _gates() -> list[_Gate]:
    with connect(read_only=True) as connection:
        return query(
            connection,
            "select * from reality_check.reality_check__quality_gates order by position",
            _Gate,
        )


def _say_gates() -> None:
    """Say in a line how the source protocol's checks stand, which want 400,000 pictures."""
    gates = _gates()
    failed = [gate.check_name for gate in gates if gate.is_passed is False]
    n_passed = sum(gate.is_passed is True for gate in gates)
    n_unmeasured = len(gates) - n_passed - len(failed)
    said = f"; {len(failed)} do not ({', '.join(failed)})" if failed else ""
    unmeasured = f"; {n_unmeasured} not measured" if n_unmeasured else ""
    click.echo(
        f"of the source protocol's {len(gates)} checks, made for 400,000 pictures, {n_passed}"
        f" pass{said}{unmeasured}: reality_check.reality_check__quality_gates"
    )


def _show_gates() -> bool:
    """Print every gate; whether all of them pass."""
    gates = _gates()
    table = Table("gate", "check", Column("measured", justify="right"), "wanted", "")
    for gate in gates:
        table.add_row(
            gate.gate_id, gate.check_name, gate.measured or "", gate.threshold,
            Text(*_STATES[gate.is_passed]),
        )  # fmt: skip
    show(table)
    return all(gate.is_passed for gate in gates)


@contextmanager
def _told_while_annotated(folder: Path, seconds: float = 10.0) -> Iterator[None]:
    """Say now and then how many pictures each annotator has looked at, and how many were kept."""
    before = counted_findings(folder)
    is_over = threading.Event()

    def tell() -> None:
        told = before
        while not is_over.wait(seconds):
            now = counted_findings(folder)
            if now != told:
                told = now
                counts = ", ".join(
                    f"{annotator} {n - before[annotator]:,} (+{before[annotator]:,} kept)"
                    for annotator, n in sorted(now.items())
                )
                click.echo(f"pictures looked at: {counts}", err=True)

    teller = threading.Thread(target=tell, daemon=True)
    teller.start()
    try:
        yield
    finally:
        is_over.set()
        teller.join()


def _show_annotated(
    before: AbstractSet[tuple[str, str]], after: AbstractSet[tuple[str, str]]
) -> None:
    """Print what the annotators did with the pictures of each source."""
    with connect(read_only=True) as connection:
        found = annotated(connection, before, after)
    table = Table(
        "source", "annotator", Column("looked at", justify="right"),
        Column("kept from before", justify="right"), Column("failed", justify="right"),
    )  # fmt: skip
    for each in found:
        table.add_row(
            each.source, each.annotator, f"{each.n_looked_at:,}", f"{each.n_kept:,}",
            f"{each.n_failed:,}",
        )  # fmt: skip
    show(table)


def _show_yields(out: Path) -> None:
    """Print what each bias yields, and write its page and the sheet of every picture."""
    from gainsay.report.yields import pictures_sheet, yields, yields_page

    own = OwnFiles(out)
    with connect(read_only=True) as connection:
        found = yields(connection, renderings_of(connection))
        own.write(_SHEET, pictures_sheet(connection))
    own.write(_PAGE, yields_page(found))
    table = Table(
        "screening", Column("candidates", justify="right"), Column("in pairs", justify="right"),
        Column("challenges", justify="right"), "most of the rest stop at",
        Column("there", justify="right"),
    )  # fmt: skip
    for each in found:
        stop = each.stop
        table.add_row(
            each.name, f"{each.n_candidates:,}", f"{each.n_retained:,}", f"{each.n_challenges:,}",
            f"{stop.stage}: {stop.description or stop.reason}" if stop else "",
            f"{stop.n:,}" if stop else "",
        )  # fmt: skip
    show(table)
