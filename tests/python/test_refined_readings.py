"""Texts whose state was read: the project still makes them, and enough of them are right."""

import csv
import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

READINGS = PROJECT / "tests" / "readings" / "refined.csv"
GOAL = 0.95
VERDICTS = {"true": True, "false": False, "": None}
FIRST_QUESTION_OF_CASES = 800_000_000
TEXTS = """
    select
        edits.base_id, edits.mix_state,
        case when edits.is_retained then edits.edited_caption end,
        case when edits.is_retained then edits.text_supported_target end
    from conflict_suite_refined.conflict_suite_refined__chosen_edits as edits
"""


@dataclass(frozen=True)
class ReadText:
    """A text, and whether it is in its state and good English."""

    source: str
    base_id: str
    family: str
    state: str
    question: str
    gold_answer: str
    caption: str
    text: str
    target: str
    is_right: bool
    reason: str


@dataclass(frozen=True)
class Edit:
    """A caption, and what the rules make of it for one state; None for no edit."""

    question: str
    gold_answer: str
    caption: str
    state: str
    text: str | None


# what a reading of earlier edits found, and every rule of the grammar
EDITS = {
    "no capital in the middle": Edit(
        "Is there a surfboard in the image?", "yes", "A man doing a trick with his Surfboard",
        "irrelevant", "A man doing a trick with his sports equipment"),
    "the noun goes with its own adjunct, and no other": Edit(
        "Is there a bus in the image?", "yes", "A very big city bus on a big street.",
        "irrelevant", "A very big vehicle on a big street."),
    "unknown words before a noun are left alone": Edit(
        "Is there a fork in the image?", "yes", "pies on top of a stove witha fork on it",
        "irrelevant", None),
    "a denial does not name what it denies": Edit(
        "Is there a toilet in the image?", "yes", "A toilet that is sitting in a bathroom",
        "different", "A bathroom fixture that is sitting in a bathroom. There is no toilet."),
    "a term of two words goes whole": Edit(
        "Is there a wine glass in the image?", "yes", "Three wine glasses on a table.",
        "irrelevant", "Three containers on a table."),
    "a term of two words is counted whole": Edit(
        "How many wine glasses are there?", "3", "Three wine glasses on a table.",
        "irrelevant", "Some wine glasses on a table."),
    "a stop for buses is no bus": Edit(
        "Is there a bus in the image?", "yes", "A bus is near a bus stop.",
        "irrelevant", None),
    "an article agrees": Edit(
        "Is there an umbrella in the image?", "yes", "A man with an umbrella in the rain.",
        "irrelevant", "A man with an object in the rain."),
    "an article agrees when a color goes": Edit(
        "What color is the cat?", "orange", "An orange cat sits on a mat.",
        "irrelevant", "A cat sits on a mat."),
    "a shade goes with its color": Edit(
        "What color is the car?", "blue", "There is a light blue car.",
        "irrelevant", "There is a car."),
    "a color that stands for itself stays, and there is no edit": Edit(
        "What color is the car?", "blue", "A blue car and a man in red.",
        "irrelevant", None),
    "capitals stay capitals": Edit(
        "How many elephants are there?", "3", "3 ELEPHANTS WALKING",
        "irrelevant", "SOME ELEPHANTS WALKING"),
    "one is an article's number, and its noun and verb go along": Edit(
        "How many dogs are there?", "1", "One dog is sitting on a bench.",
        "irrelevant", "Dogs are sitting on a bench."),
    "a number behind a determiner goes": Edit(
        "How many dogs are there?", "2", "A man with his two dogs.",
        "irrelevant", "A man with his dogs."),
    "one way is no number of signs": Edit(
        "How many signs are there?", "1", "A one way sign by a road.",
        "different", None),
    "and takes its noun along": Edit(
        "Is there a fork in the image?", "yes", "A person eats with a knife and fork.",
        "irrelevant", "A person eats with a knife."),
    "an item of a list drops out of it": Edit(
        "Is there a couch in the image?", "yes", "A room with a chair, couch and table.",
        "irrelevant", "A room with a chair and table."),
    "the last phrase falls off": Edit(
        "Is there a building in the image?", "yes", "Some cars are parked in front of a building.",
        "irrelevant", "Some cars are parked."),
    "a person in general is a person": Edit(
        "Is there a person in the image?", "yes", "A person rides a horse.",
        "irrelevant", None),
    "nothing is made up of people's colors": Edit(
        "What color is the man?", "black", "A black man runs.",
        "different", None),
}  # fmt: skip


