"""Playing on large boards: speed, how cost grows, forced wins proven, strength against time."""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from multiprocessing import get_context
from statistics import median

from benchmarks.engine import strength
from benchmarks.report import svg
from benchmarks.report.measuring import Effort, in_turn, ratio, say
from benchmarks.report.writing import Headline, Section, number, seconds
from bestmove import Board, Limits, best_move
from bestmove.game import O, X
from bestmove.search.budget import encoded
from bestmove.search.gomoku.driver import Engine
from tests.support import won_positions

TIMES_MS = (10, 30, 100, 300, 1000)
LADDER_MS = (5, 15, 50, 150)
GAMES = 20


def measure(effort: Effort) -> Section:
    """The section of the report."""
    section = Section("Playing")
    _speed(section, effort)
    _growth(section, effort)
    _forced_wins(section, effort)
    _strength(section, effort)
    return section


def midgame(rows: int, columns: int, k: int, seed: int, marks: int = 6) -> Board:
    """A position with a few marks around the middle and no line of `k`."""
    chance = random.Random(seed)
    while True:
        board = Board.empty(rows, columns, k)
        for _ in range(marks):
            near = [at for at in board.moves if _is_central(board, at)]
            if near:
                board = board.play(chance.choice(near))
        if not board.is_over:
            return board


def _is_central(board: Board, index: int) -> bool:
    row, column = board.rules.coordinates(index)
    rows, columns = board.rules.rows, board.rules.columns
    return abs(2 * row - rows + 1) <= 7 and abs(2 * column - columns + 1) <= 7


def _search(engine: Engine, board: Board, nodes: int) -> int:
    """Nodes searched, to at most `nodes`."""
    cells, mover = encoded(board.cells, board.turn)
    found = engine.search(cells, mover, deadline=time.monotonic() + 5, nodes=nodes)
    return found.nodes


def _speed(section: Section, effort: Effort) -> None:
    boards = {
        "9×9, k=5": (9, 9, 5),
        "15×15, k=5": (15, 15, 5),
        "19×19, k=5": (19, 19, 5),
        "15×15, k=4": (15, 15, 4),
        "15×15, k=6": (15, 15, 6),
    }
    say("nodes a second")

    def searched(rows: int, columns: int, k: int) -> Callable[[], float]:
        engine = Engine(rows, columns, k)
        positions = [midgame(rows, columns, k, seed) for seed in range(4 if effort.quick else 12)]

        def run() -> float:
            nodes, spent = 0, 0.0
            for board in positions:
                began = time.process_time()
                nodes += _search(engine, board, 20_000 if effort.quick else 100_000)
                spent += time.process_time() - began
            return nodes / spent

        return run

    rates = in_turn(
        effort.rounds(3), {name: searched(*shape) for name, shape in boards.items()}, warm_up=False
    )
    section.table(
        ["columns × rows", "of 15×15's", "nodes/s"],
        [
            [name, number(ratio(rates[name], rates["15×15, k=5"])), number(median(rates[name]))]
            for name in boards
        ],
        "Nodes a second of processor time",
    )
    section.headlines.append(
        Headline("15×15: nodes a second", f"{number(median(rates['15×15, k=5']) / 1e6)} M")
    )


def _growth(section: Section, effort: Effort) -> None:
    say("growth with the board and with k")
    depth = 4 if effort.quick else 6
    sides = (7, 11, 15, 19) if effort.quick else (7, 9, 11, 13, 15, 17, 19)
    ks = (4, 5, 6) if effort.quick else (4, 5, 6, 7, 8)
    by_side = {side: _cost(side, 5, depth, effort) for side in sides}
    by_k = {k: _cost(15, k, depth, effort) for k in ks}
    for title, costs, name in (
        (f"To depth {depth} with k=5, by board", by_side, "{0}×{0}"),
        (f"To depth {depth} on 15×15, by k", by_k, "k={0}"),
    ):
        base = costs[next(iter(costs))]
        section.table(
            ["", "time, of the first's", "nodes", "time"],
            [
                [
                    name.format(key),
                    number(took / base[1]),
                    f"{round(nodes):,}",
                    seconds(took),
                ]
                for key, (nodes, took) in costs.items()
            ],
            title,
        )
    section.say("Where most of the positions are won at once, as with k=4, there is little to do.")
    section.plot(
        "growth",
        svg.lines(
            f"Time to depth {depth} by the board's side, k=5",
            {"median": [(side, took * 1000) for side, (_, took) in by_side.items()]},
            "side of the board",
            "milliseconds",
            x_ticks=[float(side) for side in sides],
        ),
        "Time to a fixed depth against the size of the board",
    )


