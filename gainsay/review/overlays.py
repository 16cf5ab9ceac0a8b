"""What is known of a picture, as shapes to lay over it: boxes, outlines, writing, shadows.

Shapes are SVG paths in the picture's pixels, so that a page scales them with the picture.
"""

from typing import Final

import cv2
import duckdb
import numpy as np
from msgspec import Struct

from gainsay.foundation.queries import query
from gainsay.review.candidates import has_table
from python_udfs.pixels.masks import Mask, decode

_MOST_SHAPES: Final = 200


class Shape(Struct, frozen=True):
    """A shape of an overlay: its kind, its path, and what it is called."""

    kind: str
    path: str
    label: str


class Overlays(Struct, frozen=True):
    """The size of a picture in pixels, and its shapes."""

    width: int
    height: int
    shapes: list[Shape]

    @property
    def kinds(self) -> list[str]:
        """The kinds of shapes that there are, in the order in which they are drawn."""
        return list(dict.fromkeys(shape.kind for shape in self.shapes))


class _Size(Struct):
    width: int | None
    height: int | None


class _Instance(Struct):
    category: str
    bbox: list[float]
    segmentation_polygons: list[list[float]] | None
    segmentation_rle_string: str | None
    segmentation_rle_size: list[int] | None


class _Block(Struct):
    text: str
    bbox: list[float]


class _Annotations(Struct):
    image_sha256: str | None
    objects: list["_Object"] | None
    text_blocks: list[_Block] | None


class _Object(Struct):
    label: str
    bbox: list[float]


class _Edit(Struct):
    recipe_id: str
    family: str
    rle: str | None
    box_left: int | None
    box_top: int | None
    box_width: int | None
    box_height: int | None


class _Shadow(Struct):
    rle: str | None


def overlays_of(
    connection: duckdb.DuckDBPyConnection, source_image_id: str, recipe_ids: list[str]
) -> Overlays | None:
    """The overlays of a picture; none where its size is not known.

    The occluders are those of the recipes with these ids that start from this picture.
    """
    sizes = query(
        connection,
        "select width, height from images.images__source_images where source_image_id = $id",
        _Size,
        {"id": source_image_id},
    )
    if not sizes or not sizes[0].width or not sizes[0].height:
        return None
    width, height = sizes[0].width, sizes[0].height
    shapes = [
        *_of_instances(connection, source_image_id),
        *_of_annotations(connection, source_image_id, height, width),
        *_of_recipes(connection, source_image_id, recipe_ids, height, width),
    ]
    return Overlays(width, height, shapes[:_MOST_SHAPES])


def _of_instances(connection: duckdb.DuckDBPyConnection, source_image_id: str) -> list[Shape]:
    if not has_table(connection, "images", "images__instances"):
        return []
    instances = query(
        connection,
        "select category, bbox, segmentation_polygons, segmentation_rle_string,"
        " segmentation_rle_size from images.images__instances"
        " where source_image_id = $id and bbox is not null order by area desc, instance_id",
        _Instance,
        {"id": source_image_id},
    )
    boxes = [Shape("boxes", _box(*one.bbox), one.category) for one in instances]
    masks = [Shape("masks", path, one.category) for one in instances if (path := _outline_of(one))]
    return boxes + masks


def _outline_of(instance: _Instance) -> str:
    if instance.segmentation_polygons:
        return " ".join(map(_polygon, instance.segmentation_polygons))
    if instance.segmentation_rle_string and instance.segmentation_rle_size:
        return _outline(instance.segmentation_rle_string, *instance.segmentation_rle_size[:2])
    return ""


def _of_annotations(
    connection: duckdb.DuckDBPyConnection, source_image_id: str, height: int, width: int
) -> list[Shape]:
    if not has_table(connection, "images", "images__annotations"):
        return []
    found = query(
        connection,
        "select image_sha256, objects, text_blocks from images.images__annotations"
        " where source_image_id = $id",
        _Annotations,
        {"id": source_image_id},
    )
    shapes = []
    for annotations in found:
        shapes += [
            Shape("objects", _box(*one.bbox), one.label) for one in annotations.objects or []
        ]
        shapes += [
            Shape("text", _box(*block.bbox), block.text) for block in annotations.text_blocks or []
        ]
        if has_table(connection, "images", "images__shadow_regions"):
            shadows = query(
                connection,
                "select rle from images.images__shadow_regions"
                " where image_sha256 = $id and rle is not null",
                _Shadow,
                {"id": annotations.image_sha256},
            )
            shapes += [
                Shape("shadow", path, "the largest shadow")
                for one in shadows
                if one.rle and (path := _outline(one.rle, height, width))
            ]
    return shapes


def _of_recipes(
    connection: duckdb.DuckDBPyConnection,
    source_image_id: str,
    recipe_ids: list[str],
    height: int,
    width: int,
) -> list[Shape]:
    if not recipe_ids or not has_table(connection, "images", "images__recipes"):
        return []
    edits = query(
        connection,
        "select recipe_id, family, rle, box_left, box_top, box_width, box_height"
        " from images.images__recipes"
        " where source_image_id = $id and list_contains($recipes, recipe_id) order by recipe_id",
        _Edit,
        {"id": source_image_id, "recipes": recipe_ids},
    )
    shapes = []
    for edit in edits:
        path = _outline(edit.rle, height, width) if edit.rle else ""
        if not path and None not in (edit.box_left, edit.box_top, edit.box_width, edit.box_height):
            path = _box(
                float(edit.box_left or 0), float(edit.box_top or 0),
                float(edit.box_width or 0), float(edit.box_height or 0),
            )  # fmt: skip
        if path:
            label = f"{edit.family}: {edit.recipe_id.rpartition('::')[2]}"
            shapes.append(Shape("covered", path, label))
    return shapes


def _box(left: float, top: float, width: float, height: float) -> str:
    return f"M{left:.1f} {top:.1f}h{width:.1f}v{height:.1f}h{-width:.1f}z"


def _polygon(flat: list[float]) -> str:
    points = zip(flat[::2], flat[1::2], strict=False)
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "z"


def _outline(rle: str, height: int, width: int) -> str:
    """The outline of a mask; none where its run lengths do not fill the picture."""
    try:
        mask: Mask = decode(rle, height, width)
    except ValueError:
        return ""
    contours, _ = cv2.findContours(
        np.ascontiguousarray(mask), cv2.RETR_CCOMP, cv2.CHAIN_APPROX_TC89_L1
    )
    return " ".join(
        "M" + "L".join(f"{x} {y}" for [[x, y]] in contour.tolist()) + "z"
        for contour in contours
        if len(contour) > 2
    )
