"""Pairs of perceptual hashes that differ in few bits, without comparing all pairs.

Every pair is found in ordinary data. Where pictures are alike by the thousand (blank pages, a film
cut into frames) all pairs would be billions; there a group of equal hashes is represented by its
first, and a hash is paired with so many others and no more, so that time and pairs grow with the
number of pictures.
"""

import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from gainsay.python_udfs.registry import NEAR_PAIRS

Hashes: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int64]

_BITS: Final = 64
_CHUNKS: Final = 5
_BUCKETS_PER_TASK: Final = 256
_NO_NUMBERS: Final = np.empty(0, np.int64)
_NO_PAIRS: Final = (_NO_NUMBERS,) * 3
# rows by columns that are compared in one go; they stay in the processor's cache
_CELLS: Final = 1 << 17
_COLUMNS: Final = 1 << 11
# where many are alike, a hash has found its neighbours among the first of them
_COLUMNS_OF_MANY: Final = 1 << 8
# hashes that a hash is compared with for one of its parts: ten million random ones have fewer
_MOST_CANDIDATES: Final = 1 << 14


@dataclass(frozen=True)
class Limits:
    """How many bits may differ, and up to where every pair is found.

    Equal hashes of more than `group_size` pictures are represented by the first of them;
    a hash is paired with at most `neighbours` of the hashes above it.
    """

    distance: int
    group_size: int
    neighbours: int


def near_pairs(
    hashes: pa.Array, max_distances: pa.Array, group_sizes: pa.Array, neighbours: pa.Array
) -> pa.Array:
    """Pairs of hashes that differ in at most so many bits, as `NEAR_PAIRS`.

    Shapes: one element is a list of hashes of 16 hex digits, a distance from 0 to 9, and the two
    numbers of `Limits`. Returns positions in the list, the lower one first, ascending, and the
    distance. Every pair is there as long as no hash stands more than `group_size` times and none
    is near more than `neighbours` others. Beyond that each of a larger group is paired with the
    group's first, which alone stands for it beside other hashes, and a hash keeps the nearest of
    what was found above it. Errors: `ValueError` for other digits, distances or numbers. Exact:
    of five parts of a hash, one differs in at most one bit where the whole differs in at most
    nine. Source: Norouzi, Punjani and Fleet, "Fast Exact Search in Hamming Space with Multi-Index
    Hashing", 2014.
    """
    columns = (hashes, max_distances, group_sizes, neighbours)
    rows = list(zip(*(column.to_pylist() for column in columns), strict=True))
    found = [
        _NO_PAIRS if None in row else find_pairs(_numbers_of(row[0]), Limits(*row[1:]))
        for row in rows
    ]
    # a list of pairs may be long: it goes from numpy to Arrow as it is
    parts = [pa.array(np.concatenate(part)) for part in zip(_NO_PAIRS, *found, strict=True)]
    ends = np.cumsum([0, *(len(left) for left, *_ in found)])
    offsets = [
        None if None in row else end for row, end in zip(rows, ends[:-1].tolist(), strict=True)
    ]
    pairs = pa.StructArray.from_arrays(parts, fields=list(NEAR_PAIRS.value_type))
    return pa.ListArray.from_arrays(pa.array([*offsets, int(ends[-1])], pa.int32()), pairs)


def _numbers_of(texts: list[str]) -> Hashes:
    return np.array([int(text, 16) for text in texts], np.uint64)


def find_pairs(values: Hashes, limits: Limits) -> tuple[Numbers, Numbers, Numbers]:
    """Positions of pairs within a distance, ascending, and their distances. As `near_pairs`."""
    if not 0 <= limits.distance < 2 * _CHUNKS:
        raise ValueError(f"distance {limits.distance}: it is one of 0 to {2 * _CHUNKS - 1}")
    if limits.group_size < 1 or limits.neighbours < 1:
        raise ValueError(f"{limits}: group size and neighbours are at least 1")
    distinct, kinds = np.unique(values, return_inverse=True)
    groups = _Groups.of(kinds, len(distinct), limits.group_size)
    pairs = np.concatenate(
        [
            groups.pairs_of_equals(),
            groups.pairs_of_members(*_distinct_pairs(distinct, limits)),
        ]
    )
    pairs.sort(axis=1)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    apart = np.bitwise_count(values[pairs[:, 0]] ^ values[pairs[:, 1]]).astype(np.int64)
    return pairs[:, 0], pairs[:, 1], apart


