"""Contact sheets: a base's pictures side by side with what is said of them."""

import io
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import duckdb
from PIL import Image, ImageDraw, ImageFont

from gainsay.errors import GainsayError
from python_udfs.pixels import masks
from python_udfs.pixels.image_bytes import ImageUnreadableError, decode_pixels, read_image

_TILE: Final = 300
_LINE: Final = 18
_GAP: Final = 12
_INK: Final = (25, 25, 30)
_RED: Final = (206, 46, 40)
# what a picture still says, seen at a glance
_COLOURS: Final = {"clean": (38, 138, 78), "irrelevant": _RED, None: (150, 150, 155)}
_FRAME: Final = 4
_MOST_BYTES: Final = 2**28

_TILES = """
select
    recipes.recipe_id, recipes.family, recipes.severity, renderings.rendered_file,
    renderings.error, occlusions.image_state, occlusions.oracle_action, occlusions.covered_share,
    occlusions.drop_reason, examples.split
from images.images__recipes as recipes
left join images.images__renderings as renderings on recipes.render_key = renderings.render_key
left join occlusions.occlusions__screened as occlusions
    on recipes.recipe_id = occlusions.example_id
left join conflict_suite.conflict_suite__examples as examples
    on recipes.recipe_id = examples.example_id
where recipes.recipe_id like $base_id || '::%'
order by
    coalesce(
        list_position(['occlusion_target', 'occlusion_control', 'inpaint_remove'], recipes.family),
        9
    ),
    recipes.family, recipes.severity
"""
# under the refined protocols not every base has a clean example
_BASE = """
select
    bases.question, bases.gold_answer, bases.caption, clean.oracle_action,
    files.path, files.archive, objects.categories, objects.object_rle
from conflict_suite.conflict_suite__screened as bases
inner join images.images__files as files on bases.source_image_id = files.source_image_id
left join (
    select base_id, min(oracle_action) as oracle_action
    from conflict_suite.conflict_suite__examples where operator = 'clean' group by base_id
) as clean on bases.base_id = clean.base_id
left join (
    select base_id, min(categories) as categories, min(object_rle) as object_rle
    from occlusions.occlusions__screened group by base_id
) as objects on bases.base_id = objects.base_id
where bases.base_id = $base_id and bases.is_retained
"""
_SAMPLE = """
select base_id from occlusions.occlusions__screened
where family = 'occlusion_target' and paired_example_id is not null
order by md5($seed || ':look:' || base_id), base_id
limit $n
"""


@dataclass(frozen=True)
class _Tile:
    """A picture, or None with the reason, what it still says, and the lines below it."""

    picture: Image.Image | None
    image_state: str | None
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
        top += _FRAME
        for position, tile in enumerate(tiles):
            left = _GAP + position * (_TILE + _GAP)
            _paint(sheet, pen, tile, left, top, _picture_height(tiles))
        top += _row_height(tiles) - len(heading) * (_LINE + 2) - _FRAME
    buffer = io.BytesIO()
    sheet.save(buffer, "PNG")
    return buffer.getvalue()


def _row_height(tiles: list[_Tile]) -> int:
    return (
        2 * (_LINE + 2)
        + 2 * _FRAME
        + _picture_height(tiles)
        + _LINE * max(len(tile.lines) for tile in tiles)
        + 2 * _GAP
    )


def _picture_height(tiles: list[_Tile]) -> int:
    return max([tile.picture.height for tile in tiles if tile.picture], default=_TILE)


def _paint(
    sheet: Image.Image, pen: ImageDraw.ImageDraw, tile: _Tile, left: int, top: int, height: int
) -> None:
    colour = _COLOURS[tile.image_state]
    if tile.picture is None:
        pen.rectangle((left, top, left + _TILE, top + height), outline=colour)
    else:
        sheet.paste(tile.picture, (left, top))
        right, bottom = left + tile.picture.width, top + tile.picture.height
        edge = (left - _FRAME, top - _FRAME, right + _FRAME - 1, bottom + _FRAME - 1)
        pen.rectangle(edge, outline=colour, width=_FRAME)
    for number, line in enumerate(tile.lines):
        place = left, top + height + _FRAME + 4 + number * _LINE
        pen.text(place, line, fill=colour if number == 1 else _INK, font=_font(13))


def _row(
    connection: duckdb.DuckDBPyConnection, base_id: str, folder: Path
) -> tuple[list[str], list[_Tile]]:
    found = _query(connection, _BASE, {"base_id": base_id})
    if not found:
        raise GainsayError(f"{base_id}: no base of this name with a landed picture")
    [base] = found
    heading = [
        f"{base['question']}   gold answer: {base['gold_answer']}   ({base_id})",
        f"caption: {base['caption']}",
    ]
    clean = _Tile(
        _outlined(lambda: read_image(base["path"], base["archive"], _MOST_BYTES), base, 3),
        "clean",
        [
            "the picture as it is", "clean", f"objects: {base['categories'] or 'none named'}",
            f"-> {base['oracle_action'] or 'no example'}",
        ],
    )  # fmt: skip
    return heading, [
        clean,
        *(_variant(row, base, folder) for row in _query(connection, _TILES, {"base_id": base_id})),
    ]


def _variant(row: dict[str, Any], base: dict[str, Any], folder: Path) -> _Tile:
    share = row["covered_share"]
    lines = [
        f"{row['family']}, severity {row['severity']}",
        str(row["image_state"] or row["drop_reason"] or "answerability unknown"),
        "no objects" if share is None else f"{share:.0%} of the objects hidden",
        f"-> {row['oracle_action'] or 'no action'}",
    ]
    if row["rendered_file"] is None:
        lines.append(f"no picture: {row['error'] or 'not rendered yet'}")
        return _Tile(None, row["image_state"], lines)
    picture = _outlined((folder / row["rendered_file"]).read_bytes, base, 1)
    return _Tile(picture, row["image_state"], lines)


def _outlined(
    read: Callable[[], bytes], base: dict[str, Any], thickness: int
) -> Image.Image | None:
    """A picture in a tile's size, the question's objects outlined; None where it is unreadable."""
    try:
        pixels = decode_pixels(read())
    except (OSError, ImageUnreadableError):
        return None
    if base["object_rle"] is not None:
        try:
            mask = masks.decode(base["object_rle"], *pixels.shape[:2])
        except ValueError:
            # another file has landed since
            return None
        outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        cv2.drawContours(pixels, outlines, -1, _RED[::-1], thickness)
    picture = Image.fromarray(cv2.cvtColor(pixels, cv2.COLOR_BGR2RGB))
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
