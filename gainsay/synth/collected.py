"""The small corpus of VLM Reality Check: listings of four sources, and their pictures.

What `gainsay collect` would have listed and fetched, in files that `gainsay land` takes, so that no
collector runs. Every reason for which an image is left out before stage 3 occurs as often as the
specification of the corpus says (640 listed with COCO's 200, 40 dropped); `vars.yml` holds the vars
of its build. Pictures are drawn as COCO's are. Those of Open Images, Street View and YFCC100M have
no EXIF, as the copies of those sources have lost theirs; but for the originals of a few pictures
of Open Images, whose signs two towns tell apart.

Half of the pictures are staged (`gainsay.synth.staged`), so that every bias has the pairs that the
specification counts; the others show scenes by chance, of which every reason for a drop comes.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import msgspec
import yaml

from gainsay.foundation.progress import Advance
from gainsay.ingest.collect import streetview
from gainsay.ingest.collect.fetching import MANIFEST
from gainsay.ingest.collect.layouts import (
    COLLECTED_IMAGES,
    COLLECTION_CURSORS,
    LAYOUTS,
    OPENIMAGES_BOXES,
    OPENIMAGES_CLASSES,
    OPENIMAGES_IMAGES,
    OPENIMAGES_LABELS,
    STREETVIEW_PANORAMAS,
    WIKIMEDIA_PAGES,
    YFCC_AUTOTAGS,
    YFCC_PHOTOS,
    CollectedImage,
    CollectionCursor,
    OpenImagesBox,
    OpenImagesClass,
    OpenImagesImage,
    OpenImagesLabel,
    StreetViewPanorama,
    WikimediaPage,
    YfccAutotags,
    YfccPhoto,
)
from gainsay.ingest.collect.records import ImageRecord, image_id_of
from gainsay.ingest.records import Layout
from gainsay.synth.casting import (
    BENCHMARK_SEED,
    Staging,
    seeded_digest,
    stage_days,
    stage_hours,
    stage_objects,
    stage_signs,
)
from gainsay.synth.scenes import Scene, sample_scene
from gainsay.synth.staged import Shot, chance_shot, render_shot

VARS_FILE: Final = "vars.yml"
PICTURES_FOLDER: Final = "raw"
N_PICTURES: Final = 405
FILES: Final = (VARS_FILE, *(f"{layout.kind}.jsonl" for layout in LAYOUTS))

# the vars of the build: counts of a fixture in place of those of half a million images
VARS: Final = {
    "reality_check_scale": 0.002,
    "reality_check_target_images": 600,
    "reality_check_least_images_per_class": 5,
    "reality_check_yfcc_share": 1.0,
    # what a program drew needs no reader: its shadows lie as the sun throws them
    "reality_check_awaited_queues": [],
    # its shapes are flat, and told beside their picture
    "reality_check_named_alone": False,
}

# numbers of scenes that no corpus of COCO's has; by the default seed no two of them look alike
_FIRST_NUMBER: Final = 3_000_000
_FETCHED_AT: Final = "2024-05-01T12:00:00"
_HOST: Final = "https://pictures.example.org"
_INFO: Final = {
    "description": "Synthetic listing in the layout of `gainsay collect`, made by gainsay synth.",
    "contributor": "gainsay",
}
_TOPICS: Final = ("outdoor scenes", "urban streets", "animals", "everyday objects")

_STREETS: Final = frozenset({"STREET", "AVENUE", "ROAD"})
_CC: Final = "http://creativecommons.org/licenses"


@dataclass
class _Listings:
    """Everything to write: records by layout, the pictures to draw, the manifest's records."""

    seed: int
    rows: dict[str, list[Any]] = field(default_factory=dict)
    drawn: dict[str, tuple[Shot, bool]] = field(default_factory=dict)
    spoilt: set[str] = field(default_factory=set)
    manifest: list[ImageRecord] = field(default_factory=list)
    next_number: int = _FIRST_NUMBER

    def add(self, layout: Layout, *records: Any) -> None:
        self.rows.setdefault(layout.kind, []).extend(records)

    def shot(self, fits: Callable[[Scene], bool] = lambda _scene: True) -> Shot:
        """The next picture by chance whose scene fits."""
        while True:
            scene = sample_scene(self.seed, self.next_number)
            self.next_number += 1
            if fits(scene):
                return chance_shot(self.seed, scene.number)

    def fetched(
        self, source: str, url: str, shot: Shot, license_code: str | None,
        metadata: dict[str, Any], *, has_exif: bool = False,
    ) -> str:  # fmt: skip
        """Note that the picture of an image was fetched, and what it shows."""
        image_id = image_id_of(source, url)
        path = f"raw/images/{source}/{image_id}.jpg"
        self.drawn[path] = (shot, has_exif)
        known = {"timestamp": None, "lat": None, "lon": None, "camera_model": None}
        self.manifest.append(
            ImageRecord(image_id, source, path, url, license_code, known | metadata)
        )
        return path

    def failed(self, source: str, url: str) -> None:
        """Note that the picture of an image could not be had."""
        self.add(
            COLLECTED_IMAGES,
            CollectedImage(
                image_id=image_id_of(source, url),
                source=source,
                state="failed",
                url=url,
                http_status=404,
                n_fetches=1,
                error="404 Not Found",
                fetched_at=_FETCHED_AT,
            ),
        )


