"""What can be guessed of a benchmark without its pictures, and whether that stops a release."""

from typing import Final

import duckdb
import msgspec

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query

# words of a view that a message names
_NAMED_WORDS: Final = 5

_MARGINS: Final = """
    select
        condition, view, guessed, reader, slice_name, slice_value, n, n_groups,
        most_frequent_accuracy, blind_accuracy, margin, margin_error, margin_limit, is_limit_met
    from audit.audit__blind_scores
    where benchmark = $benchmark and (slice_name = 'all' or margin_limit is not null)
    order by condition, guessed, view, reader, slice_name, slice_value
"""
_TELLTALE_WORDS: Final = """
    select condition, view, guessed, part, words, label, n_with_label, n_with_other_labels
    from audit.audit__telltale_words
    where benchmark = $benchmark and kind <> 'form'
    qualify row_number() over (partition by condition, view, guessed order by place) <= $n
    order by condition, guessed, view, place
"""


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

    @property
    def name(self) -> str:
        """What is guessed of which examples, and from what."""
        of_split = "" if self.slice_name == "all" else f" of {self.slice_name} {self.slice_value}"
        seen = "question and text" if self.view == "both" else self.view
        return f"{self.condition}{of_split}: {self.guessed} from the {seen}"


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
    return query(connection, _MARGINS, Margin, {"benchmark": benchmark})


def read_telltale_words(
    connection: duckdb.DuckDBPyConnection, benchmark: str
) -> list[TelltaleWords]:
    """The words of each view that tell most, the most telling first."""
    of = {"benchmark": benchmark, "n": _NAMED_WORDS}
    return query(connection, _TELLTALE_WORDS, TelltaleWords, of)


def require_looking(
    benchmark: str, margins: list[Margin], words: list[TelltaleWords], although: str | None
) -> None:
    """Raise `GainsayError` where a view is guessed beyond its limit, and no reason is given."""
    guessed = [margin for margin in margins if margin.is_limit_met is False]
    if not guessed or although:
        return
    lines = [f"{benchmark}: can be guessed without looking"]
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
    lines.append("--although-guessed REASON releases it all the same; the card quotes the reason")
    raise GainsayError("\n".join(lines))
