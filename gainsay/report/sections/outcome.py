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
    anchor,
    in_list,
    title,
)
from gainsay.report.tables import Column, Reader, Table, literal, plain

OUTCOME: Final = "outcome"
_MOST_PICTURES: Final = 5


def what_came_out(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """What a reader wants to know first; how it came about stands behind."""
    section = Section(
        OUTCOME,
        "What came out",
        "The finished examples of each benchmark, and how many candidates they were made of.",
    )
    if not reader.has("report.report__stages", "report.report__distributions"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    for benchmark in benchmarks:
        blocks: list[Block] = [Note(_sentence(reader, benchmark)), _splits(reader, benchmark)]
        strip = _strip(reader, benchmark)
        if strip and strip.cards:
            blocks.insert(1, strip)
        section.parts.append(Part(anchor(OUTCOME, benchmark), title(benchmark), blocks))
    passed = Part(anchor(OUTCOME, "passed"), "What passed", [_overview(reader, benchmarks)])
    section.parts.append(passed)
    return section


def _sentence(reader: Reader, benchmark: str) -> str:
    """Such as `6,120 examples, of 1,530 of 52,509 candidates (2.9 %)`."""
    [found] = reader.rows(
        f"""
        select
            (
                select cast(coalesce(sum(n), 0) as bigint) from report.report__distributions
                where benchmark = {literal(benchmark)} and dimension = 'split'
            ) as n_examples,
            cast(coalesce(sum(n_candidates), 0) as bigint) as n_candidates,
            cast(coalesce(sum(n), 0) as bigint) as n_retained,
            count(*) as n_screenings
        from report.report__stages
        where is_retained and benchmark = {literal(benchmark)}
        """
    )
    n_candidates, n_retained = found["n_candidates"], found["n_retained"]
    if not n_candidates:
        return "It has no candidates in this warehouse."
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


def _splits(reader: Reader, benchmark: str) -> Table:
    return reader.table(
        anchor("finished", benchmark),
        f"{title(benchmark)}: finished examples by split",
        f"""
        select found as split, n, share from report.report__distributions
        where benchmark = {literal(benchmark)} and dimension = 'split'
        order by n desc, found
        """,
        [
            Column("split", "split"),
            Column("n", "examples", "count"),
            Column("share", "share", "share"),
            Column("share", "", "bar"),
        ],
    )


def _strip(reader: Reader, benchmark: str) -> Group | None:
    """Some examples whose picture can be shown, one of a group, drawn by seed."""
    if not reader.has(
        "report.report__examples", "report.report__example_pictures", "report.report__pictures"
    ):
        return None
    sql = plain(f"""
        with pictured as (
            select examples.example_id, examples.question, examples.target, examples.operator,
                examples.source_image_id,
                arg_min(pictures.picture_id, pictures.place) as picture_id
            from report.report__examples as examples
            inner join report.report__example_pictures as pictures
                on examples.benchmark = pictures.benchmark
                and examples.example_id = pictures.example_id
            where examples.benchmark = {literal(benchmark)}
                and pictures.picture_id in (
                    select picture_id from report.report__pictures where picture_state = 'shown'
                )
            group by all
        )
        select * from pictured
        qualify row_number() over (partition by source_image_id order by md5(example_id)) = 1
        order by md5(example_id)
        limit {_MOST_PICTURES}
    """)
    rows = reader.rows(sql)
    return Group(
        anchor("strip", benchmark),
        f"{title(benchmark)}: some of them",
        f"{len(rows):,} drawn by seed",
        sql,
        [_card(benchmark, row) for row in rows],
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


def _overview(reader: Reader, benchmarks: Sequence[str]) -> Table:
    return reader.table(
        "overview",
        "How many candidates passed every stage",
        f"""
        select benchmark, screening, n_candidates, n as n_retained, share
        from report.report__stages
        where is_retained and benchmark in ({in_list(benchmarks)})
        order by benchmark, screening
        """,
        [
            Column("benchmark", "benchmark"),
            Column("screening", "screening"),
            Column("n_retained", "retained", "count"),
            Column("n_candidates", "candidates", "count"),
            Column("share", "share", "share"),
            Column("share", "", "bar"),
        ],
    )
