"""Families of corruption: pure functions from pixels and a severity to pixels.

Pictures are uint8 arrays, height by width by 3, channels in OpenCV's order (blue, green, red).
Noise comes from a counter-based generator keyed by the seed key: a pixel depends on the
picture, the recipe and the seed key, and on nothing else.

Source of the ImageNet-C families and their constants: Hendrycks and Dietterich, "Benchmarking
Neural Network Robustness to Common Corruptions and Perturbations", ICLR 2019, in the form for
pictures of any size by Michaelis et al. (`imagecorruptions`). Three differ by intent: glass
blur takes all neighbours at once where the published loop walks pixel by pixel, zoom blur and
snow are scaled by OpenCV about the centre, and frost is synthesised, where the published
one cuts from six photographs.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeAlias, cast

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

Pixels: TypeAlias = npt.NDArray[np.uint8]
Mask: TypeAlias = npt.NDArray[np.uint8]
Floats: TypeAlias = npt.NDArray[np.float32]
Corruption: TypeAlias = Callable[[Pixels, int, np.random.Generator], Pixels]

# threads work on pictures, not on parts of one
cv2.setNumThreads(1)


@dataclass(frozen=True)
class Family:
    """A family of the scale `imagenet_c`: its function, and whether it draws noise."""

    corrupt: Corruption
    is_noisy: bool


def corrupt(image: Pixels, family: str, severity: int, seed_key: str) -> Pixels:
    """A picture corrupted by an ImageNet-C family at severity 1 to 5.

    Shapes: height x width x 3, both sides at least 1, to the same. Errors: `ValueError` for a
    family or severity that does not exist. Source: see the module.
    """
    if family not in FAMILIES:
        raise ValueError(f"{family} is no family of imagenet_c: {', '.join(sorted(FAMILIES))}")
    if severity not in range(1, 6):
        raise ValueError(f"severity {severity} of {family}: imagenet_c has 1 to 5")
    return FAMILIES[family].corrupt(image, severity, generator_of(seed_key))


def generator_of(seed_key: str) -> np.random.Generator:
    """The noise of a seed key: Philox keyed by the first 128 bits of its SHA-256."""
    digest = hashlib.sha256(seed_key.encode()).digest()
    return np.random.Generator(np.random.Philox(key=int.from_bytes(digest[:16], "big")))


def occlude_box(image: Pixels, left: int, top: int, width: int, height: int) -> Pixels:
    """The picture with a box in black; it holds columns left <= x < left + width, likewise rows.

    Errors: `ValueError` for a box that is empty or leaves the picture.
    """
    rows, columns = image.shape[:2]
    if not (
        width > 0 and height > 0 and 0 <= left <= columns - width and 0 <= top <= rows - height
    ):
        raise ValueError(
            f"a box of {width} x {height} at ({left}, {top}) in a picture of {columns} x {rows}"
        )
    occluded = image.copy()
    occluded[top : top + height, left : left + width] = 0
    return occluded


def occlude_mask(image: Pixels, mask: Mask) -> Pixels:
    """The picture with the pixels of a mask (height x width, 0 or 1) in black.

    Errors: `ValueError` for a mask of another size.
    """
    _check_size(image, mask)
    occluded = image.copy()
    occluded[mask > 0] = 0
    return occluded


def _check_size(image: Pixels, mask: Mask) -> None:
    if mask.shape != image.shape[:2]:
        raise ValueError(
            f"a mask of {mask.shape[1]} x {mask.shape[0]} for a picture of"
            f" {image.shape[1]} x {image.shape[0]}"
        )


def _unit(image: Pixels) -> Floats:
    return image.astype(np.float32) * np.float32(1 / 255)


def _pixels(unit: npt.NDArray[Any]) -> Pixels:
    # the published families cut what is behind the point
    return cast(Pixels, (np.clip(unit, 0, 1) * 255).astype(np.uint8))


def _gaussian_noise(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    scale = (0.08, 0.12, 0.18, 0.26, 0.38)[severity - 1]
    return _pixels(_unit(image) + np.float32(scale) * _normal(generator, image.shape))


def _speckle_noise(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    scale = (0.15, 0.2, 0.35, 0.45, 0.6)[severity - 1]
    unit = _unit(image)
    return _pixels(unit + unit * np.float32(scale) * _normal(generator, image.shape))


def _normal(generator: np.random.Generator, shape: tuple[int, ...]) -> Floats:
    noise: Floats = generator.standard_normal(shape, np.float32)
    return noise


def _shot_noise(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    rate = (60, 25, 12, 5, 3)[severity - 1]
    return _pixels(generator.poisson(image / 255.0 * rate) / rate)


def _impulse_noise(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    amount = (0.03, 0.06, 0.09, 0.17, 0.27)[severity - 1]
    draw = generator.random(image.shape, np.float32)
    noisy = image.copy()
    noisy[draw < amount / 2] = 0
    noisy[(draw >= amount / 2) & (draw < amount)] = 255
    return noisy


def _gaussian_blur(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    return _pixels(_blurred(_unit(image), (1, 2, 3, 4, 6)[severity - 1]))


def _blurred(unit: Floats, sigma: float) -> Floats:
    side = 2 * int(4 * sigma + 0.5) + 1
    return cast(
        Floats, cv2.GaussianBlur(unit, (side, side), sigma, borderType=cv2.BORDER_REPLICATE)
    )


def _defocus_blur(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    radius, alias = ((3, 0.1), (4, 0.5), (6, 0.5), (8, 0.5), (10, 0.5))[severity - 1]
    return _pixels(cv2.filter2D(_unit(image), -1, _disk(radius, alias)))


@cache
def _disk(radius: int, alias: float) -> Floats:
    reach = max(radius, 8)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disk = (x**2 + y**2 <= radius**2).astype(np.float32)
    side = 3 if radius <= 8 else 5
    return cast(Floats, cv2.GaussianBlur(disk / disk.sum(), (side, side), alias))


def _glass_blur(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    sigma, reach, iterations = (
        (0.7, 1, 2), (0.9, 2, 1), (1.0, 2, 3), (1.1, 3, 2), (1.5, 4, 2),
    )[severity - 1]  # fmt: skip
    glass = _pixels(_blurred(_unit(image), sigma))
    height, width = image.shape[:2]
    rows, columns = np.mgrid[:height, :width].astype(np.int32)
    for _ in range(iterations):
        # the published draw leaves out the far end of the range
        steps = generator.integers(-reach, reach, (2, height, width), np.int32)
        glass = glass[
            np.clip(rows + steps[0], 0, height - 1), np.clip(columns + steps[1], 0, width - 1)
        ]
    return _pixels(_blurred(_unit(glass), sigma))


def _motion_blur(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    radius, sigma = ((10, 3), (15, 5), (15, 8), (15, 12), (20, 15))[severity - 1]
    angle = generator.uniform(-45, 45)
    return _pixels(_moved(_unit(image), radius, sigma, angle))


def _moved(unit: Floats, radius: int, sigma: float, angle: float) -> Floats:
    """The picture smeared along a direction, in degrees, fading by a half Gaussian."""
    width = 2 * radius + 1
    weights = np.exp(-(np.arange(width) ** 2) / (2.0 * sigma**2))
    weights /= weights.sum()
    padded = cv2.copyMakeBorder(unit, width, width, width, width, cv2.BORDER_REPLICATE)
    rows, columns = unit.shape[:2]
    moved: Floats = np.zeros_like(unit)
    for step, weight in enumerate(weights):
        down = width + int(np.ceil(step * np.sin(np.radians(angle)) - 0.5))
        right = width + int(np.ceil(step * np.cos(np.radians(angle)) - 0.5))
        part = padded[down : down + rows, right : right + columns]
        moved = cast(Floats, cv2.scaleAdd(np.ascontiguousarray(part), float(weight), moved))
    return moved


def _zoom_blur(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    end, step = ((1.11, 0.01), (1.16, 0.01), (1.21, 0.02), (1.26, 0.02), (1.31, 0.03))[severity - 1]
    # numpy's range holds the end for some of these, as the published families have it
    factors = np.arange(1, end, step)
    unit = _unit(image)
    total = unit.copy()
    for factor in factors:
        total += _zoomed(unit, factor)
    return _pixels(total / (len(factors) + 1))


def _zoomed(unit: Floats, factor: float) -> Floats:
    """The middle of the picture, enlarged to its size."""
    height, width = unit.shape[:2]
    centre = (width - 1) / 2, (height - 1) / 2
    matrix = cv2.getRotationMatrix2D(centre, 0, factor)
    return cast(
        Floats,
        cv2.warpAffine(
            unit, matrix, (width, height), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
        ),
    )


def _snow(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    mean, spread, zoom, threshold, radius, sigma, kept = (
        (0.1, 0.3, 3.0, 0.5, 10, 4, 0.8),
        (0.2, 0.3, 2.0, 0.5, 12, 4, 0.7),
        (0.55, 0.3, 4.0, 0.9, 12, 8, 0.7),
        (0.55, 0.3, 4.5, 0.85, 12, 8, 0.65),
        (0.55, 0.3, 2.5, 0.85, 12, 12, 0.55),
    )[severity - 1]
    unit = _unit(image)
    noise = _normal(generator, image.shape[:2]) * np.float32(spread) + np.float32(mean)
    flakes = _zoomed(noise, zoom)
    flakes[flakes < threshold] = 0
    flakes = cast(Floats, np.clip(flakes, 0, 1))
    falling = _moved(flakes, radius, sigma, generator.uniform(-135, -45))[..., None]
    grey = cv2.cvtColor(unit, cv2.COLOR_BGR2GRAY)[..., None]
    veiled = kept * unit + (1 - kept) * np.maximum(unit, grey * 1.5 + 0.5)
    return _pixels(veiled + falling + falling[::-1, ::-1])


def _frost(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    kept, frost = ((1.0, 0.4), (0.8, 0.6), (0.7, 0.7), (0.65, 0.7), (0.6, 0.75))[severity - 1]
    return _pixels(kept * _unit(image) + frost * _frost_texture(image.shape[:2], generator))


def _frost_texture(shape: tuple[int, int], generator: np.random.Generator) -> Floats:
    """Ice on a window: ridges of several sizes, thicker in places, a little blue."""
    height, width = shape
    ice = np.zeros(shape, np.float32)
    for cell, weight in ((96, 0.3), (40, 0.3), (16, 0.25), (6, 0.15)):
        grid = _normal(generator, (height // cell + 3, width // cell + 3))
        relief = cv2.resize(grid, (width, height), interpolation=cv2.INTER_CUBIC)
        ice += np.float32(weight) * np.exp(-3 * np.abs(relief))
    patches = _normal(generator, (4, 4))
    thickness = cv2.resize(patches, (width, height), interpolation=cv2.INTER_CUBIC)
    ice *= 0.7 + 0.3 * np.tanh(thickness)
    return (0.4 + 1.1 * ice[..., None]) * np.array([1.0, 0.94, 0.86], np.float32)


def _fog(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    density, decay = ((1.5, 2.0), (2.0, 2.0), (2.5, 1.7), (2.5, 1.5), (3.0, 1.4))[severity - 1]
    height, width = image.shape[:2]
    side = 1 << (max(height, width, 2) - 1).bit_length()
    unit = _unit(image)
    brightest = float(unit.max())
    veil = _plasma(side, decay, generator)[:height, :width, None]
    return _pixels((unit + density * veil) * brightest / (brightest + density))


def _plasma(side: int, decay: float, generator: np.random.Generator) -> npt.NDArray[np.float64]:
    """A fractal height map in [0, 1] by diamonds and squares; `side` is a power of 2."""
    heights = np.zeros((side, side))
    step, wibble = side, 100.0

    def wibbled(total: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        return total / 4 + wibble * generator.uniform(-wibble, wibble, total.shape)

    while step >= 2:
        half = step // 2
        corners = heights[0::step, 0::step]
        squares = corners + np.roll(corners, -1, axis=0)
        squares = squares + np.roll(squares, -1, axis=1)
        heights[half::step, half::step] = wibbled(squares)
        centres = heights[half::step, half::step]
        across = np.roll(corners, -1, axis=1) + corners
        heights[0::step, half::step] = wibbled(centres + np.roll(centres, 1, axis=0) + across)
        down = np.roll(corners, -1, axis=0) + corners
        heights[half::step, 0::step] = wibbled(centres + np.roll(centres, 1, axis=1) + down)
        step, wibble = half, wibble / decay
    heights -= heights.min()
    return cast(npt.NDArray[np.float64], heights / heights.max())


def _brightness(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    hsv = cv2.cvtColor(_unit(image), cv2.COLOR_BGR2HSV)
    hsv[..., 2] = np.clip(hsv[..., 2] + (0.1, 0.2, 0.3, 0.4, 0.5)[severity - 1], 0, 1)
    return _pixels(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))


def _saturate(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    factor, offset = ((0.3, 0), (0.1, 0), (2, 0), (5, 0.1), (20, 0.2))[severity - 1]
    hsv = cv2.cvtColor(_unit(image), cv2.COLOR_BGR2HSV)
    hsv[..., 1] = np.clip(hsv[..., 1] * factor + offset, 0, 1)
    return _pixels(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR))


def _contrast(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    factor = (0.4, 0.3, 0.2, 0.1, 0.05)[severity - 1]
    mean = image.mean(axis=(0, 1)).astype(np.float32) / 255
    return _pixels((_unit(image) - mean) * np.float32(factor) + mean)


def _elastic_transform(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    alpha = 250 * (0.05, 0.065, 0.085, 0.1, 0.12)[severity - 1]
    height, width = image.shape[:2]
    shift = np.float32(0.005 * height)
    sigmas = 0.01 * width, 0.01 * height
    sides = [2 * int(3 * sigma + 0.5) + 1 for sigma in sigmas]

    def displacement() -> Floats:
        noise = (generator.random((height, width), np.float32) * 2 - 1) * shift
        smooth = cv2.GaussianBlur(noise, sides, *sigmas, borderType=cv2.BORDER_REFLECT)
        return cast(Floats, smooth * np.float32(alpha))

    rows, columns = np.mgrid[:height, :width].astype(np.float32)
    across, down = displacement(), displacement()
    return cast(
        Pixels,
        cv2.remap(
            image, columns + across, rows + down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT
        ),
    )


def _pixelate(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    share = (0.6, 0.5, 0.4, 0.3, 0.25)[severity - 1]
    picture = Image.fromarray(image)
    width, height = picture.size
    small = max(1, int(width * share)), max(1, int(height * share))
    coarse = picture.resize(small, Image.Resampling.BOX)
    return np.asarray(coarse.resize((width, height), Image.Resampling.NEAREST))


def _jpeg_compression(image: Pixels, severity: int, _: np.random.Generator) -> Pixels:
    quality = (25, 18, 15, 10, 7)[severity - 1]
    encoded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    return cast(Pixels, cv2.imdecode(encoded, cv2.IMREAD_COLOR))


def _spatter(image: Pixels, severity: int, generator: np.random.Generator) -> Pixels:
    mean, spread, sigma, threshold, strength = (
        (0.65, 0.3, 4, 0.69, 0.6),
        (0.65, 0.3, 3, 0.68, 0.6),
        (0.65, 0.3, 2, 0.68, 0.5),
        (0.65, 0.3, 1, 0.65, 1.5),
        (0.67, 0.4, 1, 0.65, 1.5),
    )[severity - 1]
    unit = _unit(image)
    liquid = _normal(generator, image.shape[:2]) * np.float32(spread) + np.float32(mean)
    liquid = _blurred(liquid, sigma)
    if severity > 3:
        mud = _blurred((liquid > threshold).astype(np.float32), strength)
        mud[mud < 0.8] = 0
        brown = np.array([20, 42, 63], np.float32) / 255
        return _pixels(unit * (1 - mud[..., None]) + brown * mud[..., None])
    liquid[liquid < threshold] = 0
    drops = (np.clip(liquid, 0, 1) * 255).astype(np.uint8)
    distance = cv2.distanceTransform(255 - cv2.Canny(drops, 50, 150), cv2.DIST_L2, 5)
    distance = cv2.blur(np.minimum(distance, 20), (3, 3)).astype(np.uint8)
    slope = np.array([[-2, -1, 0], [-1, 1, 1], [0, 1, 2]], np.float32)
    lit = cv2.filter2D(cv2.equalizeHist(distance), cv2.CV_8U, slope)
    water = drops.astype(np.float32) * cv2.blur(lit, (3, 3))
    water *= np.float32(strength) / max(float(water.max()), 1.0)
    turquoise = np.array([238, 238, 175], np.float32) / 255
    return _pixels(unit + water[..., None] * turquoise)


FAMILIES: Final[dict[str, Family]] = {
    "gaussian_noise": Family(_gaussian_noise, is_noisy=True),
    "shot_noise": Family(_shot_noise, is_noisy=True),
    "impulse_noise": Family(_impulse_noise, is_noisy=True),
    "defocus_blur": Family(_defocus_blur, is_noisy=False),
    "glass_blur": Family(_glass_blur, is_noisy=True),
    "motion_blur": Family(_motion_blur, is_noisy=True),
    "zoom_blur": Family(_zoom_blur, is_noisy=False),
    "snow": Family(_snow, is_noisy=True),
    "frost": Family(_frost, is_noisy=True),
    "fog": Family(_fog, is_noisy=True),
    "brightness": Family(_brightness, is_noisy=False),
    "contrast": Family(_contrast, is_noisy=False),
    "elastic_transform": Family(_elastic_transform, is_noisy=True),
    "pixelate": Family(_pixelate, is_noisy=False),
    "jpeg_compression": Family(_jpeg_compression, is_noisy=False),
    "speckle_noise": Family(_speckle_noise, is_noisy=True),
    "gaussian_blur": Family(_gaussian_blur, is_noisy=False),
    "spatter": Family(_spatter, is_noisy=True),
    "saturate": Family(_saturate, is_noisy=False),
}
