"""What a client of HTTP needs to know of failures: which pass, and how long to wait."""

import random
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Final

# what a server may answer now and not in a while
PASSING_STATUSES: Final = (
    HTTPStatus.REQUEST_TIMEOUT,
    HTTPStatus.TOO_EARLY,
    HTTPStatus.TOO_MANY_REQUESTS,
    HTTPStatus.INTERNAL_SERVER_ERROR,
    HTTPStatus.BAD_GATEWAY,
    HTTPStatus.SERVICE_UNAVAILABLE,
    HTTPStatus.GATEWAY_TIMEOUT,
)


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
