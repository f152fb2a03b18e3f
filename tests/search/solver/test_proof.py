"""The exact solver: known results, wins against every defence, and a proof's budget."""

import random

import pytest

from bestmove import Board, Limits, best_move
from bestmove.search.engine import Task
from bestmove.search.engines.solver import proof
from bestmove.search.results import Found
from bestmove.search.scores import WIN
from tests.search.engines import task
from tests.support.needs import COMPILED
from tests.support.oracle import Game, Position
from tests.support.present import present


@pytest.mark.parametrize(
    ("text", "plies"),
    [
        (".X.../O..X./X..O./...../X..../.O...", 17),
        ("...X./...../O..X./....X/..O../.....", 10),
    ],
)
def test_no_defence_lasts_longer_than_a_bound_that_was_found_late(text: str, plies: int) -> None:
    board, limits = Board.parse(text, k=4), Limits(time_ms=None, nodes=2_000_000)
    answer = best_move(board, limits)
    assert answer.plies == plies == len(answer.pv)
    if answer.outcome == "win":
        assert answer.move is not None
        board, plies = board.play(answer.move), plies - 1
    replies = [best_move(board.play(move), limits) for move in board.moves]
    assert {reply.outcome for reply in replies} == {"win"}
    assert max(reply.plies or 0 for reply in replies) < plies


def test_a_move_still_prevents_quick_wins_after_a_longer_search_found_a_win() -> None:
    shape, attacker, defender = (4, 4, 3), 1, 2
    cells = bytes([attacker, *bytes(15)])
    solver, fresh = proof.Solver(*shape, 16), proof.Solver(*shape, 16)
    solver.consult(Task(cells, defender))
    assert solver.holding_move(cells, defender, 10) is None
    for plies in (4, 6):
        move = solver.holding_move(cells, defender, plies)
        assert move is not None
        after = bytes([*cells[:move], defender, *cells[move + 1 :]])
        fresh.consult(Task(after, attacker))
        assert fresh.winning_move(after, attacker, plies - 1) is None


@pytest.mark.slow
def test_strategy_stealing_is_right() -> None:
    rng = random.Random(9)
    stolen = 0
    for _ in range(4000):
        rows, columns = rng.randint(1, 4), rng.randint(2, 4)
        game = Game(rows, columns, rng.randint(2, max(rows, columns)))
        searcher = proof.Solver(*game.shape, 4)
        # The two sides' marks mirror each other, but the side to move may have one mark more.
        image = rng.choice(searcher._symmetries).image
        own = other = 0
        for cell in rng.sample(range(game.size), rng.randint(0, game.size // 2)):
            if image[cell] != cell and not (own | other) & (1 << cell | 1 << image[cell]):
                own |= 1 << cell
                other |= 1 << image[cell]
        for cell in rng.sample(range(game.size), rng.randint(0, 1)):
            own |= 1 << cell & ~other
        if game.size - (own | other).bit_count() not in range(1, 9):
            continue
        if game.has_line(own) or game.has_line(other):
            continue
        if searcher._mirrors(own, other):
            stolen += 1
            assert game.value(own, other) >= 0
    assert stolen > 300


@pytest.mark.slow
@COMPILED
def test_a_claimed_win_holds_against_every_defence() -> None:
    rng = random.Random(3)
    claims = 0
    while claims < 12:
        shape = rng.choice([(6, 6, 4), (5, 6, 4), (7, 7, 4), (8, 8, 5), (5, 12, 4)])
        game = Game(*shape)
        at = game.random_position(rng, game.size - rng.randrange(4, 16, 2))
        if at is None:
            continue
        searcher = proof.Solver(*shape, 16)
        found = searcher.best(task(at, nodes=20_000))
        if found is None or found.value <= 0 or len(found.pv) > 7:
            continue
        claims += 1
        play_out(searcher, at, found)


def play_out(searcher: proof.Solver, at: Position, found: Found) -> None:
    assert WIN - found.value == len(found.pv)
    if len(found.pv) == 1:
        assert at.wins(found.pv[0])
        return
    after = at.after(found.pv[0])
    for reply in after.moves:
        assert not after.wins(reply)
        then = after.after(reply)
        answer = present(searcher.best(task(then, nodes=200_000)))
        assert answer.value > 0
        assert len(answer.pv) <= len(found.pv) - 2
        play_out(searcher, then, answer)


def test_easy_moves_are_proven_within_few_nodes() -> None:
    at = Position.of(
        Game(7, 8, 4), "XXX..... ........ ........ ...O.... ....O... ........ ........"
    )
    answers = proof.Solver(7, 8, 4).every(Task(at.cells, 1, nodes=30_000)).found
    assert [found.pv[0] for found in answers if found.value > 0] == [3]


def test_the_nodes_for_a_proof_fall_with_the_size_of_the_task() -> None:
    assert proof.nodes_for_proof(15, 15, 5, 225, 1000) == 0
    small = proof.nodes_for_proof(5, 5, 4, 25, 1000)
    large = proof.nodes_for_proof(8, 8, 5, 64, 1000)
    late = proof.nodes_for_proof(8, 8, 5, 52, 1000)
    assert small > late > large > 0
    assert proof.nodes_for_proof(8, 8, 5, 53, 1000) == large
    # Only k = 5 on more than 49 cells is hard to prove.
    for easy in ((7, 7, 5, 49), (5, 10, 4, 50), (8, 8, 6, 64)):
        assert proof.nodes_for_proof(*easy, 1000) == small
    assert proof.nodes_for_proof(5, 5, 4, 25, 500) == small // 2
    # On small boards, the number of nodes does not depend on the time.
    assert proof.nodes_for_proof(4, 5, 4, 20, 1) == proof.nodes_for_proof(4, 5, 4, 20, 60_000) > 0
