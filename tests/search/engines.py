"""All engines behind one interface, and the games that each engine plays."""

import importlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bestmove import Board, Rules
from bestmove.search import table
from bestmove.search.engine import Every, Task, encoded
from bestmove.search.results import Found
from bestmove.search.scores import MAX_ESTIMATE, WIN
from tests.support.builds import interpreted
from tests.support.oracle import EVERY_RULE, Position, Shape, Switches
from tests.support.positions import board_of

SOLVER = "bestmove.search.engines.solver.proof"
GOMOKU = "bestmove.search.engines.gomoku.driver"
GENERAL = "bestmove.search.engines.general.engine"
CONNECT4 = "bestmove.search.engines.connect4.solver"

PLAIN = EVERY_RULE[:1]
EXACTLY: Sequence[Switches] = [PLAIN[0], {**PLAIN[0], "overline": False}]
FALLING: Sequence[Switches] = [{**switches, "gravity": True} for switches in EXACTLY]


def task(at: Board | Position, **limits: Any) -> Task:
    if isinstance(at, Board):
        return Task(*encoded(at.cells, at.turn), **limits)
    return Task(at.cells, at.to_move, **limits)


def worth(plies: int) -> int:
    """Return the value of a win in `plies` plies. Negative plies are a loss, 0 is a draw."""
    return 0 if plies == 0 else WIN - plies if plies > 0 else -WIN - plies


class Player:
    """Searches positions with an engine that was made for one game."""

    def __init__(self, made: Any, best: str = "best", every: str = "every") -> None:
        self.made, self._best, self._every = made, best, every

    def search(self, at: Position, **limits: Any) -> Found | None:
        if report := limits.pop("report", None):
            limits["report"] = lambda found: report(found[0])
        found: Found | None = getattr(self.made, self._best)(task(at, **limits))
        return found

    def moves(self, at: Position, **limits: Any) -> Sequence[Found]:
        every: Every = getattr(self.made, self._every)(task(at, **limits))
        return every.found


class Table:
    def search(self, at: Position) -> Found | None:
        return table.lookup(board_of(at).key)

    def moves(self, at: Position) -> Sequence[Found]:
        return table.lookup_moves(board_of(at))


@dataclass(frozen=True)
class Engine:
    """What an engine promises, and how to make one.

    Attributes:
        make: makes an engine. The arguments are the shape of the board, the switches of the rules,
            and the binary logarithm of the table's size.
        rules: the combinations of switches that the engine plays.
        fits: returns True if the engine plays on boards of this shape.
        positions: the number of random positions in each third of a test (see `THIRDS`).
        side: these positions have at most this many rows and columns.
        most_empty: the most empty cells of these positions.
        proves: without limits, the engine proves every result.
        shortest: proven wins are as quick as possible. Of equally good moves, the engine chooses
            the move with the lowest index.
        plays: the engine always answers, accepts a depth, reports progress, and lists all moves,
            best first. Otherwise the engine lists only proven moves, in the order of the cells.
        searches: the engine accepts limits (all but the 3×3 table do).
        least_bits: the binary logarithm of the smallest table.
    """

    name: str
    make: Callable[[Shape, Switches, int], Any]
    rules: Sequence[Switches] = EVERY_RULE
    fits: Callable[[Shape], bool] = lambda _: True
    positions: int = 300
    side: int = 4
    most_empty: int = 8
    proves: bool = True
    shortest: bool = True
    plays: bool = True
    searches: bool = True
    least_bits: int = 0

    def __repr__(self) -> str:
        return self.name

    def player(self, at: Position, table_bits: int = 8) -> Any:
        return self.make(at.game.shape, at.game.switches, max(table_bits, self.least_bits))


def _solver(module: Any) -> Callable[[Shape, Switches, int], Player]:
    return lambda shape, _, bits: Player(module.Solver(*shape, bits))


def _gomoku(module: Any) -> Callable[[Shape, Switches, int], Player]:
    def make(shape: Shape, switches: Switches, bits: int) -> Player:
        made = module.GomokuEngine(*shape, bits, overline=switches["overline"])
        return Player(made, "search", "search_moves")

    return make


