"""POST /game-tree: explicit trees."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from tests.api.http import Api

ALGORITHMS = ["minimax", "alpha-beta", "alpha-beta-fail-hard", "negamax", "memoized-alpha-beta"]


def value_of(tree: Any, maximizing: bool) -> float:
    if not isinstance(tree, list):
        return float(tree)
    return (max if maximizing else min)(value_of(child, not maximizing) for child in tree)


def random_tree(rng: random.Random, height: int) -> Any:
    if height == 0 or rng.random() < 0.2:
        return rng.randint(-9, 9)
    return [random_tree(rng, height - 1) for _ in range(rng.randint(1, 3))]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@pytest.mark.parametrize("maximizing", [True, False])
def test_every_algorithm_finds_the_minimax_value(
    api: Api, algorithm: str, maximizing: bool
) -> None:
    rng = random.Random(2)
    for _ in range(30):
        tree = [random_tree(rng, 4), random_tree(rng, 4)]
        answer = api.answer("/game-tree", tree=tree, algorithm=algorithm, maximizing=maximizing)
        assert answer["value"] == value_of(tree, maximizing)
        leaf = tree
        for child in answer["path"]:
            leaf = leaf[child]
        assert leaf == answer["value"]


def test_minimax_prunes_nothing_and_alpha_beta_says_what_it_pruned(api: Api) -> None:
    tree = [[3, [5, 2]], [6, 9], [1, 7]]
    everything = api.answer("/game-tree", tree=tree, algorithm="minimax")
    assert everything["pruned"] == []
    assert len(everything["evaluated"]) == 7
    pruned = api.answer("/game-tree", tree=tree)
    assert pruned["pruned"] == [[0, 1, 1], [2, 1]]


def test_values_of_inner_nodes_serve_where_the_depth_cuts(api: Api) -> None:
    tree = {"children": [{"value": 3, "children": [5, 2, 9]}, {"value": 6, "children": [8, 4, 7]}]}
    assert api.answer("/game-tree", tree=tree, depth=1)["value"] == 6
    assert api.answer("/game-tree", tree=tree)["value"] == 4
    assert api.answer("/game-tree", tree={"value": 5, "children": [1]}, depth=0)["value"] == 5


@pytest.mark.parametrize(
    ("body", "pointers"),
    [
        ({}, ["/tree"]),
        ({"tree": None}, ["/tree"]),
        ({"tree": "1"}, ["/tree"]),
        ({"tree": True}, ["/tree"]),
        ({"tree": []}, ["/tree"]),
        ({"tree": [1, []]}, ["/tree/1"]),
        ({"tree": {}}, ["/tree"]),
        ({"tree": [1, {"value": "2"}]}, ["/tree/1/value"]),
        ({"tree": [1, {"children": 2}]}, ["/tree/1/children"]),
        ({"tree": [1, {"value": 2, "a/b": 3}]}, ["/tree/1/a~1b"]),
        ({"tree": [1, [2, None]]}, ["/tree/1/1"]),
        ({"tree": [[1], [2]], "depth": 1}, ["/tree/0"]),
        ({"tree": [1], "depth": -1}, ["/depth"]),
        ({"tree": [1], "algorithm": "auto"}, ["/algorithm"]),
        ({"tree": [1], "maximizing": "true"}, ["/maximizing"]),
        ({"tree": [1], "maximizing": 1}, ["/maximizing"]),
        ({"tree": [1], "level": 3}, ["/level"]),
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


def test_a_wide_tree_is_searched(api: Api) -> None:
    answer = api.answer("/game-tree", tree=[[number % 7] for number in range(5000)])
    assert answer["value"] == 6
