"""Builds the graph of a claim. An engine chooses one side's moves; all replies are tried.

docs/proofs.md defines the nodes of a graph. A node is added after all nodes to which it leads, so
the root is the last node.
"""

from __future__ import annotations

import time
from collections.abc import Generator, Sequence
from typing import Any, Final

from bestmove.game import EMPTY, Rules, other
from bestmove.game.geometry import BoardSymmetry, cells_with
from bestmove.search.at_sight import PAIRED, is_light, leaf_of
from bestmove.search.cancellation import Cancellation
from bestmove.search.dispatch import Adviser
from bestmove.search.engine import encoded
from bestmove.search.pairs import matching

__all__ = ["Builder", "CannotWin", "Spent", "Unproven", "Wins"]

Branch = tuple[int, BoardSymmetry | None]
Steps = Generator["Steps", Any, Branch]

_TRIES: Final = 12
"""At most this many of the defender's moves are tried before the engine is asked. A move that
blocks many windows may lead to a leaf at once."""

_NODE_BYTES: Final = 12
"""Without its replies or pairs, a node takes about 3 × `_NODE_BYTES` bytes of JSON text."""

_ENTRY_BYTES: Final = 12
"""The approximate bytes of JSON text for a reply or a pair."""

_NAME_BYTES: Final = 14
"""The approximate bytes of JSON text for each name of a symmetry."""

_FAILED_BYTES: Final = 12
"""A position without a proof counts as this many bytes, because the position takes memory."""

LATE: Final = "was not finished within the budget"
TOO_LARGE: Final = "is too large"


def played(cells: str, move: int, mark: str) -> str:
    return cells[:move] + mark + cells[move + 1 :]


class Unproven(Exception):
    """The claim could not be proven at a position."""


class Spent(Exception):
    """A limit of time or size is reached, or the construction is cancelled."""


def run(task: Steps) -> Branch:
    """Run a task without recursion. A task yields each task whose result it needs."""
    stack = [task]
    value: Branch | None = None
    error: Unproven | None = None
    while stack:
        try:
            if error is None:
                asked = stack[-1].send(value)
            else:
                thrown, error = error, None
                asked = stack[-1].throw(thrown)
        except StopIteration as done:
            stack.pop()
            value = done.value
        except Unproven as failed:
            stack.pop()
            error = failed
        else:
            stack.append(asked)
            value = None
    if error is not None:
        raise error
    assert value is not None
    return value


