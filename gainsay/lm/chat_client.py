"""A client of servers that speak OpenAI's chat completions, with pictures attached."""

import base64
import json
import os
import threading
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated

import msgspec
import requests
from msgspec import Meta, Struct
from requests.adapters import HTTPAdapter

from gainsay.io.http import PASSING_STATUSES, retry_after_seconds
from gainsay.lm.model_properties import properties_of
from python_udfs.pixels.image_bytes import ImageUnreadableError, picture_format

KEY_VARIABLE = "GAINSAY_API_KEY"

_ATTEMPTS = 5
_SECONDS_TO_CONNECT = 10
_LONGEST_MESSAGE = 200
_LARGEST_ANSWER = 16 * 2**20
_UNSPOKEN = ("length", "content_filter")
_PASSING_ERRORS = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
)


class ChatError(Exception):
    """Why a question got no answer; the message holds nothing secret."""


class ChatStoppedError(ChatError):
    """The question was not asked, or not again: somebody stopped the asking."""


@dataclass(frozen=True)
class Reply:
    """An answer, what it cost in tokens, and the logarithms of its tokens' probabilities.

    `text` is null where the model refused, and cut where `finish_reason` is "length".
    `first_tokens` are the logarithms of what the first token could have been.
    """

    text: str | None
    n_prompt_tokens: int
    n_completion_tokens: int
    token_logprobs: list[float] | None
    finish_reason: str | None = None
    first_tokens: dict[str, float] = field(default_factory=dict)


@dataclass(frozen=True)
class Turn:
    """A question that was asked before, and what the model answered."""

    prompt: str
    answer: str


class _Message(Struct):
    content: str | None
    refusal: str | None = None


class _Alternative(Struct):
    token: str
    logprob: float


class _Token(Struct):
    logprob: float
    token: str = ""
    top_logprobs: list[_Alternative] = []


class _Logprobs(Struct):
    content: list[_Token] | None = None


class _Choice(Struct):
    message: _Message
    logprobs: _Logprobs | None = None
    finish_reason: str | None = None


