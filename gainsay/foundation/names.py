"""What benchmarks are called, and what people call models, runs and readers: one rule for all.

Two names that look alike would be two rows of a board, or two readers, that nobody tells apart.
"""

import re
import unicodedata
from collections.abc import Collection
from typing import Final

from gainsay.foundation.errors import GainsayError

LONGEST_NAME: Final = 200
# letters and marks that show nothing, though Unicode counts them as printable
_UNSEEN: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u2800\u3164\ufe00-\ufe0f\uffa0]"
)
# names that are not their words with capitals; of question sets as their papers write them
_NAMES: Final = {
    "amber": "AMBER",
    "certainly_uncertain": "CertainlyUncertain",
    "clash": "CLASH",
    "gqa": "GQA",
    "mmhal": "MMHal-Bench",
    "okvqa": "OK-VQA",
    "pope": "POPE",
    "reality_check": "VLM Reality Check",
    "tdiuc": "TDIUC",
    "unk_vqa": "UNK-VQA",
    "vizwiz": "VizWiz",
    "vqa": "VQA v2.0",
}


def likeness(name: str) -> str:
    """What is alike in all spellings of a name: "Ann", "ann" and full-width letters."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    return " ".join(_UNSEEN.sub("", plain).split())


def kept_name(text: str, longest: int = LONGEST_NAME, reserved: Collection[str] = ()) -> str | None:
    """A name as it is kept, composed and without blanks around it; None where it will not do."""
    name = " ".join(unicodedata.normalize("NFC", text).split())
    is_fit = len(name) <= longest and name.isprintable() and likeness(name)
    return name if is_fit and likeness(name) not in reserved else None


def given_name(text: str, what: str, reserved: Collection[str] = ()) -> str:
    """The name of a `what`, as it is kept. Raises `GainsayError` where it will not do.

    `reserved` are names, in small letters, of what gainsay adds itself.
    """
    name = kept_name(text, reserved=reserved)
    if name is None:
        taken = f", and is not: {', '.join(sorted(reserved))}" if reserved else ""
        raise GainsayError(
            f"{what} {text[:LONGEST_NAME]!r}: a name has 1 to {LONGEST_NAME} letters, nothing"
            f" invisible{taken}; give the {what} another name"
        )
    return name


def title(name: str) -> str:
    """A benchmark's name as the docs write it, or that of a screening in words."""
    return _NAMES.get(name, name.replace("_", " ").title())
