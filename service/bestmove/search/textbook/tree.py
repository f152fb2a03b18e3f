"""Searches of explicit game trees.

In JSON, a leaf is a number and an inner node is an array of its children. Any node may also be an
object with `value`, `children` or both. The value of an inner node is an estimate.

    [[5, 2, 9], [8, 4, 7]]
    {"children": [{"value": 3, "children": [5, 2, 9]}, {"value": 6, "children": [8, 4, 7]}]}
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from math import inf, isfinite
from time import perf_counter
from typing import Final

from bestmove.answers import GameTree, Path, SearchStats, VisitedNode
from bestmove.errors import LONGEST_NAME, Gathered, InvalidLimits, InvalidTree
from bestmove.game.rules import is_integer
from bestmove.search.cancellation import Cancellation
from bestmove.search.textbook.algorithms import (
    SEARCHES,
    Trace,
    Variation,
    Visit,
    require_time,
    untraced,
)

MAX_NODES: Final = 25_000
"""The most nodes of a tree. Reading and searching so many takes 0.1 s."""

MAX_HEIGHT: Final = 200
"""The longest path from the root to a leaf, in plies."""

MOST_TRACED: Final = 4_000_000
"""The most bytes of a trace in JSON. It is estimated from above, before the search."""

_TRACED_NODE: Final = 80
"""The bytes of a traced node's names, signs and `cutoff`, without its path and its numbers."""


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a game tree.

    Attributes:
        value: the value of a leaf; the estimate of an inner node, or None.
        children: empty for a leaf.
        pointer: the node's place in the JSON, as a JSON pointer without the leading slash.

    Raises:
        InvalidTree: a leaf without a value.
    """

    value: float | None = None
    children: tuple[Node, ...] = ()
    pointer: str = field(default="tree", compare=False)

    def __post_init__(self) -> None:
        if self.value is None and not self.children:
            raise InvalidTree(
                "a node without children is a leaf: give its value, a number", self.pointer
            )


def parse(value: object) -> Node:
    """Read the tree that a JSON value describes.

    Raises:
        InvalidTree: the value is no tree, has more than `MAX_NODES` nodes, or is higher than
            `MAX_HEIGHT`. `field` points to the invalid node. `others` has the errors at other
            nodes.
    """
    parser = _Parser()
    root = parser.node(value, "tree", 0)
    parser.errors.raise_any()
    return root


class _Parser:
    def __init__(self) -> None:
        self._nodes = 0
        self.errors = Gathered[InvalidTree]()

    def node(self, value: object, pointer: str, ply: int) -> Node:
        self._nodes += 1
        if self._nodes > MAX_NODES:
            raise InvalidTree(f"a tree has at most {MAX_NODES:,} nodes")
        if ply > MAX_HEIGHT:
            raise InvalidTree(f"no leaf may be more than {MAX_HEIGHT} plies from the root", pointer)
        try:
            own, values, place = _parts(value, pointer)
        except InvalidTree as error:
            return self._without(error)
        # A comprehension would take a second stack frame for each ply.
        children = []
        for index, child in enumerate(values):
            children.append(self.node(child, f"{place}/{index}", ply + 1))
        try:
            return Node(own, tuple(children), pointer)
        except InvalidTree as error:
            return self._without(error)

    def _without(self, error: InvalidTree) -> Node:
        """Record an error, and return a leaf in place of the node."""
        self.errors.add(error)
        return Node(0)


def _parts(value: object, pointer: str) -> tuple[float | None, Sequence[object], str]:
    if isinstance(value, list | tuple):
        return None, value, pointer
    if not isinstance(value, dict):
        return _number(value, pointer, "a node is a number, an array or an object"), (), pointer
    for key in value:
        if key not in ("value", "children"):
            name = str(key).replace("~", "~0").replace("/", "~1")
            place = f"{pointer}/{name}" if len(name) <= LONGEST_NAME else pointer
            raise InvalidTree("a node's fields are value and children", place)
    own = None
    if "value" in value:
        own = _number(value["value"], f"{pointer}/value", "the value of a node is a number")
    children = value.get("children", ())
    if not isinstance(children, list | tuple):
        raise InvalidTree("children is an array of nodes", f"{pointer}/children")
    return own, children, f"{pointer}/children"


def _number(value: object, pointer: str, expected: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InvalidTree(expected, pointer)
    try:
        in_range = isfinite(value)
    except OverflowError:  # the integer is too large for a double
        in_range = False
    if not in_range:
        raise InvalidTree("a value is a finite number, at most about 1.8e308 in size", pointer)
    return value


@dataclass(slots=True, eq=False)
class TreeGame:
    """A node as an `algorithms.SearchedGame`. It records which children the search tried."""

    node: Node
    maximizing: bool
    path: Path = ()
    evaluated: list[Path] = field(default_factory=list)
    deadline: float | None = None
    cancellation: Cancellation | None = None
    tried: list[TreeGame] = field(default_factory=list)

    def is_over(self) -> bool:
        return not self.node.children

    def utility(self) -> float:
        if self.node.value is None:
            raise _no_value(self.node)
        self.evaluated.append(self.path)
        return self.node.value

    def moves(self) -> Sequence[int]:
        require_time(self.deadline, self.cancellation)
        return range(len(self.node.children))

    def play(self, move: int) -> TreeGame:
        child = TreeGame(
            self.node.children[move],
            not self.maximizing,
            (*self.path, move),
            self.evaluated,
            self.deadline,
            self.cancellation,
        )
        self.tried.append(child)
        return child

    def key(self) -> Hashable:
        return self.path


def search(
    tree: Node,
    algorithm: str = "alpha-beta",
    maximizing: bool = True,
    depth: int | None = None,
    deadline: float | None = None,
    trace: bool = False,
    cancellation: Cancellation | None = None,
) -> GameTree:
    """Search a tree by one of the textbook searches.

    Args:
        algorithm: one of `algorithms.SEARCHES`.
        maximizing: whether the side to move at the root wants the larger value.
        depth: plies to look ahead, at least 0. Nodes at this depth count as leaves.
        deadline: in `time.monotonic()` seconds.
        trace: whether to list each visited node's value, window and cutoff.
        cancellation: lets another thread end the search.

    Raises:
        InvalidLimits: the algorithm is unknown, the depth is negative, or the trace could have
            more than `MOST_TRACED` bytes.
        InvalidTree: the tree is higher than `MAX_HEIGHT`, or a node at `depth` has no value.
        OutOfTime: the deadline was reached, or `cancellation` was used.
    """
    if algorithm not in SEARCHES:
        raise InvalidLimits(f"algorithm must be one of {', '.join(SEARCHES)}", "algorithm")
    if depth is not None and not (is_integer(depth) and depth >= 0):
        raise InvalidLimits("depth must be an integer, at least 0", "depth")
    levels = list(plies(tree))
    height = len(levels) - 1
    if height > MAX_HEIGHT:
        raise InvalidTree(f"no leaf may be more than {MAX_HEIGHT} plies from the root")
    if depth is not None and depth <= height:
        errors = Gathered[InvalidTree]()
        for node in levels[depth]:
            if node.value is None:
                errors.add(_no_value(node))
        errors.raise_any()
    if trace:
        _require_short(levels[: None if depth is None else depth + 1])
    visited: list[VisitedNode] = []

    started = perf_counter()
    root = TreeGame(tree, maximizing, deadline=deadline, cancellation=cancellation)
    result = SEARCHES[algorithm](
        root,
        depth=depth,
        evaluate=TreeGame.utility,
        trace=_into(visited) if trace else untraced,
    )
    elapsed_ms = round((perf_counter() - started) * 1000, 3)
    counts = result.counts
    return GameTree(
        result.value + 0,  # turns -0.0 into 0.0
        result.pv,
        tuple(root.evaluated),
        tuple(_pruned(root)),
        SearchStats(
            algorithm,
            counts.nodes,
            counts.cutoffs,
            counts.table_hits,
            height if depth is None else min(depth, height),
            elapsed_ms,
        ),
        tuple(visited) if trace else None,
    )


def _require_short(levels: Sequence[Sequence[Node]]) -> None:
    """Refuse a trace that could be too long. Every node may get the longest number three times.

    Raises:
        InvalidLimits: it could have more than `MOST_TRACED` bytes.
    """
    nodes = [node for level in levels for node in level]
    longest = 1 + max(
        (len(repr(node.value)) for node in nodes if node.value is not None), default=0
    )
    index = 1 + len(str(max(len(node.children) for node in nodes)))
    steps = sum(ply * len(level) for ply, level in enumerate(levels))
    size = len(nodes) * (_TRACED_NODE + 3 * longest) + steps * index
    if size > MOST_TRACED:
        raise InvalidLimits(
            f"the trace of this tree could have {size:,} bytes; at most {MOST_TRACED:,} are "
            "allowed: give a smaller tree or depth, or leave trace out",
            "trace",
        )


def _into(visited: list[VisitedNode]) -> Trace:
    """Return a `Trace` that appends each node, in the order in which the search meets them."""

    def traced(visit: Visit) -> Visit:
        def recorded(position: TreeGame, depth: float, *window: float) -> tuple[float, Variation]:
            place = len(visited)
            alpha, beta = (bound + 0 if isfinite(bound) else None for bound in window or (inf, inf))
            visited.append(VisitedNode(position.path, 0, alpha, beta, cutoff=False))
            value, pv = visit(position, depth, *window)
            cutoff = 0 < len(position.tried) < len(position.node.children)
            visited[place] = VisitedNode(position.path, value + 0, alpha, beta, cutoff)
            return value, pv

        return recorded

    return traced


def plies(tree: Node) -> Iterator[Sequence[Node]]:
    nodes: Sequence[Node] = [tree]
    while nodes:
        yield nodes
        nodes = [child for node in nodes for child in node.children]


def _pruned(root: TreeGame) -> Iterator[Path]:
    """Yield, in post-order, the paths of children that were cut off after a sibling was tried."""
    # Not recursive. Nested generators would pass every path up through all levels.
    waiting = [(root, iter(root.tried))]
    while waiting:
        position, tried = waiting[-1]
        child = next(tried, None)
        if child is not None:
            waiting.append((child, iter(child.tried)))
            continue
        waiting.pop()
        if position.tried:
            for move in position.moves()[len(position.tried) :]:
                yield (*position.path, move)


def _no_value(node: Node) -> InvalidTree:
    return InvalidTree(
        "the depth ends at this node, which has children but no value: give it as an object "
        "with value and children",
        node.pointer,
    )
