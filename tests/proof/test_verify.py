"""Tests of the verifier, written from docs/proofs.md alone. The certificates are made by hand or by
brute force; some are then damaged."""

import copy
import gzip
import inspect
import json
import random
import subprocess
import sys
from collections.abc import Callable
from itertools import starmap
from pathlib import Path
from typing import Any

import pytest

from bestmove.proof.verify import LIMIT, verify
from tests.support.needs import THIRDS
from tests.support.oracle import Game

Doc = dict[str, Any]
Spec = tuple[int, int, int, bool, bool, bool]
PLAIN: Spec = (3, 3, 3, False, True, False)
GAMES: list[Spec] = [
    PLAIN,
    (3, 3, 3, False, True, True),
    (3, 3, 3, True, True, False),
    (3, 3, 2, False, False, False),
    (3, 3, 1, False, False, True),
    (3, 4, 3, False, True, False),
    (3, 4, 3, True, False, True),
    (3, 4, 3, False, False, False),
    (4, 3, 3, True, True, False),
    (2, 5, 3, False, False, False),
    (2, 6, 4, False, True, False),
    (1, 8, 3, False, False, False),
    (1, 9, 4, False, True, False),
    (1, 7, 2, False, False, True),
]
FAR = 10**6


def document(spec: Spec, board: str, turn: str | None, *claims: Doc) -> Doc:
    names = ("rows", "columns", "k", "gravity", "overline", "misere")
    rules = dict(zip(names, spec, strict=True))
    head = {"format": "bestmove-proof", "version": 1, "rules": rules}
    return {**head, "board": board, "turn": turn, "claims": list(claims)}


def claim(kind: str, side: str, plies: int | None, nodes: list[Doc]) -> Doc:
    return {"kind": kind, "side": side, "plies": plies, "nodes": nodes}


SYMMETRIES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "left-right": lambda row, column: (row, ~column),
    "top-bottom": lambda row, column: (~row, column),
    "half-turn": lambda row, column: (~row, ~column),
    "quarter-turn": lambda row, column: (column, ~row),
    "three-quarter-turn": lambda row, column: (~column, row),
    "diagonal": lambda row, column: (column, row),
    "antidiagonal": lambda row, column: (~column, ~row),
}
"""Where each symmetry moves a cell. ~0 is the last row or column, ~1 the last but one. With
gravity, only left-right applies. The last four need a square board."""


def cells_of(board: str, mark: str) -> int:
    return sum(1 << cell for cell, held in enumerate(board) if held == mark)


class Truth:
    def __init__(self, spec: Spec) -> None:
        self.rows, self.columns, self.k, self.gravity, self.overline, self.misere = spec
        switches = {"gravity": self.gravity, "overline": self.overline, "misere": self.misere}
        self.game = Game(self.rows, self.columns, self.k, **switches)
        cells = range(self.game.size)
        self.windows = [[cell for cell in cells if line >> cell & 1] for line in self.game.lines]

    def winner(self, board: str) -> str | None:
        """Return X, O or "tie"; None if the game is not over."""
        for side in "XO":
            if self.game.has_line(cells_of(board, side)):
                return swap(side) if self.misere else side
        return None if "." in board else "tie"

    def moves(self, board: str) -> list[int]:
        return self.game.moves(cells_of(board, "X") | cells_of(board, "O"))

    def wins_in(self, board: str, turn: str, side: str) -> int:
        """Return the number of plies until `side` wins, or FAR if `side` cannot win."""
        if winner := self.winner(board):
            return 0 if winner == side else FAR
        value = self.game.value(cells_of(board, turn), cells_of(board, swap(turn)))
        wins = value > 0 if turn == side else value < 0
        return 30_000 - abs(value) if wins else FAR

    def symmetries(self) -> dict[str, list[int]]:
        """Return each symmetry's name, with the cells to which it moves cells 0, 1, 2 and so on."""
        count = 1 if self.gravity else 3 if self.rows != self.columns else len(SYMMETRIES)
        places = [divmod(cell, self.columns) for cell in range(self.game.size)]
        return {
            name: [
                row % self.rows * self.columns + column % self.columns
                for row, column in starmap(SYMMETRIES[name], places)
            ]
            for name in [*SYMMETRIES][:count]
        }

    def says(self, doc: Doc) -> bool:
        board, turn = doc["board"], doc["turn"] or "X"
        for one in doc["claims"]:
            plies = self.wins_in(board, turn, one["side"])
            if one["kind"] == "wins" and plies > one["plies"]:
                return False
            if one["kind"] != "wins" and plies <= (
                FAR - 1 if one["plies"] is None else one["plies"]
            ):
                return False
        return True


