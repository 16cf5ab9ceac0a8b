"""Answers in two lines: what a model relies on, and what it answers."""

import re

from gainsay.lm.prompt_files import PicturePrompt

_MARKUP = re.compile(r"[*`#]+")
_NO_WORD = r"[\W_]*"


def split_answer(prompt: PicturePrompt, text: str | None) -> tuple[str | None, str | None]:
    """The action that a text states, and the answer.

    An action counts where exactly one of the prompt's stands behind its marker, whatever the
    case and whether its words are joined by _, - or a space. Without the marker of the answer
    the whole text is the answer; a prompt without actions has none.
    """
    if text is None or not prompt.actions or not prompt.action_marker or not prompt.answer_marker:
        return None, text
    plain = _MARKUP.sub("", text)
    before, marker, answer = _rpartition(plain, prompt.answer_marker)
    stated = {
        action
        for line in re.findall(
            rf"^\W*{re.escape(prompt.action_marker)}(.*)$", before if marker else plain,
            re.IGNORECASE | re.MULTILINE,
        )
        for action in prompt.actions
        if re.search(
            rf"\b{_NO_WORD.join(map(re.escape, action.split('_')))}\b", line, re.IGNORECASE
        )
    }  # fmt: skip
    return (stated.pop() if len(stated) == 1 else None), (answer.strip() if marker else text)


def _rpartition(text: str, marker: str) -> tuple[str, str, str]:
    """As `str.rpartition`, whatever the case, and only where the marker begins a line."""
    found = list(re.finditer(rf"^\W*{re.escape(marker)}", text, re.IGNORECASE | re.MULTILINE))
    if not found:
        return text, "", ""
    last = found[-1]
    return text[: last.start()], last.group(), text[last.end() :]