def write_collected(folder: Path, seed: int, *, has_pictures: bool, advance: Advance) -> None:
    """Write the listings into a corpus's folder, with pictures, manifest and rows of fetches.

    `advance` counts pictures. Raises `OSError`.
    """
    listings = _Listings(seed)
    repeated = _list_wikimedia(listings)
    _list_openimages(listings, repeated)
    _list_streetview(listings)
    _list_yfcc(listings)
    contents = _draw(folder, listings, advance) if has_pictures else {}
    for record in listings.manifest:
        n_bytes, sha256 = contents.get(record.local_path, (None, None))
        listings.add(
            COLLECTED_IMAGES,
            CollectedImage(
                image_id=record.image_id,
                source=record.source,
                state="fetched",
                url=record.url,
                local_path=record.local_path,
                http_status=200,
                n_bytes=n_bytes,
                sha256=sha256,
                n_fetches=1,
                fetched_at=_FETCHED_AT,
            ),
        )
    for kind, records in listings.rows.items():
        first, *others = map(msgspec.json.encode, records)
        # the first record of a listing carries its `info`, as files of COCO have one
        said = b'{"info":' + msgspec.json.encode(_INFO) + b"," + first.removeprefix(b"{")
        _write_lines(folder / f"{kind}.jsonl", [said, *others])
    (folder / VARS_FILE).write_text(yaml.safe_dump(VARS, sort_keys=False), encoding="utf-8")
    (folder / MANIFEST).parent.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).write_bytes(b"".join(record.line() for record in listings.manifest))


def _write_lines(path: Path, lines: Iterable[bytes]) -> None:
    path.write_bytes(b"".join(line + b"\n" for line in lines))


# --- Wikimedia Commons: 120 listed, 108 retained


