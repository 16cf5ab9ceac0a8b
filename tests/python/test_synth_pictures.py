"""What synthetic pictures show is what their annotations, EXIF and truth say."""

import json
from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray
from PIL import ExifTags, Image
from pycocotools import mask as coco_mask
from pycocotools.coco import COCO

from gainsay.synth.instances import run_lengths

Truth = dict[str, Any]

# what a person would call these colours, by hue (degrees), saturation and value (0 to 255)
NAMED = {
    "red": lambda h, s, v: ((h > 345) | (h < 12)) & (s > 150) & (v > 90),
    "orange": lambda h, s, v: (h > 15) & (h < 40) & (s > 150) & (v > 190),
    "yellow": lambda h, s, v: (h > 40) & (h < 62) & (s > 120) & (v > 190),
    "green": lambda h, s, v: (h > 90) & (h < 160) & (s > 90) & (v > 50),
    "blue": lambda h, s, v: (h > 200) & (h < 240) & (s > 130) & (v > 90),
    "purple": lambda h, s, v: (h > 255) & (h < 300) & (s > 90) & (v > 60),
    "pink": lambda h, s, v: (h > 320) & (h < 350) & (s > 60) & (s < 140) & (v > 200),
    "brown": lambda h, s, v: (h > 10) & (h < 40) & (s > 120) & (v > 60) & (v < 180),
    "black": lambda _h, _s, v: v < 75,
    "white": lambda _h, s, v: (s < 30) & (v > 225),
    "gray": lambda _h, s, v: (s < 40) & (v > 90) & (v < 200),
}


class Drawn:
    """A corpus with its pictures."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.truths: list[Truth] = [
            json.loads(line) for line in (folder / "synthetic_truth.jsonl").open()
        ]
        self.official = {
            split: COCO(folder / f"instances_{split}2014.json") for split in ("train", "val")
        }

    def path(self, truth: Truth) -> Path:
        """Where an image's file is."""
        [path] = self.folder.glob(f"*2014/{truth['file_name']}")
        return path

    def pixels(self, truth: Truth) -> NDArray[np.uint8]:
        """RGB, height by width by 3."""
        return np.asarray(Image.open(self.path(truth)).convert("RGB"))

    def instances(self, truth: Truth) -> list[dict[str, Any]]:
        """The official records of an image."""
        coco = self.official[truth["file_name"].split("_")[1].removesuffix("2014")]
        found: list[dict[str, Any]] = coco.loadAnns(coco.getAnnIds(truth["image_id"]))
        return found

    def category(self, instance: dict[str, Any]) -> str:
        """The name of an instance's category."""
        name: str = self.official["train"].cats[instance["category_id"]]["name"]
        return name

    def mask(self, truth: Truth, instance: dict[str, Any]) -> NDArray[np.bool_]:
        """An instance's pixels, as pycocotools decodes them."""
        height, width = truth["height"], truth["width"]
        if isinstance(instance["segmentation"], list):
            rle = coco_mask.merge(coco_mask.frPyObjects(instance["segmentation"], height, width))
        else:
            rle = coco_mask.frPyObjects(instance["segmentation"], height, width)
        decoded: NDArray[np.bool_] = coco_mask.decode(rle).astype(bool)
        return decoded


@pytest.fixture(scope="module")
def drawn(drawn_corpus: Callable[[int], Path]) -> Drawn:
    """150 pictures and what is true of them."""
    return Drawn(drawn_corpus(7))


def test_masks_agree_with_areas_and_boxes(drawn: Drawn) -> None:
    n_crowds = 0
    for truth in drawn.truths:
        for instance in drawn.instances(truth):
            mask = drawn.mask(truth, instance)
            rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
            x, y, width, height = instance["bbox"]
            from_mask = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
            box = (x, y, x + width, y + height)
            if instance["iscrowd"]:
                n_crowds += 1
                assert box == from_mask
                assert instance["area"] == mask.sum()
            else:
                # the last pixels of a thin tip may have their centres outside
                assert np.abs(np.subtract(box, from_mask)).max() <= 2.0
                # a polygon's area and its pixels differ by a share of the outline's length
                outline = sum(
                    cv2.arcLength(np.float32(part).reshape(-1, 1, 2), True)
                    for part in instance["segmentation"]
                )
                assert abs(instance["area"] - mask.sum()) <= 0.35 * outline
    assert n_crowds >= 5


