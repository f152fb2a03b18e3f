"""The tree of a job-level proof-number search (Wu, Lin and others 2010, 2013).

An engine evaluates each leaf by a whole search. Symmetric positions share one node. The key of the
node is the least of these positions.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Iterator
from typing import Any, Final, cast

from bestmove.game import EMPTY, Board, O, X, other
from bestmove.search.windows import Shape, played, shape_of

_NEVER: Final = 10**9
"""The proof number of a disproven position, and the disproof number of a proven position."""

_WEIGHT: Final = 20
"""A leaf's proof number is from 1 (a sure win) to 1 + `_WEIGHT` (no chance of a win)."""

NodeRecord = dict[str, Any]
"""The result of a leaf's search, as the journal keeps it.

- `side`, `cells`: the record says whether `side` wins from the position `cells`
- `wins`: True, False, or None if undecided
- `graph`: if decided, the proof
- `moves`: if undecided, the moves to try, each with the side's chance of a win
- `passed`: optional, a graph which proves that no other moves need be tried
"""


def packed(nodes: list[dict[str, Any]]) -> str:
    """Return the nodes of a graph as compressed text."""
    text = json.dumps(nodes, separators=(",", ":")).encode()
    return base64.b85encode(zlib.compress(text)).decode()


def unpacked(graph: str) -> list[dict[str, Any]]:
    """Return the nodes of a graph that `packed` compressed."""
    nodes: list[dict[str, Any]] = json.loads(zlib.decompress(base64.b85decode(graph)))
    return nodes


def checked(value: object, size: int) -> NodeRecord:
    """Return the value if it is a valid record. `size` is the number of cells.

    Raises:
        ValueError: the value is not a valid record.
    """
    if not isinstance(value, dict) or value.get("side") not in (X, O) or "wins" not in value:
        raise ValueError("it is not the result of a search")
    cells, wins = value.get("cells"), value.get("wins")
    if not isinstance(cells, str) or len(cells) != size or set(cells) - {X, O, EMPTY}:
        raise ValueError(f"its cells are not {size} marks")
    graphs = [value[name] for name in ("graph", "passed") if name in value]
    try:
        found = [node for graph in graphs for node in unpacked(graph)]
    except (TypeError, ValueError, AttributeError, zlib.error):
        raise ValueError("its graph is damaged") from None
    if not all(isinstance(node, dict) for node in found):
        raise ValueError("its graph is damaged")
    if isinstance(wins, bool) and "graph" in value:
        return cast(NodeRecord, value)
    moves = value.get("moves")
    if (
        wins is not None
        or not isinstance(moves, list)
        or not all(_is_move(it, cells) for it in moves)
        or not (moves or "passed" in value)
    ):
        raise ValueError("it has neither a result nor moves")
    return cast(NodeRecord, value)


def _is_move(value: object, cells: str) -> bool:
    if not isinstance(value, list) or len(value) != 2:
        return False
    cell, chance = value
    return (
        type(cell) is int
        and 0 <= cell < len(cells)
        and cells[cell] == EMPTY
        and type(chance) in (int, float)
        and 0 <= chance <= 1
    )


class ProofNode:
    """A position of the tree.

    Attributes:
        proof: the proof number, which estimates the work to prove that the side wins.
        disproof: the disproof number, which estimates the work to prove that the side does not win.
        children: the position after each move; None for a leaf.
        parents: the positions with a move to this position.
        is_busy: whether a worker is searching this position.
    """

    __slots__ = ("children", "disproof", "is_busy", "parents", "proof")

    def __init__(self, chance: float) -> None:
        self.proof = 1 + round(_WEIGHT * (1 - chance))
        self.disproof = 1 + round(_WEIGHT * chance)
        self.children: dict[int, str] | None = None
        self.parents: list[str] = []
        self.is_busy = False

    @property
    def is_decided(self) -> bool:
        """True if the side's win is proven or disproven."""
        return not (self.proof and self.disproof)


