/** All texts of the page at `/`. Functions make the sentences that depend on the game. */

import { nameOf } from "./notation.js";

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./rules.js").Rules} Rules */
/** @typedef {{score: number, exact: boolean, plies: number | null, atMost?: boolean}} Evaluation */
/** @typedef {"move" | "hint" | "analysis" | "review" | "threats" | "proof" | "link" | "paste" | "file" | "share" | "menu" | "comment"} Task */

/** The texts of buttons, fields and headings, keyed by the values of `data-word` and `data-label`. */
export const labels = {
  skip: "Skip to the board",
  title: "Best Move: play and analyse",
  pages: "Pages",
  play: "Play",
  explorer: "Explorer",
  api: "API",
  theme: "Switch the theme",
  mode: "Mode",
  modeEngine: "Against the engine",
  modePeople: "Two people",
  modeWatch: "Engine against engine",
  modeAnalysis: "Free analysis",
  level: "Level",
  time: "Thinking time (level 10, hints, analysis)",
  lines: "Best moves",
  linesCount: "How many lines",
  linesTime: "How long to analyse",
  asThinking: "For the thinking time",
  line: "Line",
  lineBack: "One move of the line back",
  lineOn: "One move of the line on",
  linePlay: "Play it",
  lineClose: "Close the line",
  stop: "Stop",
  why: "Why?",
  bestPlay: "Best play",
  tabs: "What to show",
  tabAnalysis: "Analysis",
  tabReview: "Review",
  tabReviewing: "Review …",
  tabMoves: "Moves",
  comment: "Comment",
  takeBack: "Undo",
  open: "Open…",
  share: "Share…",
  toStart: "To the start",
  back: "One move back",
  forward: "One move on",
  toEnd: "To the end",
  undo: "Undo",
  redo: "Redo",
  tools: "Go through the game, and ask the engine",
  newGame: "New…",
  hint: "Hint",
  go: "Engine",
  letMove: "Let the engine move",
  pause: "Pause",
  analysis: "Analyse",
  hideAnalysis: "Hide analysis",
  threats: "Threats",
  review: "Review this game",
  reviewWhat: "Finds the moves that lost something, with a better one and what refutes them.",
  clearReview: "Clear the review",
  resume: "Go on with the last game",
  retry: "Try again",
  dismiss: "Close this message",
  close: "Close",
  cancel: "Cancel",
  keysTitle: "Signs and keys",
  keysOpen: "Signs and keys",
  newTitle: "New game",
  choose: "Choose a game",
  games: "Game",
  ownRules: "Own rules",
  ownWhat: "any board up to 20 × 20",
  ownTitle: "Rules",
  rows: "Rows",
  columns: "Columns",
  k: "In a row",
  gravity: "Marks fall, as in Connect Four",
  exactly: "Only exactly that many in a row win",
  misere: "Completing a line loses",
  youPlay: "You play",
  starts: "Who starts",
  firstMark: "First move",
  you: "You",
  engine: "Engine",
  start: "Start a new game",
  editHere: "Set up…",
  faults: "Faults",
  faultBack: "The previous fault",
  faultOn: "The next fault",
  noMoves: "No moves yet.",
  examples: "Examples",
  exampleSolved: "Connect Four, solved\nOnly one first move wins",
  exampleAttack: "An attack in gomoku\nA win proven within a second",
  exampleMisere: "Misère tic-tac-toe\nA line loses: only the centre draws",
  exampleReview: "A game to review\nFive blunders in Connect Four",
};

/** @type {Record<number, string>} */
const LEVELS = {
  1: "a child can win",
  2: "very easy",
  3: "easy",
  4: "mild",
  5: "fair",
  6: "firm",
  7: "hard",
  8: "very hard",
  9: "severe",
  10: "best play",
};

/** On boards of up to this many cells, the service finds the shortest win. */
const EXACT_CELLS = 20;

