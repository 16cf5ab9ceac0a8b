"""What a report shows, section by section: which queries, under which headings.

Nothing here is markup, and nothing here is computed that a query could compute: what a reader sees
is what the query that stands below it gives.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

from gainsay.report.charts import MOST_LINES, Chart, Line, curves
from gainsay.report.plots import MAIN_METRICS
from gainsay.report.tables import Column, Reader, Table, literal, plain

# a page of a few megabytes has no room for every row of every table
_MOST_ROWS: Final = 200
_MOST_VALUES: Final = 20
_MOST_RUNS: Final = 10
_NOT_BUILT: Final = "Not built yet: run `gainsay build`."


@dataclass(frozen=True)
class Note:
    """A sentence in place of what is not there."""

    kind = "note"

    text: str


@dataclass(frozen=True)
class Card:
    """One record: its id, its picture if any, and what is said of it, line by line."""

    anchor: str
    title: str
    picture_id: str | None
    lines: Sequence[tuple[str, str | list[str]]]
    tags: Sequence[str] = ()


@dataclass(frozen=True)
class Drops:
    """A reason with some of the records that it dropped."""

    kind = "drops"

    anchor: str
    stage: str
    reason: str
    description: str
    n: int
    share: float | None
    sql: str
    cards: Sequence[Card]


@dataclass(frozen=True)
class Group:
    """Examples that were made of one source, side by side."""

    kind = "group"

    anchor: str
    heading: str
    note: str
    sql: str
    cards: Sequence[Card]
    is_open: bool


Block = Note | Table | Drops | Group | Chart


@dataclass(frozen=True)
class Part:
    """What a section says of one benchmark."""

    anchor: str
    heading: str
    blocks: list[Block]


@dataclass(frozen=True)
class Section:
    """A section of the page."""

    anchor: str
    heading: str
    intro: str
    blocks: list[Block] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)


def sections(reader: Reader, benchmarks: Sequence[str], examples_per_reason: int) -> list[Section]:
    """All sections of a report of these benchmarks, in their order."""
    return [
        _what_was_built(reader, benchmarks),
        _removed(reader, benchmarks, examples_per_reason),
        _distributions(reader, benchmarks),
        _examples(reader, benchmarks),
        _checks(reader, benchmarks),
        _scores(reader, benchmarks),
        _agreement(reader),
        _lineage(reader, benchmarks),
        _test_runs(reader),
    ]


def anchor(*names: str | None) -> str:
    """An id for HTML that stays the same from build to build."""
    return "-".join(re.sub(r"[^A-Za-z0-9_.]+", "-", name) for name in names if name).strip("-")


def title(name: str) -> str:
    """A benchmark's name in words."""
    return "CLASH" if name == "clash" else name.replace("_", " ").title()


def built_benchmarks(reader: Reader) -> list[str]:
    """The benchmarks that a warehouse has something to report of."""
    if not reader.has("report.report__stages"):
        return []
    rows = reader.rows("select distinct benchmark from report.report__stages order by benchmark")
    return [row["benchmark"] for row in rows]


def _in(benchmarks: Iterable[str]) -> str:
    return ", ".join(map(literal, benchmarks))


def _what_was_built(reader: Reader, benchmarks: Sequence[str]) -> Section:
    section = Section(
        "built",
        "What was built",
        "The inputs, the code and the vars that decided which records there are.",
    )
    if reader.has("report.report__stages"):
        section.blocks.append(_overview(reader, benchmarks))
    if reader.has("audit.audit__runs"):
        section.blocks.append(_builds(reader))
    if not reader.has("report.report__manifests"):
        section.blocks.append(Note(_NOT_BUILT))
        return section
    section.blocks.extend(
        [
            _contents(reader, benchmarks),
            _inputs(reader, benchmarks),
            _entries(reader, benchmarks, "vars", "Vars that decide", "configuration"),
            _entries(reader, benchmarks, "code", "Code", "code"),
        ]
    )
    return section


def _overview(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "overview",
        "How many candidates were retained",
        f"""
        select benchmark, screening, n_candidates, n as n_retained, share
        from report.report__stages
        where is_retained and benchmark in ({_in(benchmarks)})
        order by benchmark, screening
        """,
        [
            Column("benchmark", "benchmark"),
            Column("screening", "screening"),
            Column("n_candidates", "candidates", "count"),
            Column("n_retained", "retained", "count"),
            Column("share", "share", "share"),
            Column("share", "", "bar"),
        ],
    )


