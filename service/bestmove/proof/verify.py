"""Check a proof of a game result with the rules of the game alone.

Run `python verify.py FILE`, or call `verify`. The check trusts nothing in the document.

docs/proofs.md describes the format, and proves that each claim is true if it passes the check:

1. The last node's position is the root. Edges lead to lower-numbered nodes, so there is no cycle.
   All edges to one node give it the same position.
2. The chooser is the side that wins, or prevents the win. For the chooser, a node names one legal
   move. For the other side, every legal move ends play as claimed, has an edge to a node, or is
   outside the zone of a pass.
3. A symmetry maps lines to lines and legal moves to legal moves. So a position and its image have
   the same result.
4. An open window is k cells in a row without marks of the other side. If a line has exactly k
   marks, the cells just before and after an open window have no mark of the own side. A leaf shows
   that one side cannot fill any open window, for one of three reasons:

   - too few turns are left;
   - each open window contains a pair of cells, and the other side can mark one cell of each pair;
   - the sum of 1/2**n is too small, where n is the number of empty cells in each open window.

5. If the loser's reply is outside the zone of a pass, the reply takes no cell that the winner
   needs, and is in no line that the loser can complete.
6. In a win, the distance of a node is the longest way to the end in plies, passes included.
"""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

LIMIT = 64 * 1024 * 1024  # The most bytes of a file, before and after decompression.
MOST_NODES = 1_000_000
PASS = -1
SIDES = "XO"
USUAL = {"gravity": False, "overline": True, "misere": False}  # the switches of version 1

MOVES = ({"move"}, {"move", "node"}, {"move", "node", "symmetry"})
REPLIES = ({"replies"}, {"replies", "pass"})
LEAVES = ({"leaf"}, {"leaf", "pairs"})

# A text consists of strings of letters, dots and hyphens, integers of at most nine digits, three
# literals, and punctuation.
TEXT = re.compile(rb'(?:"[A-Za-z.-]*+"|-?[0-9]{1,9}+(?![0-9])|true|false|null|[\[\]{},:])*+')
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
    rules: Mapping[str, object] | None = None
    board: str | None = None
    turn: str | None = None

    def __bool__(self) -> bool:
        return self.stands

    @property
    def position(self) -> str:
        """The root in words: its rows, the rules and the side to move."""
        if self.rules is None or self.board is None:
            return ""
        columns = cast(int, self.rules["columns"])
        rows = [self.board[i : i + columns] for i in range(0, len(self.board), columns)]
        size = f"{self.rules['rows']} rows of {columns}, k = {self.rules['k']}"
        switches = {"gravity": "marks fall", "overline": "exactly k", "misere": "a line loses"}
        changed = "".join(f", {switches[s]}" for s in USUAL if self.rules[s] is not USUAL[s])
        turn = "the game is over" if self.turn is None else f"{self.turn} to move"
        return f"{'/'.join(rows)} ({size}{changed}), {turn}"


class Fault(Exception):
    """The reason why a document fails the check, and the number of the node that fails."""

    node: int | None = None


def parse(data: bytes) -> object:
    """Parse the text of a certificate. JSON of other forms is refused, before it can cost much."""
    if len(data) > LIMIT:
        raise Fault("The file is longer than 64 MiB.")
    if data[:2] == b"\x1f\x8b":
        stream = zlib.decompressobj(wbits=31)
        try:
            data = stream.decompress(data, LIMIT + 1)
        except zlib.error:
            raise Fault("The gzip data is damaged.") from None
        if len(data) > LIMIT:
            raise Fault("The text is longer than 64 MiB.")
        if not stream.eof or stream.unused_data:
            raise Fault("The file is not one whole gzip member.")
    text = data.removesuffix(b"\n")
    if not TEXT.fullmatch(text):
        raise Fault("The text is not compact JSON, or has something that no certificate has.")
    brackets = text.translate(ONE_BRACKET, NO_BRACKETS)
    for _ in range(7):  # each round removes the innermost pairs of brackets
        brackets = brackets.replace(b"[]", b"")
    if brackets:
        raise Fault("The brackets do not match, or are nested more than 7 deep.")
    try:
        value = json.loads(text)
    except ValueError:
        raise Fault("The text is not JSON.") from None
    if json.dumps(value, separators=(",", ":")).encode() != text:
        raise Fault("The text has a key twice in one object, or -0.")
    return value


