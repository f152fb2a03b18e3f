"""The general engine: plays by any rules, and proves small boards.

A search alternates between proofs and estimates. An `exact` win is proven to be the quickest win,
and an exact loss the slowest loss.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from bestmove.game import Rules
from bestmove.search.engine import Every, Searcher, Task, after_share
from bestmove.search.engines.general.kernel import GeneralKernel, compiled
from bestmove.search.results import LONGEST_DRAW, Found
from bestmove.search.scores import MAX_ESTIMATE, WIN

__all__ = ["Player", "Prover", "compiled"]

_SMALL: Final = 20
"""On boards of up to this many cells, most of the budget goes to the proof."""

_OUTRIGHT: Final = 49
"""`_Bounds` asks `win` and `loss` only with at most this many empty cells."""

_ESTIMATES: Final = 99

_SLICE: Final = 1_000
"""The least node limit of a question of `_Bounds`, if the budget has so many nodes. The limit grows
with the nodes spent on questions of the same kind."""

_GLANCE: Final = 100
"""`Player.best` first looks for a proof with this many nodes, and finds short proofs."""

_ALL_MOVES: Final = 20_000
"""In the first round of proofs, all moves together get at most this many nodes."""

_GLANCE_PLIES: Final = 2
_GLANCE_SHARE: Final = 0.25

_COST: Final = {"near": 2, "win": 1, "loss": 1}
"""`_Bounds` multiplies the nodes spent on a question by this factor. The question with the lowest
product is next. `near` has a higher factor, because who wins matters more than how soon."""

_FAR: Final = 1 << 60
_COUNTS_PLIES: Final = WIN - 1_000


class Player(Searcher):
    """Plays by any rules, and proves what it can.

    Args:
        rules: the rules of the games.
        table_bits: 4 to 28; the transposition table has 2**table_bits entries of 16 bytes.

    Raises:
        ValueError: `table_bits` out of range.
    """

    keeps_plies = True

    def __init__(self, rules: Rules, table_bits: int = 20) -> None:
        super().__init__(GeneralKernel(rules, table_bits), 16 << table_bits)
        self._completing = -1 if rules.misere else 1
        self._small = rules.size <= _SMALL

    def best(self, task: Task) -> Found:
        """Return the best move found. Without any limit, the search continues to a proof.

        Equal tasks have equal results, unless the deadline ends the search. After a proof, finding
        the variation may take a further quarter of the nodes, plus 5,000.
        """
        self._begin(task, task.nodes)
        side, depth = task.side, task.depth
        kernel = self.kernel
        proof = _Bounds(kernel, side, 0, depth)
        best = self._found(kernel.evaluate(side), kernel.ordered(side)[:1])
        deepest = min(_ESTIMATES, kernel.empty, depth if depth is not None else _ESTIMATES)
        plies = guessed = 0
        proof.work(_GLANCE)
        while not (proof.done or kernel.out):
            estimating = plies < deepest and not (self._small and plies > 1 and proof.has_questions)
            if estimating:
                plies += 1
                before = kernel.nodes
                value = kernel.estimate(side, 0, plies, _FAR)
                guessed += kernel.nodes - before
                if line := kernel.line(0):
                    best = self._found(value, line, plies)
                    if task.report is not None and not kernel.out:
                        task.report([best])
            elif not proof.has_questions:
                break
            # After an estimate, the proof may catch up with the nodes of all estimates. Without an
            # estimate, the proof may take the whole budget.
            share = guessed - proof.spent if estimating else _FAR
            proof.work(kernel.nodes + share)
        return self._answer(proof, side, 0, [], best)

    def every(self, task: Task) -> Every:
        """Return the moves, each with its own value.

        If the task has `lines`, all moves are first searched to the depth `_GLANCE_PLIES`, with
        `_GLANCE_SHARE` of the time and of the node limit. Then the best `lines` moves get the rest
        of the time and the whole node limit.
        """
        moves, lines = task.moves, task.lines
        if moves is None or lines is None or lines >= len(moves):
            return self._alike(task)
        early = task.deadline if task.counted else after_share(task.deadline, _GLANCE_SHARE)
        nodes = None if task.nodes is None else max(1, int(_GLANCE_SHARE * task.nodes))
        depth = None if task.depth is None else min(task.depth, _GLANCE_PLIES)
        glance = self._alike(task._replace(deadline=early, nodes=nodes, depth=depth)).found
        if not lines:
            return Every(glance, True)
        rest = glance[lines:]

        def report(found: list[Found]) -> None:
            assert task.report is not None
            task.report([*found, *rest])

        wanted = [move.pv[0] for move in glance[:lines]]
        leading = self._alike(task._replace(moves=wanted, report=task.report and report))
        return Every([*leading.found, *rest], leading.complete, lines)

    def _alike(self, task: Task) -> Every:
        """Prove moves where possible, and search the others by iterative deepening.

        If the budget ends within a depth, all moves keep their estimates of the depth before.
        """
        at_sight = task.depth == 0
        depth = None if at_sight else task.depth
        self._begin(task, 1 if at_sight else task.nodes)
        side = task.side
        kernel = self.kernel
        foe = 1 - side
        found: dict[int, Found] = {}
        proofs: dict[int, _Bounds] = {}
        wanted = None if task.moves is None else set(task.moves)
        for cell in kernel.ordered(side):
            if wanted is not None and cell not in wanted:
                continue
            over = kernel.play(cell, side)
            if over:
                found[cell] = self._found(self._completing * (WIN - 1), [cell], exact=True)
            elif kernel.empty == 0:
                found[cell] = self._found(0, [cell], exact=True)
            else:
                found[cell] = self._found(-kernel.evaluate(foe), [cell], 1)
                proofs[cell] = _Bounds(kernel, foe, 1, None if depth is None else depth - 1)
            kernel.take_back(cell, side)
        cut_short = False
        deepest = min(_ESTIMATES, kernel.empty, depth if depth is not None else _ESTIMATES)
        plies = 0
        share = min(_SLICE, _ALL_MOVES // max(1, len(proofs)))
        while proofs and not kernel.out:
            before = kernel.nodes
            for cell, proof in list(proofs.items()):
                if kernel.out:
                    break
                kernel.play(cell, side)
                proof.work(kernel.nodes + share)
                if proof.done:
                    found[cell] = self._answer(proof, foe, 1, [cell], found[cell])
                    if found[cell].exact:
                        del proofs[cell]
                kernel.take_back(cell, side)
            proved = kernel.nodes - before
            estimating = plies < deepest and not (self._small and plies > 1)
            if estimating:
                before = kernel.nodes
                latest: dict[int, Found] = {}
                for cell in sorted(proofs, key=lambda cell: (-found[cell].value, cell)):
                    if kernel.out:
                        break
                    kernel.play(cell, side)
                    value = -kernel.estimate(foe, 1, plies, _FAR)
                    kernel.take_back(cell, side)
                    if not kernel.stopped:
                        latest[cell] = self._found(value, [cell, *kernel.line(1)], plies + 1)
                cut_short = len(latest) < len(proofs)
                if not cut_short:
                    found.update(latest)
                plies += 1
                if task.report is not None and not kernel.out:
                    task.report(list(found.values()))
            elif not any(proof.has_questions for proof in proofs.values()):
                break
            # Do not raise `share` while the proofs take more nodes than the estimates.
            if not estimating or proved <= kernel.nodes - before:
                share *= 2
        ranked = sorted(found.values(), key=lambda one: (-one.value, one.pv[0]))
        return Every(ranked, not (proofs and cut_short))

    # Moves for a certificate: see `dispatch.Adviser`.

    def consult(self, task: Task) -> None:
        self.kernel.begin(task.cells, task.deadline, task.nodes)
        self.heed(task)

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        return self._move_worth(cells, to_move - 1, 1 if plies is None else WIN - plies)

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        return self._move_worth(cells, to_move - 1, 0 if plies is None else plies + 1 - WIN)

    def _move_worth(self, cells: bytes, side: int, least: int) -> int | None:
        kernel = self.kernel
        kernel.set_up(cells)
        if kernel.prove(side, 0, least, _FAR) < least or kernel.stopped:
            return None
        likely = kernel.proven_move()
        moves = sorted(kernel.ordered(side), key=lambda cell: cell != likely)
        cell = self._first(side, 0, moves, least, _FAR)
        return None if cell < 0 or kernel.stopped else cell

    def _begin(self, task: Task, nodes: int | None) -> None:
        self._task = task
        self.kernel.begin(task.cells, task.deadline, nodes)
        self.heed(task)
        if self.kernel.empty == 0:
            raise ValueError("the board is full")

    def _found(self, value: int, line: list[int], depth: int = 0, exact: bool = False) -> Found:
        if not exact and abs(value) > _COUNTS_PLIES:
            # The search found a win or loss, but did not prove it.
            plies = WIN - abs(value)
            value = MAX_ESTIMATE - plies if value > 0 else plies - MAX_ESTIMATE
        return self.found(value, line, depth, exact)

    def _answer(self, proof: _Bounds, side: int, ply: int, start: list[int], best: Found) -> Found:
        """Return the proven result, or `best` with its value clamped to the proven bounds.

        The value is for the side to move at the root. At the root, a move that is proven not to
        lose replaces the move of `best`.

        Args:
            start: the moves from the root to the position.
        """
        kernel = self.kernel
        sign = -1 if ply else 1
        if proof.done:
            line = self._line(side, ply, proof)
            kernel.restore()
            if line and (proof.low == 0 or len(line) + ply == WIN - abs(proof.low)):
                plies = kernel.empty + ply if proof.low == 0 else len(line) + ply
                return self._found(sign * proof.low, start + line, plies, exact=True)
        value = sign * best.value
        value = max(min(value, MAX_ESTIMATE, proof.high), -MAX_ESTIMATE, proof.low)
        if proof.low >= 0 and proof.move >= 0 and ply == 0 and proof.move != best.pv[0]:
            best = best._replace(pv=(proof.move,))
        clipped = max(min(value, MAX_ESTIMATE), -MAX_ESTIMATE)
        return self.found(sign * clipped, best.pv, best.depth, best.exact)

    def _line(self, side: int, ply: int, proof: _Bounds) -> list[int]:
        """Return a variation of best play from a proven position.

        If the budget ends first, the variation is empty or too short.

        - At the root, the first move is the best move that comes first in the task's order.
        - Below the root, or without an order, the first move is the best move of lowest index.
        - On a large board, the first move may be another best move with a quicker proof.
        - In a draw, the variation ends where no move is proven quickly, and after `LONGEST_DRAW`
          moves.
        """
        kernel = self.kernel
        kernel.grant(5 * _SLICE + kernel.nodes // 4)
        soon = kernel.nodes + 2 * _SLICE + kernel.nodes // 8
        value = proof.low
        moves = (None if ply else self._task.preferred(value)) or kernel.free()
        cell = self._first(side, ply, moves, value, _FAR if self._small else soon)
        if cell < 0 and not self._small:
            cell = self._first(side, ply, [proof.move, *kernel.ordered(side)], value, _FAR)
        line: list[int] = []
        over = False
        while cell >= 0:
            over = kernel.play(cell, side)
            line.append(cell)
            value = -value
            side = 1 - side
            ply += 1
            if over or kernel.empty == 0 or (value == 0 and len(line) == LONGEST_DRAW):
                break
            cell = self._first(side, ply, self._likely(side), value, _FAR if value else soon)
        for cell in reversed(line):
            side = 1 - side
            kernel.take_back(cell, side)
        return line

    def _likely(self, side: int) -> Iterator[int]:
        """Yield the moves, likely ones first. Sort them only if the first two do not suffice."""
        kernel = self.kernel
        yield kernel.proven_move()
        first = kernel.ordered(side, 1)
        yield from first
        yield from (cell for cell in kernel.ordered(side) if cell not in first)

    def _first(self, side: int, ply: int, moves: Iterable[int], value: int, end: int) -> int:
        for cell in moves:
            if cell >= 0 and self._is_worth(side, ply, cell, value, end):
                return cell
        return -1

    def _is_worth(self, side: int, ply: int, cell: int, value: int, end: int) -> bool:
        kernel = self.kernel
        over = kernel.play(cell, side)
        if over:
            known = self._completing * (WIN - (ply + 1))
        elif kernel.empty == 0:
            known = 0
        else:
            known = -kernel.prove(1 - side, ply + 1, 1 - value, end)
            if kernel.stopped:
                known = -WIN
        kernel.take_back(cell, side)
        return known >= value


class Prover(Searcher):
    """An engine that returns only the proven results of a `Player`."""

    def __init__(self, rules: Rules) -> None:
        self._player = Player(rules)
        super().__init__(self._player.kernel, self._player.table_bytes)

    def best(self, task: Task) -> Found | None:
        found = self._player.best(task)
        return found if found.exact else None

    def every(self, task: Task) -> Every:
        found, _, _ = self._player.every(task)
        proven = sorted((move for move in found if move.exact), key=lambda move: move.pv[0])
        return Every(proven, len(proven) == len(found))


class _Bounds:
    """The proven bounds of a position's value, and the questions that narrow these bounds.

    - `near`: is there a win, or a loss, within n plies? n grows ply by ply.
    - `win`: is there a win at all?
    - `loss`: is there a loss at all?

    `_COST` decides which question comes next, so that no hopeless question delays the others.

    Args:
        kernel: must hold the position, both here and at each call of `work`.
        side: the side to move.
        ply: the number of plies from the root of the search to the position.
        depth: the most plies that the questions look ahead; None means no limit.
    """

    def __init__(self, kernel: GeneralKernel, side: int, ply: int, depth: int | None) -> None:
        self._kernel = kernel
        self._side = side
        self._ply = ply
        self._all = depth is None or depth >= kernel.empty
        self._outright = self._all and kernel.empty <= _OUTRIGHT
        self._furthest = ply + (kernel.empty if depth is None else depth)
        self._spent = {"near": 0, "win": 0, "loss": 0}
        self.low = -WIN
        self.high = 0 if kernel.mirror_holds() else WIN
        self.move = kernel.mirroring_move(side)
        if self.move >= 0:
            self.low = 0

    @property
    def done(self) -> bool:
        return self.low == self.high

    @property
    def spent(self) -> int:
        return sum(self._spent.values())

    @property
    def has_questions(self) -> bool:
        return bool(self._questions())

    def work(self, end: int) -> None:
        kernel = self._kernel
        while kernel.nodes < end and not kernel.out and (questions := self._questions()):
            name = min(questions, key=lambda name: self._spent[name] * _COST[name])
            beta = questions[name]
            before = kernel.nodes
            share = min(end, before + max(_SLICE, self._spent[name]))
            value = kernel.prove(self._side, self._ply, beta, share)
            self._spent[name] += kernel.nodes - before
            if kernel.stopped:
                continue
            if value >= beta:
                self.low = value
                self.move = kernel.proven_move()
            else:
                self.high = value

    def _questions(self) -> dict[str, int]:
        """Return the open questions. {"win": 1} asks if the position's value is at least 1."""
        if self.done:
            return {}
        asks: dict[str, int] = {}
        if self.high >= -self.low:
            near, distance = self.high, WIN - self.high
        else:
            near, distance = self.low + 1, WIN + self.low
        if self._all or distance <= self._furthest:
            asks["near"] = near
        if self._outright and self.low <= 0 <= self.high:
            if self.high > 0:
                asks["win"] = 1
            if self.low < 0:
                asks["loss"] = 0
        return asks
