"""What clients of HTTP share: sessions, failures that pass, how long to wait, limits on answers.

Collectors, downloads and clients of models each decide when they give up; what a failure is that
passes, how long a server may have them wait, and how an answer is read, is decided here.

A server is not trusted with the time of its client: an answer has an end (`TimedAdapter`), however
slowly its bytes come. Nor with secrets: what it repeats of a key is taken out (`Secret`).
"""

import base64
import http.client
import io
import json
import os
import random
import re
import socket
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any, ClassVar, Final
from urllib.parse import quote, urlsplit, urlunsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.connection import HTTPConnection, HTTPSConnection
from urllib3.connectionpool import HTTPConnectionPool, HTTPSConnectionPool
from urllib3.poolmanager import PoolManager

from gainsay.foundation.errors import GainsayError

# what a client is told that came too early; all that is a server's own fault passes, too
_PASSING_STATUSES: Final = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
)


def passes(status: int) -> bool:
    """Whether a failure of this status may be gone at the next try."""
    return status in _PASSING_STATUSES or status >= HTTPStatus.INTERNAL_SERVER_ERROR


class PassingError(Exception):
    """A failure that may be gone at the next try, after `pause` seconds if the server says so."""

    def __init__(self, reason: str, status: int | None = None, pause: float | None = None) -> None:
        super().__init__(reason)
        self.status = status
        self.pause = pause

    def pause_of(self, own: float, longest: float, asked: str) -> float:
        """Seconds until the next try: `own`, or what the server asks for where that is longer.

        Raises `GainsayError`, which names what was `asked`, where it wants more than `longest`.
        """
        pause = self.pause or 0.0
        if pause > longest:
            raise GainsayError(
                f"{asked}: {self}; come back in {pause / 60:,.0f} minutes, and run the same command"
                " again: it goes on from here"
            ) from None
        return max(own, pause)


class TooLargeError(Exception):
    """An answer has more bytes than are taken."""


def require_lasting(response: requests.Response) -> None:
    """Raise `PassingError` for a status that passes, with what the server asks to wait."""
    if passes(response.status_code):
        raise PassingError(
            f"{response.status_code} {response.reason}",
            response.status_code,
            retry_after_seconds(response.headers),
        )


def body_of(response: requests.Response, most_bytes: int) -> bytes:
    """The body of an answer that is read as it comes. Raises `TooLargeError` beyond the limit."""
    announced = response.headers.get("Content-Length", "")
    if announced.isdecimal() and int(announced) > most_bytes:
        raise _too_large(f"{int(announced):,}", most_bytes)
    body = bytearray()
    while chunk := response.raw.read1(_CHUNK, decode_content=True):
        body += chunk
        if len(body) > most_bytes:
            raise _too_large("more", most_bytes)
    return bytes(body)


def _too_large(found: str, most_bytes: int) -> TooLargeError:
    return TooLargeError(f"too large: {found} bytes, at most {most_bytes:,} are taken")


def retry_after_seconds(headers: Mapping[str, str]) -> float | None:
    """Seconds that a server asks to wait, stated or as a date; None where it asks for nothing.

    A date that is past asks for nothing. Source: RFC 9110, section 10.2.3.
    """
    stated = headers.get("Retry-After", "")
    if stated.isdecimal():
        return float(stated)
    try:
        seconds = (parsedate_to_datetime(stated) - datetime.now(UTC)).total_seconds()
    except (TypeError, ValueError, OverflowError):
        return None
    return seconds if seconds > 0 else None


def pause_seconds(failures: int, longest: float) -> float:
    """Seconds to wait after so many failures in a row, `longest` at most.

    Twice as long after each, and spread, so that clients do not come back together.
    """
    longest = min(longest, 2.0**failures)
    return random.uniform(longest / 2, longest)  # noqa: S311 - no secret hangs on it


def file_version(headers: Mapping[str, str]) -> str | None:
    """What `If-Range` may hold: a strong entity tag, else the time of the last change.

    Source: RFC 9110, section 13.1.5.
    """
    tag = headers.get("ETag")
    if tag and not tag.startswith("W/"):
        return tag
    return headers.get("Last-Modified")


_CHUNK: Final = 2**16
# what is shorter stands in answers that repeat no key, such as EMPTY, as some local servers want it
_SHORTEST_SECRET: Final = 6
_BASE64_BITS: Final = 6


class Secret:
    """A key of a server, and the spellings of it that are taken out of what the server says."""

    def __init__(self, value: str) -> None:
        self.value = value
        self._spellings = sorted(_spellings(value), key=len, reverse=True) if value else []

    @property
    def is_short(self) -> bool:
        return len(self.value) < _SHORTEST_SECRET

    def taken_out(self, text: str) -> str:
        """The text with `(key)` for each spelling of the key."""
        for spelling in self._spellings:
            text = text.replace(spelling, "(key)")
        return text

    def taken_out_of_json(self, text: str) -> str:
        """The same of JSON, in which any letter of the key may stand as an escape.

        A key that is so short that ordinary text may hold it stays.
        """
        if self.is_short:
            return text
        text = self.taken_out(text)
        if "\\" not in text:
            return text
        try:
            plain = json.dumps(json.loads(text), ensure_ascii=False)
        except (ValueError, RecursionError):
            return text
        clean = self.taken_out(plain)
        return text if clean == plain else clean