def fields(value: object, names: set[str], what: str) -> dict[str, object]:
    if type(value) is not dict or set(value) != names:
        raise Fault(f"{what} is not an object with exactly the fields {', '.join(sorted(names))}.")
    return value


def listed(value: object, what: str) -> list[object]:
    if type(value) is not list:
        raise Fault(f"{what} is not a list.")
    return value


def integer(value: object, low: int, high: int, what: str) -> int:
    if type(value) is not int or not low <= value <= high:  # `True` and `False` are not integers
        raise Fault(f"{what} is not an integer from {low} to {high}.")
    return value


# A set of cells is an integer in which bit i is 1 if cell i is in the set. Windows are numbered,
# and a set of windows has the same form.

# The cells of X, the cells of O, and the side to move.
Marked = tuple[tuple[int, int], int]
# The rules, the cells and the side to move.
Root = tuple[Mapping[str, object] | None, str | None, str | None]
# The cell of the move (or PASS), the number of the target, and the symmetry's name.
Edge = tuple[int, int, str | None]

# A symmetry may swap rows and columns, and then reverse the rows, the columns or both. With
# gravity, only "left-right" is allowed. The last four symmetries need a square board.
ROWS, COLUMNS, SWAP = 1, 2, 4
SYMMETRIES = {"left-right": COLUMNS, "top-bottom": ROWS, "half-turn": ROWS | COLUMNS}
SYMMETRIES |= {"quarter-turn": SWAP | COLUMNS, "three-quarter-turn": SWAP | ROWS}
SYMMETRIES |= {"diagonal": SWAP, "antidiagonal": SWAP | ROWS | COLUMNS}


class Rulebook:
    def __init__(self, rules: object) -> None:
        rule = fields(rules, {"rows", "columns", "k", *USUAL}, "`rules`")
        self.rows = integer(rule["rows"], 1, 20, "`rows`")
        self.columns = integer(rule["columns"], 1, 20, "`columns`")
        self.k = integer(rule["k"], 1, max(self.rows, self.columns), "`k`")
        values = [rule[name] for name in USUAL]
        if {*map(type, values)} != {bool}:
            raise Fault("`gravity`, `overline` or `misere` is neither true nor false.")
        self.gravity, self.overline, self.misere = map(bool, values)
        self.size = self.rows * self.columns
        self.all = (1 << self.size) - 1
        self.windows: list[int] = []
        self.through = [0] * self.size  # For each cell, the windows that contain the cell.

        # Only for games in which a line has exactly k marks: for each cell, the windows that begin
        # or end next to the cell. A mark on the cell makes a full window too long for a line.
        self.beside = [0] * self.size
        self.add_windows()
        self.all_windows = (1 << len(self.windows)) - 1
        allowed = 1 if self.gravity else 7 if self.rows == self.columns else 3
        self.symmetries: dict[str, list[int]] = {}
        for name, parts in list(SYMMETRIES.items())[:allowed]:
            self.symmetries[name] = image = []
            for i in range(self.size):
                r, c = divmod(i, self.columns)[:: -1 if parts & SWAP else 1]
                r = self.rows - 1 - r if parts & ROWS else r
                c = self.columns - 1 - c if parts & COLUMNS else c
                image.append(r * self.columns + c)
        cells = range(self.size)
        self.inverses = {s: [i.index(j) for j in cells] for s, i in self.symmetries.items()}

    def add_windows(self) -> None:
        def cell(r: int, c: int) -> int:
            return r * self.columns + c if 0 <= r < self.rows and 0 <= c < self.columns else -1

        # If k is 1, a window is one cell, so one direction finds all windows.
        steps = ((0, 1), (1, 0), (1, 1), (1, -1)) if self.k > 1 else ((0, 1),)
        for i in range(self.size):
            r, c = divmod(i, self.columns)
            for down, right in steps:
                before, *cells, after = (
                    cell(r + j * down, c + j * right) for j in range(-1, self.k + 1)
                )
                if -1 in cells:
                    continue
                number = 1 << len(self.windows)
                self.windows.append(sum(1 << j for j in cells))
                for j in cells:
                    self.through[j] |= number
                for j in (before, after):
                    if j != -1 and not self.overline and self.k > 1:
                        self.beside[j] |= number

    def legal(self, empty: int) -> int:
        # With gravity, an empty cell is a legal move only if the cell below it is not empty.
        return empty & ~(empty >> self.columns) if self.gravity else empty

    def square(self, cells: int) -> str:
        """Return the name of the lowest cell in a set, such as `c2`; rows count from the bottom."""
        row, column = divmod((cells & -cells).bit_length() - 1, self.columns)
        return f"{chr(97 + column)}{self.rows - row}"

    def at_least(self, most: int, cells: int, windows: int) -> list[int]:
        """Return, for each n from 0 to `most`, the windows with at least n of the cells."""
        found = [windows] + [0] * most
        for i in members(cells):
            more, n = windows & self.through[i], 1
            while more and n <= most:  # the windows in `more` have at least n of the cells
                found[n], more = found[n] | more, found[n] & more
                n += 1
        return found

    def left(self, own: int, other: int) -> int:
        """Return the windows that the side with the marks `own` has filled or can still fill."""
        lost = 0
        for i in members(other):
            lost |= self.through[i]
        if not self.overline:  # a row of more than k marks is not a line
            for i in members(own):
                lost |= self.beside[i]
        return self.all_windows & ~lost

    def has_line(self, own: int, other: int) -> bool:
        return self.at_least(self.k, own, self.left(own, other))[self.k] != 0

    def completing(self, own: int, other: int) -> int:
        """Return the empty cells that complete a line of the side with the marks `own`."""
        found = 0
        for window in members(self.at_least(self.k - 1, own, self.left(own, other))[-1]):
            found |= self.windows[window] & ~own
        return found


