"""Every metric equals its definition, computed directly, on answers of any kind."""

import csv
from collections import defaultdict
from collections.abc import Iterator
from hashlib import md5
from math import exp, factorial, isclose, sqrt
from statistics import fmean, pstdev
from typing import Any, NamedTuple

import duckdb
import numpy as np
import pyarrow as pa
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from python_udfs.bootstrap import ratio_errors
from python_udfs.duckdb_engine import register
from python_udfs.stemming import porter_stem
from tests.python.conftest import PROJECT, Warehouse

_MASK = 2**64 - 1


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


def _errors(rows: list[Row], slices: dict[int, set[int]], n_resamples: int) -> list[Any]:
    table = pa.array([[row._asdict() for row in rows]])
    members = [{"cell": cell, "slice": s} for s, cells in slices.items() for cell in cells]
    return list(ratio_errors(table, pa.array([members]), pa.array([n_resamples])).to_pylist()[0])


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


@given(rows=_ROWS)
@settings(max_examples=60, deadline=None)
def test_errors_are_those_of_the_definition(rows: list[Row]) -> None:
    slices = {0: {0, 1, 2}, 1: {1}, 2: {0, 2}}
    found = {(e["slice"], e["position"]): e for e in _errors(rows, slices, 18)}
    weights = [_weights(row.key, 18) for row in rows]
    assert set(found) == {(number, position) for number in slices for position in (1, 2)}
    for number, cells in slices.items():
        chosen = [n for n, row in enumerate(rows) if row.cell in cells]
        for position in (1, 2):
            pairs = [rows[n].measures[2 * position - 2 : 2 * position] for n in chosen]
            ratios = []
            for resample in range(18):
                sums = [
                    sum(weights[n][resample] * pair[side]
                        for n, pair in zip(chosen, pairs, strict=True))
                    for side in (0, 1)
                ]  # fmt: skip
                if sums[1] > 0:
                    ratios.append(sums[0] / sums[1])
            error = found[number, position]
            if ratios:
                assert isclose(error["standard_deviation"], pstdev(ratios), abs_tol=1e-9)
            else:
                assert error["standard_deviation"] is None
            total = sum(pair[1] for pair in pairs)
            if total == 0:
                assert error["clustered_standard_error"] is None
                continue
            ratio = sum(pair[0] for pair in pairs) / total
            residuals: dict[int, float] = defaultdict(float)
            for n, pair in zip(chosen, pairs, strict=True):
                residuals[rows[n].cluster] += pair[0] - ratio * pair[1]
            expected = sqrt(sum(value**2 for value in residuals.values())) / total
            assert isclose(error["clustered_standard_error"], expected, abs_tol=1e-9)


@given(rows=_ROWS, draw=st.randoms(use_true_random=False))
@settings(max_examples=20, deadline=None)
def test_the_order_of_rows_changes_nothing(rows: list[Row], draw: Any) -> None:
    shuffled = rows.copy()
    draw.shuffle(shuffled)
    slices = {0: {0, 1, 2}}
    for one, other in zip(_errors(rows, slices, 8), _errors(shuffled, slices, 8), strict=True):
        assert one == pytest.approx(other)


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


def test_groups_are_computed_apart() -> None:
    row = Row(3, 1, 0, [1.0, 2.0])
    other = Row(4, 1, 0, [0.0, 1.0])
    groups = pa.array([[row._asdict()], [row._asdict(), other._asdict()]])
    members = pa.array([[{"cell": 0, "slice": 0}]] * 2)
    both = ratio_errors(groups, members, pa.array([8, 8])).to_pylist()
    assert both == [_errors([row], {0: {0}}, 8), _errors([row, other], {0: {0}}, 8)]


@pytest.mark.parametrize(
    ("word", "stem"),
    [("contradictory", "contradictori"), ("contradicts", "contradict"), ("dying", "die"),
     ("skies", "sky"), ("Running", "run"), ("été", "été"), ("", "")],
)  # fmt: skip
def test_stems_are_those_of_nltk(word: str, stem: str) -> None:
    assert porter_stem(pa.array([word, None])).to_pylist() == [stem, None]


MODELS = ("evaluation__cells", "evaluation__slices", "evaluation__measures", "evaluation__ranked",
          "evaluation__confidence_scores", "evaluation__errors", "evaluation__scores")  # fmt: skip
SEEDS = ("evaluation_metrics", "evaluation_matchers")


