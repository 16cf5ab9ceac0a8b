"""Stems of English words."""

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

import pyarrow as pa

_VOWELS = frozenset("aeiou")
# what the steps would not see as one word, or as another one than it is
_IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "inning": "inning", "innings": "inning", "outing": "outing", "outings": "outing",
    "canning": "canning", "cannings": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip


class _Rule(NamedTuple):
    """A suffix, what takes its place, and what has to be true of the word without it."""

    suffix: str
    replacement: str
    condition: Callable[[str], bool]


def porter_stem(words: pa.Array) -> pa.Array:
    """The Porter stem of each word, in lower case; null for null.

    Shapes: texts of one word each to texts. Errors: none, any text has a stem. Source: M. F.
    Porter, "An algorithm for suffix stripping", Program 14(3), 1980, in the variant that
    NLTK's `PorterStemmer` gives by default (its extensions of the algorithm included). It is
    written here because the import of NLTK takes longer than most scores.
    """
    return pa.array(
        [None if word is None else _stem(word) for word in words.to_pylist()], words.type
    )


def _stem(word: str) -> str:
    stem = word.lower()
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    if len(word) <= 2:
        return stem
    for step in (_without_plural, _without_ending, _with_i, _shortened):
        stem = step(stem)
    stem = _by_first_rule(stem, _FURTHER)
    stem = _by_first_rule(stem, _LAST)
    stem = _without_e(stem)
    return stem[:-1] if stem.endswith("ll") and _measure(stem[:-1]) > 1 else stem


def _without_plural(word: str) -> str:
    """Step 1a; of a short word "ie" stays, for which Porter has "i" (ties, tie)."""
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_ending(word: str) -> str:
    """Step 1b: eed, ed and ing; of a short word "ie" stays (died, die)."""
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and _has_vowel(stem):
            return _mended(stem)
    return word


def _mended(stem: str) -> str:
    """What is left of a word after ed or ing, as the end of a word (hopp, hop; fil, file)."""
    if stem.endswith(("at", "bl", "iz")):
        return f"{stem}e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _is_consonant(stem)[-1]:
        return stem if stem[-1] in "lsz" else stem[:-1]
    return f"{stem}e" if _measure(stem) == 1 and _is_short(stem) else stem


def _with_i(word: str) -> str:
    """Step 1c: y after a consonant that begins no word (happy, happi; but say and by)."""
    is_changed = word.endswith("y") and len(word) > 2 and _is_consonant(word[:-1])[-1]
    return f"{word[:-1]}i" if is_changed else word


def _shortened(word: str) -> str:
    """Step 2, which goes on with "al" where a word ends with "alli"."""
    if word.endswith("alli") and _measure(word[:-4]):
        return _shortened(word[:-2])
    return _by_first_rule(word, _DOUBLE)


def _without_e(word: str) -> str:
    """Step 5a."""
    stem = word.removesuffix("e")
    if stem == word:
        return word
    measure = _measure(stem)
    return stem if measure > 1 or (measure == 1 and not _is_short(stem)) else word


def _by_first_rule(word: str, rules: Sequence[_Rule]) -> str:
    """The word by the first rule whose suffix it has, whether or not its condition holds."""
    for suffix, replacement, condition in rules:
        if word.endswith(suffix):
            stem = word[: -len(suffix)]
            return stem + replacement if condition(stem) else word
    return word


def _is_consonant(word: str) -> list[bool]:
    """Of each letter whether it is a consonant; y is one at the start and after a vowel."""
    found: list[bool] = []
    for letter in word:
        is_vowel = letter in _VOWELS or (letter == "y" and bool(found) and found[-1])
        found.append(not is_vowel)
    return found


def _measure(stem: str) -> int:
    """How many consonants follow a vowel: Porter's m."""
    found = _is_consonant(stem)
    return sum(after and not before for before, after in pairwise(found))


def _has_vowel(stem: str) -> bool:
    return not all(_is_consonant(stem))


def _is_short(stem: str) -> bool:
    """Whether a stem ends with consonant, vowel, consonant but w, x and y, or is such a pair."""
    found = _is_consonant(stem)
    if len(stem) == 2:
        return found == [False, True]
    return found[-3:] == [True, False, True] and stem[-1] not in "wxy"


def _has_measure(stem: str) -> bool:
    return _measure(stem) > 0


def _is_long(stem: str) -> bool:
    return _measure(stem) > 1


_DOUBLE = (
    *(
        _Rule(suffix, replacement, _has_measure)
        for suffix, replacement in (
            ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"),
            ("izer", "ize"), ("bli", "ble"), ("alli", "al"), ("entli", "ent"), ("eli", "e"),
            ("ousli", "ous"), ("ization", "ize"), ("ation", "ate"), ("ator", "ate"),
            ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
            ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("fulli", "ful"),
        )
    ),
    # the "l" counts as part of the stem
    _Rule("logi", "log", lambda stem: _has_measure(f"{stem}l")),
)  # fmt: skip
_FURTHER = [
    _Rule(suffix, replacement, _has_measure)
    for suffix, replacement in (
        ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"),
        ("ful", ""), ("ness", ""),
    )
]  # fmt: skip
_LAST = [
    _Rule(suffix, "", _is_long)
    for suffix in (
        "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent",
    )
] + [
    _Rule("ion", "", lambda stem: _is_long(stem) and stem[-1] in "st"),
    *(_Rule(suffix, "", _is_long) for suffix in ("ou", "ism", "ate", "iti", "ous", "ive", "ize")),
]  # fmt: skip
