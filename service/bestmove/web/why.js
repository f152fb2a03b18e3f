/**
 * The dialog that shows the service's proof of a result. The user can try every defence. The dialog
 * shows a proof only if the verifier in this browser accepts it for the position on the page.
 */

import { BoardView } from "./board-view.js";
import { html, svg } from "./dom.js";
import { centre } from "./drawing.js";
import { learn as note, moveOf } from "./known.js";
import { nameOf } from "./notation.js";
import { Claim } from "./proof.js";
import { played, spelled } from "./rules.js";
import { loadStyle } from "./style.js";
import { verify } from "./verify.js";
import { labels, say } from "./why-words.js";

await loadStyle("why.css");

/** @typedef {import("./client.js").Certificate} Certificate */
/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").Proven} Proven */
/** @typedef {import("./history.js").History} History */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./proof.js").Place} Place */

/** @typedef {(history: History, node: Node, time_ms: number | undefined) => Promise<void>} ShowProof */

/** The explorer shows at most this many nodes of a proof. */
const TREE_NODES = 400;
/** On boards with more columns than this, pairs of cells have no numbers: the numbers would be too small to read. */
const NUMBERED_COLUMNS = 12;

const part = (/** @type {keyof HTMLElementTagNameMap} */ tag, /** @type {string} */ id, /** @type {object} */ more = {}) =>
  html(tag, { id, ...more });
const button = (/** @type {string} */ text, /** @type {() => void} */ press) => {
  const made = html("button", { type: "button" }, text);
  made.addEventListener("click", () => made.getAttribute("aria-disabled") !== "true" && press());
  return made;
};

/**
 * @param {object} page
 * @param {Client} page.client
 * @param {(error: Error) => string} page.explain
 * @param {() => void} page.follow  lets the user go through best play from the position on the page
 * @returns {ShowProof} a function that opens the dialog for a position
 */
