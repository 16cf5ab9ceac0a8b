"""What the real VQAv2 and COCO sample must give, to the row."""

import pytest

from tests.python.conftest import Warehouse, needs_real_data

pytestmark = [needs_real_data, pytest.mark.xdist_group("real")]


def test_retained_by_family(real: Warehouse) -> None:
    assert real.rows("""
        select family, count(*)
        from conflict_suite.conflict_suite__screened
        where is_retained
        group by family
        order by family
    """) == [("attribute_color", 4), ("count", 24), ("existence", 3_454)]


def test_dropped_by_reason(real: Warehouse) -> None:
    assert real.rows("""
        select stage, reason, sum(n)
        from audit.audit__funnel
        where benchmark = 'conflict_suite'
        group by stage_order, stage, reason
        order by stage_order
    """) == [
        ("family", "family_filtered", 17_681),
        ("normalization", "answer_normalization_failed", 1_135),
        ("caption", "missing_caption", 28_934),
        ("consistency", "consistency_filter_failed", 1_277),
        ("retained", "retained", 3_482),
    ]


def test_every_candidate_is_in_the_funnel_once(real: Warehouse) -> None:
    assert real.rows("""
        select sum(n), round(sum(share), 9)
        from audit.audit__funnel
        where benchmark = 'conflict_suite'
    """) == [(52_509, 1.0)]


def test_seven_examples_per_base(real: Warehouse) -> None:
    assert real.rows("""
        select count(*), count(distinct example_id), count(distinct base_id)
        from conflict_suite.conflict_suite__examples
    """) == [(24_374, 24_374, 3_482)]


def test_nothing_of_the_real_files_is_rejected(real: Warehouse) -> None:
    assert real.rows("select count(*) from audit.audit__rejected_inputs") == [(0,)]


def test_every_refined_variant_is_an_example_or_a_drop(real: Warehouse) -> None:
    """Few pictures of the sample have instances, so not every base finds another picture."""
    assert real.rows("""
        select drop_reason, count(*)
        from conflict_suite_refined.conflict_suite_refined__screened
        where screening = 'bases'
        group by drop_reason
        order by drop_reason
    """) == [("evidence_not_strict", 3_114), (None, 368)]
    assert real.rows("""
        select protocol, drop_reason, count(*)
        from conflict_suite_refined.conflict_suite_refined__screened
        where screening = 'variants'
        group by all
        order by all
    """) == [
        ("five_category", "no_irrelevant_picture", 40),
        ("five_category", None, 586),
        ("refined", "no_irrelevant_picture", 311),
        ("refined", "no_oracle_action", 67),
        ("refined", "no_question_object", 194),
        ("refined", "picture_supports_gold", 14),
        ("refined", None, 445),
    ]
    assert real.rows("""
        select family, mix_state, count(*)
        from conflict_suite_refined.conflict_suite_refined__mix
        group by all
        order by all
    """) == [
        ("attribute_color", "clean", 1),
        ("count", "clean", 3),
        ("count", "different", 3),
        ("count", "irrelevant", 3),
        ("existence", "clean", 143),
        ("existence", "different", 107),
        ("existence", "irrelevant", 108),
    ]
