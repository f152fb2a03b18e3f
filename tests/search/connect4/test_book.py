"""Connect Four's opening book is complete, and agrees with itself and with our own proofs."""

import logging
import random
from collections.abc import Iterator
from importlib import resources, util
from pathlib import Path
from types import SimpleNamespace

import pytest

from bestmove.search.engines.connect4 import book
from bestmove.search.engines.connect4.kernel import DropKernel
from bestmove.search.engines.connect4.solver import DropSolver
from tests.search.connect4.test_solver import CONNECT_FOUR, bits, drop, from_digits, scattered
from tests.search.engines import task
from tests.support.needs import COMPILED
from tests.support.present import present

DATA = resources.files("bestmove.search.engines.connect4").joinpath("opening.bin").read_bytes()


def test_it_has_every_position_of_up_to_eight_discs() -> None:
    assert len(book.opening()) == 129_498
    assert len(DATA) <= 1_500_000
    level = {from_digits("")}
    for _ in range(4):
        assert all(book.opening().score(*bits(at)) is not None for at in level)
        level = {at.after(move) for at in level for move in at.moves if not at.wins(move)}


def test_scores_are_the_best_of_the_moves() -> None:
    opening = book.opening()
    for at in scattered(random.Random(31), 400, CONNECT_FOUR, 0, 8):
        own, mask = bits(at)
        score, moves = opening.score(own, mask), opening.moves(own, mask)
        image = bits(at.mirrored)
        assert opening.score(*image) == score
        if mask.bit_count() < book.DISCS:
            assert moves is None
            scores = []
            for move in at.moves:
                reply = opening.score(*bits(at.after(move)))
                wins = at.wins(move)
                assert wins or reply is not None
                scores.append((43 - mask.bit_count()) // 2 if wins else -(reply or 0))
            assert score == max(scores)
        else:
            assert moves is not None
            assert set(moves) == {move % 7 for move in at.moves}
            assert opening.moves(*image) == {6 - column: value for column, value in moves.items()}


@COMPILED
def test_moves_after_eight_discs_have_the_scores_that_we_prove() -> None:
    rng = random.Random(37)
    kernel = DropKernel(6, 7, 4)
    proven = 0
    for at in scattered(rng, 150, CONNECT_FOUR, book.DISCS, book.DISCS):
        moves = present(book.opening().moves(*bits(at)))
        column = rng.choice(list(moves))
        if at.wins(drop(at, column)):
            assert moves[column] == 17
            continue
        kernel.begin(None, 60_000)
        score = kernel.score(*bits(at.after(drop(at, column))))
        if score is not None:
            proven += 1
            assert moves[column] == -score
    assert proven >= 25


def test_positions_outside_the_book_have_no_entry() -> None:
    opening = book.opening()
    nine = bits(from_digits("444444332"))
    assert opening.score(*nine) is None
    assert opening.moves(*nine) is None
    assert opening.line(*nine) == []
    # All discs belong to one side: no game can reach this.
    assert opening.score(0, 0b11) is None


def test_a_file_cut_short_is_refused() -> None:
    with pytest.raises(ValueError, match="129498 positions does not have"):
        book.Book(DATA[:-1])


# -- the list of positions with 12 discs ----------------------------------------------------------


@COMPILED
def test_with_the_list_nine_to_eleven_discs_take_few_nodes() -> None:
    solver, plain = DropSolver(6, 7, 4), DropSolver(6, 7, 4, with_book=False)
    compared = 0
    for discs in (9, 10, 11):
        for at in scattered(random.Random(discs), 60, CONNECT_FOUR, discs, discs):
            every = solver.every(task(at, nodes=20_000, to_the_end=False))
            assert every.complete
            values = {move.pv[0]: move.value for move in every.found}
            short = plain.every(task(at, nodes=60_000, to_the_end=False))
            compared += len(short.found)
            assert {move.pv[0]: move.value for move in short.found}.items() <= values.items()
    assert compared >= 50


@pytest.fixture
def found(monkeypatch: pytest.MonkeyPatch) -> Iterator[dict[str, object]]:
    """Yield a dict. Only the packages in the dict count as installed."""
    at: dict[str, object] = {}
    monkeypatch.setattr(util, "find_spec", lambda name: at.get(name))
    book.twelve_discs.cache_clear()
    yield at
    book.twelve_discs.cache_clear()


@pytest.mark.usefixtures("found")
def test_without_the_list_everything_works_as_before() -> None:
    assert not book.twelve_discs()
    at = from_digits("335662333565")
    answer = present(DropSolver(6, 7, 4).best(task(at)))
    assert answer.exact


def test_a_list_of_another_version_is_not_used(
    found: dict[str, object], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "book_12ply_distances.dat").write_bytes(bytes(50))
    found["bitbully_databases"] = SimpleNamespace(origin=str(tmp_path / "__init__.py"))
    with caplog.at_level(logging.WARNING):
        assert not book.twelve_discs()
    assert "not that of version 0.0.2" in caplog.text
