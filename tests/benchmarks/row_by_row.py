"""Matching and bootstrap as a straightforward Python program does them, answer by answer."""

import json
import random
import re
import sys
from pathlib import Path
from statistics import fmean, pstdev

from nltk.stem.porter import PorterStemmer

_NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
_RULES = {str(number): word for number, word in enumerate(_NUMBERS)} | {
    "wooden": "wood",
    "golden": "gold",
    "sandy": "sand",
    "brightly": "bright",
}


def normalized(text: str, stemmer: PorterStemmer) -> str:
    """Stems of the words that are no articles."""
    words = [word for word in re.findall(r"\w+", text.lower()) if word not in ("a", "an", "the")]
    return " ".join(stemmer.stem(_RULES.get(word, word)) for word in words)


def found(answer: str, prediction: str) -> bool:
    """Whether the answer stands in the prediction at word boundaries."""
    return bool(answer) and re.search(rf"\b{re.escape(answer)}\b", prediction) is not None


def main(samples_file: Path, answers_file: Path, n_answers: int) -> None:
    """Print the share and the deviation of every flag."""
    samples = {s["image_id"]: s for s in json.loads(samples_file.read_text())["samples"]}
    stemmer = PorterStemmer()
    flags: list[list[bool]] = []
    with answers_file.open() as file:
        for line in file:
            record = json.loads(line)
            answers = samples[record["image_id"]]["answers"]
            prediction = normalized(record["prediction"], stemmer)
            row = [
                found("conflict", prediction) or found("contradict", prediction),
                found(normalized(answers["image_only"], stemmer), prediction),
                found(normalized(answers["text_only"], stemmer), prediction),
            ]
            flags.append([*row, not any(row)])
            if len(flags) == n_answers:
                break
    draw = random.Random(7)
    scores: list[list[float]] = []
    for _ in range(1_000):
        resample = draw.choices(flags, k=len(flags))
        scores.append([fmean(column) for column in zip(*resample, strict=True)])
    for column, values in zip(zip(*flags, strict=True), zip(*scores, strict=True), strict=True):
        print(f"{fmean(column):.4f} {pstdev(values):.4f}")


main(Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]))
