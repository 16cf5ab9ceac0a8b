"""Errors of ratios of sums: by a bootstrap that the rows' ids alone decide, and by cluster."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from os import cpu_count
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]

_DRAWS_PER_HASH = 4
# their weights stay in the processor's cache
_ROWS_AT_ONCE = 64
_ROWS_PER_PART = 8192
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


def ratio_errors(rows: pa.Array, memberships: pa.Array, n_resamples: pa.Array) -> pa.Array:
    """How far ratios of sums may be off, for every slice and metric of a group of rows.

    One element of each argument is one group. `rows`: per row `key`, the number from which its
    weights are drawn, so that a row weighs the same in whatever group it stands; `cluster`, a
    number that rows share which are not independent; `cell`, a number from 0; `measures`, the
    numerator and the denominator of every metric in turn. `memberships`: which cells are in
    which slices, both counted from 0. `n_resamples`: how often to resample. Returns per group
    one struct for every slice and metric: the `slice`, the `position` of the metric from 1, and

    - `standard_deviation`: of the bootstrap. A weight is a Poisson(1) draw, the number of times
      that a row is drawn into a resample; a resampled metric is the weighted sum of its
      numerators by that of its denominators; the deviation is the population standard
      deviation over the resamples that have a denominator, null without any.
    - `clustered_standard_error`: of the ratio, linearised, with the residuals of a cluster
      added up before they are squared; null without a denominator.

    Units: those of numerator by denominator. Errors: none of its own. Source: Hanley and
    MacGibbon, "Creating non-parametric bootstrap samples using Poisson frequencies", Computer
    Methods and Programs in Biomedicine 83(1), 2006; draws: splitmix64, Steele, Lea and Flood,
    OOPSLA 2014; clusters: Liang and Zeger, Biometrika 73(1), 1986.
    """
    return pa.array(
        [
            _errors(rows[group].values, memberships[group].values, n_resamples[group].as_py())
            for group in range(len(rows))
        ],
        pa.list_(
            pa.struct(
                {
                    "slice": pa.int64(),
                    "position": pa.int64(),
                    "standard_deviation": pa.float64(),
                    "clustered_standard_error": pa.float64(),
                }
            )
        ),
    )


def _errors(
    rows: pa.StructArray, memberships: pa.StructArray, n_resamples: int
) -> list[dict[str, float | None]]:
    """The errors of one group."""
    cells = _integers(rows, "cell")
    measures = _matrix(rows.field("measures"))
    # by key within a cell: sums must not depend on the order in which rows come
    order = np.lexsort((_integers(rows, "key"), cells))
    cells, measures = cells[order], measures[order]
    keys, clusters = _integers(rows, "key")[order], _integers(rows, "cluster")[order]
    member_cells, member_slices = (_integers(memberships, name) for name in ("cell", "slice"))
    membership = np.zeros((member_slices.max() + 1, member_cells.max() + 1), dtype=bool)
    membership[member_slices, member_cells] = True

    sums = _resampled_sums(keys, cells, measures, membership.shape[1], n_resamples)
    deviations = _deviations(np.tensordot(membership.astype(np.float64), sums, axes=1))
    return [
        {
            "slice": number,
            "position": position + 1,
            "standard_deviation": _known(deviation),
            "clustered_standard_error": _known(error),
        }
        for number in range(len(membership))
        for position, (deviation, error) in enumerate(
            zip(
                deviations[number],
                _clustered(clusters, measures, membership[number][cells]),
                strict=True,
            )
        )
    ]


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _integers(rows: pa.StructArray, name: str) -> Integers:
    return cast(Integers, rows.field(name).to_numpy(zero_copy_only=False).astype(np.int64))


def _matrix(rows: pa.ListArray) -> Floats:
    flat = rows.flatten().to_numpy(zero_copy_only=False).astype(np.float64)
    return cast(Floats, flat.reshape(len(rows), -1))


def _deviations(sums: Floats) -> Floats:
    """Deviations of the ratios in sums of slices by measures by resamples."""
    numerators, denominators = sums[:, 0::2], sums[:, 1::2]
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = np.where(denominators > 0, numerators / denominators, np.nan)
        n_known = (~np.isnan(ratios)).sum(axis=-1)
        means = np.nansum(ratios, axis=-1) / n_known
        squares = np.nansum((ratios - means[..., None]) ** 2, axis=-1) / n_known
    return cast(Floats, np.sqrt(squares))


def _clustered(clusters: Integers, measures: Floats, is_in_slice: npt.NDArray[np.bool_]) -> Floats:
    """Clustered standard errors of one slice's ratios."""
    of_slice = measures[is_in_slice]
    _, numbers = np.unique(clusters[is_in_slice], return_inverse=True)
    errors = np.full(measures.shape[1] // 2, np.nan)
    for position in range(len(errors)):
        numerator, denominator = of_slice[:, 2 * position], of_slice[:, 2 * position + 1]
        total = denominator.sum()
        if total > 0:
            residuals = numerator - numerator.sum() / total * denominator
            errors[position] = np.sqrt((np.bincount(numbers, residuals) ** 2).sum()) / total
    return errors


def _resampled_sums(
    keys: Integers, cells: Integers, values: Floats, n_cells: int, n_resamples: int
) -> Floats:
    """Weighted sums in every resample, cells by values by resamples; rows come by cell."""
    seeds = keys.view(np.uint64)
    sums = np.zeros((n_cells, values.shape[1], n_resamples))

    def add_up(part: tuple[int, int]) -> tuple[int, Floats]:
        partial = np.zeros(sums.shape[1:])
        for start in range(*part, _ROWS_AT_ONCE):
            rows = slice(start, min(start + _ROWS_AT_ONCE, part[1]))
            partial += values[rows].T @ poisson_weights(seeds[rows], n_resamples)
        return int(cells[part[0]]), partial

    # the interpreter is free while numpy works; parts are added in order, so that the number
    # of threads changes nothing
    with ThreadPoolExecutor(cpu_count()) as pool:
        for cell, partial in pool.map(add_up, _parts(cells)):
            sums[cell] += partial
    return sums


def _parts(cells: Integers) -> Iterator[tuple[int, int]]:
    """Ranges of rows, each of one cell; `cells` ascend."""
    edges = np.flatnonzero(np.diff(cells)) + 1
    for start, end in zip([0, *edges], [*edges, len(cells)], strict=True):
        for first in range(int(start), int(end), _ROWS_PER_PART):
            yield first, min(first + _ROWS_PER_PART, int(end))


def poisson_weights(keys: npt.NDArray[np.uint64], n_resamples: int) -> Floats:
    """Poisson(1) draws, keys by resamples: each from 16 bits of a hash of key and resample."""
    n_hashes = -(-n_resamples // _DRAWS_PER_HASH)
    steps = np.arange(1, n_hashes + 1, dtype=np.uint64) * _GOLDEN
    mixed = keys[:, None] + steps
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    # the same draws on machines of either byte order
    draws = mixed.astype("<u8", copy=False).view("<u2")[:, :n_resamples]
    return cast(Floats, _POISSON[draws])


def _poisson_quantiles() -> Floats:
    """The Poisson(1) quantile of every 16-bit number."""
    probability = np.exp(-1.0) / np.cumprod([1.0, *range(1, 12)])
    quantiles = np.searchsorted(
        np.cumsum(probability), (np.arange(2**16) + 0.5) / 2**16, side="right"
    )
    return quantiles.astype(np.float64)


_POISSON = _poisson_quantiles()
