"""How the examples spread, and what they look like."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec

from gainsay.report.sections.blocks import (
    NOT_BUILT,
    Block,
    Card,
    Group,
    Note,
    Part,
    Section,
    add_line,
    anchor,
    title,
)
from gainsay.report.tables import Column, Reader, Table, literal, plain
from gainsay.report.visible_text import RIGHT_TO_LEFT

_MOST_VALUES: Final = 20


def distributions(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """How many examples have each value of each dimension."""
    section = Section(
        "distributions", "How the examples spread", "Shares are of all examples of a benchmark."
    )
    if not reader.has("report.report__distributions"):
        section.blocks.append(Note(NOT_BUILT))
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
            Column("share", "", "bar"),
            Column("share", "share", "share"),
            Column("n", "examples", "count"),
        ],
    )


def examples(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Groups of examples, drawn by seed from every split."""
    section = Section(
        "examples",
        "Examples",
        "Drawn by seed from every split; what was made of one source stands side by side.",
    )
    if not reader.has("report.report__examples"):
        section.blocks.append(Note(NOT_BUILT))
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
    prompts, asked = "", "null as prompts"
    if reader.has("report.report__prompts"):
        asked = "prompts.prompts"
        prompts = f"""
        left join (
            select example_id, list(
                {{'task': task, 'condition': condition, 'question': question, 'choices': choices}}
                order by task, condition
            ) as prompts
            from report.report__prompts
            where benchmark = {literal(benchmark)}
            group by example_id
        ) as prompts using (example_id)"""
    pictures, shown = "", "null as pictures"
    if reader.has("report.report__example_pictures"):
        shown = "pictures.pictures"
        pictures = f"""
        left join (
            select example_id, list(picture_id order by place) as pictures
            from report.report__example_pictures
            where benchmark = {literal(benchmark)}
            group by example_id
        ) as pictures using (example_id)"""
    sql = plain(f"""
        select example_id, shown_image_id, recipe_id, source_image_id, split, family, operator,
            text_input, question, gold_answer, target, {shown}, {asked}
        from report.report__examples as examples{pictures}{prompts}
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
