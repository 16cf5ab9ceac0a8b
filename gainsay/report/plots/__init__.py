"""Pictures of screening and scores: colour-blind safe, and readable at half their size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from io import BytesIO
from math import isfinite, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb
import msgspec

from gainsay.foundation.atomic import write_atomically
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query, read, set_variables, sql_beside
from gainsay.inspect.funnel import draw_funnel, main_screening, read_funnel
from gainsay.project.folder import project_vars
from gainsay.python_udfs.installing import install_command
from gainsay.report.visible_text import visible

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, told apart with every kind of colour vision; marks and lines differ
# as well, so that nothing hangs on colour alone
_COLORS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#000000", "#999999")
_MARKERS = "osD^vPX*"
_LINES = ("-", "--", "-.", ":")
_HATCHES = ("", "//", "..", "xx", "--")
_FONT_SIZE = 15
_MODALITIES = {
    "contradiction": "contradiction",
    "image_only": "picture",
    "text_only": "caption",
    "distractor": "distractor",
    "none": "no match",
}
# of a model's name; what is longer leaves no room for the plot
_MOST_CHARACTERS = 60
Row = TypeVar("Row")


class _Benchmark(msgspec.Struct):
    benchmark: str


class _Metric(msgspec.Struct):
    metric: str


@dataclass(frozen=True)
class _Choice:
    """Which benchmarks a plot may be of: those that some rows of a relation are about.

    `takes_first`: the first of them is drawn where none is named.
    """

    relation: str
    where: str = "true"
    takes_first: bool = False


class _Score(msgspec.Struct):
    """A score of a run over all its answers."""

    model: str
    task: str
    condition: str
    matcher: str
    metric: str
    value: float
    standard_deviation: float | None
    n: int

    @property
    def asked(self) -> tuple[str, str, str, str]:
        """The values that all scores of one run share."""
        return self.model, self.task, self.condition, self.matcher


class _Point(msgspec.Struct):
    """A point of the curve of a run, and how many answers it is of."""

    name: str
    matcher: str
    x: float
    y: float
    n: int


class _Severity(msgspec.Struct):
    """A run's accuracy on pictures of one severity."""

    name: str
    matcher: str
    severity: str
    accuracy: float
    standard_error: float | None
    n: int


class _Ranked(msgspec.Struct):
    """A run's place on the leaderboard."""

    model: str
    run: str
    task: str
    condition: str
    matcher: str
    split: str
    unit: str
    value: float
    standard_deviation: float | None
    is_scored: bool
    n: int


def draw(
    connection: duckdb.DuckDBPyConnection,
    kind: str,
    benchmark: str | None,
    split: str | None = None,
) -> Figure:
    """Draw one kind of plot of a benchmark.

    Raises `GainsayError` without Matplotlib, where nothing is screened or scored, several
    benchmarks are scored and none is named, or the answers hold nothing to draw.
    """
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError as error:
        raise GainsayError(
            f"pictures need Matplotlib ({error}): {install_command('plots')}; or see gainsay report"
        ) from error

    height, choice, plot = PLOTS[kind]
    chosen = benchmark or _chosen_benchmark(connection, choice)
    # a model's name with two dollar signs is no formula
    with mpl.rc_context(
        {"font.size": _FONT_SIZE, "svg.hashsalt": "gainsay", "text.parse_math": False}
    ):
        figure = Figure(figsize=(10, height), layout="constrained")
        axes = figure.subplots()
        axes.spines[["top", "right"]].set_visible(False)
        plot(connection, chosen, split, axes)
        # a legend outside moves the axes a little with every drawing, so they are laid out once
        for _ in range(2):
            figure.draw_without_rendering()
        figure.set_layout_engine("none")
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the path's suffix; the same figure is the same file."""
    import matplotlib as mpl

    picture = BytesIO()
    metadata = {"Date": None} if path.suffix == ".svg" else None
    with mpl.rc_context({"svg.hashsalt": "gainsay"}):
        figure.savefig(picture, format=path.suffix[1:], dpi=120, metadata=metadata)
    write_atomically(path, picture.getvalue())


def _rows(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    row_type: type[Row],
    chosen: dict[str, str | None],
) -> list[Row]:
    """The rows of the file of this name beside this module, of what is chosen of them."""
    set_variables(connection, chosen)
    return query(connection, sql_beside(__file__, name), row_type)


