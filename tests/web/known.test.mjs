/** What is known of each position of a game, from answers, analyses and reviews. */

import { History } from "../../service/bestmove/web/history.js";
import { claimOf, informed, learn, learnMoves, moveOf, movesOf } from "../../service/bestmove/web/known.js";
import { TIC_TAC_TOE } from "../../service/bestmove/web/rules.js";
import { GOMOKU, is, read, test } from "./support.mjs";

const threats = { X: [], O: [] };
const search = { depth: 4, nodes: 50, elapsed_ms: 3 };

/** @returns {any} */
const claim = (score, plies, best, pv, nodes = 9) => {
  return { score, exact: plies !== null, plies, best, pv: [best, ...pv], nodes, depth: 9 };
};
/** @returns {any} */
const move = (index, score, plies = null) => {
  return { index, score, exact: plies !== null, plies, pv: [index], depth: 4 };
};
/** Has an analysis find these moves in a position. */
const analysed = (node, moves, rules = GOMOKU) => {
  node.analysed = { moves, threats, search, time_ms: 100, yielded: false, lines: 3 };
  learnMoves(node, rules);
};

test("what is proven holds before and after and does not give way", () => {
  const told = ({ known }) => {
    return known && [known.score, known.exact, known.plies, known.best, Boolean(known.atMost)];
  };
  const history = new History(GOMOKU, "X");
  history.play(112);
  const one = history.now;
  learn(one, claim(0.2, null, 100, []), GOMOKU);
  is(told(one), [0.2, false, null, 100, false]);
  learn(one, claim(-1, 5, 97, [98, 99, 100, 101]), GOMOKU);
  learn(one, claim(0.9, null, 96, [], 1e9), GOMOKU);
  learn(one, claim(-1, 7, 96, []), GOMOKU);
  is(told(one), [-1, true, 5, 97, false]);
  is(told(history.root), null); // X has other moves
  // O's winning move keeps the win, whatever X replies.
  history.play(97);
  is(told(history.now), [-1, true, 4, 98, false]);
  history.play(0);
  is(told(history.now), [-1, true, 3, null, true]);
  history.go(history.now.parent);
  history.play(98);
  is(told(history.now), [-1, true, 3, 99, false]);
  // After another move nothing is known, until the analysis of it counts for the position before.
  history.go(one);
  history.play(50);
  is(told(history.now), null);
  learn(history.now, claim(-1, 2, 60, [61]), GOMOKU);
  is(told(one), [-1, true, 3, 50, true]);

  // All moves lose, so the position is lost; the loser delays.
  const small = { ...TIC_TAC_TOE, rows: 1, columns: 3, k: 3 };
  const row = new History(small, "X");
  for (const cell of [0, 1, 2]) {
    row.go(row.root);
    row.play(cell);
    learn(row.now, { ...claim(-1, cell === 1 ? 4 : 2, null, []), pv: [] }, small);
  }
  is(told(row.root), [-1, true, 5, 1, false]);

  // The list of an analysis shows what is known better from the positions after its moves.
  const end = read("a3 b2 b3 a2");
  analysed(end.now, [move(6, 0.4), move(2, 0.1)], TIC_TAC_TOE);
  is(told(end.now), [0.4, false, null, 6, false]);
  const before = end.now;
  end.play(2);
  is(told(before), [1, true, 1, 2, false]);
  is(movesOf(before).map(({ index, exact, plies }) => [index, exact, plies]),
    [[2, true, 1], [6, false, null]]);
  is(claimOf(/** @type {any} */ ({ move: null, pv: [], reason: { code: "weakened" } })), null);
});

