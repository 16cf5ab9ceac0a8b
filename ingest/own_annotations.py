"""COCO-format JSON of anybody's pictures: detections or captions, whatever tool wrote them.

Tools differ in what they write beside boxes: ids may be texts, areas, masks and flags of crowds may
be absent, a detector gives scores. What lands is what a file says; which picture an image of it is,
by `file_name`, and which boxes fit it, models decide.
"""

import re

import pyarrow as pa
from msgspec import Struct

from gainsay.ingest.coco import SEGMENTATION, RunLengths
from gainsay.ingest.records import TEXT, Column, Int64, Layout, RecordArray, column, double, varchar

Id = str | Int64
_SHOWN_BYTES = re.compile(r"b(['\"])(.*)\1", re.DOTALL)


class Image(Struct, gc=False):
    """One picture, by the name of its file."""

    id: Id
    file_name: str
    width: float | None = None
    height: float | None = None
    license: Id | None = None
    coco_url: str | None = None
    flickr_url: str | None = None


class License(Struct, gc=False):
    """A licence that images refer to."""

    id: Id
    name: str | None = None
    url: str | None = None


class Category(Struct, gc=False):
    """A class of objects."""

    id: Id
    name: str
    supercategory: str | None = None


class Annotation(Struct, gc=False):
    """An object with its box (x, y, width, height in pixels), or a caption.

    Some tools write an empty segmentation where they have none, an outline as its points, or run
    lengths as Python shows bytes.
    """

    image_id: Id
    id: Id | None = None
    category_id: Id | None = None
    bbox: list[float] | None = None
    area: float | None = None
    iscrowd: bool | Int64 | None = None
    score: float | None = None
    caption: str | None = None
    segmentation: list[list[float]] | RunLengths | None = None

    def __post_init__(self) -> None:
        mask = self.segmentation
        if isinstance(mask, RunLengths):
            if isinstance(mask.counts, str) and (shown := _SHOWN_BYTES.fullmatch(mask.counts)):
                mask.counts = shown[2]
        elif mask is not None:
            outlines = [outline for outline in mask if outline]
            if len(outlines) > 2 and all(len(outline) == 2 for outline in outlines):
                outlines = [[number for point in outlines for number in point]]
            self.segmentation = outlines


def _text_of(name: str) -> Column:
    """A column of ids, which may be texts or numbers, as texts."""

    def value(record: object) -> str | None:
        found = getattr(record, name)
        return None if found is None else str(found)

    return column(name, "varchar", TEXT, value)


def _is_crowd(record: Annotation) -> bool | None:
    return None if record.iscrowd is None else bool(record.iscrowd)


ANNOTATIONS = Layout(
    kind="own_annotations",
    main=RecordArray(
        name="annotations",
        table="own_annotations",
        record=Annotation,
        columns=(
            _text_of("image_id"),
            _text_of("id"),
            _text_of("category_id"),
            column("bbox", "double[]", pa.list_(pa.float64())),
            double("area"),
            column("iscrowd", "boolean", pa.bool_(), _is_crowd),
            double("score"),
            varchar("caption"),
            *SEGMENTATION,
        ),
        single=("image_id", "category_id", "bbox", "segmentation", "caption"),
    ),
    others=(
        RecordArray(
            name="images",
            table="own_images",
            record=Image,
            columns=(
                _text_of("id"),
                varchar("file_name"),
                double("width"),
                double("height"),
                _text_of("license"),
                varchar("coco_url"),
                varchar("flickr_url"),
            ),
        ),
        RecordArray(
            name="categories",
            table="own_categories",
            record=Category,
            columns=(_text_of("id"), varchar("name"), varchar("supercategory")),
        ),
        RecordArray(
            name="licenses",
            table="own_licenses",
            record=License,
            columns=(_text_of("id"), varchar("name"), varchar("url")),
        ),
    ),
)
