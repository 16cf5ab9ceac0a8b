"""Near-duplicates are all found, and nothing else."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from python_udfs.pixels.near_duplicates import find_pairs, near_pairs

Hashes = NDArray[np.uint64]


def brute_force(values: Hashes, max_distance: int) -> set[tuple[int, int, int]]:
    """All pairs compared."""
    found = set()
    for left in range(len(values) - 1):
        apart = np.bitwise_count(values[left] ^ values[left + 1 :])
        for step in np.flatnonzero(apart <= max_distance).tolist():
            found.add((left, left + 1 + step, int(apart[step])))
    return found


def found(values: Hashes, max_distance: int) -> set[tuple[int, int, int]]:
    """The same by multi-index hashing; no pair comes twice."""
    rows = list(zip(*(column.tolist() for column in find_pairs(values, max_distance)), strict=True))
    assert rows == sorted(set(rows))
    return set(rows)


def test_twenty_thousand_hashes_as_brute_force_finds_them() -> None:
    generator = np.random.Generator(np.random.Philox(7))
    values = generator.integers(0, 2**64, 20_000, np.uint64)
    # families of hashes a few bits apart, and some alike
    for position in range(6_000):
        flips = generator.integers(0, 64, generator.integers(0, 13))
        mask = np.bitwise_xor.reduce(np.uint64(1) << flips.astype(np.uint64), initial=np.uint64(0))
        values[position] = values[-1 - position // 4] ^ mask
    expected = brute_force(values, 9)
    assert len(expected) > 5_000
    assert {apart for *_, apart in expected} == set(range(10))
    assert found(values, 9) == expected


@settings(deadline=None)
@given(
    st.lists(st.integers(0, 2**64 - 1) | st.sampled_from([0, 1, 2**64 - 1, 2**63]), max_size=40),
    st.lists(st.integers(0, 63), max_size=12),
    st.integers(0, 9),
)
def test_any_hashes(values: list[int], flips: list[int], max_distance: int) -> None:
    if values:
        values.append(values[0])
        for flip in flips:
            values[-1] ^= 1 << flip
    array = np.array(values, np.uint64)
    assert found(array, max_distance) == brute_force(array, max_distance)


def test_lists_of_hashes_come_by_themselves() -> None:
    hashes = pa.array([["0" * 16, "f" * 16, "0" * 15 + "1"], None, [], ["a" * 16] * 3])
    found = near_pairs(hashes, pa.array([1, 1, 1, 0])).to_pylist()
    pair = {"left": 0, "right": 2, "distance": 1}
    alike = [{"left": a, "right": b, "distance": 0} for a, b in ((0, 1), (0, 2), (1, 2))]
    assert found == [[pair], None, [], alike]
    assert near_pairs(hashes[:0], pa.array([], pa.int64())).to_pylist() == []


def test_distances_beyond_the_guarantee_are_refused() -> None:
    hashes = pa.array([["0" * 16]])
    assert near_pairs(hashes, pa.array([9])).to_pylist() == [[]]
    with pytest.raises(ValueError, match="distance 10"):
        near_pairs(hashes, pa.array([10]))
