"""The small corpus of VLM Reality Check, built: every bias has its pairs, every drop its reason."""

from typing import Final

import pytest

from tests.python.conftest import Warehouse

# one worker makes the corpus while the others go on
pytestmark = pytest.mark.xdist_group("reality_check")

_KINDS: Final = {
    "texture", "counting", "spatial_relations", "physical_plausibility", "temporal_reasoning",
    "spurious_correlation", "compositional_binding", "text_in_image", "scale_invariance",
    "compound",
}  # fmt: skip
# reasons of photographs, or of a failing disk or program, and factors that a bias's own pairing or
# recipe rules out
_NOT_DRAWN_BY_A_PROGRAM: Final = {
    "annotation_missing": {"spatial_relations", "text_in_image"},
    # its var is for photographs
    "outline_not_nameable": {"texture"},
    "crop_not_nameable": {"scale_invariance"},
    "rendering_failed": {
        "texture", "spatial_relations", "physical_plausibility", "scale_invariance",
    },
    "intended_factor_unchanged": _KINDS,
    "several_factors_vary": {
        "texture", "counting", "spatial_relations", "physical_plausibility", "temporal_reasoning",
        "compositional_binding", "text_in_image", "scale_invariance", "compound",
    },
    # nobody reads what a program drew
    "rejected_by_readers": _KINDS,
    "awaiting_readers": _KINDS,
}  # fmt: skip


def test_every_bias_retains_its_images(reality_check: Warehouse) -> None:
    retained = reality_check.rows(
        "select screening, count(*) from reality_check.reality_check__screened"
        " where is_retained and screening like 'reality_check_%'"
        " and screening not in ('reality_check_compound', 'reality_check_translation',"
        " 'reality_check_images') group by screening"
    )
    assert {str(bias): n for bias, n in retained} == {
        "reality_check_texture": 20,
        "reality_check_counting": 40,
        "reality_check_spatial_relations": 20,
        "reality_check_physical_plausibility": 10,
        "reality_check_temporal_reasoning": 60,
        "reality_check_spurious_correlation": 20,
        "reality_check_compositional_binding": 20,
        "reality_check_text_in_image": 40,
        "reality_check_scale_invariance": 10,
    }


def test_no_level_is_short(reality_check: Warehouse) -> None:
    short = reality_check.rows(
        "select quotas.combination, quotas.difficulty, n_wanted, count(pairs.pair_id)"
        " from reality_check.reality_check__quotas as quotas"
        " left join reality_check.reality_check__checked_pairs as pairs"
        " on quotas.combination = pairs.combination and quotas.difficulty = pairs.difficulty"
        " and pairs.is_retained where n_ready is null"
        " group by all having count(pairs.pair_id) <> n_wanted"
    )
    assert short == []


def test_as_many_pairs_are_drawn_and_kept_as_is_written(reality_check: Warehouse) -> None:
    pairs = reality_check.rows(
        "select bias_type = 'compound', count(*) filter (is_drawn),"
        " count(*) filter (is_retained)"
        " from reality_check.reality_check__checked_pairs group by 1 order by 1"
    )
    # of two combinations all pairs are kept, so that none is drawn in reserve
    assert pairs == [(False, 189, 150), (True, 86, 80)]
    compounds = reality_check.rows(
        "select combination, n_targeted, n_wanted"
        " from reality_check.reality_check__quotas where n_ready is not null order by combination"
    )
    # signs beside two things are dear, and things in checks; the other two make up for them
    assert compounds == [
        ("compositional_binding+text_in_image", 20, 12),
        ("counting+spurious_correlation", 20, 24),
        ("spatial_relations+physical_plausibility", 20, 25),
        ("texture+scale_invariance", 20, 19),
    ]


def test_every_reason_for_a_drop_occurs(reality_check: Warehouse) -> None:
    missing = reality_check.rows(
        "select gates.reason, replace(gates.screening, 'reality_check_', '')"
        " from vocabulary.reality_check__gates as gates"
        " left join reality_check.reality_check__screened as screened"
        " on gates.screening = screened.screening and gates.reason = screened.drop_reason"
        " where gates.reason <> 'retained' and screened.screening is null"
        " and gates.screening not in ('reality_check_images', 'reality_check_translation')"
        " group by all"
    )
    assert set(missing) == {
        (reason, bias) for reason, biases in _NOT_DRAWN_BY_A_PROGRAM.items() for bias in biases
    }


def test_images_fall_by_every_reason_as_often_as_is_written(reality_check: Warehouse) -> None:
    drops = reality_check.rows(
        "select drop_reason, count(*) from reality_check.reality_check__images_screened group by 1"
    )
    assert {reason or "retained": n for reason, n in drops} == {
        "retained": 600,
        "license_not_allowed": 5,
        "too_small": 3,
        "not_an_upright_photograph": 6,
        "no_place": 7,
        "not_outdoor": 3,
        "no_date_before_limit": 2,
        "no_boxes": 3,
        "class_too_small": 3,
        "beyond_quota": 2,
        "not_fetched": 2,
        "unusable_picture": 1,
        "near_duplicate": 4,
    }


def test_the_gates_pass_that_can_be_measured_in_sql(reality_check: Warehouse) -> None:
    challenges = reality_check.rows(
        "select bias_type = 'compound', count(*)"
        " from reality_check.reality_check__challenges group by 1 order by 1"
    )
    assert challenges == [(False, 180), (True, 80)]
    assert reality_check.rows("select count(*) from reality_check.reality_check__questions") == [
        (1300,)
    ]
    failed = reality_check.rows(
        "select gate_id, check_name from reality_check.reality_check__quality_gates"
        " where not is_passed"
    )
    assert failed == []


def test_edits_change_their_regions_and_nothing_else(reality_check: Warehouse) -> None:
    """Of what was drawn each file that was written is read back and compared with its original."""
    found = reality_check.rows(
        "select pairs.bias_type, max(edits.n_changed_elsewhere), min(edits.n_changed_inside) > 0"
        " from reality_check.reality_check__checked_pairs as pairs"
        " inner join reality_check.reality_check__edits as edits using (pair_id)"
        " where edits.error is null group by all"
    )
    assert {str(bias): tuple(rest) for bias, *rest in found} == dict.fromkeys(
        (
            "texture", "spatial_relations", "physical_plausibility", "scale_invariance", "compound",
        ),
        (0, True),
    )  # fmt: skip
    unproved = reality_check.rows(
        "select pair_id from reality_check.reality_check__checked_pairs as pairs"
        " inner join reality_check.reality_check__edits as edits using (pair_id)"
        " where pairs.is_retained and edits.error is not null"
    )
    assert unproved == []
