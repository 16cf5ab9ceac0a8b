"""Painting a composition and writing it as a JPEG with EXIF."""

import io
from datetime import timedelta
from fractions import Fraction
from functools import cache
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageDraw, ImageFont, TiffImagePlugin

from ingest.synth.categories import COLOURS
from ingest.synth.compositions import Composition, Thing
from ingest.synth.dice import Dice
from ingest.synth.moments import Moment
from ingest.synth.shapes import shape_of

Pixels = NDArray[np.uint8]
Colour = tuple[int, int, int]

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
    (236, 192, 156),
    (208, 154, 112),
    (158, 104, 68),
    (118, 76, 48),
)
_HAIRS: Final[tuple[Colour, ...]] = ((78, 46, 26), (40, 30, 18), (196, 150, 78), (130, 60, 30))
_GROUNDS: Final[dict[str, Colour]] = {
    "grass": (132, 184, 92),
    "savanna": (214, 190, 122),
    "sand": (238, 218, 170),
    "asphalt": (178, 178, 182),
    "paving": (214, 204, 190),
    "water": (112, 172, 204),
}
_SKIES: Final[dict[str, tuple[Colour, Colour]]] = {
    "sunny": ((104, 172, 228), (206, 232, 244)),
    "overcast": ((176, 186, 196), (222, 226, 228)),
    "night": ((24, 32, 74), (62, 74, 128)),
}
_WALLS: Final[tuple[Colour, ...]] = (
    (238, 226, 204), (212, 226, 222), (226, 214, 226), (232, 216, 196), (206, 218, 232),
)  # fmt: skip
_FLOORS: Final[tuple[Colour, ...]] = ((186, 142, 100), (204, 172, 134), (168, 172, 176))
_SUBPIXEL: Final = 4


def render(seed: int, composition: Composition) -> bytes:
    """The composition as JPEG bytes; the same bytes for one version of Pillow and OpenCV."""
    dice = Dice(seed, "paint", composition.scene.number)
    image = _background(dice, composition)
    if composition.weather == "sunny":
        _paint_shadows(image, composition)
    for thing in composition.things:
        _paint_soft_shadow(image, thing)
    for thing in composition.things:
        _paint_thing(image, dice, thing)
    if composition.weather == "night":
        image = _at_night(image)
    picture = Image.fromarray(image)
    for thing in composition.things:
        if thing.text is not None:
            _write_text(picture, thing)
    buffer = io.BytesIO()
    exif = exif_of(composition.moment)
    # full chroma keeps the edges of shadows free of the ground's colour
    picture.save(buffer, "JPEG", quality=JPEG_QUALITY, subsampling=0, **exif)
    return buffer.getvalue()


def exif_of(moment: Moment) -> dict[str, Any]:
    """The `exif` argument for Pillow: time and place as the moment's convention tells them."""
    if moment.convention == "no_exif":
        return {}
    exif = Image.Exif()
    exif[ExifTags.Base.Make] = "gainsay"
    exif[ExifTags.Base.Model] = "synth"
    camera = exif.get_ifd(ExifTags.IFD.Exif)
    camera[ExifTags.Base.DateTimeOriginal] = moment.clock.strftime("%Y:%m:%d %H:%M:%S")
    if moment.convention == "offset":
        camera[ExifTags.Base.OffsetTimeOriginal] = _offset_text(moment.offset)
    if moment.convention != "no_place":
        gps = exif.get_ifd(ExifTags.IFD.GPSInfo)
        gps[ExifTags.GPS.GPSVersionID] = b"\x02\x03\x00\x00"
        gps[ExifTags.GPS.GPSLatitudeRef] = "N" if moment.latitude >= 0 else "S"
        gps[ExifTags.GPS.GPSLatitude] = _sexagesimal(moment.latitude)
        gps[ExifTags.GPS.GPSLongitudeRef] = "E" if moment.longitude >= 0 else "W"
        gps[ExifTags.GPS.GPSLongitude] = _sexagesimal(moment.longitude)
        if moment.convention == "gps":
            clock = (moment.utc.hour, moment.utc.minute, moment.utc.second)
            gps[ExifTags.GPS.GPSTimeStamp] = tuple(map(_rational, clock))
            gps[ExifTags.GPS.GPSDateStamp] = moment.utc.strftime("%Y:%m:%d")
    return {"exif": exif}


def _offset_text(offset: timedelta) -> str:
    minutes = round(offset.total_seconds() / 60.0)
    return f"{'-' if minutes < 0 else '+'}{abs(minutes) // 60:02d}:{abs(minutes) % 60:02d}"