export const levelName = (/** @type {number} */ level) => `Level ${level}, ${LEVELS[level]}`;
export const linesName = (/** @type {number} */ count) => `${count} ${count === 1 ? "line" : "lines"}`;
/** @param {number} ms  the longest time that the service allows */
export const untilStopped = (ms) => `Until stopped, at most ${Math.round(ms / 1000)} s`;
/** @param {import("./address.js").Mode} mode @param {number} level */
export const opponentInWords = (mode, level) =>
  ({ engine: `Against level ${level}`, people: "Two people", watch: `Level ${level} on both sides`, analysis: "Free analysis" })[mode];
export const timeName = (/** @type {number} */ ms) => `${ms / 1000} s a move`;

/** @param {Rules} rules */
export function rulesInWords({ rows, columns, k, gravity, overline, misere }) {
  const parts = [`${rows} × ${columns}`, `${overline ? "" : "exactly "}${k} in a row`];
  if (gravity) parts.push("marks fall");
  if (misere) parts.push("a line loses");
  return parts.join(", ");
}

/** @param {Rules} rules */
export function boardInWords({ rows, columns, k, gravity, overline, misere }) {
  const end = misere ? "in a row lose" : "in a row win";
  const falls = gravity ? ", marks fall to the bottom" : "";
  return `Board of ${rows} rows and ${columns} columns, ${overline ? "" : "exactly "}${k} ${end}${falls}`;
}

/** Returns the expected result of `mover`: 0 for a loss, ½ for a draw, 1 for a win. @param {{score: number}} found @param {Mark} mover */
export function chanceOf({ score }, mover) {
  return (1 + (mover === "X" ? score : -score)) / 2;
}

/**
 * Returns the chance of `mover` in percent, from 1 to 99, for a result that is not proven. The chances of both sides add up to 100.
 * @param {{score: number}} found @param {Mark} mover
 */
function percent(found, mover) {
  const x = Math.min(99, Math.max(1, Math.round(100 * chanceOf(found, "X"))));
  return mover === "X" ? x : 100 - x;
}

/**
 * Returns the parts of a result from which all texts are made:
 * - `kind`: "win", "draw" or "loss" for `mover`, or "chance" if the result is not proven
 * - `moves`: how many moves the winner needs
 * - `atMost`: whether fewer moves may be enough
 * @param {Evaluation} found @param {Mark} mover @param {Rules} rules
 * @param {Mark | null} turn  the side to move in the position of the result
 */
function resultOf(found, mover, rules, turn) {
  const wins = found.exact && chanceOf(found, mover) === 1;
  const kind = !found.exact ? "chance" : found.score === 0 ? "draw" : wins ? "win" : "loss";
  const moves = Math.floor(((found.plies ?? 0) + Number(wins === (turn === mover))) / 2);
  return { kind, moves, atMost: moves > 1 && (found.atMost || !isExact(rules)) };
}

/** Returns "in 3", "in at most 12" or, for 0 moves, "at once": in misère, the next move may lose. */
const inMoves = (/** @type {{moves: number, atMost?: boolean}} */ { moves, atMost }) =>
  moves ? `in ${atMost ? "at most " : ""}${moves}` : "at once";

/** Returns whether the service finds the shortest win in games with these rules. @param {Rules} rules */
export const isExact = ({ rows, columns, gravity, misere }) => rows * columns <= EXACT_CELLS || gravity || misere;

/**
 * Returns a value short enough for a cell: W3 (a win in 3 moves), W≤3 (a win in at most 3), L2 (a loss
 * in 2), = (a draw), or percent.
 * @param {Evaluation} found @param {Mark} mover @param {Rules} rules
 */
export function valueInShort(found, mover, rules) {
  const { kind, moves, atMost } = resultOf(found, mover, rules, mover);
  if (kind === "chance") return String(percent(found, mover));
  return kind === "draw" ? "=" : `${kind === "win" ? "W" : "L"}${atMost ? "≤" : ""}${moves || ""}`;
}

/**
 * Returns a value in words, from the mover's view.
 * @param {Evaluation} found @param {Mark} mover @param {Rules} rules
 * @param {Mark | null} turn  the side to move in the position that was searched
 */
