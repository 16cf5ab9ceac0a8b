"""The funnel of a benchmark is that of each of its screenings."""

from gainsay.inspect.funnel import FunnelRow, Step, by_screening, main_screening, steps

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
