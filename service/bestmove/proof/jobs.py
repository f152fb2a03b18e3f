"""Makes certificates on a cluster, by a job-level proof-number search: see `tree`.

1. This process keeps the tree. Each worker searches a leaf for a few seconds.
2. The worker returns a graph that decides the leaf. If the leaf is undecided, the worker returns
   the leaf's moves with estimates, and the moves lead to new leaves.
3. When the root is decided, the certificate is built from the moves in the tree and in the graphs.
   The engine adds missing moves.
"""

from __future__ import annotations

import fcntl
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
from bestmove.proof.builder import TOO_LARGE, CannotWin, Spent, Unproven, Wins
from bestmove.proof.certificate import MOST_BYTES, Proof, claim, compressed
from bestmove.proof.tree import NodeRecord, Tree, checked, packed
from bestmove.search.analysis import analyze, best_move
from bestmove.search.dispatch import Adviser, consulted
from bestmove.search.engine import Task
from bestmove.search.limits import Limits
from bestmove.search.windows import shape_of

DEFAULT_NODES: Final = 500_000
"""The default node limit for the search of a leaf, which takes a few seconds."""

_GRAPH_BYTES: Final = 256 << 10
"""The most bytes of a leaf's graph as text. A leaf with a larger graph counts as undecided."""

_GRAPH_NODES: Final = 4
"""To build a leaf's graph, the engine may visit `_GRAPH_NODES` × `LeafTask.nodes` nodes."""

_MARKS: Final = str.maketrans({"\0": EMPTY, "\1": X, "\2": O})


@dataclass(frozen=True)
class LeafTask:
    """A task for a worker: decide whether a side wins.

    Attributes:
        first: the side that moved first.
        cells: the position.
        side: the side whose win is in question.
        nodes: the most nodes that the search may visit.
    """

    rules: Rules
    first: str
    cells: str
    side: str
    nodes: int


def examined(leaf: LeafTask) -> NodeRecord:
    """Search a leaf and return the result."""
    board = Board(leaf.cells, leaf.rules, leaf.first)
    limits = Limits(time_ms=None, nodes=leaf.nodes)
    record: NodeRecord = {"side": leaf.side, "cells": leaf.cells, "wins": None}
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
    """Keeps the results of leaves in the folder `OUTPUT.parts`, so that a job can continue.

    Args:
        output: the file for the certificate.
    """

    def __init__(self, output: Path) -> None:
        self._output = output
        self._folder = output.with_name(output.name + ".parts")
        self._file = self._folder / "journal.jsonl"

    def begin(self, manifest: dict[str, Any]) -> list[NodeRecord]:
        """Start or continue the job of a manifest. Return the results so far.

        Raises:
            InvalidInput: the folder belongs to another job, or the output exists.
        """
        kept = self._folder / "manifest.json"
        if not kept.exists():
            if self._output.exists():
                raise InvalidInput(
                    f"{self._output} already exists: remove it, or choose another output", "output"
                )
            self._folder.mkdir(parents=True, exist_ok=True)
            # If a job was stopped while it removed the folder, this file may remain.
            self._file.unlink(missing_ok=True)
            self._write(kept, json.dumps(manifest, indent=1).encode())
        self._lock()
        try:
            before = json.loads(kept.read_bytes())
        except ValueError:
            raise InvalidInput(
                f"{kept} is damaged: remove the folder to begin again", "output"
            ) from None
        require_same_job(str(self._folder), before, manifest)
        lines = self._file.read_bytes().splitlines(keepends=True) if self._file.exists() else []
        if lines and not lines[-1].endswith(b"\n"):
            # The job was stopped while it wrote the last line.
            os.truncate(self._file, sum(map(len, lines[:-1])))
            lines.pop()
        size = len(manifest["board"])
        return [self._record(number, line, size) for number, line in enumerate(lines, 1)]

    def _record(self, number: int, line: bytes, size: int) -> NodeRecord:
        try:
            return checked(json.loads(line), size)
        except (ValueError, RecursionError) as error:
            why = "it is not JSON" if isinstance(error, json.JSONDecodeError) else error
            raise InvalidInput(
                f"{self._file}, line {number}: {why}; remove the line to repeat its search, or "
                "remove the folder to begin again",
                "output",
            ) from None

    def _lock(self) -> None:
        """Lock the folder against other processes until the job or this process ends."""
        self._held = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.lockf(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, PermissionError):
            os.close(self._held)
            raise InvalidInput(
                f"another command works in {self._folder}: wait for its end", "output"
            ) from None
        except OSError:  # the file system cannot lock files
            pass

    def add(self, record: NodeRecord) -> None:
        with self._file.open("ab") as file:
            file.write(json.dumps(record, separators=(",", ":")).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())

    @property
    def contradiction(self) -> str:
        """The message to the user if the results make no certificate."""
        return (
            f"{self._file}: a result is wrong, because the results together make no certificate; "
            "remove the folder to begin again."
        )

    def finish(self, proof: Proof) -> None:
        """Write the certificate, and remove the folder."""
        self._write(self._output, compressed(proof.text))
        shutil.rmtree(self._folder)
        os.close(self._held)

    def _write(self, path: Path, data: bytes) -> None:
        """Write a file so that a power failure leaves a complete file or none."""
        unfinished = self._folder / f"{path.name}.{os.getpid()}.tmp"
        with unfinished.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        unfinished.replace(path)


