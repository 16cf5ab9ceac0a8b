"""Painting a composition and writing it as a JPEG with EXIF."""

import io
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from gainsay.synth.backdrops import paint_backdrop
from gainsay.synth.brush import Colour, Pixels, disc, fill, mix
from gainsay.synth.categories import COLOURS
from gainsay.synth.compositions import Composition, Thing
from gainsay.synth.dice import Dice
from gainsay.synth.exif import exif_of
from gainsay.synth.moments import Moment
from gainsay.synth.shapes import shape_of

JPEG_QUALITY: Final = 92

# hard shadows: HSV value below 80 and saturation below 50, which nothing else here has both of
_SHADOW: Final = (56, 56, 60)
_ROLES: Final[dict[str, Colour]] = {
    "dark": (30, 34, 58),
    "metal": (150, 156, 166),
    "pale": (246, 244, 236),
    "glass": (182, 214, 232),
    "skin": (228, 180, 142),
    "hair": (78, 46, 26),
    "face": (52, 40, 28),
    "wood": (150, 102, 58),
    "red": (206, 46, 40),
    "yellow": (246, 210, 74),
    "green": (64, 148, 72),
    "leaf": (44, 112, 58),
    "orange": (240, 138, 42),
    "pink": (240, 158, 178),
    "accent": (226, 84, 62),
    "drink": (104, 62, 34),
    "cheese": (248, 206, 98),
    "pot": (190, 98, 62),
    "screen": (38, 62, 104),
    "trousers": (52, 70, 122),
    "spots": (120, 70, 38),
}
_SKINS: Final[tuple[Colour, ...]] = (
    (236, 192, 156), (208, 154, 112), (158, 104, 68), (118, 76, 48),
)  # fmt: skip
_HAIRS: Final[tuple[Colour, ...]] = ((78, 46, 26), (40, 30, 18), (196, 150, 78), (130, 60, 30))
_TROUSERS: Final[tuple[Colour, ...]] = (
    (52, 70, 122), (112, 84, 52), (72, 92, 72), (146, 148, 160),
)  # fmt: skip
# how far, in rows, the paint of a soft edge may lie from its polygon
_SOFT_EDGE: Final = 4
# light as a factor and an offset for red, green and blue; none leaves a dark pixel without
# colour, which at night would look like a hard shadow
_Light = tuple[tuple[float, float, float], tuple[float, float, float]]
_DAYLIGHT: Final[_Light] = ((1.0, 1.0, 1.0), (0.0, 0.0, 0.0))
_MOONLIGHT: Final[_Light] = ((0.34, 0.42, 0.66), (4.0, 8.0, 34.0))
_LAMPLIGHT: Final[_Light] = ((0.78, 0.78, 0.82), (0.0, 0.0, 14.0))


def render(seed: int, composition: Composition) -> bytes:
    """The composition as JPEG bytes; the same bytes for one version of Pillow and OpenCV."""
    return as_jpeg(paint(seed, composition), composition.moment)


def as_jpeg(image: Pixels, moment: Moment) -> bytes:
    """A picture as JPEG bytes, with EXIF of its moment."""
    buffer = io.BytesIO()
    # full chroma keeps the edges of shadows free of the ground's colour
    Image.fromarray(image).save(
        buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0, exif=exif_of(moment)
    )
    return buffer.getvalue()


def paint(seed: int, composition: Composition) -> Pixels:
    """The composition as red, green and blue."""
    layout = composition.layout
    dice = Dice(seed, "paint", layout.scene.number)
    image = paint_backdrop(dice, composition)
    if composition.weather == "sunny":
        _paint_shadows(image, composition)
    for thing in layout.things:
        _paint_soft_shadow(image, thing)
    is_night = composition.weather == "night"
    if is_night:
        image[:] = _lit(image, _MOONLIGHT)
    for thing in layout.things:
        _paint_thing(image, dice, thing, _LAMPLIGHT if is_night else _DAYLIGHT)
    picture = Image.fromarray(image)
    for thing in layout.things:
        if thing.text is not None:
            _write_text(picture, thing, thing.text)
    return np.array(picture)


