/**
 * Records what is known about each position of a game. A proven claim also implies claims about the
 * positions before and after. A weaker claim never replaces a stronger claim.
 */

import { landing } from "./rules.js";
import { chanceOf } from "./words.js";

/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * @typedef {object} Claim  what is known about a position
 * @property {number} score  the expected result for X
 * @property {boolean} exact  whether the result is proven
 * @property {number | null} plies  to the end, if the result is proven
 * @property {boolean} [atMost]  whether the winner may need fewer plies
 * @property {number | null} best  the cell to play, if it is known
 * @property {number[]} pv  best play from the position on, as far as it is known
 * @property {number} nodes  how many nodes the search visited; 0 if another position implies the claim
 * @property {number} depth  how many plies the search looked ahead
 * @property {import("./review-search.js").Allowed} [allowed]  in a review
 */

/**
 * If more cells are empty, proofs of wins in more plies, and of draws with gravity, are too long for the service. In a
 * second each, it proved 1 of 58 such positions, and 86 of 95 others.
 */
const PROVABLE = { empty: 26, falling: 24, exactly: 6 };

/** Boards of up to this many cells, such as Connect Four's, have equal moves in order of index. */
const BY_INDEX = 42;

/** Returns whether the proof of a result is too long to be asked for. @param {Node} node @param {Rules} rules */
export function isTooLong({ cells, known }, { gravity, overline }) {
  const empty = [...cells].filter((mark) => mark === ".").length;
  const plies = gravity ? PROVABLE.falling : overline ? Infinity : PROVABLE.exactly;
  return empty > PROVABLE.empty && ((gravity && known?.score === 0) || (known?.plies ?? 0) > plies);
}

/**
 * Returns the claim that an answer makes about its position; null if the engine chose a weak move on purpose.
 * @param {BestMove} answer @returns {Claim | null}
 */
export function claimOf({ score, exact, plies, move, pv, reason, search }) {
  if (reason?.code === "weakened") return null;
  return { score, exact, plies, best: move?.index ?? null, pv, nodes: search?.nodes ?? 0, depth: search?.depth ?? 0 };
}

/** @param {Node} node @param {Claim | null} claim @param {Rules} rules */
export function learn(node, claim, rules) {
  const { parent, children } = node;
  const found = claim && settled(node, claim);
  if (!found || !isStronger(found, node.known)) return;
  node.known = found;
  for (const child of children) {
    learn(child, behind(node, child), rules);
    settle(child, rules);
  }
  if (!parent || !found.exact) return;
  const shown = before(parent, rules);
  learn(parent, shown, rules);
  settle(parent, rules);
  const { known } = parent;
  // If all moves lose, the best move is the one that loses last. `shown` has that move.
  if (shown && known?.exact && known.best === node.move) parent.known = { ...known, best: shown.best, pv: shown.pv };
}

/** @param {Node} node @param {Rules} rules */
function settle(node, rules) {
  const claim = node.known && settled(node, node.known);
  if (claim !== node.known) learn(node, claim, rules);
}

/** @param {Node} node @param {Rules} rules */
export function learnMoves(node, rules) {
  const first = node.analysed?.moves[0];
  if (!first) return;
  learn(node, before(node, rules), rules);
  const claim = listed(node, first);
  // `first` is the best move of the analysis. Moves without a proof may still be better: they may win if
  // `first` draws, or win sooner if `first` wins (`atMost`).
  if (claim.exact && claim.score === 0) learn(node, { ...claim, exact: false, plies: null }, rules);
  else learn(node, { ...claim, atMost: claim.exact && worth(node, claim) === 1 && claim.plies !== 1 }, rules);
  settle(node, rules);
  for (const child of node.children) learn(child, behind(node, child), rules);
}

/**
 * Records what is known about a new position: its end, or what the previous position implies.
 * @param {Node} node @param {Rules} rules
 */
export function inherit(node, rules) {
  const score = { X: 1, O: -1 }[String(node.winner)] ?? 0;
  const over = { score, exact: true, plies: 0, best: null, pv: [], nodes: 0, depth: 0 };
  learn(node, node.turn === null ? over : node.parent && behind(node.parent, node), rules);
}

/**
 * Returns what is known about a move. `plies` counts the move too. If the move is
 * not proven, its value is limited to that of the position before the move.
 * @param {Node} node  the position before the move @param {number | null} cell
 * @param {MoveEvaluation} [entry]  the move in the position's analysis
 * @returns {Claim | null}
 */