def _general(module: Any) -> Callable[[Shape, Switches, int], Player]:
    def make(shape: Shape, switches: Switches, bits: int) -> Player:
        return Player(module.Player(Rules(*shape, **switches), bits))

    return make


def _drop(kind: Any) -> Callable[[Shape, Switches, int], Player]:
    def make(shape: Shape, switches: Switches, bits: int) -> Player:
        overline = switches["overline"]
        return Player(kind(*shape, table_bits=bits, overline=overline, with_book=False))

    return make


def _has_bits(shape: Shape) -> bool:
    return (shape[0] + 1) * shape[1] <= 64


def _is_3x3(shape: Shape) -> bool:
    return shape[:2] == (3, 3)


def _has_64_cells(shape: Shape) -> bool:
    return shape[0] * shape[1] <= 64


def _both(
    name: str, module: str, make: Callable[[Any], Any], **promises: Any
) -> tuple[Engine, Engine]:
    """Return an engine in two builds: as installed (usually compiled) and as plain Python."""
    installed = Engine(name, make(importlib.import_module(module)), **promises)
    slower: dict[str, Any] = {
        "name": f"{name}-interpreted",
        "positions": installed.positions // 6,
    }
    return installed, replace(installed, make=make(interpreted(module)), **slower)


MORE: dict[str, Any] = {"side": 5, "most_empty": 9, "positions": 400}
FALL: dict[str, Any] = {"rules": FALLING, "fits": _has_bits, "side": 5, "least_bits": 16}
PAIRS = [
    _both("solver", SOLVER, _solver, rules=PLAIN, fits=_has_64_cells, plays=False, **MORE),
    _both("gomoku", GOMOKU, _gomoku, rules=EXACTLY, proves=False, shortest=False, **MORE),
    _both("general", GENERAL, _general, positions=600),
    _both(
        "drop-prover",
        CONNECT4,
        lambda module: _drop(module.DropSolver),
        **FALL,
        most_empty=12,
        plays=False,
    ),
    _both("drop-player", CONNECT4, lambda module: _drop(module.DropPlayer), **FALL, positions=200),
]

INSTALLED = [installed for installed, _ in PAIRS]
BUILDS = [engine for pair in PAIRS for engine in pair]
NAMED = {engine.name: engine for engine in BUILDS}

ENGINES = [
    *BUILDS,
    Engine("table", lambda *_: Table(), fits=_is_3x3, positions=600, most_empty=9, searches=False),
]


def check(at: Position, found: Found, *, shortest: bool = True) -> None:
    """Assert that a claim is true. The line must be legal, of the claimed length, and best play.

    `shortest`: the winner must win as soon as possible.
    """
    assert found.pv
    assert found.pv[0] in at.moves
    if not found.exact:
        assert abs(found.value) <= MAX_ESTIMATE
        return
    value, mover = at.value, at.to_move
    _is_worth(at, found, value, shortest)
    for step, move in enumerate(found.pv, 1):
        assert move in at.moves
        if shortest:
            assert at.value_of(move) == at.value
        completes, last = at.wins(move), step == len(found.pv)
        assert completes == (last and value != 0)
        if completes:
            assert (at.to_move == mover) == ((value > 0) != at.game.misere)
        elif not last:
            at = at.after(move)


def _is_worth(at: Position, found: Found, value: int, shortest: bool) -> None:
    assert (found.value > 0) - (found.value < 0) == (value > 0) - (value < 0), (at, found)
    assert found.value == value if shortest else abs(found.value) <= abs(value), (at, found)
    if value:
        assert len(found.pv) == WIN - abs(found.value)


def value_of_move(at: Position, found: Found, *, shortest: bool = True) -> None:
    """Assert that the best move has the value that slow minimax finds for this move."""
    value = at.value_of(found.pv[0])
    if found.exact:
        _is_worth(at, found, value, shortest)
        if len(found.pv) > 1:
            rest = found.value + (1 if value > 0 else -1) if value else 0
            check(at.after(found.pv[0]), Found(-rest, True, found.pv[1:]), shortest=shortest)
    else:
        assert abs(found.value) <= MAX_ESTIMATE
