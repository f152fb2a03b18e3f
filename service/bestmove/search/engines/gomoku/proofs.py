"""Completes the variations of proven results, and checks wins against every defence.

- `Proofs` extends a variation to the winning move. A variation often ends early, because the table
  or a search of threats has decided the position. It also proves presumed wins by a search that
  tries every reply, `Search.prove`.
- `LongestDefence` checks a win, and finds how long the loser can hold out. The loser tries every
  reply that could matter.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final, NamedTuple

from bestmove.game.geometry import cells_of, set_of
from bestmove.search.common.clock import ENDLESS
from bestmove.search.engine import Memory, Task
from bestmove.search.engines.gomoku import parameters, patterns
from bestmove.search.engines.gomoku.parameters import CERTAIN, PROVEN, UNKNOWN
from bestmove.search.engines.gomoku.search import Search
from bestmove.search.results import Found
from bestmove.search.scores import WIN, is_proven

MOST_NODES: Final = 100_000
"""The most nodes for all positions of a proof together, and ten times the most positions. Few wins
take more than 10,000 nodes. About seven of the 262 wins in `benchmarks/engine/won_positions.txt`
take more than 2,000 positions. Visiting 10,000 positions takes about 0.1 s."""

_FOURS_NODES: Final = 300

_SURELY_EXACT: Final = 3
"""If the search finds a win in 3 plies, no win is quicker. A quicker win would take 1 ply, and the
search never misses a win in 1 ply."""

_WITHOUT_ZONE: Final = 3


class _NoProof(Exception):
    """A position has no known proof."""


class _BudgetSpent(_NoProof):
    """The limit of positions, nodes or time is reached."""


class PlayedOut(NamedTuple):
    """How a position is won against every defence.

    The *zone* holds the cells where a mark of the loser could change the win (relevance zones: Wu
    and Lin 2010). The zone depends on the *order* of the win:

    - Order 1: the winner makes only fours, and each four leaves one reply.
    - Order 2: if the loser passes, the winner has a win of order 1.
    - Order 3: any other win. No zone is known.

    Attributes:
        line: the longest variation.
        near: the zone for order 1: the cells of the moves, and the cells where the loser could
            make a four.
        far: the zone for order 2: the cells of the moves, and the cells where the loser could make
            a closed three or more. After a reply that makes a closed three, the loser's next mark
            may make a four.
    """

    line: tuple[int, ...]
    order: int
    near: int
    far: int

    @property
    def zone(self) -> int | None:
        """The zone as a set of bits; None if no zone is known."""
        return {1: self.near, 2: self.far}.get(self.order)


@contextmanager
def same_limits(kernel: Search) -> Iterator[None]:
    """Give the kernel its limits back after the block."""
    limits = kernel.node_limit, kernel.deadline, kernel.timed, kernel.stopped
    kernel.next_check = kernel.nodes
    yield
    kernel.node_limit, kernel.deadline, kernel.timed, kernel.stopped = limits
    kernel.next_check = kernel.nodes


def winning_by_counts(kernel: Search, side: int) -> int:
    """Return the index of a winning move if the counts of threats show a win; otherwise -1."""
    sought = [patterns.CELL_FIVE]
    if kernel.first_of_class(1 - side, patterns.CELL_FIVE) < 0:
        sought.append(patterns.CELL_OPEN_FOUR)
        if kernel.static_value(side) == WIN - 5:
            sought.append(patterns.CELL_FOUR_THREE)
    moves = (kernel.first_of_class(side, wanted) for wanted in sought)
    return next((move for move in moves if move >= 0), -1)


class LongestDefence:
    """Plays out the result of a search, while the table still has the entries of the search.

    To find the replies that could matter, let the loser pass, and play out the win.

    - If the win has a zone, the loser tries only the replies in the zone. All other replies lose in
      as many plies as the pass.
    - Without a zone, the loser tries every reply, but only at the root or if the winner threatens
      to make an open four. Elsewhere, the proof fails, because the search did not try every reply.

    Zones assume that a mark never hurts its owner. If only exactly k in a row win, a mark may hurt
    its owner. So there are no zones then.

    Args:
        kernel: the search, with the position set up.
        task: the task of the search.
        deadline: when to stop, by `time.monotonic()`.
        known: the positions that earlier calls have played out from the same root.
        only_exact: whether to reject wins in more than three plies, and losses in more than four.
            In these positions, the winner may have a quicker win.
        most_nodes: the limit of all calls together. Playing out a position counts, too.
        threat_nodes: the most nodes of each search for a win by threats.
    """

    def __init__(
        self,
        kernel: Search,
        task: Task,
        deadline: float | None,
        known: dict[tuple[int, int, int, int], PlayedOut],
        *,
        only_exact: bool = False,
        most_nodes: int = MOST_NODES,
        threat_nodes: int = parameters.COMPLETION_THREAT_NODES,
    ) -> None:
        self._kernel = kernel
        self._task = task
        self._all = (1 << len(task.cells)) - 1
        self._marks = [
            sum(1 << cell for cell, mark in enumerate(task.cells) if mark == side + 1)
            for side in range(2)
        ]
        self._root = tuple(self._marks)
        self._known = known
        self._failed: set[tuple[int, int, int, int]] = set()
        self._threat_nodes = threat_nodes
        self._left = most_nodes // parameters.PROOF_POSITION_NODES
        self._only_exact = only_exact
        self._deadline = deadline
        kernel.node_limit = kernel.nodes + most_nodes
        kernel.next_check = kernel.nodes
        kernel.stopped = False
        kernel.timed = deadline is not None
        kernel.deadline = deadline or 0.0

    def confirmed(self, side: int, found: Found, *, is_best: bool) -> Found:
        """Return `found` with a proven number of plies; if the proof fails, an estimate.

        Args:
            side: the side to move: 0 for X, 1 for O.
            found: the result of a search for the side.
            is_best: whether another move may replace the first move of `found`. In a loss, the move
                that loses latest is taken. With `only_exact`, a tie goes to the lowest index.
        """
        if not is_proven(found.value):
            return found
        try:
            line = self._played_out(side, found, is_best)
            if self._only_exact and len(line) > _SURELY_EXACT + (found.value < 0):
                raise _NoProof
            if self._only_exact and is_best:
                line = self._lowest(side, line)
        except _NoProof:
            return found._replace(value=parameters.presumed(found.value), exact=False)
        value = WIN - len(line)
        return found._replace(value=value if found.value > 0 else -value, pv=line)

    def _lowest(self, side: int, line: tuple[int, ...]) -> tuple[int, ...]:
        kernel = self._kernel
        free = cells_of(self._all & ~(self._marks[0] | self._marks[1]))
        # equal[length of `line`]: the moves as good as line[0], lowest index first. The length 4 is
        # missing, because `_lost` has already chosen the lowest index.
        equal = {
            1: (c for c in free if kernel.completes(c, side)),
            2: free,
            3: (c for c in free if self._value_after(c, side) == -(WIN - 2)),
        }
        move = next(iter(equal.get(len(line), line)))
        if move == line[0]:
            return line
        winner = side if len(line) % 2 else 1 - side
        return (move, *self._after(move, side, winner, ()).line)

    def proven(self, side: int, found: Found) -> Found | None:
        """Turn the presumed win `found` into a proven win; return None if that fails."""
        try:
            line = self._played_out(side, found, is_best=False)
        except _NoProof:
            return None
        return found._replace(value=WIN - len(line), exact=True, pv=line)

    def _played_out(self, side: int, found: Found, is_best: bool) -> tuple[int, ...]:
        winner = side if found.value > 0 else 1 - side
        if winner != side and is_best:
            return self._line(side, winner, ()).line
        hint = found.pv[1:] if winner == side else ()
        return (found.pv[0], *self._after(found.pv[0], side, winner, hint).line)

    def _line(self, turn: int, winner: int, hint: Sequence[int]) -> PlayedOut:
        """Play out the win of `winner` with `turn` to move. Try the variation `hint` first."""
        key = (self._marks[0], self._marks[1], turn, winner)
        played = self._known.get(key)
        if played is None:
            if key in self._failed:
                raise _NoProof
            self._left -= 1
            late = self._deadline is not None and time.monotonic() > self._deadline
            if self._left < 0 or late or self._kernel.cancelled or self._kernel.stopped:
                raise _BudgetSpent
            try:
                played = self._won(winner, hint) if turn == winner else self._lost(turn, hint)
            except _NoProof:
                self._failed.add(key)
                raise
            self._known[key] = played
        return played

    def _after(self, move: int, turn: int, winner: int, hint: Sequence[int]) -> PlayedOut:
        if self._kernel.completes(move, turn):
            return PlayedOut((), 1, 0, 0)
        self._kernel.play(move, turn)
        self._marks[turn] ^= 1 << move
        try:
            return self._line(1 - turn, winner, hint)
        finally:
            self._marks[turn] ^= 1 << move
            self._kernel.take_back()

    def _won(self, winner: int, hint: Sequence[int]) -> PlayedOut:
        tried = set()
        near = self._kernel.promising(1 - winner, patterns.FOUR)
        far = self._kernel.promising(1 - winner, patterns.THREE_CLOSED)
        for move in [hint[0]] if hint else self._tries(winner):
            if move in tried:
                continue
            tried.add(move)
            try:
                after = self._after(move, winner, winner, hint[1:])
            except _BudgetSpent:
                raise
            except _NoProof:
                continue
            near |= after.near | 1 << move
            far |= after.far | 1 << move
            return PlayedOut((move, *after.line), after.order, near, far)
        if hint:
            return self._won(winner, ())
        raise _NoProof

    def _lost(self, side: int, hint: Sequence[int]) -> PlayedOut:
        kernel, winner = self._kernel, 1 - side
        if kernel.first_of_class(side, patterns.CELL_FIVE) >= 0:
            raise _NoProof
        five = kernel.first_of_class(winner, patterns.CELL_FIVE)
        if five >= 0:
            # After any other reply, the winner completes a line on this cell.
            after = self._after(five, side, winner, hint[1:] if hint[:1] == (five,) else ())
            bit = 1 << five
            return PlayedOut((five, *after.line), after.order, after.near | bit, after.far | bit)
        free = self._all & ~(self._marks[0] | self._marks[1])
        passed = self._passed(side)
        zone = None if passed is None else passed.zone
        order = _WITHOUT_ZONE
        far = 0
        lines: list[tuple[int, ...]] = []
        idle = None
        if passed is not None and zone is not None:
            outside = free & ~zone & ~set_of(passed.line)
            idle = next((cell for cell in self._order(side) if outside >> cell & 1), None)
        if passed is None or zone is None or idle is None:
            left = self._all_replies(side, free)
        else:
            # `idle`, a reply outside the zone, loses like a pass.
            left = free & zone
            far = passed.far
            order = passed.order + 1
            lines = [(idle, *passed.line)]
        drops = kernel.overline and not self._is_root()
        while left:
            reply = (left & -left).bit_length() - 1
            left &= left - 1
            after = self._after(reply, side, winner, hint[1:] if hint[:1] == (reply,) else ())
            far |= after.far | 1 << reply
            zone = after.zone
            if zone is not None and after.order < order and drops:
                # Replies outside the zone of this win lose in the same way.
                left &= zone
            order = max(order, after.order)
            lines.append((reply, *after.line))
        longest = max(lines, key=lambda line: (len(line), -self._order(side).index(line[0])))
        return PlayedOut(longest, order, 0, far)

    def _order(self, side: int) -> Sequence[int]:
        task = self._task
        if task.defences and side == task.side:
            return task.defences()
        return range(len(task.cells))

    def _passed(self, side: int) -> PlayedOut | None:
        if not self._kernel.overline:
            return None
        try:
            return self._line(1 - side, 1 - side, ())
        except _BudgetSpent:
            raise
        except _NoProof:
            if not self._is_root():
                raise
            return None

    def _all_replies(self, side: int, free: int) -> int:
        if self._kernel.first_of_class(1 - side, patterns.CELL_OPEN_FOUR) < 0:
            if not self._is_root():
                raise _NoProof
            return free
        # A look at a reply takes about as long as visiting a node.
        self._left -= free.bit_count() // parameters.PROOF_POSITION_NODES
        kept = sum(1 << c for c in cells_of(free) if self._value_after(c, side) != WIN - 3)
        # A reply that loses in four plies holds out no longer than the others. If all replies lose
        # in four plies, keep one reply.
        return kept or next(1 << cell for cell in self._order(side) if free >> cell & 1)

    def _value_after(self, move: int, side: int) -> int:
        self._kernel.play(move, side)
        value: int = self._kernel.static_value(1 - side)
        self._kernel.take_back()
        return value

    def _is_root(self) -> bool:
        return tuple(self._marks) == self._root

    def _tries(self, side: int) -> Iterator[int]:
        kernel = self._kernel
        move = winning_by_counts(kernel, side)
        if move >= 0:
            yield move
            return
        # Look for fours before the table's move, because fours win sooner.
        if kernel.fours_win(side, parameters.QUIESCENCE_PLIES, kernel.nodes + _FOURS_NODES):
            yield kernel.line()[0]
        for least in (parameters.PROVEN, CERTAIN):
            move = kernel.table_move(side, least)
            if move >= 0:
                yield move
        move = kernel.threats_win(side, kernel.nodes + self._threat_nodes)
        if move >= 0:
            yield move
        for depth in parameters.PROOF_DEPTHS:
            if kernel.stopped:
                raise _BudgetSpent
            if kernel.search_for_win(side, depth):
                move = kernel.table_move(side, CERTAIN)
                if move >= 0:
                    yield move
        most_nodes = kernel.nodes + parameters.COMPLETION_VCF_NODES
        if kernel.fours_win(side, parameters.COMPLETION_VCF_PLIES, most_nodes):
            yield kernel.line()[0]


class Proofs:
    """Makes the results of a kernel, and completes the variations of proven results.

    Attributes:
        counted: whether nodes, not the clock, limit the search.
        played: the positions that `LongestDefence` has played out.
        checked: the variation of the win that `won` has proven.
        helping: the helpers. Results count the nodes of helpers, but limits apply to the kernel
            alone.
    """

    def __init__(self, kernel: Search) -> None:
        self.kernel = kernel
        self.counted = False
        self._in_game = False
        self._completion_nodes = 0
        self.played: dict[tuple[int, int, int, int], PlayedOut] = {}
        self.helping: Sequence[Search] = ()
        self.checked: tuple[int, ...] = ()

    def begin(self, task: Task) -> None:
        """Set the task's limits. Set up its position unless the kernel already has the position."""
        kernel = self.kernel
        if task.memory is Memory.POSITION:
            kernel.timed = task.deadline is not None
            kernel.deadline = task.deadline or 0.0
            kernel.node_limit = ENDLESS if task.nodes is None else kernel.nodes + task.nodes
            kernel.next_check = kernel.nodes
            kernel.stopped = False
            return
        kernel.begin(task.cells, task.deadline, task.nodes, task.memory is Memory.GAME)
        self.counted = task.counted
        self._in_game = task.memory is Memory.GAME
        self.played = {}
        self.checked = ()
        self.helping = ()
        self._completion_nodes = parameters.completion_nodes(task.nodes)

    def found(self, value: int, pv: list[int], depth: int = 0, exact: bool = False) -> Found:
        kernels = (self.kernel, *self.helping)
        return Found(
            value=value,
            exact=exact or abs(value) >= PROVEN,
            pv=tuple(pv),
            depth=depth,
            nodes=sum(kernel.nodes for kernel in kernels),
            cutoffs=sum(kernel.cutoffs for kernel in kernels),
            table_hits=sum(kernel.table_hits for kernel in kernels),
            threads=len(kernels),
        )

    def proven(self, side: int, value: int, line: list[int], depth: int = 0) -> Found | None:
        """Return a proven result with `line` completed; None if the completion fails.

        The length of the completed variation replaces the plies of `value`.
        """
        whole = self._complete(side, side if value > 0 else 1 - side, line)
        if not whole:
            return None
        return self.found(WIN - len(whole) if value > 0 else len(whole) - WIN, whole, depth)

    def better(self, best: Found, side: int, value: int, line: list[int], plies: int) -> Found:
        """Return the result of a search, or `best` if `line` is empty.

        Complete the variation of a proven result. If that fails, return an estimate.
        """
        if not line:
            return best
        if abs(value) >= PROVEN:
            stopped = self.kernel.stopped
            proven = self.proven(side, value, line, plies)
            self.kernel.stopped = stopped
            if proven is not None:
                return proven
            value = parameters.presumed(value)
        return self.found(value, line, plies)

    def threats(self, side: int, budget: int) -> tuple[list[int], bool]:
        """Search for a win by threats; return its variation or [].

        Also return True if the search proves that no such win exists.
        """
        move = self.kernel.threats_win(side, self.kernel.nodes + budget)
        if move < 0:
            return [], self.kernel.disproof == 0
        return self._complete(side, side, [move]), False

    def is_refuted(self, side: int, move: int, most_nodes: int | None = None) -> bool:
        """Return True if the opponent wins by threats after `move`. Store the win in the table."""
        kernel = self.kernel
        nodes = parameters.refutation_budget(kernel.nodes) if most_nodes is None else most_nodes
        kernel.play(move, side)
        foe = 1 - side
        line: list[int] = []
        if kernel.static_value(foe) == UNKNOWN:
            line, _ = self.threats(foe, nodes)
        if line:
            kernel.remember_win(foe, len(line), line[0])
        kernel.take_back()
        return bool(line)

    def lengthened(self, side: int, found: Found, moves: int = 1) -> Found:
        """Return an estimate with a variation of LINE_MOVES moves, or to the end of the game.

        A value outside the window of its search comes with a variation of one or two moves. Search
        the move again in an open window, then follow the counts of threats and the table. In a
        game, do not search, because the game's clock runs on.

        Args:
            side: the side to move: 0 for X, 1 for O.
            found: a result for the side; a proven result is returned as it is.
            moves: how many moves share the nodes that one move may take.
        """
        if found.exact or len(found.pv) >= min(found.depth, parameters.LINE_MOVES):
            return found
        kernel = self.kernel
        line = list(found.pv)
        nodes = 0 if self._in_game else parameters.line_budget(kernel.nodes) // moves
        with self._overtime(nodes):
            for depth in range(2, found.depth + 1):
                kernel.search_move(side, line[0], depth, -UNKNOWN, UNKNOWN)
                if kernel.stopped:
                    break
                line = max(kernel.line(), line, key=len)
        line, _ = self._extended(side, None, line)
        return self.found(found.value, line, found.depth)

    def won(self, side: int, found: Found, nodes: int) -> Found | None:
        """Prove a presumed win by a search that tries every reply; return None if that fails."""
        kernel = self.kernel
        plies = 0
        with same_limits(kernel):
            kernel.node_limit = min(kernel.node_limit, kernel.nodes + nodes)
            for depth in range(2, parameters.DEEPEST):
                plies = kernel.prove_move(side, found.pv[0], depth)
                if plies or kernel.stopped:
                    break
        if not plies:
            return None
        with self._overtime(self._completion_nodes):
            line, won = self._extended(side, side, [found.pv[0]], plies)
        if not won or len(line) != plies:
            return None
        self.checked = tuple(line)
        return self.found(WIN - plies, line, found.depth)

    def _complete(self, side: int, winner: int, line: list[int]) -> list[int]:
        """Extend the variation `line` to the winning move; return [] if that fails."""
        whole, won = self._extended(side, winner, line)
        return whole if won else []

    def _extended(
        self, side: int, winner: int | None, line: list[int], plies: int = 0
    ) -> tuple[list[int], bool]:
        """Extend the variation `line`, and say whether its last move wins.

        Args:
            side: the side to move: 0 for X, 1 for O.
            winner: if None, stop at LINE_MOVES moves.
            plies: how long the variation lasts if `Search.prove_move` has proven it; otherwise 0.
        """
        kernel = self.kernel
        whole: list[int] = []
        won = False
        turn = side
        moves = line
        while True:
            for move in moves:
                won = kernel.completes(move, turn)
                kernel.play(move, turn)
                whole.append(move)
                turn = 1 - turn
            if won or not kernel.empty or (winner is None and len(whole) >= parameters.LINE_MOVES):
                break
            moves = []
            if winner is not None and len(whole) < plies:
                moves = kernel.proof_moves(turn, winner, plies - len(whole))
            if not moves:
                moves = self._winning(turn) if turn == winner else [self._resisting(turn)]
            if not moves:
                break
        for _ in whole:
            kernel.take_back()
        return whole, won

    def _winning(self, side: int) -> list[int]:
        kernel = self.kernel
        move = winning_by_counts(kernel, side)
        if move >= 0:
            return [move]
        move = kernel.table_move(side, PROVEN)
        if move >= 0:
            return [move]
        before = kernel.nodes
        line: list[int] = []
        with self._overtime(self._completion_nodes):
            most_nodes = kernel.nodes + parameters.COMPLETION_VCF_NODES
            if kernel.fours_win(side, parameters.COMPLETION_VCF_PLIES, most_nodes):
                line = kernel.line()
            else:
                most_nodes = kernel.nodes + parameters.COMPLETION_THREAT_NODES
                move = kernel.threats_win(side, most_nodes)
                if move >= 0:
                    line = [move]
        self._completion_nodes = max(0, self._completion_nodes - (kernel.nodes - before))
        return line

    @contextmanager
    def _overtime(self, nodes: int) -> Iterator[None]:
        """Let the kernel visit this many nodes more, and go on a little after its deadline."""
        kernel = self.kernel
        with same_limits(kernel):
            kernel.node_limit, kernel.stopped = kernel.nodes + nodes, False
            if not self.counted:
                latest = kernel.deadline + parameters.COMPLETION_OVERTIME
                soon = time.monotonic() + parameters.COMPLETION_SECONDS
                kernel.deadline = max(kernel.deadline, min(latest, soon))
            yield

    def _resisting(self, side: int) -> int:
        kernel = self.kernel
        move = winning_by_counts(kernel, side)
        if move < 0 and kernel.first_of_class(1 - side, patterns.CELL_FIVE) < 0:
            move = kernel.table_move(side)
        return move if move >= 0 else kernel.most_urgent(side)