def members(bits: int) -> Iterator[int]:
    """Yield the numbers of the cells or windows in a set."""
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


def mapped(cells: int, image: list[int]) -> int:
    result = 0
    for i in members(cells):
        result |= 1 << image[i]
    return result


class Claim(NamedTuple):
    wins: bool  # False means that the side cannot win
    side: int
    plies: int | None
    nodes: list[object]


def read_claim(value: object) -> Claim:
    claim = fields(value, {"kind", "side", "plies", "nodes"}, "The claim")
    kind, side, plies, nodes = (claim[name] for name in ("kind", "side", "plies", "nodes"))
    if kind not in ("wins", "cannot-win") or side not in ("X", "O"):
        raise Fault("`kind` or `side` has a value that the format does not allow.")
    if plies is not None or kind == "wins":
        plies = integer(plies, 0, 800, "`plies`")
    nodes = listed(nodes, "`nodes`")
    if len(nodes) > MOST_NODES:
        raise Fault("The claim has more than 1,000,000 nodes.")
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
    """Return the root, whether the game is over, and the winner's side."""
    if type(board) is not str or len(board) != game.size or set(board) - set("XO."):
        raise Fault("`board` does not have X, O or . for each cell.")
    x, o = (sum(1 << i for i, mark in enumerate(board) if mark == side) for side in SIDES)
    marks, empty = (x, o), game.all & ~(x | o)
    if game.gravity and (empty >> game.columns) & ~empty:
        raise Fault("`board` has an empty cell below a mark.")
    lines = [side for side in (0, 1) if game.has_line(marks[side], marks[1 - side])]
    if len(lines) == 2:
        raise Fault("Both sides have a line on `board`.")
    ahead = x.bit_count() - o.bit_count()
    if lines or not empty:
        if turn is not None:
            raise Fault("The game is over, but `turn` is not null.")
        if abs(ahead) > 1:
            raise Fault("The numbers of X and O on `board` differ by more than one.")
        return (marks, 0), True, lines[0] ^ game.misere if lines else None
    if turn not in ("X", "O"):
        raise Fault('The game is not over, but `turn` is neither "X" nor "O".')
    side = 0 if turn == "X" else 1
    if ahead not in (0, 2 * side - 1):  # the side to move has no more marks than the other
        raise Fault("The numbers of X and O do not fit `turn`.")
    return (marks, side), False, None


