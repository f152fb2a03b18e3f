"""A certificate by the workers of a cluster: job-level proof-number search.

The tree is held here, and each leaf is a search of some seconds by a worker (Wu, Lin and others
2010, 2013). One question at a time: does a side win? A leaf that is decided brings the graph of its
certificate, any other one its moves with an estimate each, which become leaves. A leaf at work
keeps its estimate, and the next best one is chosen. Once the root is decided the certificate is
built as any other, with the tree and the graphs of its leaves as the engine that knows every move.

What is found of each leaf is kept in a journal, from which the same job goes on after a stop.
Positions are the least of their images.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final, NamedTuple

from bestmove.cluster import Cluster, build, require_same_job
from bestmove.errors import InvalidInput
from bestmove.game import EMPTY, Board, O, Rules, X
from bestmove.proof.builder import CannotWin, Spent, Unproven, Wins
from bestmove.proof.certificate import MOST_BYTES, Proof, claim
from bestmove.proof.shape import shape_of
from bestmove.proof.tree import Record, Tree, packed
from bestmove.search.analysis import analyze, best_move
from bestmove.search.dispatch import Adviser, consulted
from bestmove.search.engine import Task
from bestmove.search.limits import Limits

DEFAULT_NODES: Final = 500_000
"""Of a leaf's search: some seconds."""

_GRAPH_BYTES: Final = 256 << 10
"""Of a leaf's graph as text; a position that needs a larger one becomes several leaves."""

_GRAPH_NODES: Final = 4
"""Nodes of the engine for a leaf's graph, in those of its search."""

_MARKS: Final = str.maketrans({"\0": EMPTY, "\1": X, "\2": O})


@dataclass(frozen=True)
class Leaf:
    """A task of a worker: does a side win?

    Attributes:
        rules: of the game.
        first: who moved first.
        cells: the position.
        side: who is to win.
        nodes: of the search.
    """

    rules: Rules
    first: str
    cells: str
    side: str
    nodes: int


def examined(leaf: Leaf) -> Record:
    """What a worker finds of a leaf."""
    board = Board(leaf.cells, leaf.rules, leaf.first)
    limits = Limits(time_ms=None, nodes=leaf.nodes)
    record: Record = {"side": leaf.side, "cells": leaf.cells, "wins": None}
    zone: int | None = None
    answer = best_move(board, limits)
    with consulted(board, None, _GRAPH_NODES * leaf.nodes) as adviser:
        if answer.exact:
            wins = _chance(answer.score, leaf.side) == 1
            graph = (Wins if wins else CannotWin)(
                leaf.rules, leaf.side, adviser, None, _GRAPH_BYTES
            )
            with suppress(Unproven, Spent):
                graph.build(board.cells, board.turn or "", None)
                return {**record, "wins": wins, "graph": packed(graph.nodes)}
        if board.turn != leaf.side:
            passed = Wins(leaf.rules, leaf.side, adviser, None, _GRAPH_BYTES)
            with suppress(Unproven, Spent):
                zone = passed.after_pass(board.cells)
    found = analyze(board, limits).moves
    if zone is not None:
        record["passed"] = packed(passed.nodes)
        found = tuple(move for move in found if zone >> move.index & 1)
    record["moves"] = [[move.index, _chance(move.score, leaf.side)] for move in found]
    return record


def _chance(score: float, side: str) -> float:
    return (1 + (score if side == X else -score)) / 2


class Journal:
    """What was found, a line each, in the folder `OUTPUT.parts`, there until the job is done.

    Args:
        output: the file that the certificate goes to.
    """

    def __init__(self, output: Path) -> None:
        self._output = output
        self._folder = output.with_name(output.name + ".parts")
        self._file = self._folder / "journal.jsonl"

    def begin(self, manifest: dict[str, Any]) -> list[Record]:
        """Go on with the job that the manifest describes, or begin it: what was found before.

        Raises:
            InvalidInput: another job was begun here, or the output exists.
        """
        kept = self._folder / "manifest.json"
        if not kept.exists():
            if self._output.exists():
                raise InvalidInput(
                    f"{self._output} exists already: remove it, or name another output", "output"
                )
            self._folder.mkdir(parents=True, exist_ok=True)
            _write(kept, json.dumps(manifest, indent=1).encode())
        require_same_job(str(self._folder), json.loads(kept.read_bytes()), manifest)
        lines = self._file.read_bytes().splitlines(keepends=True) if self._file.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            # The stop came while this one was written.
            os.truncate(self._file, sum(map(len, lines[:-1])))
            lines.pop()
        return [json.loads(line) for line in lines]

    def add(self, record: Record) -> None:
        """Keep what was found of a leaf."""
        with self._file.open("ab") as file:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    def finish(self, proof: Proof) -> None:
        """Write the certificate, and remove the folder."""
        unfinished = self._folder / self._output.name
        proof.write(unfinished)
        unfinished.replace(self._output)
        shutil.rmtree(self._folder)


def _write(path: Path, data: bytes) -> None:
    """A file that is there whole or not at all."""
    unfinished = path.with_name(f"{path.name}.{os.getpid()}.tmp")
    unfinished.write_bytes(data)
    unfinished.replace(path)


