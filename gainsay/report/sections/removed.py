"""What each filter removed: the funnels, and records of every reason."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from gainsay.report.sections.blocks import (
    MOST_ROWS,
    NOT_BUILT,
    Card,
    Drops,
    Note,
    Part,
    Section,
    add_line,
    anchor,
    title,
)
from gainsay.report.sections.regions import regions, regions_of
from gainsay.report.tables import Column, Reader, Table, literal, plain

# behind the seeded ones, chosen for their pictures
_PICTURED = 4


def removed(reader: Reader, benchmarks: Sequence[str], most_cards: int) -> Section:
    """The funnel of every screening, and some records of every reason."""
    section = Section(
        "removed",
        "What each filter removed",
        "Every candidate ends retained, or dropped by the first stage that it failed. A bar is what"
        " a stage left and, hatched, what it dropped; the last is what was retained. Below stand"
        " records of every reason, drawn by seed, and behind them some that were chosen because"
        " their picture can be shown: was the filter right?",
    )
    if not reader.has("report.report__stages", "report.report__drop_examples"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    for benchmark in benchmarks:
        part = Part(anchor("removed", benchmark), title(benchmark), [])
        section.parts.append(part)
        stages = reader.rows(
            "select screening, stage, reason, description, n, share, share_of_arrived"
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
        if reader.has("audit.audit__group_coverage"):
            part.blocks.append(_grouped(reader, benchmark))
    return section


def _funnel(reader: Reader, benchmark: str, screening: str) -> Table:
    name = title(screening)
    precision = (
        "case when precision.n > 0 then concat(round(precision.share * 100, 1), ' % of ',"
        " precision.n, ' (', round(precision.low * 100, 1), ' to ',"
        " round(precision.high * 100, 1), ')') end"
    )
    judged = """
        left join audit.audit__gate_precision as precision
            on
                stages.benchmark = precision.benchmark
                and stages.screening = precision.screening
                and stages.stage = precision.stage"""
    if not reader.has("audit.audit__gate_precision"):
        precision, judged = "null", ""
    return reader.table(
        anchor("funnel", benchmark, screening),
        f"{name}: what each stage dropped and left",
        f"""
        select 'candidates' as stage, 'all that entered the screening' as description,
            max(n_candidates) as n, null as share, null as share_of_arrived, null as n_left,
            max(n_candidates) as n_candidates, true as is_retained, null as was_right, 0 as place
        from report.report__stages
        where benchmark = {literal(benchmark)} and screening = {literal(screening)}
        union all
        select stages.stage, stages.description, stages.n, stages.share, stages.share_of_arrived,
            case when not stages.is_retained then stages.n_left end as n_left,
            stages.n_candidates, stages.is_retained,
            {precision} as was_right, stages.stage_order as place
        from report.report__stages as stages{judged}
        where stages.benchmark = {literal(benchmark)} and stages.screening = {literal(screening)}
        order by place
        """,
        [
            Column("stage", "stage"),
            Column("n", "", "stage_bar"),
            Column("n", "ended", "count"),
            Column("share", "of all", "share"),
            Column("share_of_arrived", "of those that came", "share"),
            Column("n_left", "left", "count"),
            Column("was_right", "right, people say"),
            Column("description", "what it says", "prose"),
        ],
    )


def _grouped(reader: Reader, benchmark: str) -> Table:
    return reader.table(
        anchor("grouped", benchmark),
        "Of what was retained: records that count together",
        f"""
        select condition, n_records, n_grouped_records, grouped_share, n_groups
        from audit.audit__group_coverage
        where benchmark = {literal(benchmark)}
        order by condition
        """,
        [
            Column("condition", "condition"),
            Column("n_records", "records", "count"),
            Column("n_grouped_records", "in groups", "count"),
            Column("grouped_share", "share", "share"),
            Column("n_groups", "groups", "count"),
        ],
    )


def _drops(
    reader: Reader, benchmark: str, screening: str, stage: dict[str, Any], most_cards: int
) -> Drops:
    columns, joined = regions_of(reader, benchmark, "examples")
    sql = plain(f"""
        select examples.candidate_id, examples.source_image_id, examples.image_file,
            examples.family, examples.question, examples.answer, examples.gold_answer,
            examples.evidence_words, examples.captions_seen, examples.what_failed,
            examples.is_chosen_for_picture{columns}
        from report.report__drop_examples as examples{joined}
        where examples.benchmark = {literal(benchmark)}
            and examples.screening = {literal(screening)}
            and examples.stage = {literal(stage["stage"])}
        order by examples.is_chosen_for_picture, examples.place
        limit {most_cards + _PICTURED}
    """)
    own = None if screening == benchmark else screening
    return Drops(
        anchor("drops", benchmark, own, stage["stage"]),
        stage["stage"],
        stage["reason"],
        stage["description"],
        stage["n"],
        stage["share_of_arrived"],
        sql,
        [_drop_card(benchmark, own, row, stage["description"]) for row in reader.rows(sql)],
    )


def _drop_card(
    benchmark: str, screening: str | None, row: dict[str, Any], description: str
) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    add_line(lines, "question", row["question"])
    add_line(lines, "answer", row["answer"])
    if row["gold_answer"] != row["answer"]:
        add_line(lines, "gold answer", row["gold_answer"])
    add_line(lines, "looked for", ", ".join(row["evidence_words"] or []))
    add_line(lines, "texts seen", row["captions_seen"])
    if row["what_failed"] != description:
        add_line(lines, "what failed", row["what_failed"])
    add_line(lines, "file", row["image_file"])
    tags = [row["family"]] if row["family"] else []
    if row["is_chosen_for_picture"]:
        tags.append("chosen for its picture")
    return Card(
        anchor("record", benchmark, screening, row["candidate_id"]),
        row["candidate_id"],
        [row["source_image_id"]] if row["source_image_id"] else [],
        lines,
        tags,
        regions(row),
    )


def _by_family(reader: Reader, benchmark: str) -> Table:
    return reader.table(
        anchor("families", benchmark),
        f"{title(benchmark)}: where the candidates of each family ended",
        f"""
        select screening, stage, family, n, share, count(*) over () as n_rows
        from audit.audit__funnel
        where benchmark = {literal(benchmark)}
        order by screening, stage_order, family
        limit {MOST_ROWS}
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
