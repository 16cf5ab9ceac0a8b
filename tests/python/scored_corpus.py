"""The synthetic corpus and small question sets of others, with answers, scored as users do it."""

import json
from pathlib import Path
from typing import Any

from tests.python.conftest import Warehouse, once

# per set its files by their authors' names, each record as they write it
_TENNIS = [{"answer": "tennis"}] * 8 + [{"answer": "squash"}] * 2


def _pope(question_id: int, text: str, label: str) -> dict[str, Any]:
    image = "COCO_val2014_000000000042.jpg"
    return {"question_id": question_id, "image": image, "text": text, "label": label}


QUESTION_SETS: dict[str, dict[str, Any]] = {
    "pope": {
        "coco_pope_random.json": [
            _pope(1, "Is there a cat in the image?", "yes"),
            _pope(2, "Is there a dog in the image?", "no"),
            _pope(3, "Is there a bus in the image?", "no"),
            _pope(4, "Is there a car in the image?", "yes"),
            _pope(5, "Is there a bed in the image?", "?"),
        ],
        "aokvqa_pope_seem_popular.json": [_pope(1, "Is there a cat in the image?", "yes")],
        "coco_pope_adversarial.json": [
            _pope(1, "Is there a cup in the image?", "no"),
            _pope(2, "Is there a fork in the image?", "no"),
        ],
        "aokvqa_pope_seem_adversarial.json": [
            _pope(1, "Is there a pen in the image?", "no"),
            _pope(2, "Is there a fork in the image?", "no"),
        ],
    },
    "okvqa": {
        "OpenEnded_mscoco_val2014_questions.json": {
            "questions": [
                {"question_id": 421, "image_id": 42, "question": "What sport is this?"},
                {"question_id": 422, "image_id": 42, "question": "What else could it be?"},
            ]
        },
        "mscoco_val2014_annotations.json": {
            "annotations": [
                {"question_id": number, "image_id": 42, "question_type": "one",
                 "answer_type": "other", "answers": _TENNIS}
                for number in (421, 422)
            ]
        },
    },
    "vizwiz": {
        "val.json": [
            {"image": "VizWiz_val_1.jpg", "question": "What is this?", "answerable": 0,
             "answer_type": "unanswerable", "answers": [{"answer": "unanswerable"}] * 10},
            {"image": "VizWiz_val_2.jpg", "question": "What is this?", "answerable": 1,
             "answer_type": "other", "answers": _TENNIS},
        ]
    },
    "unk_vqa": {
        "unk_vqa.jsonl": [
            {"question_id": "a", "question": "Who is it?", "is_answerable": False},
            {"question_id": "b", "question": "When is it?", "is_answerable": False},
            {"question_id": "c", "question": "Where is it?", "is_answerable": True,
             "answers": ["here"]},
            {"question_id": "d", "question": "What is it?", "is_answerable": True,
             "answers": ["sky"]},
        ]
    },
    "mmhal": {
        "response_template.json": [
            {"question_type": kind, "question_topic": "food", "image_id": name,
             "image_src": f"https://pictures.example/7/{name}_o.jpg", "image_content": ["cup"],
             "question": "What is on the table?", "gt_answer": "A red cup.", "model_answer": ""}
            for name, kind in (("e1", "attribute"), ("e2", "holistic"))
        ]
    },
    "tdiuc": {
        "OpenEnded_mscoco_val2014_questions.json": {
            "questions": [
                {"question_id": 7, "image_id": 42, "question": "What color is the giraffe?"},
                {"question_id": 8, "image_id": 42, "question": "What color is the wall?"},
            ]
        },
        "mscoco_val2014_annotations.json": {
            "annotations": [
                {"question_id": 7, "image_id": 42, "question_type": "absurd",
                 "answers": [{"answer": "doesnotapply"}]},
                {"question_id": 8, "image_id": 42, "question_type": "color",
                 "answers": [{"answer": "white"}]},
            ]
        },
    },
}  # fmt: skip
GQA_QUESTIONS = {
    str(number): {"imageId": "n1", "question": "What color is it?", "answer": "red"}
    for number in (1, 2)
}
# answers as people have them, by benchmark and condition
ANSWERS: dict[tuple[str, str], list[dict[str, Any]]] = {
    # POPE's own files number their questions from one
    ("pope", "popular"): [{"question_id": 1, "answer": "Yes, there is."}],
    ("pope", "adversarial"): [
        {"question_id": 1, "answer": "yes", "question": "Is there a cup in the image?"},
        {"question_id": 2, "answer": "no"},
    ],
    ("pope", "random"): [
        {"question_id": "coco-random-1", "answer": "Yes, there is."},
        {"question_id": "coco-random-2", "answer": "no"},
        {"question_id": "coco-random-3", "answer": "Yes."},
        {"question_id": "pope-coco-random-4", "answer": None},
    ],
    ("okvqa", "default"): [
        {"question_id": 421, "answer": "The Tennis."},
        {"question_id": 422, "answer": "squash"},
    ],
    ("vizwiz", "default"): [
        {"image": "VizWiz_val_1.jpg", "answer": "I can't tell."},
        {"image": "VizWiz_val_2.jpg", "answer": "I can't tell."},
    ],
    ("gqa", "default"): [
        {"questionId": "1", "prediction": "Red"},
        {"questionId": "2", "prediction": "It is red."},
    ],
    ("unk_vqa", "default"): [
        {"example_id": "a", "prediction": "I don't know."},
        {"example_id": "b", "prediction": "red"},
        {"example_id": "c", "prediction": "I don't know."},
        {"example_id": "d", "prediction": "the sky", "lave_rating": 3},
    ],
    # without a judge none of them is rated, and the empty one is worth nothing
    ("mmhal", "default"): [
        {"image_id": "e1", "model_answer": "A cup."},
        {"image_id": "e2", "model_answer": ""},
    ],
    ("tdiuc", "default"): [
        {"example_id": "7", "prediction": "I don't know."},
        {"example_id": "8", "prediction": "white"},
    ],
}
# answers in POPE's own layout, which has no ids: in the order of its file, and in another one
_IN_ORDER = [
    {"question": f"Is there a {thing} in the image?", "answer": answer}
    for thing, answer in (("cat", "Yes."), ("dog", "No."), ("bus", "Yes."), ("car", "yes"))
]
LINES = {"in_order": _IN_ORDER, "reversed": _IN_ORDER[::-1]}


