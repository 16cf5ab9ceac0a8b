"""`gainsay compare`: whether two warehouses hold the same marts."""

import sys
from collections.abc import Iterator
from pathlib import Path

import click
from rich.table import Table
from rich.text import Text

from gainsay.cli.progress import progress
from gainsay.cli.tables import NULL, show
from gainsay.foundation.errors import GainsayError
from gainsay.inspect.compare import Comparison, Mart, compare, marts_of
from gainsay.inspect.targets import opened, require_openable
from gainsay.project.compiled import compile_project
from gainsay.project.folder import project_folder

_LONGEST_VALUE = 300
_MOST_MOVES = 12


@click.command()
@click.option("--mart", "names", multiple=True, help="Compare this mart; may be given repeatedly.")
@click.option(
    "--rows",
    "most_rows",
    type=click.IntRange(min=0),
    default=5,
    show_default=True,
    help="Show at most this many differing rows of a mart.",
)
@click.option(
    "--project",
    type=click.Path(file_okay=False, path_type=Path),
    help="The folder of dbt_project.yml; else GAINSAY_PROJECT, this folder, or gainsay's own.",
)
@click.argument("left")
@click.argument("right")
def command(
    left: str, right: str, names: tuple[str, ...], most_rows: int, project: Path | None
) -> None:
    """Compare every mart of LEFT and RIGHT: targets of profiles.yml, or DuckDB files.

    First which candidates ended at another stage, and which examples are in another split. Then
    presence, columns, types, rows and their content, whatever their order; columns that may differ
    are left out and listed, and so are marts without any row. Exits with 1 and shows what differs
    unless all agree.
    """
    folder = project_folder(project)
    for name in (left, right):
        require_openable(name, folder)
    marts = _chosen(marts_of(compile_project(folder)), names)
    with (
        opened(left, folder, marts, progress) as left_side,
        opened(right, folder, marts, progress) as right_side,
        progress("comparing, marts", len(marts)) as advance,
    ):
        comparisons = []
        for mart in marts:
            comparisons.append(compare(left_side, right_side, mart, most_rows))
            advance()

    for line in _moves(comparisons):
        click.echo(line)
    show(_summary(comparisons, left, right))
    _report_left_out_columns(marts)
    _report_missing_rows(comparisons)
    differing = [comparison for comparison in comparisons if comparison.differences]
    if not differing:
        click.echo(f"all marts of {left} and {right} agree")
        return
    show(_differences(differing, left, right))
    for comparison in differing:
        if comparison.rows:
            show(_rows(comparison, left, right))
    click.echo(f"{len(differing)} of {len(marts)} marts differ", err=True)
    sys.exit(1)


def _chosen(marts: list[Mart], names: tuple[str, ...]) -> list[Mart]:
    if unknown := set(names) - {mart.name for mart in marts}:
        raise GainsayError(
            f"{', '.join(sorted(unknown))}: no mart of the project; the marts are"
            f" {', '.join(mart.name for mart in marts)}"
        )
    return [mart for mart in marts if not names or mart.name in names]


def _moves(comparisons: list[Comparison]) -> Iterator[str]:
    """Such as `clash: 113 candidates from family to caption`, the most of a benchmark first."""
    for comparison in comparisons:
        benchmark = comparison.mart.name.partition("__")[0]
        for move in comparison.moves[:_MOST_MOVES]:
            what = move.what if move.n > 1 else move.what.removesuffix("s")
            yield f"{benchmark}: {move.n:,} {what} from {move.left} to {move.right}"
        if others := comparison.moves[_MOST_MOVES:]:
            n = sum(move.n for move in others)
            yield f"{benchmark}: {n:,} {others[0].what} in {len(others):,} other ways"


def _summary(comparisons: list[Comparison], left: str, right: str) -> Table:
    table = Table("mart", "rows", "content", "", title=f"{left} and {right}", title_justify="left")
    for comparison in comparisons:
        table.add_row(
            comparison.mart.name,
            _both_texts(*("" if n is None else f"{n:,}" for n in comparison.n_rows)),
            _both_texts(*(content or "" for content in comparison.hashes)),
            _state(comparison),
        )
    return table


def _state(comparison: Comparison) -> str:
    if comparison.differences:
        return "differs"
    n_rows = comparison.n_rows[0]
    if n_rows is None:
        return "in neither"
    return "agrees" if n_rows else "empty in both"


def _both_texts(left: str, right: str) -> str:
    return left if left == right else f"{left} / {right}"


def _report_left_out_columns(marts: list[Mart]) -> None:
    for mart in marts:
        for column, reason in mart.volatile.items():
            click.echo(f"left out: {mart.name}.{column}, {reason}", err=True)


def _report_missing_rows(comparisons: list[Comparison]) -> None:
    """Name the marts of which only their columns, or not even these, were there to compare."""
    for state in ("in neither", "empty in both"):
        names = [found.mart.name for found in comparisons if _state(found) == state]
        if names:
            click.echo(f"{state}: {', '.join(names)}", err=True)


def _differences(differing: list[Comparison], left: str, right: str) -> Table:
    table = Table("mart", "what", left, right)
    for comparison in differing:
        for difference in comparison.differences:
            table.add_row(*difference)
        table.add_section()
    return table


def _rows(comparison: Comparison, left: str, right: str) -> Table:
    table = Table("row", "column", left, right, title=comparison.mart.name, title_justify="left")
    for difference in comparison.rows:
        table.add_row(*(_value_text(value) for value in difference))
    return table


def _value_text(value: str | None) -> str | Text:
    if value is None:
        return NULL
    return value if len(value) <= _LONGEST_VALUE else f"{value[:_LONGEST_VALUE]}…"
