"""Scores on the real questions: VQA accuracy to the row, POPE, and the references' closed forms."""

import json
import random
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import fmean
from zipfile import ZipFile

import pytest

from tests.python.conftest import Warehouse, once
from tests.python.official_layout import Json
from tests.python.official_vqa import accuracy
from tests.python.real_data import REAL_SAMPLE, needs_real_sample

pytestmark = [needs_real_sample, pytest.mark.xdist_group("real_scores")]

ANNOTATIONS = "v2_Annotations_Train_mscoco.zip"
POPE_ANNOTATIONS = "v2_Annotations_Val_mscoco.zip"


def _annotations(archive: str) -> list[Json]:
    with ZipFile(REAL_SAMPLE / archive) as file:
        name = next(n for n in file.namelist() if n.endswith("annotations.json"))
        annotations: list[Json] = json.loads(file.read(name))["annotations"]
    return annotations


def _ranked(annotation: Json) -> list[str]:
    return [answer for answer, _ in Counter(_human(annotation)).most_common()]


def _human(annotation: Json) -> list[str]:
    return [answer["answer"] for answer in annotation["answers"]]


def _draw(annotation: Json) -> random.Random:
    return random.Random(annotation["question_id"])


def _disguised(annotation: Json) -> str:
    """The modal answer in another guise, most of which the rule sees through."""
    answer = _ranked(annotation)[0]
    guises: list[Callable[[str], str]] = [
        lambda text: f"The {text}.",
        lambda text: f"\t{text.upper()} !",
        lambda text: f"an {text},\nreally?",
        lambda text: text.replace(" ", "-"),
        lambda text: text.replace("2", "two").replace("1", "One"),
        lambda text: text.replace("'", ""),
        lambda text: f'"{text}" / (1,000.50)',
        lambda text: f"{text}..5.",
    ]
    return _draw(annotation).choice(guises)(answer)


ANSWER_SETS: dict[str, Callable[[Json], str]] = {
    "modal": lambda annotation: _ranked(annotation)[0],
    "second": lambda annotation: _ranked(annotation)[min(1, len(_ranked(annotation)) - 1)],
    "human": lambda annotation: _draw(annotation).choice(_human(annotation)),
    "disguised": _disguised,
    "yes": lambda _: "yes",
}
POPE_SAYINGS = {"yes": "Yes, there is.", "no": "There is not, I think. Yes.", "other": "A dog no."}


def _pope_saying(annotation: Json) -> str:
    return _draw(annotation).choice(sorted(POPE_SAYINGS))


@pytest.fixture(scope="module")
def annotations() -> list[Json]:
    """The 48,061 annotations."""
    return _annotations(ANNOTATIONS)


@pytest.fixture(scope="module")
def scored(shared_folder: Path, whole_real: Warehouse) -> Warehouse:
    """Five answer sets to all questions, POPE answers and the references, scored."""

    def make(folder: Path) -> None:
        warehouse = whole_real.copied_to(folder)
        questions = _annotations(ANNOTATIONS)
        for name, answer in ANSWER_SETS.items():
            results = [{"question_id": a["question_id"], "answer": answer(a)} for a in questions]
            file = folder / f"{name}.json"
            file.write_text(json.dumps(results))
            warehouse.gainsay("land-predictions", "--benchmark", "vqa", "--model", name, file)
        pope = folder / "pope.jsonl"
        pope.write_text(
            "\n".join(
                json.dumps({"id": a["question_id"], "text": POPE_SAYINGS[_pope_saying(a)]})
                for a in _annotations(POPE_ANNOTATIONS)
            )
        )
        warehouse.gainsay(
            "land-predictions", "--benchmark", "pope", "--model", "sayings",
            "--id-column", "id", "--answer-column", "text", pope,
        )  # fmt: skip
        warehouse.dbt(
            "build", "--select", "tag:evaluation", "--exclude-resource-type", "test", "unit_test",
            # of what is asserted here nothing is a deviation
            "--vars", "{evaluation_reference_answers: true, evaluation_bootstrap_resamples: 2,"
            " evaluation_bootstrap_most_resamples: 2}",
        )  # fmt: skip

    return Warehouse(once(shared_folder, "real_scores", make))


