"""Labelling adds an answer to each row of a table."""

import json
import random
from typing import Any
from unittest.mock import Mock

import numpy as np
import pyarrow as pa
import pytest

from bestmove import Board, Limits, Rules, analyze, best_move
from bestmove.errors import InvalidInput
from bestmove.game.rules import SWITCHES
from bestmove.label import Options, label, labelling
from bestmove.label.options import default_nodes
from bestmove.search.analysis import find
from bestmove.search.limits import SearchLimits
from tests.support.positions import after_random_moves

CONNECT_FOUR = "/".join(["......."] * 6)
GOMOKU = "/".join(["." * 15] * 15)

ODD_ROWS: list[tuple[dict[str, Any], str]] = [
    ({"board": None}, "no value in board and moves: give a board or the moves so far"),
    ({"board": "", "moves": ""}, "give a board or the moves so far"),
    ({"board": "XX......."}, "2 X and 0 O"),
    ({"board": "X..O"}, ""),
    ({"board": "X" * 30_000}, "30000 characters, more than any"),
    ({"board": "[[1,2"}, "begins with [ but is not a list"),
    ({"board": CONNECT_FOUR}, "give game, such as connect-four, or k"),
    ({"board": CONNECT_FOUR, "game": " connect-four "}, ""),
    ({"board": CONNECT_FOUR, "k": "4", "gravity": "TRUE"}, ""),
    ({"board": CONNECT_FOUR, "k": "four"}, "k must be an integer, not 'four'"),
    ({"board": CONNECT_FOUR, "game": "chess"}, "game must be one of tic-tac-toe"),
    ({"board": "X...O....", "gravity": "perhaps"}, "gravity must be true or false"),
    ({"board": "X........", "first": "Q"}, 'first must be "X" or "O"'),
    ({"board": "O........", "first": "o"}, ""),
    ({"board": "X........", "rows": "2"}, "not 2 equal rows"),
    ({"moves": "4453"}, "moves need a board"),
    ({"moves": "4453", "game": "connect-four"}, ""),
    ({"moves": "h8 i9", "rows": "15", "columns": "15"}, ""),
    ({"moves": "e2 e4", "rows": "3"}, "columns is missing"),
    (
        {"moves": "a1", "rows": "3", "columns": "4"},
        "the game on a board of 3 rows and 4 columns is unknown",
    ),
    ({"board": ".........", "moves": "a1"}, "both board and moves are given"),
    ({"board": "XXXOO...."}, ""),
    ({"board": "." * 400, "game": "gomocup"}, ""),
]


def rows_of(*rows: dict[str, Any]) -> pa.Table:
    names = sorted({name for row in rows for name in row})
    return pa.table({name: pa.array([row.get(name) for row in rows], "string") for name in names})


def test_invalid_rows_have_a_problem_and_the_other_rows_an_answer() -> None:
    numbered = [{**row, "id": str(number)} for number, (row, _) in enumerate(ODD_ROWS)]
    found = label(rows_of(*numbered), Options(nodes=50)).to_pylist()
    assert [row["id"] for row in found] == [row["id"] for row in numbered]
    for row, (_, problem) in zip(found, ODD_ROWS, strict=True):
        if not problem:
            assert row["problem"] is None, row
            assert row["status"] in ("in_progress", "won", "draw")
            assert row["nodes"] is not None
            continue
        assert problem in row["problem"], row
        answers = set(row) & labelling.types_of(Options()).keys()
        assert all(row[name] is None for name in answers - {"problem"})


SMALL = Limits(time_ms=None, nodes=400)


def test_each_row_has_the_answer_of_best_move_whatever_the_other_rows_are() -> None:
    dice = random.Random(27)
    games = ["tic-tac-toe", "connect-four", "gomoku", "misere-tic-tac-toe"]
    boards = [
        (game, after_random_moves(dice, Board.empty(game=game), dice.randrange(6)))
        for game in games
        for _ in range(2)
    ]
    dice.shuffle(boards)
    table = rows_of(*({"game": game, "board": str(board)} for game, board in boards * 2))
    options = Options(nodes=400, all_moves=True, pv=True, reason=True)
    for row, (_, board) in zip(label(table, options).to_pylist(), boards * 2, strict=True):
        answer, analysis = best_move(board, SMALL), analyze(board, SMALL)
        assert row["problem"] is None
        assert (row["turn"], row["status"]) == (board.turn, board.status)
        assert row["nodes"] == analysis.search.nodes
        if answer.exact:
            assert row["move"] == answer.move
            assert (row["score"], row["plies"]) == (answer.score, answer.plies)
            assert row["pv"] == list(answer.pv)
            assert row["reason"] == (answer.reason.text if answer.reason else None)
        moves = {move.index: move for move in analysis.moves}
        assert len(row["scores"]) == len(row["scores_exact"]) == board.rules.size
        for index, (score, exact) in enumerate(
            zip(row["scores"], row["scores_exact"], strict=True)
        ):
            move = moves.get(index)
            assert (score, exact) == ((move.score, move.exact) if move else (None, None))


