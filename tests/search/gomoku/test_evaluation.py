"""The fitted numbers: the weights of cells, the network that corrects their sum, and the policy."""

import random
from array import array
from itertools import islice

import pytest

from bestmove.search.common.layer import layer
from bestmove.search.engines.gomoku import network, patterns, weights
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.search import Search
from tests.support.oracle import Game, Position, Shape

# The evaluation.


@pytest.mark.parametrize("shape", [(15, 15, 5), (9, 9, 4), (11, 7, 6)])
def test_the_sum_is_the_weight_of_the_cells_and_little_else(shape: Shape) -> None:
    rng = random.Random(17)
    engine = GomokuEngine(*shape, 4)
    for at in islice(Game(*shape).crowds(rng, 2, 19), 60):
        cells = at.cells
        sums = [0, 0]
        engine.kernel.set_up(cells)
        for cell in filter(None, engine.kernel.classes()):
            for side in range(2):
                sums[side] += weights.cell_tables()[1][cell[side]]
        for side in range(2):
            value = engine.kernel.weighted_sum(side)
            cells_alone = sums[side] - sums[1 - side]
            assert 130 <= value - cells_alone <= 500, (value, cells_alone)


def some_position(seed: int) -> Position:
    return next(Game(15, 15, 5).crowds(random.Random(seed), 2, 19, box=7))


@pytest.mark.parametrize("seed", range(10))
def test_images_and_exchanged_colours_are_worth_the_same(seed: int) -> None:
    at = some_position(seed)
    rows = [at.cells[start : start + 15] for start in range(0, 225, 15)]
    turned = b"".join(bytes(column[::-1]) for column in zip(*rows, strict=True))
    mirrored = b"".join(row[::-1] for row in rows)
    kernel = Search(15, 15, 5, 4)
    worth = set()
    for cells in (at.cells, turned, mirrored):
        kernel.set_up(cells)
        worth.add(kernel.evaluation(at.to_move - 1))
        kernel.set_up(cells.translate(bytes([0, 2, 1]) + bytes(253)))
        worth.add(kernel.evaluation(2 - at.to_move))
    assert len(worth) == 1


def test_cells_without_marks_on_their_lines_have_no_features() -> None:
    numbers = network.network()
    for classes in ((0, 0, 0, 0), (1, 1, 1, 1), (2, 2, 2, 2), (0, 1, 2, 2)):
        at = 2 * patterns.COMBINATIONS.index(classes)
        assert numbers.features[at] == numbers.features[at + 1] == 0
    assert numbers.features[2 * patterns.COMBINATIONS.index((0, 0, 2, 8))] != 0


def test_the_sums_have_room_in_their_words() -> None:
    features = network.network().features
    most = 0
    for seed in range(40):
        kernel = Search(15, 15, 5, 4)
        kernel.set_up(some_position(seed).cells)
        for side in (0, 1):
            sums = [0] * network.FEATURES
            for seen in kernel.classes():
                for place in range(network.FEATURES):
                    if place % network.WORD_FEATURES == 0:
                        half = place // network.WORD_FEATURES
                        word = 0 if seen is None else features[2 * seen[side] + half]
                    low = ((word + 32768) & 0xFFFF) - 32768
                    sums[place] += low
                    word = (word - low) >> network.PLACE_BITS
            most = max(most, *map(abs, sums))
    assert 0 < most < 16384


def test_a_file_of_another_length_is_refused() -> None:
    with pytest.raises(ValueError, match="3 numbers, not"):
        network.unpacked(array("h", [1, 2, 3]))


def test_a_layer_adds_what_its_active_neurons_give() -> None:
    """A neuron gives 0 to 32,767. The inputs are -2, 3, 0, -1, eleven zeros and 7."""
    words = [0xFFFF_0000_0003_FFFE, 0, 0, 7 << 48]
    active, idle, too_great = [256 * 10, -256, 0, 512, *([0] * 11), -256], [1] * 16, [9000] * 16
    rows = [active, idle, too_great, *([[0] * 16] * 5)]
    weights = [row[2 * pair + odd] for pair in range(8) for row in rows for odd in (0, 1)]
    biases = [256 * 100, -256 * 8, 1 << 24, 0, 0, 0, 0, 256]
    # The first neuron gives 100 + (-2 × 2560 - 3 × 256 - 1 × 512 - 7 × 256) / 256 = 68.
    assert layer(words, weights, biases, [512, 512, 256, 0, 0, 0, 0, -1], 8) == (
        (68 * 512 + 32_767 * 256 - 1) >> 8
    )


# The policy.


def first_moves(rows: str, side: int, count: int = 1, k: int = 5) -> list[int]:
    lines = rows.split("/")
    engine = GomokuEngine(len(lines), len(lines[0]), k, 8)
    engine.kernel.begin(bytes(".XO".index(mark) for mark in "".join(lines)), None, None)
    moves: list[int] = engine.kernel.all_moves(side)
    return moves[:count]


@pytest.mark.parametrize("k", [4, 5, 6])
def test_a_win_comes_before_a_defence_and_that_before_all_others(k: int) -> None:
    n = 2 * k + 2
    empty = "." * n
    mine = "X" * (k - 1) + "." * (n - k + 1)
    theirs = "." * (n - k) + "." + "O" * (k - 1)
    board = "/".join([empty, mine, *[empty] * (n - 4), theirs, empty])
    win, defence = n + k - 1, n * (n - 2) + n - k
    assert first_moves(board, 0, 2, k) == [win, defence]
    assert first_moves(board, 1, 2, k) == [defence, win]


def test_an_open_three_is_answered_beside_it() -> None:
    empty = "." * 15
    rows = [*[empty] * 6, "........O......", "......XXX......", "......O........", *[empty] * 6]
    answers = set(first_moves("/".join(rows), 1, 4))
    assert answers <= {7 * 15 + column for column in (4, 5, 9, 10)}
