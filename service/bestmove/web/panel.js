/** Everything around the board, in words: status, reason, balance, best cells, moves. */

import { InvalidAnswer, RequestRefused, ServiceUnavailable } from "./client.js";
import { announce, byId, html } from "./dom.js";
import { cellInShort, cellInWords, rulesInWords, scoreInShort, scoreInWords } from "./position.js";
import { MAX_EMPTY } from "./trees.js";

/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Stand} Stand */
/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */

const LISTED = 5;

/** @typedef {[title: string, text: string]} Trouble */

/**
 * @param {Game} game
 * @param {boolean} analysed
 * @param {Trouble | null} trouble  of the page's own, such as a link that holds no position
 */
export function showPanel(game, analysed, trouble) {
  const headline = headlineOf(game);
  byId("headline").textContent = headline;
  byId("status").dataset.phase = game.phase;
  byId("status").dataset.winner = game.now.winner ?? "";
  byId("subline").textContent = sublineOf(game);
  document.title = `${headline} · Best Move`;
  const failed = game.phase === "failed" && game.error;
  showNotice(trouble ?? (failed ? troubleInWords(failed, game.task) : null));
  showVoice(game, analysed);
  showScores(analysed && game.analysis ? game.analysis.moves : [], game.rules.columns);
  byId("text").textContent = game.board.includes("/")
    ? game.board.replaceAll("/", "\n")
    : (game.board.match(new RegExp(`.{${game.rules.columns}}`, "g")) ?? []).join("\n");
  showRecord(game);
  showWayToExplorer(game);
  /** @type {Array<[string, boolean]>} */
  const controls = [
    ["undo", game.canUndo],
    ["hint", game.yourTurn],
    ["restart", game.stands.length > 1 || game.pending !== null],
  ];
  for (const [id, on] of controls) {
    // Not `disabled`: that would throw away the focus of the person who has just pressed it.
    byId(id).setAttribute("aria-disabled", String(!on));
  }
}

/** @param {Game} game */
function headlineOf({ phase, task, now, you, yourTurn }) {
  if (now.status === "draw") return "A draw";
  if (now.status === "won") return now.winner === you ? "You win" : "The engine wins";
  if (phase === "thinking" && task === "a move") return "Thinking";
  return yourTurn ? "Your move" : "The engine's move";
}

/** @param {Game} game */
function sublineOf({ rules, you, now, stands, phase, task, yourTurn }) {
  if (phase === "thinking" && yourTurn) return `Working out ${task}. You can play on meanwhile.`;
  const ply = stands.filter((stand) => stand.by !== null).length;
  const played = ply === 1 ? "1 move played" : `${ply} moves played`;
  const end = now.status === "in_progress" ? "" : " Undo, or start a new game.";
  return `You are ${you} on ${rulesInWords(rules)}. ${ply ? `${played}.` : ""}${end}`;
}

/** @param {Trouble | null} trouble */
function showNotice(trouble) {
  byId("notice").hidden = trouble === null;
  byId("notice-title").textContent = trouble ? trouble[0] : "";
  byId("notice-text").textContent = trouble ? trouble[1] : "";
}

/**
 * @param {Error} error
 * @param {string} task
 * @returns {Trouble}
 */
export function troubleInWords(error, task) {
  if (error instanceof RequestRefused) return ["The service refused this.", `${capital(error.message)}.`];
  if (error instanceof ServiceUnavailable) {
    return ["The service is busy.", `Your game is kept. Try again for ${task} in a moment.`];
  }
  if (error instanceof InvalidAnswer) {
    return ["The service failed.", `Your game is kept. What it said: ${error.message}.`];
  }
  return ["The service does not answer.", `Your game is kept. Try again for ${task}.`];
}

/** @param {Game} game @param {boolean} analysed */
function showVoice(game, analysed) {
  const { now, stands, hint, analysis } = game;
  const spoken = hint ?? stands.findLast((stand) => stand.answer)?.answer ?? null;
  byId("reason").textContent = speechOf(game, spoken);

  const over = now.status !== "in_progress";
  const judged = (analysed && analysis?.moves[0]) || spoken;
  const result = { X: 1, O: -1 }[String(now.winner)] ?? 0;
  const score = over ? result : (judged?.score ?? 0);
  byId("balance-fill").style.width = `${50 + 48 * score}%`;
  let verdict = "";
  if (over) verdict = now.winner ? `${now.winner} has won.` : "The board is full.";
  else if (judged) verdict = `${capital(scoreInWords(judged))}.`;
  const cost = spoken && judged === spoken ? ` ${costInWords(spoken)}` : "";
  byId("verdict").textContent = verdict + (over ? "" : cost);
  byId("balance").setAttribute("aria-label", `Expected result: ${verdict || "even"}`);
}

