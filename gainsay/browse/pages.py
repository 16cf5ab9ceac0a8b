"""The pages of `gainsay browse`: candidates by facets, and one candidate with all that is known.

The pages are read-only and hold no state: everything that a page shows is in its address, so that
an address can be given to somebody else.
"""

import asyncio
import csv
import io
import os
import re
import tempfile
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import IO, Any, Final
from urllib.parse import urlencode

import duckdb
import jinja2
import msgspec
from msgspec import Struct
from msgspec.structs import replace
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from gainsay.browse import candidates
from gainsay.browse.candidates import FACETS, MOST_PAGES, ORDERS, PAGE_SIZE, Candidate, Filters
from gainsay.browse.groups import groups_of, prompts_of, tokens
from gainsay.browse.overlays import Overlays, overlays_of
from gainsay.browse.scores import board_tables, drawings, slice_tables
from gainsay.foundation.connection import connect
from gainsay.foundation.errors import GainsayError
from gainsay.foundation.ports import port_of
from gainsay.foundation.queries import has_table, read
from gainsay.foundation.renderings import rendered_files
from gainsay.foundation.sheets import cell_of_text
from gainsay.ingest.withdrawals import withdrawn_ids, withdrawn_photographs
from gainsay.inspect.freshness import changes, warning
from gainsay.python_udfs.engines.duckdb import register
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError
from gainsay.report.charts import forest_bar
from gainsay.report.visible_text import visible, visible_whole
from gainsay.review.app import Place
from gainsay.review.guard import Guard
from gainsay.review.pictures import picture_bytes
from gainsay.review.records import ShownPicture

_MEMORY: Final = "1GB"
_MOST_CHARACTERS: Final = 20_000
_MOST_FIELD: Final = 500
# downloads at a time, each of which has a file of its own, and how long one part of it may take
_MOST_SHEETS: Final = 8
# marked candidates that an address has room for
MOST_MARKS: Final = 300
SECONDS_OF_A_PART: Final = 60.0
_PART: Final = 256 * 1024
# values of a facet that stand on the page, and those that are folded behind them
_LISTED_VALUES: Final = 12
_MOST_VALUES: Final = 200
_STATIC: Final = {
    "review.css": "text/css",
    "browse.css": "text/css",
    "browse.js": "text/javascript",
}
_OVERLAY_NAMES: Final = {
    "boxes": "annotated boxes",
    "masks": "masks",
    "objects": "objects",
    "text": "text",
    "shadow": "shadow",
    "covered": "what is hidden",
    "asked": "what is asked about",
}


class _Picture(Struct):
    """A photograph of the catalog, and whose it is; one that was taken down has no path."""

    source_image_id: str
    path: str | None
    archive: str | None
    author: str | None
    license_name: str | None
    page_url: str | None

    @property
    def picture_state(self) -> str:
        """Whether it can be shown."""
        return "not landed" if self.path is None else "shown"


