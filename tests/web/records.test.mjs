/** Game records of other programs: the page opens and saves them, and keeps everything in them. */

import { completeRules, fromFragment, toFragment } from "../../service/bestmove/web/address.js";
import { readRecord, sentenceOf, textOf } from "../../service/bestmove/web/records.js";
import { InvalidMoves } from "../../service/bestmove/web/history.js";
import { TIC_TAC_TOE } from "../../service/bestmove/web/rules.js";
import { writeSgf } from "../../service/bestmove/web/sgf.js";
import { chooser, each, error, FOUR, GOMOKU, is, test } from "./support.mjs";

const STANDARD = { ...GOMOKU, overline: false };
const games = [
  { title: "Tic-tac-toe", rules: TIC_TAC_TOE },
  { title: "Gomoku", rules: GOMOKU },
  { title: "Gomoku, exactly five", rules: STANDARD },
  { title: "Connect Four", rules: FOUR },
];
const open = (text, rules = GOMOKU) => readRecord(text, { rules, first: "X", games });

const [FREE, EXACT, GOMOCUP] = ["15 15 5 true", "15 15 5 false", "20 20 5 true"];
const LEFT = "Not shown, but saved again as SGF: ";
const RENJU = "The page does not judge renju's";

/** The text of a record, its rules and moves, and how each notice begins that the page shows with it. */
const RECORDS = [
  // c-gomoku-cli
  ["(;FF[4]GM[4]GN[1]EV[A x B]DT[2026.11.23 10:00:00]RO[1.1]RU[1]SZ[15]PB[A]PW[B]RE[B+1]" +
    "TE[Black win by five connection]\n;B[hh]C[opening move]\n;W[ig]C[12ms])\n\n",
    EXACT, "h8 i9", LEFT + "the name of the game; the event"],
  ["(;GM[4]RU[0]SZ[20];B[aa])", GOMOCUP, "a20"],
  ["(;GM[4]RU[4]SZ[15];B[hh])", FREE, "h8", RENJU],
  ["(;RU[0]SZ[15];B[hh])\n\n(;SZ[15];B[aa])\n\n", FREE, "h8", LEFT + "1 other game."],
  ["8,-3, 6,-4, 5,-4, 4,-3\n6,6, 4,6\n", GOMOCUP, "s13 q14 p14 o13", "The file has 2 openings."],
  ["17: A <- START 20\n18: A -> OK\n18: A <- INFO rule 1\n18: B <- START 20\n19: B -> OK\n" +
    "19: A <- BOARD\n19: A <- 18,7,1\n19: A <- 16,6,2\n19: A <- DONE\n" +
    "deadline: A must respond to [move] by 3\n20: A -> MESSAGE depth 1-1 ev 5\n20: A -> 16,7\n" +
    "20: B <- BOARD\n20: B <- 18,7,2\n20: B <- 16,6,1\n20: B <- 16,7,2\n20: B <- DONE\n" +
    "21: B -> 14,5\n21: A <- TURN 14,5\n22: A -> 14,4\n22: B <- TURN 14,4\n23: B -> 15,4\n" +
    "30: A <- START 20\n30: B <- START 20\n30: B <- BEGIN\n31: B -> 9,9\n",
    "20 20 5 false", "s13 q14 q13 o15 o16 p16", "The file has 2 games. The first is open."],
  // Piskvork
  ["Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,120\na.exe\nb.exe\n0\n", FREE, "h8 i9"],
  ["Piskvorky 20x20, 0:0, 1\r\n 8, 8, 0\r\n9 7\r\n9,9\r\n", GOMOCUP, "h13 i14 i12"],
  ["piskvorky 7x9\n1,1,0\n7,9,4\n", "9 7 5 true", "a9 g1"],
  ["pbrain-A.exe\npbrain-B.exe\n7,7,12\n8,8,100\n0\n", GOMOCUP, "h13 i12"],
  ["homo-1\nhomo-2\n7,7,12\n8,8,100\n-1\n", GOMOCUP, "h13 i12"],
  ["0,0, 1,0, 1,3\n", FREE, "h8 i8 i5"],
  // managers' logs
  ["START 15\nOK\nBEGIN\n7,7\nTURN 8,8\n9,9\n", FREE, "h8 i7 j6"],
  ["-> RECTSTART 20,15\n<- OK\n-> TURN 19,14\n<- 0,0\n", "15 20 5 true", "t1 a15"],
  ["START 20\nINFO rule 1\nYXBOARD\n1,1,1\n2,2,2\nDONE\n", "20 20 5 false", "b19 c18"],
  ["START 15\nINFO rule 4\nBOARD\n7,7,2\n8,8,1\n9,9,2\nDONE\n", FREE, "h8 i7 j6", RENJU],
  ["BOARD\n0,0,1\n1,0,2\n2,0,2", FREE, "b15 a15 c15"],
  ["START 15\nTURN 7,7\n8,8\nTAKEBACK 8,8\n9,9\nMESSAGE depth 3\n", FREE, "h8 j6"],
  ["START 15\nRESTART\nTURN 7,7\nRESTART\nBEGIN\n", FREE, "h8"],
  ["START 15\nTURN 7,7\nRESTART\nTURN 8,8", FREE, "h8", "The file has 2 games. The first is open."],
  // renju
  ["(;GM[4]FF[4]SZ[15]RU[Standard]KM[0.0]PB[Black]PW[White];B[hh];W[ii])", EXACT, "h8 i7", LEFT + "KM."],
  ["(;GM[4]FF[4]SZ[15]RU[Freestyle];B[hh])", FREE, "h8"],
  ["(;GM[4]FF[4]SZ[15]RU[Renju];B[hh];W[];B[ii])",
    FREE, "h8", RENJU, LEFT + "move 2, a pass, and what follows."],
  // Gomoku Quest and programs of renju
  ["(;GM[4]SZ[15];QPR[hh,hg,jf];QSLW[ig];B[gg];W[gh])", FREE, "h8 h9 j10 i9 g9 g8"],
  ["(;GM[4]SZ[15]RU[Gomoku Standard];B[hh])", EXACT, "h8"],
  ["(;GM[1]SZ[15]RU[Gomoku];B[hh])", FREE, "h8"],
  ["(;GM[4]SZ[15]RU[caro];B[hh])", FREE, "h8", "The page does not know the rules “caro”."],
  ["(;GM[4]SZ[15]RU[Taraguchi-10];B[h8];W[i9])", FREE, "h8 i9", RENJU],
  // old programs
  ["(;gm[4]sz[15];b[hh];w[ii])", FREE, "h8 i7"],
  ["(;GaMe[4]SiZe[15];Black[hh];White[ii]Comment[hi])", FREE, "h8 i7"],
  ["(;FF[1]SZ[15]B[hh]W[ii];B[jj]", FREE, "h8 i7 j6"],
  ["(;C[SZ[19\\]RU[1\\]]SZ[15];B[hh];W[tt])", FREE, "h8", LEFT + "move 2, a pass, and what follows."],
  // PlayOK
  ['[Event "?"]\n[Site "PlayOK"]\n[Black "a"]\n[White "b"]\n[Result "1-0"]\n\n1. h8 i9 2. g7 h7 1-0\n',
    FREE, "h8 i9 g7 h7"],
  // links
  ["https://connect4.gamesolver.org/?pos=4453", "6 7 4 true", "d1 d2 e1 c1"],
  ["gomocalc.com/#/h8h9j8", FREE, "h8 h9 j8"],
  ["https://gomocalc.com/#h8h9_20", GOMOCUP, "h8 h9"],
  ["https://gomocalc.com/#/t20a1", GOMOCUP, "t20 a1"],
  // programs
  ["[112, 98]", FREE, "h8 i9"],
  ['["h8", {"row": 6, "column": 8}]', FREE, "h8 i9"],
  ["226744515337", "6 7 4 true", "b1 b2 f1 g1 d1 d2 e1 a1 e2 c1 c2 g2", "These are moves"],
  ['["4", "4", "5", "3"]', "6 7 4 true", "d1 d2 e1 c1", "These are moves"],
];

