"""Base construction as a straightforward Python program does it: json.load, dicts, re.

Written from the specification, independently of the SQL, so that its counts also check it.
"""

import json
import re
import sys
from collections import Counter, defaultdict
from pathlib import Path

_COLORS = {
    "red",
    "blue",
    "green",
    "yellow",
    "black",
    "white",
    "brown",
    "gray",
    "orange",
    "pink",
    "purple",
}
_NUMBERS = {
    word: str(value)
    for value, word in enumerate(
        [
            "zero",
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
        ]
    )
}
_BOOLEANS = {"yes": "yes", "y": "yes", "true": "yes", "no": "no", "n": "no", "false": "no"}
_SUBJECT_STOP_WORDS = {
    "is",
    "are",
    "there",
    "a",
    "an",
    "the",
    "how",
    "many",
    "what",
    "color",
    "of",
    "in",
    "on",
    "at",
}


def normalized(text: str) -> str:
    """Lower case, white space collapsed and trimmed."""
    return " ".join(text.lower().split())


def tokens(text: str) -> list[str]:
    """Runs of letters and digits in lower case."""
    return re.findall("[a-z0-9]+", text.lower())


def family_of(question: str) -> str | None:
    """The family that a normalised question opens."""
    if re.match(r"(is|are)(?![a-z0-9_])", question):
        return "existence"
    if question.startswith("how many "):
        return "count"
    if question.startswith("what color "):
        return "attribute_color"
    return None


def gold_answer_of(family: str, answer: str) -> str | None:
    """The gold answer of a normalised answer, if it has one."""
    if family == "existence":
        return _BOOLEANS.get(answer)
    if family == "count":
        return str(int(answer)) if re.fullmatch("[0-9]+", answer) else _NUMBERS.get(answer)
    return answer if answer in _COLORS else None


def supports(family: str, gold: str, question: str, caption: str) -> bool:
    """Whether a caption agrees with the gold answer."""
    words = tokens(caption)
    if family == "attribute_color":
        return gold in words
    if family == "count":
        return gold in {str(int(word)) if word.isdigit() else _NUMBERS.get(word) for word in words}
    subject = {w for w in tokens(question) if len(w) > 2} - _SUBJECT_STOP_WORDS
    return bool(subject) and (gold == "yes") == bool(subject & set(words))


def main(folder: Path) -> None:
    """Print how many questions end at each stage, retained ones by family, as JSON."""
    captions: dict[int, dict[int, str]] = defaultdict(dict)
    known_images: set[int] = set()
    taken: set[int] = set()
    for split in ("train", "val"):
        content = json.load((folder / f"captions_{split}2014.json").open())
        known_images |= {image["id"] for image in content["images"]}
        for record in content["annotations"]:
            if isinstance(record.get("id"), int) and isinstance(record.get("caption"), str):
                if record["id"] not in taken:
                    captions[record["image_id"]][record["id"]] = record["caption"]
                taken.add(record["id"])

    ends: Counter[str] = Counter()
    asked: set[int] = set()
    for split in ("train", "val"):
        content = json.load((folder / f"v2_mscoco_{split}2014_annotations.json").open())
        answers = {
            record["question_id"]: record["multiple_choice_answer"]
            for record in content["annotations"]
        }
        content = json.load((folder / f"v2_OpenEnded_mscoco_{split}2014_questions.json").open())
        for record in content["questions"]:
            if record["question_id"] in asked:
                continue
            asked.add(record["question_id"])
            ends[_end_of(record, answers, captions, known_images)] += 1
    print(json.dumps(ends))


def _end_of(
    record: dict[str, object],
    answers: dict[object, str],
    captions: dict[int, dict[int, str]],
    known_images: set[int],
) -> str:
    if record["question_id"] not in answers:
        return "annotation"
    question = str(record["question"])
    family = family_of(normalized(question))
    if family is None:
        return "family"
    gold = gold_answer_of(family, normalized(answers[record["question_id"]]))
    if gold is None:
        return "normalization"
    image_id = int(str(record["image_id"]))
    seen = captions.get(image_id) if image_id in known_images else None
    if not seen:
        return "caption"
    ordered = (caption for _, caption in sorted(seen.items()))
    if any(supports(family, gold, question, caption) for caption in ordered):
        return f"retained/{family}"
    return "consistency"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