def test_crowds_are_where_their_members_are(drawn: Drawn) -> None:
    for truth in drawn.truths:
        for instance in drawn.instances(truth):
            if not instance["iscrowd"]:
                continue
            name = drawn.category(instance)
            boxes = np.array([t["bbox"] for t in truth["objects"] if t["category"] == name])
            corners = np.concatenate([boxes[:, :2], boxes[:, :2] + boxes[:, 2:]])
            x, y, width, height = instance["bbox"]
            union = [*corners.min(axis=0), *corners.max(axis=0)]
            assert np.abs(np.subtract(union, [x, y, x + width, y + height])).max() <= 1.6


@given(
    arrays(np.uint8, st.tuples(st.integers(1, 9), st.integers(1, 9)), elements=st.integers(0, 1))
)
def test_run_lengths_are_read_as_they_were_written(mask: NDArray[np.uint8]) -> None:
    rle = msgspec.to_builtins(run_lengths(mask))
    height, width = mask.shape

    assert rle["counts"][0] >= 0
    assert all(count > 0 for count in rle["counts"][1:])
    decoded = coco_mask.decode(coco_mask.frPyObjects(rle, height, width))
    assert (decoded == mask).all()


def test_instances_lie_in_the_picture_and_hide_no_other(drawn: Drawn) -> None:
    for truth in drawn.truths:
        covered = np.zeros((truth["height"], truth["width"]), np.int32)
        for instance in drawn.instances(truth):
            x, y, width, height = instance["bbox"]
            assert x >= 0
            assert y >= 0
            assert x + width <= truth["width"]
            assert y + height <= truth["height"]
            covered += drawn.mask(truth, instance)
        # outlines may touch
        assert (covered > 1).sum() <= 0.001 * covered.sum()


def test_every_thing_is_an_instance(drawn: Drawn) -> None:
    for truth in drawn.truths:
        things = Counter(thing["category"] for thing in truth["objects"])
        instances = drawn.instances(truth)
        singles = Counter(drawn.category(i) for i in instances if not i["iscrowd"])
        crowds = {drawn.category(i) for i in instances if i["iscrowd"]}
        assert things == singles + Counter({name: things[name] for name in crowds})
        assert all(things[name] >= 5 for name in crowds)


def test_things_have_the_colour_they_are_said_to_have(drawn: Drawn) -> None:
    seen: set[str] = set()
    for truth in drawn.truths:
        if truth["weather"] == "night":
            continue
        pixels = cv2.cvtColor(drawn.pixels(truth), cv2.COLOR_RGB2HSV_FULL).astype(np.float32)
        hue, saturation, value = pixels[..., 0] * (360 / 255), pixels[..., 1], pixels[..., 2]
        for thing in truth["objects"]:
            x, y, width, height = (round(side) for side in thing["bbox"])
            box = np.s_[max(y, 0) : y + height, max(x, 0) : x + width]
            is_named = NAMED[thing["colour"]](hue[box], saturation[box], value[box])
            # a bicycle's frame is the least of its box
            assert is_named.mean() > 0.03, (truth["file_name"], thing)
            seen.add(thing["colour"])
    assert seen == set(NAMED)