class Checker:
    def __init__(self, game: Rulebook, claim: Claim, root: Marked) -> None:
        self.game, self.claim = game, claim
        self.chooser = claim.side if claim.wins else 1 - claim.side
        count = len(claim.nodes)
        self.positions: list[Marked | None] = [*[None] * (count - 1), root]
        # For each node of a win: D, R, t, c and d of docs/proofs.md. D and R are sets of cells.
        self.own, self.replies = [0] * count, [0] * count
        self.turns, self.passes, self.distance = [0] * count, [0] * count, [0] * count
        # The number of empty cells when the plies of the claim are used up.
        empty = game.size - (root[0][0] | root[0][1]).bit_count()
        self.unused = 0 if claim.wins or claim.plies is None else max(0, empty - claim.plies)

    def plies_left(self, empty: int) -> int:
        """Return the number of moves until play ends, if nobody completes a line."""
        return empty.bit_count() - self.unused

    def ends_well(self, mover: int, line: bool) -> bool:
        """Return True if play ends as the claim says. `line`: `mover` just completed a line."""
        won = line and (mover ^ self.game.misere) == self.claim.side
        return won == self.claim.wins

    def follow(
        self, number: int, position: Marked, cell: int, target: object, symmetry: list[object]
    ) -> None:
        """Record the position of an edge's target, or compare it with the recorded position.

        The last node is checked first, and edges lead to lower numbers. So a node's position is
        known before the node is checked.
        """
        target = integer(target, 0, number - 1, "The node to which an edge leads")
        marks, turn = position
        own, other = marks[turn] | (0 if cell == PASS else 1 << cell), marks[1 - turn]
        if symmetry:
            name = symmetry[0]
            image = self.game.symmetries.get(name) if type(name) is str else None
            if image is None:
                raise Fault("The game has no such symmetry.")
            own, other = mapped(own, image), mapped(other, image)
        new = ((other, own) if turn else (own, other)), 1 - turn
        if self.positions[target] is None:
            self.positions[target] = new
        elif self.positions[target] != new:
            raise Fault(f"Two edges give node {target} different positions.")

    def check_node(self, number: int) -> None:
        """Check one node and follow its edges. At its position, play goes on."""
        node, position = self.claim.nodes[number], self.positions[number]
        if type(node) is not dict or position is None:
            raise Fault("The node is not an object, or no edge leads to it.")
        (marks, turn), names = position, set(node)
        empty = self.game.all & ~(marks[0] | marks[1])
        if not self.claim.wins and names in LEAVES:
            self.check_leaf(node, position, empty)
        elif turn == self.chooser and names in MOVES:
            self.check_move(number, node, position, empty)
        elif turn != self.chooser and names in REPLIES:
            self.check_replies(number, node, position, empty)
        else:
            raise Fault("A node with these fields is not allowed in this claim and at this turn.")

    def check_move(self, n: int, node: dict[str, object], position: Marked, empty: int) -> None:
        marks, turn = position
        move = integer(node["move"], 0, self.game.size - 1, "`move`")
        square = self.game.square(1 << move)
        if not self.game.legal(empty) >> move & 1:
            raise Fault(f"The move to {square} is not legal.")
        line = self.game.completing(marks[turn], marks[1 - turn]) >> move & 1 == 1
        settled = line or self.plies_left(empty) == 1
        if settled and not self.ends_well(turn, line):
            raise Fault(f"The move to {square} ends play, but not as claimed.")
        if settled == ("node" in node):
            raise Fault(f"The move to {square} needs a node if, and only if, play goes on.")
        if "node" in node:
            symmetry = [node["symmetry"]] if "symmetry" in node else []
            self.follow(n, position, move, node["node"], symmetry)

    def check_replies(self, n: int, node: dict[str, object], at: Marked, empty: int) -> None:
        """Check that the replier's legal moves are covered. `measure` checks the zone of a pass."""
        game, legal, (marks, turn) = self.game, self.game.legal(empty), at
        # Under other rules, a reply outside the zone could save the loser.
        zones = self.claim.wins and game.overline and not game.gravity and not game.misere
        if "pass" in node and not zones:
            raise Fault("A pass is not allowed in this claim.")
        lines = legal & game.completing(marks[turn], marks[1 - turn])
        if lines and not self.ends_well(turn, line=True):
            raise Fault(f"The reply to {game.square(lines)} ends play, but not as claimed.")
        left = legal & ~lines
        if self.plies_left(empty) == 1:
            if left and not self.ends_well(turn, line=False):
                raise Fault(f"The reply to {game.square(left)} ends play, but not as claimed.")
            left = 0
        for entry in listed(node["replies"], "`replies`"):
            values = listed(entry, "An entry")
            if len(values) not in (2, 3):
                raise Fault("An entry does not have two or three values.")
            cell = integer(values[0], 0, game.size - 1, "The cell of a move")
            if not left >> cell & 1:
                raise Fault(f"{game.square(1 << cell)} must not have an entry here.")
            left &= ~(1 << cell)
            self.follow(n, at, cell, values[1], values[2:])
        if "pass" in node:
            self.follow(n, at, PASS, node["pass"], [])
        elif left:
            raise Fault(f"The reply to {game.square(left)} is not covered.")

    def check_leaf(self, node: dict[str, object], position: Marked, empty: int) -> None:
        game, side, leaf, (marks, turn) = self.game, self.claim.side, node["leaf"], position
        # "pairs" and "sum" need a defender who can mark any empty cell without harm. With gravity
        # some empty cells are not legal moves. With misère a mark may complete a line and lose.
        kinds = ("lines",) if game.gravity or game.misere else ("lines", "pairs", "sum")
        if leaf not in kinds or ("pairs" in node) != (leaf == "pairs"):
            raise Fault("The game does not allow this kind of leaf.")
        # `side` wins if the filler fills a window. With misère, the filler is the other side.
        filler = side ^ game.misere
        left = game.left(marks[filler], marks[1 - filler])
        if leaf == "lines":
            turns = (self.plies_left(empty) + (turn == filler)) // 2
            need = max(0, game.k - turns)  # a window with this many marks can be filled
            if game.at_least(need, marks[filler], left)[need]:
                raise Fault("The filler has enough turns to fill an open window.")
        elif leaf == "pairs":
            # If the filler marks a cell of a pair, the defender marks the other cell. So the filler
            # fills no window that contains a pair.
            free, held = empty, 0
            for pair in listed(node["pairs"], "`pairs`"):
                both = listed(pair, "A pair")
                if len(both) != 2:
                    raise Fault("A pair does not have two cells.")
                a, b = (integer(cell, 0, game.size - 1, "A cell of a pair") for cell in both)
                if a == b or not free >> a & 1 or not free >> b & 1:
                    raise Fault("A cell of a pair is not empty, or occurs twice.")
                free &= ~(1 << a | 1 << b)
                held |= game.through[a] & game.through[b]
            if left & ~held:
                raise Fault("An open window contains no pair.")
        else:
            # An open window with n marks of `side` weighs 2**n. The n-th mark adds 2**(n - 1).
            # If the defender is to move, the sum of the weights must be below 2**k, which is the
            # weight of a full window. If `side` is to move, the sum must be below 2**(k - 1),
            # because a mark of `side` can double the sum.
            filled = game.at_least(game.k, marks[side], left)
            weight = left.bit_count()
            weight += sum(more.bit_count() << n for n, more in enumerate(filled[1:]))
            if weight >= (1 << game.k) / (2 if turn == side else 1):
                raise Fault("The sum over the open windows is not below 1 (1/2 if `side` moves).")

    def measure(self, n: int) -> None:
        """Compute D, R, t, c and d of docs/proofs.md for a node, and check the zone of its pass."""
        node, t, c = cast(dict[str, object], self.claim.nodes[n]), self.turns, self.passes
        reply, entries = "replies" in node, 0
        own = 0 if reply else 1 << cast(int, node["move"])
        for cell, m, symmetry in edges(node):
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
            bare = self.zone(n, cast(int, node["pass"])) & ~entries
            if bare:
                raise Fault(f"{self.game.square(bare)} is in the pass's zone and has no entry.")

    def zone(self, n: int, m: int) -> int:
        """Return the empty cells in the zone of node n, whose pass leads to node m.

        docs/proofs.md defines the letters. The zone is D and each window that the loser L may still
        fill. Each such window has

        - no mark of the winner;
        - at most 1 + t empty cells, because L has 1 + t turns;
        - at most 1 + c empty cells outside R, because L plays outside R in at most 1 + c turns.
        """
        game, side, (marks, _) = self.game, self.claim.side, cast(Marked, self.positions[n])
        theirs, empty = marks[1 - side], game.all & ~(marks[0] | marks[1])
        # If L has `few_empty` marks in a window, at most 1 + t cells are empty. If `few_others`
        # cells have a mark of L or are in R, at most 1 + c cells are empty and outside R.
        few_empty = max(0, game.k - 1 - self.turns[m])
        few_others = max(0, game.k - 1 - self.passes[m])
        windows = game.at_least(few_empty, theirs, game.left(theirs, marks[side]))[few_empty]
        known = theirs | self.replies[m] & empty
        windows = game.at_least(few_others, known, windows)[few_others]
        zone = self.own[m]
        for window in members(windows):
            zone |= game.windows[window]
        return zone & empty