/** @param {Game} game @param {BestMove | null} spoken */
function speechOf({ now, hint, rules, you }, spoken) {
  if (spoken?.reason) {
    const where = hint?.move ? `Try ${cellInWords(hint.move.index, rules.columns)}. ` : "";
    return where + reasonInWords(spoken.reason.text, rules.columns);
  }
  const first = now.turn !== you && now.status === "in_progress";
  if (first) return "The engine has the first move.";
  return "Make your move: the answer comes with its reason.";
}

/**
 * The service counts cells, rows and columns from 0, as programs do; people count from 1.
 * @param {string} reason
 * @param {number} columns
 */
function reasonInWords(reason, columns) {
  return reason
    .replace(/(cell) (\d+) \(row \d+, column \d+\)/gi, (_, cell, index) => {
      const words = cellInWords(Number(index), columns);
      return cell === "Cell" ? capital(words) : words;
    })
    .replace(/(?<=(?:line|cells) )(?:\d+, )*\d+ and \d+/g, (cells) =>
      cells.replace(/\d+/g, (index) => `(${cellInShort(Number(index), columns)})`),
    );
}

/** @param {BestMove} answer */
function costInWords({ search }) {
  const nodes = search.nodes.toLocaleString("en");
  const plural = search.nodes === 1 ? "node" : "nodes";
  return `${nodes} ${plural}, depth ${search.depth}, ${search.elapsed_ms.toFixed(1)} ms.`;
}

/** @param {MoveEvaluation[]} moves @param {number} columns */
function showScores(moves, columns) {
  byId("scores").hidden = moves.length === 0;
  const rows = moves.slice(0, LISTED).map((move) => {
    const rest = move.pv.slice(1, 5).map((at) => cellInShort(at, columns));
    const on = rest.length > 0 ? `then ${rest.join(" · ")}` : "";
    const lean = move.score > 0 ? "x" : move.score < 0 ? "o" : "";
    const words = move.exact && move.score ? scoreInWords(move) : on;
    return html(
      "li",
      {},
      html("b", {}, cellInShort(move.index, columns)),
      html("b", { class: lean }, scoreInShort(move.score, move.exact)),
      html("span", { class: "way" }, words),
    );
  });
  byId("scores-list").replaceChildren(...rows);
}

/** The explorer draws what is left of a game of tic-tac-toe. @param {Game} game */
function showWayToExplorer({ now, rules: { rows, columns, k } }) {
  const empty = [...now.board].filter((mark) => mark === ".").length;
  const drawable = rows === 3 && columns === 3 && k === 3 && empty <= MAX_EMPTY;
  byId("explore").hidden = !drawable || now.turn === null;
  const link = byId("explore").querySelector("a");
  if (link) link.hash = new URLSearchParams({ tree: now.board }).toString();
}

/** @param {Game} game */
function showRecord({ stands, rules }) {
  const items = stands
    .filter((stand) => stand.move !== null)
    .map(({ by, move }) =>
      html(
        "li",
        {},
        html("b", { class: String(by).toLowerCase() }, String(by)),
        ` ${cellInWords(/** @type {number} */ (move), rules.columns)}`,
      ),
    );
  const record = byId("record");
  record.replaceChildren(...items);
  record.scrollTop = record.scrollHeight;
}

/**
 * Says what has changed, to those who do not see it.
 * @param {Game} game
 * @param {number} known  how many positions they have heard of
 */
export function speak(game, known) {
  const { stands, rules, phase, you, now, pending, hint, analysis, task } = game;
  const news = stands.slice(known).filter((stand) => stand.move !== null);
  const words = news.map(({ by, move }) => {
    const who = by === you ? "You play" : "The engine plays";
    return `${who} ${cellInWords(/** @type {number} */ (move), rules.columns)}.`;
  });
  if (phase === "thinking") {
    words.push(pending === null ? `Working out ${task}.` : "The engine thinks.");
  } else if (phase === "over") {
    words.push(`${headlineOf(game)}.`);
    if (now.line) {
      const ends = [now.line[0], now.line[now.line.length - 1]];
      words.push(`${now.winner} has the line from ${wordsOf(ends, rules.columns)}.`);
    }
  } else if (phase === "ready") {
    if (hint?.move) words.push(`Suggested: ${cellInWords(hint.move.index, rules.columns)}.`);
    const best = analysis?.moves[0];
    if (best && task === "an analysis") {
      words.push(`Best: ${cellInWords(best.index, rules.columns)}, ${scoreInWords(best)}.`);
    }
    words.push("Your move.");
  }
  if (phase !== "failed") announce(words.join(" ")); // the notice speaks for itself
}

/** @param {number[]} cells @param {number} columns */
const wordsOf = (cells, columns) => cells.map((at) => cellInWords(at, columns)).join(" to ");

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
