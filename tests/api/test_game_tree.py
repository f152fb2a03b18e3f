"""POST /game-tree: explicit trees."""

from __future__ import annotations

import json

import pytest

from tests.api.http import Api


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/tree"]),
        ({"tree": True}, ["/tree"]),
        ({"tree": [1, []]}, ["/tree/1"]),
        ({"tree": [1, {"value": "2"}]}, ["/tree/1/value"]),
        ({"tree": [1, {"value": 2, "a/b": 3}]}, ["/tree/1/a~1b"]),
        ({"tree": [1, [2, None]]}, ["/tree/1/1"]),
        ({"tree": [[1], [2]], "depth": 1}, ["/tree/0"]),
        ({"tree": [1], "depth": -1}, ["/depth"]),
        ({"tree": [1], "algorithm": "auto"}, ["/algorithm"]),
        ({"tree": [1], "maximizing": "true"}, ["/maximizing"]),
        ({"tree": [None], "maximizing": 1, "depth": "1"}, ["/depth", "/maximizing", "/tree/0"]),
    ],
    ids=repr,
)
def test_what_is_no_tree_is_422(api: Api, body: object, pointers: list[str]) -> None:
    assert sorted(api.faults("/game-tree", body)) == pointers


def test_a_tree_as_deep_as_json_may_be_is_searched(api: Api) -> None:
    body = b'{"tree": ' + b"[" * 199 + b"1" + b"]" * 199 + b"}"
    assert json.loads(api.post("/game-tree", body).data)["value"] == 1


def test_a_tree_whose_answer_would_be_huge_is_refused(api: Api) -> None:
    leaves = b",".join([b"1"] * 90_000)
    body = b'{"tree": ' + b"[" * 150 + leaves + b"]" * 150 + b"}"
    assert api.faults("/game-tree", body) == ["/tree"]
