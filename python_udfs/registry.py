"""The one table of functions that SQL cannot express: SQL name, Python function, types.

Every function takes and returns Arrow arrays of one length, row by row, and depends on
nothing but its arguments. It is total: what one row gives it may spoil that row's result, which
then says so, and never the call; only `SetupError`, for a missing program or network, stops it.
A loop per engine, such as `engines.duckdb`, makes SQL functions of them. Types are Arrow's; each
loop spells them for its engine.
"""

import importlib
from collections.abc import Callable
from dataclasses import dataclass

import pyarrow as pa

ArrowFunction = Callable[..., pa.Array]


@dataclass(frozen=True)
class Udf:
    """One SQL function: its name starts with `gs_`, so that no extension has one like it.

    `function` is `module:name`, imported at the first call: what it needs costs nothing
    before that. One that `touches_files` reads or writes them, or what runs from them; a query
    that a person types has none of these.
    """

    name: str
    function: str
    parameters: tuple[pa.DataType, ...]
    returns: pa.DataType
    touches_files: bool = False

    def load(self) -> ArrowFunction:
        """The Python function."""
        module, _, name = self.function.partition(":")
        function: ArrowFunction = getattr(importlib.import_module(module), name)
        return function


SEGMENTATION = pa.struct(
    {
        "polygons": pa.list_(pa.list_(pa.float64())),
        "counts": pa.list_(pa.int64()),
        "string": pa.string(),
        "size": pa.list_(pa.int64()),
    }
)
MASK = pa.struct({"rle": pa.string(), "area": pa.int64(), "error": pa.string()})
RENDERING = pa.struct(
    {
        "rendered_file": pa.string(),
        "sha256": pa.string(),
        "n_bytes": pa.int64(),
        "error_kind": pa.string(),
        "error": pa.string(),
    }
)
SUN = pa.struct(
    {
        "utc": pa.string(),
        "time_basis": pa.string(),
        "sun_azimuth": pa.float64(),
        "sun_elevation": pa.float64(),
        "shadow_azimuth": pa.float64(),
        "shadow_angle_expected": pa.float64(),
    }
)
SHADOW = pa.struct({"angle": pa.float64(), "area_share": pa.float64(), "error": pa.string()})
TEXTURE = pa.struct(
    {
        "edge_density": pa.float64(),
        "dominant_texture_frequency": pa.float64(),
        "largest_contour_share": pa.float64(),
        "error": pa.string(),
    }
)
TEXTS = pa.struct(
    {
        "words": pa.list_(
            pa.struct(
                {
                    "text": pa.string(),
                    "bbox": pa.list_(pa.float64()),
                    "confidence": pa.float64(),
                }
            )
        ),
        "engine": pa.string(),
        "error": pa.string(),
    }
)
OBJECTS = pa.struct(
    {
        "objects": pa.list_(
            pa.struct(
                {
                    "label": pa.string(),
                    "bbox": pa.list_(pa.float64()),
                    "confidence": pa.float64(),
                    "area_fraction": pa.float64(),
                }
            )
        ),
        "error": pa.string(),
    }
)
DEPTH = pa.struct(
    {
        "left": pa.float64(),
        "right": pa.float64(),
        "top": pa.float64(),
        "bottom": pa.float64(),
        "error": pa.string(),
    }
)
TRANSLATION = pa.struct({"text": pa.string(), "version": pa.string(), "error": pa.string()})
OBJECT_OUTLINE = pa.struct({"rle": pa.string(), "area": pa.int64(), "error": pa.string()})
NAMED_OUTLINE = pa.struct(
    {
        "n_boxes": pa.int64(),
        "confidence": pa.float64(),
        "words": pa.string(),
        "rle": pa.string(),
        "area": pa.int64(),
        "error": pa.string(),
    }
)
WRITING = pa.struct(
    {
        "lines": pa.list_(pa.struct({"bbox": pa.list_(pa.float64()), "confidence": pa.float64()})),
        "error": pa.string(),
    }
)
MIRROR = pa.struct({"horizontal": pa.float64(), "vertical": pa.float64(), "error": pa.string()})
COLORED_OBJECTS = pa.list_(pa.struct({"bbox": pa.list_(pa.float64()), "rle": pa.string()}))
OBJECT_COLORS = pa.struct(
    {
        "colors": pa.list_(
            pa.struct(
                {
                    "bin": pa.int64(),
                    "share": pa.float64(),
                    "lightness": pa.float64(),
                    "a": pa.float64(),
                    "b": pa.float64(),
                }
            )
        ),
        "error": pa.string(),
    }
)
OUTLINE = pa.struct({"rle": pa.string(), "bbox": pa.list_(pa.float64()), "error": pa.string()})
SHADOW_REGION = pa.struct(
    {
        "rle": pa.string(),
        "area": pa.int64(),
        "ends": pa.list_(pa.float64()),
        "center": pa.list_(pa.float64()),
        "angle": pa.float64(),
        "others": pa.list_(pa.struct({"area": pa.float64(), "angle": pa.float64()})),
        "error": pa.string(),
    }
)
CROP_DETAIL = pa.struct(
    {"detail_share": pa.float64(), "edge_share": pa.float64(), "error": pa.string()}
)
TURNED_SHADOW = pa.struct({"visible_share": pa.float64(), "moved_share": pa.float64()})
EDIT_CHECK = pa.struct(
    {"n_changed_elsewhere": pa.int64(), "n_changed_inside": pa.int64(), "error": pa.string()}
)
NEAR_PAIRS = pa.list_(pa.struct({"left": pa.int64(), "right": pa.int64(), "distance": pa.int64()}))
MEMBERSHIPS = pa.list_(pa.struct({"cell": pa.int64(), "slice": pa.int64()}))
# a row that is resampled, and what its metrics may be off by
_RESAMPLED = {"key": pa.int64(), "cluster": pa.int64(), "cell": pa.int64()}
_MEASURE = pa.struct(
    {
        "metric": pa.string(),
        "numerator": pa.float64(),
        "denominator": pa.float64(),
        "numbers": pa.list_(pa.int64()),
    }
)
AGREEMENT = pa.struct(
    {
        f"{statistic}{end}": pa.float64()
        for statistic in (
            "percent",
            "krippendorff_alpha",
            "fleiss_kappa",
            "cohen_kappa",
            "gwet_ac1",
        )
        for end in ("", "_low", "_high")
    }
)
_ERRORS = {"standard_deviation": pa.float64(), "clustered_standard_error": pa.float64()}
# path, archive, SHA-256, folder for what is kept, most bytes
_PICTURE = (*(pa.string(),) * 4, pa.int64())

