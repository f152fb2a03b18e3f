/** The texts about opening records of games, and about changing, keeping, sharing and editing games. */

/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * Words for the contents of SGF's common properties. For other properties, the page shows the
 * property's name.
 * @type {Record<string, string>}
 */
const KINDS = {
  C: "comments", GC: "comments", PB: "players", PW: "players", N: "names of positions", GN: "the name of the game", RE: "the result",
  EV: "the event", DT: "the date", RO: "the round", PC: "the place",
};

/** Words for parts of a file that the page does not show. */
export const left = {
  pass: (/** @type {number} */ number) => `move ${number}, a pass, and what follows`,
  setup: (/** @type {number} */ number) => `marks that the file puts on the board before move ${number}, and what follows`,
  over: (/** @type {number} */ number) => `the moves from ${number} on, after the end of the game`,
  property: (/** @type {string} */ name) => KINDS[name] ?? name,
  games: (/** @type {number} */ count) => `${count} other ${count === 1 ? "game" : "games"}`,
};

export const notices = {
  left: (/** @type {Iterable<string>} */ parts) => `Not shown, but saved again as SGF: ${[...parts].join("; ")}.`,
  /** @param {number} count @param {"games" | "openings"} what */
  first: (count, what) => `The file has ${count} ${what}. The first is open.`,
  renju: "The page does not judge renju's forbidden moves.",
  unknownRules: (/** @type {string} */ name) =>
    `The page does not know the rules “${name}”. Here five or more in a row win.`,
  analysis: "Opened for free analysis.",
  game: (/** @type {string} */ title) => `These are moves of ${title}, so that game is open.`,
};

/** The encodings that old files use most, with words for the user. @type {Record<string, string>} */
export const charsets = { gbk: "Chinese (GBK)", big5: "Chinese (Big5)", shift_jis: "Japanese (Shift_JIS)", "windows-1252": "Western" };

/** Sentences that say why a record cannot be opened. */
export const faults = {
  noSgf: (/** @type {number} */ line) => `Line ${line} is not valid SGF. A value ends with ], and a ] inside it needs a \\ before it.`,
  otherGame: (/** @type {string} */ number) =>
    number === "1"
      ? "It is a record of Go (GM[1]). The page opens SGF of gomoku (GM[4])."
      : `It is a record of another game (GM[${number}]). The page opens SGF of gomoku (GM[4]).`,
  size: (/** @type {string} */ text) => `It has SZ[${text}], but SZ is a number such as 15, or two such as 20:15.`,
  stones: (/** @type {string} */ name, /** @type {number} */ cells) => `${name} has more points than the board, which has ${cells} cells.`,
  point: (/** @type {string} */ property) => `It has ${property}, which is not on the board.`,
  link: "The page opens links of its own games, of gamesolver.org and of gomocalc.com.",
  pairs:
    "It is a list of pairs of numbers: each may be a row and a column, or a column and a row. " +
    'Write names, such as ["h8", "i9"], or {"row": 7, "column": 7}.',
  unbalanced: (/** @type {number} */ own, /** @type {number} */ others) =>
    `The list after BOARD has ${own} marks of one side and ${others} of the other. The difference can be at most one.`,
  noMoves: "The text has no moves.",
  charset: "The file does not say which characters it uses. Choose the line that looks right.",
  picture: "This looks like a picture, or a file of a program's own: open a game saved as SGF, or paste its moves.",
  rif: "It is RIF, the XML of RenjuNet's games. The page does not read RIF. Open the game as SGF or as moves such as h8 i9.",
  noGame: (/** @type {string} */ text) => `It is ${text ? "neither moves nor a board" : "empty"}. Write moves such as b2 a1, or a board such as X.O/.X./..O.`,
  badMove: (/** @type {number} */ number, /** @type {string} */ word, /** @type {string} */ why) => `Move ${number} is ${word}, ${why}.`,
  noMove: "which is not a move: write moves such as b2 a1, or in Connect Four 445",
  wrongNumber: "but numbers count moves, or pairs of moves, from 1",
  tooLate: "but the game is over before it",
  notTurn: (/** @type {Mark} */ turn) => `but it is the turn of ${turn}`,
  taken: (/** @type {Rules} */ { gravity }) => `but that ${gravity ? "column is full" : "cell is taken"}`,
  outside: (/** @type {Rules} */ { rows, columns }) => `but the board has ${rows} rows and ${columns} columns`,
  fallsTo: (/** @type {string} */ cell) => `but a mark there falls to ${cell}`,
  severalGames: (/** @type {string} */ fault) => `${fault} Mend it, or choose one of the games that have these moves.`,
  tooLarge: (/** @type {number} */ megabytes) =>
    `The file is larger than ${megabytes} MB. Open a part of it that has the game.`,
};

