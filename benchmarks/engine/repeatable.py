"""Is a repeatable answer as good as a timed one? Asks for the same positions in four ways.

    python -m benchmarks.engine.repeatable --positions 400 --games 50 --processes 2
    python -m benchmarks.engine.repeatable --rates
    python -m benchmarks.engine.repeatable --corners 20

The positions come from random games of Connect Four, and have 6 to 8, 9 to 12 or 13 to 20 discs.
The four ways:

- a GET
- a POST with a seed
- a POST without a seed: only these answers depend on the machine and its load
- the library, with the usual number of nodes of `bestmove label`

For each way the program prints how many results are proven, and how many moves make the result
worse. The program also counts the positions in which the GET's move makes the result worse although
the POST without a seed proves the result. At the end the program plays games from positions that
the side to move can win. This side plays the moves that GETs return; the opponent loses as late as
possible. A solver without a limit gives the true results.

`--rates` measures how many nodes each kind of search visits in a millisecond of processor time, and
prints them next to `limits.RATES`.

`--corners` asks GETs about random positions on boards of unusual shapes, so many for each game, and
fails if one takes much more processor time than its `time_ms`. Each is asked with two seeds, and
the shorter time counts: at first the system provides the memory of the engine's table. The first
question about a shape is not measured, because it makes the engine.
"""

import random
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from functools import cache
from http import HTTPStatus
from itertools import combinations
from multiprocessing import Pool
from typing import Any, Final

from flask.testing import FlaskClient

from benchmarks.options import asked
from bestmove.api.app import create_app
from bestmove.api.settings import Settings
from bestmove.game import Board, Rules
from bestmove.game.rules import SWITCHES
from bestmove.label.options import default_nodes
from bestmove.search import dispatch
from bestmove.search.analysis import best_move
from bestmove.search.engine import Task, encoded, searchers
from bestmove.search.engines.connect4.book import CONNECT_FOUR
from bestmove.search.engines.connect4.solver import DropSolver
from bestmove.search.limits import RATES, Limits
from tests.support.positions import after_random_moves

DISCS: Final = ((6, 8), (9, 12), (13, 20))
WAYS: Final = ("GET", "seed", "POST", "nodes")
OPENING_DISCS: Final = 6

_DROPS: Final = {"gravity": True}
_EXACTLY: Final = {"overline": False}
_MISERE: Final = {"misere": True}
SEARCHED: Final[dict[str, tuple[tuple[int, int, int, dict[str, bool]], ...]]] = {
    "drops-of-four": ((6, 7, 4, _DROPS), (7, 7, 4, _DROPS), (6, 8, 4, _DROPS)),
    "drops": ((5, 9, 5, _DROPS), (6, 8, 4, _DROPS | _EXACTLY), (6, 8, 5, _DROPS)),
    "solver": ((5, 5, 4, {}), (7, 7, 5, {}), (8, 8, 5, {}), (5, 12, 5, {})),
    "gomoku": ((9, 9, 5, {}), (12, 12, 6, {}), (15, 15, 5, {}), (20, 20, 5, {})),
    "gomoku-long": ((12, 12, 7, {}), (20, 20, 8, {}), (20, 20, 12, {}), (15, 15, 6, _EXACTLY)),
    "general-small": ((6, 6, 4, _EXACTLY), (7, 7, 4, _MISERE), (20, 20, 5, _DROPS)),
    "general-medium": ((12, 12, 5, _MISERE), (15, 15, 5, _MISERE)),
    "general-large": ((17, 17, 5, _MISERE), (20, 20, 5, _MISERE)),
}
"""For each rate of `RATES`, the games that are measured, as arguments of `Rules`."""

GAMES: Final[dict[str, dict[str, bool]]] = {
    "small": {},
    **{
        " ".join(switches) or "gomoku": {name: name != "overline" for name in switches}
        for count in range(len(SWITCHES) + 1)
        for switches in combinations(SWITCHES, count)
    },
}
"""The switches of each game whose corners are measured."""

SMALL: Final = 64
"""The cells of the largest board of the game `small`."""

