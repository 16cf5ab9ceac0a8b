"""COCO captions and instances, as described at https://cocodataset.org/#format-data."""

from typing import Annotated, Protocol

import pyarrow as pa
from msgspec import Meta, Struct

from gainsay.ingest.records import TEXT, Int64, Layout, RecordArray, bigint, column, double, varchar


class Image(Struct, gc=False):
    """One photograph; width and height in pixels.

    Files cut down to their captions often keep no more than the first two fields.
    """

    id: Int64
    file_name: str
    width: Int64 | None = None
    height: Int64 | None = None
    license: Int64 | None = None
    coco_url: str | None = None
    flickr_url: str | None = None
    date_captured: str | None = None


class License(Struct, gc=False):
    """A licence that images refer to."""

    id: Int64
    name: str
    url: str


class Category(Struct, gc=False):
    """A class of objects, such as `dog` in `animal`."""

    id: Int64
    name: str
    supercategory: str


class Caption(Struct, gc=False):
    """One sentence about one image."""

    id: Int64
    image_id: Int64
    caption: str


class RunLengths(Struct, gc=False):
    """A mask by columns: lengths of runs of 0 and 1 in turn, plain or as COCO's string.

    `size` is height and width in pixels.
    """

    counts: list[Int64] | str
    size: Annotated[list[Int64], Meta(min_length=2, max_length=2)]


class Instance(Struct, gc=False):
    """One object in one image; `bbox` is x, y, width, height in pixels, `area` square pixels.

    A polygon is a flat list x1, y1, x2, y2, ... in pixels.
    """

    id: Int64
    image_id: Int64
    category_id: Int64
    area: float
    bbox: Annotated[list[float], Meta(min_length=4, max_length=4)]
    iscrowd: Int64
    segmentation: list[list[float]] | RunLengths


class _Segmented(Protocol):
    """A record with a mask."""

    @property
    def segmentation(self) -> list[list[float]] | RunLengths | None: ...


def _polygons(instance: _Segmented) -> list[list[float]] | None:
    mask = instance.segmentation
    return None if isinstance(mask, RunLengths) else mask


def _counts(instance: _Segmented) -> list[int] | None:
    mask = instance.segmentation
    return mask.counts if isinstance(mask, RunLengths) and isinstance(mask.counts, list) else None


def _string(instance: _Segmented) -> str | None:
    mask = instance.segmentation
    return mask.counts if isinstance(mask, RunLengths) and isinstance(mask.counts, str) else None


def _size(instance: _Segmented) -> list[int] | None:
    mask = instance.segmentation
    return mask.size if isinstance(mask, RunLengths) else None


_INTEGERS = pa.list_(pa.int64())
_NUMBERS = pa.list_(pa.float64())

# the mask of a record, in the form that its file has
SEGMENTATION = (
    column("segmentation_polygons", "double[][]", pa.list_(_NUMBERS), _polygons),
    column("segmentation_rle_counts", "bigint[]", _INTEGERS, _counts),
    column("segmentation_rle_string", "varchar", TEXT, _string),
    column("segmentation_rle_size", "bigint[]", _INTEGERS, _size),
)

_IMAGES = RecordArray(
    name="images",
    table="coco_images",
    record=Image,
    columns=(
        bigint("id"),
        varchar("file_name"),
        bigint("width"),
        bigint("height"),
        bigint("license"),
        varchar("coco_url"),
        varchar("flickr_url"),
        varchar("date_captured"),
    ),
)

_LICENSES = RecordArray(
    name="licenses",
    table="coco_licenses",
    record=License,
    columns=(bigint("id"), varchar("name"), varchar("url")),
)

_CATEGORIES = RecordArray(
    name="categories",
    table="coco_categories",
    record=Category,
    columns=(bigint("id"), varchar("name"), varchar("supercategory")),
)

CAPTIONS = Layout(
    kind="coco_captions",
    main=RecordArray(
        name="annotations",
        table="coco_captions",
        record=Caption,
        columns=(bigint("id"), bigint("image_id"), varchar("caption")),
        single=("caption", "image_id"),
    ),
    others=(_IMAGES, _LICENSES),
)

INSTANCES = Layout(
    kind="coco_instances",
    main=RecordArray(
        name="annotations",
        table="coco_instances",
        record=Instance,
        columns=(
            bigint("id"),
            bigint("image_id"),
            bigint("category_id"),
            double("area"),
            column("bbox", "double[]", _NUMBERS),
            bigint("iscrowd"),
            *SEGMENTATION,
        ),
        single=("bbox",),
    ),
    others=(_IMAGES, _LICENSES, _CATEGORIES),
)
