"""The game, the analysis and the review. A simulated client records their requests."""

import random

import pytest

from bestmove import Board, analyze
from bestmove.game import PRESETS
from tests.support.needs import NODE
from tests.web.node import check, shown

pytestmark = NODE

RULES = ("rows", "columns", "k", "gravity", "overline", "misere")

START = """
const { History } = await load("history.js");
const { Game } = await load("game.js");
const { Live } = await load("live.js");
const { Review, faultOf, kindOf, lossOf } = await load("review.js");
const { TIC_TAC_TOE, untouched } = await load("rules.js");
const read = (text, rules = TIC_TAC_TOE) => {
  const history = new History(rules, "X");
  history.read(text);
  return history;
};
const asked = [];
const errors = [];
let held = null;
const pause = (ms = 0) => new Promise((done) => setTimeout(done, ms));
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
const table = (text = "", mode = "engine", you = "X") => {
  const game = new Game(client, () => ({ level: 4, time_ms: 100, seed: 9 }));
  asked.length = 0;
  game.begin(read(text), mode, you);
  return game;
};
const at = ({ now, phase }) => [now.cells, phase];
"""


def test_each_game_at_the_best_level_has_a_seed_where_it_draws_among_equal_moves() -> None:
    program = """
    let strength = { level: 10, time_ms: 100 };
    const four = { ...TIC_TAC_TOE, rows: 6, columns: 7, k: 4, gravity: true };
    const fives = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
    const game = new Game(client, () => strength);
    const seeds = async (rules) => {
      asked.length = 0;
      for (const you of ["O", "O"]) {
        game.begin(new History(rules, "X"), "engine", you);
        await pause();
      }
      return asked.map(([, { seed }]) => seed);
    };
    for (const rules of [TIC_TAC_TOE, four]) {
      const [one, two] = await seeds(rules);
      is([Number.isInteger(one), Number.isInteger(two), one === two], [true, true, false]);
    }
    is(await seeds(fives), [undefined, undefined]);
    is(await seeds({ ...four, misere: true }), [undefined, undefined]);
    strength = { level: 9, time_ms: 100 };
    is(await seeds(TIC_TAC_TOE), [undefined, undefined]);
    strength = { level: 10, time_ms: 100, seed: 9 };
    is(await seeds(TIC_TAC_TOE), [9, 9]);
    """
    check(START + program)


def test_the_engine_answers_and_moves_of_a_person_wait_for_it() -> None:
    program = """
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
    """
    check(START + program)


def test_a_failed_request_is_repeated_and_a_cancelled_one_changes_nothing() -> None:
    program = """
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
    for (const leave of [() => game.change("people"), () => game.back(), () => game.pause()]) {
      await game.askForHint();
      is(game.hint !== null, true);
      leave();
      is([game.hint, game.progress, game.error], [null, null, null]);
    }
    const answer = { move: { index: 0 }, pv: [0] };
    const deaf = { async *stream() { yield { answer, final: true }; } };
    const late = new Game(deaf, () => ({}));
    const hint = late.askForHint();
    late.pause();
    await hint;
    is([late.phase, late.hint], ["ready", null]);
    game.toEnd();
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
    """
    check(START + program)


def test_one_goes_through_a_game_and_undoes_ones_own_moves() -> None:
    program = """
    const cells = (node) => node && node.cells;
    const [none, one, two, three, four] =
      [".........", "X........", "XO.......", "XOX......", "XOXO....."];
    const game = table("a3 b3 c3 a2");
    is([cells(game.undone), cells(game.redone)], [two, null]);
    game.back();
    is([cells(game.now), game.phase, asked.length], [three, "ready", 0]);
    is([cells(game.undone), cells(game.redone)], [two, four]);
    game.toStart();
    is([cells(game.now), cells(game.undone), cells(game.redone)], [none, null, two]);
    game.forward();
    is([cells(game.now), cells(game.undone), cells(game.redone)], [one, none, two]);
    game.toEnd();
    is(cells(game.now), four);
    const won = table("a1 a2 b1 b2 c1");
    won.back();
    is(cells(won.redone), "...OO.XXX");
    game.change("people");
    is([cells(game.undone), game.mode, game.running], [three, "people", false]);
    game.go(game.history.root);
    game.back();
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
    game.forward();
    is([game.phase, asked.length], ["ready", 1]);
    """
    check(START + program)


