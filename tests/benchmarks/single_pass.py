"""Base construction as a straightforward Python program does it: json.load, dicts, re.

Written from the specification, independently of the SQL, so that it also checks it.
"""

import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

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
_FAMILIES = {
    "existence": ("boolean", "either"),
    "count": ("integer", "both"),
    "attribute_color": ("color", "vision_required"),
}
_REASONS = {
    "annotation": "missing_annotation",
    "family": "family_filtered",
    "normalization": "answer_normalization_failed",
    "caption": "missing_caption",
    "consistency": "consistency_filter_failed",
}
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


def subject_of(question: str) -> set[str]:
    """The tokens of what an existence question asks for."""
    return {word for word in tokens(question) if len(word) > 2} - _SUBJECT_STOP_WORDS


def supports(family: str, gold: str, question: str, caption: str) -> bool:
    """Whether a caption agrees with the gold answer."""
    words = tokens(caption)
    if family == "attribute_color":
        return gold in words
    if family == "count":
        return gold in {str(int(word)) if word.isdigit() else _NUMBERS.get(word) for word in words}
    subject = subject_of(question)
    return bool(subject) and (gold == "yes") == bool(subject & set(words))


def main(folder: Path, out: Path) -> None:
    """Write the columns of the screening to `out`, one JSON object for each question."""
    captions: dict[int, dict[int, str]] = defaultdict(dict)
    image_files: dict[int, str] = {}
    taken: set[int] = set()
    for split in ("train", "val"):
        content = json.load((folder / f"captions_{split}2014.json").open())
        image_files |= {image["id"]: image["file_name"] for image in content["images"]}
        for record in content["annotations"]:
            if record["id"] not in taken:
                captions[record["image_id"]][record["id"]] = record["caption"]
            taken.add(record["id"])

    asked: set[int] = set()
    with out.open("w") as lines:
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
                image_id = record["image_id"]
                seen = captions.get(image_id, {}) if image_id in image_files else {}
                screened = screen(record, answers.get(record["question_id"]), seen)
                stage = screened["drop_stage"]
                screened |= {
                    "image_file": image_files.get(
                        image_id, f"COCO_{split}2014_{image_id:012d}.jpg"
                    ),
                    "source_split": split,
                    "drop_reason": stage and _REASONS[stage],
                    "is_retained": stage is None,
                }
                lines.write(json.dumps(screened) + "\n")


def screen(record: dict[str, Any], answer: str | None, seen: dict[int, str]) -> dict[str, Any]:
    """What became of a question, with the evidence."""
    question = str(record["question"])
    screened: dict[str, Any] = {
        "base_id": f"vqa-{record['question_id']}",
        "question_id": record["question_id"],
        "image_id": record["image_id"],
        "source_image_id": f"coco-{record['image_id']}",
        "question": question,
        "multiple_choice_answer": answer,
        "family": None,
        "answer_type": None,
        "evidence_modality": None,
        "gold_answer": None,
        "caption_id": None,
        "caption": None,
        "evidence_words": [],
        "drop_stage": None,
    }
    if answer is None:
        return screened | {"drop_stage": "annotation"}
    family = family_of(normalized(question))
    if family is None:
        return screened | {"drop_stage": "family"}
    screened["family"] = family
    screened["answer_type"], screened["evidence_modality"] = _FAMILIES[family]
    gold = gold_answer_of(family, normalized(answer))
    if gold is None:
        return screened | {"drop_stage": "normalization"}
    screened["gold_answer"] = gold
    screened["evidence_words"] = sorted(subject_of(question)) if family == "existence" else [gold]
    if not seen:
        return screened | {"drop_stage": "caption"}
    for caption_id, caption in sorted(seen.items()):
        if supports(family, gold, question, caption):
            return screened | {"caption_id": caption_id, "caption": caption}
    return screened | {"drop_stage": "consistency"}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
