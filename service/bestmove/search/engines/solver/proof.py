"""The solver: proves the values of positions on boards of up to 64 cells, for any k.

Each side in turn is the attacker, and the other side is the defender. The solver asks the kernel:
can the attacker complete a line within n plies, whatever the defender does? n grows by two until
the answer is a win or "never". A win found in this way is the shortest. If neither side can ever
win, the position is a draw.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from bestmove.game import Rules
from bestmove.search.common.clock import ENDLESS
from bestmove.search.engine import Every, Searcher, Task
from bestmove.search.engines.solver.kernel import SolverKernel
from bestmove.search.engines.solver.parameters import (
    ATTACKER_TURN,
    CELLS,
    DEFENDER_TURN,
    FOREVER,
    NEVER,
    STOPPED,
)
from bestmove.search.engines.solver.winning_lines import WinningLines, share_of
from bestmove.search.results import Found
from bestmove.search.scores import WIN, before_move
from bestmove.words import EXACT_CELLS

# The numbers that share out the nodes were tuned for a low total cost on empty boards and random
# positions.
_SLICE: Final = 1000
"""A question (`_WinWithin`) gets at least this many nodes at a time. A question that has already
taken more nodes gets that many again."""

_SHORTER: Final = 20_000
"""The search for a shorter win may take this many nodes, plus twice the nodes of the rest of the
proof. On boards of up to EXACT_CELLS cells, there is no such limit."""

_FIRST_SHARE: Final = 2000
_SHARE_GROWTH: Final = 4

_LINE_SHARE: Final = (5000, 4)
_LOWEST_DRAW_SHARE: Final = (2000, 4)
"""Node limits, as arguments of `share_of`. _LINE_SHARE limits the search for the moves of a proven
win. _LOWEST_DRAW_SHARE limits the search for the drawing move that `_draw` prefers."""

_PROOF_NODES: Final = 300_000
_LATE_FIVES_NODES: Final = 100_000
_EARLY_FIVES_NODES: Final = 40_000
_EXACT_NODES: Final = 200_000
"""The node limits of a proof. _EXACT_NODES is a number of nodes. The other three are nodes per
second of the time budget."""


@dataclass(slots=True)
class _WinWithin:
    """A question to the kernel: can `side` win within n plies?

    Attributes:
        blocks_only: whether the other side may only block: lines of that side do not count.
        closed: whether the kernel has answered yes, so that there is nothing more to ask.
    """

    side: _Side
    n: int
    blocks_only: bool
    spent: int = 0
    closed: bool = False


@dataclass(slots=True)
class _Side:
    """What is known about one side's chances to win. This side is the attacker.

    Attributes:
        never: whether the attacker is proven never to win.
        wins_in: the plies of the shortest win known; 0 if none is known.
        holds: a move of the defender that prevents a win; -1 if none is known.
        any_holds: whether every move of the defender prevents a win.
    """

    attacker: int
    defender: int
    turn: int
    never: bool = False
    wins_in: int = 0
    holds: int = -1
    any_holds: bool = False
    questions: list[_WinWithin] = field(init=False)

    def __post_init__(self) -> None:
        self.questions = [
            # n grows while the answer is no. So the first win found is the shortest.
            _WinWithin(self, 1 + self.turn, False),
            # Is there a win of any length? A long win may be easier to find than the shortest.
            _WinWithin(self, FOREVER - self.turn, False),
            # Can the defender prevent every win without a line of his own? A yes takes few nodes.
            _WinWithin(self, FOREVER - self.turn, True),
        ]


class Solver(Searcher):
    """The prover of boards of one size.

    Args:
        rows, columns: at least 1; their product is at most `CELLS`.
        k: how many marks in a line win: 1 to the greater of rows and columns.
        table_bits: 4 to 28. The transposition table has 2**table_bits entries of 32 bytes.

    Raises:
        ValueError: an argument out of range.
    """

    keeps_plies = True

    def __init__(self, rows: int, columns: int, k: int, table_bits: int = 20) -> None:
        super().__init__(SolverKernel(rows, columns, k, table_bits), 32 << table_bits)
        self._size = rows * columns
        self._all = (1 << rows * columns) - 1
        self._exact = rows * columns <= EXACT_CELLS
        rules = Rules.of(rows, columns, k)
        self._lines = WinningLines(self.kernel, rules)
        self._symmetries = rules.geometry.symmetries

    def best(self, task: Task) -> Found | None:
        """Return the value and the best move of a position; None if the budget ran out.

        The number of plies to a win is an upper bound. On boards of up to EXACT_CELLS cells, this
        number is exact, and the best move is the first of equally good moves in `task.order`.

        Without a deadline, equal tasks get equal answers.
        """
        return self._value(*self._begin(task), ENDLESS, task)

    def every(self, task: Task) -> Every:
        """Return the moves of the task whose values are proven, in the order of the cells."""
        own, other = self._begin(task)
        free = [move for move in range(self._size) if not (own | other) >> move & 1]
        found: dict[int, Found] = {}
        open_moves = list(free if task.moves is None else task.moves)
        # Search the moves in rounds. Each move gets few nodes at first, so that hard moves do not
        # delay easy moves.
        share = _FIRST_SHARE
        while open_moves and not self.kernel.out:
            for move in open_moves:
                end = self.nodes + share
                if not self.kernel.out and (known := self._after(own, other, move, end)):
                    found[move] = known
            open_moves = [move for move in open_moves if move not in found]
            share *= _SHARE_GROWTH
            if task.report is not None and open_moves:
                task.report(list(found.values()))
        return Every(sorted(found.values(), key=lambda known: known.pv[0]), not open_moves)

    # -- advice for a certificate: see `dispatch.Adviser` ----------------------------------------

    def consult(self, task: Task) -> None:
        self._begin(task)

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        own, other = self._split(cells, to_move)
        n = FOREVER if plies is None else min(plies, FOREVER)
        value = self.kernel.ask(own, other, ATTACKER_TURN, n - 1 + n % 2, ENDLESS)
        return self.kernel.best if value > 0 else None

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        own, other = self._split(cells, to_move)
        n = FOREVER if plies is None else min(plies, FOREVER)
        n -= n % 2
        value = self.kernel.ask(other, own, DEFENDER_TURN, n, ENDLESS)
        if value > 0 or value == STOPPED:
            return None
        if self.kernel.best >= 0:
            return int(self.kernel.best)
        # The kernel proved that a move prevents the win, but did not name the move. Try the cells,
        # beginning where the lines of the other side weigh most.
        weights = self.kernel.weights(other, own)
        free = [cell for cell in range(self._size) if not (own | other) >> cell & 1]
        for cell in sorted(free, key=lambda cell: -weights[cell]):
            played = own | 1 << cell
            value = self.kernel.ask(other, played, ATTACKER_TURN, n - 1, ENDLESS) if n else 0
            if value == STOPPED:
                return None
            if value <= 0:
                return cell
        raise AssertionError("a move prevents the win")

    def _begin(self, task: Task) -> tuple[int, int]:
        self.kernel.begin(task.deadline, task.nodes)
        self.heed(task)
        return self._split(task.cells, task.mover)

    def _split(self, cells: bytes, mover: int) -> tuple[int, int]:
        if len(cells) != self._size:
            raise ValueError(f"{len(cells)} cells given, the board has {self._size}")
        own = sum(1 << i for i, mark in enumerate(cells) if mark == mover)
        return own, sum(1 << i for i, mark in enumerate(cells) if mark) ^ own

    def _found(self, value: int, pv: list[int]) -> Found:
        return self.found(value, pv, len(pv), exact=True)

    def _after(self, own: int, other: int, move: int, end: int) -> Found | None:
        own |= 1 << move
        if self._lines.is_won(own):
            return self._found(WIN - 1, [move])
        if own | other == self._all:
            return self._found(0, [move])
        reply = self._value(other, own, end)
        if reply is None:
            return None
        return self._found(before_move(reply.value), [move, *reply.pv])

    def _value(self, own: int, other: int, end: int, root: Task | None = None) -> Found | None:
        """Return the value for the side to move; None if the budget ran out.

        Args:
            end: the value of `nodes` at which the proof stops.
            root: says which of equally good moves to choose.

        The next slice of nodes goes to the open question that has taken the fewest nodes. So a
        hopeless question does not delay the others.
        """
        sides = [_Side(own, other, ATTACKER_TURN), _Side(other, own, DEFENDER_TURN)]
        sides[1].never = self._mirrors(own, other)
        started = self.nodes
        while not (sides[0].never and sides[1].never):
            open_ones = [
                task
                for side in sides
                if not side.never
                for task in side.questions
                if not task.closed and (side.wins_in == 0 or task.n < side.wins_in)
            ]
            won = [side for side in sides if side.wins_in]
            if won:
                open_ones = [task for task in open_ones if task.side is won[0]]
                spent = won[0].questions[0].spent
                dear = spent > _SHORTER + 2 * (self.nodes - started - spent)
                if not open_ones or (dear and not self._exact):
                    return self._win(won[0], not open_ones, root)
            task = min(open_ones, key=lambda task: task.spent)
            self._work(task, min(end, self.nodes + max(_SLICE, task.spent)))
            if self.kernel.out or self.nodes >= end:
                if won and not self._exact:
                    return self._win(won[0], False, root)
                if not (sides[0].never and sides[1].never):
                    return None
        return self._draw(own, other, sides[1], end, root and root.order)

    def _work(self, task: _WinWithin, end: int) -> None:
        side = task.side
        before = self.nodes
        value = self.kernel.ask(
            side.attacker, side.defender, side.turn, task.n, end, task.blocks_only
        )
        task.spent += self.nodes - before
        if value == STOPPED:
            return
        if value > 0:
            # A win proves nothing if the defender's lines did not count.
            task.closed = True
            if not task.blocks_only:
                side.wins_in = value
        elif value == NEVER or task.n >= self._size:
            side.never = True
            side.holds = self.kernel.best if side.turn == DEFENDER_TURN else -1
            side.any_holds = side.turn == DEFENDER_TURN and side.holds < 0
        else:
            task.n += 2

    def _mirrors(self, own: int, other: int) -> bool:
        """Return True if strategy stealing (Nash 1949) proves that the opponent cannot win.

        M: the marks of the side to move; P: the marks of the opponent. The condition: the board has
        a symmetry S with S(P) ⊆ M and P ⊆ S(M).

        The side to move then has at least the opponent's chances, and moves first. If the opponent
        could force a win, both sides could. At most one side can, so the opponent cannot.
        """
        for each in self._symmetries:
            if not each.image_of(other) & ~own and not other & ~each.image_of(own):
                return True
        return False

    def _win(self, side: _Side, is_shortest: bool, root: Task | None) -> Found | None:
        self.kernel.grant(share_of(self.nodes, _LINE_SHARE))
        sign = 1 if side.turn == ATTACKER_TURN else -1
        order = root and root.preferred(sign)
        find = self._lines.shortest if self._exact and is_shortest else self._lines.bounded
        line = find(side.attacker, side.defender, side.turn, side.wins_in, order)
        self.kernel.restore()
        if line is None:
            return None
        return self._found(sign * (WIN - len(line)), line)

    def _draw(
        self, own: int, other: int, side: _Side, end: int, order: Sequence[int] | None
    ) -> Found | None:
        """Return a drawing move of a drawn position; None if the budget ran out.

        The preferred move is the first drawing move in `order`, by default the one on the lowest
        cell. On boards of more than EXACT_CELLS cells, the result may be another drawing move.

        `side`: the opponent, who is proven not to win.
        """
        free = [move for move in range(self._size) if not (own | other) >> move & 1]
        share = end
        if not self._exact:
            share = min(end, self.nodes + share_of(self.nodes, _LOWEST_DRAW_SHARE))
        for move in order or free:
            if move == side.holds or side.any_holds:
                return self._found(0, [move])
            if self._never(other, own | 1 << move, share):
                return self._found(0, [move])
            if self._exact and (self.kernel.out or self.nodes >= end):
                return None
        if side.holds >= 0:
            return self._found(0, [side.holds])
        # Strategy stealing names no move. Search for a drawing move, from the heaviest cell down.
        weights = self.kernel.weights(own, other)
        for move in sorted(free, key=lambda cell: (-weights[cell], cell)):
            if self._never(other, own | 1 << move, end):
                return self._found(0, [move])
        return None

    def _never(self, attacker: int, defender: int, end: int) -> bool:
        side = _Side(attacker, defender, ATTACKER_TURN)
        while self.nodes < end and not self.kernel.out and not side.never and not side.wins_in:
            task = min(
                (task for task in side.questions if not task.closed), key=lambda task: task.spent
            )
            self._work(task, min(end, self.nodes + max(_SLICE, task.spent)))
        return side.never


def nodes_for_proof(rows: int, columns: int, k: int, empty_cells: int, time_ms: int) -> int:
    """Return how many nodes to spend on a proof in `time_ms` milliseconds; 0 for no proof.

    The numbers come from random positions:

    - 150,000 nodes (a fifth of a second) prove nearly every position. The exception is five in a
      row on boards of more than 49 cells.
    - With five in a row on 8×8, a position with fewer than 12 marks is seldom proven. With more
      marks, 20,000 nodes are usually enough.
    - On boards of up to EXACT_CELLS cells, none of 26,000 positions took more than 12,000 nodes.
      All moves of a position together took at most 45,000 nodes. So `time_ms` does not limit the
      nodes there.
    """
    cells = rows * columns
    if cells > CELLS:
        return 0
    if cells <= EXACT_CELLS:
        return _EXACT_NODES
    nodes = _PROOF_NODES
    if cells > 49 and k == 5:
        nodes = _LATE_FIVES_NODES if empty_cells <= cells - 12 else _EARLY_FIVES_NODES
    return nodes * time_ms // 1000