@pytest.mark.parametrize(
    ("board", "nodes"),
    [
        # Analysis proves a draw that the search for the best move alone does not prove.
        ("......./......./.XX...X/OOX...O/OXO...O/XOXXOOX", 3_000),
        # The best move loses, and the search of the others is cut short.
        ("......./......./......./..OX.../OXOOX../XXXOO..", 100_000),
    ],
)
def test_no_row_contradicts_itself(board: str, nodes: int) -> None:
    options = Options(game="connect-four", nodes=nodes, all_moves=True)
    (row,) = label(pa.table({"board": [board]}), options).to_pylist()
    sign = 1 if row["turn"] == "X" else -1
    exact = row["scores_exact"][row["move"]]
    assert (row["scores"][row["move"]], exact) == (row["score"], row["exact"])
    assert row["score"] * sign == max(score * sign for score in row["scores"] if score is not None)


def test_equal_positions_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    search = Mock(wraps=find)
    monkeypatch.setattr(labelling, "find", search)
    labelling.answer.cache_clear()
    boards = ["X...O....", "x-- -o- ---", "X../.O./...", "X...O....", "X........", "X...O...."]
    found = label(pa.table({"board": boards})).to_pylist()
    assert search.call_count == 2
    assert [row["move"] for row in found] == [1, 1, 1, 1, 4, 1]
    assert label(pa.table({"board": boards[::-1]})).num_rows == 6  # the second part of a job
    assert search.call_count == 2
    label(pa.table({"board": boards}), Options(depth=1))
    assert search.call_count == 4


def test_the_types_do_not_depend_on_the_rows() -> None:
    options = Options(all_moves=True, pv=True, reason=True)
    empty = label(pa.table({"board": pa.array([], "string")}), options)
    problems = label(pa.table({"board": ["?"]}), options)
    answers = label(pa.table({"board": ["X...O...."]}), options)
    assert empty.schema == problems.schema == answers.schema
    assert answers.schema.field("move").type == pa.int16()
    assert answers.schema.field("scores").type == pa.list_(pa.float64())


def test_other_columns_are_carried_and_keep_chooses() -> None:
    table = pa.table(
        {"id": pa.array([1, None], "int8"), "board": ["X...O....", "bad"], "tags": [["a"], []]},
        metadata={"of": "somebody"},
    )
    found = label(table)
    assert found.select(table.schema.names).equals(table)
    assert found.schema.metadata == {b"of": b"somebody"}
    named = "turn status move score exact outcome plies nodes problem"
    assert found.schema.names[3:] == named.split()
    assert label(table, Options(keep=("problem", "id"))).schema.names == ["problem", "id"]


@pytest.mark.parametrize(
    ("table", "options", "message"),
    [
        ({"id": [1]}, {}, "{'board': 'COLUMN'}, or .* with cells"),
        ({"board": ["."], "score": [1]}, {}, r"already has a column score: .* with prefix, or"),
        ({"board": ["."]}, {"keep": ("board", "pv")}, "no column pv to keep"),
        ({" Board ": ["."]}, {}, "name it with sources={'board': ' Board '}"),
        ({"fen": ["."]}, {"sources": {"board": "pgn"}}, "no column pgn"),
        ({"fen": ["."]}, {"cells": ("s*",)}, r"no column s\*"),
    ],
)
def test_a_table_that_cannot_be_labelled_is_refused(
    table: dict[str, Any], options: dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidInput, match=message):
        label(pa.table(table), Options(**options))


class Stream:
    def __init__(self, table: pa.Table) -> None:
        self._table = table

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._table.__arrow_c_stream__(requested_schema)


def test_tables_of_other_packages_are_read_by_their_arrow_stream() -> None:
    table = pa.table({"board": pa.array(["X...O....", None], pa.string_view())})
    expected = label(table)
    assert label(Stream(table)).equals(expected)
    assert label(pa.RecordBatchReader.from_stream(Stream(table))).equals(expected)
    assert label(table.to_batches()[0]).equals(expected)
    cells = {"X...O....": [1, 0, 0, 0, 2, 0, 0, 0, 0], "XX..O....": [1, 1, 0, 0, 2, 0, 0, 0, 0]}
    found = label(np.array([*cells.values()]).reshape(2, 3, 3), k=np.int64(3), nodes=5)
    assert found["move"].to_pylist() == label([*cells])["move"].to_pylist()
    for board in (list("X...O...."), [[1, 0, 0], [0, 2, 0], [0, 0, 0]]):
        assert label(board)["move"].to_pylist() == [1]


