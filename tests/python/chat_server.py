"""An OpenAI-compatible server on loopback that answers, or fails as it is told."""

import base64
import hashlib
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from math import log
from typing import Any

from tests.python.provider_rules import refusal

Json = dict[str, Any]


@dataclass
class Chat:
    """What the server was asked, and what it does: `faults` are taken off one by one.

    It refuses what a real one refuses (`provider_rules`). `tokens` are the log-probabilities of an
    answer's tokens, and `verdict` the probabilities of what may stand first when the model is
    asked whether its answer is right; both are given where they are asked for. `message` says
    status and message for a request of `gainsay llm`, which has a system prompt; `images` are the
    hashes of the pictures that came.
    """

    faults: list[tuple[int, bytes]] = field(default_factory=list)
    answer: Callable[[str], str | None] = lambda _: "yes"
    message: Callable[[str], tuple[int, Json]] = lambda _: (200, {"content": "yes"})
    tokens: Callable[[str], list[float]] = lambda _: [-0.5]
    verdict: Callable[[str], dict[str, float]] = lambda _: {}
    finish_reason: str = "stop"
    # what it says that answers
    model: str | None = None
    requests: list[Json] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    images: set[str] = field(default_factory=set)
    most_at_once: int = 0
    hold: threading.Barrier | None = None
    url: str = ""
    _now: int = 0
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def receive(self, body: Json, key: str | None) -> tuple[int, bytes]:
        """Note a request and say what to send."""
        with self._lock:
            self.requests.append(body)
            self.keys.append(key)
            self._now += 1
            self.most_at_once = max(self.most_at_once, self._now)
            fault = self.faults.pop(0) if self.faults else None
        try:
            if self.hold:
                self.hold.wait()
            return fault or refusal(body) or self._reply(body)
        finally:
            with self._lock:
                self._now -= 1

    def _reply(self, body: Json) -> tuple[int, bytes]:
        system, *texts = body["messages"]
        if system["role"] != "system":
            return 200, self._completion(body)
        content = texts[-1]["content"]
        if isinstance(content, list):
            *pictures, text = content
            self._see(pictures)
            content = text["text"]
        status, message = self.message(content)
        choice = {"message": message, "finish_reason": self.finish_reason}
        return status, json.dumps({"choices": [choice]}).encode()

    def _see(self, pictures: list[Json]) -> None:
        for picture in pictures:
            data = base64.b64decode(picture["image_url"]["url"].partition("base64,")[2])
            self.images.add(hashlib.sha256(data).hexdigest())

    def _completion(self, body: Json) -> bytes:
        first, *further = body["messages"]
        *pictures, text = first["content"]
        self._see(pictures)
        said = "Yes" if further else self.answer(text["text"])
        choice: Json = {
            "message": {"role": "assistant", "content": said},
            "finish_reason": self.finish_reason,
        }
        if body.get("logprobs"):
            choice["logprobs"] = {"content": self._tokens(text["text"], bool(further))}
        usage = {"prompt_tokens": 500, "completion_tokens": 20}
        named = {} if self.model is None else {"model": self.model}
        return json.dumps({"choices": [choice], "usage": usage} | named).encode()

    def _tokens(self, prompt: str, is_second_turn: bool) -> list[Json] | None:
        if not is_second_turn:
            return [{"token": "yes", "logprob": logprob} for logprob in self.tokens(prompt)]
        given = sorted(self.verdict(prompt).items(), key=lambda item: -item[1])
        spelled = [{"token": token, "logprob": log(p)} for token, p in given]
        return [spelled[0] | {"top_logprobs": spelled}] if spelled else None


@contextmanager
def serve() -> Iterator[Chat]:
    """Serve until the block ends."""
    chat = Chat()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, content = chat.receive(body, self.headers.get("Authorization"))
            if status == 0:
                self.close_connection = True
                return
            self.send_response(status)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, *arguments: object) -> None:
            """Say nothing."""

    class Server(ThreadingHTTPServer):
        # five wait otherwise, and a sixth is turned away until it tries again
        request_queue_size = 128

    server = Server(("127.0.0.1", 0), Handler)
    chat.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield chat
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
