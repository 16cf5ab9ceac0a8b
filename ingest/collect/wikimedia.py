"""Wikimedia Commons by its API: the files of a topic's category and of those below it.

A topic is walked as a category, breadth first, each category once; a topic that is no category is
asked as a search. What is sent to continue with is what came, unchanged. An answer may come in
parts, of which one holds the data of a page's file: parts are merged by page until the API says
that the batch is complete.
Source: https://www.mediawiki.org/wiki/API:Continue, https://www.mediawiki.org/wiki/API:Imageinfo.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

import msgspec
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance
from gainsay.ingest.collect.client import Client, NoAnswerError
from gainsay.ingest.collect.layouts import WIKIMEDIA_PAGES, CollectionCursor, WikimediaPage
from gainsay.ingest.collect.listing import Warehouse, json_text

HOSTS: Final = ("commons.wikimedia.org", "upload.wikimedia.org")
API: Final = "https://commons.wikimedia.org/w/api.php"
SOURCE: Final = "wikimedia"

_LARGEST_ANSWER: Final = 64 * 2**20
_CATEGORY_NAMESPACE: Final = 14
_FILE_NAMESPACE: Final = 6
# the API gives the data of some files of a batch at a time, and may skip others
_MOST_EMPTY: Final = 500
_PASSING_CODES: Final = ("maxlag", "ratelimited", "readonly", "internal_api_error_DBQueryError")
_COMMON: Final = {
    "action": "query",
    "format": "json",
    "formatversion": "2",
    "maxlag": "5",
    "prop": "imageinfo",
    "iiprop": "url|size|mime|sha1|timestamp|user|extmetadata",
    "iiextmetadatalanguage": "en",
    "iiurlwidth": "1280",
}


class _ImageInfo(Struct):
    url: str | None = None
    thumburl: str | None = None
    width: int | None = None
    height: int | None = None
    size: int | None = None
    mime: str | None = None
    sha1: str | None = None
    timestamp: str | None = None
    user: str | None = None
    descriptionurl: str | None = None
    extmetadata: msgspec.Raw = msgspec.Raw(b"null")


class Page(Struct):
    """A page of an answer."""

    pageid: int | None = None
    ns: int | None = None
    title: str = ""
    imageinfo: list[_ImageInfo] = []
    missing: Any = None


class _Query(Struct):
    # a list in formatversion 2, an object by page ids in formatversion 1
    pages: list[Page] | dict[str, Page] = []


class _ApiError(Struct):
    code: str
    info: str = ""


class Part(Struct):
    """One answer of the API."""

    query: _Query = msgspec.field(default_factory=_Query)
    further: dict[str, Any] | None = msgspec.field(default=None, name="continue")
    batchcomplete: Any = None
    error: _ApiError | None = None

    @property
    def pages(self) -> Iterable[Page]:
        pages = self.query.pages
        return pages.values() if isinstance(pages, dict) else pages

    @property
    def is_batch_complete(self) -> bool:
        # formatversion 1 says it with an empty text
        return self.further is None or self.batchcomplete in (True, "")


class Walk(Struct):
    """Where a topic's walk stands: categories to visit with their depth, and those seen."""

    queue: list[tuple[str, int]]
    seen: list[str]
    further: dict[str, Any] | None = None
    is_search: bool = False


@dataclass(frozen=True)
class Topic:
    """What to look for, and how many files to list."""

    name: str
    limit: int

    @property
    def category(self) -> str:
        return f"Category:{self.name[:1].upper()}{self.name[1:]}"


def merged(pages: Iterable[Page]) -> list[Page]:
    """The pages of several parts, each once: a page has its file's data where some part has it."""
    found: dict[int, Page] = {}
    for page in pages:
        if page.pageid is None:
            continue
        former = found.get(page.pageid)
        if former is None or (page.imageinfo and not former.imageinfo):
            found[page.pageid] = page
    return list(found.values())


def as_record(page: Page, topic: str, cursor: str) -> WikimediaPage:
    """A page as a row of `raw.wikimedia_pages`."""
    info = page.imageinfo[0] if page.imageinfo else _ImageInfo()
    return WikimediaPage(
        pageid=page.pageid or 0,
        title=page.title,
        url=info.url,
        thumburl=info.thumburl,
        width=info.width,
        height=info.height,
        size=info.size,
        mime=info.mime,
        sha1=info.sha1,
        timestamp=info.timestamp,
        user_name=info.user,
        descriptionurl=info.descriptionurl,
        extmetadata=info.extmetadata,
        query=topic,
        cursor=cursor,
    )


def decode_part(body: bytes) -> Part:
    """An answer of the API. Raises `GainsayError` for a body of another shape."""
    try:
        return msgspec.json.decode(body, type=Part)
    except (msgspec.DecodeError, RecursionError) as error:
        raise GainsayError(
            f"Wikimedia Commons answered something else than its API does: {error}; try again, or"
            " check --base-url"
        ) from error


