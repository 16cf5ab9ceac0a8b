"""Blocks that are drawn as one picture, whose table is folded below it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from gainsay.foundation.names import title
from gainsay.report.charts import Chart, heat
from gainsay.report.tables import Block, Choice, Reader, Row, Table, read_block


def heat_of(reader: Reader, block: str, where: Mapping[str, Choice]) -> Chart | None:
    """A block that says `-- draw: heat`; none where it has no rows."""
    table = reader.table(block, where)
    return _drawn(table, read_block(block)) if table.rows else None


def heats_of(
    reader: Reader, block: str, by: Sequence[str], where: Mapping[str, Choice]
) -> list[Chart]:
    """The drawings of such a block, one for each value of some columns, which its caption says."""
    found = reader.tables(block, by, where, lambda row, caption: f"{asked_of(row, by)}: {caption}")
    return [_drawn(table, read_block(block)) for _, table in found]


def asked_of(row: Row, by: Sequence[str]) -> str:
    """What a drawing is of, the name of the benchmark first."""
    first, *others = (str(row[name]) for name in by)
    return ", ".join(
        [title(first), *(name.replace("_", " ") for name in others if name != "default")]
    )


def _drawn(table: Table, file: Block) -> Chart:
    said = file.said
    return Chart(
        f"chart-{table.anchor}",
        table.caption,
        heat(table, said["rows"], said["columns"]),
        [],
        replace(table, caption=f"{table.caption}, as a table", is_folded=True),
        said.get("note", ""),
    )
