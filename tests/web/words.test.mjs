/** The page's sentences. */

import { say as records } from "../../service/bestmove/web/records-words.js";
import { TIC_TAC_TOE } from "../../service/bestmove/web/rules.js";
import { say as review } from "../../service/bestmove/web/review-words.js";
import { say as proof } from "../../service/bestmove/web/why-words.js";
import * as words from "../../service/bestmove/web/words.js";
import { each, GOMOKU, is, test } from "./support.mjs";

const { chanceOf, say, valueInShort, valueInWords, verdictInWords } = words;

const exact = (score, plies) => ({ score, exact: true, plies });
const guess = (score) => ({ score, exact: false, plies: null });

test("values are for the mover and an estimate is never certain", () => {
  each(chanceOf, [[0.75, guess(0.5), "X"], [0.25, guess(0.5), "O"], [1, exact(-1, 3), "O"]]);
  each((found, mover) => valueInShort(found, mover, TIC_TAC_TOE), [
    ["1", guess(-0.9999), "X"], ["99", guess(-0.9999), "O"], ["50", guess(0), "X"],
    ["63", guess(0.25), "X"], ["=", exact(0, 5), "X"], ["W3", exact(1, 5), "X"],
    ["L2", exact(1, 4), "O"], ["W1", exact(-1, 1), "O"], ["L", exact(1, 1), "O"],
  ]);
  each((found, mover, ...turn) => valueInWords(found, mover, TIC_TAC_TOE, ...turn), [
    ["99 %", guess(0.9999), "X"], ["37 %", guess(0.25), "O"], ["draw", exact(0, 5), "O"],
    ["win in 3", exact(1, 5), "X"], ["win in 2", exact(1, 5), "X", "O"],
    ["win in 3", exact(1, 6), "X", "O"], ["loss in 2", exact(1, 4), "O"],
    ["loss in 2", exact(1, 4), "O", "X"], ["loss in 3", exact(1, 5), "O", "X"],
    ["loss in 2", exact(1, 5), "O"], ["loss at once", exact(1, 1), "O"],
    ["win at once", exact(1, 0), "X", null],
  ]);
  each((found, turn) => verdictInWords(found, turn, TIC_TAC_TOE), [
    ["X 63 %, O 37 %", guess(0.25), "O"], ["X 1 %, O 99 %", guess(-1), "X"],
    ["a draw with best play", exact(0, 4), "X"], ["X wins in 3", exact(1, 5), "X"],
    ["X wins in 2", exact(1, 5), "O"], ["O wins in 3", exact(-1, 5), "O"],
    ["O wins at once", exact(-1, 1), "X"],
  ]);
  is([3, 1].map((plies) => verdictInWords(exact(1, plies), "X", GOMOKU)),
    ["X wins in at most 2", "X wins in 1"]);
  is([3, 1].map((plies) => valueInShort(exact(1, plies), "X", GOMOKU)), ["W≤2", "W1"]);
  const bound = { ...exact(1, 5), atMost: true };
  is([valueInShort(bound, "X", TIC_TAC_TOE), valueInWords(bound, "X", TIC_TAC_TOE),
    verdictInWords(bound, "X", TIC_TAC_TOE)], ["W≤3", "win in at most 3", "X wins in at most 3"]);
});

test("the board and the end of the game are in words", () => {
  const odd = { ...TIC_TAC_TOE, columns: 7, gravity: true, overline: false, misere: true };
  each(words.rulesInWords, [["3 × 3, 3 in a row", TIC_TAC_TOE],
    ["3 × 7, exactly 3 in a row, marks fall, a line loses", odd]]);
  each(words.boardInWords, [["Board of 3 rows and 3 columns, 3 in a row win", TIC_TAC_TOE],
    ["Board of 3 rows and 7 columns, exactly 3 in a row lose, marks fall to the bottom", odd]]);
  const open = { status: "in_progress", turn: "O", winner: null };
  const won = { status: "won", turn: null, winner: "X", line: [0, 1, 2] };
  const usual = { phase: "ready", task: "move", mode: "engine", you: "X", rules: TIC_TAC_TOE };
  const game = (node, more) => ({ ...usual, node, ...more });
  const loses = { rules: { ...odd, columns: 3 } };
  const thinking = { phase: "thinking" };
  each((...of) => words.headline(game(...of)), [
    ["A draw", { status: "draw" }], ["You win", won], ["The engine wins", won, { you: "O" }],
    ["X wins", won, { mode: "people" }], ["Thinking", open, thinking],
    ["The engine's move (O)", open, { ...thinking, task: "hint" }], ["The engine's move (O)", open],
    ["Your move (O)", open, { you: "O" }], ["O to move", open, { mode: "watch" }],
  ]);
  each((...of) => words.subline(game(...of)), [
    ["The board is full, and nobody has a line.", { status: "draw" }],
    ["X has 3 in a row, a3 to c3.", won],
    ["O has 3 in a row, a3 to c3, which loses in this game.", won, loses],
    ["X has 3 in a row, a3 to c3, which loses in this game.", { ...won, winner: "O" }, loses],
    ["X has 1 in a row.", { ...won, line: [4] }, { rules: { ...TIC_TAC_TOE, k: 1 } }],
    ["3 × 3, 3 in a row.", open], ["Known: 3 × 3, 3 in a row.", open, { title: "Known" }],
  ]);
});

