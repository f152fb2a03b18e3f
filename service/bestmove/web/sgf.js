/**
 * Reads and writes games as SGF, a format of Go and gomoku programs. X is Black. Of the page's games SGF knows only
 * gomoku; of any other game, RU has the rules as in a link. The page shows a file's players, comments and marks of
 * bad moves. All other parts, such as the moves after a pass, are kept and written again.
 */

import { completeRules, fromFragment, InvalidLink } from "./address.js";
import { History, InvalidMoves } from "./history.js";
import { cellNamed } from "./notation.js";
import { faults, left, notices } from "./records-words.js";
import { faultOf } from "./review.js";
import { changed, isGomoku, other, untouched } from "./rules.js";
import { say } from "./words.js";

/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {Map<string, string[]>} Properties  the values as written, with their backslashes */
/** @typedef {{properties: Properties, children: Tree[]}} Tree  a node of SGF */
/**
 * @typedef {object} Note  what the file says about a position
 * @property {Properties} properties
 * @property {string} comment  the text of C
 * @property {string} players  at the root: the texts of PB and PW
 * @property {Properties[]} before  the properties of the moveless nodes just before this node; siblings share those before a fork
 * @property {Rest[]} rest  variations that the page cannot play
 * @property {string} rules  the value of RU, if it is neither freestyle nor standard
 * @property {string} others  the text of the file's other games
 */
/**
 * @typedef {object} Rest  a variation that the page cannot play
 * @property {number} at  how many of its siblings before it the page can play
 * @property {Properties[]} before  as in `Note`
 * @property {Tree} tree
 */
/** @typedef {{before: Properties[], text: string}} Branch  a variation as text, without the nodes in `before` */
/** @typedef {Node & {parent: Noted | null, children: Noted[]}} Noted */
/** @typedef {{mark: Mark | null, value: string}} Move  `mark`: who moves; null if the file does not say it */

/** SGF's numbers for games. */
const [GO, GOMOKU] = ["1", "4"];
const USUAL_SIDE = 15;
const LETTERS = "abcdefghijklmnopqrstuvwxyz";
/** @type {Record<string, Mark>} */
const COLOURS = { B: "X", W: "O" };
/** The properties that place or remove marks before the game. @type {Record<string, string>} */
const SETUP = { AB: "X", AW: "O", AE: "." };
const COMMENT = "C";
/** For each grade, the property of SGF that marks a move so: a bad move, a very bad move, a doubtful move. @type {Record<import("./review.js").Grade, string>} */
const MARKS = { mistake: "BM[1]", blunder: "BM[2]", inaccuracy: "DO[]" };
/** The properties of the root that name the players, Black first. */
const PLAYERS = ["PB", "PW"];
/** Properties that `writeSgf` computes, so they are not kept. */
const OWN = ["FF", "CA", "GM", "SZ", "RU"];
/** Properties that say nothing about the game: the program that wrote the file, and how to draw variations. */
const UNTOLD = ["AP", "ST"];
/**
 * Matches the properties that the app Gomoku Quest writes for openings. Their values are the moves of the
 * opening. `writeSgf` writes ordinary moves instead.
 */
const OPENING = /^Q(PR|SL[BW]?)$/;
/** The point that means a pass in SGF before FF[4], on boards of up to 19 columns. */
const OLD_PASS = "tt";
const OLD_PASS_COLUMNS = 19;
/** Matches a bracket or semicolon, the name of a property, or a value. */
const TOKEN = /\s*(?:([();])|([A-Za-z][A-Za-z0-9]*)|\[((?:\\[^]|[^\]\\])*)\])/y;
/** Matches the value of RU in files of several programs: the name of the rules, or Gomocup's number. */
const FREESTYLE = /^$|^0$|^gomoku$|free/i;
const STANDARD = /^1$|standard|exact/i;
const RENJU = /^[24]$|renju|^rif$|taraguchi|yamaguchi|soos[oy]rv/i;

const OWN_RULES = /^k=\d+(&\w+=\w+)*$/;

/** @param {string} name @returns {"freestyle" | "standard" | "renju" | null} */
function rulesNamed(name) {
  if (RENJU.test(name)) return "renju";
  if (STANDARD.test(name)) return "standard";
  return FREESTYLE.test(name) ? "freestyle" : null;
}

/**
 * Reads the games of a text by the grammar of SGF.
 * @param {string} text
 * @returns {{games: Tree[], others: string}} `others`: the text from the second game on, for `writeSgf`
 * @throws {InvalidLink}
 */
