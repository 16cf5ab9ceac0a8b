"""Format and size of an image file, read from its bytes without trusting them."""

import hashlib
import re
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt
from PIL import ExifTags, Image

from gainsay.python_udfs.pixels.image_bytes import ImageUnreadableError, open_picture

_HASH_SIDE: Final = 8
_THUMBNAIL_SIDE: Final = 32
_MANY_FRAMES: Final = 1_000
_OFFSET = re.compile(r"([+-])(\d\d):?(\d\d)")


@dataclass(frozen=True)
class Exif:
    """When and where a picture was taken, as far as its EXIF tells and can be read.

    `taken_at` is the clock's reading, ISO 8601 without offset, and `utc_offset_minutes` that
    clock's offset; `gps_utc` is the time by satellite. Degrees are north and east.
    `gps_direction` is where the camera looked, in degrees clockwise from north, 0 to below 360, and
    `gps_direction_reference` whether that north is true (T) or magnetic (M). `error` says what
    could not be read.
    """

    orientation: int = 1
    taken_at: str | None = None
    utc_offset_minutes: int | None = None
    gps_latitude: float | None = None
    gps_longitude: float | None = None
    gps_utc: str | None = None
    gps_direction: float | None = None
    gps_direction_reference: str | None = None
    error: str | None = None


@dataclass(frozen=True)
class Probe:
    """Format and size of an image file, or why it cannot be used.

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
        width, height = image.size
        is_too_large = width * height > max_pixels
        # Pillow decodes a PNG to look for EXIF behind its pixels
        exif = Exif() if is_too_large and image.format == "PNG" else read_exif(image)
        if exif.orientation >= 5:
            width, height = height, width
        known = Probe(
            sha256, width=width, height=height, format=image.format, mode=image.mode, exif=exif
        )
        if is_too_large:
            message = f"{width:,} x {height:,} pixels; max_image_pixels is {max_pixels:,}"
            return replace(known, error_kind="too_many_pixels", error=message)
        try:
            known = replace(known, n_frames=_n_frames(image, data))
            image.seek(0)
            # by the orientation that could be read: other EXIF may be of any form
            upright = _upright(_grey(image), exif.orientation)
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


# how a picture is turned that was stored in each orientation
_TURNS: Final = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_270,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_90,
}


def _grey(image: Image.Image) -> Image.Image:
    """A picture in grey, of which Pillow would clip what has more than eight bits, and drop alpha.

    What has more bits is scaled by its brightest pixel; where alpha alone is the picture, it is
    shown on a white page, as `decode_pixels` does.
    """
    if image.mode.startswith(("I", "F")):
        values = np.nan_to_num(np.asarray(image, np.float32), posinf=0, neginf=0)
        most = float(values.max())
        scaled = np.clip(values, 0, None) * (255 / most if most > 0 else 0)
        return Image.fromarray(scaled.astype(np.uint8))
    grey = image.convert("L")
    darkest, brightest = grey.getextrema()
    if darkest == brightest and "A" in image.getbands():
        alpha = image.getchannel("A")
        if len(set(alpha.getextrema())) > 1:
            page = Image.new("L", image.size, 255)
            page.paste(grey, mask=alpha)
            return page
    return grey


def _upright(image: Image.Image, orientation: int) -> Image.Image:
    turn = _TURNS.get(orientation)
    return image if turn is None else image.transpose(turn)


def _n_frames(image: Image.Image, data: bytes) -> int:
    """How many frames or pages a picture has.

    Pillow compares each page of a TIFF with all before it, and reads each frame of a GIF: of files
    with more of them than any photograph has, this counts without it.
    """
    counted = {"TIFF": _n_tiff_pages, "GIF": _n_gif_frames}.get(str(image.format))
    n_frames = counted(data) if counted else 0
    return n_frames if n_frames > _MANY_FRAMES else int(getattr(image, "n_frames", 1))


def _n_tiff_pages(data: bytes) -> int:
    """How many directories follow one another, up to one that is cut or was there before.

    Source: TIFF 6.0, section 2; BigTIFF has longer numbers.
    """
    order: Literal["little", "big"] = "little" if data[:2] == b"II" else "big"
    is_big = data[2:4] in (b"+\0", b"\0+")
    place_bytes, count_bytes, entry_bytes = (8, 8, 20) if is_big else (4, 2, 12)
    first = 8 if is_big else 4

    def number(place: int, n_bytes: int) -> int:
        return int.from_bytes(data[place : place + n_bytes], order)

    seen: set[int] = set()
    place = number(first, place_bytes)
    while 0 < place < len(data) and place not in seen:
        seen.add(place)
        n_entries = number(place, count_bytes)
        place = number(place + count_bytes + entry_bytes * n_entries, place_bytes)
    return len(seen)


def _n_gif_frames(data: bytes) -> int:
    """How many pictures stand in a GIF, up to its end or where it is cut. Source: GIF89a."""
    n_frames, place = 0, 13 + _color_bytes(data, 10)
    while place < len(data):
        kind = data[place]
        if kind == 0x2C:
            n_frames += 1
            place += 11 + _color_bytes(data, place + 9)
        elif kind == 0x21:
            place += 2
        elif kind == 0x3B:
            break
        else:
            # as Pillow passes over it
            place += 1
            continue
        while place < len(data) and data[place]:
            place += 1 + data[place]
        place += 1
    return n_frames


def _color_bytes(data: bytes, place: int) -> int:
    """The size of a table of colors, by the byte that says whether there is one."""
    flags = data[place] if place < len(data) else 0
    return 3 << ((flags & 7) + 1) if flags & 0x80 else 0


def perceptual_hash(image: Image.Image) -> str:
    """The 64-bit DCT hash of a picture, as 16 hex digits.

    Shape: any size, grey. Source: `imagehash.phash` (hash_size 8, highfreq_factor 4).
    """
    small = image.convert("L").resize((_THUMBNAIL_SIDE, _THUMBNAIL_SIDE), Image.Resampling.LANCZOS)
    pixels = np.asarray(small, np.float64)
    # a value that is zero but for rounding must not decide a bit
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
    direction = attempt("GPS direction", lambda: _direction(gps)) or (None, None)
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
        gps_direction=direction[0],
        gps_direction_reference=direction[1],
        error="; ".join(problems) or None,
    )


def _orientation(exif: Image.Exif) -> int:
    orientation = int(exif.get(ExifTags.Base.Orientation, 1))
    if orientation not in range(1, 9):
        raise ValueError(f"{orientation} is not one of 1 to 8")
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


def _direction(gps: dict[int, Any]) -> tuple[float, str | None] | None:
    """Where the camera looked, and by which north; without a reference it is not known by which.

    Source: Exif 2.32, GPSImgDirection, 0.00 to 359.99; some programs write 360.
    """
    found = gps.get(ExifTags.GPS.GPSImgDirection)
    if found is None:
        return None
    degrees = float(_rational(found))
    if not 0 <= degrees <= 360:
        raise ValueError(f"{degrees:g} degrees are no direction, which is 0 to 360")
    reference = gps.get(ExifTags.GPS.GPSImgDirectionRef)
    if isinstance(reference, bytes):
        reference = reference.decode("ascii", "replace")
    reference = str(reference or "").strip("\0 ").upper()
    return degrees % 360, reference if reference in ("T", "M") else None


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
