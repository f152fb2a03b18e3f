"""What is written reads back, and errors name the fault. cases.json has the table of notations."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestmove import Board, Rules
from bestmove.errors import InvalidInput, InvalidNotation


def test_a_text_that_is_too_long_is_refused() -> None:
    with pytest.raises(InvalidNotation, match="100000 characters"):
        Board.parse("." * 100_000)


def test_an_error_carries_those_of_all_other_cells() -> None:
    with pytest.raises(InvalidNotation) as caught:
        Board.parse([["X", "Z", 3], ["O", None, [0]]])
    assert [error.field for error in caught.value.each()] == ["board/0/1", "board/0/2", "board/1/2"]


@pytest.mark.parametrize("row", ["XO ", "X O", " XO"])
def test_an_array_of_rows_means_the_same_as_their_text(row: str) -> None:
    def read(board: Any) -> str:
        try:
            return Board.parse(board).cells
        except InvalidNotation as error:
            return str(error)

    rows = [row, "...", "..."]
    assert read(rows) == read("\n".join(rows))


def boards(max_side: int = 7) -> st.SearchStrategy[Board]:
    @st.composite
    def build(draw: st.DrawFn) -> Board:
        rows, columns = draw(st.integers(1, max_side)), draw(st.integers(1, max_side))
        k = draw(st.integers(1, max(rows, columns)))
        board = Board.empty(rows, columns, k, draw(st.sampled_from("XO")))
        for _ in range(draw(st.integers(0, rows * columns))):
            if board.is_over:
                break
            board = board.play(draw(st.sampled_from(board.moves)))
        return board

    return build()


@given(boards())
def test_what_is_printed_parses_back(board: Board) -> None:
    rules = board.rules
    size: dict[str, Any] = {"rows": rules.rows, "columns": rules.columns, "k": rules.k}
    assert Board.parse(str(board), k=rules.k, first=board.first) == board
    assert Board.parse(board.rows(), **size, first=board.first) == board
    assert Board.parse(list(board.cells), **size, first=board.first) == board
    assert eval(repr(board)) == board


def json_values() -> st.SearchStrategy[Any]:
    """Generate any JSON values, often with text that looks like a board."""
    return st.recursive(
        st.none()
        | st.booleans()
        | st.integers()
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(max_size=20)
        | st.text("XxOo.-_+?* /|\n0é", max_size=30),
        lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=8), inner),
        max_leaves=20,
    )


@given(json_values())
def test_any_json_value_is_a_board_or_a_clear_error(value: Any) -> None:
    problem = None
    try:
        board = Board.parse(value)
    except InvalidInput as error:
        problem = error
    if problem is None:
        rules = board.rules  # without sizes, rows of one cell each are read as a single row
        assert Board.parse(board.rows(), rules.rows, rules.columns, rules.k) == board
    else:
        assert problem.field.split("/")[0] in ("board", "k")
        assert str(problem).isprintable()


def test_cells_are_named_from_the_lower_left_corner() -> None:
    rules = Rules(15, 15, 5)
    assert [rules.squares[index] for index in (0, 14, 112, 210)] == ["a15", "o15", "h8", "a1"]
    for index in range(rules.size):
        assert list(Board.from_moves(rules.squares[index], 15, 15).cells).index("X") == index
