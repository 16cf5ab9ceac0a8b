"""VQA accuracy answer by answer, from the rule's description, independently of the SQL."""

import csv
import re

from tests.python.conftest import PROJECT

_SIGNS = ';/[]"{}()=+\\_-><@`,?!'
_DIGITS = {
    word: str(number)
    for number, words in enumerate(
        ["zero none", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
    )
    for word in words.split()
}
with (PROJECT / "seeds/evaluation/evaluation_vocabulary.csv").open() as file:
    _CONTRACTIONS = {
        row["word"]: row["value"]
        for row in csv.DictReader(file)
        if row["list_name"] == "vqa_contractions"
    }


def line_of(answer: str) -> str:
    """The answer in one line."""
    return answer.replace("\n", " ").replace("\t", " ").strip()


def processed(answer: str) -> str:
    """The answer as it is compared where the annotators disagree."""
    has_comma_in_number = re.search(r"\d,\d", answer) is not None
    signless = answer
    for sign in _SIGNS:
        beside_space = f"{sign} " in answer or f" {sign}" in answer
        signless = signless.replace(sign, "" if beside_space or has_comma_in_number else " ")
    words = re.sub(r"\.(?!\d)", "", signless).lower().split()
    numbers = [_DIGITS.get(word, word) for word in words]
    return " ".join(
        _CONTRACTIONS.get(word, word) for word in numbers if word not in ("a", "an", "the")
    )


def accuracy(prediction: str, human_answers: list[str]) -> float:
    """Mean over the annotators of min(agreeing others / 3, 1)."""
    said = line_of(prediction)
    answers = [line_of(answer) for answer in human_answers]
    if len(set(answers)) > 1:
        said, answers = processed(said), [processed(answer) for answer in answers]
    shares = []
    for left_out in range(len(answers)):
        others = answers[:left_out] + answers[left_out + 1 :]
        shares.append(min(others.count(said) / 3, 1))
    return sum(shares) / len(shares)
