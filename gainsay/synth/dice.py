"""Random numbers that depend on a seed, a purpose and a number, and on nothing else."""

from bisect import bisect_right
from collections.abc import Sequence
from itertools import accumulate
from typing import Final, Generic, TypeVar

import numpy as np

T = TypeVar("T")

_BLOCK: Final = 64
_TO_UNIT: Final = 2.0**-53


class Table(Generic[T]):
    """Choices with integer weights, summed once so that each draw is one binary search."""

    __slots__ = ("bounds", "choices", "total")

    def __init__(self, weights: dict[T, int]) -> None:
        self.choices = list(weights)
        self.bounds = list(accumulate(weights.values()))
        self.total = self.bounds[-1]


class Dice:
    """One stream of draws.

    The raw bits of numpy's Philox are part of its stability promise while the distributions
    built on them are not, so every draw here is made from the raw bits.
    """

    __slots__ = ("_bits", "_numbers")

    def __init__(self, seed: int, purpose: str, number: int = 0) -> None:
        key = [seed % 2**64, int.from_bytes(purpose.encode()[:8], "little")]
        self._bits = np.random.Philox(key=key, counter=[0, 0, number, 0])
        self._numbers: list[float] = []

    def unit(self) -> float:
        """A number in [0, 1)."""
        if not self._numbers:
            self._numbers = units(self._bits, _BLOCK).tolist()
        return self._numbers.pop()

    def below(self, bound: int) -> int:
        """An integer in [0, bound)."""
        return int(self.unit() * bound)

    def between(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self.unit()

    def chance(self, probability: float) -> bool:
        """True with the given probability."""
        return self.unit() < probability

    def pick(self, choices: Sequence[T]) -> T:
        """One of the choices, all equally likely."""
        return choices[int(self.unit() * len(choices))]

    def weighted(self, table: Table[T]) -> T:
        """One of the table's choices, by its weights."""
        return table.choices[bisect_right(table.bounds, self.unit() * table.total)]

    def zipf(self, choices: Sequence[T], flat: int = 20) -> T:
        """One of the choices, early ones likelier: P(rank) is near 1 / (rank + flat).

        Source: the Zipf-Mandelbrot law, drawn by inverting its continuous form.
        """
        reach = len(choices) / flat + 1.0
        rank = int(flat * (reach ** self.unit() - 1.0))
        return choices[min(rank, len(choices) - 1)]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """The items in a random order."""
        result = list(items)
        for last in range(len(result) - 1, 0, -1):
            other = self.below(last + 1)
            result[last], result[other] = result[other], result[last]
        return result


def units(bits: np.random.BitGenerator, size: int) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """`size` numbers in [0, 1) from the upper 53 bits of each raw draw."""
    raw: np.ndarray[tuple[int], np.dtype[np.uint64]] = bits.random_raw(size)
    return (raw >> np.uint64(11)).astype(np.float64) * _TO_UNIT
