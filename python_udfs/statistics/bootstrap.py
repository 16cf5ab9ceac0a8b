"""Errors of scores: by a bootstrap that the rows' ids alone decide, and by cluster."""

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from hashlib import sha256
from os import cpu_count
from typing import cast

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]

_DRAWS_PER_HASH = 4
# their weights stay in the processor's cache
_ROWS_AT_ONCE = 64
# of larger products of matrices OpenBLAS starts threads, which fight with the ones here
_LARGEST_PRODUCT = 2**19
_ROWS_PER_PART = 8192
# resamples kept in memory before their metrics are computed; a multiple of the draws per hash
_RESAMPLES_AT_ONCE = 1000
# of groups that are resampled together: what they weigh at once takes 32 MB a thread
_COLUMNS_AT_ONCE = 64
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# coverages are quotients: one that is meant to reach a bound may miss it by rounding
_ROUNDING = 1e-9

_ERRORS = {"standard_deviation": pa.float64(), "clustered_standard_error": pa.float64()}
CONFIDENCE_METRICS = ("ece", "aurc", "risk_at_coverage")


def ratio_errors(
    rows: pa.Array,
    measures: pa.Array,
    memberships: pa.Array,
    parts: pa.Array,
    n_resamples: pa.Array,
) -> pa.Array:
    """How far ratios of sums may be off, for every slice and metric of a group of rows.

    One element of each argument is one group. `rows`: per row its `number` in the group; `key`,
    the number from which its weights are drawn, so that a row weighs the same in whatever group
    it stands; `cluster`, a number that rows share which are not independent; `cell`, a number
    from 0. `measures`: what rows add to a `metric`, the `numerator` and the
    `denominator`, and the `numbers` of the rows that add just that, once each; a row that is not
    there adds nothing. `memberships`: which
    cells are in which slices, both counted from 0. `parts`: metrics (`metric`) whose mean, over
    those of them that have a denominator, is one more metric, `part_of`; null where a metric is
    part of none.
    `n_resamples`: how often to resample. Returns per group one struct for every slice and
    metric: the `slice`, the `metric`, and

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
    groups = [
        _RatioGroup.of_rows(
            rows[group].values,
            measures[group].values,
            _membership(memberships[group].values),
            _parts_by_mean(parts[group].as_py()),
            n_resamples[group].as_py(),
        )
        for group in range(len(rows))
    ]
    return pa.array(
        _ratio_errors(groups),
        pa.list_(pa.struct({"slice": pa.int64(), "metric": pa.string()} | _ERRORS)),
    )


def mean_errors(rows: pa.Array, n_resamples: pa.Array) -> pa.Array:
    """How far the mean of a group of rows may be off.

    One element of each argument is one group. `rows`: per row `key` and `cluster` as in
    `ratio_errors`, and its `value`. `n_resamples`: how often to resample. Returns per group
    one struct, null for a group without rows: `standard_deviation` and
    `clustered_standard_error` as there. Units: those of the values. Errors: none of its own.
    Source: as in `ratio_errors`.
    """
    return pa.array(
        [
            _mean_errors(rows[group].values, n_resamples[group].as_py())
            for group in range(len(rows))
        ],
        pa.struct(_ERRORS),
    )


def confidence_errors(
    rows: pa.Array,
    memberships: pa.Array,
    n_bins: pa.Array,
    n_points: pa.Array,
    coverage: pa.Array,
    n_resamples: pa.Array,
) -> pa.Array:
    """How far scores of confidence may be off, for every slice of a group of rows.

    One element of each argument is one group. `rows`: per row `key`, `cluster` and `cell` as in
    `ratio_errors`, `confidence` and `credit` of 0 to 1, and `tie`, which orders rows of equal
    confidence. `memberships`: as there. `n_bins`: bins of equal width of the calibration error.
    `n_points`: into how many stretches of equally many rows, the surest first, a curve is cut;
    it has a point at the end of each, and at the ends of the bins. `coverage`: where risk is
    read. `n_resamples`: how often to resample. Returns per group one struct for every slice and
    metric (`ece`, `aurc`, `risk_at_coverage`), with

    - `standard_deviation`: of the bootstrap, as in `ratio_errors`, of rows by their `key`;
    - `clustered_standard_error`: the same of clusters, whose rows share a weight.

    A resampled curve has no point before the first row that is drawn, and no area there. Units:
    shares. Errors: none of its own. Source: as in `ratio_errors`.
    """
    return pa.array(
        [
            _confidence_errors(
                rows[group].values,
                _membership(memberships[group].values),
                n_bins[group].as_py(),
                n_points[group].as_py(),
                coverage[group].as_py(),
                n_resamples[group].as_py(),
            )
            for group in range(len(rows))
        ],
        pa.list_(pa.struct({"slice": pa.int64(), "metric": pa.string()} | _ERRORS)),
    )


@dataclass(frozen=True)
class _RatioGroup:
    """A group of rows, by key within a cell, and the ratios that are looked for.

    `membership`: slices by cells.
    """

    keys: Integers
    clusters: Integers
    cells: Integers
    membership: Booleans
    n_resamples: int
    ratios: "_Ratios"

    @classmethod
    def of_rows(
        cls,
        rows: pa.StructArray,
        measures: pa.StructArray,
        membership: Booleans,
        parts: dict[str, list[str]],
        n_resamples: int,
    ) -> "_RatioGroup | None":
        """The group of some rows, if they have measures."""
        if not len(measures):
            return None
        numbers, keys, cells = (_integers(rows, name) for name in ("number", "key", "cell"))
        # sums must not depend on the order in which rows come
        order = np.lexsort((numbers, keys, cells))
        return cls(
            keys[order],
            _integers(rows, "cluster")[order],
            cells[order],
            membership,
            n_resamples,
            _Ratios.of_measures(measures, numbers[order], parts),
        )

    def weighed_alike(self) -> tuple[bytes | int, ...]:
        """The parts shared by groups whose rows have the same weights and go into the same sums."""
        shared = (self.keys, self.cells, self.membership)
        return *(sha256(array.tobytes()).digest() for array in shared), self.n_resamples

    def errors(self, deviations: Floats) -> list[dict[str, float | str | None]]:
        """The errors, with these deviations of the bootstrap: slices by metrics."""
        return [
            {
                "slice": number,
                "metric": metric,
                "standard_deviation": _known(deviation),
                "clustered_standard_error": _known(error),
            }
            for number, is_member in enumerate(self.membership)
            for metric, deviation, error in zip(
                self.ratios.names(),
                deviations[number],
                self.ratios.clustered_errors(self.clusters, is_member[self.cells]),
                strict=True,
            )
        ]


def _ratio_errors(
    groups: Sequence[_RatioGroup | None],
) -> list[list[dict[str, float | str | None]]]:
    """The errors of every group.

    Models that answered the same examples are resampled alike: their weights are drawn once.
    """
    alike: dict[tuple[bytes | int, ...], list[tuple[int, _RatioGroup]]] = {}
    for place, group in enumerate(groups):
        if group is not None:
            alike.setdefault(group.weighed_alike(), []).append((place, group))
    errors: list[list[dict[str, float | str | None]]] = [[] for _ in groups]
    for placed in alike.values():
        for some in _batches(placed):
            deviations = _ratio_deviations([group for _, group in some])
            for (place, group), of_group in zip(some, deviations, strict=True):
                errors[place] = group.errors(of_group)
    return errors


def _batches(
    placed: Sequence[tuple[int, _RatioGroup]],
) -> Iterator[list[tuple[int, _RatioGroup]]]:
    """The groups in turn, as many together as have a bounded number of columns."""
    batch: list[tuple[int, _RatioGroup]] = []
    n_columns = 0
    for place, group in placed:
        n_more = group.ratios.values.shape[1]
        if batch and n_columns + n_more > _COLUMNS_AT_ONCE:
            yield batch
            batch, n_columns = [], 0
        batch.append((place, group))
        n_columns += n_more
    yield batch


def _ratio_deviations(groups: Sequence[_RatioGroup]) -> list[Floats]:
    """Deviations of the bootstrap, slices by metrics, of groups that are weighed alike."""
    edges = np.cumsum([0, *(group.ratios.values.shape[1] for group in groups)])
    values = np.concatenate([group.ratios.values for group in groups], axis=1)
    first = groups[0]
    slices = [np.flatnonzero(column) for column in first.membership.T]
    grouped = _Groups(first.cells, slices, len(first.membership))
    quotients: list[list[Floats]] = [[] for _ in groups]
    for sums in _resampled_sums(first.keys, grouped, values, first.n_resamples):
        for number, group in enumerate(groups):
            own = sums[:, edges[number] : edges[number + 1]]
            quotients[number].append(group.ratios.quotients(own))
    return [_deviations(iter(chunks)) for chunks in quotients]


def _mean_errors(rows: pa.StructArray, n_resamples: int) -> dict[str, float | None] | None:
    """The errors of one group's mean."""
    if not len(rows):
        return None
    values = _floats(rows, "value")
    order = np.lexsort((values, _integers(rows, "key")))
    keys, clusters = _integers(rows, "key")[order], _integers(rows, "cluster")[order]
    everything = np.ones(len(rows), dtype=bool)
    columns = np.stack([values[order], np.ones(len(rows))], axis=1)
    ratios = _Ratios(columns, {"mean": (0, 1)}, {})
    groups = _Groups(np.zeros(len(rows), dtype=np.int64), [np.array([0])], 1)
    resampled = _resampled_sums(keys, groups, columns, n_resamples)
    [[deviation]] = _deviations(map(ratios.quotients, resampled))
    [error] = ratios.clustered_errors(clusters, everything)
    return {"standard_deviation": _known(deviation), "clustered_standard_error": _known(error)}


