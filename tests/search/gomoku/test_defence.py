"""Proven wins are over within their plies, whatever the loser does: played out by the rules."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bestmove.game import Board
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.defence import LongestDefence
from bestmove.search.engines.gomoku.driver import Engine
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.results import Found
from bestmove.search.scores import WIN, is_proven
from tests.support.oracle import Game, Position, Shape
from tests.support.won_positions import positions

SHAPES: list[Shape] = [
    (5, 5, 4),
    (5, 5, 3),
    (6, 6, 4),
    (7, 7, 5),
    (6, 7, 4),
    (9, 9, 5),
    (10, 10, 4),
]


NOT_WON = 1_000
"""Plies that no win has."""


class Replay:
    """Plays the winner's moves of a `LongestDefence` against every legal reply."""

    def __init__(self, game: Game, played: LongestDefence, winner: int) -> None:
        self.game = game
        self.winner = winner
        # Where the winner moved, and how: the first move of each line that was kept.
        self.moves = {
            (x, o): told.line[0]
            for (x, o, turn, side), told in played._known.items()
            if turn == side == winner
        }
        self.alike: dict[int, list[tuple[int, int]]] = {}
        for marks, move in self.moves.items():
            self.alike.setdefault(marks[winner], []).append((marks[1 - winner], move))
        self.known: dict[tuple[int, int], int] = {}

    def plies(self, marks: tuple[int, int]) -> int:
        """Plies until the winner, to move, has won, at most; `NOT_WON` where he does not.

        After a reply that was left out he plays as if the loser's marks stood elsewhere.
        """
        if marks not in self.known:
            mine, yours = marks[self.winner], marks[1 - self.winner]
            at_once = self.win_at_once(mine, yours)
            if at_once:
                self.known[marks] = at_once
            elif marks in self.moves:
                self.known[marks] = 1 + self.longest(mine | 1 << self.moves[marks], yours)
            else:
                moves = {
                    move
                    for others, move in self.alike.get(mine, ())
                    if (others ^ yours).bit_count() <= 4 and not yours >> move & 1
                }
                self.known[marks] = 1 + min(
                    (self.longest(mine | 1 << move, yours) for move in moves), default=NOT_WON
                )
        return self.known[marks]

    def longest(self, mine: int, yours: int) -> int:
        """The same where the loser is to move."""
        if self.rests(yours, mine, 1) or self.game.has_line(mine):
            return NOT_WON
        longest = 0
        for reply in self.free(mine, yours):
            after = yours | 1 << reply
            marks = (mine, after) if self.winner == 0 else (after, mine)
            longest = max(longest, 1 + self.plies(marks))
            if longest >= NOT_WON:
                break
        return longest or NOT_WON

    def win_at_once(self, mine: int, yours: int) -> int:
        """1 or 3 plies where a line lacks a cell, or one move makes two that do; else 0."""
        if self.rests(mine, yours, 1):
            return 1
        ends = self.rests(yours, mine, 1)
        pairs = self.rests(mine, yours, 2)
        forks = 0
        for one in pairs:
            for two in pairs:
                if one != two:
                    forks |= one & two
        for end in ends:
            forks &= end
        return 3 if forks else 0

    def rests(self, mine: int, yours: int, count: int) -> set[int]:
        """What the lines lack that lack so many cells."""
        return {
            line & ~mine
            for line, ends in self.game.ends.items()
            if not line & yours
            and (line & ~mine).bit_count() == count
            and (self.game.overline or not ends & mine)
        }

    def free(self, mine: int, yours: int) -> list[int]:
        return [i for i in range(self.game.size) if not (mine | yours) >> i & 1]


def check(game: Game, cells: bytes, side: int, told: Found, played: LongestDefence) -> None:
    """The value is right by the rules, and the line is one of its length."""
    marks = [sum(1 << i for i, mark in enumerate(cells) if mark == 1 + who) for who in (0, 1)]
    winner = side if told.value > 0 else 1 - side
    replay = Replay(game, played, winner)
    if winner == side:
        replay.moves[marks[0], marks[1]] = told.pv[0]
        plies = replay.plies((marks[0], marks[1]))
    else:
        plies = replay.longest(marks[winner], marks[side])
    assert plies == WIN - abs(told.value) == len(told.pv)
    turn = side
    for step, move in enumerate(told.pv, 1):
        assert not (marks[0] | marks[1]) >> move & 1
        marks[turn] |= 1 << move
        assert game.completes(marks[turn], move) == (step == len(told.pv))
        turn = 1 - turn


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize(
    "number", [1, 2, *(pytest.param(n, marks=pytest.mark.slow) for n in (5, 8, 13, 21, 34))]
)
def test_forced_wins_of_games_are_over_in_time(number: int, overline: bool) -> None:
    board = positions(overline)[number]
    rules = board.rules
    cells, mover = encoded(board.cells, board.turn)
    engine = Engine(rules.rows, rules.columns, rules.k, overline=overline)
    found = engine.search(Task(cells, mover, nodes=100_000))
    assert is_proven(found.value)
    played = LongestDefence(engine.kernel, cells, None, {})
    told = played.confirmed(mover - 1, found, is_best=True)
    assert told.exact
    check(
        Game(rules.rows, rules.columns, rules.k, overline=overline), cells, mover - 1, told, played
    )


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize("shape", SHAPES)
def test_what_a_search_proves_is_over_in_time(shape: Shape, overline: bool) -> None:
    rng = random.Random(sum(shape))
    game = Game(*shape, overline=overline)
    engine = Engine(*shape, 16, overline=overline)
    proven = 0
    while proven < 20:
        cells = crowded(rng, game)
        if cells is None:
            continue
        found = engine.search(Task(cells, 1, nodes=5_000, depth=rng.randint(1, 5)))
        if not is_proven(found.value):
            continue
        played = LongestDefence(engine.kernel, cells, None, {})
        told = played.confirmed(0, found, is_best=True)
        if told.exact:
            proven += 1
            check(game, cells, 0, told, played)


