/** The game, the analysis and the review. A simulated client records what they ask. */

import { Game } from "../../service/bestmove/web/game.js";
import { History } from "../../service/bestmove/web/history.js";
import { Live } from "../../service/bestmove/web/live.js";
import { Review } from "../../service/bestmove/web/review-search.js";
import { faultOf, lossOf } from "../../service/bestmove/web/review.js";
import { TIC_TAC_TOE } from "../../service/bestmove/web/rules.js";
import { each, FOUR, GOMOKU, is, read, test } from "./support.mjs";

const asked = [];
const errors = [];
let held = null;
const pause = (ms = 0) => new Promise((done) => setTimeout(done, ms));
/** @type {any} */
const client = {
  async *stream(board, { signal, ...options }) {
    asked.push([board, options]);
    if (errors.length > 0) throw errors.shift();
    yield { answer: { move: null }, depth: 1, nodes: 2, elapsed_ms: 3, final: false };
    if (held) await held;
    signal.throwIfAborted();
    const index = board.replaceAll("/", "").indexOf(".");
    const found = { move: { index }, score: 0.2, exact: false, plies: null, pv: [index] };
    yield { answer: found, final: true };
    throw new Error("nobody reads on after the last answer");
  },
};
/** @param {any} mode @param {any} you */
const table = (text = "", mode = "engine", you = "X") => {
  const game = new Game(client, () => ({ level: 4, time_ms: 100, seed: 9 }));
  asked.length = 0;
  game.begin(read(text), mode, you);
  return game;
};
const at = ({ now, phase }) => [now.cells, phase];

test("each game at the best level has a seed where it draws among equal moves", async () => {
  let strength = { level: 10, time_ms: 100 };
  const game = new Game(client, () => strength);
  const seeds = async (rules) => {
    asked.length = 0;
    for (let number = 0; number < 2; number += 1) {
      game.begin(new History(rules, "X"), "engine", "O");
      await pause();
    }
    return asked.map(([, { seed }]) => seed);
  };
  for (const rules of [TIC_TAC_TOE, FOUR]) {
    const [one, two] = await seeds(rules);
    is([Number.isInteger(one), Number.isInteger(two), one === two], [true, true, false]);
  }
  is(await seeds(GOMOKU), [undefined, undefined]);
  is(await seeds({ ...FOUR, misere: true }), [undefined, undefined]);
  strength = { level: 9, time_ms: 100 };
  is(await seeds(TIC_TAC_TOE), [undefined, undefined]);
  strength = { level: 10, time_ms: 100, seed: 9 };
  is(await seeds(TIC_TAC_TOE), [9, 9]);
});

test("only an answer at the best level says something about the position", async () => {
  const known = [];
  for (const level of [9, 10]) {
    const game = new Game(client, () => ({ level, time_ms: 100 }));
    game.begin(new History(TIC_TAC_TOE, "X"), "engine", "O");
    await pause();
    known.push(game.now.parent.known?.score ?? null);
  }
  is(known, [null, 0.2]);
});

test("the engine answers and moves of a person wait for it", async () => {
  const game = table();
  const told = [];
  game.addEventListener("change", () => told.push([game.phase, game.progress?.nodes ?? null]));
  is([at(game), asked.length, game.hand], [[".........", "ready"], 0, "X"]);
  game.play(4);
  is([game.hand, game.phase, game.task, game.error], [null, "thinking", "move", null]);
  game.play(8);
  await pause();
  is([at(game), game.hand, game.progress], [["O...X....", "ready"], "X", null]);
  is(told, [["thinking", null], ["thinking", 2], ["ready", null]]);
  is(asked, [["....X....", { ...TIC_TAC_TOE, first: "X", level: 4, time_ms: 100, seed: 9 }]]);
  is(game.now.answer.move.index, 0);
  const late = table("", "engine", "O");
  is(late.engineToMove, true);
  await pause();
  is([at(late), late.hand], [["X........", "ready"], "O"]);
  const over = table("a3 b2 b3 a2 c3");
  is([over.phase, over.engineToMove, over.hand, asked.length], ["over", false, null, 0]);
  await over.letEngineMove();
  await over.askForHint();
  is(asked.length, 0);
  for (const [mode, hand] of [["people", "O"], ["analysis", "O"], ["watch", null]]) {
    const free = table("a1", mode, "X");
    is([free.hand, free.engineToMove, free.running], [hand, mode === "watch", mode === "watch"]);
    free.pause();
  }
  const two = table("", "people");
  two.play(0, 1, 2);
  is([two.now.cells, asked.length], ["XOX......", 0]);
  await two.letEngineMove();
  is([two.now.cells, two.phase], ["XOXO.....", "ready"]);
  await two.askForHint();
  await two.letEngineMove(); // plays the hint, and does not search again
  is([two.now.cells, asked.length], ["XOXOX....", 2]);
});