def _builds(reader: Reader) -> Table:
    return reader.table(
        "builds",
        "The last builds",
        f"""
        select started_at, command, target, code_version, seconds, n_models, n_tests, n_failed, vars
        from audit.audit__runs
        order by started_at desc, invocation_id
        limit {_MOST_RUNS}
        """,
        [
            Column("started_at", "started (UTC)"),
            Column("command", "command", "code"),
            Column("target", "target"),
            Column("code_version", "version", "code"),
            Column("seconds", "seconds", "number"),
            Column("n_models", "models", "count"),
            Column("n_tests", "tests", "count"),
            Column("n_failed", "failed", "count"),
            Column("vars", "vars given", "code"),
        ],
    )


def _contents(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "contents",
        "The examples, and the hash of their content",
        f"""
        select benchmark, protocol,
            cast(max(value) filter (where measure = 'n') as bigint) as n_examples,
            max(value) filter (where measure = 'sha256') as sha256
        from report.report__manifests
        where section = 'content' and benchmark in ({_in(benchmarks)})
        group by benchmark, protocol
        order by benchmark, protocol
        """,
        [
            Column("benchmark", "benchmark"),
            Column("protocol", "protocol"),
            Column("n_examples", "examples", "count"),
            Column("sha256", "SHA-256", "code"),
        ],
    )


def _inputs(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "inputs",
        "Input files",
        f"""
        select source_file, n_records, n_rejected, sha256,
            string_agg(distinct benchmark, ', ' order by benchmark) as benchmarks
        from (
            select benchmark, protocol, item as source_file,
                cast(max(value) filter (where measure = 'n_records') as bigint) as n_records,
                cast(max(value) filter (where measure = 'n_rejected') as bigint) as n_rejected,
                max(value) filter (where measure = 'sha256') as sha256
            from report.report__manifests
            where section = 'input' and benchmark in ({_in(benchmarks)})
            group by benchmark, protocol, item
        )
        group by source_file, n_records, n_rejected, sha256
        order by source_file, sha256
        """,
        [
            Column("source_file", "file"),
            Column("n_records", "records", "count"),
            Column("n_rejected", "rejected", "count"),
            Column("sha256", "SHA-256", "code"),
            Column("benchmarks", "read by"),
        ],
    )


def _entries(
    reader: Reader, benchmarks: Sequence[str], name: str, caption: str, section: str
) -> Table:
    """What the manifests say in one section; what several of them say alike stands once."""
    return reader.table(
        name,
        caption,
        f"""
        select item, measure, value,
            string_agg(distinct benchmark, ', ' order by benchmark) as benchmarks
        from report.report__manifests
        where section = {literal(section)} and benchmark in ({_in(benchmarks)})
        group by item, measure, value
        order by item, measure, value
        """,
        [
            Column("item", "name", "code"),
            Column("measure", "measure"),
            Column("value", "value", "code"),
            Column("benchmarks", "of"),
        ],
        is_folded=True,
    )


def _removed(reader: Reader, benchmarks: Sequence[str], most_cards: int) -> Section:
    section = Section(
        "removed",
        "What each filter removed",
        "Every candidate ends retained, or dropped by the first stage that it failed. Below each"
        " funnel stand records of every reason, drawn by seed: was the filter right?",
    )
    if not reader.has("report.report__stages", "report.report__drop_examples"):
        section.blocks.append(Note(_NOT_BUILT))
        return section
    for benchmark in benchmarks:
        part = Part(anchor("removed", benchmark), title(benchmark), [])
        section.parts.append(part)
        stages = reader.rows(
            "select screening, stage, reason, description, n, share"
            f" from report.report__stages where benchmark = {literal(benchmark)}"
            " order by screening, stage_order"
        )
        for screening, rows in groupby(stages, key=lambda row: str(row["screening"])):
            part.blocks.append(_funnel(reader, benchmark, screening))
            part.blocks.extend(
                [
                    _drops(reader, benchmark, screening, row, most_cards)
                    for row in rows
                    if row["reason"] != "retained" and row["n"]
                ]
            )
        if reader.has("audit.audit__funnel"):
            part.blocks.append(_by_family(reader, benchmark))
    return section


