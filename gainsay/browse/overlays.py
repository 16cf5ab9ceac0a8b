"""What is known of a picture, as shapes to lay over it: boxes, outlines, writing, shadows.

Shapes are SVG paths in the picture's pixels, so that a page scales them with the picture.
"""

from typing import Final

import duckdb
from msgspec import Struct

from gainsay.foundation.queries import has_table, read
from gainsay.report.outlines import box_path, mask_path, polygon_path

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


class _Region(Struct):
    rle: str | None
    object_rle: str | None
    box_left: int | None
    box_top: int | None
    box_width: int | None
    box_height: int | None


# the columns of a screening that say what a candidate would hide, and where its objects are
_REGION_COLUMNS: Final = {"rle", "object_rle", "box_left", "box_top", "box_width", "box_height"}


def overlays_of(
    connection: duckdb.DuckDBPyConnection,
    source_image_id: str,
    recipe_ids: list[str],
    screened: tuple[str, str] | None = None,
) -> Overlays | None:
    """The overlays of a picture; none where its size is not known.

    The occluders are those of the recipes with these ids that start from this picture. `screened`
    is the relation of a screening and a candidate of it, which may say itself what it would hide.
    """
    sizes = read(
        connection,
        _Size,
        "images.images__source_images",
        where="source_image_id = $id",
        parameters={"id": source_image_id},
    )
    if not sizes or not sizes[0].width or not sizes[0].height:
        return None
    width, height = sizes[0].width, sizes[0].height
    shapes = [
        *_of_instances(connection, source_image_id),
        *_of_annotations(connection, source_image_id, height, width),
        *_of_recipes(connection, source_image_id, recipe_ids, height, width),
    ]
    if screened is not None:
        kinds = {shape.kind for shape in shapes}
        own = _of_screening(connection, *screened, height, width)
        shapes += [shape for shape in own if shape.kind not in kinds]
    return Overlays(width, height, shapes[:_MOST_SHAPES])


def _of_instances(connection: duckdb.DuckDBPyConnection, source_image_id: str) -> list[Shape]:
    if not has_table(connection, "images", "images__instances"):
        return []
    instances = read(
        connection,
        _Instance,
        "images.images__instances",
        where="source_image_id = $id and bbox is not null",
        order="area desc, instance_id",
        parameters={"id": source_image_id},
    )
    boxes = [Shape("boxes", box_path(*one.bbox), one.category) for one in instances]
    masks = [Shape("masks", path, one.category) for one in instances if (path := _outline_of(one))]
    return boxes + masks


def _outline_of(instance: _Instance) -> str:
    if instance.segmentation_polygons:
        return " ".join(map(polygon_path, instance.segmentation_polygons))
    if instance.segmentation_rle_string and instance.segmentation_rle_size:
        return mask_path(instance.segmentation_rle_string, *instance.segmentation_rle_size[:2])
    return ""


def _of_annotations(
    connection: duckdb.DuckDBPyConnection, source_image_id: str, height: int, width: int
) -> list[Shape]:
    if not has_table(connection, "images", "images__annotations"):
        return []
    found = read(
        connection,
        _Annotations,
        "images.images__annotations",
        where="source_image_id = $id",
        parameters={"id": source_image_id},
    )
    shapes = []
    for annotations in found:
        shapes += [
            Shape("objects", box_path(*one.bbox), one.label) for one in annotations.objects or []
        ]
        shapes += [
            Shape("text", box_path(*block.bbox), block.text)
            for block in annotations.text_blocks or []
        ]
        if has_table(connection, "reality_check", "reality_check__shadow_regions"):
            shadows = read(
                connection,
                _Shadow,
                "reality_check.reality_check__shadow_regions",
                where="image_sha256 = $id and rle is not null",
                parameters={"id": annotations.image_sha256},
            )
            shapes += [
                Shape("shadow", path, "the largest shadow")
                for one in shadows
                if one.rle and (path := mask_path(one.rle, height, width))
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
    edits = read(
        connection,
        _Edit,
        "images.images__recipes",
        where="source_image_id = $id and list_contains($recipes, recipe_id)",
        parameters={"id": source_image_id, "recipes": recipe_ids},
    )
    shapes = []
    for edit in edits:
        path = mask_path(edit.rle, height, width) if edit.rle else ""
        if not path and None not in (edit.box_left, edit.box_top, edit.box_width, edit.box_height):
            path = box_path(
                float(edit.box_left or 0), float(edit.box_top or 0),
                float(edit.box_width or 0), float(edit.box_height or 0),
            )  # fmt: skip
        if path:
            label = f"{edit.family}: {edit.recipe_id.rpartition('::')[2]}"
            shapes.append(Shape("covered", path, label))
    return shapes


def _of_screening(
    connection: duckdb.DuckDBPyConnection,
    relation: str,
    candidate_id: str,
    height: int,
    width: int,
) -> list[Shape]:
    """What a candidate would hide, and the objects that its question asks about."""
    described = connection.execute(f"select * from {relation} limit 0").description or []
    if not {column[0] for column in described} >= _REGION_COLUMNS:
        return []
    regions = read(
        connection,
        _Region,
        relation,
        where="candidate_id = $id",
        parameters={"id": candidate_id},
    )
    shapes = []
    for region in regions:
        hidden = mask_path(region.rle, height, width) if region.rle else ""
        box = (region.box_left, region.box_top, region.box_width, region.box_height)
        if not hidden and None not in box:
            hidden = box_path(*(float(side or 0) for side in box))
        asked = mask_path(region.object_rle, height, width) if region.object_rle else ""
        shapes += [Shape("covered", hidden, "what would be hidden")] if hidden else []
        shapes += [Shape("asked", asked, "what the question asks about")] if asked else []
    return shapes