test("sentences count and choose their words", () => {
  each((name, ...of) => say[name](...of), [
    ["Rematch as O", "rematch", "O"], ["Play again", "rematch", null],
    ["At the start.", "atMove", 0], ["After move 1.", "atMove", 1],
    ["depth 3 · 1 node · 0.1 s", "cost", { depth: 3, nodes: 1, elapsed_ms: 120 }],
    ["depth 3 · 1.2K nodes · 2.0 s", "cost", { depth: 3, nodes: 1234, elapsed_ms: 1960 }],
    ["There is no game called “a”. The games are b, c and d.", "noSuchGame", "a", ["b", "c", "d"]],
    ["1 of 5: X a1.", "lineAt", 1, 5, "X", "a1"],
  ]);
  each(records.keptGame, [["A · you lost, 9 moves, last c3", "A", { status: "won", winner: "X", ply: 9, cells: "" }, "c3", "O"],
    ["A · X won, 9 moves, last c3", "A", { status: "won", winner: "X", ply: 9, cells: "" }, "c3", null],
    ["A · unfinished, 2 marks on the board", "A", { status: "in_progress", winner: null, ply: 0, cells: "X.O" }, "", null],
    ["A · draw, 1 move, last a1", "A", { status: "draw", winner: null, ply: 1, cells: "" }, "a1", "X"]]);
  each((name, ...of) => review[name](...of), [
    ["X: 1 mistake, 2 inaccuracies, 3 blunders. Lost 2.5 % a move.", "reviewed", "X",
      [["mistake", 1], ["inaccuracy", 2], ["blunder", 3]], 0.025],
    ["O: no faults. Lost 0.0 % a move.", "reviewed", "O", [["mistake", 0]], 0],
    ["Let O build an open four and two open threes at a1.", "allowed", "O",
      ["open-four", "open-three", "open-three"], "a1", true],
    ["Refuted by a four at a1.", "allowed", "O", ["four"], "a1", false],
  ]);
  is([words.linesName(1), words.linesName(2), words.timeName(300), words.untilStopped(59_600)],
    ["1 line", "2 lines", "0.3 s a move", "Until stopped, at most 60 s"]);
  is([1, 3, 10].map(words.levelName), ["Level 1, a child can win", "Level 3, easy",
    "Level 10, best play"]);
  each((code, task, why) => Object.values(words.trouble(code, task, why)).join("|"), [
    ["The page cannot show the game in this link.|Why.", "unreadable", "link", "Why."],
    ["The page cannot show the game in this text.|Why.", "unreadable", "paste", "Why."],
    ["The service refused this.|Too wide.", "refused", "move", "too wide"],
    ["The service refused this.|Really?", "refused", "move", "really?"],
    ["The service is busy.|Your game is kept. Try again in a moment.", "busy", "hint", ""],
    ["The service failed.|Your game is kept. The error: why.", "failed", "move", "why"],
    ["The service does not answer.|Your game is kept. Try again.", "gone", "proof", ""],
  ]);
  const four = { kind: "four", cells: [0, 1], open: [2] };
  const three = { kind: "open-three", cells: [4], open: [3, 5] };
  each((threats) => words.threatsInWords(threats, TIC_TAC_TOE), [
    ["", null], ["No threats on the board.", { X: [], O: [] }],
    ["X: a3 b3 is completed on c3. O: b2 is open at both ends.", { X: [four], O: [three] }],
  ]);
  each((threats) => words.threatsInWords(threats, { ...TIC_TAC_TOE, misere: true }), [
    ["X: a3 b3 would lose on c3.", { X: [four], O: [three] }],
    ["No threats on the board.", { X: [], O: [three] }],
  ]);
  each((threats) => words.threatsInWords(threats, { ...TIC_TAC_TOE, k: 5 }), [
    ["No fours and no open threes on the board.", { X: [], O: [] }],
    ["X: four a3 b3. O: open three b2, new a1.", { X: [four],
      O: [three, { kind: "new", cells: [6], open: [] }] }],
  ]);
});

test("a proof is told with the number of moves and a sum below one half", () => {
  each((name, ...of) => proof[name](...of), [
    ["Whatever O plays now, X wins in at most 2 moves.", "wins", "X", "O", 2],
    ["X wins in at most 1 move.", "still", "X", 1],
    ["X wins at once.", "still", "X", 0],
    ["Whatever X plays now, O prevents a win by X.", "holds", "X", "O"],
    ["O has a line, so X wins. The proof ends here.", "lost", "O", "X"],
    ["X wins only if O completes a line.", "only", "X", "O"],
  ]);
  const ends = (text, from) => text.includes(from) || text;
  is([
    ends(proof.zone("O", 0), "No move by O needs a particular answer here. A mark"),
    ends(proof.zone("O", 1), "The cell with a dot is the only one where a move by O needs"),
    ends(proof.zone("O", 2), "The 2 cells with a dot are the only ones where a move by O needs"),
    ends(proof.sum("X", "O", 0.49999), "All lines together count 0.499. With X to move"),
    ends(proof.sum("X", "O", 0.25), "count 0.25. With X to move, a sum below 0.5 never grows"),
    ends(proof.slow("X", 3, 1), "needs 3 or more marks, and X has only 1 turn left."),
    ends(proof.slow("X", 3, 2), "and X has only 2 turns left."),
    ends(proof.pairs("X", "O"), "When X takes one cell of a pair, O takes the other"),
  ], Array(8).fill(true));
});
