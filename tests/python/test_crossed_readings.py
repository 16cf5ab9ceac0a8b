"""What strangers read: the page has their figures, and what they did not sign is tested no more."""

import csv

import pytest

from tests.python.conftest import PROJECT, Warehouse
from tests.python.real_data import needs_real_sample

# what a reading asks of a record
FIVE = ("true", "alone", "asked", "needed", "shown")


def _read(name: str) -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def _signed(record: dict[str, str], *asked: str) -> bool:
    """Whether all who read the record say yes to what is asked."""
    readers = ("", "second_") if "second_true" in record else ("",)
    return all(record[reader + name] == "true" for reader in readers for name in asked)


@pytest.mark.parametrize(
    ("name", "unit"),
    [
        *(
            (f"{of_rules}_{benchmark}", unit)
            for of_rules in ("signed", "stranger")
            for benchmark, unit in (
                ("refined", "groups"), ("clash", "samples"), ("certainly_uncertain", "pairs"),
            )
        ),
        ("stranger_occlusions", "occlusions"),
    ],
)  # fmt: skip
def test_the_page_says_what_strangers_signed(name: str, unit: str) -> None:
    read = _read(name)
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())

    assert f"{sum(_signed(record, *FIVE) for record in read)} of {len(read)} {unit}" in page
    if unit != "occlusions":
        counts = (str(sum(_signed(record, asked) for record in read)) for asked in FIVE)
        assert f"| `{name}` | {len(read)} | {' | '.join(counts)} |" in page


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_the_real_sample_still_has_what_was_signed(real: Warehouse) -> None:
    made = {
        "certainly_uncertain": """
            select pair_id, question from certainly_uncertain.certainly_uncertain__examples
            where split = 'test'
        """,
        "clash": "select sample_id, question from clash.clash__examples",
        "refined": """
            select group_id, question from conflict_suite_refined.conflict_suite_refined__examples
        """,
    }
    for name, query in made.items():
        records = {(str(record), str(question)) for record, question in real.rows(query)}
        signed = {
            (record["id"], record["question"])
            for record in _read(f"signed_{name}")
            if _signed(record, *FIVE)
        }
        assert signed <= records


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_pairs_that_a_stranger_does_not_sign_are_tested_no_more(real: Warehouse) -> None:
    tested = {
        str(pair_id)
        for (pair_id,) in real.rows("""
            select pair_id
            from certainly_uncertain.certainly_uncertain__examples
            where split = 'test'
        """)
    }
    read = _read("stranger_certainly_uncertain")
    assert [
        record["id"] for record in read if record["id"] in tested and not _signed(record, *FIVE)
    ] == []
    assert sum(record["id"] in tested for record in read) >= 12


@needs_real_sample
@pytest.mark.xdist_group("real")
def test_who_sees_the_other_picture_would_ask_for_the_thing(real: Warehouse) -> None:
    """Its scene has a place for it, and what is easily overlooked people say is not there."""
    shown = real.rows("""
        select
            examples.group_id,
            examples.image_source,
            bool_or(coalesce(scenes.has_place, false)),
            bool_or(easily_overlooked.word is not null)
        from conflict_suite_refined.conflict_suite_refined__examples as examples
        inner join conflict_suite_refined.conflict_suite_refined__bases as bases using (base_id)
        inner join lexicon.lexicon__question_objects as question_objects
            on bases.question = question_objects.question
        left join conflict_suite_refined.conflict_suite_refined__scenes as scenes
            on
                examples.shown_image_id = scenes.source_image_id
                and question_objects.category = scenes.category
        left join vocabulary.conflict_suite_vocabulary as easily_overlooked
            on
                easily_overlooked.list_name = 'easily_overlooked'
                and question_objects.category = easily_overlooked.word
        where
            examples.family = 'existence'
            and examples.image_source <> 'own'
            and examples.image_supported_target = 'no'
        group by all
    """)
    assert len(shown) > 0
    assert [group for group, _, has_place, _ in shown if not has_place] == []
    assert [group for group, source, _, is_small in shown if source == "donor" and is_small] == []