class ProofProgress(NamedTuple):
    """The progress of a job.

    Attributes:
        side: the side whose win is in question.
        proof: the proof number of the root.
        disproof: the disproof number of the root.
        leaves: how many leaves have been searched.
        line: the moves to the most proving leaf.
    """

    side: str
    proof: int
    disproof: int
    leaves: int
    line: list[int]


class ProofJob:
    """Proves the result of a position, and writes its certificate.

    Args:
        board: a position of a game in progress.
        output: the file for the certificate.
        nodes: the most nodes that the search of one leaf may visit.
    """

    def __init__(self, board: Board, output: Path, nodes: int = DEFAULT_NODES) -> None:
        self._board, self._nodes = board, nodes
        self._journal = Journal(output)
        self._records: list[NodeRecord] = []

    def begin(self) -> int:
        """Start or continue the job, and return how many leaves are done.

        Raises:
            InvalidInput: the game is over, the folder belongs to another job, or the output exists.
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

    def run(self, cluster: Cluster, progress: Callable[[ProofProgress], None]) -> str:
        """Finish the job. Return "", or the reason why there is no certificate.

        Args:
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
            except Unproven:
                return self._journal.contradiction
            if claims[-1]["kind"] == "wins":
                claims = claims[-1:]
                break
        proof = Proof(board, tuple(sorted(claims, key=lambda it: it["side"] != X)))
        if not proof.fits(MOST_BYTES):
            return f"The result is proven, but its certificate {TOO_LARGE}."
        self._journal.finish(proof)
        return ""

    def _claim(
        self, tree: Tree, cluster: Cluster, progress: Callable[[ProofProgress], None]
    ) -> dict[str, Any]:
        board, side = self._board, tree.side
        while True:
            self._search(tree, cluster, progress)
            kind = Wins if tree.nodes[tree.root].proof == 0 else CannotWin
            with consulted(board, None, None) as engine:
                adviser = _TreeAdviser(tree, board.rules, engine, self._nodes)
                graph = kind(board.rules, side, adviser, None, MOST_BYTES)
                with suppress(Unproven):
                    plies = graph.build(board.cells, board.turn or "", None)
                    return claim(
                        "cannot-win" if plies is None else "wins", side, plies, graph.nodes
                    )
            # The joined graphs may need a move that no graph has. The next search must also decide
            # the positions for which no move is known.
            added = [tree.require(cells) for cells in adviser.missing]
            if not any(added):
                raise Unproven

    def _search(
        self, tree: Tree, cluster: Cluster, progress: Callable[[ProofProgress], None]
    ) -> None:
        def leaves() -> Iterator[LeafTask | None]:
            while not tree.is_decided:
                cells = tree.take()
                if cells is None:
                    yield None
                else:
                    yield LeafTask(board.rules, board.first, cells, tree.side, self._nodes)

        board = self._board
        for _, record in cluster.results(examined, leaves()):
            self._journal.add(record)
            self._records.append(record)
            tree.add(record)
            root = tree.nodes[tree.root]
            progress(
                ProofProgress(tree.side, root.proof, root.disproof, len(self._records), tree.line())
            )
            if tree.is_decided:
                return


class _TreeAdviser:
    """Takes moves from a decided tree, and asks the engine for the moves missing from the tree.

    Attributes:
        missing: the positions for which neither the tree nor the engine has a move.
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
        """Do nothing, because each question to the engine has its own node limit."""

    def winning_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
        return self._asked(self._engine.winning_move, cells, to_move, plies)

    def holding_move(self, cells: bytes, to_move: int, plies: int | None) -> int | None:
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
