"""What of its picture a candidate would hide, and what its question asks about, as outlines."""

from typing import Any, Final

from gainsay.report.outlines import box_path, mask_path
from gainsay.report.sections.blocks import Region
from gainsay.report.tables import Reader
from gainsay.report.thumbnails import EDGE

# where a screening has them, they say what of the picture a candidate would hide
_COLUMNS: Final = ("rle", "object_rle", "box_left", "box_top", "box_width", "box_height")
_PICTURE_SIZES: Final = "images.images__source_images"


def regions_of(reader: Reader, benchmark: str, rows: str) -> tuple[str, str]:
    """What candidates would hide, where their screening says so: columns, and their join.

    `rows` is the name under which a query has the candidates.
    """
    relation = f"{benchmark}.{benchmark}__screened"
    if not reader.has_columns(relation, *_COLUMNS) or not reader.has(_PICTURE_SIZES):
        return "", ""
    columns = ", ".join(f"screened.{name}" for name in _COLUMNS)
    return (
        f",\n            pictures.width, pictures.height, {columns}",
        f"""
        left join {relation} as screened
            on
                {rows}.screening = screened.screening
                and {rows}.candidate_id = screened.candidate_id
        left join {_PICTURE_SIZES} as pictures
            on {rows}.source_image_id = pictures.source_image_id""",
    )


def regions(row: dict[str, Any]) -> list[Region]:
    """The regions of a row with those columns; none where it has not all that they need."""
    height, width = row.get("height"), row.get("width")
    if not height or not width:
        return []
    # a thumbnail has no finer corners
    tolerance = max(height, width) / EDGE
    covered = mask_path(row["rle"], height, width, tolerance) if row["rle"] else ""
    box = [row[f"box_{side}"] for side in ("left", "top", "width", "height")]
    if not covered and None not in box:
        covered = box_path(*box)
    asked = mask_path(row["object_rle"], height, width, tolerance) if row["object_rle"] else ""
    found = {"covered": covered, "asked": asked}
    return [Region(kind, path, width, height) for kind, path in found.items() if path]
