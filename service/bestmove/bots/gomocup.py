"""An engine for the Gomocup protocol, whose documents call the engine a brain.

The module `pipes` connects the brain to the manager, the program that runs the match.

- The protocol is Petr Laštovička's: https://plastovicka.github.io/protocl2en.htm
- Coordinates are `x,y`: the column and the row, counted from 0.
- The brain supports rules 0 (freestyle: five or more) and 1 (exactly five). Under any other rule, a
  command that needs a rule gets an ERROR.
- Commands that begin with YX are Kai Sun's: https://github.com/accreator/Yixin-protocol
- A MESSAGE during a search has the form of Rapfi's messages.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from math import atanh
from typing import Final

from bestmove.answers import Analysis, BestMove, MoveEvaluation, SearchStats
from bestmove.bots import swap2
from bestmove.errors import BestMoveError
from bestmove.game import EMPTY, MAX_SIDE, Board, O, Rules, X
from bestmove.game.inputs import require_usable
from bestmove.search.analysis import analyze
from bestmove.search.cancellation import Cancellation
from bestmove.search.engine import DEFAULT_BYTES, SEARCH_BYTES, searchers
from bestmove.search.limits import MAX_LINES, MAX_NODES, MAX_THREADS, MAX_TIME_MS, SearchLimits
from bestmove.version import __version__

DEFAULT_TURN_MS: Final = 1_000
"""The time for a move if the manager sets no time, depth or number of nodes."""

AT_ONCE_MS: Final = 10
"""The time for a move after `INFO timeout_turn 0`, which means as fast as possible."""

MATCH_SHARE: Final = 15
"""A move takes at most 1/15 of the match's remaining time, so the time never runs out."""

UNLIMITED_MS: Final = 2_147_483_647
"""The value of `INFO time_left` in a match without a time limit."""

UNLIMITED_DEPTH: Final = 99
"""A `max_depth` of 99 or more means no limit. Rapfi's default is 99."""

EVALUATION_SCALE: Final = 400
"""An evaluation is 400 times the natural logarithm of the odds of a win, as in pygomo-lib."""

LONGEST_LINE: Final = 12
"""The maximum number of moves in the variation of a message."""

STOPS: Final = ("STOP", "YXSTOP")
"""The commands that end the running search. Rapfi accepts both."""

MIN_MEMORY: Final = 64 * 2**20

PROCESS_BYTES: Final = 32 * 2**20
"""The measured memory of the process without an engine."""

SMALLEST_SWAP2: Final = 25
"""The minimum number of cells for a swap2 opening. On fewer cells no opening is balanced."""

SHORTEST_SWAP2: Final = 3
"""The smallest k for a swap2 opening. With a smaller k the opening could complete a line."""

FIRST_PASS_MS: Final = 1_000
"""The time of the first, shortest search of an analysis."""

OWN, OPPONENT = 1, 2

_SIZES: Final = re.compile(r"\s*(\d{1,4})(?:\s+(\d{1,4}))?\s*", re.ASCII)
_PAIR: Final = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*", re.ASCII)
_STONE: Final = re.compile(r"\s*(\d{1,4})\s*,\s*(\d{1,4})\s*,\s*(\d)\s*", re.ASCII)
_INTEGER: Final = re.compile(r"\s*(-?\d{1,20})\s*", re.ASCII)


FREESTYLE: Final = 0
EXACTLY_FIVE: Final = 1
"""The values of `INFO rule` for five or more in a row, and for exactly five."""


class Refusal(Exception):
    """Raised if a known command cannot be executed. The manager then gets an ERROR."""


