"""The way of a request is short: few functions in few files, because nothing is computed twice.

docs/architecture.md walks it.
"""

import sys
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import NamedTuple

from flask.testing import FlaskClient

import bestmove
from tests.api.http import Api
from tests.support.tictactoe import open_positions

PACKAGE = str(Path(bestmove.__file__).parent)


class Way(NamedTuple):
    """How long the way is. A change of file is a call in another file than the call before."""

    calls: int
    files: int
    changes: int


LONGEST = Way(calls=80, files=19, changes=40)
"""The bounds for one POST of an unfinished 3×3 position."""


def way_of(client: FlaskClient, board: str) -> Way:
    """Return the way of a POST through this package's functions."""
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
    changes = sum(file != last for last, file in pairwise(files))
    return Way(len(files), len(set(files)), changes)


def test_the_way_of_a_post_of_a_small_board_is_short(api: Api) -> None:
    client = api.app.test_client()
    # The first position takes the most calls: X makes a fork there.
    for board in ("OOXX..OX.", *open_positions()[:20]):
        client.post("/best-move", json={"board": board})  # fills the caches
        way = way_of(client, board)
        assert all(is_short for is_short in map(int.__le__, way, LONGEST)), (board, way)