def _list_wikimedia(listings: _Listings) -> list[Shot]:
    """Pages of four topics; returns a few of their pictures that stay."""
    # the first topic has one image more than its quarter of the target
    passing = [*[0] * 49, *[1] * 21, *[2] * 21, *[3] * 21]
    ids = {
        place: image_id_of("wikimedia", _page_url(place))
        for place in range(passing.count(0), len(passing) - 3)
    }
    signs = stage_signs(Staging(listings.seed, ids))
    first_topic: list[tuple[WikimediaPage, Shot]] = []
    kept: list[Shot] = []
    for place, topic in enumerate(passing):
        shot = signs.get(place) or listings.shot(lambda scene: not _names_place(scene))
        page = _page(place, _TOPICS[topic], shot)
        listings.add(WIKIMEDIA_PAGES, page)
        # the quota leaves one of the first topic out, and its picture is not fetched
        if topic == 0:
            first_topic.append((page, shot))
            continue
        if place == len(passing) - 1:
            listings.failed("wikimedia", str(page.url))
            continue
        if place == len(passing) - 2:
            # the same picture under two addresses
            shot = kept[-1]
        path = _fetch_page(listings, page, shot)
        if place == len(passing) - 3:
            listings.spoilt.add(path)
        elif place not in signs:
            kept.append(shot)
    # those that the macro `seeded_order` puts first: all but the last one
    first_topic.sort(
        key=lambda one: seeded_digest("rc_wikimedia", image_id_of("wikimedia", str(one[0].url)))
    )
    for page, shot in first_topic[:-1]:
        _fetch_page(listings, page, shot)
    flaws: tuple[dict[str, Any], ...] = (
        *({"license": code} for code in ("cc-by-nc-2.0", "fair use", None)),
        *({"width": 511, "height": side} for side in (511, 768, 2000)),
        *({"mime": mime} for mime in ("image/png", "image/svg+xml")),
    )
    for place, flaw in enumerate(flaws, len(passing)):
        listings.add(WIKIMEDIA_PAGES, _page(place, _TOPICS[place % 4], listings.shot(), **flaw))
    for topic_name in _TOPICS:
        n_listed = sum(page.query == topic_name for page in listings.rows[WIKIMEDIA_PAGES.kind])
        listings.add(
            COLLECTION_CURSORS,
            CollectionCursor("wikimedia", topic_name, n_listed, is_complete=True),
        )
    return kept


def _fetch_page(listings: _Listings, page: WikimediaPage, shot: Shot) -> str:
    taken = shot.moment
    place = {"lat": taken.latitude, "lon": taken.longitude}
    metadata = {"timestamp": taken.clock.isoformat(), **place, "author": "Someone"}
    return listings.fetched(
        "wikimedia", str(page.url), shot, "cc-by-sa-4.0", metadata, has_exif=True
    )


def _page_url(place: int) -> str:
    return f"{_HOST}/commons/{place + 1}.jpg"


def _page(place: int, topic: str, shot: Shot, **flaw: Any) -> WikimediaPage:
    taken, scene = shot.moment, shot.scene
    name = f"{scene.setting.name} {place + 1}.jpg"
    fields = {
        "License": flaw.get("license", "cc-by-sa-4.0"),
        "LicenseShortName": "CC BY-SA 4.0",
        "Artist": '<a href="//commons.example.org/wiki/User:Someone">Someone</a>',
        "Credit": '<span class="int-own-work" lang="en">Own work</span>',
        "DateTimeOriginal": taken.clock.strftime("%Y-%m-%d %H:%M:%S"),
        "GPSLatitude": f"{taken.latitude:.5f}",
        "GPSLongitude": f"{taken.longitude:.5f}",
        "Categories": "|".join((scene.setting.name, *_labels(scene))),
        "Restrictions": "",
    }
    extended = {
        name: {"value": value, "source": "commons-desc-page"}
        for name, value in fields.items()
        if value is not None
    }
    url = _page_url(place)
    return WikimediaPage(
        pageid=place + 1,
        title=f"File:{name}",
        url=url,
        thumburl=f"{_HOST}/commons/thumb/{place + 1}.jpg",
        width=flaw.get("width", 1024),
        height=flaw.get("height", 768),
        size=54_000,
        mime=flaw.get("mime", "image/jpeg"),
        sha1=hashlib.sha1(url.encode(), usedforsecurity=False).hexdigest(),
        timestamp="2015-10-31T23:00:49Z",
        user_name="Someone",
        descriptionurl=f"{_HOST}/wiki/{place + 1}",
        extmetadata=msgspec.Raw(msgspec.json.encode(extended)),
        query=topic,
    )


# --- Open Images: 120 listed, 108 retained


