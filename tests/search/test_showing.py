"""How boards and answers look in an interactive Python session and in a notebook."""

from xml.etree import ElementTree

import pytest

import bestmove
from bestmove import Analysis, BestMove, Board, Limits, analyze, best_move
from bestmove.bots import Engine
from bestmove.client import Bot

QUICK = Limits(time_ms=None, nodes=500)
SVG = "{http://www.w3.org/2000/svg}"


def drawn(html: str) -> ElementTree.Element:
    return ElementTree.fromstring(html.partition("<p>")[0])


def caption(answer: BestMove | Analysis) -> str:
    return answer._repr_html_().partition("<p>")[2]


def texts(html: str) -> list[str]:
    return ["".join(text.itertext()) for text in drawn(html).iter(f"{SVG}text")]


def highlighted(html: str) -> int:
    return len(list(drawn(html).iter(f"{SVG}rect")))


def test_a_board_is_drawn_with_its_marks_its_numbers_and_its_winning_line() -> None:
    html = Board.parse("XXX.O.O..")._repr_html_()
    picture = drawn(html)
    assert picture.get("aria-label") == "XXX.O.O.."
    _, crosses, circles = (path.get("d", "") for path in picture.iter(f"{SVG}path"))
    assert (crosses.count("M"), circles.count("M")) == (3, 2)
    assert texts(html) == ["3", "2", "1", "a", "b", "c"]
    assert highlighted(html) == 3


def test_the_largest_board_is_a_small_picture() -> None:
    rows = ["XXOO" * 5, "OOXX" * 5] * 10
    assert len(Board.parse(rows, k=20)._repr_html_()) < 30_000


def test_a_best_move_prints_its_board_and_its_reason() -> None:
    answer = best_move(Board.parse("XX.OO...."))
    assert str(answer) == (
        "X X X\nO O .\n. . .\nX plays c3: wins in 1.\nc3 completes the line a3, b3 and c3 and wins."
    )
    assert highlighted(answer._repr_html_()) == 3
    assert caption(answer).startswith("X plays c3: wins in 1. c3")


def test_what_a_session_shows_of_answers_is_a_line() -> None:
    board = Board.parse("XX.OO....")
    assert repr(best_move(board)) == "<BestMove: X plays c3: wins in 1>"
    assert repr(analyze(board)) == "<Analysis: 5 moves, the best c3: wins in 1>"
    assert repr(Bot(Engine(), "X", level=3)) == "Bot(Engine(), 'X', level=3)"


def test_a_session_completes_the_public_names() -> None:
    assert dir(bestmove) == bestmove.__all__


def test_an_analysis_prints_a_line_for_each_move_and_draws_each_result() -> None:
    analysis = analyze(Board.parse("XXO.O.X.."))
    assert str(analysis).splitlines() == [
        "X X O",
        ". O .",
        "X . .",
        "a2: draw",
        "c2: loses in 1",
        "b1: loses in 1",
        "c1: loses in 1",
    ]
    html = analysis._repr_html_()
    assert texts(html)[6:] == ["draw", "loss", "loss", "loss"]
    assert highlighted(html) == 1
    assert caption(analysis).startswith("O to move")


def test_estimates_are_those_of_the_side_to_move() -> None:
    board = Board.from_moves("h8 i9 h9", game="gomoku")
    answer = best_move(board, QUICK)
    assert not answer.exact
    assert f"estimate {-answer.score:+.2f}." in str(answer)
    analysis = analyze(board, QUICK)
    assert f"{-analysis.moves[0].score:+.2f}" in texts(analysis._repr_html_())
    assert f"estimate {-analysis.moves[0].score:+.2f}" in str(analysis)


@pytest.mark.parametrize(
    ("cells", "ending"),
    [("XXXOO....", "X has won."), ("XXOOOXXOX", "A draw: the board is full.")],
)
def test_a_finished_game_prints_how_it_ended(cells: str, ending: str) -> None:
    board = Board.parse(cells)
    for answer in (best_move(board), analyze(board)):
        assert str(answer).splitlines()[3:] == [ending]
        assert caption(answer) == f"{ending}</p>"
        assert repr(answer) == f"<{type(answer).__name__}: {ending.removesuffix('.')}>"