class BrowsePages:
    """Everything that requests ask of."""

    def __init__(self, warehouse: Path, renderings: str, place: Place) -> None:
        self._warehouse = warehouse
        self._renderings = renderings
        self._place = place
        # requests at the same time share what is open: functions belong to the open database, and
        # two that register them at once would be in each other's way
        self._lock = threading.Lock()
        self._open = ExitStack()
        self._shared: duckdb.DuckDBPyConnection | None = None
        self._n_reading = 0
        self._n_sheets = 0

    def app(self) -> ASGIApp:
        """The application."""
        routes = [
            Route("/", self.listing),
            Route("/candidate", self.candidate),
            Route("/boards", self.boards),
            Route("/marked", self.marked),
            Route("/marked.txt", self.marked_ids),
            Route("/candidates.csv", self.sheet),
            Route("/picture", self.picture),
            Route("/static/{name}", self.static),
        ]
        handlers = {
            HTTPException: _http_error,
            GainsayError: _gainsay_error,
            ImageUnreadableError: _no_picture,
        }
        app = Starlette(routes=routes, exception_handlers=handlers)
        return Guard(app, self._place.addresses, shared=("/", "/candidate", "/boards", "/marked"))

    async def listing(self, request: Request) -> Response:
        """Candidates by facets, a page of them."""
        filters = _filters(request)
        return await self._page(lambda connection: _listing(connection, filters))

    async def candidate(self, request: Request) -> Response:
        """One candidate."""
        filters = _filters(request)
        asked = request.query_params
        names = tuple(asked.get(name, "")[:_MOST_FIELD] for name in ("of", "in", "candidate_id"))
        return await self._page(lambda connection: _record(connection, filters, *names))

    async def boards(self, _request: Request) -> Response:
        """The boards, whose numbers lead to candidates."""
        return await self._page(_boards)

    async def marked(self, request: Request) -> Response:
        """The candidates that somebody marked, whose names the address has."""
        names = _marks(request)
        return await self._page(lambda connection: _marked_page(connection, names))

    async def marked_ids(self, request: Request) -> Response:
        """Their ids, one a line: of a benchmark's examples, or as records of `gainsay review`."""
        names = _marks(request)
        benchmark = request.query_params.get("examples", "")[:_MOST_FIELD]
        lists = await run_in_threadpool(self._read, lambda opened: _lists(opened, names))
        [found] = [one.ids for one in lists if one.benchmark == benchmark] or [[]]
        return Response(
            "".join(f"{name}\n" for name in found),
            media_type="text/plain; charset=utf-8",
            headers={"Content-Disposition": 'attachment; filename="ids.txt"'},
        )

    async def sheet(self, request: Request) -> Response:
        """All candidates of a view as CSV, whose cells are no formulas."""
        filters = _filters(request)
        if self._n_sheets >= _MOST_SHEETS:
            raise HTTPException(503, f"{_MOST_SHEETS} downloads run; wait for one of them")
        self._n_sheets += 1
        try:
            written = await run_in_threadpool(self._written, filters)
        except BaseException:
            self._n_sheets -= 1
            raise
        return _Sheet(written, self._end_sheet)

    def _end_sheet(self) -> None:
        self._n_sheets -= 1

    async def picture(self, request: Request) -> Response:
        """A picture of the catalog, or a rendering of it, by ids: no request names a file."""
        image, recipe = (
            request.query_params.get(name, "")[:_MOST_FIELD] for name in ("image", "recipe")
        )

        def read(connection: duckdb.DuckDBPyConnection) -> ShownPicture:
            return _shown_picture(connection, image, recipe)

        shown = await run_in_threadpool(self._read, read)
        picture = await run_in_threadpool(picture_bytes, shown, self._renderings)
        headers = {
            "ETag": picture.etag,
            "Cache-Control": "private, max-age=3600",
            "Content-Security-Policy": "default-src 'none'; sandbox",
        }
        if request.headers.get("if-none-match") == picture.etag:
            return Response(status_code=304, headers=headers)
        return Response(picture.data, media_type=picture.media_type, headers=headers)

    async def static(self, request: Request) -> Response:
        """The script or a style of the pages."""
        name = request.path_params["name"]
        if name not in _STATIC:
            raise HTTPException(404, "no such file")
        return Response(_template(name), media_type=_STATIC[name])

    async def _page(self, make: Callable[[duckdb.DuckDBPyConnection], str]) -> Response:
        return Response(await run_in_threadpool(self._read, make), media_type="text/html")

    def _read(self, make: Callable[[duckdb.DuckDBPyConnection], Any]) -> Any:
        with self._reading() as connection:
            return make(connection)

    @contextmanager
    def _reading(self) -> Iterator[duckdb.DuckDBPyConnection]:
        """The warehouse, open for a request: between clicks a build can write to it."""
        with self._lock:
            if self._shared is None:
                with ExitStack() as opening:
                    opened = opening.enter_context(
                        connect(read_only=True, path=self._warehouse, memory_limit=_MEMORY)
                    )
                    # views of exports call them
                    register(opened)
                    self._shared, self._open = opened, opening.pop_all()
            connection = self._shared.cursor()
            self._n_reading += 1
        try:
            yield connection
        finally:
            connection.close()
            with self._lock:
                self._n_reading -= 1
                if not self._n_reading:
                    self._shared = None
                    self._open.close()

    def _written(self, filters: Filters) -> IO[bytes]:
        """The candidates of a view as CSV, in a file that is gone once it is closed.

        However slowly somebody takes it, the warehouse is free by then.
        """
        with ExitStack() as stack:
            file = stack.enter_context(tempfile.TemporaryFile())
            with self._reading() as connection:
                _check(connection, filters)
                text = io.TextIOWrapper(file, encoding="utf-8", newline="")
                writer = csv.writer(text)
                for place, (names, rows) in enumerate(candidates.batches(connection, filters)):
                    if place == 0:
                        writer.writerow(names)
                    writer.writerows([_cell(value) for value in row] for row in rows)
                text.detach()
            file.seek(0)
            stack.pop_all()
        return file


