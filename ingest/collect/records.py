"""What a collector gives: an image's record, as the manifest has it."""

import hashlib
from typing import Any, Protocol

import msgspec
from msgspec import Struct


class ImageRecord(Struct, frozen=True):
    """An image that was fetched. `local_path` is below the folder of the fetch.

    `metadata` always has timestamp, lat, lon and camera_model, null where the source knows
    nothing, then the source's own fields. `license` is a code of `license_codes`.
    """

    image_id: str
    source: str
    local_path: str
    url: str
    license: str | None
    metadata: dict[str, Any]

    def line(self) -> bytes:
        """The record as a line of the manifest."""
        return msgspec.json.encode(self) + b"\n"


class Collector(Protocol):
    """One source of images, which have been listed and chosen."""

    def fetch_batch(self, n: int) -> list[ImageRecord]:
        """Fetch the next `n` images at most; none are left where none come.

        An image that cannot be had is no record, and has a row that says why.
        """


def image_id_of(source: str, url: str) -> str:
    """The id of an image by its address, without key and signature."""
    digest = hashlib.md5(url.encode(), usedforsecurity=False).hexdigest()
    return f"{source}_{digest[:12]}"
