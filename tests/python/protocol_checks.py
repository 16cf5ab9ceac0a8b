"""The checks that VLM Reality Check's source protocol makes of a finished folder.

Gates 1.1 to 5.3 and the smoke test as far as they read files, with their counts scaled. Nothing of
gainsay is asked: whatever is wrong with the folder must show here, too.
"""

import csv
import json
import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

Json = dict[str, Any]

BIASES = {
    "texture", "counting", "spatial_relations", "physical_plausibility", "temporal_reasoning",
    "spurious_correlation", "compositional_binding", "text_in_image", "scale_invariance",
}  # fmt: skip
LANGUAGES = ("en", "es", "zh", "hi", "ar")
FILES = (
    "data/raw/manifest.jsonl",
    "data/processed/annotations.jsonl",
    "data/challenges/challenges.jsonl",
    "data/challenges/challenges_multilingual.jsonl",
    "data/validation/human_validation_sample.csv",
)
RECORD_KEYS = {"image_id", "url", "local_path", "source", "metadata", "license"}
ANNOTATION_KEYS = {"image_id", "detections", "depth", "shadow", "ocr", "texture", "temporal"}
CHALLENGE_KEYS = (
    "challenge_id", "bias_type", "difficulty", "image_a_id", "image_b_id", "correct_answer",
    "ground_truth_method", "confound_check_passed",
)  # fmt: skip
LEVELS = {"easy": (0.25, 0.35), "medium": (0.45, 0.55), "hard": (0.15, 0.25)}
# first and last letter of each script
SCRIPTS = {
    "en": "Az", "es": "Az", "zh": "\u4e00\u9fff", "hi": "\u0900\u097f", "ar": "\u0600\u06ff",
}  # fmt: skip


def failed_checks(folder: Path, scale: float, n_images: int) -> list[str]:
    """What is wrong with a folder, a line each; nothing where it passes.

    `scale` is that of the counts of challenges, `n_images` the number of images aimed at.
    """
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        return [f"smoke: files missing: {', '.join(missing)}"]
    challenges = _lines(folder / FILES[2])
    multilingual = _lines(folder / FILES[3])
    return [
        *_of_configuration(folder / "configs"),
        *_of_images(folder, _lines(folder / FILES[0]), _lines(folder / FILES[1]), n_images),
        *_of_challenges(challenges, scale),
        *_of_questions(challenges, multilingual, scale),
        *_of_sample(folder / FILES[4], multilingual),
    ]


def _lines(path: Path) -> list[Json]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def _of_configuration(folder: Path) -> Iterator[str]:
    biases = yaml.safe_load((folder / "biases.yaml").read_text())
    if set(biases) != BIASES:
        yield f"1.1: biases are {sorted(biases)}"
    for name, bias in biases.items():
        if abs(sum(bias["difficulty_split"].values()) - 1) >= 0.01:
            yield f"1.1: shares of {name}"
        if not bias.get("ground_truth_method") or not bias.get("target_challenge_count"):
            yield f"1.1: {name} lacks method or target"
    if not 85_000 <= sum(bias["target_challenge_count"] for bias in biases.values()) <= 95_000:
        yield "1.1: sum of targets"
    pipeline = yaml.safe_load((folder / "pipeline.yaml").read_text())
    wanted = {
        "target_dataset_size": 130_000, "compound_challenge_count": 40_000, "random_seed": 42,
        "languages": list(LANGUAGES),
    }  # fmt: skip
    for key, value in wanted.items():
        if pipeline.get(key) != value:
            yield f"1.2: {key} is {pipeline.get(key)}"
    for key in ("image_sources", "difficulty_distribution"):
        if not pipeline.get(key):
            yield f"1.2: {key} is not set"