def _sexagesimal(degrees: float) -> tuple[TiffImagePlugin.IFDRational, ...]:
    hundredths = round(abs(degrees) * 360_000)
    whole, rest = divmod(hundredths, 360_000)
    minutes, seconds = divmod(rest, 6_000)
    return _rational(whole), _rational(minutes), _rational(Fraction(seconds, 100))


def _rational(value: int | Fraction) -> TiffImagePlugin.IFDRational:
    fraction = Fraction(value)
    return TiffImagePlugin.IFDRational(fraction.numerator, fraction.denominator)


def _background(dice: Dice, composition: Composition) -> Pixels:
    width, height, horizon = composition.width, composition.height, round(composition.horizon)
    image = np.empty((height, width, 3), np.uint8)
    if composition.weather == "indoor":
        _paint_room(image, dice, composition, horizon)
        return image
    top, bottom = _SKIES["overcast" if composition.weather == "overcast" else "sunny"]
    image[:horizon] = _gradient(top, bottom, horizon)[:, None]
    ground = _GROUNDS[composition.scene.setting.ground]
    image[horizon:] = _gradient(_mix(ground, (255, 255, 255), 0.25), ground, height - horizon)[
        :, None
    ]
    _paint_sun(image, composition, horizon)
    _paint_clouds(image, dice, width, horizon)
    _paint_skyline(image, dice, composition, horizon)
    image[horizon:] = _with_grain(image[horizon:], dice)
    _paint_ground_marks(image, dice, composition, horizon)
    return image


def _paint_sun(image: Pixels, composition: Composition, horizon: int) -> None:
    """The sun's disc, if it stands in front of a camera that looks north."""
    bearing = (composition.moment.azimuth + 180.0) % 360.0 - 180.0
    if composition.weather != "sunny" or abs(bearing) > 55.0:
        return
    centre = (0.5 + bearing / 130.0) * composition.width, 0.35 * horizon
    sky = image[:horizon]
    for radius, colour in ((0.21, (250, 240, 190)), (0.16, (255, 226, 92))):
        _fill(sky, _disc(*centre, radius * horizon), colour)


def _paint_clouds(image: Pixels, dice: Dice, width: int, horizon: int) -> None:
    sky = image[:horizon]
    for _ in range(2 + dice.below(3)):
        x, y = dice.between(0.0, width), dice.between(0.15, 0.6) * horizon
        size = dice.between(0.07, 0.13) * horizon
        for dx, dy, scale in ((-1.6, 0.3, 0.8), (0.0, 0.0, 1.2), (1.5, 0.25, 0.9), (0.0, 0.5, 1.2)):
            _fill(
                sky,
                _disc(x + dx * size, y + dy * size, scale * size * 1.3, scale * size),
                (246, 248, 250),
            )


def _paint_skyline(image: Pixels, dice: Dice, composition: Composition, horizon: int) -> None:
    """What closes the view: houses in town, hills in the country, the sea at the beach."""
    width, setting = composition.width, composition.scene.setting
    if setting.ground in {"asphalt", "paving"}:
        left = -dice.between(0.0, 40.0)
        while left < width:
            breadth, tall = dice.between(60.0, 120.0), dice.between(0.3, 0.8) * horizon
            _paint_house(image, dice, left, breadth, tall, horizon)
            left += breadth
        return
    if setting.name == "beach":
        image[round(0.72 * horizon) : horizon] = (84, 152, 196)
        image[horizon - 3 : horizon + 2] = (244, 248, 250)
        return
    tones = (
        ((150, 188, 150), (122, 168, 116))
        if setting.ground != "savanna"
        else ((206, 188, 140), (190, 172, 116))
    )
    for tone, low in zip(tones, (0.35, 0.2), strict=True):
        xs = np.linspace(0.0, width, 40)
        phase, waves = dice.between(0.0, 6.3), dice.between(1.5, 3.5)
        ys = horizon - horizon * low * (1.0 + 0.5 * np.sin(phase + waves * 6.3 * xs / width))
        hill = np.concatenate([np.stack([xs, ys], axis=1), [[width, horizon], [0, horizon]]])
        _fill(image[:horizon], hill, tone)


