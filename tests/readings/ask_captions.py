"""Questions for numbers and colours that are put to COCO's real captions, as VQA v2.0 files.

`python ask_captions.py annotations_trainval2017.zip FOLDER` writes the questions and annotations
beside which that archive can be landed. The first 600 captions of each kind are taken, in the order
of the md5 of their ids, one of an image.
"""

import hashlib
import json
import re
import sys
import zipfile
from pathlib import Path
from typing import Any

FIRST_QUESTION = 900_000_001
PER_KIND = 600
NUMBERS = ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
COLORS = [
    "red", "blue", "green", "yellow", "black", "white", "brown", "gray", "orange", "pink", "purple",
]  # fmt: skip
NO_NOUNS = {
    "and", "or", "with", "in", "on", "at", "of", "the", "a", "an", "is", "are", "shirt-sleeved",
    "colored", "that", "to", "haired", "topped", "skinned", "legged",
}  # fmt: skip
IRREGULAR_PLURALS = ("people", "men", "women", "children", "sheep")
COUNTED = re.compile(rf"\b({'|'.join(NUMBERS)}|[2-9])((?: [a-z]+)?) ([a-z]+)\b")
COLORED = re.compile(rf"\b({'|'.join(COLORS)}) ([a-z]+)(?: ([a-z]+))?\b")


def _number_question(text: str) -> tuple[str, str] | None:
    found = COUNTED.search(text)
    if not found:
        return None
    number, _, noun = found.groups()
    if number == "one" and not noun.endswith("s"):
        noun += "s"
    if not noun.endswith("s") and noun not in IRREGULAR_PLURALS:
        return None
    answer = str(NUMBERS.index(number) + 1) if number in NUMBERS else number
    return f"How many {noun} are there?", answer


def _color_question(text: str) -> tuple[str, str] | None:
    found = COLORED.search(text)
    if not found or found[2] in NO_NOUNS or found[2] in COLORS:
        return None
    verb = "are" if found[2].endswith("s") else "is"
    return f"What color {verb} the {found[2]}?", found[1]


def ask(captions: list[dict[str, Any]]) -> list[tuple[int, str, str]]:
    """Image, question and answer of what is asked of these captions."""
    asked: list[tuple[int, str, str]] = []
    for_kind: dict[str, set[int]] = {"number": set(), "color": set()}
    for caption in sorted(
        captions, key=lambda caption: hashlib.md5(str(caption["id"]).encode()).hexdigest()
    ):
        text, image = caption["caption"].lower(), caption["image_id"]
        for kind, question in (
            ("number", _number_question(text)),
            ("color", _color_question(text)),
        ):
            if question and image not in for_kind[kind] and len(for_kind[kind]) < PER_KIND:
                for_kind[kind].add(image)
                asked.append((image, *question))
    return asked


def main(archive: Path, folder: Path) -> None:
    """Write the two files."""
    with zipfile.ZipFile(archive) as files:
        [name] = [name for name in files.namelist() if name.endswith("captions_val2017.json")]
        asked = ask(json.loads(files.read(name))["annotations"])
    common = {"info": {}, "license": {}, "data_type": "mscoco", "data_subtype": "val2014"}
    questions = [
        {"image_id": image, "question": question, "question_id": FIRST_QUESTION + number}
        for number, (image, question, _) in enumerate(asked)
    ]
    annotations = [
        {
            "image_id": image,
            "question_id": FIRST_QUESTION + number,
            "question_type": "none of the above",
            "answer_type": "other",
            "multiple_choice_answer": answer,
            "answers": [
                {"answer": answer, "answer_confidence": "yes", "answer_id": annotator}
                for annotator in range(1, 11)
            ],
        }
        for number, (image, _, answer) in enumerate(asked)
    ]
    (folder / "v2_OpenEnded_mscoco_val2014_questions.json").write_text(
        json.dumps(common | {"task_type": "Open-Ended", "questions": questions})
    )
    (folder / "v2_mscoco_val2014_annotations.json").write_text(
        json.dumps(common | {"annotations": annotations})
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