@dataclass(frozen=True)
class _Ratios:
    """Metrics that are ratios of sums, or means of such ratios.

    `values`: rows by distinct columns, numerators and denominators alike: what several metrics
    count is summed once. `columns`: the numerator's and the denominator's column of every
    metric. `means`: metrics that are the mean of others.
    """

    values: Floats
    columns: dict[str, tuple[int, int]]
    means: dict[str, list[str]]

    @classmethod
    def of_measures(
        cls, measures: pa.StructArray, numbers: Integers, parts: dict[str, list[str]]
    ) -> "_Ratios":
        """The ratios of the rows `numbers`, in their order."""
        metrics = measures.field("metric").to_numpy(zero_copy_only=False)
        numerators, denominators = _floats(measures, "numerator"), _floats(measures, "denominator")
        lengths = measures.field("numbers").value_lengths().to_numpy(zero_copy_only=False)
        ends = np.cumsum(lengths)
        rows = _places(numbers, measures.field("numbers").flatten())
        places: dict[bytes, int] = {}
        values: list[Floats] = []
        columns = {}
        for metric in sorted(set(metrics)):
            pair = []
            groups = np.flatnonzero(metrics == metric)
            for amounts in (numerators, denominators):
                column = np.zeros(len(numbers))
                for group in groups:
                    column[rows[ends[group] - lengths[group] : ends[group]]] = amounts[group]
                place = places.setdefault(column.tobytes(), len(values))
                if place == len(values):
                    values.append(column)
                pair.append(place)
            columns[metric] = (pair[0], pair[1])
        means = {
            mean: known
            for mean, metrics in sorted(parts.items())
            if (known := [metric for metric in metrics if metric in columns])
        }
        return cls(np.stack(values, axis=1), columns, means)

    def names(self) -> list[str]:
        """The metrics, in the order of all that is returned."""
        return [*self.columns, *self.means]

    def quotients(self, sums: Floats) -> Floats:
        """Slices by metrics by resamples, from sums of slices by columns by resamples."""
        numerators, denominators = np.array(list(self.columns.values())).T
        ratios = _quotients(sums[:, numerators], sums[:, denominators])
        positions = {metric: position for position, metric in enumerate(self.columns)}
        means = []
        for metrics in self.means.values():
            chosen = ratios[:, [positions[metric] for metric in metrics]]
            n_known = (~np.isnan(chosen)).sum(axis=1, keepdims=True).astype(np.float64)
            means.append(_quotients(np.nansum(chosen, axis=1, keepdims=True), n_known))
        return np.concatenate([ratios, *means], axis=1)

    def clustered_errors(self, clusters: Integers, is_in_slice: Booleans) -> list[float]:
        """Clustered standard errors of one slice's metrics, not a number where none is known."""
        of_slice = self.values[is_in_slice]
        _, numbers = np.unique(clusters[is_in_slice], return_inverse=True)
        # how far each cluster moves each ratio
        influences: dict[str, Floats] = {}
        for metric, (above, below) in self.columns.items():
            numerator, denominator = of_slice[:, above], of_slice[:, below]
            total = denominator.sum()
            if total > 0:
                residuals = numerator - numerator.sum() / total * denominator
                influences[metric] = np.bincount(numbers, residuals).astype(float) / total
        for mean, metrics in self.means.items():
            known = [influences[metric] for metric in metrics if metric in influences]
            if known:
                influences[mean] = cast(Floats, np.mean(known, axis=0))
        return [
            float(np.sqrt((influences[metric] ** 2).sum())) if metric in influences else np.nan
            for metric in self.names()
        ]


