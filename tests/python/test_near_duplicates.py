"""Near-duplicates are all found, and nothing else."""

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from gainsay.python_udfs.pixels.near_duplicates import Limits, find_pairs, near_pairs

Hashes = NDArray[np.uint64]


def brute_force(values: Hashes, max_distance: int) -> set[tuple[int, int, int]]:
    """All pairs compared."""
    found = set()
    for left in range(len(values) - 1):
        apart = np.bitwise_count(values[left] ^ values[left + 1 :])
        for step in np.flatnonzero(apart <= max_distance).tolist():
            found.add((left, left + 1 + step, int(apart[step])))
    return found


def found(
    values: Hashes, max_distance: int, group_size: int = 100, neighbours: int = 100
) -> set[tuple[int, int, int]]:
    """The same by multi-index hashing; no pair comes twice."""
    limits = Limits(max_distance, group_size, neighbours)
    rows = list(zip(*(column.tolist() for column in find_pairs(values, limits)), strict=True))
    assert rows == sorted(set(rows))
    return set(rows)


@pytest.mark.slow
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


@pytest.mark.slow
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


@settings(max_examples=30)
@given(
    st.lists(st.sampled_from([0, 1, 3, 7, 2**64 - 1, 2**63, 2**40]), max_size=40),
    st.integers(0, 9),
    st.integers(1, 5),
)
def test_large_groups_are_represented_by_their_first(
    values: list[int], max_distance: int, group_size: int
) -> None:
    array = np.array(values, np.uint64)

    def stands_for_itself(place: int) -> bool:
        return values.count(values[place]) <= group_size or place == values.index(values[place])

    expected = {
        (left, right, apart)
        for left, right, apart in brute_force(array, max_distance)
        if (stands_for_itself(left) and stands_for_itself(right))
        or (apart == 0 and left == values.index(values[left]))
    }
    assert found(array, max_distance, group_size) == expected


@settings(max_examples=30)
@given(st.lists(st.integers(0, 2**12 - 1), max_size=60, unique=True), st.integers(1, 5))
def test_a_hash_keeps_its_nearest_neighbours(values: list[int], neighbours: int) -> None:
    """In one bucket all are found, so that the nearest above it are known."""
    array = np.sort(np.array(values, np.uint64)) << np.uint64(52)
    above: dict[int, list[tuple[int, int]]] = {}
    for left, right, apart in brute_force(array, 9):
        above.setdefault(left, []).append((apart, right))
    pairs = found(array, 9, neighbours=neighbours)
    assert pairs <= brute_force(array, 9)
    for left, candidates in above.items():
        kept = [(apart, right) for one, right, apart in pairs if one == left]
        assert len(kept) == min(neighbours, len(candidates))


def test_fifty_thousand_equal_hashes_are_as_many_pairs() -> None:
    values = np.full(50_000, 0xABCDEF, np.uint64)
    left, right, apart = find_pairs(values, Limits(9, 20, 50))
    assert left.tolist() == [0] * 49_999
    assert right.tolist() == list(range(1, 50_000))
    assert not apart.any()


@pytest.mark.slow
def test_hashes_that_are_all_near_each_other_are_pairs_in_proportion() -> None:
    generator = np.random.Generator(np.random.Philox(7))
    values = np.zeros(6_000, np.uint64)
    for _ in range(4):
        values ^= np.uint64(1) << generator.integers(0, 64, len(values)).astype(np.uint64)
    n_distinct = len(np.unique(values))
    left, right, _ = find_pairs(values, Limits(9, 1, 50))
    n_equal = len(values) - n_distinct
    assert n_distinct * 40 < len(left) - n_equal <= n_distinct * 50
    # whichever order the pictures stand in
    reverse = find_pairs(values[::-1].copy(), Limits(9, 1, 50))
    hashes = {frozenset((values[a], values[b])) for a, b in zip(left, right, strict=True)}
    assert {
        frozenset((values[-1 - a], values[-1 - b])) for a, b in zip(*reverse[:2], strict=True)
    } == hashes


def near(hashes: pa.Array, *distances: int) -> pa.Array:
    """The function of the registry, with limits that nothing here reaches."""
    many = pa.array([9] * len(distances), pa.int64())
    return near_pairs(hashes, pa.array(distances, pa.int64()), many, many)


def test_lists_of_hashes_come_by_themselves() -> None:
    hashes = pa.array([["0" * 16, "f" * 16, "0" * 15 + "1"], None, [], ["a" * 16] * 3])
    found = near(hashes, 1, 1, 1, 0).to_pylist()
    pair = {"left": 0, "right": 2, "distance": 1}
    alike = [{"left": a, "right": b, "distance": 0} for a, b in ((0, 1), (0, 2), (1, 2))]
    assert found == [[pair], None, [], alike]
    assert near(hashes[:0]).to_pylist() == []


def test_distances_beyond_the_guarantee_are_refused() -> None:
    hashes = pa.array([["0" * 16]])
    assert near(hashes, 9).to_pylist() == [[]]
    with pytest.raises(ValueError, match="distance 10"):
        near(hashes, 10)
