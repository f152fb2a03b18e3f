"""The Python client with a real service."""

import json
from collections.abc import Iterator
from dataclasses import FrozenInstanceError, replace
from typing import Any

import pytest
import requests

from bestmove import Board
from bestmove.answers import Record
from bestmove.bots import Engine
from bestmove.client import (
    AsyncClient,
    BestMove,
    Client,
    InvalidAnswer,
    InvalidInput,
    Move,
    Problem,
    RequestRefused,
    questions,
)
from bestmove.client.reading import read
from bestmove.client.wire import Call, Caller
from bestmove.errors import InvalidNotation
from bestmove.game.rules import SWITCHES
from tests.client.faulty import ANSWER
from tests.support.documents import without_times

CORNER_AND_CENTRE = "X...O...."


def test_the_best_move_comes_as_a_typed_record(client: Client) -> None:
    answer = client.best_move("XX..O....")
    assert answer.board == Board.parse("XX..O....")
    assert answer.move == Move(index=2, row=0, column=2, name="c3")
    assert type(answer.score) is int
    over = [client.analyze(text).is_over for text in ("XX..O....", "XXXOO....", "XOXXOOOXX")]
    assert (answer.is_over, over) == (False, [False, True, True])
    with pytest.raises(FrozenInstanceError):
        answer.score = 1  # type: ignore[misc]


@pytest.mark.parametrize("board", [CORNER_AND_CENTRE, "XXXOO....", "XX.OO....", "XO/.."])
def test_a_program_is_the_same_for_the_engine_and_a_client(client: Client, board: str) -> None:
    def program(engine: Client | Engine) -> list[str]:
        answer, analysis = engine.best_move(board, seed=1), engine.analyze(board, seed=1)
        tree = engine.game_tree([[3, [5, 2]], [6, 9]])
        shown = [answer, analysis, answer.after, analysis.threats, tree.path, tree.pruned]
        shown += [without_times(engine.prove(board).to_dict())]
        parts = [type(answer), type(analysis), [move.name for move in analysis.moves]]
        if answer.move is not None:
            row, column = answer.move
            assert answer.move == int(answer.move) == answer.move.index
            assert answer.move in answer.board.moves
            played = [answer.move, answer.move.name, (row, column), answer.pv[0], analysis.moves[0]]
            parts += [{answer.board.play(move) for move in played}, engine.play(board, answer.move)]
        return list(map(str, shown + parts))

    assert program(client) == program(Engine())


def test_the_engine_refuses_what_a_service_refuses() -> None:
    with pytest.raises(TypeError, match="unknown option: levle"):
        Engine().best_move(CORNER_AND_CENTRE, levle=3)  # type: ignore[call-arg]
    with pytest.raises(InvalidInput, match="not both"):
        Engine().best_move(CORNER_AND_CENTRE, moves="a1")
    assert "detail" not in Engine().prove("XX..O.O..").to_dict()
    assert "detail" not in Engine().prove("XXXOO....").to_dict()


def as_json(record: Record) -> Any:
    return json.loads(json.dumps(record.to_dict()))


def test_an_object_with_tolist_is_read_as_a_numpy_array(client: Client) -> None:
    class Array:
        def tolist(self) -> list[list[int]]:
            return [[1, 0, 0], [0, 2, 0], [0, 0, 0]]

    assert client.best_move(Array()).board == Board.parse(CORNER_AND_CENTRE)


def test_games_have_names_and_the_server_limits(client: Client) -> None:
    answer = client.games()
    sent = requests.get(f"{client.url}/games", timeout=10).json()
    assert as_json(answer) == sent
    assert {game.name: game.rules for game in answer.games}["connect-four"].gravity is True


def test_the_boards_of_a_batch_can_be_given_by_moves(client: Client) -> None:
    answers = list(client.best_moves([{"moves": "4"}, {"moves": "49"}], game="connect-four"))
    assert [type(answer) for answer in answers] == [BestMove, Problem]


def test_a_field_that_the_service_sends_only_at_times_is_kept() -> None:
    sent = ANSWER | {"search": ANSWER["search"] | {"timed_out": True, "threads": 2}}
    answer = read(BestMove, sent)
    assert (answer.search.timed_out, answer.search.threads) == (True, 2)
    assert as_json(answer) == sent
    assert not read(BestMove, ANSWER).search.timed_out
    assert as_json(read(BestMove, ANSWER)) == ANSWER


def test_a_switch_that_an_older_service_does_not_know_has_its_default() -> None:
    rules = {name: value for name, value in ANSWER["rules"].items() if name not in SWITCHES}
    assert as_json(read(BestMove, ANSWER | {"rules": rules})) == ANSWER


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("turn", "Z"),
        ("winner", 1),
        *((name, None) for name in ("outcome", "after", "reason", "search")),
        ("after", ANSWER["after"] | {"turn": "X"}),
        ("plies", "9"),
        ("rules", ANSWER["rules"] | {"gravity": 0}),
        ("rules", ANSWER["rules"] | {"rows": True}),
        ("pv", [0.5]),
        ("score", True),
    ],
)
def test_an_answer_of_another_shape_is_refused(field: str, value: object) -> None:
    with pytest.raises(InvalidAnswer):
        read(BestMove, ANSWER | {field: value})