def _require_rows(rows: list[Row], benchmark: str, what: str) -> list[Row]:
    if not rows:
        raise GainsayError(f"{benchmark}: {what}; land answers and run `gainsay score`")
    return rows


def main_metric(connection: duckdb.DuckDBPyConnection, benchmark: str) -> str:
    """The metric that stands first among those of a benchmark, by the port `metrics`."""
    ranked = read(
        connection,
        _Metric,
        "evaluation.evaluation__metrics",
        where="benchmark = $benchmark and better is not null",
        order="place",
        parameters={"benchmark": benchmark},
    )
    return ranked[0].metric if ranked else "accuracy"


def _chosen_benchmark(connection: duckdb.DuckDBPyConnection, choice: _Choice) -> str:
    """The benchmark that is drawn where none is named."""
    rows = read(connection, _Benchmark, choice.relation, where=choice.where)
    names = sorted({row.benchmark for row in rows})
    if choice.takes_first and names:
        listed = project_vars()["benchmarks"]
        return min(names, key=lambda name: listed.index(name) if name in listed else len(listed))
    if len(names) != 1:
        raise GainsayError(f"name one with --benchmark; scored are: {', '.join(names) or 'none'}")
    return names[0]


def _funnel(
    connection: duckdb.DuckDBPyConnection, benchmark: str, _split: str | None, axes: Axes
) -> None:
    rows = main_screening(read_funnel(connection, benchmark), benchmark)
    _set_height(axes, 2 + 0.7 * len({row.stage for row in rows}))
    draw_funnel(rows, benchmark, axes)


def _modality(
    connection: duckdb.DuckDBPyConnection, benchmark: str, _split: str | None, axes: Axes
) -> None:
    scores = _rows(connection, "followed", _Score, {"benchmark": benchmark})
    _require_rows(scores, benchmark, "no answers are scored")
    runs = list(dict.fromkeys(score.asked for score in scores))
    places = {run: place for place, run in enumerate(runs)}
    height = 0.8 / len(_MODALITIES)
    for number, (metric, label) in enumerate(_MODALITIES.items()):
        bars = [score for score in scores if score.metric == metric]
        axes.barh(
            [places[score.asked] + (number - 2) * height for score in bars],
            [score.value for score in bars],
            height,
            xerr=[score.standard_deviation or 0 for score in bars],
            color=_COLORS[number],
            hatch=_HATCHES[number],
            edgecolor="white",
            label=label,
        )
    labels = [
        f"{_named(model)}\n{task.replace('_', ' ')}, {condition}"
        for model, task, condition, _ in runs
    ]
    axes.set_yticks(range(len(runs)), labels)
    axes.invert_yaxis()
    _set_height(axes, 2 + 1.2 * len(runs))
    axes.set_xlim(0, 100)
    axes.set_xlabel("answers that follow, %")
    axes.legend(frameon=False, ncols=3, loc="upper center", bbox_to_anchor=(0.5, -0.12))
    matchers = " and ".join(dict.fromkeys(score.matcher for score in scores))
    _set_title(axes, benchmark, matchers, "all", [score.n for score in scores])


def _curves(
    connection: duckdb.DuckDBPyConnection, benchmark: str, curve: str
) -> dict[str, list[_Point]]:
    rows = _rows(connection, "curves", _Point, {"benchmark": benchmark, "curve": curve})
    points: dict[str, list[_Point]] = defaultdict(list)
    for point in _require_rows(rows, benchmark, "no answers with a confidence are scored"):
        points[point.name].append(point)
    return points


def _named(name: str) -> str:
    return visible(" ".join(name.split()), _MOST_CHARACTERS)


def _set_height(axes: Axes, inches: float) -> None:
    figure = axes.get_figure(root=True)
    assert figure is not None
    figure.set_figheight(inches)


def _lines(axes: Axes, by_name: dict[str, list[tuple[float, float]]]) -> None:
    for number, (name, points) in enumerate(by_name.items()):
        # what lies below shows at the edges of what covers it
        _line(axes, number, name, points, 2 + 3 * (1 - number / len(by_name)))


