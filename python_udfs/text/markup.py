"""Plain text of HTML fragments."""

import re
from html.parser import HTMLParser
from typing import Final

import pyarrow as pa

# a tag of these stands between words; others, such as <b>, may stand within one
_BREAKS: Final = frozenset(
    ("br", "p", "div", "li", "ul", "ol", "tr", "td", "th", "table", "hr", "dd", "dt")
)
_UNREAD: Final = frozenset(("script", "style", "template"))


def plain_text(fragments: pa.Array) -> pa.Array:
    """The text of HTML fragments: no tags, no comments, entities resolved, one space between words.

    Shapes: texts to texts; null for null and for what holds no text. Errors: none, markup that is
    broken is read as browsers read it.
    """
    return pa.array(
        [None if html is None else _text_of(html) for html in fragments.to_pylist()],
        fragments.type,
    )


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts: list[str] = []
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._unread += tag in _UNREAD
        self._break_at(tag)

    def handle_endtag(self, tag: str) -> None:
        self._unread = max(0, self._unread - (tag in _UNREAD))
        self._break_at(tag)

    def handle_data(self, data: str) -> None:
        if not self._unread:
            self.parts.append(data)

    def _break_at(self, tag: str) -> None:
        if tag in _BREAKS:
            self.parts.append(" ")


def _text_of(html: str) -> str | None:
    reader = _Reader()
    try:
        reader.feed(html)
        reader.close()
    except (AssertionError, ValueError):
        # the parser gives up on some declarations; what it has read until then stands
        pass
    return re.sub(r"\s+", " ", "".join(reader.parts)).strip() or None