export function valueInWords(found, mover, rules, turn = mover) {
  const result = resultOf(found, mover, rules, turn);
  if (result.kind === "chance") return `${percent(found, mover)} %`;
  return result.kind === "draw" ? "draw" : `${result.kind} ${inMoves(result)}`;
}

/** Tells apart chances of the same percentage. @param {{score: number}} found @param {Mark} mover */
export const chanceInWords = (found, mover) => `${Math.min(99.9, Math.max(0.1, 100 * chanceOf(found, mover))).toFixed(1)} %`;

/**
 * Returns a value as a sentence without a full stop.
 * @param {Evaluation} found @param {Mark} mover @param {Rules} rules
 */
export function verdictInWords(found, mover, rules) {
  const x = percent(found, "X");
  const result = resultOf(found, "X", rules, mover);
  if (result.kind === "chance") return `X ${x} %, O ${100 - x} %`;
  return result.kind === "draw" ? "a draw with best play" : `${result.kind === "win" ? "X" : "O"} wins ${inMoves(result)}`;
}

/**
 * @param {{node: Node, phase: string, task: Task, mode: string, you: Mark}} game
 */
export function headline({ node, phase, task, mode, you }) {
  const against = mode === "engine";
  if (node.status === "draw") return "A draw";
  if (node.status === "won") {
    if (!against) return `${node.winner} wins`;
    return node.winner === you ? "You win" : "The engine wins";
  }
  if (phase === "thinking" && task === "move") return "Thinking";
  if (!against) return `${node.turn} to move`;
  return `${node.turn === you ? "Your" : "The engine's"} move (${node.turn})`;
}

/**
 * Returns the line under the headline: the game and its rules (first, what the page is for), or how the game ended.
 * @param {{node: Node, rules: Rules, title: string | null, players?: string, mode?: string}} game
 */
export function subline({ node, rules, title, players, mode }) {
  if (node.status === "draw") return "The board is full, and nobody has a line.";
  if (node.status === "won") {
    const { line } = node;
    const cells = line.length > 1 ? `${nameOf(line[0], rules)} to ${nameOf(line[line.length - 1], rules)}` : "";
    const owner = rules.misere ? (node.winner === "X" ? "O" : "X") : node.winner;
    const loses = rules.misere ? `, which loses in this game` : "";
    return `${owner} has ${rules.k} in a row${cells && `, ${cells}`}${loses}.`;
  }
  const game = title ? `${title}: ${rulesInWords(rules)}` : rulesInWords(rules);
  const purpose = mode === "engine" && node.ply === 0 ? `${say.purpose}\n` : "";
  return `${purpose}${players ? `${players}. ` : ""}${game}.`;
}

/**
 * Returns why the engine plays a move. A sentence with a number of moves or plies is made from what is
 * known; for any other, the service's text is returned.
 * @param {BestMove} answer @param {Rules} rules
 * @param {Evaluation | null} [found]  what is known about the move, if that is more than the answer says
 * @returns {string}
 */
export function reasonInWords(answer, rules, found) {
  const { move, reason, turn, search } = answer;
  if (!move || !reason || !turn) return "";
  const cell = nameOf(move.index, rules);
  const soon = inMoves(resultOf(found ?? answer, turn, rules, turn));
  /** @type {Record<string, string>} */
  const sentences = {
    "forces-win": `${turn} wins ${soon} with ${cell}.`,
    "holds-draw": `With best play it is a draw, and ${cell} holds it.`,
    "delays-loss": `Every move loses; ${cell} loses ${soon}.`,
    undecided: `${cell} looks best. The position is won, but which move wins is not known.`,
    "best-estimate": `${cell} has the best chances${search.depth > 1 ? `, looking ${search.depth} moves ahead` : ""}.`,
  };
  return sentences[reason.code] ?? reason.text;
}

/**
 * Returns how sure a result is, and the name of the game or of its players.
 * @param {Evaluation} found @param {boolean} isHeld  whether the best move is a proven draw @param {string} game
 */