def test_the_engine_plays_itself_with_pauses_until_it_is_stopped() -> None:
    program = """
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
    """
    check(START + program)


def test_moves_are_graded_by_what_they_lose() -> None:
    program = """
    const judged = (score, best = null, exact = false) => ({ score, exact, plies: null, best });
    const proven = (score) => judged(score, 5, true);
    const lost = (before, after, turn = "X") => {
      const parent = { known: before, judged: true, turn };
      const node = { parent, known: after, judged: true, move: 0 };
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
      ["0.000 null", judged(1, 0), judged(-1)], ["undefined null", null, judged(0)],
      ["undefined null", judged(0), null], ["undefined null", judged(0), judged(0), null],
    ]);
    is([lossOf({ parent: null, known: judged(0), judged: true, move: null })], [null]);
    // A game that nobody reviews shows no faults, however much is known of it.
    const unasked = { known: judged(1), judged: false, turn: "X" };
    is([faultOf({ parent: unasked, known: judged(-1), judged: false, move: 0 })], [null]);
    """
    check(START + program)


def test_a_review_judges_from_the_end_and_goes_on_after_a_failure() -> None:
    program = """
    const boards = [];
    let fails = 1;
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
    is([faultOf(line[4]), kindOf(line[4], TIC_TAC_TOE)], ["mistake", "block"]);
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
    const failed = new Review({ bestMove: async () => { throw new Error("busy"); } });
    await failed.start(read("a1"), 70);
    is(failed.error.message, "busy");
    failed.clear();
    is(failed.error, null);
    const { line: other } = read("a1 a2 a3 b1");
    [0, -1, 1, 1, 1].forEach((score, at) => {
      other[at].known = { score, exact: true, plies: 3, best: null };
      other[at].judged = true;
    });
    review.nodes = other.slice(0, 4); // the first two moves each lose the game
    const fault = (at) => [1, -1].map((way) => other.indexOf(review.fault(other[at], way)));
    is([0, 1, 2, 3].map(fault), [[1, -1], [2, -1], [-1, 1], [-1, 2]]);
    is(fault(4), [-1, 2]);
    """
    check(START + program)


def test_what_is_proven_holds_before_and_after_and_does_not_give_way() -> None:
    program = """
    const { claimOf, learn, learnMoves, movesOf } = await load("known.js");
    const claim = (score, plies, best, pv, nodes = 9) => {
      return { score, exact: plies !== null, plies, best, pv, nodes };
    };
    const told = ({ known }) => {
      return known && [known.score, known.exact, known.plies, known.best, Boolean(known.atMost)];
    };
    const fives = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
    const history = new History(fives, "X");
    history.play(112);
    const one = history.now;
    learn(one, claim(0.2, null, 100, [100]), fives);
    is(told(one), [0.2, false, null, 100, false]);
    learn(one, claim(-1, 5, 97, [97, 98, 99, 100, 101]), fives);
    learn(one, claim(0.9, null, 96, [96], 1e9), fives);
    learn(one, claim(-1, 7, 96, [96]), fives);
    is(told(one), [-1, true, 5, 97, false]);
    is(told(history.root), null); // X has other moves
    // O's winning move keeps the win, whatever X replies.
    history.play(97);
    is(told(history.now), [-1, true, 4, 98, false]);
    history.play(0);
    is(told(history.now), [-1, true, 3, null, true]);
    history.back();
    history.play(98);
    is(told(history.now), [-1, true, 3, 99, false]);
    // After another move nothing is known, until the analysis of it counts for the position before.
    history.go(one);
    history.play(50);
    is(told(history.now), null);
    learn(history.now, claim(-1, 2, 60, [60, 61]), fives);
    is(told(one), [-1, true, 3, 50, true]);

    // All moves lose, so the position is lost; the loser delays.
    const small = { ...TIC_TAC_TOE, rows: 1, columns: 3, k: 3 };
    const row = new History(small, "X");
    for (const cell of [0, 1, 2]) {
      row.go(row.root);
      row.play(cell);
      learn(row.now, claim(-1, cell === 1 ? 4 : 2, null, []), small);
    }
    is(told(row.root), [-1, true, 5, 1, false]);

    // The list of an analysis shows what is known better from the positions after its moves.
    const end = read("a3 b2 b3 a2");
    const threats = { X: [], O: [] };
    const move = (index, score) => ({ index, score, exact: false, plies: null, pv: [index] });
    const moves = [move(6, 0.4), move(2, 0.1)];
    end.now.analysed = { moves, threats, search: { nodes: 5 }, lines: 2 };
    learnMoves(end.now, TIC_TAC_TOE);
    is(told(end.now), [0.4, false, null, 6, false]);
    const before = end.now;
    end.play(2);
    is(told(before), [1, true, 1, 2, false]);
    is(movesOf(before).map(({ index, exact, plies }) => [index, exact, plies]),
      [[2, true, 1], [6, false, null]]);
    is(claimOf({ move: null, pv: [], reason: { code: "weakened" } }), null);
    """
    check(START + program)


