/**
 * Compares the page's modules with the Python package. test_modules.py writes what the package says into the
 * file that BESTMOVE_FACTS names, and then runs these tests.
 */

import { readFileSync } from "node:fs";

import { History } from "../../service/bestmove/web/history.js";
import { learn, learnMoves, movesOf } from "../../service/bestmove/web/known.js";
import { cellNamed, LETTERS, nameOf } from "../../service/bestmove/web/notation.js";
import { Claim } from "../../service/bestmove/web/proof.js";
import { landing, played, spelled, standOf, SWITCHES, TIC_TAC_TOE, untouched, usualK } from "../../service/bestmove/web/rules.js";
import { ALGORITHMS, search as searched } from "../../service/bestmove/web/searches.js";
import { growTree, heightOf, parseTree, plainOf, walk } from "../../service/bestmove/web/trees.js";
import { reasonInWords, valueInWords } from "../../service/bestmove/web/words.js";
import { chooser, each, is, test } from "./support.mjs";

const search = { depth: 1, nodes: 1, elapsed_ms: 1 };
const facts = JSON.parse(readFileSync(process.env.BESTMOVE_FACTS, "utf8"));

test("positions are those of the package with every combination of switches", () => {
  const page = readFileSync(new URL("../../service/bestmove/web/index.html", import.meta.url), "utf8");
  is(page.match(/(?<=data-switch=")\w+/g), Object.keys(SWITCHES));
  for (const [rules, first, moves, stands] of facts.games) {
    is(Object.keys(rules), Object.keys(TIC_TAC_TOE));
    let stand = untouched(rules, first);
    stands.forEach((wanted, at) => {
      if (at > 0) stand = played(stand.cells, moves[at - 1], stand.turn, rules);
      const { cells, turn, status, winner, line } = stand;
      is([cells, turn, status, winner, line, [...cells].map((_, cell) => landing(cells, cell, rules))], wanted);
      // A board is read as the service reads it if it is not over and is spelled as usual.
      const board = spelled(cells, rules);
      is(standOf(board, rules, first), status === "in_progress" ? stand : null);
      is(standOf(`${board}/`, rules, first), null);
      is(standOf(board.replace(/^./, "XX"), rules, first), null);
      if (/[XO]/.test(cells)) is(standOf(board.toLowerCase(), rules, first), null);
    });
  }
});

test("boards and cells are written as the package writes them", () => {
  each((rows, columns) => spelled("X".padEnd(rows * columns, "."), { ...TIC_TAC_TOE, rows, columns }),
    facts.shapes.map(([rows, columns, board]) => [board, rows, columns]));
  each(usualK, facts.shapes.map(([rows, columns, , k]) => [k, rows, columns]));
  for (const [rules, names] of facts.squares) {
    names.forEach((name, at) => {
      is([nameOf(at, rules), cellNamed(name, rules), cellNamed(name.toUpperCase(), rules)], [name, at, at]);
    });
  }
  each(cellNamed, [..."d1 a4 a0 a 1a a01 aa1 u1".split(" "), "a1 "].map((name) => [null, name, TIC_TAC_TOE]));
  is([LETTERS[0], LETTERS[19]], ["a", "t"]);
});

test("random trees are searched as the textbook searches of the package do", () => {
  for (const [plain, maximizing, height, searches] of facts.trees) {
    const tree = parseTree(JSON.stringify(plain), maximizing);
    is([heightOf(tree), ALGORITHMS], [height, Object.keys(searches)]);
    for (const name of ALGORITHMS) {
      const { algorithm, value, path, evaluated, pruned, counts, steps } = searched(tree, name);
      const sorted = (paths) => paths.map(String).sort();
      const wanted = { ...searches[name], pruned: sorted(searches[name].pruned) };
      is({ value, path, evaluated, pruned: sorted(pruned), counts }, wanted);
      is([algorithm, steps.at(-1).counts], [name, counts]);
    }
  }
});

test("the tree of a position has all its games as deep as can be drawn", () => {
  const counts = facts.positions.map(([board, turn, height, plain]) => {
    const tree = growTree(board, turn);
    is([heightOf(tree), tree.maximizing, plainOf(tree.root)], [height, turn === "X", plain]);
    const nodes = [...walk(tree.root)];
    is(nodes.every(({ value, children }) => (value === null) === children.length > 0), true);
    return nodes.length;
  });
  is(counts.slice(-2), [401, 586]);
});

test("the reason of a move and its result are said as the command says them", () => {
  for (const [answer, why, result] of facts.reasons) {
    is(reasonInWords(answer, answer.rules), why);
    is(valueInWords(answer, answer.turn, answer.rules), result);
  }
  const [[answer]] = facts.reasons;
  each((more) => reasonInWords({ ...answer, ...more }, answer.rules), [
    ["", { move: null }], ["", { reason: null }], ["", { turn: null }],
    ["b1 has the best chances, looking 3 moves ahead.", { reason: { ...answer.reason, code: "best-estimate" } }],
  ]);
});

test("no claim contradicts the service", () => {
  for (const [rules, games] of facts.claims) {
    let [claims, concluded] = [0, 0];
    for (const [moves, positions] of games) {
      const history = new History(rules, "X");
      const truths = new Map();
      moves.forEach((move, at) => {
        const { now } = history;
        const [asks, found] = positions[at];
        if (found) {
          const [{ score, plies, pv, index: best }] = found;
          truths.set(now, { score, plies });
          if (asks === "nothing" && now.known) concluded += 1;
          if (asks === "answer") learn(now, { score, exact: true, plies, pv, best, ...search }, rules);
          if (asks === "analysis") {
            now.analysed = { moves: found, threats: { X: [], O: [] }, search, lines: 1, time_ms: 1, yielded: false };
            learnMoves(now, rules);
            is(movesOf(now).map(({ index }) => index), found.map(({ index }) => index));
          }
        }
        history.play(move);
      });
      for (const [{ known }, { score, plies }] of truths) {
        if (!known?.exact) continue;
        claims += 1;
        is(known.score, score);
        if (score !== 0) is(known.atMost ? known.plies >= plies : known.plies === plies, true);
      }
    }
    is([claims > 60, concluded > 10], [true, true]);
  }
});

for (const [name, proof] of facts.proofs) {
  test(`no random defence refutes the proof: ${name}`, () => {
    const pick = chooser(7);
    const { rules } = proof;
    const legal = (cells) => [...cells].flatMap((_, cell) => (landing(cells, cell, rules) === cell ? [cell] : []));
    const count = (cells) => cells.replaceAll(".", "").length;
    for (const [number, { side, plies, kind }] of proof.claims.entries()) {
      const wins = kind === "wins";
      const whole = new Claim(proof, number);
      if (wins) is(whole.distance(whole.root()), plies);
      for (let game = 0; game < 100; game += 1) {
        const claim = new Claim(proof, number);
        let place = claim.start();
        while (claim.open(place)) {
          const next = claim.attempt(place, pick(legal(place.stand.cells)));
          if (wins) is(claim.distance(next) < claim.distance(place), true);
          place = next;
        }
        let { stand } = place;
        if (wins) is([stand.turn, count(stand.cells) - count(proof.board) <= plies], [null, true]);
        // Where the proof ends early, nothing that follows gives the side a win.
        while (stand.turn) stand = played(stand.cells, pick(legal(stand.cells)), stand.turn, rules);
        is(stand.winner === side, wins);
      }
    }
  });
}
