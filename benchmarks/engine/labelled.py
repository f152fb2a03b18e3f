"""Makes labelled positions from the engine's games against itself."""

import math
import os
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Final, NamedTuple, TypeVar

from bestmove.game import Board
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.results import Found
from bestmove.search.scores import is_proven

SIZE: Final = 15
UNIT: Final = 256
"""A weight of UNIT adds 1 to the natural logarithm of the odds."""

ODDS: Final = 275
"""The search value at which the odds to win are e to 1, as measured in games."""

CLIP: Final = 6.0
"""The logarithm of the odds is clipped to this magnitude."""

SEEN_BY_A_LEAF: Final = 60
"""Positions that a search proves in fewer nodes than this are left out."""

PLAY_NODES: Final = 1_500
"""In `off_line`, each search for a move visits PLAY_NODES nodes times a random factor (½ to 2)."""

GAME_NODES: Final = (2_400, 6_400)
"""In `whole_games`, each search for a move visits a random number of nodes in this range, so games
differ."""

EVEN: Final = 400
"""A game of `whole_games` begins at a position whose value is at most this for the better side."""

LAST_EMPTY: Final = 60
"""A game of `whole_games` counts as drawn when fewer cells than this are empty."""

RESULT_SHARE: Final = 0.5
"""The share of the game's result in a label. Labels from searches alone would repeat the mistakes
of the searches."""

PART: Final = 2_000

Made = TypeVar("Made")


class Labelled(NamedTuple):
    """A position and its label.

    Attributes:
        cells, to_move: the position as the engine encodes it.
        chance: the chance that the side to move wins.
        move: the index of the move that the search chose.
    """

    cells: bytes
    to_move: int
    chance: float
    move: int


def in_parts(make: Callable[[int, int], Made], positions: int, seed: int) -> Iterator[Made]:
    parts = max(1, positions // PART)
    seeds = range(seed * 100_000, seed * 100_000 + parts)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        yield from pool.map(make, seeds, [positions // parts] * parts)


def off_line(
    chance: random.Random, engine: GomokuEngine, nodes: int, aside_by: tuple[int, ...]
) -> Iterator[Labelled]:
    """Yield labelled positions of games, without end. Random moves are added to many positions, so
    that they resemble the positions in a search."""
    for board in _aside(chance, GomokuEngine(SIZE, SIZE, 5, 15), aside_by):
        cells, to_move = encoded(board.cells, board.turn)
        label = engine.search(Task(cells, to_move, nodes=nodes))
        if not _is_seen_by_a_leaf(label):
            yield Labelled(cells, to_move, _chance_to_win(label), label.pv[0])


def whole_games(chance: random.Random, engine: GomokuEngine, nodes: int) -> Iterator[Labelled]:
    """Yield labelled positions without end, from games with balanced openings. A label combines the
    value of a search and the result of the game."""
    while True:
        board = _opening(chance, 2, 9)
        found = engine.search(Task(*encoded(board.cells, board.turn), nodes=nodes))
        if abs(found.value) > EVEN:
            continue
        made: list[tuple[bytes, int, Found]] = []
        while not board.is_over and board.cells.count(".") >= LAST_EMPTY:
            cells, to_move = encoded(board.cells, board.turn)
            found = engine.search(Task(cells, to_move, nodes=chance.randrange(*GAME_NODES)))
            made.append((cells, to_move, found))
            if abs(found.value) > parameters.CERTAIN:
                break
            board = board.play(found.pv[0])
        last_to_move = made[-1][1]
        won = 0.5 if abs(found.value) <= parameters.CERTAIN else float(found.value > 0)
        for cells, to_move, found in made:
            if not _is_seen_by_a_leaf(found):
                result = won if to_move == last_to_move else 1 - won
                label = (1 - RESULT_SHARE) * _chance_to_win(found) + RESULT_SHARE * result
                yield Labelled(cells, to_move, label, found.pv[0])


def _aside(
    chance: random.Random, engine: GomokuEngine, aside_by: tuple[int, ...]
) -> Iterator[Board]:
    while True:
        board = _opening(chance, 1, 8)
        while not board.is_over and board.cells.count(".") > 100:
            for _ in range(2):
                aside = board
                for _ in range(chance.choice(aside_by)):
                    aside = aside if aside.is_over else aside.play(_tried(chance, engine, aside))
                if not aside.is_over:
                    yield aside
            nodes = int(PLAY_NODES * chance.uniform(0.5, 2))
            found = engine.search(Task(*encoded(board.cells, board.turn), nodes=nodes))
            if found.exact:
                break
            board = board.play(found.pv[0])


def _opening(chance: random.Random, least: int, below: int) -> Board:
    board = Board.empty(SIZE, SIZE)
    board = board.play(chance.randrange(3, 12) * SIZE + chance.randrange(3, 12))
    for _ in range(chance.randrange(least, below)):
        board = board.play(chance.choice(near(encoded(board.cells, board.turn)[0])))
    return board


def near(cells: bytes) -> list[int]:
    marked = [divmod(at, SIZE) for at, mark in enumerate(cells) if mark]
    return [
        at
        for at, mark in enumerate(cells)
        if not mark
        and any(max(abs(at // SIZE - row), abs(at % SIZE - column)) <= 2 for row, column in marked)
    ]


def _tried(chance: random.Random, engine: GomokuEngine, board: Board) -> int:
    """Choose a move that a search may try: a random cell near a mark or, more often, the most
    promising of three such cells."""
    encoded_cells, _ = encoded(board.cells, board.turn)
    cells = near(encoded_cells)
    if chance.random() < 0.3:
        return chance.choice(cells)
    engine.kernel.set_up(encoded_cells)
    classes = engine.kernel.classes()

    def promise(at: int) -> int:
        seen = classes[at]
        return max(seen[2:]) if seen else 0

    return max(chance.sample(cells, min(3, len(cells))), key=promise)


def _is_seen_by_a_leaf(found: Found) -> bool:
    return is_proven(found.value) and found.nodes < SEEN_BY_A_LEAF


def _chance_to_win(found: Found) -> float:
    return 1 / (1 + math.exp(-max(-CLIP, min(CLIP, found.value / ODDS))))