def test_list_bar_and_hint_say_the_same_of_a_position() -> None:
    program = """
    const { informed, learn, learnMoves, moveOf, movesOf } = await load("known.js");
    const fives = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
    const threats = { X: [], O: [] };
    const move = (index, score, plies = null) => {
      return { index, score, exact: plies !== null, plies, pv: [index], depth: 4 };
    };
    const analysed = (node, ...moves) => {
      node.analysed = { moves, threats, search: { nodes: 50 }, lines: 3 };
      learnMoves(node, fives);
    };
    const told = ({ known }) => [known.score, known.exact, known.plies, known.best];
    const list = (node) => {
      return movesOf(node).map(({ index, score, exact, plies }) => [index, score, exact, plies]);
    };
    const claim = (score, plies, best, pv, nodes = 9) => {
      return { score, exact: plies !== null, plies, best, pv: [best, ...pv], nodes, depth: 9 };
    };
    const begin = () => new History(fives, "X").root;

    // A line that is not the service's first one has the shortest proof.
    const won = begin();
    analysed(won, move(5, 1, 9), move(6, 1, 5), move(7, 0.9), move(8, 0.95));
    is(told(won), [1, true, 5, 6]);
    is(list(won).slice(0, 2), [[6, 1, true, 5], [5, 1, true, 9]]);
    is(list(won).slice(2), [[7, 0.9, false, null], [8, 0.95, false, null]]);

    // A deeper search knows the position to be worth less, and another move to be the best.
    const known = begin();
    analysed(known, move(5, 0.6), move(6, 0.5), move(7, 0.1), move(8, 0.3));
    const answer = { move: { index: 8 }, turn: "X", exact: false, search: { depth: 8 } };
    learn(known, claim(0.2, null, 8, [], 99), fives);
    is(told(known), [0.2, false, null, 8]);
    is(list(known).map(([index, score]) => `${index}: ${score}`),
      ["8: 0.2", "5: 0.2", "6: 0.2", "7: 0.1"]);
    is(informed(answer, known.known), answer);
    learn(known, claim(1, 7, 6, []), fives);
    const hint = informed(answer, known.known);
    is([hint.move, hint.reason, hint.search],
      [{ index: 6 }, { code: "forces-win", cells: [6], text: "" }, { depth: 9 }]);
    is(informed({ move: null }, known.known), { move: null });
    const reasonOf = (record) =>
      informed(answer, { ...claim(1, 7, 0, []), best: null, ...record }).reason.code;
    is(reasonOf({}), "undecided");
    is(reasonOf({ score: -1 }), "delays-loss");
    is(reasonOf({ score: 0 }), "best-estimate");

    // If all moves draw, the analysis's first move is the best, not an earlier estimate's move.
    const even = { ...TIC_TAC_TOE, rows: 1, columns: 3 };
    const level = new History(even, "X").root;
    learn(level, claim(0.3, null, 2, []), even);
    const moves = [0, 1, 2].map((index) => move(index, 0, 3));
    level.analysed = { moves, threats, search: { nodes: 50 }, lines: 1 };
    learnMoves(level, even);
    is(told(level), [0, true, 3, 0]);

    // All moves of a lost position are lost, at the latest when the best one is.
    const lost = begin();
    analysed(lost, move(5, 0.2), move(6, 0.1), move(7, -1, 4));
    learn(lost, claim(-1, 6, 6, [0]), fives);
    is(list(lost), [[6, -1, true, 6], [5, -1, true, 6], [7, -1, true, 4]]);
    is(moveOf(lost, 100).plies, 6);
    // If its best move is then found to lose sooner, another one is the best.
    const history = new History(fives, "X");
    history.now = history.root;
    learn(history.root, lost.known, fives);
    history.play(6);
    learn(history.now, claim(-1, 3, 0, []), fives);
    is(told(history.root).slice(0, 3), [-1, true, 6]);
    is(history.root.known.best === 6, false);

    // The best move of an estimate is no longer the best when it is proven to lose.
    const misled = new History(fives, "X");
    analysed(misled.root, move(5, 0.6), move(6, 0.5));
    misled.play(5);
    learn(misled.now, claim(-1, 3, 0, []), fives);
    is(told(misled.root), [0.5, false, null, 6]);
    is(list(misled.root), [[6, 0.5, false, null], [5, -1, true, 4]]);
    learn(misled.root, claim(0.7, null, 5, [], 99), fives);
    is(told(misled.root), [0.5, false, null, 6]);
    const checked = begin();
    learn(checked, claim(0.7, null, 5, [], 99), fives);
    analysed(checked, move(6, 0.5), move(5, -1, 4));
    is(told(checked), [0.5, false, null, 6]);

    // A move that holds a draw may not be the best, but no worse one is; nobody gains by a move.
    const safe = begin();
    analysed(safe, move(5, 0, 225), move(6, -0.3));
    is(told(safe), [0, false, null, 5]);
    learn(safe, claim(-0.2, null, 6, [], 99), fives);
    is(told(safe), [0, false, null, 5]);
    const drawn = new History(fives, "X");
    learn(drawn.root, claim(0, 225, 5, []), fives);
    drawn.play(9);
    learn(drawn.now, claim(0.4, null, 6, []), fives);
    is(told(drawn.now), [0, false, null, 6]);

    // A win that names no move gives way to one that does, if the position's own search found it.
    const other = new History(fives, "X");
    learn(other.root, claim(-1, 6, 6, [0]), fives);
    other.play(9);
    const nameless = other.now;
    is(told(nameless), [-1, true, 5, null]);
    other.play(0);
    learn(other.now, claim(-1, 8, 3, []), fives);
    is(told(nameless), [-1, true, 5, null]);
    learn(nameless, claim(-1, 7, 3, []), fives);
    is(told(nameless), [-1, true, 7, 3]);

    // The end of an analysis adds the line that its progress did not have yet.
    const traced = new History({ ...TIC_TAC_TOE, rows: 1, columns: 2, k: 1 }, "X").root;
    for (const pv of [[0], [0, 1]]) {
      const both = [0, 1].map((index) => ({ ...move(index, 0, 2), pv: index ? [1] : pv }));
      traced.analysed = { moves: both, threats, search: { nodes: 50 }, lines: 3 };
      learnMoves(traced, { ...TIC_TAC_TOE, rows: 1, columns: 2, k: 1 });
      is([traced.known.exact, traced.known.pv], [true, pv]);
      is(movesOf(traced)[0].pv, pv);
    }

    // A win is not known to be the shortest while another move is not proven.
    const rough = begin();
    analysed(rough, move(5, 1, 21), move(6, 0.9));
    is(rough.known.atMost, true);
    const whole = begin();
    analysed(whole, move(5, 1, 1), move(6, 0.9));
    is(whole.known.atMost, false);
    """
    check(START + program)


