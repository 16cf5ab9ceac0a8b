"""What the real VQAv2 and COCO sample must give, to the row."""

from pathlib import Path

import pytest

from tests.python.conftest import Warehouse
from tests.python.real_data import needs_real_sample

pytestmark = [needs_real_sample, pytest.mark.xdist_group("real")]


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


def test_all_data_tests_pass(whole_real: Warehouse, tmp_path: Path) -> None:
    whole_real.copied_to(tmp_path).dbt("test", "--exclude-resource-type", "unit_test")


def test_nothing_of_the_real_files_is_rejected(real: Warehouse) -> None:
    assert real.rows("select count(*) from audit.audit__rejected_inputs") == [(0,)]


def test_every_refined_base_is_a_crossed_group_or_a_drop(real: Warehouse) -> None:
    """Few pictures of the sample lack a thing for which their scene has a place."""
    assert real.rows("""
        select family, drop_reason, count(*)
        from conflict_suite_refined.conflict_suite_refined__screened
        where screening = 'bases'
        group by all
        order by all
    """) == [
        ("attribute_color", "evidence_not_strict", 3),
        ("attribute_color", "no_crossed_partner", 1),
        ("count", "evidence_not_strict", 15),
        ("count", "no_crossed_partner", 7),
        ("count", None, 2),
        ("existence", "evidence_not_strict", 3_181),
        ("existence", "no_crossed_partner", 86),
        ("existence", "nobody_would_ask", 20),
        ("existence", "not_plainly_shown", 31),
        ("existence", "question_is_full", 48),
        ("existence", None, 88),
    ]
    assert real.rows("""
        select protocol, right_move, mix_state, count(*), count(distinct group_id)
        from conflict_suite_refined.conflict_suite_refined__examples
        group by all
        order by all
    """) == [
        (protocol, move, state, 180, 90)
        for protocol in ("five_category", "refined")
        for move, state in (("abstain", "different"), ("answer", "clean"))
    ]
