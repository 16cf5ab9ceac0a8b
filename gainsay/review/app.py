"""The review page's server: what it answers, and how it ends."""

import dataclasses
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, TypeVar

import jinja2
import msgspec
from msgspec import Meta, Struct
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from gainsay.ingest.votes import NO_READER, person_of, reader_name
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError
from gainsay.report.visible_text import visible
from gainsay.review.agreement import agreement_of
from gainsay.review.desk import Desk
from gainsay.review.guard import Guard
from gainsay.review.log import NotKeptError
from gainsay.review.pictures import picture_bytes
from gainsay.review.readers import Readers
from gainsay.review.records import Record, ShownText
from gainsay.review.votes import MOST_EVENTS_AT_ONCE, SentEvents

_MOST_CHARACTERS: Final = 20_000
_STATIC: Final = {"review.css": "text/css", "review.js": "text/javascript"}
_STORED_FOR: Final = "private, max-age=86400, immutable"
_COOKIE_SECONDS: Final = 90 * 24 * 3600

Body = TypeVar("Body", bound=Struct)
RecordId = Annotated[str, Meta(max_length=500)]
Questions = Annotated[list[Annotated[str, Meta(max_length=100)]], Meta(max_length=100)]


class _Name(Struct, forbid_unknown_fields=True):
    reader: Annotated[str, Meta(max_length=200)]


class _Next(Struct, forbid_unknown_fields=True):
    benchmark: str
    queue: str
    skipped: Annotated[list[RecordId], Meta(max_length=1_000)] = []
    answered: Annotated[dict[RecordId, Questions], Meta(max_length=1_001)] = {}
    language: Annotated[str, Meta(max_length=100)] | None = None


class _Of(Struct, forbid_unknown_fields=True):
    benchmark: str
    queue: str


class _Look(Struct, forbid_unknown_fields=True):
    benchmark: str
    queue: str
    record_id: str


@dataclass(frozen=True)
class Place:
    """Where the page is served, and to whom.

    `has_links` where a name comes with a link alone: on any address but loopback. `readers` are
    those who alone may read, in any letters; none where anybody may.
    """

    port: int
    hosts: tuple[str, ...]
    has_links: bool
    readers: tuple[str, ...] = ()

    @property
    def addresses(self) -> set[str]:
        """The values that the header `Host` may have."""
        named = {host.lower() for host in self.hosts}
        with_port = {f"{host}:{self.port}" for host in named}
        # a browser leaves out the port that HTTP has anyway
        return with_port | named if self.port == 80 else with_port


