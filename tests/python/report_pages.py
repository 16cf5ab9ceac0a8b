"""Reading a report as a person would: its tables, queries, cards and pictures, off the HTML."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "link", "input", "br", "hr", "img", "wbr"}


@dataclass
class Element:
    """An element of the page and what is in it."""

    tag: str
    attributes: dict[str, str | None] = field(default_factory=dict)
    children: list["Element | str"] = field(default_factory=list)

    def get(self, name: str) -> str:
        return self.attributes.get(name) or ""

    def all(self, tag: str, name: str = "") -> list["Element"]:
        """The elements below this one of a tag, and of a class if one is given."""
        found = []
        for child in self.children:
            if isinstance(child, Element):
                if child.tag == tag and (not name or name in child.get("class").split()):
                    found.append(child)
                found += child.all(tag, name)
        return found

    @property
    def text(self) -> str:
        return "".join(
            child.text if isinstance(child, Element) else child for child in self.children
        )


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.page = Element("page")
        self._open = [self.page]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        element = Element(tag, dict(attrs))
        self._open[-1].children.append(element)
        if tag not in _VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._open[-1].children.append(Element(tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop().tag == tag

    def handle_data(self, data: str) -> None:
        self._open[-1].children.append(data)


def read_page(page: bytes) -> Element:
    """The elements of a page; every one that is opened is closed."""
    reader = _Reader()
    reader.feed(page.decode())
    reader.close()
    assert len(reader._open) == 1
    return reader.page


def by_id(page: Element, name: str) -> Element:
    """The one element of an id."""
    [found] = [element for element in _everything(page) if element.get("id") == name]
    return found


def _everything(element: Element) -> list[Element]:
    below = [child for child in element.children if isinstance(child, Element)]
    return below + [deeper for child in below for deeper in _everything(child)]


def ids(page: Element) -> list[str]:
    """All ids of a page."""
    return [element.get("id") for element in _everything(page) if element.get("id")]


def everything(page: Element) -> list[Element]:
    """All elements of a page."""
    return _everything(page)
