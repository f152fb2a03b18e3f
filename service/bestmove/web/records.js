/**
 * Reads what people paste or open: records and logs of other programs, links, moves and boards. The
 * page loads this module when it first needs it.
 */

import { completeRules, fromFragment, InvalidLink } from "./address.js";
import { RequestRefused } from "./client.js";
import { History, InvalidMoves } from "./history.js";
import { isNumber, LETTERS, moveNamed, nameOf, placeNamed, wordsOf } from "./notation.js";
import { charsets, faults, notices } from "./records-words.js";
import { isGomoku, landing, spelled, SWITCHES, TIC_TAC_TOE } from "./rules.js";
import { annotate, escaped, noteOf, parse, passOn, readSgf } from "./sgf.js";

export { passOn };

/** @typedef {import("./address.js").Shared} Shared */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {{title: string, rules: Rules}} Named  a named game */
/**
 * @typedef {object} Opened  the result of reading
 * @property {History} [history]
 * @property {Shared} [shared]  set if the service must check the position where the game begins
 * @property {string[]} [told]  sentences for the user
 * @property {boolean} [isOther]  whether the moves are of another game than the page's
 */
/**
 * @typedef {object} Now  the state of the page
 * @property {Rules} rules
 * @property {import("./client.js").Mark} first
 * @property {number} [k]  the k that the user asks for
 * @property {Named[]} games
 */