def crowded(rng: random.Random, game: Game) -> bytes | None:
    """Marks close together, so that somebody soon wins; None where somebody has."""
    rows, columns, _ = game.shape
    at = game.crowded(rng, rng.randint(3, min(rows, 7) * min(columns, 7) // 2), box=7)
    return None if at is None else Position(game, at.own, at.other).cells


@pytest.mark.parametrize("shape", [(4, 5, 4), (5, 4, 4), (4, 5, 3), (2, 9, 3)])
def test_no_bound_is_below_the_exact_distance(shape: Shape) -> None:
    rng = random.Random(5)
    engine, solver, game = Engine(*shape, 16), Solver(*shape, 16), Game(*shape)
    lost = won = 0
    while lost < 50 or won < 50:
        cells = crowded(rng, game)
        if cells is None:
            continue
        found, _, _ = engine.search_moves(Task(cells, 1, nodes=5_000, depth=3))
        played = LongestDefence(engine.kernel, cells, None, {})
        truth = {known.pv[0]: known for known in solver.every(Task(cells, 1)).found}
        for move in found:
            told = played.confirmed(0, move, is_best=False)
            assert told.pv[0] == move.pv[0]
            if not told.exact or told.value == 0:
                continue
            lost += told.value < 0
            won += told.value > 0
            value = truth[move.pv[0]].value
            assert (value > 0) == (told.value > 0)
            assert abs(value) >= abs(told.value)
            assert len(told.pv) == WIN - abs(told.value)


@pytest.mark.parametrize("shape", [(4, 5, 4), (4, 5, 3), (5, 5, 4), (3, 7, 4)])
def test_only_moves_that_win_are_proven_by_zones(shape: Shape) -> None:
    rng = random.Random(9)
    engine, solver, game = Engine(*shape, 16), Solver(*shape, 16), Game(*shape)
    presumed = parameters.PRESUMED - 1
    proven = 0
    while proven < 30:
        cells = crowded(rng, game)
        if cells is None:
            continue
        found = engine.search(Task(cells, 1, nodes=2_000, depth=2))
        truth = {known.pv[0]: known.value for known in solver.every(Task(cells, 1)).found}
        for move, value in truth.items():
            played = LongestDefence(engine.kernel, cells, None, {})
            told = played.proven(0, replace(found, value=presumed, exact=False, pv=(move,)))
            if told is not None:
                proven += 1
                assert value > 0
                assert told.pv[0] == move
                mine, yours = (
                    sum(1 << i for i, mark in enumerate(cells) if mark == who) for who in (1, 2)
                )
                if not game.completes(mine | 1 << move, move):
                    plies = 1 + Replay(game, played, 0).longest(mine | 1 << move, yours)
                    assert plies <= len(told.pv)


@pytest.mark.parametrize(
    ("text", "truth"), [("XO.O.OO.XO.O.X..X..X.XX.", 9), ("X.XXO.O..XO...OX.OXXO..O", 9)]
)
def test_wins_that_were_told_too_short(text: str, truth: int) -> None:
    lead = "." if text.startswith("XO.O") else "X"
    board = Board.parse(lead + text, k=4)
    cells, mover = encoded(board.cells, board.turn)
    engine = Engine(5, 5, 4)
    found = engine.search(Task(cells, mover, depth=3))
    told = LongestDefence(engine.kernel, cells, None, {}).confirmed(mover - 1, found, is_best=True)
    assert told.exact
    assert WIN - told.value >= truth


def test_what_cannot_be_confirmed_becomes_an_estimate() -> None:
    board = next(iter(positions()))
    cells, mover = encoded(board.cells, board.turn)
    engine = Engine(15, 15, 5)
    found = engine.search(Task(cells, mover, nodes=100_000))
    played = LongestDefence(engine.kernel, cells, None, {}, most_positions=3)
    told = played.confirmed(mover - 1, found, is_best=True)
    assert found.exact
    assert not told.exact
    assert not is_proven(told.value)
    assert told.value > 0
    assert told.pv == found.pv
    # The board is as it was.
    told = LongestDefence(engine.kernel, cells, None, {}).confirmed(mover - 1, found, is_best=True)
    assert told.exact
