"""Compares the explorer's trees and searches, run by Node.js, with the Python package."""

import random
from typing import Any

from bestmove import Board
from bestmove.search.textbook import tree as textbook
from tests.support.needs import NODE
from tests.web.node import check, shown

pytestmark = NODE

START = """
const { growTree, parseTree, cutTree, heightOf, keyOf, walk } = await load("trees.js");
const { search, ALGORITHMS } = await load("searches.js");
const { narrate, numberInShort, say } = await load("explorer-words.js");
"""


def _random_tree(chooser: random.Random, height: int) -> object:
    if height == 0 or (height < 4 and chooser.random() < 0.2):
        return chooser.randint(-4, 4)
    return [_random_tree(chooser, height - 1) for _ in range(chooser.randint(1, 4))]


def test_random_trees_are_searched_as_the_textbook_searches_of_the_package_do() -> None:
    chooser = random.Random(5)
    trees = [(_random_tree(chooser, height), height % 2 == 1) for height in [0, 1, 2, 3, 4] * 12]
    program = """
    show(given.map(([plain, maximizing]) => {
      const tree = parseTree(JSON.stringify(plain), maximizing);
      return [heightOf(tree), ALGORITHMS.map((name) => {
        const { algorithm, value, path, evaluated, pruned, counts, steps } = search(tree, name);
        return { algorithm, value, path, evaluated, pruned, counts, steps };
      })];
    }));
    """
    for (plain, maximizing), (height, traces) in zip(
        trees, shown(START + program, trees), strict=True
    ):
        node = textbook.parse(plain)
        assert height == len(list(textbook.plies(node))) - 1
        for trace in traces:
            found = textbook.search(node, trace["algorithm"], maximizing)
            answer = {"value": found.value, "path": list(found.path)}
            answer |= {"evaluated": [list(path) for path in found.evaluated]}
            assert {name: trace[name] for name in answer} == answer, (plain, trace["algorithm"])
            assert sorted(trace["pruned"]) == sorted(map(list, found.pruned))
            assert trace["counts"] == {
                "nodes": found.search.nodes,
                "leaves": len(found.evaluated),
                "cutoffs": found.search.cutoffs,
                "pruned": len(found.pruned),
            }
            assert trace["steps"][-1]["counts"] == trace["counts"]


def test_the_tree_of_a_position_has_all_its_games_as_deep_as_can_be_drawn() -> None:
    boards = ["XOXOO..X.", "XX.OOX...", "XX.OO....", "XOX.O..X.", "X........", "........."]
    turns = [Board.parse(board).turn for board in boards]
    program = """
    show(given.map(([board, turn]) => {
      const tree = growTree(board, turn);
      const nodes = [...walk(tree.root)];
      const leaf = ({ value, children }) => (value === null) === (children.length > 0);
      return [nodes.length, heightOf(tree), tree.maximizing, tree.plain, nodes.every(leaf)];
    }));
    """
    found = shown(START + program, list(zip(boards, turns, strict=True)))
    for board, turn, (count, height, maximizing, plain, whole) in zip(
        boards, turns, found, strict=True
    ):
        depth = height if height < board.count(".") else 9
        assert (plain, maximizing, whole) == (_games(Board.parse(board), depth), turn == "X", True)
        assert count <= 1000 < count * board.count(".") or depth == 9
    assert [(count, height) for count, height, *_ in found[-2:]] == [(401, 3), (586, 3)]


def _games(board: Board, depth: int) -> Any:
    if board.is_over or depth == 0:
        return {"X": 1, "O": -1}.get(board.winner or "", 0)
    return [_games(board.play(move), depth - 1) for move in board.moves]


def test_a_tree_is_cut_at_a_depth_with_the_mean_of_the_leaves_or_zero_in_a_game() -> None:
    program = """
    const tree = parseTree("[[1, 2, [4, 4]], 7, [[[3]]]]", true, [..."abcdefghi"]);
    each((depth) => cutTree(tree, depth).plain,
      [[3.5, 0], [[2.8, 7, 3], 1], [[[1, 2, 4], 7, [3]], 2], [tree.plain, 9]]);
    is(cutTree(parseTree("[[0, 4], [0]]", true), 1).plain, [2, 0]);
    const game = cutTree(growTree("XOXOO..X.", "X"), 1);
    is([game.plain, game.maximizing], [[0, 0, 0], true]);
    is([...walk(tree.root)].map(({ path, move }) => `${keyOf(path)}${move ?? "-"}`).join(" "),
      "- 0a 0.0b 0.1c 0.2d 0.2.0e 0.2.1f 1g 2h 2.0i 2.0.0- 2.0.0.0-");
    """
    check(START + program)