def edges(node: dict[str, Any]) -> Iterator[Edge]:
    if "node" in node:
        yield node["move"], node["node"], node.get("symmetry")
    for cell, target, *symmetry in node.get("replies", ()):
        yield cell, target, symmetry[0] if symmetry else None
    if "pass" in node:
        yield PASS, node["pass"], None


def check_claim(game: Rulebook, claim: Claim, root: Marked, over: bool, winner: int | None) -> None:
    if over or (not claim.wins and claim.plies == 0):
        if claim.nodes:
            raise Fault("The root is settled, but the claim has nodes.")
        if (winner == claim.side) != claim.wins:
            raise Fault("The root is settled, but not as claimed.")
        return
    if not claim.nodes:
        raise Fault("The root is not settled, but the claim has no nodes.")
    checker, count = Checker(game, claim, root), len(claim.nodes)
    try:
        for number in reversed(range(count)):
            checker.check_node(number)
        if claim.wins:
            for number in range(count):
                checker.measure(number)
            plies = checker.distance[-1]
            if plies > cast(int, claim.plies):
                raise Fault(f"The win takes up to {plies} plies.")
    except Fault as fault:
        fault.node = number
        raise


def position_of(board: object) -> tuple[object, object, object]:
    """Return the rules, the cells and the side to move of a document or of a Python `Board`."""
    if isinstance(board, Mapping):
        return board.get("rules"), board.get("board"), board.get("turn")
    rules = getattr(board, "rules", None)
    changed = getattr(rules, "changed", None)
    if changed is None:
        raise TypeError("A board is a Board, or a mapping with rules, board and turn.")
    # Not all switches of the package: it may have gained some since version 1 of the format.
    meant = {name: getattr(rules, name) for name in ("rows", "columns", "k")} | USUAL | changed
    return meant, getattr(board, "cells", None), getattr(board, "turn", None)