export function makeWhy({ client, explain, follow }) {
  /** @type {WeakMap<Node, {found: Proven, verdict: import("./verify.js").Verdict, lead: number | null}>} */
  const known = new WeakMap();
  /** The page's best move, if the proof begins after it. @type {number | null} */
  let lead = null;
  /** @type {Certificate | null} */
  let proof = null;
  /** @type {Claim | null} */
  let claim = null;
  /** The positions from the start of the proof to the position on the board. @type {Place[]} */
  let places = [];
  /** Whether the user opened the dialog with a key. */
  let byKey = false;
  let ask = async () => {};
  let calls = new AbortController();

  const title = part("h2", "why-title");
  const board = part("div", "why-board", { class: "board" });
  const said = part("p", "why-said", { role: "status" });
  const because = part("p", "why-because", { class: "fine" });
  const claims = part("fieldset", "why-claims", { "aria-label": labels.claims });
  const verified = part("p", "why-verified", { class: "fine" });
  const back = button(labels.back, () => go(places.slice(0, -1)));
  const restart = button(labels.start, () => go(places.slice(0, 1)));
  const retry = button(labels.retry, () => ask());
  const save = button(labels.save, saveProof);
  const through = button(labels.follow, () => {
    dialog.close();
    follow();
  });
  const close = button(labels.close, () => dialog.close());
  const explore = html("a", { href: "static/explorer.html", target: "_blank" }, labels.explore);
  const actions = html("div", { class: "actions" }, back, restart, retry, save, through, close);
  const slot = html("div", { class: "slot" }, board);
  const sheet = html("div", { id: "why-sheet", class: "sheet" }, title, slot, said, because, claims, verified, explore, actions);
  const dialog = html("dialog", { id: "why-dialog", "aria-labelledby": "why-title" }, sheet);
  document.body.append(dialog);
  const view = new BoardView(board, attempt, (index) => {
    if (index !== null && claim) said.textContent = say.aimed(nameOf(index, claim.rules));
  });

  dialog.addEventListener("close", () => calls.abort());
  explore.addEventListener("click", () => (explore.hash = fragment()));
  claims.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLInputElement) begin(Number(target.value));
  });

  return (history, node, time_ms) => {
    ask = () => learn(history, node, time_ms);
    byKey = document.activeElement?.matches(":focus-visible") ?? false;
    if (!dialog.open) dialog.showModal();
    return ask();
  };

  /** @param {History} history @param {Node} node @param {number} [time_ms] */
  async function learn({ rules, first }, node, time_ms) {
    calls.abort();
    calls = new AbortController();
    const { signal } = calls;
    present(null, say.why, labels.asking);
    claim = null;
    show(rules, { cells: node.cells, hand: null, turn: node.turn, last: node.move, line: node.line });
    try {
      const options = { ...rules, first, time_ms, signal };
      const proofOf = async (/** @type {Pick<Node, "cells" | "turn">} */ { cells, turn }) => {
        const found = await client.prove(spelled(cells, rules), options);
        return { found, verdict: await verify(JSON.stringify(found.proof), { rules, board: cells, turn }), lead: /** @type {number | null} */ (null) };
      };
      let { found, verdict, lead: led } = known.get(node) ?? (await proofOf(node));
      if (signal.aborted) return;
      if (found.proof === null) {
        const isCertain = (node.known?.pv ?? []).length > 0;
        present(null, say.notFound, `${isCertain ? say.certain : found.detail} ${say.later}`);
        through.hidden = !isCertain;
        return;
      }
      if (!verdict.stands) {
        present(null, say.noProof, say.refused(verdict.reason));
        return;
      }
      const named = node.known?.best ?? null;
      const begins = found.proof.claims[0].kind === "wins" ? new Claim(found.proof, 0).start().answer : null;
      const after = begins !== null && named !== null && begins !== named && node.turn ? played(node.cells, named, node.turn, rules) : null;
      if (after?.turn) {
        // Rather prove the move that the page names.
        const own = await proofOf(after);
        if (signal.aborted) return;
        if (own.verdict.stands) [found, verdict, led] = [own.found, own.verdict, named];
      }
      known.set(node, { found, verdict, lead: led }); // the lack of a proof is not kept: another search may find one
      lead = led;
      present(found.proof, titleOf(/** @type {Certificate} */ (found.proof)), "");
      const begun = Number(places[0].answer !== null);
      const shown = /** @type {Claim | null} */ (claim);
      const distance = shown?.wins ? shown.distance(places[0]) : 0;
      verified.textContent = say.verified(verdict.statement, distance && Math.floor(distance / 2) + Number(begun && lead === null), lead === null ? "" : nameOf(lead, rules));
      const result = node.known;
      const longer = distance && result?.exact ? Number(result.plies) - distance - begun : 0;
      if (!result || !longer) return;
      const had = Math.floor((Number(result.plies) + begun) / 2);
      verified.textContent += ` ${longer < 0 ? say.shorter(had) : say.longer(had)}`;
      const best = places[0].answer ?? result.best;
      const pv = best === result.best ? result.pv : (moveOf(node, best)?.pv ?? [Number(best)]);
      note(node, { ...result, plies: distance + begun, atMost: true, best, pv }, rules);
    } catch (error) {
      if (signal.aborted) return;
      present(null, say.noProof, explain(/** @type {Error} */ (error)));
      retry.hidden = false;
    }
  }

  /** @param {Certificate | null} found @param {string} head @param {string} sentence */
  function present(found, head, sentence) {
    proof = found;
    title.textContent = head;
    said.textContent = sentence;
    because.textContent = "";
    verified.textContent = "";
    retry.hidden = through.hidden = true;
    for (const each of [back, restart, save, explore]) each.hidden = found === null;
    const chips = found && found.claims.length > 1 ? found.claims.map(chipOf) : [];
    claims.replaceChildren(...chips);
    if (!found) return;
    begin(0);
    if (byKey) view.focus();
    else board.focus();
  }

  /** @param {number} number  of the claim */
  function begin(number) {
    if (!proof) return;
    claim = new Claim(proof, number);
    go([lead === null ? claim.start() : { ...claim.start(), answer: lead, last: lead }]);
  }

  /** @param {number} index */
  function attempt(index) {
    const place = claim?.attempt(places[places.length - 1], index);
    if (place) go([...places, place]);
  }

  /** @param {Place[]} way */
  function go(way) {
    if (!claim || way.length === 0) return;
    places = way;
    const place = way[way.length - 1];
    const { stand, last } = place;
    const { rules, replier } = claim;
    const open = claim.open(place);
    const zone = open ? claim.zone(place) : null;
    const pairs = claim.pairsLeft(place);
    const name = (/** @type {number} */ cell) => nameOf(cell, rules);
    /** @type {Map<number, string>} */
    const notes = new Map();
    for (const cell of zone ?? []) notes.set(cell, say.inZone);
    for (const [a, b] of pairs) notes.set(a, say.partner(name(b))).set(b, say.partner(name(a)));
    const drawn = zone ? drawZone(zone, rules.columns, replier) : drawPairs(pairs, rules.columns);
    show(rules, { cells: stand.cells, hand: open ? replier : null, turn: stand.turn, last, line: stand.line, notes, drawn });
    said.textContent = sentencesOf(claim, place).join(" ");
    because.textContent = reasonOf(claim, place, zone);
    for (const each of [back, restart]) each.setAttribute("aria-disabled", String(way.length === 1));
    explore.hidden = !claim.grows(top(claim));
  }

  /**
   * @param {import("./rules.js").Rules} rules
   * @param {Pick<import("./board-view.js").Picture, "cells" | "hand" | "turn" | "last" | "line" | "notes" | "drawn">} shown
   */
  function show(rules, shown) {
    view.show({ rules, hint: null, evaluations: [], ranked: 0, threats: null, ...shown });
  }

  /** @param {Claim} of */
  function top(of) {
    return places.length > 1 ? places[places.length - 1] : of.root();
  }

  /** Returns the fragment for a link that shows the proof as a tree in the explorer. */
  function fragment() {
    if (!claim) return "";
    const { rules } = claim;
    const name = (/** @type {number | null} */ cell) => (cell === null ? say.elsewhere : nameOf(cell, rules));
    const { tree, names, maximizing } = claim.tree(top(claim), TREE_NODES, name);
    const root = maximizing ? "max" : "min";
    return String(new URLSearchParams({ tree: JSON.stringify(tree), root, moves: names.join(" ") }));
  }

  function saveProof() {
    const href = URL.createObjectURL(new Blob([JSON.stringify(proof)], { type: "application/json" }));
    html("a", { href, download: "bestmove-proof.json" }).click();
    setTimeout(() => URL.revokeObjectURL(href));
  }
}