def test_a_row_of_a_list_fails_alone() -> None:
    nan = ["X", float("nan"), *"......."]
    boards = ["X...O....", 5, nan, "[nan, 0, 0, 0]", "0,nan,0,0", "[[0, NaN], [0, 0]]"]
    for rows in (boards, [{"board": board} for board in boards]):
        first, second, *others = label(rows)["problem"].to_pylist()
        assert (first, "read the column as text" in second) == (None, True)
        assert ["cell" in why and "nan" in why for why in others] == [True] * 4


class LazyFrame:
    """A class of Polars that has no rows yet."""


@pytest.mark.parametrize("table", [{"board": ["X...O...."]}, "X...O....", None, LazyFrame()])
def test_what_is_no_table_is_a_type_error(table: Any) -> None:
    hints = {LazyFrame: r"call its method collect\(\)", str: r"for one board give \[board\]"}
    hint = hints.get(type(table), "make one with")
    with pytest.raises(TypeError, match=f"not {type(table).__name__}: {hint}"):
        label(table)
    options: Any = {"nodes": 5}
    with pytest.raises(TypeError, match=r"must be bestmove\.label\.Options, not dict"):
        label(["X...O...."], options)
    with pytest.raises(TypeError, match=r"label has no option size; .* rows"):
        label(["X...O...."], size=3)


def test_the_index_of_pandas_stays() -> None:
    about = {"index_columns": ["day", {"kind": "range", "start": 3, "stop": 5, "step": 1}]}
    metadata = {"pandas": json.dumps(about)}
    table = pa.table({"board": ["X...O....", "."], "day": [9, 5]}, metadata=metadata)
    with pytest.warns(UserWarning, match=r"3x3 1 row .*, 1x1 1 row \(first index 1\)"):
        found = label(table, keep=("move",))
    assert found.schema.names == ["move", "day"]
    assert found.schema.metadata == table.schema.metadata


def test_a_column_that_arrow_cannot_hold_is_named() -> None:
    class Frame:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise pa.ArrowTypeError("Expected bytes", "Conversion failed for column board")

    with pytest.raises(InvalidInput, match="column board: Expected bytes; give all values"):
        label(Frame())


@pytest.mark.parametrize(
    "options",
    [
        *({"nodes": 0}, {"time_ms": 5, "nodes": 5}, {"game": "chess"}, {"first": "x"}),
        *({"order": "up"}, {"move_lists": "column2"}, {"sources": (("bord", "a"),)}),
        {"sources": (("k", "a"), ("k", "b"))},
        {"sources": (("board", "a"),), "cells": ("b",)},
    ],
    ids=str,
)
def test_invalid_options_are_refused(options: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        Options(**options)


def test_an_option_applies_to_rows_that_do_not_say_otherwise() -> None:
    table = rows_of({"board": CONNECT_FOUR}, {"board": GOMOKU, "game": "gomoku"})
    options = Options(game="connect-four", nodes=100)
    assert label(table, options)["problem"].to_pylist() == [None, None]
    (row,) = label(rows_of({"board": "O........"}), Options(first="O")).to_pylist()
    assert row["turn"] == "X"
    for name, switch in SWITCHES.items():
        given = {name: not switch.default}
        assert Options(**given).position == given  # type: ignore[arg-type]


def test_the_types_of_arrow_are_read() -> None:
    def problems(**columns: Any) -> list[Any]:
        found = label(pa.table(columns), nodes=100, game="tic-tac-toe")
        return [each or "" for each in found["problem"].to_pylist()]

    boards = [[1, 0, 0, 0, 2, 0, 0, 0, 0], [0] * 9]
    assert problems(board=boards, rows=[None, 3], k=[float("nan"), 3.0]) == ["", ""]
    assert problems(board=pa.array(boards, pa.list_(pa.int8(), 9))) == ["", ""]
    binary = pa.array([b"X...O....", b"\xff"], pa.binary())
    switches = {"gravity": pa.array([0, None], pa.int8()), "misere": ["0", "1"]}
    first, second = problems(board=binary, **switches)
    assert not first
    assert "not UTF-8" in second
    of_moves = problems(moves=[[0, 4], [0, 0], None])
    for why, wanted in zip(of_moves, ("", "move 2: a3 is", "no value in moves"), strict=True):
        assert why.startswith(wanted)


def test_the_budget_is_the_default_of_the_game_unless_one_is_given() -> None:
    rules = Rules(6, 7, 4, gravity=True)
    assert Options().limits(rules) == SearchLimits(
        time_ms=None, nodes=default_nodes(rules), pv=False
    )
    assert Options(time_ms=9, pv=True).limits(rules) == SearchLimits(time_ms=9)
    assert default_nodes(Rules(15, 15, 5)) < default_nodes(Rules(6, 6, 4))
