"""For all 19,683 strings of nine cells, the service agrees with an independent oracle."""

from itertools import product

import pytest

from tests.api.http import Api, document
from tests.support import oracle
from tests.support.tictactoe import after, best_moves, is_over


@pytest.mark.parametrize(
    "start", ["XO", *(pytest.param(start, marks=pytest.mark.slow) for start in ("XX", "X.", *"O."))]
)
def test_every_string_of_nine_cells_is_answered_rightly_or_refused(start: str, api: Api) -> None:
    client = api.app.test_client()
    for cells in product("XO.", repeat=9 - len(start)):
        board = start + "".join(cells)
        response = client.post("/best-move", json={"board": board})
        answer = document(response)
        if not oracle.is_reachable(board, 3, 3):
            assert response.status_code == 422
            assert [error["pointer"] for error in answer["errors"]] == ["/board"]
            continue
        assert response.status_code == 200
        assert (answer["score"], answer["plies"]) == oracle.solve3(board)
        winners = oracle.winners(oracle.cells_of(board, 3), 3)
        assert answer["winner"] == (winners.pop() if winners else None)
        assert (answer["status"] == "in_progress") == (not is_over(board))
        assert "".join(board[cell] for cell in answer["winning_line"] or ()) in ("", "XXX", "OOO")
        pv = []
        while not is_over(board):
            pv.append(best_moves(board)[0])
            board = after(board, pv[-1])
            assert len(pv) > 1 or answer["after"]["board"] == board
        assert answer["pv"] == pv
        assert (answer["move"] and answer["move"]["index"]) == (pv[0] if pv else None)
