"""What VLM Reality Check made of pictures: what each bias yields, and what stopped the rest."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

import duckdb
import jinja2
from markupsafe import Markup
from msgspec import Struct

from gainsay.foundation.queries import query, sql_beside
from gainsay.foundation.renderings import read_rendering
from gainsay.foundation.sheets import cell_of_text
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, read_image
from gainsay.report.page import prose
from gainsay.report.thumbnails import Thumbnail, thumbnail_of
from gainsay.report.visible_text import visible_whole

_MOST_BYTES: Final = 2**28
_DETAILS_OF_EACH: Final = 3
Row = TypeVar("Row")


class Stop(Struct):
    """A stage that stopped pictures, and how many."""

    screening: str
    stage: str
    reason: str
    description: str | None
    n: int
    details: list[str] = []
    picture: Thumbnail | None = None


class Shown(Struct):
    """A challenge with its pictures."""

    question: str
    answer: str
    pictures: list[Thumbnail]


class Yield(Struct):
    """What one screening made of the pictures; `stop` is the stage at which most of them end."""

    screening: str
    n_candidates: int
    n_retained: int
    n_challenges: int
    stops: list[Stop] = []
    shown: list[Shown] = []

    @property
    def name(self) -> str:
        return self.screening.removeprefix("reality_check_").replace("_", " ")

    @property
    def stop(self) -> Stop | None:
        """The stage at which most of the rest end; of two the earlier."""
        return max(self.stops, key=lambda stop: stop.n, default=None)


class _Size(Struct):
    screening: str
    n_candidates: int
    n_retained: int
    n_challenges: int


class _Detail(Struct):
    screening: str
    stage: str
    detail: str
    n: int


class _Challenge(Struct):
    screening: str
    challenge_id: str
    question: str
    answer: str
    path_a: str | None
    archive_a: str | None
    path_b: str | None
    archive_b: str | None
    rendered_b: str | None


class _Stopped(Struct):
    screening: str
    stage: str
    source_image_id: str
    path: str
    archive: str | None


class _Picture(Struct):
    source_image_id: str
    screening: str
    combination: str
    stage: str
    reason: str
    detail: str


def yields(connection: duckdb.DuckDBPyConnection, renderings: str) -> list[Yield]:
    """What each screening of pictures made of them; `renderings` is the folder of edited ones.

    Raises `GainsayError` where the benchmark is not built.
    """
    details: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for row in _rows(connection, "details", _Detail):
        details[row.screening, row.stage].append(f"{row.detail} ({row.n:,})")
    stopped = {
        (row.screening, row.stage): _small(row.path, row.archive)
        for row in _rows(connection, "stopped", _Stopped)
    }
    stops: Mapping[str, list[Stop]] = defaultdict(list)
    for stop in _rows(connection, "stops", Stop):
        key = (stop.screening, stop.stage)
        stop.details = details[key][:_DETAILS_OF_EACH]
        stop.picture = stopped.get(key)
        stops[stop.screening].append(stop)
    shown: Mapping[str, list[Shown]] = defaultdict(list)
    for one in _rows(connection, "shown", _Challenge):
        shown[one.screening].append(Shown(one.question, one.answer, _pictures(one, renderings)))
    return [
        Yield(
            size.screening,
            size.n_candidates,
            size.n_retained,
            size.n_challenges,
            stops[size.screening],
            shown[size.screening],
        )
        for size in _rows(connection, "sizes", _Size)
    ]


def yields_page(found: Sequence[Yield]) -> bytes:
    """The page of what each bias yields, which asks nothing of a network."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsay.report", "templates"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
        finalize=visible_whole,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["prose"] = prose
    assert environment.loader is not None
    # a file of this package: the page looks as the report does
    style = Markup(environment.loader.get_source(environment, "report.css")[0])  # noqa: S704
    page = environment.get_template("yields.html.jinja").render(yields=found, style=style)
    return page.encode()


def pictures_sheet(connection: duckdb.DuckDBPyConnection) -> bytes:
    """Every picture with the stage and the reason at which each screening left it, as CSV."""
    sheet = io.StringIO()
    writer = csv.writer(sheet, lineterminator="\n")
    writer.writerow(_Picture.__struct_fields__)
    for row in _rows(connection, "pictures", _Picture):
        writer.writerow([cell_of_text(getattr(row, name)) for name in _Picture.__struct_fields__])
    return sheet.getvalue().encode()


def _rows(connection: duckdb.DuckDBPyConnection, name: str, row_type: type[Row]) -> list[Row]:
    return query(connection, sql_beside(__file__, name), row_type)


def _pictures(row: _Challenge, renderings: str) -> list[Thumbnail]:
    found = [_small(row.path_a, row.archive_a)]
    if row.rendered_b is not None:
        found.append(_small_rendering(renderings, row.rendered_b))
    elif row.path_b != row.path_a:
        found.append(_small(row.path_b, row.archive_b))
    return [each for each in found if each is not None]


def _small(path: str | None, archive: str | None) -> Thumbnail | None:
    try:
        return thumbnail_of(read_image(path, archive, _MOST_BYTES)) if path else None
    except (OSError, ImageUnreadableError):
        return None


def _small_rendering(folder: str, rendered_file: str) -> Thumbnail | None:
    try:
        return thumbnail_of(read_rendering(folder, rendered_file, _MOST_BYTES))
    except (OSError, ImageUnreadableError):
        return None