def _of_images(
    folder: Path, records: list[Json], annotations: list[Json], n_images: int
) -> Iterator[str]:
    if not all(record.keys() >= RECORD_KEYS for record in records):
        yield "2.1: a record of the manifest lacks a field"
    ids = [record["image_id"] for record in records]
    if len(ids) != len(set(ids)):
        yield "2.3: an image stands in the manifest twice"
    absent = [record for record in records if not (folder / str(record["local_path"])).is_file()]
    if absent:
        yield f"2.1: no picture at {absent[0]['local_path']}"
    if len(records) < 0.8 * n_images:
        yield f"smoke: {len(records)} images"
    if sorted(ids) != sorted(line["image_id"] for line in annotations):
        yield "3.3: images and annotations differ"
    if not all(line.keys() >= ANNOTATION_KEYS for line in annotations):
        yield "3.3: a line of annotations lacks a key"
    for line in annotations:
        for found in line["detections"]["detections"]:
            if None in (found["label"], found["bbox"], found["confidence"]):
                yield f"3.2: an object of {line['image_id']} lacks a field"
            elif not (found["confidence"] > 0.7 and 0 < found["area_fraction"] <= 1):
                yield f"3.2: confidence or area of an object of {line['image_id']}"


def _of_challenges(challenges: list[Json], scale: float) -> Iterator[str]:
    if len(challenges) < 125_000 * scale:
        yield f"4.3: {len(challenges)} challenges"
    compounds = [each for each in challenges if each["bias_type"] == "compound"]
    single = [each for each in challenges if each["bias_type"] != "compound"]
    if len(compounds) < 35_000 * scale:
        yield f"4.3: {len(compounds)} compounds"
    largest = max(Counter(each["bias_type"] for each in single).values(), default=0)
    if largest > 0.15 * len(single):
        yield f"4.3: the largest bias has {largest} of {len(single)}"
    levels = Counter(each["difficulty"] for each in single)
    for level, (least, most) in LEVELS.items():
        if single and not least <= levels[level] / len(single) <= most:
            yield f"4.3: share of {level}: {levels[level]} of {len(single)}"
    if {each["difficulty"] for each in compounds} - {"hard"}:
        yield "4.3: a compound that is not hard"
    for each in challenges:
        lacking = [key for key in CHALLENGE_KEYS if each.get(key) is None]
        if lacking:
            yield f"smoke: {each['challenge_id']} lacks {', '.join(lacking)}"
        if each["confound_check_passed"] is not True:
            yield f"smoke: {each['challenge_id']} may differ in several factors"
        if each["correct_answer"] in each["distractor_answers"]:
            yield f"smoke: {each['challenge_id']} has a right answer among the wrong ones"


def _of_questions(challenges: list[Json], multilingual: list[Json], scale: float) -> Iterator[str]:
    if len(multilingual) < 125_000 * scale:
        yield f"5.3: {len(multilingual)} records"
    ids = [each["challenge_id"] for each in multilingual]
    if sorted(ids) != sorted(each["challenge_id"] for each in challenges):
        yield "5.3: challenges and questions differ"
    for each in multilingual:
        name, questions = each["challenge_id"], each["questions"] or {}
        for language in LANGUAGES:
            text = questions.get(language)
            if not text or len(text) < 5:
                yield f"5.3: {name} has no question in {language}"
            elif re.search(r"\[ *SLOT|\{", text, re.IGNORECASE):
                yield f"5.1: {name} has a slot left in {language}"
            elif not _share_of_script(text, language):
                yield f"5.2: {name} has no letter of {language}"
            if not each["answers"][language]:
                yield f"5.3: {name} has no answer in {language}"
        if len(set(questions.values())) < len(LANGUAGES):
            yield f"5.2: {name} has one text in two languages"


def _share_of_script(text: str, language: str) -> bool:
    first, last = SCRIPTS[language][0], SCRIPTS[language][1]
    return any(first <= sign <= last for sign in text if unicodedata.category(sign)[0] == "L")


def _of_sample(path: Path, multilingual: list[Json]) -> Iterator[str]:
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    read: dict[str, int] = defaultdict(int)
    questions = {each["challenge_id"]: each["questions"] for each in multilingual}
    for row in rows:
        read[row["language"]] += 1
        known = questions.get(row["challenge_id"], {})
        if (row["en_question"], row["translated_question"]) != (
            known.get("en"), known.get(row["language"]),
        ):  # fmt: skip
            yield f"sample: {row['challenge_id']} in {row['language']} is another text"
        if row["is_fluent"] or row["is_accurate"] or row["notes"]:
            yield f"sample: {row['challenge_id']} is filled in"
    for language in LANGUAGES:
        if read[language] != min(100, len(multilingual)):
            yield f"sample: {read[language]} questions in {language}"
