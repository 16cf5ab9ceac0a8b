"""The background of a picture: sky, skyline and ground, or wall and floor."""

from typing import Final, cast

import cv2
import numpy as np

from gainsay.synth.brush import Colour, Pixels, disc, fill, gradient, mix, rectangle
from gainsay.synth.compositions import Composition, Layout
from gainsay.synth.dice import Dice

_GROUNDS: Final[dict[str, Colour]] = {
    "grass": (132, 184, 92),
    "savanna": (214, 190, 122),
    "sand": (238, 218, 170),
    "asphalt": (178, 178, 182),
    "paving": (214, 204, 190),
    "water": (112, 172, 204),
    "snow": (232, 238, 244),
}
# hills far away and near
_HILLS: Final[dict[str, tuple[Colour, Colour]]] = {
    "savanna": ((206, 188, 140), (190, 172, 116)),
    "snow": ((206, 216, 230), (222, 230, 240)),
}
_GREEN_HILLS: Final[tuple[Colour, Colour]] = ((150, 188, 150), (122, 168, 116))
# plants and stones on the ground: a colour, and its share in the tone
_TUFTS: Final[dict[str, tuple[Colour, float]]] = {
    "sand": ((190, 160, 110), 0.5),
    "snow": ((150, 170, 200), 0.4),
}
_GREEN_TUFTS: Final[tuple[Colour, float]] = ((70, 96, 40), 0.28)
_SKIES: Final[dict[str, tuple[Colour, Colour]]] = {
    "sunny": ((104, 172, 228), (206, 232, 244)),
    "overcast": ((176, 186, 196), (222, 226, 228)),
}
_WALLS: Final[tuple[Colour, ...]] = (
    (238, 226, 204), (212, 226, 222), (226, 214, 226), (232, 216, 196), (206, 218, 232),
)  # fmt: skip
_FLOORS: Final[tuple[Colour, ...]] = ((186, 142, 100), (204, 172, 134), (168, 172, 176))


def paint_backdrop(dice: Dice, composition: Composition) -> Pixels:
    """Sky and ground, or wall and floor, of a composition's size."""
    layout = composition.layout
    width, height, horizon = layout.width, layout.height, round(layout.horizon)
    image = np.empty((height, width, 3), np.uint8)
    if composition.weather == "indoor":
        _paint_room(image, dice, layout, horizon)
        return image
    top, bottom = _SKIES["overcast" if composition.weather == "overcast" else "sunny"]
    image[:horizon] = gradient(top, bottom, horizon)[:, None]
    ground = _GROUNDS[layout.scene.setting.ground]
    image[horizon:] = gradient(mix(ground, (255, 255, 255), 0.25), ground, height - horizon)[
        :, None
    ]
    _paint_sun(image, composition, horizon)
    _paint_clouds(image, dice, width, horizon)
    _paint_skyline(image, dice, layout, horizon)
    image[horizon:] = _with_grain(image[horizon:], dice)
    _paint_ground_marks(image, dice, layout, horizon)
    return image


def _paint_sun(image: Pixels, composition: Composition, horizon: int) -> None:
    """The sun's disc, if it stands in front of a camera that looks north."""
    bearing = (composition.moment.azimuth + 180.0) % 360.0 - 180.0
    if composition.weather != "sunny" or abs(bearing) > 55.0:
        return
    centre = (0.5 + bearing / 130.0) * composition.layout.width, 0.35 * horizon
    sky = image[:horizon]
    for radius, colour in ((0.21, (250, 240, 190)), (0.16, (255, 226, 92))):
        fill(sky, disc(*centre, radius * horizon), colour)


def _paint_clouds(image: Pixels, dice: Dice, width: int, horizon: int) -> None:
    sky = image[:horizon]
    for _ in range(2 + dice.below(3)):
        x, y = dice.between(0.0, width), dice.between(0.15, 0.6) * horizon
        size = dice.between(0.07, 0.13) * horizon
        for dx, dy, scale in ((-1.6, 0.3, 0.8), (0.0, 0.0, 1.2), (1.5, 0.25, 0.9), (0.0, 0.5, 1.2)):
            fill(
                sky,
                disc(x + dx * size, y + dy * size, scale * size * 1.3, scale * size),
                (246, 248, 250),
            )


def _paint_skyline(image: Pixels, dice: Dice, layout: Layout, horizon: int) -> None:
    """The skyline: houses in town, hills in the country, the sea at the beach."""
    width, setting = layout.width, layout.scene.setting
    if setting.ground in {"asphalt", "paving"}:
        left = -dice.between(0.0, 40.0)
        while left < width:
            breadth, tall = dice.between(60.0, 120.0), dice.between(0.3, 0.8) * horizon
            _paint_house(image, dice, horizon, left=left, breadth=breadth, tall=tall)
            left += breadth
        return
    if setting.name == "beach":
        image[round(0.72 * horizon) : horizon] = (84, 152, 196)
        image[horizon - 3 : horizon + 2] = (244, 248, 250)
        return
    tones = _HILLS.get(setting.ground, _GREEN_HILLS)
    for tone, low in zip(tones, (0.35, 0.2), strict=True):
        xs = np.linspace(0.0, width, 40)
        phase, waves = dice.between(0.0, 6.3), dice.between(0.7, 1.6)
        ys = horizon - horizon * low * (1.0 + 0.4 * np.sin(phase + waves * 6.3 * xs / width))
        hill = np.concatenate([np.stack([xs, ys], axis=1), [[width, horizon], [0, horizon]]])
        fill(image[:horizon], hill, tone)


