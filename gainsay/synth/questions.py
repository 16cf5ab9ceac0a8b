"""Questions about a scene, in the mix of families that VQA v2.0 has."""

from collections.abc import Callable
from typing import Final, NamedTuple

from gainsay.synth import words
from gainsay.synth.captions import NUMBER_WORDS
from gainsay.synth.categories import COLOURS
from gainsay.synth.dice import Dice, Table
from gainsay.synth.scenes import Group, Scene


class Asked(NamedTuple):
    """A question, the answer most annotators give, and what the others may say.

    `is_told` is whether the picture answers it, for a question that some pictures leave open.
    """

    question: str
    gold: str
    others: tuple[str, ...] = ()
    is_told: bool | None = None


# Shares of VQA v2.0 and of its screening by the Conflict Suite, per 1,000 questions.
FAMILIES: Final = Table(
    {
        "existence": 356,
        "count": 104,
        "colour": 71,
        "what": 290,
        "where": 35,
        "why": 14,
        "does": 38,
        "number": 26,
        "near miss": 66,
    }
)

_PALETTE: Final = tuple(COLOURS)
_COLOUR_WORDS: Final = Table(
    {
        "white": 21, "red": 12, "black": 12, "blue": 11, "green": 9, "brown": 8, "yellow": 7,
        "gray": 5, "pink": 3, "orange": 3, "purple": 2,
    }
)  # fmt: skip
_COLOURS_OUTSIDE: Final = Table(
    {
        "silver": 9, "black and white": 8, "tan": 6, "red and white": 5, "beige": 3, "blonde": 3,
        "gold": 2, "grey": 3, "clear": 2, "light blue": 2, "white and black": 2, "rainbow": 1,
        "dark brown": 1, "multicolored": 1, "navy": 1, "": 1,
    }
)  # fmt: skip
_NUMBERS: Final = Table(
    {
        "1": 250, "2": 247, "3": 131, "0": 93, "4": 76, "5": 46, "6": 29, "8": 19, "7": 18,
        "10": 16, "9": 9, "12": 9, "11": 7, "20": 6, "13": 4, "15": 4, "30": 3, "14": 3, "100": 3,
        "25": 3, "two": 2, "three": 1, "twelve": 1, "007": 1, "98": 1, "99": 1, "200": 1,
    }
)  # fmt: skip
_NUMBERS_OUTSIDE: Final = Table(
    {"many": 50, "lot": 10, "lots": 6, "thirteen": 3, "10+": 5, "3.5": 2, "20-30": 3, "none": 5,
     "over 20": 3, "²": 1, "dozen": 2}
)  # fmt: skip
_YES: Final = Table({"yes": 1980, "y": 3, "Yes ": 5, "true": 3, "TRUE": 1, "Yes": 8})
_NO: Final = Table({"no": 1985, "n": 3, "No ": 4, "false": 3, "NO": 5})
_NEITHER: Final = Table(
    {"unknown": 20, "nope": 4, "maybe": 10, "yeah": 4, "both": 10, "neither": 8, "not sure": 6}
)

_STATES: Final = (
    "daytime", "sunny", "raining", "night", "cold", "warm", "windy", "crowded", "winter", "dark",
    "cloudy", "safe", "foggy", "hot", "snowing", "late", "summer", "quiet", "expensive", "real",
)  # fmt: skip
_QUALITIES: Final = (
    "old", "happy", "tired", "new", "clean", "tall", "hungry", "dirty", "broken", "empty", "full",
    "wet", "asleep", "awake", "healthy", "friendly", "moving", "alone", "heavy", "healthy",
    "professional", "popular", "modern", "famous", "organized", "dangerous", "comfortable",
)  # fmt: skip
_PRONOUNS: Final = ("he", "she", "it", "they", "this", "that")
_COUNT_ENDINGS: Final = (
    "are there", "are in the picture", "are visible", "can you see", "are shown", "do you see",
    "are in the photo", "are there in this image", "are pictured",
)  # fmt: skip
_ALTERNATIVES: Final = (
    "day or night", "male or female", "real or fake", "hot or cold", "open or closed",
    "indoors or outdoors", "on or off", "up or down", "young or old", "left or right",
)  # fmt: skip
_PLACE_ANSWERS: Final = (
    "street", "table", "beach", "grass", "ground", "kitchen", "park", "left", "right", "water",
    "sidewalk", "city", "zoo", "road", "home", "office", "background", "middle", "wall", "sky",
)  # fmt: skip
_ANSWERS_ABOUT: Final = {
    "sport": ("tennis", "baseball", "skateboarding", "surfing", "soccer", "frisbee", "none"),
    "room": ("kitchen", "bathroom", "bedroom", "living room", "office"),
    "time of day": ("afternoon", "morning", "noon", "evening", "night", "daytime"),
    "made of": ("wood", "metal", "plastic", "glass", "leather", "fur", "brick", "concrete"),
}
_REASONS: Final = (
    "safety", "for fun", "raining", "to sit", "it's cold", "balance", "sun", "to eat", "hungry",
    "playing", "for decoration", "so people can see it", "tired", "resting", "shade",
)  # fmt: skip


