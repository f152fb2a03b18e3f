"""Best Move: give it a board, and it answers with the best move.

>>> from bestmove import Board, best_move
>>> answer = best_move(Board.parse("XX.OO...."))
>>> answer.move.name, answer.outcome
('c3', 'win')
"""

TYPE_CHECKING = False  # importing `typing` takes time
if TYPE_CHECKING:
    from bestmove.answers import Analysis, BestMove, Move, MoveEvaluation
    from bestmove.game import Board, Rules
    from bestmove.proof.certificate import Proof, prove
    from bestmove.proof.verify import Verdict, verify
    from bestmove.search.analysis import analyze, best_move
    from bestmove.search.cancellation import Cancellation
    from bestmove.search.limits import Limits
    from bestmove.version import __version__

__all__ = [
    "Analysis",
    "BestMove",
    "Board",
    "Cancellation",
    "Limits",
    "Move",
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

_MODULES = {
    "bestmove.answers": ("Analysis", "BestMove", "Move", "MoveEvaluation"),
    "bestmove.game": ("Board", "Rules"),
    "bestmove.proof.certificate": ("Proof", "prove"),
    "bestmove.proof.verify": ("Verdict", "verify"),
    "bestmove.search.analysis": ("analyze", "best_move"),
    "bestmove.search.cancellation": ("Cancellation",),
    "bestmove.search.limits": ("Limits",),
    "bestmove.version": ("__version__",),
}


def __dir__() -> list[str]:
    """Return the public names, including those that are not imported yet."""
    return __all__


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    from importlib import import_module

    for module, names in _MODULES.items():
        if name in names:
            value = globals()[name] = getattr(import_module(module), name)
            return value
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