@pytest.mark.parametrize(("game", "opening"), [("tic-tac-toe", 0), ("connect-four", 18)])
def test_no_claim_contradicts_the_service(game: str, opening: int) -> None:
    rng = random.Random(51)
    games = []
    for _ in range(20):
        board = Board.empty(game=game)
        moves: list[int] = []
        positions = []
        while not board.is_over:
            found = analyze(board) if len(moves) >= opening else None
            asks = rng.choice(["nothing", "answer", "analysis"])
            positions.append(found and {"asks": asks, "moves": [m.to_dict() for m in found.moves]})
            moves.append(rng.choice(list(board.moves)))
            board = board.play(moves[-1])
        games.append([moves, positions])
    program = """
    const { learn, learnMoves, movesOf } = await load("known.js");
    const [rules, games] = given;
    let [claims, concluded] = [0, 0];
    for (const [moves, positions] of games) {
      const history = new History(rules, "X");
      const truths = new Map();
      for (const [at, move] of moves.entries()) {
        const { now } = history;
        const found = positions[at];
        if (found) truths.set(now, found.moves[0]);
        const { score, plies, pv, index } = found?.moves[0] ?? {};
        const asked = found && found.asks !== "nothing";
        if (found?.asks === "answer") {
          learn(now, { score, exact: true, plies, pv, best: index, nodes: 1 }, rules);
        } else if (asked) {
          const search = { nodes: 1 };
          now.analysed = { moves: found.moves, threats: {}, search, lines: 1 };
          learnMoves(now, rules);
          is(movesOf(now).map((each) => each.index), found.moves.map((each) => each.index));
        }
        if (!asked && found && now.known) concluded += 1;
        history.play(move);
      }
      for (const [{ known }, { score, plies }] of truths) {
        if (!known?.exact) continue;
        claims += 1;
        is(known.score, score);
        if (score !== 0) is(known.atMost ? known.plies >= plies : known.plies === plies, true);
      }
    }
    show([claims, concluded]);
    """
    rules = {name: getattr(PRESETS[game].rules, name) for name in RULES}
    claims, concluded = shown(START + program, [rules, games])
    assert claims > 60
    assert concluded > 10


