"""How many nodes does each step of gomoku's search save?

    python -m benchmarks.engine.steps [--depth N] [--openings N]

Searches balanced openings to a depth: once with all steps, then without each step in turn. Prints
the ratio of the nodes: 1.50 means that the search without the step visits 1.5 times as many nodes.
Fewer nodes do not prove that a step makes the engine stronger: for that use
`benchmarks.engine.match`.
"""

import multiprocessing
from pathlib import Path
from typing import Any, Final

from benchmarks.options import asked

OPENINGS: Final = Path(__file__).with_name("openings.txt")

ALL: Final = "all steps"
NEVER: Final = 1_000

WITHOUT: Final[dict[str, dict[str, Any]]] = {
    ALL: {},
    "win by fours": {"QUIESCENCE_PLIES": 0},
    "the table's move first": {"TABLE_MOVE_URGENCY": 0},
    "improving": {"IMPROVEMENT": 0, "FEWER_MOVES": 0},
    "internal iterative reduction": {"INTERNAL_REDUCTION_DEPTH": NEVER},
    "reverse futility": {"REVERSE_FUTILITY_DEPTH": -1},
    "futility": {"FUTILITY_DEPTH": -1},
    "null move": {"NULL_MOVE_DEPTH": NEVER},
    "late-move pruning": {"late_move_limit": lambda _: NEVER},
    "late-move pruning while all moves lose": {"losing_move_limit": lambda _: NEVER},
    "killers": {"KILLER_URGENCY": 0},
    "countermoves": {"COUNTERMOVE_URGENCY": 0},
    "history": {"HISTORY_SHIFT": 31},
    "extension of few defences": {"FEW_DEFENCES": 0},
    "late-move reduction": {"late_move_reduction": lambda *_: 0},
    "refutations": {"REFUTED_MOVES": 0},
}
"""For each step of `Search.pvs`, the values of `parameters` that switch the step off."""


def nodes_without(step: str, depth: int, openings: int) -> int:
    """Call this in a new process: importing the kernel reads the parameters."""
    from bestmove import Board
    from bestmove.search.engine import Task, encoded
    from bestmove.search.engines.gomoku import parameters

    for name, value in WITHOUT[step].items():
        setattr(parameters, name, value)
    from bestmove.search.engines.gomoku.driver import GomokuEngine

    engine = GomokuEngine(15, 15, 5)
    lines = OPENINGS.read_text(encoding="utf-8").split()
    nodes = 0
    for line in lines[:: len(lines) // openings][:openings]:
        board = Board.from_moves(line, game="gomoku")
        nodes += engine.search(Task(*encoded(board.cells, board.turn), depth=depth)).nodes
    return nodes


def main() -> None:
    options = asked(__doc__, depth=11, openings=40)
    counts: dict[str, int] = {}
    for step in WITHOUT:
        with multiprocessing.get_context("spawn").Pool(1) as pool:
            counts[step] = pool.apply(nodes_without, (step, options.depth, options.openings))
        ratio = counts[step] / counts[ALL]
        without = "" if step == ALL else "without "
        print(f"{counts[step]:12,} {ratio:6.2f}  {without}{step}", flush=True)


if __name__ == "__main__":
    main()