def _places(numbers: Integers, wanted: pa.Array) -> Integers:
    """Where each of the wanted numbers is among `numbers`, which hold every one of them once."""
    order = np.argsort(numbers)
    found = np.searchsorted(numbers, wanted.to_numpy(zero_copy_only=False), sorter=order)
    return cast(Integers, order[found])


def _parts_by_mean(parts: Sequence[dict[str, str | None]]) -> dict[str, list[str]]:
    """The metrics that each mean is of."""
    by_mean: dict[str, list[str]] = {}
    for metric, mean in ((part["metric"], part["part_of"]) for part in parts):
        if metric is not None and mean is not None:
            by_mean.setdefault(mean, []).append(metric)
    return {mean: sorted(metrics) for mean, metrics in by_mean.items()}


def _confidence_errors(
    rows: pa.StructArray,
    membership: Booleans,
    n_bins: int,
    n_points: int,
    coverage: float,
    n_resamples: int,
) -> list[dict[str, float | str | None]]:
    """The errors of one group."""
    confidence, credit = _floats(rows, "confidence"), _floats(rows, "credit")
    order = np.lexsort((_integers(rows, "tie"), -confidence))
    confidence, credit = confidence[order], credit[order]
    cells = _integers(rows, "cell")[order]
    bins = np.minimum((confidence * n_bins).astype(np.int64), n_bins - 1)
    stretches = np.arange(len(bins)) * min(n_points, len(bins)) // len(bins)
    # a stretch that crosses the edge of a bin is two
    is_first = np.append(True, (np.diff(stretches) != 0) | (np.diff(bins) != 0))
    stretches, bins = np.cumsum(is_first) - 1, bins[is_first]
    n_slices, n_stretches = len(membership), len(bins)

    def metrics(sums: Floats) -> Floats:
        return _confidence_metrics(sums.reshape(n_slices, n_stretches, 3, -1), bins, coverage)

    values = np.stack([np.ones_like(credit), credit, confidence], axis=1)
    deviations = []
    for name in ("key", "cluster"):
        keys = _integers(rows, name)[order]
        by_group = np.lexsort((keys, stretches, cells))
        numbers, groups = np.unique(
            (cells * n_stretches + stretches)[by_group], return_inverse=True
        )
        targets = [
            np.flatnonzero(membership[:, number // n_stretches]) * n_stretches
            + number % n_stretches
            for number in numbers
        ]
        grouped = _Groups(groups, targets, n_slices * n_stretches)
        resampled = _resampled_sums(keys[by_group], grouped, values[by_group], n_resamples)
        deviations.append(_deviations(map(metrics, resampled)))
    return [
        {
            "slice": number,
            "metric": metric,
            "standard_deviation": _known(deviations[0][number, position]),
            "clustered_standard_error": _known(deviations[1][number, position]),
        }
        for number in range(n_slices)
        for position, metric in enumerate(CONFIDENCE_METRICS)
    ]


def _confidence_metrics(sums: Floats, bins: Integers, coverage: float) -> Floats:
    """ECE, AURC and risk at a coverage: slices by metrics by resamples.

    `sums`: of weights, credits and confidences, slices by stretches by 3 by resamples. They are
    taken stretch by stretch: what is known of one stays in the processor's cache.
    """
    shape = sums.shape[0], sums.shape[3]
    total = sums[:, :, 0].sum(axis=1)
    enough = (coverage - _ROUNDING) * total
    covered, right, gap, gaps, area = (np.zeros(shape) for _ in range(5))
    at_coverage, risk = np.full(shape, np.nan), np.full(shape, np.nan)
    is_reached = np.zeros(shape, dtype=bool)
    for stretch, next_bin in enumerate([*bins[1:], -1]):
        weights, credit, confidence = (sums[:, stretch, value] for value in range(3))
        covered += weights
        right += credit
        gap += credit
        gap -= confidence
        if bins[stretch] != next_bin:
            gaps += np.abs(gap)
            gap[:] = 0
        before, risk = risk, 1 - _quotients(right, covered)
        # nothing lies between a point and none
        between = (risk + before) / 2
        between *= weights
        np.add(area, between, out=area, where=~np.isnan(between))
        is_first = (covered >= enough) & ~is_reached
        np.copyto(at_coverage, risk, where=is_first)
        is_reached |= is_first
    at_coverage[total == 0] = np.nan
    return np.stack([_quotients(gaps, total), _quotients(area, total), at_coverage], axis=1)


def _known(value: float) -> float | None:
    return None if np.isnan(value) else float(value)


def _integers(rows: pa.StructArray, name: str) -> Integers:
    return cast(Integers, rows.field(name).to_numpy(zero_copy_only=False).astype(np.int64))


def _floats(rows: pa.StructArray, name: str) -> Floats:
    return cast(Floats, rows.field(name).to_numpy(zero_copy_only=False).astype(np.float64))


def _membership(memberships: pa.StructArray) -> Booleans:
    """Which slices hold which cells, slices by cells."""
    cells, slices = (_integers(memberships, name) for name in ("cell", "slice"))
    membership = np.zeros((slices.max() + 1, cells.max() + 1), dtype=bool)
    membership[slices, cells] = True
    return membership


def _quotients(numerators: Floats, denominators: Floats) -> Floats:
    """Quotients, NaN where the denominator is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(denominators > 0, numerators / denominators, np.nan)


def _deviations(resampled: Iterator[Floats]) -> Floats:
    """Deviations over the resamples that know a metric; slices by metrics."""
    values = np.concatenate(list(resampled), axis=-1)
    n_known = (~np.isnan(values)).sum(axis=-1).astype(np.float64)
    means = _quotients(np.nansum(values, axis=-1), n_known)
    squares = _quotients(np.nansum((values - means[..., None]) ** 2, axis=-1), n_known)
    return np.sqrt(squares)


@dataclass(frozen=True)
class _Groups:
    """Rows that are summed together, and the sums that theirs are added to.

    `of_rows`: the group of every row, ascending from 0. `targets`: the sums of every group.
    """

    of_rows: Integers
    targets: Sequence[Integers]
    n_targets: int


def _resampled_sums(
    keys: Integers, groups: _Groups, values: Floats, n_resamples: int
) -> Iterator[Floats]:
    """Weighted sums in every resample, some resamples at a time: sums by values by resamples."""
    seeds = keys.view(np.uint64)
    parts = list(_parts(groups.of_rows))
    width = max(1, _LARGEST_PRODUCT // (_ROWS_AT_ONCE * values.shape[1]))

    def sums_of_one_group(part: slice, resamples: range) -> Floats:
        sums = np.zeros((1, values.shape[1], len(resamples)))
        for start in range(part.start, part.stop, _ROWS_AT_ONCE):
            rows = slice(start, min(start + _ROWS_AT_ONCE, part.stop))
            weights, by_value = poisson_weights(seeds[rows], resamples), values[rows].T
            for first in range(0, len(resamples), width):
                some = slice(first, first + width)
                sums[0, :, some] += by_value @ weights[:, some]
        return sums

    def sums_of_groups(part: slice, resamples: range) -> Floats:
        weights = poisson_weights(seeds[part], resamples)
        weighted = weights[:, None, :] * values[part][:, :, None]
        starts = np.flatnonzero(np.diff(groups.of_rows[part], prepend=-1))
        lengths = np.diff(starts, append=len(weighted))
        sums = weighted[starts]
        # the second rows of all groups that have one, then the third
        for place in range(1, int(lengths.max())):
            longer = np.flatnonzero(lengths > place)
            sums[longer] += weighted[starts[longer] + place]
        return sums

    # the interpreter is free while numpy works; parts are added in order, so that the number
    # of threads changes nothing
    with ThreadPoolExecutor(cpu_count()) as pool:
        for first in range(0, n_resamples, _RESAMPLES_AT_ONCE):
            resamples = range(first, min(first + _RESAMPLES_AT_ONCE, n_resamples))

            def add_up(part: slice, resamples: range = resamples) -> tuple[Integers, Floats]:
                # a group may have no rows
                numbers = np.unique(groups.of_rows[part])
                add = sums_of_one_group if len(numbers) == 1 else sums_of_groups
                return numbers, add(part, resamples)

            sums = np.zeros((groups.n_targets, values.shape[1], len(resamples)))
            for numbers, partials in pool.map(add_up, parts):
                for group, partial in zip(numbers, partials, strict=True):
                    for target in groups.targets[group]:
                        sums[target] += partial
            yield sums


def _parts(groups: Integers) -> Iterator[slice]:
    """Ranges of rows, each of one group or of several small ones whole; `groups` ascend."""
    edges = np.flatnonzero(np.diff(groups)) + 1
    first = 0
    for start, end in zip([0, *edges], [*edges, len(groups)], strict=True):
        if end - first <= _ROWS_AT_ONCE:
            continue
        if first < start:
            yield slice(first, int(start))
        first = int(start)
        while end - first > _ROWS_AT_ONCE:
            yield slice(first, min(first + _ROWS_PER_PART, int(end)))
            first = min(first + _ROWS_PER_PART, int(end))
    if first < len(groups):
        yield slice(first, len(groups))


def poisson_weights(keys: npt.NDArray[np.uint64], resamples: range) -> Floats:
    """Poisson(1) draws, keys by resamples: each from 16 bits of a hash of key and resample.

    `resamples` starts at a multiple of the four draws of a hash.
    """
    hashes = range(resamples.start // _DRAWS_PER_HASH, -(-resamples.stop // _DRAWS_PER_HASH))
    steps = np.arange(hashes.start + 1, hashes.stop + 1, dtype=np.uint64) * _GOLDEN
    mixed = keys[:, None] + steps
    mixed ^= mixed >> np.uint64(30)
    mixed *= np.uint64(0xBF58476D1CE4E5B9)
    mixed ^= mixed >> np.uint64(27)
    mixed *= np.uint64(0x94D049BB133111EB)
    mixed ^= mixed >> np.uint64(31)
    # the same draws on machines of either byte order
    draws = mixed.astype("<u8", copy=False).view("<u2")[:, : len(resamples)]
    return cast(Floats, _POISSON[draws])


def _poisson_quantiles() -> Floats:
    """The Poisson(1) quantile of every 16-bit number."""
    probability = np.exp(-1.0) / np.cumprod([1.0, *range(1, 12)])
    quantiles = np.searchsorted(
        np.cumsum(probability), (np.arange(2**16) + 0.5) / 2**16, side="right"
    )
    return quantiles.astype(np.float64)


_POISSON = _poisson_quantiles()
