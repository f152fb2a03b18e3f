"""How long does one answer on 3×3 take in process? Compares with other packages and minimax."""

from statistics import median

from benchmarks.peers import players as peers
from benchmarks.peers.players import Player
from benchmarks.report.cold import Cold, cold
from benchmarks.report.measuring import Effort, ratio, say
from benchmarks.report.writing import PEERS_MISSING, Section, seconds, times
from tests.support import oracle
from tests.support.tictactoe import after, open_positions

OURS = "Best Move"


def measure(effort: Effort) -> Section:
    section = Section("One position")
    positions = open_positions()
    found: dict[str, list[Cold]] = {name: [] for name in peers.PLAYERS}
    for _ in range(effort.rounds(3)):
        for name in found:
            say(f"{name}: a new process, and all positions")
            if (took := cold(name)) is not None:
                found[name].append(took)
    ours = found[OURS]
    rows: list[list[object]] = []
    for name, runs in found.items():
        if not runs:
            rows.append([name, PEERS_MISSING, *[""] * 7])
            continue
        best, quickest = _right(peers.PLAYERS[name](), positions[:: 40 if effort.quick else 4])
        slower = times(ratio([run.sweep for run in runs], [run.sweep for run in ours]))
        again = times(ratio([run.again for run in runs], [run.again for run in ours]))
        rows.append(
            [
                name,
                seconds(median(run.load for run in runs)),
                seconds(median(run.first for run in runs)),
                slower,
                seconds(median(run.sweep for run in runs) / len(positions)),
                again,
                seconds(median(run.again for run in runs) / len(positions)),
                f"{best:.1%}",
                f"{quickest:.1%}",
            ]
        )
        if name != OURS:
            what = f"3×3 in process, all positions in a new process: {name} takes"
            section.headline(what, f"{slower} our time")
    section.table(
        [
            "",
            "to load",
            "empty board",
            "all, relative to ours",
            "all, each",
            "again, relative to ours",
            "again, each",
            "best result",
            "soonest win, latest loss",
        ],
        rows,
        f"A new process: the empty 3×3 board, and all {len(positions):,} open positions",
    )
    section.say(
        "Each process answers the empty board, then all positions in the same shuffled order, and "
        "then all of them again. Ours builds its table of all positions once, in the first answer; "
        "it also checks that each position can be reached, and its answer contains the line to the "
        "end of the game and the reason. *Best result*: the share of moves that keep the proven "
        "result. *Soonest win, latest loss*: the share that also win as soon, or lose as late, as "
        "possible."
    )
    return section


def _right(player: Player, positions: list[str]) -> tuple[float, float]:
    """Return the share of moves that keep the result, and the share that also win as soon, or lose
    as late, as possible."""
    best = quickest = 0
    for cells in positions:
        result, plies = oracle.solve3(cells)
        reached, left = oracle.solve3(after(cells, player(cells)))
        best += reached == result
        quickest += reached == result and (result == 0 or left + 1 == plies)
    return best / len(positions), quickest / len(positions)