/** @param {Certificate} proof */
function titleOf({ claims: [{ kind, side }, second] }) {
  if (kind === "wins") return say.whyWins(side);
  return second ? say.whyDraw : say.whyCannotWin(side);
}

/** @param {Certificate["claims"][number]} claim @param {number} number */
function chipOf({ side }, number) {
  const radio = html("input", { type: "radio", name: "why-claim", value: number, checked: number === 0 });
  return html("label", { class: "chip" }, radio, html("span", {}, say.cannotWin(side)));
}

/** Returns sentences about the last moves and about what the user can do. @param {Claim} claim @param {Place} place */
function sentencesOf(claim, place) {
  const { side, chooser, replier, rules, wins } = claim;
  const { tried, answer, how } = place;
  const open = claim.open(place);
  // How many moves the winner still makes. The last ply is the winner's, or in misère the loser's.
  const count = wins ? Math.floor(claim.distance(place) / 2) : 0;
  const found = [];
  if (tried !== null) {
    found.push(say.tried(replier, nameOf(tried, rules)));
    if (answer !== null) found.push(say.answers[how](chooser, nameOf(answer, rules)));
    if (open && wins) found.push(say.still(side, count));
  } else {
    if (answer !== null) found.push(say.begins(chooser, nameOf(answer, rules)));
    if (open) found.push(wins ? say.wins(side, replier, count) : say.holds(side, chooser));
    if (open) found.push(say.yours(replier));
  }
  if (!open) found.push(...endOf(claim, place));
  return found;
}

/** Returns the reason why the proof ends here. @param {Claim} claim @param {Place} place */
function endOf(claim, { stand, leaf }) {
  const { side, filler, rules } = claim;
  if (stand.winner) return [rules.misere ? say.lost(stand.winner === "X" ? "O" : "X", stand.winner) : say.won(stand.winner)];
  if (stand.status === "draw") return [say.full(side)];
  if (!leaf) return [say.spent(side, claim.plies ?? 0)];
  const lines = claim.linesLeft(stand);
  const least = Math.min(...lines.map(({ length }) => length));
  const why = lines.length === 0 ? say.blocked(filler) : say.slow(filler, least, claim.turnsLeft(stand));
  return filler === side ? [why] : [why, say.only(side, filler)];
}

/**
 * Explains the dots or numbers that the board shows for the proof.
 * @param {Claim} claim @param {Place} place @param {number[] | null} zone
 */
function reasonOf(claim, place, zone) {
  const { side, chooser, replier } = claim;
  if (!claim.open(place)) return "";
  if (zone) return say.zone(replier, zone.length);
  if (place.leaf?.kind === "pairs") return say.pairs(side, chooser);
  return place.leaf ? say.sum(side, chooser, claim.weight(place.stand)) : "";
}

/** @param {number[]} cells @param {number} columns @param {string} replier */
function drawZone(cells, columns, replier) {
  const dots = cells.map((cell) => {
    const [cx, cy] = centre(cell, columns);
    return svg("circle", { cx, cy, r: 18 });
  });
  return svg("g", { class: `zone ${replier.toLowerCase()}` }, ...dots);
}

/** Draws each pair as a line, with the pair's number at both ends. @param {Array<[number, number]>} pairs @param {number} columns */
function drawPairs(pairs, columns) {
  const numbered = columns <= NUMBERED_COLUMNS;
  const group = svg("g", { class: "pairs" });
  pairs.forEach((pair, at) => {
    const [[x1, y1], [x2, y2]] = pair.map((cell) => centre(cell, columns));
    group.prepend(svg("line", { x1, y1, x2, y2 }));
    for (const [cx, cy] of [[x1, y1], [x2, y2]]) {
      group.append(svg("circle", { cx, cy, r: numbered ? 24 : 14 }));
      if (numbered) group.append(svg("text", { x: cx, y: cy + 11 }, String(at + 1)));
    }
  });
  return group;
}
