"""Scores of models: leaderboards, slices, curves, and published figures beside ours."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby

from gainsay.foundation.names import title
from gainsay.report.charts import MOST_LINES, Chart, Line, curves
from gainsay.report.sections.blocks import Note, Part, Section, built_benchmarks
from gainsay.report.sections.drawn import heats_of
from gainsay.report.tables import Reader, anchor, read_block


def scores(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Leaderboards of the benchmarks, and of questions of others that are scored."""
    section = Section(
        "scores",
        "Scores of models",
        "A mark is a score, the line through it one standard deviation to either side, an upright"
        " line the target. A number that is a link opens what the model got wrong in `gainsay"
        " browse`, where that runs on this machine.",
    )
    if not reader.has("scores/leaderboard", "scores/slices"):
        section.blocks.append(Note("Nothing is scored yet: land answers and run `gainsay score`."))
        return section
    scored = {row["benchmark"] for row in reader.rows("scores/leaderboard")}
    # question sets are of no benchmark of the warehouse
    question_sets = sorted(scored - set(built_benchmarks(reader)))
    section.parts.extend(
        _scores_of(reader, benchmark)
        for benchmark in [*benchmarks, *question_sets]
        if benchmark in scored
    )
    if not section.parts:
        section.blocks.append(
            Note("No answers have landed: `gainsay land-predictions`, then `gainsay score`.")
        )
    if reader.has("scores/published") and reader.rows("scores/published"):
        section.blocks.append(reader.table("scores/published"))
    return section


def _scores_of(reader: Reader, benchmark: str) -> Part:
    part = Part(anchor("scores", benchmark), title(benchmark), [])
    chosen = {"benchmark": benchmark}
    main = ""
    for first, board in reader.tables(
        "scores/leaderboard",
        ["benchmark", "is_main"],
        chosen,
        lambda _, caption: f"{title(benchmark)}: {caption}",
    ):
        if first["is_main"]:
            main = first["metric"].replace("_", " ")
            own = anchor("leaderboard", benchmark)
            part.blocks.append(replace(board, anchor=own, caption=f"{title(benchmark)}: {main}"))
        else:
            own = anchor("leaderboard", benchmark, "others")
            part.blocks.append(replace(board, anchor=own, is_folded=True))
    for block in ("scores/other_models", "scores/modalities"):
        if reader.has(block) and (table := reader.table(block, chosen)).rows:
            part.blocks.append(table.named(f"{title(benchmark)}: {table.caption}", benchmark))
    asked = ["benchmark", "task", "condition"]
    for block in ("scores/slice_heat", "scores/agreement"):
        if reader.has(block):
            part.blocks.extend(heats_of(reader, block, asked, chosen))
    if reader.has("scores/forest"):
        forest = reader.table("scores/forest", chosen)
        if forest.rows:
            caption = f"{title(benchmark)}: {forest.caption}"
            part.blocks.append(forest.named(caption, benchmark))
    slices = reader.table("scores/slices", chosen)
    part.blocks.append(slices.named(f"{title(benchmark)}: {main} by slice", benchmark))
    for block in ("scores/risk_coverage", "scores/reliability"):
        chart = _chart(reader, block, benchmark)
        if chart:
            part.blocks.append(chart)
    return part


def _chart(reader: Reader, block: str, benchmark: str) -> Chart | None:
    if not reader.has(block):
        return None
    table = reader.table(block, {"benchmark": benchmark})
    if not table.rows:
        return None
    table = table.named(f"{title(benchmark)}: {table.caption}", benchmark)
    said = read_block(block).said
    # the name of a line, its points, and how many answers they are of
    name, x, y, n = (column for column in table.rows[0] if column != "benchmark")
    lines = [
        Line(run, [(row[x], row[y]) for row in rows], rows[-1][n])
        for run, rows in (
            (str(run), list(rows)) for run, rows in groupby(table.rows, key=lambda row: row[name])
        )
    ][:MOST_LINES]
    drawing = curves(lines, table.caption, said["x"], said["y"], said.get("diagonal") == "yes")
    return Chart(
        f"chart-{table.anchor}", table.caption, drawing, [line.name for line in lines], table
    )
