"""All 19,683 strings of nine cells, against an oracle that shares no code with the service."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.api.http import Api
from tests.support import oracle

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def put(board: str, index: int, mark: str) -> str:
    return board[:index] + mark + board[index + 1 :]


def expect_position(board: str, answer: dict[str, Any]) -> None:
    winners = oracle.winners(oracle.cells_of(board, 3), 3)
    over = bool(winners) or "." not in board
    assert answer["board"] == board
    assert (answer["rows"], answer["columns"], answer["k"]) == (3, 3, 3)
    assert answer["status"] == ("won" if winners else "draw" if over else "in_progress")
    assert answer["winner"] == (winners.pop() if winners else None)
    if answer["winner"]:
        line = answer["winning_line"]
        assert tuple(line) in LINES
        assert {board[index] for index in line} == {answer["winner"]}
    else:
        assert answer["winning_line"] is None
    mover = "X" if board.count("X") == board.count("O") else "O"
    assert answer["turn"] == (None if over else mover)


def expect_best_move(board: str, answer: dict[str, Any]) -> None:
    result, plies = oracle.solve3(board)
    assert answer["exact"] is True
    assert answer["score"] == result
    assert isinstance(answer["score"], int)
    assert answer["plies"] == plies
    mover = answer["turn"]
    if mover is None:
        assert answer["move"] is answer["board_after"] is answer["outcome"] is None
        assert answer["reason"] is None
        assert answer["pv"] == []
        return
    sign = 1 if mover == "X" else -1
    assert answer["outcome"] == {1: "win", 0: "draw", -1: "loss"}[sign * result]
    lowest = min(
        index
        for index in range(9)
        if board[index] == "." and oracle.solve3(put(board, index, mover)) == (result, plies - 1)
    )
    assert answer["move"] == {"index": lowest, "row": lowest // 3, "column": lowest % 3}
    assert answer["board_after"] == put(board, lowest, mover)
    assert answer["pv"][0] == lowest
    # Both sides play on by the best moves: the value never changes, and the game ends on time.
    for index in answer["pv"]:
        assert board[index] == "."
        board = put(board, index, mover)
        mover = "XO".replace(mover, "")
        plies -= 1
        assert oracle.solve3(board) == (result, plies)
    assert plies == 0


@pytest.mark.parametrize(
    "start", ["XO", *(pytest.param(start, marks=pytest.mark.slow) for start in ("XX", "X.", *"O."))]
)
def test_every_string_of_nine_cells_is_answered_rightly_or_refused(start: str, api: Api) -> None:
    client = api.app.test_client()
    for cells in product("XO.", repeat=9 - len(start)):
        board = start + "".join(cells)
        response = client.post("/best-move", json={"board": board})
        assert (response.status_code == 200) == oracle.is_reachable(board, 3, 3)
        answer = response.json
        assert answer is not None
        if response.status_code == 422:
            assert [error["pointer"] for error in answer["errors"]] == ["/board"]
        else:
            expect_position(board, answer)
            expect_best_move(board, answer)