def test_an_analysis_keeps_what_it_found_and_notices_that_the_service_ended_it() -> None:
    program = """
    asked.length = 0;
    let elapsed = 200;
    let exact = false;
    let fails = null;
    const moves = () => [0, 1, 2].map((index) => ({ index, pv: [index, 8], exact }));
    const threats = { X: [], O: [] };
    const live = new Live({
      analyze: async (board, { signal, ...options }) => {
        asked.push(["glance", options.time_ms, options.lines]);
        if (fails) throw fails;
        return { moves: moves(), threats, search: { depth: 1 } };
      },
      async *streamAnalysis(board, { signal, ...options }) {
        asked.push([board, options.time_ms, options.lines]);
        if (fails) throw fails;
        for (const final of [false, true]) {
          if (final && held) await held;
          const answer = { moves: moves(), threats };
          yield { answer, final, depth: 3, nodes: 4, elapsed_ms: elapsed };
        }
      },
    });
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
    const ended = async (usual, ms, proven) => {
      [live.usual, elapsed, exact] = [usual, ms, proven];
      root.analysed = null;
      live.leave();
      await live.start(history, root, 1000, 1);
      return [root.analysed.yielded, root.analysed.time_ms];
    };
    is(await ended(500, 600, false), [true, 0]);
    is(await ended(500, 600, true), [false, 1000]);
    is(await ended(500, 500, false), [false, 1000]);
    is(await ended(500, 950, false), [false, 1000]);
    is(await ended(Infinity, 600, false), [false, 1000]);
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
    """
    check(START + program)