def _paint_shadows(image: Pixels, composition: Composition) -> None:
    horizon = round(composition.layout.horizon)
    ground = image[horizon:]
    for thing in composition.layout.things:
        if thing.casts_shadow:
            for polygon in thing.shadow(composition.moment):
                fill(ground, polygon - (0.0, horizon), _SHADOW)


def _paint_soft_shadow(image: Pixels, thing: Thing) -> None:
    """Where a standing thing touches the ground, the ground is a little darker."""
    if thing.is_flying:
        return
    centre = thing.left + thing.width / 2.0
    area = disc(centre, thing.base, 0.52 * thing.width, 0.02 * thing.height + 4.0)
    # of the few rows below it, not of the whole picture for each thing
    rows, top = _rows_of(area, image.shape[0])
    ground = image[rows]
    mask = np.zeros(ground.shape[:2], np.uint8)
    fill(mask, area - (0.0, top), (255,))
    below = mask > 0
    pixels = ground[below]
    is_bright = pixels.max(axis=1) > 110
    pixels[is_bright] = (pixels[is_bright].astype(np.float32) * 0.82).astype(np.uint8)
    ground[below] = pixels


def _rows_of(polygon: NDArray[np.float64], height: int) -> tuple[slice, int]:
    """The rows of a picture that a polygon with soft edges may touch, and the first of them."""
    first, last = polygon[:, 1].min(), polygon[:, 1].max()
    top = min(max(int(first) - _SOFT_EDGE, 0), height)
    return slice(top, max(int(last) + _SOFT_EDGE, top)), top


def _paint_thing(image: Pixels, dice: Dice, thing: Thing, light: _Light) -> None:
    body = COLOURS[thing.colour]
    colours = _ROLES | {
        "body": body,
        "shade": mix(body, (20, 16, 40), 0.28),
        "light": mix(body, (255, 255, 255), 0.42),
    }
    if thing.category == "person":
        colours |= {
            "skin": dice.pick(_SKINS),
            "hair": dice.pick(_HAIRS),
            "trousers": dice.pick(_TROUSERS),
        }
    parts = shape_of(thing.category).parts
    has_holes = any(role == "hollow" for role, _ in parts)
    background = image.copy() if has_holes else image
    for role, points in parts:
        placed = thing.place(points)
        if role == "hollow":
            _restore(image, background, placed)
        else:
            fill(image, placed, tuple(_lit(np.array(colours[role]), light).tolist()))


def _restore(image: Pixels, background: Pixels, polygon: NDArray[np.float64]) -> None:
    """Let the background show through a hole."""
    rows, top = _rows_of(polygon, image.shape[0])
    hole = np.zeros(image[rows].shape[:2], np.uint8)
    fill(hole, polygon - (0.0, top), (255,))
    weight = hole[:, :, None].astype(np.float32) / 255.0
    blended = image[rows] * (1.0 - weight) + background[rows] * weight
    image[rows] = np.round(blended).astype(np.uint8)


def _lit(colours: NDArray[np.integer], light: _Light) -> Pixels:
    factors, offsets = np.array(light)
    lit: Pixels = np.clip(np.round(colours * factors + offsets), 0, 255).astype(np.uint8)
    return lit


def _write_text(picture: Image.Image, thing: Thing, text: str) -> None:
    """Write a sign's text in one line or two."""
    (left, top), (right, bottom) = thing.place(np.array([[0.03, 0.03], [0.67, 0.43]]))
    *first, last = text.split(" ")
    lines = [" ".join(first), last] if first and len(text) > 7 else [text]
    ink = (28, 40, 88) if thing.colour == "white" else (250, 250, 244)
    pen = ImageDraw.Draw(picture)
    line_height = (bottom - top) / len(lines)
    for row, line in enumerate(lines):
        font = _font_to_fit(line, right - left, line_height)
        middle = (left + right) / 2.0, top + (row + 0.5) * line_height
        pen.text(middle, line, fill=ink, font=font, anchor="mm")


def _font_to_fit(line: str, width: float, height: float) -> ImageFont.FreeTypeFont:
    size = round(0.82 * height)
    length = font_of(size).getlength(line)
    return font_of(max(8, min(size, int(size * width / length))))


@cache
def font_of(size: int) -> ImageFont.FreeTypeFont:
    """Pillow's own font, the same on every machine."""
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
