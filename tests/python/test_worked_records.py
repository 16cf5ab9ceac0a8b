"""The records that the protocol works through by hand."""

from pathlib import Path

import pytest

from tests.python.conftest import Warehouse
from tests.python.official_layout import Asked, write_corpus

CAT = Asked(
    100000002,
    "Is the cat wearing a collar?",
    "yes",
    ["A cat sitting next to  a wii controller, upside down."],
)
BASKETS = Asked(
    200000001,
    "How many baskets are there?",
    "2",
    ["two pink bowls with food in it, rice and tomatoes "],
)
GOALKEEPER = Asked(
    300000001,
    "What color is the shirt of the goalkeeper?",
    "white",
    ["Two men in field catching a white frisbee."],
)


pytestmark = pytest.mark.xdist_group("worked_records")


@pytest.fixture(scope="module")
def worked(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The three records, landed and built."""
    folder: Path = tmp_path_factory.mktemp("worked")
    warehouse = Warehouse(folder)
    warehouse.gainsay("land", write_corpus(folder / "files", [CAT, BASKETS, GOALKEEPER]))
    warehouse.dbt(
        "build", "--select", "+conflict_suite__manifest", "--exclude-resource-type", "unit_test"
    )
    return warehouse


@pytest.mark.parametrize(
    ("asked", "family", "gold_answer"),
    [(CAT, "existence", "yes"), (BASKETS, "count", "2"), (GOALKEEPER, "attribute_color", "white")],
)
def test_worked_record_is_retained(
    worked: Warehouse, asked: Asked, family: str, gold_answer: str
) -> None:
    assert worked.rows(f"""
        select family, gold_answer, caption, is_retained
        from conflict_suite.conflict_suite__screened
        where question_id = {asked.question_id}
    """) == [(family, gold_answer, asked.captions[0], True)]


def test_worked_records_have_seven_variants_each(worked: Warehouse) -> None:
    assert worked.rows("""
        select base_id, count(*)
        from conflict_suite.conflict_suite__examples
        group by base_id
        order by base_id
    """) == [("vqa-100000002", 7), ("vqa-200000001", 7), ("vqa-300000001", 7)]


def test_edits_contradict_the_gold_answer(worked: Warehouse) -> None:
    edits = dict(
        worked.rows("""
            select base_id, text_input
            from conflict_suite.conflict_suite__examples
            where variant_id = 'text_edit'
        """)
    )
    assert edits["vqa-100000002"] == "not A cat sitting next to  a wii controller, upside down."
    assert edits["vqa-200000001"] == "three pink bowls with food in it, rice and tomatoes "
    assert edits["vqa-300000001"] != GOALKEEPER.captions[0]
    assert "white" not in str(edits["vqa-300000001"])