@pytest.mark.parametrize("name", ANSWER_SETS)
def test_vqa_accuracy_to_the_row(scored: Warehouse, annotations: list[Json], name: str) -> None:
    expected = {
        f"vqa-{annotation['question_id']}": accuracy(
            ANSWER_SETS[name](annotation), _human(annotation)
        )
        for annotation in annotations
    }
    shares = dict(
        scored.rows(f"""
        select example_id, credit from evaluation.evaluation__matches
        where benchmark = 'vqa' and model = '{name}'
    """)
    )

    assert len(shares) == 48_061
    assert {key: round(float(str(credit)), 9) for key, credit in shares.items()} == {
        key: round(value, 9) for key, value in expected.items()
    }

    by_slice: dict[tuple[str, str], list[float]] = defaultdict(list)
    for annotation in annotations:
        credit = expected[f"vqa-{annotation['question_id']}"]
        by_slice["overall", "all"].append(credit)
        by_slice["answer_type", annotation["answer_type"]].append(credit)
        by_slice["question_type", annotation["question_type"]].append(credit)
    scores = scored.rows(f"""
        select slice_name, slice_value, value, n from evaluation.evaluation__scores
        where benchmark = 'vqa' and model = '{name}' and metric = 'vqa_accuracy'
    """)
    assert {(str(key), str(value)): n for key, value, _, n in scores} == {
        key: len(shares) for key, shares in by_slice.items()
    }
    for key, value, score, _ in scores:
        assert score == pytest.approx(fmean(by_slice[str(key), str(value)]), abs=1e-8)


def test_answer_sets_differ_as_meant(scored: Warehouse) -> None:
    """Disguises cost little, second answers much; otherwise the sets would test nothing."""
    scores = dict(
        scored.rows("""
        select model, value from evaluation.evaluation__scores
        where benchmark = 'vqa' and slice_name = 'overall' and metric = 'vqa_accuracy'
    """)
    )
    values = {str(model): float(str(value)) for model, value in scores.items()}
    assert values["modal"] > values["human"] > values["second"] > 0.1
    assert 0.1 < values["disguised"] < values["modal"]


def test_pope_counts(scored: Warehouse) -> None:
    rows = [
        (_pope_saying(annotation) != "no" and _pope_saying(annotation) != "other",
         annotation["multiple_choice_answer"] == "yes")
        for annotation in _annotations(POPE_ANNOTATIONS)
    ]  # fmt: skip
    count = Counter(rows)
    tp, fp, fn, tn = (count[k] for k in ((True, True), (True, False), (False, True), (False,) * 2))
    precision, recall = tp / (tp + fp), tp / (tp + fn)
    scores = dict(
        scored.rows("""
        select metric, value from evaluation.evaluation__scores
        where benchmark = 'pope' and slice_name = 'overall'
    """)
    )

    assert min(tp, fp, fn, tn) > 0
    assert scores == {
        "accuracy": pytest.approx((tp + tn) / len(rows), abs=1e-8),
        "precision": pytest.approx(precision, abs=1e-8),
        "recall": pytest.approx(recall, abs=1e-8),
        "f1": pytest.approx(2 * precision * recall / (precision + recall), abs=1e-8),
        "yes_ratio": pytest.approx((tp + fp) / len(rows), abs=1e-8),
    }


# three of seven variants have a corrupted text, three a corrupted picture; none has both
CLOSED_FORMS = {
    "oracle": {"task_success": 1, "accuracy": 1, "coverage": 1, "action_accuracy": 1,
               "action_macro_f1": 1, "ece": 0, "brier": 0, "aurc": 0, "risk_at_coverage": 0,
               "monotonicity_violation_rate": 0},
    "always_vision": {"task_success": 4 / 7, "accuracy": 4 / 7, "coverage": 1,
                      "action_accuracy": 3 / 7, "action_macro_f1": 2 * 3 / (7 + 3) / 3,
                      "monotonicity_violation_rate": 0},
    "always_text": {"task_success": 4 / 7, "accuracy": 4 / 7, "coverage": 1,
                    "action_accuracy": 3 / 7, "monotonicity_violation_rate": 0},
    "always_abstain": {"task_success": 0, "accuracy": 0, "coverage": 0, "action_accuracy": 0},
    "majority": {"coverage": 1, "monotonicity_violation_rate": 0},
}  # fmt: skip