def secret_of_environment(variable: str) -> Secret:
    """The key in a variable of the environment; an empty one where it is not set.

    Raises `GainsayError`, without the key, where no header could hold it.
    """
    value = os.environ.get(variable, "")
    if not re.fullmatch(r"[\x21-\x7e]*", value):
        raise GainsayError(
            f"{variable}: holds a space, a line's end or a letter beyond ASCII, which no key has;"
            " set it anew"
        )
    return Secret(value)


def checked_address(url: str, named_by: str) -> str:
    """The address of a server as a person gave it.

    Raises `GainsayError`, without a password, where it is no address of HTTP.
    """
    try:
        parts = urlsplit(url)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname)
        is_address &= parts.port is None or parts.port > 0
        # names of hosts and paths that cannot be encoded
        requests.Request("GET", url).prepare()
    except (ValueError, requests.RequestException):
        is_address = False
    if not is_address:
        raise GainsayError(
            f"{named_by} {without_password(url)!r}: is no address of a server; expected one such as"
            " https://example.org/v1"
        )
    return url


def without_password(url: str) -> str:
    """An address without the name and password that it may hold."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return re.sub(r"//[^/@]*@", "//", url)
    return urlunsplit(parts._replace(netloc=parts.netloc.rpartition("@")[2]))


def _spellings(value: str) -> set[str]:
    """A key as it is, as parts of addresses and JSON have it, and inside of any base64 text."""
    data = value.encode()
    found = {value, quote(value, safe=""), json.dumps(value)[1:-1]}
    for encode in (base64.b64encode, base64.urlsafe_b64encode):
        for n_before in range(3):
            # letters that hold bits of what stands before or behind are left out
            first = -(-8 * n_before // _BASE64_BITS)
            end = 8 * (n_before + len(data)) // _BASE64_BITS
            spelled = encode(b"\0" * n_before + data).decode()[first:end]
            if len(spelled) >= _SHORTEST_SECRET:
                found.add(spelled)
    return found


class DirectSession(requests.Session):
    """A session that follows no redirect, nor looks at where one leads."""

    def get_redirect_target(self, resp: requests.Response) -> None:
        """Nowhere: to read an address that is malformed would raise other errors than ours."""


class SlowAnswerError(Exception):
    """A server takes longer for the whole of an answer than it may."""


class TimedAdapter(HTTPAdapter):
    """Connections on which the whole of an answer takes at most `seconds`, from its first byte on.

    The timeout of a request bounds the silence between two bytes only. Reading raises
    `SlowAnswerError`. `https` may be another class for connections that no proxy makes.
    """

    def __init__(
        self, seconds: float, https: type[HTTPSConnection] = HTTPSConnection, **options: Any
    ) -> None:
        response = type("Response", (_TimedResponse,), {"seconds": seconds})
        self._pools = _pools(response, https)
        self._pools_of_proxies = _pools(response, HTTPSConnection)
        super().__init__(**options)

    def init_poolmanager(self, *arguments: Any, **options: Any) -> None:
        super().init_poolmanager(*arguments, **options)
        self.poolmanager.pool_classes_by_scheme = self._pools

    def proxy_manager_for(self, *arguments: Any, **options: Any) -> PoolManager:
        manager: PoolManager = super().proxy_manager_for(*arguments, **options)
        manager.pool_classes_by_scheme = self._pools_of_proxies
        return manager


def timed(
    session: requests.Session, seconds: float, https: type[HTTPSConnection] = HTTPSConnection
) -> requests.Session:
    """The session, with all of its answers as `TimedAdapter` reads them."""
    for scheme in ("http://", "https://"):
        session.mount(scheme, TimedAdapter(seconds, https))
    return session


def _pools(
    response: type[http.client.HTTPResponse], https: type[HTTPSConnection]
) -> dict[str, type[HTTPConnectionPool]]:
    """Classes of pools whose connections read their answers as such responses."""
    answers = {"response_class": response}
    plain_connection = type("Connection", (HTTPConnection,), answers)
    tls_connection = type("TlsConnection", (https,), answers)
    return {
        "http": type("Pool", (HTTPConnectionPool,), {"ConnectionCls": plain_connection}),
        "https": type("TlsPool", (HTTPSConnectionPool,), {"ConnectionCls": tls_connection}),
    }


class _TimedFile(io.RawIOBase):
    """What comes from a socket until a moment."""

    def __init__(self, connected: socket.socket, seconds: float) -> None:
        super().__init__()
        self._socket = connected
        self._longest_silence = connected.gettimeout()
        self._end = time.monotonic() + seconds
        # keeps the socket open until the answer is read
        self._file = connected.makefile("rb", buffering=0)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int | None:
        left = self._end - time.monotonic()
        if left > 0:
            silence = self._longest_silence
            self._socket.settimeout(left if silence is None else min(silence, left))
            try:
                return self._file.readinto(buffer)
            except TimeoutError:
                if time.monotonic() < self._end:
                    raise
        raise SlowAnswerError("the answer took too long")

    def close(self) -> None:
        self._file.close()
        super().close()


class _TimedSocket:
    """A socket as far as an answer needs it."""

    def __init__(self, connected: socket.socket, seconds: float) -> None:
        self._connected, self._seconds = connected, seconds

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_TimedFile(self._connected, self._seconds))


class _TimedResponse(http.client.HTTPResponse):
    seconds: ClassVar[float]

    def __init__(self, connected: Any, *arguments: Any, **options: Any) -> None:
        timed: Any = _TimedSocket(connected, self.seconds)
        super().__init__(timed, *arguments, **options)