MOST_SIDE: Final = 20
ASKED_MS: Final = (1000, 200, 20, 1)
ALLOWED: Final = 1.3
BESIDE_MS: Final = 20
"""A GET may take `ALLOWED` times its `time_ms`, and BESIDE_MS more. The search's nodes do not count
reading the request, the threats, and writing an answer with up to 400 moves."""

RATE_POSITIONS: Final = 8
RATE_SECONDS: Final = 0.3


@cache
def client() -> FlaskClient:
    return create_app(Settings(log_level="error", metrics=False, max_time_ms=60_000)).test_client()


@cache
def solver() -> DropSolver:
    return DropSolver(CONNECT_FOUR.rows, CONNECT_FOUR.columns, CONNECT_FOUR.k)


def results(board: Board) -> dict[int, int]:
    """Return the result of each move for the side that makes it: 1, 0 or -1."""
    answers = solver().every(Task(*encoded(board.cells, board.turn), to_the_end=False))
    return {move.pv[0]: (move.value > 0) - (move.value < 0) for move in answers.found}


def random_board(dice: random.Random, least: int, most: int) -> Board:
    while True:
        board = Board("." * CONNECT_FOUR.size, CONNECT_FOUR)
        for _ in range(dice.randint(least, most)):
            if board.is_over:
                break
            board = board.play(dice.choice(board.moves))
        if not board.is_over:
            return board


def by_get(board: Board) -> tuple[int, bool]:
    asked = {"game": "connect-four", "board": str(board), "first": board.first}
    return _read(client().get("/best-move", query_string=asked).get_json())


def by_post(board: Board, **options: int) -> tuple[int, bool]:
    asked = {"game": "connect-four", "board": str(board), "first": board.first, **options}
    return _read(client().post("/best-move", json=asked).get_json())


def _read(answer: Any) -> tuple[int, bool]:
    return answer["move"]["index"], answer["exact"]


def in_library(board: Board) -> tuple[int, bool]:
    answer = best_move(board, Limits(time_ms=None, nodes=default_nodes(board.rules)))
    return answer.move.index, answer.exact


def asked_in_all_ways(task: tuple[int, int]) -> tuple[int, dict[str, tuple[bool, bool]], str]:
    """Ask about a random position in all four ways.

    Return the index in DISCS, two flags for each way, and the board. The flags: whether the result
    is proven, and whether the move makes the result worse.
    """
    number, group = task
    board = random_board(random.Random(f"{number} {group}"), *DISCS[group])
    answers = {
        "GET": by_get(board),
        "seed": by_post(board, seed=1),
        "POST": by_post(board),
        "nodes": in_library(board),
    }
    true = results(board)
    best = max(true.values())
    judged = {way: (exact, true[move] < best) for way, (move, exact) in answers.items()}
    return group, judged, str(board)


def game_won(number: int) -> bool:
    dice = random.Random(f"opening {number}")
    board = random_board(dice, OPENING_DISCS, OPENING_DISCS + 2)
    while max(results(board).values()) < 1:
        board = random_board(dice, OPENING_DISCS, OPENING_DISCS + 2)
    us = board.turn
    while not board.is_over:
        if board.turn == us:
            move, _ = by_get(board)
        else:
            reply = solver().best(Task(*encoded(board.cells, board.turn)))
            assert reply is not None
            move = reply.pv[0]
        board = board.play(move)
    return board.winner == us


