"""The screening funnel: read from a warehouse, and as a picture in a report."""

from __future__ import annotations

from itertools import cycle, groupby
from typing import TYPE_CHECKING, NamedTuple

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, read, sql_beside
from gainsay.project.holdings import require_built

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Okabe and Ito's colours, told apart with every kind of colour vision
_FAMILY_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")
_UNGATED_COLOR = "#777777"
_DROPPED_COLOR = "#E4E4E4"
_UNGATED = "none"


class FunnelRow(msgspec.Struct, frozen=True):
    """One row of `audit__funnel`: the candidates that ended at one stage, by family."""

    screening: str
    stage: str
    reason: str
    family: str
    n: int
    share: float


class FunnelTotal(msgspec.Struct, frozen=True):
    """The candidates of a screening that ended at one stage, whatever their family."""

    benchmark: str
    screening: str
    stage: str
    reason: str
    n: int
    share: float


TOTALS = sql_beside(__file__, "funnel_totals")


class Step(NamedTuple):
    """A stage of the funnel: what it dropped, and what it left, by family."""

    stage: str
    reason: str
    n_dropped: int
    left_by_family: dict[str, int]


def read_funnel(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[FunnelRow]:
    """Read a benchmark's funnel, screening by screening in the order of their stages.

    Raises `GainsayError` when the warehouse has no funnel, or no candidate of this benchmark.
    """
    rows = read(
        connection,
        FunnelRow,
        "audit.audit__funnel",
        where="benchmark = $benchmark",
        order="screening, stage_order, family",
        parameters={"benchmark": benchmark},
    )
    if not rows:
        require_built(benchmark, connection)
        raise GainsayError(f"{benchmark}: the funnel is empty; land files and run `gainsay build`")
    return rows


def by_screening(rows: list[FunnelRow]) -> dict[str, list[FunnelRow]]:
    """The rows of each screening of a benchmark; its candidates are not those of another one."""
    return {name: list(group) for name, group in groupby(rows, key=lambda row: row.screening)}


def main_screening(rows: list[FunnelRow], benchmark: str) -> list[FunnelRow]:
    """The rows of the screening that is named like the benchmark, or else of its first one."""
    screenings = by_screening(rows)
    return screenings.get(benchmark) or next(iter(screenings.values()))


def read_totals(connection: duckdb.DuckDBPyConnection) -> list[FunnelTotal]:
    """Read what every stage of every screening dropped, in the order of the stages.

    Raises `GainsayError` when the warehouse has no funnel.
    """
    return query(connection, TOTALS, FunnelTotal)


def steps(rows: list[FunnelRow]) -> list[Step]:
    """The candidates that each stage of a screening dropped and left, in order of the stages.

    A family is known from the family gate on; before it all candidates count as `none`.
    """
    stages = [list(group) for _, group in groupby(rows, key=lambda row: row.stage)]
    result = []
    for position, group in enumerate(stages):
        if group[0].stage == "retained":
            continue
        left: dict[str, int] = {}
        for row in (row for later in stages[position + 1 :] for row in later):
            left[row.family] = left.get(row.family, 0) + row.n
        if _UNGATED in left:
            left = {_UNGATED: sum(left.values())}
        result.append(Step(group[0].stage, group[0].reason, sum(row.n for row in group), left))
    return result


def draw_funnel(rows: list[FunnelRow], benchmark: str, axes: Axes) -> None:
    """Draw what every stage of a screening dropped and left, by family, first to last."""
    n_candidates = sum(row.n for row in rows)
    funnel = steps(rows)
    families = sorted({row.family for row in rows} - {_UNGATED})
    colors = dict(zip(families, cycle(_FAMILY_COLORS))) | {_UNGATED: _UNGATED_COLOR}

    axes.barh(0, n_candidates, color=_UNGATED_COLOR)
    axes.text(n_candidates * 1.01, 0, f"{n_candidates:,} candidates", va="center", fontsize="small")
    for position, step in enumerate(funnel, start=1):
        edge = 0
        for family, n in sorted(step.left_by_family.items()):
            axes.barh(position, n, left=edge, color=colors[family])
            edge += n
        axes.barh(position, step.n_dropped, left=edge, color=_DROPPED_COLOR)
        axes.text(
            (edge + step.n_dropped) + n_candidates * 0.01,
            position,
            f"{edge:,} left, {step.n_dropped:,} dropped ({step.n_dropped / n_candidates:.1%})",
            va="center",
            fontsize="small",
        )
    for family in families:
        axes.barh(0, 0, color=colors[family], label=family.replace("_", " "))
    axes.barh(0, 0, color=_DROPPED_COLOR, label="dropped here")

    names = (step.reason.replace("_", " ") for step in funnel)
    axes.set_yticks(range(len(funnel) + 1), ["landed", *names])
    axes.invert_yaxis()
    axes.set_xlim(0, n_candidates * 2.05)
    axes.xaxis.set_visible(False)
    axes.spines["bottom"].set_visible(False)
    n_retained = sum(row.n for row in rows if row.stage == "retained")
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.suptitle(
        f"{benchmark}: {n_retained:,} of {n_candidates:,} candidates retained "
        f"({n_retained / n_candidates:.1%})"
    )
    figure.legend(frameon=False, ncols=4, loc="outside lower center", columnspacing=1.2)