class ReviewPage:
    """Everything that requests ask of."""

    def __init__(
        self,
        desks: Sequence[Desk],
        renderings: str,
        readers: Readers,
        place: Place,
    ) -> None:
        self._desks = {desk.queue.key: desk for desk in desks}
        self._renderings = renderings
        self._readers = readers
        self._place = place
        # cookies know hosts, not ports
        self._cookie = f"gainsay_review_{place.port}"

    def app(self, at_start: Callable[[], None] = lambda: None) -> ASGIApp:
        """The application; `at_start` is called once it takes requests."""

        @asynccontextmanager
        async def lifespan(_app: Starlette) -> AsyncIterator[None]:
            at_start()
            yield

        routes = [
            Route("/", self.page),
            Route("/static/{name}", self.static),
            Route("/picture", self.picture),
            Route("/api/session", self.session),
            Route("/api/session", self.sign_in, methods=["POST"]),
            Route("/api/next", self.next_record, methods=["POST"]),
            Route("/api/record", self.one_record, methods=["POST"]),
            Route("/api/votes", self.votes, methods=["POST"]),
            Route("/api/agreement", self.agreement, methods=["POST"]),
        ]
        handlers = {HTTPException: _http_error, NotKeptError: _not_kept}
        starlette = Starlette(routes=routes, lifespan=lifespan, exception_handlers=handlers)
        return Guard(starlette, self._place.addresses)

    # the page and what belongs to it

    async def page(self, request: Request) -> Response:
        """The page; with a reader's link, what signs them in."""
        name, token = (request.query_params.get(key) for key in ("reader", "token"))
        if name is not None and token is not None:
            if not self._readers.is_token(name, token):
                raise HTTPException(403, "this link is not good; ask for another one")
            return self._signed_in(RedirectResponse("/", 303), name)
        return Response(_page(), media_type="text/html")

    async def static(self, request: Request) -> Response:
        """The script or the style of the page."""
        name = request.path_params["name"]
        if name not in _STATIC:
            raise HTTPException(404, "no such file")
        return Response(_template(name), media_type=_STATIC[name])

    async def picture(self, request: Request) -> Response:
        """A picture of a record, by its place in the record."""
        self._reader(request)
        asked = request.query_params
        desk = self._desk(asked.get("benchmark", ""), asked.get("queue", ""))
        record = self._record(desk, asked.get("record_id", ""))
        pictures = desk.queue.shown(record).pictures
        place = asked.get("place", "")
        if place not in map(str, range(len(pictures))):
            raise HTTPException(404, f"the record has {len(pictures)} pictures")
        found = pictures[int(place)]
        try:
            picture = await run_in_threadpool(picture_bytes, found, self._renderings)
        except (ImageUnreadableError, OSError) as error:
            raise HTTPException(404, f"{visible(found.role)}: {visible(str(error))}") from error
        headers = {
            "ETag": picture.etag,
            "Cache-Control": _STORED_FOR,
            "Content-Security-Policy": "default-src 'none'; sandbox",
        }
        if request.headers.get("if-none-match") == picture.etag:
            return Response(status_code=304, headers=headers)
        return Response(picture.data, media_type=picture.media_type, headers=headers)

    # who is here

    async def session(self, request: Request) -> Response:
        """Who the reader is, and what there is to do."""
        reader = self._readers.reader(request.cookies.get(self._cookie))
        queues: list[dict[str, Any]] = []
        if reader is not None:
            queues = [self._queue(desk, reader) for desk in self._desks.values()]
        is_adjudicator = any(reader in desk.adjudicators for desk in self._desks.values())
        return _json(
            {
                "reader": reader,
                "is_adjudicator": is_adjudicator,
                "has_links": self._place.has_links or is_adjudicator,
                "queues": queues,
            }
        )

    def _queue(self, desk: Desk, reader: str) -> dict[str, Any]:
        queue = desk.queue
        questions = {
            name: {
                "text": visible(question.text, _MOST_CHARACTERS),
                "answers": [msgspec.structs.asdict(answer) for answer in question.answers],
            }
            for name, question in queue.questions.items()
        }
        return {
            "benchmark": queue.benchmark,
            "queue": queue.name,
            "title": queue.title,
            "task": queue.task,
            "questions": questions,
            "languages": desk.languages(reader),
            "progress": self._progress(desk, reader),
        }

    def _progress(self, desk: Desk, reader: str) -> dict[str, Any]:
        """How far a queue is; what readers differ about is for who settles it alone."""
        progress = dataclasses.asdict(desk.standing.progress())
        if reader in desk.adjudicators:
            progress |= dataclasses.asdict(desk.standing.disputes())
        return progress

    async def sign_in(self, request: Request) -> Response:
        """Take a name, on loopback."""
        body = await _body(request, _Name)
        if self._place.has_links:
            raise HTTPException(403, "open the link that you were given")
        name = reader_name(body.reader)
        if name is None:
            raise HTTPException(400, NO_READER)
        name = self._known(name)
        if any(name in desk.adjudicators for desk in self._desks.values()):
            raise HTTPException(
                403, f"{name} adjudicates and sees what readers say: open the link of {name}"
            )
        if self._place.readers and name not in self._place.readers:
            raise HTTPException(
                403, f"the records were dealt to {', '.join(self._place.readers)}: take your name"
            )
        return self._signed_in(_json({"reader": name}), name)

    def _known(self, name: str) -> str:
        """The name as somebody has written it before: "ann" is not another reader than "Ann"."""
        desks = self._desks.values()
        adjudicators = (reader for desk in desks for reader in desk.adjudicators)
        voters = (reader for desk in desks for reader in desk.standing.progress().readers)
        readers = (*self._place.readers, *adjudicators, *voters)
        alike = (reader for reader in readers if person_of(reader) == person_of(name))
        return next(alike, name)

    def _signed_in(self, response: Response, reader: str) -> Response:
        response.set_cookie(
            self._cookie,
            self._readers.cookie(reader),
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
        )
        return response

    def _reader(self, request: Request) -> str:
        reader = self._readers.reader(request.cookies.get(self._cookie))
        if reader is None:
            raise HTTPException(401, "sign in first")
        return reader

    # records and votes

    async def next_record(self, request: Request) -> Response:
        """The record that the reader should look at now."""
        reader = self._reader(request)
        body = await _body(request, _Next)
        desk = self._desk(body.benchmark, body.queue)
        record = desk.next_record(reader, body.skipped, body.answered, body.language)
        return _json(
            {
                "record": None if record is None else self._shown(desk, reader, record),
                "last_decisions": [
                    {
                        "event_id": event.event_id,
                        "record_id": event.record_id,
                        "record_md5": event.record_md5,
                        "question": event.question,
                        "answer": event.answer,
                        "note": event.note,
                    }
                    for event in desk.standing.last_decisions(reader)
                ],
                "progress": self._progress(desk, reader),
            }
        )

    async def one_record(self, request: Request) -> Response:
        """A record, to look at it again."""
        reader = self._reader(request)
        body = await _body(request, _Look)
        desk = self._desk(body.benchmark, body.queue)
        return _json({"record": self._shown(desk, reader, self._record(desk, body.record_id))})

    async def votes(self, request: Request) -> Response:
        """Keep votes, and say which are on the disk."""
        reader = self._reader(request)
        body = await _body(request, SentEvents)
        names = {(event.benchmark, event.queue) for event in body.events}
        if len(names) != 1:
            raise HTTPException(400, f"1 to {MOST_EVENTS_AT_ONCE} votes of one queue at a time")
        # the page keeps them until their reader is back
        if strangers := {event.reader for event in body.events} - {reader}:
            raise HTTPException(
                409, f"{reader} has signed in, and these votes are {', '.join(sorted(strangers))}'s"
            )
        desk = self._desk(*names.pop())
        # these, too: who started the page may have left the adjudicator out
        if reader not in desk.adjudicators and any(one.kind == "ruling" for one in body.events):
            raise HTTPException(
                409, f"{reader} does not adjudicate here; start it with --adjudicator {reader}"
            )
        receipt = await desk.keep(reader, body.events)
        answer = dataclasses.asdict(receipt)
        return _json(answer | {"progress": self._progress(desk, reader)})

    async def agreement(self, request: Request) -> Response:
        """How far readers agree now, for who adjudicates: a reader could tell others' answers."""
        reader = self._reader(request)
        body = await _body(request, _Of)
        desk = self._desk(body.benchmark, body.queue)
        if reader not in desk.adjudicators:
            raise HTTPException(403, "readers do not see how far they agree")
        return _json({"agreement": await run_in_threadpool(agreement_of, desk.standing)})

    def _desk(self, benchmark: str, queue: str) -> Desk:
        desk = self._desks.get((benchmark, queue))
        if desk is None:
            raise HTTPException(404, "no such queue")
        return desk

    def _record(self, desk: Desk, record_id: str) -> Record:
        record = desk.queue.records.get(record_id)
        if record is None:
            raise HTTPException(404, "no such record")
        return record

    def _shown(self, desk: Desk, reader: str, record: Record) -> dict[str, Any]:
        """A record as its reader may see it: nothing of what others say, nor what is right."""
        shown = desk.queue.shown(record)
        return {
            "record_id": record.record_id,
            "record_md5": record.record_md5,
            "pictures": [
                {"role": picture.role, "is_there": picture.file is not None}
                for picture in shown.pictures
            ],
            "texts": [
                {
                    "label": text.label,
                    "parts": marked_parts(text),
                    "language": text.language,
                    "direction": text.direction,
                }
                for text in shown.texts
            ],
            "choices": [
                {"letter": choice.letter, "text": visible(choice.text, _MOST_CHARACTERS)}
                for choice in shown.choices
            ],
            **self._asked(desk, reader, record),
        }

    def _asked(self, desk: Desk, reader: str, record: Record) -> dict[str, Any]:
        """What a reader is asked of a record, and has said; an adjudicator hears the readers."""
        if reader not in desk.adjudicators:
            return {
                "questions": desk.queue.asked(record),
                "answers": desk.standing.own_answers(reader, record),
            }
        disputed = desk.standing.disputed(record)
        return {
            "questions": [*disputed] or desk.queue.asked(record),
            "answers": desk.standing.rulings(record),
            "said": {
                question: [
                    {
                        "answer": one.answer,
                        "n": one.n,
                        "notes": [visible(note, _MOST_CHARACTERS) for note in one.notes],
                    }
                    for one in said
                ]
                for question, said in disputed.items()
            },
        }


