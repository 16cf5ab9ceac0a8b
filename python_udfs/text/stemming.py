"""Stems of English words."""

from collections.abc import Callable
from functools import cache

import pyarrow as pa


def porter_stem(words: pa.Array) -> pa.Array:
    """The Porter stem of each word, in lower case; null for null.

    Shapes: texts of one word each to texts. Errors: none, any text has a stem. Source: M. F.
    Porter, "An algorithm for suffix stripping", Program 14(3), 1980, in the variant that
    NLTK's `PorterStemmer` gives by default (its extensions of the algorithm included).
    """
    stem = _stemmer()
    return pa.array(
        [None if word is None else stem(word) for word in words.to_pylist()], words.type
    )


@cache
def _stemmer() -> Callable[[str], str]:
    # the import reads the whole of NLTK, and only matching needs it
    from nltk.stem.porter import PorterStemmer

    stem: Callable[[str], str] = PorterStemmer().stem
    return stem
