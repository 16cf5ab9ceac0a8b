"""What can be guessed of a benchmark without its pictures, and whether that stops a release."""

from typing import Final

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import read

# words of a view that a message names
_NAMED_WORDS: Final = 5


class Margin(msgspec.Struct, frozen=True):
    """How well a blind reader guesses: a row of `audit__blind_scores`."""

    condition: str
    view: str
    guessed: str
    reader: str
    slice_name: str
    slice_value: str
    n: int
    n_groups: int
    most_frequent_accuracy: float
    blind_accuracy: float
    margin: float
    margin_error: float | None
    margin_limit: float | None
    is_limit_met: bool | None
    # releases from before groups have none of these
    n_counted_groups: int | None = None
    group_accuracy: float | None = None
    group_limit: float | None = None
    is_group_limit_met: bool | None = None

    @property
    def is_beyond(self) -> bool:
        """Whether one of its limits is not met."""
        return self.is_limit_met is False or self.is_group_limit_met is False

    @property
    def name(self) -> str:
        """What is guessed of which examples, and from what."""
        of_split = "" if self.slice_name == "all" else f" of {self.slice_name} {self.slice_value}"
        seen = "question and text" if self.view == "both" else self.view
        return f"{self.condition}{of_split}: {self.guessed} from the {seen}"


class Variety(msgspec.Struct, frozen=True):
    """How varied a split is: a row of `audit__variety`."""

    split: str
    slice_name: str
    slice_value: str
    most_frequent_question: str
    example_id: str
    n_records: int
    n_groups: int
    n_questions: int
    n_pictures: int
    most_groups_of_picture: int
    effective_questions: float
    most_frequent_share: float
    told_share: float | None
    effective_answers: float | None
    least_effective_questions: float | None
    most_frequent_limit: float | None
    told_limit: float | None
    is_limit_met: bool | None

    @property
    def name(self) -> str:
        """Which examples are meant."""
        split = "all splits" if self.split == "all" else self.split
        return split if self.slice_name == "all" else f"{split}, {self.slice_value}"


class GroupCoverage(msgspec.Struct, frozen=True):
    """How many records count together: a row of `audit__group_coverage`."""

    condition: str
    n_records: int
    n_grouped_records: int
    n_groups: int


class TelltaleWords(msgspec.Struct, frozen=True):
    """Words that tell a blind reader most: a row of `audit__telltale_words`."""

    condition: str
    view: str
    guessed: str
    part: str
    words: str
    label: str
    n_with_label: int
    n_with_other_labels: int


def read_margins(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[Margin]:
    """The margins of a benchmark's views, of all examples and of what a limit holds for."""
    return read(
        connection,
        Margin,
        "audit.audit__blind_scores",
        where="benchmark = $benchmark and (slice_name = 'all' or margin_limit is not null)",
        order="condition, guessed, view, reader, slice_name, slice_value",
        parameters={"benchmark": benchmark},
    )


def read_varieties(connection: duckdb.DuckDBPyConnection, benchmark: str) -> list[Variety]:
    """How varied a benchmark's splits are, and what else a limit holds for."""
    return read(
        connection,
        Variety,
        "audit.audit__variety",
        where="benchmark = $benchmark and (slice_name = 'all' or is_limit_met is not null)",
        order="split, slice_name, slice_value",
        parameters={"benchmark": benchmark},
    )


def read_group_coverage(
    connection: duckdb.DuckDBPyConnection, benchmark: str
) -> list[GroupCoverage]:
    """How many of a benchmark's records are in groups, by condition."""
    return read(
        connection,
        GroupCoverage,
        "audit.audit__group_coverage",
        where="benchmark = $benchmark",
        order="condition",
        parameters={"benchmark": benchmark},
    )


def read_telltale_words(
    connection: duckdb.DuckDBPyConnection, benchmark: str
) -> list[TelltaleWords]:
    """The words of each view that tell most, the most telling first."""
    return read(
        connection,
        TelltaleWords,
        "audit.audit__telltale_words",
        where="benchmark = $benchmark and kind <> 'form' qualify"
        " row_number() over (partition by condition, view, guessed order by place) <= $n",
        order="condition, guessed, view, place",
        parameters={"benchmark": benchmark, "n": _NAMED_WORDS},
    )


def require_looking(
    benchmark: str,
    margins: list[Margin],
    varieties: list[Variety],
    words: list[TelltaleWords],
    although: str | None,
) -> None:
    """Raise `GainsayError` where a view is guessed, or a split alike, beyond its limit.

    A reason that is given lets it pass.
    """
    guessed = [margin for margin in margins if margin.is_limit_met is False]
    whole_groups = [margin for margin in margins if margin.is_group_limit_met is False]
    alike = [variety for variety in varieties if variety.is_limit_met is False]
    if not (guessed or whole_groups or alike) or although:
        return
    found = "can be guessed without looking" if guessed or whole_groups else "is not varied enough"
    lines = [f"{benchmark}: {found}"]
    for margin in guessed:
        told = [
            f"{one.words!r} ({one.label} {one.n_with_label:,}, else {one.n_with_other_labels:,})"
            for one in words
            if (one.condition, one.view, one.guessed)
            == (margin.condition, margin.view, margin.guessed)
        ]
        lines.append(
            f"{margin.name}, {margin.reader}: {margin.blind_accuracy:.3f} right, the most frequent"
            f" {margin.most_frequent_accuracy:.3f}; a margin of {margin.margin:.3f} where"
            f" {margin.margin_limit:.2f} and two standard errors ({margin.margin_error:.3f}) are"
            f" allowed; telltale words: {', '.join(told)}"
        )
    lines += [
        f"{margin.name}, {margin.reader}: right of {margin.group_accuracy:.3f} of"
        f" {margin.n_counted_groups:,} whole groups, where {margin.group_limit:.2f} are allowed"
        for margin in whole_groups
    ]
    lines += [
        f"{variety.name}: in effect {variety.effective_questions:.1f} questions"
        f"{_allowed(variety.least_effective_questions, 'at least')}; the most frequent,"
        f" {variety.most_frequent_question!r}, takes {variety.most_frequent_share:.3f}"
        f"{_allowed(variety.most_frequent_limit, 'at most')}; the others to a question tell"
        f" {variety.told_share or 0:.3f} of the answers{_allowed(variety.told_limit, 'at most')}"
        for variety in alike
    ]
    lines.append("--although-guessed REASON releases it all the same; the card quotes the reason")
    raise GainsayError("\n".join(lines))


def _allowed(limit: float | None, how: str) -> str:
    return "" if limit is None else f" ({how} {limit:g})"
