"""Picture files from outside, opened in one place: bytes, header, pixels.

Whatever opens a picture does it here, so that one set of limits holds everywhere: formats by
name (`Image.open` would try some forty, and call Ghostscript for a file that begins with
`%!PS-Adobe`), a cap on the bytes before they are read, and a cap on the pixels before any of
them is decoded.

Clusters get this package without the rest of the house, so it depends on nothing outside it.
"""

import hashlib
import io
import threading
import zipfile
import zlib
from functools import lru_cache
from typing import Final, cast

import cv2
import numpy as np
from PIL import Image

from gainsay.python_udfs.pixels.corruptions import Pixels
from gainsay.python_udfs.storage import Stored, open_stored, stored

FORMATS: Final = ("JPEG", "PNG", "GIF", "BMP", "WEBP", "TIFF")
# the largest picture where no var says so: some 800 MB of pixels
LARGEST_PIXELS: Final = 2**28

_SIGNATURES: Final = {
    b"\xff\xd8\xff": "JPEG",
    b"\x89PNG\r\n\x1a\n": "PNG",
    b"GIF87a": "GIF",
    b"GIF89a": "GIF",
    b"BM": "BMP",
    b"II*\0": "TIFF",
    b"MM\0*": "TIFF",
    # TIFF of more than 4 GB
    b"II+\0": "TIFF",
    b"MM\0+": "TIFF",
}
# what makes a JPEG or PNG of a picture that is not read here
_CONVERTERS: Final = {
    "HEIC": "`sips -s format jpeg A.heic --out A.jpg` on a Mac, else `heif-convert A.heic A.jpg`",
    "AVIF": "`avifdec A.avif A.png`",
    "JPEG 2000": "`opj_decompress -i A.jp2 -o A.png`",
    "JPEG XL": "`djxl A.jxl A.png`",
}
_NO_MEMORY: Final = "not enough memory for its pixels"
_CORRUPT = (zipfile.BadZipFile, zlib.error, EOFError, ValueError, RuntimeError, KeyError)
# zipfile seeks and reads under a lock of its own; opening does not
_opening = threading.Lock()


class ImageUnreadableError(Exception):
    """Why a picture cannot be used: the kind in a word, then what was found.

    `is_transient` is set where the same file may be read next time: no permission, a failing
    disk, too little memory.
    """

    def __init__(self, kind: str, message: str, *, is_transient: bool = False) -> None:
        super().__init__(message)
        self.kind = kind
        self.is_transient = is_transient


def read_image(path: str, archive: str | None, max_bytes: int) -> bytes:
    """The bytes of an image file, by its path or URL; inside `archive`, `path` is `archive!member`.

    Raises `ImageUnreadableError` of kind `unreadable`, or `too_large` beyond `max_bytes`,
    whatever an archive declares of its member.
    """
    try:
        if archive is None:
            with open_stored(path) as file:
                data = file.read(max_bytes + 1)
        else:
            container = _archive(stored(archive))
            with container.open(path.removeprefix(f"{archive}!")) as member:
                data = member.read(max_bytes + 1)
    except OSError as error:
        message = error.strerror or str(error)
        raise ImageUnreadableError("unreadable", message, is_transient=True) from error
    except MemoryError as error:
        message = "not enough memory for its bytes"
        raise ImageUnreadableError("unreadable", message, is_transient=True) from error
    except _CORRUPT as error:
        where = "corrupt in its archive" if archive else "cannot be opened"
        raise ImageUnreadableError("unreadable", f"{where}: {error}") from error
    if len(data) > max_bytes:
        raise ImageUnreadableError(
            "too_large", f"more than {max_bytes:,} bytes; max_image_bytes is {max_bytes:,}"
        )
    return data


def read_landed(path: str, archive: str | None, max_bytes: int, sha256: str) -> bytes:
    """The bytes of an image file that is still the one that landed, or was rendered.

    Raises `ImageUnreadableError` as `read_image`, and of kind `changed` for other bytes.
    """
    data = read_image(path, archive, max_bytes)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ImageUnreadableError(
            "changed", "the file is not the one that landed; land images again"
        )
    return data


def _archive(file: Stored) -> zipfile.ZipFile:
    with _opening:
        return _opened_archive(file)


@lru_cache(maxsize=8)
def _opened_archive(file: Stored) -> zipfile.ZipFile:
    """An archive that stays open: its directory is long, and every member would read it again."""
    return zipfile.ZipFile(open_stored(file.name))


