"""Data of others, which lies beside the repository: where, and which tests are skipped without it.

CONTRIBUTING says what the folder holds and where each part is from.
"""

import os
from collections.abc import Iterable
from pathlib import Path

import pytest

VARIABLE = "GAINSAY_REAL_DATA"
_NAMED = os.environ.get(VARIABLE)
FOLDER = Path(_NAMED or Path(__file__).parents[3] / "shared" / "data").absolute()

REAL_SAMPLE = FOLDER / "real"
CLASH = FOLDER / "clash"
AMBER = FOLDER / "amber"
WALK = FOLDER / "exif"
RECORDED = FOLDER / "collect" / "wikimedia"
PRINTED_GATES = FOLDER / "reality_check_gates"
CASES = FOLDER / "cases"

# `pytest_runtest_setup` skips who needs a part that is not here
needs_real_sample = pytest.mark.real_data(REAL_SAMPLE)
needs_clash = pytest.mark.real_data(CLASH)
needs_amber = pytest.mark.real_data(AMBER)
needs_walk = pytest.mark.real_data(WALK)
needs_recordings = pytest.mark.real_data(RECORDED)
needs_printed_gates = pytest.mark.real_data(PRINTED_GATES)
needs_cases = pytest.mark.real_data(CASES)


def why_missing(parts: Iterable[Path]) -> str | None:
    """Why a test cannot run that needs these parts: the same words for all that lack the folder."""
    if missing := [part for part in parts if not part.is_dir()]:
        if FOLDER.is_dir():
            return (
                f"{missing[0]} is not here; see {VARIABLE} in CONTRIBUTING.md for where it is from"
            )
        if _NAMED:
            return f"{VARIABLE} names {_NAMED}, which is no folder; see CONTRIBUTING.md"
        return f"no data of others is here; {VARIABLE} names its folder, see CONTRIBUTING.md"
    return None
