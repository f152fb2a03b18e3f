"""The way of a request is short: few functions in few files, because nothing is computed twice.

docs/architecture.md walks it.
"""

import sys
from pathlib import Path
from types import FrameType

from flask.testing import FlaskClient

import bestmove
from tests.api.http import Api
from tests.support.tictactoe import open_positions

PACKAGE = str(Path(bestmove.__file__).parent)


def files_of_calls(client: FlaskClient, board: str) -> list[str]:
    """Return the file of each call of this package's functions for a POST."""
    files: list[str] = []

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        # From Python 3.12, a comprehension is no call.
        if event == "call" and code.co_filename.startswith(PACKAGE) and code.co_name[0] != "<":
            files.append(code.co_filename)

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        answer = client.post("/best-move", json={"board": board})
    finally:
        sys.setprofile(before)
    assert answer.status_code == 200
    return files


def test_the_way_of_a_post_of_a_small_board_is_short(api: Api) -> None:
    client = api.app.test_client()
    # The first position takes the most calls: X makes a fork there.
    for board in ("OOXX..OX.", *open_positions()[:20]):
        client.post("/best-move", json={"board": board})  # fills the caches
        files = files_of_calls(client, board)
        assert len(files) <= 80, board
        assert len(set(files)) <= 19, board
