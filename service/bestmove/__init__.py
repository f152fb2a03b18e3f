"""Best Move: give it a board, and it answers with the best move.

>>> from bestmove import Board, best_move
>>> answer = best_move(Board.parse("XX.OO...."))
>>> answer.move, answer.outcome
(2, 'win')
"""

from typing import TYPE_CHECKING

from bestmove.game import Board, Rules
from bestmove.search.analysis import Analysis, BestMove, MoveEvaluation, analyze, best_move
from bestmove.search.cancellation import Cancellation
from bestmove.search.limits import Limits

if TYPE_CHECKING:
    from bestmove.proof.certificate import Proof, prove
    from bestmove.proof.verify import Verdict, verify
    from bestmove.version import __version__

__all__ = [
    "Analysis",
    "BestMove",
    "Board",
    "Cancellation",
    "Limits",
    "MoveEvaluation",
    "Proof",
    "Rules",
    "Verdict",
    "__version__",
    "analyze",
    "best_move",
    "prove",
    "verify",
]


def __getattr__(name: str) -> object:
    """Import on first use what `import bestmove` leaves out, to be quick."""
    if name == "__version__":
        from bestmove import version

        return version.__version__
    if name in ("Proof", "prove"):
        from bestmove.proof import certificate

        return getattr(certificate, name)
    if name in ("Verdict", "verify"):
        from bestmove.proof import verify

        return getattr(verify, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