class Progress(NamedTuple):
    """How far a job is.

    Attributes:
        side: the side of which is asked whether it wins.
        proof: leaves that must be won, at least, until that is proven, by their estimates.
        disproof: the same until it is disproven.
        leaves: searched so far.
        line: the moves to the leaf that matters most.
    """

    side: str
    proof: int
    disproof: int
    leaves: int
    line: list[int]


class Job:
    """Proves the result of a position, and writes its certificate.

    Args:
        board: a position of a game that is not over.
        output: the file for the certificate.
        nodes: of a leaf's search.
    """

    def __init__(self, board: Board, output: Path, nodes: int = DEFAULT_NODES) -> None:
        self._board, self._nodes = board, nodes
        self._journal = Journal(output)
        self._records: list[Record] = []

    def begin(self) -> int:
        """Begin the job, or go on with it: how many leaves are done.

        Raises:
            InvalidInput: another job was begun here, or the output exists.
        """
        board = self._board
        if board.is_over:
            raise InvalidInput("the game is over: there is nothing to search")
        manifest = {
            **build(),
            "rules": asdict(board.rules),
            "board": board.cells,
            "first": board.first,
            "nodes": self._nodes,
        }
        self._records = self._journal.begin(manifest)
        return len(self._records)

    def run(self, cluster: Cluster, progress: Callable[[Progress], None]) -> str:
        """Do what is left; where there is no certificate in the end, a sentence that says why.

        Args:
            cluster: whose workers search.
            progress: called after each leaf.
        """
        board = self._board
        likely = best_move(board, Limits(time_ms=None, nodes=self._nodes))
        claims: list[dict[str, Any]] = []
        for side in (X, O) if likely.score >= 0 else (O, X):
            tree = Tree(board, side)
            for record in self._records:
                if record["side"] == side:
                    tree.add(record)
            try:
                claims.append(self._claim(tree, cluster, progress))
            except Spent as spent:
                return f"The result is proven, but its certificate {spent}."
            if claims[-1]["kind"] == "wins":
                claims = claims[-1:]
                break
        self._journal.finish(Proof(board, tuple(sorted(claims, key=lambda it: it["side"] != X))))
        return ""

    def _claim(
        self, tree: Tree, cluster: Cluster, progress: Callable[[Progress], None]
    ) -> dict[str, Any]:
        """The claim that a side wins, or that it cannot win."""
        board, side = self._board, tree.side
        while True:
            self._search(tree, cluster, progress)
            kind = Wins if tree.nodes[tree.root].proof == 0 else CannotWin
            with consulted(board, None, None) as engine:
                adviser = _Adviser(tree, board.rules, engine, self._nodes)
                graph = kind(board.rules, side, adviser, None, MOST_BYTES)
                with suppress(Unproven):
                    plies = graph.build(board.cells, board.turn or "", None)
                    return claim(
                        "cannot-win" if plies is None else "wins", side, plies, graph.nodes
                    )
            if not adviser.missing:
                raise Spent("was not finished")
            # The graphs of leaves share positions, after which one may need what others left out.
            for cells in adviser.missing:
                tree.require(cells)

    def _search(self, tree: Tree, cluster: Cluster, progress: Callable[[Progress], None]) -> None:
        def leaves() -> Iterator[Leaf | None]:
            while not tree.is_decided:
                cells = tree.take()
                if cells is None:
                    yield None
                else:
                    yield Leaf(board.rules, board.first, cells, tree.side, self._nodes)

        board = self._board
        for _, record in cluster.results(examined, leaves()):
            self._journal.add(record)
            self._records.append(record)
            tree.add(record)
            root = tree.nodes[tree.root]
            progress(
                Progress(tree.side, root.proof, root.disproof, len(self._records), tree.line())
            )
            if tree.is_decided:
                return


class _Adviser:
    """Knows the moves of a tree that is decided, and asks the engine for others.

    Attributes:
        missing: positions of the game for which it had no move.
    """

    keeps_plies = False

    def __init__(self, tree: Tree, rules: Rules, engine: Adviser, nodes: int) -> None:
        self.missing: list[str] = []
        self._tree, self._engine, self._nodes = tree, engine, nodes
        self._shape = shape_of(rules)
        self._moves: dict[tuple[str, str], int | None] = {}
        for cells, mover, move in tree.advice():
            least, symmetry = self._shape.least(cells)
            if symmetry is not None and move is not None:
                move = symmetry.back.index(move)
            self._moves.setdefault((least, mover), move)

    def consult(self, task: Task) -> None:
        """Nothing: each question to the engine has so many nodes."""

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """A move that wins."""
        return self._asked(self._engine.winning_move, cells, to_move, plies)

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        """A move after which the other side does not win."""
        return self._asked(self._engine.holding_move, cells, to_move, plies)

    def _asked(
        self,
        ask: Callable[[bytes, int, int | None], int | None],
        cells: bytes,
        to_move: int,
        plies: int | None,
    ) -> int | None:
        text, mover = cells.decode("ascii").translate(_MARKS), (X, O)[to_move - 1]
        least, symmetry = self._shape.least(text)
        if (least, mover) in self._moves:
            move = self._moves[least, mover]
            return move if symmetry is None or move is None else symmetry.back[move]
        self._engine.consult(Task(cells, to_move, nodes=self._nodes))
        move = ask(cells, to_move, plies)
        if move is None and self._tree.mover(text) == mover:
            self.missing.append(text)
        return move
