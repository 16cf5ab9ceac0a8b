"""The report: one HTML file that opens from disk and asks nothing of a network."""

import base64
import hashlib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path
from typing import Any, Final

import duckdb
import jinja2
from markupsafe import Markup, escape

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.names import title
from gainsay.foundation.queries import query
from gainsay.inspect.freshness import changes, warning
from gainsay.project.holdings import require_built
from gainsay.report import charts
from gainsay.report.difference import SECTION, difference
from gainsay.report.sections import sections
from gainsay.report.sections.blocks import Drops, Group, Section, built_benchmarks
from gainsay.report.sections.outcome import OUTCOME
from gainsay.report.tables import Reader, query_of, read_block
from gainsay.report.thumbnails import Album, Picture, album
from gainsay.report.visible_text import visible, visible_whole

MOST_BYTES: Final = 3_000_000
# what its numbers are read from, by how names begin
_SHOWN: Final = ("audit__", "evaluation__", "report__", "review__")
_EXAMPLES_PER_REASON: Final = (12, 6, 3, 1)
_BYTES_OF_A_SHOWING: Final = 500
# bytes kept free for a picture when texts are cut; it may take less, or more
_ROOM_OF_A_PICTURE: Final = 8_000
# the most pictures of a reason once every other reason shows one
_PICTURES_PER_REASON: Final = 4
# characters of a cell from which on it shows its first lines, and all of them by a click
_LONGEST_CELL: Final = 160
_BREAK: Final = Markup("_<wbr>")
_WEB_ADDRESSES: Final = ("http://", "https://")


def report(
    connection: duckdb.DuckDBPyConnection,
    benchmarks: Sequence[str],
    renderings: str,
    other: Path | None = None,
) -> bytes:
    """The page of these benchmarks, or of all that are built, as bytes of at most 3 MB.

    `renderings` is the folder of rendered pictures. With the path of an `other` warehouse, the
    page begins with what changed since that one was built.

    Raises `GainsayError` where a benchmark is not built, and where even one example a reason is
    more text than fits.
    """
    reader = Reader(connection)
    built = built_benchmarks(reader)
    for name in benchmarks:
        if name not in built:
            require_built(name, connection)
            raise GainsayError(
                f"{name}: not in the report's tables, which have {', '.join(built) or 'none'};"
                " run `gainsay build`"
            )
    if not built:
        raise GainsayError("there is nothing to report of yet: run `gainsay build`")
    chosen = list(benchmarks) or built
    newer = warning(changes(connection, _SHOWN, benchmarks))
    first = [difference(connection, chosen, other, newer)] if other else []
    pictures = _pictures(connection, reader)
    pictures = _photographs(connection, reader, _picture_ids(first)) | pictures
    for most_cards in _EXAMPLES_PER_REASON:
        content = [*first, *sections(reader, chosen, most_cards)]
        wanted = list(dict.fromkeys(_wanted(content, pictures)))
        # every showing of a picture is some markup of its own
        n_text = len(_page(content, chosen, Album(pictures), newer))
        n_text += _BYTES_OF_A_SHOWING * sum(1 for _ in _picture_ids(content))
        room = min(len(wanted) * _ROOM_OF_A_PICTURE, MOST_BYTES // 2)
        if n_text + room > MOST_BYTES and most_cards != _EXAMPLES_PER_REASON[-1]:
            continue
        filled = album(
            pictures, wanted, _picture_ids(content), renderings, max(0, MOST_BYTES - n_text)
        )
        page = _page(content, chosen, filled, newer)
        if len(page) <= MOST_BYTES:
            return page
    raise GainsayError(
        f"the report of {', '.join(chosen)} is larger than {MOST_BYTES:,} bytes even with one"
        " example a reason; name fewer benchmarks with --benchmark"
    )


def _pictures(connection: duckdb.DuckDBPyConnection, reader: Reader) -> dict[str, Picture]:
    if not reader.has("pictures/shown"):
        return {}
    rows = query(connection, read_block("pictures/shown").sql, Picture)
    return {picture.picture_id: picture for picture in rows}


def _photographs(
    connection: duckdb.DuckDBPyConnection, reader: Reader, image_ids: Iterable[str]
) -> dict[str, Picture]:
    """Photographs that no example of the report shows."""
    wanted = sorted(set(image_ids))
    if not wanted or not reader.has("pictures/photographs"):
        return {}
    sql = query_of(read_block("pictures/photographs"), {"picture_id": wanted})
    return {picture.picture_id: picture for picture in query(connection, sql, Picture)}


def _picture_ids(content: Sequence[Section]) -> Iterator[str]:
    """The pictures of all cards, as often as they are shown."""
    for section in content:
        for part in section.parts:
            for block in part.blocks:
                if isinstance(block, Drops | Group):
                    yield from _ids_in(block)


def _ids_in(block: Drops | Group) -> list[str]:
    """The pictures of a block's cards, in their order."""
    return [picture_id for card in block.cards for picture_id in card.picture_ids]


def _wanted(content: Sequence[Section], pictures: dict[str, Picture]) -> Iterator[str]:
    """The pictures in the order in which they get room on the page.

    First those of what changed between two builds and of what came out, then one of every reason,
    then one group of examples of every split, then more of the scarcest reasons, then the other
    groups, then whatever there is still room for.
    """
    begins = [section for section in content if section.anchor in (SECTION, OUTCOME)]
    yield from _picture_ids(begins)
    others = [section for section in content if section.anchor not in (SECTION, OUTCOME)]
    blocks = [block for section in others for part in section.parts for block in part.blocks]
    reasons = [_shown(block, pictures) for block in _by_scarcity(blocks)]
    groups = [_ids_in(block) for block in blocks if isinstance(block, Group)]
    yield from (picture_ids[0] for picture_ids in reasons if picture_ids)
    for picture_ids in groups[::2]:
        yield from picture_ids
    for place in range(1, _PICTURES_PER_REASON):
        yield from (picture_ids[place] for picture_ids in reasons if len(picture_ids) > place)
    for picture_ids in (*groups[1::2], *reasons):
        yield from picture_ids


def _by_scarcity(blocks: Sequence[object]) -> list[Drops]:
    return sorted(
        (block for block in blocks if isinstance(block, Drops)), key=lambda block: block.n
    )


def _shown(block: Drops, pictures: dict[str, Picture]) -> list[str]:
    """The pictures of a reason's examples that may be shown."""
    return [
        picture_id
        for picture_id in _ids_in(block)
        if picture_id in pictures and pictures[picture_id].picture_state == "shown"
    ]


@cache
def _environment() -> jinja2.Environment:
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsay.report", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        # whatever a text is, it stays text, and all of it is seen
        autoescape=True,
        finalize=visible_whole,
    )
    environment.filters |= {
        "visible": visible,
        "shown": _cell,
        "prose": prose,
        "title": title,
        "address": _address,
    }
    environment.globals |= {
        "bar": charts.bar,
        "stage_bar": charts.stage_bar,
        "score_bar": charts.score_bar,
        "forest_bar": charts.forest_bar,
    }
    return environment


