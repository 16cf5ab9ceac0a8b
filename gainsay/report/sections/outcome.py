"""What came out: of each benchmark a sentence, its finished examples, and a strip of pictures."""

from collections.abc import Sequence
from typing import Any, Final

from gainsay.report.sections.blocks import (
    NOT_BUILT,
    Block,
    Card,
    Group,
    Note,
    Part,
    Section,
    title,
)
from gainsay.report.tables import Reader, Records, Row, anchor

OUTCOME: Final = "outcome"


def what_came_out(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """What a reader wants to know first; how it came about stands behind."""
    section = Section(
        OUTCOME,
        "What came out",
        "The finished examples of each benchmark, and how many candidates they were made of.",
    )
    if not reader.has("outcome/summary", "outcome/finished"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    chosen = {"benchmark": benchmarks}
    summaries = {row["benchmark"]: row for row in reader.rows("outcome/summary", chosen)}
    strips = {}
    if reader.has("outcome/strip"):
        found = reader.records("outcome/strip", ["benchmark"], chosen)
        strips = {row["benchmark"]: records for row, records in found}
    for benchmark in benchmarks:
        blocks: list[Block] = [Note(_sentence(summaries.get(benchmark)))]
        if benchmark in strips:
            blocks.append(_strip(benchmark, strips[benchmark]))
        finished = reader.table("outcome/finished", {"benchmark": benchmark}).named(
            f"{title(benchmark)}: finished examples by split", benchmark
        )
        blocks.append(finished)
        section.parts.append(Part(anchor(OUTCOME, benchmark), title(benchmark), blocks))
    section.parts.append(
        Part(anchor(OUTCOME, "passed"), "What passed", [reader.table("outcome/overview", chosen)])
    )
    return section


def _sentence(found: Row | None) -> str:
    """Such as `6,120 examples, of 1,530 of 52,509 candidates (2.9 %)`."""
    if found is None or not found["n_candidates"]:
        return "It has no candidates in this warehouse."
    n_candidates, n_retained = found["n_candidates"], found["n_retained"]
    of = f"in {found['n_screenings']} screenings " if found["n_screenings"] > 1 else ""
    share = f"{n_retained / n_candidates:.1%}"
    if not found["n_examples"]:
        return (
            f"No finished example: {n_retained:,} of {n_candidates:,} candidates passed ({share})."
        )
    return (
        f"{found['n_examples']:,} finished examples: {of}{n_retained:,} of {n_candidates:,}"
        f" candidates passed ({share})."
    )


def _strip(benchmark: str, records: Records) -> Group:
    """Some examples whose picture can be shown, one of a group, drawn by seed."""
    return Group(
        anchor("strip", benchmark),
        f"{title(benchmark)}: some of them",
        f"{len(records.rows):,} drawn by seed",
        records.sql,
        [_card(benchmark, row) for row in records.rows],
        is_open=True,
    )


def _card(benchmark: str, row: dict[str, Any]) -> Card:
    return Card(
        anchor("finished", benchmark, row["example_id"]),
        row["question"] or row["example_id"],
        [row["picture_id"]],
        [("right answer", row["target"] or "abstain")],
        [row["operator"]] if row["operator"] else [],
    )