def test_the_text_of_a_tree_that_is_none_is_explained() -> None:
    program = """
    const neither = "is neither a number nor an array.";
    each((text) => error(() => parseTree(text, true).plain), [
      [5, "5"],
      ["Write the tree as nested numbers, such as [[5, 2, 9], [8, 4, 7]].", "[[1, 2]"],
      ["The root is empty: a leaf is a number.", "[]"],
      ["The node at 2.2 is empty: a leaf is a number.", "[1, [2, []]]"],
      [`The node at 2.1 ${neither}`, '[1, ["x"]]'], [`The root ${neither}`, '"x"'],
      [`The node at 2 ${neither}`, "[1, null]"], [`The node at 1 ${neither}`, "[true]"],
      ["A tree to draw has at most 1000 nodes.", JSON.stringify(Array(1000).fill(0))],
    ]);
    is(parseTree(JSON.stringify(Array(999).fill(0)), true).root.children.length, 999);
    """
    check(START + program)


def test_each_step_is_described() -> None:
    program = """
    const told = (text, maximizing, name) => {
      const trace = search(parseTree(text, maximizing), name);
      return [...trace.steps.keys(), trace.steps.length].map((at) => narrate(trace, at));
    };
    is(told("[[5, 2], [1, 9, 8]]", true, "alpha-beta"), [
      "Nothing is searched yet.",
      "Go down to the root, where the maximiser chooses, with α −∞ and β +∞.",
      "Go down to node 1, where the minimiser chooses, with α −∞ and β +∞.",
      "Go down to node 1.1, a leaf.",
      "The leaf is worth 5.",
      "5 is the best so far at node 1: β is 5 now.",
      "Go down to node 1.2, a leaf.",
      "The leaf is worth 2.",
      "2 is the best so far at node 1: β is 2 now.",
      "Node 1 is done, and returns 2.",
      "2 is the best so far at the root: α is 2 now.",
      "Go down to node 2, where the minimiser chooses, with α 2 and β +∞.",
      "Go down to node 2.1, a leaf.",
      "The leaf is worth 1.",
      "1 is the best so far at node 2: β is 1 now.",
      "Cutoff at node 2: β 1 is not above α 2, so its other 2 children are pruned, " +
        "from node 2.2 on.",
      "Node 2 is done, and returns 1.",
      "No better: the root keeps 2.",
      "Done: the root is worth 2; best play leads to node 1.2.",
    ]);
    const plain = told("[[-1], 3]", false, "minimax");
    is([1, 2, 5].map((at) => plain[at]), [
      "Go down to the root, where the minimiser chooses.",
      "Go down to node 1, where the maximiser chooses.",
      "−1 is the best so far at node 1.",
    ]);
    is(told("[[5, 2], [1, 9]]", false, "negamax").filter((text) => /5/.test(text)), [
      "The leaf is worth 5: −5, for the side to move.",
      "5 is the best so far at node 1: α is 5 now.",
      "No better: node 1 keeps 5.",
      "Node 1 is done, and returns 5.",
      "−5 is the best so far at the root: α is −5 now.",
      "Go down to node 2, where the maximiser chooses, with α −∞ and β 5.",
      "No better: the root keeps −5.",
      "Done: the root is worth 5; best play leads to node 1.1.",
    ]);
    const hard = told("[[5], [1, 9]]", true, "alpha-beta-fail-hard");
    is(hard.filter((text) => /clamp|Cut/.test(text)), [
      "The leaf is worth 1: 5, clamped to the window.",
      "Cutoff at node 2: β 5 is not above α 5, so its last child is pruned, from node 2.2 on.",
    ]);
    is(told("4", true, "minimax").slice(1),
      ["Go down to the root, a leaf.", "The leaf is worth 4."]);
    each(numberInShort, [["", null], ["2", 2], ["−2", -2], ["0.123", 0.12345], ["−0.001", -0.0006],
      ["+∞", Infinity], ["−∞", -Infinity]]);
    is(say.counts(1, 9, { nodes: 2, leaves: 3, cutoffs: 4, pruned: 5 }),
      "Step 1 of 9. Nodes 2, leaves 3, cutoffs 4, subtrees pruned 5.");
    is([say.stepOf(1, 9, "w"), say.differs(["a", "b"])], ["1 of 9: w", "✗ different a, b"]);
    """
    check(START + program)
