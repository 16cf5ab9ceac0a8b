"""An OpenAI-compatible server on loopback that fails in every way, and keeps count of it all.

It refuses what a real one refuses (`provider_rules`).

It runs in a thread of its own and answers thousands of requests; what it does with one is said
by the last word of the request's text.
"""

import asyncio
import json
import math
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from tests.python.provider_rules import refusal

ANSWER = json.dumps({"label": "TEXT"})
PASSING = {"busy": 429, "broken": 500, "down": 503}


@dataclass
class Fickle:
    """What the server has seen: how often each text, which keys, how many at once."""

    asked: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    keys: set[str | None] = field(default_factory=set)
    most_at_once: int = 0
    url: str = ""
    retry_after: str | None = None
    release: Callable[[], object] = lambda: None
    _now: int = 0
    _reached: dict[int, threading.Event] = field(default_factory=dict)
    _held_from: float = math.inf
    _released: asyncio.Event = field(default_factory=asyncio.Event)
    _another: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def n_asked(self) -> int:
        """Requests that came, repetitions included."""
        return self.asked.total()

    def after(self, n_asked: int) -> threading.Event:
        """An event that is set once so many requests have come."""
        return self._reached.setdefault(n_asked, threading.Event())

    def hold_from(self, n_asked: int) -> threading.Event:
        """Answer no request from this one on until `release`; the event is that it has come."""
        self._held_from = n_asked
        return self.after(n_asked)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer the requests of one connection."""
        try:
            while head := await reader.readuntil(b"\r\n\r\n"):
                headers = dict(
                    line.split(": ", 1) for line in head.decode().split("\r\n")[1:] if line
                )
                names = {name.lower(): value for name, value in headers.items()}
                body = json.loads(await reader.readexactly(int(names["content-length"])))
                self.keys.add(names.get("authorization"))
                self._now += 1
                self.most_at_once = max(self.most_at_once, self._now)
                refused = refusal(body)
                try:
                    if refused:
                        reply = _response(refused[0], refused[1].decode())
                    else:
                        reply = await self._reply(body["messages"][-1]["content"], names)
                finally:
                    self._now -= 1
                writer.write(reply)
                await writer.drain()
                if not reply or reply.endswith(b"cut"):
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _reply(self, text: str, headers: dict[str, str]) -> bytes:
        self.asked[text] += 1
        is_first = self.asked[text] == 1
        self._another.set()
        self._another = another = asyncio.Event()
        if event := self._reached.get(self.n_asked):
            event.set()
        if self.n_asked >= self._held_from:
            await self._released.wait()
        fate = text.rsplit(maxsplit=1)[-1]
        if is_first and fate == "slow":
            # it is overtaken
            await another.wait()
        if is_first and fate in PASSING:
            return _response(PASSING[fate], "slow down", self.retry_after)
        if fate == "denied":
            return _response(401, f"wrong key {headers.get('authorization')}")
        if is_first and fate == "silent":
            return b""
        if is_first and fate == "cut":
            return b"HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{cut"
        if fate != "malformed":
            self.answered[text] += 1
        message: dict[str, str | None] = {"content": ANSWER}
        match fate:
            case "malformed":
                return _response(200, '{"choices": [')
            case "babble":
                message = {"content": "TEXT, I would say"}
            case "refused":
                message = {"content": None, "refusal": "I cannot"}
        reason = {"truncated": "length", "filtered": "content_filter"}.get(fate, "stop")
        return _response(
            200, json.dumps({"choices": [{"finish_reason": reason, "message": message}]})
        )


def _response(status: int, text: str, retry_after: str | None = None) -> bytes:
    headers = f"Content-Length: {len(text)}\r\n"
    if retry_after:
        headers += f"Retry-After: {retry_after}\r\n"
    return f"HTTP/1.1 {status} Said\r\n{headers}\r\n{text}".encode()


@contextmanager
def serve() -> Iterator[Fickle]:
    """Serve until the block ends."""
    fickle = Fickle()
    ready = threading.Event()
    stopping: list[Callable[[], object]] = []

    async def main() -> None:
        stop = asyncio.Event()
        loop = asyncio.get_running_loop()
        stopping.append(lambda: loop.call_soon_threadsafe(stop.set))
        fickle.release = lambda: loop.call_soon_threadsafe(fickle._released.set)
        server = await asyncio.start_server(fickle.serve, "127.0.0.1", 0, backlog=256)
        fickle.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        ready.set()
        await stop.wait()
        server.close()

    thread = threading.Thread(target=asyncio.run, args=(main(),))
    thread.start()
    ready.wait()
    try:
        yield fickle
    finally:
        stopping[0]()
        thread.join()
