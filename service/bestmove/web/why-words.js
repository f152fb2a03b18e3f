/** All texts of the dialog that shows a proof. */

/** @typedef {import("./client.js").Mark} Mark */

export const labels = {
  asking: "Asking the service for the proof.",
  claims: "Claims of the proof",
  back: "Take back",
  start: "From the start",
  explore: "The tree in the explorer",
  save: "Save the proof",
  follow: "Go through the line",
  retry: "Try again",
  close: "Close",
};

const moves = (/** @type {number} */ count) => `${count} ${count === 1 ? "move" : "moves"}`;
const inAtMost = (/** @type {number} */ count) => (count ? `in at most ${moves(count)}` : "at once");

export const say = {
  why: "Why?",
  whyWins: (/** @type {Mark} */ side) => `Why ${side} wins`,
  whyDraw: "Why it is a draw",
  cannotWin: (/** @type {Mark} */ side) => `${side} cannot win`,
  whyCannotWin: (/** @type {Mark} */ side) => `Why ${side} cannot win`,
  noProof: "There is no proof to show.",
  notFound: "No proof to step through",
  certain: "The result is certain, because the engine has searched to the end. It found no proof short enough to step through.",
  later: "Later in the game it is easier to prove: play on a few moves, then ask again.",
  /** A statement in the words of `bestmove verify`, and the winner's moves. */
  verified: (/** @type {string} */ statement, /** @type {number} */ count, /** @type {string} */ move) =>
    `Verified in this browser${move && `, after ${move}`}: ${statement.replace("plies", "half-moves").replace("ply", "half-move")}${count ? ` (${moves(count)})` : ""}.`,
  shorter: (/** @type {number} */ count) =>
    `The analysis also knows a win ${inAtMost(count)}; that search is not written as a proof.`,
  longer: (/** @type {number} */ count) => `The analysis had found a win ${inAtMost(count)}: the proof is shorter.`,
  refused: (/** @type {string} */ reason) =>
    `The service sent a proof, but this browser cannot verify it: ${reason}.`,

  wins: (/** @type {Mark} */ side, /** @type {Mark} */ loser, /** @type {number} */ count) =>
    `Whatever ${loser} plays now, ${side} wins ${inAtMost(count)}.`,
  holds: (/** @type {Mark} */ side, /** @type {Mark} */ chooser) =>
    `Whatever ${side} plays now, ${chooser} prevents a win by ${side}.`,
  begins: (/** @type {Mark} */ chooser, /** @type {string} */ cell) => `${chooser} plays ${cell}.`,
  yours: (/** @type {Mark} */ replier) => `You play ${replier}: try any move.`,

  tried: (/** @type {Mark} */ replier, /** @type {string} */ cell) => `${replier} plays ${cell}.`,
  /** @type {Record<import("./proof.js").How, (by: Mark, cell: string) => string>} */
  answers: {
    node: (by, cell) => `${by} answers ${cell}.`,
    pass: (by, cell) => `That does not stop the win, so the proof treats it as a pass: ${by} plays ${cell}.`,
    pair: (by, cell) => `${by} takes the other cell of the pair, ${cell}.`,
    weight: (by, cell) => `${by} answers ${cell}, which lowers the sum most.`,
    free: (by, cell) => `Any move of ${by} is good enough, for example ${cell}.`,
  },
  still: (/** @type {Mark} */ side, /** @type {number} */ count) => `${side} wins ${inAtMost(count)}.`,

  won: (/** @type {Mark} */ side) => `${side} has a line and wins. The proof ends here.`,
  lost: (/** @type {Mark} */ loser, /** @type {Mark} */ side) =>
    `${loser} has a line, so ${side} wins. The proof ends here.`,
  full: (/** @type {Mark} */ side) => `The board is full, and ${side} has not won.`,
  spent: (/** @type {Mark} */ side, /** @type {number} */ plies) => `${side} has not won within ${plies} half-moves.`,
  only: (/** @type {Mark} */ side, /** @type {Mark} */ filler) => `${side} wins only if ${filler} completes a line.`,
  blocked: (/** @type {Mark} */ filler) => `Every line of ${filler} is blocked.`,
  slow: (/** @type {Mark} */ filler, /** @type {number} */ least, /** @type {number} */ turns) =>
    `Every line that ${filler} can still fill needs ${least} or more marks, and ${filler} has only ` +
    `${turns} ${turns === 1 ? "turn" : "turns"} left.`,

  zone: (/** @type {Mark} */ replier, /** @type {number} */ count) =>
    (count === 0
      ? `No move by ${replier} needs a particular answer here.`
      : `${count === 1 ? "The cell with a dot is the only one" : `The ${count} cells with a dot are the only ones`} ` +
        `where a move by ${replier} needs a particular answer.`) +
    " A mark on any other cell cannot stop the win.",
  inZone: "needs an answer",
  elsewhere: "else",
  aimed: (/** @type {string} */ cell) => `Aimed at ${cell}. Tap again to play there.`,
  pairs: (/** @type {Mark} */ side, /** @type {Mark} */ chooser) =>
    `Each line that ${side} can still fill contains both cells of a pair. When ${side} takes one cell of a pair, ` +
    `${chooser} takes the other, so ${side} never fills a line (Hales and Jewett, 1963).`,
  partner: (/** @type {string} */ cell) => `pair with ${cell}`,
  sum: (/** @type {Mark} */ side, /** @type {Mark} */ chooser, /** @type {number} */ weight) =>
    `A line that ${side} can still fill counts ½ if it lacks one mark, ¼ if it lacks two, ⅛ if it lacks three, and so ` +
    `on. All lines together count ${inFull(weight)}. ` +
    (weight < 0.5
      ? `With ${side} to move, a sum below 0.5 `
      : `They stay below 1 whatever ${side} plays, and with ${chooser} to move a sum below 1 `) +
    `never grows to a whole line, if ${chooser} always takes the cell whose lines count most (Erdős and Selfridge, 1973).`,
};

/** Returns the weight rounded down, so that a sum below 0.5 is never shown as 0.5. @param {number} weight */
const inFull = (weight) => String(Math.floor(weight * 1000) / 1000);
