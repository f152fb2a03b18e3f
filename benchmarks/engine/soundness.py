"""May a claim of proof be believed? Random positions, every claim checked by another road.

    python -m benchmarks.engine.soundness --positions 10000
    python -m benchmarks.engine.soundness --distances 100000
    python -m benchmarks.engine.soundness --exactly

Each position comes from random play, so that it is sharp and uneven as no book's positions are:

- few empty cells: the answer of the door against trying everything;
- up to 64 cells: what the engine alone claims against the solver, which shares no code with it,
  and the solver's claims against the engine's; where exactly k win, the general engine is the
  solver;
- larger boards: each claimed win is played out, the winner by the engine and the loser by the
  engine's best defence and by random defences; the claim must be kept at every turn, and the game
  end in the claimed number of plies at the latest.

`--distances` holds what is claimed of boards up to 5×5, by depth, nodes and time, of the position
and of every move, by the door and by the engine alone, against slow minimax: no result may be
wrong, and no number of plies too short. With `--exactly` more than k in a row do not win.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections import Counter
from collections.abc import Iterator

from bestmove.game import Board, Rules
from bestmove.search.analysis import analyze, best_move
from bestmove.search.budget import encoded
from bestmove.search.general.engine import Engine as GeneralEngine
from bestmove.search.gomoku.driver import Engine
from bestmove.search.limits import Limits
from bestmove.search.results import Found
from bestmove.search.scores import is_proven, plies_to_end
from bestmove.search.solver.proof import Solver
from tests.support.oracle import Game, positions

SMALL_NODES = 300_000
ENGINE_NODES = 20_000
SOLVER_NODES = 1_000_000
GENERAL_NODES = 50_000
LARGE_NODES = 20_000
DEFENCES = 3
MOST_EMPTY = 10
"""Cells that slow minimax can fill in every way."""


def random_position(dice: random.Random, largest: int, overline: bool) -> Board:
    """A position in progress, reached by random moves that mostly stay near the others."""
    while True:
        rows, columns = dice.randint(1, largest), dice.randint(1, largest)
        k = min(dice.choice([2, 3, 3, 4, 4, 4, 5, 5, 5, 6, 7]), max(rows, columns))
        board = Board.empty(rows, columns, k, dice.choice("XO"), overline=overline)
        for _ in range(dice.randrange(rows * columns)):
            if board.is_over:
                break
            board = board.play(_natural(dice, board))
        if not board.is_over:
            return board


def _natural(dice: random.Random, board: Board) -> int:
    marked = [index for index, mark in enumerate(board.cells) if mark != "."]
    if marked and dice.random() < 0.8:
        row, column = board.rules.coordinates(dice.choice(marked))
        near = [
            index
            for index in board.moves
            if abs(index // board.rules.columns - row) <= 2
            and abs(index % board.rules.columns - column) <= 2
        ]
        if near:
            return dice.choice(near)
    return dice.choice(board.moves)


def check_small(board: Board) -> str:
    """The door against trying everything."""
    answer = best_move(board, Limits(time_ms=None, nodes=SMALL_NODES))
    if not answer.exact:
        return "small, open"
    rules = board.rules
    marks = {
        mark: sum(1 << at for at, found in enumerate(board.cells) if found == mark) for mark in "XO"
    }
    own = board.turn or "X"
    game = Game(rules.rows, rules.columns, rules.k, overline=rules.overline)
    truth = sign(game.value(marks[own], marks["XO".replace(own, "")]))
    require(answer.score == (truth if own == "X" else -truth), board, f"{answer.score}, {truth}")
    return "small, checked"


def check_medium(board: Board) -> str:
    """The engine and the solver, which share no code."""
    rules = board.rules
    cells, mover = encoded(board.cells, board.turn)
    shape = (rules.rows, rules.columns, rules.k)
    played = Engine(*shape, overline=rules.overline).search(cells, mover, nodes=ENGINE_NODES)
    proven: Found | None
    if rules.overline:
        proven = Solver(*shape).solve(cells, mover, nodes=SOLVER_NODES)
    else:
        proven = GeneralEngine(*shape, overline=False).search(cells, mover, nodes=GENERAL_NODES)
        proven = proven if proven.exact else None
    for found in (played, proven):
        if found is not None and found.exact:
            check_line(board, found)
    if proven is None or not played.exact:
        return "medium, one road only" if proven is not None or played.exact else "medium, open"
    require(sign(played.value) == sign(proven.value), board, f"{played} and {proven}")
    return "medium, checked"


def check_large(board: Board, dice: random.Random) -> str:
    """A claimed win is played out."""
    answer = best_move(board, Limits(time_ms=None, nodes=LARGE_NODES))
    if answer.outcome != "win":
        require(not answer.exact or answer.outcome in ("loss", "draw"), board, "outcome")
        return f"large, {answer.outcome}"
    for defence in range(DEFENCES):
        play_out(board, answer.plies or 0, dice, best_defence=defence == 0)
    return "large, played out"


def play_out(board: Board, plies: int, dice: random.Random, *, best_defence: bool) -> None:
    """The engine must go on to claim the win, and win in time."""
    winner, position, left = board.turn, board, plies
    while not position.is_over:
        answer = best_move(position, Limits(time_ms=None, nodes=10 * LARGE_NODES))
        if position.turn == winner:
            require(answer.outcome == "win", position, f"the win of {board!r} is lost: {answer}")
            move = answer.move
        elif best_defence:
            move = answer.move
        else:
            move = _natural(dice, position)
        assert move is not None
        position = position.play(move)
        left -= 1
        require(position.winner == winner or len(position.moves) > 0, position, "no win")
    require(position.winner == winner, board, "the game ended otherwise")


def check_line(board: Board, found: Found) -> None:
    """A proven win's or loss's line is legal, as long as it says and ends the game."""
    if found.value == 0:
        return
    position = board
    for move in found.pv:
        position = position.play(move)
    won_by_mover = found.value > 0
    require((position.winner == board.turn) == won_by_mover, board, f"line {found}")
    require(position.winner is not None, board, f"line {found}")


def sign(value: int) -> int:
    return (value > 0) - (value < 0)


def require(holds: bool, board: Board, what: str) -> None:
    if not holds:
        raise SystemExit(f"WRONG: {board!r}: {what}")


def run(positions: int, seed: int, overline: bool) -> Iterator[str]:
    """What was checked of each position."""
    dice = random.Random(seed)
    for number in range(positions):
        share = number % 10
        if share < 5:
            board = random_position(dice, 4 + number % 2, overline)
            if board.cells.count(".") > 10:
                yield check_medium(board)
            else:
                yield check_small(board)
        elif share < 9:
            yield check_medium(random_position(dice, 8, overline))
        else:
            yield check_large(random_position(dice, 19, overline), dice)


def some_limits(dice: random.Random) -> Limits:
    """A small budget of any kind."""
    kind = dice.randrange(4)
    if kind == 0:
        return Limits(depth=dice.randint(1, 6))
    if kind == 1:
        return Limits(time_ms=None, nodes=dice.choice((20, 200, 2_000, 20_000)))
    if kind == 2:
        return Limits(time_ms=dice.randint(1, 10))
    return Limits(time_ms=dice.randint(1, 20), reproducible=True)


def check_distances(dice: random.Random, overline: bool) -> Counter[str]:
    """All that is claimed of one position, against slow minimax."""
    (at,) = positions(dice, 1, MOST_EMPTY, rules=[{"overline": overline}])
    truth = {move: at.value_of(move) for move in at.moves}
    board = Board(at.text, Rules.of(*at.game.shape, overline=overline))
    limits = some_limits(dice)
    seen: Counter[str] = Counter()
    best = max(truth.values())
    answer = best_move(board, limits)
    assert answer.move is not None
    seen["best moves, " + claim(board, truth[answer.move], answer.outcome, answer.plies)] += 1
    require(not answer.exact or sign(truth[answer.move]) == sign(best), board, f"{answer}")
    for move in analyze(board, limits).moves:
        seen["moves, " + claim(board, truth[move.index], move.outcome, move.plies)] += 1
    seen["by the engine alone, " + check_alone(board, at.cells, best, limits)] += 1
    return seen


def check_alone(board: Board, cells: bytes, best: int, limits: Limits) -> str:
    """The engine without the solver: here only the result is claimed."""
    nodes = limits.nodes or 5_000
    rules = board.rules
    engine = Engine(rules.rows, rules.columns, rules.k, 10, overline=rules.overline)
    mover = 1 if board.turn == "X" else 2
    found = engine.search(cells, mover, nodes=nodes, depth=limits.depth)
    require(not found.exact or sign(found.value) == sign(best), board, f"{found}")
    return "proven" if found.exact else "open"


def claim(board: Board, truth: int, outcome: str | None, plies: int | None) -> str:
    """What is claimed of a move that is worth `truth`."""
    if outcome == "unknown":
        return "open"
    names = {1: "win", 0: "draw", -1: "loss"}
    require(outcome == names[sign(truth)], board, f"{outcome}, not {truth}")
    if not is_proven(truth):
        return "proven"
    require((plies or 0) >= plies_to_end(truth), board, f"{plies} plies, not {truth}")
    return "exact" if plies == plies_to_end(truth) else "a longer bound"


def distances(positions: int, seed: int, overline: bool) -> None:
    """Check so many positions, and tell what was claimed."""
    dice = random.Random(seed)
    seen: Counter[str] = Counter()
    for _ in range(positions):
        seen += check_distances(dice, overline)
    for what, count in sorted(seen.items()):
        print(f"{count:8}  {what}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--distances", type=int, metavar="POSITIONS")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--exactly", action="store_true", help="more than k in a row do not win")
    options = parser.parse_args()
    started = time.perf_counter()
    if options.distances:
        distances(options.distances, options.seed, not options.exactly)
        took = time.perf_counter() - started
        print(f"{options.distances} positions, no claim wrong, {took:.0f} s")
        return 0
    counts = Counter(run(options.positions, options.seed, not options.exactly))
    for what, count in sorted(counts.items()):
        print(f"{count:7}  {what}")
    print(f"{options.positions} positions, no claim wrong, {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