test("a paused engine waits until it is asked again", async () => {
  held = pause(50);
  const game = table();
  game.play(4);
  await pause();
  game.pause();
  await pause(450); // an engine that goes on by itself does so after 350 ms
  is([at(game), asked.length], [["....X....", "ready"], 1]);
  held = null;
  await game.letEngineMove();
  is([at(game), asked.length], [["O...X....", "ready"], 2]);
});

test("a failed request is repeated and a cancelled one changes nothing", async () => {
  const game = table();
  await game.retry();
  errors.push(new Error("busy"));
  game.play(4);
  await pause();
  is([at(game), game.error.message, game.hand], [["....X....", "failed"], "busy", null]);
  await game.retry();
  is([at(game), game.error, asked.length], [["O...X....", "ready"], null, 2]);
  errors.push(new Error("busy"));
  const both = table("", "watch");
  await pause();
  is(at(both), [".........", "failed"]);
  await both.retry();
  is([at(both), both.running], [["X........", "thinking"], true]); // and the game goes on
  both.pause();
  errors.push(new Error("busy"));
  await game.askForHint();
  is([game.phase, game.task, game.hint, game.hand], ["failed", "hint", null, "X"]);
  await game.retry();
  is([game.phase, game.hint.move.index, game.now.cells], ["ready", 1, "O...X...."]);
  is(asked.at(-1)[1], { ...TIC_TAC_TOE, first: "X", time_ms: 100 });
  /** @type {any} */
  let release;
  held = new Promise((done) => { release = done; });
  game.askForHint();
  await pause();
  is([game.phase, game.hand, game.progress.depth], ["thinking", "X", 1]);
  game.play(8);
  is([game.hint, game.progress], [null, null]);
  await pause();
  game.pause();
  is(at(game), ["O...X...X", "ready"]);
  release();
  await pause(5);
  is([at(game), game.hint, game.progress], [["O...X...X", "ready"], null, null]);
  held = null;
  for (const leave of [() => game.change("people"), () => game.go(game.now.parent), () => game.pause()]) {
    await game.askForHint();
    is(game.hint !== null, true);
    leave();
    is([game.hint, game.progress, game.error], [null, null, null]);
  }
  const answer = { move: { index: 0 }, pv: [0] };
  /** @type {any} */
  const deaf = { async *stream() { yield { answer, final: true }; } };
  const late = new Game(deaf, () => ({ level: 4, time_ms: 100 }));
  const hint = late.askForHint();
  late.pause();
  await hint;
  is([late.phase, late.hint], ["ready", null]);
  game.go(game.history.line.at(-1));
  is(new Game(client, null).hand, "X");
  is([new Game(client, null).task, new Game(client, null).history.first], ["move", "X"]);
  await game.letEngineMove();
  is(at(game), ["OO..X...X", "ready"]);
  const cancelled = table();
  errors.push(new Error("aborted"));
  cancelled.play(0);
  cancelled.pause();
  await pause();
  is([cancelled.phase, cancelled.error], ["ready", null]);
});

test("one goes through a game and undoes one's own moves", () => {
  const cells = (node) => node && node.cells;
  const [none, one, two, three, four] =
    [".........", "X........", "XO.......", "XOX......", "XOXO....."];
  const game = table("a3 b3 c3 a2");
  is([cells(game.undone), cells(game.redone)], [two, null]);
  game.go(game.now.parent);
  is([cells(game.now), game.phase, asked.length], [three, "ready", 0]);
  is([cells(game.undone), cells(game.redone)], [two, four]);
  game.go(game.history.root);
  is([cells(game.now), cells(game.undone), cells(game.redone)], [none, null, two]);
  game.go(game.now.next);
  is([cells(game.now), cells(game.undone), cells(game.redone)], [one, none, two]);
  game.go(game.history.line.at(-1));
  is(cells(game.now), four);
  const won = table("a1 a2 b1 b2 c1");
  won.go(won.now.parent);
  is(cells(won.redone), "...OO.XXX");
  game.change("people");
  is([cells(game.undone), game.mode, game.running], [three, "people", false]);
  game.go(game.history.root);
  is([cells(game.now), cells(game.redone)], [none, one]);
  let told = 0;
  game.addEventListener("change", () => { told += 1; });
  game.go(game.now);
  is(told, 0);
  game.change("watch");
  is([cells(game.now), game.running, game.phase], [four, true, "thinking"]);
  game.go(game.history.root);
  is([game.running, game.phase], [false, "ready"]);
  game.change("engine");
  game.go(game.now.next);
  is([game.phase, asked.length], ["ready", 1]);
});