def _list_openimages(listings: _Listings, repeated: Sequence[Shot]) -> None:
    """Images with boxes of what is drawn; the last three repeat pictures of Wikimedia Commons."""
    n_staged = 108
    ids = {
        place: image_id_of("openimages", str(_openimages_image(place).original_url))
        for place in range(n_staged)
    }
    staged = stage_objects(Staging(listings.seed, ids))
    labels = set()
    for place in range(n_staged + 3):
        shot = staged[place] if place < n_staged else repeated[place - n_staged]
        scene = shot.scene
        image = _openimages_image(place)
        listings.add(OPENIMAGES_IMAGES, image)
        boxes = _boxes(shot, image.image_id)
        if place >= n_staged:
            boxes.append(_box(image.image_id, "person"))
        listings.add(OPENIMAGES_BOXES, *boxes)
        labels |= {*_labels(scene), "person"}
        listings.add(
            OPENIMAGES_LABELS,
            OpenImagesLabel(
                image_id=image.image_id,
                label_name=_class_code(scene.setting.name),
                source="verification",
                confidence=1.0,
            ),
        )
        labels.add(scene.setting.name)
        metadata = {"openimages_id": image.image_id, "subset": "train"}
        listings.fetched(
            "openimages", str(image.original_url), shot, "cc-by-2.0", metadata,
            has_exif=shot.board is not None,
        )  # fmt: skip
    for place in range(111, 120):
        image = _openimages_image(place, rotation=90.0 if place < 114 else 0.0)
        listings.add(OPENIMAGES_IMAGES, image)
        if place < 114:
            listings.add(OPENIMAGES_BOXES, _box(image.image_id, "person"))
        elif place < 117:
            listings.add(OPENIMAGES_BOXES, _box(image.image_id, "person", is_depiction=1))
        else:
            listings.add(OPENIMAGES_BOXES, _box(image.image_id, "emu"))
    for label in sorted(labels | {"emu"}):
        listings.add(
            OPENIMAGES_CLASSES,
            OpenImagesClass(label_name=_class_code(label), display_name=_display_name(label)),
        )


def _openimages_image(place: int, rotation: float = 0.0) -> OpenImagesImage:
    openimages_id = f"{place + 1:016x}"
    return OpenImagesImage(
        image_id=openimages_id,
        subset="train",
        original_url=f"{_HOST}/openimages/{openimages_id}_o.jpg",
        original_landing_url=f"{_HOST}/openimages/{openimages_id}",
        license="https://creativecommons.org/licenses/by/2.0/",
        author="Someone",
        title=f"Picture {place + 1}",
        rotation=rotation,
    )


def _boxes(shot: Shot, openimages_id: str) -> list[OpenImagesBox]:
    layout = shot.composition.layout
    boxes = []
    for thing in layout.things:
        if thing.group is None:
            continue
        left, top, width, height = thing.box
        edges = (
            min(max(edge, 0.0), 1.0)
            for edge in (
                left / layout.width, (left + width) / layout.width,
                top / layout.height, (top + height) / layout.height,
            )
        )  # fmt: skip
        x_min, x_max, y_min, y_max = (round(edge, 6) for edge in edges)
        if x_min < x_max and y_min < y_max:
            boxes.append(_box(openimages_id, thing.category, (x_min, x_max, y_min, y_max)))
    return _grouped(boxes) if shot.is_grouped else boxes


def _grouped(boxes: Sequence[OpenImagesBox]) -> list[OpenImagesBox]:
    """The first box, and one around all others, as annotators draw it who do not count."""
    first, *others = boxes
    group = msgspec.structs.replace(
        others[0],
        x_min=min(box.x_min for box in others),
        x_max=max(box.x_max for box in others),
        y_min=min(box.y_min for box in others),
        y_max=max(box.y_max for box in others),
        is_group_of=1,
    )
    return [first, group]


