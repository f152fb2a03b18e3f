"""`threats` finds the same threats as a program that tries every cell."""

import random

import pytest

from bestmove.answers import Threat
from bestmove.game import EMPTY, Board, Rules, X, other
from bestmove.game.bitboard import bits_of
from bestmove.search.shapes import KINDS, threats
from tests.support.needs import THIRDS
from tests.support.oracle import EVERY_RULE, Switches
from tests.support.positions import random_board

Shape = tuple[str, list[int], list[int]]
"""A threat: its kind, the cells of its marks, and the cells that stop it."""


def fours(rules: Rules, cells: str, mark: str) -> dict[tuple[int, frozenset[int]], set[int]]:
    """Map each four (its direction and marks) to the cells that complete a line."""
    found: dict[tuple[int, frozenset[int]], set[int]] = {}
    for line in rules.lines:
        for gap in line:
            rest = frozenset(line) - {gap}
            if cells[gap] != EMPTY or any(cells[cell] != mark for cell in rest):
                continue
            x, o, _ = bits_of(cells[:gap] + mark + cells[gap + 1 :], rules.columns)
            if line in rules.full_lines(x if mark == X else o):
                found.setdefault((line[1] - line[0], rest), set()).add(gap)
    return found


def open_fours(rules: Rules, cells: str, mark: str) -> set[tuple[int, frozenset[int]]]:
    return {key for key, gaps in fours(rules, cells, mark).items() if len(gaps) > 1}


def fours_to_be(rules: Rules, cells: str, mark: str) -> set[tuple[int, frozenset[int]]]:
    """Return each shape (its direction and marks) that one move can turn into an open four."""
    found = set()
    for cell in range(rules.size):
        if cells[cell] == EMPTY:
            after = cells[:cell] + mark + cells[cell + 1 :]
            found |= {
                (step, marks - {cell})
                for step, marks in open_fours(rules, after, mark)
                if cell in marks and len(marks) > 1
            }
    return found


def by_trying(rules: Rules, cells: str, mark: str) -> list[Shape]:
    found: list[Shape] = [
        ("open-four" if len(gaps) > 1 else "four", sorted(marks), sorted(gaps))
        for (_, marks), gaps in fours(rules, cells, mark).items()
    ]
    for three in fours_to_be(rules, cells, mark):
        answers = [
            cell
            for cell in range(rules.size)
            if cells[cell] == EMPTY
            and three
            not in fours_to_be(rules, cells[:cell] + other(mark) + cells[cell + 1 :], mark)
        ]
        found.append(("open-three", sorted(three[1]), answers))
    return found


def as_shapes(found: tuple[Threat, ...]) -> list[Shape]:
    return [(threat.kind, sorted(threat.cells), sorted(threat.open)) for threat in found]


@THIRDS
@pytest.mark.parametrize("switches", EVERY_RULE, ids=repr)
def test_all_threats_are_found_and_no_others(switches: Switches, third: int) -> None:
    rng = random.Random(f"{switches} {third}")
    kinds: set[str] = set()
    tried = 0
    while (tried := tried + 1) < 16 or kinds != set(KINDS):
        rows, columns = rng.randint(1, 6), rng.randint(3, 6)
        k = rng.randint(2, min(5, max(rows, columns)))
        board = random_board(rng, rows, columns, k, rng.randrange(rows * columns), **switches)
        rules = board.rules
        found = threats(board)
        for mark in "XO":
            told = as_shapes(found[mark])
            kinds |= {kind for kind, _, _ in told}
            assert sorted(told) == sorted(by_trying(rules, board.cells, mark)), (board, mark)


@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ("..XXX...", [("open-three", [2, 3, 4], [1, 5])]),
        (".XXX..", [("open-three", [1, 2, 3], [0, 4, 5])]),
        (".X.XX..", [("open-three", [1, 3, 4], [0, 2, 5])]),
        (".XXX.O", []),
        ("XXXX..", [("four", [0, 1, 2, 3], [4])]),
        (".XXXX.", [("open-four", [1, 2, 3, 4], [0, 5])]),
        ("X.XXX.X", [("four", [0, 2, 3, 4], [1]), ("four", [2, 3, 4, 6], [5])]),
        ("OXXXX.", [("four", [1, 2, 3, 4], [5])]),
        ("OXXXXO", []),
    ],
)
def test_the_shapes_of_five_in_a_row(row: str, expected: list[Shape]) -> None:
    assert as_shapes(threats(with_row(row))[X]) == expected


def with_row(row: str) -> Board:
    """Return a board with this row at the top. Below, O gets marks until both have equally many."""
    columns = len(row)
    missing = row.count("X") - row.count("O")
    below = [
        "." * columns,
        *(("." * (number % 2) + "O").ljust(columns, ".") for number in range(missing)),
    ]
    cells = row + "".join(below)
    return Board(cells, Rules(len(below) + 1, columns, 5))


def test_a_cell_that_cannot_be_played_yet_is_open_too() -> None:
    board = Board.parse("......./......./......./......./OOO..../XXX....", k=4, gravity=True)
    assert [threat.to_dict() for threat in threats(board)["O"]] == [
        {"kind": "four", "cells": [28, 29, 30], "open": [31]}
    ]
    assert 31 not in board.moves


def test_a_game_that_is_over_has_no_threats() -> None:
    assert threats(Board.parse("XXXOO....")) == {"X": (), "O": ()}
    assert threats(Board.parse("XX.OO....")) == {
        "X": (Threat("four", (0, 1), (2,)),),
        "O": (Threat("four", (3, 4), (5,)),),
    }
    assert threats(Board.empty(4, 4, 1)) == {"X": (), "O": ()}