/** Matches a URL or its fragment. Links to gamesolver.org and gomocalc.com may lack `https://`. */
const LINK = /^(#\S+|(https?:\/\/[\w.:-]+|([\w-]+\.)?(gamesolver\.org|gomocalc\.com))([/?#]\S*)?)$/i;
/** In bytes. */
const LARGEST_FILE = 5_000_000;
/** In characters. Even a list with many variations on the largest board is shorter. */
const LONGEST_LIST = 100_000;
/** How many characters of a file show the user what an encoding makes of it. */
const PREVIEW = 40;
const GOMOKU = { ...TIC_TAC_TOE, rows: 15, columns: 15, k: 5 };
/** The rules of Gomocup and of every `.rec` file. */
const GOMOCUP = { ...GOMOKU, rows: 20, columns: 20 };
const CONNECT_FOUR = { ...TIC_TAC_TOE, rows: 6, columns: 7, k: 4, gravity: true };
/** The flags of `INFO rule` in Gomocup's protocol. */
const [EXACTLY_FIVE, RENJU] = [1, 4];
/** Matches a move in a Piskvork file: x, y and perhaps the time. */
const TRIPLE = /^\s*(\d+)\s*[,\s]\s*(\d+)(?:\s*[,\s]\s*(-?\d+))?\s*$/;
/** Matches an engine's move in a log: `7,7`. */
const ANSWER = /^\d+\s*,\s*\d+\s*$/;
/** Matches the beginning of a line in a log of c-gomoku-cli: the time, an engine's name, and an arrow. */
const SPEAKER = /^\d+: .+? (<-|->) /;
/** Matches the signs that some logs have before a command, such as `->`. */
const ARROWS = /^[ \t<>=:-]+/;
/** Matches the commands of Gomocup's protocol that set up a game. */
const LOG = /^((rect)?start\s+\d|(yx)?board\s*$|begin\s*$|turn\s+\d)/i;
/** Matches the commands that begin another game. */
const ANOTHER = /^((rect)?start\s+\d|restart\s*$)/i;
/** Matches a move in a log: `7,7` or `TURN 7,7`. */
const PLAYED = /^(turn\s+)?\d+\s*,\s*\d+/i;
/** Matches a line of Gomocup's openings. Each pair of numbers is a move: columns and rows from the centre. */
const OFFSETS = /^\s*-?\d+,-?\d+(,\s+-?\d+,-?\d+)+\s*$/;
/** Matches a game of PGN: the lines of tags and the text below. */
const TAGGED = /((?:^[ \t]*\[\w+[ \t]+".*"\][ \t]*\r?\n?)+)([^[]*)/gm;
/** Matches RIF, RenjuNet's database of games in XML. */
const RIF = /^(<\?xml[^>]*>\s*)?(<!DOCTYPE[^>]*>\s*)?<(database|game)\b/i;
/** Matches a line that is not a board: it is empty, or has letters other than X and O. */
const PROSE = /^([^\n/[({|="']*[a-np-wyz][^\n/[({|="']*)?$/i;
/** Matches a row between bars, with its number beside it or not, and a line of a frame. */
const [ENCLOSED, FRAME] = [/^([ \t\d]*)[|│┃║]([^|│┃║]*)[|│┃║]([ \t\d]*)$/, /^\s*[+=─┌┐└┘├┤╔╗╚╝═-]+\s*$/];
/** Matches a move after the name of its side or player: `X: h8`, `Black h8` or `Anna: h8`. */
const COLOURED = /\b(?:(?:x|o|black|white)\b\s*:?|[a-z]\w*:)\s*([a-t][1-9]\d?)\b/gi;
const RESULT = /(1-0|0-1|1\/2-1\/2|\*)\s*$/;
/** For each tag of PGN, the property of SGF that means the same. @type {Record<string, string>} */
const TAGS = { Black: "PB", White: "PW", Event: "EV", Date: "DT", Round: "RO", Site: "PC" };

/** @typedef {{label: string, text?: string, rules?: Rules}} Option  a text or a game to open instead */

/** Thrown if the user must choose between several readings. */
export class Choice extends InvalidLink {
  /** @param {string} message @param {Option[]} options */
  constructor(message, options) {
    super(message);
    this.options = options;
  }
}

/**
 * Returns the text of a file: UTF-8, UTF-16 with a byte order mark, or the encoding that an SGF file names.
 * @param {Blob} file
 * @throws {Choice} if the file is in another encoding
 * @throws {InvalidLink} if the file is too large
 */
export async function textOf(file) {
  if (/^(audio|image|video)/.test(file.type)) throw new InvalidLink(faults.picture);
  if (file.size > LARGEST_FILE) throw new InvalidLink(faults.tooLarge(LARGEST_FILE / 1_000_000));
  const bytes = new Uint8Array(await file.arrayBuffer());
  const marked = { "255 254": "utf-16le", "254 255": "utf-16be" }[bytes.slice(0, 2).join(" ")] ?? "utf-8";
  try {
    return new TextDecoder(marked, { fatal: true }).decode(bytes);
  } catch {
    const text = inItsCharset(bytes);
    if (text !== null) return text;
    throw new Choice(faults.charset, Object.entries(charsets).map(([name, words]) => {
      const read = new TextDecoder(name).decode(bytes);
      const at = Math.max(0, read.search(/[^\0-\x7f]/) - PREVIEW / 4);
      return { label: `${words}: ${read.slice(at, at + PREVIEW)}`, text: read };
    }));
  }
}

/**
 * Returns the text of an SGF file that names its charset, otherwise null. The name is sought in the bytes,
 * because in Shift_JIS, Big5 and GBK the second byte of a character can be that of `]` or of a backslash.
 * @param {Uint8Array} bytes
 */
function inItsCharset(bytes) {
  const names = new TextDecoder("windows-1252").decode(bytes).matchAll(/CA\s*\[\s*([\w.:-]+)\s*\]/g);
  for (const name of new Set([...names].map((found) => found[1]))) {
    try {
      const text = new TextDecoder(name, { fatal: true }).decode(bytes);
      if (parse(text).games[0]?.properties.get("CA")?.[0].trim() === name) return text;
    } catch {
      // There is no such charset, or the file is not in it.
    }
  }
  return null;
}

/**
 * @param {string} text @param {Now} now
 * @returns {Opened}
 * @throws {InvalidMoves | InvalidLink}
 */
export function readRecord(text, now) {
  if (/^\s*\(\s*;/.test(text)) {
    const { history, told } = readSgf(text, now.k ? { k: now.k } : {});
    if (history.fromEmpty) return { history, told };
    const { rules, first, root, text: moves } = history;
    return { history, shared: { ...NOTHING, board: spelled(root.cells, rules), rules, first, moves }, told };
  }
  const plain = text.trim().replace(COLOURED, "$1");
  for (const reader of [readLink, readList, readPsq, readRec, readLog, readOffsets, readTags]) {
    const found = reader(plain, now);
    if (found) return found;
  }
  if (RIF.test(plain)) throw new InvalidLink(faults.rif);
  const numbered = withoutNumbers(text);
  return (numbered ? null : readMoves(plain, now)) ?? readBoard(numbered ?? text, now);
}

/** @type {Omit<Shared, "board" | "rules" | "first">} */
const NOTHING = { game: null, you: null, mode: null, moves: "", at: null };

/**
 * @param {Rules} rules @param {number[][]} places  the column and the row of each move, from 0
 * @param {number[][]} named  the numbers of each move in the text, which begin with x and y, for error messages
 */
function playedAt(rules, places, named = places) {
  const history = new History(rules, "X");
  places.forEach((place, at) => {
    const [column, row] = place;
    const cell = isInside(place, rules) ? row * rules.columns + column : NaN;
    if (!history.play(cell)) throw new InvalidMoves(named[at].slice(0, 2).join(","), at + 1, history, cell);
  });
  return history;
}

/** @param {number[]} place @param {Rules} rules */
const isInside = ([column, row], { rows, columns }) => column >= 0 && row >= 0 && column < columns && row < rows;

/**
 * Returns the rules to try for a record of gomoku. If the page's game is gomoku, its rules come first.
 * @param {Now} now @returns {Rules[]}
 */
function gomokuBoards({ rules, k }) {
  return [...(isGomoku(rules) ? [rules] : []), GOMOKU, GOMOCUP].map((board) => ({ ...board, ...(k && { k }) }));
}

/** @param {string} text @param {Now} now @returns {Opened | null} null if the text is not a link */
function readLink(text, now) {
  if (!LINK.test(text)) return null;
  const { hostname, hash, searchParams } = new URL(/^(#|https?:)/i.test(text) ? text : `https://${text}`, "http://localhost/");
  const pos = searchParams.get("pos");
  if (hostname.endsWith("gamesolver.org") && pos !== null) return { history: read(pos, CONNECT_FOUR) };
  const [, moves, side] = /^#\/?((?:[a-z]\d+)+)(?:_(\d+))?/i.exec(hash) ?? [];
  if (hostname.endsWith("gomocalc.com") && moves) {
    const boards = side ? [completeRules({ ...GOMOKU, rows: Number(side), columns: Number(side) })] : gomokuBoards(now);
    return { history: read(moves, boards.find((board) => fits(moves, board)) ?? boards[0]) };
  }
  const shared = fromFragment(hash);
  if (!shared) throw new InvalidLink(faults.link);
  return { shared };
}

/** @param {string} text @param {Rules} rules @param {import("./client.js").Mark} [first] */
function read(text, rules, first = "X") {
  const history = new History(rules, first);
  history.read(text);
  return history;
}

/** @param {string} text @param {Rules} rules */
function fits(text, rules) {
  try {
    return read(text, rules).root.children.length > 0;
  } catch {
    return false;
  }
}

/** Reads a question to the service, or its answer. @param {any} asked @returns {Opened | null} null if the object has no game */
function readQuestion({ board, moves, rules, cols, ...asked }) {
  if (board === undefined && moves === undefined) return null;
  const text = typeof board === "object" ? JSON.stringify(board) : (board ?? "");
  const played = rules ? "" : String(moves ?? "").replaceAll(",", " "); // an answer of /analyze has the moves to choose from
  const fields = { ...(cols && { columns: cols }), ...asked, ...rules, board: text, moves: played };
  const shared = fromFragment(String(new URLSearchParams(fields)));
  return shared && { shared };
}

/**
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text is not JSON with a game
 */
function readList(text, now) {
  let list;
  try {
    list = JSON.parse(/^[{"]/.test(text) ? text : text.replaceAll("'", '"').replaceAll("(", "[").replaceAll(")", "]"));
  } catch {
    return null;
  }
  if (!Array.isArray(list)) return list && readQuestion(list);
  const nested = list.some(Array.isArray);
  const pairs = nested && list.every((item) => Array.isArray(item) && item.length === 2 && item.every(Number.isInteger));
  if (pairs && list.flat().some((number) => Math.abs(number) > 2)) throw new InvalidLink(faults.pairs);
  const numbers = list.every(Number.isInteger) || list.every((item) => /^[0-2]$/.test(item));
  // No two moves have the same index, so a list that repeats a number is a board.
  const board = !list.every(isMove) || (numbers && new Set(list).size < list.length);
  if (!board) return chosen(now, (rules) => listed(list, rules, now.first));
  return readBoard(text, now);
}

/**
 * Returns whether an item of a list may be a move: an index, a name such as h8, a digit or letter, or
 * an object.
 * @param {any} item
 */
function isMove(item) {
  if (typeof item === "string") return /^([a-t][1-9]\d?|[a-np-t]|[1-9])$/i.test(item);
  return Number.isInteger(item) || (item !== null && typeof item === "object" && "column" in item);
}

/** @param {any[]} items @param {Rules} rules @param {import("./client.js").Mark} first */
function listed(items, rules, first) {
  const history = new History(rules, first);
  const { columns } = rules;
  items.forEach((item, at) => {
    const { cells } = history.now;
    let cell = item;
    if (typeof item === "string") cell = moveNamed(item, cells, rules);
    else if (typeof item === "object") {
      const { row, column } = item;
      const whole = row !== undefined || !rules.gravity;
      cell = column >= columns ? NaN : whole ? row * columns + column : landing(cells, column, rules);
    }
    if (cell === null || landing(cells, cell, rules) !== cell || !history.play(cell)) {
      const word = typeof item === "object" ? JSON.stringify(item) : String(item);
      throw new InvalidMoves(word, at + 1, history, word === item ? undefined : cell);
    }
  });
  return history;
}

/**
 * Reads moves by the page's rules. If these rules forbid the moves and one named game allows them, reads the moves by the
 * rules of that game. If no game allows them, the error is that of the game that allows the most of them.
 * @param {Now} now @param {(rules: Rules) => History} reader
 * @returns {Opened}
 */
function chosen({ rules, games, k }, reader) {
  const attempt = (/** @type {Rules} */ by) => {
    try {
      return reader(by);
    } catch (error) {
      if (error instanceof InvalidMoves) return error;
      throw error;
    }
  };
  const here = attempt(completeRules(k ? { k } : {}, rules));
  if (here instanceof History) return { history: here };
  let why = here;
  const found = games.flatMap(({ title, rules: by }) => {
    const history = attempt(by);
    if (history instanceof History) return [{ title, history }];
    if (history.number > why.number) why = history;
    return [];
  });
  // Moves that do not even begin on this board are most likely free gomoku, which comes before its variants.
  const isOther = here.number === 1 && found.every(({ history }) => isGomoku(history.rules));
  if (found.length > 1 && !isOther) {
    const options = found.map(({ title, history }) => ({ label: title, rules: history.rules }));
    throw new Choice(faults.severalGames(sentenceOf(here)), options);
  }
  if (found.length === 0) throw why;
  return { history: found[0].history, told: [notices.game(found[0].title)], isOther: true };
}

/** Returns the sentence that says why a move cannot be played. @param {any} error  an InvalidMoves */
export function sentenceOf({ word, number, now: { cells, turn }, rules, place = placeNamed(word, rules) ?? (/[a-z]\d/i.test(word) ? NaN : null) }) {
  const lands = place === null ? null : landing(cells, place, rules);
  let why = lands === place ? faults.notTurn(turn) : faults.fallsTo(nameOf(Number(lands), rules));
  if (isNumber(word)) return faults.badMove(number, `numbered ${parseInt(word)}`, faults.wrongNumber);
  if (turn === null) why = faults.tooLate;
  else if (place === null || (rules.gravity && lands !== null && word.length === 1)) why = faults.noMove;
  else if (!cells[place]) why = faults.outside(rules);
  else if (lands === null) why = faults.taken(rules);
  return faults.badMove(number, word, why);
}

/**
 * Reads a `.psq` file of Piskvork: "Piskvorky 15x15", then a line "x,y,time" for each move, then the
 * players. x and y count from 1.
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text is not such a file
 */
function readPsq(text, now) {
  const [first, ...lines] = text.split(/\r?\n/);
  const head = /^\s*piskvorky\s+(\d+)\s*x\s*(\d+)(.*)/i.exec(first);
  if (!head) return null;
  const moves = triplesIn(lines);
  const rules = gomokuOn({ columns: Number(head[1]), rows: Number(head[2]) }, now);
  const history = playedAt(rules, moves.map(([x, y]) => [x - 1, y - 1]), moves);
  const players = lines.slice(moves.length, moves.length + 2);
  // The last number of the first line is 1 if the second player began.
  keepPlayers(history, /,\s*1\s*$/.test(head[3]) ? players.reverse() : players);
  return { history };
}

/**
 * Reads a `.rec` file of Piskvork: the two players, then a line "x,y,time" for each move. x and y count
 * from 0. The board is 20×20.
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text is not such a file
 */
function readRec(text, now) {
  const [black, white, ...lines] = text.split(/\r?\n/);
  const moves = triplesIn(lines);
  const named = [black, white].every((name) => /[a-z]/i.test(name ?? ""));
  const complete = moves.every(({ length }) => length === 3) && lines.slice(moves.length).every((line) => /^\s*(-?\d+)?\s*$/.test(line));
  if (!named || moves.length === 0 || !complete) return null;
  const history = playedAt(gomokuOn(GOMOCUP, now), moves);
  keepPlayers(history, [black, white]);
  return { history };
}

/** Returns the moves of the first lines, up to a line that is not a move. @param {string[]} lines */
function triplesIn(lines) {
  const end = lines.findIndex((line) => !TRIPLE.test(line));
  return lines.slice(0, end < 0 ? undefined : end).map(numbersIn);
}

/** @param {History} history @param {string[]} players  the names of Black and White */
function keepPlayers(history, players) {
  const [black, white] = players.map((name) => name.trim());
  if ([black, white].every((name) => /[a-z]/i.test(name ?? ""))) keep(history, { PB: black, PW: white });
}

/** @param {string} line */
const numbersIn = (line) => (line.match(/-?\d+/g) ?? []).map(Number);

/**
 * Returns gomoku's rules for a board of this size, with the page's `overline`.
 * @param {{rows: number, columns: number}} size @param {Now} now
 */
function gomokuOn({ rows, columns }, { rules, k }) {
  const usual = Math.min(GOMOKU.k, Math.max(rows, columns));
  return completeRules({ ...SWITCHES, overline: rules.overline, rows, columns, k: k ?? usual });
}

/** Keeps properties that *Save as SGF* will write. @param {History} history @param {Record<string, string>} properties */
function keep(history, properties) {
  annotate(history.root, new Map(Object.entries(properties).map(([name, text]) => [name, [escaped(text)]])));
}

/**
 * Reads the first game of a log of Gomocup's protocol: the manager's commands and the engine's moves.
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text has no such commands
 */
function readLog(text, now) {
  const all = text.split(/\r?\n/);
  const named = all.filter((line) => SPEAKER.test(line));
  const lines = named.length > 0 ? named.map((line) => line.replace(SPEAKER, "")) : all.map((line) => line.replace(ARROWS, ""));
  if (!lines.some((line) => LOG.test(line))) return null;
  const hasMoves = (/** @type {string[]} */ game) => game.some((line) => PLAYED.test(line));
  /** @type {string[]} */
  let game = [];
  const games = [game];
  for (const line of lines) {
    if (ANOTHER.test(line) && hasMoves(game)) games.push((game = []));
    game.push(line);
  }
  const opened = readGame(games[0], named.length > 0, now);
  const count = games.filter(hasMoves).length;
  if (opened && count > 1) opened.told = [...(opened.told ?? []), notices.first(count, "games")];
  return opened;
}

/**
 * @param {string[]} lines
 * @param {boolean} both  whether the lines come from both engines
 * @param {Now} now
 * @returns {Opened | null} null if the lines set up no game
 */
function readGame(lines, both, now) {
  /** @type {{rows: number, columns: number} | null} */
  let size = null;
  let rule = now.rules.overline ? 0 : EXACTLY_FIVE;
  /** The moves as [column, row]. @type {number[][]} */
  let moves = [];
  /** The lines after BOARD: [column, row, side]. @type {number[][] | null} */
  let list = null;
  for (const line of lines) {
    const [command = ""] = /^[a-z]+/i.exec(line) ?? [];
    const numbers = numbersIn(line);
    const word = command.toUpperCase();
    if (list && word === "" && numbers.length === 3) list.push(numbers);
    else if (word === "TURN" || ANSWER.test(line)) {
      const move = numbers.slice(0, 2);
      // A log of both engines has each move twice: one engine plays it, and the other is told of it.
      if (!both || String(move) !== String(moves[moves.length - 1])) moves.push(move);
    } else if (word === "START" || word === "RECTSTART") {
      const [columns, rows = columns] = numbers;
      size = { rows, columns };
    } else if (word === "BOARD" || word === "YXBOARD") [moves, list] = [[], []];
    else if (word === "DONE" && list) [moves, list] = [inTurns(list), null];
    else if (word === "TAKEBACK") moves = moves.filter((move) => String(move) !== String(numbers));
    else if (word === "INFO" && /\brule\b/i.test(line)) [rule] = numbers;
  }
  if (list) moves = inTurns(list);
  if (!size && moves.length === 0) return null;
  const boards = gomokuBoards(now);
  const rules = size
    ? gomokuOn(size, now)
    : (boards.find((board) => moves.every((move) => isInside(move, board))) ?? GOMOCUP);
  const history = playedAt({ ...rules, overline: (rule & EXACTLY_FIVE) === 0 }, moves);
  if ((rule & RENJU) === 0) return { history };
  noteOf(history.root).rules = "renju";
  return { history, told: [notices.renju] };
}

/**
 * Returns the moves in an order in which the sides alternate.
 * @param {number[][]} list  moves as in Gomocup's command BOARD: column, row, and 1 for the side to move or 2
 *     for the other side
 */
function inTurns(list) {
  const [own, theirs] = [1, 2].map((side) => list.filter((item) => item[2] === side));
  if (Math.abs(own.length - theirs.length) > 1 || own.length + theirs.length < list.length) {
    throw new InvalidLink(faults.unbalanced(own.length, list.length - own.length));
  }
  const [leading, second] = theirs.length > own.length ? [theirs, own] : [own, theirs];
  return leading.flatMap((item, at) => [item, second[at]]).filter((item) => item !== undefined).map((item) => item.slice(0, 2));
}

/**
 * Reads the first line of Gomocup's openings (see `OFFSETS`).
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text has no openings
 */
function readOffsets(text, now) {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (lines.length === 0 || !lines.every((line) => OFFSETS.test(line))) return null;
  const numbers = numbersIn(lines[0]);
  const pairs = numbers.flatMap((x, at) => (at % 2 === 0 ? [[x, numbers[at + 1]]] : []));
  const places = (/** @type {Rules} */ { rows, columns }) => pairs.map(([x, y]) => [x + Math.floor(columns / 2), y + Math.floor(rows / 2)]);
  const boards = gomokuBoards(now);
  const rules = boards.find((board) => places(board).every((place) => isInside(place, board))) ?? GOMOCUP;
  const history = playedAt(rules, places(rules), pairs);
  return { history, told: lines.length > 1 ? [notices.first(lines.length, "openings")] : [] };
}

/**
 * Reads the first game of a text with tags such as [Black "name"] above the moves, as on PlayOK.
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text has no tags
 */
function readTags(text, now) {
  const games = [...text.matchAll(TAGGED)];
  if (games.length === 0) return null;
  const [, head, body] = games[0];
  const moves = body.trim();
  if (!/[a-t1-9]/i.test(moves.replace(RESULT, ""))) throw new InvalidLink(faults.noMoves);
  const rules = [now.rules, GOMOKU, GOMOCUP, CONNECT_FOUR].find((by) => fits(moves, by)) ?? GOMOKU;
  const history = read(moves, rules);
  /** @type {Record<string, string>} */
  const kept = {};
  const others = [];
  for (const [, name, value] of head.matchAll(/\[(\w+)\s+"(.*)"\]/g)) {
    if (name in TAGS) kept[TAGS[name]] = value;
    else others.push(`${name}: ${value}`);
  }
  keep(history, { ...kept, ...(others.length > 0 && { GC: others.join("\n") }) });
  return { history, told: games.length > 1 ? [notices.first(games.length, "games")] : [] };
}

/**
 * @param {string} text @param {Now} now
 * @returns {Opened | null} null if the text is not a list of moves
 */
function readMoves(text, now) {
  if (text.length > LONGEST_LIST) return null;
  if (/^(\(\s*\d+\s*[,;]\s*\d+\s*\)|\d+,\d+(\s+\d+,\d+)+$)/.test(text)) throw new InvalidLink(faults.pairs);
  const meant = (/** @type {Rules} */ rules) => listsMoves(text, rules);
  // Do not look for moves of other games in a text of only 0, 1 and 2 (perhaps a board) or only letters (a word).
  const games = /^([012\s]*|[a-z\s]*)$/i.test(text) ? [] : now.games.filter(({ rules }) => meant(rules));
  if (!meant(now.rules) && games.length === 0) return null;
  return chosen({ ...now, games }, (rules) => {
    if (!meant(rules)) throw new InvalidMoves(text.trim(), 1, new History(rules, now.first));
    return read(text, rules, now.first);
  });
}

/** Returns whether a text is a list of moves rather than a board. @param {string} text @param {Rules} rules */
export function listsMoves(text, rules) {
  const words = wordsOf(text, rules).filter((word) => word !== "(" && word !== ")" && !isNumber(word));
  if (words.length === 0) return false;
  return /^[a-t][1-9]\d?$/i.test(words[0]) || words.every((word) => moveAlone(word, rules));
}

/** @param {string} word @param {Rules} rules */
const moveAlone = (word, { gravity, columns }) =>
  /^[1-9]$/.test(word) || (gravity && word.length === 1 && LETTERS.slice(0, columns).includes(word.toLowerCase()) && !/[xo]/i.test(word));

/** Returns a printed 3×3 board without the numbers of its empty cells; null if the text is no such board. @param {string} text */
function withoutNumbers(text) {
  const rows = text.replace(/[ \t|+=─│┼-]/g, "").trim().split(/\s+/);
  const numbers = text.match(/\d/g) ?? [];
  const isBoard = /^[xo1-9]{3}(,[xo1-9]{3}){2}$/i.test(String(rows)) && /[xo]/i.test(text);
  const areNames = numbers.length === 3 && rows.includes("123"); // of columns, above or below full rows
  return isBoard && !areNames && new Set(numbers).size === numbers.length ? rows.join("").replace(/\d/g, ".") : null;
}

/** Returns a board in marks that the service reads: X and O for R and Y, without bars that only enclose the rows. @param {string} text */
function inMarks(text) {
  // The names of Connect Four's columns may stand above or below the rows.
  const isColoured = /[ry]/i.test(text) && /^[a-gry\P{L}]*$/iu.test(text) && !/[a-z]\d/i.test(text);
  const board = isColoured ? text.replace(/r/gi, "X").replace(/y/gi, "O") : text;
  const lines = board.split(/\r?\n/).filter((line) => !FRAME.test(line));
  const rows = lines.map((line) => line.replace(ENCLOSED, "$1$2$3"));
  const isEnclosed = !/[|│┃║]/.test(rows.join("")) && lines.some((line) => Number(ENCLOSED.exec(line)?.[2].trim().length) > 1);
  return isEnclosed ? rows.join("\n") : board;
}

/**
 * Returns the game that begins with a board, which the service reads.
 * @param {string} text @param {Now} now
 * @returns {Opened}
 */
const readBoard = (text, { rules, k }) => {
  const board = inMarks(text);
  if (PROSE.test(board.trim())) throw new InvalidLink(faults.noGame(text.trim()));
  return { shared: { ...NOTHING, board, rules: k ? { k } : {}, first: "X", page: { ...rules, ...(k && { k }) } } };
};

/**
 * Asks the service about a pasted board. The page's rules apply if the board fits them. If the board has
 * more O than X, O moved first.
 * @template {{rules: {rows: number, columns: number}}} T
 * @param {(asked: Partial<Rules> & {first: import("./client.js").Mark}) => Promise<T>} ask  throws RequestRefused for rules that do not fit
 * @param {Partial<Rules>} rules  what the user asks for @param {Rules} page
 * @returns {Promise<T>}
 */
export async function answerOn(ask, rules, page) {
  /** @type {Error[]} */
  const faults = [];
  const attempt = async (/** @type {Partial<Rules>} */ by, /** @type {import("./client.js").Mark} */ first) => {
    try {
      return await ask({ ...by, first });
    } catch (error) {
      if (!(error instanceof RequestRefused)) throw error;
      faults.push(error);
      return null;
    }
  };
  for (const first of /** @type {import("./client.js").Mark[]} */ (["X", "O"])) {
    const own = await attempt(rules, first);
    const { rows, columns } = own?.rules ?? page;
    const same = rows === page.rows && columns === page.columns;
    // A board of Connect Four's size is Connect Four if its marks lie on each other, unless the page has that size.
    const likely = !same && !rules.k && rows === CONNECT_FOUR.rows && columns === CONNECT_FOUR.columns ? CONNECT_FOUR : page;
    const here = rows * columns === likely.rows * likely.columns ? await attempt(likely, first) : null;
    if (here || (own && !same)) return /** @type {T} */ (here ?? own);
    if (own) break;
  }
  throw faults[0];
}
