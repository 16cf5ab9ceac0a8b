"""Texts from outside as text: nothing invisible, nothing that turns or hides what stands beside it.

Escaping for HTML is the template's; here is what HTML would leave as it is.
"""

import re
import unicodedata
from typing import Any, Final

MOST_CHARACTERS: Final = 400
# stands in front of texts that run from the right
RIGHT_TO_LEFT: Final = "\u200f"

# C0 without tab and newline, DEL and C1, directional marks and overrides, separators that break
# lines, the byte order mark and interlinear marks; joiners stay, because words of Hindi have them
_HIDDEN: Final = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000e0000-\U000e007f]"
)
_PICTURES_OF_CONTROLS: Final = 0x2400


def visible(text: str, most_characters: int = MOST_CHARACTERS) -> str:
    """A text of which a reader sees every character, cut where it is long, saying how much is cut.

    Control characters become their pictures, such as ␀; marks that change the direction of what
    follows become their code points. A right-to-left mark in front of a text of a script that runs
    from the right stays, because it says how the whole is read (`dir="auto"`), as an Arabic option
    that begins with an English name.
    """
    mark = RIGHT_TO_LEFT if text.startswith(RIGHT_TO_LEFT) and _has_right_to_left(text) else ""
    cut = mark + _HIDDEN.sub(_shown, text[len(mark) : most_characters])
    left = len(text) - most_characters
    return f"{cut}… ({left:,} more characters)" if left > 0 else cut


def visible_whole(value: Any) -> Any:
    """What a template puts out, uncut (Jinja's `finalize`); markup is made of visible texts."""
    if isinstance(value, str) and not hasattr(value, "__html__"):
        return visible(value, len(value))
    return value


def _has_right_to_left(text: str) -> bool:
    """Whether a letter of the text runs from the right; the mark itself is none."""
    return any(
        character != RIGHT_TO_LEFT and unicodedata.bidirectional(character) in ("R", "AL")
        for character in text
    )


def _shown(hidden: re.Match[str]) -> str:
    code = ord(hidden[0])
    return chr(_PICTURES_OF_CONTROLS + code) if code < 0x20 else f"[U+{code:04X}]"
