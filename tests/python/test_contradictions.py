"""What the rule-based editor proposes on real captions, and what a reader said of it."""

import csv
from pathlib import Path

import pytest

from tests.python.conftest import Warehouse
from tests.python.real_data import needs_real_sample

JUDGED = Path(__file__).with_name("judged_proposals.csv")


@pytest.fixture(scope="module")
def judged() -> list[dict[str, str]]:
    """Proposals on COCO val2017 that were read one by one, with the verdict."""
    with JUDGED.open(newline="") as file:
        return list(csv.DictReader(file))


def test_nearly_all_proposals_read_were_accepted(judged: list[dict[str, str]]) -> None:
    standing = [row for row in judged if row["stands"] == "true"]
    fitting = [row for row in standing if row["is_fitting"] == "true"]
    accepted = [row for row in fitting if row["verdict"] == "accept"]

    assert {row["verdict"] for row in judged} == {"accept", "reject"}
    assert all(row["reason"] for row in judged)
    assert len(judged) == 200
    assert len(fitting) > 0.5 * len(standing)
    assert len(accepted) >= 0.95 * len(fitting)


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_of_the_proposals_read_just_what_stands_is_made(
    real: Warehouse, judged: list[dict[str, str]]
) -> None:
    made = set(
        real.rows("""
            select caption_id, span_start, original, replacement, is_fitting
            from contradictions.contradictions__proposals
        """)
    )
    read = {
        (
            int(row["caption_id"]),
            int(row["span_start"]),
            row["original"],
            row["replacement"],
            row["is_fitting"] == "true",
        ): row["stands"] == "true"
        for row in judged
    }

    assert {proposal: proposal in made for proposal in read} == read


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_enough_captions_get_an_objective_contradiction(real: Warehouse) -> None:
    [(n_captions, n_proposed)] = real.rows("""
        select count(*), count(proposals.caption_id)
        from raw.coco_captions as captions
        left join (
            select distinct caption_id
            from contradictions.contradictions__proposals
            where change_type in ('object', 'attribute')
        ) as proposals
            on captions.id = proposals.caption_id
        where captions._source_file = 'captions_val2017.json'
    """)

    assert n_captions == 25_014
    assert n_proposed >= 0.40 * 25_014  # type: ignore[operator]


def test_no_proposal_names_what_is_forbidden(synthetic: Warehouse) -> None:
    """Binary states, subjective attributes and vague words are neither changed nor brought in."""
    assert (
        synthetic.rows("""
            select proposals.proposal_id
            from contradictions.contradictions__proposals as proposals
            inner join vocabulary.clash_vocabulary as forbidden
                on forbidden.list_name = 'forbidden'
                and forbidden.word in (lower(proposals.changed_from), lower(proposals.changed_to))
        """)
        == []
    )
