"""The funnel of a benchmark is that of each of its screenings."""

import sys

import duckdb
import pytest

from gainsay.foundation.errors import GainsayError
from gainsay.inspect.funnel import FunnelRow, Step, by_screening, main_screening, steps
from gainsay.report.plots import draw

EDITS = [
    FunnelRow("edits", "unchanged", "edit_unchanged", "none", 1, 0.25),
    FunnelRow("edits", "retained", "retained", "count", 3, 0.75),
]
VARIANTS = [
    FunnelRow("variants", "picture", "no_picture", "color", 2, 0.4),
    FunnelRow("variants", "retained", "retained", "color", 1, 0.2),
    FunnelRow("variants", "retained", "retained", "count", 2, 0.4),
]


def test_candidates_of_two_screenings_are_not_added_up() -> None:
    assert by_screening(EDITS + VARIANTS) == {"edits": EDITS, "variants": VARIANTS}
    assert steps(EDITS) == [Step("unchanged", "edit_unchanged", 1, {"count": 3})]
    assert steps(VARIANTS) == [Step("picture", "no_picture", 2, {"color": 1, "count": 2})]


def test_the_screening_that_is_drawn_is_the_benchmark_s_own_or_the_first() -> None:
    assert main_screening(EDITS + VARIANTS, "variants") == VARIANTS
    assert main_screening(EDITS + VARIANTS, "conflict_suite_refined") == EDITS


def test_a_picture_without_matplotlib_names_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with duckdb.connect() as connection, pytest.raises(GainsayError, match=r"\[plots\]"):
        draw(connection, "funnel", None)