def picture_format(data: bytes) -> str:
    """The format, one of `FORMATS`, that the first bytes of a file say.

    Raises `ImageUnreadableError` of kind `not_an_image` for any other.
    """
    for signature, name in _SIGNATURES.items():
        if data.startswith(signature):
            return name
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "WEBP"
    if other := _other_format(data):
        raise ImageUnreadableError(
            "not_an_image",
            f"a picture in {other}, which is not read here; convert it to JPEG or PNG"
            f" ({_CONVERTERS[other]})",
        )
    known = f"{', '.join(FORMATS[:-1])} or {FORMATS[-1]}"
    raise ImageUnreadableError(
        "not_an_image", f"the file starts with {data[:12]!r}, as no {known} does"
    )


def _other_format(data: bytes) -> str | None:
    """The format of a picture that phones and browsers write and nothing here decodes."""
    if data[4:8] == b"ftyp":
        brand = data[8:12].decode("ascii", "replace")
        return {"avif": "AVIF", "avis": "AVIF"}.get(brand) or (
            "HEIC" if brand in ("heic", "heix", "hevc", "heim", "heis", "mif1", "msf1") else None
        )
    if data.startswith((b"\0\0\0\x0cjP  ", b"\xff\x4f\xff\x51")):
        return "JPEG 2000"
    if data.startswith((b"\0\0\0\x0cJXL ", b"\xff\x0a")):
        return "JPEG XL"
    return None


def open_picture(data: bytes) -> Image.Image:
    """A picture of which only the header has been read; its size is not checked yet.

    Raises `ImageUnreadableError` of kind `not_an_image` for a header that cannot be read or is
    none of `FORMATS`, `too_many_pixels` for one that Pillow takes for a decompression bomb.
    """
    picture_format(data)
    try:
        return Image.open(io.BytesIO(data), formats=FORMATS)
    except Image.DecompressionBombError as error:
        raise ImageUnreadableError("too_many_pixels", str(error)) from error
    except MemoryError as error:
        raise ImageUnreadableError("undecodable", _NO_MEMORY, is_transient=True) from error
    except Exception as error:
        # plugins raise whatever they like
        raise ImageUnreadableError(
            "not_an_image", f"the header cannot be read; the file starts with {data[:12]!r}"
        ) from error


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height as stored, before any EXIF orientation. Raises: as `open_picture`."""
    with open_picture(data) as picture:
        return picture.size


def decode_pixels(data: bytes, max_pixels: int | None = LARGEST_PIXELS) -> Pixels:
    """Upright pixels in OpenCV's order; EXIF orientation applied, 16 bits and alpha reduced.

    `max_pixels`: largest width x height that is decoded; None where the landing has checked the
    header of these very bytes. Raises `ImageUnreadableError` of the kinds `not_an_image`,
    `too_many_pixels` and `undecodable`.
    """
    if max_pixels is None:
        picture_format(data)
    else:
        width, height = picture_size(data)
        if width * height > max_pixels:
            raise ImageUnreadableError(
                "too_many_pixels", f"{width:,} x {height:,} pixels; the most is {max_pixels:,}"
            )
    try:
        pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    except MemoryError as error:
        raise ImageUnreadableError("undecodable", _NO_MEMORY, is_transient=True) from error
    except cv2.error as error:
        raise ImageUnreadableError("undecodable", f"OpenCV cannot decode it: {error}") from error
    if pixels is None:
        raise ImageUnreadableError("undecodable", "OpenCV cannot decode the file")
    if data[25:26] in _ALPHA_PNG and data.startswith(b"\x89PNG"):
        pixels = _shown_by_alpha(data, cast(Pixels, pixels))
    return cast(Pixels, pixels)


# the byte of a PNG's header that says what its pixels have: grey or colors, with alpha
_ALPHA_PNG: Final = (b"\4", b"\6")


def _shown_by_alpha(data: bytes, pixels: Pixels) -> Pixels:
    """Pixels of one color whose alpha is the picture, as on a white page; others as they are."""
    if (pixels != pixels[0, 0]).any():
        return pixels
    whole = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if (
        whole is None
        or whole.ndim != 3
        or whole.shape[2] != 4
        or whole.shape[:2] != pixels.shape[:2]
    ):
        return pixels
    share = whole[..., 3:].astype(np.float32) / (65535 if whole.dtype == np.uint16 else 255)
    if share.min() == share.max():
        return pixels
    return cast(Pixels, np.round(pixels * share + 255 * (1 - share)).astype(np.uint8))