def _funnel(reader: Reader, benchmark: str, screening: str) -> Table:
    name = title(screening)
    return reader.table(
        anchor("funnel", benchmark, screening),
        f"{name}: what each stage dropped and left",
        f"""
        select stage, description, n, share, n_left, n_candidates, is_retained
        from report.report__stages
        where benchmark = {literal(benchmark)} and screening = {literal(screening)}
        order by stage_order
        """,
        [
            Column("stage", "stage"),
            Column("n", "ended here", "count"),
            Column("share", "share", "share"),
            Column("n_left", "left", "count"),
            Column("n", "", "stage_bar"),
            Column("description", "what it says"),
        ],
    )


def _drops(
    reader: Reader, benchmark: str, screening: str, stage: dict[str, Any], most_cards: int
) -> Drops:
    sql = plain(f"""
        select candidate_id, source_image_id, image_file, family, question, answer, gold_answer,
            evidence_words, captions_seen, what_failed
        from report.report__drop_examples
        where benchmark = {literal(benchmark)} and screening = {literal(screening)}
            and stage = {literal(stage["stage"])}
        order by place
        limit {most_cards}
    """)
    own = None if screening == benchmark else screening
    return Drops(
        anchor("drops", benchmark, own, stage["stage"]),
        stage["stage"],
        stage["reason"],
        stage["description"],
        stage["n"],
        stage["share"],
        sql,
        [_drop_card(benchmark, own, row, stage["description"]) for row in reader.rows(sql)],
    )


def _drop_card(
    benchmark: str, screening: str | None, row: dict[str, Any], description: str
) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    _add(lines, "question", row["question"])
    _add(lines, "answer", row["answer"])
    if row["gold_answer"] != row["answer"]:
        _add(lines, "gold answer", row["gold_answer"])
    _add(lines, "looked for", ", ".join(row["evidence_words"] or []))
    _add(lines, "texts seen", row["captions_seen"])
    if row["what_failed"] != description:
        _add(lines, "what failed", row["what_failed"])
    _add(lines, "file", row["image_file"])
    tags = [row["family"]] if row["family"] else []
    return Card(
        anchor("record", benchmark, screening, row["candidate_id"]),
        row["candidate_id"],
        row["source_image_id"],
        lines,
        tags,
    )


def _add(
    lines: list[tuple[str, str | list[str]]], label: str, said: str | list[str] | None
) -> None:
    if said:
        lines.append((label, said))


def _by_family(reader: Reader, benchmark: str) -> Table:
    return reader.table(
        anchor("families", benchmark),
        f"{title(benchmark)}: where the candidates of each family ended",
        f"""
        select screening, stage, family, n, share, count(*) over () as n_rows
        from audit.audit__funnel
        where benchmark = {literal(benchmark)}
        order by screening, stage_order, family
        limit {_MOST_ROWS}
        """,
        [
            Column("screening", "screening"),
            Column("stage", "stage"),
            Column("family", "family"),
            Column("n", "candidates", "count"),
            Column("share", "share", "share"),
        ],
        is_folded=True,
    )


def _distributions(reader: Reader, benchmarks: Sequence[str]) -> Section:
    section = Section(
        "distributions", "How the examples spread", "Shares are of all examples of a benchmark."
    )
    if not reader.has("report.report__distributions"):
        section.blocks.append(Note(_NOT_BUILT))
        return section
    for benchmark in benchmarks:
        dimensions = reader.rows(
            "select dimension, min(place) as place from report.report__distributions"
            f" where benchmark = {literal(benchmark)} group by dimension order by place"
        )
        blocks: list[Block] = [
            _distribution(reader, benchmark, row["dimension"]) for row in dimensions
        ]
        section.parts.append(
            Part(
                anchor("distributions", benchmark),
                title(benchmark),
                blocks or [Note("It has no examples.")],
            )
        )
    return section


def _distribution(reader: Reader, benchmark: str, dimension: str) -> Table:
    name = dimension.replace("_", " ")
    return reader.table(
        anchor("distribution", benchmark, dimension),
        f"{title(benchmark)}: {name}",
        f"""
        select found, n, share, count(*) over () as n_rows
        from report.report__distributions
        where benchmark = {literal(benchmark)} and dimension = {literal(dimension)}
        order by n desc, found
        limit {_MOST_VALUES}
        """,
        [
            Column("found", name),
            Column("n", "examples", "count"),
            Column("share", "share", "share"),
            Column("share", "", "bar"),
        ],
    )