def _box(
    openimages_id: str,
    label: str,
    edges: tuple[float, float, float, float] = (0.1, 0.3, 0.1, 0.5),
    is_depiction: int = 0,
) -> OpenImagesBox:
    x_min, x_max, y_min, y_max = edges
    return OpenImagesBox(
        image_id=openimages_id,
        label_name=_class_code(label),
        x_min=x_min,
        x_max=x_max,
        y_min=y_min,
        y_max=y_max,
        source="xclick",
        confidence=1.0,
        is_occluded=0,
        is_truncated=0,
        is_group_of=0,
        is_depiction=is_depiction,
        is_inside=0,
    )


def _display_name(label: str) -> str:
    # the mouse of Open Images is the animal
    return "Computer mouse" if label == "mouse" else label.capitalize()


def _class_code(label: str) -> str:
    digest = hashlib.md5(label.encode(), usedforsecurity=False).hexdigest()
    return f"/m/0{digest[:6]}"


# --- Street View: 40 listed, 36 retained


def _list_streetview(listings: _Listings) -> None:
    """Eleven points: one without a panorama, two on one panorama."""
    city = streetview.City("Amsterdam", 52.3676, 4.9041)
    for point in range(11):
        location = streetview.location_of(city, point, BENCHMARK_SEED)
        if point == 10:
            listings.add(
                STREETVIEW_PANORAMAS,
                StreetViewPanorama(city.name, point, location, status="ZERO_RESULTS"),
            )
            continue
        lat, lon = map(float, location.split(","))
        listings.add(
            STREETVIEW_PANORAMAS,
            StreetViewPanorama(
                city=city.name,
                point=point,
                location=location,
                status="OK",
                # point 9 snaps to the panorama of point 8
                pano_id=f"panorama_{min(point, 8)}",
                date="2019-07",
                copyright="© Somebody",
                latitude=lat,
                longitude=lon,
            ),
        )
        for heading in (0, 90, 180, 270) if point < 9 else ():
            shot = listings.shot(
                lambda scene: scene.setting.name in ("street", "plaza") and not _names_place(scene)
            )
            url = (
                "https://maps.googleapis.com/maps/api/streetview?size=640x640"
                f"&location={location}&source=outdoor&fov=90&pitch=0&heading={heading}"
                "&return_error_code=true"
            )
            metadata = {"lat": lat, "lon": lon, "city": city.name, "heading": heading}
            listings.fetched("streetview", url, shot, "google-streetview", metadata)
    listings.add(
        COLLECTION_CURSORS,
        CollectionCursor("streetview", city.name, n_listed=11, is_complete=True),
    )


# --- YFCC100M: 160 listed, 148 retained


def _list_yfcc(listings: _Listings) -> None:
    """Photographs outdoors, thirteen of them of one place and day, of which twelve count."""
    staged = dict(enumerate([*stage_hours(listings.seed, 13), *stage_days(listings.seed)]))
    for place in range(149):
        shot = staged.get(place) or listings.shot(
            lambda scene: not scene.setting.is_indoor and not _names_place(scene)
        )
        photo = _photo(place, shot)
        listings.add(YFCC_PHOTOS, photo)
        listings.add(YFCC_AUTOTAGS, _autotags(photo, shot.scene))
        if place == 12:
            continue
        metadata = {
            "timestamp": str(photo.date_taken).removesuffix(".0").replace(" ", "T"),
            "lat": photo.latitude,
            "lon": photo.longitude,
            "camera_model": photo.capture_device,
        }
        listings.fetched("yfcc", str(photo.download_url), shot, "cc-by-2.0", metadata)
    no_place = {"latitude": None, "longitude": None}
    flaws: tuple[dict[str, Any], ...] = (
        {"license_url": None},
        {"license_url": "http://www.example.org/all-rights-reserved"},
        {"marker": 1},
        no_place,
        no_place,
        no_place,
        {"autotags": "indoor:0.9,outdoor:0.2"},
        {"autotags": "indoor:0.8,outdoor:0.8"},
        {"autotags": None},
        {"date_taken": "2020-01-01 00:00:00.0"},
        {"date_taken": None},
    )
    for place, flaw in enumerate(flaws, 149):
        shot = listings.shot(lambda scene: not scene.setting.is_indoor)
        photo = _photo(place, shot)
        tags = _autotags(photo, shot.scene)
        if "autotags" in flaw:
            tags = msgspec.structs.replace(tags, autotags=flaw["autotags"])
        else:
            photo = msgspec.structs.replace(photo, **flaw)
        listings.add(YFCC_PHOTOS, photo)
        if tags.autotags:
            listings.add(YFCC_AUTOTAGS, tags)