def put(board: str, cell: int, mark: str) -> str:
    return board[:cell] + mark + board[cell + 1 :]


def swap(side: str) -> str:
    return "O" if side == "X" else "X"


class Builder:
    """Builds the graph of a claim. Minimax chooses the moves. If `zones`, passes are tried."""

    def __init__(self, truth: Truth, one: Doc, root: str, rng: random.Random, zones: bool) -> None:
        self.truth, self.claim, self.rng = truth, one, rng
        self.wins, self.side, self.plies = one["kind"] == "wins", one["side"], one["plies"]
        self.images = truth.symmetries()
        self.start, self.zones = root.count("."), zones
        self.nodes: list[Doc] = one["nodes"]
        self.known: dict[tuple[str, str], int] = {}
        self.facts: list[tuple[set[int], set[int], int, int]] = []

    def settled(self, board: str) -> bool | None:
        """Return True if the claim is fulfilled, False if it has failed, None if play goes on."""
        winner = self.truth.winner(board)
        far = not self.wins and self.plies is not None
        if winner or (far and self.start - board.count(".") >= self.plies):
            return bool((winner == self.side) == self.wins)
        return None

    def good(self, board: str, turn: str) -> bool:
        plies = self.truth.wins_in(board, turn, self.side)
        if self.wins:
            return plies < FAR
        gone = self.start - board.count(".")
        return plies > (FAR - 1 if self.plies is None else self.plies - gone)

    def link(self, board: str, turn: str) -> tuple[int, list[str]]:
        names = list(self.images)
        self.rng.shuffle(names)
        for name in names[: self.rng.choice((0, 2, 8))]:
            moved = image_of(board, self.images[name])
            if (moved, turn) in self.known:
                return self.known[moved, turn], [name]
        if (board, turn) not in self.known:
            self.build(board, turn)
        return self.known[board, turn], []

    def back(self, link: tuple[int, list[str]]) -> tuple[set[int], set[int], int, int]:
        own, replies, t, c = self.facts[link[0]]
        if link[1]:
            image = self.images[link[1][0]]
            own, replies = ({image.index(i) for i in cells} for cells in (own, replies))
        return own, replies, t, c

    def leaf(self, board: str) -> Doc:
        kind = self.rng.choice(("lines", "sum", "pairs"))
        if kind != "pairs":
            return {"leaf": kind}
        empty = [i for i, mark in enumerate(board) if mark == "."]
        self.rng.shuffle(empty)
        pairs = [list(x) for x in zip(empty[::2], empty[1::2], strict=False)]
        return {"leaf": "pairs", "pairs": pairs}

    def build(self, board: str, turn: str) -> None:
        chooser = (turn == self.side) == self.wins
        after = {m: put(board, m, turn) for m in self.truth.moves(board)}
        fact: tuple[set[int], set[int], int, int]
        if not self.wins and self.rng.random() < 0.3:
            node = self.leaf(board)
            spec = (self.truth.rows, self.truth.columns, self.truth.k, self.truth.gravity)
            full = (*spec, self.truth.overline, self.truth.misere)
            plies = None if self.plies is None else self.plies - self.start + board.count(".")
            if verify(small_leaf(full, board, turn, self.side, plies, node)):
                self.add(board, turn, node, (set(), set(), 0, 0))
                return
        if chooser:
            good = [m for m, b in after.items() if self.good(b, swap(turn))]
            fast = min(good, key=lambda m: self.truth.wins_in(after[m], swap(turn), self.side))
            move = fast if self.wins or self.rng.random() < 0.5 else self.rng.choice(good)
            node = {"move": move}
            fact = ({move}, set(), 0, 0)
            if self.settled(after[move]) is None:
                link = self.link(after[move], swap(turn))
                node["node"] = link[0]
                if link[1]:
                    node["symmetry"] = link[1][0]
                own, replies, t, c = self.back(link)
                fact = (own | {move}, replies, t, c)
            self.add(board, turn, node, fact)
            return
        passed, zone = None, set(after)
        if self.zones and self.good(board, swap(turn)) and self.rng.random() < 0.9:
            if (board, swap(turn)) not in self.known:
                self.build(board, swap(turn))
            passed = self.known[board, swap(turn)]
            zone = self.zone(board, passed)
        entries, own, replies, t, c = [], set(), set(), 0, 0
        for m in [m for m in after if m in zone and self.settled(after[m]) is None]:
            link = self.link(after[m], swap(turn))
            entries.append([m, *link[:1], *link[1]])
            below = self.back(link)
            own, replies = own | below[0], replies | below[1] | {m}
            t, c = max(t, below[2]), max(c, below[3])
        node = {"replies": entries}
        if passed is not None:
            node["pass"] = passed
            below = self.facts[passed]
            own, replies = own | below[0], replies | below[1]
            t, c = max(t, below[2]), max(c, 1 + below[3])
        self.add(board, turn, node, (own, replies, t + 1, c))

    def zone(self, board: str, passed: int) -> set[int]:
        own, replies, t, c = self.facts[passed]
        zone = {i for i in own if board[i] == "."}
        for cells in self.truth.windows:
            gap = {i for i in cells if board[i] == "."}
            clear = all(board[i] != self.side for i in cells)
            if clear and 1 <= len(gap) <= 1 + min(t, c + len(replies & gap)):
                zone |= gap
        return zone

    def add(self, board: str, turn: str, node: Doc, fact: Any) -> None:
        self.known[board, turn] = len(self.nodes)
        self.nodes.append(node)
        self.facts.append(fact)