@dataclass
class Info:
    """The manager's settings; times are in milliseconds, and memory is in bytes.

    `max_depth` (plies), `max_node` (nodes per move) and `thread_num` (processors) are Yixin's
    extensions.
    """

    timeout_turn: int | None = None
    timeout_match: int = 0
    time_left: int = UNLIMITED_MS
    max_memory: int = 0
    max_depth: int = 0
    max_node: int = 0
    thread_num: int = 1
    rule: int = 0

    def budget_ms(self, default: int = DEFAULT_TURN_MS) -> int:
        """Return the time for the next move, minus a margin for the time outside the search.

        Args:
            default: the time for a move if the manager has set none.
        """
        turn = default if self.timeout_turn is None else self.timeout_turn
        if turn <= 0:
            return AT_ONCE_MS
        left = self.time_left
        if left >= UNLIMITED_MS and self.timeout_match > 0:
            left = self.timeout_match  # the manager sent no time_left
        if left < UNLIMITED_MS:
            turn = min(turn, max(left, 0) // MATCH_SHARE)
        margin = 15 + turn // 40
        return min(max(turn - margin, AT_ONCE_MS), MAX_TIME_MS)


@dataclass
class Brain:
    """One side of a match. The brain answers the manager's commands.

    Args:
        engine: chooses the moves. It has the parameters of `best_move`.
        k: how many marks in a row win; by default five, or fewer on a smaller board.
        level: 1 to 10.
        seed: makes the moves reproducible.
        max_time_ms: the longest time for a move, even if the manager allows more.
        analyst: finds the best moves and their variations. It has the parameters of `analyze`.
        tell: sends a message during a search.
    """

    engine: Callable[..., BestMove]
    k: int | None = None
    level: int = 10
    seed: int | None = None
    max_time_ms: int | None = None
    analyst: Callable[..., Analysis] = analyze
    tell: Callable[[str], None] = lambda _: None
    info: Info = field(default_factory=Info)
    rules: Rules | None = None
    stones: dict[int, int] = field(default_factory=dict)
    ended: bool = False
    _listing: str | None = None
    _listed: list[str] = field(default_factory=list)
    _listing_since: float = 0.0
    _cancellation: Cancellation | None = None

    def __post_init__(self) -> None:
        require_usable({"k": self.k, "level": self.level, "seed": self.seed})

    def handle(
        self,
        line: str,
        arrived: float | None = None,
        cancellation: Cancellation | None = None,
    ) -> Iterator[str]:
        """Answer one line.

        Args:
            line: a line from the manager, with or without its line break.
            arrived: when the line arrived, in `time.monotonic()` seconds; the move's time starts
                then.
            cancellation: ends the search for this line from another thread.
        """
        self._cancellation = cancellation
        arrived = time.monotonic() if arrived is None else arrived
        text = line.strip()
        if not text:
            return
        word, _, argument = text.partition(" ")
        if self._listing and not text[0].isalpha():
            self._listed.append(text)
            return
        try:
            yield from self._command(word, argument, arrived)
        except (Refusal, BestMoveError) as error:
            yield f"ERROR {error}"

    def _command(self, word: str, argument: str, arrived: float) -> Iterator[str]:
        listing, self._listing = self._listing, None
        if word.upper() == "DONE" and listing:
            yield from self._done(listing)
            return
        if listing and word.upper() != "END":
            yield f"ERROR {listing} without DONE is ignored"
        match word.upper():
            case "START":
                yield self._open(word, _SIZES.fullmatch(argument), "START 15 or START 20 15")
            case "RECTSTART":
                yield self._open(word, _PAIR.fullmatch(argument), "RECTSTART 19,15")
            case "RESTART":
                self._require_rule()
                self._board_rules()
                self.stones = {}
                yield "OK"
            case "BEGIN":
                if self.stones:
                    raise Refusal("BEGIN needs an empty board: send RESTART first")
                yield from self._move(arrived, {})
            case "TURN":
                index = self._free_cell(argument)
                yield from self._move(arrived, {**self.stones, index: OPPONENT})
            case "BOARD" | "YXBOARD" | "SWAP2BOARD":
                self._listing, self._listed, self._listing_since = word.upper(), [], arrived
            case "TAKEBACK":
                index = self._cell(argument)
                if self.stones.pop(index, None) is None:
                    raise Refusal(f"there is no stone on {argument.strip()}")
                yield "OK"
            case "PLAY":
                index = self._free_cell(argument)
                self.stones[index] = OWN
                yield self._coordinates(index)
            case "YXNBEST":
                yield from self._best_lines(arrived, argument)
            case "YXSHOWINFO":
                yield f"MESSAGE INFO MAX_THREAD_NUM {MAX_THREADS}"
            case "INFO":
                self._note(argument)
            case "ABOUT":
                yield (f'name="Best Move", version="{__version__}", author="its contributors"')
            case "END":
                self.ended = True
            case stop if stop in STOPS:
                pass  # no search is running
            case _:
                yield f"UNKNOWN {word[:40]!a} is not a command of this brain"

    def _open(self, word: str, size: re.Match[str] | None, examples: str) -> str:
        """Begin a game on a board of the given size: columns, and rows if they differ."""
        if not size:
            raise Refusal(f"{word.upper()} needs the size of the board, such as {examples}")
        columns, rows = int(size[1]), int(size[2] or size[1])
        if not (1 <= rows <= MAX_SIDE and 1 <= columns <= MAX_SIDE):
            raise Refusal(
                f"a board of {columns}x{rows} is not supported: "
                f"use 1 to {MAX_SIDE} columns and 1 to {MAX_SIDE} rows"
            )
        self._require_rule()
        self.rules = Rules.of(rows, columns, self.k)
        self.stones = {}
        # START has no time limit, so build the tables now instead of during the first move.
        self.engine(Board.empty(rows, columns, self.rules.k), SearchLimits(time_ms=AT_ONCE_MS))
        return "OK"

    def _done(self, listing: str) -> Iterator[str]:
        if listing == "SWAP2BOARD":
            yield from self._swap2()
            return
        stones: dict[int, int] = {}
        for line in self._listed:
            stone = _STONE.fullmatch(line)
            if not stone or stone[3] not in ("1", "2"):
                raise Refusal(f"{line[:40]!a} is not a stone: use x,y,1 (mine) or x,y,2 (opponent)")
            index = self._cell(f"{stone[1]},{stone[2]}")
            if index in stones:
                raise Refusal(f"two stones on {stone[1]},{stone[2]}")
            stones[index] = int(stone[3])
        if listing == "BOARD":
            yield from self._move(self._listing_since, stones)
        else:
            self._board(stones)
            self.stones = stones

    def _swap2(self) -> Iterator[str]:
        self._require_rule()
        rules, stones = self._board_rules(), [self._cell(line) for line in self._listed]
        if len(set(stones)) < len(stones):
            raise Refusal("two stones on one cell")
        if not stones:
            if rules.size < SMALLEST_SWAP2 or rules.k < SHORTEST_SWAP2:
                raise Refusal(
                    f"swap2 needs a board of {SMALLEST_SWAP2} cells and {SHORTEST_SWAP2} in a row"
                )
            limits = self._limits(self._listing_since, by_clock=True)
            stones = [*swap2.opening(rules, self._search, limits, random.Random(self.seed))]
            self.stones = self._sides(stones, black=OWN)
            yield " ".join(map(self._coordinates, stones))
            return
        if len(stones) not in swap2.TO_CHOOSE:
            raise Refusal(f"swap2 needs 0, 3 or 5 stones on the board, not {len(stones)}")
        move, found = swap2.choice(rules, stones, self._search, self._limits(self._listing_since))
        if found.board.is_over:
            raise Refusal("the game is over before a side is chosen")
        self.stones = self._sides(stones, black=OWN if move is None else OPPONENT)
        yield self._message(found.board, found, found.search)
        if move is None:
            yield "SWAP"
        else:
            self.stones[move] = OWN
            yield self._coordinates(move)

    @staticmethod
    def _sides(stones: list[int], black: int) -> dict[int, int]:
        white = OPPONENT if black == OWN else OWN
        return {cell: white if number % 2 else black for number, cell in enumerate(stones)}

    def _search(self, board: Board, limits: SearchLimits) -> BestMove:
        return self.engine(board, limits, cancellation=self._cancellation)

    def _move(self, arrived: float, stones: dict[int, int]) -> Iterator[str]:
        board = self._to_move(stones)

        def report(found: BestMove) -> None:
            self.tell(self._message(board, found, found.search))

        found = self.engine(
            board, self._limits(arrived), progress=report, cancellation=self._cancellation
        )
        if found.move is None:
            raise Refusal("the engine has no move")
        yield self._message(board, found, found.search)
        self.stones = {**stones, found.move.index: OWN}
        yield self._coordinates(found.move.index)

    def _best_lines(self, arrived: float, argument: str) -> Iterator[str]:
        count = _INTEGER.fullmatch(argument)
        if not count:
            raise Refusal("YXNBEST needs the number of lines, such as YXNBEST 3")
        lines = min(int(count[1]), MAX_LINES)
        if lines <= 1:
            yield from self._move(arrived, self.stones)
            return
        board = self._to_move(self.stones)
        found = None
        for limits in _passes(replace(self._limits(arrived), lines=lines)):
            latest = self.analyst(board, limits, cancellation=self._cancellation)
            is_stopped = self._cancellation is not None and self._cancellation.is_cancelled
            if found is None or not is_stopped:
                found = latest
                for place, move in enumerate(found.moves[:lines], 1):
                    yield self._message(board, move, found.search, place)
            if is_stopped or found.exact:
                break
        assert found is not None, "there is at least one pass"
        best = found.moves[0].index
        self.stones = {**self.stones, best: OWN}
        yield self._coordinates(best)

    def _to_move(self, stones: dict[int, int]) -> Board:
        self._require_rule()
        if 0 < self.info.max_memory < MIN_MEMORY:
            raise Refusal(
                f"{self.info.max_memory} bytes of memory are not enough: {MIN_MEMORY} are needed"
            )
        board = self._board(stones)
        if board.is_over:
            raise Refusal(
                "the game is over: "
                + ("a line is complete" if board.winner else "the board is full")
            )
        return board

    def _limits(self, arrived: float, *, by_clock: bool = False) -> SearchLimits:
        """Return the limits of a search.

        The deadline limits every search. A search with a depth gets no `time_ms`, because a
        `time_ms` would also limit its nodes.

        Args:
            arrived: when the time for the move started.
            by_clock: whether to ignore the manager's limits of depth and nodes.
        """
        depth = nodes = None
        if not by_clock:
            if 0 < self.info.max_depth < min(UNLIMITED_DEPTH, self._board_rules().size):
                depth = self.info.max_depth
            if 0 < self.info.max_node < MAX_NODES:
                nodes = self.info.max_node
        is_counted = depth is not None or nodes is not None
        budget = self.info.budget_ms(MAX_TIME_MS if is_counted else DEFAULT_TURN_MS)
        if self.max_time_ms is not None:
            budget = min(budget, self.max_time_ms)
        # Answers vary with several threads, so a game with a seed or a depth uses only one.
        is_repeatable = self.seed is not None or depth is not None
        return SearchLimits(
            time_ms=budget if depth is None else None,
            depth=depth,
            engine_nodes=nodes,
            level=self.level,
            seed=self.seed,
            in_game=True,
            deadline=arrived + budget / 1000,
            threads=1 if is_repeatable else min(max(self.info.thread_num, 1), MAX_THREADS),
        )

    def _message(
        self, board: Board, line: BestMove | MoveEvaluation, cost: SearchStats, place: int = 0
    ) -> str:
        """Report a move's result. `place`: the move's rank in an analysis; otherwise 0."""
        depth = line.depth if isinstance(line, MoveEvaluation) else line.plies or cost.depth
        depth = max(depth, 1)  # depth 0 means that only the position after the move was evaluated
        if line.exact and line.outcome != "draw":
            evaluation = f"{'+' if line.outcome == 'win' else '-'}M{line.plies}"
        else:
            mine = line.score if board.turn == X else -line.score
            evaluation = str(round(EVALUATION_SCALE * 2 * atanh(mine)))
        rank = f"multipv {place} " if place else ""
        elapsed_ms = round(cost.elapsed_ms)
        return (
            f"MESSAGE depth {depth}-{max(depth, len(line.pv))} {rank}ev {evaluation} "
            f"n {cost.nodes} n/ms {cost.nodes // max(elapsed_ms, 1)} tm {elapsed_ms} "
            f"pv {' '.join(map(self._coordinates, line.pv[:LONGEST_LINE]))}"
        )

    def _board(self, stones: dict[int, int]) -> Board:
        """Return the position, in which X moved first. Raise a Refusal if it is not our turn."""
        rules = self._board_rules()
        own = sum(1 for side in stones.values() if side == OWN)
        behind = len(stones) - 2 * own
        if behind not in (0, 1):
            raise Refusal(
                f"it is not my move: {own} stones are mine, {len(stones) - own} are the opponent's"
            )
        marks = {OWN: O, OPPONENT: X} if behind else {OWN: X, OPPONENT: O}
        cells = (marks[stones[index]] if index in stones else EMPTY for index in range(rules.size))
        return Board("".join(cells), rules)

    def _board_rules(self) -> Rules:
        if self.rules is None:
            raise Refusal("there is no board: send START first")
        # The manager may send `INFO rule` after `START`, so `START` cannot apply the rule.
        return replace(self.rules, overline=self.info.rule != EXACTLY_FIVE)

    def _require_rule(self) -> None:
        if self.info.rule not in (FREESTYLE, EXACTLY_FIVE):
            raise Refusal(
                f"rule {self.info.rule} is not supported, only 0 (freestyle gomoku) and 1 (exactly "
                "five)"
            )

    def _cell(self, argument: str) -> int:
        rules = self._board_rules()
        pair = _PAIR.fullmatch(argument)
        if not pair:
            raise Refusal(f"{argument[:40]!a} is not a pair of coordinates: x,y from 0")
        column, row = int(pair[1]), int(pair[2])
        if column >= rules.columns or row >= rules.rows:
            raise Refusal(
                f"{column},{row} is not on the board: x is 0 to {rules.columns - 1}, "
                f"y 0 to {rules.rows - 1}"
            )
        return rules.index(row, column)

    def _free_cell(self, argument: str) -> int:
        index = self._cell(argument)
        if index in self.stones:
            raise Refusal(f"{argument.strip()} is taken")
        return index

    def _coordinates(self, index: int) -> str:
        row, column = self._board_rules().coordinates(index)
        return f"{column},{row}"

    def _note(self, argument: str) -> None:
        """Store a known setting. The protocol demands silence about unknown settings."""
        key, _, value = argument.strip().partition(" ")
        number = _INTEGER.fullmatch(value)
        if number and key.lower() in self.info.__dataclass_fields__:
            setattr(self.info, key.lower(), int(number[1]))
            if key.lower() == "max_memory":
                self._limit_memory()

    def _limit_memory(self) -> None:
        most = self.info.max_memory
        room = max(most - PROCESS_BYTES, SEARCH_BYTES) if most > 0 else DEFAULT_BYTES
        searchers.most = min(room, DEFAULT_BYTES)


def _passes(limits: SearchLimits) -> Iterator[SearchLimits]:
    """Yield the limits of ever longer searches of a position, and at last `limits`.

    A search analyses the other moves only at its end, after the best move. YXSTOP may stop a long
    search before that. A short search has then already analysed all moves.
    """
    is_counted = limits.is_repeatable or limits.engine_nodes is not None
    time_ms, left = FIRST_PASS_MS, 0 if is_counted else limits.time_ms or 0
    while left > 3 * time_ms:
        yield replace(limits, time_ms=time_ms)
        left -= time_ms
        time_ms *= 2
    yield limits