def list_topic(
    client: Client, warehouse: Warehouse, topic: Topic, max_depth: int, advance: Advance
) -> CollectionCursor:
    """List files of a topic from where its walk stands until its limit; returns where it ends.

    Raises `GainsayError` when the API refuses or stays silent; what was listed is kept.
    """
    former = warehouse.cursor(SOURCE, topic.name)
    n_listed = former.n_listed if former else 0
    walk = _resumed(former, topic)
    state = former or _cursor(topic, walk, 0)
    while walk.queue and n_listed < topic.limit:
        for batch in _batches(client, topic, walk, max_depth):
            n_listed += len(batch)
            state = _cursor(topic, walk, n_listed)
            warehouse.write(WIKIMEDIA_PAGES, batch, state)
            advance(len(batch))
            if n_listed >= topic.limit:
                break
    return state


def _resumed(former: CollectionCursor | None, topic: Topic) -> Walk:
    if former is None or not former.cursor:
        return Walk(queue=[(topic.category, 0)], seen=[topic.category])
    return msgspec.json.decode(former.cursor, type=Walk)


def _cursor(topic: Topic, walk: Walk, n_listed: int) -> CollectionCursor:
    return CollectionCursor(
        source=SOURCE,
        query=topic.name,
        n_listed=n_listed,
        is_complete=not walk.queue,
        cursor=json_text(walk),
    )


def _batches(
    client: Client, topic: Topic, walk: Walk, max_depth: int
) -> Iterator[list[WikimediaPage]]:
    """The batches of the category at the head of the queue; `walk` stands behind each."""
    place, depth = walk.queue[0]
    further = walk.further
    is_first = further is None
    parts = _Parts(client, _parameters(place, walk), further)
    while True:
        sent = json_text({"search" if walk.is_search else "category": place, "continue": further})
        pages, further = parts.batch()
        if is_first and depth == 0 and not walk.is_search and _is_no_category(pages):
            walk.queue[0] = (topic.name, 0)
            walk.is_search = True
            walk.further = None
            return
        is_first = False
        if depth < max_depth:
            for page in pages:
                if page.ns == _CATEGORY_NAMESPACE and page.title not in walk.seen:
                    walk.seen.append(page.title)
                    walk.queue.append((page.title, depth + 1))
        walk.further = further
        if further is None:
            walk.queue.pop(0)
        yield [as_record(page, topic.name, sent) for page in pages if page.ns == _FILE_NAMESPACE]
        if further is None:
            return


def _is_no_category(pages: list[Page]) -> bool:
    """A category that does not exist has no members, or one page that is said to be missing."""
    return all(page.missing is not None for page in pages)


class _Parts:
    """The parts of a listing, each of which says what to send to get the next one."""

    def __init__(
        self, client: Client, parameters: Mapping[str, str], further: dict[str, Any] | None
    ) -> None:
        self._client = client
        self._parameters = parameters
        self._further = further
        self._sent = {json_text(further)}
        self._n_empty = 0

    def batch(self) -> tuple[list[Page], dict[str, Any] | None]:
        """The pages of the parts of one batch, and what to send for the next; None at the end.

        Raises `GainsayError` for a listing that would go on for ever: one that comes back to where
        it was, and one that brings no page for too long.
        """
        pages: list[Page] = []
        while True:
            part = _ask(self._client, {**self._parameters, **(self._further or {})})
            found = list(part.pages)
            pages += found
            self._further = part.further
            self._n_empty = 0 if found else self._n_empty + 1
            text = json_text(part.further)
            if part.further is not None and (text in self._sent or self._n_empty > _MOST_EMPTY):
                raise GainsayError(
                    f"Wikimedia Commons: the listing does not end: {text[:200]} came"
                    f" {'again' if text in self._sent else 'after many parts without a page'};"
                    " what was listed is kept"
                )
            self._sent.add(text)
            if part.is_batch_complete:
                return _with_missing(pages), part.further


def _with_missing(pages: list[Page]) -> list[Page]:
    return [*merged(pages), *(page for page in pages if page.pageid is None)]


def _parameters(place: str, walk: Walk) -> dict[str, str]:
    if walk.is_search:
        return _COMMON | {
            "generator": "search",
            "gsrnamespace": str(_FILE_NAMESPACE),
            "gsrsearch": f"filetype:bitmap {place}",
            "gsrlimit": "500",
        }
    return _COMMON | {
        "generator": "categorymembers",
        "gcmtitle": place,
        "gcmtype": "file|subcat",
        "gcmlimit": "500",
    }


def _ask(client: Client, parameters: Mapping[str, object]) -> Part:
    try:
        answer = client.get(API, parameters, most_bytes=_LARGEST_ANSWER, check=_passing_error)
    except NoAnswerError as error:
        raise GainsayError(
            f"Wikimedia Commons: {error}; what was listed is kept: run the same command again to go"
            " on from there"
        ) from error
    part = decode_part(answer.body)
    if part.error:
        raise GainsayError(f"Wikimedia Commons refused: {part.error.code}: {part.error.info}")
    return part


def _passing_error(body: bytes) -> str | None:
    """Errors come with status 200; those of a busy server pass."""
    try:
        error = msgspec.json.decode(body, type=Part).error
    except (msgspec.DecodeError, RecursionError):
        return None
    return f"{error.code}: {error.info}" if error and error.code in _PASSING_CODES else None