def _line(
    axes: Axes, number: int, name: str, points: list[tuple[float, float]], width: float
) -> None:
    axes.plot(
        [x for x, _ in points],
        [y for _, y in points],
        color=_COLORS[number % len(_COLORS)],
        linestyle=_LINES[number % len(_LINES)],
        marker=_MARKERS[number % len(_MARKERS)],
        markevery=max(1, len(points) // 10),
        linewidth=width,
        markersize=6 + 1.5 * width,
        markeredgecolor="white",
        # a legend leaves out what begins with an underscore
        label=f" {_named(name)}" if name.startswith("_") else _named(name),
        zorder=3,
    )


def _intervals(
    axes: Axes, number: int, points: Sequence[tuple[float, float, tuple[float, float]]]
) -> None:
    """Upright lines from the lower to the upper end of each point's interval, behind the marks."""
    axes.vlines(
        [x for x, _, _ in points],
        [low for _, _, (low, _) in points],
        [high for _, _, (_, high) in points],
        color=_COLORS[number % len(_COLORS)],
        linewidth=1.5,
        alpha=0.7,
        zorder=2,
    )


def _wilson(share: float, n: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a share of n answers: wide for a bin of one."""
    z = 1.96
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def _below(axes: Axes) -> None:
    """The legend below the plot, where it hides nothing, in a figure that grows with it."""
    legend = axes.legend(
        frameon=False, handlelength=3.5, ncols=2, loc="upper center", bbox_to_anchor=(0.5, -0.16)
    )
    figure = axes.get_figure(root=True)
    assert figure is not None
    n_more = max(0, len(legend.get_texts()) - 6)
    _set_height(axes, figure.get_figheight() + 0.2 * n_more)


def _risk_coverage(
    connection: duckdb.DuckDBPyConnection, benchmark: str, _split: str | None, axes: Axes
) -> None:
    curves = _curves(connection, benchmark, "risk_coverage")
    _lines(axes, {name: [(p.x, p.y) for p in points] for name, points in curves.items()})
    axes.set_xlim(0, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("coverage")
    axes.set_ylabel("risk")
    _below(axes)
    matcher = next(iter(curves.values()))[0].matcher
    _set_title(axes, benchmark, matcher, "all", [points[-1].n for points in curves.values()])


def _reliability(
    connection: duckdb.DuckDBPyConnection, benchmark: str, _split: str | None, axes: Axes
) -> None:
    curves = _curves(connection, benchmark, "reliability")
    axes.plot([0, 1], [0, 1], color="#999999", label="as sure as right", zorder=1)
    for number, points in enumerate(curves.values()):
        _intervals(axes, number, [(p.x, p.y, _wilson(p.y, p.n)) for p in points])
        for point in points:
            # a line of counts for each run, below all marks
            axes.text(
                point.x,
                -0.07 * (number + 1),
                f"{point.n:,}",
                ha="center",
                va="center",
                fontsize=_FONT_SIZE - 4,
                color=_COLORS[number % len(_COLORS)],
            )
    _lines(axes, {name: [(p.x, p.y) for p in points] for name, points in curves.items()})
    axes.set_xlim(-0.02, 1.06)
    axes.set_ylim(-0.07 * (len(curves) + 1), 1.06)
    axes.set_yticks([tick / 5 for tick in range(6)])
    _set_height(axes, 7 + 0.35 * len(curves))
    axes.set_xlabel("confidence (below: answers of each mark; upright lines: 95 % intervals)")
    axes.set_ylabel("share that is right")
    _below(axes)
    matcher = next(iter(curves.values()))[0].matcher
    sizes = [sum(point.n for point in points) for points in curves.values()]
    _set_title(axes, benchmark, matcher, "all", sizes)


def _severity(
    connection: duckdb.DuckDBPyConnection, benchmark: str, _split: str | None, axes: Axes
) -> None:
    rows = _rows(connection, "severities", _Severity, {"benchmark": benchmark})
    by_model: dict[str, list[_Severity]] = defaultdict(list)
    for row in _require_rows(rows, benchmark, "no answers are scored"):
        by_model[row.name].append(row)
    for number, found in enumerate(by_model.values()):
        ends = [
            (
                max(0.0, row.accuracy - 1.96 * (row.standard_error or 0)),
                min(1.0, row.accuracy + 1.96 * (row.standard_error or 0)),
            )
            for row in found
        ]
        _intervals(
            axes,
            number,
            [(float(r.severity), r.accuracy, end) for r, end in zip(found, ends, strict=True)],
        )
    _lines(
        axes,
        {
            name: [(float(r.severity), r.accuracy) for r in found]
            for name, found in by_model.items()
        },
    )
    axes.set_xticks(sorted({float(row.severity) for row in rows}))
    axes.set_ylim(-0.04, 1.04)
    axes.set_xlabel("severity of the corrupted picture (lines: 95 % intervals)")
    axes.set_ylabel("accuracy")
    _below(axes)
    _set_title(axes, benchmark, rows[0].matcher, "all", [row.n for row in rows])


def _leaderboard(
    connection: duckdb.DuckDBPyConnection, benchmark: str, split: str | None, axes: Axes
) -> None:
    metric = main_metric(connection, benchmark)
    chosen = {"benchmark": benchmark, "metric": metric, "split": split}
    rows = _rows(connection, "leaderboard", _Ranked, chosen)
    _require_rows(rows, benchmark, "no answers are scored")
    for row in rows:
        if not isfinite(row.value + (row.standard_deviation or 0)):
            raise GainsayError(
                f"{benchmark}: {metric} of {row.model} is {row.value} ±"
                f" {row.standard_deviation}, which no picture shows; look at its answers"
            )
    tasks = len({(row.task, row.condition) for row in rows}) > 1
    labels = [
        _named(row.model + (f" {row.run}" if row.run not in ("default", "reference") else ""))
        + (f"\n{row.task.replace('_', ' ')}, {row.condition}" if tasks else "")
        for row in rows
    ]  # fmt: skip
    for place, row in enumerate(rows):
        # the line before the mark, which nothing covers
        axes.errorbar(
            row.value, place, xerr=row.standard_deviation or 0, fmt="none", color=_COLORS[0],
            capsize=5, zorder=2,
        )  # fmt: skip
        axes.plot(
            row.value, place, marker="o", markersize=10, color=_COLORS[0],
            markerfacecolor=_COLORS[0] if row.is_scored else "white", zorder=3,
        )  # fmt: skip
    is_percent = rows[0].unit == "percent"
    digits = 1 if is_percent else 3
    reach = [abs(row.value) + (row.standard_deviation or 0) for row in rows]
    largest = max(reach) or 1.0
    lowest = min(0.0, *(row.value - (row.standard_deviation or 0) for row in rows))
    # room at both ends for the numbers, which stand in the middle above the marks
    axes.set_xlim(lowest - 0.06 * largest, 1.08 * largest)
    for place, row in enumerate(rows):
        value = f"{row.value:.{digits}f}"
        axes.annotate(
            value if row.is_scored else f"({value})",
            (row.value, place),
            xytext=(0, 10),
            textcoords="offset points",
            ha="center",
        )
    axes.set_yticks(range(len(rows)), labels)
    axes.invert_yaxis()
    _set_height(axes, 1.8 + 0.7 * len(rows))
    axes.set_ylim(len(rows) - 0.5, -0.8)
    axes.grid(axis="x", color="#dddddd")
    axes.set_xlabel(f"{metric.replace('_', ' ')}{', %' if is_percent else ''}")
    matchers = " and ".join(dict.fromkeys(row.matcher for row in rows))
    _set_title(axes, benchmark, matchers, rows[0].split, [row.n for row in rows])


def _set_title(axes: Axes, benchmark: str, matcher: str, split: str, sizes: Sequence[int]) -> None:
    """Say above the plot what it is of: benchmark, matcher, split and number of answers."""
    least, most = min(sizes), max(sizes)
    n = f"n = {most:,}" if least == most else f"n = {least:,} to {most:,}"
    shown = "all answers" if split == "all" else split.replace("_", " ")
    axes.set_title(
        f"{benchmark.replace('_', ' ')}, {matcher.replace('_', ' ')}, {shown}, {n}",
        fontsize=_FONT_SIZE, pad=12,
    )  # fmt: skip


_Plot = Callable[[duckdb.DuckDBPyConnection, str, str | None, "Axes"], None]
_SCREENED = _Choice("audit.audit__funnel", takes_first=True)
_SCORED = _Choice("evaluation.evaluation__scores")
_METRICS = "evaluation.evaluation__metrics"
_BY_MODALITY = _Choice(_METRICS, "metric = 'text_only'")
_BY_SEVERITY = _Choice(_METRICS, "metric = 'monotonicity_violation_rate'", takes_first=True)
# kind of plot: its height in inches, of which benchmark it is, and how it is drawn
PLOTS: dict[str, tuple[float, _Choice, _Plot]] = {
    "funnel": (6, _SCREENED, _funnel),
    "modality": (6, _BY_MODALITY, _modality),
    "risk-coverage": (6, _SCORED, _risk_coverage),
    "reliability": (7, _SCORED, _reliability),
    "severity": (6, _BY_SEVERITY, _severity),
    "leaderboard": (4, _SCORED, _leaderboard),
}
