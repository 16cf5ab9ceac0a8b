"""The Conflict Suite under its refined protocols: the mix, other captions, other pictures."""

import shutil
from pathlib import Path

import pytest

from tests.python.conftest import Warehouse


def build(synthetic: Warehouse, folder: Path, protocol: str) -> Warehouse:
    """The synthetic corpus under a protocol, all dbt tests passed."""
    warehouse = Warehouse(folder)
    shutil.copy(synthetic.path, warehouse.path)
    selection = ("--select", "conflict_suite__variants+", "--exclude-resource-type", "unit_test")
    warehouse.dbt("build", *selection, "--vars", f"oracle_protocol: {protocol}")
    return warehouse


@pytest.fixture(scope="module")
def refined(synthetic: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The synthetic corpus under the protocol `refined`."""
    return build(synthetic, tmp_path_factory.mktemp("refined"), "refined")


def test_thirds_differ_by_one_at_most(synthetic: Warehouse) -> None:
    [(n_states, spread)] = synthetic.rows("""
        select count(*), max(n) - min(n)
        from (
            select count(*) as n
            from conflict_suite.conflict_suite__mix
            group by mix_state
        )
    """)
    assert n_states == 3
    assert spread in (0, 1)


@pytest.mark.parametrize(
    ("protocol", "action_of_different"),
    [("refined", "require_agreement"), ("five_category", "abstain")],
)
def test_actions_are_the_policy_s(
    synthetic: Warehouse,
    refined: Warehouse,
    tmp_path: Path,
    protocol: str,
    action_of_different: str,
) -> None:
    warehouse = refined if protocol == "refined" else build(synthetic, tmp_path, protocol)
    assert warehouse.rows("""
        select operator, text_state, image_state, oracle_action
        from conflict_suite.conflict_suite__examples
        group by all
        order by all
    """) == [
        ("clean", "clean", "clean", "require_agreement"),
        ("different_text", "different", "clean", action_of_different),
        ("irrelevant_both", "irrelevant", "irrelevant", "abstain"),
        ("irrelevant_image", "clean", "irrelevant", "trust_text"),
        ("irrelevant_text", "irrelevant", "clean", "trust_vision"),
    ]


def test_every_retained_base_has_the_variants_of_its_third(refined: Warehouse) -> None:
    assert refined.rows("""
        select count(*)
        from conflict_suite.conflict_suite__integrity
        where not is_passed
    """) == [(0,)]
    assert refined.rows("""
        select screened.is_retained, count(examples.example_id) > 0
        from conflict_suite.conflict_suite__refined_screened as screened
        left join conflict_suite.conflict_suite__examples as examples
            on screened.base_id = examples.base_id
        group by screened.base_id, screened.is_retained
        having screened.is_retained <> (count(examples.example_id) > 0)
    """) == []  # fmt: skip


def test_an_irrelevant_picture_is_of_the_split_and_shows_nothing_asked_for(
    refined: Warehouse,
) -> None:
    assert refined.rows("""
        select count(*) > 50, count(*) filter (examples.image_file <> images.file_name)
        from conflict_suite.conflict_suite__examples as examples
        inner join images.images__source_images as images
            on examples.image_donor_id = images.source_image_id
    """) == [(True, 0)]
    assert refined.rows("""
        select examples.example_id, categories.category
        from conflict_suite.conflict_suite__examples as examples
        inner join staging.stg_coco__instances as instances
            on examples.image_donor_id = instances.source_image_id
        inner join staging.stg_coco__categories as categories
            on instances.category_id = categories.category_id
        where contains(lower(examples.question), ' ' || categories.category)
    """) == []  # fmt: skip
    assert refined.rows("""
        select examples.example_id
        from conflict_suite.conflict_suite__examples as examples
        left join conflict_suite.conflict_suite__base_splits as splits
            on examples.image_donor_id = splits.source_image_id
        where examples.image_donor_id is not null
        and splits.base_split is distinct from examples.base_split
    """) == []  # fmt: skip


def test_drop_reasons_occur(synthetic: Warehouse) -> None:
    reasons = {
        str(reason)
        for (reason,) in synthetic.rows("""
            select reason
            from audit.audit__drops
            where benchmark = 'conflict_suite_refined'
        """)
    }
    # edit_still_answers and those of language models occur in unit tests and in test_llm.py
    assert reasons >= {"edit_unchanged", "edit_not_answerable", "edit_supports_gold"}