class Builder:
    """The graph of one claim while it is built.

    Args:
        side: the side that the claim is about: `X` or `O`.
        adviser: the engine that chooses moves.
        deadline: `time.monotonic()` seconds, or None.
        most_bytes: the limit for the estimated bytes of the nodes' JSON text.
        cancellation: lets another thread end the construction.

    Attributes:
        nodes: the nodes, in the form of docs/proofs.md.
    """

    def __init__(
        self,
        rules: Rules,
        side: str,
        adviser: Adviser,
        deadline: float | None,
        most_bytes: int,
        cancellation: Cancellation | None = None,
    ) -> None:
        self.rules = rules
        self.side = side
        self.nodes: list[dict[str, Any]] = []
        self._geometry = rules.geometry
        self._adviser = adviser
        self._deadline = deadline
        self._bytes_left = most_bytes
        self._cancellation = cancellation
        self._known: dict[tuple[str, str], tuple[int, str]] = {}
        self._unproven: set[tuple[str, str]] = set()

    def _failed(self, key: tuple[str, str]) -> None:
        self._unproven.add(key)
        self._bytes_left -= _FAILED_BYTES

    def _look(self) -> None:
        late = self._deadline is not None and time.monotonic() >= self._deadline
        cancelled = self._cancellation is not None and self._cancellation.is_cancelled
        if late or cancelled or self._bytes_left < 0:
            raise Spent(LATE)

    def _found(self, cells: str, mover: str) -> tuple[tuple[str, str], Branch | None]:
        """Return the key of a position, and the edge to its node if the node exists.

        Symmetric positions have the same key. The key contains the side to move, because a pass
        does not change the marks.

        Raises:
            Unproven: the position was tried before, without success.
        """
        self._look()
        key = self._geometry.least(cells), mover
        if key in self._unproven:
            raise Unproven
        known = self._known.get(key)
        if known is None:
            return key, None
        number, there = known
        if there == cells:
            return key, (number, None)
        for symmetry in self._geometry.symmetries:
            if symmetry.moved(cells) == there:
                return key, (number, symmetry)
        raise AssertionError("positions with the same key are images of each other")

    def _add(self, key: tuple[str, str], cells: str, node: dict[str, Any]) -> Branch:
        replies = node.get("replies", node.get("pairs", ()))
        named = sum(len(reply) > 2 for reply in replies) + ("symmetry" in node)
        self._bytes_left -= _NODE_BYTES * 3 + _ENTRY_BYTES * len(replies) + _NAME_BYTES * named
        if self._bytes_left < 0:
            raise Spent(TOO_LARGE)
        self.nodes.append(node)
        self._known[key] = len(self.nodes) - 1, cells
        return len(self.nodes) - 1, None

    def _advice(self, cells: str, mover: str, plies: int | None, *, wins: bool) -> int:
        ask = self._adviser.winning_move if wins else self._adviser.holding_move
        move = ask(*encoded(cells, mover), plies)
        if move is None:
            raise Unproven
        return move

    @staticmethod
    def _chosen(move: int, edge: Branch | None) -> dict[str, Any]:
        node: dict[str, Any] = {"move": move}
        if edge is not None:
            node["node"] = edge[0]
            if edge[1] is not None:
                node["symmetry"] = edge[1].name
        return node

    @staticmethod
    def _entry(cell: int, edge: Branch) -> list[Any]:
        number, symmetry = edge
        return [cell, number] if symmetry is None else [cell, number, symmetry.name]