def _paint_house(
    image: Pixels, dice: Dice, horizon: int, *, left: float, breadth: float, tall: float
) -> None:
    wall = dice.pick(
        ((214, 186, 160), (196, 172, 166), (176, 184, 198), (222, 206, 176), (190, 150, 132))
    )
    fill(image[:horizon], rectangle(left, horizon - tall, left + breadth - 2, horizon), wall)
    pane = mix(wall, (120, 160, 200), 0.55)
    columns, rows = int(breadth // 22), int(tall // 26)
    for row in range(rows):
        for column in range(columns):
            x, y = left + 8 + column * 22, horizon - tall + 8 + row * 26
            fill(image[:horizon], rectangle(x, y, x + 11, y + 14), pane)


def _with_grain(band: Pixels, dice: Dice) -> Pixels:
    """A light, blotchy variation of the ground, the same in all three colours."""
    height, width = band.shape[:2]
    rows, columns = -(-height // 24) + 1, -(-width // 24) + 1
    coarse = np.array([dice.unit() for _ in range(rows * columns)], np.float32)
    grain = cv2.resize(
        coarse.reshape(rows, columns), (width, height), interpolation=cv2.INTER_CUBIC
    )
    # colours of three numbers are quicker to add to when each is a plane
    tinted = np.clip(np.moveaxis(band, 2, 0) + (grain - 0.5) * np.float32(14.0), 0, 255)
    return cast(Pixels, cv2.merge([*tinted.astype(np.uint8)]))


def _paint_ground_marks(image: Pixels, dice: Dice, layout: Layout, horizon: int) -> None:
    width, height = layout.width, layout.height
    style = layout.scene.setting.ground
    ground = _GROUNDS[style]
    if style == "asphalt":
        fill(image, rectangle(0, horizon, width, horizon + 0.09 * height), (206, 200, 190))
        fill(
            image,
            rectangle(0, horizon + 0.09 * height, width, horizon + 0.10 * height),
            (232, 228, 220),
        )
        y = 0.90 * height
        for left in np.arange(-30.0, width, 90.0):
            fill(image, rectangle(left, y, left + 52, y + 7), (246, 244, 232))
    elif style == "paving":
        line = mix(ground, (120, 110, 100), 0.22)
        for y in np.arange(horizon + 18.0, height, 34.0):
            fill(image, rectangle(0, y, width, y + 1.5), line)
        for x in np.arange(dice.between(0.0, 40.0), width, 46.0):
            fill(image, rectangle(x, horizon, x + 1.5, height), line)
    elif style == "water":
        for _ in range(40):
            x, y = dice.between(0, width), dice.between(horizon + 8, height)
            fill(image, disc(x, y, dice.between(12, 34), 1.6), (154, 202, 224))
    else:
        tone = mix(ground, *_TUFTS.get(style, _GREEN_TUFTS))
        for _ in range(90):
            x, y = dice.between(0, width), dice.between(horizon + 8, height)
            blade = np.array(
                [[x - 4, y - 6], [x, y], [x + 4, y - 6], [x + 1, y + 1], [x - 1, y + 1]]
            )
            fill(image, blade, tone)


def _paint_room(image: Pixels, dice: Dice, layout: Layout, horizon: int) -> None:
    width, height = layout.width, layout.height
    wall, floor = dice.pick(_WALLS), dice.pick(_FLOORS)
    image[:horizon] = gradient(mix(wall, (255, 255, 255), 0.35), wall, horizon)[:, None]
    image[horizon:] = gradient(mix(floor, (255, 255, 255), 0.15), floor, height - horizon)[:, None]
    if layout.scene.setting.ground == "tabletop":
        for x in np.arange(0.0, width, 44.0):
            fill(
                image[:horizon],
                rectangle(x, 0, x + 1.5, horizon),
                mix(wall, (120, 120, 120), 0.15),
            )
        for y in np.arange(0.0, horizon, 30.0):
            fill(image[:horizon], rectangle(0, y, width, y + 1.5), mix(wall, (120, 120, 120), 0.15))
        image[horizon : horizon + 5] = mix(floor, (60, 40, 20), 0.5)
    else:
        if not any(thing.is_flying for thing in layout.things):
            left = dice.between(0.08, 0.62) * width
            _paint_window(image, left, 0.10 * horizon, 0.26 * width, 0.58 * horizon)
        image[horizon - 9 : horizon] = (250, 248, 242)
    for y in np.linspace(horizon, height, 6)[1:-1]:
        fill(image, rectangle(0, y, width, y + 1.5), mix(floor, (90, 60, 30), 0.3))


def _paint_window(image: Pixels, x: float, y: float, width: float, height: float) -> None:
    fill(image, rectangle(x - 7, y - 7, x + width + 7, y + height + 7), (252, 250, 246))
    fill(image, rectangle(x, y, x + width, y + height), (176, 214, 238))
    fill(image, rectangle(x, y + 0.7 * height, x + width, y + height), (150, 192, 130))
    fill(image, rectangle(x + width / 2 - 3, y, x + width / 2 + 3, y + height), (252, 250, 246))
    fill(image, rectangle(x, y + height / 2 - 3, x + width, y + height / 2 + 3), (252, 250, 246))
