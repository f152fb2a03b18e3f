from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bestmove import Board
from bestmove.errors import InvalidInput, InvalidNotation, InvalidRules


@pytest.mark.parametrize(
    ("board", "options", "rows", "columns", "k"),
    [
        ("." * 9, {}, 3, 3, 3),
        ("." * 225, {}, 15, 15, 5),
        ("." * 12, {"rows": 3}, 3, 4, 3),
        ("." * 12, {"columns": 3}, 4, 3, 3),
        ("." * 12, {"rows": 2, "columns": 6, "k": 6}, 2, 6, 6),
        ("./././.", {}, 4, 1, 1),
        (["...."], {}, 1, 4, 1),
        ([[None] * 4], {}, 1, 4, 1),
        ([[None], [None]], {}, 2, 1, 1),
        ([None] * 4, {}, 2, 2, 2),
        ("....", {"rows": 1, "k": 4}, 1, 4, 4),
        ("." * 400, {"k": 20}, 20, 20, 20),
        ("." * 42, {"game": "connect-four"}, 6, 7, 4),
        ("." * 42, {"game": "connect-four", "columns": 6}, 7, 6, 4),
        ("." * 42, {"game": "connect-four", "rows": 7}, 7, 6, 4),
        ("." * 49, {"game": "connect-four"}, 7, 7, 4),
        ("." * 72, {"game": "connect-four", "columns": 9}, 8, 9, 4),
        ("...../...../...../.....", {"game": "connect-four"}, 4, 5, 4),
        ("." * 9, {"game": "misere-tic-tac-toe", "misere": True}, 3, 3, 3),
        ("." * 9, {"game": "tic-tac-toe", "k": 2}, 3, 3, 2),
        (".", {}, 1, 1, 1),
    ],
)
def test_the_shape_follows_from_the_board_and_what_is_given(
    board: Any, options: dict[str, Any], rows: int, columns: int, k: int
) -> None:
    rules = Board.parse(board, **options).rules
    assert (rules.rows, rules.columns, rules.k) == (rows, columns, k)
    assert rules.gravity == (options.get("game") == "connect-four")


@pytest.mark.parametrize(
    ("board", "options", "error", "field", "says"),
    [
        ("", {}, InvalidNotation, "board", "empty"),
        ([[]], {}, InvalidNotation, "board", "empty"),
        ("X...O...", {}, InvalidNotation, "board", "8 cells, which is not a square"),
        ("X..\n\n.O.\n...", {}, InvalidNotation, "board", "row 2 is a blank line"),
        ("X../.O../...", {}, InvalidNotation, "board", "row 2 has 4 cells, the others have 3"),
        ("X...0....", {}, InvalidNotation, "board", "cell 5 is '0': a digit is not a mark"),
        ("X../.Z./...", {}, InvalidNotation, "board", "row 2, cell 2 is 'Z'"),
        ("X\0.......", {}, InvalidNotation, "board", r"'\\x00'"),
        ("\u03a7........", {}, InvalidNotation, "board", r"'\\u03a7'"),
        ("." * 441, {}, InvalidNotation, "board", "21 rows; at most 20"),
        ("." * 100_000, {}, InvalidNotation, "board", "100000 characters"),
        ("." * 10, {"rows": 3}, InvalidNotation, "board", "10 cells, which is not 3 equal rows"),
        ("." * 9, {"rows": 3, "columns": 4}, InvalidNotation, "board", "not 3 rows of 4"),
        (".../...", {"rows": 3}, InvalidRules, "rows", "rows is 3, but the board has 2"),
        (".../...", {"columns": 2}, InvalidRules, "columns", "columns is 2, but the board has 3"),
        (".........", {"rows": 0}, InvalidRules, "rows", "from 1 to 20"),
        (".........", {"k": 4}, InvalidRules, "k", "from 1 to 3, the longer side"),
        (".........", {"k": 0}, InvalidRules, "k", "from 1 to 3"),
        (7, {}, InvalidNotation, "board", "a string or an array"),
        ([True] * 9, {}, InvalidNotation, "board/0", "not true"),
        ([3] + [0] * 8, {}, InvalidNotation, "board/0", "not 3"),
        ([["X", None, "3"]] * 3, {}, InvalidNotation, "board/0/2", 'not "3"'),
        ([["X", None, [[]]]] * 3, {}, InvalidNotation, "board/0/2", "not a deeper array"),
        (["...", None, "..."], {}, InvalidNotation, "board/1", "row 2 is not a string"),
        ([[None] * 3, "...", [None] * 3], {}, InvalidNotation, "board/1", "row 2 is not an array"),
    ],
)
def test_an_invalid_board_is_refused_with_what_to_change(
    board: Any, options: dict[str, Any], error: type[InvalidInput], field: str, says: str
) -> None:
    with pytest.raises(error, match=says) as caught:
        Board.parse(board, **options)
    assert caught.value.field == field


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


def test_rows_of_three_lengths_are_not_called_equal() -> None:
    with pytest.raises(InvalidNotation, match=r"^row 1 has 2 cells, but row 2 has 3$"):
        Board.parse("../.../..../...")


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


@given(boards(), st.sampled_from(["/", "|", "\n", "\r\n"]), st.sampled_from(".-_+?*"))
def test_separators_and_empty_marks_do_not_matter(board: Board, split: str, empty: str) -> None:
    text = split.join(board.rows()).replace(".", empty).lower()
    options: dict[str, Any] = {"rows": board.rules.rows, "columns": board.rules.columns}
    assert Board.parse(text, **options, k=board.rules.k, first=board.first) == board


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
