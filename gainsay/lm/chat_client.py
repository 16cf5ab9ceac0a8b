"""A client of servers that speak OpenAI's chat completions, with pictures attached."""

import base64
import json
import math
import re
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Annotated, Literal, TypeVar

import msgspec
import requests
from msgspec import Meta, Struct
from urllib3.exceptions import HTTPError

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.http import (
    DirectSession,
    SlowAnswerError,
    TooLargeError,
    body_of,
    checked_address,
    passes,
    retry_after_seconds,
    secret_of_environment,
    timed,
)
from gainsay.lm.model_properties import properties_of
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, picture_format

KEY_VARIABLE = "GAINSAY_API_KEY"

_ATTEMPTS = 5
_SECONDS_TO_CONNECT = 10
_LONGEST_MESSAGE = 200
_LARGEST_ANSWER = 16 * 2**20
_UNSPOKEN = ("length", "content_filter")
_REDIRECTS = range(300, 400)
# what may be wrong with a command: the key, or the server's address
Doubt = Literal["key", "address"]
_DOUBTS: dict[int, Doubt] = {
    HTTPStatus.UNAUTHORIZED: "key",
    HTTPStatus.FORBIDDEN: "key",
    HTTPStatus.NOT_FOUND: "address",
    HTTPStatus.METHOD_NOT_ALLOWED: "address",
}
_LONGEST_MODEL = 200
# an answer comes whole once it is thought out: this many times the longest silence is enough
_SILENCES_OF_AN_ANSWER = 2
_PASSING_ERRORS = (
    requests.ConnectionError,
    requests.Timeout,
    requests.exceptions.ChunkedEncodingError,
    HTTPError,
)
# halves of a UTF-16 pair: JSON can spell them, no text can hold them
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


class ChatError(Exception):
    """Why a question got no answer; the message holds nothing secret.

    `doubt` is what may be wrong with the command rather than with the server.
    """

    def __init__(self, message: str, doubt: Doubt | None = None) -> None:
        super().__init__(message)
        self.doubt = doubt


class UnaskedError(ChatError):
    """The question could not be asked: what is to be sent with it cannot be read."""


class ChatStoppedError(ChatError):
    """The question was not asked, or not again: somebody stopped the asking."""


@dataclass(frozen=True)
class Reply:
    """An answer, what it cost in tokens, and the logarithms of its tokens' probabilities.

    `text` is null where the model refused, and cut where `finish_reason` is "length".
    `first_tokens` are the logarithms of what the first token could have been. `model` is what the
    server says that answered; null where it says nothing.
    """

    text: str | None
    n_prompt_tokens: int
    n_completion_tokens: int
    token_logprobs: list[float] | None
    finish_reason: str | None = None
    first_tokens: dict[str, float] = field(default_factory=dict)
    model: str | None = None


@dataclass(frozen=True)
class Turn:
    """A question that was asked before, and what the model answered."""

    prompt: str
    answer: str


_Kind = TypeVar("_Kind")
# of a probability, which rounding may bring a little above 1
_LogProbability = Annotated[float, Meta(le=1e-3)]


class _Message(Struct):
    content: str | None
    refusal: str | None = None


class _Alternative(Struct):
    token: str
    logprob: _LogProbability


class _Token(Struct):
    logprob: _LogProbability
    token: str = ""
    top_logprobs: list[_Alternative] = []


class _Logprobs(Struct):
    content: list[_Token] | None = None


class _Choice(Struct):
    message: _Message
    # what follows is beside the answer, which counts whatever a server writes there
    logprobs: msgspec.Raw = msgspec.Raw(b"null")
    finish_reason: msgspec.Raw = msgspec.Raw(b"null")


class _Usage(Struct):
    prompt_tokens: float | None = None
    completion_tokens: float | None = None


class _Completion(Struct):
    choices: Annotated[list[_Choice], Meta(min_length=1)]
    usage: msgspec.Raw = msgspec.Raw(b"null")
    model: msgspec.Raw = msgspec.Raw(b"null")


