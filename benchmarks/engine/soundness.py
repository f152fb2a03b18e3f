"""Are proven results correct? Checks the results of random positions in an independent way.

    python -m benchmarks.engine.soundness --positions 10000
    python -m benchmarks.engine.soundness --exactly

Random play leads to sharper and less even positions than an opening book. The checks:

- up to 64 cells: the claims of the engine are compared with those of the solver. The solver shares
  no code with the engine.
- larger boards: each claimed win is played out three times. The engine plays for the winner, must
  claim the win at every turn, and must win in the end. The loser's moves are the engine's in the
  first game, and random in the others.

`--exactly` changes the rules: a row of more than k marks does not win. The solver does not know
this rule, so the general engine takes the solver's place.
"""

import random
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import reduce

from benchmarks.options import asked
from bestmove.game import Board
from bestmove.search.analysis import best_move
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.general.engine import Prover
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.solver.proof import Solver
from bestmove.search.limits import Limits
from bestmove.search.results import Found

ENGINE_NODES = 20_000
SOLVER_NODES = 1_000_000
GENERAL_NODES = 50_000
LARGE_NODES = 20_000
DEFENCES = 3


def random_position(dice: random.Random, largest: int, overline: bool) -> Board:
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


def check_medium(board: Board) -> str:
    rules = board.rules
    position = encoded(board.cells, board.turn)
    shape = (rules.rows, rules.columns, rules.k)
    played = GomokuEngine(*shape, overline=rules.overline).search(
        Task(*position, nodes=ENGINE_NODES)
    )
    proven: Found | None
    if rules.overline:
        proven = Solver(*shape).best(Task(*position, nodes=SOLVER_NODES))
    else:
        prover = Prover(rules)
        proven = prover.best(Task(*position, nodes=GENERAL_NODES))
    for found in (played, proven):
        if found is not None and found.exact:
            check_line(board, found)
    if proven is None or not played.exact:
        return "medium, one proof" if proven is not None or played.exact else "medium, no proof"
    results = {(found.value > 0, found.value < 0) for found in (played, proven)}
    require(len(results) == 1, board, f"{played} and {proven}")
    return "medium, checked"


def check_large(board: Board, dice: random.Random) -> str:
    answer = best_move(board, Limits(time_ms=None, nodes=LARGE_NODES))
    if answer.outcome != "win":
        require(not answer.exact or answer.outcome in ("loss", "draw"), board, f"claim {answer}")
        return f"large, {answer.outcome}"
    for defence in range(DEFENCES):
        play_out(board, dice, best_defence=defence == 0)
    return "large, played out"


def play_out(board: Board, dice: random.Random, *, best_defence: bool) -> None:
    """Play the position to its end. Require that the engine claims the win at every turn, and
    wins."""
    winner, position = board.turn, board
    while not position.is_over:
        answer = best_move(position, Limits(time_ms=None, nodes=10 * LARGE_NODES))
        if position.turn == winner:
            require(answer.outcome == "win", position, f"the win of {board!r} is lost: {answer}")
            move = answer.move
        elif best_defence:
            move = answer.move
        else:
            move = _natural(dice, position)
        position = position.play(move)
        require(position.winner == winner or len(position.moves) > 0, position, "no win")
    require(position.winner == winner, board, "the game had another result")


def check_line(board: Board, found: Found) -> None:
    if found.value == 0:
        return
    position = reduce(Board.play, found.pv, board)
    won_by_mover = found.value > 0
    require((position.winner == board.turn) == won_by_mover, board, f"line {found}")
    require(position.winner is not None, board, f"line {found}")


def require(holds: bool, board: Board, what: str) -> None:
    if not holds:
        raise SystemExit(f"WRONG: {board!r}: {what}")


def run(positions: int, seed: int, overline: bool) -> Iterator[str]:
    dice = random.Random(seed)
    for number in range(positions):
        share = number % 10
        if share < 9:
            yield check_medium(random_position(dice, 5 if share < 4 else 8, overline))
        else:
            yield check_large(random_position(dice, 19, overline), dice)


def main() -> int:
    options = asked(__doc__, positions=10_000, seed=1, exactly=False)
    started = time.perf_counter()
    counts = Counter(run(options.positions, options.seed, not options.exactly))
    for what, count in sorted(counts.items()):
        print(f"{count:7}  {what}")
    print(f"{options.positions} positions, no claim wrong, {time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