def verify(document: object, board: object = None) -> Verdict:
    """Check a document: a `Proof` or another object with `to_dict`, a mapping, bytes, or a path.

    If `board` is given, the document must be about its position.
    """
    meant = None if board is None else position_of(board)
    document = document.to_dict() if hasattr(document, "to_dict") else document
    if isinstance(document, (str, os.PathLike)):
        try:
            with open(document, "rb") as file:
                document = file.read(LIMIT + 1)
        except ValueError as error:  # the path has a zero byte
            raise OSError(f"The path names no file: {error}") from None
    elif not isinstance(document, (bytes, Mapping)):
        raise TypeError("A document is a Proof, a mapping, bytes, or the path of a file.")
    statement, nodes, number = "", 0, None
    about: tuple[object, object, object] = (None, None, None)
    try:
        whole = parse(document) if isinstance(document, bytes) else dict(document)
        top = fields(whole, {"format", "version", "rules", "board", "turn", "claims"}, "The JSON")
        if top["format"] != "bestmove-proof":
            raise Fault('`format` is not "bestmove-proof".')
        integer(top["version"], 1, 1, "`version`")
        claims: list[Claim] = []
        values = listed(top["claims"], "`claims`")
        if len(values) not in (1, 2):
            raise Fault("`claims` does not have one or two claims.")
        for number, value in enumerate(values):  # noqa: B007
            claims.append(read_claim(value))
        number, nodes = None, sum(len(claim.nodes) for claim in claims)
        statement = state(claims)
        game = Rulebook(top["rules"])
        root, over, winner = read_root(game, top["board"], top["turn"])
        about = top["rules"], top["board"], top["turn"]
        if meant is not None and meant != about:
            raise Fault("The document is about another position.")
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
    """Return the file name; if the name is `-`, return the bytes of standard input."""
    return sys.stdin.buffer.read(LIMIT + 1) if name == "-" else name


def report(verdict: Verdict) -> int:
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