@pytest.fixture(scope="module")
def scorer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[duckdb.DuckDBPyConnection]:
    """An empty warehouse in memory with the tables that scores are made of."""
    folder = tmp_path_factory.mktemp("metrics")
    compiled = Warehouse(folder)
    compiled.dbt("compile", "--no-introspect", "--select", *MODELS, "evaluation__matches")
    sql = {path.stem: path.read_text() for path in (folder / "target").rglob("*.sql")}
    with duckdb.connect() as connection:
        register(connection)
        connection.execute("attach ':memory:' as gainsay; use gainsay")
        connection.execute("create schema evaluation; create schema vocabulary")
        for seed in SEEDS:
            path = PROJECT / f"seeds/evaluation/{seed}.csv"
            connection.execute(f"create table vocabulary.{seed} as from read_csv('{path}')")
        connection.execute("""
            create table evaluation.evaluation__matches (
                source_file varchar, benchmark varchar, task varchar, matcher varchar,
                slices varchar[], example_id varchar, source_image_id varchar,
                stated_action varchar, oracle_action varchar, file_position bigint, credit double,
                confidence double, is_contradiction boolean, is_image_only boolean,
                is_text_only boolean, is_distractor boolean, is_none boolean, is_correct boolean,
                is_abstained boolean, is_yes boolean, is_gold_yes boolean,
                is_gold_abstained boolean
            );
            create table evaluation.evaluation__predictions (
                source_file varchar, benchmark varchar, task varchar, condition varchar,
                model varchar, run varchar, reason varchar
            );
            create table evaluation.evaluation__conflict_suite_matches (
                source_file varchar, file_position bigint, base_id varchar, operator varchar,
                severity integer, is_correct boolean
            );
        """)
        for model in MODELS:
            connection.execute(f"create view evaluation.{model} as {sql[model]}")
        yield connection


class Answer(NamedTuple):
    """One answer where not knowing may be right."""

    credit: float | None
    confidence: float | None
    is_idk: bool
    is_gold_idk: bool


def _answer(rating: int | None, confidence: float | None, idk: bool, gold_idk: bool) -> Answer:
    credit = None if rating is None else (rating - 1) / 2
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
    known = [answer for answer in answers if answer.credit is not None]
    if known:
        expected["lave_idk"] = fmean(a.credit for a in known if a.credit is not None)
    both = sum(a.is_idk and a.is_gold_idk for a in answers)
    said = sum(a.is_idk for a in answers) + sum(a.is_gold_idk for a in answers)
    if said:
        expected["f1_idk"] = 2 * both / said
    sure = [
        (answer.confidence, answer.credit, f"e{number}")
        for number, answer in enumerate(answers)
        if answer.confidence is not None and answer.credit is not None
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
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
def test_scores_of_uncertainty_are_those_of_their_definitions(
    scorer: duckdb.DuckDBPyConnection, answers: list[Answer]
) -> None:
    scorer.execute("delete from evaluation.evaluation__matches")
    scorer.execute("delete from evaluation.evaluation__predictions")
    for number, answer in enumerate(answers):
        scorer.execute(
            """
            insert into evaluation.evaluation__matches by name select
                'f' as source_file, 'certainly_uncertain' as benchmark, 'open_ended' as task,
                'lave_idk' as matcher, ['half=' || ($number % 2)] as slices,
                'e' || $number as example_id, 'i' || $number as source_image_id,
                $number as file_position, $credit as credit, $confidence as confidence,
                $idk as is_abstained, $gold as is_gold_abstained
            """,
            {"number": number, "credit": answer.credit, "confidence": answer.confidence,
             "idk": answer.is_idk, "gold": answer.is_gold_idk},
        )  # fmt: skip
        scorer.execute(
            "insert into evaluation.evaluation__predictions values"
            " ('f', 'certainly_uncertain', 'open_ended', 'c', 'm', 'r', null)"
        )
    scores: dict[str, dict[str, float]] = defaultdict(dict)
    for name, value, metric, score in scorer.execute(
        "select slice_name, slice_value, metric, value from evaluation.evaluation__scores"
    ).fetchall():
        scores[f"{name}={value}"][metric] = score

    assert scores["overall=all"] == pytest.approx(_expected(answers), abs=1e-7)


def test_every_metric_is_listed_once() -> None:
    with (PROJECT / "seeds/evaluation/evaluation_metrics.csv").open() as file:
        rows = list(csv.DictReader(file))
    places: dict[str, list[int]] = defaultdict(list)
    for row in rows:
        places[row["benchmark"]].append(int(row["position"]))
    assert {b: p == list(range(1, len(p) + 1)) for b, p in places.items()} == dict.fromkeys(
        places, True
    )