class _Usage(Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(Struct):
    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: _Usage | None = None


class ChatClient:
    """Asks one model of one server; may be used by many threads at once.

    Statuses that pass and broken connections are tried again, after what the server asks for or
    ever longer pauses, but none longer than `longest_pause` seconds. Setting `stop` ends the
    pauses, and no question is asked any more. The key comes from the environment and goes into
    one header.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        max_tokens: int = 64,
        logprobs: bool = False,
        backoff_seconds: float = 1.0,
        longest_pause: float = 60.0,
        timeout_seconds: float = 120.0,
    ) -> None:
        self.model = model
        self.stop = threading.Event()
        self._url = f"{base_url.rstrip('/')}/chat/completions"
        self.properties = properties_of(model)
        self._settings = self.properties.settings(model, max_tokens)
        if logprobs and self.properties.gives_logprobs:
            self._settings["logprobs"] = True
        self._backoff_seconds = backoff_seconds
        self._longest_pause = longest_pause
        self._timeout = (_SECONDS_TO_CONNECT, timeout_seconds)
        self._local = threading.local()

    @property
    def parameters(self) -> dict[str, object]:
        """What every request says beside its messages, without the model."""
        return {name: value for name, value in self._settings.items() if name != "model"}

    def ask(
        self,
        prompt: str,
        image: bytes,
        *,
        further_images: Sequence[bytes] = (),
        earlier: Turn | None = None,
        n_alternatives: int = 0,
    ) -> Reply:
        """The answer to a prompt about a picture, or about an earlier turn with that picture.

        Further pictures are shown behind it, in their order.

        With `n_alternatives` the reply says what the first token could have been. Raises
        `ChatError` for bytes that are no picture, and when the server refuses, stays silent, or
        answers something else.
        """
        content: list[dict[str, object]] = [
            {"type": "image_url", "image_url": {"url": _data_url(each)}}
            for each in (image, *further_images)
        ]
        content.append({"type": "text", "text": earlier.prompt if earlier else prompt})
        messages: list[dict[str, object]] = [{"role": "user", "content": content}]
        if earlier:
            messages += [
                {"role": "assistant", "content": earlier.answer},
                {"role": "user", "content": prompt},
            ]
        body = self._settings | {"messages": messages}
        if n_alternatives:
            body |= {"logprobs": True, "top_logprobs": n_alternatives}
        answer = self.complete(json.dumps(body))
        try:
            completion = msgspec.json.decode(answer, type=_Completion)
        except msgspec.DecodeError as error:
            raise ChatError(f"not a chat completion: {error}") from error
        choice, usage = completion.choices[0], completion.usage or _Usage()
        # a refusal is an answer, and so is one that was cut before its first word
        is_answer = choice.message.refusal or choice.finish_reason in _UNSPOKEN
        if choice.message.content is None and not is_answer:
            raise ChatError("not a chat completion: it has no content, and no refusal")
        tokens = choice.logprobs.content if choice.logprobs else None
        return Reply(
            choice.message.content,
            usage.prompt_tokens,
            usage.completion_tokens,
            [token.logprob for token in tokens] if tokens else None,
            choice.finish_reason,
            _first_tokens(tokens or []),
        )

    def complete(self, body: str) -> str:
        """The server's answer, as it came, to the JSON text of a request.

        Raises `ChatError` when the server refuses or stays silent.
        """
        problem = ""
        pause = 0.0
        for attempt in range(_ATTEMPTS):
            if self.stop.wait(pause):
                raise ChatStoppedError("stopped before it was asked")
            retry_after = None
            try:
                status, retry_after, text = self._post(body)
            except _PASSING_ERRORS as error:
                problem = f"no answer: {type(error).__name__}"
            except requests.RequestException as error:
                raise ChatError(f"no answer: {type(error).__name__}") from error
            else:
                if status == requests.codes.ok:
                    return text
                # a server may repeat the key that it was given
                message = text.replace(os.environ.get(KEY_VARIABLE) or "\0", "(key)")
                problem = f"status {status}: {message[:_LONGEST_MESSAGE]}"
                if status not in PASSING_STATUSES:
                    raise ChatError(problem)
            if retry_after is None:
                retry_after = self._backoff_seconds * 2**attempt
            pause = min(retry_after, self._longest_pause)
        raise ChatError(problem)

    def _post(self, body: str) -> tuple[int, float | None, str]:
        """Status, the seconds that the server asks to wait, and the text of its answer."""
        with self._session().post(
            self._url,
            data=body.encode(),
            headers={"Content-Type": "application/json"},
            timeout=self._timeout,
            stream=True,
        ) as response:
            content = bytearray()
            for chunk in response.iter_content(64 * 1024):
                content += chunk
                if len(content) > _LARGEST_ANSWER:
                    raise ChatError(f"an answer of more than {_LARGEST_ANSWER:,} bytes")
            text = content.decode("utf-8", "replace")
            return response.status_code, retry_after_seconds(response.headers), text

    def _session(self) -> requests.Session:
        """A session per thread: they are not made to be shared."""
        if not hasattr(self._local, "session"):
            session = requests.Session()
            # the environment is read once, not with every request
            settings = session.merge_environment_settings(self._url, {}, None, None, None)
            session.proxies, session.verify = settings["proxies"], settings["verify"]
            session.trust_env = False
            session.mount("http://", HTTPAdapter(max_retries=0))
            session.mount("https://", HTTPAdapter(max_retries=0))
            if key := os.environ.get(KEY_VARIABLE):
                session.headers["Authorization"] = f"Bearer {key}"
            self._local.session = session
        session = self._local.session
        assert isinstance(session, requests.Session)
        return session


def _data_url(image: bytes) -> str:
    try:
        media_type = f"image/{picture_format(image).lower()}"
    except ImageUnreadableError as error:
        raise ChatError(f"no picture: {error}") from error
    return f"data:{media_type};base64,{base64.b64encode(image).decode()}"


def _first_tokens(tokens: Sequence[_Token]) -> dict[str, float]:
    """What the first token could have been, with the logarithms of the probabilities."""
    if not tokens:
        return {}
    first = tokens[0]
    return {first.token: first.logprob} | {each.token: each.logprob for each in first.top_logprobs}