test("list, bar and hint say the same of a position", () => {
  const told = ({ known }) => [known.score, known.exact, known.plies, known.best];
  const list = (node) => {
    return movesOf(node).map(({ index, score, exact, plies }) => [index, score, exact, plies]);
  };
  const begin = () => new History(GOMOKU, "X").root;

  // A line that is not the service's first one has the shortest proof.
  const won = begin();
  analysed(won, [move(5, 1, 9), move(6, 1, 5), move(7, 0.9), move(8, 0.95)]);
  is(told(won), [1, true, 5, 6]);
  is(list(won).slice(0, 2), [[6, 1, true, 5], [5, 1, true, 9]]);
  is(list(won).slice(2), [[7, 0.9, false, null], [8, 0.95, false, null]]);

  // A deeper search knows the position to be worth less, and another move to be the best.
  const known = begin();
  analysed(known, [move(5, 0.6), move(6, 0.5), move(7, 0.1), move(8, 0.3)]);
  /** @type {any} */
  const answer = { move: { index: 8 }, turn: "X", exact: false, search: { depth: 8 } };
  learn(known, claim(0.2, null, 8, [], 99), GOMOKU);
  is(told(known), [0.2, false, null, 8]);
  is(list(known).map(([index, score]) => `${index}: ${score}`),
    ["8: 0.2", "5: 0.2", "6: 0.2", "7: 0.1"]);
  is(informed(answer, known.known), answer);
  learn(known, claim(1, 7, 6, []), GOMOKU);
  const hint = informed(answer, known.known);
  is([hint.move, hint.reason, hint.search],
    [{ index: 6 }, { code: "forces-win", cells: [6], text: "" }, { depth: 9 }]);
  is(informed(/** @type {any} */ ({ move: null }), known.known), { move: null });
  const reasonOf = (record) =>
    informed(answer, { ...claim(1, 7, 0, []), best: null, ...record }).reason.code;
  is(reasonOf({}), "undecided");
  is(reasonOf({ score: -1 }), "delays-loss");
  is(reasonOf({ score: 0 }), "best-estimate");

  // If all moves draw, the analysis's first move is the best, not an earlier estimate's move.
  const even = { ...TIC_TAC_TOE, rows: 1, columns: 3 };
  const level = new History(even, "X").root;
  learn(level, claim(0.3, null, 2, []), even);
  analysed(level, [0, 1, 2].map((index) => move(index, 0, 3)), even);
  is(told(level), [0, true, 3, 0]);

  // All moves of a lost position are lost, at the latest when the best one is.
  const lost = begin();
  analysed(lost, [move(5, 0.2), move(6, 0.1), move(7, -1, 4)]);
  learn(lost, claim(-1, 6, 6, [0]), GOMOKU);
  is(list(lost), [[6, -1, true, 6], [5, -1, true, 6], [7, -1, true, 4]]);
  is(moveOf(lost, 100).plies, 6);
  // If its best move is then found to lose sooner, another one is the best.
  const history = new History(GOMOKU, "X");
  history.now = history.root;
  learn(history.root, lost.known, GOMOKU);
  history.play(6);
  learn(history.now, claim(-1, 3, 0, []), GOMOKU);
  is(told(history.root).slice(0, 3), [-1, true, 6]);
  is(history.root.known.best === 6, false);

  // The best move of an estimate is no longer the best when it is proven to lose.
  const misled = new History(GOMOKU, "X");
  analysed(misled.root, [move(5, 0.6), move(6, 0.5)]);
  misled.play(5);
  learn(misled.now, claim(-1, 3, 0, []), GOMOKU);
  is(told(misled.root), [0.5, false, null, 6]);
  is(list(misled.root), [[6, 0.5, false, null], [5, -1, true, 4]]);
  learn(misled.root, claim(0.7, null, 5, [], 99), GOMOKU);
  is(told(misled.root), [0.5, false, null, 6]);
  const checked = begin();
  learn(checked, claim(0.7, null, 5, [], 99), GOMOKU);
  analysed(checked, [move(6, 0.5), move(5, -1, 4)]);
  is(told(checked), [0.5, false, null, 6]);

  // A move that holds a draw may not be the best, but no worse one is; nobody gains by a move.
  const safe = begin();
  analysed(safe, [move(5, 0, 225), move(6, -0.3)]);
  is(told(safe), [0, false, null, 5]);
  learn(safe, claim(-0.2, null, 6, [], 99), GOMOKU);
  is(told(safe), [0, false, null, 5]);
  const drawn = new History(GOMOKU, "X");
  learn(drawn.root, claim(0, 225, 5, []), GOMOKU);
  drawn.play(9);
  learn(drawn.now, claim(0.4, null, 6, []), GOMOKU);
  is(told(drawn.now), [0, false, null, 6]);

  // A win that names no move gives way to one that does, if the position's own search found it.
  const other = new History(GOMOKU, "X");
  learn(other.root, claim(-1, 6, 6, [0]), GOMOKU);
  other.play(9);
  const nameless = other.now;
  is(told(nameless), [-1, true, 5, null]);
  other.play(0);
  learn(other.now, claim(-1, 8, 3, []), GOMOKU);
  is(told(nameless), [-1, true, 5, null]);
  learn(nameless, claim(-1, 7, 3, []), GOMOKU);
  is(told(nameless), [-1, true, 7, 3]);

  // The end of an analysis adds the line that its progress did not have yet.
  const traced = new History({ ...TIC_TAC_TOE, rows: 1, columns: 2, k: 1 }, "X").root;
  for (const pv of [[0], [0, 1]]) {
    const both = [0, 1].map((index) => ({ ...move(index, 0, 2), pv: index ? [1] : pv }));
    analysed(traced, both, { ...TIC_TAC_TOE, rows: 1, columns: 2, k: 1 });
    is([traced.known.exact, traced.known.pv], [true, pv]);
    is(movesOf(traced)[0].pv, pv);
  }

  // A win is not known to be the shortest while another move is not proven.
  const rough = begin();
  analysed(rough, [move(5, 1, 21), move(6, 0.9)]);
  is(rough.known.atMost, true);
  const whole = begin();
  analysed(whole, [move(5, 1, 1), move(6, 0.9)]);
  is(whole.known.atMost, false);
});