def test_exif_says_when_and_where(drawn: Drawn) -> None:
    conventions: Counter[str] = Counter()
    for truth in drawn.truths:
        exif = Image.open(drawn.path(truth)).getexif()
        camera, gps = exif.get_ifd(ExifTags.IFD.Exif), exif.get_ifd(ExifTags.IFD.GPSInfo)
        convention = truth["time_convention"]
        conventions[convention] += 1
        if convention == "no_exif":
            assert not exif
            continue
        clock = datetime.strptime(
            camera[ExifTags.Base.DateTimeOriginal], "%Y:%m:%d %H:%M:%S"
        ).replace(tzinfo=UTC)
        utc = datetime.fromisoformat(truth["utc"])
        assert clock.replace(tzinfo=None).isoformat() == truth["clock"]
        if convention == "no_place":
            assert not gps
            continue
        latitude = _degrees(gps[ExifTags.GPS.GPSLatitude], gps[ExifTags.GPS.GPSLatitudeRef])
        longitude = _degrees(gps[ExifTags.GPS.GPSLongitude], gps[ExifTags.GPS.GPSLongitudeRef])
        assert latitude == pytest.approx(truth["latitude"], abs=1e-5)
        assert longitude == pytest.approx(truth["longitude"], abs=1e-5)
        if convention == "offset":
            offset = datetime.strptime(camera[ExifTags.Base.OffsetTimeOriginal], "%z").utcoffset()
            assert offset is not None
            assert clock - offset == utc
        elif convention == "gps":
            hour, minute, second = (int(part) for part in gps[ExifTags.GPS.GPSTimeStamp])
            day = datetime.strptime(gps[ExifTags.GPS.GPSDateStamp], "%Y:%m:%d")
            assert day.replace(hour=hour, minute=minute, second=second, tzinfo=UTC) == utc
        else:
            solar = clock - timedelta(hours=longitude / 15.0)
            assert abs(solar - utc) < timedelta(seconds=0.1)
    assert conventions.keys() == {"offset", "gps", "solar", "no_place", "no_exif"}


def _degrees(sexagesimal: tuple[float, float, float], reference: str) -> float:
    degrees, minutes, seconds = map(float, sexagesimal)
    size = degrees + minutes / 60.0 + seconds / 3600.0
    return -size if reference in "SW" else size


