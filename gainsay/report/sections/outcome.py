"""What came out: of each benchmark what a reader asks first, on the first screens."""

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
    add_line,
    built_benchmarks,
)
from gainsay.report.sections.drawn import heat_of
from gainsay.report.tables import Reader, Row, anchor, query_of, read_block

OUTCOME: Final = "outcome"
# examples on the first screens: one row of a page that is 1400 pixels wide
_MOST_SHOWN: Final = 6


def what_came_out(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """What a reader wants to know first; how it came about is folded behind.

    Of each benchmark a sentence, whether it is right and whether it can be guessed, how models do,
    and some of its examples.
    """
    section = Section(
        OUTCOME,
        "What came out",
        "The finished examples of each benchmark, whether they can be guessed and were read, and"
        " how models do. All else is folded below.",
        is_folded=False,
    )
    if not reader.has("outcome/summary", "outcome/finished", "outcome/overview"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    chosen = {"benchmark": benchmarks}
    n_examples = {row["benchmark"]: row["n_examples"] for row in reader.rows("outcome/summary")}
    passed: dict[str, list[Row]] = {}
    for row in reader.rows("outcome/overview", chosen):
        passed.setdefault(row["benchmark"], []).append(row)
    checks = reader.rows("checks/integrity", chosen) if reader.has("checks/integrity") else []
    for benchmark in benchmarks:
        said = Note(
            _sentence(n_examples.get(benchmark, 0), passed.get(benchmark, []))
            + _checked([row["is_passed"] for row in checks if row["benchmark"] == benchmark])
        )
        section.parts.append(Part(anchor(OUTCOME, benchmark), title(benchmark), [said]))
    others = {
        "soundness": ("Is it right, and can it be guessed?", _soundness(reader, benchmarks)),
        "models": ("How models do", _models(reader, benchmarks)),
        "some": ("Some of them", _strip(reader, benchmarks)),
    }
    section.parts.extend(
        Part(anchor(OUTCOME, name), heading, blocks)
        for name, (heading, blocks) in others.items()
        if blocks
    )
    tables: list[Block] = [
        reader.table("outcome/overview", chosen),
        reader.table("outcome/finished", chosen),
    ]
    section.parts.append(Part(anchor(OUTCOME, "passed"), "What passed", tables, is_folded=True))
    return section


def _checked(checks: Sequence[bool]) -> str:
    """How many integrity checks hold."""
    if not checks:
        return ""
    if all(checks):
        return f" All of its {len(checks):,} integrity checks hold."
    return f" {checks.count(False):,} of its {len(checks):,} integrity checks fail."


def _soundness(reader: Reader, benchmarks: Sequence[str]) -> list[Block]:
    """A line a benchmark, and below them the question sets of others that are scored."""
    if not reader.has("outcome/three_questions"):
        return []
    varied = {row["benchmark"] for row in reader.rows("outcome/three_questions")}
    others = sorted(varied - set(built_benchmarks(reader)))
    table = reader.table("outcome/three_questions", {"benchmark": [*benchmarks, *others]})
    return [table] if table.rows else []


def _models(reader: Reader, benchmarks: Sequence[str]) -> list[Block]:
    """Of each benchmark the board that most runs are on, by its leading metric."""
    if not reader.has("outcome/models"):
        return []
    found = heat_of(reader, "outcome/models", {"benchmark": benchmarks})
    return [found] if found else []


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


def _strip(reader: Reader, benchmarks: Sequence[str]) -> list[Block]:
    """Some examples whose picture can be shown, one of a group, drawn by seed."""
    if not reader.has("outcome/strip"):
        return []
    most = max(1, _MOST_SHOWN // len(benchmarks))
    chosen = {
        "benchmark": benchmarks,
        "place": [str(place) for place in range(1, most + 1)],
    }
    rows = reader.rows("outcome/strip", chosen)
    if not rows:
        return []
    return [
        Group(
            anchor("strip"),
            "Drawn by seed",
            f"{len(rows):,} whose picture can be shown",
            query_of(read_block("outcome/strip"), chosen),
            [_card(row) for row in rows],
            is_open=True,
        )
    ]


def _card(row: dict[str, Any]) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    # a caption that the model reads beside the picture, which alone may say what is right
    add_line(lines, "text", row["text_beside"])
    lines.append(("right answer", row["target"] or "abstain"))
    return Card(
        anchor("finished", row["benchmark"], row["example_id"]),
        row["question"] or row["example_id"],
        [row["picture_id"]],
        lines,
        [title(row["benchmark"]), *([row["operator"]] if row["operator"] else [])],
    )
