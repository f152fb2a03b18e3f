"""What an analysis shows of what is known: the order of the moves, `complete` and the counts."""

from collections.abc import Iterable

import pytest

from bestmove.game import Board
from bestmove.search.curves import fitted
from bestmove.search.ledger import Ledger, order
from bestmove.search.results import Found, Moves
from bestmove.search.scores import MAX_ESTIMATE, WIN
from bestmove.search.symmetry import Symmetry

BOARD = Board.parse("X....O/", k=3)
"""Cells 1 to 4 are empty, and no two of them are symmetric."""

CURVE = fitted()[0][-1]

Claim = tuple[int, int, bool]
"""A move, its value and whether the value is proven."""


def listed(
    known: Iterable[Claim], choice: Claim | None = None, led: tuple[int, ...] = (), **bounded: bool
) -> list[Claim]:
    results = {claim[0]: result(claim) for claim in known}
    best = choice and result(choice)
    found = order(Symmetry(BOARD), CURVE, results, best, led, **bounded)
    return [(each.pv[0], each.value, each.exact) for each in found]


def result(claim: Claim) -> Found:
    move, value, is_exact = claim
    return Found(value, is_exact, (move,))


def won(move: int, plies: int) -> Claim:
    return move, WIN - plies, True


def lost(move: int, plies: int) -> Claim:
    return move, plies - WIN, True


def drawn(move: int) -> Claim:
    return move, 0, True


def guess(move: int, value: int) -> Claim:
    return move, value, False


@pytest.mark.parametrize(
    "best_first",
    [
        [won(4, 3), won(1, 5), guess(2, 900), guess(3, -900)],
        [guess(3, 5), drawn(4), guess(1, 0), guess(2, 0)],
        [drawn(2), guess(1, -3), lost(4, 4), lost(3, 2)],
    ],
)
def test_without_a_choice_the_best_comes_first_and_a_proof_before_an_equal_estimate(
    best_first: list[Claim],
) -> None:
    assert listed(sorted(best_first)) == best_first


def test_the_choice_comes_first_then_the_moves_searched_with_it_then_the_rest() -> None:
    known = [guess(1, 300), guess(2, 250), guess(3, 800)]
    choice = guess(4, 100)
    assert listed(known, choice) == [choice, guess(3, 99), guess(1, -401), guess(2, -451)]
    assert listed(known, choice, led=(1, 2)) == [choice, guess(1, 99), guess(2, 49), guess(3, 48)]
    known[0] = lost(1, 4)
    assert listed(known, choice, led=(1, 2)) == [choice, guess(2, 99), guess(3, 98), lost(1, 4)]


def test_a_presumed_win_does_not_lower_the_other_moves() -> None:
    known = [guess(1, MAX_ESTIMATE - 10), guess(2, 50), guess(3, -50)]
    choice = guess(4, 100)
    assert listed(known, choice) == [choice, guess(1, 99), guess(2, 50), guess(3, -50)]


@pytest.mark.parametrize(
    ("known", "choice", "best_first"),
    [
        ([drawn(1), won(2, 5), won(3, 5)], guess(4, 500), [won(2, 5), won(3, 5), guess(4, 500)]),
        ([drawn(1), drawn(2), guess(3, 9)], guess(4, 0), [drawn(1), drawn(2), guess(4, -1)]),
        ([drawn(1), lost(2, 4), guess(3, 9)], guess(4, 8), [guess(4, 8), guess(3, 7), drawn(1)]),
        ([guess(1, 5), lost(3, 2), lost(4, 4)], guess(3, 7), [guess(1, 5), lost(4, 4), lost(3, 2)]),
    ],
    ids=["the first of two wins", "a draw", "no proof is better", "the choice is refuted"],
)
def test_a_proof_comes_before_a_choice_of_less_worth(
    known: list[Claim], choice: Claim, best_first: list[Claim]
) -> None:
    assert listed(known, choice)[:3] == best_first


def test_a_proven_choice_comes_first_though_another_wins_sooner() -> None:
    assert listed([won(1, 3), guess(3, 900)], won(2, 7)) == [won(2, 7), won(1, 3), guess(3, 900)]


def test_if_a_depth_bounds_the_search_the_choice_comes_first_whatever_is_proven() -> None:
    known = [won(1, 3), drawn(2), guess(3, 10), drawn(4)]
    best_first = [guess(4, 8), guess(1, 7), guess(3, 7), drawn(2)]
    assert listed(known, guess(4, 8), is_bounded=True) == best_first
    known = [won(1, 3), drawn(2), lost(3, 2), drawn(4)]
    assert listed(known, guess(4, 8), is_bounded=True) == [known[i] for i in (0, 1, 3, 2)]


def test_if_the_choice_is_lost_every_move_is() -> None:
    known = [guess(1, 40), lost(2, 2), lost(4, 8)]
    assert listed(known, lost(3, 6)) == [lost(3, 6), lost(4, 8), lost(1, 6), lost(2, 2)]


@pytest.mark.parametrize(("move", "images"), [(12, 1), (0, 4), (2, 4), (1, 8)])
def test_a_move_counts_as_often_as_it_has_different_images(move: int, images: int) -> None:
    assert Symmetry(Board.empty(5, 5, 4)).count(Found(0, False, (move,))) == images


# What the ledger makes of the results that are entered into it.


@pytest.mark.parametrize(
    ("choice", "is_bounded", "are_alike", "complete"),
    [
        (won(1, 3), False, True, True),
        (won(1, 3), False, False, False),
        (guess(1, 300), False, True, False),  # the search for the best move was cut short
        (guess(1, 300), True, True, True),
        (guess(1, 300), True, False, False),
    ],
)
def test_an_analysis_is_complete_if_no_search_was_cut_short(
    choice: Claim, is_bounded: bool, are_alike: bool, complete: bool
) -> None:
    ledger = Ledger(Symmetry(BOARD), CURVE, is_bounded=is_bounded)
    ledger.choose(result(choice))
    ledger.learn([result(guess(move, 0)) for move in (2, 3, 4)], are_alike=are_alike)
    assert ledger.open_moves == [2, 3, 4]
    assert ledger.moves().complete == complete
    ledger.learn([result(drawn(move)) for move in (2, 3, 4)])
    assert not ledger.open_moves
    assert ledger.moves().complete == (choice[2] or is_bounded)


def test_what_is_proven_stays_and_no_count_falls() -> None:
    told: list[Moves] = []
    ledger = Ledger(Symmetry(BOARD), CURVE, told.append)
    ledger.report([result(won(1, 3))._replace(nodes=70), result(guess(2, 90))])
    ledger.report_best([result(guess(2, 40))._replace(nodes=9)])
    ledger.report([result(guess(1, 8)), result(won(2, 5)), result(drawn(3)), result(lost(4, 2))])
    ledger.report([result(won(1, 3))._replace(pv=(1, 4, 2)), result(won(2, 7))])
    ledger.report([result(won(1, 3))])
    first = [[found.pv[0] for found in moves.found[:2]] for moves in told]
    assert first == [[1, 2]] * 5
    assert [moves.found[0].pv for moves in told] == [(1,)] * 3 + [(1, 4, 2)] * 2
    assert [moves.found[1].value for moves in told] == [90, 40] + [WIN - 5] * 3
    assert [moves.found[0].nodes for moves in told] == [70] * 5
    assert [moves.complete for moves in told] == [False] * 2 + [True] * 3
    ledger.confirm()
    assert ledger.choice == result(won(2, 5))
