"""Serving the review page until somebody ends it."""

import signal
import socket
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Final
from urllib.parse import quote

import uvicorn

from gainsay.errors import GainsayError
from gainsay.review.app import Place, ReviewPage
from gainsay.review.desk import Desk
from gainsay.review.log import VoteLog
from gainsay.review.readers import Readers
from gainsay.review.records import Queue

LOOPBACK: Final = ("127.0.0.1", "localhost", "::1")
_ANY: Final = ("0.0.0.0", "::", "")  # noqa: S104 - refused below


@dataclass(frozen=True)
class Opened:
    """A page that takes requests: its address, and the links of the readers who were named."""

    address: str
    links: dict[str, str]
    n_unreadable: dict[Path, int]


def log_path(folder: Path, queue: Queue) -> Path:
    """The log of a queue; names of queues are no paths, whatever they hold."""
    return folder / f"{quote(queue.benchmark, safe='')}__{quote(queue.name, safe='')}.ndjson"


def serve(
    queues: Sequence[Queue],
    renderings: str,
    folder: Path,
    readers: Sequence[str],
    host: str,
    port: int,
    at_start: Callable[[Opened], None],
) -> list[Path]:
    """Serve the page until the process is asked to end, and return the logs with votes.

    `folder` holds the logs. `at_start` is called once the page takes requests. Raises
    `GainsayError` where the address or a log cannot be had, and beyond loopback without readers,
    whose links alone let anybody in there.
    """
    is_local = host in LOOPBACK
    if host in _ANY:
        raise GainsayError(
            f"--host {host}: name the address that readers will type, because requests to any"
            " other are refused"
        )
    if not is_local and not readers:
        raise GainsayError(
            f"--host {host}: name everybody who will review with --reader; each gets a link with"
            " a token, and nobody else gets in"
        )
    with ExitStack() as stack:
        bound = stack.enter_context(_bound(host, port))
        port = bound.getsockname()[1]
        registry = Readers(folder)
        desks: list[Desk] = []
        logs: list[VoteLog] = []
        for queue in queues:
            log = VoteLog(log_path(folder, queue))
            stack.callback(log.close)
            logs.append(log)
            desks.append(Desk(queue, log))
        names = tuple(map(_in_address, LOOPBACK if is_local else (host,)))
        address = f"http://{_in_address(host)}:{port}"
        opened = Opened(
            address,
            {reader: registry.link(address, reader) for reader in readers},
            {log.path: log.n_unreadable for log in logs if log.n_unreadable},
        )
        place = Place(port, names, has_links=not is_local)
        page = ReviewPage(desks, renderings, registry, place)
        _run(page, bound, lambda: at_start(opened))
        return [log.path for log in logs if log.path.stat().st_size]


def _run(page: ReviewPage, bound: socket.socket, at_start: Callable[[], None]) -> None:
    config = uvicorn.Config(
        page.app(at_start),
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
    with _no_interruption():
        uvicorn.Server(config).run(sockets=[bound])


@contextmanager
def _no_interruption() -> Iterator[None]:
    """Let a signal that ended the server not end what comes after it, which lands the votes."""

    def ignore(_number: int, _frame: FrameType | None) -> None:
        """The server has taken it."""

    before = {number: signal.signal(number, ignore) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _in_address(host: str) -> str:
    return f"[{host}]" if ":" in host else host


@contextmanager
def _bound(host: str, port: int) -> Iterator[socket.socket]:
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