def small_leaf(spec: Spec, board: str, turn: str, side: str, plies: int | None, node: Doc) -> Doc:
    return document(spec, board, turn, claim("cannot-win", side, plies, [node]))


def image_of(board: str, image: list[int]) -> str:
    return "".join(board[image.index(i)] for i in range(len(board)))


def start(truth: Truth, rng: random.Random, most: int) -> tuple[str, str]:
    while True:
        board, turn = "." * (truth.rows * truth.columns), rng.choice("XO")
        while board.count(".") > most or rng.random() < 0.3:
            if truth.winner(board):
                break
            board, turn = put(board, rng.choice(truth.moves(board)), turn), swap(turn)
        if board.count(".") <= most or truth.winner(board):
            return board, turn


def certificates(spec: Spec, truth: Truth, rng: random.Random, most: int = 9) -> list[Doc]:
    """Return certificates with true claims. All are about the same random position."""
    board, turn = start(truth, rng, most)
    over = truth.winner(board) is not None
    claims: dict[str, list[Doc]] = {"X": [], "O": []}
    for side in "XO":
        plies = truth.wins_in(board, turn, side)
        if plies < FAR:
            claims[side].append(claim("wins", side, plies, []))
            if plies:
                claims[side].append(claim("cannot-win", side, plies - 1, []))
        else:
            claims[side].append(claim("cannot-win", side, None, []))
            claims[side].append(claim("cannot-win", side, rng.randrange(6), []))
    zones = not (spec[3] or spec[5]) and spec[4]
    for one in claims["X"] + claims["O"]:
        builder = Builder(truth, one, board, rng, zones and one["kind"] == "wins")
        if builder.settled(board) is None:
            builder.build(board, turn)
            prune(one)
    docs = [document(spec, board, None if over else turn, one) for one in claims["X"] + claims["O"]]
    for pair in (claims["X"][:2], claims["O"][:2], [claims["X"][0], claims["O"][0]]):
        kinds = [(one["kind"], one["plies"] is None) for one in pair]
        if kinds in ([("wins", False), ("cannot-win", False)], [("cannot-win", True)] * 2):
            docs.append(document(spec, board, None if over else turn, *pair))
    return docs


