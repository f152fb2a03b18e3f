"""What commands show on terminals of 60×24 and 100×30 characters."""

import pytest

from bestmove.cli import drawing
from bestmove.game import Board
from tests.cli.terminal import Terminal
from tests.support.servers import BESTMOVE

SMALL, LARGE = (60, 24), (100, 30)
GOMOKU = ("--game", "gomoku", "--moves", "h8 i9 h9", "--depth", "1")


def screen(*command: str, size: tuple[int, int], code: int = 0) -> list[str]:
    """Return the lines that a command shows. Each must fit the terminal's width."""
    with Terminal(BESTMOVE, *command, size=size) as terminal:
        assert terminal.wait() == code
        lines = [line.rstrip() for line in terminal.screen()]
    assert max(map(len, lines)) <= size[0]
    return lines


def test_an_analysis_is_below_the_board_or_beside_it() -> None:
    below = screen("analyze", *GOMOKU, size=SMALL)
    assert below[0].split() == list("abcdefghijklmno")
    assert below[15].startswith(" 1  . . . . .")
    assert "result for O" in below[17]
    beside = screen("analyze", *GOMOKU, size=LARGE)
    assert beside[1].startswith("15  . . . . .")
    assert "result for O" in beside[1]
    assert "and 212 more: --top 222 lists them all" in beside
    assert len(beside) <= LARGE[1]


@pytest.mark.parametrize("size", [SMALL, LARGE])
def test_a_suggestion_fits(size: tuple[int, int]) -> None:
    lines = screen("suggest", *GOMOKU, size=size)
    assert len(lines) <= size[1]
    assert lines[15].startswith(" 1  . . . . .")
    assert sum(line.count("[O]") for line in lines[:16]) == 1
    assert "has the best estimate within the budget." in " ".join(lines)


def test_a_long_line_breaks_between_words() -> None:
    lines = screen("tree", "[[5,2,9],[8,[4,3,[1,2]],7],[3,3]]", size=SMALL)
    assert [lines[-3][-12:], lines[-2]] == ["evaluated, 2", "subtrees pruned"]


def test_an_error_breaks_between_words() -> None:
    lines = screen("suggest", "--algorithm", "x", "X...O....", size=SMALL, code=2)
    end = "'alpha-beta-fail-hard', 'negamax', 'memoized-alpha-beta'."
    assert " ".join(lines).rstrip().endswith(end)


def test_of_two_signs_between_cells_the_more_important_one_is_drawn() -> None:
    board = Board.empty(10, 10).play(55).play(56)
    console = drawing.console()
    with console.capture() as drawn:
        console.print(drawing.draw(board, 56))
    assert " 5  . . . . . X[O]. . . " in drawn.get().splitlines()
