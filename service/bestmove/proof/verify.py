"""Check a proof of a game result with the rules of the game alone.

Run `python verify.py FILE`, or call `verify`. A document is trusted only for the question that it
asks: this file itself computes every legal move, line, zone, pair and sum.

Why a document that passes is true: edges lead to nodes of lower numbers, so there is no cycle. By
induction, from the position of each node the chooser reaches the end that the claim names.

1. The last node's position is the root; every other node has an edge to it. An edge gives the
   position after a move or a pass, perhaps mapped by a symmetry; edges to one node must agree.
2. The chooser plays one legal move; the replier's legal moves are all covered. Each is settled
   well, leads to a node where the claim holds, or is outside the zone of a pass. A symmetry maps
   lines to lines and legal moves to legal moves, so a position and its image have the same result.
3. A leaf shows that the side fills no window: too few turns are left, or the defender gets one
   cell of a pair in each window, or it keeps the weight of all windows below that of a full one.
4. A pass is allowed only where extra marks never hurt their side: without gravity and misère, and
   where more than k in a row win too. Suppose that the graph passes, but the loser L plays a cell
   z outside the zone, and the winner W continues as the graph says. W never needs z, so W's
   moves stay possible and complete its line; until then W's next cell is empty, so the board is
   not full. Could L fill a window w first? No position of the graph has a line, so w has cells
   that L played where the graph passes. Let z be the first of them, played at P. There w has the
   same marks on the board and in the graph, none of W's, and e empty cells. Below P, L fills the
   other e - 1 cells, each by an entry (so it is in R) or at another pass (at most c of them), in
   at most t turns. So e - 1 <= min(t, c + |R in w|), and z was in the zone: a contradiction.
5. In a win, the distance of a node is the longest way to the end in plies, passes included. A
   claim that a side cannot win has no pass, so the number of marks gives the plies from the root.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple, NoReturn, cast

LIMIT = 64 * 1024 * 1024  # the most bytes of a file, and of its text
MOST_NODES = 1_000_000  # the most nodes in one claim
PASS = -1  # stands for the cell in the edge of a pass
SIDES = "XO"  # side 0 and side 1
MOVES = ({"move"}, {"move", "node"}, {"move", "node", "symmetry"})  # the fields of a chooser's node

# The closing quote is optional, so that a string without one is scanned only once.
STRINGS = re.compile(rb'(?:"(?:[^"\\]++|\\.)*+"?+[\s,:]*+)++', re.DOTALL)
ONE_BRACKET = bytes.maketrans(b"{}", b"[]")
NO_BRACKETS = bytes(byte for byte in range(256) if byte not in b"[]{}")


@dataclass(frozen=True)
class Verdict:
    stands: bool
    statement: str
    reason: str
    claim: int | None
    node: int | None
    winner: str | None
    plies: int | None
    exactly: bool
    draw: bool
    nodes: int
    rules: Mapping[str, object] | None = None  # of the root, as are the next two
    board: str | None = None
    turn: str | None = None

    def __bool__(self) -> bool:
        return self.stands

    @property
    def position(self) -> str:
        """The root in words: what the statement is about."""
        if self.rules is None or self.board is None:
            return ""
        columns = cast(int, self.rules["columns"])
        rows = [self.board[i : i + columns] for i in range(0, len(self.board), columns)]
        size = f"{self.rules['rows']} rows of {columns}, k = {self.rules['k']}"
        usual = {"gravity": False, "overline": True, "misere": False}
        switches = {"gravity": "marks fall", "overline": "exactly k", "misere": "a line loses"}
        changed = "".join(f", {switches[s]}" for s in usual if self.rules[s] is not usual[s])
        turn = "the game is over" if self.turn is None else f"{self.turn} to move"
        return f"{'/'.join(rows)} ({size}{changed}), {turn}"


class Fault(Exception):
    node: int | None = None  # the number of the node that failed its check


def refuse(fault: object, reason: str) -> None:
    if fault:
        raise Fault(reason)


def fail(_: str) -> NoReturn:
    raise Fault("The document has a number that is not an integer.")


def unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    result = dict(pairs)
    refuse(len(result) < len(pairs), "A key occurs twice in one object.")
    return result


def parse(data: bytes) -> object:
    """Parse JSON, after a check that it is not nested deep and has no long numbers."""
    refuse(len(data) > LIMIT, "The file is longer than 64 MiB.")
    if data[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(wbits=31)
        try:
            data = stream.decompress(data, LIMIT + 1)  # stops one byte beyond the bound
        except zlib.error:
            raise Fault("The gzip data is damaged.") from None
        refuse(len(data) > LIMIT, "The text is longer than 64 MiB.")
        refuse(not stream.eof or stream.unused_data, "The file is not one whole gzip member.")
    bare = STRINGS.sub(b" ", data)
    refuse(re.search(rb"[0-9]{10}", bare), "The document has a number of more than 9 digits.")
    brackets = bare.translate(ONE_BRACKET, NO_BRACKETS)
    for _ in range(7):  # each round removes the innermost pairs: exactly one level
        brackets = brackets.replace(b"[]", b"")
    refuse(brackets, "The brackets do not match, or are nested more than 7 deep.")
    try:
        text = data.decode("utf-8")
        return json.loads(text, object_pairs_hook=unique, parse_float=fail, parse_constant=fail)
    except (ValueError, RecursionError):
        raise Fault("The text is not JSON in UTF-8.") from None


def fields(value: object, names: set[str], what: str) -> dict[str, object]:
    if type(value) is not dict or set(value) != names:
        raise Fault(f"{what} is not an object with exactly the fields {', '.join(sorted(names))}.")
    return value


def listed(value: object, what: str) -> list[object]:
    if type(value) is not list:
        raise Fault(f"{what} is not a list.")
    return value


def integer(value: object, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value <= high:  # true and false are not integers
        raise Fault(f"{what} is not an integer from {low} to {high}.")
    return value


# A set of cells is an integer: cell i is in it if bit i is 1.
# A window: its cells, and if only exactly k win, those beside it that must not have the same mark.
Window = tuple[int, int]
Marked = tuple[tuple[int, int], int]  # the marks of X, the marks of O; the side to move
Root = tuple[Mapping[str, object] | None, str | None, str | None]  # rules, cells, side to move
Edge = tuple[int, int, str | None]  # the cell of the move, or PASS; the target; the symmetry

# A symmetry may swap rows and columns, and then reverse the rows, the columns or both. With gravity
# only the first one is allowed; without gravity, the first three, or all seven on a square board.
ROWS, COLUMNS, SWAP = 1, 2, 4
SYMMETRIES = {"left-right": COLUMNS, "top-bottom": ROWS, "half-turn": ROWS | COLUMNS}
SYMMETRIES |= {"quarter-turn": SWAP | COLUMNS, "three-quarter-turn": SWAP | ROWS}
SYMMETRIES |= {"diagonal": SWAP, "antidiagonal": SWAP | ROWS | COLUMNS}


class Rulebook:
    def __init__(self, rules: object) -> None:
        switches = ("gravity", "overline", "misere")
        rule = fields(rules, {"rows", "columns", "k", *switches}, "`rules`")
        self.rows = integer(rule["rows"], 1, 20, "`rows`")
        self.columns = integer(rule["columns"], 1, 20, "`columns`")
        self.k = integer(rule["k"], 1, max(self.rows, self.columns), "`k`")
        values = [rule[name] for name in switches]
        refuse({*map(type, values)} != {bool}, "A switch is neither true nor false.")
        self.gravity, self.overline, self.misere = map(bool, values)
        self.size = self.rows * self.columns
        self.all = (1 << self.size) - 1
        self.windows = list(self._windows())
        self.through = [[w for w in self.windows if w[0] >> i & 1] for i in range(self.size)]
        allowed = 1 if self.gravity else 7 if self.rows == self.columns else 3
        self.symmetries: dict[str, list[int]] = {}  # for each, the images of all cells
        for name, parts in list(SYMMETRIES.items())[:allowed]:
            self.symmetries[name] = image = []
            for i in range(self.size):
                r, c = divmod(i, self.columns)[:: -1 if parts & SWAP else 1]
                r = self.rows - 1 - r if parts & ROWS else r
                c = self.columns - 1 - c if parts & COLUMNS else c
                image.append(r * self.columns + c)
        cells = range(self.size)
        self.inverses = {s: [i.index(j) for j in cells] for s, i in self.symmetries.items()}

    def _windows(self) -> Iterator[Window]:
        def cell(r: int, c: int) -> int:
            inside = 0 <= r < self.rows and 0 <= c < self.columns
            return 1 << r * self.columns + c if inside else 0  # the empty set outside the board

        steps = ((0, 1), (1, 0), (1, 1), (1, -1)) if self.k > 1 else ((0, 1),)
        for i in range(self.size):
            r, c = divmod(i, self.columns)
            for down, right in steps:
                row = [cell(r + j * down, c + j * right) for j in range(-1, self.k + 1)]
                ends = 0 if self.overline or self.k == 1 else row[0] | row[-1]
                if all(row[1:-1]):
                    yield sum(row[1:-1]), ends

    def legal(self, empty: int) -> int:
        # With gravity, an empty cell is a legal move only if the cell below it is not empty.
        return empty & ~(empty >> self.columns) if self.gravity else empty

    def completing(self, own: int, legal: int) -> int:
        """Return the moves that complete a line for the side with the marks `own`."""
        found = 0
        for cells, ends in self.windows:
            missing = cells & ~own
            if missing & legal and not missing & (missing - 1) and not ends & own:
                found |= missing
        return found


def has_line(own: int, windows: list[Window]) -> bool:
    return any(cells & own == cells and not ends & own for cells, ends in windows)


def first(cells: int) -> int:
    return (cells & -cells).bit_length() - 1


def mapped(cells: int, image: list[int]) -> int:
    result = 0
    while cells:
        result |= 1 << image[first(cells)]
        cells &= cells - 1
    return result


class Claim(NamedTuple):
    wins: bool  # whether the claim is that the side wins, not that it cannot win
    side: int
    plies: int | None
    nodes: list[object]


def read_claim(value: object) -> Claim:
    claim = fields(value, {"kind", "side", "plies", "nodes"}, "The claim")
    kind, side, plies, nodes = (claim[name] for name in ("kind", "side", "plies", "nodes"))
    good = kind in ("wins", "cannot-win") and side in ("X", "O")
    refuse(not good, "`kind` or `side` has a value that the format does not allow.")
    if plies is not None or kind == "wins":
        plies = integer(plies, 0, 800, "`plies`")
    nodes = listed(nodes, "`nodes`")
    refuse(len(nodes) > MOST_NODES, "The claim has more than 1,000,000 nodes.")
    return Claim(kind == "wins", "XO".index(str(side)), plies, nodes)


def state(claims: list[Claim]) -> str:
    head, name = claims[0], SIDES[claims[0].side]
    count = f"{head.plies} {'ply' if head.plies == 1 else 'plies'}"
    if len(claims) == 1:
        verb = "wins" if head.wins else "cannot win"
        return f"{name} {verb}" + ("" if head.plies is None else f" within {count}")
    before = (False, head.side, (head.plies or 0) - 1, claims[1].nodes)
    if head.wins and head.plies and claims[1] == before:
        return f"{name} wins in exactly {count}"
    if claims == [(False, side, None, claims[side].nodes) for side in (0, 1)]:
        return "The game is a draw"
    raise Fault("The format has no such pair of claims.")


def read_root(game: Rulebook, board: object, turn: object) -> tuple[Marked, bool, int | None]:
    """Return the root, whether the game is over there, and who has won."""
    if type(board) is not str or len(board) != game.size or set(board) - set("XO."):
        raise Fault("`board` does not have X, O or . for each cell.")
    x, o = (sum(1 << i for i, mark in enumerate(board) if mark == side) for side in SIDES)
    marks, empty = (x, o), game.all & ~(x | o)
    floating = game.gravity and (empty >> game.columns) & ~empty
    refuse(floating, "`board` has an empty cell below a mark.")
    lines = [side for side in (0, 1) if has_line(marks[side], game.windows)]
    refuse(len(lines) == 2, "Both sides have a line on `board`.")
    ahead = x.bit_count() - o.bit_count()
    if lines or not empty:
        refuse(turn is not None, "The game is over, but `turn` is not null.")
        refuse(abs(ahead) > 1, "The numbers of X and O on `board` differ by more than one.")
        return (marks, 0), True, lines[0] ^ game.misere if lines else None
    refuse(turn not in ("X", "O"), 'The game is not over, but `turn` is neither "X" nor "O".')
    side = 0 if turn == "X" else 1
    refuse(ahead not in (0, 2 * side - 1), "The numbers of X and O do not fit `turn`.")
    return (marks, side), False, None


class Checker:
    """Checks a claim whose root is not settled."""

    def __init__(self, game: Rulebook, claim: Claim, root: Marked) -> None:
        self.game, self.claim = game, claim
        self.chooser = claim.side if claim.wins else 1 - claim.side
        count = len(claim.nodes)
        self.positions: list[Marked | None] = [*[None] * (count - 1), root]
        empty = game.size - (root[0][0] | root[0][1]).bit_count()
        # For each node of a win: what the format calls D, R, t, c and d.
        self.own, self.replies = [0] * count, [0] * count  # cells of W; cells of L's entries
        self.turns, self.passes, self.distance = [0] * count, [0] * count, [0] * count
        # How many cells are still empty after the last ply of the claim.
        self.spare = 0 if claim.wins or claim.plies is None else max(0, empty - claim.plies)

    def edges(self, number: int, node: dict[str, object]) -> Iterator[Edge]:
        """Yield the edges of a node; check only their form."""
        if "replies" in node:
            entries = listed(node["replies"], "`replies`")
        else:
            move: list[object] = [
                node[name] for name in ("move", "node", "symmetry") if name in node
            ]
            entries = [move] if "node" in node else []
        for entry in entries:
            values = listed(entry, "An entry")
            refuse(len(values) not in (2, 3), "An entry does not have two or three values.")
            cell = integer(values[0], 0, self.game.size - 1, "The cell of a move")
            target = integer(values[1], 0, number - 1, "The node to which an edge leads")
            name = values[-1] if len(values) == 3 else None
            known = len(values) == 2 or (type(name) is str and name in self.game.symmetries)
            refuse(not known, "The game has no such symmetry.")
            yield cell, target, cast("str | None", name)
        if "pass" in node:
            yield PASS, integer(node["pass"], 0, number - 1, "The node after the pass"), None

    def follow(self, position: Marked, edge: Edge) -> None:
        """Give the target of an edge its position, or check that it is the same as before."""
        (marks, turn), (cell, target, symmetry) = position, edge
        own, other = marks[turn] | (0 if cell == PASS else 1 << cell), marks[1 - turn]
        if symmetry is not None:
            image = self.game.symmetries[symmetry]
            own, other = mapped(own, image), mapped(other, image)
        new = ((other, own) if turn else (own, other)), 1 - turn
        clash = self.positions[target] not in (None, new)
        refuse(clash, f"Two edges give node {target} different positions.")
        self.positions[target] = new

    def ends_well(self, mover: int, line: bool) -> bool:
        """Return whether a position is settled well; `line` is whether the mover made a line."""
        won = line and (mover ^ self.game.misere) == self.claim.side
        return won == self.claim.wins

    def check_node(self, number: int) -> None:
        """Check one node at its position, which is not settled; follow its edges."""
        node, position = self.claim.nodes[number], self.positions[number]
        if type(node) is not dict or position is None:
            raise Fault("The node is not an object, or no edge leads to it.")
        (marks, turn), names = position, set(node)
        empty = self.game.all & ~(marks[0] | marks[1])
        if not self.claim.wins and names in ({"leaf"}, {"leaf", "pairs"}):
            self.check_leaf(node, position, empty)
        elif turn == self.chooser and names in MOVES:
            self.check_move(number, node, position, empty)
        elif turn != self.chooser and names in ({"replies"}, {"replies", "pass"}):
            self.check_replies(number, node, position, empty)
        else:
            raise Fault("A node with these fields is not allowed in this claim and at this turn.")

    def check_move(self, n: int, node: dict[str, object], position: Marked, empty: int) -> None:
        marks, turn = position
        move = integer(node["move"], 0, self.game.size - 1, "`move`")
        refuse(not self.game.legal(empty) >> move & 1, f"The move to cell {move} is not legal.")
        line = has_line(marks[turn] | 1 << move, self.game.through[move])
        settled = line or empty.bit_count() - 1 <= self.spare
        bad = settled and not self.ends_well(turn, line)
        refuse(bad, f"The move to cell {move} ends play, but not as claimed.")
        wrong = settled == ("node" in node)
        refuse(wrong, f"The move to cell {move} needs a node if, and only if, play goes on.")
        for edge in self.edges(n, node):
            self.follow(position, edge)

    def check_replies(self, n: int, node: dict[str, object], at: Marked, empty: int) -> None:
        game, legal, (marks, turn) = self.game, self.game.legal(empty), at
        zones = self.claim.wins and game.overline and not game.gravity and not game.misere
        refuse("pass" in node and not zones, "A pass is not allowed in this claim.")
        lines = game.completing(marks[turn], legal)
        others = legal & ~lines
        last = others if empty.bit_count() - 1 <= self.spare else 0
        for cells, line in ((lines, True), (last, False)):
            if cells and not self.ends_well(turn, line):
                raise Fault(f"The reply to cell {first(cells)} ends play, but not as claimed.")
        left = others & ~last  # the moves that need an entry, or must be outside the zone
        for edge in self.edges(n, node):
            if edge[0] != PASS:
                refuse(not left >> edge[0] & 1, f"Cell {edge[0]} must not have an entry here.")
                left &= ~(1 << edge[0])
            self.follow(at, edge)
        refuse(left and "pass" not in node, f"The reply to cell {first(left)} is not covered.")

    def check_leaf(self, node: dict[str, object], position: Marked, empty: int) -> None:
        """Check that the side cannot win: the filler cannot fill any window that is left."""
        game, side, leaf, (marks, turn) = self.game, self.claim.side, node["leaf"], position
        kinds = ("lines",) if game.gravity or game.misere else ("lines", "pairs", "sum")
        if leaf not in kinds or ("pairs" in node) != (leaf == "pairs"):
            raise Fault("The game does not allow this kind of leaf.")
        filler = side ^ game.misere
        own, other = marks[filler], marks[1 - filler]
        left = [cells for cells, ends in game.windows if not cells & other and not ends & own]
        if leaf == "lines":
            turns = (empty.bit_count() - self.spare + (turn == filler)) // 2
            short = all((w & empty).bit_count() > turns for w in left)
            refuse(not short, "The turns that are left are enough to fill a window.")
        elif leaf == "pairs":
            free, held = empty, set()
            for pair in listed(node["pairs"], "`pairs`"):
                both = listed(pair, "A pair")
                refuse(len(both) != 2, "A pair does not have two cells.")
                a, b = (integer(cell, 0, game.size - 1, "A cell of a pair") for cell in both)
                fresh = a != b and free >> a & 1 and free >> b & 1
                refuse(not fresh, "A cell of a pair is not empty, or occurs twice.")
                free &= ~(1 << a | 1 << b)
                held |= {cells for cells, _ in game.through[a] if cells >> b & 1}
            refuse(set(left) - held, "A window that is left contains no pair.")
        else:  # the weight of the windows, with 2**k for a full one
            weight = sum(1 << game.k - (w & empty).bit_count() for w in left)
            refuse(weight >= 1 << game.k - (turn == side), "The sum over the windows is too great.")

    def measure(self, n: int) -> None:
        """Compute D, R, t, c and d of a node of a win, and check the zone of its pass."""
        node, t, c = cast(dict[str, object], self.claim.nodes[n]), self.turns, self.passes
        reply, entries = "replies" in node, 0
        own = 0 if reply else 1 << cast(int, node["move"])
        for cell, m, symmetry in self.edges(n, node):
            below, theirs = self.own[m], self.replies[m]
            if symmetry is not None:
                back = self.game.inverses[symmetry]
                below, theirs = mapped(below, back), mapped(theirs, back)
            own, self.replies[n] = own | below, self.replies[n] | theirs
            self.distance[n] = max(self.distance[n], self.distance[m])
            t[n], c[n] = max(t[n], t[m]), max(c[n], c[m] + (cell == PASS))
            entries |= 1 << cell if reply and cell != PASS else 0
        self.own[n], self.replies[n] = own, self.replies[n] | entries
        self.distance[n], t[n] = self.distance[n] + 1, t[n] + reply
        if "pass" in node:
            m, (marks, _) = cast(int, node["pass"]), cast(Marked, self.positions[n])
            empty, zone = self.game.all & ~(marks[0] | marks[1]), self.own[m]
            for cells, _ in self.game.windows:
                gap = cells & empty
                fillable = min(t[m], c[m] + (self.replies[m] & gap).bit_count())
                if not cells & marks[self.claim.side] and gap.bit_count() <= 1 + fillable:
                    zone |= gap
            bare = zone & empty & ~entries
            refuse(bare, f"Cell {first(bare)} is in the zone of the pass and has no entry.")


def check_claim(game: Rulebook, claim: Claim, root: Marked, over: bool, winner: int | None) -> None:
    if over or (not claim.wins and claim.plies == 0):
        refuse(claim.nodes, "The root is settled, but the claim has nodes.")
        refuse((winner == claim.side) != claim.wins, "The root is settled, but not as claimed.")
        return
    refuse(not claim.nodes, "The root is not settled, but the claim has no nodes.")
    checker, count = Checker(game, claim, root), len(claim.nodes)
    try:
        for number in reversed(range(count)):
            checker.check_node(number)
        if claim.wins:
            for number in range(count):
                checker.measure(number)
            plies = checker.distance[-1]
            refuse(plies > cast(int, claim.plies), f"The win takes up to {plies} plies.")
    except Fault as fault:
        fault.node = number
        raise


def position_of(board: object) -> tuple[object, object, object]:
    """Return the rules, the cells and the side to move of a document, or of a Python `Board`."""
    if isinstance(board, Mapping):
        return board.get("rules"), board.get("board"), board.get("turn")
    rules = getattr(getattr(board, "rules", None), "to_dict", None)
    if rules is None:
        raise TypeError("A board is a Board, or a mapping with rules, board and turn.")
    return rules(), getattr(board, "cells", None), getattr(board, "turn", None)


def verify(document: object, board: object = None) -> Verdict:
    """Check a document: a `Proof` or another object with `to_dict`, a mapping, bytes, or a path.

    If `board` is given, the document must be about this position.
    """
    meant = None if board is None else position_of(board)
    document = document.to_dict() if hasattr(document, "to_dict") else document
    if isinstance(document, (str, os.PathLike)):
        try:
            with open(document, "rb") as file:
                document = file.read(LIMIT + 1)
        except ValueError as error:  # a path with a zero byte
            raise OSError(f"The path names no file: {error}") from None
    elif not isinstance(document, (bytes, Mapping)):
        raise TypeError("A document is a Proof, a mapping, bytes, or the path of a file.")
    statement, nodes, number = "", 0, None
    about: tuple[object, object, object] = (None, None, None)
    try:
        whole = parse(document) if isinstance(document, bytes) else dict(document)
        top = fields(whole, {"format", "version", "rules", "board", "turn", "claims"}, "The JSON")
        refuse(top["format"] != "bestmove-proof", '`format` is not "bestmove-proof".')
        integer(top["version"], 1, 1, "`version`")
        claims: list[Claim] = []
        values = listed(top["claims"], "`claims`")
        refuse(len(values) not in (1, 2), "`claims` does not have one or two claims.")
        for number, value in enumerate(values):  # noqa: B007
            claims.append(read_claim(value))
        number, nodes = None, sum(len(claim.nodes) for claim in claims)
        statement = state(claims)
        game = Rulebook(top["rules"])
        root, over, winner = read_root(game, top["board"], top["turn"])
        about = top["rules"], top["board"], top["turn"]
        refuse(meant is not None and meant != about, "The document is about another position.")
        for number, claim in enumerate(claims):  # noqa: B007
            check_claim(game, claim, root, over, winner)
    except (Fault, MemoryError) as fault:
        why, node = str(fault) or "There is not enough memory.", getattr(fault, "node", None)
        nobody = (None, None, False, False, nodes)
        return Verdict(False, statement, why, number, node, *nobody, *cast(Root, about))
    won, side, plies, two = *claims[0][:3], len(claims) == 2
    who, plies = (SIDES[side], plies) if won else (None, None)
    found = (who, plies, two and won, two and not won, nodes)
    return Verdict(True, statement, "", None, None, *found, *cast(Root, about))


def read(name: str) -> object:
    """Return what `verify` takes for the name of a file, or for `-`, standard input."""
    return sys.stdin.buffer.read(LIMIT + 1) if name == "-" else name


def report(verdict: Verdict) -> int:
    """Print a verdict and the position that it is about; return the exit code."""
    if verdict:
        print(f"{verdict.statement}\n{verdict.position}")
        return 0
    claim = "" if verdict.claim is None else f" (claim {verdict.claim})"
    node = "" if verdict.node is None else f" (node {verdict.node})"
    print(f"Not proven: {verdict.reason}{claim}{node}", file=sys.stderr)
    if verdict.position:
        print(f"The document is about {verdict.position}", file=sys.stderr)
    return 1


def main(arguments: list[str]) -> int:
    try:
        (name,) = arguments
        return report(verify(read(name)))
    except ValueError:
        print("Usage: python verify.py FILE (- for standard input)", file=sys.stderr)
    except OSError as error:
        print(f"The file cannot be read: {error.strerror or error}", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