def marked_parts(text: ShownText) -> list[dict[str, Any]]:
    """A text in parts that are marked or not; marks beyond it or within another mark are cut."""
    parts: list[tuple[str, bool]] = []
    place = 0
    for start, end in sorted(filter(None, text.marks)):
        first, last = max(start, place), min(end, len(text.text))
        if first >= last:
            continue
        parts += [(text.text[place:first], False), (text.text[first:last], True)]
        place = last
    parts.append((text.text[place:], False))
    return [
        {"text": visible(part, _MOST_CHARACTERS), "is_marked": is_marked}
        for part, is_marked in parts
        if part
    ]


async def _body(request: Request, body_type: type[Body]) -> Body:
    try:
        return msgspec.json.decode(await request.body(), type=body_type)
    except msgspec.MsgspecError as error:
        raise HTTPException(400, f"not what the page sends: {error}") from error


def _json(content: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(content), status, media_type="application/json")


async def _http_error(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return _json({"error": error.detail}, error.status_code)


async def _not_kept(_request: Request, error: Exception) -> Response:
    assert isinstance(error, NotKeptError)
    return _json({"error": str(error)}, 507 if error.is_full else 503)


@cache
def _template(name: str) -> str:
    return (files("gainsay.review") / "templates" / name).read_text("utf-8")


@cache
def _page() -> str:
    environment = jinja2.Environment(autoescape=True, undefined=jinja2.StrictUndefined)
    return environment.from_string(_template("review.html.jinja")).render(
        most_reader_characters=60, most_note_characters=2_000
    )