def scored_corpus(shared_folder: Path, synthetic: Warehouse) -> Warehouse:
    """The references' answers to the synthetic corpus, scored by one command from outside.

    Then files of answers that somebody has, in the two commands that the README names.
    """

    def make(folder: Path) -> None:
        warehouse = synthetic.copied_to(folder)
        # any but the project's
        warehouse.working_folder = folder
        _land_question_sets(warehouse)
        with warehouse.connect() as connection:
            connection.execute(f"""
                copy (
                    select question_id, multiple_choice_answer as answer, 0.75 as confidence
                    from raw.vqa_annotations where question_id % 3 > 0
                ) to '{folder}/answers.csv'
            """)
        (folder / "first.txt").write_text(_printed(warehouse, "score", "--references"))
        landing = ("land-predictions", "--benchmark", "vqa", "--model")
        warehouse.gainsay(*landing, "mine", "answers.csv")
        (folder / "lost.csv").write_text("question_id,answer\n-1,yes\n-2,no\n")
        warehouse.gainsay(*landing, "lost", "lost.csv")
        for (benchmark, condition), answers in ANSWERS.items():
            file = folder / f"{benchmark}.jsonl"
            file.write_text("\n".join(json.dumps(answer) for answer in answers))
            warehouse.gainsay(
                "land-predictions", "--benchmark", benchmark, "--condition", condition,
                "--model", "mine", file.name,
            )  # fmt: skip
        for model, answers in LINES.items():
            file = folder / f"{model}.json"
            file.write_text("\n".join(json.dumps(answer) for answer in answers))
            warehouse.gainsay(
                "land-predictions", "--benchmark", "pope", "--condition", "random",
                "--model", model, file.name,
            )  # fmt: skip
        shown = _printed(
            warehouse, "score", "--references", "--published", "--benchmark", "vqa",
            "--picture", "board.png", check=False,
        )  # fmt: skip
        (folder / "second.txt").write_text(shown)

    return Warehouse(once(shared_folder, "scored_corpus", make))


def _land_question_sets(warehouse: Warehouse) -> None:
    for question_set, files in QUESTION_SETS.items():
        for name, content in files.items():
            path = warehouse.folder / question_set / name
            path.parent.mkdir(exist_ok=True)
            is_lines = question_set in ("pope", "unk_vqa")
            records = "\n".join(map(json.dumps, content))
            path.write_text(records if is_lines else json.dumps(content))
        warehouse.gainsay("land", "--question-set", question_set, question_set)
    (warehouse.folder / "testdev_balanced_questions.json").write_text(json.dumps(GQA_QUESTIONS))
    warehouse.gainsay("land", "testdev_balanced_questions.json")


def _printed(warehouse: Warehouse, *arguments: str, check: bool = True) -> str:
    process = warehouse.gainsay(*arguments, check=check)
    # a run of which nothing is scored is an error, once the others are shown
    assert process.returncode == (0 if check else 1)
    return process.stdout + process.stderr
