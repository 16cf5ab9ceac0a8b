"""How far readers agree on nominal answers, with intervals over what they looked at."""

from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gainsay.python_udfs.statistics.bootstrap import poisson_weights

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

STATISTICS = ("percent", "krippendorff_alpha", "fleiss_kappa", "cohen_kappa", "gwet_ac1")
AGREEMENT = pa.struct(
    {f"{statistic}{end}": pa.float64() for statistic in STATISTICS for end in ("", "_low", "_high")}
)

# their weights stay in memory, whatever the number of pictures
_CLUSTERS_AT_ONCE = 2048
# chance agreement is a sum of squares: it may miss 1 by rounding
_CERTAIN = 1 - 1e-12


def agreement(
    ratings: pa.Array, n_answers: pa.Array, n_resamples: pa.Array, coverage: pa.Array
) -> pa.Array:
    """How far the readers of a group agree, and how far that may be off.

    One element of each argument is one group. `ratings`: per answer its `record`, `reader` and
    `answer`, once each, and the `cluster`, a number that the records of one picture share.
    `n_answers`: how many answers the question takes. `n_resamples`: how often to resample.
    `coverage`: the share of the resamples that lie within an interval. Returns per group a struct
    of statistics, each with the ends of its interval, `_low` and `_high`:

    - `percent`: the share of pairs of answers to a record that are alike, averaged over the records
      of several readers;
    - `krippendorff_alpha`: nominal, over the same records. Krippendorff, "Computing Krippendorff's
      Alpha-Reliability", 2011;
    - `fleiss_kappa`: Fleiss, Psychological Bulletin 76(5), 1971, over the same records; where
      readers left records out, a record weighs the same, however many answered it. Chance agreement
      is that of the same records: Gwet's handbook takes those of one reader into it, too;
    - `cohen_kappa`: of two readers, over the records of both. Cohen, Educational and Psychological
      Measurement 20(1), 1960; null where there are more;
    - `gwet_ac1`: Gwet, British Journal of Mathematical and Statistical Psychology 61(1), 2008, with
      missing answers as in his "Handbook of Inter-Rater Reliability", 4th edition, 2014: answers to
      records of one reader count in the chance agreement.

    Null where a statistic has no meaning: no record of several readers, or no chance to disagree.
    Intervals are percentiles of a bootstrap over clusters, whose weights are the Poisson(1) draws
    of `bootstrap.ratio_errors`; null for a single cluster. Units: shares; 1 is full agreement.
    Errors: none of its own.
    """
    return pa.array(
        [
            _agreement(
                ratings[group].values,
                n_answers[group].as_py(),
                n_resamples[group].as_py(),
                coverage[group].as_py(),
            )
            for group in range(len(ratings))
        ],
        AGREEMENT,
    )


def _agreement(
    ratings: pa.StructArray | None, n_answers: int, n_resamples: int, coverage: float
) -> dict[str, float | None] | None:
    """The statistics of one group; null for a group without answers."""
    if ratings is None or not len(ratings):
        return None
    columns, clusters, n_observed = _columns(ratings)
    n_answers = max(n_answers, n_observed)
    order = np.argsort(clusters, kind="stable")
    numbers, starts = np.unique(clusters[order], return_index=True)
    by_cluster = np.add.reduceat(columns[order], starts, axis=0)

    [value] = _statistics(by_cluster.sum(axis=0)[None, :], n_observed, n_answers).T
    resampled = np.zeros((n_resamples, columns.shape[1]))
    for first in range(0, len(numbers), _CLUSTERS_AT_ONCE):
        some = slice(first, first + _CLUSTERS_AT_ONCE)
        weights = poisson_weights(numbers[some].view(np.uint64), range(n_resamples))
        resampled += weights.T @ by_cluster[some]
    spread = _statistics(resampled, n_observed, n_answers)

    found: dict[str, float | None] = {}
    for statistic, point, values in zip(STATISTICS, value, spread, strict=True):
        known = values[~np.isnan(values)]
        ends: tuple[float | None, ...] = (None, None)
        if len(numbers) > 1 and len(known) and not np.isnan(point):
            tail = (1 - coverage) / 2
            ends = tuple(float(end) for end in np.quantile(known, [tail, 1 - tail]))
        found[statistic] = None if np.isnan(point) else float(point)
        found[f"{statistic}_low"], found[f"{statistic}_high"] = ends
    return found


