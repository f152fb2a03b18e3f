"""The kernel, with all its rules for pruning, agrees with a slow search.

The tests use the interpreted build: Python cannot call a single rule of the compiled build.
"""

import random
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from bestmove.game import Rules
from tests.support import oracle
from tests.support.builds import interpreted
from tests.support.needs import THIRDS
from tests.support.oracle import Game, Shape

PLAIN = interpreted("bestmove.search.engines.solver.kernel")


class SlowDuel(Game):
    """A slow search that finds in how many plies the attacker forces a line (0: never).

    With `blocks_only`, lines of the defender do not count.
    """

    def __init__(self, shape: Shape, *, blocks_only: bool = False) -> None:
        super().__init__(*shape)
        self.blocks_only = blocks_only
        self.attack = cache(self._attack)
        self.defend = cache(self._defend)

    def _attack(self, attacker: int, defender: int) -> int:
        best = 0
        for move in self.moves(attacker | defender):
            marks = attacker | 1 << move
            if self.completes(marks, move):
                return 1
            plies = self.defend(marks, defender)
            if plies and (best == 0 or plies + 1 < best):
                best = plies + 1
        return best

    def _defend(self, attacker: int, defender: int) -> int:
        longest = 0
        for move in self.moves(attacker | defender):
            marks = defender | 1 << move
            if not self.blocks_only and self.completes(marks, move):
                return 0
            plies = self.attack(attacker, marks)
            if plies == 0:
                return 0
            longest = max(longest, plies + 1)
        return longest


def positions(seed: int, count: int, most_empty: int = 8) -> Iterator[tuple[Shape, int, int]]:
    """Yield random positions. Any number of marks is possible, because sides may pass."""
    for at in oracle.positions(random.Random(seed), count, most_empty, rules=[{}]):
        yield at.game.shape, at.own, at.other


def begun(shape: Shape, table_bits: int = 6) -> Any:
    searcher = PLAIN.SolverKernel(*shape, table_bits)
    searcher.begin(None, None)
    return searcher


@THIRDS
def test_a_cell_in_all_lines_of_another_cell_is_at_least_as_good(third: int) -> None:
    surpassed = 0
    for shape, attacker, defender in positions(12 + 100 * third, 500, 8):
        searcher = begun(shape)
        searcher._place(attacker, defender)
        searcher._weigh(0, 127, False)
        searcher._weigh(1, 127, True)
        duel = SlowDuel(shape)
        live = searcher._cells[0] | searcher._cells[1]
        stay = [i for i in duel.moves(attacker | defender) if not searcher._surpassed_by(i)]
        for cell in duel.moves(attacker | defender):
            bit = 1 << cell
            better = searcher._surpassed_by(cell) if live & bit else 0
            # If several cells have all their lines in common, one of them stays.
            assert not better or any(searcher._common[cell] >> i & 1 for i in stay)
            if not better or duel.has_line(attacker | bit) or duel.has_line(defender | bit):
                continue
            if duel.has_line(attacker | better) or duel.has_line(defender | better):
                continue
            surpassed += 1
            worse, win = (duel.defend(attacker | mark, defender) for mark in (bit, better))
            assert not worse or 0 < win <= worse
            longer, loss = (duel.attack(attacker, defender | mark) for mark in (bit, better))
            assert not loss or 0 < longer <= loss
    assert surpassed > 150


@pytest.mark.parametrize("blocks_only", [False, True])
def test_the_bounded_search_equals_the_slow_one(blocks_only: bool) -> None:
    for shape, attacker, defender in positions(7, 2_000):
        duel = SlowDuel(shape, blocks_only=blocks_only)
        searcher = begun(shape)
        for turn in (0, 1):
            slow = (duel.defend if turn else duel.attack)(attacker, defender)
            for n in (*range(1 + turn, 9, 2), 127 - turn):
                value = searcher.ask(attacker, defender, turn, n, 1 << 60, blocks_only)
                if 0 < slow <= n:
                    assert slow <= value <= n
                else:
                    assert value <= 0
                    if value == -1:
                        assert slow == 0


def test_a_new_question_uses_nothing_that_was_found_before() -> None:
    rng = random.Random(11)
    shape = (5, 4, 4)
    game, used = Game(*shape), PLAIN.SolverKernel(*shape, 4)
    for _ in range(30):
        defender, attacker = game.random_marks(rng, rng.choice((3, 4, 5)))
        if game.has_line(attacker) or game.has_line(defender):
            continue
        found = []
        for searcher in (PLAIN.SolverKernel(*shape, 4), used, used):
            searcher.begin(None, None)
            value = searcher.ask(attacker, defender, 0, 127, 1 << 60, False)
            move = searcher.best if value > 0 else None
            found.append((value, move, searcher.nodes, searcher.table_hits))
        assert found[0] == found[1] == found[2]


def test_an_image_of_a_position_has_the_same_entry() -> None:
    for shape, attacker, defender in positions(10, 100, 10):
        searcher = begun(shape, 10)
        value = searcher.ask(attacker, defender, 0, 127, 1 << 60, False)
        duel = SlowDuel(shape)
        for symmetry in Rules(*shape).geometry.symmetries:
            moved = [symmetry.image_of(marks) for marks in (attacker, defender)]
            again = searcher.ask(*moved, 0, 127, 1 << 60, False)
            assert (again > 0) == (value > 0)
            if again > 1:
                after = moved[0] | 1 << searcher.best
                assert 0 < duel.defend(after, moved[1]) < again