def ask(dice: Dice, scene: Scene) -> Asked:
    """One question about the scene."""
    return _ASK[dice.weighted(FAMILIES)](dice, scene)


def _existence(dice: Dice, scene: Scene) -> Asked:
    roll = dice.unit()
    if roll < 0.054:
        return _existence_without_yes_or_no(dice, scene)
    if roll < 0.53:
        question, gold = _affirmed(dice, scene), dice.weighted(_YES)
    else:
        question, gold = _denied(dice, scene), dice.weighted(_NO)
    if dice.chance(0.004):
        question = dice.pick((question.upper(), f" {question}", question.replace(" ", "  ", 1)))
    return Asked(question, gold)


def _affirmed(dice: Dice, scene: Scene) -> str:
    """A question that is answered with yes; four in ten speak of what captions speak of."""
    if dice.chance(0.39):
        group = _main_or_other(dice, scene)
        if group.count > 1:
            return dice.pick(
                (
                    f"Are there any {group.plural} in the picture?",
                    f"Are the {group.plural} {dice.pick(group.kind.doings)}?",
                    f"Are these {group.plural}?",
                )
            )
        return dice.pick(
            (
                f"Is there a {group.singular} in this picture?",
                f"Is the {group.singular} {dice.pick(group.kind.doings)}?",
                f"Is this a {group.singular}?",
                f"Is that a {group.colour} {group.singular}?",
            )
        )
    return _vague_existence(dice)


def _denied(dice: Dice, scene: Scene) -> str:
    roll = dice.unit()
    if roll < 0.4:
        noun = dice.zipf(words.NOUNS, 100)
        return f"Is there a {noun} in the {dice.pick(scene.setting.words)}?"
    if roll < 0.5:
        group = _main_or_other(dice, scene)
        return f"Is the {group.singular} {dice.pick(_QUALITIES)}?"
    return _vague_existence(dice)


def _vague_existence(dice: Dice) -> str:
    roll = dice.unit()
    if roll < 0.25:
        return f"Is it {dice.pick(_STATES)}?"
    if roll < 0.45:
        return f"Is {dice.pick(_PRONOUNS)} {dice.pick(_QUALITIES)}?"
    if roll < 0.62:
        return f"Are {dice.pick(('they', 'these', 'those'))} {dice.zipf(words.ADJECTIVES, 200)}?"
    if roll < 0.8:
        return f"Is this {article(dice.zipf(words.ADJECTIVES, 200))} photo?"
    return f"Are there any {dice.zipf(words.NOUNS, 300)}s visible?"


def _existence_without_yes_or_no(dice: Dice, scene: Scene) -> Asked:
    if dice.chance(0.25):
        return Asked(_vague_existence(dice), dice.weighted(_NEITHER))
    noun = _main_or_other(dice, scene).singular
    alternatives = dice.pick(_ALTERNATIVES)
    first, _, second = alternatives.partition(" or ")
    gold, other = (first, second) if dice.chance(0.5) else (second, first)
    return Asked(f"Is the {noun} {alternatives}?", gold, (other, "both", "neither"))


def _count(dice: Dice, scene: Scene) -> Asked:
    if dice.chance(0.02):
        noun = dice.zipf(words.PLURALS)
        return Asked(f"How many {noun} are there?", dice.weighted(_NUMBERS_OUTSIDE))
    if dice.chance(0.5):
        group = _main_or_other(dice, scene)
        noun, gold = group.plural, str(group.count)
        if dice.chance(0.02):
            gold = NUMBER_WORDS[group.count]
    else:
        noun, gold = dice.zipf(words.PLURALS), dice.weighted(_NUMBERS)
    start = "How many" if dice.chance(0.997) else dice.pick(("how many", "HOW MANY", "How  many"))
    return Asked(f"{start} {noun} {dice.pick(_COUNT_ENDINGS)}?", gold)


def _colour(dice: Dice, scene: Scene) -> Asked:
    if dice.chance(0.17):
        gold = dice.weighted(_COLOURS_OUTSIDE)
        noun = dice.zipf(words.NOUNS)
    elif dice.chance(0.62):
        group = _main_or_other(dice, scene)
        noun, gold = group.singular, group.colour
    else:
        noun, gold = dice.zipf(words.NOUNS), dice.weighted(_COLOUR_WORDS)
    if dice.chance(0.3):
        noun = f"{noun}'s {dice.pick(('hat', 'shirt', 'collar', 'wheel', 'top', 'shade', 'side'))}"
    verb = "is the" if dice.chance(0.85) else "are the"
    return Asked(f"What color {verb} {noun}?", gold, (dice.pick(_PALETTE), "tan", "light blue"))