def _examples(reader: Reader, benchmarks: Sequence[str]) -> Section:
    section = Section(
        "examples",
        "Examples",
        "Drawn by seed from every split; what was made of one source stands side by side.",
    )
    if not reader.has("report.report__examples"):
        section.blocks.append(Note(_NOT_BUILT))
        return section
    for benchmark in benchmarks:
        groups = reader.rows(
            "select distinct shown_split, group_place, group_id, n_groups, n_members"
            f" from report.report__examples where benchmark = {literal(benchmark)}"
            " order by shown_split, group_place"
        )
        blocks: list[Block] = [_group(reader, benchmark, row) for row in groups]
        section.parts.append(
            Part(
                anchor("examples", benchmark),
                title(benchmark),
                blocks or [Note("It has no examples.")],
            )
        )
    return section


def _group(reader: Reader, benchmark: str, group: dict[str, Any]) -> Group:
    split = group["shown_split"]
    sql = plain(f"""
        select example_id, shown_image_id, recipe_id, source_image_id, split, family, operator,
            text_input, question, gold_answer, target
        from report.report__examples
        where benchmark = {literal(benchmark)} and shown_split = {literal(split)}
            and group_id = {literal(group["group_id"])}
        order by member_place
    """)
    rows = reader.rows(sql)
    note = f"one of {group['n_groups']:,} groups"
    if len(rows) < group["n_members"]:
        note += f", {len(rows):,} of its {group['n_members']:,} examples"
    heading = group["group_id"] if split == "none" else f"{split}: {group['group_id']}"
    return Group(
        anchor("group", benchmark, split, group["group_id"]),
        heading,
        note,
        sql,
        [_example_card(benchmark, split, group["group_id"], row) for row in rows],
        is_open=group["group_place"] == 1,
    )


def _example_card(benchmark: str, split: str, group_id: str, row: dict[str, Any]) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    _add(lines, "text", row["text_input"])
    _add(lines, "question", row["question"])
    _add(lines, "gold answer", row["gold_answer"])
    lines.append(("right answer", row["target"] or "abstain"))
    name = row["example_id"].removeprefix(f"{group_id}::")
    tags = [row["operator"] if row["operator"] != name else None, row["family"]]
    if row["split"] != split:
        tags.append(row["split"])
    picture_id = row["shown_image_id"]
    if picture_id and row["recipe_id"]:
        picture_id = f"{picture_id}::{row['recipe_id']}"
    return Card(
        anchor("example", benchmark, split, row["example_id"]),
        name,
        picture_id,
        lines,
        [tag for tag in tags if tag],
    )


def _checks(reader: Reader, benchmarks: Sequence[str]) -> Section:
    section = Section(
        "checks",
        "Integrity checks",
        "What must hold of a benchmark's examples: the value that was measured, and the most that"
        " is allowed.",
    )
    if not reader.has("report.report__manifests"):
        section.blocks.append(Note(_NOT_BUILT))
        return section
    checks = reader.table(
        "integrity",
        "Integrity checks of the manifests",
        f"""
        select benchmark, protocol, item as check_name, cast(value as bigint) as n_violations,
            0 as most_violations, cast(value as bigint) <= 0 as is_passed
        from report.report__manifests
        where section = 'integrity' and benchmark in ({_in(benchmarks)})
        order by benchmark, protocol, check_name
        """,
        [
            Column("benchmark", "benchmark"),
            Column("protocol", "protocol"),
            Column("check_name", "check"),
            Column("n_violations", "violations", "count"),
            Column("most_violations", "allowed", "count"),
            Column("is_passed", "holds", "flag"),
        ],
    )
    section.blocks.append(checks if checks.rows else Note("No benchmark publishes a check."))
    return section


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


def _scores(reader: Reader, benchmarks: Sequence[str]) -> Section:
    section = Section(
        "scores",
        "Scores of models",
        "A mark is a score, the line through it one standard deviation to either side, an upright"
        " line the target.",
    )
    needed = ("evaluation.evaluation__leaderboard", "evaluation.evaluation__scores")
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
    if reader.has("vocabulary.published_scores"):
        section.blocks.append(_published(reader))
    return section


def _is_question_set(name: str, reader: Reader) -> bool:
    """Whether answers are to questions that no benchmark of the warehouse asks."""
    return name not in built_benchmarks(reader)


