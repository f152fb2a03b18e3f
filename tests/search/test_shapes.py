"""`threats` finds the same threats as a program that tries every cell."""

import random
from collections.abc import Iterator

import pytest

from bestmove.answers import Threat
from bestmove.game import EMPTY, Board, Rules, other
from bestmove.game.geometry import cells_with
from bestmove.search.shapes import KINDS, threats
from tests.support.needs import THIRDS
from tests.support.oracle import EVERY_RULE, Switches
from tests.support.positions import random_board

Shape = tuple[str, list[int], list[int]]
"""A threat: its kind, the cells of its marks, and the cells that stop it."""

Four = tuple[int, frozenset[int]]
"""The direction and the marks of a line that lacks a mark, or of a three that can become one."""


def filled(cells: str, mark: str) -> Iterator[tuple[int, str]]:
    """Yield each empty cell, and the cells after a mark there."""
    for cell, held in enumerate(cells):
        if held == EMPTY:
            yield cell, cells[:cell] + mark + cells[cell + 1 :]


def fours(rules: Rules, cells: str, mark: str) -> dict[Four, set[int]]:
    """Map each four (its direction and marks) to the cells that complete a line."""
    found: dict[Four, set[int]] = {}
    for gap, after in filled(cells, mark):
        for line in rules.geometry.full_lines(cells_with(after, mark)):
            if gap in line.cells:
                rest = frozenset(line.cells) - {gap}
                found.setdefault((line.cells[1] - line.cells[0], rest), set()).add(gap)
    return found


def threes(rules: Rules, cells: str, mark: str) -> set[Four]:
    """Return each shape (its direction and marks) that one move can turn into an open four."""
    return {
        (step, marks - {cell})
        for cell, after in filled(cells, mark)
        for (step, marks), gaps in fours(rules, after, mark).items()
        if len(gaps) > 1 and cell in marks and len(marks) > 1
    }


def by_trying(rules: Rules, cells: str, mark: str) -> list[Shape]:
    found: list[Shape] = [
        ("open-four" if len(gaps) > 1 else "four", sorted(marks), sorted(gaps))
        for (_, marks), gaps in fours(rules, cells, mark).items()
    ]
    if open_threes := threes(rules, cells, mark):
        left = {cell: threes(rules, after, mark) for cell, after in filled(cells, other(mark))}
        for three in open_threes:
            answers = [cell for cell in left if three not in left[cell]]
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
        rows, columns = rng.randint(1, 6), rng.randint(3, 8)
        k = rng.randint(2, min(5, max(rows, columns)))
        board = random_board(rng, rows, columns, k, rng.randrange(rows * columns), **switches)
        rules = board.rules
        found = threats(board)
        for mark in "XO":
            told = as_shapes(found[mark])
            kinds |= {kind for kind, _, _ in told}
            assert sorted(told) == sorted(by_trying(rules, board.cells, mark)), (board, mark)


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
