/** Games as the page stores, writes and reads them: history, address, notation, SGF. */

import { completeRules, fromFragment, grade, toFragment } from "../../service/bestmove/web/address.js";
import { History } from "../../service/bestmove/web/history.js";
import { moveNamed, nameOf, wordsOf } from "../../service/bestmove/web/notation.js";
import { listsMoves } from "../../service/bestmove/web/records.js";
import { spelled, TIC_TAC_TOE, untouched } from "../../service/bestmove/web/rules.js";
import { readSgf, writeSgf } from "../../service/bestmove/web/sgf.js";
import { chooser, each, error, FOUR, GOMOKU, is, read, test } from "./support.mjs";

test("random games with variations come back from their text address and sgf", () => {
  const pick = chooser(8);
  for (let number = 0; number < 60; number += 1) {
    const switches = { gravity: number % 2 === 1, overline: number % 3 > 0, misere: number % 5 === 4 };
    const rules = { ...TIC_TAC_TOE, rows: 7, columns: 6 + (number % 3), k: 5, ...switches };
    const [first, marks] = [pick("XO"), number % 4];
    const size = rules.rows * rules.columns;
    const lead = first === "X" ? "XO" : "OX";
    const turn = marks % 2 ? lead[1] : first;
    const begun = (cells) => new History(rules, first, { ...untouched(rules, turn), cells });
    const history = begun(".".repeat(size - marks) + (lead + lead).slice(0, marks));
    const places = () => [history.root, ...history.all];
    for (let step = 0; step < 40; step += 1) {
      if (pick(5) === 0) history.go(pick(places()));
      history.play(pick(size));
    }
    history.go(pick(places()));
    for (const node of history.all) if (pick(4) === 0) node.mark = pick(["blunder", "mistake", "inaccuracy"]);
    const isEqual = (again) => {
      const told = ({ cells, by, ply, mark }) => [cells, by, ply, mark];
      is([again.root, ...again.all].map(told), places().map(told));
      is([again.first, again.fromEmpty, again.text], [first, marks === 0, history.text]);
    };
    const shared = fromFragment(toFragment(history, { you: "O", mode: "watch", level: 1 }));
    const again = begun(shared.board?.replaceAll("/", "") ?? ".".repeat(size));
    again.read(shared.moves);
    grade(again, shared.marks);
    isEqual(again);
    is([completeRules(shared.rules), shared.first], [rules, first]);
    const { root, all, mainEnd, now } = again;
    is((shared.at === null ? mainEnd : [root, ...all][shared.at]).cells, history.now.cells);
    is(shared.at === null, history.now === history.mainEnd);
    is([shared.you, shared.mode, now.cells], ["O", "watch", mainEnd.cells]);
    const read = readSgf(writeSgf(history));
    isEqual(read.history);
    is([read.history.rules, read.told], [rules, []]);
  }
});

test("a history remembers its variations", () => {
  const history = read("a1 a2 (b2 (c3 c1) b3) a3");
  const named = (nodes) => nodes.map(({ move }) => nameOf(move, TIC_TAC_TOE)).join(" ");
  const [first, main, second] = history.all;
  is([named(history.all), history.text], ["a1 a2 b2 b3 c3 c1 a3", "a1 a2 (b2 b3) (c3 c1) a3"]);
  history.go(second);
  is(named(history.line.slice(1)), "a1 b2 b3");
  history.go(history.root);
  is([history.play(first.move), history.now], [true, first]);
  is(history.play(first.move), false);
  is([first.next === second, main.by, second.ply, history.fromEmpty], [true, "O", 2, true]);
  is(read("a1 a2 b1 b2 c1").play(0), false);
  is(read("44 4", FOUR).now.move, 24);
  for (const answer of /** @type {any} */ (["by the engine", null, "other"])) {
    history.go(history.root);
    history.play(4, answer);
    is(history.now.answer, "by the engine");
  }
  each((text) => error(() => read(text)), [["a1", "a1 b2 (b1) a1", 4], ["b2", "a1 (b1 (c1) c2) b2 b2", 6], ["(", "(a1)", 1],
    [")", "a1 ) b1", 2]].map(([word, text, at]) => [`Move ${at} is ${word}, which is not a legal move.`, text]));
});

