"""Adam and random batches, for the fits by gradient descent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

HELD_OUT: Final = 10
"""The last 1/HELD_OUT of the positions are only for judging the result."""

BATCH: Final = 512
LAST_RATE: Final = 0.03
"""The learning-rate factor falls linearly from 1 to this value."""

Floats = NDArray[np.float32]


class Adam:
    """Named arrays of numbers that Adam fits (Kingma and Ba 2015)."""

    def __init__(self, first: Mapping[str, NDArray[Any]]) -> None:
        self.values: dict[str, Floats] = {
            name: value.astype(np.float32) for name, value in first.items()
        }
        self._mean: dict[str, Floats] = {
            name: np.zeros_like(value) for name, value in self.values.items()
        }
        self._square: dict[str, Floats] = {
            name: np.zeros_like(value) for name, value in self.values.items()
        }
        self._steps = 0

    def step(self, slopes: Mapping[str, NDArray[Any]], rate: float) -> None:
        self._steps += 1
        for name, slope in slopes.items():
            self._mean[name] = (0.9 * self._mean[name] + 0.1 * slope).astype(np.float32)
            self._square[name] = (0.999 * self._square[name] + 0.001 * slope**2).astype(np.float32)
            mean = self._mean[name] / (1 - 0.9**self._steps)
            square = self._square[name] / (1 - 0.999**self._steps)
            change = rate * mean / (np.sqrt(square) + 1e-8)
            self.values[name] = (self.values[name] - change).astype(np.float32)


def batches(
    chance: np.random.Generator, count: int, epoch: int, epochs: int
) -> Iterator[tuple[NDArray[np.int64], float]]:
    """Yield random batches of the numbers below `count`, each with a learning-rate factor."""
    order = chance.permutation(count)
    for at in range(0, count, BATCH):
        gone = (epoch + at / count) / epochs
        yield np.sort(order[at : at + BATCH]), 1 - (1 - LAST_RATE) * gone