test("the engine plays itself with pauses until it is stopped", async () => {
  const game = table("", "watch");
  await pause();
  is(at(game), ["X........", "ready"]);
  await pause(450);
  is(game.now.cells, "XO.......");
  game.pause();
  await pause(400);
  is([game.now.cells, game.running], ["XO.......", false]);
  game.letEngineMove();
  is(game.running, true);
  await game.askForHint();
  is([game.running, game.hint.move.index, game.now.cells], [false, 2, "XO......."]);
});

test("moves are graded by what they lose", () => {
  const judged = (score, best = 5, exact = false) => ({ score, exact, plies: null, best });
  const proven = (score) => judged(score, 5, true);
  const lost = (before, after, turn = "X") => {
    const parent = { judged: before, turn };
    /** @type {any} */
    const node = { parent, judged: after, move: 0, mark: null };
    return `${lossOf(node)?.toFixed(3)} ${faultOf(node)}`;
  };
  each(lost, [
    ["0.300 blunder", judged(1), judged(0.4)], ["0.299 mistake", judged(1), judged(0.402)],
    ["0.300 blunder", judged(-1), judged(-0.4), "O"], ["0.000 null", judged(0), judged(1)],
    ["0.200 mistake", judged(0), judged(-0.4)], ["0.199 inaccuracy", judged(0), judged(-0.398)],
    ["0.101 inaccuracy", judged(0.202), judged(0)], ["0.099 null", judged(0.198), judged(0)],
    ["0.050 inaccuracy", proven(1), judged(0.9)], ["0.050 null", judged(1), judged(0.9)],
    ["0.050 inaccuracy", proven(-1), judged(-0.9), "O"],
    ["0.050 null", proven(0.9), judged(0.8)], ["0.050 null", proven(0), judged(-0.1)],
    ["0.000 null", judged(1, 0), judged(-1)], ["0.000 null", judged(1, null), judged(-1)], ["undefined null", null, judged(0)],
    ["undefined null", judged(0), null], ["undefined null", judged(0), judged(0), null],
  ]);
  is(lossOf(/** @type {any} */ ({ parent: null, judged: judged(0), move: null })), null);
  // A game that nobody reviews shows no faults, however much is known of it.
  const unasked = { known: judged(1), judged: null, turn: "X" };
  is(faultOf(/** @type {any} */ ({ parent: unasked, known: judged(-1), judged: null, move: 0, mark: null })), null);
});

test("a review judges from the end and goes on after a failure", async () => {
  const boards = [];
  let fails = 1;
  /** @type {any} */
  const judge = { bestMove: async (board, { signal, ...options }) => {
    boards.push([board, options]);
    if (boards.length === 2 && fails-- > 0) throw new Error("busy");
    return { score: 0.5, exact: false, plies: null, move: { index: 4 }, pv: [4] };
  } };
  const review = new Review(judge);
  const history = read("a3 b2 b3 a2 c3");
  const { line } = history;
  let told = 0;
  review.addEventListener("change", () => { told += 1; });
  await review.start(history, 70);
  // The end and the move before it are known: X wins with c3.
  is([review.error.message, review.running, review.done, told], ["busy", false, 3, 4]);
  is([5, 4].map((at) => [line[at].known.score, line[at].known.plies]), [[1, 0], [1, 1]]);
  is(boards[0], ["XX..O....", { ...TIC_TAC_TOE, first: "X", time_ms: 70, seed: 1 }]);
  await review.start(history, 70);
  // O's a2 loses: a longer search of the position before it confirms that.
  is([review.error, review.running, review.done, boards.length], [null, false, 6, 6]);
  is(boards[5], ["XX..O....", { ...TIC_TAC_TOE, first: "X", time_ms: 280, seed: 1 }]);
  is(line[0].known.score, 0.5);
  is(faultOf(line[4]), "mistake");
  const lost = read("a1 a3 b1 b3 a2 c3");
  const drawn = read("a3 b3 c3 b2 a2 c2 b1 a1 c1");
  const started = review.start(read("c3"), 70);
  is([review.running, review.done], [true, 0]);
  review.clear();
  await started;
  is([review.running, review.nodes, review.done], [false, [], 0]);
  await review.start(lost, 70);
  await review.start(drawn, 70);
  is([lost.now.known.score, drawn.now.known.score], [-1, 0]);
  const begun = read("a1 a2 a3 b1");
  const { line: other, all } = begun;
  const kept = [0, -1, 1, 1].map((score, at) => [at - 1, { score, exact: true, plies: 3, best: null, pv: [] }]);
  review.restore(begun, JSON.stringify(kept)); // the first two moves each lose the game
  const fault = (at) => {
    const [next, before] = [review.fault(other[at], 1), review.fault(other[at], -1)];
    return [other.indexOf(next), other.indexOf(before)];
  };
  is([0, 1, 2, 3].map(fault), [[1, -1], [2, -1], [-1, 1], [-1, 2]]);
  is(fault(4), [-1, 2]);
  begun.delete(all[1]);
  is([review.nodes, review.fault(other[0], 1)], [other.slice(0, 2), other[1]]);
});