def prune(one: Doc) -> None:
    nodes, used = one["nodes"], {len(one["nodes"]) - 1}
    for n in range(len(nodes) - 1, -1, -1):
        if n in used:
            node = nodes[n]
            used |= {e[1] for e in node.get("replies", [])}
            used |= {node[key] for key in ("node", "pass") if key in node}
    new = {n: i for i, n in enumerate(sorted(used))}
    for n in used:
        for entry in nodes[n].get("replies", []):
            entry[1] = new[entry[1]]
        for key in {"node", "pass"} & set(nodes[n]):
            nodes[n][key] = new[nodes[n][key]]
    one["nodes"] = [nodes[n] for n in sorted(used)]


@THIRDS
@pytest.mark.parametrize("spec", GAMES)
def test_every_true_claim_has_a_valid_proof_and_no_damage_proves_a_false_claim(
    spec: Spec, third: int
) -> None:
    rng, truth = random.Random(f"{spec} {third}"), Truth(spec)
    accepted = refused = 0
    for _ in range(3):
        for doc in certificates(spec, truth, rng):
            assert truth.says(doc)
            verdict = verify(doc)
            assert verdict, (verdict, doc)
            assert verify(gzip.compress(json.dumps(doc).encode())) == verdict
            for _ in range(15):
                bad = damage(doc, rng)
                if verify(bad):
                    assert truth.says(bad), bad
                    accepted += 1
                else:
                    refused += 1
    assert accepted + refused > 70


def damage(doc: Doc, rng: random.Random) -> Doc:
    """Return a copy with one to three random changes, most of them in the nodes."""
    doc = copy.deepcopy(doc)
    size = len(doc["board"])
    for _ in range(rng.choice((1, 1, 2, 3))):
        one = rng.choice(doc["claims"])
        what = rng.randrange(16)
        node = rng.choice(one["nodes"]) if one["nodes"] else {}
        entries = node.get("replies", [])
        if what == 0:
            one["side"] = swap(one["side"])
        elif what == 1 and one["plies"] is not None:
            one["plies"] = max(0, one["plies"] - 1)
        elif what == 2:
            one["kind"] = "wins" if one["kind"] == "cannot-win" else "cannot-win"
            one["plies"] = one["plies"] or 9
        elif what == 3 and doc["turn"]:
            doc["turn"] = swap(doc["turn"])
        elif what == 4:
            doc["board"] = put(doc["board"], rng.randrange(size), rng.choice("XO."))
        elif what in (5, 6) and entries:
            entries.pop(rng.randrange(len(entries)))
        elif what == 7 and entries:
            rng.choice(entries)[0] = rng.randrange(size)
        elif what == 8 and entries:
            rng.choice(entries)[1] = rng.randrange(len(one["nodes"]))
        elif what == 9 and entries:
            rng.choice(entries)[2:] = rng.choice([[], [rng.choice([*SYMMETRIES])]])
        elif what == 10 and "move" in node:
            node["move"] = rng.randrange(size)
        elif what == 11:
            for key in {"node", "pass"} & set(node):
                node[key] = rng.randrange(len(one["nodes"]))
        elif what == 12 and len(node) > 1:
            node.pop(rng.choice(list(node)))
        elif what == 13 and node:
            kind = rng.choice(("lines", "sum"))
            node.clear()
            node["leaf"] = kind
        elif what == 14 and "node" in node:
            node["symmetry"] = rng.choice([*SYMMETRIES])
        elif what == 15 and node.get("pairs"):
            rng.choice(node["pairs"])[rng.randrange(2)] = rng.randrange(size)
        if one["nodes"] and rng.random() < 0.9:
            prune_safely(one)
    return doc