def _page(
    content: Sequence[Section], benchmarks: Sequence[str], filled: Album, newer: str | None
) -> bytes:
    environment = _environment()
    script, style = (_source(name) for name in ("report.js", "report.css"))
    text = environment.get_template("report.html.jinja").render(
        sections=content,
        benchmarks=benchmarks,
        album=filled,
        newer=newer,
        n_records=sum(
            len(block.cards)
            for section in content
            for part in section.parts
            for block in part.blocks
            if isinstance(block, Drops | Group)
        ),
        policy=(
            "default-src 'none'; img-src data:; style-src 'unsafe-inline';"
            f" script-src '{_sha256(script)}'; base-uri 'none'; form-action 'none'"
        ),
        # both are files of this package
        script=Markup(script),  # noqa: S704
        style=Markup(style),  # noqa: S704
    )
    return text.encode()


@cache
def _source(name: str) -> str:
    environment = _environment()
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _sha256(text: str) -> str:
    """The name of an inline script in a Content-Security-Policy: its hash."""
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def _cell(value: Any, kind: str) -> Markup:
    """A value in a cell: numbers as people read them, with the whole value beside them."""
    if value is None:
        return Markup()
    if kind == "flag":
        return Markup('<span class="{0}">{0}</span>').format("yes" if value else "no")
    if kind in ("share", "number"):
        text = f"{value:.1%}" if kind == "share" else _number(value)
        return Markup('<data value="{!r}">{}</data>').format(value, text)
    if kind == "count":
        return escape(f"{value:,}")
    if isinstance(value, list):
        value = ", ".join(map(str, value))
    if isinstance(value, datetime):
        return escape(f"{value:%Y-%m-%d %H:%M:%S}")
    # on a narrow page a name breaks behind its underscores
    text = Markup("<bdi>{}</bdi>").format(escape(visible(str(value))).replace("_", _BREAK))
    if kind != "code" and len(str(value)) > _LONGEST_CELL:
        text = Markup('<details class="whole"><summary>{}</summary></details>').format(text)
    return text


def _number(value: float) -> str:
    """Four digits, or all that stand before the point."""
    return f"{value:,.0f}" if abs(value) >= 10_000 else f"{value:,.4g}"


def prose(text: str) -> Markup:
    """A sentence of ours, with what stands in backticks as code."""
    parts = [
        Markup("<code>{}</code>").format(part) if number % 2 else escape(part)
        for number, part in enumerate(visible(text, len(text)).split("`"))
    ]
    return Markup().join(parts)


def _address(url: str | None) -> str | None:
    """An address of the web to link to; none where it is something else."""
    if url is None or not url.startswith(_WEB_ADDRESSES) or any(c in url for c in "\"'<> \n"):
        return None
    return url