class Tree:
    """The search tree for one question: whether a side wins."""

    def __init__(self, board: Board, side: str) -> None:
        self._board = board
        self._shape = shape_of(board.rules)
        self.side = side
        self.root = self._shape.least(board.cells)[0]
        self.roots = [self.root]
        self.nodes = {self.root: ProofNode(0.5)}
        self.passed: dict[str, str] = {}
        self.graphs: dict[str, str] = {}

    def mover(self, cells: str) -> str:
        first = self._board.first
        return first if cells.count(first) == cells.count(other(first)) else other(first)

    def require(self, cells: str) -> bool:
        """Add a position that must be decided. Return True if the position is new."""
        least = self._shape.least(cells)[0]
        if least in self.roots:
            return False
        self.roots.append(least)
        self.nodes.setdefault(least, ProofNode(0.5))
        return True

    @property
    def is_decided(self) -> bool:
        """True if all required positions are decided."""
        return all(self.nodes[root].is_decided for root in self.roots)

    def add(self, record: NodeRecord) -> None:
        cells = record["cells"]
        node = self.nodes.setdefault(cells, ProofNode(0.5))
        node.is_busy = False
        if record["wins"] is not None:
            self.graphs[cells] = record["graph"]
            node.proof, node.disproof = (0, _NEVER) if record["wins"] else (_NEVER, 0)
        else:
            if "passed" in record:
                self.passed[cells] = record["passed"]
            node.children = {move: self._child(cells, move, of) for move, of in record["moves"]}
            self._count(cells, node)
        self._tell(node.parents)

    def _child(self, cells: str, move: int, chance: float) -> str:
        rules, mover = self._board.rules, self.mover(cells)
        after = played(cells, move, mover)
        least = self._shape.least(after)[0]
        child = self.nodes.get(least)
        if child is None:
            child = self.nodes[least] = ProofNode(chance)
            line = rules.completes_line(after, move, mover)
            if line or EMPTY not in after:
                won = line and (mover == self.side) is not rules.misere
                child.proof, child.disproof = (0, _NEVER) if won else (_NEVER, 0)
        if cells not in child.parents:
            child.parents.append(cells)
        return least

    def _count(self, cells: str, node: ProofNode) -> bool:
        """Update a position's proof and disproof numbers. Return True if a number changed."""
        before = node.proof, node.disproof
        children = [self.nodes[child] for child in set((node.children or {}).values())]
        if self.mover(cells) == self.side:
            node.proof = min((child.proof for child in children), default=_NEVER)
            node.disproof = min(_NEVER, sum(child.disproof for child in children))
        else:
            # If `children` is empty, no reply can stop the side's win after a pass.
            node.proof = min(_NEVER, sum(child.proof for child in children))
            node.disproof = min((child.disproof for child in children), default=_NEVER)
        return before != (node.proof, node.disproof)

    def _tell(self, waiting: Iterable[str]) -> None:
        stack = list(waiting)
        while stack:
            cells = stack.pop()
            node = self.nodes[cells]
            if self._count(cells, node):
                stack += node.parents

    def _likely(self, cells: str) -> list[tuple[int, str]]:
        children = (self.nodes[cells].children or {}).items()
        if self.mover(cells) == self.side:
            return sorted(children, key=lambda to: (self.nodes[to[1]].proof, to))
        return sorted(children, key=lambda to: (self.nodes[to[1]].disproof, to))

    def take(self) -> str | None:
        """Return the most proving leaf that no worker is searching; None if there is none."""
        seen: set[str] = set()
        levels: list[Iterator[str]] = [iter(self.roots)]
        while levels:
            for cells in levels[-1]:
                node = self.nodes[cells]
                if cells in seen or node.is_decided or (node.children is None and node.is_busy):
                    continue
                if node.children is None:
                    node.is_busy = True
                    return cells
                seen.add(cells)
                levels.append(iter([child for _, child in self._likely(cells)]))
                break
            else:
                levels.pop()
        return None

    def line(self) -> list[int]:
        """Return the moves from the root to the most proving leaf."""
        cells = self._board.cells
        line: list[int] = []
        while True:
            least, symmetry = self._shape.least(cells)
            if not self.nodes[least].children or self.nodes[least].is_decided:
                return line
            move = self._likely(least)[0][0]
            line.append(move if symmetry is None else symmetry.back[move])
            cells = played(cells, line[-1], self.mover(cells))

    def advice(self) -> Iterator[tuple[str, str, int | None]]:
        """Yield positions of the proof, each with the side to move and that side's move.

        The move is None if the other side has passed and no winning move is known. A proof must
        not try this pass.
        """
        seen = set()
        stack = list(self.roots)
        while stack:
            cells = stack.pop()
            if cells in seen or not self.nodes[cells].is_decided:
                continue
            seen.add(cells)
            children, mover = self.nodes[cells].children, self.mover(cells)
            if cells in self.graphs:
                yield from chosen(self._shape, unpacked(self.graphs[cells]), cells, mover)
            elif children is not None:
                wins = self.nodes[cells].proof == 0
                if wins is (mover == self.side):
                    move = next(
                        move
                        for move, child in children.items()
                        if self.nodes[child].is_decided and (self.nodes[child].proof == 0) is wins
                    )
                    yield cells, mover, move
                    stack.append(children[move])
                    continue
                stack += children.values()
                if cells in self.passed:
                    graph = unpacked(self.passed[cells])
                    yield from chosen(self._shape, graph, cells, other(mover))
                elif wins:
                    yield cells, other(mover), None


def chosen(
    shape: Shape, nodes: list[dict[str, Any]], cells: str, mover: str
) -> Iterator[tuple[str, str, int]]:
    """Yield each position for which a graph has a move, with the side to move and the move."""
    places = {len(nodes) - 1: (cells, mover)}
    for number in range(len(nodes) - 1, -1, -1):
        cells, mover = places.pop(number)
        node = nodes[number]
        edges = node.get("replies", [])
        if "move" in node:
            yield cells, mover, node["move"]
            edges = [[node[name] for name in ("move", "node", "symmetry") if name in node]]
        for move, *to in edges:
            after = played(cells, move, mover)
            if to:
                places[to[0]] = (shape.named(to[1]).moved(after) if to[1:] else after), other(mover)
        if "pass" in node:
            places[node["pass"]] = cells, other(mover)