def rates() -> Iterator[str]:
    dice = random.Random(1)
    for name, games in SEARCHED.items():
        measured = []
        for rows, columns, k, switches in games:
            rules = Rules(rows, columns, k, **switches)
            nodes, seconds = 0, 0.0
            for _ in range(RATE_POSITIONS):
                plies = dice.randint(4, max(4, rules.size // 4))
                board = after_random_moves(dice, Board("." * rules.size, rules), plies)
                more, took = _searched(name, board)
                nodes, seconds = nodes + more, seconds + took
            measured.append((round(nodes / seconds / 1000), f"{rules.rows}x{rules.columns} k{k}"))
        shown = ", ".join(f"{rate} ({game})" for rate, game in sorted(measured))
        yield f"{name:15} {RATES[name]:6}  measured {shown}"


def _searched(name: str, board: Board) -> tuple[int, float]:
    """Search with the engine that `RATES[name]` is for. Return nodes and processor seconds."""
    engines = dispatch.engines_for(board.rules)
    make = engines.player
    if engines.prover is not None and engines.prover_rate(board.rules) == RATES[name]:
        make = engines.prover
    with searchers.lend(make, board.rules) as engine:
        began = time.process_time()
        engine.best(
            Task(*encoded(board.cells, board.turn), deadline=time.monotonic() + RATE_SECONDS)
        )
        return engine.nodes, time.process_time() - began


def corner(dice: random.Random, game: str) -> Board:
    """Return a position of a random game, some moves before its end, on a random board."""
    rows, columns = (dice.choice((2, dice.randint(2, MOST_SIDE), MOST_SIDE)) for _ in range(2))
    if game == "small":
        columns = dice.randint(1, min(MOST_SIDE, SMALL // rows))
    longest = max(rows, columns)
    k = dice.choice((2, 3, 4, longest, dice.randint(1, longest)))
    rules = Rules(rows, columns, min(k, longest), **GAMES[game])
    boards = [Board("." * rules.size, rules)]
    while not (after := boards[-1].play(dice.choice(boards[-1].moves))).is_over:
        boards.append(after)
    return dice.choice((*boards[-9:], *dice.choices(boards, k=9)))


def seconds_of_get(path: str, board: Board, time_ms: int, seed: int) -> float:
    """Return the processor time of a GET."""
    rules = board.rules
    switches = {name: str(value).lower() for name, value in rules.changed.items()}
    query = {"board": str(board), "k": rules.k, "time_ms": time_ms, "seed": seed, **switches}
    began = time.process_time()
    answer = client().get(path, query_string=query)
    assert answer.status_code == HTTPStatus.OK, answer.text
    return time.process_time() - began


def corners(number: int, seed: int) -> Iterator[tuple[float, str]]:
    """For each game, yield the worst excess in milliseconds over what is allowed, and a line."""
    for game in GAMES:
        dice = random.Random(f"{game} {seed}")
        worst, question = -float("inf"), ""
        for _ in range(number):
            board = corner(dice, game)
            for path in ("/best-move", "/analyze"):
                seconds_of_get(path, board, ASKED_MS[0], 0)
                for time_ms in ASKED_MS:
                    took = 1000 * min(seconds_of_get(path, board, time_ms, seed) for seed in (1, 2))
                    excess = took - ALLOWED * time_ms - BESIDE_MS
                    if excess > worst:
                        worst = excess
                        question = f"{took:.0f} ms for {time_ms}: {path} k={board.rules.k} {board}"
        yield worst, f"{game:24} {question}"


def main() -> int:
    options = asked(__doc__, positions=400, games=50, processes=2, rates=False, corners=0, seed=1)
    if options.corners:
        worst = 0.0
        for excess, line in corners(options.corners, options.seed):
            print(line, flush=True)
            worst = max(worst, excess)
        return int(worst > 0)
    if options.rates:
        for line in rates():
            print(line, flush=True)
        return 0
    proven: dict[int, Counter[str]] = defaultdict(Counter)
    given_away: dict[int, Counter[str]] = defaultdict(Counter)
    given_away_though_proven = 0
    with Pool(options.processes) as pool:
        tasks = [(number, group) for number in range(options.positions) for group in range(3)]
        for group, judged, board in pool.imap_unordered(asked_in_all_ways, tasks):
            for way, (is_proven, is_given_away) in judged.items():
                proven[group][way] += is_proven
                given_away[group][way] += is_given_away
            if judged["GET"][1] and judged["POST"][0]:
                given_away_though_proven += 1
                print(f"GET gives away what POST proves: {board}", flush=True)
        for group, (least, most) in enumerate(DISCS):
            for way in WAYS:
                print(
                    f"{least:2} to {most:2} discs, {way:5} {proven[group][way]:4} of "
                    f"{options.positions} proven, {given_away[group][way]:3} given away"
                )
        won = sum(pool.imap_unordered(game_won, range(options.games)))
    print(f"{given_away_though_proven} given away by GET that POST proves")
    print(f"{won} of {options.games} won games won by GET")
    return 0


if __name__ == "__main__":
    sys.exit(main())