@pytest.fixture(scope="module")
def texts() -> list[ReadText]:
    with READINGS.open(newline="") as file:
        return [
            ReadText(
                *row["id"].split(":"),
                row["family"],
                row["state"],
                row["question"],
                row["gold_answer"],
                row["caption"],
                row["text"],
                row["text_supported_target"],
                VERDICTS[row["is_right"]] is True,
                row["reason"],
            )
            for row in csv.DictReader(file)
        ]


@pytest.fixture(scope="module")
def edited(
    texts: list[ReadText], tmp_path_factory: pytest.TempPathFactory
) -> dict[tuple[str, str], tuple[object, object]]:
    """What the rules make of captions that were asked for here, by base and state."""
    asked = [
        (int(text.base_id.removeprefix("vqa-")), text.question, text.gold_answer, text.caption)
        for text in texts if text.source == "captions"
    ] + [
        (FIRST_QUESTION_OF_CASES + number, edit.question, edit.gold_answer, edit.caption)
        for number, edit in enumerate(EDITS.values())
    ]  # fmt: skip
    folder = tmp_path_factory.mktemp("refined_texts")
    _write_corpus(folder / "corpus", asked)
    warehouse = Warehouse(folder)
    warehouse.gainsay("land", folder / "corpus")
    warehouse.build("--select", "+conflict_suite_refined__chosen_edits")
    return _by_text(warehouse)


def _by_text(warehouse: Warehouse) -> dict[tuple[str, str], tuple[object, object]]:
    return {
        (str(base_id), str(state)): (text, target)
        for base_id, state, text, target in warehouse.rows(TEXTS)
    }


def _write_corpus(folder: Path, asked: list[tuple[int, str, str, str]]) -> None:
    """The official files of questions whose pictures have one caption each."""
    folder.mkdir()
    questions, annotations, images, captions = [], [], [], []
    for image, (question_id, question, answer, caption) in enumerate(asked, 1):
        questions.append({"image_id": image, "question": question, "question_id": question_id})
        annotations.append({
            "image_id": image, "question_id": question_id, "question_type": "none of the above",
            "answer_type": "other", "multiple_choice_answer": answer,
            "answers": [
                {"answer": answer, "answer_confidence": "yes", "answer_id": number}
                for number in range(1, 11)
            ],
        })  # fmt: skip
        images.append({
            "id": image, "file_name": f"COCO_val2014_{image:012}.jpg", "width": 640,
            "height": 480, "license": 1,
        })  # fmt: skip
        captions.append({"id": image, "image_id": image, "caption": caption})
    vqa = {"info": {}, "license": {}, "data_type": "mscoco", "data_subtype": "val2014"}
    for name, content in {
        "v2_OpenEnded_mscoco_val2014_questions": vqa
        | {"task_type": "Open-Ended", "questions": questions},
        "v2_mscoco_val2014_annotations": vqa | {"annotations": annotations},
        "captions_val2014": {
            "info": {}, "licenses": [], "images": images, "annotations": captions,
        },
    }.items():  # fmt: skip
        (folder / f"{name}.json").write_text(json.dumps(content))


def test_texts_are_right_as_often_as_they_should_be(texts: list[ReadText]) -> None:
    assert len(texts) >= 200
    assert sum(text.is_right for text in texts) / len(texts) >= GOAL


def test_every_verdict_has_a_reason_of_its_own(texts: list[ReadText]) -> None:
    reasons = [text.reason for text in texts]

    assert all(reasons)
    assert len(set(reasons)) > 0.9 * len(reasons)


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_the_real_sample_still_has_the_texts_that_were_read(
    texts: list[ReadText], real: Warehouse
) -> None:
    made = _by_text(real)

    _check(made, [text for text in texts if text.source == "sample"])


def test_real_captions_still_have_the_texts_that_were_read(
    texts: list[ReadText], edited: dict[tuple[str, str], tuple[object, object]]
) -> None:
    _check(edited, [text for text in texts if text.source == "captions"])


def _check(made: dict[tuple[str, str], tuple[object, object]], texts: list[ReadText]) -> None:
    assert texts
    assert {(text.base_id, text.state): made.get((text.base_id, text.state)) for text in texts} == {
        (text.base_id, text.state): (text.text, text.target or None) for text in texts
    }


@pytest.mark.parametrize("name", EDITS)
def test_edits_are_good_english(
    edited: dict[tuple[str, str], tuple[object, object]], name: str
) -> None:
    edit = EDITS[name]
    base_id = f"vqa-{FIRST_QUESTION_OF_CASES + list(EDITS).index(name)}"

    assert edited[base_id, edit.state][0] == edit.text