def _columns(ratings: pa.StructArray) -> tuple[Floats, Integers, int]:
    """The share of each record in the sums that the statistics are made of, and its cluster."""
    names, records = _numbered(ratings, "record")
    readers, by_reader = _numbered(ratings, "reader")
    answers, given = _numbered(ratings, "answer")
    clusters = np.zeros(len(names), dtype=np.int64)
    clusters[records] = ratings.field("cluster").to_numpy(zero_copy_only=False)
    counts = np.zeros((len(names), len(answers)))
    np.add.at(counts, (records, given), 1)

    n_given = counts.sum(axis=1, keepdims=True)
    is_of_several = (n_given > 1).astype(np.float64)
    alike = (counts * (counts - 1)).sum(axis=1, keepdims=True)
    others = np.maximum(n_given - 1, 1)
    of_two = np.zeros((2, len(names), len(answers)))
    if len(readers) == 2:
        of_two[by_reader, records, given] = 1
        of_two *= is_of_several
    columns = [
        is_of_several,
        alike / (n_given * others),
        np.ones_like(is_of_several),
        alike / others,
        np.full_like(is_of_several, float(len(readers) == 2)) * is_of_several,
        counts / n_given,
        counts / n_given * is_of_several,
        counts * is_of_several,
        *of_two,
    ]
    return np.concatenate(columns, axis=1), clusters, len(answers)


def _numbered(ratings: pa.StructArray, name: str) -> tuple[npt.NDArray[np.object_], Integers]:
    """The distinct texts of a field, and for each row which of them it holds."""
    texts = ratings.field(name).to_numpy(zero_copy_only=False)
    return cast(
        tuple[npt.NDArray[np.object_], Integers], np.unique(texts.astype(str), return_inverse=True)
    )


def _statistics(sums: Floats, n_observed: int, n_answers: int) -> Floats:
    """The statistics of sums over records, statistics by rows; not a number where unknown."""
    n_several, alike, n_records, coincident, n_of_two = sums[:, :5].T
    shares, compared_shares, of_several, first, second = (
        sums[:, 5 + n_observed * place : 5 + n_observed * (place + 1)] for place in range(5)
    )
    percent = _quotients(alike, n_several)
    prevalence = _quotients(shares, n_records[:, None])
    by_squares = (_quotients(compared_shares, n_several[:, None]) ** 2).sum(axis=1)
    by_reader = _quotients((first * second).sum(axis=1), n_of_two**2)
    by_category = (prevalence * (1 - prevalence)).sum(axis=1) / max(n_answers - 1, 1)
    n_values = of_several.sum(axis=1)
    disagreeing = n_values - coincident
    expected = n_values**2 - (of_several**2).sum(axis=1)
    alpha = 1 - (n_values - 1) * _quotients(disagreeing, expected)
    return np.stack(
        [
            percent,
            alpha,
            _beyond_chance(percent, by_squares),
            _beyond_chance(percent, by_reader),
            _beyond_chance(percent, by_category),
        ]
    )


def _beyond_chance(observed: Floats, expected: Floats) -> Floats:
    """Agreement beyond chance, as a share of what chance leaves."""
    known = np.where(expected < _CERTAIN, expected, np.nan)
    return cast(Floats, (observed - known) / (1 - known))


def _quotients(numerators: Floats, denominators: Floats) -> Floats:
    """Quotients, NaN where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators > 0, numerators / denominators, np.nan)
