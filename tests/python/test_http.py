"""What servers say of waiting."""

from datetime import UTC, datetime, timedelta
from email.utils import format_datetime

import pytest

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


def test_retry_after_as_a_date() -> None:
    moment = format_datetime(datetime.now(UTC) + timedelta(seconds=300), usegmt=True)
    seconds = retry_after_seconds({"Retry-After": moment})
    assert seconds is not None
    assert 200 < seconds <= 300


def test_no_retry_after() -> None:
    assert retry_after_seconds({}) is None
