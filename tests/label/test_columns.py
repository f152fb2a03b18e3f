"""Tables in which the names and forms of columns differ from the fields of a position."""

import io
import json
import pickle
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest

from bestmove import Board
from bestmove.label import Options, label, tables
from bestmove.label.job import Part
from tests.label.files import written

DROPS = "4453426"
PLAYED = Board.from_moves(DROPS, game="connect-four")


def columns_of(board: Board, order: str) -> Iterator[tuple[str, str]]:
    rules = board.rules
    cells = [(row, column) for row in range(rules.rows) for column in range(rules.columns)]
    if order != "rows":
        cells.sort(key=lambda cell: (cell[1], -cell[0] if order == "columns-up" else cell[0]))
    for row, column in cells:
        yield f"{'abcdefg'[column]}{rules.rows - row}", board.cells[rules.index(row, column)]


def problems(table: dict[str, Any], **options: Any) -> list[str]:
    """Return the problem of each row; an empty text if there is none."""
    found = label(pa.table(table), Options(nodes=100, **options))
    return [each or "" for each in found[f"{options.get('prefix', '')}problem"].to_pylist()]


def answered(table: dict[str, Any], **options: Any) -> list[tuple[Any, Any]]:
    found = label(pa.table(table), Options(nodes=2000, **options)).to_pylist()
    assert [row["problem"] for row in found] == [None] * len(found)
    return [(row["move"], row["turn"]) for row in found]


@pytest.mark.parametrize("order", ["rows", "columns", "columns-up"])
@pytest.mark.parametrize(
    "spelt",
    [
        {"X": "x", "O": "o", ".": "b"},
        {"X": 1, "O": 2, ".": 0},
        {"X": 1.0, "O": -1.0, ".": 0.0},
        {"X": "1", "O": "-1", ".": "0"},
        {"X": b"X", "O": b"O", ".": b"b"},
    ],
    ids=str,
)
def test_a_board_may_have_a_column_for_each_cell(order: str, spelt: dict[str, Any]) -> None:
    table = {name: [spelt[mark]] for name, mark in columns_of(PLAYED, order)}
    whole = answered({"board": [str(PLAYED)]}, game="connect-four")
    assert answered(table, game="connect-four", cells=tuple(table), order=order) == whole
    named = {f"cell {name}": values for name, values in table.items()} | {"class": ["win"]}
    assert answered(named, game="connect-four", cells=("c*l *",), order=order) == whole
    # A worker gets the columns of the cells in the order of the table.
    part = Part(0, 0, pa.table(named), Options(cells=("c*l *",)))
    assert pickle.loads(pickle.dumps(part)).table.schema.names == [*named][:-1]


def test_cells_of_a_square_need_no_game() -> None:
    table: dict[str, list[Any]] = {
        f"s{place}": [mark, "b"] for place, mark in enumerate("xbbbobbbb")
    }
    assert answered(table, cells=("s*",)) == answered({"board": ["X...O....", "." * 9]})
    rows = ["xbb", "bob", "bbb"]
    for given in ("XBB/BOB/BBB", [*map(list, rows)], [*map(str.encode, "xbbbobbbb")]):
        assert answered({"board": [given]}) == answered({"board": ["X...O...."]})
    for row in ("b........", "bw.......", "xob......"):  # b is not empty beside another character
        (why,) = problems({f"s{place}": [mark] for place, mark in enumerate(row)}, cells=("s*",))
        assert "not 'b'" in why
        assert "'b'" in problems({"board": [row]})[0]
    (why,) = problems({"a": ["x"], "b": ["b"]}, cells=("a", "b"))
    assert "there are 2 cells, not 1 × 1" in why


@pytest.mark.parametrize("order", ["rows", "columns", "columns-up"])
@pytest.mark.parametrize("marks", ["xob", "120", "XO_", "XO "], ids=str)
def test_the_cells_of_a_board_may_stand_between_commas(order: str, marks: str) -> None:
    spelt = dict(zip("XO.", marks, strict=True))
    cells = [spelt[mark] for _, mark in columns_of(PLAYED, order)]
    whole = answered({"board": [str(PLAYED)] * 2}, game="connect-four")
    table = {"board": [",".join(cells), ", ".join(cells)]}
    assert answered(table, game="connect-four", order=order) == whole
    if order != "rows":
        assert answered({"board": [cells] * 2}, game="connect-four", order=order) == whole
        assert "without rows" in problems({"board": ["X../.O./..."]}, order=order)[0]