export function parse(text) {
  /** @type {Tree} */
  const all = { properties: new Map(), children: [] };
  /** @type {Tree[]} */
  const open = [];
  const token = new RegExp(TOKEN);
  let node = all;
  /** The property that the next value belongs to; "" if no property of the node was read yet. */
  let short = "";
  let inside = false;
  let end = 0;
  for (let at = Math.max(0, text.search(/\(\s*;/)); ; at = token.lastIndex) {
    token.lastIndex = at;
    const [whole, sign, name, value = ""] = token.exec(text) ?? [];
    if (whole === undefined && (open.length === 0 || text.slice(at).trim() === "")) break;
    if (sign) [inside, short] = [sign === ";", ""];
    if (sign === "(") open.push(node);
    else if (sign === ")" && open.length > 0) {
      node = /** @type {Tree} */ (open.pop());
      if (open.length === 0) end ||= token.lastIndex;
    } else if (sign === ";" && open.length > 0) node = added(node);
    else if (name && inside) {
      // Before FF[4], names could have small letters too; only the capitals count.
      short = /[A-Z]/.test(name) ? name.replace(/[a-z]/g, "") : name.toUpperCase();
    } else if (whole && !sign && short) {
      // A second move in the node begins another node.
      if (isMove(short) && !node.properties.has(short) && [...node.properties.keys()].some(isMove)) node = added(node);
      const values = node.properties.get(short) ?? [];
      values.push(value);
      node.properties.set(short, values);
    } else throw new InvalidLink(faults.noSgf(text.slice(0, at).trimEnd().split("\n").length));
  }
  return { games: all.children, others: end ? text.slice(end).trim() : "" };
}

/** @param {Tree} node @returns {Tree} */
function added({ children }) {
  const tree = { properties: new Map(), children: [] };
  children.push(tree);
  return tree;
}

/** Returns the text of a value, without the backslashes. @param {string} value */
const unescaped = (value) => value.replace(/\\(\r\n|\n\r|[^])/g, (_, next) => (/[\r\n]/.test(next) ? "" : next));

/** Returns a text with the backslashes that a value needs. @param {string} text */
export const escaped = (text) => text.replace(/[\]\\]/g, "\\$&");

/** @param {Node} node @returns {Note} */
export function noteOf(node) {
  const noted = /** @type {Noted} */ (node);
  noted.note ??= { properties: new Map(), comment: "", players: "", before: [], rest: [], rules: "", others: "" };
  return noted.note;
}

/** @param {Node} node @param {Properties} properties */
export function annotate(node, properties) {
  const noted = noteOf(node);
  for (const [name, values] of properties) noted.properties.set(name, values);
  const text = (/** @type {string} */ name) => unescaped(noted.properties.get(name)?.[0] ?? "").trim();
  noted.comment = text(COMMENT);
  const [black, white] = PLAYERS.map(text);
  noted.players = black || white ? `X: ${black || "?"}, O: ${white || "?"}` : "";
}

/** @param {Node} node @param {string} text */
export function comment(node, text) {
  noteOf(node).properties.delete(COMMENT);
  annotate(node, new Map(text ? [[COMMENT, [escaped(text)]]] : []));
}

/** Copies the notes of a game to another game with the same moves. @param {History} from @param {History} to */
export function passOn(from, to) {
  const into = [to.root, ...to.all];
  [from.root, ...from.all].forEach((node, at) => {
    const { note, mark } = /** @type {Noted} */ (node);
    Object.assign(into[at], note && { note }, { mark });
  });
}

/**
 * Reads the first game of a text.
 * @param {string} text @param {Partial<Rules>} [given]  the rules that the user asks for
 * @returns {{history: History, told: string[]}} the game, and sentences about it for the user
 * @throws {InvalidMoves | InvalidLink}
 */
