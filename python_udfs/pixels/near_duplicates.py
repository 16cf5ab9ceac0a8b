"""Pairs of perceptual hashes that differ in few bits, without comparing all pairs."""

import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from python_udfs.registry import NEAR_PAIRS

Hashes: TypeAlias = npt.NDArray[np.uint64]
Numbers: TypeAlias = npt.NDArray[np.int64]

_BITS: Final = 64
_CHUNKS: Final = 5
_BUCKETS_PER_TASK: Final = 256
_NO_NUMBERS: Final = np.empty(0, np.int64)
_NO_PAIRS: Final = (_NO_NUMBERS,) * 3
# rows by columns that are compared in one go; they stay in the processor's cache
_CELLS: Final = 1 << 17


def near_pairs(hashes: pa.Array, max_distances: pa.Array) -> pa.Array:
    """All pairs of hashes that differ in at most so many bits, as `NEAR_PAIRS`.

    Shapes: one element is a list of hashes of 16 hex digits, and a distance from 0 to 9.
    Returns positions in the list, the lower one first, ascending, and the distance. Errors:
    `ValueError` for other digits or distances. Exact: of five parts of a hash, one differs in
    at most one bit where the whole differs in at most nine. Source: Norouzi, Punjani and
    Fleet, "Fast Exact Search in Hamming Space with Multi-Index Hashing", 2014.
    """
    rows = list(zip(hashes.to_pylist(), max_distances.to_pylist(), strict=True))
    found = [_NO_PAIRS if None in row else _pairs(*row) for row in rows]
    # a list of pairs may be long: it goes from numpy to Arrow as it is
    columns = [pa.array(np.concatenate(parts)) for parts in zip(_NO_PAIRS, *found, strict=True)]
    ends = np.cumsum([0, *(len(left) for left, *_ in found)])
    offsets = [
        None if None in row else end for row, end in zip(rows, ends[:-1].tolist(), strict=True)
    ]
    pairs = pa.StructArray.from_arrays(columns, fields=list(NEAR_PAIRS.value_type))
    return pa.ListArray.from_arrays(pa.array([*offsets, int(ends[-1])], pa.int32()), pairs)


def _pairs(texts: list[str], max_distance: int) -> tuple[Numbers, Numbers, Numbers]:
    if not 0 <= max_distance < 2 * _CHUNKS:
        raise ValueError(f"distance {max_distance}: it is one of 0 to {2 * _CHUNKS - 1}")
    return find_pairs(np.array([int(text, 16) for text in texts], np.uint64), max_distance)


def find_pairs(values: Hashes, max_distance: int) -> tuple[Numbers, Numbers, Numbers]:
    """Positions of all pairs within a distance, ascending, and their distances."""
    distinct, kinds = np.unique(values, return_inverse=True)
    one, other = _distinct_pairs(distinct, max_distance)
    # positions of every kind of hash, kinds in order
    order = np.argsort(kinds, kind="stable")
    starts = np.searchsorted(kinds[order], np.arange(len(distinct) + 1))
    found = [np.empty((0, 2), np.int64)]
    for kind in np.flatnonzero(np.diff(starts) > 1):
        alike = order[starts[kind] : starts[kind + 1]]
        found.append(alike[np.stack(np.triu_indices(len(alike), 1), axis=1)])
    for a, b in zip(one.tolist(), other.tolist(), strict=True):
        here, there = order[starts[a] : starts[a + 1]], order[starts[b] : starts[b + 1]]
        found.append(np.stack(np.meshgrid(here, there, indexing="ij"), axis=-1).reshape(-1, 2))
    pairs = np.sort(np.concatenate(found), axis=1)
    pairs = pairs[np.lexsort((pairs[:, 1], pairs[:, 0]))]
    apart = np.bitwise_count(values[pairs[:, 0]] ^ values[pairs[:, 1]]).astype(np.int64)
    return pairs[:, 0], pairs[:, 1], apart


def _distinct_pairs(values: Hashes, max_distance: int) -> tuple[Numbers, Numbers]:
    """Pairs of different hashes, each once."""
    # the pool's threads run side by side, because numpy lets go of the interpreter
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        parts = [
            part
            for low, high in _chunks()
            for part in pool.map(*_tasks(values, low, high, max_distance))
        ]
    if not parts:
        return np.empty(0, np.int64), np.empty(0, np.int64)
    found = np.concatenate(parts)
    # a pair may be alike in several chunks
    keys = np.unique(found.min(axis=1) * len(values) + found.max(axis=1))
    return keys // len(values), keys % len(values)


def _chunks() -> Iterator[tuple[int, int]]:
    edges = np.linspace(0, _BITS, _CHUNKS + 1).astype(int)
    return zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True)


def _tasks(values: Hashes, low: int, high: int, max_distance: int) -> Any:
    """The comparison of buckets of one chunk, and the ranges of buckets to do it for."""
    n_buckets = 1 << (high - low)
    chunk = ((values >> np.uint64(low)) & np.uint64(n_buckets - 1)).astype(np.int64)
    order = np.argsort(chunk, kind="stable")
    ordered = values[order]
    starts = np.searchsorted(chunk[order], np.arange(n_buckets + 1))
    masks = [0, *(1 << bit for bit in range(high - low))]

    def compare(first_bucket: int) -> Numbers:
        found = [np.empty((0, 2), np.int64)]
        for bucket in range(first_bucket, min(first_bucket + _BUCKETS_PER_TASK, n_buckets)):
            begin, end = starts[bucket], starts[bucket + 1]
            # every pair of buckets once
            near = [bucket ^ mask for mask in masks if bucket ^ mask >= bucket]
            places = np.concatenate([np.arange(starts[b], starts[b + 1]) for b in near])
            if begin == end or not len(places):
                continue
            step = max(1, _CELLS // len(places))
            for start in range(begin, end, step):
                rows = ordered[start : min(start + step, end)]
                apart = np.bitwise_count(rows[:, None] ^ ordered[places][None, :])
                row, column = np.nonzero(apart <= max_distance)
                pair = np.stack([start + row, places[column]], axis=1)
                # within a bucket a pair stands twice, and each hash beside itself
                pair = pair[(pair[:, 1] >= end) | (pair[:, 0] < pair[:, 1])]
                found.append(order[pair])
        return np.concatenate(found)

    return compare, range(0, n_buckets, _BUCKETS_PER_TASK)
