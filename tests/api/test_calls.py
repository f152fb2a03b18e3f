"""A request makes few function calls, because nothing is computed twice."""

import sys
from collections import Counter
from pathlib import Path
from types import FrameType

from flask.testing import FlaskClient

import bestmove
from tests.api.http import Api
from tests.support.tictactoe import open_positions

MOST_CALLS = 140
"""The most calls of this package's functions during one POST of an unfinished 3×3 position."""

PACKAGE = str(Path(bestmove.__file__).parent)


def calls_of(client: FlaskClient, board: str) -> Counter[str]:
    calls: Counter[str] = Counter()

    def count(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(PACKAGE):
            calls[f"{code.co_filename.removeprefix(PACKAGE)[1:]} {code.co_qualname}"] += 1

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        answer = client.post("/best-move", json={"board": board})
    finally:
        sys.setprofile(before)
    assert answer.status_code == 200
    return calls


def test_a_post_of_a_small_board_makes_few_calls(api: Api) -> None:
    client = api.app.test_client()
    # The first position takes the most calls: X makes a fork there.
    for board in ("OOXX..OX.", *open_positions()[:20]):
        client.post("/best-move", json={"board": board})  # fills the caches
        calls = calls_of(client, board)
        assert calls.total() <= MOST_CALLS, (board, calls.most_common())
