/** Rules that random games seldom reach. package.test.mjs compares random games with the package. */

import { Claim } from "../../service/bestmove/web/proof.js";
import { played, TIC_TAC_TOE } from "../../service/bestmove/web/rules.js";
import { each, is, test } from "./support.mjs";

test("a move in the middle of a run that is too long wins only with overline", () => {
  const rules = { rows: 6, columns: 6, k: 5, gravity: false, misere: false };
  const after = (overline) => played("XX.XXX".padEnd(36, "."), 2, "X", { ...rules, overline });
  is([after(true).winner, after(true).line, after(false).winner], ["X", [0, 1, 2, 3, 4], null]);
});

test("the last of an odd number of moves is for the side to move", () => {
  const claims = [{ kind: "cannot-win", side: "X", plies: null, nodes: [] }];
  each((misere, turn) => {
    const cells = "XXOO.....";
    /** @type {any} */
    const certificate = { rules: { ...TIC_TAC_TOE, misere }, claims, board: cells };
    /** @type {any} */
    const stand = { cells, turn };
    return new Claim(certificate, 0).turnsLeft(stand);
  }, [[3, false, "X"], [2, false, "O"], [2, true, "X"], [3, true, "O"]]);
});