def _photo(place: int, shot: Shot) -> YfccPhoto:
    taken, scene = shot.moment, shot.scene
    # without an offset a clock is read as local mean solar time
    solar = taken.utc + timedelta(hours=taken.longitude / 15)
    photo_id = 7_000_000 + place
    return YfccPhoto(
        photo_id=photo_id,
        line_number=place,
        photo_hash=hashlib.md5(str(photo_id).encode(), usedforsecurity=False).hexdigest(),
        user_nsid="12@N01",
        user_nickname="Someone",
        date_taken=solar.strftime("%Y-%m-%d %H:%M:%S.0"),
        capture_device="Camera",
        title=scene.setting.name,
        user_tags=",".join((scene.setting.name, *_labels(scene))),
        longitude=taken.longitude,
        latitude=taken.latitude,
        accuracy=16,
        page_url=f"{_HOST}/photos/{photo_id}",
        download_url=f"{_HOST}/yfcc/{photo_id}.jpg",
        license_name="Attribution License",
        license_url=f"{_CC}/by/2.0/",
        extension="jpg",
        marker=0,
    )


def _autotags(photo: YfccPhoto, scene: Scene) -> YfccAutotags:
    words = ",".join(f"{word}:0.7" for word in scene.setting.words[:2])
    return YfccAutotags(photo_id=photo.photo_id, autotags=f"outdoor:0.93,indoor:0.02,{words}")


# --- pictures


def _names_place(scene: Scene) -> bool:
    """Whether a sign names a street; what stands beside it is known where there are boxes only."""
    return scene.sign is not None and not _STREETS.isdisjoint(scene.sign.split())


def _labels(scene: Scene) -> list[str]:
    return sorted({group.kind.name for group in scene.groups})


def _draw(folder: Path, listings: _Listings, advance: Advance) -> dict[str, tuple[int, str]]:
    """Draw the pictures into the folder; returns size and SHA-256 by path."""
    for path in listings.drawn:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
    tasks = [
        (listings.seed, shot, has_exif, folder / path, path in listings.spoilt)
        for path, (shot, has_exif) in listings.drawn.items()
    ]
    contents = []
    # a fresh interpreter per process, as for the pictures of COCO's layout
    with ProcessPoolExecutor(os.cpu_count(), mp_context=get_context("spawn")) as pool:
        for content in pool.map(_draw_one, tasks, chunksize=8):
            contents.append(content)
            advance()
    return dict(zip(listings.drawn, contents, strict=True))


def _draw_one(task: tuple[int, Shot, bool, Path, bool]) -> tuple[int, str]:
    seed, shot, has_exif, path, is_spoilt = task
    data = render_shot(seed, shot)
    data = data if has_exif else without_exif(data)
    if is_spoilt:
        data = data[: len(data) // 3]
    path.write_bytes(data)
    return len(data), hashlib.sha256(data).hexdigest()


def without_exif(jpeg: bytes) -> bytes:
    """A JPEG without its APP1 segments, which hold EXIF. Source: ITU-T T.81, B.1.1."""
    kept = bytearray(jpeg[:2])
    place = 2
    # segments lie behind each other up to the start of the scan
    while jpeg[place] == 0xFF and jpeg[place + 1] != 0xDA:
        length = int.from_bytes(jpeg[place + 2 : place + 4], "big") + 2
        if jpeg[place + 1] != 0xE1:
            kept += jpeg[place : place + length]
        place += length
    return bytes(kept + jpeg[place:])
