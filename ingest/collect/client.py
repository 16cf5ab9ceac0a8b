"""How collectors ask a source: one request at a time, at its pace, of its own hosts alone.

Whatever comes from a source is hostile until it is read with limits. Addresses in its answers are
followed only to hosts of its list, over TLS, and never to an address of this machine or its
network, redirects included; bodies are bounded before they are held. An origin that the caller
names (`--base-url`, a mirror or a test's server) takes the place of all hosts, and is exempt.
"""

import ipaddress
import re
import socket
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, Protocol
from urllib.parse import quote, urlencode, urljoin, urlsplit, urlunsplit

import requests
from urllib3.connection import HTTPSConnection
from urllib3.exceptions import HTTPError

from gainsay.foundation.http import (
    DirectSession,
    PassingError,
    SlowAnswerError,
    TooLargeError,
    body_of,
    require_lasting,
    retry_after_seconds,
    timed,
)

_SECONDS_TO_CONNECT, _SECONDS_OF_SILENCE, _SECONDS_OF_ANSWER = 15, 60, 900
_MOST_REDIRECTS: Final = 5
# Wikimedia gives thumbnails of some widths only, and says so with a status that elsewhere passes
_THUMBNAIL_STEPS: Final = re.compile(rb"thumbnail\s+(?:steps|sizes)|w\.wiki/GHai", re.IGNORECASE)
_SECRET_PARAMETERS: Final = re.compile(r"(?<=[?&])(?:key|signature)=[^&#]*&?")


class Clock(Protocol):
    """Time that passes and can be waited for."""

    def now(self) -> float:
        """Seconds since some moment."""

    def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's clock."""

    def now(self) -> float:
        return time.monotonic()

    def sleep(self, seconds: float) -> None:
        time.sleep(seconds)


@dataclass(frozen=True)
class Pace:
    """How often a source is asked, how long is waited before each further try, and at most."""

    requests_per_second: float
    pauses: tuple[float, ...]
    longest_retry_after: float


@dataclass(frozen=True)
class Hosts:
    """The hosts that a source's addresses may name; `.a.org` stands for all below a.org.

    With `base_url` all requests go to that origin instead, whatever host they name.
    """

    names: tuple[str, ...]
    base_url: str | None = None

    def resolve(self, url: str) -> str:
        """The address that is asked for `url`. Raises `RefusedAddressError`."""
        try:
            parts = urlsplit(url)
            port = parts.port
        except ValueError as error:
            raise RefusedAddressError(url, "it is no address") from error
        if parts.scheme not in ("http", "https"):
            raise RefusedAddressError(url, f"its scheme is {parts.scheme or 'missing'}, not https")
        if self.base_url:
            base = urlsplit(self.base_url)
            own = urlunsplit((base.scheme, base.netloc, parts.path, parts.query, ""))
            if parts.hostname not in (base.hostname, None) and self._is_listed(parts.hostname):
                return own
            if (parts.scheme, parts.netloc) != (base.scheme, base.netloc):
                raise RefusedAddressError(url, f"{parts.netloc} is not {base.netloc}")
            return own
        if parts.username or parts.password or port not in (None, 80, 443):
            raise RefusedAddressError(url, "it names a user or a port")
        if not self._is_listed(parts.hostname):
            raise RefusedAddressError(url, f"{parts.hostname} is no host of this source")
        return urlunsplit(("https", str(parts.hostname), parts.path, parts.query, ""))

    def _is_listed(self, host: str | None) -> bool:
        return host is not None and any(
            host == name or (name.startswith(".") and host.endswith(name)) for name in self.names
        )


@dataclass(frozen=True)
class Answer:
    """What a request brought, and how many requests that took."""

    status: int
    headers: Mapping[str, str]
    body: bytes
    n_requests: int


class NoAnswerError(Exception):
    """Why a request brought nothing; the message holds no secret.

    `is_final` is set where asking again would bring the same.
    """

    def __init__(
        self, reason: str, *, status: int | None = None, n_requests: int = 0, is_final: bool = True
    ) -> None:
        super().__init__(reason)
        self.status = status
        self.n_requests = n_requests
        self.is_final = is_final


class RefusedAddressError(NoAnswerError):
    """An address that is not asked."""

    def __init__(self, url: str, reason: str) -> None:
        super().__init__(f"{without_secrets(url)[:200]}: refused: {reason}")


class PrivateAddressError(Exception):
    """A host's name led to an address of this machine or its network."""


# what an answer says of itself in its body: a reason to ask again, None for none
Check = Callable[[bytes], str | None]