@dataclass(frozen=True)
class _Groups:
    """Positions of equal hashes: those of group `k` are `order[starts[k]:][:sizes[k]]`, ascending.

    A group larger than `largest` is represented by its first position.
    """

    order: Numbers
    starts: Numbers
    sizes: Numbers
    largest: int

    @classmethod
    def of(cls, kinds: Numbers, n_kinds: int, largest: int) -> "_Groups":
        order = np.argsort(kinds, kind="stable")
        starts = np.searchsorted(kinds[order], np.arange(n_kinds + 1))
        return cls(order, starts[:-1], np.diff(starts), largest)

    def pairs_of_equals(self) -> Numbers:
        """All pairs of a small group; of a large one, its first with each other."""
        found = []
        for size in range(2, self.largest + 1):
            starts = self.starts[self.sizes == size]
            within = np.stack(np.triu_indices(size, 1), axis=1)
            found.append(self.order[starts[:, None, None] + within].reshape(-1, 2))
        large = self.sizes > self.largest
        firsts, others = self.starts[large], self.sizes[large] - 1
        group, step = _numbered_items(others)
        found.append(
            np.stack([self.order[firsts[group]], self.order[firsts[group] + 1 + step]], axis=1)
        )
        return np.concatenate(found)

    def pairs_of_members(self, one: Numbers, other: Numbers) -> Numbers:
        """For pairs of groups the pairs of their members, or of who represents them."""
        members = np.where(self.sizes > self.largest, 1, self.sizes)
        pair, step = _numbered_items(members[one] * members[other])
        left, right = one[pair], other[pair]
        return np.stack(
            [
                self.order[self.starts[left] + step // members[right]],
                self.order[self.starts[right] + step % members[right]],
            ],
            axis=1,
        )


def _numbered_items(counts: Numbers) -> tuple[Numbers, Numbers]:
    """For each of so many items of each place: the place, and the item's number there."""
    place = np.repeat(np.arange(len(counts)), counts)
    return place, np.arange(len(place)) - np.repeat(np.cumsum(counts) - counts, counts)


def _distinct_pairs(values: Hashes, limits: Limits) -> tuple[Numbers, Numbers]:
    """Pairs of different hashes in ascending order, each once."""
    # the pool's threads run side by side, because numpy lets go of the interpreter
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = [
            part for low, high in _chunks() for part in pool.map(*_tasks(values, low, high, limits))
        ]
    found = np.concatenate([np.empty((0, 2), np.int64), *parts])
    # a pair may be alike in several chunks; numpy's `unique` hashes, which is slow for many keys
    keys = np.sort(found.min(axis=1) * len(values) + found.max(axis=1))
    keys = keys[np.diff(keys, prepend=-1) > 0]
    return _nearest(values, keys // max(1, len(values)), keys % max(1, len(values)), limits)


def _nearest(
    values: Hashes, one: Numbers, other: Numbers, limits: Limits
) -> tuple[Numbers, Numbers]:
    """Of the pairs of each first hash the nearest, as many as are wanted."""
    counts = np.bincount(one, minlength=len(values))
    if not counts.size or counts.max() <= limits.neighbours:
        return one, other
    apart = np.bitwise_count(values[one] ^ values[other])
    order = np.lexsort((other, apart, one))
    rank = np.arange(len(one)) - (np.cumsum(counts) - counts)[one[order]]
    kept = np.sort(order[rank < limits.neighbours])
    return one[kept], other[kept]


def _chunks() -> Iterator[tuple[int, int]]:
    edges = np.linspace(0, _BITS, _CHUNKS + 1).astype(int)
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)


def _tasks(
    values: Hashes, low: int, high: int, limits: Limits
) -> tuple[Callable[[int], Numbers], range]:
    """The comparison of buckets of one chunk, and the first buckets of the ranges to do it for."""
    n_buckets = 1 << (high - low)
    chunk = ((values >> np.uint64(low)) & np.uint64(n_buckets - 1)).astype(np.int64)
    order = np.argsort(chunk, kind="stable")
    ordered = values[order]
    starts = np.searchsorted(chunk[order], np.arange(n_buckets + 1))
    masks = [1 << bit for bit in range(high - low)]

    def compare(first_bucket: int) -> Numbers:
        found = [np.empty((0, 2), np.int64)]
        for bucket in range(first_bucket, min(first_bucket + _BUCKETS_PER_TASK, n_buckets)):
            begin, end = starts[bucket], starts[bucket + 1]
            if begin == end:
                continue
            # every pair of buckets once
            above = [bucket ^ mask for mask in masks if bucket ^ mask > bucket]
            others = np.concatenate(
                [_NO_NUMBERS, *(np.arange(starts[b], starts[b + 1]) for b in above)]
            )[:_MOST_CANDIDATES]
            step = max(1, _CELLS // min(_COLUMNS, end - begin + len(others)))
            for start in range(begin, end, step):
                rows = np.arange(start, min(start + step, end))
                own = np.arange(start, min(end, rows[-1] + 1 + _MOST_CANDIDATES))
                candidates = np.concatenate([own, others])
                found += (
                    order[pair] for pair in _pairs_in_order(ordered, rows, candidates, limits)
                )
        return np.concatenate(found)

    return compare, range(0, n_buckets, _BUCKETS_PER_TASK)


def _pairs_in_order(
    ordered: Hashes, rows: Numbers, candidates: Numbers, limits: Limits
) -> Iterator[Numbers]:
    """Pairs of rows and candidates after them, until each row has found as many as are wanted."""
    room = np.full(len(rows), limits.neighbours)
    width = _COLUMNS if len(candidates) <= _COLUMNS else _COLUMNS_OF_MANY
    for at in range(0, len(candidates), width):
        columns = candidates[at : at + width]
        apart = np.bitwise_count(ordered[rows][:, None] ^ ordered[columns][None, :])
        row, column = np.nonzero(apart <= limits.distance)
        # within a bucket a pair stands twice, and each hash beside itself
        is_after = columns[column] > rows[row]
        row, column = row[is_after], column[is_after]
        if not len(row):
            continue
        counts = np.bincount(row, minlength=len(rows))
        if (counts > room).any():
            is_wanted = np.arange(len(row)) - (np.cumsum(counts) - counts)[row] < room[row]
            row, column = row[is_wanted], column[is_wanted]
        yield np.stack([rows[row], columns[column]], axis=1)
        room = np.maximum(room - counts, 0)
        if not room.any():
            return
