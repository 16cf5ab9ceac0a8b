"""What was built: inputs with their hashes, code, vars and runs."""

from collections.abc import Sequence

from gainsay.report.sections.blocks import NOT_BUILT, Note, Section
from gainsay.report.tables import Reader


def what_was_built(reader: Reader, benchmarks: Sequence[str]) -> Section:
    """Inputs with their hashes, code, vars and runs."""
    section = Section(
        "built",
        "What was built",
        "The inputs, the code and the vars that decided which records there are.",
    )
    if reader.has("built/builds"):
        section.blocks.append(reader.table("built/builds"))
    if not reader.has("built/contents"):
        section.blocks.append(Note(NOT_BUILT))
        return section
    section.blocks.append(reader.table("built/contents", {"benchmark": benchmarks}))
    section.blocks.append(reader.table("built/inputs", {"benchmarks": benchmarks}))
    if reader.has("built/left_behind"):
        section.blocks.append(reader.table("built/left_behind"))
    section.blocks.append(reader.table("built/vars", {"benchmarks": benchmarks}))
    section.blocks.append(reader.table("built/code", {"benchmarks": benchmarks}))
    return section
