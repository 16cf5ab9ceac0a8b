"""Donor selection equals its definition, row by row."""

import json
from pathlib import Path

import duckdb
import pytest

from tests.python.brute_force_donors import Base, Donors, find_donors, noun_tokens
from tests.python.conftest import Warehouse
from tests.python.official_layout import Asked, write_corpus
from tests.python.real_data import needs_real_sample


def _windows(easy_nearby: int, nearby: int, farther: int, farthest: int) -> str:
    windows = {"easy": easy_nearby, "nearby": nearby, "farther": farther, "farthest": farthest}
    windows["image"] = 16
    return json.dumps({"conflict_suite_donor_windows": windows})


def _built(warehouse: Warehouse) -> dict[str, Donors]:
    rows = warehouse.rows("""
        select
            base_id, easy_donor_base_id, hard_donor_base_id, hard_swap_flag, hard_donor_jaccard
        from conflict_suite.conflict_suite__donors
    """)
    return {base_id: Donors(*donors) for base_id, *donors in rows}  # type: ignore[misc, arg-type]


def _expected(warehouse: Warehouse) -> dict[str, Donors]:
    rows = warehouse.rows("""
        select base_id, source_image_id, caption, family, answer_type
        from conflict_suite.conflict_suite__screened
        where is_retained
    """)
    return find_donors([Base(*row) for row in rows])  # type: ignore[arg-type]


@pytest.mark.long
def test_donors_of_10_000_bases_equal_brute_force(tmp_path: Path) -> None:
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("synth", tmp_path / "files", "--questions", "45000", "--no-images")
    warehouse.gainsay("land", tmp_path / "files")
    warehouse.build("--select", "+conflict_suite__donors")

    built = _built(warehouse)

    assert len(built) >= 10_000
    assert {flag for _, _, flag, _ in built.values()} == {True, False}
    assert built == _expected(warehouse)


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_donors_of_the_real_sample_equal_brute_force(real: Warehouse) -> None:
    assert _built(real) == _expected(real)


def test_donors_where_three_captions_fill_the_ring(tmp_path: Path) -> None:
    """Short walks come back empty-handed, so the whole ring is searched."""
    folder = write_corpus(
        tmp_path / "files",
        [
            Asked(number, "Is there a dog?", "yes", [f"A dog number {number % 3} runs"])
            for number in range(1, 60)
        ],
    )
    warehouse = Warehouse(tmp_path)
    warehouse.gainsay("land", folder)
    warehouse.build("--select", "+conflict_suite__donors", "--vars", _windows(1, 1, 2, 3))

    assert _built(warehouse) == _expected(warehouse)


@pytest.mark.parametrize("windows", [(1, 1, 2, 3), (3, 8, 9, 10), (40, 500, 600, 700)])
def test_windows_never_change_a_donor(
    synthetic: Warehouse, tmp_path: Path, windows: tuple[int, ...]
) -> None:
    warehouse = synthetic.copied_to(tmp_path)
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("drop table conflict_suite.conflict_suite__donors")
    # all that reads a window
    warehouse.build(
        "--select",
        "path:models/benchmarks/conflicts/conflict_suite/donors",
        "--vars",
        _windows(*windows),
    )

    assert _built(warehouse) == _built(synthetic)


def test_noun_tokens_are_long_and_no_stop_words() -> None:
    assert noun_tokens("There is a TV on the cat's 12 shelves, and 100 cats") == {
        "cat", "shelves", "and", "100", "cats",
    }  # fmt: skip
