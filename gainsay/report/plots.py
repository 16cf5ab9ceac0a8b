"""Pictures of screening and scores: colour-blind safe, and readable at half their size."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import duckdb
import msgspec

from gainsay.errors import GainsayError
from gainsay.inspect.funnel import draw_funnel, main_screening, read_funnel
from gainsay.io.atomic import write_atomically
from gainsay.warehouse.queries import query

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
MAIN_METRICS = {
    "clash": "contradiction",
    "conflict_suite": "task_success",
    "vqa": "vqa_accuracy",
    "pope": "f1",
    "certainly_uncertain": "lave_idk",
}
_SUITE = "conflict_suite"
Row = TypeVar("Row")


class _Benchmark(msgspec.Struct):
    benchmark: str


class _Score(msgspec.Struct):
    """A score of a run over all its answers."""

    model: str
    task: str
    condition: str
    matcher: str
    metric: str
    value: float
    standard_deviation: float | None

    @property
    def asked(self) -> tuple[str, str, str, str]:
        """What the scores of one run share, whatever the metric."""
        return self.model, self.task, self.condition, self.matcher


class _Point(msgspec.Struct):
    """A point of the curve of a run."""

    name: str
    x: float
    y: float


class _Severity(msgspec.Struct):
    """A run's accuracy on pictures of one severity."""

    name: str
    severity: str
    accuracy: float


class _Ranked(msgspec.Struct):
    """A run's place on the leaderboard."""

    model: str
    run: str
    task: str
    condition: str
    unit: str
    value: float
    standard_deviation: float | None


def draw(connection: duckdb.DuckDBPyConnection, kind: str, benchmark: str | None) -> Figure:
    """Draw one kind of plot of a benchmark.

    Raises `GainsayError` where nothing is screened or scored, several benchmarks are scored and
    none is named, or the answers hold nothing to draw.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    fixed, height, plot = PLOTS[kind]
    chosen = fixed or benchmark or (_SUITE if kind == "funnel" else _only_benchmark(connection))
    with mpl.rc_context({"font.size": _FONT_SIZE, "svg.hashsalt": "gainsay"}):
        figure = Figure(figsize=(10, height), layout="constrained")
        axes = figure.subplots()
        axes.spines[["top", "right"]].set_visible(False)
        plot(connection, chosen, axes)
    return figure


def save(figure: Figure, path: Path) -> None:
    """Write a figure in the format of the path's suffix; the same figure is the same file."""
    import matplotlib as mpl

    picture = BytesIO()
    metadata = {"Date": None} if path.suffix == ".svg" else None
    with mpl.rc_context({"svg.hashsalt": "gainsay"}):
        figure.savefig(picture, format=path.suffix[1:], dpi=120, metadata=metadata)
    write_atomically(path, picture.getvalue())


def _require_rows(rows: list[Row], benchmark: str, what: str) -> list[Row]:
    if not rows:
        raise GainsayError(f"{benchmark}: {what}; land answers and run `gainsay score`")
    return rows


def _only_benchmark(connection: duckdb.DuckDBPyConnection) -> str:
    rows = query(
        connection,
        "select distinct benchmark from evaluation.evaluation__scores order by benchmark",
        _Benchmark,
    )
    names = [row.benchmark for row in rows]
    if len(names) != 1:
        raise GainsayError(f"name one with --benchmark; scored are: {', '.join(names) or 'none'}")
    return names[0]


def _funnel(connection: duckdb.DuckDBPyConnection, benchmark: str, axes: Axes) -> None:
    rows = main_screening(read_funnel(connection, benchmark), benchmark)
    _set_height(axes, 2 + 0.7 * len({row.stage for row in rows}))
    draw_funnel(rows, benchmark, axes)


def _modality(connection: duckdb.DuckDBPyConnection, benchmark: str, axes: Axes) -> None:
    scores = query(
        connection,
        """
        select model, task, condition, matcher, metric, value, standard_deviation
        from evaluation.evaluation__scores
        where benchmark = $benchmark and slice_name = 'overall' and matcher_place = 1
        order by condition, task, model, run
        """,
        _Score,
        {"benchmark": benchmark},
    )
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
        f"{model}\n{task.replace('_', ' ')}, {condition}" for model, task, condition, _ in runs
    ]
    axes.set_yticks(range(len(runs)), labels)
    axes.invert_yaxis()
    _set_height(axes, 2 + 1.2 * len(runs))
    axes.set_xlim(0, 100)
    axes.set_xlabel("answers that follow, %")
    axes.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))


