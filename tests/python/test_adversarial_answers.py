"""No answer that is made to win without looking beats one that says the same to everything.

`adversarial_scores.csv` has the score of each such model by benchmark and condition, in the metric
that the benchmark puts first; after a change that is meant to move them

    python -m tests.python.test_adversarial_answers WAREHOUSE

writes it anew from a warehouse that the fixture below has made.
"""

import csv
import json
import sys
from pathlib import Path

import duckdb
import pytest

from gainsay.scoring.differences import paired_differences
from tests.python.adversarial_answers import ADVERSARIES, land_adversaries
from tests.python.conftest import Warehouse, once
from tests.python.scored_corpus import scored_corpus

_TABLE = Path(__file__).parent / "adversarial_scores.csv"
_NAMES = ("benchmark", "task", "condition", "metric", "model", "value")
_SCORES = """
    select scores.benchmark, task, condition, scores.metric, model, round(value, 4) as value
    from evaluation.evaluation__scores as scores
    inner join (
        select benchmark, min_by(metric, place) as metric from evaluation.evaluation__metrics
        where better is not null group by benchmark
    ) as first using (benchmark, metric)
    where slice_name = 'overall' and matcher_place = 1
        and run = 'adversary'
    order by all
"""
_VARS = {
    "evaluation_reference_answers": True,
    "evaluation_bootstrap_resamples": 2,
    "evaluation_bootstrap_most_resamples": 2,
}
# a reader of the text is right of both bases of a group where the text is: under its own picture,
# and where that is corrupted. It is wrong where the text misleads, which the suite measures
_TEXT_READER = "caption copied"
_TEXT_IS_RIGHT = {"clean", "vision_corrupt"}
# what a benchmark gives an answer that is the same whatever is shown, and why it is more than half
_REASONS = {
    "pope": "F1 of yes is two thirds for always yes where half of the answers are yes: precision"
    " is one half, recall 1",
    "tdiuc": "no question of its absurd ones has an answer, so that always not knowing is right",
    "vizwiz": "half of these two questions have no answer",
}

pytestmark = pytest.mark.xdist_group("plots")


@pytest.fixture(scope="module")
def answered(shared_folder: Path, synthetic: Warehouse) -> Warehouse:
    """The corpus of the plots, with the answers of models that try to win."""

    def make(folder: Path) -> None:
        warehouse = scored_corpus(shared_folder, synthetic).copied_to(folder)
        with duckdb.connect(warehouse.path) as connection:
            land_adversaries(connection)
            # three pairs are held back, as of itself none of this corpus is
            connection.execute("""
                update certainly_uncertain.certainly_uncertain__examples set split = 'held_back'
                where pair_id in (
                    select distinct pair_id
                    from certainly_uncertain.certainly_uncertain__examples
                    where split = 'train'
                    order by pair_id
                    limit 3
                )
            """)
            # right about what has no answer, and wrong wherever there is one
            examples = connection.execute("""
                select example_id, is_answerable
                from certainly_uncertain.certainly_uncertain__examples
            """).fetchall()
        lines = [
            {"example_id": name, "prediction": "xyzzy" if is_answerable else "I don't know."}
            for name, is_answerable in examples
        ]
        (folder / "wrong.jsonl").write_text("\n".join(map(json.dumps, lines)))
        warehouse.gainsay(
            "land-predictions", "--benchmark", "certainly_uncertain", folder / "wrong.jsonl"
        )
        # what `score` builds, with fewer resamples: nothing here is about deviations
        warehouse.gainsay(
            "build", "--select", "evaluation_vocabulary", "path:models/blind", "tag:evaluation",
            "evaluation__predictions+",
            "--exclude", "review__records+", "--exclude-resource-type", "test", "unit_test",
            "--vars", json.dumps(_VARS),
        )  # fmt: skip

    return Warehouse(once(shared_folder, "adversarial_answers", make))


def test_the_table_has_the_score_of_each(answered: Warehouse) -> None:
    with _TABLE.open(newline="") as file:
        table = [tuple(row[name] for name in _NAMES) for row in csv.DictReader(file)]
    found = [tuple(map(str, row)) for row in answered.rows(_SCORES)]
    names = {str(row[4]) for row in found}
    assert {name for name in names if not name.startswith("most frequent by")} == set(ADVERSARIES)
    assert len(names) == len(ADVERSARIES) + 6
    assert found == table