class Wins(Builder):
    """Builds the graph for the claim that a side wins."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        rules = self.rules
        self._has_zones = not rules.changed
        # For each node, the values D, R, t and c of docs/proofs.md.
        self._facts: list[tuple[int, int, int, int]] = []
        self._distance: list[int] = []

    def build(self, cells: str, mover: str, plies: int | None) -> int:
        """Build the graph. Return the most plies that the win takes.

        Args:
            cells: a position of a game in progress.
            mover: the side to move.
            plies: the win should take at most this many plies; None sets no limit.

        Raises:
            Unproven, Spent: no graph was found within the budget.
        """
        turn = self._choose if mover == self.side else self._reply
        number, _ = run(turn(cells, plies))
        self.nodes = reached(self.nodes, number)
        return self._distance[number]

    def _choose(self, cells: str, plies: int | None) -> Steps:
        key, edge = self._found(cells, self.side)
        if edge is not None and self._is_soon(edge, plies):
            return edge
        ending = self.rules.completing(cells, self.side)
        if ending and not self.rules.misere:
            self._facts.append((1 << ending[0], 0, 0, 0))
            self._distance.append(1)
            return self._add(key, cells, {"move": ending[0]})
        if plies is not None and plies < 2:
            raise Unproven
        try:
            move = self._advice(cells, self.side, plies, wins=True)
            after = played(cells, move, self.side)
            if move in ending or EMPTY not in after:
                raise Unproven
            to = yield self._reply(after, None if plies is None else plies - 1)
        except Unproven:
            self._failed(key)
            raise
        won, replied, turns, passes = self._seen(to)
        self._facts.append((won | 1 << move, replied, turns, passes))
        self._distance.append(1 + self._distance[to[0]])
        return self._add(key, cells, self._chosen(move, to))

    def _reply(self, cells: str, plies: int | None) -> Steps:
        foe = other(self.side)
        key, edge = self._found(cells, foe)
        if edge is not None and self._is_soon(edge, plies):
            return edge
        rules = self.rules
        moves = rules.moves(cells)
        ending = rules.completing(cells, foe)
        if (ending and not rules.misere) or (cells.count(EMPTY) == 1 and len(ending) == 0):
            self._failed(key)
            raise Unproven
        left = [move for move in moves if move not in ending]
        sooner = None if plies is None else plies - 1
        node: dict[str, Any] = {"replies": []}
        won = replied = turns = passes = distance = 0
        try:
            if self._has_zones and len(left) > 1:
                passed = yield from self._passed(cells, sooner)
                if passed is not None:
                    zone = self._zone(cells, passed)
                    inside = [move for move in left if zone >> move & 1]
                    if len(inside) < len(left):
                        left = inside
                        node["pass"] = passed
                        won, replied, turns, passes = self._facts[passed]
                        passes += 1
                        distance = self._distance[passed]
            for move in left:
                to = yield self._choose(played(cells, move, foe), sooner)
                node["replies"].append(self._entry(move, to))
                facts = self._seen(to)
                won |= facts[0]
                replied |= 1 << move | facts[1]
                turns = max(turns, facts[2])
                passes = max(passes, facts[3])
                distance = max(distance, self._distance[to[0]])
        except Unproven:
            self._failed(key)
            raise
        self._facts.append((won, replied, turns + 1, passes))
        self._distance.append(distance + 1)
        return self._add(key, cells, node)

    def _passed(self, cells: str, plies: int | None) -> Generator[Steps, Any, int | None]:
        """Return the number of the node after a pass; None if no win is proven after the pass."""
        try:
            to = yield self._choose(cells, plies)
        except Unproven:
            return None
        number, symmetry = to
        if symmetry is None:
            return int(number)
        # The format allows no symmetry for a pass, so add the node again for exactly this position.
        node = self.nodes[number]
        move = symmetry.back[node["move"]]
        self._facts.append(self._seen(to))
        self._distance.append(self._distance[number])
        after = None
        if "node" in node:
            after = node["node"], self._geometry.combined(symmetry, node.get("symmetry"))
        key = self._found(cells, self.side)[0]
        return self._add(key, cells, self._chosen(move, after))[0]

    def _is_soon(self, edge: Branch, plies: int | None) -> bool:
        return plies is None or self._distance[edge[0]] <= plies

    def _zone(self, cells: str, passed: int) -> int:
        zone, replied, turns, passes = self._facts[passed]
        winners = cells_with(cells, self.side)
        empty = cells_with(cells, EMPTY)
        for line in self._geometry.lines:
            if not line.mask & winners:
                gaps = line.mask & empty
                most = 1 + min(turns, passes + (replied & gaps).bit_count())
                if gaps.bit_count() <= most:
                    zone |= gaps
        return zone

    def _seen(self, edge: Branch) -> tuple[int, int, int, int]:
        """Return the `_facts` of an edge's target, mapped back by the edge's symmetry."""
        number, symmetry = edge
        won, replied, turns, passes = self._facts[number]
        if symmetry is not None:
            won, replied = symmetry.undone(won), symmetry.undone(replied)
        return won, replied, turns, passes


class CannotWin(Builder):
    """Builds the graph for the claim that a side cannot win."""

    def build(self, cells: str, mover: str, plies: int | None) -> None:
        """Build the graph.

        Args:
            cells: a position of a game in progress.
            mover: the side to move.
            plies: the claim covers this many plies, at least 1; None means the whole game.

        Raises:
            Unproven, Spent: no graph was found within the budget.
        """
        number, _ = run(self._turn(cells, mover, plies))
        self.nodes = reached(self.nodes, number)

    def _turn(self, cells: str, mover: str, plies: int | None) -> Steps:
        key, edge = self._found(cells, mover)
        if edge is not None:
            return edge
        leaf = self._leaf(cells, mover, plies)
        if leaf is not None:
            return self._add(key, cells, leaf)
        try:
            if mover == self.side:
                node = yield from self._replies(cells, plies)
            else:
                node = yield from self._choice(cells, plies)
        except Unproven:
            self._failed(key)
            raise
        return self._add(key, cells, node)

    def _choice(self, cells: str, plies: int | None) -> Generator[Steps, Any, dict[str, Any]]:
        rules = self.rules
        mark = other(self.side)
        ending = rules.completing(cells, mark)
        if ending and not rules.misere:
            return self._chosen(ending[0], None)
        if plies == 1 or cells.count(EMPTY) == 1:
            safe = [move for move in rules.moves(cells) if move not in ending]
            if not safe:
                raise Unproven
            return self._chosen(safe[0], None)
        held = self._held(cells)
        if held is not None:
            move, leaf = held
            after = played(cells, move, mark)
            key, edge = self._found(after, self.side)
            return self._chosen(move, self._add(key, after, leaf) if edge is None else edge)
        move = self._advice(cells, mark, plies, wins=False)
        if move in ending:
            raise Unproven
        after = played(cells, move, mark)
        to = yield self._turn(after, self.side, None if plies is None else plies - 1)
        return self._chosen(move, to)

    def _replies(self, cells: str, plies: int | None) -> Generator[Steps, Any, dict[str, Any]]:
        rules = self.rules
        ending = rules.completing(cells, self.side)
        if ending and not rules.misere:
            raise Unproven
        node: dict[str, Any] = {"replies": []}
        if plies == 1 or cells.count(EMPTY) == 1:
            return node
        for move in rules.moves(cells):
            if move in ending:
                continue
            after = played(cells, move, self.side)
            to = yield self._turn(after, other(self.side), None if plies is None else plies - 1)
            node["replies"].append(self._entry(move, to))
        return node

    def _leaf(self, cells: str, mover: str, plies: int | None) -> dict[str, Any] | None:
        leaf = leaf_of(self.rules, cells, self.side, mover, plies, self._look)
        if leaf is None or leaf.kind != "pairs":
            return leaf and {"leaf": leaf.kind}
        return _pairs(leaf.pairs)

    def _held(self, cells: str) -> tuple[int, dict[str, Any]] | None:
        """Return a defender's move to a leaf, and the leaf; None if `_TRIES` moves find no leaf."""
        rules = self.rules
        if not rules.are_known(PAIRED):
            return None
        left = self._geometry.left(
            cells_with(cells, self.side), cells_with(cells, other(self.side))
        )
        tries = []
        for move in rules.moves(cells):
            self._look()
            rest = [window for window in left if not window >> move & 1]
            tries.append((len(rest), move, rest))
        for _, move, rest in sorted(tries)[:_TRIES]:
            if is_light(rules, rest, before_side=True):
                return move, {"leaf": "sum"}
            pairs = matching(rules, rest, self._look)
            if pairs is not None:
                return move, _pairs(pairs)
        return None


def _pairs(pairs: Sequence[tuple[int, int]]) -> dict[str, Any]:
    return {"leaf": "pairs", "pairs": [list(pair) for pair in pairs]}


def reached(nodes: Sequence[dict[str, Any]], root: int) -> list[dict[str, Any]]:
    """Return the root and the nodes below the root, in their old order, numbered from 0."""
    wanted = bytearray(root + 1)
    wanted[root] = 1
    for number in range(root, -1, -1):
        if wanted[number]:
            for to in _edges(nodes[number]):
                wanted[to] = 1
    numbers: dict[int, int] = {}
    kept: list[dict[str, Any]] = []
    for number in range(root + 1):
        if not wanted[number]:
            continue
        numbers[number] = len(kept)
        node = dict(nodes[number])
        for name in ("node", "pass"):
            if name in node:
                node[name] = numbers[node[name]]
        if "replies" in node:
            node["replies"] = [[cell, numbers[to], *name] for cell, to, *name in node["replies"]]
        kept.append(node)
    return kept


def _edges(node: dict[str, Any]) -> list[int]:
    found = [to for _, to, *_ in node.get("replies", ())]
    return found + [node[name] for name in ("node", "pass") if name in node]
