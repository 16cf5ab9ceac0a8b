"""What came out: of each benchmark a sentence, its finished examples, and a strip of pictures."""

from collections.abc import Sequence
from typing import Any, Final

from gainsay.foundation.names import title
from gainsay.report.sections.blocks import (
    NOT_BUILT,
    Block,
    Card,
    Group,
    Note,
    Part,
    Section,
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
    if not reader.has("outcome/summary", "outcome/finished", "outcome/overview"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    chosen = {"benchmark": benchmarks}
    n_examples = {row["benchmark"]: row["n_examples"] for row in reader.rows("outcome/summary")}
    passed: dict[str, list[Row]] = {}
    for row in reader.rows("outcome/overview", chosen):
        passed.setdefault(row["benchmark"], []).append(row)
    strips = {}
    if reader.has("outcome/strip"):
        found = reader.records("outcome/strip", ["benchmark"], chosen)
        strips = {row["benchmark"]: records for row, records in found}
    for benchmark in benchmarks:
        blocks: list[Block] = [
            Note(_sentence(n_examples.get(benchmark, 0), passed.get(benchmark, [])))
        ]
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


def _sentence(n_examples: int, screenings: Sequence[Row]) -> str:
    """How many examples a benchmark has, and how many candidates of each screening passed.

    Candidates of several screenings are different things, such as pairs and texts, and are
    not summed.
    """
    if not any(row["n_candidates"] for row in screenings):
        return "It has no candidates in this warehouse."
    finished = f"{n_examples:,} finished examples" if n_examples else "No finished example"
    passed = [
        f"{row['n_retained']:,} of {row['n_candidates']:,} candidates"
        + (f" of {row['screening'].replace('_', ' ')}" if len(screenings) > 1 else "")
        + f" passed ({row['n_retained'] / row['n_candidates']:.1%})"
        for row in screenings
        if row["n_candidates"]
    ]
    return f"{finished}: {', '.join(passed)}."


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