class _Sheet(Response):
    """A file that is sent part by part, as long as somebody takes the parts."""

    media_type = "text/csv; charset=utf-8"

    def __init__(self, file: IO[bytes], at_end: Callable[[], None]) -> None:
        super().__init__(
            headers={"Content-Disposition": 'attachment; filename="candidates.csv"'},
        )
        self._file = file
        self._at_end = at_end
        self.headers["Content-Length"] = str(os.fstat(file.fileno()).st_size)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            is_more = scope["method"] != "HEAD"
            while is_more:
                part = self._file.read(_PART)
                is_more = bool(part)
                async with asyncio.timeout(SECONDS_OF_A_PART):
                    await send({"type": "http.response.body", "body": part, "more_body": is_more})
        finally:
            self._file.close()
            self._at_end()


def _filters(request: Request) -> Filters:
    """The view that an address names. A page or an order that there is not is an error."""
    asked = {
        name: value[:_MOST_FIELD]
        for name, value in request.query_params.items()
        if name in Filters.__struct_fields__ and name != "page"
    }
    page = request.query_params.get("page", "1")
    if not re.fullmatch("[0-9]{1,9}", page) or not 1 <= int(page) <= MOST_PAGES:
        raise HTTPException(400, f"page: a number from 1 to {MOST_PAGES:,}; search for less")
    filters = Filters(**asked, page=int(page))
    if filters.sort not in ORDERS:
        raise HTTPException(400, f"sort: one of {', '.join(ORDERS)}")
    for name, said in filters.ranges().items():
        if not candidates.RANGE.fullmatch(said):
            raise HTTPException(400, f"{name}: a range, such as 2..4, 2.. or ..0.5")
    return filters


def _marks(request: Request) -> list[tuple[str, str, str]]:
    """The benchmarks, screenings and ids that an address names, in its order."""
    marks = request.query_params.getlist("mark")[:MOST_MARKS]
    split = [mark[:_MOST_FIELD].split("::", 2) for mark in marks]
    return [(one[0], one[1], one[2]) for one in split if len(one) == 3]


class _Ids(Struct, frozen=True):
    """A list of ids: of a benchmark's examples, or without one of records for review."""

    benchmark: str
    title: str
    ids: list[str]
    use: str


def _lists(connection: duckdb.DuckDBPyConnection, names: list[tuple[str, str, str]]) -> list[_Ids]:
    """What marked candidates are called by `gainsay.load`, and by `gainsay review`."""
    listed = candidates.marked(connection, names)
    records = ["::".join((one.benchmark, one.screening, one.candidate_id)) for one in listed]
    found = [_Ids("", "Records for gainsay review", records, "gainsay review --ids ids.txt")]
    for benchmark in dict.fromkeys(one.benchmark for one in listed):
        ids = [
            example.example_id
            for one in listed
            if one.benchmark == benchmark
            for example in candidates.examples(connection, one)
        ]
        if ids:
            use = f'gainsay.load("{benchmark}", ids=open("ids.txt").read().split())'
            found.append(_Ids(benchmark, f"Examples of {benchmark}", ids, use))
    return found


def _marked_page(connection: duckdb.DuckDBPyConnection, names: list[tuple[str, str, str]]) -> str:
    _check(connection)
    listed = candidates.marked(connection, names)
    return (
        _templates()
        .get_template("marked.html.jinja")
        .render(
            filters=Filters(),
            candidates=listed,
            rendered=candidates.rendered_ids(connection, listed),
            lists=_lists(connection, names),
            marks=[("mark", "::".join(name)) for name in names],
        )
    )


def _check(connection: duckdb.DuckDBPyConnection, filters: Filters | None = None) -> None:
    if not has_table(connection, "audit", "audit__candidates"):
        raise GainsayError(
            "the warehouse has no audit__candidates: run `gainsay build --select"
            " +audit__candidates`, or `gainsay build`"
        )
    if filters and filters.sort == "suspect" and not candidates.has_scored_answers(connection):
        raise HTTPException(400, "sort=suspect: no model's answers are scored in this warehouse")


def _newer(connection: duckdb.DuckDBPyConnection) -> str | None:
    return warning(changes(connection, candidates.TABLES))


