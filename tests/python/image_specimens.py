"""Image files as real life delivers them: every format, and everything that goes wrong."""

import io
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageDraw, ImageFont, TiffImagePlugin


def photograph(width: int = 64, height: int = 48, seed: int = 7) -> NDArray[np.uint8]:
    """Smooth colours with some edges, RGB."""
    generator = np.random.Generator(np.random.Philox(seed))
    y, x = np.mgrid[:height, :width] / max(width, height)
    waves = generator.uniform(1, 9, (3, 2)), generator.uniform(0, 6, 3)
    channels = [
        128 + 90 * np.sin(a * x + b * y + phase) for (a, b), phase in zip(*waves, strict=True)
    ]
    picture = np.stack(channels, axis=-1)
    picture[height // 3 : height // 2, width // 4 : width // 2] = (250, 240, 20)
    return np.clip(picture + generator.normal(0, 2, picture.shape), 0, 255).astype(np.uint8)


def encoded(image: Image.Image, file_format: str, **options: Any) -> bytes:
    """An image's bytes in a format."""
    buffer = io.BytesIO()
    image.save(buffer, file_format, **options)
    return buffer.getvalue()


def jpeg(width: int = 64, height: int = 48, seed: int = 7, **options: Any) -> bytes:
    """A photograph as JPEG."""
    return encoded(Image.fromarray(photograph(width, height, seed)), "JPEG", **options)


def bomb(width: int = 20_000, height: int = 20_000) -> bytes:
    """A black PNG: few bytes, as many pixels as it says."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        body = kind + content
        return struct.pack(">I", len(content)) + body + struct.pack(">I", zlib.crc32(body))

    # row by row, so that making it takes no memory either
    packer = zlib.compressobj(9)
    row = b"\0" * (1 + (width + 7) // 8)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")
    )


def board(text: str) -> NDArray[np.uint8]:
    """A line of dark letters on white, grey."""
    font = ImageFont.load_default(56)
    left, top, right, bottom = font.getbbox(text)
    page = Image.new("L", (round(right - left) + 40, round(bottom - top) + 40), 255)
    ImageDraw.Draw(page).text((20 - left, 20 - top), text, fill=0, font=font)
    return np.asarray(page)


def exif(orientation: int | None = None, camera: Any = None, gps: Any = None) -> Image.Exif:
    """EXIF with the tags of a camera and of its GPS receiver."""
    made = Image.Exif()
    if orientation:
        made[ExifTags.Base.Orientation] = orientation
    made.get_ifd(ExifTags.IFD.Exif).update(camera or {})
    made.get_ifd(ExifTags.IFD.GPSInfo).update(gps or {})
    return made


def rational(numerator: int, denominator: int = 1) -> TiffImagePlugin.IFDRational:
    """A fraction as EXIF holds it; the denominator may be 0."""
    return TiffImagePlugin.IFDRational(numerator, denominator)


def usable() -> dict[str, bytes]:
    """Files that hold a picture, in unusual ways."""
    rgb = Image.fromarray(photograph())
    wide = Image.fromarray(photograph()[..., 0].astype(np.uint16) * 257)
    frames = [rgb.quantize(), Image.fromarray(photograph(seed=8)).quantize()]
    return {
        "plain.jpg": jpeg(),
        "1x1.png": encoded(Image.new("RGB", (1, 1), (9, 8, 7)), "PNG"),
        "cmyk.jpg": encoded(rgb.convert("CMYK"), "JPEG"),
        "palette.png": encoded(rgb.quantize(), "PNG"),
        "16bit.png": encoded(wide, "PNG"),
        "alpha.png": encoded(rgb.convert("RGBA"), "PNG"),
        "animated.gif": encoded(frames[0], "GIF", save_all=True, append_images=frames[1:]),
        "rotated.jpg": jpeg(exif=exif(orientation=6)),
        "broken_gps.jpg": jpeg(
            exif=exif(
                gps={
                    ExifTags.GPS.GPSLatitudeRef: "N",
                    ExifTags.GPS.GPSLatitude: (rational(40), rational(1, 0), rational(0)),
                    ExifTags.GPS.GPSLongitudeRef: "W",
                    ExifTags.GPS.GPSLongitude: (rational(74), rational(0), rational(0)),
                }
            )
        ),
        "picture.webp": encoded(rgb, "WEBP"),
        "pages.tiff": encoded(rgb, "TIFF", save_all=True, append_images=[rgb]),
    }


def unusable() -> dict[str, tuple[bytes, str]]:
    """Files that hold none, with the kind of error."""
    return {
        "truncated.jpg": (jpeg(640, 480)[:9_000], "undecodable"),
        "truncated.png": (encoded(Image.fromarray(photograph()), "PNG")[:400], "undecodable"),
        "empty.jpg": (b"", "empty"),
        "text.jpg": (b"this is no picture\n", "not_an_image"),
        "bomb.png": (bomb(), "too_many_pixels"),
        "large.png": (bomb(8_001, 8_000), "too_many_pixels"),
        "half_a_header.jpg": (jpeg()[:12], "not_an_image"),
        # a program would run it
        "postscript.jpg": (b"%!PS-Adobe-3.0 EPSF-3.0\n%%EndComments\n", "not_an_image"),
    }
