"""Every metric equals its definition, computed directly, on answers of any kind."""

import csv
import importlib.util
import json
import random
import re
from collections import defaultdict
from collections.abc import Iterator
from hashlib import md5
from math import ceil, exp, factorial, sqrt
from pathlib import Path
from statistics import fmean, pstdev
from types import ModuleType
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gainsay.exports import harness_files
from gainsay.exports.harness_files import RULES, SCORING, harness_file, scoring_rules
from gainsay.foundation.progress import advance_unseen
from gainsay.foundation.queries import sql_beside
from gainsay.lm.chat_client import ChatClient
from gainsay.lm.predicting import Example, Question, predict
from gainsay.lm.prompt_files import read_prompt
from gainsay.project.folder import project_vars
from gainsay.python_udfs.engines.duckdb import register
from gainsay.python_udfs.registry import UDFS
from gainsay.python_udfs.statistics.bootstrap import confidence_errors, mean_errors, ratio_errors
from gainsay.python_udfs.text.stemming import porter_stem
from gainsay.scoring import differences
from tests.python.chat_server import serve
from tests.python.conftest import PROJECT, Warehouse

_MASK = 2**64 - 1


_ERRORS_OF_RATIOS = next(udf for udf in UDFS if udf.name == "gs_ratio_errors")
_MEASURES, _PARTS = _ERRORS_OF_RATIOS.parameters[1], _ERRORS_OF_RATIOS.parameters[3]


def _weights(key: int, n_resamples: int) -> list[int]:
    """Poisson(1) draws of one key: splitmix64, 16 bits a draw, by the inverse distribution."""
    weights = []
    for resample in range(n_resamples):
        state = (key + (resample // 4 + 1) * 0x9E3779B97F4A7C15) & _MASK
        state = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        state = ((state ^ (state >> 27)) * 0x94D049BB133111EB) & _MASK
        state ^= state >> 31
        quantile = ((state >> (16 * (resample % 4)) & 0xFFFF) + 0.5) / 2**16
        weight, below = 0, exp(-1)
        while quantile >= below:
            weight += 1
            below += exp(-1) / factorial(weight)
        weights.append(weight)
    return weights


class Row(NamedTuple):
    key: int
    cluster: int
    cell: int
    measures: list[float]


def _numbered(rows: list[Row]) -> list[dict[str, int]]:
    """The rows as functions take them, by numbers that are not their places."""
    return [
        {"number": 7 * number + 2, "key": row.key, "cluster": row.cluster, "cell": row.cell}
        for number, row in enumerate(rows)
    ]


def _measures(rows: list[Row]) -> list[dict[str, Any]]:
    """What the rows add: the first two of their measures are of the metric `m01`, and so on."""
    alike: dict[tuple[str, float, float], list[int]] = defaultdict(list)
    for number, row in enumerate(rows):
        for at in range(0, len(row.measures), 2):
            numerator, denominator = row.measures[at : at + 2]
            # a row that is not there adds nothing, nor does one that adds nothing
            if number % 2 == 0 or (numerator, denominator) != (0.0, 0.0):
                metric = f"m{at // 2 + 1:02}"
                alike[metric, numerator, denominator].append(7 * number + 2)
    measures = [
        {"metric": metric, "numerator": numerator, "denominator": denominator, "numbers": numbers}
        for (metric, numerator, denominator), numbers in alike.items()
    ]
    return measures[::-1]


def _errors(
    rows: list[Row],
    slices: dict[int, set[int]],
    n_resamples: int,
    parts: tuple[tuple[str, str | None], ...] = (("m01", None),),
) -> list[Any]:
    members = [{"cell": cell, "slice": s} for s, cells in slices.items() for cell in cells]
    averaged = [[{"metric": metric, "part_of": mean} for metric, mean in parts]]
    errors = ratio_errors(
        pa.array([_numbered(rows)]),
        pa.array([_measures(rows)], _MEASURES),
        pa.array([members]),
        pa.array(averaged, _PARTS),
        pa.array([n_resamples]),
    )
    return list(errors.to_pylist()[0])


_ROWS = st.lists(
    st.builds(
        Row,
        key=st.integers(0, 2**60 - 1),
        cluster=st.integers(0, 3),
        cell=st.integers(0, 2),
        measures=st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.0]), min_size=4, max_size=4),
    ),
    min_size=1,
    max_size=12,
)


def _ratio(pairs: list[list[float]], weights: list[int]) -> float | None:
    numerator, denominator = (
        sum(weight * pair[side] for weight, pair in zip(weights, pairs, strict=True))
        for side in (0, 1)
    )
    return numerator / denominator if denominator > 0 else None


def _mean(ratios: list[float | None]) -> float | None:
    known = [ratio for ratio in ratios if ratio is not None]
    return fmean(known) if known else None


