"""A client of servers that speak OpenAI's chat completions, with pictures attached."""

import base64
import json
import os
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import msgspec
import requests
from msgspec import Meta, Struct
from requests.adapters import HTTPAdapter
from urllib3.util import Retry

KEY_VARIABLE = "GAINSAY_API_KEY"

_ATTEMPTS = 5
_SECONDS_TO_CONNECT = 10
_MEDIA_TYPES = {".jpg": "jpeg", ".jpeg": "jpeg", ".png": "png", ".webp": "webp", ".gif": "gif"}
_LONGEST_MESSAGE = 200


class ChatError(Exception):
    """Why a question got no answer; the message holds nothing secret."""


@dataclass(frozen=True)
class Reply:
    """An answer, what it cost in tokens, and the logarithms of its tokens' probabilities."""

    text: str
    n_prompt_tokens: int
    n_completion_tokens: int
    token_logprobs: list[float] | None


class _Message(Struct):
    content: str


class _Token(Struct):
    logprob: float


class _Logprobs(Struct):
    content: list[_Token] | None = None


class _Choice(Struct):
    message: _Message
    logprobs: _Logprobs | None = None


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: _Usage | None = None


class ChatClient:
    """Asks one model of one server; may be used by many threads at once.

    Answers 429 and 5xx and broken connections are tried again, after what the server asks
    for or ever longer pauses. The key comes from the environment and goes into one header.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        max_tokens: int = 64,
        logprobs: bool = False,
        backoff_seconds: float = 1.0,
        timeout_seconds: float = 120.0,
    ) -> None:
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self._settings: dict[str, Any] = {
            "model": model,
            "max_tokens": max_tokens,
            "temperature": 0,
        } | ({"logprobs": True} if logprobs else {})
        self._timeout = (_SECONDS_TO_CONNECT, timeout_seconds)
        self._retry = Retry(
            total=_ATTEMPTS - 1,
            backoff_factor=backoff_seconds,
            status_forcelist=(429, 500, 502, 503, 504),
            allowed_methods=None,
            raise_on_status=False,
        )
        self._local = threading.local()

    def ask(self, prompt: str, image: bytes, file_name: str) -> Reply:
        """The answer to a prompt about a picture.

        Raises `ChatError` when the server refuses, stays silent, or answers something else.
        """
        picture = base64.b64encode(image).decode()
        media_type = _MEDIA_TYPES.get(Path(file_name).suffix.lower(), "jpeg")
        url = f"data:image/{media_type};base64,{picture}"
        content = [
            {"type": "image_url", "image_url": {"url": url}},
            {"type": "text", "text": prompt},
        ]
        body = self._settings | {"messages": [{"role": "user", "content": content}]}
        answer = self.complete(json.dumps(body))
        try:
            completion = msgspec.json.decode(answer, type=_Completion)
        except msgspec.DecodeError as error:
            raise ChatError(f"not a chat completion: {error}") from error
        choice, usage = completion.choices[0], completion.usage or _Usage()
        tokens = choice.logprobs.content if choice.logprobs else None
        return Reply(
            choice.message.content,
            usage.prompt_tokens,
            usage.completion_tokens,
            [token.logprob for token in tokens] if tokens else None,
        )

    def complete(self, body: str) -> str:
        """The server's answer, as it came, to the JSON text of a request.

        Raises `ChatError` when the server refuses or stays silent.
        """
        try:
            response = self._session().post(
                self._url,
                data=body.encode(),
                headers={"Content-Type": "application/json"},
                timeout=self._timeout,
            )
        except requests.RequestException as error:
            raise ChatError(f"no answer: {type(error).__name__}") from error
        if response.status_code != requests.codes.ok:
            # a server may repeat the key that it was given
            message = response.text.replace(os.environ.get(KEY_VARIABLE) or "\0", "(key)")
            raise ChatError(f"status {response.status_code}: {message[:_LONGEST_MESSAGE]}")
        return response.text

    def _session(self) -> requests.Session:
        """A session per thread: they are not made to be shared."""
        if not hasattr(self._local, "session"):
            session = requests.Session()
            # the environment is read once, not with every request
            settings = session.merge_environment_settings(self._url, {}, None, None, None)
            session.proxies, session.verify = settings["proxies"], settings["verify"]
            session.trust_env = False
            session.mount("http://", HTTPAdapter(max_retries=self._retry))
            session.mount("https://", HTTPAdapter(max_retries=self._retry))
            if key := os.environ.get(KEY_VARIABLE):
                session.headers["Authorization"] = f"Bearer {key}"
            self._local.session = session
        session = self._local.session
        assert isinstance(session, requests.Session)
        return session
