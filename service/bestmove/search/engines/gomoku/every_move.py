"""Search every move for its value: all to the same depth, or the best moves deeper."""

from __future__ import annotations

import time
from bisect import insort
from typing import Final

from bestmove.search.common.clock import ENDLESS
from bestmove.search.engine import Every, Task
from bestmove.search.engines.gomoku import parameters
from bestmove.search.engines.gomoku.parameters import PROVEN, UNKNOWN
from bestmove.search.engines.gomoku.proofs import Proofs, same_limits
from bestmove.search.results import Found, Report
from bestmove.search.scores import WIN

_GLANCE: Final = 2
"""If the task has `lines`, all moves are first searched to this depth."""

_LINES_SHARE: Final = 0.75
"""The part of the time and nodes that the best moves get."""

_REFUTATION_NODES: Final = 10_000


class EveryMove:
    """Finds the value of each move. Call `proofs.begin` before `search`."""

    def __init__(self, proofs: Proofs) -> None:
        self._proofs = proofs
        self._kernel = proofs.kernel

    def search(self, task: Task, report: Report | None) -> Every:
        """Search the moves of a task.

        If the task has `lines`, `Every.complete` refers only to the best moves.
        """
        kernel, side, depth, lines = self._kernel, task.side, task.depth, task.lines
        wanted = None if task.moves is None else set(task.moves)
        order = [move for move in kernel.all_moves(side) if wanted is None or move in wanted]
        found = {move: self._at_sight(side, move) for move in order}
        deepest = parameters.DEEPEST if depth is None else min(depth, parameters.DEEPEST)
        deepest = min(deepest, kernel.empty)
        if lines is None:
            complete = self._deepen_all(side, found, order, 1, deepest, report)
            return Every([found[move] for move in order], complete)
        self._deepen_all(side, found, order, 1, min(_GLANCE, deepest), report)
        with same_limits(kernel):
            self._take_share(_LINES_SHARE)
            most = min(lines, len(order))
            leading, complete = self._lead(side, found, order, most, deepest, report)
        others = [move for move in order if move not in leading]

        def report_all(known: list[Found]) -> None:
            assert report is not None
            report([*(found[move] for move in leading), *known])

        self._deepen_all(side, found, others, _GLANCE + 1, deepest, report and report_all)
        led = [self._proofs.lengthened(side, found[move], len(leading)) for move in leading]
        return Every([*led, *(found[move] for move in others)], complete, lines)

    def _take_share(self, share: float) -> None:
        kernel = self._kernel
        if kernel.timed and not self._proofs.counted:
            now = time.monotonic()
            kernel.deadline = now + share * (kernel.deadline - now)
        if kernel.node_limit < ENDLESS:
            left = max(0, kernel.node_limit - kernel.nodes)
            kernel.node_limit = kernel.nodes + int(share * left)
        kernel.next_check = kernel.nodes

    def _at_sight(self, side: int, move: int) -> Found:
        kernel = self._kernel
        if kernel.completes(move, side):
            return self._proofs.found(WIN - 1, [move], 1)
        kernel.play(move, side)
        value = -kernel.evaluation(1 - side)
        drawn = kernel.is_drawn()
        kernel.take_back()
        return self._proofs.found(0 if drawn else value, [move], 1, exact=drawn)

    def _deepen_all(
        self,
        side: int,
        found: dict[int, Found],
        order: list[int],
        first: int,
        deepest: int,
        report: Report | None,
    ) -> bool:
        """Search the moves of `order` by iterative deepening.

        Return True if all moves are proven, or were searched to the same depth.
        """
        kernel = self._kernel
        for plies in range(first, deepest + 1):
            latest: dict[int, Found] = {}
            for move in order:
                if found[move].exact:
                    continue
                value = kernel.search_move(side, move, plies, -UNKNOWN, UNKNOWN)
                if kernel.stopped:
                    break
                latest[move] = self._proofs.better(found[move], side, value, kernel.line(), plies)
            self._take(found, latest, order)
            if kernel.stopped or all(found[move].exact for move in order):
                break
            if report is not None:
                report([found[move] for move in order])
        return not kernel.stopped or all(found[move].exact for move in order)

    def _take(self, found: dict[int, Found], latest: dict[int, Found], order: list[int]) -> None:
        """Update `found` with the results of one depth, and sort `order`, best first."""
        # If a limit cut the depth short, only proven results count.
        for move, known in latest.items():
            if known.exact or not self._kernel.stopped:
                found[move] = known
        order.sort(key=lambda move: (-found[move].value, move))

    def _lead(
        self,
        side: int,
        found: dict[int, Found],
        order: list[int],
        lines: int,
        deepest: int,
        report: Report | None,
    ) -> tuple[list[int], bool]:
        """Find the `lines` best moves (Multi-PV). For the other moves, an upper bound is enough.

        Return the best moves, and True if they are proven or were searched to the same depth.
        """
        kernel = self._kernel
        kernel.list_root(side)
        near = {kernel.root_index(number) for number in range(kernel.root_count)}
        near.update(move for move in order if found[move].value >= PROVEN)
        tried = [move for move in order if move in near]
        # Under a threat, `near` may have fewer than `lines` moves: add others.
        tried += [move for move in order if move not in near][: max(0, lines - len(tried))]
        cleared: set[int] = set()
        plies = _GLANCE
        while plies < deepest and lines and not kernel.stopped:
            plies += 1
            latest = self._best_of(side, found, tried, lines, plies)
            self._take(found, latest, tried)
            if kernel.stopped or all(found[move].exact for move in tried[:lines]):
                break
            if plies >= parameters.REFUTATION_DEPTH:
                fresh = [
                    move for move in tried[:lines] if move not in cleared and not found[move].exact
                ]
                cleared.update(fresh)
                refuted = [
                    move for move in fresh if self._proofs.is_refuted(side, move, _REFUTATION_NODES)
                ]
                if refuted:
                    # The table now has the refutations. Search this depth again to use them.
                    plies -= 1
                    continue
            if report is not None:
                others = [move for move in order if move not in tried[:lines]]
                report([found[move] for move in (*tried[:lines], *others)])
        proven = all(found[move].exact for move in tried[:lines])
        return tried[:lines], proven or not kernel.stopped

    def _best_of(
        self, side: int, found: dict[int, Found], tried: list[int], lines: int, plies: int
    ) -> dict[int, Found]:
        kernel = self._kernel
        latest: dict[int, Found] = {}
        losses: list[int] = []  # the negated values so far, ascending
        for number, move in enumerate(tried):
            known = found[move]
            value = known.value
            if not known.exact:
                alpha = -losses[lines - 1] if len(losses) >= lines else -UNKNOWN
                value = self._above(side, move, plies, alpha, number)
                if kernel.stopped:
                    break
                if value > alpha or value <= -PROVEN:
                    latest[move] = self._proofs.better(known, side, value, kernel.line(), plies)
                    value = latest[move].value
                else:
                    # The value is only an upper bound, so rank the move behind the best moves.
                    latest[move] = known._replace(value=min(known.value, value, alpha - 1))
            insort(losses, -value)
        return latest

    def _above(self, side: int, move: int, plies: int, alpha: int, number: int) -> int:
        """Return a move's value if the value is above alpha; otherwise an upper bound."""
        search = self._kernel.search_move
        if alpha == -UNKNOWN:
            return search(side, move, plies, -UNKNOWN, UNKNOWN)
        less = 0
        if plies >= parameters.ROOT_LATE_MOVE_DEPTH and number >= parameters.ROOT_FULL_MOVES:
            less = min(plies - 1, max(0, parameters.late_move_reduction(plies, number) - 1))
        value = search(side, move, plies - less, alpha, alpha + 1)
        if value > alpha and less:
            value = search(side, move, plies, alpha, alpha + 1)
        return search(side, move, plies, alpha, UNKNOWN) if value > alpha else value