test("an address holds what differs from the usual and is refused with a reason", () => {
  const table = { you: "X", mode: "engine", level: 7 };
  const odd = { ...TIC_TAC_TOE, rows: 2, gravity: true, overline: false, misere: true };
  const begun = { ...untouched(odd, "O"), cells: "...X.O" };
  const late = read("a1 a2 (b2) a3");
  late.go(late.root);
  each(toFragment, [
    ["#rows=3&columns=3&k=3&first=X&you=X", new History(TIC_TAC_TOE, "X"), table],
    ["#board=.../X.O&rows=2&columns=3&k=3&gravity=true&overline=false&misere=true&first=O&you=O" +
      "&mode=watch&level=7&seed=0", new History(odd, "O", begun),
      { ...table, you: "O", mode: "watch", seed: 0 }],
    ["#rows=3&columns=3&k=3&first=X&you=X&moves=a1+a2+(b2)+a3&at=0", late, table],
    ["#rows=3&columns=3&k=3&first=X&you=X&moves=b2", read("b2"), table],
  ]);
  const usual = { board: null, game: null, rules: {}, first: "X", you: null, mode: null,
    moves: "", at: null };
  const no = (name, text) => `It has ${name}=${text}, but ${name} must be a whole number.`;
  each((text) => error(() => fromFragment(text)), [
    ...["", "#board2", "#first=O"].map((text) => [null, text]),
    [no("rows", "1.5"), "#rows=1.5"],
    [no("at", "1e3"), "#moves=&at=1e3"],
    [no("seed", "1234567890123456"), "#moves=&seed=1234567890123456"],
    ...[
      [{ game: "gomoku" }, "#game=gomoku"],
      [{ board: "X..", you: "O", first: "O" }, "board=X..&you=O&first=O"],
      [{ moves: "a1 b2", you: "X" }, "#board=&moves=a1+b2&you=X"],
      [{ rules: { rows: 4, columns: 5, k: -3, gravity: true, overline: false } },
        "#rows=4&columns=5&k=-3&gravity=true&overline=false&misere=yes"],
      [{ rules: { misere: true, gravity: false } }, "#rows=&misere=true&gravity=false"],
      [{ mode: "people", at: 0, level: 3, seed: -4 }, "#moves=&mode=people&at=0&level=3&seed=-4"],
      [{}, "#moves=&mode=chess&you=x&first=o"],
      [{ seed: 123456789012345 }, "#moves=&seed=123456789012345"],
    ].map(([more, text]) => [Object.assign({}, usual, more), text]),
  ]);
  each((asked, base) => {
    const found = error(() => completeRules(asked, base));
    return found.rows ? [found.rows, found.columns, found.k] : found.slice(0, 7);
  }, [
    [[3, 3, 3], {}], [[4, 4, 4], { rows: 4 }], [[7, 7, 5], { columns: 7 }],
    [[4, 9, 4], { rows: 4, columns: 9 }], [[9, 4, 4], { rows: 9, columns: 4 }],
    [[9, 4, 9], { rows: 9, columns: 4, k: 9 }], [[4, 9, 9], { rows: 4, columns: 9, k: 9 }],
    [[3, 3, 2], { k: 2 }], [[1, 1, 1], { rows: 1 }],
    [[20, 1, 20], { rows: 20, columns: 1, k: 20 }], [[6, 7, 4], { rows: 6, columns: 7 }, FOUR],
    [[6, 8, 5], { rows: 6, columns: 8 }, FOUR], [[8, 7, 5], { rows: 8, columns: 7 }, FOUR],

    ...[{ k: 4 }, { rows: 21, columns: 3 }, { rows: 3, columns: 21 }, { columns: 0 }, { k: 0 }]
      .map((asked) => ["It asks", asked]),
  ]);
  is(completeRules({ misere: true }, FOUR), { ...FOUR, misere: true });
});

