"""Do estimates come true? Plays games of the engine with itself, and compares each estimate with
the result of its game.

python -m benchmarks.engine.calibrate --games 400

The estimates are tested in one half of the games. For each kind of game, budget and side to move,
the program prints the mean logarithmic loss of the estimates. It groups the positions by how full
the board is, in thirds, and by the estimate, in tenths. A group is judged if it has at least ENOUGH
positions of ENOUGH_GAMES games. The program prints the groups where the mean estimate and the share
of the points that X won differ by more than ALLOWED. `--fit` uses the other half of
the games: it fits the curves that turn values into chances, and writes them into
service/bestmove/search/curves.json.
"""

import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from statistics import fmean
from typing import Final, NamedTuple

from benchmarks.engine.fit import written
from benchmarks.options import asked
from bestmove.game import EMPTY, Board, Rules, X, other
from bestmove.search import curves
from bestmove.search.dispatch import search
from bestmove.search.limits import SearchLimits

GAMES: Final = {
    "7x7 k4": (Rules(7, 7, 4), 6),
    "9x9": (Rules(9, 9, 5), 8),
    "15x15": (Rules(15, 15, 5), 10),
    "20x20": (Rules(20, 20, 5), 10),
    "15x15 exactly five": (Rules(15, 15, 5, overline=False), 10),
    "8x9 k4 gravity": (Rules(8, 9, 4, gravity=True), 12),
    "9x9 k5 gravity": (Rules(9, 9, 5, gravity=True), 12),
    "6x6 k4 misere": (Rules(6, 6, 4, misere=True), 8),
    "9x9 k4 misere": (Rules(9, 9, 4, misere=True), 10),
    "6x7 k4 gravity misere": (Rules(6, 7, 4, gravity=True, misere=True), 10),
}
"""Each game's rules and a number n: the game begins with n / 2 to n random moves. In half of the
games they are in the middle of the board, in the other half anywhere.

Connect Four and boards of up to 20 cells are missing: almost all their positions are proven."""

BUDGETS: Final = (1_000, 20_000)
ENOUGH: Final = 1_000
ENOUGH_GAMES: Final = 100

_RISE: Final = 0.002
"""Each point of a curve is at least this much higher than the point before."""

EDGES: Final = (20, 60, 120, 200, 280, 360, 450, 560, 700, 900, 1200, 1800, 3000, 9000, 19_000)
"""The ends of intervals of estimates. The fit averages the results in each interval."""

ALLOWED: Final = 0.05

_LEADS: Final = (*range(-640, -120, 40), *range(-120, 121, 20), *range(160, 641, 40))
_GAIN: Final = 10
"""A lead counts only if it lowers the logarithmic loss, summed over the games, by so much."""


class Seen(NamedTuple):
    """A position from a game, with its estimate and the game's result.

    Attributes:
        number: the number of the game.
        side: 1 if X is to move, -1 if O is to move.
        third: 0, 1 or 2, by how full the board is.
        value: the value that the search found, for X.
        points: 1 if X won in the end, ½ for a draw, 0 if O won.
    """

    game: str
    nodes: int
    number: int
    side: int
    third: int
    value: int
    points: float


