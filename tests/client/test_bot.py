"""The bot in callers' own game loops, with any form of board, over HTTP or in process."""

import re
from collections.abc import Callable
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from bestmove import Board, best_move
from bestmove.bots import Engine, arrays, kaggle, pettingzoo
from bestmove.bots.gomocup import Brain
from bestmove.client import Bot, Client, Move
from bestmove.errors import IllegalMove, InvalidAnswer, InvalidInput, InvalidPosition


class Integer:
    """An integer as other libraries have it."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def test_a_function_may_answer_in_any_form() -> None:
    places = (3, (1, 0), Move(3, 1, 0, "a2"), Integer(3), (Integer(1), Integer(0)))
    for answer in (*places, SimpleNamespace(move=3)):
        move = Bot(lambda *_, answer=answer, **__: answer, "X")("XO.......")
        assert move == Move(3, 1, 0, "a2")
        assert {type(number) for number in (move.index, move.row, move.column)} == {int}


def test_who_moved_first_follows_from_the_counts() -> None:
    asked: list[str] = []

    def spy(board: str, first: str, **_: Any) -> int:
        asked.append(first)
        return board.index(".")

    Bot(spy, "X")(".........")
    Bot(spy, "X")("O........")
    Bot(spy, "O")(".........")
    Bot(spy, "O")("X........")
    assert asked == ["X", "O", "O", "X"]


def test_a_game_can_be_given_by_its_moves_and_its_name(client: Client) -> None:
    for engine in (Engine(), client):
        assert Bot(engine, "X", game="connect-four")(moves="44") == Move(24, 3, 3, "d3")
        assert Bot(engine, "O", game="connect-four")(moves="44") == Move(24, 3, 3, "d3")
        assert Bot(engine, "O")(moves=[0, 4, 1]) == Move(2, 0, 2, "c3")
        assert Bot(engine, "O")() == Move(0, 0, 0, "a3")
        with pytest.raises(InvalidPosition, match="it is not O's turn"):
            Bot(engine, "O", first="X")(moves="b2 a1")
        with pytest.raises(InvalidInput, match="move 2: "):
            Bot(engine, "O")(moves="b2 b2")


def test_a_bot_may_play_games_of_several_sizes_and_orders() -> None:
    bot = Bot(Engine(), "X")
    for board in (Board.empty(4, 4, 3), "O........", ".........", "O.../..../..../...."):
        assert bot(board).row < 4
    assert bot.options == {}


def test_it_does_not_play_out_of_turn() -> None:
    with pytest.raises(InvalidPosition, match="it is not O's turn: 0 X and 1 O"):
        Bot(Engine(), "O")("O........")
    with pytest.raises(InvalidPosition, match="and X moved first"):
        Bot(Engine(), "O", first="X")(".........")
    with pytest.raises(InvalidPosition, match="and X moved first"):
        Bot(Engine(), "O")(Board.empty())


def test_a_finished_game_has_no_move_left() -> None:
    with pytest.raises(IllegalMove, match="the game is over"):
        Bot(Engine(), "O")("XXXOO....")
    with pytest.raises(IllegalMove, match="the game is over"):
        Bot(Engine(), "O")(moves="a3 a2 b3 b2 c3")


@pytest.mark.parametrize("nonsense", ["b2", 1.5, (1, 2, 0), (1, "a"), (1,)])
def test_an_engine_that_answers_nonsense_is_an_error(nonsense: object) -> None:
    with pytest.raises(InvalidAnswer, match=re.escape(f"{nonsense!r}, which is not a move")):
        Bot(lambda *_, **__: nonsense, "X")(".........")


@pytest.mark.parametrize(
    "options",
    [{"level": 11}, {"level": "hard"}, {"game": "chess"}, {"algorithm": "best"}, {"k": 0}],
)
def test_players_refuse_at_once_what_no_board_allows(options: dict[str, Any]) -> None:
    """`tests/bots` has the players that need other packages."""
    made: list[Callable[..., object]] = [
        partial(Bot, Engine(), "X"),
        partial(Bot, Client("http://127.0.0.1:1"), "O"),
        partial(arrays.Policy, Engine()),
        partial(pettingzoo.Policy, Engine()),
        partial(kaggle.Agent, Engine()),
    ]
    for make in made:
        make()
        with pytest.raises(InvalidInput) as refused:
            make(**options)
        assert refused.value.field in options
        with pytest.raises(TypeError, match="unknown option: levle"):
            make(levle=3)
    with pytest.raises(InvalidInput):
        Brain(best_move, level=11)
