"""Explicit trees: how they are written, and what a search of a tree reports."""

from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bestmove.answers import Path
from bestmove.errors import InvalidLimits, InvalidTree
from bestmove.search.textbook.algorithms import SEARCHES
from bestmove.search.textbook.tree import MAX_HEIGHT, MAX_NODES, Node, parse, search

PRUNING = [name for name in SEARCHES if name != "minimax"]

json_trees = st.recursive(
    st.integers(-9, 9) | st.sampled_from([0.5, -1.5]),
    lambda trees: st.one_of(
        st.lists(trees, min_size=1, max_size=4),
        st.fixed_dictionaries(
            {"value": st.integers(-9, 9), "children": st.lists(trees, max_size=3)}
        ),
    ),
    max_leaves=30,
)


def children_of(value: object) -> list[object]:
    found = value.get("children", []) if isinstance(value, dict) else value
    return found if isinstance(found, list) else []


def own_value(value: object) -> object:
    return value["value"] if isinstance(value, dict) else value


def minimax(value: object, maximizing: bool) -> float:
    children = children_of(value)
    if not children:
        own = own_value(value)
        assert isinstance(own, int | float)
        return own
    return (max if maximizing else min)(minimax(child, not maximizing) for child in children)


def leaves(value: object, path: Path = ()) -> Iterator[Path]:
    children = children_of(value)
    if not children:
        yield path
    for index, child in enumerate(children):
        yield from leaves(child, (*path, index))


def height(value: object) -> int:
    return max(map(len, leaves(value)))


@pytest.mark.parametrize("algorithm", PRUNING)
def test_pruned_subtrees_are_listed_by_their_roots(algorithm: str) -> None:
    # The first child is worth 3. The leaf 2 shows that the second child is worth at most 2, so the
    # search skips its other two children: the leaf 9 and the node [8, 1].
    result = search(parse([[3, 5], [2, 9, [8, 1]]]), algorithm)
    assert (result.value, result.path) == (3, (0, 0))
    assert result.evaluated == ((0, 0), (0, 1), (1, 0))
    assert result.pruned == ((1, 1), (1, 2))


# Every tree.


@settings(max_examples=300)
@given(json_trees, st.booleans(), st.sampled_from(list(SEARCHES)))
def test_every_leaf_is_evaluated_or_below_a_pruned_node(
    value: object, maximizing: bool, algorithm: str
) -> None:
    result = search(parse(value), algorithm, maximizing, trace=True)
    assert result.value == minimax(value, maximizing)
    assert result.search.algorithm == algorithm
    seen = result.trace or ()
    everything = search(parse(value), "minimax", maximizing).search.nodes
    assert len(seen) == result.search.nodes <= everything
    assert sum(each.cutoff for each in seen) == result.search.cutoffs
    evaluated, pruned = set(result.evaluated), set(result.pruned)
    assert len(evaluated) == len(result.evaluated)
    assert len(pruned) == len(result.pruned)
    for leaf in leaves(value):
        above = {leaf[:end] for end in range(len(leaf) + 1)}
        assert (leaf in evaluated) + len(above & pruned) == 1
    assert result.path in evaluated
    end = value
    for child in result.path:
        end = children_of(end)[child]
    assert own_value(end) == result.value
    assert result.search.depth == height(value)
    assert result.search.cutoffs == len({path[:-1] for path in pruned})
    if algorithm == "minimax":
        assert result.evaluated == tuple(leaves(value))


@settings(max_examples=200)
@given(json_trees, st.integers(0, 4))
def test_a_depth_searches_the_tree_cut_at_that_depth(value: object, depth: int) -> None:
    def complete(value: object) -> object:
        own = own_value(value) if not isinstance(value, list) else len(value)
        return {"value": own, "children": list(map(complete, children_of(value)))}

    def cut(value: object, depth: int) -> object:
        children = [cut(child, depth - 1) for child in children_of(value)] if depth else []
        return {"value": own_value(value), "children": children}

    whole = complete(value)
    for algorithm in SEARCHES:
        result = search(parse(whole), algorithm, depth=depth)
        shorter = search(parse(cut(whole, depth)), algorithm)
        assert (result.value, result.path) == (shorter.value, shorter.path)
        assert (result.evaluated, result.pruned) == (shorter.evaluated, shorter.pruned)
        assert result.search.depth == shorter.search.depth


