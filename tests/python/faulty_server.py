"""A web server on loopback that serves one file, and fails in the ways it is told."""

import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# answers a request in its own way, and so stands for one fault
Fault = Callable[["FileHandler"], None]


@dataclass
class Site:
    """What is served, and the requests that came.

    Each request takes one of `faults` off; without any it is answered as it should be.
    """

    content: bytes
    etag: str | None = '"first"'
    last_modified: str | None = None
    faults: list[Fault] = field(default_factory=list)
    requests: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    @property
    def ranges(self) -> list[str | None]:
        """The `Range` header of every request, in order."""
        return [headers.get("range") for headers in self.requests]


class FileHandler(BaseHTTPRequestHandler):
    """Serves the site's file with ranges and versions, as RFC 9110 has it."""

    site: Site

    def do_GET(self) -> None:
        """Answer one request."""
        self.site.requests.append({name.lower(): value for name, value in self.headers.items()})
        fault = self.site.faults.pop(0) if self.site.faults else FileHandler.answer
        fault(self)

    def answer(self, cut_after: int | None = None) -> None:
        """Answer well; with `cut_after`, break the connection after that many bytes."""
        content = self.site.content
        first = self.first_byte()
        if first is not None and first >= len(content):
            self.head(416, {"Content-Range": f"bytes */{len(content)}", "Content-Length": "0"})
            return
        start = first or 0
        headers = self.versions() | {"Content-Length": str(len(content) - start)}
        if first is None:
            self.head(200, headers)
        else:
            stated = f"bytes {first}-{len(content) - 1}/{len(content)}"
            self.head(206, headers | {"Content-Range": stated})
        self.wfile.write(content[start:][:cut_after])
        self.close_connection = True

    def first_byte(self) -> int | None:
        """Where the asked range starts, if one is asked and its version is this one."""
        asked = re.fullmatch(r"bytes=(\d+)-", self.headers.get("Range", ""))
        expected = self.headers.get("If-Range")
        current = (self.site.etag, self.site.last_modified)
        return int(asked[1]) if asked and (expected is None or expected in current) else None

    def versions(self) -> dict[str, str]:
        """The headers that name the version of the file."""
        named = {"ETag": self.site.etag, "Last-Modified": self.site.last_modified}
        return {name: value for name, value in named.items() if value}

    def head(self, status: int, headers: dict[str, str]) -> None:
        """Send the status line and headers."""
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


def cut(after: int) -> Fault:
    """Break the connection after so many bytes of the body."""
    return lambda handler: handler.answer(cut_after=after)


def whole(content: bytes | None = None, **headers: str) -> Fault:
    """Send 200 and everything, whatever range is asked; `content` instead of the site's."""

    def answer(handler: FileHandler) -> None:
        body = handler.site.content if content is None else content
        handler.head(200, handler.versions() | {"Content-Length": str(len(body))} | headers)
        handler.wfile.write(body)

    return answer


def status(code: int, **headers: str) -> Fault:
    """Send an empty answer."""
    stated = {name.replace("_", "-"): value for name, value in headers.items()}
    return lambda handler: handler.head(code, {"Content-Length": "0"} | stated)


def hang_up(handler: FileHandler) -> None:
    """Close the connection without a word."""
    handler.close_connection = True


@contextmanager
def serving(site: Site) -> Iterator[Site]:
    """Serve a site at `site.url` until the block ends."""
    handler = type("Handler", (FileHandler,), {"site": site})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        site.url = f"http://127.0.0.1:{server.server_address[1]}/archive.zip"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield site
        finally:
            server.shutdown()
            thread.join()