export function readSgf(text, given = {}) {
  const { games, others } = parse(text);
  if (games.length === 0) throw new InvalidLink(faults.noMoves);
  const [{ properties }] = games;
  const valueOf = (/** @type {string} */ name) => unescaped(properties.get(name)?.[0] ?? "").trim();
  const game = valueOf("GM") || GOMOKU;
  const named = valueOf("RU");
  const meant = rulesNamed(named);
  // The page's own games other than gomoku: k and the switches, as in a link.
  const own = OWN_RULES.test(named) ? fromFragment(`rows&${named}`)?.rules : undefined;
  // Some programs write GM[1] (Go) into gomoku files. Read such a file if RU names gomoku's rules.
  if (game !== GOMOKU && !(game === GO && meant && /[a-z]/i.test(named))) throw new InvalidLink(faults.otherGame(game));
  const size = valueOf("SZ") || String(USUAL_SIDE);
  const [, columns, rows = columns] = /^(\d+)(?:\s*:\s*(\d+))?$/.exec(size) ?? [];
  if (!columns) throw new InvalidLink(faults.size(size));
  clearPasses(games[0], Number(columns));
  const asked = { columns: Number(columns), rows: Number(rows), overline: meant !== "standard" };
  const reading = new Reading(completeRules({ k: 5, ...asked, ...own, ...given }));
  const history = reading.read(games[0]);
  if (games.length > 1) reading.left.set("games", left.games(games.length - 1));
  const told = reading.left.size > 0 ? [notices.left(new Set(reading.left.values()))] : [];
  if (meant === "renju") told.unshift(notices.renju);
  if (meant === null && !own) told.unshift(notices.unknownRules(named));
  const rules = (meant === "renju" || meant === null) && !own ? escaped(meant ?? named) : "";
  Object.assign(noteOf(history.root), { rules, others });
  return { history, told };
}

/**
 * Writes all passes of a game as FF[4] does: without a point.
 * @param {Tree} root @param {number} columns
 */
function clearPasses(root, columns) {
  const nodes = [root];
  for (const { properties, children } of nodes) {
    for (const name of Object.keys(COLOURS)) {
      const point = properties.get(name)?.[0].trim().toLowerCase();
      if (point === "" || (point === OLD_PASS && columns <= OLD_PASS_COLUMNS)) properties.set(name, [""]);
    }
    for (const child of children) nodes.push(child);
  }
}

class Reading {
  /** @param {Rules} rules */
  constructor(rules) {
    this.rules = rules;
    this.cells = Array(rules.rows * rules.columns).fill(".");
    /** The side to move according to the file. */
    this.first = "";
    /** The parts of the file that the page does not show, with their names for the user. @type {Map<string, string>} */
    this.left = new Map();
    this.history = new History(rules, "X");
  }

  /** @param {Tree} root */
  read({ properties, children }) {
    const own = this.#place(properties);
    for (const name of OWN) own.delete(name);
    let next = children;
    const move = [...own].find(([name]) => isMove(name));
    if (move) {
      own.delete(move[0]);
      next = [{ properties: new Map([move]), children }];
    }
    /** @type {Properties[]} */
    const before = [];
    while (next.length === 1 && !hasMove(next[0])) {
      const properties = this.#place(next[0].properties);
      if (properties.size > 0) before.push(this.#keep(properties));
      next = next[0].children;
    }
    this.first ||= firstColour(next);
    this.history = this.#begin();
    const { root } = this.history;
    annotate(root, this.#keep(own, [COMMENT, ...PLAYERS]));
    const last = before.at(-1);
    if (next.length === 0 && last) keepRest(root, before.slice(0, -1), { properties: last, children: [] });
    /** The nodes that follow each position. @type {Array<[Node, Tree[]]>} */
    const found = [];
    this.#branch(next, before, found);
    for (const [node, trees] of found) {
      this.history.go(node);
      this.#branch(trees, [], found);
    }
    this.history.go(this.history.mainEnd);
    return this.history;
  }

  /** Puts the marks of a node on the board. Returns the node's other properties. @param {Properties} properties @returns {Properties} */
  #place(properties) {
    const others = new Map(properties);
    for (const [name, mark] of Object.entries(SETUP)) {
      const values = new Set(properties.get(name));
      if (values.size > this.cells.length) throw new InvalidLink(faults.stones(name, this.cells.length));
      for (const value of values) {
        const cells = this.#cellsOf(value);
        if (cells.length === 0) throw new InvalidLink(faults.point(`${name}[${value}]`));
        for (const cell of cells) this.cells[cell] = mark;
      }
      others.delete(name);
    }
    const [turn] = properties.get("PL") ?? [];
    if (turn) this.first ||= /^\s*w/i.test(turn) ? "O" : "X";
    others.delete("PL");
    return others;
  }

  #begin() {
    const start = this.cells.join("");
    const count = (/** @type {string} */ mark) => start.split(mark).length;
    const lead = count("X") - count("O");
    // If both sides have the same number of marks, the side to move began; otherwise the side with
    // more marks began.
    const began = lead > 0 || (lead === 0 && this.first !== "O") ? "X" : "O";
    const turn = lead === 0 ? began : other(began);
    return new History(this.rules, began, { ...untouched(this.rules, turn), cells: start });
  }

