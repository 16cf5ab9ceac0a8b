"""CLASH: what the filters say of the released test set, and what is made of captions."""

import pytest

from tests.python.conftest import PROJECT, Warehouse

RELEASED = PROJECT.parent / "shared" / "data" / "clash" / "clash_test.json"

needs_released_samples = pytest.mark.skipif(
    not RELEASED.is_file(), reason="the released CLASH test set (../shared/data/clash) is not here"
)


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The released test set, landed and screened."""
    warehouse = Warehouse(tmp_path_factory.mktemp("clash"))
    warehouse.gainsay("land", RELEASED)
    return warehouse.build("--select", "+clash__screened")


@needs_released_samples
def test_released_samples_fail_where_they_do(released: Warehouse) -> None:
    """Findings: most often the answer by the picture is not in the caption's own words."""
    assert dict(
        released.rows("""
            select coalesce(drop_stage, 'retained'), count(*)
            from clash.clash__screened
            where origin = 'released'
            group by all
        """)
    ) == {
        "retained": 1_178,
        "rule_check": 78,
        "change_check": 17,
        "answers_check": 8,
        "question_check": 8,
    }


@needs_released_samples
def test_lexicons_agree_with_the_published_categories(released: Warehouse) -> None:
    [(n_samples, n_agreeing)] = released.rows("""
        select count(*), count(*) filter (list_contains(categories, lexicon_category))
        from clash.clash__screened
        where origin = 'released'
    """)
    assert n_samples == 1_289
    assert n_agreeing == 1_256


def test_every_sample_is_asked_in_both_conditions(synthetic: Warehouse) -> None:
    [(n_retained, n_examples, n_mixed, n_samples)] = synthetic.rows("""
        select
            (select count(*) from clash.clash__screened where is_retained),
            count(*),
            count(*) filter (is_in_finetuning_mix),
            count(distinct sample_id)
        from clash.clash__examples
    """)
    assert n_retained == n_samples == n_mixed
    assert n_examples == 2 * n_retained  # type: ignore[operator]
    assert n_retained > 100  # type: ignore[operator]


def test_the_right_choice_stands_on_every_letter(synthetic: Warehouse) -> None:
    assert synthetic.rows("""
        select condition, list(distinct right_letter order by right_letter)
        from clash.clash__examples
        group by condition
        order by condition
    """) == [("conflicting", ["A", "B", "C", "D"]), ("original", ["A", "B", "C", "D"])]
    assert synthetic.rows("""
        select choice
        from clash.clash__choices
        where choice_kind = 'conflict'
        group by choice
    """) == [("Conflicting information – cannot answer.",)]  # noqa: RUF001


def test_spatial_conflicts_occur(synthetic: Warehouse) -> None:
    [(n_spatial,)] = synthetic.rows("""
        select count(*)
        from clash.clash__examples
        where is_spatial and condition = 'conflicting'
    """)
    assert n_spatial > 0  # type: ignore[operator]


def test_drops_of_every_stage_are_explained(synthetic: Warehouse) -> None:
    stages = synthetic.rows("""
        select distinct stage
        from audit.audit__drops
        where benchmark = 'clash'
    """)
    assert {stage for (stage,) in stages} >= {"rule_check", "question_check"}
