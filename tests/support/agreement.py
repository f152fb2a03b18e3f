"""Compares the best move of a position with its analysis, under all rules.

Both searches have the same small limits. The answers must agree:

- If the best move is proven, or a depth limits both searches, the analysis begins with the same
  move and the same claim.
- A proven result comes before an estimate of the same score.
- If the best move is a proven loss, every move is a proven loss.
- On boards of up to 20 cells, and near the end of Connect Four, an analysis without limits finds
  the same distances. Without a seed, equally good proven moves are ordered by index.
- Near the end of a game, slow minimax finds the same results. Its distances may be shorter on
  boards of more than 20 cells.
- Every variation is legal. The variation of a proven win or loss ends with the winning move, after
  the claimed number of plies. With gravity, and after a lost best move, the search's limits may cut
  the variation short.

`faults` describes the differences. If the text begins with "by the clock", the clock may be the
cause.
"""

import random
from collections.abc import Iterator
from itertools import pairwise

from bestmove.answers import Analysis, BestMove, MoveEvaluation
from bestmove.game import PRESETS, Board, Rules
from bestmove.search.analysis import analyze, best_move
from bestmove.search.limits import Limits
from bestmove.words import EXACT_CELLS
from tests.support.oracle import WIN
from tests.support.positions import position_of

CONNECT_FOUR = PRESETS["connect-four"].rules
SURELY_SOLVED = 14
"""Connect Four is solved quickly if at most this many cells are empty."""

SLOWLY_SOLVED = 9
"""Slow minimax takes at most a second if at most this many cells are empty."""


def random_position(dice: random.Random) -> Board:
    while True:
        largest = dice.choice([4, 4, 5, 6, 7, 9])
        rows, columns = dice.randint(1, largest), dice.randint(1, largest)
        k = min(dice.choice([2, 3, 3, 4, 4, 4, 5, 5]), max(rows, columns))
        rules = CONNECT_FOUR
        if dice.random() < 0.9:
            gravity, overline, misere = (dice.random() < share for share in (0.3, 0.75, 0.2))
            rules = Rules(rows, columns, k, gravity=gravity, overline=overline, misere=misere)
        board = Board("." * rules.size, rules, dice.choice("XO"))
        for _ in range(dice.randrange(rows * columns)):
            if board.is_over:
                break
            board = board.play(dice.choice(board.moves))
        if not board.is_over:
            return board


def random_limits(dice: random.Random) -> Limits:
    lines = dice.choice([None, None, None, 1, 2, 3])
    kind = dice.choice(["nodes", "nodes", "time", "repeatable", "seed", "depth"])
    if kind == "nodes":
        nodes = dice.choice([1, 2, 5, 20, 100, 500, 3000])
        return Limits(time_ms=None, nodes=nodes, lines=lines)
    if kind == "depth":
        return Limits(time_ms=dice.choice([1, 20, 200]), depth=dice.randint(1, 5), lines=lines)
    time_ms = dice.choice([1, 3, 10, 30])
    if kind == "seed":
        return Limits(time_ms=time_ms, seed=dice.randrange(1000), lines=lines)
    return Limits(time_ms=time_ms, reproducible=kind == "repeatable", lines=lines)


def faults(board: Board, limits: Limits) -> Iterator[str]:
    """Describe each kind of disagreement between the best move and the analysis."""
    answer, analysis = best_move(board, limits), analyze(board, limits)
    first = analysis.moves[0]
    by_clock = not limits.is_repeatable and limits.time_ms is not None
    bounded = limits.depth is not None
    if answer.exact or bounded:
        same = _claim(first) == _claim(answer) and first.index == answer.move
        if not same and by_clock:
            # Two searches by the clock may prove different results.
            what = "another bound" if first.exact else "less"
            yield f"by the clock the analysis proves {what}"
        elif not same:
            yield "the analysis begins with another move or claim"
        elif first.pv != answer.pv and not by_clock:
            yield "the analysis begins with another line"
    yield from set(_out_of_order(board, analysis))
    is_lost = first.outcome == "loss"
    others = (_ends_as_told(board, move, may_be_cut=is_lost) for move in analysis.moves[1:])
    if not (_ends_as_told(board, answer) and _ends_as_told(board, first) and all(others)):
        yield "a line does not end as claimed"
    yield from _not_least(board, limits, answer, analysis)
    if not _is_true(board, [answer, *analysis.moves]):
        yield "slow minimax finds another result"


def _claim(found: BestMove | MoveEvaluation) -> tuple[object, ...]:
    return found.score, found.exact, found.outcome, found.plies


def _out_of_order(board: Board, analysis: Analysis) -> Iterator[str]:
    sign = 1 if board.turn == "X" else -1
    moves = analysis.moves
    if sorted(move.index for move in moves) != sorted(board.moves):
        yield "moves are missing"
    if moves[0].outcome == "loss" and any(move.outcome != "loss" for move in moves):
        yield "the best move is a proven loss, but another is not"
    for above, below in pairwise(moves):
        if sign * above.score < sign * below.score:
            yield "a lower score comes first"
        if above.score == below.score and below.exact and not above.exact:
            yield "a proven result is below an equal estimate"


def _ends_as_told(
    board: Board, found: BestMove | MoveEvaluation, *, may_be_cut: bool = False
) -> bool:
    for move in found.pv:
        if board.is_over or move not in board.moves:
            return False
        board = board.play(move)
    if not found.exact or found.outcome == "draw":
        return True
    winner = "X" if found.score > 0 else "O"
    if not board.is_over and (board.rules.gravity or may_be_cut):
        return found.plies is not None and len(found.pv) < found.plies
    return len(found.pv) == found.plies and board.winner == winner


def _is_true(board: Board, claims: list[BestMove | MoveEvaluation]) -> bool:
    rules = board.rules
    if board.cells.count(".") > SLOWLY_SOLVED:
        return True
    at = position_of(board)
    for claim in claims:
        if claim.exact:
            value = at.value_of(claim.pv[0])
            outcome = "win" if value > 0 else "loss" if value < 0 else "draw"
            plies = WIN - abs(value) if value else board.cells.count(".")
            exactly = not value or rules.size <= EXACT_CELLS or rules == CONNECT_FOUR
            assert claim.plies is not None
            if claim.outcome != outcome or claim.plies < plies:
                return False
            if exactly and claim.plies != plies:
                return False
    return True


def _not_least(board: Board, limits: Limits, answer: BestMove, analysis: Analysis) -> Iterator[str]:
    empty = len(board.cells) - sum(mark != "." for mark in board.cells)
    solved = board.rules == CONNECT_FOUR and empty <= SURELY_SOLVED
    if board.rules.size > EXACT_CELLS and not solved:
        return
    truth = {move.index: _claim(move) for move in analyze(board, Limits(time_ms=None)).moves}
    best = next(iter(truth.values()))
    if answer.exact:
        lowest = min(index for index, claim in truth.items() if claim == best)
        if _claim(answer) != best:
            yield "a distance is not exact"
        elif limits.seed is not None:
            if truth[answer.move.index] != best:
                yield "not one of the best moves"
        elif answer.move != lowest:
            yield "not the lowest of equal moves"
    proven = [move for move in analysis.moves if move.exact]
    if any(_claim(move) != truth[move.index] for move in proven):
        yield "a distance in the analysis is not exact"
    for above, below in pairwise(proven[limits.seed is not None :]):
        if _claim(above) == _claim(below) and above.index > below.index:
            yield "equal moves are not by index"
            break
