"""Runs the tests of the page's modules, which are written for node's test runner.

package.test.mjs compares the modules with the package. It gets the package's answers from here."""

import json
import os
import random
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from bestmove import Board, Limits, Rules, analyze, prove
from bestmove.answers import BestMove, Reason, SearchStats
from bestmove.game import PRESETS, notation
from bestmove.search.reasons import why
from bestmove.search.textbook import tree as textbook
from bestmove.search.textbook.algorithms import SEARCHES
from bestmove.words import result
from tests.support.answers import best_move_of
from tests.support.needs import NODE
from tests.support.programs import run

pytestmark = NODE

HERE = Path(__file__).parent
TEST = ("node", "--test", "--test-reporter=spec")


def test_the_modules_do_what_their_tests_say() -> None:
    files = sorted(HERE.glob("*.test.mjs"))
    assert len(files) > 5
    run(*TEST, *(file for file in files if file.name != "package.test.mjs"))


def test_the_modules_say_what_the_package_says(tmp_path: Path) -> None:
    facts: dict[str, Any] = {make.__name__: list(make()) for make in FACTS}
    assert {end[2] for *_, stands in facts["games"] for end in stands[-1:]} == {"won", "draw"}
    file = tmp_path / "facts.json"
    file.write_text(json.dumps(facts))
    environment = os.environ | {"BESTMOVE_FACTS": str(file)}
    run(*TEST, HERE / "package.test.mjs", env=environment)


def games() -> Iterator[list[Any]]:
    """Play random games, with every combination of switches. Yield the rules, the first side, the
    moves, and each position."""
    chooser = random.Random(1)
    for number in range(320):
        gravity, overline, misere = (bool(number >> bit & 1) for bit in range(3))
        rows, columns = chooser.randint(1, 6), chooser.randint(1, 7)
        k = chooser.randint(1, max(rows, columns))
        rules = Rules(rows, columns, k, gravity=gravity, overline=overline, misere=misere)
        board = Board("." * rules.size, rules, chooser.choice("XO"))
        first, moves, stands = board.turn, [], [_stand(board)]
        while board.moves:
            moves.append(chooser.choice(board.moves))
            board = board.play(moves[-1])
            stands.append(_stand(board))
        yield [rules.to_dict(), first, moves, stands]


def _stand(board: Board) -> list[Any]:
    every = range(board.rules.size)
    places = [board.rules.landing(board.cells, at % board.rules.columns) for at in every]
    free = [at if board.cells[at] == "." else None for at in every]
    lands = places if board.rules.gravity else free
    line = list(board.winning_line or ())
    return [board.cells, board.turn, board.status, board.winner, line, lands]


def shapes() -> Iterator[list[Any]]:
    for rows, columns in product(range(1, 7), repeat=2):
        board = str(Board("X" + "." * (rows * columns - 1), Rules(rows, columns, 1)))
        yield [rows, columns, board, notation.parse(board)[1].k]


def squares() -> Iterator[list[Any]]:
    for rules in (Rules(3, 3, 3), Rules(4, 7, 4), Rules(20, 20, 5)):
        yield [rules.to_dict(), [rules.squares[cell] for cell in range(rules.size)]]


def trees() -> Iterator[list[Any]]:
    """Yield random trees and what each textbook search finds in them."""
    chooser = random.Random(5)

    def grow(height: int) -> object:
        if height == 0 or (height < 4 and chooser.random() < 0.2):
            return chooser.randint(-4, 4)
        return [grow(height - 1) for _ in range(chooser.randint(1, 4))]

    for height in [0, 1, 2, 3, 4] * 12:
        plain = grow(height)
        node, maximizing = textbook.parse(plain), height % 2 == 1
        shown = [name for name in SEARCHES if name != "memoized-alpha-beta"]
        found = {name: textbook.search(node, name, maximizing) for name in shown}
        searches = {
            name: {
                "value": each.value,
                "path": each.path,
                "evaluated": each.evaluated,
                "pruned": each.pruned,
                "counts": {
                    "nodes": each.search.nodes,
                    "leaves": len(each.evaluated),
                    "cutoffs": each.search.cutoffs,
                    "pruned": len(each.pruned),
                },
            }
            for name, each in found.items()
        }
        yield [plain, maximizing, len(list(textbook.plies(node))) - 1, searches]


