"""Scripts of texts: whether a translation is in the one of its language, and how it is set."""

import re
import unicodedata
from typing import Any

import pyarrow as pa

# first and last code points; Latin is the basic one, in which accented letters are not
_RANGES = {
    "latin": ((0x41, 0x5A), (0x61, 0x7A)),
    "han": ((0x4E00, 0x9FFF),),
    "devanagari": ((0x0900, 0x097F),),
    "arabic": ((0x0600, 0x06FF),),
}
_SLOT = re.compile(r"\{[^{}]*\}")
_ANSWER_LETTER = re.compile(r"(?<![A-Za-z\u00c0-\u024f])[A-D](?![A-Za-z\u00c0-\u024f])")
_SPACE_BETWEEN_HAN = re.compile(r"(?<=[\u4e00-\u9fff]) +(?=[\u4e00-\u9fff])")
_RIGHT_TO_LEFT_MARK = "\u200f"


def script_share(texts: pa.Array, scripts: pa.Array) -> pa.Array:
    """The share of each text's letters that are of the script: latin, han, devanagari or arabic.

    Shapes: texts and names of scripts to shares from 0 to 1; null for null and for a script of
    another name. Slots in braces and the answer letters A to D don't count, vowel signs do; a text
    without letters has a share of 0. Errors: none. Source: the blocks of Unicode.
    """
    rows = zip(texts.to_pylist(), scripts.to_pylist(), strict=True)
    return pa.array([_share(*row) for row in rows], pa.float64())


def tidy_translation(texts: pa.Array, languages: pa.Array) -> pa.Array:
    """Each text as its language sets it, by the code of the language; null for null.

    Shapes: texts and codes to texts. Arabic (`ar`) gets one right-to-left mark in front, so that a
    text that begins with a Latin name still runs from the right; Chinese (`zh`) loses spaces
    between two of its characters. Others stay as they are. Errors: none.
    """
    rows = zip(texts.to_pylist(), languages.to_pylist(), strict=True)
    return pa.array([_tidy(*row) for row in rows], pa.string())


def _share(text: Any, script: Any) -> float | None:
    if text is None or script not in _RANGES:
        return None
    kept = _ANSWER_LETTER.sub(" ", _SLOT.sub(" ", text))
    letters = [ord(sign) for sign in kept if unicodedata.category(sign)[0] in "LM"]
    ranges = _RANGES[script]
    n_of_script = sum(any(first <= sign <= last for first, last in ranges) for sign in letters)
    return n_of_script / len(letters) if letters else 0.0


def _tidy(text: Any, language: Any) -> str | None:
    if text is None:
        return None
    if language == "ar":
        return _RIGHT_TO_LEFT_MARK + str(text).lstrip(f"{_RIGHT_TO_LEFT_MARK} ")
    if language == "zh":
        return _SPACE_BETWEEN_HAN.sub("", text)
    return str(text)
