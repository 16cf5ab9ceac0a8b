"""Requests that no page of ours makes are refused before anything reads them.

A page of another site can make a browser send requests here. It cannot forge `Host`, `Origin` and
`Sec-Fetch-Site`, and a body of JSON it may not send without being asked about it first. Sources:
Fetch Metadata (W3C), OWASP's cheat sheets on CSRF and DNS rebinding.
"""

from collections.abc import Collection
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MOST_BODY_BYTES: Final = 512 * 1024
TOO_LARGE: Final = f"more than {MOST_BODY_BYTES:,} bytes"
POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
    " connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none';"
    " require-trusted-types-for 'script'; trusted-types 'none'"
)
_HEADERS: Final = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
_READS: Final = {"GET", "HEAD"}
_OF_THE_PAGE: Final = {"same-origin", "none"}


class Guard:
    """Lets requests through to `app` that come from our own page at one of `addresses`.

    `addresses` are what `Host` may be, with the port. `shared` are the paths that a link from
    elsewhere may open, as a page of its own. Whatever is answered gets the headers that keep a
    browser from doing more with it than the page needs.
    """

    def __init__(
        self, app: ASGIApp, addresses: Collection[str], shared: Collection[str] = ("/",)
    ) -> None:
        self._app = app
        self._addresses = frozenset(addresses)
        self._shared = frozenset(shared)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        headers = Headers(scope=scope)
        refusal = self._refusal(scope["method"], scope["path"], headers)
        if refusal is not None:
            status, reason = refusal
            response = JSONResponse({"error": reason}, status, headers={"Connection": "close"})
            await response(scope, receive, send_guarded)
            return
        n_bytes = 0

        async def receive_bounded() -> Message:
            nonlocal n_bytes
            message = await receive()
            if message["type"] == "http.request":
                n_bytes += len(message.get("body", b""))
                if n_bytes > MOST_BODY_BYTES:
                    raise HTTPException(413, TOO_LARGE)
            return message

        await self._app(scope, receive_bounded, send_guarded)

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        """The status and the reason with which a request is refused."""
        hosts = headers.getlist("host")
        if len(hosts) != 1 or hosts[0].lower() not in self._addresses:
            return 421, f"this page is at {' or '.join(sorted(self._addresses))}"
        site = headers.get("sec-fetch-site", "same-origin")
        is_ours = all(
            origin.lower() == f"http://{hosts[0].lower()}" for origin in headers.getlist("origin")
        )
        if method == "POST":
            return _refusal_of_write(headers, is_ours=is_ours and site == "same-origin")
        if method not in _READS:
            return 405, "GET or POST"
        if site in _OF_THE_PAGE and is_ours:
            return None
        # a link is followed; what a page of another site loads into itself is not ours to give
        is_followed = (
            headers.get("sec-fetch-mode", "navigate") == "navigate"
            and headers.get("sec-fetch-dest", "document") == "document"
            and not headers.getlist("origin")
        )
        if path not in self._shared or not is_followed:
            return 403, "this is for the page itself alone"
        return None


def _refusal_of_write(headers: Headers, *, is_ours: bool) -> tuple[int, str] | None:
    if not is_ours:
        return 403, "only the review page itself may send votes"
    if headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        return 415, "expected application/json"
    length = headers.get("content-length")
    if length is not None and (not length.isdecimal() or int(length) > MOST_BODY_BYTES):
        return 413, TOO_LARGE
    return None
