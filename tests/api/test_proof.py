"""POST /proof: certificates over HTTP."""

import pytest

from bestmove import Board, verify
from bestmove.api.views import proofs
from tests.api.conftest import MakeApi, busy
from tests.api.http import Api


@pytest.mark.parametrize(
    ("body", "statement"),
    [
        ({"board": "X...O...."}, "The game is a draw"),
        ({"board": "XX..O.O.."}, "X wins within 1 ply"),
        ({"board": "XXXOO...."}, "X wins within 0 plies"),
        ({"game": "misere-tic-tac-toe"}, "The game is a draw"),
        (
            {"board": "X...O....", "level": 1, "algorithm": "minimax", "threads": 1},
            "The game is a draw",
        ),
    ],
)
def test_the_certificate_stands(api: Api, body: dict[str, object], statement: str) -> None:
    response = api.post("/proof", {"time_ms": 10_000, **body})
    assert response.status_code == 200
    verdict = verify(response.data.removeprefix(b'{"proof":').removesuffix(b"}\n"))
    assert verdict.stands, verdict.reason
    assert verdict.statement == statement


def test_without_a_proof_the_answer_says_why(api: Api) -> None:
    answer = api.answer("/proof", game="gomoku", time_ms=20)
    assert answer == {"proof": None, "detail": "The result was not proven within the budget."}


def test_a_too_large_certificate_is_reported(api: Api, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "PROOF_BYTES", 500)
    answer = api.answer("/proof", board=".........", time_ms=10_000)
    assert answer["proof"] is None
    assert answer["detail"] == "The result is proven, a draw, but its certificate is too large."


def test_a_proof_needs_a_slot_unless_the_game_is_over(make_api: MakeApi) -> None:
    api = make_api(search_slots=1, search_queue=0)
    with busy(api), busy(api, seed=1):
        assert api.post("/proof", {"board": "X...O...."}).status_code == 503
        assert api.post("/proof", {"board": "XXXOO...."}).status_code == 200
    assert api.post("/proof", {"board": "X...O...."}).status_code == 200


def test_the_distance_is_proven_if_it_is_asked_for(api: Api) -> None:
    for exactly, verb in ((True, "in exactly"), (False, "within")):
        proof = api.answer("/proof", board="XO.......", exactly=exactly, time_ms=10_000)["proof"]
        verdict = verify(proof, Board.parse("XO......."))
        assert (verdict.exactly, verdict.statement) == (exactly, f"X wins {verb} 5 plies")
        assert not verify(proof, Board.parse("XO.......", misere=True))
