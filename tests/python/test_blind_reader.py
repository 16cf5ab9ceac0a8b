"""What a blind reader guesses of the real sample, and what becomes of a corpus that tells it."""

from collections.abc import Iterator
from pathlib import Path

import duckdb
import numpy as np
import pytest

from tests.python.conftest import Warehouse
from tests.python.real_data import needs_real_sample

pytestmark = [needs_real_sample, pytest.mark.xdist_group("exports")]

# fewer say little of two readers' difference
_LEAST_GROUPS = 80
_BLIND = "path:models/blind"
# of the poisoned sample, which has 101 photographs with objects
_LEAST_GROUPS_OF_A_BIAS = 5


def test_logistic_regression_reads_the_real_sample_as_well(exported: Warehouse) -> None:
    """A reader that nothing was tuned against guesses as much, or neither beats its limit."""
    compared = dict(_compared(exported))
    assert {"conflict_suite", "conflict_suite_refined", "clash", "certainly_uncertain"} <= {
        view.partition(" ")[0] for view in compared
    }
    apart = {
        view: (blind, regressed)
        for view, (blind, regressed, allowed) in compared.items()
        if abs(blind - regressed) > 0.05 and max(blind, regressed) > allowed
    }
    assert apart == {}


def _compared(warehouse: Warehouse) -> Iterator[tuple[str, tuple[float, float, float]]]:
    """The accuracy of both readers on what each view gates, and the most that its limit allows.

    Letters are left out: the reader of the project reads where the choices stand, words do not say.
    """
    views = warehouse.rows(f"""
        select scores.benchmark, scores.condition, scores."view", scores.guessed,
            scores.slice_value, scores.blind_accuracy,
            most_frequent_accuracy + coalesce(scores.margin_limit, 0) + 2 * margin_error
        from audit.audit__blind_scores as scores
        inner join vocabulary.blind_views as views
            using (benchmark, task, condition, "view", guessed)
        where reader = 'cross_fitted' and n_groups >= {_LEAST_GROUPS} and "view" <> 'both'
            and guessed <> 'letter'
            and string_split(gated_slices, ' ')[1] in (slice_name, slice_name || '=' || slice_value)
        order by all
    """)
    for benchmark, condition, view, guessed, split, blind, allowed in views:
        examples = warehouse.rows(f"""
            select concat_ws(' ; ', question, context), label, group_id
            from audit.audit__blind_examples
            where benchmark = '{benchmark}' and condition = '{condition}' and view = '{view}'
                and guessed = '{guessed}' and '{split}' in ('all', split)
            order by example_id
        """)
        texts, labels, groups = (np.array(column) for column in zip(*examples, strict=True))
        yield (
            f"{benchmark} {condition} {view} {guessed}",
            (float(blind), _regressed(texts, labels, groups), float(allowed)),  # type: ignore[arg-type]
        )


def _regressed(texts: np.ndarray, labels: np.ndarray, groups: np.ndarray) -> float:
    """The accuracy of logistic regression on words and word pairs, five folds by group."""
    from sklearn.feature_extraction.text import CountVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import GroupKFold
    from sklearn.multiclass import OneVsRestClassifier

    counts = CountVectorizer(ngram_range=(1, 2), token_pattern=r"\w+", min_df=2)
    seen = counts.fit_transform(texts)
    n_right = 0
    for taught, read in GroupKFold(5).split(seen, labels, groups):
        reader = OneVsRestClassifier(LogisticRegression(solver="liblinear", random_state=0))
        reader.fit(seen[taught], labels[taught])
        n_right += int((reader.predict(seen[read]) == labels[read]).sum())
    return n_right / len(labels)


