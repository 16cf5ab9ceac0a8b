"""Whether the build can be relied on: integrity checks, agreement, lineage and test results."""

from collections.abc import Sequence

from gainsay.report.sections.blocks import NOT_BUILT, Note, Section
from gainsay.report.tables import Reader

# whose columns are traced
_PORTS = ("examples", "screened")


def checks(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """The integrity checks of the benchmarks' manifests."""
    section = Section(
        "checks",
        "Integrity checks",
        "What must hold of a benchmark's examples: the value that was measured, and the most that"
        " is allowed.",
    )
    if not reader.has("checks/integrity"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    checks = reader.table("checks/integrity", {"benchmark": benchmarks})
    section.blocks.append(checks if checks.rows else Note("No benchmark publishes a check."))
    return section


def guessing(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """What a reader guesses that sees no picture, and by which words."""
    section = Section(
        "guessing",
        "Can it be guessed?",
        "A reader that sees no picture guesses what is right, by naive Bayes on words and pairs of"
        " words. The margin is by how much it is better than the most frequent label. What"
        " came out has a line of it for each benchmark.",
    )
    if not reader.has("guessing/blind_scores"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    chosen = {"benchmark": benchmarks}
    scores = reader.table("guessing/blind_scores", chosen)
    if not scores.rows:
        section.blocks.append(Note("No example of these benchmarks was read blind."))
        return section
    section.blocks.extend(
        reader.table(block, chosen)
        for block in ("guessing/readings", "guessing/group_coverage", "guessing/variety")
        if reader.has(block)
    )
    section.blocks.append(scores)
    section.blocks.append(reader.table("guessing/telltale_words", chosen))
    return section


def agreement(reader: Reader) -> Section:
    """How far people, and judges, agree."""
    section = Section(
        "agreement", "Agreement of people and judges", "How far those who judged the same agree."
    )
    blocks = ("agreement/agreement_people", "agreement/agreement_judges")
    tables = [reader.table(block) for block in blocks if reader.has(block)]
    section.blocks.extend(table for table in tables if table.rows)
    if not section.blocks:
        section.blocks.append(Note("No reader has judged a record yet."))
    return section


def lineage(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Where the columns of examples and screenings come from, one step down."""
    section = Section(
        "lineage",
        "Where columns come from",
        "One step down for each column of the examples and screenings;"
        " `gainsay lineage MODEL.COLUMN` goes on to the raw tables.",
    )
    if reader.has("lineage/lineage"):
        ports = [f"{benchmark}__{port}" for benchmark in benchmarks for port in _PORTS]
        found = reader.tables(
            "lineage/lineage", ["model"], {"model": ports}, lambda row, _: str(row["model"])
        )
        section.blocks.extend(
            table for _, table in sorted(found, key=lambda one: ports.index(one[0]["model"]))
        )
    if not section.blocks:
        section.blocks.append(
            Note("Not read yet: run `gainsay lineage --land`, then `gainsay build`.")
        )
    return section


def test_runs(reader: Reader) -> Section:
    """The tests of the last runs, and those that did not pass."""
    section = Section(
        "tests", "Test results over builds", "Every data test and unit test of the last runs."
    )
    if not reader.has("tests/test_runs"):
        section.blocks.append(Note("No test has run yet: `gainsay build` runs them."))
        return section
    section.blocks.extend(map(reader.table, ("tests/test_runs", "tests/tests_failed")))
    return section