def prune_safely(one: Doc) -> None:
    saved = copy.deepcopy(one["nodes"])
    try:
        prune(one)
    except (KeyError, IndexError):
        one["nodes"] = saved


# Certificates made by hand.

WIN = document(PLAIN, "XX..O.O..", "X", claim("wins", "X", 1, [{"move": 2}]))
# X threatens to win on cells 2 and 6, and O is to move. If O passes, X wins on 2, so the zone of
# the pass is cell 2 alone.
FORK_NODES: list[Doc] = [
    {"move": 6},
    {"move": 2},
    {"replies": [[2, 0]], "pass": 1},
]
FORK = document(PLAIN, "XX.X.O.O.", "O", claim("wins", "X", 2, FORK_NODES))


def changed(doc: Doc, *path: Any, to: Any) -> Doc:
    doc = copy.deepcopy(doc)
    place: Any = doc
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return doc


def test_the_examples_of_the_document_are_valid() -> None:
    verdict = verify(WIN)
    assert (verdict.statement, verdict.winner, verdict.plies) == ("X wins within 1 ply", "X", 1)
    other = document(PLAIN, "XX..O.O..", "O", claim("cannot-win", "X", None, [{"move": 2}]))
    assert verify(other).statement == "X cannot win"


def test_exact_wins_draws_and_settled_roots_are_named() -> None:
    exact = document(PLAIN, "XX..O.O..", "X", WIN["claims"][0], claim("cannot-win", "X", 0, []))
    assert verify(exact).statement == "X wins in exactly 1 ply"
    assert verify(exact).exactly
    tie = [claim("cannot-win", side, None, []) for side in "XO"]
    verdict = verify(document(PLAIN, "XOXXOOOXX", None, *tie))
    assert verdict.draw
    assert verdict.winner is None
    assert verify(document(PLAIN, "XXXOO....", None, claim("wins", "X", 0, [])))
    assert not verify(document(PLAIN, "XXXOO....", None, claim("cannot-win", "X", None, [])))
    loses = (3, 3, 3, False, True, True)
    assert verify(document(loses, "XXXOO....", None, claim("wins", "O", 0, [])))


def test_a_pass_covers_what_is_outside_its_zone_and_no_more() -> None:
    assert verify(FORK), verify(FORK)
    uncovered = [{"move": 2}, {"replies": [], "pass": 0}]
    verdict = verify(changed(FORK, "claims", 0, "nodes", to=uncovered))
    assert (verdict.claim, verdict.node) == (0, 1)
    assert "zone" in verdict.reason
    for rule in ("gravity", "misere", "overline"):
        assert not verify(changed(FORK, "rules", rule, to=rule != "overline"))
    assert not verify(changed(FORK, "claims", 0, "plies", to=1))


LEAVES = [
    ("XOXOXO...", "X", "O", {"leaf": "lines"}, True),
    (".........", "X", "X", {"leaf": "lines"}, False),
    ("XOXXOOOX.", "X", "O", {"leaf": "lines"}, True),
    (".........", "O", "X", {"leaf": "sum"}, False),
    ("X...O....", "X", "X", {"leaf": "sum"}, False),
]


@pytest.mark.parametrize(("board", "turn", "side", "leaf", "stands"), LEAVES)
def test_leaves_by_hand(board: str, turn: str, side: str, leaf: Doc, stands: bool) -> None:
    assert bool(verify(small_leaf(PLAIN, board, turn, side, None, leaf))) is stands


