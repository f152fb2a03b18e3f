/**
 * The rules, as far as the page needs them: where a mark lands, whose turn it is, which line ends the game.
 */

/** @typedef {import("./client.js").Mark} Mark */

/**
 * @typedef {object} Rules
 * @property {number} rows
 * @property {number} columns
 * @property {number} k  marks in a line that end the game
 * @property {boolean} gravity  a mark falls to the lowest empty cell of its column
 * @property {boolean} overline  more than k in a row count too
 * @property {boolean} misere  whoever completes a line loses
 */

/**
 * @typedef {object} Stand  a position and its status
 * @property {string} cells  the marks row by row, without separators
 * @property {Mark | null} turn
 * @property {"in_progress" | "won" | "draw"} status
 * @property {Mark | null} winner
 * @property {number[]} line  the line that ended the game
 */

export const MAX_SIDE = 20;

/** The rules that are on or off, with their defaults. */
export const SWITCHES = { gravity: false, overline: true, misere: false };

/** @type {Rules} */
export const TIC_TAC_TOE = { rows: 3, columns: 3, k: 3, ...SWITCHES };

/** Returns only the fields that are rules. @param {Rules} found @returns {Rules} */
export function rulesOf({ rows, columns, k, gravity, overline, misere }) {
  return { rows, columns, k, gravity, overline, misere };
}

/** Returns the names of the switches that differ from their defaults. @param {Rules} rules */
export const changed = (rules) =>
  /** @type {Array<keyof typeof SWITCHES>} */ (Object.keys(SWITCHES)).filter(
    (name) => rules[name] !== SWITCHES[name],
  );

/** The directions of lines: along a row, down a column, down each diagonal. */
const DIRECTIONS = [
  [0, 1],
  [1, 0],
  [1, 1],
  [1, -1],
];

/** @param {Mark} mark @returns {Mark} */
export const other = (mark) => (mark === "X" ? "O" : "X");

/** @param {number} rows @param {number} columns */
export const usualK = (rows, columns) => Math.min(rows, columns, 5);

/**
 * Returns whether the rules are gomoku's, on a board of any size. SGF and Gomocup's files have only
 * such games.
 * @param {Rules} rules
 */
export const isGomoku = ({ k, gravity, misere }) => k === 5 && !gravity && !misere;

/**
 * Returns whether the service uses a seed to choose among equally good moves. It does so on boards of
 * up to 20 cells, and in Connect Four.
 * @param {Rules} rules
 */
export const drawsBySeed = ({ rows, columns, k, gravity, overline, misere }) =>
  rows * columns <= 20 ||
  (rows === 6 && columns === 7 && k === 4 && gravity && overline && !misere);

/** @param {Rules} rules @param {Mark} first @returns {Stand} */
export function untouched({ rows, columns }, first) {
  const cells = ".".repeat(rows * columns);
  return { cells, turn: first, status: "in_progress", winner: null, line: [] };
}

/**
 * Returns the board as a text for the service. Slashes separate the rows, except on a board of 3×3.
 * @param {string} cells @param {Rules} rules
 */
export function spelled(cells, { rows, columns }) {
  if (rows === 3 && columns === 3) return cells;
  const lines = Array.from({ length: rows }, (_, row) => cells.slice(row * columns, (row + 1) * columns));
  return lines.join("/") + (rows === 1 ? "/" : "");
}

/**
 * Reads the text of a board in the form that `spelled` writes.
 * @param {string} board @param {Rules} rules @param {Mark} first
 * @returns {Stand | null} null if the game is over, or if only the service can read the text
 */
export function standOf(board, rules, first) {
  const cells = board.replaceAll("/", "");
  const lead = cells.split(first).length - cells.split(other(first)).length;
  const fits = cells.length === rules.rows * rules.columns && board === spelled(cells, rules);
  const isLine = [...cells].some((mark, at) => mark !== "." && lineThrough(cells, at, rules));
  if (!fits || /[^XO.]/.test(cells) || !cells.includes(".") || lead < 0 || lead > 1 || isLine) return null;
  return { ...untouched(rules, first), cells, turn: lead ? other(first) : first };
}

/**
 * Returns the cell on which a mark placed at `index` lands.
 * @param {string} cells @param {number} index @param {Rules} rules
 * @returns {number | null} null if no mark can be placed there
 */
export function landing(cells, index, { rows, columns, gravity }) {
  if (!gravity) return cells[index] === "." ? index : null;
  for (let at = (rows - 1) * columns + (index % columns); at >= 0; at -= columns) {
    if (cells[at] === ".") return at;
  }
  return null;
}

/**
 * @param {string} cells  before the move
 * @param {number} index  an empty cell
 * @param {Mark} mark
 * @param {Rules} rules
 * @returns {Stand}
 */
export function played(cells, index, mark, rules) {
  const after = cells.slice(0, index) + mark + cells.slice(index + 1);
  const line = lineThrough(after, index, rules);
  if (line) {
    const winner = rules.misere ? other(mark) : mark;
    return { cells: after, turn: null, status: "won", winner, line };
  }
  const full = !after.includes(".");
  const turn = full ? null : other(mark);
  return { cells: after, turn, status: full ? "draw" : "in_progress", winner: null, line: [] };
}

/**
 * Returns a function that goes some steps from a cell in a direction: -1 outside the board.
 * @param {number} index @param {number[]} direction @param {Rules} rules
 */
function stepsFrom(index, [down, right], { rows, columns }) {
  const [row, column] = [Math.floor(index / columns), index % columns];
  return (/** @type {number} */ count) => {
    const [y, x] = [row + down * count, column + right * count];
    return y >= 0 && y < rows && x >= 0 && x < columns ? y * columns + x : -1;
  };
}

/** @param {string} cells @param {number} index @param {Rules} rules @returns {number[] | null} */
function lineThrough(cells, index, rules) {
  const { k, overline } = rules;
  const mark = cells[index];
  for (const direction of DIRECTIONS) {
    const at = stepsFrom(index, direction, rules);
    let [start, end] = [0, 0];
    while (cells[at(start - 1)] === mark) start -= 1;
    while (cells[at(end + 1)] === mark) end += 1;
    const length = end - start + 1;
    if (length < k || (!overline && k > 1 && length > k)) continue;
    return Array.from({ length: k }, (_, step) => at(start + step));
  }
  return null;
}