  /** @param {Properties} properties @param {string[]} shown  the properties that the page shows */
  #keep(properties, shown = []) {
    for (const name of properties.keys()) {
      if (!UNTOLD.includes(name) && !shown.includes(name)) this.left.set(name, left.property(name));
    }
    return properties;
  }

  /**
   * Plays the first move of each variation.
   * @param {Tree[]} nodes @param {Properties[]} before
   * @param {Array<[Node, Tree[]]>} found  gets the nodes that follow each move
   */
  #branch(nodes, before, found) {
    const parent = this.history.now;
    nodes.forEach((first) => {
      const ahead = [...before];
      let node = first;
      while (!hasMove(node) && !hasSetup(node) && node.children.length === 1) {
        ahead.push(this.#keep(node.properties));
        [node] = node.children;
      }
      this.history.go(parent);
      if (hasMove(node) && !hasSetup(node)) this.#play(node, ahead, found);
      else if (!hasSetup(node) && node.children.length > 1) {
        this.#branch(node.children, [...ahead, this.#keep(node.properties)], found);
      } else {
        if (hasSetup(node)) this.#leave("setup");
        else this.#keep(node.properties);
        keepRest(parent, ahead, node);
      }
    });
  }

  /** @param {Tree} node @param {Properties[]} ahead @param {Array<[Node, Tree[]]>} found */
  #play(node, ahead, found) {
    const { history } = this;
    const parent = history.now;
    const [name, moves] = movesOf(node);
    const passes = moves.some(({ value }) => value === "");
    if (passes || parent.turn === null) {
      this.#leave(parent.turn === null ? "over" : "pass");
      keepRest(parent, ahead, node);
      return;
    }
    for (const { mark, value } of moves) {
      const { turn, ply } = history.now;
      if ((mark ?? turn) !== turn || !history.play(this.#cellOf(value))) throw new InvalidMoves(value.trim() || say.pass, ply + 1, history, this.#cellOf(value));
    }
    const played = history.now;
    const kept = noteOf(played);
    kept.before.push(...ahead.filter((properties) => !kept.before.includes(properties)));
    for (const [key, values] of node.properties) {
      if (key === name) continue;
      const known = kept.properties.get(key);
      if (!known) kept.properties.set(key, [...values]);
      // If a file contains a move twice, both comments are kept.
      else if (key === COMMENT && known[0] !== values[0]) known[0] += `\n${values[0]}`;
      else known.push(...values.filter((value) => !known.includes(value)));
    }
    for (const [grade, mark] of Object.entries(MARKS)) {
      const [property, value] = mark.split(/[[\]]/);
      if (kept.properties.get(property)?.join("][") !== value || (played.mark ?? grade) !== grade) continue;
      played.mark = /** @type {import("./review.js").Grade} */ (grade);
      kept.properties.delete(property);
    }
    annotate(played, this.#keep(kept.properties, [COMMENT]));
    found.push([history.now, node.children]);
  }

  /** Stores a message for the user: the page leaves out the moves after this position. @param {"pass" | "setup" | "over"} why */
  #leave(why) {
    if (!this.left.has(why)) this.left.set(why, left[why](this.history.now.ply + 1));
  }

  /** Returns the cell of a point such as hh, or h8 as some programs write; NaN outside the board. @param {string} value */
  #cellOf(value) {
    const { rows, columns } = this.rules;
    const point = value.trim().toLowerCase();
    const [x, y, more] = [...point].map((letter) => LETTERS.indexOf(letter));
    if (x >= 0 && y >= 0 && more === undefined) return x < columns && y < rows ? y * columns + x : NaN;
    return cellNamed(point, this.rules) ?? NaN;
  }

  /**
   * Returns the cells of a value: of one point, or of a rectangle such as aa:cc (upper left, lower right).
   * @param {string} value
   */
  #cellsOf(value) {
    const { columns } = this.rules;
    const [first, last = first] = value.split(":").map((point) => this.#cellOf(point));
    const [left, right] = [first % columns, last % columns];
    return [...this.cells.keys()].filter((cell) => {
      return cell >= first && cell <= last && cell % columns >= left && cell % columns <= right;
    });
  }
}

/** @param {string} name */
const isMove = (name) => name in COLOURS || OPENING.test(name);

/**
 * Returns the name and the moves of a node's first property that holds moves.
 * @param {Tree} node @returns {[string, Move[]]}
 */
function movesOf({ properties }) {
  for (const [name, values] of properties) {
    if (name in COLOURS) return [name, [{ mark: COLOURS[name], value: values[0] ?? "" }]];
    if (!OPENING.test(name)) continue;
    const points = values.join(",").split(/[\s,]+/).filter((point) => point !== "");
    if (points.length > 0) return [name, points.map((value) => ({ mark: null, value }))];
  }
  return ["", []];
}

