"""The pictures of records, by record and place: no request names a file."""

import hashlib
import io
from dataclasses import dataclass
from typing import Final

import cv2
from PIL import Image

from gainsay.foundation.renderings import read_rendering
from gainsay.python_udfs.pixels.image_bytes import (
    ImageUnreadableError,
    decode_pixels,
    picture_format,
    read_image,
)
from gainsay.review.records import ShownPicture

_MOST_BYTES: Final = 64 * 2**20
# formats that every browser draws; other pictures are made a PNG
_TYPES: Final = {
    "JPEG": "image/jpeg",
    "PNG": "image/png",
    "GIF": "image/gif",
    "WEBP": "image/webp",
}


@dataclass(frozen=True)
class PictureBytes:
    """A picture as a browser takes it."""

    data: bytes
    media_type: str

    @property
    def etag(self) -> str:
        """The name of these bytes: their hash."""
        return f'"{hashlib.sha256(self.data).hexdigest()[:32]}"'


def picture_bytes(picture: ShownPicture, renderings: str) -> PictureBytes:
    """Read a picture of the catalog, a rendering from the folder of renderings.

    Raises `ImageUnreadableError` for what is no picture, is too large or cannot be read.
    """
    if picture.file is None:
        raise ImageUnreadableError("unreadable", "it is not landed, or not rendered")
    path = picture.file
    data = (
        read_rendering(renderings, path, _MOST_BYTES)
        if picture.is_rendering
        else read_image(path, picture.archive, _MOST_BYTES)
    )
    media_type = _TYPES.get(picture_format(data))
    if media_type:
        return PictureBytes(data, media_type)
    buffer = io.BytesIO()
    Image.fromarray(cv2.cvtColor(decode_pixels(data), cv2.COLOR_BGR2RGB)).save(buffer, "PNG")
    return PictureBytes(buffer.getvalue(), "image/png")
