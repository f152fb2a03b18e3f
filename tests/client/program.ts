/** A typed program that plays with the npm package. Its argument is the address of a service. */

import { Client, RequestRefused, ServiceUnreachable, type BestMove, type Options } from "bestmove";

declare const process: { argv: string[] };

const service = new Client(process.argv[2]!);
const options: Options = { game: "connect-four", level: 3, seed: 1 };
const { moves } = await service.analyze({ moves: "d1" }, { ...options, time_ms: 50 });
let answer: BestMove = await service.play({ moves: "d1" }, moves[0]!, options);
answer = await service.play(answer.after.board, "d", options);
while (answer.move !== null) {
  const board: string = answer.after.board;
  answer = await service.bestMove(board, options);
}
const over: null = answer.turn;
console.log(answer.status, answer.rules.rows, over);

const { games, limits } = await service.games();
const rows: number | undefined = games.find(({ name }) => name === options.game)?.rules.rows;
console.log(rows, limits.lines, games.length);

const proven = await service.prove("XX..O.O..");
if (proven.proof === null) console.log(proven.detail);
else console.log(proven.proof.claims[0]?.plies);

const refused = await service.bestMove("XX").catch((error: unknown) => error);
if (refused instanceof RequestRefused) console.log(refused.status, refused.url, refused.message);

const nowhere = new Client(new URL("http://127.0.0.1:1"));
const lost = await nowhere.analyze("X........", { time_ms: 1 }).catch((error: unknown) => error);
if (lost instanceof ServiceUnreachable) console.log(lost.message);