def _paint_house(
    image: Pixels, dice: Dice, left: float, breadth: float, tall: float, horizon: int
) -> None:
    wall = dice.pick(
        ((214, 186, 160), (196, 172, 166), (176, 184, 198), (222, 206, 176), (190, 150, 132))
    )
    _fill(image[:horizon], _rectangle(left, horizon - tall, left + breadth - 2, horizon), wall)
    pane = _mix(wall, (120, 160, 200), 0.55)
    columns, rows = int(breadth // 22), int(tall // 26)
    for row in range(rows):
        for column in range(columns):
            x, y = left + 8 + column * 22, horizon - tall + 8 + row * 26
            _fill(image[:horizon], _rectangle(x, y, x + 11, y + 14), pane)


def _with_grain(band: Pixels, dice: Dice) -> Pixels:
    """A light, blotchy variation of the ground, the same in all three colours."""
    height, width = band.shape[:2]
    rows, columns = -(-height // 24) + 1, -(-width // 24) + 1
    coarse = np.array([dice.unit() for _ in range(rows * columns)], np.float32)
    grain = cv2.resize(
        coarse.reshape(rows, columns), (width, height), interpolation=cv2.INTER_CUBIC
    )
    tinted = band.astype(np.float32) + (grain[:, :, None] - 0.5) * 14.0
    return np.clip(tinted, 0, 255).astype(np.uint8)


def _paint_ground_marks(image: Pixels, dice: Dice, composition: Composition, horizon: int) -> None:
    width, height = composition.width, composition.height
    style = composition.scene.setting.ground
    ground = _GROUNDS[style]
    if style == "asphalt":
        _fill(image, _rectangle(0, horizon, width, horizon + 0.09 * height), (206, 200, 190))
        _fill(
            image,
            _rectangle(0, horizon + 0.09 * height, width, horizon + 0.10 * height),
            (232, 228, 220),
        )
        y = 0.90 * height
        for left in np.arange(-30.0, width, 90.0):
            _fill(image, _rectangle(left, y, left + 52, y + 7), (246, 244, 232))
    elif style == "paving":
        line = _mix(ground, (120, 110, 100), 0.22)
        for y in np.arange(horizon + 18.0, height, 34.0):
            _fill(image, _rectangle(0, y, width, y + 1.5), line)
        for x in np.arange(dice.between(0.0, 40.0), width, 46.0):
            _fill(image, _rectangle(x, horizon, x + 1.5, height), line)
    elif style == "water":
        for _ in range(40):
            x, y = dice.between(0, width), dice.between(horizon + 8, height)
            _fill(image, _disc(x, y, dice.between(12, 34), 1.6), (154, 202, 224))
    else:
        tone = _mix(ground, (70, 96, 40), 0.28)
        for _ in range(90):
            x, y = dice.between(0, width), dice.between(horizon + 8, height)
            blade = np.array(
                [[x - 4, y - 6], [x, y], [x + 4, y - 6], [x + 1, y + 1], [x - 1, y + 1]]
            )
            _fill(image, blade, tone if style != "sand" else _mix(ground, (190, 160, 110), 0.5))


def _paint_room(image: Pixels, dice: Dice, composition: Composition, horizon: int) -> None:
    width, height = composition.width, composition.height
    wall, floor = dice.pick(_WALLS), dice.pick(_FLOORS)
    image[:horizon] = _gradient(_mix(wall, (255, 255, 255), 0.35), wall, horizon)[:, None]
    image[horizon:] = _gradient(_mix(floor, (255, 255, 255), 0.15), floor, height - horizon)[
        :, None
    ]
    if composition.scene.setting.ground == "tabletop":
        for x in np.arange(0.0, width, 44.0):
            _fill(
                image[:horizon],
                _rectangle(x, 0, x + 1.5, horizon),
                _mix(wall, (120, 120, 120), 0.15),
            )
        for y in np.arange(0.0, horizon, 30.0):
            _fill(
                image[:horizon], _rectangle(0, y, width, y + 1.5), _mix(wall, (120, 120, 120), 0.15)
            )
        image[horizon : horizon + 5] = _mix(floor, (60, 40, 20), 0.5)
    else:
        left = dice.between(0.08, 0.62) * width
        _paint_window(image, left, 0.10 * horizon, 0.26 * width, 0.58 * horizon)
        image[horizon - 9 : horizon] = (250, 248, 242)
    for y in np.linspace(horizon, height, 6)[1:-1]:
        _fill(image, _rectangle(0, y, width, y + 1.5), _mix(floor, (90, 60, 30), 0.3))


def _paint_window(image: Pixels, x: float, y: float, width: float, height: float) -> None:
    _fill(image, _rectangle(x - 7, y - 7, x + width + 7, y + height + 7), (252, 250, 246))
    _fill(image, _rectangle(x, y, x + width, y + height), (176, 214, 238))
    _fill(image, _rectangle(x, y + 0.7 * height, x + width, y + height), (150, 192, 130))
    _fill(image, _rectangle(x + width / 2 - 3, y, x + width / 2 + 3, y + height), (252, 250, 246))
    _fill(image, _rectangle(x, y + height / 2 - 3, x + width, y + height / 2 + 3), (252, 250, 246))


def _paint_shadows(image: Pixels, composition: Composition) -> None:
    ground = image[round(composition.horizon) :]
    for thing in composition.things:
        if thing.casts_shadow:
            for polygon in thing.shadow(composition.moment):
                _fill(ground, polygon - (0.0, round(composition.horizon)), _SHADOW)


def _paint_soft_shadow(image: Pixels, thing: Thing) -> None:
    """Where a standing thing touches the ground, the ground is a little darker."""
    if thing.category in {"kite", "clock"}:
        return
    mask = np.zeros(image.shape[:2], np.uint8)
    centre = thing.left + thing.width / 2.0
    _fill(mask, _disc(centre, thing.base, 0.52 * thing.width, 0.02 * thing.height + 4.0), (255,))
    shade = (mask > 0) & (image.max(axis=2) > 110)
    image[shade] = (image[shade].astype(np.float32) * 0.82).astype(np.uint8)


def _paint_thing(image: Pixels, dice: Dice, thing: Thing) -> None:
    skin, hair = dice.pick(_SKINS), dice.pick(_HAIRS)
    trousers = dice.pick(((52, 70, 122), (112, 84, 52), (72, 92, 72), (146, 148, 160)))
    body = COLOURS[thing.colour]
    colours = _ROLES | {
        "skin": skin,
        "hair": hair if thing.category == "person" else _ROLES["hair"],
        "trousers": trousers,
        "body": body,
        "shade": _mix(body, (20, 16, 40), 0.28),
        "light": _mix(body, (255, 255, 255), 0.42),
    }
    background = (
        image.copy()
        if any(role == "hollow" for role, _ in shape_of(thing.category).parts)
        else image
    )
    for role, points in shape_of(thing.category).parts:
        placed = thing.place(points)
        if role == "hollow":
            _restore(image, background, placed)
        else:
            _fill(image, placed, colours[role])


def _restore(image: Pixels, background: Pixels, polygon: NDArray[np.float64]) -> None:
    """Let the background show through a hole."""
    hole = np.zeros(image.shape[:2], np.uint8)
    _fill(hole, polygon, (255,))
    weight = hole[:, :, None].astype(np.float32) / 255.0
    blended = image * (1.0 - weight) + background * weight
    image[:] = np.round(blended).astype(np.uint8)


def _at_night(image: Pixels) -> Pixels:
    """Moonlight: darker and bluer, never both dark and without colour."""
    tinted = image.astype(np.float32) * (0.34, 0.42, 0.66) + (4.0, 8.0, 34.0)
    return np.clip(tinted, 0, 255).astype(np.uint8)


def _write_text(picture: Image.Image, thing: Thing) -> None:
    assert thing.text is not None
    board = thing.place(np.array([[0.03, 0.03], [0.67, 0.43]]))
    (left, top), (right, bottom) = board
    lines = thing.text.split(" ") if len(thing.text) > 7 else [thing.text]
    if len(lines) > 2:
        lines = [" ".join(lines[:-1]), lines[-1]]
    ink = (28, 40, 88) if thing.colour == "white" else (250, 250, 244)
    pen = ImageDraw.Draw(picture)
    line_height = (bottom - top) / len(lines)
    for row, line in enumerate(lines):
        font = _font_to_fit(line, right - left, line_height)
        middle = (left + right) / 2.0, top + (row + 0.5) * line_height
        pen.text(middle, line, fill=ink, font=font, anchor="mm")


def _font_to_fit(line: str, width: float, height: float) -> Any:
    size = round(0.82 * height)
    length = _font(size).getlength(line)
    return _font(max(8, min(size, int(size * width / length))))


@cache
def _font(size: int) -> Any:
    """Pillow's own font, the same on every machine."""
    return ImageFont.load_default(size)


def _fill(image: Pixels, polygon: NDArray[np.float64], colour: tuple[int, ...]) -> None:
    points = np.round(polygon * (1 << _SUBPIXEL)).astype(np.int32)
    cv2.fillPoly(image, [points], colour, cv2.LINE_AA, _SUBPIXEL)


def _rectangle(left: float, top: float, right: float, bottom: float) -> NDArray[np.float64]:
    return np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float64)


def _disc(x: float, y: float, rx: float, ry: float | None = None) -> NDArray[np.float64]:
    turn = np.linspace(0.0, 2.0 * np.pi, 36, endpoint=False)
    return np.stack([x + rx * np.cos(turn), y + (rx if ry is None else ry) * np.sin(turn)], axis=1)


def _gradient(first: Colour, last: Colour, steps: int) -> Pixels:
    return np.round(np.linspace(first, last, steps)).astype(np.uint8)


def _mix(one: Colour, other: Colour, share: float) -> Colour:
    r, g, b = (round(a + (c - a) * share) for a, c in zip(one, other, strict=True))
    return r, g, b