def test_the_sun_stands_where_astropy_says(drawn: Drawn) -> None:
    import astropy.units as u
    from astropy.coordinates import AltAz, EarthLocation, get_sun
    from astropy.time import Time
    from astropy.utils import iers

    truths = drawn.truths
    with iers.conf.set_temp("auto_download", False):
        times = Time([truth["utc"].removesuffix("+00:00") for truth in truths], scale="utc")
        places = EarthLocation(
            lat=[truth["latitude"] for truth in truths] * u.deg,
            lon=[truth["longitude"] for truth in truths] * u.deg,
        )
        sun = get_sun(times).transform_to(AltAz(obstime=times, location=places))

    elevation = np.array([truth["sun_elevation"] for truth in truths])
    azimuth = np.array([truth["sun_azimuth"] for truth in truths])
    assert np.abs(sun.alt.deg - elevation).max() < 0.03
    # near the zenith a small angle is a large difference of azimuths
    astray = (azimuth - sun.az.deg + 180.0) % 360.0 - 180.0
    assert np.abs(astray * np.cos(np.radians(elevation))).max() < 0.03
    # every quarter of the sky, and both hemispheres
    assert set((azimuth // 90).astype(int)) == {0, 1, 2, 3}


def _dark(drawn: Drawn, truth: Truth) -> NDArray[np.bool_]:
    """Pixels as dark and colourless as hard shadows: HSV saturation < 50 and value < 80."""
    hsv = cv2.cvtColor(drawn.pixels(truth), cv2.COLOR_RGB2HSV)
    dark: NDArray[np.bool_] = (hsv[..., 1] < 50) & (hsv[..., 2] < 80)
    return dark


def _largest_contour(mask: NDArray[np.bool_]) -> NDArray[np.int32] | None:
    """The largest contour that covers at least a hundredth of the picture."""
    contours, _ = cv2.findContours(mask.astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    largest = max(contours, key=cv2.contourArea, default=None)
    if largest is None or cv2.contourArea(largest) < 0.01 * mask.size:
        return None
    return largest


def test_shadows_are_seen_exactly_when_the_sun_shines(drawn: Drawn) -> None:
    weathers: Counter[str] = Counter()
    skews = []
    for truth in drawn.truths:
        contour = _largest_contour(_dark(drawn, truth))
        weathers[truth["weather"]] += 1
        assert (contour is not None) == (truth["weather"] == "sunny"), truth["file_name"]
        assert (truth["shadow_angle"] is not None) == (truth["weather"] == "sunny")
        if contour is not None:
            angle = cv2.fitEllipse(contour)[2]
            skews.append(abs((angle - truth["sun_azimuth"] + 90.0) % 180.0 - 90.0))
    # the shadows of two things may touch by a pixel and make a shape without an axis
    assert np.mean(np.array(skews) < 12.0) >= 0.95
    assert min(weathers[w] for w in ("sunny", "overcast", "night", "indoor")) >= 3


def test_shadows_point_away_from_the_sun_and_are_as_long_as_it_is_low(drawn: Drawn) -> None:
    n_directions = n_lengths = 0
    for truth in drawn.truths:
        if truth["weather"] != "sunny":
            continue
        casting = [t for t in truth["objects"] + truth["scenery"] if t["casts_shadow"]]
        # up in the picture is north, and shadows point away from the sun
        towards = np.radians(truth["sun_azimuth"] + 180.0)
        along = np.array([np.sin(towards), -np.cos(towards)])
        dark = _dark(drawn, truth)
        for thing in casting:
            x, y, width, height = thing["bbox"]
            feet = np.array([x + width / 2.0, y + height])
            length = height / np.tan(np.radians(truth["sun_elevation"]))
            middle = feet + 0.6 * length * along
            # a giraffe's neck does not rise from its middle
            if thing["category"] == "giraffe" or not _is_seen(middle, truth):
                continue
            column, row = np.round(middle).astype(int)
            around = dark[row - 3 : row + 4, column - 3 : column + 4]
            assert around.any(), (truth["file_name"], thing)
            n_directions += 1
            is_alone = len(casting) == 1 and not truth["signs"]
            if is_alone and _is_seen(feet + 1.05 * length * along, truth):
                rows, columns = np.nonzero(dark)
                reach = ((np.stack([columns, rows], axis=1) - feet) @ along).max()
                # a broad thing's farthest point may be one of its sides
                side = (width / 2.0) * abs(along[0]) + 0.1 * height if width > height else 0.0
                assert 0.92 * length <= reach <= 1.08 * length + side, truth["file_name"]
                n_lengths += 1
    assert n_directions >= 30
    # most stand beside something else that throws a shadow
    assert n_lengths >= 1


def _is_seen(point: NDArray[np.float64], truth: Truth) -> bool:
    """Whether a point of the ground is in the picture and no box is before it."""
    column, row = point
    if not (2 <= column < truth["width"] - 2 and 0.36 * truth["height"] <= row):
        return False
    boxes = [thing["bbox"] for thing in truth["objects"] + truth["scenery"] + truth["signs"]]
    hidden = any(x <= column <= x + w and y <= row <= y + h for x, y, w, h in boxes)
    return bool(row < truth["height"] - 2) and not hidden


def test_signs_show_their_text(drawn: Drawn) -> None:
    texts: set[str] = set()
    for truth in drawn.truths:
        for sign in truth["signs"]:
            texts.add(sign["text"])
            x, y, width, height = sign["bbox"]
            inset = 0.06 * height
            rows = slice(round(y + inset), round(y + height - inset))
            columns = slice(round(x + inset), round(x + width - inset))
            board = drawn.pixels(truth)[rows, columns].astype(np.int32)
            ground = np.median(board.reshape(-1, 3), axis=0)
            is_ink = np.abs(board - ground).max(axis=2) > 90
            assert 0.03 < is_ink.mean() < 0.5, (truth["file_name"], sign)
            # letters in a row: the ink is as wide as the text is long, and ends before the rim
            inked = np.flatnonzero(is_ink.any(axis=0))
            assert np.ptp(inked) > 0.4 * board.shape[1]
            # most letters stand apart from the next, in whichever line is the longest
            words = sign["text"].split()
            lines = [words] if len(sign["text"]) <= 7 else [words[:-1], words[-1:]]
            lines = [line for line in lines if line]
            for line, inked_rows in zip(lines, np.array_split(is_ink, len(lines)), strict=True):
                columns_inked = inked_rows.any(axis=0).astype(int)
                strokes = np.count_nonzero(np.diff(columns_inked, prepend=0) == 1)
                assert strokes >= 0.4 * sum(map(len, line)), (truth["file_name"], sign)
    assert len(texts) >= 8


def test_scenes_are_balanced(drawn: Drawn) -> None:
    settings = Counter(truth["setting"] for truth in drawn.truths)
    assert len(settings) == 11
    assert max(settings.values()) < 0.3 * len(drawn.truths)
    n_things = Counter(len(truth["objects"]) for truth in drawn.truths)
    assert 0 not in n_things
    assert max(n_things) >= 7
