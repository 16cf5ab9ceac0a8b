"""Pairs of one question and two pictures that were read: they stand, and enough are right."""

import csv
from collections import defaultdict

import pytest

from tests.python.conftest import PROJECT, Warehouse, needs_real_data

GOAL = 0.95
# draws that the rules were mended on, so that some of their pairs stand no more
MENDED = ("tested_pairs", "redrawn_pairs", "new_stem_pairs")


def _sides(row: dict[str, str]) -> set[tuple[object, ...]]:
    """The side that a picture answers and the side that another leaves open."""
    return {
        (row["category"], row["question"], row["answer"], row["source_image_id"]),
        (row["category"], row["question"], None, row["open_image_id"]),
    }


@pytest.fixture(scope="module")
def rows() -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / "stem_pairs.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def _verdicts(rows: list[dict[str, str]]) -> dict[str, list[bool]]:
    verdicts = defaultdict(list)
    for row in rows:
        verdicts[row["family"]].append({"true": True, "false": False}[row["is_right"]])
    return verdicts


def test_each_family_is_right_as_often_as_it_should_be(rows: list[dict[str, str]]) -> None:
    shares = {family: sum(found) / len(found) for family, found in _verdicts(rows).items()}
    assert {family: share for family, share in shares.items() if share < GOAL} == {}


def test_every_record_was_read_by_itself(rows: list[dict[str, str]]) -> None:
    reasons = [row["reason"] for row in rows]
    assert len(set(reasons)) == len(reasons)
    assert [reason for reason in reasons if len(reason.split()) < 5] == []


def test_the_page_publishes_what_was_read(rows: list[dict[str, str]]) -> None:
    page = (PROJECT / "docs" / "readings.md").read_text()
    not_all_right = {name: found for name, found in _verdicts(rows).items() if not all(found)}
    everything = [found for family in _verdicts(rows).values() for found in family]
    for family, found in {**not_all_right, "all": everything}.items():
        row = f"| {family} | {len(found)} | {sum(found)} | {sum(found) / len(found):.1%} |"
        assert row in page


def test_a_second_reader_judged_a_third_of_them(rows: list[dict[str, str]]) -> None:
    judged = [row for row in rows if row["second_is_right"]]
    assert len(judged) >= len(rows) / 3
    assert len({row["second_reason"] for row in judged}) == len(judged)
    n_right = sum(row["second_is_right"] == "true" for row in judged)
    agreement = sum(row["second_is_right"] == row["is_right"] for row in judged) / len(judged)
    page = " ".join((PROJECT / "docs" / "readings.md").read_text().split())
    assert (
        f"Of the {len(judged)} that stand the second finds {n_right} right, agreement "
        f"{agreement:.1%}" in page
    )