@pytest.mark.parametrize("move", [4, (1, 1), Move(4, 1, 1, "b2"), {"row": 1, "column": 1}])
def test_play_makes_the_callers_move(client: Client, move: Any) -> None:
    assert str(client.play(None, move, moves=[]).board) == "....X...."


@pytest.mark.parametrize("board", [object(), 5, b".........", [[object()]], {"X": 1}])
def test_what_cannot_be_a_board_is_not_sent(board: Any) -> None:
    with Client("http://127.0.0.1:1") as client, pytest.raises(InvalidNotation):
        client.best_move(board)


INVALID_ADDRESSES = ("localhost:8000", "ftp://host", "", "http://", "http://[::1", "http://h:x")


@pytest.mark.parametrize("client_class", [Client, AsyncClient])
@pytest.mark.parametrize(
    ("field", "value", "message"),
    [
        *(("url", url, "is not an address") for url in INVALID_ADDRESSES),
        ("url", "http://host/?a=b", "query or a fragment"),
        ("url", "http://host/prefix#part", "query or a fragment"),
        ("retries", -1, "retries must be 0 or more"),
    ],
)
def test_a_client_with_a_wrong_argument_is_refused_at_once(
    client_class: type[Caller], field: str, value: Any, message: str
) -> None:
    with pytest.raises(InvalidInput, match=message) as refused:
        client_class(**{field: value})
    assert refused.value.field == field


def test_a_batch_answers_in_order_and_a_bad_board_fails_alone(client: Client) -> None:
    boards = ["X...O....", "XX", "XXXOO....", object(), "........."]
    answers = list(client.best_moves(boards, k=3))  # type: ignore[arg-type]
    kinds = [type(answer) for answer in answers]
    assert kinds == [BestMove, Problem, BestMove, Problem, BestMove]
    refused, unsendable = answers[1], answers[3]
    assert isinstance(refused, Problem)
    assert refused.status == 422
    assert "2 cells" in refused.detail
    assert refused.errors[0]["pointer"] == "/boards/1"
    assert isinstance(unsendable, Problem)
    assert "object is not a board" in unsendable.detail


def test_a_board_that_is_no_json_does_not_end_its_batch(client: Client) -> None:
    nan = float("nan")
    boards: list[Any] = ["X...O....", [[nan] * 3] * 3, {"board": {1, 2}}, [0] * 9]
    first, second, third, last = client.best_moves(boards)
    assert isinstance(first, BestMove)
    assert isinstance(last, BestMove)
    for problem in (second, third):
        assert isinstance(problem, Problem)
        assert "cannot be written as JSON" in problem.detail


def test_rules_in_the_options_override_those_of_a_board(client: Client) -> None:
    board = Board.parse("X........")
    for answerer in (client, Engine()):
        assert answerer.best_move(board, k=2).rules.k == 2
        assert answerer.analyze(board, misere=True).board.rules == replace(board.rules, misere=True)
        assert answerer.best_move(board, k=None).board.rules == board.rules
        with pytest.raises((InvalidInput, RequestRefused), match="k"):
            answerer.best_move(board, k=4)
    (shared,) = client.best_moves([board], k=2)
    assert isinstance(shared, BestMove)
    assert shared.rules.k == 2
    for none in ({}, {"k": None}):
        (own,) = client.best_moves([board], **none)  # type: ignore[arg-type]
        assert isinstance(own, BestMove)
        assert own.rules.k == 3


@pytest.mark.parametrize("results", [0, 1, 3])
def test_the_answer_to_a_batch_has_one_result_for_each_board(results: int) -> None:
    (call,) = questions.best_moves([".........", "........."], 10, {})
    assert isinstance(call, Call)
    with pytest.raises(InvalidAnswer, match="one result for each board of the batch"):
        call.read({"results": [{"result": ANSWER}] * results})


def test_any_number_of_boards_is_sent_lazily_in_batches(client: Client) -> None:
    taken = 0

    def endless() -> Iterator[str]:
        nonlocal taken
        while True:
            taken += 1
            yield "........." if taken % 2 else "X...O...."

    answers = client.best_moves(endless(), batch=10)
    assert taken == 0
    first = [next(answers) for _ in range(25)]
    assert taken == 30  # three batches of ten
    assert [str(answer.board) for answer in first if isinstance(answer, BestMove)] == [
        "........." if number % 2 == 0 else "X...O...." for number in range(25)
    ]


def test_a_batch_has_at_most_a_thousand_boards() -> None:
    with Client() as client, pytest.raises(InvalidInput, match="batch"):
        client.best_moves([], batch=1001)


def test_without_a_certificate_the_answer_says_why(client: Client) -> None:
    none = client.prove(game="gomoku", time_ms=10)
    assert (none.proof, none.detail) == (None, "The result was not proven within the budget.")
