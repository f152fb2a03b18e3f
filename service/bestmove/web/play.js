/** The page to play on: one game, its board, and the buttons around them. */

import { BoardView } from "./board-view.js";
import { Client } from "./client.js";
import { announce, byId } from "./dom.js";
import { Game } from "./game.js";
import { showPanel, speak, troubleInWords } from "./panel.js";
import { fromFragment, toFragment } from "./position.js";
import { read, reflect, strength, takeStrength, watchSetup } from "./setup.js";
import { watchPositions } from "./sharing.js";

/** @typedef {import("./position.js").Shared} Shared */

const game = new Game(new Client(), strength);
const view = new BoardView(byId("board"), (index) => game.play(index));
let analysed = false;
let heard = 0;

/** What is wrong with the page's address. @type {import("./panel.js").Trouble | null} */
let trouble = null;

game.addEventListener("change", () => {
  // With the analysis on, every new position is analysed, which tells of another change.
  if (analysed && game.phase === "ready" && game.yourTurn && !game.analysis) game.analyze();
  else render();
});

function render() {
  showPanel(game, analysed, trouble);
  view.show({
    rules: game.rules,
    board: game.board,
    hand: game.yourTurn ? game.you : null,
    pending: game.pending,
    last: game.pending ?? game.now.move,
    line: game.now.line ?? [],
    hint: game.hint?.move?.index ?? null,
    evaluations: analysed && game.analysis ? game.analysis.moves : [],
  });
  speak(game, heard);
  heard = game.stands.length;
  if (game.phase !== "thinking" && !trouble) keepAddress();
}

/** Keeps the position in the address, so that a reload or a copied address brings it back. */
function keepAddress() {
  const { now, rules, first, you } = game;
  const { level, seed } = strength();
  // Unlike setting `location.hash`, this makes no entry in the history and no event.
  history.replaceState(null, "", toFragment({ board: now.board, rules, first, you, level, seed }));
}

/** @param {Shared} shared */
async function load(shared) {
  heard = 0;
  takeStrength(shared);
  await game.load(shared);
  reflect(game);
  if (trouble) {
    trouble = null;
    render();
  }
}

/** A position from the address; without one, or with a bad one, an empty board. */
async function open() {
  const shared = fromFragment(location.hash);
  if (!shared) {
    if (!game.now) await game.start(read());
    return;
  }
  try {
    await load(shared);
  } catch (error) {
    trouble = troubleInWords(/** @type {Error} */ (error), "the position of the link");
    if (game.stands.length === 0) await game.start(read());
    else render();
  }
}

/** @type {Record<string, () => void>} */
const commands = {
  undo: () => game.undo(),
  hint: () => game.askForHint(),
  restart: () => {
    heard = 0;
    game.restart();
  },
  analysis: () => {
    analysed = !analysed;
    byId("analysis").setAttribute("aria-pressed", String(analysed));
    if (!analysed) announce("Analysis off.");
    if (analysed && game.yourTurn && !game.analysis) game.analyze();
    else render();
  },
};
for (const [id, command] of Object.entries(commands)) {
  byId(id).addEventListener("click", () => {
    if (game.now && byId(id).getAttribute("aria-disabled") !== "true") command();
  });
}
// The address holds the position: a jump within the page must not replace it.
byId("skip").addEventListener("click", (event) => {
  event.preventDefault();
  view.focus();
});
byId("retry").addEventListener("click", () => (trouble ? open() : game.retry()));

// Letters only while the board has the focus, so that they are in nobody's way.
byId("board").addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const id = { u: "undo", h: "hint", a: "analysis" }[event.key.toLowerCase()];
  if (id) byId(id).click();
});

watchSetup((setup) => {
  heard = 0;
  trouble = null;
  game.start(setup);
  view.focus();
});
watchPositions({
  text: () => game.board,
  load,
  explain: (error) => troubleInWords(error, "this board").join(" "),
});
window.addEventListener("hashchange", open);
open();
