"""What the bytes of an image file say of it, read without believing them."""

import hashlib
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final

import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image, ImageOps

from python_udfs.pixels.image_bytes import ImageUnreadableError, open_picture

_HASH_SIDE: Final = 8
_THUMBNAIL_SIDE: Final = 32
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


@dataclass(frozen=True)
class Exif:
    """When and where a picture was taken, as far as its EXIF tells and can be read.

    `taken_at` is the clock's reading, ISO 8601 without offset, and `utc_offset_minutes` that
    clock's offset; `gps_utc` is the time by satellite. Degrees are north and east. `error`
    says what could not be read.
    """

    orientation: int = 1
    taken_at: str | None = None
    utc_offset_minutes: int | None = None
    gps_latitude: float | None = None
    gps_longitude: float | None = None
    gps_utc: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Probe:
    """What an image file holds, or why it cannot be used.

    Width and height are those of the upright picture, after its EXIF orientation.
    `is_transient` is set with an error that the same bytes need not give next time.
    """

    sha256: str
    width: int | None = None
    height: int | None = None
    format: str | None = None
    mode: str | None = None
    n_frames: int | None = None
    perceptual_hash: str | None = None
    exif: Exif = Exif()
    error_kind: str | None = None
    error: str | None = None
    is_transient: bool = False


def probe(data: bytes, max_pixels: int) -> Probe:
    """Read the header, check its size, and only then decode the picture and hash it.

    `max_pixels`: largest width x height that is decoded. Errors: none are raised; the kinds
    are `empty`, `not_an_image`, `too_many_pixels` and `undecodable` (truncated files among
    them). The perceptual hash is the 64-bit DCT hash of the upright picture's first frame, 16
    hex digits, as `imagehash.phash` computes it.
    """
    sha256 = hashlib.sha256(data).hexdigest()
    if not data:
        return Probe(sha256, error_kind="empty", error="the file has no bytes")
    with warnings.catch_warnings():
        # Pillow warns of sizes that are checked here, and of EXIF that is reported here
        warnings.simplefilter("ignore")
        try:
            return _probe(data, sha256, max_pixels)
        except ImageUnreadableError as error:
            return Probe(
                sha256, error_kind=error.kind, error=str(error), is_transient=error.is_transient
            )


def _probe(data: bytes, sha256: str, max_pixels: int) -> Probe:
    with open_picture(data) as image:
        exif = read_exif(image)
        width, height = image.size
        if exif.orientation >= 5:
            width, height = height, width
        known = Probe(
            sha256, width=width, height=height, format=image.format, mode=image.mode, exif=exif
        )
        if width * height > max_pixels:
            message = f"{width:,} x {height:,} pixels; max_image_pixels is {max_pixels:,}"
            return replace(known, error_kind="too_many_pixels", error=message)
        try:
            known = replace(known, n_frames=getattr(image, "n_frames", 1))
            image.seek(0)
            upright = ImageOps.exif_transpose(image.convert("L"))
        except MemoryError:
            return replace(
                known,
                error_kind="undecodable",
                error="not enough memory for its pixels",
                is_transient=True,
            )
        except Exception as error:
            # decoders raise whatever they like
            return replace(known, error_kind="undecodable", error=_error_text(error))
    return replace(known, perceptual_hash=perceptual_hash(upright))