/** @param {Tree} node */
const hasMove = (node) => movesOf(node)[1].length > 0;

/** @param {Tree} node */
const hasSetup = ({ properties }) => Object.keys(SETUP).some((name) => properties.has(name));

/** @param {Tree[]} nodes @returns {string} */
function firstColour([node]) {
  if (!node) return "";
  return hasMove(node) ? (movesOf(node)[1][0].mark ?? "") : firstColour(node.children);
}

/**
 * Keeps a variation that the page cannot play, with its place among its siblings.
 * @param {Node} parent @param {Properties[]} before @param {Tree} tree
 */
const keepRest = (parent, before, tree) => noteOf(parent).rest.push({ at: parent.children.length, before, tree });

/** @param {History} history */
export function writeSgf({ rules, root }) {
  const { rows, columns, overline } = rules;
  const point = (/** @type {number} */ cell) => `[${LETTERS[cell % columns]}${LETTERS[Math.floor(cell / columns)]}]`;
  const stones = (/** @type {string} */ mark) =>
    [...root.cells].map((cell, index) => (cell === mark ? point(index) : "")).join("");

  /** Returns the SGF text of the move that led to a position. @param {Noted} node */
  const step = (node) => {
    const grade = faultOf(node) ?? node.mark;
    const more = `${node.note ? written(node.note.properties) : ""}${grade ? MARKS[grade] : ""}`;
    return `;${node.by === "X" ? "B" : "W"}${point(Number(node.move))}${more}`;
  };
  /** @param {Noted} from @returns {string} */
  const walk = (from) => {
    let text = "";
    for (let node = from; ; ) {
      const { children, note } = node;
      const rest = note?.rest ?? [];
      if (children.length !== 1 || rest.length > 0) return text + forked(branchesOf(children, rest), 0);
      [node] = children;
      text += (node.note?.before ?? []).map(nodeOf).join("") + step(node);
    }
  };
  /** Returns all variations from a position, in their order. @param {Noted[]} children @param {Rest[]} rest @returns {Branch[]} */
  const branchesOf = (children, rest) => {
    const kept = rest.map(({ at, before, tree }) => ({ at, before, text: writtenTree(tree) }));
    const played = children.map((child, at) => ({ at: at + 0.5, before: child.note?.before ?? [], text: step(child) + walk(child) }));
    return [...kept, ...played].sort((one, other) => one.at - other.at);
  };
  const size = rows === columns ? rows : `${columns}:${rows}`;
  const { note } = /** @type {Noted} */ (root);
  const gomoku = note?.rules || (overline ? "freestyle" : "standard");
  const own = [`k=${rules.k}`, ...changed(rules).map((name) => `${name}=${rules[name]}`)].join("&");
  const head = `;FF[4]CA[UTF-8]GM[${GOMOKU}]SZ[${size}]RU[${isGomoku(rules) ? gomoku : own}]`;
  const [black, white] = [stones("X"), stones("O")];
  const setup = `${black && `AB${black}`}${white && `AW${white}`}${root.turn === "O" ? "PL[W]" : ""}`;
  const more = note ? written(note.properties) : "";
  return `(${head}${more}${setup}${walk(/** @type {Noted} */ (root))})\n${note?.others ? `${note.others}\n` : ""}`;
}

/** @param {Properties} properties */
const written = (properties) =>
  [...properties].map(([name, values]) => values.length > 0 ? `${name}[${values.join("][")}]` : "").join("");

/** @param {string[]} branches */
const bracketed = (branches) => (branches.length > 1 ? branches.map((branch) => `(${branch})`).join("") : branches.join(""));

/** @param {Properties} properties */
const nodeOf = (properties) => `;${written(properties)}`;

/**
 * Writes variations. Those that share moveless nodes before them fork after these nodes.
 * @param {Branch[]} branches @param {number} depth  how many nodes in `before` are written
 * @returns {string}
 */
function forked(branches, depth) {
  /** @type {Branch[][]} */
  const groups = [];
  for (const branch of branches) {
    const group = groups.at(-1);
    const shared = branch.before[depth];
    if (group && shared && group[0].before[depth] === shared) group.push(branch);
    else groups.push([branch]);
  }
  return bracketed(groups.map((group) => {
    const [{ before, text }] = group;
    return depth < before.length ? nodeOf(before[depth]) + forked(group, depth + 1) : text;
  }));
}

/** @param {Tree} tree @returns {string} */
function writtenTree(tree) {
  let text = "";
  for (let node = tree; ; [node] = node.children) {
    text += nodeOf(node.properties);
    if (node.children.length !== 1) return text + bracketed(node.children.map(writtenTree));
  }
}
