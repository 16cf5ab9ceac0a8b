"""The truth about every drawn image, to test annotators against."""

import msgspec

from gainsay.synth.compositions import Box, Composition, box_of
from gainsay.synth.layout import image_file_name
from gainsay.synth.plan import ImagePlan
from gainsay.synth.shapes import SIGN_BOARD


class TruthThing(msgspec.Struct, frozen=True):
    """Something drawn; the box is (x, y, width, height) in pixels."""

    category: str
    colour: str
    bbox: Box
    casts_shadow: bool


class TruthSign(msgspec.Struct, frozen=True):
    """A sign's text and the box of its board."""

    text: str
    bbox: Box


class Truth(msgspec.Struct, frozen=True):
    """One line of `synthetic_truth.jsonl`.

    `shadow_angle` is that of the visible hard shadows in degrees clockwise from south, null
    without them; modulo 180 it is also their angle clockwise from the picture's vertical.
    `time_convention` says what EXIF tells: `offset` (local time with its offset), `gps` (local
    time, and GPS date and time in UTC), `solar` (naive local mean solar time), `no_place`
    (naive local time without GPS), `no_exif`. A specimen has captions and questions written by
    hand, which speak of something else than its picture shows.
    """

    image_id: int
    file_name: str
    width: int
    height: int
    is_specimen: bool
    setting: str
    weather: str
    objects: list[TruthThing]
    scenery: list[TruthThing]
    signs: list[TruthSign]
    city: str
    latitude: float
    longitude: float
    clock: str
    utc: str
    utc_offset_seconds: float
    time_convention: str
    sun_azimuth: float
    sun_elevation: float
    shadow_angle: float | None


def truth_of(composition: Composition, plan: ImagePlan) -> Truth:
    """The truth about one composition."""
    layout, moment = composition.layout, composition.moment
    objects: list[TruthThing] = []
    scenery: list[TruthThing] = []
    signs: list[TruthSign] = []
    for thing in layout.things:
        if thing.text is not None:
            signs.append(TruthSign(thing.text, box_of(thing.place(SIGN_BOARD))))
            continue
        target = scenery if thing.group is None else objects
        target.append(TruthThing(thing.category, thing.colour, thing.box, thing.casts_shadow))
    return Truth(
        image_id=plan.image_id,
        file_name=image_file_name(plan.split, plan.image_id),
        width=layout.width,
        height=layout.height,
        is_specimen=plan.specimen is not None,
        setting=layout.scene.setting.name,
        weather=composition.weather,
        objects=objects,
        scenery=scenery,
        signs=signs,
        city=moment.city,
        latitude=moment.latitude,
        longitude=moment.longitude,
        clock=moment.clock.isoformat(),
        utc=moment.utc.isoformat(),
        utc_offset_seconds=moment.offset.total_seconds(),
        time_convention=moment.convention,
        sun_azimuth=moment.azimuth,
        sun_elevation=moment.elevation,
        shadow_angle=composition.shadow_angle,
    )
