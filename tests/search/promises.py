"""What every answer and every analysis promises, whatever the engine, the rules and the limits."""

from functools import reduce
from itertools import pairwise

from bestmove import Board
from bestmove.answers import Analysis, BestMove


def check_answer(board: Board, answer: BestMove) -> None:
    if board.is_over:
        assert answer.move is None
        assert (answer.score, answer.exact, answer.plies) == (board.utility, True, 0)
        assert (answer.pv, answer.outcome, answer.reason) == ((), None, None)
        return
    assert answer.move in board.moves
    assert answer.pv[0] == answer.move
    end = reduce(Board.play, answer.pv, board)
    if not answer.exact:
        assert -1 < answer.score < 1
        assert isinstance(answer.score, float)
        assert (answer.outcome, answer.plies) == ("unknown", None)
        return
    assert isinstance(answer.score, int)
    for_mover = answer.score if board.turn == "X" else -answer.score
    assert answer.outcome == {1: "win", 0: "draw", -1: "loss"}[for_mover]
    if answer.score:
        assert answer.plies == len(answer.pv)
        assert end.utility == answer.score
    else:
        assert answer.plies == board.cells.count(".")
        assert len(answer.pv) <= answer.plies


def check_analysis(
    board: Board, analysis: Analysis, lines: int | None = None, *, cut: bool = False
) -> None:
    """Assert what every analysis promises: each move once, best first.

    With gravity only the best move must have a whole line. `cut`: that search was cancelled, too.
    """
    moves = analysis.moves
    assert sorted(move.index for move in moves) == list(board.moves)
    for_mover = [move.score if board.turn == "X" else -move.score for move in moves]
    assert for_mover == sorted(for_mover, reverse=True)
    # Any of the best moves may come first. After the first, equally good moves are in index order.
    for better, worse in pairwise(moves[1:]):
        if (better.score, better.plies) == (worse.score, worse.plies):
            assert better.index < worse.index
    for move in moves:
        assert move.pv[0] == move.index
        assert move.exact == isinstance(move.score, int)
        assert move.depth == move.plies if move.exact else move.depth >= 0
        end = reduce(Board.play, move.pv, board)
        is_bound = moves[0].outcome == "loss" and move.pv == (move.index,) and move is not moves[0]
        may_be_short = board.rules.gravity and (cut or move is not moves[0])
        if move.exact and move.score and not is_bound and not may_be_short:
            assert len(move.pv) == move.plies
            assert end.utility == move.score
    # Moves with scores near ±1 are left out: they may be searched less deep.
    led = [move.depth for move in moves[1:lines] if -0.9 < move.score < 0.9]
    if lines is not None and led and moves[0].outcome != "loss":
        assert min(led) >= max((one.depth for one in moves[lines:] if not one.exact), default=0)
