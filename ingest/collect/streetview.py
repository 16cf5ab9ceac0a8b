"""Google Street View Static: which panoramas there are around the points of a city.

Metadata requests are free. The provider's terms forbid to store, cache and fetch its pictures in
bulk; panorama ids alone may be kept, so that listing is all that happens by default. The key goes
into requests and nowhere else.
Source: https://developers.google.com/maps/documentation/streetview/metadata.
"""

import base64
import binascii
import hashlib
import hmac
import math
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlencode, urlsplit

import msgspec
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.progress import Advance
from gainsay.ingest.collect.client import Client, NoAnswerError
from gainsay.ingest.collect.layouts import (
    STREETVIEW_PANORAMAS,
    CollectionCursor,
    StreetViewPanorama,
)
from gainsay.ingest.collect.listing import Warehouse

HOSTS: Final = ("maps.googleapis.com",)
METADATA: Final = "https://maps.googleapis.com/maps/api/streetview/metadata"
SOURCE: Final = "streetview"

_LARGEST_ANSWER: Final = 2**20
_PASSING: Final = ("OVER_QUERY_LIMIT", "UNKNOWN_ERROR")
_STOPPING: Final = ("REQUEST_DENIED", "INVALID_REQUEST")
# points lie in a square of so many degrees of latitude around a city's middle
_SQUARE_DEGREES: Final = 0.04
_STEPS: Final = 10_000
_POINTS_PER_BATCH: Final = 10


@dataclass(frozen=True)
class City:
    """A city and its middle."""

    name: str
    lat: float
    lon: float


@dataclass(frozen=True)
class Key:
    """The caller's key, and the secret that signs requests, if any."""

    key: str
    secret: str | None = None

    def sign(self, url: str) -> str:
        """An address with key and signature: HMAC-SHA1 over path and query, in base64 for URLs."""
        parts = urlsplit(url)
        query = f"{parts.query}&{urlencode({'key': self.key})}"
        signed = f"{parts.scheme}://{parts.netloc}{parts.path}?{query}"
        if not self.secret:
            return signed
        try:
            secret = base64.urlsafe_b64decode(self.secret)
        except (binascii.Error, ValueError) as error:
            raise GainsayError(
                "STREET_VIEW_SIGNING_SECRET: no secret in base64, as the console shows it"
            ) from error
        digest = hmac.new(secret, f"{parts.path}?{query}".encode(), hashlib.sha1).digest()
        return f"{signed}&signature={base64.urlsafe_b64encode(digest).decode()}"


class _Place(Struct):
    lat: float
    lng: float


class _Metadata(Struct):
    status: str
    copyright: str | None = None
    date: str | None = None
    location: _Place | None = None
    pano_id: str | None = None


def location_of(city: City, point: int, seed: int) -> str:
    """Latitude and longitude of a city's point, to six digits: the same on every machine."""
    u, v = (_seeded_share(seed, purpose, f"{city.name}:{point}") for purpose in ("lat", "lon"))
    lat = city.lat + (u - 0.5) * _SQUARE_DEGREES
    lon = city.lon + (v - 0.5) * _SQUARE_DEGREES / math.cos(math.radians(city.lat))
    return f"{lat:.6f},{lon:.6f}"


def _seeded_share(seed: int, purpose: str, key: str) -> float:
    """The macro `seeded_int` over 10,001 steps, as a share from 0 to 1."""
    text = f"{seed}:rc_streetview_{purpose}:{key}"
    digest = hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()
    return int(digest[:8], 16) % (_STEPS + 1) / _STEPS


def list_city(
    client: Client, warehouse: Warehouse, city: City, key: Key, n_points: int, seed: int,
    advance: Advance,
) -> None:  # fmt: skip
    """List the panoramas at a city's points, from where its listing stands.

    Raises `GainsayError` when the service refuses the key or stays silent; what was listed is kept.
    """
    former = warehouse.cursor(SOURCE, city.name)
    first = former.n_listed if former else 0
    advance(min(first, n_points))
    for start in range(first, n_points, _POINTS_PER_BATCH):
        end = min(start + _POINTS_PER_BATCH, n_points)
        rows = []
        for point in range(start, end):
            rows.append(_panorama(client, city, point, location_of(city, point, seed), key))
            advance()
        state = CollectionCursor(
            source=SOURCE, query=city.name, n_listed=end, is_complete=end == n_points
        )
        warehouse.write(STREETVIEW_PANORAMAS, rows, state)


def _panorama(
    client: Client, city: City, point: int, location: str, key: Key
) -> StreetViewPanorama:
    query = urlencode({"location": location, "source": "outdoor"})
    try:
        answer = client.get(
            key.sign(f"{METADATA}?{query}"), most_bytes=_LARGEST_ANSWER, check=_passing_status
        )
        found = msgspec.json.decode(answer.body, type=_Metadata)
    except NoAnswerError as error:
        raise GainsayError(f"Street View: {error}; run the same command again to go on") from None
    except (msgspec.DecodeError, RecursionError) as error:
        raise GainsayError(
            f"Street View answered something else than its metadata service does: {error}"
        ) from None
    if found.status in _STOPPING:
        raise GainsayError(
            f"Street View refuses the requests: {found.status}; check STREET_VIEW_API_KEY and that"
            " the Street View Static API is switched on for it"
        )
    return StreetViewPanorama(
        city=city.name,
        point=point,
        location=location,
        status=found.status,
        pano_id=found.pano_id,
        date=found.date,
        copyright=found.copyright,
        latitude=found.location.lat if found.location else None,
        longitude=found.location.lng if found.location else None,
    )


def _passing_status(body: bytes) -> str | None:
    try:
        status = msgspec.json.decode(body, type=_Metadata).status
    except (msgspec.DecodeError, RecursionError):
        return None
    return status if status in _PASSING else None