def _curves(
    connection: duckdb.DuckDBPyConnection, benchmark: str, curve: str
) -> dict[str, list[tuple[float, float]]]:
    rows = query(
        connection,
        """
        select distinct matches.model || if(matches.run in ('default', 'reference'), '',
            ' ' || matches.run) || if(matches.condition = 'default', '',
            ' ' || matches.condition) as name, curves.point, curves.x, curves.y
        from evaluation.evaluation__curves as curves
        inner join (
            select distinct source_file, benchmark, model, run, condition, matcher
            from evaluation.evaluation__scores
            where matcher_place = 1
        ) as matches using (source_file, matcher)
        where matches.benchmark = $benchmark and curves.curve = $curve
        order by all
        """,
        _Point,
        {"benchmark": benchmark, "curve": curve},
    )
    points: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for point in _require_rows(rows, benchmark, "no answers with a confidence are scored"):
        points[point.name].append((point.x, point.y))
    return points


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
        clip_on=False,
        label=name,
    )


def _risk_coverage(connection: duckdb.DuckDBPyConnection, benchmark: str, axes: Axes) -> None:
    _lines(axes, _curves(connection, benchmark, "risk_coverage"))
    axes.set_xlim(0, 1)
    axes.set_ylim(bottom=0)
    axes.set_xlabel("coverage")
    axes.set_ylabel("risk")
    axes.legend(frameon=False, handlelength=3.5)


def _reliability(connection: duckdb.DuckDBPyConnection, benchmark: str, axes: Axes) -> None:
    axes.plot([0, 1], [0, 1], color="#999999", clip_on=False, label="as sure as right")
    _lines(axes, _curves(connection, benchmark, "reliability"))
    axes.set_xlim(0, 1.02)
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("confidence")
    axes.set_ylabel("share that is right")
    axes.legend(frameon=False, handlelength=3.5)


def _severity(connection: duckdb.DuckDBPyConnection, benchmark: str, axes: Axes) -> None:
    rows = query(
        connection,
        """
        select model || if(run in ('default', 'reference'), '', ' ' || run) as name,
            slice_value as severity, value as accuracy
        from evaluation.evaluation__scores
        where benchmark = $benchmark and slice_name = 'picture_severity' and metric = 'accuracy'
            and matcher_place = 1
        order by all
        """,
        _Severity,
        {"benchmark": benchmark},
    )
    by_model: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for row in _require_rows(rows, benchmark, "no answers are scored"):
        by_model[row.name].append((float(row.severity), row.accuracy))
    _lines(axes, by_model)
    axes.set_xticks(sorted({severity for points in by_model.values() for severity, _ in points}))
    axes.set_ylim(-0.02, 1.02)
    axes.set_xlabel("severity of the corrupted picture")
    axes.set_ylabel("accuracy")
    axes.legend(frameon=False, handlelength=3.5, loc="center left", bbox_to_anchor=(1, 0.5))


def _leaderboard(connection: duckdb.DuckDBPyConnection, benchmark: str, axes: Axes) -> None:
    metric = MAIN_METRICS.get(benchmark, "accuracy")
    rows = query(
        connection,
        """
        select model, run, task, condition, unit, value, standard_deviation
        from evaluation.evaluation__leaderboard
        where benchmark = $benchmark and metric = $metric and matcher_place = 1
        order by value desc, model, run
        """,
        _Ranked,
        {"benchmark": benchmark, "metric": metric},
    )
    _require_rows(rows, benchmark, "no answers are scored")
    tasks = len({(row.task, row.condition) for row in rows}) > 1
    labels = [
        row.model + (f" {row.run}" if row.run not in ("default", "reference") else "")
        + (f"\n{row.task.replace('_', ' ')}, {row.condition}" if tasks else "")
        for row in rows
    ]  # fmt: skip
    axes.errorbar(
        [row.value for row in rows],
        range(len(rows)),
        xerr=[row.standard_deviation or 0 for row in rows],
        fmt="o",
        color=_COLORS[0],
        markersize=10,
        capsize=5,
        clip_on=False,
    )
    is_percent = rows[0].unit == "percent"
    digits = 1 if is_percent else 3
    # a number in the middle above a mark at the left edge would run into the names
    edge = 0.05 * max(row.value for row in rows)
    for place, row in enumerate(rows):
        axes.annotate(
            f"{row.value:.{digits}f}",
            (row.value, place),
            xytext=(0, 10),
            textcoords="offset points",
            ha="left" if row.value < edge else "center",
        )
    axes.set_yticks(range(len(rows)), labels)
    axes.invert_yaxis()
    _set_height(axes, 1.5 + 0.7 * len(rows))
    axes.set_xlim(left=0)
    axes.set_ylim(len(rows) - 0.5, -0.8)
    axes.grid(axis="x", color="#dddddd")
    axes.set_xlabel(f"{metric.replace('_', ' ')}{', %' if is_percent else ''}")


_Plot = Callable[[duckdb.DuckDBPyConnection, str, "Axes"], None]
# kind of plot: the one benchmark it is for, its height in inches, and how it is drawn
PLOTS: dict[str, tuple[str | None, float, _Plot]] = {
    "funnel": (None, 6, _funnel),
    "modality": ("clash", 6, _modality),
    "risk-coverage": (None, 6, _risk_coverage),
    "reliability": (None, 7, _reliability),
    "severity": (_SUITE, 6, _severity),
    "leaderboard": (None, 4, _leaderboard),
}