def test_numbers_come_back_as_they_were_given() -> None:
    assert repr(search(parse([[2, 3.5], [1]])).value) == "2"
    assert repr(search(parse([[2.0, 3.5], [1]]), "negamax").value) == "2.0"
    assert repr(search(parse([0.0, -1]), "negamax", maximizing=False).value) == "-1"
    assert repr(search(parse([[0.0]]), "negamax").value) == "0.0"
    assert search(parse(10**300)).value == 10**300


# Invalid trees.


@pytest.mark.parametrize(
    ("value", "field"),
    [
        *((None, "tree"), (True, "tree"), ("5", "tree"), ([], "tree"), ({}, "tree")),
        *(([1, [2, "x"]], "tree/1/1"), ([1, [2, False]], "tree/1/1")),
        *(([1, [2, float("nan")]], "tree/1/1"), ([float("inf")], "tree/0")),
        *(([[10**400]], "tree/0/0"), ([1, []], "tree/1"), ({"children": []}, "tree")),
        ({"children": [1, {"children": []}]}, "tree/children/1"),
        ({"value": None, "children": [1]}, "tree/value"),
        *(([{"value": True}], "tree/0/value"), ({"children": 3}, "tree/children")),
        ([1, {"children": {"a": 1}}], "tree/1/children"),
        *(({"value": 1, "kids": []}, "tree/kids"), ({"a/b~c": 1}, "tree/a~1b~0c")),
    ],
)
def test_an_invalid_tree_is_refused_with_the_place_of_the_fault(value: object, field: str) -> None:
    with pytest.raises(InvalidTree) as caught:
        parse(value)
    assert caught.value.field == field


def test_the_number_of_nodes_is_bounded() -> None:
    assert len(parse([0] * (MAX_NODES - 1)).children) == MAX_NODES - 1
    with pytest.raises(InvalidTree, match="25,000 nodes"):
        parse([0] * MAX_NODES)
    with pytest.raises(InvalidLimits, match="the trace of this tree"):
        search(parse([10**300] * 9_000), trace=True)


@pytest.mark.parametrize("as_object", [False, True])
def test_the_highest_tree_is_searched_and_a_higher_one_refused(as_object: bool) -> None:
    def chain(plies: int) -> object:
        value: object = 1
        for _ in range(plies):
            value = {"children": [value]} if as_object else [value]
        return value

    highest = parse(chain(MAX_HEIGHT))
    for algorithm in SEARCHES:
        result = search(highest, algorithm, trace=True)
        assert (result.value, len(result.path)) == (1, MAX_HEIGHT)
    for plies in (MAX_HEIGHT + 1, 50_000):
        with pytest.raises(InvalidTree, match="200 plies"):
            parse(chain(plies))


def test_a_tree_built_by_hand_has_the_same_bounds() -> None:
    node = Node(1)
    for _ in range(MAX_HEIGHT + 1):
        node = Node(children=(node,))
    with pytest.raises(InvalidTree, match="200 plies"):
        search(node)
    with pytest.raises(InvalidTree, match="give its value"):
        Node()


def test_a_depth_needs_values_where_it_cuts() -> None:
    # Every algorithm refuses this tree, even one that would never visit [9, 9].
    for algorithm in SEARCHES:
        with pytest.raises(InvalidTree, match="depth ends at this node") as caught:
            search(parse([[3, 5], {"children": [2, [9, 9]]}]), algorithm, depth=2)
        assert caught.value.field == "tree/1/children/1"


def test_an_unknown_algorithm_or_depth_is_refused() -> None:
    with pytest.raises(InvalidLimits, match="algorithm must be one of") as caught:
        search(parse(1), "auto")
    assert caught.value.field == "algorithm"
    for depth in (-1, True, 1.5):
        with pytest.raises(InvalidLimits, match="depth"):
            search(parse(1), depth=depth)  # type: ignore[arg-type]
    assert search(parse([1, 2])).search.algorithm == "alpha-beta"