UDFS = (
    Udf(
        name="gs_porter_stem",
        function="gainsay.python_udfs.text.stemming:porter_stem",
        parameters=(pa.string(),),
        returns=pa.string(),
    ),
    Udf(
        name="gs_plain_text",
        function="gainsay.python_udfs.text.markup:plain_text",
        parameters=(pa.string(),),
        returns=pa.string(),
    ),
    Udf(
        name="gs_script_share",
        function="gainsay.python_udfs.text.scripts:script_share",
        parameters=(pa.string(), pa.string()),
        returns=pa.float64(),
    ),
    Udf(
        name="gs_tidy_translation",
        function="gainsay.python_udfs.text.scripts:tidy_translation",
        parameters=(pa.string(), pa.string()),
        returns=pa.string(),
    ),
    Udf(
        name="gs_mask_slots",
        function="gainsay.python_udfs.text.slots:mask_slots",
        parameters=(pa.string(),),
        returns=pa.string(),
    ),
    Udf(
        name="gs_restore_slots",
        function="gainsay.python_udfs.text.slots:restore_slots",
        parameters=(pa.string(), pa.string()),
        returns=pa.string(),
    ),
    Udf(
        name="gs_translate",
        function="gainsay.python_udfs.text.translating:translate",
        parameters=(pa.string(), pa.string(), pa.string(), pa.string()),
        returns=TRANSLATION,
        touches_files=True,
    ),
    Udf(
        name="gs_ratio_errors",
        function="gainsay.python_udfs.statistics.bootstrap:ratio_errors",
        parameters=(
            pa.list_(pa.struct({"number": pa.int64()} | _RESAMPLED)),
            pa.list_(_MEASURE),
            MEMBERSHIPS,
            pa.list_(pa.struct({"metric": pa.string(), "part_of": pa.string()})),
            pa.int64(),
        ),
        returns=pa.list_(pa.struct({"slice": pa.int64(), "metric": pa.string()} | _ERRORS)),
    ),
    Udf(
        name="gs_mean_errors",
        function="gainsay.python_udfs.statistics.bootstrap:mean_errors",
        parameters=(
            pa.list_(pa.struct({"key": pa.int64(), "cluster": pa.int64(), "value": pa.float64()})),
            pa.int64(),
        ),
        returns=pa.struct(_ERRORS),
    ),
    Udf(
        name="gs_confidence_errors",
        function="gainsay.python_udfs.statistics.bootstrap:confidence_errors",
        parameters=(
            pa.list_(
                pa.struct(
                    _RESAMPLED
                    | {"tie": pa.int64(), "confidence": pa.float64(), "credit": pa.float64()}
                )
            ),
            MEMBERSHIPS,
            pa.int64(),
            pa.int64(),
            pa.float64(),
            pa.int64(),
        ),
        returns=pa.list_(pa.struct({"slice": pa.int64(), "metric": pa.string()} | _ERRORS)),
    ),
    Udf(
        name="gs_agreement",
        function="gainsay.python_udfs.statistics.agreement:agreement",
        parameters=(
            pa.list_(
                pa.struct(
                    {
                        "record": pa.string(),
                        "reader": pa.string(),
                        "answer": pa.string(),
                        "cluster": pa.int64(),
                    }
                )
            ),
            pa.int64(),
            pa.int64(),
            pa.float64(),
        ),
        returns=AGREEMENT,
    ),
    Udf(
        name="gs_union_mask",
        function="gainsay.python_udfs.pixels.masks:union_masks",
        parameters=(pa.list_(SEGMENTATION), pa.int64(), pa.int64()),
        returns=MASK,
    ),
    Udf(
        name="gs_hole_mask",
        function="gainsay.python_udfs.pixels.masks:hole_masks",
        parameters=(pa.string(), pa.int64(), pa.int64(), pa.int64(), pa.float64()),
        returns=MASK,
    ),
    Udf(
        name="gs_control_mask",
        function="gainsay.python_udfs.pixels.masks:control_masks",
        parameters=(pa.string(), pa.int64(), pa.int64(), pa.string(), pa.string()),
        returns=MASK,
    ),
    Udf(
        name="gs_covered_area",
        function="gainsay.python_udfs.pixels.masks:covered_areas",
        parameters=(pa.string(), *(pa.int64(),) * 6),
        returns=pa.int64(),
    ),
    Udf(
        name="gs_open_share",
        function="gainsay.python_udfs.pixels.masks:open_shares",
        parameters=(pa.string(), pa.int64(), pa.int64()),
        returns=pa.float64(),
    ),
    Udf(
        name="gs_common_area",
        function="gainsay.python_udfs.pixels.masks:common_areas",
        parameters=(pa.string(), pa.string(), pa.int64(), pa.int64()),
        returns=pa.int64(),
    ),
    Udf(
        name="gs_render",
        function="gainsay.python_udfs.pixels.rendering:render_recipes",
        # the fields of rendering.Recipe
        parameters=(
            *(pa.string(),) * 5,
            *(pa.int64(),) * 5,
            *(pa.string(),) * 5,
            pa.int64(),
        ),
        returns=RENDERING,
        touches_files=True,
    ),
    Udf(
        name="gs_check_edit",
        function="gainsay.python_udfs.pixels.edits:check_edits",
        parameters=(*(pa.string(),) * 10, pa.int64()),
        returns=EDIT_CHECK,
        touches_files=True,
    ),
    Udf(
        name="gs_is_rendered",
        function="gainsay.python_udfs.pixels.rendering:are_rendered",
        parameters=(pa.string(), pa.int64(), pa.string()),
        returns=pa.bool_(),
        touches_files=True,
    ),
    Udf(
        name="gs_absolute_path",
        function="gainsay.python_udfs.pixels.rendering:absolute_paths",
        parameters=(pa.string(),),
        returns=pa.string(),
        touches_files=True,
    ),
    Udf(
        name="gs_sun",
        function="gainsay.python_udfs.annotate.sun:shadow_geometry",
        parameters=(
            pa.string(),
            pa.int64(),
            pa.string(),
            pa.float64(),
            pa.float64(),
            pa.string(),
        ),
        returns=SUN,
    ),
    Udf(
        name="gs_shadow",
        function="gainsay.python_udfs.annotate.annotators:detect_shadows",
        parameters=_PICTURE,
        returns=SHADOW,
        touches_files=True,
    ),
    Udf(
        name="gs_texture",
        function="gainsay.python_udfs.annotate.annotators:measure_textures",
        parameters=_PICTURE,
        returns=TEXTURE,
        touches_files=True,
    ),
    Udf(
        name="gs_texts",
        function="gainsay.python_udfs.annotate.annotators:read_texts",
        parameters=_PICTURE,
        returns=TEXTS,
        touches_files=True,
    ),
    Udf(
        name="gs_objects",
        function="gainsay.python_udfs.annotate.annotators:detect_objects",
        parameters=(*_PICTURE, pa.string()),
        returns=OBJECTS,
        touches_files=True,
    ),
    Udf(
        name="gs_depth",
        function="gainsay.python_udfs.annotate.annotators:measure_depths",
        parameters=(*_PICTURE, pa.string()),
        returns=DEPTH,
        touches_files=True,
    ),
    Udf(
        name="gs_writing",
        function="gainsay.python_udfs.annotate.annotators:find_writing",
        parameters=(*_PICTURE, pa.string()),
        returns=WRITING,
        touches_files=True,
    ),
    Udf(
        name="gs_object_colors",
        function="gainsay.python_udfs.annotate.object_colors:measure_object_colors",
        parameters=(*_PICTURE, COLORED_OBJECTS),
        returns=OBJECT_COLORS,
        touches_files=True,
    ),
    Udf(
        name="gs_object_outline",
        function="gainsay.python_udfs.annotate.annotators:outline_objects",
        parameters=(*_PICTURE, *(pa.float64(),) * 4, pa.string()),
        returns=OBJECT_OUTLINE,
        touches_files=True,
    ),
    Udf(
        name="gs_named_outline",
        function="gainsay.python_udfs.annotate.annotators:outline_named_things",
        parameters=(*_PICTURE, pa.string(), pa.float64(), pa.float64(), pa.string(), pa.string()),
        returns=NAMED_OUTLINE,
    ),
    Udf(
        name="gs_outline",
        function="gainsay.python_udfs.annotate.annotators:find_outlines",
        parameters=_PICTURE,
        returns=OUTLINE,
        touches_files=True,
    ),
    Udf(
        name="gs_shadow_region",
        function="gainsay.python_udfs.annotate.annotators:find_shadow_regions",
        parameters=_PICTURE,
        returns=SHADOW_REGION,
        touches_files=True,
    ),
    Udf(
        name="gs_turned_shadow_shares",
        function="gainsay.python_udfs.pixels.shadow_turns:turned_shadow_shares",
        parameters=(
            pa.string(),
            *(pa.int64(),) * 2,
            *(pa.float64(),) * 3,
            pa.string(),
        ),
        returns=TURNED_SHADOW,
    ),
    Udf(
        name="gs_crop_detail",
        function="gainsay.python_udfs.annotate.annotators:measure_crops",
        parameters=(*_PICTURE, *(pa.int64(),) * 5),
        returns=CROP_DETAIL,
        touches_files=True,
    ),
    Udf(
        name="gs_mirror_difference",
        function="gainsay.python_udfs.annotate.annotators:measure_mirrors",
        parameters=_PICTURE,
        returns=MIRROR,
        touches_files=True,
    ),
    Udf(
        name="gs_inpainter_version",
        function="gainsay.python_udfs.pixels.inpainters:inpainter_versions",
        parameters=(pa.string(),),
        returns=pa.string(),
        touches_files=True,
    ),
    Udf(
        name="gs_package_md5",
        function="gainsay.python_udfs.package_versions:package_md5s",
        parameters=(pa.string(),),
        returns=pa.string(),
        touches_files=True,
    ),
    Udf(
        name="gs_near_pairs",
        function="gainsay.python_udfs.pixels.near_duplicates:near_pairs",
        # hashes, then the fields of near_duplicates.Limits
        parameters=(pa.list_(pa.string()), pa.int64(), pa.int64(), pa.int64()),
        returns=NEAR_PAIRS,
    ),
)
