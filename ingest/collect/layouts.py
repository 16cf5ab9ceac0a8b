"""What collectors list and fetch, as records of the raw tables.

`gainsay collect` writes these tables; a file of such records, one a line, lands with `gainsay land`
as any official file does, so that a listing may be kept, moved and read again without its source.
Columns are as delivered, under names in lower case.
"""

import types
from typing import Final, Union, get_args, get_origin, get_type_hints

import msgspec
import pyarrow as pa
from msgspec import Struct

from gainsay.ingest.records import (
    TEXT,
    Column,
    Int64,
    Layout,
    RecordArray,
    bigint,
    column,
    double,
    varchar,
)


class WikimediaPage(Struct, gc=False):
    """A file of Wikimedia Commons: its page, and the fields of its newest `imageinfo`.

    `extmetadata` is an object `{Field: {value, source}}`, kept as JSON; `query` the topic that led
    here, `cursor` what was sent to continue with, as JSON.
    """

    pageid: Int64
    title: str
    url: str | None = None
    thumburl: str | None = None
    width: Int64 | None = None
    height: Int64 | None = None
    size: Int64 | None = None
    mime: str | None = None
    sha1: str | None = None
    timestamp: str | None = None
    user_name: str | None = None
    descriptionurl: str | None = None
    extmetadata: msgspec.Raw = msgspec.Raw(b"null")
    query: str | None = None
    cursor: str | None = None


class OpenImagesImage(Struct, gc=False):
    """A line of Open Images' image files, of 12 columns."""

    image_id: str
    subset: str | None = None
    original_url: str | None = None
    original_landing_url: str | None = None
    license: str | None = None
    author_profile_url: str | None = None
    author: str | None = None
    title: str | None = None
    original_size: Int64 | None = None
    original_md5: str | None = None
    thumbnail_300k_url: str | None = None
    rotation: float | None = None


class OpenImagesBox(Struct, gc=False):
    """A box of Open Images: edges as shares of the picture's sides, flags 1, 0 or -1 (unknown)."""

    image_id: str
    label_name: str
    x_min: float
    x_max: float
    y_min: float
    y_max: float
    source: str | None = None
    confidence: float | None = None
    is_occluded: Int64 | None = None
    is_truncated: Int64 | None = None
    is_group_of: Int64 | None = None
    is_depiction: Int64 | None = None
    is_inside: Int64 | None = None


class OpenImagesClass(Struct, gc=False):
    """A class of Open Images: its code, such as /m/01g317, and its name."""

    label_name: str
    display_name: str


class OpenImagesLabel(Struct, gc=False):
    """A label of a whole image of Open Images."""

    image_id: str
    label_name: str
    source: str | None = None
    confidence: float | None = None


class StreetViewPanorama(Struct, gc=False):
    """What the metadata request for one point of a city answered, asked at `location`."""

    city: str
    point: Int64
    location: str
    status: str
    pano_id: str | None = None
    date: str | None = None
    copyright: str | None = None
    latitude: float | None = None
    longitude: float | None = None


class YfccPhoto(Struct, gc=False):
    """A line of YFCC100M, of 25 columns, its texts decoded."""

    photo_id: Int64
    line_number: Int64 | None = None
    photo_hash: str | None = None
    user_nsid: str | None = None
    user_nickname: str | None = None
    date_taken: str | None = None
    date_uploaded: str | None = None
    capture_device: str | None = None
    title: str | None = None
    description: str | None = None
    user_tags: str | None = None
    machine_tags: str | None = None
    longitude: float | None = None
    latitude: float | None = None
    accuracy: Int64 | None = None
    page_url: str | None = None
    download_url: str | None = None
    license_name: str | None = None
    license_url: str | None = None
    server: str | None = None
    farm: str | None = None
    secret: str | None = None
    original_secret: str | None = None
    extension: str | None = None
    marker: Int64 | None = None


class YfccAutotags(Struct, gc=False):
    """A photo's concepts and scores, as `concept:score,concept:score`."""

    photo_id: Int64
    autotags: str | None = None


class CollectedImage(Struct, gc=False):
    """What became of fetching one picture. `state` is fetched or failed."""

    image_id: str
    source: str
    state: str
    url: str | None = None
    local_path: str | None = None
    http_status: Int64 | None = None
    n_bytes: Int64 | None = None
    sha256: str | None = None
    n_fetches: Int64 | None = None
    error: str | None = None
    fetched_at: str | None = None


class CollectionCursor(Struct, gc=False):
    """How far the listing of one query of a source has come."""

    source: str
    query: str
    n_listed: Int64
    is_complete: bool
    cursor: str | None = None


def _columns(record: type[Struct]) -> tuple[Column, ...]:
    """One column a field, of the SQL type that its annotation stands for."""
    return tuple(_column(name, hint) for name, hint in get_type_hints(record).items())


def _column(name: str, hint: object) -> Column:
    if get_origin(hint) in (Union, types.UnionType):
        hint = next(part for part in get_args(hint) if part is not type(None))
    if hint is int:
        return bigint(name)
    if hint is float:
        return double(name)
    if hint is bool:
        return column(name, "boolean", pa.bool_())
    if hint is msgspec.Raw:
        return column(name, "varchar", TEXT, lambda record: _json_text(getattr(record, name)))
    return varchar(name)


def _json_text(raw: msgspec.Raw) -> str | None:
    """The JSON text of a value; null for null."""
    text = bytes(raw).decode("utf-8", "replace")
    return None if text == "null" else text


def _layout(table: str, record: type[Struct]) -> Layout:
    """A file of one raw table's records, one a line."""
    return Layout(
        kind=table,
        main=RecordArray(name=table, table=table, record=record, columns=_columns(record)),
        shape="lines",
    )


WIKIMEDIA_PAGES: Final = _layout("wikimedia_pages", WikimediaPage)
OPENIMAGES_IMAGES: Final = _layout("openimages_images", OpenImagesImage)
OPENIMAGES_BOXES: Final = _layout("openimages_boxes", OpenImagesBox)
OPENIMAGES_CLASSES: Final = _layout("openimages_classes", OpenImagesClass)
OPENIMAGES_LABELS: Final = _layout("openimages_labels", OpenImagesLabel)
STREETVIEW_PANORAMAS: Final = _layout("streetview_panoramas", StreetViewPanorama)
YFCC_PHOTOS: Final = _layout("yfcc_photos", YfccPhoto)
YFCC_AUTOTAGS: Final = _layout("yfcc_autotags", YfccAutotags)
COLLECTED_IMAGES: Final = _layout("collected_images", CollectedImage)
COLLECTION_CURSORS: Final = _layout("collection_cursors", CollectionCursor)

LAYOUTS: Final = (
    WIKIMEDIA_PAGES,
    OPENIMAGES_IMAGES,
    OPENIMAGES_BOXES,
    OPENIMAGES_CLASSES,
    OPENIMAGES_LABELS,
    STREETVIEW_PANORAMAS,
    YFCC_PHOTOS,
    YFCC_AUTOTAGS,
    COLLECTED_IMAGES,
    COLLECTION_CURSORS,
)
