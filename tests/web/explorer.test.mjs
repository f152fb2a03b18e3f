/** The explorer's trees, searches and sentences. */

import { narrate, numberInShort, say } from "../../service/bestmove/web/explorer-words.js";
import { search } from "../../service/bestmove/web/searches.js";
import { cutTree, growTree, keyOf, parseTree, plainOf, walk } from "../../service/bestmove/web/trees.js";
import { each, error, is, test } from "./support.mjs";

test("a tree is cut at a depth with the mean of the leaves or zero in a game", () => {
  const tree = parseTree("[[1, 2, [4, 4]], 7, [[[3]]]]", true, [..."abcdefghi"]);
  each((depth) => plainOf(cutTree(tree, depth).root),
    [[3.5, 0], [[2.8, 7, 3], 1], [[[1, 2, 4], 7, [3]], 2], [plainOf(tree.root), 9]]);
  is(plainOf(cutTree(parseTree("[[0, 4], [0]]", true), 1).root), [2, 0]);
  const game = cutTree(growTree("XOXOO..X.", "X"), 1);
  is([plainOf(game.root), game.maximizing], [[0, 0, 0], true]);
  is([...walk(tree.root)].map(({ path, move }) => `${keyOf(path)}${move ?? "-"}`).join(" "),
    "- 0a 0.0b 0.1c 0.2d 0.2.0e 0.2.1f 1g 2h 2.0i 2.0.0- 2.0.0.0-");
});

test("the text of a tree that is none is explained", () => {
  const neither = "is neither a number nor an array.";
  each((text) => error(() => plainOf(parseTree(text, true).root)), [
    [5, "5"],
    ["Write the tree as nested numbers, such as [[5, 2, 9], [8, 4, 7]].", "[[1, 2]"],
    ["The root is empty: a leaf is a number.", "[]"],
    ["The node at 2.2 is empty: a leaf is a number.", "[1, [2, []]]"],
    [`The node at 2.1 ${neither}`, '[1, ["x"]]'], [`The root ${neither}`, '"x"'],
    [`The node at 2 ${neither}`, "[1, null]"], [`The node at 1 ${neither}`, "[true]"],
    ["A tree to draw has at most 1000 nodes.", JSON.stringify(Array(1000).fill(0))],
  ]);
  is(parseTree(JSON.stringify(Array(999).fill(0)), true).root.children.length, 999);
});

test("each step is described", () => {
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
  is(told("4", true, "minimax").slice(1), ["Go down to the root, a leaf.", "The leaf is worth 4."]);
  each(numberInShort, [["", null], ["2", 2], ["−2", -2], ["0.123", 0.12345], ["−0.001", -0.0006],
    ["+∞", Infinity], ["−∞", -Infinity]]);
  is(say.counts(1, 9, { nodes: 2, leaves: 3, cutoffs: 4, pruned: 5 }),
    "Step 1 of 9. Nodes 2, leaves 3, cutoffs 4, pruned 5.");
  is([say.stepOf(1, 9, "w"), say.differs(["a", "b"])], ["1 of 9: w", "✗ different a, b"]);
});