def _scores_of(reader: Reader, benchmark: str) -> Part:
    metrics = [
        row["metric"]
        for row in reader.rows(
            "select distinct metric from evaluation.evaluation__leaderboard"
            f" where benchmark = {literal(benchmark)} order by metric"
        )
    ]
    main = MAIN_METRICS.get(benchmark, "accuracy")
    if main not in metrics:
        main = metrics[0]
    part = Part(anchor("scores", benchmark), title(benchmark), [])
    part.blocks.append(_leaderboard(reader, benchmark, f"metric = {literal(main)}", main))
    if len(metrics) > 1:
        part.blocks.append(
            _leaderboard(reader, benchmark, f"metric <> {literal(main)}", "all other metrics")
        )
    part.blocks.append(_slices(reader, benchmark, main))
    for draw in (_risk_coverage, _reliability):
        chart = draw(reader, benchmark)
        if chart:
            part.blocks.append(chart)
    return part


def _leaderboard(reader: Reader, benchmark: str, condition: str, what: str) -> Table:
    is_main = condition.startswith("metric =")
    return reader.table(
        anchor("leaderboard", benchmark, None if is_main else "others"),
        f"{title(benchmark)}: {what.replace('_', ' ')}",
        f"""
        select task, condition, matcher, metric, rank, model, run, value, standard_deviation, unit,
            target, is_target_met, n, n_unmatched, count(*) over () as n_rows
        from evaluation.evaluation__leaderboard
        where benchmark = {literal(benchmark)} and {condition}
        order by task, condition, matcher, metric, rank, model, run
        limit {_MOST_ROWS}
        """,
        [
            Column("rank", "rank", "count"),
            Column("model", "model"),
            Column("run", "run"),
            *_SCORED,
            Column("value", "", "score_bar"),
            Column("target", "target", "number"),
            Column("is_target_met", "met", "flag"),
            *(_ASKED[:3] if is_main else _ASKED),
            Column("n", "answers", "count"),
            Column("n_unmatched", "not scored", "count"),
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
        order by slice_name, slice_value, task, condition, matcher, model, run
        limit {_MOST_ROWS}
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
        select published.benchmark, published.model, published.task, published.condition,
            published.matcher, published.metric, published.value as published_value,
            scores.value as our_value, scores.value - published.value as difference
        from vocabulary.published_scores as published
        left join evaluation.evaluation__scores as scores
            on published.benchmark = scores.benchmark
            and published.model = scores.model
            and published.task = scores.task
            and published.condition = scores.condition
            and published.matcher = scores.matcher
            and published.metric = scores.metric
            and scores.slice_name = 'overall'
        order by published.benchmark, published.model, published.task, published.condition,
            published.matcher, published.metric, scores.run
        """,
        [
            Column("benchmark", "benchmark"),
            Column("model", "model"),
            *_ASKED,
            Column("published_value", "published", "number"),
            Column("our_value", "ours", "number"),
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
        select runs.model || ', ' || runs.run || ', ' || runs.task || ', ' || runs.condition
            || ', ' || curves.matcher as name, curves.x, curves.y, curves.n
        from evaluation.evaluation__curves as curves
        inner join (
            select distinct source_file, benchmark, model, run, task, condition
            from evaluation.evaluation__scores
        ) as runs on curves.source_file = runs.source_file
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
    lines = [
        Line(name, [(row["x"], row["y"]) for row in rows])
        for name, rows in groupby(table.rows, key=lambda row: str(row["name"]))
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


def _agreement(reader: Reader) -> Section:
    section = Section(
        "agreement", "Agreement of people and judges", "How far those who judged the same agree."
    )
    readings: list[tuple[str, Callable[[Reader], Table]]] = [
        ("clash.clash__agreement", _agreement_of_people),
        ("evaluation.evaluation__judge_agreement", _agreement_of_judges),
    ]
    for relation, read in readings:
        if reader.has(relation):
            table = read(reader)
            if table.rows:
                section.blocks.append(table)
    if not section.blocks:
        section.blocks.append(Note("Nobody has judged anything yet."))
    return section


def _agreement_of_people(reader: Reader) -> Table:
    return reader.table(
        "agreement-people",
        "People on CLASH samples",
        """
        select asked, n_samples, n_samples_of_several, n_verdicts, yes_share, observed_agreement,
            expected_agreement, fleiss_kappa
        from clash.clash__agreement
        order by asked
        """,
        [
            Column("asked", "question"),
            Column("n_samples", "samples", "count"),
            Column("n_samples_of_several", "of several people", "count"),
            Column("n_verdicts", "verdicts", "count"),
            Column("yes_share", "yes", "share"),
            Column("observed_agreement", "agreement", "share"),
            Column("expected_agreement", "by chance", "share"),
            Column("fleiss_kappa", "Fleiss' kappa", "number"),
        ],
    )


def _agreement_of_judges(reader: Reader) -> Table:
    return reader.table(
        "agreement-judges",
        "Judges on open-ended answers",
        f"""
        select model, run, condition, judges, metric, value, standard_deviation, n,
            count(*) over () as n_rows
        from evaluation.evaluation__judge_agreement
        order by model, run, condition, judges, metric
        limit {_MOST_ROWS}
        """,
        [
            Column("model", "model"),
            Column("run", "run"),
            Column("condition", "condition"),
            Column("judges", "judges"),
            Column("metric", "metric"),
            Column("value", "percent", "number"),
            Column("standard_deviation", "deviation", "number"),
            Column("n", "answers", "count"),
        ],
    )


def _lineage(reader: Reader, benchmarks: Sequence[str]) -> Section:
    section = Section(
        "lineage",
        "Where columns come from",
        "One step down for each column of the examples and screenings;"
        " `gainsay lineage MODEL.COLUMN` goes on to the raw tables.",
    )
    if reader.has("audit.audit__column_lineage"):
        for benchmark in benchmarks:
            for port in ("examples", "screened"):
                table = _origins(reader, f"{benchmark}__{port}")
                if table.rows:
                    section.blocks.append(table)
    if not section.blocks:
        section.blocks.append(
            Note("Not read yet: run `gainsay lineage --land`, then `gainsay build`.")
        )
    return section


def _origins(reader: Reader, model: str) -> Table:
    return reader.table(
        anchor("lineage", model),
        model,
        f"""
        select column_name, string_agg(
            distinct coalesce(from_model || '.' || from_column, literal) || ' (' || kind || ')',
            ', '
            order by coalesce(from_model || '.' || from_column, literal) || ' (' || kind || ')'
        ) as origins
        from audit.audit__column_lineage
        where model = {literal(model)} and kind <> 'rows'
        group by column_name
        order by column_name
        """,
        [Column("column_name", "column", "code"), Column("origins", "comes from", "code")],
        is_folded=True,
    )


def _test_runs(reader: Reader) -> Section:
    section = Section(
        "tests", "Test results over builds", "Every data test and unit test of the last runs."
    )
    if not reader.has("audit.audit__test_results"):
        section.blocks.append(Note("No test has run yet: `gainsay build` runs them."))
        return section
    section.blocks.extend(
        [
            reader.table(
                "test-runs",
                "Tests by run",
                f"""
            select started_at, count(*) as n_tests,
                count(*) filter (where status = 'pass') as n_passed,
                count(*) filter (where status = 'warn') as n_warned,
                count(*) filter (where status in ('fail', 'error')) as n_failed,
                count(*) filter (where status = 'skipped') as n_skipped,
                sum(seconds) as seconds
            from audit.audit__test_results
            group by invocation_id, started_at
            order by started_at desc, invocation_id
            limit {_MOST_RUNS}
            """,
                [
                    Column("started_at", "started (UTC)"),
                    Column("n_tests", "tests", "count"),
                    Column("n_passed", "passed", "count"),
                    Column("n_warned", "warned", "count"),
                    Column("n_failed", "failed", "count"),
                    Column("n_skipped", "skipped", "count"),
                    Column("seconds", "seconds", "number"),
                ],
            ),
            reader.table(
                "tests-failed",
                "Tests that did not pass when they last ran",
                f"""
            select test_name, tested_nodes, status, n_failures, message, started_at,
                count(*) over () as n_rows
            from (
                select * from audit.audit__test_results
                qualify row_number() over (
                    partition by test_name order by started_at desc, invocation_id
                ) = 1
            )
            where status <> 'pass'
            order by test_name
            limit {_MOST_ROWS}
            """,
                [
                    Column("test_name", "test", "code"),
                    Column("tested_nodes", "of", "code"),
                    Column("status", "status"),
                    Column("n_failures", "rows found", "count"),
                    Column("message", "message"),
                    Column("started_at", "started (UTC)"),
                ],
            ),
        ]
    )
    return section
