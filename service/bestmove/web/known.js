/**
 * What is known of each position of a game: one record, which the board, the bar, the list of moves
 * and the review read. A proven claim also tells something about the positions before and after it.
 * A weaker claim never replaces a stronger one.
 */

import { landing } from "./rules.js";
import { chanceOf } from "./words.js";

/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./client.js").MoveEvaluation} MoveEvaluation */
/** @typedef {import("./client.js").Mark} Mark */
/** @typedef {import("./history.js").Node} Node */
/** @typedef {import("./rules.js").Rules} Rules */

/**
 * @typedef {object} Claim  what is known of a position
 * @property {number} score  the expected result for X
 * @property {boolean} exact  whether the result is proven
 * @property {number | null} plies  to the end, if the result is proven
 * @property {boolean} [atMost]  whether the winner may need fewer
 * @property {number | null} best  the cell to play, if it is known
 * @property {number[]} pv  best play from the position on, as far as it is known
 * @property {number} nodes  that the search visited; 0 if the claim follows from another position's
 */

/**
 * The claim that an answer makes about its position; null if the move is weak on purpose.
 * @param {BestMove} answer @returns {Claim | null}
 */
export function claimOf({ score, exact, plies, move, pv, reason, search }) {
  if (reason?.code === "weakened") return null;
  return { score, exact, plies, best: move?.index ?? null, pv, nodes: search?.nodes ?? 0 };
}

/** @param {Node} node @param {Claim | null} claim @param {Rules} rules */
export function learn(node, claim, rules) {
  if (!claim || !isStronger(claim, node.known)) return;
  node.known = claim;
  for (const child of node.children) learn(child, behind(node, child), rules);
  if (node.parent && claim.exact) learn(node.parent, before(node.parent, rules), rules);
}

/** Learns from the analysis of a position. @param {Node} node @param {Rules} rules */
export function learnMoves(node, rules) {
  const [best] = node.analysed?.moves ?? [];
  if (!best || !node.analysed) return;
  const { score, exact, plies, index, pv } = best;
  learn(node, { score, exact, plies, best: index, pv, nodes: node.analysed.search.nodes }, rules);
  for (const child of node.children) learn(child, behind(node, child), rules);
}

/**
 * Fills in what is known of a new position: its result if the game is over, otherwise what follows
 * from the position before.
 * @param {Node} node @param {Rules} rules
 */
export function inherit(node, rules) {
  const over = { score: { X: 1, O: -1 }[String(node.winner)] ?? 0, exact: true, plies: 0, best: null, pv: [], nodes: 0 };
  learn(node, node.turn === null ? over : node.parent && behind(node.parent, node), rules);
}

/**
 * The evaluations of an analysis, replaced by what later positions show better.
 * @param {Node} node @returns {MoveEvaluation[]}
 */
export function evaluationsOf({ analysed, children, turn }) {
  const mover = turn ?? "X";
  let changed = false;
  const moves = (analysed?.moves ?? []).map((move) => {
    const known = children.find((child) => child.move === move.index)?.known;
    const after = { ...move, plies: move.plies === null ? null : move.plies - 1, best: null, nodes: Infinity };
    if (!known?.exact || !isStronger(known, after)) return move;
    changed = true;
    const { score, exact, plies, pv, atMost } = known;
    return { ...move, score, exact, plies: (plies ?? 0) + 1, pv: [move.index, ...pv], atMost };
  });
  return changed ? moves.sort(better(mover)) : moves;
}

/**
 * Compares two results for a side: early wins come first, then by chances, late losses before early
 * ones.
 * @param {Mark} mover
 */
function better(mover) {
  /** @param {{score: number, exact: boolean, plies: number | null}} found */
  const rank = (found) => {
    const chance = chanceOf(found, mover);
    // 0.5 to 1.5 for an estimate or a draw; above that for a win in up to 400 plies, below for a
    // loss.
    return found.exact ? 2 * chance + (0.5 - chance) * (found.plies ?? 0) * 1e-3 : 0.5 + chance;
  };
  return (/** @type {any} */ one, /** @type {any} */ two) => rank(two) - rank(one);
}

/** @param {Claim} claim @param {Claim | null} old */
function isStronger(claim, old) {
  if (!old) return true;
  if (claim.exact !== old.exact) return claim.exact;
  if (!claim.exact) return claim.nodes >= old.nodes;
  if (claim.score !== old.score) return false;
  const [plies, before] = [claim.plies ?? 0, old.plies ?? 0];
  if (claim.score !== 0 && plies !== before) return plies < before;
  if (Boolean(claim.atMost) !== Boolean(old.atMost)) return !claim.atMost;
  return claim.pv.length > old.pv.length;
}

/**
 * What a position's claim says of the position after a move. Every position after a proven loss is
 * lost; the best move leads to a position of the same value.
 * @param {Node} node @param {Node} child @returns {Claim | null}
 */
function behind({ known, analysed, turn }, child) {
  const entry = analysed?.moves.find(({ index }) => index === child.move);
  const isBest = known?.best === child.move;
  const isLost = known?.exact && known.score !== 0 && chanceOf(known, turn ?? "X") === 0;
  const source = entry?.exact || !known || !(isBest || isLost) ? entry : known;
  if (!source) return null;
  const follows = source === entry || isBest;
  const pv = follows ? source.pv.slice(1) : [];
  return {
    score: source.score,
    exact: source.exact,
    plies: source.plies === null ? null : source.plies - 1,
    atMost: !follows || Boolean(source === known && known?.atMost),
    best: pv[0] ?? null,
    pv,
    nodes: 0,
  };
}

/**
 * What the positions after a position's moves say of it: one wins, or all are proven.
 * @param {Node} node @param {Rules} rules @returns {Claim | null}
 */
function before({ cells, children, analysed, turn }, rules) {
  const mover = turn ?? "X";
  /** @type {Claim[]} */
  const found = [];
  const open = new Set([...cells].map((_, cell) => landing(cells, cell, rules)).filter((cell) => cell !== null));
  for (const cell of open) {
    const child = children.find(({ move }) => move === cell);
    const entry = analysed?.moves.find(({ index }) => index === cell);
    const { known } = child ?? {};
    if (known?.exact) {
      found.push({ ...known, plies: (known.plies ?? 0) + 1, best: cell, pv: [cell, ...known.pv], nodes: 0 });
    } else if (entry?.exact) {
      found.push({ ...entry, best: cell, nodes: 0 });
    }
  }
  const [best] = found.sort(better(mover));
  if (found.length === open.size) return best;
  // Another move may win sooner.
  return best && chanceOf(best, mover) === 1 ? { ...best, atMost: best.atMost || best.plies !== 1 } : null;
}