test("records of each program open, and come back when they are saved and opened again", () => {
  for (const [text, rules, moves, ...told] of RECORDS) {
    const { history, told: said = [] } = open(text);
    const { rows, columns, k, overline } = history.rules;
    is([text, [rows, columns, k, overline].join(" "), history.text], [text, rules, moves]);
    is(told.every((part) => said.some((one) => one.startsWith(part))) && said.length, told.length);
    if (k !== 5) {
      const link = fromFragment(toFragment(history, { you: "X", mode: "people", level: 3 }));
      is([link.moves, completeRules(link.rules)], [moves, history.rules]);
      continue;
    }
    const saved = writeSgf(history);
    const again = open(saved);
    is([again.history.text, again.history.rules], [moves, history.rules]);
    is(writeSgf(again.history), saved);
  }
});

test("what cannot be opened is refused with the reason", () => {
  const refusal = (text, rules) => {
    try {
      open(text, rules);
    } catch (error) {
      return error instanceof InvalidMoves ? sentenceOf(error) : error.message;
    }
  };
  const cannot = "which is not a move: write moves such as b2 a1, or in Connect Four 445.";
  const mend = " Mend it, or choose one of the games that have these moves.";
  each(refusal, [
    ["It is a record of Go (GM[1]). The page opens SGF of gomoku (GM[4]).", "(;GM[1]SZ[19];B[pd])"],
    ["It is a record of another game (GM[2]). The page opens SGF of gomoku (GM[4]).", "(;GM[2])"],
    ["It has SZ[x], but SZ is a number such as 15, or two such as 20:15.", "(;SZ[x])"],
    ["Line 2 is not valid SGF. A value ends with ], and a ] inside it needs a \\ before it.", "(;SZ[15]\n;B[hh]C[:-]])"],
    ["It has AB[zz], which is not on the board.", "(;SZ[15]AB[zz])"],
    ...["(;SZ[30];B[hh])", "Piskvorky 30x30, 11:11, 0\n8,8,0", "START 30\nBEGIN"].map((text) =>
      ["It asks for 30 × 30, 5 in a row. A board has 1 to 20 rows and columns, and at " +
        "most as many in a row as its longer side has cells.", text]),
    ["Move 1 is 16,2, but the board has 15 rows and 15 columns.", "Piskvorky 15x15\n16,2,0"], ["Move 2 is 7,7, but that cell is taken.", "START 15\nTURN 7,7\n7,7"],
    ["Move 1 is 11,0, but the board has 20 rows and 20 columns.", "11,0, 1,1\n"],
    ["The list after BOARD has 0 marks of one side and 2 of the other. The difference can be " +
      "at most one.", "BOARD\n0,0,2\n1,0,2"],
    ["The page opens links of its own games, of gamesolver.org and of gomocalc.com.",
      "https://games.example/game/7"],
    ["It is RIF, the XML of RenjuNet's games. The page does not read RIF. Open the game as SGF or as moves such as " +
      "h8 i9.", '<?xml version="1.0"?>\n<database><games><game id="1"><move>h8 i9</move></game></games></database>'],
    ["The text has no moves.", '[Event "1"]\n[Result "1-0"]\n\n1-0\n'],
    ...["[[7, 7], [8, 8]]", "(7,7) (8,8)"].map((text) => [`It is a list of pairs of numbers: each may be a row and a column, or a column ` +
      `and a row. Write names, such as ["h8", "i9"], or {"row": 7, "column": 7}.`, text]),
    ["Move 1 is 300, but the board has 15 rows and 15 columns.", "[300]"], ["Move 2 is h8, but that cell is taken.", '["h8", "h8"]'],
    ["Move 2 is ii, but it is the turn of O.", "(;GM[4];B[hh];B[ii])"], ["Move 1 is p1, but the board has 9 rows and 9 columns.", "(;SZ[9];B[p1])"],
    ["Move 2 is h8, but that cell is taken.", "h8 h8", TIC_TAC_TOE],
    [`Move 6 is c3, but the game is over before it.${mend}`, "a1 a2 b1 b2 c1 c3", TIC_TAC_TOE],
    ["Move 1 is numbered 2, but numbers count moves, or pairs of moves, from 1.", "2. h8"],
    [`Move 2 is d3, but a mark there falls to d2.${mend}`, "d1 d3", FOUR], ["Move 7 is 4, but that column is full.", "4444444"],
    [`Move 2 is the, ${cannot}`, "h8 the end"], [`Move 2 is 4, ${cannot}`, "d 4", FOUR],
    ...["", " \n "].map((text) => ["It is empty. Write moves such as b2 a1, or a board such as X.O/.X./..O.", text]),
    ["It is neither moves nor a board. Write moves such as b2 a1, or a board such as X.O/.X./..O.", "hello"],
  ]);
});