test("the words of a text are moves if they name cells that are free", () => {
  each((text, rules) => wordsOf(text, rules).join("|"), [
    ["(|a1|b2|)|c3", "(a1 b2)c3", GOMOKU], ["1...|i9", "1... i9", GOMOKU], ["D1|C1|(|a|)", "D1, C1 (good) (a)!", FOUR], ["40|d1", "40 d1", FOUR],
    ["9|1", "91", { ...FOUR, columns: 9 }], ["12", "12", { ...FOUR, columns: 10 }]]);
  const full = ".".repeat(35) + "X".repeat(7);
  const column = "X......".repeat(6);
  each(moveNamed, [
    [31, "4", full, FOUR], [31, "d2", full, FOUR], [null, "d3", full, FOUR],
    [null, "d1", full, FOUR], [34, "7", full, FOUR], [28, "1", full, FOUR],
     [null, "8", full, FOUR],
    [null, "1", column, FOUR], [null, "1", ".........", TIC_TAC_TOE],
    [null, "b2", "....X....", TIC_TAC_TOE], [3, "a2", "....X....", TIC_TAC_TOE],
  ]);
  each((text, rules = GOMOKU) => listsMoves(text, rules), [
    [true, "(h8) T20"], [true, "1", FOUR], [true, "a1"], [false, "x.o"], [false, ""], [false, "()"],
    [true, "h8 i"], [false, "u1"], [false, "a0"], [false, "0"],
  ]);
});

test("sgf is read and written with its board marks turn and variations", () => {
  const corners = "X..../...../...../...../....O";
  each((text) => error(() => {
    const { rules, first, fromEmpty, root, text: moves } = readSgf(text).history;
    const board = fromEmpty ? null : spelled(root.cells, rules);
    return [rules.rows, rules.columns, rules.k, rules.overline, board, first, moves].join(" ");
  }), [
    ["15 15 5 true  X a15 b1", "(;GM[4];B[aa];W[bo])"],
    ["5 5 5 true  O a5 e1", "(;SZ[5];W[aa];B[ee])"],
    ["4 6 5 false  X f1", "(;SZ[6:4]RU[Standard];B[fd])"],
    ["5 5 5 true XXX../X.X../...../...OO/..... X e1",
      "(;SZ[5]C[a\\] ;B[aa\\](]AB[aa:cb]AE[bb]AW[dd][ed];W[ee])"],
    ["5 5 5 true XX.../...../...../...../....O X a4", "(;SZ[5]AB[aa][ba]AW[ee];W[ab])"],
    [`5 5 5 true ${corners} O `, "(;SZ[5]AB[aa:ba]AE[ba]AW[ee]PL[W])"],
    [`5 5 5 true ${corners} X b4`, "(;SZ[5]AB[aa]AW[ee]PL[b];B[bb])"],
    [`5 5 5 true ${corners} O b4`, "(;SZ[5]AB[aa]AW[ee];W[bb])"],
    ["5 5 5 true ...../...../...../...../....O O a5", "(;SZ[5]AW[ee];B[aa])"],
    ["5 5 5 true  X a5 b4 (d2) (e1) c3", "(;SZ[5];B[aa](;W[bb];B[cc])(;W[dd])(;W[ee]))(;B[bb])"],
  ]);
  const five = { ...GOMOKU, rows: 5, overline: false };
  const begun = (columns, cells) =>
    new History({ ...five, columns }, "O", { ...untouched(five, "O"), cells });
  const mixed = begun(6, "X" + ".".repeat(29));
  mixed.read("b5 (c5 d5) e5 (f5)");
  const head = "(;FF[4]CA[UTF-8]GM[4]SZ[";
  each(writeSgf, [
    [`${head}5]RU[standard]AB[aa]AW[ee]PL[W])\n`, begun(5, corners.replaceAll("/", ""))],
    [`${head}6:5]RU[standard]AB[aa]PL[W](;W[ba](;B[ea])(;B[fa]))(;W[ca];B[da]))\n`, mixed],
    [`${head}15]RU[freestyle];B[hh];W[ig])\n`, read("h8 i9", GOMOKU)],
  ]);
});
