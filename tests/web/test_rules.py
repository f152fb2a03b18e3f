"""rules.js, run by node and compared with the Python package."""

import random
from typing import Any

import pytest

from bestmove import Board, Rules
from bestmove.game import notation
from tests.support.needs import NODE
from tests.web.node import check, shown

pytestmark = NODE


def _game(chooser: random.Random, number: int) -> tuple[Rules, str, list[int], list[Any]]:
    """Play a random game. Return its rules, the first side, the moves, and each position."""
    gravity, overline, misere = (bool(number >> bit & 1) for bit in range(3))
    rows, columns = chooser.randint(1, 6), chooser.randint(1, 7)
    k = chooser.randint(1, max(rows, columns))
    rules = Rules(rows, columns, k, gravity=gravity, overline=overline, misere=misere)
    first = chooser.choice("XO")
    board = Board("." * rules.size, rules, first)
    moves: list[int] = []
    stands = [_stand(board)]
    while board.moves:
        moves.append(chooser.choice(board.moves))
        board = board.play(moves[-1])
        stands.append(_stand(board))
    return rules, first, moves, stands


def _stand(board: Board) -> list[Any]:
    places = [board.rules.landing(board.cells, at % board.rules.columns) for at in _all(board)]
    free = [at if board.cells[at] == "." else None for at in _all(board)]
    lands = places if board.rules.gravity else free
    line = list(board.winning_line or ())
    return [board.cells, board.turn, board.status, board.winner, line, lands]


def _all(board: Board) -> range:
    return range(board.rules.size)


@pytest.mark.parametrize("seed", [1, 2])
def test_positions_are_those_of_the_package_with_every_combination_of_switches(seed: int) -> None:
    chooser = random.Random(seed)
    games = [_game(chooser, number) for number in range(160)]
    assert {end[2] for *_, stands in games for end in stands[-1:]} == {"won", "draw"}
    program = """
    const { landing, played, untouched } = await load("rules.js");
    show(given.map(([rules, first, moves]) => {
      const told = ({ cells, turn, status, winner, line }) =>
        [cells, turn, status, winner, line, [...cells].map((_, at) => landing(cells, at, rules))];
      let stand = untouched(rules, first);
      return [told(stand), ...moves.map((move) => {
        stand = played(stand.cells, move, stand.turn, rules);
        return told(stand);
      })];
    }));
    """
    asked = [[rules.to_dict(), first, moves] for rules, first, moves, _ in games]
    for found, (*game, stands) in zip(shown(program, asked), games, strict=True):
        assert found == stands, game


def test_a_board_is_spelled_so_that_the_package_reads_it_back() -> None:
    shapes = [(rows, columns) for rows in range(1, 7) for columns in range(1, 7)]
    program = """
    const { spelled, usualK } = await load("rules.js");
    show(given.map(([rows, columns]) =>
      [spelled("X" + ".".repeat(rows * columns - 1), { rows, columns }), usualK(rows, columns)]));
    """
    for (rows, columns), (board, k) in zip(shapes, shown(program, shapes), strict=True):
        cells, rules = notation.parse(board)
        assert (cells[0], rules.rows, rules.columns, rules.k) == ("X", rows, columns, k), board
    assert [board for board, _ in shown(program, [(3, 3), (1, 4)])] == ["X........", "X.../"]


def test_an_unfinished_board_is_read_as_the_service_reads_it() -> None:
    chooser = random.Random(7)
    cases = []
    for number in range(60):
        rules, first, _, stands = _game(chooser, number)
        for cells, turn, status, *_ in stands:
            stand = [cells, turn, "in_progress", None, []] if status == "in_progress" else None
            cases.append([rules.to_dict(), first, cells, stand])
    check(
        """const { spelled, standOf } = await load("rules.js");
        for (const [rules, first, cells, wanted] of given) {
          const found = standOf(spelled(cells, rules), rules, first);
          is(found && [found.cells, found.turn, found.status, found.winner, found.line], wanted);
          is(standOf(spelled(cells, rules) + "/", rules, first), null);
          const small = standOf(spelled(cells.toLowerCase(), rules), rules, first);
          is(small, /[XO]/.test(cells) ? null : found);
          is(standOf(spelled(cells, rules).replace(/^./, "XX"), rules, first), null);
        }""",
        cases,
    )


def test_a_move_in_the_middle_of_a_run_that_is_too_long_wins_only_with_overline() -> None:
    program = """
    const { played } = await load("rules.js");
    const cells = "XX.XXX" + ".".repeat(30);
    const rules = { rows: 6, columns: 6, k: 5, gravity: false, misere: false };
    const after = (overline) => played(cells, 2, "X", { ...rules, overline });
    show([after(true).winner, after(true).line, after(false).winner]);
    """
    assert shown(program) == ["X", [0, 1, 2, 3, 4], None]


def test_the_last_of_an_odd_number_of_moves_is_for_the_side_to_move() -> None:
    program = """
    const { Claim } = await load("proof.js");
    const claims = [{ kind: "cannot-win", side: "X", plies: null, nodes: [] }];
    each((misere, turn) => {
      const stand = { cells: "XXOO.....", turn };
      const rules = { rows: 3, columns: 3, k: 3, misere };
      return new Claim({ rules, claims, board: stand.cells }, 0).turnsLeft(stand);
    }, [[3, false, "X"], [2, false, "O"], [2, true, "X"], [3, true, "O"]]);
    """
    check(program)
