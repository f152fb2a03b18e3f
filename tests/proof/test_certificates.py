"""The verifier accepts certificates of `prove`, and an independent search confirms their claims."""

import gzip
import json
import random
from pathlib import Path

import pytest

from bestmove import Board, Limits, Proof, prove, verify
from bestmove.proof import certificate
from bestmove.proof.certificate import attempt
from tests.support import won_positions
from tests.support.needs import LONG
from tests.support.oracle import Position, positions
from tests.support.positions import board_of

PATIENT = Limits(time_ms=120_000)


def checked(board: Board, limits: Limits = PATIENT, *, exactly: bool = False) -> Proof:
    proof, why = attempt(board, limits, exactly=exactly)
    assert proof is not None, (board, why)
    verdict = verify(gzip.compress(proof.text.encode()))
    assert verdict.stands, (board, verdict.reason)
    assert verdict.nodes == proof.nodes
    return proof


def winner_by_search(position: Position) -> tuple[str | None, int]:
    value = position.value
    if value == 0:
        return None, 0
    mover = "XO"[position.to_move - 1]
    loser = "OX"[position.to_move - 1]
    return (mover if value > 0 else loser), 30_000 - abs(value)


@pytest.mark.parametrize(
    "seed", [0, *(pytest.param(seed, marks=[pytest.mark.slow, LONG]) for seed in range(1, 10))]
)
def test_positions_of_small_boards_under_any_rules(seed: int) -> None:
    for position in positions(random.Random(seed), 300, 9):
        winner, plies = winner_by_search(position)
        for exactly in (False, True):
            proof = checked(board_of(position), exactly=exactly)
            verdict = verify(proof)
            assert verdict == verify(proof.to_dict())
            assert (verdict.winner, verdict.draw) == (winner, winner is None), position
            if winner is not None:
                assert verdict.exactly == exactly
                assert verdict.plies == plies if exactly else (verdict.plies or 0) >= plies


QUICK = [
    Board.empty(4, 4, 3),
    Board.empty(4, 4, 4),
    Board.empty(4, 4, 4, gravity=True),
    Board.empty(3, 4, 3),
    Board.empty(5, 6, 4),
    Board.empty(6, 6, 4),
    *(Board.empty(20, 20, k) for k in (9, 12, 20)),
    Board.empty(20, 20, 9, overline=False),
    Board.empty(15, 19, 10, overline=False),
]
SLOW = [
    Board.empty(4, 4, 3, misere=True),
    Board.empty(5, 5, 4),
    Board.empty(5, 5, 4, overline=False),
    Board.empty(5, 5, 4, gravity=True),
    *(Board.empty(20, 20, k) for k in (10, 11, *range(13, 20))),
]


@pytest.mark.parametrize(
    "board",
    [*QUICK, *(pytest.param(board, marks=[pytest.mark.slow, LONG]) for board in SLOW)],
    ids=repr,
)
def test_empty_boards_have_their_known_results(board: Board) -> None:
    verdict = verify(checked(board).to_dict())
    rules = board.rules
    if rules.misere:
        assert verdict.winner == "O"
    elif (rules.rows, rules.columns, rules.k) in {(4, 4, 3), (3, 4, 3), (5, 6, 4), (6, 6, 4)}:
        assert verdict.winner == "X"
    else:
        assert verdict.draw


def test_certificates_of_wins_in_gomoku_are_small() -> None:
    for board in won_positions.positions()[:200:40]:
        proof = checked(board)
        assert verify(proof.to_dict()).winner == board.turn
        assert len(proof.text) < 1 << 20


def test_finished_games_have_a_certificate_of_no_moves() -> None:
    won = verify(checked(Board.parse("XXXOO....")).to_dict())
    assert (won.winner, won.plies, won.nodes) == ("X", 0, 0)
    lost = verify(checked(Board.parse("XXXOO....", misere=True)).to_dict())
    assert (lost.winner, lost.plies) == ("O", 0)
    tie = verify(checked(Board.parse("XOXXOOOXX")).to_dict())
    assert (tie.draw, tie.nodes) == (True, 0)


def test_equal_certificates_are_equal_files(tmp_path: Path) -> None:
    files = [tmp_path / name for name in ("one", "two")]
    for file in files:
        proof = prove(Board.parse("X...O...."), Limits(time_ms=60_000))
        assert proof is not None
        proof.write(file)
    assert files[0].read_bytes() == files[1].read_bytes()
    assert verify(files[0]).stands
    assert json.loads(gzip.decompress(files[0].read_bytes()))["format"] == "bestmove-proof"


def test_a_certificate_of_too_many_nodes_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(certificate, "MOST_NODES", 9)
    why = "The result is proven, a draw, but its certificate is too large."
    assert attempt(Board.empty(3, 3, 3)) == (None, why)


def test_the_verifier_is_as_short_as_docs_certificates_md_says() -> None:
    source = Path(verify.__code__.co_filename).read_text(encoding="utf-8")
    assert len(source.splitlines()) <= 700


@pytest.mark.parametrize(
    "meant",
    [
        Board.parse("XX./.O./.O."),
        Board.parse("XX./.O./O..", first="O"),
        Board.parse("XX./.O./O..", misere=True),
        Board.parse("XX./.O./O..", overline=False),
    ],
    ids=["another board", "another side to move", "a line loses", "exactly k"],
)
def test_a_certificate_of_another_position_is_refused(meant: Board) -> None:
    board = Board.parse("XX./.O./O..")
    proof = prove(board, PATIENT)
    assert verify(proof, board=board)
    verdict = verify(proof, board=meant)
    assert (verdict.stands, verdict.winner) == (False, None)
    assert verdict.reason == "The document is about another position."
    assert verdict.board == board.cells
    assert not verify(proof, board=Proof(meant, ()).to_dict())


def test_what_is_no_board_is_no_position_that_is_meant() -> None:
    with pytest.raises(TypeError, match="A board is a Board, or a mapping"):
        verify(prove(Board.parse("XX./.O./O.."), PATIENT), board="XX..O.O..")
