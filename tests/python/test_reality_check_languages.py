"""The questions of VLM Reality Check in five languages: their seeds and a reading."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT

SEEDS = PROJECT / "seeds" / "reality_check"
GOAL = 0.95


def _rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.fixture(scope="module")
def templates() -> list[dict[str, str]]:
    return _rows(SEEDS / "reality_check_question_templates.csv")


@pytest.fixture(scope="module")
def texts(templates: list[dict[str, str]]) -> dict[tuple[str, str], str]:
    """Every text by template and language, the English ones included."""
    english = {(row["template_id"], "en"): row["text_en"] for row in templates}
    translations = _rows(SEEDS / "reality_check_template_translations.csv")
    return english | {(row["template_id"], row["language"]): row["text"] for row in translations}


def test_there_are_fifty_templates_in_five_languages(
    templates: list[dict[str, str]], texts: dict[tuple[str, str], str]
) -> None:
    numbers: dict[str, int] = defaultdict(int)
    for row in templates:
        numbers[row["bias_type"]] += 1

    assert len(texts) == 250
    assert sorted(numbers.values()) == [1] * 5 + [5] * 9
    assert {row["template_id"] for row in templates if row["is_in_use"] == "false"} == {
        "counting_5",
        "scale_invariance_5",
        "spatial_relations_1",
        "spatial_relations_2",
        "spatial_relations_4",
    }


def test_wordings_of_one_question_have_the_same_slots_and_answers(
    templates: list[dict[str, str]],
) -> None:
    """Which wording a pair gets must change nothing but the words."""
    kinds = defaultdict(set)
    for row in templates:
        if row["is_in_use"] == "true":
            kind = (row["variables"], row["valid_answers"], row["answer_format"])
            kinds[row["bias_type"], row["question_role"]].add(kind)

    assert {key: len(found) for key, found in kinds.items() if len(found) != 1} == {}


def test_slots_are_those_that_a_template_lists(templates: list[dict[str, str]]) -> None:
    listed = {row["template_id"]: row["variables"].split() for row in templates}
    vocabulary = _rows(SEEDS / "reality_check_vocabulary.csv")
    slots = {row["word"] for row in vocabulary if row["list_name"] == "slots"}

    assert {name for names in listed.values() for name in names} == slots
    assert [
        row["template_id"]
        for row in templates
        if any(row["text_en"].count(f"{{{name}}}") != 1 for name in listed[row["template_id"]])
    ] == []


def test_every_name_of_a_slot_has_its_terms() -> None:
    """A label or group without a term would stay English among localized names."""
    terms = {
        (row["term_kind"], row["english"], row["language"])
        for row in _rows(SEEDS / "reality_check_terms.csv")
    }
    needed = set()
    for row in _rows(SEEDS / "reality_check_category_names.csv"):
        for language in ("es", "zh", "hi", "ar"):
            needed |= {
                ("label", row["label"], language),
                ("plural", row["plural"], language),
                ("group", row["group_name"], language),
            }

    assert needed - terms == set()


def test_read_translations_are_still_made_and_right_often_enough(
    texts: dict[tuple[str, str], str],
) -> None:
    read = _rows(PROJECT / "tests" / "readings" / "template_translations.csv")
    verdicts = [{"true": True, "false": False}[row["is_right"]] for row in read]

    changed = [
        (row["template_id"], row["language"])
        for row in read
        if texts[row["template_id"], row["language"]] != row["text"]
        or texts[row["template_id"], "en"] != row["text_en"]
    ]
    assert changed == []
    assert len(verdicts) == 80
    assert sum(verdicts) / len(verdicts) >= GOAL
    assert [row["template_id"] for row in read if len(row["reason"].split()) < 3] == []
