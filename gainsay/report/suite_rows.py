"""A contact sheet of the Conflict Suite: a base a row, and what is left of its picture.

A base's variants are every rendering of its picture, those of the occlusions included; the
occlusions say which objects the question is about, and what each rendering leaves visible.
"""

from typing import Final

import duckdb
from msgspec import Struct

from gainsay.foundation.errors import GainsayError
from gainsay.foundation.queries import query
from gainsay.foundation.renderings import read_rendering
from gainsay.report.contact_sheet import Row, Tile, tile_picture, without_pictures
from python_udfs.pixels.image_bytes import read_image

_MOST_BYTES: Final = 2**28

_TILES = """
select
    recipes.family, recipes.severity, renderings.rendered_file, renderings.error,
    occlusions.image_state, occlusions.oracle_action, occlusions.covered_share,
    occlusions.drop_reason
from images.images__recipes as recipes
left join images.images__renderings as renderings on recipes.render_key = renderings.render_key
left join occlusions.occlusions__screened as occlusions
    on recipes.recipe_id = occlusions.example_id
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
where operator = 'occlusion_target' and paired_example_id is not null
order by md5($seed || ':look:' || base_id), base_id
limit $n
"""


_SAMPLE_OF_ALL = """
select bases.base_id
from conflict_suite.conflict_suite__screened as bases
inner join images.images__files as files on bases.source_image_id = files.source_image_id
where bases.is_retained
order by md5($seed || ':look:' || bases.base_id), bases.base_id
limit $n
"""


class _Base(Struct):
    question: str
    gold_answer: str
    caption: str | None
    oracle_action: str | None
    path: str
    archive: str | None
    categories: str | None
    object_rle: str | None


class _Variant(Struct):
    family: str
    severity: int
    rendered_file: str | None
    error: str | None
    image_state: str | None
    oracle_action: str | None
    covered_share: float | None
    drop_reason: str | None


class _Sampled(Struct):
    base_id: str


def sample_bases(connection: duckdb.DuckDBPyConnection, n: int, seed: int) -> list[str]:
    """Bases with a contrastive pair, in seeded order; where there is none, any with a picture.

    Raises `GainsayError` where no base has a picture.
    """
    wanted = {"n": n, "seed": str(seed)}
    bases = query(connection, _SAMPLE, _Sampled, wanted)
    bases = bases or query(connection, _SAMPLE_OF_ALL, _Sampled, wanted)
    if not bases:
        raise GainsayError(f"no base of the suite {without_pictures(connection)}")
    return [base.base_id for base in bases]


def base_row(connection: duckdb.DuckDBPyConnection, base_id: str, folder: str) -> Row:
    """A base: its clean picture with the question's objects outlined, then its variants.

    `folder` holds the rendered pictures. Raises `GainsayError` for a base that the warehouse
    does not know or whose picture has not landed.
    """
    found = query(connection, _BASE, _Base, {"base_id": base_id})
    if not found:
        raise GainsayError(f"{base_id}: no base of this name with a landed picture")
    [base] = found
    clean = Tile(
        tile_picture(
            lambda: read_image(base.path, base.archive, _MOST_BYTES), base.object_rle, 3
        ),
        "clean",
        [
            "the picture as it is", "clean", f"objects: {base.categories or 'none named'}",
            f"-> {base.oracle_action or 'no example'}",
        ],
    )  # fmt: skip
    variants = query(connection, _TILES, _Variant, {"base_id": base_id})
    return Row(
        [
            f"{base.question}   gold answer: {base.gold_answer}   ({base_id})",
            f"caption: {base.caption}",
        ],
        [clean, *(_variant_tile(variant, base, folder) for variant in variants)],
    )


def _variant_tile(variant: _Variant, base: _Base, folder: str) -> Tile:
    share = variant.covered_share
    lines = [
        f"{variant.family}, severity {variant.severity}",
        variant.image_state or variant.drop_reason or "answerability unknown",
        "no objects" if share is None else f"{share:.0%} of the objects hidden",
        f"-> {variant.oracle_action or 'no action'}",
    ]
    if variant.rendered_file is None:
        lines.append(f"no picture: {variant.error or 'not rendered yet'}")
        return Tile(None, variant.image_state, lines)
    file = variant.rendered_file
    picture = tile_picture(lambda: read_rendering(folder, file, _MOST_BYTES), base.object_rle)
    return Tile(picture, variant.image_state, lines)
