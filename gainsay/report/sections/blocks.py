"""The parts of a page: sections, their parts, and the blocks in them.

Nothing here is markup.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from gainsay.report.charts import Chart
from gainsay.report.tables import Reader, Table

NOT_BUILT: Final = "Not built yet: run `gainsay build`."


@dataclass(frozen=True)
class Note:
    """A sentence in place of what is not there."""

    kind = "note"

    text: str


@dataclass(frozen=True)
class Region:
    """A part of a picture of so many pixels: what is `covered`, or `asked` about, as a path."""

    kind: str
    path: str
    width: int
    height: int


@dataclass(frozen=True)
class Card:
    """One record: its id, its pictures if any, and what is said of it, line by line.

    `regions` are parts of its first picture.
    """

    anchor: str
    title: str
    picture_ids: Sequence[str]
    lines: Sequence[tuple[str, str | list[str]]]
    tags: Sequence[str] = ()
    regions: Sequence[Region] = ()


@dataclass(frozen=True)
class Drops:
    """A reason with some of the records that it dropped."""

    kind = "drops"

    anchor: str
    stage: str
    reason: str
    description: str
    n: int
    share: float | None
    """Of the candidates that came as far as this stage."""
    sql: str
    cards: Sequence[Card]
    view: str
    """The address of all of them in `gainsay browse`."""


@dataclass(frozen=True)
class Group:
    """Examples that were made of one source, side by side."""

    kind = "group"

    anchor: str
    heading: str
    note: str
    sql: str
    cards: Sequence[Card]
    is_open: bool


Block = Note | Table | Drops | Group | Chart


@dataclass(frozen=True)
class Part:
    """The part of a section about one benchmark."""

    anchor: str
    heading: str
    blocks: list[Block]
    is_folded: bool = False
    """Parts of a folded section are folded anyway, unless it has one alone."""


@dataclass(frozen=True)
class Section:
    """A section of the page."""

    anchor: str
    heading: str
    intro: str
    blocks: list[Block] = field(default_factory=list)
    parts: list[Part] = field(default_factory=list)
    is_folded: bool = True


def built_benchmarks(reader: Reader) -> list[str]:
    """The benchmarks that a warehouse has something to report of."""
    if not reader.has("removed/stages"):
        return []
    return list(dict.fromkeys(row["benchmark"] for row in reader.rows("removed/stages")))


def add_line(
    lines: list[tuple[str, str | list[str]]], label: str, said: str | list[str] | None
) -> None:
    """Add what is said of a record, if anything is."""
    if said:
        lines.append((label, said))
