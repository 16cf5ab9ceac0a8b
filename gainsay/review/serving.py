"""Serving the review page until somebody ends it."""

import asyncio
import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import ClassVar, Final

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from gainsay.foundation.errors import GainsayError
from gainsay.review.app import Place, ReviewPage
from gainsay.review.assignment import Deal, dealt
from gainsay.review.desk import Desk
from gainsay.review.log import VoteLog, log_path
from gainsay.review.readers import Readers
from gainsay.review.records import Queue

SECONDS_OF_A_REQUEST: Final = 60.0
_MOST_WAITING: Final = 128
# a request has come to its end
_WHOLE: Final = (h11.DONE, h11.MUST_CLOSE, h11.CLOSED, h11.ERROR)
LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_ANY: Final = ("0.0.0.0", "::", "")  # noqa: S104 - refused below


@dataclass(frozen=True)
class People:
    """Who takes part: readers who were named, and adjudicators, who settle where readers differ.

    With a `deal` each record is read by those to whom it is dealt, and by nobody else.
    """

    readers: Sequence[str] = ()
    adjudicators: Sequence[str] = ()
    deal: Deal | None = None

    @property
    def named(self) -> list[str]:
        """Everybody who gets a link."""
        return [*self.readers, *self.adjudicators]


@dataclass(frozen=True)
class Opened:
    """A page that takes requests: its address, and the links of the readers who were named."""

    address: str
    links: dict[str, str]
    unreadable: dict[Path, list[int]]


def serve(
    queues: Sequence[Queue],
    renderings: str,
    folder: Path,
    people: People,
    host: str,
    port: int,
    at_start: Callable[[Opened], None],
) -> list[Path]:
    """Serve the page until the process is asked to end, and return the logs with votes.

    `folder` holds the logs. `at_start` is called once the page takes requests. Raises
    `GainsayError` where the address or a log cannot be had, and beyond loopback without
    readers, whose links alone let anybody in there.
    """
    is_local = host in LOOPBACK
    if host in _ANY:
        raise GainsayError(
            f"--host {host}: name the address that readers will type, because requests to any"
            " other are refused"
        )
    if not is_local and not people.readers:
        raise GainsayError(
            f"--host {host}: name everybody who will review with --reader; each gets a link with"
            " a token; requests without one are refused"
        )
    with ExitStack() as stack:
        bound = stack.enter_context(bound_to(host, port))
        port = bound.getsockname()[1]
        registry = Readers(folder, people.adjudicators)
        desks: list[Desk] = []
        logs: list[VoteLog] = []
        for queue in queues:
            log = VoteLog(log_path(folder, queue))
            stack.callback(log.close)
            logs.append(log)
            hands = dealt(queue, people.deal) if people.deal else None
            desks.append(Desk(queue, log, adjudicators=people.adjudicators, assigned=hands))
        names = tuple(map(in_address, LOOPBACK if is_local else (host,)))
        address = f"http://{in_address(host)}:{port}"
        opened = Opened(
            address,
            {name: registry.link(address, name) for name in people.named},
            {log.path: log.unreadable for log in logs if log.unreadable},
        )
        place = Place(port, names, not is_local, tuple(people.readers) if people.deal else ())
        page = ReviewPage(desks, renderings, registry, place)
        run(page.app(lambda: at_start(opened)), bound)
        return [log.path for log in logs if log.path.stat().st_size]


class _ImpatientProtocol(H11Protocol):
    """A connection whose requests come within a while, or it is closed.

    Of connections on which a request is awaited or half there so many stay open; beyond that the
    one that waits longest makes room, so that none of them keeps out who asks for a page.
    """

    waiting: ClassVar[dict["_ImpatientProtocol", asyncio.TimerHandle]] = {}

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._await_request()

    def data_received(self, data: bytes) -> None:
        # a request that comes byte by byte has no more time for it
        super().data_received(data)
        if self.conn.their_state in _WHOLE:
            self._forget()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self.transport.is_closing() and self.conn.their_state not in _WHOLE:
            self._await_request()

    def connection_lost(self, exc: Exception | None) -> None:
        self._forget()
        super().connection_lost(exc)

    def _await_request(self) -> None:
        self._forget()
        if len(self.waiting) >= _MOST_WAITING:
            next(iter(self.waiting)).give_up()
        self.waiting[self] = self.loop.call_later(SECONDS_OF_A_REQUEST, self.give_up)

    def _forget(self) -> None:
        if timer := self.waiting.pop(self, None):
            timer.cancel()

    def give_up(self) -> None:
        """Close the connection at once."""
        self._forget()
        self.transport.abort()


def run(app: ASGIApp, bound: socket.socket) -> None:
    """Serve pages on a bound socket until the process is asked to end."""
    config = uvicorn.Config(
        app,
        http=_ImpatientProtocol,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        h11_max_incomplete_event_size=32 * 1024,
        limit_concurrency=512,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=10,
    )
    server = uvicorn.Server(config)
    with _no_interruption(server):
        server.run(sockets=[bound])


@contextmanager
def _no_interruption(server: uvicorn.Server) -> Iterator[None]:
    """Let a signal end the server and not what comes after it, which lands the votes."""

    def end(_number: int, _frame: FrameType | None) -> None:
        # the server takes signals itself once it runs; one that comes before ends it, too
        server.should_exit = True

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def in_address(host: str) -> str:
    """A host as it stands in an address."""
    return f"[{host}]" if ":" in host else host


@contextmanager
def bound_to(host: str, port: int) -> Iterator[socket.socket]:
    """A socket that takes connections. Raises `GainsayError` where the address cannot be had."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.create_server((host, port), family=family, backlog=256)
        # else every answer waits for the acknowledgement of its headers, some 40 ms: asyncio sets
        # this on sockets alone whose protocol was named, and an accepted one inherits it
        bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    except OSError as error:
        raise GainsayError(
            f"{host}:{port}: the page cannot be there: {error.strerror or error}; name another"
            " port with --port, or 0 for any"
        ) from error
    with bound:
        yield bound
