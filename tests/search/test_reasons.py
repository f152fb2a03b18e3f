"""The reason that an answer gives for its move is true on the board."""

import re

import pytest
from hypothesis import given, settings

from bestmove import Board, Limits, Rules, best_move
from bestmove.answers import BestMove
from bestmove.game import PRESETS
from bestmove.words import soon
from tests.game.test_notation import boards
from tests.support import oracle, tictactoe


def wins_at_once(board: Board, mark: str, cells: str | None = None) -> set[int]:
    text = cells or board.cells
    width, k = board.rules.columns, board.rules.k
    return {
        at
        for at, held in enumerate(text)
        if held == "."
        and mark in oracle.winners(oracle.cells_of(text[:at] + mark + text[at + 1 :], width), k)
    }


def replay(board: Board, answer: BestMove) -> None:
    assert board.turn is not None
    me, move = board.turn, answer.move.index
    opponent = {"X": "O", "O": "X"}[me]
    mine = board.cells[:move] + me + board.cells[move + 1 :]
    theirs = board.cells[:move] + opponent + board.cells[move + 1 :]
    claim = {
        "wins": move in wins_at_once(board, me),
        "blocks": move in wins_at_once(board, opponent),
        "forks": len(wins_at_once(board, me, mine)) > 1
        and not wins_at_once(board, opponent, mine)
        and answer.outcome == "win",
        "blocks-fork": len(wins_at_once(board, opponent, theirs)) > 1,
        "forces-win": answer.exact and answer.outcome == "win",
        "holds-draw": answer.exact and answer.outcome == "draw",
        "delays-loss": answer.exact and answer.outcome == "loss",
        "only-move": board.moves == (move,),
        "best-estimate": not answer.exact,
    }
    assert claim[answer.reason.code], (board, answer)
    assert answer.move.name in re.findall(r"\w+", answer.reason.text)
    assert answer.reason.text.endswith(".")
    if wins_at_once(board, me):
        assert answer.reason.code == "wins"


@pytest.mark.parametrize(
    ("text", "move", "code", "sentence"),
    [
        ("XX.OO....", 2, "wins", "c3 completes the line a3, b3 and c3 and wins."),
        ("./", 0, "wins", "a1 completes the line a1 and wins."),
        ("XX..O....", 2, "blocks", "X would have won on c3."),
        ("XOX.O....", 7, "blocks", "O would have won on b1."),
        (
            "XXOO.....",
            4,
            "forks",
            "b2 makes two threats at once: b1 and c1 would each win, and only one can be blocked.",
        ),
        ("XO..X...O", 3, "forks", "makes two threats at once"),
        (
            "XOX......",
            4,
            "blocks-fork",
            "X on b2 would have made two threats at once, on a1 and c1.",
        ),
        ("X..O.....", 1, "forces-win", "X wins in 3 with b3."),
        ("XO.X.....", 6, "delays-loss", "Every move loses; a1 loses in 2."),
        ("X........", 4, "holds-draw", "With best play it is a draw, and b2 holds it."),
        ("X...O...X", 1, "holds-draw", "and b3 holds it."),
        ("XOXXOOOX.", 8, "only-move", "c1 is the only empty cell."),
    ],
)
def test_the_reason_is_the_one_that_a_player_would_give(
    text: str, move: int, code: str, sentence: str
) -> None:
    board = Board.parse(text, k=1 if text == "./" else 3)
    answer = best_move(board)
    assert (answer.move, answer.reason.code) == (move, code)
    assert sentence in answer.reason.text
    replay(board, answer)


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        (Rules(4, 5, 4), "in 5"),
        (Rules(15, 15, 5), "in at most 5"),
        (PRESETS["connect-four"].rules, "in 5"),
        (Rules(5, 5, 4, misere=True), "in 5"),
    ],
    ids=str,
)
def test_a_distance_is_a_bound_only_on_larger_boards_of_gomoku(rules: Rules, words: str) -> None:
    assert soon(rules, 9, wins=True) == words
    assert soon(rules, 1, wins=True) == "in 1"


def test_every_3x3_reason_is_true() -> None:
    seen: set[str] = set()
    for text in tictactoe.open_positions():
        board = Board(text)
        answer = best_move(board)
        replay(board, answer)
        seen.add(answer.reason.code)
    assert seen == {
        *("wins", "blocks", "forks", "blocks-fork"),
        *("forces-win", "holds-draw", "delays-loss", "only-move"),
    }


@settings(max_examples=150)
@given(boards(max_side=6))
def test_reasons_are_true_on_other_boards(board: Board) -> None:
    if not board.is_over:
        replay(board, best_move(board, Limits(nodes=2_000, time_ms=None)))


def test_a_level_says_that_it_is_weaker_only_of_a_move_that_it_did_not_find_best() -> None:
    def reasons_of(board: str, level: int) -> set[str]:
        answers = (best_move(Board.parse(board), Limits(level=level, seed=n)) for n in range(40))
        return {answer.reason.code for answer in answers if answer.reason}

    assert reasons_of("XOXXOOOX.", 3) == {"only-move"}
    assert reasons_of("XX.OO....", 5) == {"wins"}
    assert reasons_of("XX..O....", 9) == {"blocks"}
    assert reasons_of("XX..O....", 1) == {"blocks", "weakened"}
    assert reasons_of("X........", 1) == {"holds-draw", "weakened"}
    assert (
        "Level 1 chose" in best_move(Board.parse("XX.OO...."), Limits(level=1, seed=3)).reason.text
    )
