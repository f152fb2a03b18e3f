"""Gomoku's opening book: its contents, and how positions are found in it."""

import random

import pytest

from bestmove.game import Board
from bestmove.search.analysis import analyze, best_move
from bestmove.search.engine import Task, encoded
from bestmove.search.engines.gomoku import book
from bestmove.search.engines.gomoku.driver import Engine
from bestmove.search.limits import Limits
from bestmove.search.results import Analysis, BestMove
from bestmove.search.scores import MAX_ESTIMATE, expected_result
from tests.support.oracle import Game
from tests.support.present import present

NODES = 500
TWO = Board.from_moves("h8 i9", game="gomoku")


def swapped(cells: bytes) -> bytes:
    return cells.translate(bytes([0, 2, 1]).ljust(256))


def moved(cells: bytes, image: list[int]) -> bytes:
    result = bytearray(len(cells))
    for cell, mark in enumerate(cells):
        result[image[cell]] = mark
    return bytes(result)


def after(cells: bytes, move: int) -> int:
    """The name of the position after a move, which all its images share."""
    own = [cell for cell, mark in enumerate(cells) if mark == 1]
    return book.name([*own, move], [cell for cell, mark in enumerate(cells) if mark == 2])[0]


def some(count: int) -> list[bytes]:
    """Random positions of the book, with 1 to move."""
    names = list(book.opening().names)
    return [book.position(name) for name in random.Random(count).sample(names, count)]


def test_every_entry_is_an_estimate_of_an_unfinished_position() -> None:
    opening, game = book.opening(), Game(15, 15, 5)
    assert 0 < len(opening) * 12 < 200_000
    assert list(opening.names) == sorted(set(opening.names))
    for place, name in enumerate(opening.names):
        cells = book.position(name)
        marks = present(book.sides(cells, 1))
        assert book.name(*marks)[0] == name
        assert not game.has_line(sum(1 << cell for cell in marks[0]))
        assert not game.has_line(sum(1 << cell for cell in marks[1]))
        entry = opening.entry(place)
        assert opening.find(cells, 1) is not None
        assert cells[entry.move] == 0
        assert abs(entry.value) < MAX_ESTIMATE
        assert entry.depth > 0


def test_a_name_says_which_position_it_is() -> None:
    rng = random.Random(1)
    for count in range(1, book.MARKS + 1):
        marks = rng.sample(range(225), count)
        own, other = marks[: count // 2], marks[count // 2 :]
        name, image = book.name(own, other)
        again = present(book.sides(book.position(name), 1))
        assert again[0] == sorted(image[cell] for cell in own)
        assert again[1] == sorted(image[cell] for cell in other)
        for symmetry in book.images():
            assert book.name((symmetry[c] for c in own), (symmetry[c] for c in other))[0] == name


def test_all_images_and_both_colours_have_the_same_answer() -> None:
    opening = book.opening()
    for cells in some(60):
        known = present(opening.find(cells, 1))
        for image in book.images():
            there = moved(cells, image)
            told = present(opening.find(there, 1))
            assert told[1:] == known[1:]
            assert opening.find(swapped(there), 2) == told
            # If the position is symmetric, this may be another image of the move.
            assert after(there, told.move) == after(cells, known.move)


def test_positions_outside_the_opening_are_not_found() -> None:
    opening = book.opening()
    cells, _ = encoded(TWO.cells, TWO.turn)
    assert opening.find(cells, 1) is not None
    assert opening.find(bytes(225), 1) is None
    more = bytearray(cells)
    more[0] = more[14] = 2
    assert opening.find(bytes(more), 1) is None  # 2 has too many marks
    nine = bytes([1, 2] * 4 + [1] + [0] * 216)
    assert opening.find(nine, 2) is None
    with pytest.raises(ValueError, match="13 bytes"):
        book.Book(bytes(13))


def test_a_line_follows_the_book_to_its_last_position() -> None:
    for cells in some(30):
        board, to_move = bytearray(cells), 1
        line = Engine(15, 15, 5, 4).search(Task(cells, 1, from_book=True)).pv
        for move in line:
            known = present(book.opening().find(bytes(board), to_move))
            assert known.move == move
            board[move] = to_move
            to_move = 3 - to_move
        assert book.opening().find(bytes(board), to_move) is None


def test_another_game_and_another_board_are_searched() -> None:
    four, exactly, lower = (
        Engine(15, 15, 4, 10),
        Engine(15, 15, 5, 10, overline=False),
        Engine(14, 15, 5, 10),
    )
    cells, to_move = encoded(TWO.cells, TWO.turn)
    for engine, board in ((four, cells), (exactly, cells), (lower, cells[15:])):
        assert engine.search(Task(board, to_move, nodes=NODES, from_book=True)).nodes > 1


def test_the_library_answers_from_the_book_in_every_image() -> None:
    board = TWO
    known = present(book.opening().find(*encoded(board.cells, board.turn)))
    seen: list[BestMove] = []
    answer = best_move(board, Limits(time_ms=60_000, threads=2), seen.append)
    assert [one.move for one in seen] == [answer.move]
    assert (answer.search.nodes, answer.search.depth, answer.search.threads) == (1, known.depth, 1)
    assert answer.score == expected_result(known.value)
    assert best_move(board, Limits(time_ms=60_000, in_game=True)).move == answer.move
    assert not answer.exact
    # Of moves that are images of each other, the one with the lowest index is played.
    flipped = Board.from_moves("h8 g7", game="gomoku")
    image = best_move(flipped, Limits(time_ms=60_000))
    assert (image.score, image.search.depth) == (answer.score, answer.search.depth)
    assert best_move(board, Limits(level=9, seed=1)).search.nodes > 1


def test_the_move_of_the_book_leads_an_analysis() -> None:
    board = TWO
    best = best_move(board, Limits(time_ms=100))
    seen: list[Analysis] = []
    for limits in (Limits(time_ms=100), Limits(seed=1, time_ms=20, lines=3)):
        analysis = analyze(board, limits, seen.append)
        assert analysis.moves[0].index == best.move
        assert analysis.moves[0].score == best.score
        assert analysis.moves[1].score <= best.score
        assert len(analysis.moves) == 223
    assert seen
