"""Contact sheets: pictures side by side, with what is said of them."""

import io
import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import cv2
import duckdb
from PIL import Image, ImageDraw, ImageFont

from python_udfs.pixels import masks
from python_udfs.pixels.image_bytes import ImageUnreadableError, decode_pixels

_TILE: Final = 300
_LINE: Final = 18
_GAP: Final = 12
_INK: Final = (25, 25, 30)
_RED: Final = (206, 46, 40)
# colours of the frames, by what the picture still supports
_COLOURS: Final = {
    "clean": (38, 138, 78),
    "different": (196, 112, 0),
    "irrelevant": _RED,
    None: (150, 150, 155),
}
_FRAME: Final = 4
_CHARACTERS_OF_A_LINE: Final = 44


@dataclass(frozen=True)
class Tile:
    """A picture, or None with the reason in a line, what it still says, and the lines below it.

    `image_state` is `clean`, `different`, `irrelevant` or None, and decides the colour of frame and
    second line.
    """

    picture: Image.Image | None
    image_state: str | None
    lines: list[str]


@dataclass(frozen=True)
class Row:
    """Lines, and the tiles that stand below them."""

    heading: list[str]
    tiles: list[Tile]


def contact_sheet(rows: list[Row]) -> bytes:
    """PNG bytes: the rows below each other."""
    width = max(len(row.tiles) for row in rows) * (_TILE + _GAP) + _GAP
    height = sum(_row_height(row.tiles) for row in rows) + _GAP
    sheet = Image.new("RGB", (width, height), (250, 250, 248))
    pen = ImageDraw.Draw(sheet)
    top = _GAP
    for row in rows:
        for line in row.heading:
            pen.text((_GAP, top), line, fill=_INK, font=_font(15))
            top += _LINE + 2
        top += _FRAME
        for position, tile in enumerate(row.tiles):
            left = _GAP + position * (_TILE + _GAP)
            _paint(sheet, pen, tile, left, top, _picture_height(row.tiles))
        top += _row_height(row.tiles) - len(row.heading) * (_LINE + 2) - _FRAME
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG")
    return buffer.getvalue()


def tile_picture(
    read: Callable[[], bytes], outlined_rle: str | None = None, thickness: int = 1
) -> Image.Image | None:
    """A picture in a tile's size, the mask of an RLE outlined; None where it is unreadable."""
    try:
        pixels = decode_pixels(read())
    except (OSError, ImageUnreadableError):
        return None
    if outlined_rle is not None:
        try:
            mask = masks.decode(outlined_rle, *pixels.shape[:2])
        except ValueError:
            # another file has landed since
            return None
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(pixels, outlines, -1, _RED[::-1], thickness)
    picture = Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB))
    picture.thumbnail((_TILE, _TILE))
    return picture


def wrapped(text: str, n_lines: int) -> list[str]:
    """A text in lines as wide as a tile, so many at most."""
    return textwrap.wrap(text, _CHARACTERS_OF_A_LINE, max_lines=n_lines, placeholder=" ...")


def _row_height(tiles: list[Tile]) -> int:
    return (
        2 * (_LINE + 2)
        + 2 * _FRAME
        + _picture_height(tiles)
        + _LINE * max(len(tile.lines) for tile in tiles)
        + 2 * _GAP
    )


def _picture_height(tiles: list[Tile]) -> int:
    return max([tile.picture.height for tile in tiles if tile.picture], default=_TILE)


def _paint(
    sheet: Image.Image, pen: ImageDraw.ImageDraw, tile: Tile, left: int, top: int, height: int
) -> None:
    colour = _COLOURS[tile.image_state]
    if tile.picture is None:
        pen.rectangle((left, top, left + _TILE, top + height), outline=colour)
    else:
        sheet.paste(tile.picture, (left, top))
        right, bottom = left + tile.picture.width, top + tile.picture.height
        edge = (left - _FRAME, top - _FRAME, right + _FRAME - 1, bottom + _FRAME - 1)
        pen.rectangle(edge, outline=colour, width=_FRAME)
    for number, line in enumerate(tile.lines):
        place = left, top + height + _FRAME + 4 + number * _LINE
        pen.text(place, line, fill=colour if number == 1 else _INK, font=_font(13))


def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font


def without_pictures(connection: duckdb.DuckDBPyConnection) -> str:
    """Why nothing that was asked for has a picture, as the end of a sentence, and what to do."""
    [(n,)] = connection.execute("select count(*) from images.images__files").fetchall()
    landed = f"has one of the {n:,} landed pictures" if n else "has a picture, and none is landed"
    return f"{landed}; run `gainsay land-images` on a folder with theirs, then `gainsay build`"