test("boards and links of the page go to the service in signs that it reads", () => {
  each((text, rules = GOMOKU) => {
    const { board, rules: found, first, moves, page } = open(text, rules).shared;
    return [board, found.k ?? page?.k ?? null, first, moves];
  }, [
    [["x.o\n...\n...", 3, "X", ""], "x.o\n...\n...", TIC_TAC_TOE],
    ...["100020002", '[["X", null], ["O", "O"]]', "[1, 2, 2, 0]", "[[1, -1], [-1, 0]]", '["X.", "OO"]'].map(
      (text) => [[text, 5, "X", ""], text]),
    [["[0, 0, 0, 1, 0, 0, 0, 0, 2]", 3, "X", ""], "[0, 0, 0, 1, 0, 0, 0, 0, 2]", TIC_TAC_TOE],
    // Only the signs are changed of boards that other programs print.
    ...[["O.....X..", "O23\n456\nX89"], [".X..O....", " 1 | X | 3\n---+---+---\n 4 | O | 6\n---+---+---\n 7 | 8 | 9"],
      ["1|2|3\nX|O|X\nO|X|O", "1|2|3\nX|O|X\nO|X|O"], ["a b c\nX O .", "a b c\nr y ."], ['["X.", "OX"]', '["R.", "YR"]'],
      ["2 X O .\n1 . . .", "+-----+\n2 |X O .|\n1 |. . .|\n+-----+"], ["|X|\n|.|", "|R|\n|.|"]].map(([board, text]) => [[board, 5, "X", ""], text]),
    [[null, 5, "X", "h8 i9"], "https://a.example/#rows=15&columns=15&k=5&moves=h8+i9"],
    [["X........", null, "X", ""], "#board=X........"],
    [["XX.../...../...../...../...OO", 5, "X", "a1"], "(;SZ[5]AB[aa][ba]AW[ee][de];B[ae])"],
  ]);
});

