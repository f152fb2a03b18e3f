"""The book of the opening: whole, consistent with itself and with our own proofs."""

from __future__ import annotations

import random
from importlib import resources

import pytest

from bestmove.search.connect4 import book
from bestmove.search.connect4.kernel import Kernel
from bestmove.search.connect4.solver import Solver
from tests.search.connect4.slow import Columns, Oracle, cells, dropped, from_digits, scattered
from tests.search.connect4.test_kernel import bits
from tests.support.needs import COMPILED

DATA = resources.files("bestmove.search.connect4").joinpath("opening.bin").read_bytes()


def test_it_has_every_position_of_up_to_eight_discs() -> None:
    assert len(book.opening()) == 129_498
    assert len(DATA) <= 1_500_000
    level: set[Columns] = {("",) * 7}
    oracle = Oracle(6, 7, 4)
    for _ in range(5):
        assert all(book.opening().score(*bits(position, 6)) is not None for position in level)
        after = {(dropped(p, c), c) for p in level for c in range(7) if len(p[c]) < 6}
        level = {position for position, column in after if not oracle.completes(position, column)}


def test_scores_are_the_best_of_the_moves() -> None:
    rng = random.Random(31)
    oracle, opening = Oracle(6, 7, 4), book.opening()
    tried = 0
    while tried < 400:
        position = scattered(rng, oracle, rng.randint(0, 8))
        if position is None:
            continue
        tried += 1
        own, mask = bits(position, 6)
        score = opening.score(own, mask)
        moves = opening.moves(own, mask)
        image = bits(position[::-1], 6)
        assert opening.score(*image) == score
        if mask.bit_count() < book.DISCS:
            assert moves is None
            scores = []
            for column in range(7):
                after = dropped(position, column)
                left = 42 - mask.bit_count()
                if oracle.completes(after, column):
                    scores.append((left + 1) // 2)
                else:
                    reply = opening.score(*bits(after, 6))
                    assert reply is not None
                    scores.append(-reply)
            assert score == max(scores)
        else:
            assert moves is not None
            assert set(moves) == {c for c in range(7) if len(position[c]) < 6}
            flipped = opening.moves(*image)
            assert flipped == {6 - column: value for column, value in moves.items()}


@COMPILED
def test_moves_of_eight_discs_are_as_we_prove_them() -> None:
    rng = random.Random(37)
    oracle, opening = Oracle(6, 7, 4), book.opening()
    kernel = Kernel(6, 7, 4)
    proven = 0
    for _ in range(150):
        position = scattered(rng, oracle, book.DISCS)
        if position is None:
            continue
        moves = opening.moves(*bits(position, 6))
        assert moves is not None
        column = rng.choice(list(moves))
        after = dropped(position, column)
        if oracle.completes(after, column):
            assert moves[column] == 17
            continue
        kernel.begin(None, 60_000)
        score = kernel.score(*bits(after, 6))
        if score is not None:
            proven += 1
            assert moves[column] == -score
    assert proven >= 25


@COMPILED
def test_lines_go_on_with_best_play() -> None:
    rng = random.Random(41)
    oracle, opening = Oracle(6, 7, 4), book.opening()
    solver, plain = Solver(6, 7, 4), Kernel(6, 7, 4)
    followed = checked = 0
    while followed < 15:
        position = scattered(rng, oracle, book.DISCS)
        if position is None:
            continue
        line = opening.line(*bits(position, 6))
        found = solver.solve(cells(position, 6), 1)
        assert found is not None
        if len(line) < 3:
            continue
        followed += 1
        assert tuple(index % 7 for index in found.pv[1:4]) == tuple(line)
        score = opening.score(*bits(position, 6))
        for column in (found.pv[0] % 7, *line):
            position = dropped(position, column)
        plain.begin(None, 200_000)
        proven = plain.score(*bits(position, 6))
        checked += proven is not None
        assert proven in (None, score)
    assert checked >= 5


def test_what_is_not_in_the_book() -> None:
    opening = book.opening()
    nine = bits(from_digits("444444332"), 6)
    assert opening.score(*nine) is None
    assert opening.moves(*nine) is None
    assert opening.line(*nine) == []
    # All discs of one side: no game leads there.
    assert opening.score(0, 0b11) is None


def test_a_file_cut_short_is_refused() -> None:
    with pytest.raises(ValueError, match="129498 positions does not have"):
        book.Book(DATA[:-1])