test("an analysis keeps what it found and notices that the service ended it", async () => {
  asked.length = 0;
  let [granted_ms, fails] = [undefined, null];
  const moves = () => [0, 1, 2].map((index) => ({ index, pv: [index, 8], exact: false }));
  const threats = { X: [], O: [] };
  /** @type {any} */
  const service = {
    analyze: async (_, options) => {
      asked.push(["glance", options.time_ms, options.lines]);
      if (fails) throw fails;
      return { moves: moves(), threats, search: { depth: 1 } };
    },
    async *streamAnalysis(board, options) {
      asked.push([board, options.time_ms, options.lines]);
      if (fails) throw fails;
      for (const final of [false, true]) {
        if (final && held) await held;
        const answer = { moves: moves(), threats, search: { granted_ms } };
        yield { answer, final, depth: 3, nodes: 4, elapsed_ms: 200 };
      }
    },
  };
  const live = new Live(service);
  let told = [];
  live.addEventListener("change", () => told.push(live.running));
  const history = read("a3");
  const { now, root } = history;
  await live.start(history, now, 1000, 2);
  is(asked, [["X........", 1000, 2]]);
  is(told, [true, true, true, false]);
  is(now.analysed.moves.map(({ pv }) => pv.length), [2, 2, 0]);
  is([now.analysed.time_ms, now.analysed.lines, now.analysed.yielded], [1000, 2, false]);
  is(now.analysed.search, { depth: 3, nodes: 4, elapsed_ms: 200 });
  await live.start(history, now, 1000, 2);
  live.leave();
  for (const [time, lines] of [[1000, 2], [999, 1], [1000, 3], [1001, 2]]) {
    await live.start(history, now, time, lines);
  }
  is(asked.slice(1), [["X........", 1000, 3], ["X........", 1001, 2]]);
  const ended = async (usual, time, granted) => {
    [live.usual, granted_ms, asked.length] = [usual, granted, 0];
    root.analysed = null;
    live.leave();
    await live.start(history, root, time, 1);
    return [root.analysed.yielded, root.analysed.time_ms, asked.length];
  };
  is(await ended(500, 6000, undefined), [false, 6000, 2]);
  is(await ended(500, 6000, 200), [true, 0, 1]);
  is(await ended(Infinity, 6000, 200), [true, 0, 2]);
  granted_ms = undefined;
  [asked.length, told] = [0, []];
  const won = read("a3 b2 b3 a2 c3");
  await live.start(won, won.now, 1000, 1);
  await live.learnThreats(won, won.now);
  await live.learnThreats(history, root);
  is([asked.length, told], [0, []]);
  root.analysed = null;
  live.leave();
  await live.learnThreats(history, root);
  await live.learnThreats(history, root);
  is([asked, told], [[["glance", 50, 1]], [false]]);
  live.usual = 40;
  is(live.glance, 40);
  live.usual = Infinity;
  is([root.analysed.moves, root.analysed.time_ms, root.analysed.lines], [[], 0, 0]);
  fails = new Error("busy");
  const other = read("b2");
  await live.learnThreats(other, other.now);
  is([live.error.message, other.now.analysed], ["busy", null]);
  await live.learnThreats(other, other.now);
  is(asked.length, 3);
  live.leave();
  is(live.error, null);
  await live.start(other, other.now, 1000, 1);
  is([live.error.message, live.running], ["busy", false]);
  fails = null;
  /** @type {any} */
  let release;
  held = new Promise((done) => { release = done; });
  live.leave();
  const running = live.start(other, other.now, 1000, 1);
  await pause();
  is([live.running, other.now.analysed.time_ms], [true, 0]);
  live.stop();
  release();
  await running;
  is([live.running, live.error, other.now.analysed.time_ms], [false, null, 0]);
  const count = asked.length;
  await live.start(other, other.now, 1000, 1);
  is(asked.length, count);
  for (let time = 0; time < 2; time += 1) {
    live.leave();
    await live.start(other, other.now, 1000, 1);
    is(asked.length, count + 1); // an interrupted analysis is asked for again, until it ends
  }
});