export function moveOf(node, cell, entry = node.analysed?.moves.find(({ index }) => index === cell)) {
  const { known, children } = node;
  const after = children.find(({ move }) => move === cell)?.known;
  const lost = known?.exact && worth(node, known) === 0;
  const own = entry ? listed(node, entry) : null;
  let found = known && known.best === cell ? known : own;
  const others = [
    own,
    lost && { ...known, atMost: true, best: cell, pv: [Number(cell)] },
    after && { ...after, plies: (after.plies ?? 0) + 1, best: cell, pv: [Number(cell), ...after.pv] },
  ];
  for (const other of others) {
    if (!other || !other.exact) continue;
    // If `other` has as many plies as `known`, keep `known`, but with the longer of the two variations.
    if (found && found === known && found.exact && other.plies === found.plies) {
      if (other.pv.length > found.pv.length) found = { ...found, pv: other.pv };
    } else if (isStronger(other, found)) found = other;
  }
  if (!found || found.exact || !known || worth(node, found) <= worth(node, known)) return found;
  return { ...found, score: known.score };
}

/**
 * Returns the moves of an analysis with what is known about each move, in two groups:
 * 1. the best move, the proven wins and draws, and the moves searched deeply (`lines`)
 * 2. all other moves
 *
 * Each group is sorted, best first.
 * @param {Node} node @returns {Array<MoveEvaluation & Claim>}
 */
export function movesOf(node) {
  const { analysed, cells, known, turn } = node;
  const inOrder = better(turn ?? "X", known?.best);
  const isLost = cells.length > BY_INDEX && known?.exact && worth(node, known) === 0;
  const first = analysed?.moves[0];
  /** Returns how far a move is from the first of the analysis, which blocks if the position is lost. @param {MoveEvaluation} move */
  const away = ({ row, column }) => (isLost && first ? Math.max(Math.abs(row - first.row), Math.abs(column - first.column)) : 0);
  const order = (/** @type {any} */ one, /** @type {any} */ two) => inOrder(one, two) || away(one) - away(two);
  /** @type {Array<Array<MoveEvaluation & Claim>>} */
  const [ahead, rest] = [[], []];
  (analysed?.moves ?? []).forEach((move, rank) => {
    const found = { ...move, .../** @type {Claim} */ (moveOf(node, move.index, move)) };
    const isGood = found.exact && worth(node, found) >= 0.5;
    const isAhead = isGood || move.index === known?.best || (!isLost && rank < (analysed?.lines ?? 0));
    (isAhead ? ahead : rest).push(found);
  });
  return [...ahead.sort(order), ...rest.sort(order)];
}

/**
 * Returns the service's answer, with the move and the reason corrected by `known`.
 * @param {BestMove} answer @param {Claim | null} known @returns {BestMove}
 */
export function informed(answer, known) {
  const { move, turn, search } = answer;
  if (!move || !turn || !known) return answer;
  const index = known.best ?? move.index;
  if (index === move.index && known.exact === answer.exact) return answer;
  // The record may say that the position is won or drawn, but not by which move.
  const codes = known.best === null ? ["delays-loss", "best-estimate", "undecided"] : ["delays-loss", "holds-draw", "forces-win"];
  const code = known.exact ? codes[2 * chanceOf(known, turn)] : "best-estimate";
  const reason = /** @type {import("./client.js").Reason} */ ({ code, cells: [index], text: "" });
  return { ...answer, move: { ...move, index }, reason, search: { ...search, depth: known.depth } };
}

/**
 * Returns a function that sorts results for a side, best first: wins (early wins first), then draws and
 * unproven results, then losses (late losses first). Among equal results, the move `best` comes first.
 * @param {Mark} mover @param {number | null} [best]
 */
function better(mover, best) {
  /** @param {{score: number, exact: boolean, plies: number | null}} found */
  const rank = (found) => {
    const chance = chanceOf(found, mover);
    // A win ranks 1.8 to 2, a draw 1, a loss 0 to 0.2, an estimate 0.5 to 1.5.
    return found.exact ? 2 * chance + (0.5 - chance) * (found.plies ?? 0) * 1e-3 : 0.5 + chance;
  };
  return (/** @type {any} */ one, /** @type {any} */ two) =>
    rank(two) - rank(one) || Number(two.best === best) - Number(one.best === best);
}