def _cost(side: int, k: int, depth: int, effort: Effort) -> tuple[float, float]:
    """Median (nodes, seconds) to a depth, over positions with a few marks."""
    costs = []
    for seed in range(4 if effort.quick else 15):
        board = midgame(side, side, k, 100 + seed)
        began = time.perf_counter()
        found = best_move(board, Limits(time_ms=None, nodes=5_000_000, depth=depth))
        costs.append((found.search.nodes, time.perf_counter() - began))
    return median(nodes for nodes, _ in costs), median(took for _, took in costs)


def _forced_wins(section: Section, effort: Effort) -> None:
    boards = won_positions.positions()
    if effort.quick:
        boards = boards[:10]
    rows: list[list[object]] = []
    shares: list[tuple[float, float]] = []
    for time_ms in TIMES_MS[:3] if effort.quick else TIMES_MS:
        say(f"forced wins in {time_ms} ms")
        began = time.perf_counter()
        answers = [best_move(board, Limits(time_ms=time_ms)) for board in boards]
        took = (time.perf_counter() - began) / len(boards)
        won = [answer for answer in answers if answer.outcome == "win"]
        share = len(won) / len(boards)
        shares.append((time_ms, share * 100))
        length = median(answer.plies or 0 for answer in won) if won else 0
        rows.append([f"{time_ms} ms", f"{share:.0%}", f"{length:.0f}", seconds(took)])
    section.table(
        ["budget", "proven", "median plies of the proofs", "mean time taken"],
        rows,
        f"Forced wins on 15×15: {len(boards)} positions, one of a game each",
    )
    section.say(
        "Each position is the earliest of a game that Rapfi played against itself, from which it "
        "told a mate in 5 to 25 plies and gave it."
    )
    section.plot(
        "forced-wins",
        svg.lines(
            "Forced wins on 15×15 proven within the budget",
            {"proven": shares},
            "budget in milliseconds",
            "percent of the positions",
            log_x=True,
            x_ticks=[float(time_ms) for time_ms in TIMES_MS[: len(shares)]],
        ),
        "Share of forced wins proven against the time budget",
    )


@dataclass(frozen=True)
class Pairing:
    """A game of two budgets.

    Attributes:
        longer: milliseconds a move for one side.
        shorter: for the other.
        opening: which opening; each is played from both sides.
        longer_is_x: which side has the longer time.
    """

    longer: int
    shorter: int
    opening: int
    longer_is_x: bool


def play(pairing: Pairing) -> float:
    """The result for the longer time: 1, 0.5 or 0."""
    board, _ = strength.opening(5000 + pairing.opening, overline=True)
    mine = X if pairing.longer_is_x else O
    while board.turn:
        time_ms = pairing.longer if board.turn == mine else pairing.shorter
        move = best_move(board, Limits(time_ms=time_ms)).move
        assert move is not None
        board = board.play(move)
    return 0.5 if board.winner is None else float(board.winner == mine)


def _strength(section: Section, effort: Effort) -> None:
    ladder = LADDER_MS[:2] if effort.quick else LADDER_MS
    games = 4 if effort.quick else GAMES
    rows: list[list[object]] = []
    # One game for each core, so that none is short of its processor.
    cores = len(os.sched_getaffinity(0))
    with ProcessPoolExecutor(cores, get_context("spawn")) as pool:
        for shorter, longer in pairwise(ladder):
            say(f"{longer} ms against {shorter} ms")
            pairings = [
                Pairing(longer, shorter, number // 2, number % 2 == 0) for number in range(games)
            ]
            results = list(pool.map(play, pairings))
            wins, losses = results.count(1.0), results.count(0.0)
            rows.append(
                [
                    f"{longer} ms against {shorter} ms",
                    f"{sum(results) / games:.0%}",
                    wins,
                    games - wins - losses,
                    losses,
                ]
            )
    section.table(
        ["15×15, each opening from both sides", "score", "wins", "draws", "losses"],
        rows,
        "Strength against time a move, by self-play",
    )
    section.headlines.append(
        Headline(f"15×15: {ladder[-1]} ms a move against {ladder[-2]} ms, score", str(rows[-1][1]))
    )
