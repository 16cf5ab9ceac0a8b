"""Agreement of readers, against published examples and statsmodels."""

from collections import Counter
from itertools import combinations

import numpy as np
import pyarrow as pa
import pytest

from gainsay.python_udfs.registry import UDFS

# four observers on twelve units, a dot where one did not look
OBSERVERS = {
    "a": "1 2 3 3 2 1 4 1 2 . . .",
    "b": "1 2 3 3 2 2 4 1 2 5 . 3",
    "c": ". 3 3 3 2 3 4 2 2 5 1 .",
    "d": "1 2 3 3 2 4 4 1 2 5 1 .",
}
_RATING = next(udf for udf in UDFS if udf.name == "gs_agreement")

Rating = dict[str, str | int]


def _ratings(answers: dict[str, str], clusters: list[int] | None = None) -> list[Rating]:
    return [
        {"record": f"r{place}", "reader": reader, "answer": answer,
         "cluster": clusters[place] if clusters else place}
        for reader, given in answers.items()
        for place, answer in enumerate(given.split())
        if answer != "."
    ]  # fmt: skip


def _agreement(
    ratings: list[Rating], n_answers: int = 2, n_resamples: int = 200
) -> dict[str, float]:
    arguments = ([ratings], [n_answers], [n_resamples], [0.95])
    arrays = [
        pa.array(argument, kind)
        for argument, kind in zip(arguments, _RATING.parameters, strict=True)
    ]
    [found] = _RATING.load()(*arrays).to_pylist()
    return found  # type: ignore[no-any-return]


def test_published_values_come_out() -> None:
    """Krippendorff (2011): 904 / 1216; Gwet, Handbook (2014), on the same answers: AC1."""
    found = _agreement(_ratings(OBSERVERS), 5)
    assert found["krippendorff_alpha"] == pytest.approx(904 / 1216, abs=1e-12)
    assert found["percent"] == pytest.approx(0.8181818, abs=1e-7)
    assert found["gwet_ac1"] == pytest.approx(0.77544, abs=5e-6)
    assert found["cohen_kappa"] is None


def test_a_record_of_one_reader_says_nothing_to_fleiss_kappa() -> None:
    """Only one observer looked at the twelfth unit: kappa is that of the eleven others."""
    # of each answer its share of a unit's answers, over the eleven units
    shares = [3.0, 3.25, 2.5, 1.25, 1.0]
    chance = sum((share / 11) ** 2 for share in shares)
    without = {reader: answers[:-1] + "." for reader, answers in OBSERVERS.items()}
    kappa = _agreement(_ratings(OBSERVERS), 5)["fleiss_kappa"]
    assert kappa == pytest.approx((9 / 11 - chance) / (1 - chance), abs=1e-12)
    assert kappa == _agreement(_ratings(without), 5)["fleiss_kappa"]


def test_cohen_s_own_kind_of_table() -> None:
    """20 yes-yes, 5 yes-no, 10 no-yes, 15 no-no: 0.4, a table of textbooks."""
    pairs = {"y y": 20, "y n": 5, "n y": 10, "n n": 15}
    both = [pair.split() for pair, n in pairs.items() for _ in range(n)]
    found = _agreement(
        _ratings({"a": " ".join(a for a, _ in both), "b": " ".join(b for _, b in both)})
    )
    assert found["cohen_kappa"] == pytest.approx(0.4, abs=1e-12)
    assert found["percent"] == pytest.approx(0.7, abs=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_kappas_are_those_of_statsmodels(seed: int) -> None:
    from statsmodels.stats.inter_rater import cohens_kappa, fleiss_kappa

    draw = np.random.default_rng(seed)
    table = draw.choice(list("123"), size=(40, 4), p=[0.6, 0.3, 0.1])
    # the others follow the first reader more often than not
    table[:, 1:] = np.where(draw.random((40, 3)) < 0.6, table[:, :1], table[:, 1:])
    answers = {reader: " ".join(table[:, place]) for place, reader in enumerate("abcd")}
    counts = np.array([[Counter(row)[answer] for answer in "123"] for row in table])
    found = _agreement(_ratings(answers), 3)
    assert found["fleiss_kappa"] == pytest.approx(fleiss_kappa(counts), abs=1e-12)
    for one, other in combinations("abcd", 2):
        of_two = _agreement(_ratings({reader: answers[reader] for reader in (one, other)}), 3)
        places = "abcd".index(one), "abcd".index(other)
        cells = np.array(
            [[(((table[:, places[0]] == a) & (table[:, places[1]] == b)).sum()) for b in "123"]
             for a in "123"]
        )  # fmt: skip
        kappa = cohens_kappa(cells, return_results=False)
        assert of_two["cohen_kappa"] == pytest.approx(kappa, abs=1e-12)


def test_what_has_no_meaning_is_null() -> None:
    alike = _agreement(_ratings({"a": "y y y", "b": "y y y"}))
    # nobody could have disagreed, and AC1 is made for that
    assert alike["percent"] == alike["gwet_ac1"] == 1
    assert alike["krippendorff_alpha"] is alike["fleiss_kappa"] is alike["cohen_kappa"] is None
    alone = _agreement(_ratings({"a": "y n y"}))
    assert set(alone.values()) == {None}
    assert _agreement([]) is None


def test_intervals_hold_the_value_and_go_by_pictures() -> None:
    answers = {"a": "y n y n y n y n y y n y", "b": "y n y y y n n n y y n n"}
    found = _agreement(_ratings(answers), n_resamples=1000)
    for statistic in ("percent", "krippendorff_alpha", "fleiss_kappa", "cohen_kappa", "gwet_ac1"):
        assert found[f"{statistic}_low"] < found[statistic] < found[f"{statistic}_high"]
    # records of few pictures know less
    few = _agreement(_ratings(answers, [place // 4 for place in range(12)]), n_resamples=1000)
    assert few["percent"] == found["percent"]
    assert few["percent_low"] != found["percent_low"]
    one = _agreement(_ratings(answers, [7] * 12))
    assert one["percent_low"] is one["percent_high"] is None


def test_the_order_of_rows_changes_nothing() -> None:
    ratings = _ratings(OBSERVERS)
    assert _agreement(ratings, 5) == _agreement(ratings[::-1], 5)
