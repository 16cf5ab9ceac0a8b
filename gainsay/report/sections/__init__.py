"""The sections of a report: which blocks, in which order, and what is no table.

What a reader sees is what the query that stands below it gives: a file of SQL in `report/blocks`,
of which the page chooses rows.
"""

from collections.abc import Sequence

from gainsay.report.sections.blocks import Section
from gainsay.report.sections.built import what_was_built
from gainsay.report.sections.outcome import what_came_out
from gainsay.report.sections.removed import removed
from gainsay.report.sections.scores import scores
from gainsay.report.sections.soundness import agreement, checks, guessing, lineage, test_runs
from gainsay.report.sections.spread import distributions, examples
from gainsay.report.tables import Reader


def sections(reader: Reader, benchmarks: Sequence[str], examples_per_reason: int) -> list[Section]:
    """All sections of a report of these benchmarks, in their order."""
    return [
        what_came_out(reader, benchmarks),
        removed(reader, benchmarks, examples_per_reason),
        distributions(reader, benchmarks),
        examples(reader, benchmarks),
        guessing(reader, benchmarks),
        scores(reader, benchmarks),
        agreement(reader),
        checks(reader, benchmarks),
        what_was_built(reader, benchmarks),
        lineage(reader, benchmarks),
        test_runs(reader),
    ]
