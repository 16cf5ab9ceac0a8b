"""Stems of English words."""

from functools import lru_cache

import pyarrow as pa

_VOWELS = frozenset("aeiou")
_IRREGULAR = {
    "sky": "sky", "skies": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
    "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing",
    "cannings": "canning", "canning": "canning", "howe": "howe", "proceed": "proceed",
    "exceed": "exceed", "succeed": "succeed",
}  # fmt: skip
# of these the first that a word ends with decides, whether or not what stands before it is enough
_STEP_2 = {
    "ational": "ate", "tional": "tion", "enci": "ence", "anci": "ance", "izer": "ize",
    "bli": "ble", "alli": "al", "entli": "ent", "eli": "e", "ousli": "ous", "ization": "ize",
    "ation": "ate", "ator": "ate", "alism": "al", "iveness": "ive", "fulness": "ful",
    "ousness": "ous", "aliti": "al", "iviti": "ive", "biliti": "ble", "fulli": "ful",
    "logi": "log",
}  # fmt: skip
_STEP_3 = {
    "icate": "ic", "ative": "", "alize": "al", "iciti": "ic", "ical": "ic", "ful": "", "ness": "",
}  # fmt: skip
_STEP_4 = (
    "al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion", "ou",
    "ism", "ate", "iti", "ous", "ive", "ize",
)  # fmt: skip


def porter_stem(words: pa.Array) -> pa.Array:
    """The Porter stem of each word, in lower case; null for null.

    Shapes: texts of one word each to texts. Errors: none, any text has a stem. Source: M. F.
    Porter, "An algorithm for suffix stripping", Program 14(3), 1980, in the variant that
    NLTK's `PorterStemmer` gives by default (its extensions of the algorithm included). It is
    written here because reading NLTK takes seconds; a test holds the two together.
    """
    return pa.array(
        [None if word is None else _stem(word) for word in words.to_pylist()], words.type
    )


@lru_cache(maxsize=100_000)
def _stem(word: str) -> str:
    stem = word.lower()
    if stem in _IRREGULAR:
        return _IRREGULAR[stem]
    if len(word) <= 2:
        return stem
    stem = _without_participle(_without_plural(stem))
    if stem.endswith("y") and len(stem) > 2 and _sounds(stem)[-2] == "c":
        stem = stem[:-1] + "i"
    return _without_last_e(_step_4(_step_3(_step_2(stem))))


def _sounds(word: str) -> str:
    """`c` for each consonant and `v` for each vowel; y is one of the two, by what is before it."""
    found: list[str] = []
    for letter in word:
        is_vowel = found[-1:] == ["c"] if letter == "y" else letter in _VOWELS
        found.append("v" if is_vowel else "c")
    return "".join(found)


def _measure(stem: str) -> int:
    """How many times a vowel is followed by a consonant."""
    return _sounds(stem).count("vc")


def _is_short(stem: str) -> bool:
    """Whether it ends as `hop` does: an e may have stood behind it."""
    sounds = _sounds(stem)
    return sounds == "vc" or (sounds.endswith("cvc") and stem[-1] not in "wxy")


def _without_plural(word: str) -> str:
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") else word


def _without_participle(word: str) -> str:
    if word.endswith("ied"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for suffix in ("ed", "ing"):
        stem = word.removesuffix(suffix)
        if stem != word and "v" in _sounds(stem):
            break
    else:
        return word
    if stem.endswith(("at", "bl", "iz")):
        return stem + "e"
    if len(stem) > 1 and stem[-1] == stem[-2] and _sounds(stem)[-1] == "c":
        return stem if stem[-1] in "lsz" else stem[:-1]
    return stem + "e" if _measure(stem) == 1 and _is_short(stem) else stem


def _step_2(word: str) -> str:
    while word.endswith("alli") and _measure(word[:-4]):
        word = word[:-2]
    for suffix, replacement in _STEP_2.items():
        if word.endswith(suffix):
            # the l of `logi` counts, so that `geologi` has enough before it
            before = word[:-3] if suffix == "logi" else word.removesuffix(suffix)
            return word.removesuffix(suffix) + replacement if _measure(before) else word
    return word


def _step_3(word: str) -> str:
    for suffix, replacement in _STEP_3.items():
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            return stem + replacement if _measure(stem) else word
    return word


def _step_4(word: str) -> str:
    for suffix in _STEP_4:
        if word.endswith(suffix):
            stem = word.removesuffix(suffix)
            is_whole = suffix != "ion" or stem.endswith(("s", "t"))
            return stem if is_whole and _measure(stem) > 1 else word
    return word


def _without_last_e(word: str) -> str:
    if word.endswith("e"):
        stem = word[:-1]
        measure = _measure(stem)
        if measure > 1 or (measure == 1 and not _is_short(stem)):
            word = stem
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word
