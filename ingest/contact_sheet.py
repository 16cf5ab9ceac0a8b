"""Contact sheets: a base's pictures side by side with what is said of them."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import duckdb
from PIL import Image, ImageDraw, ImageFont

from ingest.errors import GainsayError
from python_udfs import masks
from python_udfs.image_bytes import ImageUnreadableError, read_image
from python_udfs.rendering import decode_pixels

_TILE: Final = 300
_LINE: Final = 18
_GAP: Final = 12
_INK: Final = (25, 25, 30)
_RED: Final = (206, 46, 40)
_MOST_BYTES: Final = 2**28

_TILES = """
select
    recipes.recipe_id, recipes.family, recipes.severity, renderings.rendered_file,
    renderings.error, occlusions.image_state, occlusions.oracle_action, occlusions.covered_share,
    occlusions.drop_reason, examples.split
from images.images__recipes as recipes
left join images.images__renderings as renderings on recipes.render_key = renderings.render_key
left join conflict_suite.conflict_suite__occlusions as occlusions
    on recipes.recipe_id = occlusions.example_id
left join conflict_suite.conflict_suite__examples as examples
    on recipes.recipe_id = examples.example_id
where recipes.recipe_id like $base_id || '::%'
order by recipes.family, recipes.severity
"""
_BASE = """
select
    bases.question, bases.gold_answer, bases.text_input as caption, bases.oracle_action,
    files.path, files.archive, objects.categories, objects.object_rle
from conflict_suite.conflict_suite__examples as bases
inner join images.images__files as files on bases.source_image_id = files.source_image_id
left join (
    select base_id, any_value(categories) as categories, any_value(object_rle) as object_rle
    from conflict_suite.conflict_suite__occlusions group by base_id
) as objects on bases.base_id = objects.base_id
where bases.base_id = $base_id and bases.variant_id = 'clean'
"""
_SAMPLE = """
select base_id from conflict_suite.conflict_suite__occlusions
where family = 'occlusion_target' and paired_example_id is not null
order by md5($seed || ':look:' || base_id), base_id
limit $n
"""


@dataclass(frozen=True)
class _Tile:
    """A picture, or None with the reason, and the lines below it."""

    picture: Image.Image | None
    lines: list[str]


def sample_bases(connection: duckdb.DuckDBPyConnection, n: int, seed: int) -> list[str]:
    """Bases with a contrastive pair, in seeded order.

    Raises `GainsayError` where there is none.
    """
    rows = _query(connection, _SAMPLE, {"n": n, "seed": str(seed)})
    if not rows:
        raise GainsayError(
            "no base with a landed picture and objects to hide; run `gainsay land-images`, then"
            " `dbt build`"
        )
    return [str(row["base_id"]) for row in rows]


def contact_sheet(
    connection: duckdb.DuckDBPyConnection, base_ids: list[str], folder: Path
) -> bytes:
    """PNG bytes: a row per base, its clean picture with its objects outlined, then its variants.

    `folder` holds the rendered pictures. Raises `GainsayError` for a base that the warehouse
    does not know or whose picture has not landed.
    """
    rows = [_row(connection, base_id, folder) for base_id in base_ids]
    width = max(len(tiles) for _, tiles in rows) * (_TILE + _GAP) + _GAP
    height = sum(_row_height(tiles) for _, tiles in rows) + _GAP
    sheet = Image.new("RGB", (width, height), (250, 250, 248))
    pen = ImageDraw.Draw(sheet)
    top = _GAP
    for heading, tiles in rows:
        for line in heading:
            pen.text((_GAP, top), line, fill=_INK, font=_font(15))
            top += _LINE + 2
        for position, tile in enumerate(tiles):
            left = _GAP + position * (_TILE + _GAP)
            _paint(sheet, pen, tile, left, top, _picture_height(tiles))
        top += _row_height(tiles) - len(heading) * (_LINE + 2)
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG")
    return buffer.getvalue()


def _row_height(tiles: list[_Tile]) -> int:
    return (
        2 * (_LINE + 2)
        + _picture_height(tiles)
        + _LINE * max(len(tile.lines) for tile in tiles)
        + 2 * _GAP
    )


def _picture_height(tiles: list[_Tile]) -> int:
    return max([tile.picture.height for tile in tiles if tile.picture], default=_TILE)


def _paint(
    sheet: Image.Image, pen: ImageDraw.ImageDraw, tile: _Tile, left: int, top: int, height: int
) -> None:
    if tile.picture is None:
        pen.rectangle((left, top, left + _TILE, top + height), outline=_RED)
    else:
        sheet.paste(tile.picture, (left, top))
    for number, line in enumerate(tile.lines):
        pen.text((left, top + height + 4 + number * _LINE), line, fill=_INK, font=_font(13))


def _row(
    connection: duckdb.DuckDBPyConnection, base_id: str, folder: Path
) -> tuple[list[str], list[_Tile]]:
    found = _query(connection, _BASE, {"base_id": base_id})
    if not found:
        raise GainsayError(f"{base_id}: no base of this name with a landed picture")
    [base] = found
    heading = [
        f"{base_id}   {base['question']}   gold answer: {base['gold_answer']}",
        f"caption: {base['caption']}",
    ]
    clean = _Tile(
        _clean_picture(base),
        ["clean", f"objects: {base['categories'] or 'none named'}", f"-> {base['oracle_action']}"],
    )
    return heading, [
        clean,
        *(_variant(row, folder) for row in _query(connection, _TILES, {"base_id": base_id})),
    ]


def _variant(row: dict[str, Any], folder: Path) -> _Tile:
    share = row["covered_share"]
    lines = [
        f"{row['family']}, severity {row['severity']}",
        str(row["image_state"] or row["drop_reason"] or "answerability unknown"),
        "no objects" if share is None else f"{share:.0%} of the objects hidden",
        f"-> {row['oracle_action'] or 'no action'}",
    ]
    if row["rendered_file"] is None:
        return _Tile(None, [*lines, f"no picture: {row['error'] or 'not rendered yet'}"])
    return _Tile(_loaded((folder / row["rendered_file"]).read_bytes), lines)


def _clean_picture(base: dict[str, Any]) -> Image.Image | None:
    def outlined() -> bytes:
        data = read_image(base["path"], base["archive"], _MOST_BYTES)
        if base["object_rle"] is None:
            return data
        pixels = decode_pixels(data)
        mask = masks.decode(base["object_rle"], *pixels.shape[:2])
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(pixels, outlines, -1, (40, 46, 206), 3)
        return bytes(cv2.imencode(".png", pixels)[1].tobytes())

    return _loaded(outlined)


def _loaded(read: Callable[[], bytes]) -> Image.Image | None:
    try:
        picture = Image.open(io.BytesIO(read())).convert("RGB")
    except (OSError, ValueError, ImageUnreadableError):
        return None
    picture.thumbnail((_TILE, _TILE))
    return picture


def _query(
    connection: duckdb.DuckDBPyConnection, query: str, parameters: dict[str, object]
) -> list[dict[str, Any]]:
    try:
        result = connection.execute(query, parameters)
    except duckdb.CatalogException as error:
        raise GainsayError(f"the warehouse is not built yet, run `dbt build`: {error}") from error
    names = [column[0] for column in result.description or []]
    return [dict(zip(names, row, strict=True)) for row in result.fetchall()]


def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    assert isinstance(font, ImageFont.FreeTypeFont)
    return font
