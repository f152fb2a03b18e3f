/** Answers as they get better: the last one is the whole answer. */

/** @typedef {import("./client.js").Client} Client */
/** @typedef {import("./client.js").BestMove} BestMove */
/** @typedef {import("./client.js").Analysis} Analysis */
/** @typedef {import("./client.js").Options} Options */

/**
 * @param {Client} client
 * @param {"bestMove" | "analyze"} task
 * @param {string} board
 * @param {Options & {lines?: number}} options
 * @returns {AsyncGenerator<BestMove | Analysis>}
 */
export async function* follow(client, task, board, options) {
  yield await client[task](board, options);
}