def test_the_bounds_of_the_sum_are_strict() -> None:
    line = (1, 2, 2, False, True, False)
    half = (1, 1, 1, False, True, False)
    # The sum over the windows is 1/4 for `line`, 1/2 for `half`. The bounds are 1/2 and 1.
    assert verify(small_leaf(line, "..", "X", "X", None, {"leaf": "sum"}))
    assert not verify(small_leaf(half, ".", "X", "X", None, {"leaf": "sum"}))
    assert verify(small_leaf(half, ".", "X", "O", None, {"leaf": "sum"}))
    square = (2, 2, 2, False, True, False)
    assert not verify(small_leaf(square, "....", "X", "O", None, {"leaf": "sum"}))  # the sum is 6/4


def test_pairs_are_two_empty_cells_each_used_once_in_each_window() -> None:
    def leaf(*pairs: list[Any]) -> Doc:
        spec = (1, 4, 3, False, True, False)
        return small_leaf(spec, "....", "X", "X", None, {"leaf": "pairs", "pairs": list(pairs)})

    assert verify(leaf([1, 2]))
    faults: list[Any] = [
        [[0, 1]],
        [[1, 1]],
        [[1, 2], [2, 3]],
        [[1]],
        [[1, 2, 3]],
        [[1, True]],
        [[1, 9]],
        [],
    ]
    for bad in faults:
        assert not verify(leaf(*bad))


FAULTS: list[tuple[tuple[Any, ...], Any]] = [
    (("format",), "x"),
    (("format",), ["bestmove-proof"]),
    (("version",), True),
    (("version",), 2),
    (("version",), 10**4000),
    (("extra",), 1),
    ((1,), 1),
    (("rules", "rows"), 0),
    (("rules", "rows"), 21),
    (("rules", "k"), 4),
    (("rules", "k"), "3"),
    (("rules", "misere"), 0),
    (("rules",), []),
    (("board",), "XX..O.O."),
    (("board",), "xx..O.O.."),
    (("board",), "XX..O...."[:8] + "\ud800"),
    (("board",), None),
    (("turn",), None),
    (("turn",), "x"),
    (("turn",), {}),
    (("claims",), []),
    (("claims",), [{}, {}, {}]),
    (("claims",), {}),
    (("claims", 0), None),
    (("claims", 0, "kind"), []),
    (("claims", 0, "side"), "."),
    (("claims", 0, "side"), ""),
    (("claims", 0, "plies"), None),
    (("claims", 0, "plies"), 801),
    (("claims", 0, "plies"), 1.0),
    (("claims", 0, "plies"), 0),
    (("claims", 0, "nodes"), []),
    (("claims", 0, "nodes"), [[]]),
    (("claims", 0, "nodes"), [None]),
    (("claims", 0, "nodes"), [{}] * 1_000_001),
    (("claims", 0, "nodes", 0), {"leaf": "lines"}),
    (("claims", 0, "nodes", 0), {"move": 2, "node": 0}),
    (("claims", 0, "nodes", 0), {"move": 2, "symmetry": "left-right"}),
    (("claims", 0, "nodes", 0), {"replies": []}),
    (("claims", 0, "nodes", 0, "move"), 0),
    (("claims", 0, "nodes", 0, "move"), -1),
    (("claims", 0, "nodes", 0, "move"), 9),
    (("claims", 0, "nodes", 0, "move"), 10**4000),
    (("claims", 0, "nodes", 0, "move"), {}),
    (("claims", 0, "nodes"), [{"move": 2}, {"move": 2}]),
]


@pytest.mark.parametrize(("path", "value"), FAULTS, ids=range(len(FAULTS)))
def test_each_single_fault_is_refused(path: tuple[Any, ...], value: Any) -> None:
    verdict = verify(changed(WIN, *path, to=value))
    assert not verdict
    assert verdict.reason


