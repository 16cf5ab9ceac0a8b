"""The sources of collected images on loopback, in the shapes in which they answer.

Written by hand, with invented content: Wikimedia Commons' API and its files, Street View's metadata
and pictures, pictures of Open Images and of YFCC100M. A test says what goes wrong by `faults`, one
for each request that comes, in order.
"""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.python import image_specimens as specimens

# answers a request in its own way, and so stands for one fault
Fault = Callable[["SourcesHandler"], None]


@dataclass
class Sources:
    """What is served, and the requests that came, as path and query."""

    pictures: dict[str, bytes] = field(default_factory=dict)
    categories: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    found: list[dict[str, Any]] = field(default_factory=list)
    panoramas: dict[str, dict[str, Any]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    headers: list[dict[str, str]] = field(default_factory=list)
    url: str = ""

    def asked(self, path: str) -> list[dict[str, str]]:
        """The queries of the requests for a path, in order."""
        parts = [urlsplit(request) for request in self.requests]
        return [
            {name: values[0] for name, values in parse_qs(one.query).items()}
            for one in parts
            if one.path == path
        ]

    def file(self, pageid: int, name: str, **changed: Any) -> dict[str, Any]:
        """A page of a file, with its data; its picture is served."""
        self.pictures.setdefault(f"/{name}", specimens.jpeg(seed=pageid))
        metadata = {"License": "cc-by-sa-4.0", "Artist": '<a href="/User:S">Someone</a>'}
        metadata |= changed.pop("extmetadata", {})
        info = {
            "url": f"{self.url}/{name}",
            "thumburl": f"{self.url}/thumb/{name}",
            "width": 1024,
            "height": 768,
            "size": len(self.pictures[f"/{name}"]),
            "mime": "image/jpeg",
            "sha1": f"{pageid:040x}",
            "timestamp": "2015-10-31T23:00:49Z",
            "user": "Uploader",
            "descriptionurl": f"{self.url}/wiki/File:{name}",
            "extmetadata": {name: {"value": value, "source": "commons-desc-page"}
                            for name, value in metadata.items()},
        } | changed  # fmt: skip
        return {"pageid": pageid, "ns": 6, "title": f"File:{name}", "imageinfo": [info]}


class SourcesHandler(BaseHTTPRequestHandler):
    """Answers as the sources do."""

    sources: Sources

    def do_GET(self) -> None:
        """Answer one request."""
        self.sources.requests.append(self.path)
        self.sources.headers.append({name.lower(): value for name, value in self.headers.items()})
        fault = self.sources.faults.pop(0) if self.sources.faults else SourcesHandler.answer
        fault(self)

    def answer(self) -> None:
        """Answer well."""
        parts = urlsplit(self.path)
        query = {name: values[0] for name, values in parse_qs(parts.query).items()}
        if parts.path == "/w/api.php":
            self.json(self._commons(query))
        elif parts.path == "/maps/api/streetview/metadata":
            nothing = {"status": "ZERO_RESULTS"}
            self.json(self.sources.panoramas.get(query["location"], nothing))
        elif parts.path == "/maps/api/streetview":
            self.send(200, specimens.jpeg(seed=int(query["heading"])))
        elif parts.path in self.sources.pictures:
            self.send(200, self.sources.pictures[parts.path])
        else:
            self.send(404, b"not here")

    def _commons(self, query: dict[str, str]) -> dict[str, Any]:
        """One part of a listing: `parts` of a category are sent one for each request."""
        if query["generator"] == "search":
            return {"batchcomplete": True, "query": {"pages": self.sources.found}}
        parts = self.sources.categories.get(query["gcmtitle"], [])
        if not parts:
            return {"batchcomplete": True}
        number = int(query.get("gcmcontinue", "0"))
        return parts[number]

    def json(self, value: object, **headers: str) -> None:
        """Send an object."""
        self.send(200, json.dumps(value).encode(), **headers)

    def send(self, status: int, body: bytes, **headers: str) -> None:
        """Send a status, headers and a body."""
        self.send_response(status)
        for name, value in ({"Content_Length": str(len(body))} | headers).items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


def status(code: int, body: bytes = b"", **headers: str) -> Fault:
    """Send a status."""
    return lambda handler: handler.send(code, body, **headers)


def cut(handler: SourcesHandler) -> None:
    """Break the connection at half of what was announced."""
    body = specimens.jpeg()
    handler.send_response(200)
    handler.send_header("Content-Length", str(len(body)))
    handler.end_headers()
    handler.wfile.write(body[: len(body) // 2])
    handler.close_connection = True


def api_error(code: str, **headers: str) -> Fault:
    """Send an error in the way of Wikimedia's API: with status 200."""
    return lambda handler: handler.json({"error": {"code": code, "info": "later"}}, **headers)


def redirect(target: str) -> Fault:
    """Send elsewhere."""
    return lambda handler: handler.send(302, b"", Location=target)


@contextmanager
def serving(sources: Sources) -> Iterator[Sources]:
    """Serve the sources at `sources.url` until the block ends."""
    handler = type("Handler", (SourcesHandler,), {"sources": sources})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        sources.url = f"http://127.0.0.1:{server.server_address[1]}"
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        try:
            yield sources
        finally:
            server.shutdown()
            thread.join()
