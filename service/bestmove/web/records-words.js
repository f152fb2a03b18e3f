/** All texts about records of games that are opened. */

const listed = (/** @type {string[]} */ names) =>
  names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;

/** What the properties of SGF hold that a game often has. Others are named by their own names. @type {Record<string, string>} */
const KINDS = {
  C: "comments", GC: "comments", PB: "players", PW: "players", N: "names of positions", GN: "a name", RE: "the result",
  EV: "the event", DT: "the date", RO: "the round", PC: "the place",
};

/** What a record has that the page treats in its own way. */
export const notices = {
  /** @param {string[]} properties */
  kept: (properties) =>
    `The file also has ${listed([...new Set(properties.map((name) => KINDS[name] ?? name))])}. ` +
    "The page keeps them: Save as SGF writes them again.",
  games: (/** @type {number} */ count) => `The file has ${count} games. The first is open; Save as SGF writes all.`,
  /** @param {number} count @param {"games" | "openings"} what */
  first: (count, what) => `The file has ${count} ${what}. The first is open.`,
  renju: "This is a game of renju. The page does not judge renju's forbidden moves.",
  unknownRules: (/** @type {string} */ name) =>
    `The page does not know the rules “${name}”. Here five or more in a row win.`,
  pass: (/** @type {number} */ number) =>
    `Move ${number} is a pass, which the page cannot play. The page does not show the moves from it on; Save as SGF writes them again.`,
  setup: (/** @type {number} */ number) =>
    `The file changes the board before move ${number}, which the page cannot do. The page does not show the moves from there on; Save as SGF writes them again.`,
  over: (/** @type {number} */ number) =>
    `By these rules the game is over before move ${number}. The page does not show the moves after its end; Save as SGF writes them again.`,
  game: (/** @type {string} */ title) => `These are moves of ${title}, so that game is open.`,
};

/** Why a record cannot be opened. */
export const faults = {
  noSgf: (/** @type {number} */ line) => `Line ${line} is not as SGF has it. In SGF a ] that does not end a value has a \\ before it.`,
  otherGame: (/** @type {string} */ number) =>
    number === "1"
      ? "It is a record of Go (GM[1]). The page opens SGF of gomoku (GM[4])."
      : `It is a record of another game (GM[${number}]). The page opens SGF of gomoku (GM[4]).`,
  size: (/** @type {string} */ text) => `It has SZ[${text}], but SZ is a number such as 15, or two such as 20:15.`,
  point: (/** @type {string} */ property) => `It has ${property}, which is not on the board.`,
  link: "The page opens links of its own games, of gamesolver.org and of gomocalc.com.",
  pairs:
    "It is a list of pairs of numbers: each may be a row and a column, or a column and a row. " +
    'Write names, such as ["h8", "i9"], or {"row": 7, "column": 7}.',
  unbalanced: (/** @type {number} */ own, /** @type {number} */ others) =>
    `The list after BOARD has ${own} marks of one side and ${others} of the other. The difference can be at most one.`,
  noMoves: "The text has no moves.",
  tooLarge: (/** @type {number} */ megabytes) =>
    `The file is larger than ${megabytes} MB. Open a part of it that has the game.`,
};
