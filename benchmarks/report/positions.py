"""What does one answer on 3×3 cost in process, beside peers and the usual minimax?"""

from __future__ import annotations

import time
from collections.abc import Callable
from statistics import median

from benchmarks.peers import players as peers
from benchmarks.peers.players import Player
from benchmarks.report import cold
from benchmarks.report.measuring import Effort, in_turn, ratio, say, seconds_of
from benchmarks.report.writing import PEERS_MISSING, Section, seconds, times
from bestmove import Board, best_move
from tests.support import oracle
from tests.support.tictactoe import after, open_positions

OURS = "Best Move"
EMPTY_BOARD = "." * 9
WARM_TARGET = 20e-6


def measure(effort: Effort) -> Section:
    """The section of the report."""
    section = Section("One position")
    players = _players()
    _warm_in_process(section, effort)
    _empty_board(section, effort, players)
    _all_positions(section, effort, players)
    return section


def _players() -> dict[str, Player | None]:
    players: dict[str, Player | None] = {}
    for name, make in peers.PLAYERS.items():
        try:
            players[name] = make()
        except peers.NotInstalled:
            players[name] = None
    return players


def _warm_in_process(section: Section, effort: Effort) -> None:
    boards = [Board.parse(cells) for cells in open_positions()]
    for board in boards:
        best_move(board)

    def sweep() -> float:
        began = time.perf_counter()
        for board in boards:
            best_move(board)
        return (time.perf_counter() - began) / len(boards)

    took = median(sweep() for _ in range(effort.rounds(15)))
    section.headline(
        "warm `best_move(board)` on 3×3, in process",
        seconds(took),
        f"under {seconds(WARM_TARGET)}",
        took < WARM_TARGET,
    )


def _empty_board(section: Section, effort: Effort, players: dict[str, Player | None]) -> None:
    say("empty board, cold: a new process each time")
    first: dict[str, tuple[float, float]] = {}
    rounds = [
        {name: cold.first_answer(name) for name, player in players.items() if player}
        for _ in range(effort.rounds(5))
    ]
    for name in rounds[0]:
        runs = [pair for each in rounds if (pair := each[name]) is not None]
        first[name] = (median(load for load, _ in runs), median(took for _, took in runs))
    say("empty board, warm")
    contenders = {name: _asked(player) for name, player in players.items() if player}
    warm = in_turn(effort.rounds(5), contenders)
    rows: list[list[object]] = []
    for name, player in players.items():
        if player is None:
            rows.append([name, PEERS_MISSING, "", "", "", ""])
            continue
        load, took = first[name]
        rows.append(
            [
                name,
                times(ratio(warm[name], warm[OURS])),
                seconds(median(warm[name])),
                times((load + took) / sum(first[OURS])),
                seconds(load),
                seconds(took),
            ]
        )
    section.table(
        ["", "warm, in ours", "warm", "cold, in ours", "to load", "first answer"],
        rows,
        "The empty 3×3 board",
    )
    section.say(
        "Warm: the call again and again in one process, from the text of the board to the index "
        "of the move. Cold: a new process that loads the program and answers once; ours builds "
        "its table of all positions in the first answer, and never again."
    )


def _asked(player: Player) -> Callable[[], float]:
    return lambda: seconds_of(lambda: player(EMPTY_BOARD))


def _all_positions(section: Section, effort: Effort, players: dict[str, Player | None]) -> None:
    say("all open positions")
    positions = open_positions()
    first: dict[str, list[float]] = {}
    again: dict[str, list[float]] = {}
    for _ in range(effort.rounds(3)):
        for name, player in players.items():
            if player and (took := cold.sweeps(name)) is not None:
                first.setdefault(name, []).append(took[0])
                again.setdefault(name, []).append(took[1])
    rows: list[list[object]] = []
    sample = positions[:: 40 if effort.quick else 4]
    for name, player in players.items():
        if player is None:
            rows.append([name, PEERS_MISSING, "", "", "", "", ""])
            continue
        best, quickest = _right(player, sample)
        rows.append(
            [
                name,
                times(ratio(first[name], first[OURS])),
                seconds(median(first[name]) / len(positions)),
                times(ratio(again[name], again[OURS])),
                seconds(median(again[name]) / len(positions)),
                f"{best:.1%}",
                f"{quickest:.1%}",
            ]
        )
        if name != OURS:
            section.headline(
                f"3×3 in process, all positions from a cold start: {name} takes",
                f"{times(ratio(first[name], first[OURS]))} our time",
            )
    section.table(
        [
            "",
            "first time, in ours",
            "first time, each",
            "again, in ours",
            "again, each",
            "best result",
            "soonest win, latest loss",
        ],
        rows,
        f"All {len(positions):,} open 3×3 positions",
    )
    section.say(
        "All positions in one shuffled order, in a process of its own; then all of them again, "
        "where the program has a memory. Ours checks that each position can be reached, and its "
        "answer holds the line to the end of the game and the reason. *Best result*: the share of "
        "moves that keep the proven result. *Soonest win, latest loss*: that win as fast as can "
        "be, too, and lose as late."
    )


def _right(player: Player, positions: list[str]) -> tuple[float, float]:
    """The shares of moves with the proven result, and of those with the proven length as well."""
    best = quickest = 0
    for cells in positions:
        result, plies = oracle.solve3(cells)
        move = player(cells)
        reached, left = oracle.solve3(after(cells, move))
        best += reached == result
        quickest += reached == result and (result == 0 or left + 1 == plies)
    return best / len(positions), quickest / len(positions)