test("texts of files are decoded by their charset", async () => {
  const bytes = (...parts) => new Blob(parts.map((part) =>
    typeof part === "string" ? part : new Uint8Array(part)));
  const name = [0xc4, 0xe3]; // 你 in GB2312
  is(await textOf(bytes("(;CA[gb2312]PB[", name, "])")), "(;CA[gb2312]PB[你])");
  is(await textOf(bytes("(;PB[é])")), "(;PB[é])");
  is(await textOf(bytes([0xff, 0xfe, 0x28, 0, 0x3b, 0, 0x60, 0x4f])), "(;你");
  // Second bytes that look like ] or a backslash, before and after CA.
  for (const [charset, two, character] of [["Shift_JIS", [0x93, 0x5d], "転"], ["Shift_JIS", [0x95, 0x5c], "表"],
    ["Big5", [0xa4, 0x5d], "也"], ["Big5", [0xa6, 0x5d], "因"], ["GBK", [0xd4, 0x5d], "註"]]) {
    is(await textOf(bytes(`(;GM[4]CA[${charset}];B[hh]C[`, two, "])")), `(;GM[4]CA[${charset}];B[hh]C[${character}])`);
    is(await textOf(bytes("(;GM[4]C[", two, `]CA[${charset}];B[hh])`)), `(;GM[4]C[${character}]CA[${charset}];B[hh])`);
  }
  const { options } = await textOf(bytes("(;GM[4]PB[", name, "];B[hh])")).catch((choice) => choice);
  is(options.map(({ label }) => label.replace(/\]?;B.*/, "")), ["Chinese (GBK): (;GM[4]PB[你", "Chinese (Big5): (;GM[4]PB[斕",
    "Japanese (Shift_JIS): (;GM[4]PB[ﾄ緇", "Western: (;GM[4]PB[Äã"]);
  is(options[0].text, "(;GM[4]PB[你];B[hh])");
  const large = textOf(/** @type {any} */ ({ size: 5_000_001 }));
  await large.catch(({ message }) => is(message,
    "The file is larger than 5 MB. Open a part of it that has the game."));
});

