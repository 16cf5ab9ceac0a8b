"""Challenges of VLM Reality Check that were read: they are still made so, and enough are right."""

import csv
from collections import defaultdict

import pytest

from tests.python.conftest import PROJECT, REAL_DATA, Warehouse, needs_real_data

READING = PROJECT / "tests" / "readings" / "reality_check_photographs.csv"
# challenges that were read of each bias, which are all that the real sample's photographs give
READ = {
    "spatial_relations": 52,
    "texture": 19,
    "scale_invariance": 32,
    "counting": 4,
    "compound": 2,
}
LEAST_RIGHT = 0.95
PHOTOGRAPHS = ("train2017", "val2017")
ANNOTATIONS = "annotations_trainval2017.zip"
ASKED = """
    select
        pair_questions.bias_type,
        pairs.pair_id
        || case when question_role = 'pair' then '' else '::' || question_role end as challenge_id,
        pairs.difficulty,
        pair_questions.question,
        pair_questions.correct_answer
    from reality_check.reality_check__pairs as pairs
    inner join reality_check.reality_check__pair_questions as pair_questions using (pair_id)
"""
# a flip that no label speaks against, and neither symmetry
FLIPS = """
    select candidate_id, axis, difficulty
    from reality_check.reality_check__spatial_relations_candidates
    where drop_detail is null and mirror_difference >= 0.02
"""


@pytest.fixture(scope="module")
def read() -> list[dict[str, str]]:
    with READING.open(newline="") as file:
        return list(csv.DictReader(file))


def test_enough_challenges_of_each_bias_are_right(read: list[dict[str, str]]) -> None:
    verdicts = defaultdict(list)
    for row in read:
        verdicts[row["bias_type"]].append({"true": True, "false": False}[row["is_right"]])
    assert {bias: len(of_bias) for bias, of_bias in verdicts.items()} == READ
    assert len({row["reason"] for row in read}) == len(read)
    for bias, of_bias in verdicts.items():
        assert sum(of_bias) / len(of_bias) >= LEAST_RIGHT, bias


@pytest.fixture(scope="module")
def paired(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The real sample with its photographs, as far as the pairs; no text is read, which is slow."""
    warehouse = Warehouse(tmp_path_factory.mktemp("photographs"))
    warehouse.gainsay("land", REAL_DATA / ANNOTATIONS)
    warehouse.gainsay("land-images", *(REAL_DATA / name for name in PHOTOGRAPHS))
    return warehouse.build(
        "--vars", "{annotate_ocr: false}", "--select", "+reality_check__pair_questions"
    )


@needs_real_data
def test_challenges_that_were_read_are_still_asked(
    read: list[dict[str, str]], paired: Warehouse
) -> None:
    asked = {
        (bias, challenge_id): (difficulty, question, answer)
        for bias, challenge_id, difficulty, question, answer in paired.rows(ASKED)
    }
    found = {
        (row["bias_type"], row["challenge_id"]): (
            row["difficulty"],
            row["question"],
            row["answer"],
        )
        for row in read
        if row["bias_type"] != "spatial_relations"
    }
    assert asked == found


@needs_real_data
def test_pictures_that_were_read_are_still_flipped_the_same_way(
    read: list[dict[str, str]], paired: Warehouse
) -> None:
    flips = {
        candidate_id: (axis, difficulty) for candidate_id, axis, difficulty in paired.rows(FLIPS)
    }
    for row in read:
        if row["bias_type"] == "spatial_relations":
            assert flips[row["challenge_id"]] == (row["made_by"], row["difficulty"])