def test_a_cell_that_is_no_mark_is_a_problem_of_its_row() -> None:
    table = {f"s{place}": [["x"] if place == 4 else ["o"]] for place in range(9)}
    assert all(problems(table, cells=("s*",)))
    assert all(problems({"board": ["x,o,z,b,b,b,b,b,b", "x,o"]}))
    for row, name in ((tuple("bxzobbbbb"), "c"), ((1.0, float("nan")) + (0.0,) * 7, "b")):
        cells = dict(zip("abcdefghi", ([cell] for cell in row), strict=True))
        (why,) = problems(cells, cells=tuple(cells), order="columns")
        assert why.startswith(f"column '{name}': row ")


def test_arrays_are_read_as_by_the_bots() -> None:
    board = [-1, 0, 0, 0, 1, 0, -1, 0, 0]  # 1 is the side to move
    planes = [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[1, 0, 0], [0, 0, 0], [1, 0, 0]]]
    texts = [str(board), ",".join(map(str, board)), str(planes)]
    assert answered({"board": texts}) == [(3, "X")] * 3
    assert answered({"board": [board]}) == answered({"board": [planes]}) == [(3, "X")]
    cells = {str(place): [cell] for place, cell in enumerate(board)}
    assert answered(cells, cells=tuple(range(9))) == [(3, "X")]
    assert problems({"board": [board]}, first="X")[0].startswith("1 X and 2 O")


def test_names_are_mapped_ignored_and_prefixed() -> None:
    table = {"fen": ["X...O...."], "game": [17], "first": ["Magnus"], "score": [0.5]}
    options: dict[str, Any] = {
        "sources": (("board", "fen"),),
        "ignore": ("game", "first"),
        "prefix": "our_",
    }
    assert problems(table, **options) == [""]
    found = label(pa.table(table), Options(**options))
    assert found.schema.names[:6] == [*table, "our_turn", "our_status"]
    assert found.select([*table]).to_pydict() == table
    kept = Options(sources=(("board", "fen"),), ignore=("game", "first"), keep=("fen", "move"))
    assert label(pa.table(table), kept).to_pylist() == [{"fen": "X...O....", "move": 1}]


def test_numbers_in_lists_of_moves_may_be_columns() -> None:
    drops = [int(digit) for digit in DROPS]
    whole = answered({"board": [str(PLAYED)] * 2}, game="connect-four")
    texts = {"moves": [str(drops), DROPS]}
    assert answered(texts, game="connect-four", move_lists="column1") == whole
    from_0 = [str(drop - 1) for drop in drops]
    texts = {"moves": [", ".join(from_0), "".join(from_0)]}
    assert answered(texts, game="connect-four", move_lists="column0") == whole
    lists = {"moves": [[drop - 1 for drop in drops]] * 2}
    assert answered(lists, game="connect-four", move_lists="column0") == whole
    floats = {"moves": [[float(drop) for drop in drops]] * 2}
    assert answered(floats, game="connect-four", move_lists="column1") == whole
    assert all(problems({"moves": ["9", "3-4"]}, game="connect-four", move_lists="column1"))
    assert "move-lists column0" in problems({"moves": [[3]]}, game="connect-four")[0]


@pytest.mark.parametrize("name", ["a.tsv", "A.CSV", "a.csv.GZ"])
def test_text_with_tabs_long_fields_and_endings_in_capitals_is_a_table(name: str) -> None:
    table = pa.table({"board": ["X...O...."], "note": ["long " * 40_000]})
    data = written(name, table)
    if name == "a.tsv":
        assert data.startswith(b"board\tnote\nX...O....\tlong ")
    read = tables.reader(name, lambda: io.BytesIO(data))
    found = pa.concat_tables(read.tables()).select(["board", "note"])
    assert found.to_pylist() == table.to_pylist()


def test_what_json_and_csv_cannot_have_is_written_as_they_can() -> None:
    table = pa.table(
        {
            "number": [float("nan"), float("inf"), 0.5],
            "bytes": pa.array([b"text", b"\xff", None], pa.binary()),
            "list": [[1.0, float("nan")], [], None],
            # Without pandas, Arrow refuses to convert nanoseconds to Python values.
            "at": pa.array([1_700_000_000_123_456_789, None, None], pa.timestamp("ns")),
        }
    )
    at = "2023-11-14 22:13:20.123456789"
    assert [json.loads(line) for line in written("a.jsonl", table).splitlines()] == [
        {"number": None, "bytes": "text", "list": [1.0, None], "at": at},
        {"number": None, "bytes": "/w==", "list": [], "at": None},
        {"number": 0.5, "bytes": None, "list": None, "at": None},
    ]
    first, *others = written("a.csv", table).decode().splitlines()[1:]
    assert first.endswith(f",{at}")
    assert others == ["inf,/w==,[],", "0.5,,,"]