FORK_FAULTS: list[Any] = [
    [[2, 0], [6, 1], [6, 1]],
    [[2, 0], [6, 1], [0, 1]],
    [[2, 0], [6, 2]],
    [[2, 0], [6, -1]],
    [[2, 0], [6, True]],
    [[2, 0], [6]],
    [[2, 0], [6, 1, None]],
    [[2, 0], [6, 1, "turn"]],
    [[2, 0], [6, 1, "left-right"]],
    [[2, 0], {"cell": 6}],
    None,
    {},
]


@pytest.mark.parametrize("replies", FORK_FAULTS, ids=range(len(FORK_FAULTS)))
def test_each_fault_in_the_replies_is_refused(replies: Any) -> None:
    assert not verify(changed(FORK, "claims", 0, "nodes", 2, "replies", to=replies))


TEXTS = [
    b"",
    b"{}",
    b"null",
    b"nonsense",
    b"[" * 100_000,
    b"[" * 100_000 + b"]" * 100_000,
    b'{"a":' * 100_000,
    b"9" * 1_000_000,
    b"1e999999999",
    b"NaN",
    b"[-Infinity]",
    b'{"format": 1, "format": 1}',
    b'"' + b'\\"' * 1_000_000,
    b'"\\',
    b"\xff\xfe{}",
    b"\xef\xbb\xbf{}",
    b"\x1f\x8b",
    b"\x1f\x8bnonsense",
    gzip.compress(b"{}")[:-3],
    gzip.compress(json.dumps(WIN).encode()) + b"\0",
    gzip.compress(json.dumps(WIN).encode()) * 2,
    gzip.compress(gzip.compress(json.dumps(WIN).encode())),
    json.dumps(WIN).encode("utf-16"),
    json.dumps(WIN).encode() + b"{}",
    b" " * (LIMIT + 1),
    gzip.compress(b" " * (LIMIT + 1), 1),
]


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_hostile_bytes_are_refused_without_a_crash(text: bytes) -> None:
    verdict = verify(text)
    assert not verdict
    assert verdict.statement == ""
    assert verdict.nodes == 0


def test_the_command_answers_with_its_exit_code(tmp_path: Path) -> None:
    def run(*arguments: str, text: bytes = b"") -> tuple[int, bytes, bytes]:
        command = [sys.executable, inspect.getfile(verify), *arguments]
        done = subprocess.run(command, input=text, capture_output=True, check=False)
        return done.returncode, done.stdout, done.stderr

    path = tmp_path / "proof.json.gz"
    path.write_bytes(gzip.compress(json.dumps(WIN).encode()))
    assert run(str(path)) == (
        0,
        b"X wins within 1 ply\nXX./.O./O.. (3 rows of 3, k = 3), X to move\n",
        b"",
    )
    code, out, err = run("-", text=json.dumps(changed(WIN, "turn", to="O")).encode())
    assert (code, out) == (1, b"")
    assert err.startswith(b"Not proven: ")
    assert b"(claim 0) (node 0)" in err
    for wrong in ((str(tmp_path / "none"),), (), ("a", "b"), (str(tmp_path),)):
        assert run(*wrong)[0] == 2


def test_an_argument_that_is_not_a_document_raises() -> None:
    with pytest.raises(TypeError):
        verify(3)
    with pytest.raises(OSError, match="No such file"):
        verify("/no/such/file")
    with pytest.raises(OSError, match="no file"):
        verify("\0")


def test_a_chain_of_nodes_leads_down_to_a_full_board() -> None:
    nodes: list[Doc] = [{"move": 0}]  # O takes the top cell of the only column
    for cell in range(1, 20):
        below = len(nodes) - 1
        nodes.append(
            {"move": cell, "node": below} if cell % 2 == 0 else {"replies": [[cell, below]]}
        )
    tower: Spec = (20, 1, 2, True, True, False)
    assert verify(document(tower, "." * 20, "X", claim("cannot-win", "X", None, nodes)))
    assert not verify(document(tower, "." * 20, "O", claim("cannot-win", "X", None, nodes)))
