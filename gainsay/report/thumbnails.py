"""Small pictures that a page carries inside it, as many as its budget allows."""

import base64
import io
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

import cv2
from msgspec import Struct
from PIL import Image

from gainsay.foundation.renderings import read_rendering
from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, decode_pixels, read_image

EDGE: Final = 240
MOST_PICTURES: Final = 250
_QUALITY: Final = 50
_MOST_BYTES: Final = 2**28


class Picture(Struct):
    """A row of `report__pictures`."""

    picture_id: str
    shown_image_id: str
    recipe_id: str | None
    path: str | None
    archive: str | None
    rendered_file: str | None
    license_name: str | None
    license_url: str | None
    flickr_url: str | None
    picture_state: str


@dataclass(frozen=True)
class Thumbnail:
    """A picture of at most 240 pixels a side, as a data URI."""

    anchor: str
    uri: str
    width: int
    height: int


@dataclass
class Album:
    """The thumbnails of a page by picture, and why others are not there."""

    pictures: dict[str, Picture]
    thumbnails: dict[str, Thumbnail] = field(default_factory=dict)
    states: dict[str, str] = field(default_factory=dict)
    """Why a picture that somebody asked for is not shown."""

    def counts(self) -> Counter[str]:
        """How many pictures are shown, and how many are not for which reason."""
        return Counter({"shown": len(self.thumbnails), **Counter(self.states.values())})


def album(
    pictures: dict[str, Picture],
    wanted: Iterable[str],
    named: Iterable[str],
    folder: str,
    most_bytes: int,
) -> Album:
    """The thumbnails of the pictures that are wanted, first come first served.

    Stops at 250 pictures (`enough`), or where the next one would take the page over `most_bytes`
    (`left_out`). All that are `named` and not shown have a state that says why. `folder` holds the
    rendered pictures.
    """
    filled = Album(pictures)
    left = most_bytes
    for picture_id in dict.fromkeys(wanted):
        if not _may_be_shown(pictures, picture_id):
            continue
        if len(filled.thumbnails) == MOST_PICTURES:
            filled.states[picture_id] = "enough"
            continue
        anchor = f"picture-{len(filled.thumbnails) + 1}"
        thumbnail = _thumbnail(pictures[picture_id], anchor, folder)
        if thumbnail is None:
            filled.states[picture_id] = "unreadable"
        elif len(thumbnail.uri) <= left:
            left -= len(thumbnail.uri)
            filled.thumbnails[picture_id] = thumbnail
    for picture_id in dict.fromkeys(named):
        if picture_id not in filled.thumbnails and picture_id not in filled.states:
            state = pictures[picture_id].picture_state if picture_id in pictures else "not_landed"
            filled.states[picture_id] = "left_out" if state == "shown" else state
    return filled


def _may_be_shown(pictures: dict[str, Picture], picture_id: str) -> bool:
    return picture_id in pictures and pictures[picture_id].picture_state == "shown"


def _thumbnail(picture: Picture, anchor: str, folder: str) -> Thumbnail | None:
    try:
        return thumbnail_of(_bytes_of(picture, folder), anchor)
    except (OSError, ImageUnreadableError):
        return None


def thumbnail_of(data: bytes, anchor: str = "") -> Thumbnail:
    """The thumbnail of a picture's bytes. Raises `ImageUnreadableError` for what is no picture."""
    pixels = decode_pixels(data)
    scale = min(1.0, EDGE / max(pixels.shape[:2]))
    height, width = (max(1, round(side * scale)) for side in pixels.shape[:2])
    small = cv2.resize(pixels, (width, height), interpolation=cv2.INTER_AREA)
    buffer = io.BytesIO()
    Image.fromarray(cv2.cvtColor(small, cv2.COLOR_BGR2RGB)).save(
        buffer, "WEBP", quality=_QUALITY, method=4
    )
    text = base64.b64encode(buffer.getvalue()).decode()
    return Thumbnail(anchor, f"data:image/webp;base64,{text}", width, height)


def _bytes_of(picture: Picture, folder: str) -> bytes:
    if picture.recipe_id is not None:
        if picture.rendered_file is None:
            raise FileNotFoundError(picture.recipe_id)
        return read_rendering(folder, picture.rendered_file, _MOST_BYTES)
    if picture.path is None:
        raise FileNotFoundError(picture.shown_image_id)
    return read_image(picture.path, picture.archive, _MOST_BYTES)
