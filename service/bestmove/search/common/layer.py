"""`layer` for kernels that run as plain Python. Compiled kernels use `layer.pxd`."""

from __future__ import annotations

from collections.abc import Sequence

_MAX = 32_767  # The largest signed 16-bit number, and the largest value of a neuron.
_UNIT_BITS = 8


def layer(
    words: Sequence[int],
    weights: Sequence[int],
    biases: Sequence[int],
    outputs: Sequence[int],
    neurons: int,
) -> int:
    """Return the output of a hidden layer of rectified neurons.

    All numbers are in units of 1 / 256, except the biases: these are in units of 1 / 256**2.

    Args:
        words: 16 signed 16-bit inputs, four in each word, the first in its lowest bits.
        weights: the weight of input i for neuron j has the index
            2 * (i // 2 * neurons + j) + i % 2.
        biases: the bias of each neuron.
        outputs: the weight of each neuron in the output.
        neurons: the number of neurons, a multiple of 8.
    """
    inputs = []
    for word in words:
        for place in range(0, 64, 16):
            value = (word >> place) & 0xFFFF
            inputs.append(value - 0x10000 if value > _MAX else value)
    total = 0
    for j in range(neurons):
        neuron = biases[j]
        for i, value in enumerate(inputs):
            neuron += value * weights[2 * (i // 2 * neurons + j) + i % 2]
        total += min(max(neuron >> _UNIT_BITS, 0), _MAX) * outputs[j]
    return total >> _UNIT_BITS