/** The sentences of the dialogs for opening, keeping, sharing and editing a game. */
export const say = {
  kept: (/** @type {string} */ name) => `“${name}” is kept. Open… lists it.`,
  deleteGame: (/** @type {string} */ name) => `Delete “${name}”`,
  deleted: (/** @type {string} */ name) => `“${name}” is deleted.`,
  moveMenu: "This move",
  delete: (/** @type {string} */ cell) => `${cell} and the moves after it are deleted.`,
  promote: (/** @type {string} */ cell) => `The variation with ${cell} is one place higher.`,
  makeMain: (/** @type {string} */ cell) => `The variation with ${cell} is the main line.`,
  editing: (/** @type {number} */ x, /** @type {number} */ o, /** @type {Mark} */ turn) =>
    `X has ${x}, O has ${o}: ${turn} to move.`,
  tooMany: (/** @type {Mark} */ mark, /** @type {number} */ lead) =>
    `${mark} has ${lead} marks more than ${mark === "X" ? "O" : "X"}: the difference can be at most one.`,
  today: (/** @type {string} */ time) => `today ${time}`,
  saved: (/** @type {string} */ file) => `Saved as ${file}.`,
  copied: (/** @type {string} */ what) => `${what} copied.`,
  theBoard: "The board is",
  theMoves: "The moves are",
  theLink: "The link to this game is",
  theMovesOnly: "The link, with the moves and marks but without players and comments, is",
  commentHow: "Your comment: kept when you leave the field",
  /**
   * @param {string} who @param {import("./history.js").Node} end  the last position @param {string} last  the last move
   * @param {Mark | null} you  null if no person plays the engine
   */
  keptGame: (who, { status, winner, ply, cells }, last, you) => {
    const won = you ? `you ${winner === you ? "won" : "lost"}` : `${winner} won`;
    const ends = { in_progress: "unfinished", draw: "draw", won }[status];
    const marks = cells.replaceAll(".", "").length;
    return `${who} · ${ends}, ${ply ? `${ply} ${ply === 1 ? "move" : "moves"}, last ${last}` : `${marks} marks on the board`}`;
  },
};

/** The texts of the menu of a move, and of the list of kept games. */
export const labels = {
  comment: "Comment",
  promote: "Move the variation up",
  makeMain: "Make it the main line",
  delete: "Delete",
};

/** The texts of the dialogs “Share…”, “Open…” and “Set up…”, as those of the page are in words.js. */
export const dialogs = {
  shareTitle: "Share this game",
  copyLink: "Copy the link",
  sendLink: "Send the link",
  copyBoard: "Copy the board",
  copyMoves: "Copy the moves",
  savePicture: "Save a picture",
  saveFile: "Save as a file",
  keepName: "Keep it in this browser under the name",
  keep: "Keep",
  position: "Position",
  explore: "See how alpha-beta searches this position",
  openTitle: "Open a game or a board",
  openFile: "Open a file",
  savedTitle: "Games kept in this browser: the last 20, and those you named",
  noneSaved: "None yet. The last games appear here by themselves, and Share… keeps one under a name.",
  bringBack: "Bring it back",
  editorTitle: "Set up a board",
  editorMark: "A click places",
  editorTurns: "In turn",
  editorEmpty: "Nothing",
  editorTurn: "To move",
  editorDone: "Use this board",
  clear: "Clear",
  pasteTitle: "Paste a board or a game",
  pasteHelp:
    "Rows of X, O and a dot for empty, moves such as h8 i9, SGF, a record of another program, or a link.",
  pasteText: "Board or moves",
  pasteK: "In a row to win",
  setUp: "Open",
};
