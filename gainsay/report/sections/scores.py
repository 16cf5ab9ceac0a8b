"""Scores of models: leaderboards, slices, curves, and published figures beside ours."""

from collections.abc import Sequence
from itertools import groupby
from typing import Final

from gainsay.report.charts import MOST_LINES, Chart, Line, curves
from gainsay.report.sections.blocks import (
    MOST_ROWS,
    Note,
    Part,
    Section,
    anchor,
    built_benchmarks,
    title,
)
from gainsay.report.tables import Column, Reader, Table, literal

_ASKED: Final = [
    Column("task", "task"),
    Column("condition", "condition"),
    Column("matcher", "matcher"),
    Column("metric", "metric"),
]


_SCORED: Final = [
    Column("value", "score", "number"),
    Column("standard_deviation", "deviation", "number"),
    Column("unit", "unit"),
]


def scores(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Leaderboards of the benchmarks, and of questions of others that are scored."""
    section = Section(
        "scores",
        "Scores of models",
        "A mark is a score, the line through it one standard deviation to either side, an upright"
        " line the target.",
    )
    needed = tuple(
        f"evaluation.evaluation__{name}" for name in ("leaderboard", "metrics", "scores")
    )
    if not reader.has(*needed):
        section.blocks.append(Note("Nothing is scored yet: land answers and run `gainsay score`."))
        return section
    scored = {
        row["benchmark"]
        for row in reader.rows("select distinct benchmark from evaluation.evaluation__leaderboard")
    }
    for benchmark in [*benchmarks, *sorted(scored - set(benchmarks))]:
        if benchmark in scored and (benchmark in benchmarks or _is_question_set(benchmark, reader)):
            section.parts.append(_scores_of(reader, benchmark))
    if not section.parts:
        section.blocks.append(
            Note("No answers have landed: `gainsay land-predictions`, then `gainsay score`.")
        )
    if reader.has("evaluation.evaluation__published_results"):
        section.blocks.append(_published(reader))
    return section


def _is_question_set(name: str, reader: Reader) -> bool:
    """Whether answers are to questions that no benchmark of the warehouse asks."""
    return name not in built_benchmarks(reader)


def _scores_of(reader: Reader, benchmark: str) -> Part:
    metrics = [
        row["metric"]
        for row in reader.rows(f"""
            select distinct metrics.metric, metrics.place
            from evaluation.evaluation__leaderboard as leaderboard
            inner join evaluation.evaluation__metrics as metrics using (benchmark, metric)
            where benchmark = {literal(benchmark)}
            order by metrics.place, metrics.metric
        """)
    ]
    main = metrics[0]
    part = Part(anchor("scores", benchmark), title(benchmark), [])
    part.blocks.append(_leaderboard(reader, benchmark, f"metric = {literal(main)}", main))
    if len(metrics) > 1:
        part.blocks.append(
            _leaderboard(reader, benchmark, f"metric <> {literal(main)}", "all other metrics")
        )
    if reader.has("evaluation.evaluation__modalities"):
        modalities = _modalities(reader, benchmark, main)
        if modalities.rows:
            part.blocks.append(modalities)
    part.blocks.append(_slices(reader, benchmark, main))
    for draw in (_risk_coverage, _reliability):
        chart = draw(reader, benchmark)
        if chart:
            part.blocks.append(chart)
    return part


def _modalities(reader: Reader, benchmark: str, metric: str) -> Table:
    return reader.table(
        anchor("modalities", benchmark),
        f"{title(benchmark)}: with both sides, the text alone, the picture alone, and blind",
        f"""
        select *,
            coalesce(both_sample_entropy, both_token_entropy) as both_entropy,
            coalesce(text_sample_entropy, text_token_entropy) as text_entropy,
            coalesce(picture_sample_entropy, picture_token_entropy) as picture_entropy,
            count(*) over () as n_rows
        from evaluation.evaluation__modalities
        where benchmark = {literal(benchmark)} and metric = {literal(metric)}
        order by task, condition, matcher, split, model
        limit {MOST_ROWS}
        """,
        [
            Column("model", "model"),
            Column("both_value", "both", "number"),
            Column("text_value", "text", "number"),
            Column("picture_value", "picture", "number"),
            Column("blind_value", "blind", "number"),
            Column("unit", "unit"),
            Column("both_entropy", "entropy, both", "number"),
            Column("text_entropy", "text", "number"),
            Column("picture_entropy", "picture", "number"),
            *_ASKED[:3],
            Column("split", "split"),
            Column("n_both", "answers", "count"),
        ],
    )


def _leaderboard(reader: Reader, benchmark: str, condition: str, what: str) -> Table:
    is_main = condition.startswith("metric =")
    return reader.table(
        anchor("leaderboard", benchmark, None if is_main else "others"),
        f"{title(benchmark)}: {what.replace('_', ' ')}",
        f"""
        select split, task, condition, matcher, metric, rank, model, run, value,
            standard_deviation, unit, target, is_target_met, n, n_unanswered, n_unrated,
            n_unmatched, count(*) over () as n_rows
        from evaluation.evaluation__leaderboard
        where benchmark = {literal(benchmark)} and {condition} and is_shown
        order by split, task, condition, matcher_place, metric, rank nulls last, model, run
        limit {MOST_ROWS}
        """,
        [
            Column("rank", "rank", "count"),
            Column("model", "model"),
            Column("run", "run"),
            Column("value", "", "score_bar"),
            *_SCORED,
            Column("target", "target", "number"),
            Column("is_target_met", "met", "flag"),
            *(_ASKED[:3] if is_main else _ASKED),
            Column("split", "split"),
            Column("n", "answers", "count"),
            Column("n_unanswered", "unanswered", "count"),
            Column("n_unrated", "unrated", "count"),
            Column("n_unmatched", "unmatched", "count"),
        ],
        is_folded=not is_main,
    )


def _slices(reader: Reader, benchmark: str, metric: str) -> Table:
    return reader.table(
        anchor("slices", benchmark),
        f"{title(benchmark)}: {metric.replace('_', ' ')} by slice",
        f"""
        select slice_name, slice_value, model, run, task, condition, matcher, metric, value,
            standard_deviation, unit, n, count(*) over () as n_rows
        from evaluation.evaluation__scores
        where benchmark = {literal(benchmark)} and metric = {literal(metric)}
            and slice_name <> 'overall'
        order by slice_name, slice_value, task, condition, matcher = 'exact', matcher, model, run
        limit {MOST_ROWS}
        """,
        [
            Column("slice_name", "slice"),
            Column("slice_value", "value"),
            Column("model", "model"),
            Column("run", "run"),
            *_SCORED,
            *_ASKED[:3],
            Column("n", "answers", "count"),
        ],
        is_folded=True,
    )


def _published(reader: Reader) -> Table:
    return reader.table(
        "published",
        "Published figures beside ours",
        """
        select benchmark, published_model as model, task, condition, matcher, metric,
            published_value, own_value, difference
        from evaluation.evaluation__published_results
        order by benchmark, published_model, task, condition, matcher, metric, run
        """,
        [
            Column("benchmark", "benchmark"),
            Column("model", "model"),
            *_ASKED,
            Column("published_value", "published", "number"),
            Column("own_value", "ours", "number"),
            Column("difference", "difference", "number"),
        ],
        is_folded=True,
    )


def _curve_table(
    reader: Reader, benchmark: str, curve: str, caption: str, x: str, y: str, step: int
) -> Table:
    return reader.table(
        anchor("curve", benchmark, curve),
        caption,
        f"""
        select concat_ws(
                ', ', runs.model, nullif(nullif(runs.run, 'default'), 'reference'), runs.task,
                runs.condition
            ) as name, curves.x, curves.y, curves.n
        from evaluation.evaluation__curves as curves
        inner join (
            select source_file, benchmark, model, run, task, condition,
                arg_min(matcher, (matcher = 'exact', matcher)) as matcher
            from evaluation.evaluation__scores
            group by source_file, benchmark, model, run, task, condition
        ) as runs on curves.source_file = runs.source_file and curves.matcher = runs.matcher
        where runs.benchmark = {literal(benchmark)} and curves.curve = {literal(curve)}
            and curves.point % {step} = 0
        order by name, curves.point
        limit {MOST_LINES * 20}
        """,
        [
            Column("name", "run"),
            Column("x", x, "number"),
            Column("y", y, "number"),
            Column("n", "answers", "count"),
        ],
        is_folded=True,
    )


def _chart(table: Table, x: str, y: str, *, diagonal: bool) -> Chart | None:
    if not table.rows:
        return None
    runs = {
        name: list(rows) for name, rows in groupby(table.rows, key=lambda row: str(row["name"]))
    }
    lines = [
        Line(name, [(row["x"], row["y"]) for row in rows], rows[-1]["n"])
        for name, rows in runs.items()
    ][:MOST_LINES]
    svg = curves(lines, table.caption, x, y, diagonal)
    return Chart(f"chart-{table.anchor}", table.caption, svg, [line.name for line in lines], table)


def _risk_coverage(reader: Reader, benchmark: str) -> Chart | None:
    if not reader.has("evaluation.evaluation__curves"):
        return None
    table = _curve_table(
        reader, benchmark, "risk_coverage", f"{title(benchmark)}: risk by coverage",
        "coverage", "risk", 5,
    )  # fmt: skip
    return _chart(table, "share answered, the surest first", "risk", diagonal=False)


def _reliability(reader: Reader, benchmark: str) -> Chart | None:
    if not reader.has("evaluation.evaluation__curves"):
        return None
    table = _curve_table(
        reader, benchmark, "reliability", f"{title(benchmark)}: reliability",
        "confidence", "share right", 1,
    )  # fmt: skip
    return _chart(table, "confidence", "share right", diagonal=True)