class Client:
    """Asks one source, serially.

    A request is tried once, and again after each of the pause's seconds, or after what the server
    asks for where that is longer. `headers` go to the first host alone, `secrets` into no message.
    The whole of an answer takes at most `seconds_of_answer`.
    """

    def __init__(
        self,
        hosts: Hosts,
        pace: Pace,
        clock: Clock,
        *,
        user_agent: str,
        headers: Mapping[str, str] | None = None,
        secrets: Sequence[str] = (),
        seconds_of_answer: float = _SECONDS_OF_ANSWER,
    ) -> None:
        self._hosts = hosts
        self._pace = pace
        self._clock = clock
        self._headers = {"User-Agent": user_agent, "Accept-Encoding": "identity"}
        self._own_headers = dict(headers or {})
        self._secrets = [secret for secret in secrets if secret]
        self._last_request: float | None = None
        https = HTTPSConnection if hosts.base_url else _PublicConnection
        self._session = timed(DirectSession(), seconds_of_answer, https)

    def close(self) -> None:
        """Close the connections."""
        self._session.close()

    def get(
        self,
        url: str,
        parameters: Mapping[str, object] | None = None,
        *,
        most_bytes: int,
        check: Check | None = None,
    ) -> Answer:
        """The answer to one request.

        Raises `NoAnswerError` where there is none, and `GainsayError` where the server asks to be
        left alone for longer than the pace allows.
        """
        address = f"{url}?{urlencode(parameters)}" if parameters else url
        for n_requests, pause in enumerate((*self._pace.pauses, None), 1):
            try:
                status, headers, body = self._request(address, most_bytes)
                if check and (reason := check(body)):
                    raise PassingError(reason, status, retry_after_seconds(headers))
                return Answer(status, headers, body, n_requests)
            except PassingError as error:
                host = self._scrubbed(urlsplit(address).netloc)
                seconds = error.pause_of(pause or 0.0, self._pace.longest_retry_after, host)
                if pause is None:
                    raise NoAnswerError(
                        f"gave up after {n_requests} tries: {error}",
                        status=error.status,
                        n_requests=n_requests,
                        is_final=False,
                    ) from None
                self._clock.sleep(seconds)
            except NoAnswerError as error:
                error.n_requests = n_requests
                raise
        raise AssertionError("the last try returns or raises")

    def _request(self, address: str, most_bytes: int) -> tuple[int, Mapping[str, str], bytes]:
        """Follow one request through its redirects."""
        url = self._hosts.resolve(address)
        first_host = urlsplit(url).netloc
        for _ in range(_MOST_REDIRECTS + 1):
            own = self._own_headers if urlsplit(url).netloc == first_host else {}
            self._keep_pace()
            try:
                response = self._session.get(
                    url,
                    headers=self._headers | own,
                    stream=True,
                    allow_redirects=False,
                    timeout=(_SECONDS_TO_CONNECT, _SECONDS_OF_SILENCE),
                )
                with response:
                    if not response.is_redirect:
                        return self._read(response, most_bytes)
                    target = _joined(url, response.headers["Location"])
            except SlowAnswerError as error:
                raise NoAnswerError(str(error)) from None
            except PrivateAddressError as error:
                raise RefusedAddressError(url, str(error)) from None
            except (requests.RequestException, HTTPError, OSError) as error:
                raise PassingError(self._scrubbed(_cause(error))) from None
            url = self._hosts.resolve(target)
        raise NoAnswerError(f"more than {_MOST_REDIRECTS} redirects")

    def _keep_pace(self) -> None:
        """Wait until the source may be asked again."""
        if self._last_request is not None:
            due = self._last_request + 1 / self._pace.requests_per_second
            if (wait := due - self._clock.now()) > 0:
                self._clock.sleep(wait)
        self._last_request = self._clock.now()

    def _read(
        self, response: requests.Response, most_bytes: int
    ) -> tuple[int, Mapping[str, str], bytes]:
        status = response.status_code
        told = f"{status} {response.reason}"
        try:
            body = body_of(response, most_bytes)
        except TooLargeError as error:
            raise NoAnswerError(str(error), status=status) from None
        if status == HTTPStatus.TOO_MANY_REQUESTS and _THUMBNAIL_STEPS.search(body):
            raise NoAnswerError(f"{told}: no thumbnail of this width", status=status)
        require_lasting(response)
        if status != HTTPStatus.OK:
            raise NoAnswerError(told, status=status)
        return status, response.headers, body

    def _scrubbed(self, text: str) -> str:
        for secret in self._secrets:
            text = text.replace(secret, "***").replace(quote(secret, safe=""), "***")
        return without_secrets(text)


def without_secrets(url: str) -> str:
    """An address without its key and signature."""
    return _SECRET_PARAMETERS.sub("", url).rstrip("?&")


def _joined(url: str, location: str) -> str:
    """The address that a redirect leads to. Raises `RefusedAddressError`."""
    try:
        return urljoin(url, location)
    except ValueError as error:
        raise RefusedAddressError(location, "it is no address") from error


def _cause(error: BaseException) -> str:
    """What went wrong with a connection, without the address that requests puts in front."""
    while error.__cause__ or error.__context__:
        error = error.__cause__ or error.__context__ or error
    return f"{type(error).__name__}: {str(error)[:200]}"


class _PublicConnection(HTTPSConnection):
    """A connection that ends before a byte is sent where it leads into a private network."""

    def _new_conn(self) -> socket.socket:
        connected = super()._new_conn()
        address = str(connected.getpeername()[0]).partition("%")[0]
        if not ipaddress.ip_address(address).is_global:
            connected.close()
            raise PrivateAddressError(f"{self.host} leads to {address}, which is not public")
        return connected
