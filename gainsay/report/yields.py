"""What VLM Reality Check made of pictures: what each bias yields, and what stopped the rest."""

import csv
import io
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

import duckdb
import jinja2
from markupsafe import Markup
from msgspec import Struct

from gainsay.foundation.queries import query
from gainsay.foundation.renderings import read_rendering
from gainsay.foundation.sheets import cell_of_text
from gainsay.report.page import prose
from gainsay.report.thumbnails import Thumbnail, thumbnail_of
from python_udfs.pixels.image_bytes import ImageUnreadableError, read_image

_MOST_BYTES: Final = 2**28
# all of a folder of one's own; what has no room is counted
_SHOWN_OF_EACH: Final = 100
_DETAILS_OF_EACH: Final = 3

# the last stages are of pairs: whoever reaches one was not stopped by what it shows
_STOPS: Final = """
    select
        screened.screening,
        screened.drop_stage as stage,
        screened.drop_reason as reason,
        any_value(gates.description) as description,
        any_value(gates.stage_order) as stage_order,
        count(*) as n
    from reality_check.reality_check__screened as screened
    left join vocabulary.reality_check__gates as gates
        on screened.screening = gates.screening and screened.drop_stage = gates.stage
    where not screened.is_retained and screened.source_image_id is not null
    group by all
    order by screened.screening, stage_order
"""
_DETAILS: Final = """
    select screening, drop_stage as stage, drop_detail as detail, count(*) as n
    from reality_check.reality_check__screened
    where not is_retained and drop_detail is not null and source_image_id is not null
    group by all
    order by n desc, detail
"""
_SIZES: Final = """
    select
        screened.screening,
        count(*) as n_candidates,
        count(*) filter (where screened.is_retained) as n_retained
    from reality_check.reality_check__screened as screened
    where screened.source_image_id is not null
    group by screened.screening
    order by
        case screened.screening
            when 'reality_check_images' then 1 when 'reality_check_compound' then 3 else 2
        end,
        screened.screening
"""
_CHALLENGES: Final = """
    select 'reality_check_' || bias_type as screening, count(*) as n_challenges
    from reality_check.reality_check__challenges
    group by all
"""
_SHOWN: Final = """
    select
        'reality_check_' || challenges.bias_type as screening,
        challenges.challenge_id,
        questions.question,
        questions.answer,
        files_a.path as path_a,
        files_a.archive as archive_a,
        case when renderings.rendered_file is null then files_b.path end as path_b,
        files_b.archive as archive_b,
        renderings.rendered_file as rendered_b
    from reality_check.reality_check__challenges as challenges
    inner join reality_check.reality_check__questions as questions
        on challenges.challenge_id = questions.challenge_id and questions.language = 'en'
    left join images.images__files as files_a
        on challenges.image_a_id = files_a.source_image_id
    left join images.images__files as files_b
        on challenges.image_b_id = files_b.source_image_id
    left join (
        select distinct rendered_file from reality_check.reality_check__renderings
    ) as renderings on challenges.image_b_file = renderings.rendered_file
    qualify row_number() over (
        partition by challenges.bias_type order by md5(challenges.challenge_id)
    ) <= $n
    order by challenges.challenge_id
"""
_STOPPED: Final = """
    select screened.screening, screened.drop_stage as stage, screened.source_image_id,
        files.path, files.archive
    from reality_check.reality_check__screened as screened
    inner join images.images__files as files
        on screened.source_image_id = files.source_image_id
    where not screened.is_retained
    qualify row_number() over (
        partition by screened.screening, screened.drop_stage order by md5(screened.candidate_id)
    ) <= 1
"""
_EVERY_PICTURE: Final = """
    select source_image_id, screening, coalesce(combination, '') as combination,
        coalesce(drop_stage, 'retained') as stage, coalesce(drop_reason, '') as reason,
        coalesce(drop_detail, '') as detail
    from reality_check.reality_check__screened
    where source_image_id is not null
    order by all
"""


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


class _Challenges(Struct):
    screening: str
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
    n_challenges = {
        row.screening: row.n_challenges for row in query(connection, _CHALLENGES, _Challenges)
    }
    details: Mapping[tuple[str, str], list[str]] = defaultdict(list)
    for row in query(connection, _DETAILS, _Detail):
        details[row.screening, row.stage].append(f"{row.detail} ({row.n:,})")
    stopped = {
        (row.screening, row.stage): _small(row.path, row.archive)
        for row in query(connection, _STOPPED, _Stopped)
    }
    stops: Mapping[str, list[Stop]] = defaultdict(list)
    for stop in query(connection, _STOPS, Stop):
        key = (stop.screening, stop.stage)
        stop.details = details[key][:_DETAILS_OF_EACH]
        stop.picture = stopped.get(key)
        stops[stop.screening].append(stop)
    shown: Mapping[str, list[Shown]] = defaultdict(list)
    for one in query(connection, _SHOWN, _Challenge, {"n": _SHOWN_OF_EACH}):
        shown[one.screening].append(Shown(one.question, one.answer, _pictures(one, renderings)))
    return [
        Yield(
            size.screening,
            size.n_candidates,
            size.n_retained,
            n_challenges.get(size.screening, 0),
            stops[size.screening],
            shown[size.screening],
        )
        for size in query(connection, _SIZES, _Size)
    ]


def yields_page(found: Sequence[Yield]) -> bytes:
    """The page of what each bias yields, which asks nothing of a network."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("gainsay.report", "templates"),
        undefined=jinja2.StrictUndefined,
        autoescape=True,
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
    for row in query(connection, _EVERY_PICTURE, _Picture):
        writer.writerow([cell_of_text(getattr(row, name)) for name in _Picture.__struct_fields__])
    return sheet.getvalue().encode()


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