def positions(task: tuple[str, int, int]) -> list[Seen]:
    name, nodes, number = task
    rules, opening = GAMES[name]
    is_wide = number // 2 % 2
    dice = random.Random(f"{name} {nodes} {number}")
    board = Board("." * rules.size, rules)
    for _ in range(dice.randint(opening // 2, opening)):
        after = board.play(dice.choice(board.moves) if is_wide else _near(board, dice))
        if after.is_over:
            break
        board = after
    estimates: list[tuple[int, int, int]] = []
    winner: str | None = None
    while not board.is_over:
        side = board.turn or X
        found, _ = search(board, SearchLimits(time_ms=None, nodes=nodes, seed=number, pv=False))
        if found.exact:
            winner = None if not found.value else side if found.value > 0 else other(side)
            break
        sign = 1 if side == X else -1
        third = 3 * (rules.size - board.cells.count(EMPTY)) // rules.size
        estimates.append((sign, third, sign * found.value))
        board = board.play(found.pv[0])
    else:
        winner = board.winner
    points = 0.5 if winner is None else float(winner == X)
    return [Seen(name, nodes, number, *estimate, points) for estimate in estimates]


def _near(board: Board, dice: random.Random) -> int:
    rules = board.rules
    row, column = rules.rows / 2, rules.columns / 2
    near = [
        move
        for move in board.moves
        if max(abs(move // rules.columns + 0.5 - row), abs(move % rules.columns + 0.5 - column)) < 4
    ]
    return dice.choice(near or board.moves)


def games(count: int, first: int) -> Iterator[Seen]:
    """Yield the positions of `count` games of each kind with the smaller budget, and of `count` / 3
    games with the larger budget."""
    tasks = [
        (name, nodes, first + number)
        for nodes, share in zip(BUDGETS, (1, 3), strict=True)
        for name in GAMES
        for number in range(count // share)
    ]
    random.Random(1).shuffle(tasks)
    with Pool() as pool:
        for found in pool.imap_unordered(positions, tasks, chunksize=4):
            yield from found


def fitted(seen: Iterable[Seen]) -> dict[tuple[str, int], curves.Curve]:
    """Return a curve for each game and budget.

    The results rise with the values (pool adjacent violators). The lead is the one with the least
    loss, if it counts.
    """
    of: dict[tuple[str, int], list[Seen]] = defaultdict(list)
    for one in seen:
        of[one.game, one.nodes].append(one)
    return {key: _fitted(alike) for key, alike in sorted(of.items())}


def _fitted(seen: Sequence[Seen]) -> curves.Curve:
    positions_of = Counter(one.number for one in seen)

    def by_games(curve: curves.Curve) -> float:
        return sum(loss(one, curve) / positions_of[one.number] for one in seen)

    plain, *led = (_monotone(seen, lead) for lead in (0, *_LEADS))
    best = min(led, key=lambda curve: sum(loss(one, curve) for one in seen))
    return best if by_games(best) < by_games(plain) - _GAIN else plain


def chance(one: Seen, curve: curves.Curve) -> float:
    """Return the estimated share of the points that X wins."""
    return (1 + curves.expected_result(one.value, curve)) / 2


def loss(one: Seen, curve: curves.Curve) -> float:
    estimated = chance(one, curve)
    return -one.points * math.log(estimated) - (1 - one.points) * math.log(1 - estimated)


def _monotone(seen: Iterable[Seen], lead: int) -> curves.Curve:
    pairs = [(one.value + lead, 2 * one.points - 1) for one in seen]
    pairs = [(abs(value), result if value >= 0 else -result) for value, result in pairs]
    blocks: list[list[float]] = []
    for low, high in zip((0, *EDGES), (*EDGES, 10**9), strict=True):
        inside = [(value, result) for value, result in pairs if low <= value < high]
        if not inside:
            continue
        count = len(inside)
        middle = sum(value for value, _ in inside) / count
        blocks.append([middle, max(0.0, sum(result for _, result in inside) / count), count])
        while len(blocks) > 1 and blocks[-2][1] >= blocks[-1][1]:
            (a, b, m), (c, d, n) = blocks[-2:]
            blocks[-2:] = [[(a * m + c * n) / (m + n), (b * m + d * n) / (m + n), m + n]]
    points, least = [], _RISE
    for middle, result, _ in blocks:
        points.append((round(middle), round(max(result, least), 4)))
        least = points[-1][1] + _RISE
    return curves.Curve(tuple(points), lead)


def table(seen: Iterable[Seen]) -> tuple[str, int]:
    """Return a table of estimates and results, and how many groups differ by more than ALLOWED."""
    of: dict[tuple[str, int, int], list[Seen]] = defaultdict(list)
    for one in seen:
        of[one.game, one.nodes, one.side].append(one)
    lines = ["| game | nodes | to move | loss | judged | estimated and won |"]
    lines.append("| --- | ---: | --- | ---: | ---: | --- |")
    wrong = 0
    for (game, nodes, side), alike in sorted(of.items()):
        curve = curves.curve_of(GAMES[game][0], nodes)
        groups: dict[tuple[int, int], list[Seen]] = defaultdict(list)
        for one in alike:
            groups[one.third, min(9, int(chance(one, curve) * 10))].append(one)
        judged = {
            key: [fmean(chance(one, curve) for one in group), fmean(one.points for one in group)]
            for key, group in sorted(groups.items())
            if len(group) >= ENOUGH and len({one.number for one in group}) >= ENOUGH_GAMES
        }
        off = [
            f"third {third + 1}: {estimated:.2f} {won:.2f}"
            for (third, _), (estimated, won) in judged.items()
            if abs(estimated - won) > ALLOWED
        ]
        wrong += len(off)
        mean = fmean(loss(one, curve) for one in alike)
        mover = "X" if side > 0 else "O"
        shown = f"{mover} | {mean:.4f} | {len(judged)} | {'; '.join(off)}"
        lines.append(f"| {game} | {nodes:,} | {shown} |")
    return "\n".join(lines), wrong


def write(found: dict[tuple[str, int], curves.Curve]) -> None:
    tables = []
    for (game, nodes), (points, lead) in found.items():
        rules = GAMES[game][0]
        size = {"rows": rules.rows, "columns": rules.columns, "k": rules.k}
        values, results = zip(*points, strict=True)
        curve = {"nodes": nodes, "lead": lead, "values": values, "results": results}
        tables.append({"rules": size | rules.changed, **curve})
    Path(curves.__file__).with_suffix(".json").write_text(written(tables), encoding="utf-8")


def main() -> int:
    given = asked(__doc__, games=400, first=0, fit=False)
    seen = list(games(given.games, given.first))
    if given.fit:
        write(fitted(one for one in seen if one.number % 2))
    text, wrong = table([one for one in seen if one.number % 2 == 0])
    print(text)
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