def _read(name: str) -> list[dict[str, str]]:
    with (PROJECT / "tests" / "readings" / f"{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def _right(rows: list[dict[str, str]], column: str = "is_right") -> int:
    return sum(row[column] == "true" for row in rows)


def _page() -> str:
    return " ".join((PROJECT / "docs" / "readings.md").read_text().split())


def test_the_page_publishes_what_the_first_fresh_draw_found() -> None:
    read = _read("tested_pairs")
    stand = [row for row in read if row["stands"] == "true"]
    page = _page()
    for rows in (read, stand):
        assert f"{_right(rows)} are right ({_right(rows) / len(rows):.1%})" in page
    assert len({row["reason"] for row in read}) == len(read) == 104
    second = _right(stand, "second_is_right")
    assert f"{second} of the {len(stand)} ({second / len(stand):.1%})" in page


@pytest.mark.parametrize("name", ["redrawn_pairs", "fresh_pairs"])
def test_the_page_publishes_what_the_next_draws_found(name: str) -> None:
    read = _read(name)
    page = _page()
    found = _right(read)
    assert f"{found} of {len(read)} are right ({found / len(read):.1%})" in page
    assert len({row["reason"] for row in read}) == len(read)
    assert [row["reason"] for row in read if len(row["reason"].split()) < 5] == []


def test_the_last_draw_is_right_as_often_as_it_should_be() -> None:
    read = _read("fresh_pairs")
    assert len(read) >= 100
    assert _right(read) >= GOAL * len(read)
    second = _right(read, "second_is_right")
    agreed = sum(row["second_is_right"] == row["is_right"] for row in read) / len(read)
    said = f"to a second reader {second} ({second / len(read):.1%}), agreement {agreed:.1%}"
    assert said in _page()
    assert len({row["second_reason"] for row in read}) == len(read)
    assert [row for row in read if len(row["second_reason"].split()) < 5] == []


def test_the_page_publishes_what_was_read_of_new_stems() -> None:
    read = _read("new_stem_pairs")
    page = _page()
    stand = [row for row in read if row["stands"] == "true"]
    kept = _verdicts(stand)
    doubted = {row["family"] for row in stand if row["second_is_right"] == "false"}
    for family, found in _verdicts(read).items():
        if family in doubted or not all(found):
            second = sum(
                row["second_is_right"] == "true" for row in stand if row["family"] == family
            )
            counts = (len(found), sum(found), len(kept[family]), second)
            assert f"| {family} | {' | '.join(map(str, counts))} |" in page
    assert f"{_right(read)} of {len(read)} are right ({_right(read) / len(read):.1%})" in page
    assert _right(read) >= GOAL * len(read)
    assert {family for family, found in _verdicts(stand).items() if not all(found)} == set()
    judged = [row for row in stand if row["second_is_right"]]
    second = _right(judged, "second_is_right")
    assert second >= GOAL * len(judged) >= GOAL * len(stand) / 2
    said = f"Of {len(judged)} that stand the second finds {second} right"
    assert f"{said} ({second / len(judged):.1%})" in page
    assert len({row["reason"] for row in read}) == len(read)
    assert [row for row in read if len(row["reason"].split()) < 5] == []


@needs_real_data
@pytest.mark.xdist_group("real")
def test_the_sides_that_were_read_still_stand(rows: list[dict[str, str]], real: Warehouse) -> None:
    sides = set(
        real.rows("""
            select category, question, answer, source_image_id
            from certainly_uncertain.certainly_uncertain__stem_sides
            where is_sound
        """)
    )
    read = {side for row in rows for side in _sides(row)}
    assert read - sides == set()
    drawn = [row for name in MENDED for row in _read(name)]
    assert [row for row in drawn if (row["stands"] == "true") != (_sides(row) <= sides)] == []
    # the last draw is published as it was drawn; what a reader found wrong in it stands no more
    for row in (*drawn, *_read("fresh_pairs")):
        assert row["is_right"] == "true" or not _sides(row) <= sides, row["reason"]


@needs_real_data
@pytest.mark.xdist_group("real")
def test_each_family_was_read_as_far_as_it_goes(
    rows: list[dict[str, str]], real: Warehouse
) -> None:
    [(n_pairs,)] = real.rows("""
        select count(*)
        from certainly_uncertain.certainly_uncertain__screened
        where is_retained and screening = 'pairs_from_captions' and source_image_id <> open_image_id
    """)
    # families with more pairs than are read of one: season, weather, rain and cold
    new = [row for row in _read("new_stem_pairs") if row["stands"] == "true"]
    assert len(rows) + len(new) >= 0.6 * int(str(n_pairs))


@needs_real_data
@pytest.mark.xdist_group("real")
def test_the_test_split_asks_each_question_as_often_on_both_sides(real: Warehouse) -> None:
    """And of enough pairs for the limit of the blind reader to say something."""
    rows = real.rows("""
        select question, sum(case when is_answerable then 1 else -1 end), bool_or(stem_is_one_sided)
        from certainly_uncertain.certainly_uncertain__examples
        where split = 'test' and source = 'caption'
        group by question
    """)
    assert [row for row in rows if row[1] != 0 or row[2]] == []
    # the quotas of `audit__variety` keep the test split small where the sample asks the same things
    [(n_tested,)] = real.rows("""
        select count(distinct pair_id)
        from certainly_uncertain.certainly_uncertain__examples
        where split = 'test'
    """)
    assert int(str(n_tested)) >= 300


@needs_real_data
@pytest.mark.xdist_group("real")
def test_what_is_tested_was_read(rows: list[dict[str, str]], real: Warehouse) -> None:
    """Both sides of nearly every tested pair; which side meets which is drawn by seed."""
    tested = real.rows("""
        select category, question, answerable_answer, source_image_id, open_image_id
        from certainly_uncertain.certainly_uncertain__screened
        inner join certainly_uncertain.certainly_uncertain__pair_splits using (pair_id)
        where is_retained and source = 'caption' and split = 'test'
    """)
    names = (*MENDED, "fresh_pairs")
    read = {
        side
        for row in (*rows, *(row for name in names for row in _read(name)))
        for side in _sides(row)
    }
    n_read = sum(
        {(category, question, answer, source), (category, question, None, opened)} <= read
        for category, question, answer, source, opened in tested
    )
    assert n_read >= 0.95 * len(tested)
