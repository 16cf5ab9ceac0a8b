"""What of its picture a candidate would hide, and what its question asks about, as outlines."""

from collections.abc import Iterable
from typing import Any

from gainsay.report.outlines import box_path, mask_path
from gainsay.report.sections.blocks import Region
from gainsay.report.tables import Reader
from gainsay.report.thumbnails import EDGE

_BLOCK = "removed/regions"


def regions_of(
    reader: Reader, benchmark: str, candidate_ids: Iterable[str]
) -> dict[tuple[str, str], list[Region]]:
    """The regions of candidates that would hide something, by screening and candidate."""
    wanted = sorted(set(candidate_ids))
    if not wanted or not reader.has(_BLOCK):
        return {}
    rows = reader.rows(_BLOCK, {"benchmark": benchmark, "candidate_id": wanted})
    return {(row["screening"], row["candidate_id"]): _regions(row) for row in rows}


def _regions(row: dict[str, Any]) -> list[Region]:
    """The regions of a row; none where it has not all that they need."""
    height, width = row["height"], row["width"]
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