@pytest.mark.parametrize("model", CLOSED_FORMS)
def test_references_score_what_they_must(scored: Warehouse, model: str) -> None:
    scores = _overall(scored, model)
    assert {metric: scores[metric] for metric in CLOSED_FORMS[model]} == pytest.approx(
        CLOSED_FORMS[model], abs=1e-8
    )


# half of the examples can be answered; LAVE_idk, F1_idk and pairs by their definitions
UNCERTAIN_FORMS = {
    "oracle": {"lave_idk": 1, "f1_idk": 1, "pair_accuracy": 1, "ece": 0,
               "confidence_weighted_accuracy": 1},
    "always_abstain": {"lave_idk": 1 / 2, "f1_idk": 2 / 3, "pair_accuracy": 0, "ece": 1 / 2,
                       "confidence_weighted_accuracy": 0},
    "never_abstain": {"lave_idk": 1 / 2, "f1_idk": 0, "pair_accuracy": 0, "ece": 1 / 2,
                      "confidence_weighted_accuracy": 0},
}  # fmt: skip


@pytest.mark.parametrize("model", UNCERTAIN_FORMS)
def test_references_of_uncertainty_score_what_they_must(scored: Warehouse, model: str) -> None:
    scores = _overall(scored, model, "certainly_uncertain")
    assert {metric: scores[metric] for metric in UNCERTAIN_FORMS[model]} == pytest.approx(
        UNCERTAIN_FORMS[model], abs=1e-8
    )


def test_what_never_answers_has_no_accuracy_on_answers(scored: Warehouse) -> None:
    assert "accuracy_on_answered" not in _overall(scored, "always_abstain")


def test_the_majority_scores_the_largest_shares(scored: Warehouse) -> None:
    rows = scored.rows("""
        select family, gold_answer, count(*)
        from conflict_suite.conflict_suite__examples group by all
    """)
    largest: dict[object, int] = defaultdict(int)
    for family, _, n in rows:
        largest[family] = max(largest[family], int(str(n)))
    share = sum(largest.values()) / sum(int(str(n)) for _, _, n in rows)

    assert _overall(scored, "majority")["accuracy"] == pytest.approx(share, abs=1e-8)


def test_random_scores_by_chance(scored: Warehouse) -> None:
    rows = scored.rows("""
        select slice_value, value, n from evaluation.evaluation__scores
        where benchmark = 'conflict_suite' and model = 'random' and metric = 'accuracy'
            and slice_name = 'family'
    """)
    chances = {"existence": 1 / 2, "attribute_color": 1 / 11}
    for family, value, n in rows:
        if family in chances:
            p = chances[str(family)]
            assert float(str(value)) == pytest.approx(p, abs=4 * (p * (1 - p) / int(str(n))) ** 0.5)


def test_calibration_tells_the_calibrated_from_the_overconfident(scored: Warehouse) -> None:
    calibrated, overconfident = (_overall(scored, m) for m in ("calibrated", "overconfident"))
    # ten levels of about 2,437 examples, each at most half an example off its share
    assert calibrated["ece"] <= 10 * 0.5 / 24_374
    # mean of c (1 - c) over the levels 0.05, 0.15, ... 0.95
    assert calibrated["brier"] == pytest.approx(0.1675, abs=0.003)
    success = calibrated["task_success"]
    assert overconfident["task_success"] == success
    assert overconfident["ece"] == pytest.approx(0.95 - success, abs=1e-8)
    assert overconfident["brier"] == pytest.approx(
        success * 0.05**2 + (1 - success) * 0.95**2, abs=1e-8
    )
    # an order that knows nothing risks the mean everywhere
    assert overconfident["aurc"] == pytest.approx(1 - success, abs=0.02)
    assert calibrated["aurc"] < 0.3


def _overall(scored: Warehouse, model: str, benchmark: str = "conflict_suite") -> dict[str, float]:
    rows = scored.rows(f"""
        select metric, value from evaluation.evaluation__scores
        where benchmark = '{benchmark}' and model = '{model}' and slice_name = 'overall'
    """)
    return {str(metric): float(str(value)) for metric, value in rows}
