"""Ten answers to a question: agreement, aliases and noise, and what the release derives."""

from collections import Counter
from typing import Final

from gainsay.synth.dice import Dice, Table
from gainsay.synth.layout import Answer, Confidence

# The release's question types; the longest one that a question starts with is its type.
QUESTION_TYPES: Final = (
    "are", "are the", "are there", "are there any", "are these", "are they", "can you", "could",
    "do", "do you", "does the", "does this", "has", "how", "how many", "how many people are",
    "how many people are in", "is", "is he", "is it", "is that a", "is the", "is the man",
    "is the person", "is the woman", "is there", "is there a", "is this", "is this a",
    "is this an", "is this person", "was", "what", "what animal is", "what are", "what are the",
    "what brand", "what color", "what color are the", "what color is", "what color is the",
    "what does the", "what is", "what is in the", "what is on the", "what is the",
    "what is the color of the", "what is the man", "what is the name", "what is the person",
    "what is the woman", "what is this", "what kind of", "what number is", "what room is",
    "what sport is", "what time", "what type of", "where are the", "where is the", "which",
    "who is", "why", "why is the",
)  # fmt: skip
_KNOWN_TYPES: Final = frozenset(QUESTION_TYPES)
_LONGEST_TYPE: Final = max(question_type.count(" ") + 1 for question_type in QUESTION_TYPES)

# how many of ten annotators say the same, by the release's answer types
_AGREEMENT: Final = {
    "yes/no": Table({6: 10, 7: 7, 8: 10, 9: 20, 10: 53}),
    "number": Table({4: 8, 5: 9, 6: 9, 7: 9, 8: 11, 9: 17, 10: 37}),
    "other": Table({3: 8, 4: 10, 5: 12, 6: 12, 7: 12, 8: 12, 9: 15, 10: 19}),
}
_CONFIDENCES: Final[Table[Confidence]] = Table({"yes": 81, "maybe": 17, "no": 2})
_DISSENT: Final = {
    "yes": ("no", "no", "no", "maybe", "unknown", "yeah", "y"),
    "no": ("yes", "yes", "yes", "maybe", "not sure", "nope", "n"),
}
_DOUBTS: Final = ("unknown", "can't tell", "not sure", "i don't know", "unreadable", "no idea")
_UNSURE: Final[tuple[Confidence, ...]] = ("maybe", "maybe", "no")
_SHRUGS: Final = ("unknown", "can't tell", "not sure", "nothing", "i don't know", "none")
_SPELLINGS: Final = {
    "yes": ("Yes", "yes ", "YES", "yes.", "true", "y"),
    "no": ("No", " no", "NO", "nope", "false", "n"),
    "gray": ("grey", "Gray", "dark gray"),
    "2": ("two", "2 ", "02"),
    "1": ("one", "1.0", "just 1"),
    "3": ("three", "3ish", "about 3"),
}


def question_type(question: str) -> str:
    """The type that the release assigns by the question's first words."""
    tokens = question.lower().split(" ", _LONGEST_TYPE)
    for length in range(min(_LONGEST_TYPE, len(tokens)), 0, -1):
        candidate = " ".join(tokens[:length])
        if candidate in _KNOWN_TYPES:
            return candidate
    return "none of the above"


def answer_type(type_of_question: str, gold: str) -> str:
    """`yes/no`, `number` or `other`, as the release tells them apart."""
    if gold in {"yes", "no"}:
        return "yes/no"
    if gold[:1].isdigit() or type_of_question.startswith(("how many", "what number")):
        return "number"
    return "other"


def ten_answers(
    dice: Dice, gold: str, type_of_answer: str, others: tuple[str, ...] = ()
) -> tuple[Answer, ...]:
    """Ten answers whose most frequent one is `gold`; `others` are what dissenters may say."""
    agreeing = dice.weighted(_AGREEMENT[type_of_answer])
    if agreeing == 10:
        texts = [gold] * 10
    else:
        dissent = _dissent(gold, type_of_answer, others)
        # at least as many dissenting texts as it takes to leave gold in front
        texts = [gold] * agreeing
        while len(texts) < 10:
            text = dice.pick(dissent) if dice.chance(0.9) else dice.pick(_SHRUGS)
            if dice.chance(0.15):
                text = dice.pick(_SPELLINGS.get(gold, (gold.capitalize(),)))
            if text != gold and texts.count(text) < agreeing - 1:
                texts.append(text)
        texts = dice.shuffled(texts)
    return tuple(
        Answer(text, dice.weighted(_CONFIDENCES), position)
        for position, text in enumerate(texts, start=1)
    )


def agreeing_answers(dice: Dice, gold: str) -> tuple[Answer, ...]:
    """Ten answers of people to whom the picture tells it: nearly all agree, and are sure."""
    texts = [gold] * (10 if dice.chance(0.7) else 9)
    texts += [gold.split(" ", maxsplit=1)[0] + "s"] * (10 - len(texts))
    return tuple(
        Answer(text, "yes" if position <= 8 else dice.weighted(_CONFIDENCES), position)
        for position, text in enumerate(texts, start=1)
    )


def doubting_answers(dice: Dice, guesses: tuple[str, ...]) -> tuple[Answer, ...]:
    """Ten answers of people to whom the picture leaves it open: some say so, the others scatter.

    No guess is given more than twice, and few of those who guess are sure.
    """
    texts = [dice.pick(_DOUBTS) for _ in range(2 + dice.below(4))]
    pool = dice.shuffled(list(dict.fromkeys(guesses)) * 2)
    texts += pool[: 10 - len(texts)]
    while len(texts) < 10:
        texts.append(dice.pick(_DOUBTS))
    return tuple(
        Answer(text, "yes" if position % 5 == 0 else dice.pick(_UNSURE), position)
        for position, text in enumerate(dice.shuffled(texts), start=1)
    )


def most_frequent(answers: tuple[Answer, ...]) -> str:
    """The answer given most often, the first given among equals."""
    return Counter(answer.answer for answer in answers).most_common(1)[0][0]


def _dissent(gold: str, type_of_answer: str, others: tuple[str, ...]) -> tuple[str, ...]:
    if gold in _DISSENT:
        return _DISSENT[gold]
    if type_of_answer == "number" and gold.isdecimal() and len(gold) < 6:
        number = int(gold)
        return (str(number + 1), str(max(number - 1, 0)), str(number + 2), "many", "lots", "10+")
    return others or ("none", "it", "man", "left", "wood", "white", "big one", "")