def _what(dice: Dice, scene: Scene) -> Asked:
    group = _main_or_other(dice, scene)
    noun = group.singular
    thing, other = dice.zipf(words.NOUNS), dice.zipf(words.NOUNS)
    question = dice.pick(
        (
            f"What is the {noun} doing?",
            f"What is on the {dice.pick(scene.setting.words)}?",
            f"What is in the {dice.pick(scene.setting.words)}?",
            f"What kind of {noun} is this?",
            f"What type of {thing} is that?",
            f"What is next to the {noun}?",
            f"What brand is the {noun}?",
            f"What are the {group.plural} near?",
            "What is this?",
            "What room is this?",
            "What sport is being played?",
            f"What animal is behind the {thing}?",
            f"What is the {noun} made of?",
            f"Which {noun} is closest?",
            f"Who is near the {noun}?",
            "What time of day is it?",
            f"What does the {noun} say?",
        )
    )
    if "doing" in question:
        return Asked(question, dice.pick(group.kind.doings), (dice.zipf(words.ACTIVITIES), other))
    for topic, answers in _ANSWERS_ABOUT.items():
        if topic in question:
            return Asked(question, dice.pick(answers), (dice.pick(answers), other))
    if "brand" in question:
        return Asked(question, dice.zipf(words.NAMES).lower(), (thing, other))
    if "say" in question and scene.sign is not None:
        return Asked(question, scene.sign.lower(), (thing, other), is_told=True)
    if "say" in question:
        return Asked(question, thing, (other, dice.zipf(words.NOUNS)), is_told=False)
    return Asked(question, thing, (other, dice.zipf(words.NOUNS)))


def _where(dice: Dice, scene: Scene) -> Asked:
    group = _main_or_other(dice, scene)
    question = dice.pick((f"Where is the {group.singular}?", f"Where are the {group.plural}?"))
    return Asked(question, dice.pick(_PLACE_ANSWERS), (dice.pick(_PLACE_ANSWERS), "outside"))


def _why(dice: Dice, scene: Scene) -> Asked:
    group = _main_or_other(dice, scene)
    question = f"Why is the {group.singular} {dice.pick(group.kind.doings)}?"
    return Asked(question, dice.pick(_REASONS), (dice.pick(_REASONS), dice.pick(_REASONS)))


def _does(dice: Dice, scene: Scene) -> Asked:
    noun = _main_or_other(dice, scene).singular
    question = dice.pick(
        (
            f"Does the {noun} look {dice.pick(_QUALITIES)}?",
            f"Can you see the {dice.zipf(words.NOUNS)}?",
            f"Do you think the {noun} is {dice.pick(_QUALITIES)}?",
            f"Has the {noun} been {dice.pick(('used', 'cleaned', 'moved', 'seen', 'fed'))}?",
            f"Was this {noun} {dice.pick(('bought', 'painted', 'found', 'made'))} recently?",
            f"Could the {noun} fall?",
            f"Isn't this a {noun}?",
        )
    )
    return Asked(question, "yes" if dice.chance(0.5) else "no")


def _number(dice: Dice, scene: Scene) -> Asked:
    noun = _main_or_other(dice, scene).singular
    if dice.chance(0.3):
        hours, minutes = 1 + dice.below(12), 5 * dice.below(12)
        return Asked("What time does the clock say?", f"{hours}:{minutes:02d}")
    question = dice.pick(
        (
            f"What number is on the {noun}?",
            f"How much does the {noun} cost?",
            f"How tall is the {noun}?",
            f"How old is the {noun}?",
        )
    )
    if question.startswith("What"):
        return Asked(question, str(1 + dice.below(99)))
    unit = dice.pick(("feet", "years", "dollars", "hours"))
    return Asked(question, f"{1 + dice.below(20)} {unit}")


def _near_miss(dice: Dice, scene: Scene) -> Asked:
    """Questions that almost belong to a family, and other rare openings."""
    group = _main_or_other(dice, scene)
    question = dice.pick(
        (
            f"What colour is the {group.singular}?",
            f"What colors are the {group.plural}?",
            f"What is the color of the {group.singular}?",
            f"How much food is next to the {group.singular}?",
            f"On which side is the {group.singular}?",
            f"In what direction does the {group.singular} look?",
            f"Name the thing near the {group.singular}?",
            f"The {group.singular} is near what?",
            f"Which {group.singular} is {group.colour}?",
        )
    )
    if "colo" in question:
        return Asked(question, group.colour, (dice.pick(_PALETTE), "silver"))
    return Asked(question, dice.pick(_PLACE_ANSWERS), (dice.zipf(words.NOUNS), "unknown"))


def _main_or_other(dice: Dice, scene: Scene) -> Group:
    return scene.groups[0] if dice.chance(0.6) else dice.pick(scene.groups)


def article(noun: str) -> str:
    """A noun with its indefinite article, by its first letter."""
    return f"an {noun}" if noun[0] in "aeiou" else f"a {noun}"


_ASK: Final[dict[str, Callable[[Dice, Scene], Asked]]] = {
    "existence": _existence,
    "count": _count,
    "colour": _colour,
    "what": _what,
    "where": _where,
    "why": _why,
    "does": _does,
    "number": _number,
    "near miss": _near_miss,
}
