"""The review page as a process of its own, and a reader who talks to it without a browser."""

import http.client
import json
import os
import resource
import secrets
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.python.conftest import PATIENCE, PROJECT

Json = dict[str, Any]


class ReviewServer:
    """`gainsay review` on a free port, to be killed and started again at the same one."""

    def __init__(self, warehouse: Path, *arguments: str) -> None:
        self.warehouse = warehouse
        self.logs = warehouse.parent / "votes"
        self._arguments = arguments
        self._process: subprocess.Popen[str] | None = None
        self.port = 0

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self, *arguments: str) -> list[str]:
        """Start it; returns what it says."""
        self._process = subprocess.Popen(
            [
                sys.executable, "-m", "gainsay", "review", "--no-browser", "--port", str(self.port),
                "--log", str(self.logs), *self._arguments, *arguments,
            ],
            cwd=PROJECT,
            env=os.environ | {"GAINSAY_DB": str(self.warehouse), "PYTHONUNBUFFERED": "1"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )  # fmt: skip
        assert self._process.stdout is not None
        said: list[str] = []
        for line in self._process.stdout:
            said.append(line.rstrip("\n"))
            if line.startswith("Ctrl+C"):
                break
        addresses = [word for line in said for word in line.split() if word.startswith("http://")]
        assert addresses, said
        self.port = urlsplit(addresses[0]).port or 0
        return said

    def limit_files(self, most_bytes: int = resource.RLIM_INFINITY) -> None:
        """Let no file of it grow beyond so many bytes from now on, as a full disk does."""
        assert self._process is not None
        resource.prlimit(
            self._process.pid, resource.RLIMIT_FSIZE, (most_bytes, resource.RLIM_INFINITY)
        )

    def kill(self) -> None:
        """End it at once, whatever it is doing, if it runs."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def stop(self) -> str:
        """Ask it to end, and return what it says of it."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        output, _ = self._process.communicate()
        self._process = None
        return output

    def events(self) -> list[Json]:
        """The events of all logs."""
        return [
            json.loads(line)
            for log in sorted(self.logs.glob("*.ndjson"))
            for line in log.read_text().splitlines()
        ]


@contextmanager
def review_server(warehouse: Path, *arguments: str) -> Iterator[ReviewServer]:
    """A server that has started, and is killed at the end if it still runs."""
    server = ReviewServer(warehouse, *arguments)
    server.start()
    try:
        yield server
    finally:
        server.kill()


class Reader:
    """A reader without a browser, by one connection that stays open."""

    def __init__(self, port: int, name: str) -> None:
        self.name = name
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self._cookie = ""
        status, _ = self.post("/api/session", {"reader": name})
        assert status == 200

    def post(self, path: str, body: object) -> tuple[int, Json]:
        """Send a request as the page does; the status and what was answered."""
        headers = {"Content-Type": "application/json", "Cookie": self._cookie}
        self._connection.request("POST", path, json.dumps(body), headers)
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        if cookie := response.headers.get("Set-Cookie"):
            self._cookie = cookie.partition(";")[0]
        return response.status, answer

    def next(self, queue: tuple[str, str], **more: object) -> Json:
        status, answer = self.post("/api/next", {"benchmark": queue[0], "queue": queue[1], **more})
        assert status == 200, answer
        return answer

    def vote(
        self, queue: tuple[str, str], record: Json, answer: str, question: str = "verdict"
    ) -> Json:
        """An event as the page makes it."""
        return {
            "event_id": secrets.token_hex(16), "kind": "vote", "benchmark": queue[0],
            "queue": queue[1], "record_id": record["record_id"],
            "record_md5": record["record_md5"], "question": question, "answer": answer,
            "note": None, "reader": self.name,
        }  # fmt: skip

    def undo(self, vote: Json) -> Json:
        """The event that takes a vote back."""
        return vote | {
            "event_id": secrets.token_hex(16), "kind": "undo", "answer": None, "note": None,
            "undoes": vote["event_id"],
        }  # fmt: skip

    def send(self, *events: Json) -> tuple[int, Json]:
        return self.post("/api/votes", {"events": list(events)})


def until(condition: Callable[[], bool], what: str, driver: Any) -> None:
    """Wait in a browser until something is so."""
    from selenium.webdriver.support.wait import WebDriverWait

    WebDriverWait(driver, PATIENCE, poll_frequency=0.05).until(lambda _: condition(), what)
