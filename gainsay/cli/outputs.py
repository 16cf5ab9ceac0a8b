"""Standard output and error as commands have them: always there, and nobody's to steer.

What is shown comes from files, servers and people. A terminal would take some of it for orders: to
rename its window, to go up and write over what stands there. There such characters are shown, not
sent; into a file or a pipe goes every text as it is. A character that the output's encoding does
not have, as with `LANG=C`, is written as its number.
"""

import io
import os
import sys
from typing import Any, TextIO

from gainsay.report.visible_text import visible


class _Terminal:
    """A stream of a terminal to which no text gives orders."""

    def __init__(self, raw: TextIO) -> None:
        self.raw = raw

    def write(self, text: str) -> int:
        # CSV ends its lines so
        text = text.replace("\r\n", "\n")
        self.raw.write(visible(text, len(text)))
        return len(text)

    def writelines(self, lines: list[str]) -> None:
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.raw, name)


def have_outputs() -> None:
    """Let both outputs be there, have every character, and show what would steer a terminal."""
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if stream is None:
            # closed by the caller
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: PTH123, SIM115 - to the end
            continue
        if isinstance(stream, io.TextIOWrapper) and stream.errors != "backslashreplace":
            stream.reconfigure(errors="backslashreplace")
        if stream.isatty() and not isinstance(stream, _Terminal):
            setattr(sys, name, _Terminal(stream))


def raw(stream: TextIO) -> TextIO:
    """The stream itself, for who draws: its texts are made visible before."""
    return stream.raw if isinstance(stream, _Terminal) else stream
