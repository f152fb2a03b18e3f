"""Do estimates come true? Plays games of the engine with itself, and compares each estimate with
the result of its game.

python -m benchmarks.engine.calibrate --games 400

The estimates are tested in one half of the games. Their positions are grouped by kind of game, by
budget, and by estimate (0.3 to 0.4, for example). For each group the program prints the mean
estimate and the share of the points that the side to move won. `--fit` uses the other half of the
games: it fits the curves that turn values into chances, and writes them into
service/bestmove/search/curves.py.
"""

import random
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Final, NamedTuple

from benchmarks.options import asked
from bestmove.game import Board, Rules, X, other
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
"""Each game's rules and a number n: the game begins with n / 2 to n random moves.

Connect Four and boards of up to 20 cells are missing: almost all their positions are proven."""

BUDGETS: Final = (1_000, 20_000)
ENOUGH: Final = 1_000
"""A group with fewer positions is not judged."""

_WIDTH: Final = 99
_RISE: Final = 0.002
"""Each point of a curve is at least this much higher than the point before."""

ALLOWED: Final = 0.05
"""A group's mean estimate may differ this much from the share of the points won."""


class Seen(NamedTuple):
    """A position from a game, with its estimate and the game's result.

    Attributes:
        value: the value that the search found, for the side to move.
        points: 1 if the side to move won in the end, ½ for a draw, 0 if it lost.
    """

    game: str
    nodes: int
    number: int
    value: int
    points: float


def positions(task: tuple[str, int, int]) -> list[Seen]:
    name, nodes, number = task
    rules, opening = GAMES[name]
    dice = random.Random(f"{name} {nodes} {number}")
    board = Board("." * rules.size, rules)
    for _ in range(dice.randint(opening // 2, opening)):
        after = board.play(_near(board, dice))
        if after.is_over:
            break
        board = after
    estimates: list[tuple[str, int]] = []
    winner: str | None = None
    while not board.is_over:
        side = board.turn or X
        found, _ = search(board, SearchLimits(time_ms=None, nodes=nodes, seed=number, pv=False))
        if found.exact:
            winner = None if not found.value else side if found.value > 0 else other(side)
            break
        estimates.append((side, found.value))
        board = board.play(found.pv[0])
    else:
        winner = board.winner
    return [
        Seen(name, nodes, number, value, 0.5 if winner is None else float(side == winner))
        for side, value in estimates
    ]


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


def fitted(seen: Iterable[Seen]) -> dict[tuple[str, int], list[tuple[int, float]]]:
    """Return a curve for each game and budget: pairs of a value and an expected result.

    The results rise with the values (pool adjacent violators). Negative values are left out: the
    result of -v is minus the result of v.
    """
    of: dict[tuple[str, int], list[tuple[int, float]]] = defaultdict(list)
    for one in seen:
        result = 2 * one.points - 1
        of[one.game, one.nodes].append((abs(one.value), result if one.value >= 0 else -result))
    return {key: _monotone(pairs) for key, pairs in sorted(of.items())}


def _monotone(pairs: list[tuple[int, float]]) -> list[tuple[int, float]]:
    edges = curves.EDGES
    blocks: list[list[float]] = []
    for low, high in zip((0, *edges), (*edges, 10**9), strict=True):
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
    return points


def table(seen: Sequence[Seen]) -> tuple[str, int]:
    """Return a table of estimates and results, and how many groups differ by more than ALLOWED."""
    tenths: dict[tuple[str, int], list[list[float]]] = defaultdict(lambda: [[] for _ in range(10)])
    shown: dict[tuple[str, int], list[list[float]]] = defaultdict(lambda: [[] for _ in range(10)])
    for one in seen:
        curve = curves.curve_of(GAMES[one.game][0], one.nodes)
        chance = (1 + curves.expected_result(one.value, curve)) / 2
        at = min(9, int(chance * 10))
        tenths[one.game, one.nodes][at].append(one.points)
        shown[one.game, one.nodes][at].append(chance)
    lines, wrong = (
        ["| game | nodes | tenth: estimated, won (positions) |", "| --- | ---: | --- |"],
        0,
    )
    for (game, nodes), bins in sorted(tenths.items()):
        cells = []
        for at, points in enumerate(bins):
            if not points:
                continue
            estimated = sum(shown[game, nodes][at]) / len(points)
            won = sum(points) / len(points)
            off = abs(won - estimated) > ALLOWED
            wrong += off and len(points) >= ENOUGH
            mark = "" if len(points) >= ENOUGH else " sparse"
            cells.append(f"{estimated:.2f} {won:.2f} ({len(points)}{mark}){' !' if off else ''}")
        lines.append(f"| {game} | {nodes:,} | {'; '.join(cells)} |")
    return "\n".join(lines), wrong


def write(found: dict[tuple[str, int], list[tuple[int, float]]]) -> None:
    path = Path(curves.__file__)
    before, begin, rest = path.read_text(encoding="utf-8").partition(" = (\n")
    _, end, after = rest.partition(")\n# fmt: on\n")
    assert end, "curves.py has no table"
    lines = []
    for (game, nodes), points in found.items():
        rules = GAMES[game][0]
        changed = "".join(f", {name}={on}" for name, on in rules.changed.items())
        shape = f"Rules({rules.rows}, {rules.columns}, {rules.k}{changed})"
        text = f"({shape}, {nodes}, ({', '.join(map(str, points))})),"
        lines += textwrap.wrap(text, _WIDTH, initial_indent=" " * 4, subsequent_indent=" " * 8)
    path.write_text(before + begin + "\n".join(lines) + "\n" + end + after, encoding="utf-8")


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