def _deviation(values: list[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return pstdev(known) if known else None


@given(rows=_ROWS)
@settings(max_examples=60)
def test_errors_are_those_of_the_definition(rows: list[Row]) -> None:
    slices = {0: {0, 1, 2}, 1: {1}, 2: {0, 2}}
    parts = (("m01", "mean"), ("m02", "mean"))
    found = {(e["slice"], e["metric"]): e for e in _errors(rows, slices, 18, parts)}
    weights = [_weights(row.key, 18) for row in rows]
    metrics = ("m01", "m02", "mean")
    assert set(found) == {(number, metric) for number in slices for metric in metrics}
    for number, cells in slices.items():
        chosen = [n for n, row in enumerate(rows) if row.cell in cells]
        pairs = [[rows[n].measures[start : start + 2] for n in chosen] for start in (0, 2)]
        resampled: list[list[float | None]] = []
        for resample in range(18):
            ratios = [_ratio(of, [weights[n][resample] for n in chosen]) for of in pairs]
            resampled.append([*ratios, _mean(ratios)])

        # what every cluster moves the two ratios by, and their mean by
        influences: list[dict[int, float]] = []
        for of in pairs:
            value, total = _ratio(of, [1] * len(chosen)), sum(pair[1] for pair in of)
            moved: dict[int, float] = defaultdict(float)
            for n, pair in zip(chosen, of, strict=True):
                if value is not None:
                    moved[rows[n].cluster] += (pair[0] - value * pair[1]) / total
            influences.append(moved)
        known = [moved for moved in influences if moved]
        influences.append({c: fmean(moved[c] for moved in known) for c in (known or [{}])[0]})

        for position, metric in enumerate(metrics):
            error = found[number, metric]
            expected = _deviation([values[position] for values in resampled])
            assert error["standard_deviation"] == (
                None if expected is None else pytest.approx(expected, abs=1e-9)
            )
            moved = influences[position]
            assert error["clustered_standard_error"] == (
                pytest.approx(sqrt(sum(by**2 for by in moved.values())), abs=1e-9)
                if moved
                else None
            )


@given(rows=_ROWS, draw=st.randoms(use_true_random=False))
@settings(max_examples=20)
def test_the_order_of_rows_changes_nothing(rows: list[Row], draw: Any) -> None:
    shuffled = rows.copy()
    draw.shuffle(shuffled)
    slices = {0: {0, 1, 2}}
    for one, other in zip(_errors(rows, slices, 8), _errors(shuffled, slices, 8), strict=True):
        assert one == pytest.approx(other)


def test_rows_without_measures_have_no_errors() -> None:
    assert _errors([Row(3, 1, 0, [])], {0: {0}}, 8) == []


def test_a_mean_has_the_errors_of_its_ratio() -> None:
    rows = [Row(3, 1, 0, [1.0, 1.0]), Row(4, 1, 0, [0.3, 1.0]), Row(9, 2, 0, [0.0, 1.0])]
    values = [{"key": r.key, "cluster": r.cluster, "value": r.measures[0]} for r in rows]
    found = mean_errors(pa.array([values, values[:0]]), pa.array([50, 50])).to_pylist()
    [expected] = _errors(rows, {0: {0}}, 50)
    assert found == [
        {
            "standard_deviation": pytest.approx(expected["standard_deviation"]),
            "clustered_standard_error": pytest.approx(expected["clustered_standard_error"]),
        },
        None,
    ]
    # clusters of 1.3 and 0 around a mean of 1.3 / 3
    mean = 1.3 / 3
    assert found[0]["clustered_standard_error"] == pytest.approx(
        sqrt((1.3 - 2 * mean) ** 2 + mean**2) / 3
    )


@pytest.mark.parametrize("share", [0.02, 0.4, 0.9])
def test_the_deviation_is_that_of_a_share(share: float) -> None:
    n = 20_000
    keys = np.random.default_rng(5).integers(0, 2**60, n)
    rows = [Row(int(key), number, 0, [float(number < share * n), 1.0])
            for number, key in enumerate(keys)]  # fmt: skip
    [error] = _errors(rows, {0: {0}}, 1_000)
    expected = sqrt(share * (1 - share) / n)
    # a deviation of 1,000 resamples is off by 2.2 % of itself
    assert error["standard_deviation"] == pytest.approx(expected, rel=4 * 0.0224)
    assert error["clustered_standard_error"] == pytest.approx(expected, rel=1e-9)


# of the published figures, those with the widest deviations and some of the narrowest
_SHARES = (0.0016, 0.0109, 0.0749, 0.1967, 0.3997, 0.4044, 0.5, 0.7494, 0.8119, 0.8681, 0.9282)


@pytest.mark.parametrize("seed", range(6))
def test_deviations_are_within_tolerance_whatever_the_seed(seed: int) -> None:
    """At the resamples that the vars ask for, no draw of weights strays further than 0.05 points.

    The tolerance is one standard error of a deviation and the bound five: of all 66 shares here
    and elsewhere, one in two million may miss it.
    """
    n = 1_281
    thresholds = project_vars()
    tolerance = thresholds["evaluation_bootstrap_tolerance"]
    n_resamples = ceil(0.25 / n / (2 * tolerance**2))
    assert n_resamples < thresholds["evaluation_bootstrap_most_resamples"]
    keys = [int(md5(f"{seed}:any:{number}".encode()).hexdigest()[:15], 16) for number in range(n)]
    draw = np.random.default_rng(seed)
    answers = np.stack([draw.permutation(n) < round(share * n) for share in _SHARES], axis=1)
    rows = [
        Row(key, number, 0, [value for hit in answers[number] for value in (float(hit), 1.0)])
        for number, key in enumerate(keys)
    ]
    for error, share in zip(_errors(rows, {0: {0}}, n_resamples), _SHARES, strict=True):
        p = round(share * n) / n
        expected = 100 * sqrt(p * (1 - p) / n)
        assert 100 * error["standard_deviation"] == pytest.approx(expected, abs=0.05)


class Sure(NamedTuple):
    """One answer with a confidence."""

    key: int
    cluster: int
    cell: int
    tie: int
    confidence: float
    credit: float


def _confidence_errors(
    rows: list[Sure], slices: dict[int, set[int]], n_resamples: int, n_points: int = 100
) -> dict[tuple[int, str], dict[str, float | None]]:
    members = [{"cell": cell, "slice": s} for s, cells in slices.items() for cell in cells]
    settings_of = [[10], [n_points], [0.8], [n_resamples]]
    errors = confidence_errors(
        pa.array([[row._asdict() for row in rows]]),
        pa.array([members]),
        *(pa.array(setting) for setting in settings_of),
    )
    return {(e["slice"], e["metric"]): e for e in errors.to_pylist()[0]}


def _of_drawn(rows: list[Sure], weights: list[int]) -> dict[str, float] | None:
    """ECE, AURC and risk at 0.8 of rows that were drawn so often, the surest first."""
    drawn = [(row, weight) for row, weight in zip(rows, weights, strict=True) if weight]
    total = sum(weight for _, weight in drawn)
    if not total:
        return None
    gaps: dict[int, float] = defaultdict(float)
    points, covered, gained = [], 0, 0.0
    for row, weight in drawn:
        gaps[min(int(row.confidence * 10), 9)] += weight * (row.credit - row.confidence)
        covered, gained = covered + weight, gained + weight * row.credit
        points.append((covered / total, 1 - gained / covered))
    return {
        "ece": sum(map(abs, gaps.values())) / total,
        "aurc": float(np.trapezoid([risk for _, risk in points], [x for x, _ in points])),
        "risk_at_coverage": next(risk for x, risk in points if x >= 0.8 - 1e-9),
    }


_SURE = st.lists(
    st.builds(
        Sure,
        key=st.integers(0, 2**60 - 1),
        cluster=st.integers(0, 3),
        cell=st.integers(0, 2),
        tie=st.integers(0, 2**60 - 1),
        confidence=st.floats(0, 1).map(lambda p: round(p, 3)) | st.sampled_from([0.0, 0.5, 1.0]),
        credit=st.sampled_from([0.0, 0.3, 1.0]),
    ),
    min_size=1,
    max_size=12,
    unique_by=lambda row: row.tie,
)


@given(rows=_SURE)
@settings(max_examples=60)
def test_errors_of_confidence_are_those_of_the_definition(rows: list[Sure]) -> None:
    slices = {0: {0, 1, 2}, 1: {1}, 2: {0, 2}}
    found = _confidence_errors(rows, slices, 10)
    assert set(found) == {(s, m) for s in slices for m in ("ece", "aurc", "risk_at_coverage")}
    ordered = sorted(rows, key=lambda row: (-row.confidence, row.tie))
    for number, cells in slices.items():
        chosen = [row for row in ordered if row.cell in cells]
        for kind, keys in (
            ("standard_deviation", [row.key for row in chosen]),
            ("clustered_standard_error", [row.cluster for row in chosen]),
        ):
            weights = [_weights(key, 10) for key in keys]
            values = [_of_drawn(chosen, [w[resample] for w in weights]) for resample in range(10)]
            for metric in ("ece", "aurc", "risk_at_coverage"):
                expected = _deviation([value and value[metric] for value in values])
                assert found[number, metric][kind] == (
                    None if expected is None else pytest.approx(expected, abs=1e-9)
                )


def test_a_hundred_points_of_a_curve_are_enough_for_its_error() -> None:
    draw = np.random.default_rng(3)
    confidence = draw.uniform(size=1_500).round(6)
    rows = [
        Sure(int(key), number, 0, number, float(sure), float(right))
        for number, (key, sure, right) in enumerate(
            zip(
                draw.integers(0, 2**60, 1_500),
                confidence,
                draw.uniform(size=1_500) < confidence**2,
                strict=True,
            )
        )
    ]
    few, all_of_them = (_confidence_errors(rows, {0: {0}}, 1_000, n) for n in (100, 1_500))
    for metric in ("ece", "aurc", "risk_at_coverage"):
        for kind in ("standard_deviation", "clustered_standard_error"):
            exact = all_of_them[0, metric][kind]
            assert few[0, metric][kind] == pytest.approx(exact, rel=0.03)


def test_groups_are_computed_apart() -> None:
    row = Row(3, 1, 0, [1.0, 2.0])
    other = Row(4, 1, 0, [0.0, 1.0])
    groups = [[row], [row, other]]
    both = ratio_errors(
        pa.array([_numbered(rows) for rows in groups]),
        pa.array([_measures(rows) for rows in groups], _MEASURES),
        pa.array([[{"cell": 0, "slice": 0}]] * 2),
        pa.array([[], []], _PARTS),
        pa.array([8, 8]),
    ).to_pylist()
    assert both == [_errors([row], {0: {0}}, 8), _errors([row, other], {0: {0}}, 8)]


def test_groups_of_the_same_rows_are_computed_as_if_apart() -> None:
    # more than fit together, each with measures of its own
    groups = [
        [
            Row(key, key % 5, key % 2, [float((key * place) % 3), float(place % 7 != key % 7)])
            for key in range(200)
        ]
        for place in range(1, 60)
    ]
    slices = {0: {0, 1}, 1: {1}}
    members = [{"cell": cell, "slice": number} for number in slices for cell in slices[number]]
    together = ratio_errors(
        pa.array([_numbered(rows) for rows in groups]),
        pa.array([_measures(rows) for rows in groups], _MEASURES),
        pa.array([members] * len(groups)),
        pa.array([[{"metric": "m01", "part_of": None}]] * len(groups), _PARTS),
        pa.array([8] * len(groups)),
    ).to_pylist()
    assert together == [_errors(rows, slices, 8) for rows in groups]
    assert len({repr(errors) for errors in together}) > 10


@pytest.mark.slow
@pytest.mark.parametrize(
    ("word", "stem"),
    [("contradictory", "contradictori"), ("contradicts", "contradict"), ("dying", "die"),
     ("skies", "sky"), ("Running", "run"), ("été", "été"), ("", "")],
)  # fmt: skip
def test_stems_are_those_of_nltk(word: str, stem: str) -> None:
    assert porter_stem(pa.array([word, None])).to_pylist() == [stem, None]


MODELS = ("evaluation__metrics", "evaluation__matchers", "evaluation__slices",
          "evaluation__scored_answers", "conflicts__measures",
          "evaluation__flag_measures", "uncertainty__measures", "reality_check__measures",
          "evaluation__measures", "evaluation__ranked", "evaluation__confidence_scores",
          "evaluation__errors", "evaluation__scores")  # fmt: skip
# how answers in sentences are read, and the seeds that say how
READERS = ("evaluation__phrases", "evaluation__answer_scopes", "evaluation__extracted_answers")
# how answers where not knowing may be right are rated, under names of their own here
RATERS = ("evaluation__answer_ratings", "uncertainty__outcomes")
WORDS = (
    "evaluation/evaluation_vocabulary", "evaluation/answer_words",
    "shared/language/answer_forms", "certainly_uncertain/idk_phrases",
    "certainly_uncertain/uncertainty_people_words",
    "shared/shared_thresholds",
)  # fmt: skip


@pytest.fixture(scope="module")
def sql(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Models as DuckDB reads them."""
    folder = tmp_path_factory.mktemp("metrics")
    models = [*MODELS, *READERS, *RATERS, "evaluation__matches", "evaluation__candidate_answers"]
    Warehouse(folder).dbt("compile", "--no-introspect", "--select", *models)
    return {path.stem: path.read_text() for path in (folder / "target").rglob("*.sql")}


@pytest.fixture(scope="module")
def scorer(sql: dict[str, str]) -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty warehouse in memory with the tables that scores are made of."""
    models = [*MODELS, *READERS, *RATERS]
    with duckdb.connect() as connection:
        register(connection)
        connection.execute("attach ':memory:' as gainsay; use gainsay")
        connection.execute("create schema evaluation; create schema vocabulary")
        for port, types in (
            ("metrics", "{'target': 'double'}"),
            ("matchers", "{'version': 'varchar', 'place': 'integer'}"),
        ):
            path = PROJECT / f"seeds/evaluation/{port}.csv"
            connection.execute(
                f"create table vocabulary.{port} as"
                f" from read_csv('{path}', types = {types}, all_varchar = false)"
            )
        connection.execute("""
            create table evaluation.evaluation__matches (
                source_file varchar, benchmark varchar, task varchar, matcher varchar,
                slices varchar[], example_id varchar, source_image_id varchar,
                stated_action varchar, oracle_action varchar, file_position bigint, credit double,
                confidence double, is_contradiction boolean, is_image_only boolean,
                is_text_only boolean, is_distractor boolean, is_none boolean, is_correct boolean,
                was_correct boolean, is_abstained boolean, is_yes boolean, is_gold_yes boolean,
                is_gold_abstained boolean, is_rated boolean, is_held_back boolean
            );
            create table evaluation.evaluation__runs (
                source_file varchar, benchmark varchar, task varchar, condition varchar,
                model varchar, run varchar, split varchar, n_unmatched bigint, n_scored bigint,
                n_unrated bigint, n_asked bigint, n_unanswered bigint, completeness double,
                prompt_version varchar, prompt_sha256 varchar
            );
            create table evaluation.evaluation__group_answers (
                benchmark varchar, source_file varchar, file_position bigint, matcher varchar,
                group_id varchar, is_complete boolean, is_right boolean
            );
            create table evaluation.evaluation__predictions (
                benchmark varchar, example_id varchar, prediction varchar, gold_answer varchar,
                reason varchar, source_file varchar, file_position bigint, condition varchar,
                lave_rating bigint, confidence double, p_yes double, p_no double
            );
            create table evaluation.evaluation__lave_inputs (
                source_file varchar, file_position bigint, input_id varchar, is_yes_or_no boolean
            );
            create schema llm; create schema vqa; create schema certainly_uncertain;
            create table llm.llm__outcomes (
                input_id varchar, task varchar, model varchar, state varchar, answer varchar,
                requested_at timestamp, custom_id varchar
            );
            create table vqa.question_sets__questions (
                benchmark varchar, example_id varchar, is_answerable boolean
            );
            create table certainly_uncertain.certainly_uncertain__examples (
                example_id varchar, answer varchar, category varchar, kind varchar, source varchar,
                operator varchar, split varchar, is_answerable boolean
            );
            create table certainly_uncertain.certainly_uncertain__answer_shares (
                example_id varchar, answer varchar, share double
            );
            create table evaluation.conflicts__examples (
                benchmark varchar, example_id varchar, answer_type varchar
            );
        """)
        for words in WORDS:
            path = PROJECT / f"seeds/{words}.csv"
            connection.execute(
                f"create table vocabulary.{path.stem} as from read_csv('{path}', header = true)"
            )
        shared = {
            "conflicts": ("conflict_suite", "conflict_suite_refined", "occlusions"),
            "vqa": ("vqa", "okvqa", "vizwiz"),
            "uncertainty": ("certainly_uncertain", "unk_vqa", "tdiuc"),
            "question_sets": ("amber", "gqa", "mmhal", "pope"),
            **{name: (name,) for name in ("clash", "reality_check")},
        }
        for name, benchmarks in shared.items():
            connection.execute(
                f"create view evaluation.{name}__outcomes as"
                " select *, cast(null as boolean) as is_pair_success,"
                " cast(null as varchar) as pair_id, cast(null as varchar) as language,"
                " cast(null as varchar) as bias_type, cast(null as varchar) as combination,"
                " cast(null as varchar) as option_key, cast(null as varchar) as failure_mode,"
                " cast(null as boolean) as is_control from evaluation.evaluation__matches"
                f" where benchmark in {benchmarks!r}".replace(",)", ")")
            )
        for model in models:
            name = model if model != "uncertainty__outcomes" else "rated_answers"
            connection.execute(f"create view evaluation.{name} as {sql[model]}")
        yield connection


def _score(
    scorer: duckdb.DuckDBPyConnection, columns: str, benchmark: str, rows: list[dict[str, object]]
) -> list[Any]:
    """Columns of the scores of these answers alone, by the run of one model.

    Two in a row are about one picture, and every second one is in the slice `half=0`.
    """
    scorer.execute("delete from evaluation.evaluation__matches")
    scorer.execute("delete from evaluation.evaluation__runs")
    for number, row in enumerate(rows):
        of_row = "".join(f", ${column} as {column}" for column in row)
        scorer.execute(
            f"""
            insert into evaluation.evaluation__matches by name select
                'f' as source_file, $benchmark as benchmark, 'open_ended' as task,
                ['half=' || ($number % 2)] as slices, 'e' || $number as example_id,
                'i' || ($number // 2) as source_image_id, $number as file_position,
                false as is_held_back {of_row}
            """,
            {"benchmark": benchmark, "number": number} | row,
        )
    scorer.execute(
        "insert into evaluation.evaluation__runs values"
        " ('f', $benchmark, 'open_ended', 'c', 'm', 'r', 'all', 0, $n, 0, $n, 0, 1.0, null, null)",
        {"benchmark": benchmark, "n": len(rows)},
    )
    return scorer.execute(f"select {columns} from evaluation.evaluation__scores").fetchall()


def test_flipped_labels_are_first_among_those_that_models_doubt(sql: dict[str, str]) -> None:
    n, draw = 1000, random.Random(5)
    other = {"yes": "no", "no": "yes"}
    flipped = set(draw.sample(range(n), n // 50))
    answers = []
    for model, accuracy in (("a", 0.9), ("b", 0.85), ("c", 0.8), ("d", 0.75), ("chance", 0.5)):
        for number in range(n):
            truth = "yes" if number % 2 else "no"
            gold = other[truth] if number in flipped else truth
            said = truth if draw.random() < accuracy else other[truth]
            answers.append(
                {"benchmark": "occlusions", "task": "open_ended", "condition": "default",
                 "matcher": "extracted", "place": 1, "model": model, "run": "r",
                 "example_id": f"e{number:03}", "asked_example_id": f"e{number:03}",
                 "group_id": f"e{number:03}", "extraction": None, "prediction": said,
                 "credit": float(said == gold)}
            )  # fmt: skip
    model_sql = sql["evaluation__candidate_answers"]
    with duckdb.connect() as connection:
        connection.register("answers", pa.Table.from_pylist(answers))
        connection.execute("attach ':memory:' as gainsay; use gainsay")
        for schema, name in set(re.findall(r'"gainsay"."(\w+)"."(\w+)"', model_sql)):
            connection.execute(f"create schema if not exists {schema}")
            said = "true" if name.endswith("__matches") else "model = 'a'"
            is_of = name.startswith(("evaluation", "matchers", "conflicts", "occlusions"))
            connection.execute(
                f"create table {schema}.{name} as select distinct * from answers"
                f" where {is_of} and {said}"
            )
        suspects = connection.execute(
            f"select candidate_id from ({model_sql}) group by candidate_id"
            f" order by max(suspicion) desc, candidate_id limit {n // 20}"
        ).fetchall()
    found = {int(name[1:]) for (name,) in suspects} & flipped
    assert len(found) >= 0.8 * len(flipped)


class Answer(NamedTuple):
    """One answer where not knowing may be right."""

    credit: float
    confidence: float | None
    is_idk: bool
    is_gold_idk: bool


def _answer(rating: int | None, confidence: float | None, idk: bool, gold_idk: bool) -> Answer:
    # what nobody has rated is worth nothing, and counts
    credit = 0.0 if rating is None else (rating - 1) / 2
    if idk or gold_idk:
        credit = float(idk and gold_idk)
    return Answer(credit, confidence, idk, gold_idk)


_ANSWERS = st.lists(
    st.builds(
        _answer,
        st.none() | st.integers(1, 3),
        st.none() | st.floats(0, 1).map(lambda p: round(p, 6)) | st.sampled_from([0.0, 0.5, 1.0]),
        st.booleans(),
        st.booleans(),
    ),
    min_size=1,
    max_size=25,
)


def _ece(answers: list[tuple[float, float]]) -> float:
    bins: dict[int, list[tuple[float, float]]] = defaultdict(list)
    for confidence, credit in answers:
        bins[min(int(confidence * 10), 9)].append((confidence, credit))
    return sum(
        len(held) / len(answers)
        * abs(fmean(credit for _, credit in held) - fmean(sure for sure, _ in held))
        for held in bins.values()
    )  # fmt: skip


def _expected(answers: list[Answer]) -> dict[str, float]:
    expected = {}
    expected["lave_idk"] = fmean(answer.credit for answer in answers)
    both = sum(a.is_idk and a.is_gold_idk for a in answers)
    said = sum(a.is_idk for a in answers) + sum(a.is_gold_idk for a in answers)
    if said:
        expected["f1_idk"] = 2 * both / said
    sure = [
        (answer.confidence, answer.credit, f"e{number}")
        for number, answer in enumerate(answers)
        if answer.confidence is not None
    ]
    if not sure:
        return expected
    expected["confidence_weighted_accuracy"] = fmean(
        credit * confidence if credit > 0 else -confidence for confidence, credit, _ in sure
    )
    expected["ece"] = _ece([(confidence, credit) for confidence, credit, _ in sure])
    ordered = sorted(
        sure, key=lambda a: (-a[0], md5(f"7:risk_coverage:{a[2]}".encode()).hexdigest())
    )
    risks = [1 - fmean(credit for _, credit, _ in ordered[:n]) for n in range(1, len(ordered) + 1)]
    coverages = [n / len(ordered) for n in range(1, len(ordered) + 1)]
    expected["aurc"] = float(np.trapezoid(risks, coverages))
    expected["risk_at_coverage"] = next(
        risk for risk, c in zip(risks, coverages, strict=True) if c >= 0.8 - 1e-12
    )
    return expected


@given(answers=_ANSWERS)
@settings(
    max_examples=25,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_scores_of_uncertainty_are_those_of_their_definitions(
    scorer: duckdb.DuckDBPyConnection, answers: list[Answer]
) -> None:
    scores = _score(
        scorer, "slice_name, metric, value", "certainly_uncertain",
        [
            {"matcher": "lave_idk", "credit": answer.credit, "confidence": answer.confidence,
             "is_abstained": answer.is_idk, "is_gold_abstained": answer.is_gold_idk}
            for answer in answers
        ],
    )  # fmt: skip
    overall = {metric: value for name, metric, value in scores if name == "overall"}

    assert overall == pytest.approx(_expected(answers), abs=1e-7)


class Acted(NamedTuple):
    """One answer to the Conflict Suite, of a model that may say what it does."""

    stated: str | None
    oracle: str
    is_correct: bool
    was_correct: bool | None


_ACTIONS = ("trust_vision", "trust_text", "require_agreement", "abstain")
_ACTED = st.lists(
    st.builds(
        Acted,
        st.none() | st.sampled_from(_ACTIONS),
        st.sampled_from(_ACTIONS),
        st.booleans(),
        st.none() | st.booleans(),
    ),
    min_size=1,
    max_size=25,
)


def _action_scores(answers: list[Acted]) -> dict[str, tuple[float, int]]:
    stated = [(answer.stated, answer.oracle) for answer in answers if answer.stated]
    scores = {}
    for action in _ACTIONS:
        n_either = sum(a == action for pair in stated for a in pair)
        if n_either:
            f1 = 2 * stated.count((action, action)) / n_either
            scores[f"action_f1_{action}"] = (f1, sum(action in pair for pair in stated))
    if stated:
        scores["action_macro_f1"] = (fmean(f1 for f1, _ in scores.values()), len(stated))
        scores["action_accuracy"] = (fmean(s == oracle for s, oracle in stated), len(stated))
    pairs = [(a.is_correct, a.was_correct) for a in answers if a.was_correct is not None]
    if pairs:
        violations = fmean(is_correct and not was_correct for is_correct, was_correct in pairs)
        scores["monotonicity_violation_rate"] = (violations, len(pairs))
    return scores


def test_500_random_answers_are_scored_as_computed_anew(scorer: duckdb.DuckDBPyConnection) -> None:
    """From texts, ratings and probabilities to four scores, by nothing that the models share."""
    dice = random.Random(7)
    is_idk = {"I don't know.": True, "It can't be determined.": True, "Red.": False, "a cat": False}
    said, examples, expected = [], [], []
    for number in range(500):
        gold, is_answerable = ("red", True) if number % 2 else ("The picture does not say.", False)
        text = dice.choice([*is_idk, "", None])
        rating = dice.choice([None, 1, 2, 3])
        p_yes, p_no, own = dice.random(), dice.random(), dice.choice([None, dice.random()])
        is_verified = dice.random() < 0.5
        examples.append([f"e{number}", gold, is_answerable])
        said.append(
            [
                "certainly_uncertain", f"e{number}", text, "f", number, rating, own,
                p_yes if is_verified else None, p_no if is_verified else None,
            ]
        )  # fmt: skip
        idk = is_idk.get(text or "", False)
        if idk or not is_answerable:
            credit = float(idk and not is_answerable)
        elif not text:
            credit = 0.0
        elif rating is not None:
            credit = (rating - 1) / 2
        else:
            # the gold answer needs no rating, and all else is worth nothing without one
            credit = float(text == "Red.")
        sure = p_yes / (p_yes + p_no) if is_verified else own
        expected.append(Answer(credit, sure, idk, not is_answerable))
    scorer.execute("delete from evaluation.evaluation__predictions")
    scorer.executemany(
        "insert into certainly_uncertain.certainly_uncertain__examples"
        " (example_id, answer, is_answerable) values (?, ?, ?)",
        examples,
    )
    scorer.executemany(
        "insert into evaluation.evaluation__predictions (benchmark, example_id, prediction,"
        " source_file, file_position, lave_rating, confidence, p_yes, p_no)"
        " values (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        said,
    )
    rated = scorer.execute("""
        select matcher, credit, confidence, is_abstained, is_gold_abstained, is_rated
        from evaluation.rated_answers order by file_position
    """).fetchall()
    scorer.execute("delete from evaluation.evaluation__predictions")
    names = ("matcher", "credit", "confidence", "is_abstained", "is_gold_abstained", "is_rated")

    scores = _score(
        scorer, "metric, value", "certainly_uncertain",
        [dict(zip(names, row, strict=True)) for row in rated],
    )  # fmt: skip

    by_hand = _expected(expected)
    found = dict(scores[i] for i in range(len(scores)) if scores[i][0] in by_hand)
    assert sum(not row[-1] for row in rated) > 10
    for metric in ("lave_idk", "f1_idk", "confidence_weighted_accuracy", "ece"):
        of_all = scorer.execute(
            "select value from evaluation.evaluation__scores"
            " where metric = ? and slice_name = 'overall'",
            [metric],
        ).fetchone()
        assert of_all == (pytest.approx(by_hand[metric], abs=1e-9),), metric
    assert set(found) == set(by_hand)


@given(answers=_ACTED)
@settings(
    max_examples=15,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_scores_of_actions_are_those_of_their_definitions(
    scorer: duckdb.DuckDBPyConnection, answers: list[Acted]
) -> None:
    found = _score(
        scorer,
        "slice_name, slice_value, metric, value, n, standard_deviation, target, is_target_met",
        "conflict_suite",
        [
            {"matcher": "exact", "stated_action": answer.stated, "oracle_action": answer.oracle,
             "credit": 0.5, "is_correct": answer.is_correct, "was_correct": answer.was_correct,
             "is_abstained": False}
            for answer in answers
        ],
    )  # fmt: skip
    scores: dict[str, dict[str, tuple[float, int]]] = defaultdict(dict)
    for name, value, metric, score, n, deviation, target, is_met in found:
        assert deviation is not None
        assert (target, is_met) == (
            (0.15, score <= 0.15) if metric == "monotonicity_violation_rate" else (None, None)
        )
        if metric.startswith("action_") or target:
            scores[f"{name}={value}"][metric] = (score, n)

    for sliced, chosen in (("overall=all", answers), ("half=0", answers[::2])):
        expected = _action_scores(chosen)
        assert set(scores[sliced]) == set(expected)
        for metric, (score, n) in expected.items():
            assert scores[sliced][metric] == (pytest.approx(score, abs=1e-8), n)


def test_what_models_say_is_read_as_people_read_it(
    scorer: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    """439 answers labelled by hand: 329 written for it, 110 of the published CLASH answers.

    The latter are drawn by md5 order from the open-ended ones to samples of numbers and colours.
    Exported files read each as the warehouse does.
    """
    with (PROJECT / "tests/python/spoken_answers.csv").open(newline="") as file:
        spoken = list(csv.DictReader(file))
    for number, row in enumerate(spoken):
        name = ["conflict_suite", f"e{number}"]
        scorer.execute(
            "insert into evaluation.evaluation__predictions (benchmark, example_id, prediction)"
            " values (?, ?, ?)",
            [*name, row["said"]],
        )
        scorer.execute(
            "insert into evaluation.conflicts__examples values (?, ?, ?)",
            [*name, row["answer_type"]],
        )
    read = {
        (text, answer_type): (answer or "", is_abstained)
        for text, answer_type, answer, is_abstained in scorer.execute("""
            select text, answer_type, normalized_answer, is_abstained
            from evaluation.evaluation__extracted_answers
        """).fetchall()
    }
    misread = [
        row
        for row in spoken
        if read[row["said"], row["answer_type"]] != (row["answer"], row["is_abstained"] == "true")
    ]

    assert len(spoken) == len(read) == 439
    assert len(misread) <= 0.02 * len(spoken), misread
    scoring = _scoring(scorer, tmp_path, "conflict_suite")
    assert {key: (answer or "", is_abstained) for key in read
            for answer, is_abstained in [scoring.extract(*key)]} == read  # fmt: skip


def _judged_answers(name: str = "unknown_answers") -> list[dict[str, str]]:
    with (PROJECT / f"tests/python/{name}.csv").open(newline="") as file:
        return list(csv.DictReader(file))


def test_two_readers_agree_what_counts_as_not_knowing() -> None:
    """The second reader saw questions and answers alone."""
    judged = _judged_answers()
    agreed = sum(row["is_idk"] == row["second_is_idk"] for row in judged)
    page = " ".join((PROJECT / "docs/evaluation.md").read_text().split())

    assert all(row["second_reason"] for row in judged)
    assert f"a second reader agrees on {agreed} of {len(judged)}" in page


def test_not_knowing_is_read_as_people_read_it(scorer: duckdb.DuckDBPyConnection) -> None:
    """156 answers labelled by hand, 99 of them traps: what looks like the other thing."""
    judged = _judged_answers()
    scorer.executemany(
        "insert into evaluation.evaluation__predictions (benchmark, example_id, prediction)"
        " values ('certainly_uncertain', ?, ?)",
        [[f"e{number}", row["said"]] for number, row in enumerate(judged)],
    )
    forms = dict(
        scorer.execute(
            "select text, idk_form from evaluation.evaluation__phrases where is_idk"
        ).fetchall()
    )
    scorer.execute("delete from evaluation.evaluation__predictions")
    misread = [row for row in judged if (row["said"] in forms) != (row["is_idk"] == "true")]

    assert len(judged) >= 120
    assert sum(row["is_trap"] == "true" for row in judged) >= len(judged) / 2
    assert len(misread) <= 0.03 * len(judged), misread
    misnamed = [row for row in judged if row["said"] in forms and forms[row["said"]] != row["form"]]
    assert len(misnamed) <= 0.1 * len(judged), misnamed


def _scoring(scorer: duckdb.DuckDBPyConnection, folder: Path, benchmark: str) -> ModuleType:
    """How exported files score: without the warehouse, so that each rule stands twice."""
    rules = scorer.execute(sql_beside(harness_files.__file__, "scoring_rules")).to_arrow_table()
    (folder / SCORING).write_bytes(harness_file(SCORING))
    (folder / RULES).write_bytes(scoring_rules(rules.to_pylist(), benchmark, []))
    spec = importlib.util.spec_from_file_location("gainsay_scoring", folder / SCORING)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_an_exported_task_reads_not_knowing_as_the_warehouse(
    scorer: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    said = [row["said"] for row in _judged_answers()]
    unseen = _judged_answers("unseen_answers")
    said = list(dict.fromkeys([*said, *(row["said"] for row in unseen)]))
    utils = _scoring(scorer, tmp_path, "certainly_uncertain")
    scorer.executemany(
        "insert into evaluation.evaluation__predictions (benchmark, example_id, prediction)"
        " values ('certainly_uncertain', ?, ?)",
        [[f"e{number}", text] for number, text in enumerate(said)],
    )
    read = {
        text
        for (text,) in scorer.execute(
            "select text from evaluation.evaluation__phrases where is_idk"
        ).fetchall()
    }
    scorer.execute("delete from evaluation.evaluation__predictions")

    assert [text for text in said if utils.says_idk(text)] == [
        text for text in said if text in read
    ]
    # the phrases were extended after a first reading of these, in words that others say, too
    right = sum((row["said"] in read) == (row["is_idk"] == "true") for row in unseen)
    page = " ".join((PROJECT / "docs/evaluation.md").read_text().split())
    assert f"of {len(unseen)} that the second reader wrote they read {right}." in page


def test_the_judge_of_not_knowing_sees_none_of_the_judged_answers() -> None:
    """Its examples are of other cases, and each form that counts has one."""
    prompt = read_prompt("idk")
    shown = re.findall(r"^Answer: (.+)$", prompt.user, re.MULTILINE)

    assert len(shown) > 5
    assert not set(shown) & {row["said"] for row in _judged_answers()}
    assert len(re.findall(r"^\d\. It ", prompt.user, re.MULTILINE)) == len(
        {row["form"] for row in _judged_answers()} - {""}
    )


# what may stand first when the model is asked whether its answer is right, and what it is worth
VERDICTS = [({"Yes": 0.9, "No": 0.1}, 1.0), ({"yes": 0.6, "Yes": 0.2, "no": 0.2}, 0.0),
            ({" No": 0.7, "Yes": 0.3}, 0.0), ({"Yes": 0.55, "no": 0.45}, 1.0),
            ({"Perhaps": 1.0}, 1.0)]  # fmt: skip


def test_scores_of_what_a_server_says_are_those_computed_by_hand(
    scorer: duckdb.DuckDBPyConnection, tmp_path: Path
) -> None:
    picture = tmp_path / "7.png"
    picture.write_bytes(b"\x89PNG\r\n\x1a\n")
    asked_for = [Example(f"e{n}", f"e{n}", f"{n}", str(picture)) for n in range(len(VERDICTS))]
    with serve() as chat:
        chat.verdict = lambda prompt: VERDICTS[int(prompt)][0]
        predict(
            ChatClient(chat.url, "m"), Question("conflict_suite", "open_ended", "default"),
            asked_for, tmp_path / "a.jsonl", concurrency=1, advance=advance_unseen,
            report=print, confidence="verify",
        )  # fmt: skip
    records = [json.loads(line) for line in (tmp_path / "a.jsonl").read_text().splitlines()]
    found = _score(
        scorer, "slice_name, metric, value", "conflict_suite",
        [
            {"matcher": "exact", "confidence": record["confidence"], "credit": credit,
             "is_correct": credit > 0, "is_abstained": False}
            for record, (_, credit) in zip(records, VERDICTS, strict=True)
        ],
    )  # fmt: skip
    scores = {metric: value for name, metric, value in found if name == "overall"}

    # confidences 0.9, 0.8, 0.3, 0.55 of credits 1, 0, 0, 1; the fifth says neither yes nor no
    assert scores["ece"] == pytest.approx((0.1 + 0.8 + 0.3 + 0.45) / 4)
    assert scores["brier"] == pytest.approx((0.01 + 0.64 + 0.09 + 0.2025) / 4)
    # risks by the surest first: 0, 1/2, 1/3, 1/2, a quarter of coverage each
    assert scores["aurc"] == pytest.approx((0.25 + (0.5 + 1 / 3) / 2 + (1 / 3 + 0.5) / 2) / 4)
    # at 80 % coverage all four are answered
    assert scores["risk_at_coverage"] == pytest.approx(0.5)


def test_claims_are_tested_by_correlations_of_values_and_of_ranks() -> None:
    with duckdb.connect() as connection:
        connection.execute("""
            create schema evaluation;
            create table evaluation.evaluation__scores as
            select
                'b' as benchmark, 't' as task, 'c' as condition, 'm' as matcher,
                'overall' as slice_name, run as source_file, metric, value
            from (values
                ('r1', 'confidence_weighted_accuracy', 0.1::double),
                ('r1', 'lave_idk', 0.2), ('r1', 'ece', 0.5),
                ('r2', 'confidence_weighted_accuracy', 0.2), ('r2', 'lave_idk', 0.4),
                ('r2', 'ece', 0.5), ('r3', 'confidence_weighted_accuracy', 0.9),
                ('r3', 'lave_idk', 0.5), ('r3', 'ece', 0.5), ('r4', 'lave_idk', 0.5)
            ) as scores (run, metric, value)
        """)
        found = connection.execute(sql_beside(differences.__file__, "claims")).fetchall()

    assert found == [("b", "ece", None, None, 3), ("b", "lave_idk", 0.826033188, 1.0, 3)]
