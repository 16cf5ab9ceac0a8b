"""What each filter removed: the funnels, and records of every reason."""

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from gainsay.foundation.names import title
from gainsay.report.sections.blocks import (
    NOT_BUILT,
    Card,
    Drops,
    Note,
    Part,
    Region,
    Section,
    add_line,
)
from gainsay.report.sections.regions import regions_of
from gainsay.report.tables import Reader, Records, Row, anchor, browse_address, query_of, read_block

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
        " their picture can be shown: was the filter right? A number that is a link opens its"
        " records in `gainsay browse`, where that runs on this machine.",
    )
    if not reader.has("removed/stages", "removed/drops"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    for benchmark in benchmarks:
        section.parts.append(_part(reader, benchmark, most_cards))
    return section


def _part(reader: Reader, benchmark: str, most_cards: int) -> Part:
    part = Part(anchor("removed", benchmark), title(benchmark), [])
    chosen = {"benchmark": benchmark}
    funnels = {}
    if reader.has("removed/funnel"):
        found = reader.tables(
            "removed/funnel",
            ["benchmark", "screening"],
            chosen,
            lambda row, caption: f"{title(row['screening'])}: {caption}",
        )
        funnels = {row["screening"]: table for row, table in found}
    by = ["benchmark", "screening", "stage"]
    drawn = {
        (row["screening"], row["stage"]): records
        for row, records in reader.records("removed/drops", by, chosen, most_cards + _PICTURED)
    }
    shown = [row["candidate_id"] for records in drawn.values() for row in records.rows]
    regions = regions_of(reader, benchmark, shown)
    stages = reader.rows("removed/stages", chosen)
    for screening, rows in groupby(stages, key=lambda row: str(row["screening"])):
        if screening in funnels:
            part.blocks.append(funnels[screening])
        for stage in rows:
            if stage["reason"] != "retained" and stage["n"]:
                none = Records(query_of(read_block("removed/drops"), {c: stage[c] for c in by}), [])
                records = drawn.get((screening, stage["stage"]), none)
                part.blocks.append(_drops(stage, records, regions))
    for block in ("removed/families", "removed/grouped"):
        if reader.has(block):
            table = reader.table(block, chosen)
            part.blocks.append(table.named(f"{title(benchmark)}: {table.caption}", benchmark))
    return part


def _drops(stage: Row, records: Records, regions: dict[tuple[str, str], list[Region]]) -> Drops:
    benchmark, screening = stage["benchmark"], stage["screening"]
    own = None if screening == benchmark else screening
    return Drops(
        anchor("drops", benchmark, own, stage["stage"]),
        stage["stage"],
        stage["reason"],
        stage["description"],
        stage["n"],
        stage["share_of_arrived"],
        records.sql,
        [
            _card(
                benchmark,
                own,
                row,
                stage["description"],
                regions.get((screening, row["candidate_id"]), []),
            )
            for row in records.rows
        ],
        browse_address({"benchmark": benchmark, "screening": screening, "stage": stage["stage"]}),
    )


def _card(
    benchmark: str,
    screening: str | None,
    row: dict[str, Any],
    description: str,
    regions: Sequence[Region],
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
        regions,
    )
