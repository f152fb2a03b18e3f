"""The program that makes and mends gomoku's opening book."""

import sys
from pathlib import Path

from benchmarks.engine import gomoku_book
from bestmove.game import Board
from bestmove.search.engine import encoded
from bestmove.search.engines.gomoku import book
from tests.support.documents import ROOT
from tests.support.programs import run

NODES = 500
TWO = Board.from_moves("h8 i9", game="gomoku")


def test_a_bad_move_is_replaced_and_the_new_value_carried_back() -> None:
    marks = book.sides(*encoded(TWO.cells, TWO.turn))
    assert marks is not None
    name, _ = book.name(*marks)
    corner = book.Entry(move=0, value=500, depth=9)
    better = gomoku_book.reviewed(name, corner, NODES)
    assert better.move != corner.move
    assert gomoku_book.reviewed(name, better, NODES) == better
    following = gomoku_book.after(name, better.move)
    settled = gomoku_book.settled({name: better, following: book.Entry(0, -77, 5)})
    assert settled[name] == book.Entry(better.move, 77, 6)


def test_the_program_makes_a_book(tmp_path: Path) -> None:
    target = tmp_path / "opening.bin"
    limits = ["--nodes", "100", "--positions", "300", "--minutes", "1", "--workers", "1"]
    command = [sys.executable, "-m", "benchmarks.engine.gomoku_book", *limits]
    done = run(*command, "--target", target, cwd=ROOT)
    made = book.Book(target.read_bytes())
    assert f"\n{len(made):,} positions, {12 * len(made):,} bytes, longest line" in done.stdout
    counts = [sum(map(bool, book.position(name))) for name in made.names]
    assert counts.count(1) >= 10  # one mark near the middle, symmetric ones counted once
    middle = bytearray(225)
    middle[112] = 2
    assert 0 < len(made.line(bytes(middle), 1)) <= book.MARKS
