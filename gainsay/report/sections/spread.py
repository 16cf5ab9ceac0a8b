"""How the examples spread, and what they look like."""

from collections.abc import Sequence
from typing import Any

import msgspec

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
)
from gainsay.report.tables import Reader, Records, Row, anchor
from gainsay.report.visible_text import RIGHT_TO_LEFT


def distributions(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """How many examples have each value of each dimension."""
    section = Section(
        "distributions", "How the examples spread", "Shares are of all examples of a benchmark."
    )
    if not reader.has("distributions/distribution"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    for benchmark in benchmarks:
        tables = reader.tables(
            "distributions/distribution",
            ["benchmark", "dimension"],
            {"benchmark": benchmark},
            lambda row, _: f"{title(row['benchmark'])}: {row['dimension'].replace('_', ' ')}",
        )
        blocks: list[Block] = [table for _, table in tables]
        section.parts.append(
            Part(
                anchor("distributions", benchmark),
                title(benchmark),
                blocks or [Note("It has no examples.")],
            )
        )
    return section


def examples(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Groups of examples, drawn by seed from every split."""
    section = Section(
        "examples",
        "Examples",
        "Drawn by seed from every split; what was made of one source stands side by side.",
    )
    if not reader.has("examples/group"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    for benchmark in benchmarks:
        groups = reader.records(
            "examples/group", ["benchmark", "shown_split", "group_id"], {"benchmark": benchmark}
        )
        blocks: list[Block] = [_group(first, records) for first, records in groups]
        section.parts.append(
            Part(
                anchor("examples", benchmark),
                title(benchmark),
                blocks or [Note("It has no examples.")],
            )
        )
    return section


def _group(first: Row, records: Records) -> Group:
    benchmark, split, group_id = (first[name] for name in ("benchmark", "shown_split", "group_id"))
    note = f"one of {first['n_groups']:,} groups"
    if len(records.rows) < first["n_members"]:
        note += f", {len(records.rows):,} of its {first['n_members']:,} examples"
    return Group(
        anchor("group", benchmark, split, group_id),
        group_id if split == "none" else f"{split}: {group_id}",
        note,
        records.sql,
        [_example_card(benchmark, split, group_id, row) for row in records.rows],
        is_open=first["group_place"] == 1,
    )


def _example_card(benchmark: str, split: str, group_id: str, row: dict[str, Any]) -> Card:
    lines: list[tuple[str, str | list[str]]] = []
    add_line(lines, "text", row["text_input"])
    add_line(lines, "question", row["question"])
    add_line(lines, "gold answer", row["gold_answer"])
    lines.append(("right answer", row["target"] or "abstain"))
    for prompt in row["prompts"] or []:
        own_question = [] if prompt["question"] == row["question"] else [prompt["question"]]
        asked = f"{prompt['task']}, {prompt['condition']}".replace("_", " ")
        add_line(lines, asked, [*filter(None, own_question), *_choices(prompt["choices"])])
    name = row["example_id"].removeprefix(f"{group_id}::")
    tags = [row["operator"] if row["operator"] != name else None, row["family"]]
    if row["split"] != split:
        tags.append(row["split"])
    return Card(
        anchor("example", benchmark, split, row["example_id"]),
        name,
        row["pictures"] or [],
        lines,
        [tag for tag in tags if tag],
    )


class _Choice(msgspec.Struct):
    """A choice of a question, as the port `__prompts` has it."""

    letter: str
    text: str


def _choices(text: str | None) -> list[str]:
    """Choices as a reader sees them, with their letters; as they are where they are no choices."""
    if text is None:
        return []
    try:
        choices = msgspec.json.decode(text, type=list[_Choice])
    except msgspec.MsgspecError:
        return [text]
    return [_lettered(choice) for choice in choices]


def _lettered(choice: _Choice) -> str:
    """A choice behind its letter; one that runs from the right does so with its letter."""
    text = choice.text.removeprefix(RIGHT_TO_LEFT)
    mark = RIGHT_TO_LEFT if text != choice.text else ""
    return f"{mark}({choice.letter}) {text}"