def perceptual_hash(image: Image.Image) -> str:
    """The 64-bit DCT hash of a picture, as 16 hex digits.

    Shape: any size, grey. Source: `imagehash.phash` (hash_size 8, highfreq_factor 4).
    """
    small = image.convert("L").resize((_THUMBNAIL_SIDE, _THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
    pixels = np.asarray(small, np.float64)
    # what is zero but for rounding must not decide a bit
    low = np.round(_DCT @ pixels @ _DCT.T, 6)
    bits = (low > np.median(low)).ravel()
    return f"{int.from_bytes(np.packbits(bits).tobytes(), 'big'):016x}"


def _dct_rows() -> npt.NDArray[np.float64]:
    """The first rows of the type II discrete cosine transform."""
    frequency = np.arange(_HASH_SIDE)[:, None]
    position = np.arange(_THUMBNAIL_SIDE)[None, :]
    angle = np.pi * frequency * (2 * position + 1) / (2 * _THUMBNAIL_SIDE)
    return np.asarray(2.0 * np.cos(angle), np.float64)


_DCT: Final = _dct_rows()


def read_exif(image: Image.Image) -> Exif:
    """Orientation, time and place of an opened image; whatever is broken is said in `error`."""
    problems: list[str] = []

    def attempt(what: str, read: Callable[[], Any]) -> Any:
        try:
            return read()
        except Exception as error:
            # EXIF holds anything
            problems.append(f"{what}: {_error_text(error)}")
            return None

    exif = attempt("EXIF", image.getexif)
    if not exif:
        return Exif(error="; ".join(problems) or None)
    camera = attempt("camera", lambda: exif.get_ifd(ExifTags.IFD.Exif)) or {}
    gps = attempt("GPS", lambda: exif.get_ifd(ExifTags.IFD.GPSInfo)) or {}
    tags = ExifTags.GPS
    place = attempt("GPS place", lambda: _place(gps)) or (None, None)
    return Exif(
        orientation=attempt("orientation", lambda: _orientation(exif)) or 1,
        taken_at=attempt("time", lambda: _clock(camera.get(ExifTags.Base.DateTimeOriginal))),
        utc_offset_minutes=attempt(
            "offset", lambda: _offset(camera.get(ExifTags.Base.OffsetTimeOriginal))
        ),
        gps_latitude=place[0],
        gps_longitude=place[1],
        gps_utc=attempt(
            "GPS time", lambda: _gps_utc(gps.get(tags.GPSDateStamp), gps.get(tags.GPSTimeStamp))
        ),
        error="; ".join(problems) or None,
    )


def _orientation(exif: Image.Exif) -> int:
    orientation = int(exif.get(ExifTags.Base.Orientation, 1))
    if orientation not in range(1, 9):
        raise ValueError(f"{orientation} is none of 1 to 8")
    return orientation


def _clock(text: Any) -> str | None:
    # cameras whose clock was never set write zeros or blanks
    if text is None or not str(text).strip(" :0\0"):
        return None
    return datetime.strptime(str(text).strip("\0 "), "%Y:%m:%d %H:%M:%S").isoformat()


def _offset(text: Any) -> int | None:
    if text is None or not str(text).strip(" :\0"):
        return None
    if str(text).strip("\0 ") == "Z":
        return 0
    match = _OFFSET.fullmatch(str(text).strip("\0 "))
    if not match or int(match[2]) > 14 or int(match[3]) > 59:
        raise ValueError(f"{text!r} is no offset from UTC")
    minutes = 60 * int(match[2]) + int(match[3])
    return -minutes if match[1] == "-" else minutes


def _place(gps: dict[int, Any]) -> tuple[float, float] | None:
    tags = ExifTags.GPS
    if tags.GPSLatitude not in gps and tags.GPSLongitude not in gps:
        return None
    latitude = _degrees(gps.get(tags.GPSLatitude), gps.get(tags.GPSLatitudeRef), "NS", 90)
    longitude = _degrees(gps.get(tags.GPSLongitude), gps.get(tags.GPSLongitudeRef), "EW", 180)
    return latitude, longitude


def _degrees(sexagesimal: Any, reference: Any, hemispheres: str, largest: int) -> float:
    if isinstance(reference, bytes):
        reference = reference.decode("ascii", "replace")
    reference = str(reference or "").strip("\0 ").upper()
    if len(reference) != 1 or reference not in hemispheres:
        raise ValueError(f"{reference!r} is no hemisphere, which is one of {hemispheres}")
    parts = [_rational(part) for part in sexagesimal]
    if len(parts) != 3 or any(part < 0 for part in parts):
        raise ValueError(f"{sexagesimal} are no degrees, minutes and seconds")
    degrees = float(parts[0] + parts[1] / 60 + parts[2] / 3600)
    if degrees > largest:
        raise ValueError(f"{degrees:g} degrees are more than {largest}")
    return -degrees if reference == hemispheres[1] else degrees


def _rational(value: Any) -> Fraction:
    """An exact number; a zero denominator raises."""
    denominator = getattr(value, "denominator", 1)
    if denominator == 0:
        raise ValueError("a fraction with denominator 0")
    return Fraction(getattr(value, "numerator", value)) / Fraction(denominator)


def _gps_utc(date: Any, time: Any) -> str | None:
    if date is None or time is None:
        return None
    hour, minute, second = (_rational(part) for part in time)
    day = datetime.strptime(str(date).strip("\0 "), "%Y:%m:%d")
    if not (0 <= hour < 24 and 0 <= minute < 60 and 0 <= second < 61):
        raise ValueError(f"{time} is no time of day")
    utc = day + timedelta(seconds=round(float(3600 * hour + 60 * minute + second), 3))
    return utc.isoformat(timespec="milliseconds")


def _error_text(error: BaseException) -> str:
    return f"{error}" if str(error) else type(error).__name__