export const judged = ({ exact }, isHeld, game) => `${exact ? "proven" : isHeld ? "at least a draw" : "estimate"}${game && ` · ${game}`}`;

/** @param {string[]} names */
export function listed(names) {
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names[names.length - 1]}`;
}

/** The formatter, made at its first use and kept: making it takes up to 30 ms. @type {Intl.NumberFormat | undefined} */
let compact;

export const say = {
  hint: (/** @type {string} */ cell, /** @type {string} */ why) => `Try ${cell}. ${why}`,
  newBegun: "A new game.",
  lineShown: "the board shows a line",
  engineWaits: "The engine waits. Press Engine, and it moves.",
  yourMove: "Your move.",
  purpose: "Play the engine, or see what moves are worth.",
  over: "The game is over. A review shows its mistakes.",
  firstMove:
    "Play on the board: the engine answers, and says why.\n" +
    "Or paste a game, open a file, or set up a board. New… has more games, and rules of your own.",
  placeFreely: "Place both colours. Analyse shows what each move is worth.",
  bothEngines: "The engine plays both sides.",
  twoPeople: "Two people play. The engine does not move.",
  thinks: "The engine thinks.",
  workingOut: "Analysing.",
  stopped: "Analysis stopped.",
  analysisOff: "Analysis off.",
  again: (/** @type {Mark} */ you) => `As ${you}`,
  rematch: (/** @type {Mark | null} */ you) => (you ? `Rematch as ${you}` : "Play again"),
  waits: "The analysis waits for the end of the review.",
  yielded: "The service ended the analysis early, because others waited.",
  lineOpened: (/** @type {string} */ cells) => `The line ${cells}. Arrow keys go through it, Escape closes it.`,
  lineStart: "Before the first move of the line.",
  lineAt: (/** @type {number} */ at, /** @type {number} */ all, /** @type {Mark} */ by, /** @type {string} */ cell) =>
    `${at} of ${all}: ${by} ${cell}.`,
  lineWhere: (/** @type {number} */ at, /** @type {number} */ all) => `move ${at} of ${all}`,
  aimed: (/** @type {string} */ cell) => `Aimed at ${cell}. Tap again, or press the button, to play there.`,
  playHere: (/** @type {string} */ cell) => `Play ${cell}`,
  noPlay: (/** @type {string} */ cell) => `${cell}: you cannot play here now.`,
  suggested: (/** @type {string} */ cell) => `Suggested: ${cell}.`,
  bestIs: (/** @type {string} */ cell) => `Best: ${cell}`,
  best: (/** @type {string} */ cell, /** @type {string} */ value) => `Best: ${cell}, ${value}.`,
  plays: (/** @type {Mark} */ by, /** @type {string} */ cell) => `${by} plays ${cell}.`,
  youPlay: (/** @type {string} */ cell) => `You play ${cell}.`,
  enginePlayed: (/** @type {string} */ cell) => `The engine played ${cell}.`,
  enginePlays: (/** @type {string} */ cell) => `The engine plays ${cell}.`,
  atMove: (/** @type {number} */ ply) => (ply === 0 ? "At the start." : `After move ${ply}.`),
  cost: (/** @type {{depth: number, nodes: number, elapsed_ms: number}} */ search) => {
    compact ??= new Intl.NumberFormat("en", { notation: "compact" });
    if (search.nodes === 0) return "known without a search";
    return `depth ${search.depth} · ${compact.format(search.nodes)} ${search.nodes === 1 ? "node" : "nodes"} · ${(search.elapsed_ms / 1000).toFixed(1)} s`;
  },
  /** @type {Record<string, string>} */
  cell: { empty: "empty", last: "last move", won: "completed line", hint: "suggested" },
  falls: (/** @type {string} */ cell) => `falls to ${cell}`,
  lineLabel: (/** @type {number} */ rank, /** @type {string} */ cell, /** @type {string} */ value) =>
    `${rank}. ${cell}, ${value}`,
  moveLabel: (/** @type {number} */ ply, /** @type {string} */ by, /** @type {string} */ cell) =>
    `Move ${ply}, ${by} ${cell}`,
  actions: (/** @type {number} */ ply, /** @type {string} */ cell) => `Actions for ${Math.ceil(ply / 2)}${ply % 2 ? "." : "…"} ${cell}`,
  commented: ", with a comment",
  depth: (/** @type {string} */ depth) => `depth ${depth}`,
  /** @type {Record<string, string>} */
  marks: { inaccuracy: "inaccuracy", mistake: "mistake", blunder: "blunder" },
  provisional: "provisional ",
  noThreats: "No fours and no open threes on the board.",
  nothingThreatens: "No threats on the board.",
  /** @type {Record<string, string>} */
  threats: { four: "four", "open-four": "open four", "open-three": "open three" },
  completed: (/** @type {string} */ marks, /** @type {string} */ cells, /** @type {boolean} */ loses) =>
    loses ? `${marks} would lose on ${cells}` : `${marks} is completed on ${cells}`,
  opened: (/** @type {string} */ marks) => `${marks} is open at both ends`,
  threatsOf: (/** @type {string} */ side, /** @type {string} */ found) => `${side}: ${found}.`,
  notKept: "This browser does not keep it: its storage is off or full.",
  lineAdded: (/** @type {string} */ cell) => `The line from ${cell} is in the moves.`,
  noRules: (/** @type {number} */ rows, /** @type {number} */ columns, /** @type {number} */ k) =>
    `It asks for ${rows} × ${columns}, ${k} in a row. A board has 1 to 20 rows and columns, and at ` +
    "most as many in a row as its longer side has cells.",
  noNumber: (/** @type {string} */ name, /** @type {string} */ text) =>
    `It has ${name}=${text}, but ${name} must be a whole number.`,
  noSuchGame: (/** @type {string} */ name, /** @type {string[]} */ known) =>
    `There is no game called “${name}”. The games are ${listed(known)}.`,
  pass: "a pass",
  badMove: (/** @type {number} */ number, /** @type {string} */ word) => `Move ${number} is ${word}, which is not a legal move.`,
};

/** @param {"unreadable" | "refused" | "busy" | "failed" | "gone"} kind @param {Task} task @param {string} message */
export function trouble(kind, task, message) {
  const from = task === "link" ? "this link" : "this text";
  const noGame = `The page cannot show the game in ${from}.`;
  const sentences = {
    unreadable: [noGame, message],
    refused: [task === "paste" || task === "link" ? noGame : "The service refused this.", `${capital(message)}${/[.!?]$/.test(message) ? "" : "."}`],
    busy: ["The service is busy.", "Your game is kept. Try again in a moment."],
    failed: ["The service failed.", `Your game is kept. The error: ${message}.`],
    gone: ["The service does not answer.", "Your game is kept. Try again."],
  };
  const [title, text] = sentences[kind];
  return { title, text };
}

/** @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @typedef {import("./client.js").Threat} Threat */

/** @param {Record<Mark, Threat[]> | null} threats @param {Rules} rules */
export function threatsInWords(threats, rules) {
  if (!threats) return "";
  const { k, misere } = rules;
  const named = k === 5 && !misere; // fours and threes have these names in five in a row only
  const names = (/** @type {number[]} */ cells) => cells.map((cell) => nameOf(cell, rules));
  const one = (/** @type {Threat} */ { kind, cells, open }) => {
    const marks = names(cells).join(" ");
    if (named) return `${say.threats[kind] ?? kind} ${marks}`;
    return kind === "open-three" ? say.opened(marks) : say.completed(marks, listed(names(open)), misere);
  };
  const said = /** @type {Mark[]} */ (["X", "O"]).map((side) => {
    const shown = threats[side].filter(({ kind }) => !misere || kind !== "open-three");
    return shown.length > 0 ? say.threatsOf(side, shown.map(one).join(", ")) : "";
  });
  return said.join(" ").trim() || (named ? say.noThreats : say.nothingThreatens);
}
