"""The agents for Kaggle. Most tests need the package kaggle-environments, which `make peers`
installs in a separate environment."""

import io
import itertools
import json
import time
import urllib.request
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from bestmove import Board
from bestmove.api.settings import Settings
from bestmove.bots import Engine, kaggle, kaggle_submission
from bestmove.search.limits import MAX_TIME_MS
from tests.bots.stand_in import FirstMove
from tests.support.connection import free_port

SIZES = [
    {"rows": 6, "columns": 7, "inarow": 4},
    {"rows": 3, "columns": 3, "inarow": 3},
    {"rows": 4, "columns": 9, "inarow": 3},
    {"rows": 9, "columns": 9, "inarow": 5},
    {"rows": 1, "columns": 5, "inarow": 2},
    {"rows": 8, "columns": 1, "inarow": 1},
    {"rows": 21, "columns": 25, "inarow": 5},
    {"rows": 3, "columns": 3, "inarow": 4},
]


def make(**configuration: Any) -> Any:
    environments = pytest.importorskip(
        "kaggle_environments", reason="it has an environment of its own: make peers"
    )
    return environments.make("connectx", configuration, debug=False)


def run(players: list[Any], **configuration: Any) -> Any:
    env = make(**configuration)
    env.run(players)
    assert [agent.status for agent in env.state] == ["DONE", "DONE"], env.logs
    return env


@pytest.mark.parametrize("size", SIZES, ids=str)
def test_games_on_boards_of_any_size_end_by_the_rules(size: dict[str, int]) -> None:
    agent = kaggle.Agent(FirstMove())
    run([agent, "random"], **size)
    run(["random", agent], **size)


def test_the_agent_sees_the_board_as_it_is_and_keeps_within_the_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engine = FirstMove()
    env = make(actTimeout=1)
    trainer = env.train([None, lambda *_: 3])
    trainer.step(3)
    observation = env.state[0].observation
    # Reading the board takes 0.1 s.
    monkeypatch.setattr(time, "monotonic", itertools.count(1000.0, 0.1).__next__)
    assert kaggle.Agent(engine, level=5)(observation, env.configuration) == 3
    assert engine.asked == [Board.from_moves("44", game="connect-four")]
    (options,) = engine.options
    assert options == {"level": 5, "time_ms": pytest.approx(600, abs=1)}
    assert kaggle.Agent(engine, time_ms=50)(observation, env.configuration) == 3
    assert engine.options[-1] == {"time_ms": 50}


@pytest.mark.parametrize(
    ("rows", "columns", "inarow", "asked"),
    [
        (6, 7, 4, True),
        (4, 7, 5, True),
        (7, 4, 5, True),
        (4, 4, 4, True),
        (3, 3, 4, False),
        (21, 25, 5, False),
    ],
)
def test_the_engine_is_asked_wherever_a_line_has_room_on_a_board_of_its_size(
    rows: int, columns: int, inarow: int, asked: bool
) -> None:
    engine = FirstMove()
    configuration = {"rows": rows, "columns": columns, "inarow": inarow, "actTimeout": 86_400}
    column = kaggle.Agent(engine)({"board": [0] * rows * columns}, configuration)
    assert [board.rules.k for board in engine.asked] == [inarow] * asked
    # The agent asks for no more time than a search may have.
    assert engine.options == [{"time_ms": MAX_TIME_MS}] * asked
    assert column == (0 if asked else columns // 2)


def test_the_single_file_gives_the_service_less_time_than_it_waits(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[dict[str, Any]] = []

    def opened(request: urllib.request.Request, timeout: float) -> io.BytesIO:
        assert isinstance(request.data, bytes)
        asked.append(json.loads(request.data) | {"timeout": timeout})
        return io.BytesIO(b'{"move": {"column": 5}}')

    monkeypatch.setattr(urllib.request, "urlopen", opened)
    configuration = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 10}
    assert kaggle_submission.agent({"board": [0] * 42}, configuration) == 5
    rows = [[0] * 7] * 6
    assert asked == [
        {"board": rows, "k": 4, "gravity": True, "time_ms": 6_000, "timeout": 10},
    ]
    assert 6 < 10 * kaggle_submission.WAITING_SHARE < 10
    # The agent never asks for a longer search than the service allows.
    kaggle_submission.agent({"board": [0] * 42}, configuration | {"actTimeout": 60})
    assert asked[-1]["time_ms"] == Settings().max_time_ms


def turns(env: Any, player: int) -> list[dict[str, Any]]:
    return [step[player] for step in env.logs if step and step[player]]


def test_the_single_file_plays_through_a_service(tmp_path: Path, url: str) -> None:
    path = tmp_path / "submission.py"
    path.write_text(kaggle.submission(url), encoding="utf-8")
    env = run([str(path), "negamax"])
    assert env.state[0].reward == 1
    assert not any(turn["stderr"] for turn in turns(env, 0))
    here = kaggle.Agent(Engine())
    for observation in positions():
        configuration = {"rows": 6, "columns": 7, "inarow": 4, "actTimeout": 2}
        there: dict[str, Any] = {}
        exec(path.read_text(encoding="utf-8"), there)
        assert there["agent"](observation, configuration) == here(observation, configuration)


def positions() -> list[Mapping[str, Any]]:
    from bestmove.bots.arrays import to_lists

    boards = [Board.from_moves(moves, game="connect-four") for moves in ("", "4", "44", "4434")]
    return [{"board": [cell for row in to_lists(board) for cell in row]} for board in boards]


def test_without_a_service_the_single_file_still_plays_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "submission.py"
    path.write_text(kaggle.submission(f"http://127.0.0.1:{free_port()}"), encoding="utf-8")
    env = run([str(path), "random"])
    assert all("no answer from http://127.0.0.1:" in turn["stderr"] for turn in turns(env, 0))
