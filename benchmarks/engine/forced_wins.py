"""Does a change to the threat search prove more? Counts forced wins, and can play them out.

    python -m benchmarks.engine.forced_wins [--nodes N] [--verify [--every N]] [--exactly]

Counts the positions whose win `best_move` proves within N nodes. 900,000 nodes take about a second.
`--verify` plays out each win that the engine claims, against every legal reply and by the rules
alone: the win must come within the claimed number of plies. `--every N` takes only every Nth
position. `--exactly` changes the rules: a row of more than five marks does not win. Most of the
positions are won under both rules.
"""

from benchmarks.options import asked
from bestmove.game import Board
from bestmove.search.analysis import best_move
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.gomoku.driver import GomokuEngine
from bestmove.search.engines.gomoku.proofs import LongestDefence
from bestmove.search.limits import Limits
from bestmove.search.scores import is_proven
from tests.support.oracle import Game
from tests.support.replay import check_plies
from tests.support.won_positions import positions

NODES = 900_000
VERIFIED_NODES = 300_000


def is_verified(board: Board) -> bool:
    """If the engine claims a win, play it out and return True; otherwise return False.

    Raises:
        SystemExit: the claimed win does not come.
    """
    shape, overline = (board.rules.rows, board.rules.columns, board.rules.k), board.rules.overline
    task = Task(*encoded(board.cells, board.turn), nodes=VERIFIED_NODES)
    engine = GomokuEngine(*shape, overline=overline)
    found = engine.search(task)
    if not is_proven(found.value):
        return False
    played = LongestDefence(engine.kernel, task, None, {})
    told = played.confirmed(task.side, found, is_best=True)
    if told.exact:
        try:
            check_plies(Game(*shape, overline=overline), task.cells, task.side, told, played)
        except AssertionError:
            raise SystemExit(f"NOT WON in {len(told.pv)} plies: {board}") from None
    return told.exact


def main() -> None:
    options = asked(__doc__, nodes=NODES, verify=False, every=1, exactly=False)
    boards = positions(overline=not options.exactly)
    limits = Limits(time_ms=None, nodes=options.nodes)
    answers = [best_move(board, limits) for board in boards]
    proven = [answer for answer in answers if answer.outcome == "win"]
    print(f"proven within {options.nodes:,} nodes: {len(proven)} of {len(boards)}")
    if options.verify:
        kept = 0
        for number, board in enumerate(boards[:: options.every], 1):
            kept += is_verified(board)
            print(f"{number}: {kept} wins kept", flush=True)


if __name__ == "__main__":
    main()
