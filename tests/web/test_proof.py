"""proof.js, run by node: the answers of a proof to random defences."""

import json

import pytest

from bestmove import Board, Limits, prove
from tests.support.needs import NODE
from tests.web.node import shown

pytestmark = NODE

PLAYOUTS = """
const { Claim } = await load("proof.js");
const { landing, played } = await load("rules.js");
let seed = 7;
const pick = (all) => all[(seed = (seed * 48271) % 2147483647) % all.length];
const legal = (cells) =>
  [...cells].flatMap((_, cell) => landing(cells, cell, given.rules) === cell ? [cell] : []);
const count = (cells) => cells.replaceAll(".", "").length;
const faults = [];
let most = 0;
for (let number = 0; number < given.claims.length; number += 1) {
  const { side, plies, kind } = given.claims[number];
  const whole = new Claim(given, number);
  if (kind === "wins" && whole.distance(whole.root()) !== plies) faults.push("bound");
  for (let game = 0; game < 100; game += 1) {
    const claim = new Claim(given, number);
    let place = claim.start();
    while (claim.open(place)) {
      const next = claim.attempt(place, pick(legal(place.stand.cells)));
      const nearer = claim.distance(next) < claim.distance(place);
      if (kind === "wins" && !nearer) faults.push("distance");
      place = next;
    }
    let { stand } = place;
    most = Math.max(most, count(stand.cells) - count(given.board));
    // Where the proof ends early, nothing that follows gives the side a win.
    while (stand.turn) {
      stand = played(stand.cells, pick(legal(stand.cells)), stand.turn, given.rules);
      if (kind === "wins") faults.push("no end");
    }
    if ((stand.winner === side) !== (kind === "wins")) faults.push(stand.cells);
    if (plies !== null && kind === "wins" && most > plies) faults.push("late");
  }
}
show(faults);
"""

BOARDS = {
    "an image by each symmetry": Board.parse("........."),
    "a mark more": Board.parse("X...O...."),
    "a win with zones": Board.parse("..../..../..../....", k=3),
    "a win of eleven plies": Board.parse("....../....../...X../..O.../....../......", k=4),
    "pairs": Board.parse("..X./.O../..../....", k=4),
    "moves, pairs and sums": Board.parse("O...O/..X.X/....O/X.X..", k=4),
    "exactly five": Board.parse("...../...../...../...../.....", k=5, overline=False),
    "marks fall": Board.parse("..../..../..../....", k=3, gravity=True),
    "a draw where marks fall": Board.parse("..../..../..../X...", k=4, gravity=True),
    "a line loses": Board.parse(".........", misere=True),
    "a line loses, and one side must": Board.parse("..../..../....", k=3, misere=True),
    "gomoku": Board.from_moves("h8 i9 h7 j10 h6 k11", game="gomoku"),
}


@pytest.mark.parametrize("name", BOARDS)
def test_no_random_defence_refutes_the_proof(name: str) -> None:
    proof = prove(BOARDS[name], Limits(time_ms=None, nodes=2_000_000))
    assert proof is not None
    assert shown(PLAYOUTS, json.loads(proof.text)) == []