# made before threads ask: msgspec crashes where two are the first to learn what a struct is
_read_completion = msgspec.json.Decoder(_Completion).decode
_read_usage = msgspec.json.Decoder(_Usage).decode
_read_logprobs = msgspec.json.Decoder(_Logprobs).decode
_read_text = msgspec.json.Decoder(str).decode


class ChatClient:
    """Asks one model of one server; may be used by many threads at once.

    Statuses that pass and broken connections are tried again, after what the server asks for or
    ever longer pauses, but none longer than `longest_pause` seconds. Setting `stop` ends the
    pauses, and no question is asked any more. The key comes from the environment and goes into
    one header; where a server repeats it, it is taken out of what is kept or shown. No redirect is
    followed, so that prompts, pictures and the key go to the server that was named alone. Raises
    `GainsayError` for a key or an address that cannot be sent.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        max_tokens: int = 64,
        logprobs: bool = False,
        temperature: float | None = None,
        backoff_seconds: float = 1.0,
        longest_pause: float = 60.0,
        timeout_seconds: float = 120.0,
    ) -> None:
        self.model = model
        self.stop = threading.Event()
        address = checked_address(base_url, "--base-url")
        self._url = f"{address.rstrip('/')}/chat/completions"
        self._key = secret_of_environment(KEY_VARIABLE)
        self.properties = properties_of(model)
        self._settings = self.properties.settings(model, max_tokens)
        if logprobs and self.properties.gives_logprobs:
            self._settings["logprobs"] = True
        if temperature is not None:
            if self.properties.temperature is None:
                raise GainsayError(
                    f"{model} takes no temperature, by seeds/shared/llm/llm_models.csv"
                )
            self._settings["temperature"] = temperature
        self._backoff_seconds = backoff_seconds
        self._longest_pause = longest_pause
        self._timeout = (_SECONDS_TO_CONNECT, timeout_seconds)
        self._seconds_of_answer = _SILENCES_OF_AN_ANSWER * timeout_seconds
        self._local = threading.local()

    @property
    def parameters(self) -> dict[str, object]:
        """What every request says beside its messages, without the model."""
        return {name: value for name, value in self._settings.items() if name != "model"}

    def ask(
        self,
        prompt: str,
        image: bytes | None,
        *,
        further_images: Sequence[bytes] = (),
        earlier: Turn | None = None,
        n_alternatives: int = 0,
    ) -> Reply:
        """The answer to a prompt about a picture, or about an earlier turn with that picture.

        Further pictures are shown behind it, in their order; without `image` none is shown.

        With `n_alternatives` the reply says what the first token could have been. Raises
        `ChatError` for bytes that are no picture, and when the server refuses, stays silent, or
        answers something else.
        """
        content: list[dict[str, object]] = [
            {"type": "image_url", "image_url": {"url": _data_url(each)}}
            for each in (() if image is None else (image, *further_images))
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
        completion = _completion_of(self.complete(json.dumps(body)))
        choice = completion.choices[0]
        usage = _decoded(completion.usage, _read_usage) or _Usage()
        logprobs = _decoded(choice.logprobs, _read_logprobs)
        tokens = logprobs.content if logprobs else None
        return Reply(
            choice.message.content,
            _count(usage.prompt_tokens),
            _count(usage.completion_tokens),
            [min(token.logprob, 0.0) for token in tokens] if tokens else None,
            _decoded(choice.finish_reason, _read_text),
            _first_tokens(tokens or []),
            (_decoded(completion.model, _read_text) or "")[:_LONGEST_MODEL] or None,
        )

    def complete(self, body: str) -> str:
        """The server's answer to the JSON text of a request: a chat completion, as it came.

        Raises `ChatError` when the server refuses, stays silent, or answers something else.
        """
        problem = ""
        doubt: Doubt | None = None
        pause = 0.0
        for attempt in range(_ATTEMPTS):
            if self.stop.wait(pause):
                raise ChatStoppedError("stopped before it was asked")
            retry_after = doubt = None
            try:
                status, retry_after, text = self._post(body)
            except _PASSING_ERRORS as error:
                problem = f"no answer: {type(error).__name__}"
                doubt = "address"
            except SlowAnswerError as error:
                # it may have been paid for, and is not asked for again at once
                seconds = self._seconds_of_answer
                raise ChatError(f"no whole answer within {seconds:g} s") from error
            except (requests.RequestException, ValueError) as error:
                raise ChatError(f"no answer: {type(error).__name__}", "address") from error
            else:
                if status == requests.codes.ok:
                    return self._checked(text)
                problem = f"status {status}: {self._shortened(text)}"
                if status in _REDIRECTS:
                    raise ChatError(
                        f"status {status}: the server sends elsewhere, where nothing is sent; name"
                        " its own address with --base-url"
                    )
                if not passes(status):
                    raise ChatError(problem, _DOUBTS.get(status))
            if retry_after is None:
                retry_after = self._backoff_seconds * 2**attempt
            pause = min(retry_after, self._longest_pause)
        raise ChatError(problem, doubt)

    def _checked(self, text: str) -> str:
        """The text of a chat completion, without the key. Raises `ChatError` for anything else."""
        answer = _sound_json(self._key.taken_out_of_json(text))
        try:
            _completion_of(answer)
        except ChatError as error:
            raise ChatError(f"{error}: {self._shortened(text)}", "address") from error
        return answer

    def _shortened(self, text: str) -> str:
        """The beginning of an answer, on one line and without the key."""
        return " ".join(self._key.taken_out(text).split())[:_LONGEST_MESSAGE]

    def _post(self, body: str) -> tuple[int, float | None, str]:
        """Status, the seconds that the server asks to wait, and the text of its answer."""
        with self._session().post(
            self._url,
            data=body.encode(),
            headers={"Content-Type": "application/json"},
            timeout=self._timeout,
            stream=True,
            allow_redirects=False,
        ) as response:
            try:
                text = body_of(response, _LARGEST_ANSWER).decode("utf-8", "replace")
            except TooLargeError as error:
                raise ChatError(f"no answer: {error}") from None
            return response.status_code, retry_after_seconds(response.headers), text

    def _session(self) -> requests.Session:
        """A session per thread: they are not made to be shared."""
        if not hasattr(self._local, "session"):
            session = DirectSession()
            # the environment is read once, not with every request
            settings = session.merge_environment_settings(self._url, {}, None, None, None)
            session.proxies, session.verify = settings["proxies"], settings["verify"]
            session.trust_env = False
            timed(session, self._seconds_of_answer)
            if self._key.value:
                session.headers["Authorization"] = f"Bearer {self._key.value}"
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


def _completion_of(answer: str) -> _Completion:
    """An answer as the chat completion that it is. Raises `ChatError` for anything else."""
    try:
        completion = _read_completion(answer)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ChatError(f"not a chat completion: {error}") from error
    choice = completion.choices[0]
    # a refusal is an answer, and so is one that was cut before its first word
    is_answer = choice.message.refusal or _decoded(choice.finish_reason, _read_text) in _UNSPOKEN
    if choice.message.content is None and not is_answer:
        raise ChatError("not a chat completion: it has no content, and no refusal")
    return completion


def _sound_json(text: str) -> str:
    """JSON that others wrote, as every reader takes it; a text that is not JSON stays as it is.

    Half of a UTF-16 pair becomes a replacement character, and NaN or Infinity becomes null.
    """
    try:
        msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        try:
            value = json.loads(text, parse_constant=_finite, parse_float=_finite, parse_int=_finite)
            spelled = json.dumps(value, ensure_ascii=False)
        except (ValueError, RecursionError):
            return text
        return _LONE_SURROGATE.sub("\ufffd", spelled)
    return text


def _finite(number: str) -> int | float | None:
    """A number as every reader has it; null for none, and for one beyond all limits."""
    value = float(number)
    if not math.isfinite(value):
        return None
    return int(number) if number.lstrip("-").isdecimal() else value


def _decoded(raw: msgspec.Raw, read: Callable[[msgspec.Raw], _Kind]) -> _Kind | None:
    """What a server says beside its answer; None where it is of another form."""
    try:
        return read(raw)
    except (msgspec.DecodeError, RecursionError):
        return None


def _count(value: float | None) -> int:
    """A number of tokens; 0 where a server states none."""
    return int(value) if value is not None and math.isfinite(value) and value > 0 else 0
