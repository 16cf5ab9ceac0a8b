"""Blocks that are drawn as one picture, whose table is folded below it."""

from collections.abc import Mapping
from dataclasses import replace

from gainsay.report.charts import Chart, heat
from gainsay.report.tables import Choice, Reader, read_block


def heat_of(
    reader: Reader, block: str, where: Mapping[str, Choice], *names: str, caption: str = ""
) -> Chart | None:
    """A block that says `-- draw: heat`; none where it has no rows.

    `names` are those that make its anchor its own.
    """
    table = reader.table(block, where)
    if not table.rows:
        return None
    table = table.named(caption or table.caption, *names)
    said = read_block(block).said
    drawing = heat(table.rows, said["rows"], said["columns"], table.caption)
    return Chart(
        f"chart-{table.anchor}", table.caption, drawing, [], replace(table, is_folded=True)
    )