@pytest.fixture(scope="module")
def poisoned(exported: Warehouse, tmp_path_factory: pytest.TempPathFactory) -> Warehouse:
    """The real sample with a word in all questions of CertainlyUncertain that are open.

    In Reality Check the word stands where yes is right of a place, and a limit says something of
    fewer groups than the sample has.
    """
    warehouse = exported.copied_to(tmp_path_factory.mktemp("poisoned"))
    with duckdb.connect(warehouse.path) as connection:
        connection.execute("""
            update certainly_uncertain.certainly_uncertain__examples
            set question = 'Zorp, ' || question
            where not is_answerable
        """)
        connection.execute("""
            update reality_check.reality_check__record_questions
            set question = 'Zorp, ' || question
            from (
                select challenge_id, correct_answer from reality_check.reality_check__challenges
                union all
                select challenge_id, correct_answer from reality_check.reality_check__controls
            ) as answers
            where reality_check__record_questions.challenge_id = answers.challenge_id
                and bias_type = 'spatial_relations' and correct_answer = 'Yes'
        """)
        connection.execute(f"""
            update vocabulary.blind_views set least_groups = {_LEAST_GROUPS_OF_A_BIAS}
            where benchmark = 'reality_check'
        """)
    warehouse.build("--select", _BLIND)
    return warehouse


def test_a_word_that_gives_the_answer_away_is_named_first(poisoned: Warehouse) -> None:
    [(words, label, n_with_label, n_with_others)] = poisoned.rows("""
        select words, label, n_with_label, n_with_other_labels
        from audit.audit__telltale_words
        where benchmark = 'certainly_uncertain' and guessed = 'answerability' and place = 1
            and "view" = 'question'
    """)
    assert (words, label, n_with_others) == ("zorp", "open", 0)
    assert int(str(n_with_label)) > 1000


def test_what_can_be_guessed_is_released_with_a_reason_that_the_card_quotes(
    poisoned: Warehouse, tmp_path: Path
) -> None:
    order = ("release", "certainly_uncertain", tmp_path)
    stopped = poisoned.gainsay(*order, check=False)
    assert stopped.returncode == 1
    assert "certainly_uncertain: can be guessed without looking" in stopped.stderr
    assert "telltale words: 'zorp' (open " in stopped.stderr
    assert list(tmp_path.rglob("*.*")) == []

    poisoned.gainsay(*order, "--although-guessed", "to show that it can be")
    [card] = tmp_path.glob("*/README.md")
    said = card.read_text()
    assert (
        '**This release can be guessed beyond its limits.** It was released all the same: "to show'
        in said
    )
    assert "| default: answerability | zorp | question | open |" in said


def test_reality_check_is_read_by_bias_and_in_every_language(exported: Warehouse) -> None:
    """Each slice has its row and the view's limit; what is asked of all pictures tells nothing."""
    slices = exported.rows("""
        select distinct slice_name, slice_value, margin_limit, margin
        from audit.audit__blind_scores
        where benchmark = 'reality_check' and condition = 'yes_no' and reader = 'cross_fitted'
            and slice_name in ('bias', 'language')
    """)
    assert {(name, value) for name, value, _, _ in slices} == {
        *(("language", language) for language in ("en", "es", "zh", "hi", "ar")),
        *(("bias", bias) for bias in ("spatial_relations", "scale_invariance", "texture")),
    }
    assert {float(str(limit)) for _, _, limit, _ in slices} == {0.05}
    assert max(float(str(margin)) for *_, margin in slices) <= 0.05


def test_a_word_in_one_bias_alone_stops_a_release(poisoned: Warehouse, tmp_path: Path) -> None:
    """Of nine biases one is told, and of the languages none more than the others."""
    told = poisoned.rows("""
        select slice_value from audit.audit__blind_scores
        where benchmark = 'reality_check' and slice_name = 'bias' and not is_limit_met
            and reader = 'cross_fitted'
    """)
    assert told == [("spatial_relations",)]
    stopped = poisoned.gainsay("release", "reality_check", tmp_path, check=False)
    assert stopped.returncode == 1
    assert (
        "yes_no of bias spatial_relations: answer from the question, cross_fitted:"
        in stopped.stderr
    )
    assert "telltale words: 'zorp' (Yes " in stopped.stderr
    assert list(tmp_path.rglob("*.*")) == []
