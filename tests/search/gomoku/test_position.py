"""Everything that a position stores stays correct when moves are made and taken back."""

import random
from typing import Any

import pytest

from bestmove.search.engines.gomoku import position
from tests.support.builds import interpreted
from tests.support.oracle import Game, Position, Shape


def state(position: Any) -> dict[str, object]:
    """Return all fields that a move can change.

    The classes of marked cells are left out, because they are not kept up to date.
    """
    empty = [cell for cell in range(421) if position.board[cell] == 0]
    made = position.made * 8
    return {
        "board": list(position.board),
        "marks": list(position.line_marks),
        "lines": {cell: position.line_classes[4 * cell : 4 * cell + 4] for cell in empty},
        "combinations": {cell: position.line_sums[cell] for cell in empty},
        "counts": list(position.count),
        "sums": list(position.sums),
        "groups": position.group[:64],
        "near": list(position.near[made : made + 8]),
        "taken": list(position.taken),
        "hash": position.hash,
        "empty": position.empty,
    }


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize(
    "shape", [(3, 3, 3), (5, 4, 4), (7, 7, 5), (1, 9, 3), (6, 6, 2), (8, 9, 9), (15, 15, 5)]
)
def test_a_position_after_moves_equals_one_set_up_anew(shape: Shape, overline: bool) -> None:
    rows, columns, _ = shape
    rng = random.Random(sum(shape))
    build = interpreted("bestmove.search.engines.gomoku.position")
    position, fresh = (build.Position(*shape, overline) for _ in range(2))
    for _ in range(4):
        cells = bytearray(rows * columns)
        position.set_up(bytes(cells))
        made: list[int] = []
        for _ in range(50):
            empty = [index for index, mark in enumerate(cells) if mark == 0]
            if made and (not empty or rng.random() < 0.3):
                position.take_back()
                cells[made.pop()] = 0
            else:
                index, side = rng.choice(empty), rng.randrange(2)
                position.play(index, side)
                cells[index] = side + 1
                made.append(index)
        fresh.set_up(bytes(cells))
        assert state(position) == state(fresh)


def test_a_mark_completes_a_line_if_the_rules_say_so() -> None:
    rng = random.Random(6)
    for _ in range(50):
        rows, columns = rng.randint(2, 20), rng.randint(2, 20)
        k = rng.randint(2, min(max(rows, columns), 7))
        own, share = rng.choice((0.5, 0.8)), rng.random()
        weights = 1 - share, share * own, share * (1 - own)
        text = "".join(rng.choices(".XO", weights, k=rows * columns))
        for overline in (True, False):
            at = Position.of(Game(rows, columns, k, overline=overline), text, 1)
            one = position.Position(rows, columns, k, overline)
            one.set_up(at.cells)
            for index in at.moves:
                assert one.completes(index, 0) == at.wins(index)
                assert one.completes(index, 1) == at.game.completes(at.other | 1 << index, index)


@pytest.mark.parametrize(
    "size", [(0, 3, 3, True), (3, 21, 3, True), (3, 3, 0, True), (20, 20, 19, False)]
)
def test_a_size_beyond_the_limits_is_refused(size: tuple[int, int, int, bool]) -> None:
    with pytest.raises(ValueError, match="the engine does not fit this board"):
        position.Position(*size)
