"""Captions of a scene, as five people of varied care would write them."""

from typing import Final

from gainsay.synth import words
from gainsay.synth.dice import Dice, Table
from gainsay.synth.scenes import Group, Scene

NUMBER_WORDS: Final = (
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    "eleven", "twelve",
)  # fmt: skip

# words a caption has before its last phrase, so that its length follows COCO's
_LENGTHS: Final = Table(
    {6: 8, 7: 20, 8: 26, 9: 20, 10: 11, 11: 6, 12: 3, 13: 2, 15: 1, 17: 1, 20: 1}
)
_SENTENCES: Final = Table(
    {
        "{subject} {doing} {place}": 40,
        "{subject} {place}": 13,
        "{subject} {be} {doing} {place}": 14,
        "there {be} {subject} {place}": 5,
        "{view} of {subject} {place}": 9,
        "{subject} {beside} {other} {place}": 15,
        "{place} {be} {subject} {doing}": 2,
    }
)
_SENTENCE_WITH_SIGN: Final = "{subject} {place} with a sign that says {sign}"
_TAIL_KINDS: Final = Table({"beside": 50, "phrase": 22, "time": 9, "while": 5, "name": 14})
_VAGUE_COUNTS: Final = (
    "several", "some", "a group of", "a couple of", "many", "a few", "a bunch of",
)  # fmt: skip
_CLOTHES: Final = ("shirt", "jacket", "shirt", "hat", "dress", "coat", "uniform", "suit")
# how a finished sentence is written down
_MANNERS: Final = Table(
    {
        "{Text}.": 600,
        "{Text}": 170,
        "{Text}. ": 66,
        "{Text} ": 44,
        "{text}.": 45,
        "{text} ": 45,
        "{First}  {rest}.": 12,
        "{Text}.\n": 3,
        "{TEXT}.": 6,
        "{Text} near a café \N{SMILING FACE WITH SUNGLASSES}": 2,
    }
)
_COLOUR_CHANCE: Final = 0.31
_EXACT_COUNT_CHANCE: Final = 0.57
_WRONG_CHANCE: Final = 0.03
_SLIP_CHANCE: Final = 0.04
_SIGN_CHANCE: Final = 0.15


def write_caption(dice: Dice, scene: Scene) -> str:
    """One caption: 5 to about 25 tokens, mostly true to the scene."""
    if dice.chance(0.004):
        return dice.pick(words.VAGUE)
    text = _sentence(dice, scene)
    length = dice.weighted(_LENGTHS)
    while text.count(" ") + 1 < length:
        text = f"{text} {_tail(dice, scene)}"
    if dice.chance(_SLIP_CHANCE):
        text = _with_slip(dice, text)
    return _in_manner(dice, text)


def _sentence(dice: Dice, scene: Scene) -> str:
    groups = scene.groups
    main = groups[0] if len(groups) == 1 or dice.chance(0.8) else dice.pick(groups[1:])
    sentence = dice.weighted(_SENTENCES)
    if scene.sign is not None and dice.chance(_SIGN_CHANCE):
        sentence = _SENTENCE_WITH_SIGN
    return sentence.format(
        subject=_group_phrase(dice, main),
        be="is" if main.count == 1 else "are",
        doing=dice.pick(main.kind.doings),
        place=dice.pick(scene.setting.places),
        view=_with_article(dice.zipf(words.VIEWS, 4)),
        beside=dice.pick(words.BESIDE),
        other=_other_phrase(dice, scene, main),
        sign=scene.sign,
    )


def _tail(dice: Dice, scene: Scene) -> str:
    """A phrase that lengthens a caption."""
    kind = dice.weighted(_TAIL_KINDS)
    if kind == "beside":
        return f"{dice.pick(words.BESIDE)} {_thing_phrase(dice, scene)}"
    if kind == "time":
        return dice.pick(words.TIMES)
    if kind == "while":
        near = dice.pick(("near", "on", "with"))
        return f"while {dice.zipf(words.ACTIVITIES)} {near} {_thing_phrase(dice, scene)}"
    if kind == "name":
        name = dice.zipf(words.NAMES, 1000)
        return dice.pick(
            (f"in {name}", f"outside {name} station", f"on {name} street", f"at {name}")
        )
    return dice.pick(words.TAILS)


def _group_phrase(dice: Dice, group: Group) -> str:
    colour = group.colour
    if dice.chance(_WRONG_CHANCE):
        colour = dice.pick(group.kind.colours)
    if colour == "gray" and dice.chance(0.5):
        colour = "grey"
    before = []
    if dice.chance(0.24):
        before.append(dice.zipf(words.ADJECTIVES, 8))
    # the colour of a person is that of the clothes: "a man in green", not "a green man"
    is_coloured = dice.chance(_COLOUR_CHANCE)
    if is_coloured and group.kind.name != "person":
        before.append(colour)
    after = ""
    if is_coloured and group.kind.name == "person":
        after = f" in {_with_article(f'{colour} {dice.pick(_CLOTHES)}')}"
    if group.count == 1:
        return _with_article(" ".join((*before, group.singular))) + after
    number = _count_phrase(dice, group.count)
    return " ".join((number, *before, group.plural)) + after


def _count_phrase(dice: Dice, count: int) -> str:
    if not dice.chance(_EXACT_COUNT_CHANCE):
        return dice.pick(_VAGUE_COUNTS)
    if dice.chance(_WRONG_CHANCE):
        count += 1
    return str(count) if dice.chance(0.12) else NUMBER_WORDS[count]


def _other_phrase(dice: Dice, scene: Scene, main: Group) -> str:
    others = [group for group in scene.groups if group is not main]
    if others and dice.chance(0.6):
        return _group_phrase(dice, dice.pick(others))
    return _thing_phrase(dice, scene)


def _thing_phrase(dice: Dice, scene: Scene) -> str:
    """Something that is spoken of and not drawn."""
    roll = dice.unit()
    noun = dice.pick(scene.setting.words) if roll < 0.4 else dice.zipf(words.NOUNS, 80)
    if roll > 0.94:
        noun = f"{dice.zipf(words.NAMES, 1000)} {noun}"
    elif dice.chance(0.4):
        noun = f"{dice.zipf(words.ADJECTIVES, 8)} {noun}"
    roll = dice.unit()
    if roll < 0.2:
        return f"the {noun}"
    if roll < 0.25:
        return f"his {noun}" if roll < 0.23 else f"her {noun}"
    if roll < 0.28:
        return f"some {noun}"
    return _with_article(noun)


def _with_article(noun: str) -> str:
    return f"an {noun}" if noun[0] in "aeiouAEIO" else f"a {noun}"


def _with_slip(dice: Dice, text: str) -> str:
    """A slip of the finger in one word: two letters swapped, or one left out."""
    written = text.split(" ")
    chosen = dice.below(len(written))
    word = written[chosen]
    if len(word) > 4:
        at = 1 + dice.below(len(word) - 2)
        swapped = word[at + 1] + word[at] if dice.chance(0.5) else word[at + 1]
        written[chosen] = word[:at] + swapped + word[at + 2 :]
    return " ".join(written)


def _in_manner(dice: Dice, text: str) -> str:
    begun = text[0].upper() + text[1:]
    first, _, rest = begun.partition(" ")
    return dice.weighted(_MANNERS).format(
        Text=begun, text=text.lower(), TEXT=text.upper(), First=first, rest=rest
    )
