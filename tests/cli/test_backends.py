"""Commands that use the engine in their own process, without a service."""

import threading
from unittest.mock import create_autospec

import pytest

from bestmove.answers import BestMove, Progress
from bestmove.cli import backends
from bestmove.cli.backends import interruptible
from bestmove.game.inputs import Options
from bestmove.search.cancellation import Cancellation
from tests.support.needs import COMPILED


def test_ctrl_c_while_the_search_begins_ends_it_with_the_best_so_far(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begin = threading.Thread.start

    def start(thread: threading.Thread) -> None:
        begin(thread)
        monkeypatch.undo()
        raise KeyboardInterrupt

    def search(cancellation: Cancellation) -> int:
        ended = threading.Event()
        with cancellation.reaching(ended.set):
            assert cancellation.is_cancelled or ended.wait(60)
        return 5

    monkeypatch.setattr(threading.Thread, "start", start)
    assert backends.interruptible(search) == (5, True)


def test_ctrl_c_before_the_search_leaves_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(_: threading.Thread) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", start)
    with pytest.raises(KeyboardInterrupt):
        backends.interruptible(lambda _: 5)


def test_ctrl_c_ends_a_proof_without_an_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    ended = ((None, "The result was not proven within the budget."), True)
    monkeypatch.setattr(
        backends, "interruptible", create_autospec(interruptible, return_value=ended)
    )
    with pytest.raises(KeyboardInterrupt):
        backends.Local().prove(game="gomoku")


@COMPILED
def test_the_answer_so_far_is_reported_at_every_depth() -> None:
    seen: list[Progress[BestMove]] = []
    options: Options = {"game": "gomoku", "moves": "h8", "depth": 4}
    answer = backends.Local().best_move(on_progress=seen.append, **options)
    assert [so_far.depth for so_far in seen][:3] == [1, 2, 3]
    assert {so_far.answer.board for so_far in seen} == {answer.board}
    assert answer.search.depth == 4


def test_a_seed_of_zero_is_a_seed() -> None:
    chosen = [backends.Local().best_move("." * 36, k=4, level=1, seed=0).move for _ in range(8)]
    assert len(set(chosen)) == 1