def _listing(connection: duckdb.DuckDBPyConnection, filters: Filters) -> str:
    _check(connection, filters)
    found = candidates.find(connection, filters)
    return (
        _templates()
        .get_template("browse.html.jinja")
        .render(
            filters=filters,
            found=found,
            facets=[
                (
                    name,
                    values[:_LISTED_VALUES],
                    values[_LISTED_VALUES:_MOST_VALUES],
                    max(0, len(values) - _MOST_VALUES),
                )
                for name, values in found.facets.items()
                # a facet of which nothing is known says nothing
                if any(value is not None for value, _ in values)
            ],
            orders=[name for name in ORDERS if name != "suspect" or found.models],
            n_landed=dict(found.facets["picture"]).get("landed", 0),
            rendered=candidates.rendered_ids(connection, found.candidates),
            histograms=candidates.histograms(connection, filters),
            first=(filters.page - 1) * PAGE_SIZE + 1,
            n_pages=min(MOST_PAGES, -(-found.n // PAGE_SIZE)),
            sql=candidates.rows_statement(filters),
            newer=_newer(connection),
        )
    )


def _boards(connection: duckdb.DuckDBPyConnection) -> str:
    _check(connection)
    known = candidates.benchmarks(connection)
    return (
        _templates()
        .get_template("boards.html.jinja")
        .render(
            plain=Filters(),
            tables=board_tables(connection, known),
            slices=slice_tables(connection, known),
            drawings=drawings(connection),
            newer=warning(changes(connection, candidates.TABLES)),
        )
    )


def _record(
    connection: duckdb.DuckDBPyConnection,
    filters: Filters,
    benchmark: str,
    screening: str,
    candidate_id: str,
) -> str:
    _check(connection, filters)
    candidate = candidates.candidate_of(connection, benchmark, screening, candidate_id)
    if candidate is None:
        raise HTTPException(404, f"{candidate_id}: no such candidate of {screening or 'nothing'}")
    examples = candidates.examples(connection, candidate)
    pictures = candidates.pictures(connection, candidate, examples)
    prompts = prompts_of(connection, candidate, examples)
    groups = groups_of(connection, candidate, prompts)
    of_groups = [
        one for group in groups for member in group.members for one in member.prompt.pictures()
    ]
    overlays = _overlays(connection, candidate, examples)
    before, after = candidates.neighbours_in_view(connection, filters, candidate)
    picture = _state(connection, candidate.source_image_id)
    return (
        _templates()
        .get_template("candidate.html.jinja")
        .render(
            filters=filters,
            candidate=candidate,
            stages=candidates.stages(connection, candidate),
            seen=candidates.seen_by_gates(connection, candidate),
            captions=candidates.captions(connection, candidate.source_image_id),
            examples=examples,
            pictures=pictures,
            shown=_shown(connection, [*pictures, *of_groups]),
            before_edit=_before_edit(connection, [*pictures, *of_groups]),
            groups=groups,
            texts={prompt.asked_example_id: prompt.context for prompt in prompts},
            answers=candidates.answers(connection, examples),
            judgements=candidates.judgements(connection, candidate),
            neighbours=candidates.neighbours(connection, candidate),
            overlays=overlays,
            overlay_names=_OVERLAY_NAMES,
            picture=picture,
            is_taken_down=candidate.source_image_id in withdrawn_ids(connection),
            source_page=_source_page(picture, candidate.source_image_id),
            before=before,
            after=after,
            same_reason=candidates.next_of_reason(connection, filters, candidate),
            sql=candidates.record_statement(benchmark, screening, candidate_id),
            newer=_newer(connection),
        )
    )


def _overlays(
    connection: duckdb.DuckDBPyConnection,
    candidate: Candidate,
    examples: list[candidates.Example],
) -> Overlays | None:
    if candidate.source_image_id is None:
        return None
    recipes = [example.recipe_id for example in examples if example.recipe_id]
    # a dropped occlusion has the id of the recipe that it would have had
    screened = port_of(connection, candidate.benchmark, "screened"), candidate.candidate_id
    return overlays_of(
        connection, candidate.source_image_id, [*recipes, candidate.candidate_id], screened
    )


def _shown(
    connection: duckdb.DuckDBPyConnection, pictures: list[candidates.Picture]
) -> set[candidates.Picture]:
    """The pictures that are landed, or rendered."""
    found = _catalog(connection, [one.shown_image_id for one in pictures if not one.recipe_id])
    landed = {one.source_image_id for one in found if one.path is not None}
    rendered: dict[str, str] = {}
    if has_table(connection, "images", "images__renderings"):
        rendered = rendered_files(connection, {one.recipe_id for one in pictures if one.recipe_id})
    return {
        one
        for one in pictures
        if (one.recipe_id in rendered if one.recipe_id else one.shown_image_id in landed)
    }


def _before_edit(
    connection: duckdb.DuckDBPyConnection, pictures: list[candidates.Picture]
) -> set[str]:
    """The photographs that recipes start from and that are landed."""
    found = _catalog(connection, [one.shown_image_id for one in pictures if one.recipe_id])
    return {one.source_image_id for one in found if one.path is not None}


def _catalog(connection: duckdb.DuckDBPyConnection, image_ids: list[str]) -> list[_Picture]:
    """Where photographs lie, and whose they are; those that were taken down lie nowhere."""
    if not image_ids:
        return []
    found = read(
        connection,
        _Picture,
        "exports.exports__pictures",
        where="list_contains($ids, source_image_id)",
        parameters={"ids": image_ids},
    )
    withdrawn = withdrawn_ids(connection) | withdrawn_photographs(connection)
    return [
        replace(one, path=None) if {one.source_image_id, one.path} & withdrawn else one
        for one in found
    ]


def _state(connection: duckdb.DuckDBPyConnection, source_image_id: str | None) -> _Picture | None:
    """Whether a picture can be shown, and whose it is."""
    if source_image_id is None or not has_table(connection, "exports", "exports__pictures"):
        return None
    found = _catalog(connection, [source_image_id])
    return found[0] if found else None


def _shown_picture(connection: duckdb.DuckDBPyConnection, image: str, recipe: str) -> ShownPicture:
    if recipe:
        file = rendered_files(connection, [recipe]).get(recipe)
        return ShownPicture("picture", file, None, is_rendering=True)
    found = _catalog(connection, [image])
    return ShownPicture("picture", *((found[0].path, found[0].archive) if found else (None, None)))


def _source_page(picture: _Picture | None, source_image_id: str | None) -> str | None:
    """Where on the web a picture is that is not landed."""
    if picture and picture.page_url and picture.page_url.startswith(("https://", "http://")):
        return picture.page_url
    kind, _, number = (source_image_id or "").partition("-")
    return f"https://cocodataset.org/#explore?id={number}" if kind == "coco" and number else None


def _cell(value: object) -> str:
    if value is None:
        return ""
    if isinstance(value, list):
        value = "; ".join(map(str, value))
    return cell_of_text(str(value))


def _link(filters: Filters, **changes: Any) -> str:
    """The address of a view, but for `changes`."""
    fields = filters.address(**changes)
    return "/?" + urlencode(fields) if fields else "/"


def _link_to(filters: Filters, candidate: Candidate) -> str:
    """The address of a candidate within a view."""
    fields = {
        "of": candidate.benchmark,
        "in": candidate.screening,
        "candidate_id": candidate.candidate_id,
    }
    return "/candidate?" + urlencode(fields | filters.address())


def _sheet_link(filters: Filters) -> str:
    return "/candidates.csv?" + urlencode(filters.address())


def _picture_link(image: str | None, recipe: str | None = None) -> str:
    return "/picture?" + urlencode({"recipe": recipe} if recipe else {"image": image or ""})


def _marked(text: str, words: list[str] | None) -> list[tuple[str, bool]]:
    """A text in parts that are one of the words, or not."""
    wanted = {word.lower() for word in words or [] for word in word.split()}
    shown = visible(text, _MOST_CHARACTERS)
    return [(part, part.lower() in wanted) for part in tokens(shown)]


@cache
def _template(name: str) -> str:
    # the two pages for people have one style
    package = "gainsay.review" if name == "review.css" else "gainsay.browse"
    return (files(package) / "templates" / name).read_text("utf-8")


@cache
def _templates() -> jinja2.Environment:
    environment = jinja2.Environment(
        autoescape=True,
        finalize=visible_whole,
        undefined=jinja2.StrictUndefined,
        loader=jinja2.FunctionLoader(_template),
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["shown"] = lambda text: visible(str(text), _MOST_CHARACTERS)
    environment.filters["words"] = lambda name: name.replace("_", " ")
    environment.globals |= {
        "link": _link,
        "forest_bar": forest_bar,
        "link_to": _link_to,
        "sheet_link": _sheet_link,
        "picture_link": _picture_link,
        "marked": _marked,
        "short": candidates.number_in_short,
        "most_marks": MOST_MARKS,
        "marked_link": lambda marks, **more: "/marked.txt?" + urlencode([*marks, *more.items()]),
        "mark_of": lambda one: "::".join((one.benchmark, one.screening, one.candidate_id)),
        "facet_names": FACETS,
    }
    return environment


def _error(status: int, text: str) -> Response:
    page = _templates().get_template("error.html.jinja").render(text=text)
    return Response(page, status, media_type="text/html")


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _error(error.status_code, error.detail)


async def _gainsay_error(_request: Request, error: Exception) -> Response:
    return _error(503, str(error))


async def _no_picture(_request: Request, error: Exception) -> Response:
    content = msgspec.json.encode({"error": visible(str(error))})
    return Response(content, 404, media_type="application/json")