POSITIONS = {
    "XOXOO..X.": 3, "XX.OOX...": 4, "XX.OO....": 5, "XOX.O..X.": 4, "X........": 3, ".........": 3
}  # fmt: skip
"""Boards, and how many plies of all games from there can be drawn."""


def positions() -> Iterator[list[Any]]:
    def played(board: Board, depth: int) -> Any:
        if board.is_over or depth == 0:
            return {"X": 1, "O": -1}.get(board.winner or "", 0)
        return [played(board.play(move), depth - 1) for move in board.moves]

    for text, depth in POSITIONS.items():
        board = Board.parse(text)
        yield [text, board.turn, depth, played(board, depth)]


def reasons() -> Iterator[list[Any]]:
    """Yield answers with reasons, each with the command's words for its reason and its result."""
    codes = "wins blocks forks blocks-fork forces-win holds-draw delays-loss only-move weakened new"
    rules = [Rules(3, 3, 3), Rules(4, 5, 4), Rules(3, 7, 3), Rules(15, 15, 5)]
    rules += [Rules(6, 7, 4, gravity=True), Rules(5, 5, 4, misere=True)]
    ends = ((1, "win", 1), (2, "loss", 6), (3, "win", 7), (9, "loss", 0), (0, "draw", 4))
    for code, each, turn, (count, outcome, plies) in product(codes.split(), rules, "XO", ends):
        only = {"delays-loss": "loss", "forces-win": "win"}.get(code, outcome)
        if outcome in (only, "draw"):
            answer = _answer(each, turn, code, count, outcome, plies)
            said = result(answer, answer.board)
            said = said.replace("wins ", "win ").replace("loses ", "loss ")
            yield [answer.to_dict(), answer.reason and answer.reason.text, said]


def _answer(rules: Rules, turn: str, code: Any, count: int, outcome: Any, plies: int) -> BestMove:
    board = Board("." * rules.size, rules, turn)
    index = board.moves[7 % len(board.moves)]
    cells = tuple(range(count))
    text = "New." if code == "new" else why(code, cells, index, board, plies, 3)
    score = 0 if outcome == "draw" else 1 if (outcome == "win") == (turn == "X") else -1
    found = {"score": score, "exact": True, "outcome": outcome, "plies": plies, "pv": ()}
    stats = SearchStats("auto", depth=3)
    return best_move_of(board, index, **found, reason=Reason(code, cells, text), search=stats)


def claims() -> Iterator[list[Any]]:
    """Play random games. Yield the rules, and of each game the moves, what was asked for before
    each move, and the analysis (from `opening` on)."""
    rng = random.Random(51)
    for game, opening in {"tic-tac-toe": 0, "connect-four": 18}.items():
        played = []
        for _ in range(20):
            board = Board.empty(game=game)
            moves: list[int] = []
            found = []
            while not board.is_over:
                known = analyze(board).to_dict()["moves"] if len(moves) >= opening else None
                found.append([rng.choice(["nothing", "answer", "analysis"]), known])
                moves.append(rng.choice(list(board.moves)))
                board = board.play(moves[-1])
            played.append([moves, found])
        yield [PRESETS[game].rules.to_dict(), played]


BOARDS = {
    "an image by each symmetry": Board.parse("........."),
    "a mark more": Board.parse("X...O...."),
    "a win with zones": Board.parse("..../..../..../....", k=3),
    "a win of eleven plies": Board.parse("....../....../...X../..O.../....../......", k=4),
    "pairs": Board.parse("..X./.O../..../....", k=4),
    "moves, pairs and sums": Board.parse("O...O/..X.X/....O/X.X..", k=4),
    "exactly five": Board.parse("...../...../...../...../.....", k=5, overline=False),
    "marks fall": Board.parse("..../..../..../....", k=3, gravity=True),
    "a draw where marks fall": Board.parse("..../..../..../X...", k=4, gravity=True),
    "a line loses": Board.parse(".........", misere=True),
    "a line loses, and one side must": Board.parse("..../..../....", k=3, misere=True),
    "gomoku": Board.from_moves("h8 i9 h7 j10 h6 k11", game="gomoku"),
}


def proofs() -> Iterator[list[Any]]:
    for name, board in BOARDS.items():
        proof = prove(board, Limits(time_ms=None, nodes=2_000_000))
        assert proof is not None, name
        yield [name, json.loads(proof.text)]


FACTS: tuple[Callable[[], Iterator[list[Any]]], ...] = (
    games, shapes, squares, trees, positions, reasons, claims, proofs
)  # fmt: skip