/** @param {Claim} claim @param {Claim | null} old */
function isStronger(claim, old) {
  if (!old) return true;
  if (claim.exact !== old.exact) return claim.exact;
  if (!claim.exact) return claim.nodes >= old.nodes;
  if (claim.score !== old.score) return false;
  // If only one claim has a best move, and a search found that move, prefer this claim, whatever the plies.
  const gainsMove = Number(claim.best !== null) - Number(old.best !== null);
  if (gainsMove !== 0 && (gainsMove > 0 ? claim : old).nodes > 0) return gainsMove > 0;
  const [plies, before] = [claim.plies ?? 0, old.plies ?? 0];
  if (claim.score !== 0 && plies !== before) return plies < before;
  if (Boolean(claim.atMost) !== Boolean(old.atMost)) return !claim.atMost;
  if (gainsMove !== 0) return gainsMove > 0;
  if (claim.best !== old.best && claim.nodes > 0 !== old.nodes > 0) return claim.nodes > 0;
  return claim.pv.length > old.pv.length;
}

/**
 * @param {Node} node @param {MoveEvaluation} move @returns {Claim}
 */
function listed({ analysed }, { score, exact, plies, index, pv, depth }) {
  const nodes = analysed?.search.nodes ?? 0;
  return { score, exact, plies, best: index, pv: pv.length > 0 ? pv : [index], nodes, depth };
}

/**
 * Returns the claim about the move from `node` to `child`, as a claim about `child`.
 * @param {Node} node @param {Node} child @returns {Claim | null}
 */
function behind(node, child) {
  const found = moveOf(node, child.move);
  if (!found) return null;
  const pv = found.pv.slice(1);
  return { ...found, plies: found.plies === null ? null : found.plies - 1, best: pv[0] ?? null, pv, nodes: 0 };
}

/**
 * Returns what the moves prove about a position; null unless a move is a proven win or all moves are
 * proven.
 * @param {Node} node @param {Rules} rules @returns {Claim | null}
 */
function before(node, rules) {
  const { analysed, cells, known, turn } = node;
  const entries = new Map(analysed?.moves.map((move) => [move.index, move]));
  const open = new Set([...cells].map((_, cell) => landing(cells, cell, rules)).filter((cell) => cell !== null));
  const found = [...open].map((cell) => moveOf(node, cell, entries.get(cell))).filter((claim) => claim?.exact);
  // Of equal moves, prefer the best move of an earlier proof, or else the first move of the analysis.
  const first = known?.exact ? known.best : (analysed?.moves[0]?.index ?? known?.best);
  const [best] = found.sort(better(turn ?? "X", first));
  if (!best || (found.length < open.size && worth(node, best) < 1)) return null;
  // A move without a proof may win sooner than the best proven move.
  const atMost = best.atMost || (found.length < open.size && best.plies !== 1);
  return { ...best, atMost, nodes: 0 };
}

/**
 * Corrects the estimate of a position by proven results:
 * - If the best move is a proven loss, another move becomes the best.
 * - If a move is a proven draw, the position is worth at least a draw.
 * - If the previous position is a proven draw, the side that moved has at most a draw.
 * @param {Node} node @param {Claim} claim
 */
function settled(node, claim) {
  const { parent, children, analysed, turn } = node;
  if (claim.exact || turn === null) return claim;
  const best = moveOf(node, claim.best);
  if (best?.exact && worth(node, best) === 0) {
    const { score, best: next, pv } = movesOf(node)[0] ?? { ...claim, best: null, pv: [] };
    return { ...claim, score, best: next, pv };
  }
  const drawn = children.find(({ known }) => isDraw(known))?.move ?? analysed?.moves.find(isDraw)?.index ?? null;
  const holds = drawn !== null && worth(node, claim) < 0.5 && moveOf(node, drawn);
  if (holds) return { ...holds, exact: false, plies: null, nodes: claim.nodes, depth: claim.depth };
  return parent && isDraw(parent.known) && worth(parent, claim) > 0.5 ? { ...claim, score: 0 } : claim;
}

/** @param {Node} node @param {{score: number}} found */
const worth = ({ turn }, found) => chanceOf(found, turn ?? "X");

/** @param {{score: number, exact: boolean} | null} found */
const isDraw = (found) => Boolean(found?.exact && found.score === 0);