/** Checks that the page saves a file as it was, but for the order of each node's properties. */
function returns(text) {
  const nodes = (sgf) => sgf.match(/([A-Z]+(\[(?:\\.|[^\]\\])*\])+)+|[();]/gs).map((part) =>
    part.match(/[A-Z]+(?:\[(?:\\.|[^\]\\])*\])+|[();]/gs).sort().join(""));
  const written = writeSgf(open(text).history);
  is(nodes(written), nodes(text));
  is(writeSgf(open(written).history), written);
}

test("what the page does not show keeps its place", () => {
  const head = "(;FF[4]CA[UTF-8]GM[4]SZ[9]RU[freestyle];B[ee]";
  for (const rest of ["(;W[];B[ff])(;W[gf];B[fg])", "(;W[gf])(;C[only])(;W[cc](;B[];W[dd])(;B[ff]))",
    "(;C[both](;W[aa])(;W[])(;W[bb];B[cc]))(;AB[dd];W[hh])", ";C[a];C[b](;W[aa])(;W[bb])", ";C[end]"]) returns(`${head}${rest})\n`);
  is(writeSgf(open("(;GM[4]SZ[9];B[ee];W[TT](;B[  ])(;B[\n];W[aa]))").history), `${head};W[](;B[])(;B[];W[aa]))\n`);
});

test("more setup points than the board has are refused at once", () => {
  const points = "abcdefghij".repeat(2).split("").flatMap((x) => [..."abcdefghij"].map((y) => `[aa:${x}${y}]`)).join("");
  each((text) => error(() => open(text)), [
    ["AB has more points than the board, which has 25 cells.", `(;SZ[5]AB${points})`]]);
  is(open(`(;SZ[15]AB${"[aa]".repeat(100_000)})`).history.root.cells.split("X").length, 2);
});

test("a file with comments, names and variations comes back equal but for order", () => {
  returns("(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[renju]AP[x:1]" +
    "PB[A \\] B]PW[B]EV[Cup]DT[2026-11-23]RE[B+1]KM[0.0]" +
    ";B[hh]C[first\nline \\\\ (;W[aa\\])]N[start];C[a node without a move];W[ig]" +
    "(;B[hi]BM[1]LB[aa:1][bb:2];W[ih](;B[aa]TE[1])(;B[bb]))" +
    "(;C[lead]N[second];B[hg]C[ü];W[];B[kk])" +
    "(;B[gg];AB[cc]C[set up];W[dd])(;C[only a comment]))\n(;GM[4];B[aa])\n");
});

test("random trees with properties come back equal but for order", () => {
  const pick = chooser(47);
  const cells = [..."aceg"].flatMap((column) => [..."bdf"].map((row) => column + row));
  const value = () => Array.from({ length: pick(6) }, () => pick([..."ab [](;)\n:ü\\]"])).join("");
  const properties = () => ["C", "N", "TE", "LB", "XY"].filter(() => pick(5) === 0).map((name) => {
    return `${name}[${value().replace(/[\\\]]/g, "\\$&")}]`;
  }).join("");
  const grow = (taken, depth) => {
    if (depth === 0) return "";
    const free = cells.filter((cell) => !taken.includes(cell));
    const moves = new Set(Array.from({ length: pick([1, 1, 1, 2, 3]) }, () => pick(free)));
    const side = taken.length % 2 ? "W" : "B";
    const branches = [...moves].map((move) => {
      return `;${side}[${move}]${properties()}${grow([...taken, move], depth - 1)}`;
    });
    return branches.length === 1 ? branches[0] : branches.map((each) => `(${each})`).join("");
  };
  for (let number = 0; number < 150; number += 1) {
    returns(`(;FF[4]CA[UTF-8]GM[4]SZ[15]RU[freestyle]${properties()}${grow([], pick(7))})\n`);
  }
});

test("the service's questions and answers are opened as boards or moves", () => {
  each((asked) => (({ board, moves, rules }) => [board, moves, rules.columns])(open(JSON.stringify(asked)).shared), [
    [[null, "d1 d2", 7], { rows: 6, cols: 7, k: 4, gravity: true, moves: ["d1", "d2"] }],
    [["X../.../...", "", 3], { board: "X../.../...", rules: { rows: 3, columns: 3, k: 3 }, moves: [{ index: 4, score: 0 }] }],
  ]);
});
