"""What servers say of waiting."""

from datetime import UTC, datetime
from types import SimpleNamespace

import pytest

from gainsay.foundation import http
from gainsay.foundation.http import retry_after_seconds


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ("120", 120.0),
        ("0", 0.0),
        ("9" * 5_000, float("inf")),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        # in the past
        ("Wed, 21 Oct 2015 07:28:00 GMT", None),
        ("Wed, 21 Oct 2015 07:28:00", None),
        ("Fri, 31 Dec 99999 23:59:59 GMT", None),
    ],
)
def test_retry_after(stated: str, expected: float | None) -> None:
    assert retry_after_seconds({"Retry-After": stated}) == expected


def test_retry_after_as_a_date(monkeypatch: pytest.MonkeyPatch) -> None:
    now = datetime(2026, 2, 28, 23, 58, tzinfo=UTC)
    monkeypatch.setattr(http, "datetime", SimpleNamespace(now=lambda _: now))
    stated = {"Retry-After": "Sun, 01 Mar 2026 00:03:00 GMT"}
    assert retry_after_seconds(stated) == 300


def test_no_retry_after() -> None:
    assert retry_after_seconds({}) is None