def test_none_beats_one_that_says_the_same_to_everything(answered: Warehouse) -> None:
    best = answered.rows(f"""
        select benchmark, condition, max(value)
        from ({_SCORES}) group by all order by all
    """)
    too_good = {
        (benchmark, condition): value
        for benchmark, condition, value in best
        if benchmark not in _REASONS and value > 0.5 + 1e-3
    }
    assert too_good == {}


def test_none_is_right_on_whole_groups(answered: Warehouse) -> None:
    best = answered.rows(f"""
        select benchmark, condition, model, value from ({_SCORES})
        where metric = 'group_accuracy' order by all
    """)
    assert {row[0] for row in best} >= {"conflict_suite", "clash", "certainly_uncertain"}
    assert {(row[0], row[2]) for row in best if row[3] != 0} == {("conflict_suite", _TEXT_READER)}


def test_one_that_copies_the_text_is_right_of_groups_where_the_text_is(answered: Warehouse) -> None:
    groups = answered.rows(f"""
        select examples.operator, count(distinct answers.group_id),
            count(distinct answers.group_id) filter (where answers.is_right)
        from evaluation.evaluation__group_answers as answers
        inner join evaluation.evaluation__predictions as predictions
            using (source_file, file_position)
        inner join conflict_suite.conflict_suite__examples as examples using (example_id)
        where answers.benchmark = 'conflict_suite' and predictions.model = '{_TEXT_READER}'
            and predictions.task = 'open_ended' and answers.matcher = 'extracted'
        group by all order by all
    """)
    assert {row[0] for row in groups} > _TEXT_IS_RIGHT
    assert {row[0] for row in groups if row[2] != 0} == _TEXT_IS_RIGHT


def test_being_wrong_on_every_answer_does_not_lead(answered: Warehouse) -> None:
    """Without a rating these answers are worth nothing; they once left the denominator."""
    [(value, n, n_unrated, rank)] = answered.rows("""
        select value, n, n_unrated, rank from evaluation.evaluation__leaderboard
        where benchmark = 'certainly_uncertain' and model = 'wrong' and metric = 'lave_idk'
            and split = 'all'
    """)
    # what is held back is not asked: its answers land, count nowhere, and lack no rating
    [(n_examples, n_asked)] = answered.rows("""
        select count(*), count(*) filter (where split <> 'held_back')
        from certainly_uncertain.certainly_uncertain__examples
    """)
    assert (value, n, n_unrated) == (0.5, n_asked, n_asked // 2)
    assert n_examples > n_asked
    assert rank is None


def test_what_is_held_back_is_in_no_score_but_its_own(answered: Warehouse) -> None:
    """Answers to held-back examples once counted over all answers, and in slices of every kind."""
    counts = dict(
        answered.rows("""
            select split = 'held_back', count(*)
            from certainly_uncertain.certainly_uncertain__examples group by all
        """)
    )
    assert min(counts.values()) > 0
    of_wrong = "benchmark = 'certainly_uncertain' and model = 'wrong' and metric = 'lave_idk'"
    sums = answered.rows(f"""
        select slice_name, slice_value = 'held_back', sum(n) from evaluation.evaluation__scores
        where {of_wrong} and slice_name in ('overall', 'category', 'kind', 'split')
        group by all order by all
    """)
    n = {"all": counts[False], "held_back": counts[True]}
    assert sums == [
        ("category", False, n["all"]), ("kind", False, n["all"]), ("overall", False, n["all"]),
        ("split", False, n["all"]), ("split", True, n["held_back"]),
    ]  # fmt: skip
    board = answered.rows(f"""
        select split, n from evaluation.evaluation__leaderboard
        where {of_wrong} and split in ('all', 'held_back') order by all
    """)
    assert board == list(n.items())
    majorities = answered.rows("""
        select n from evaluation.evaluation__majorities
        where benchmark = 'certainly_uncertain' and metric = 'lave_idk' and split = 'all'
    """)
    assert majorities == [(n["all"],)]
    names = ("wrong", "always yes")
    with answered.connect() as connection:
        for split, n_of_split in n.items():
            compared = paired_differences(connection, names, "certainly_uncertain", split)
            assert [one.n for one in compared if one.metric == "credit"] == [n_of_split]


if __name__ == "__main__":
    with duckdb.connect(sys.argv[1], read_only=True) as warehouse, _TABLE.open("w") as written:
        writer = csv.writer(written, lineterminator="\n")
        writer.writerow(_NAMES)
        writer.writerows(warehouse.execute(_SCORES).fetchall())
