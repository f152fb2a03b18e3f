"""Which known results have a certificate? Prints each claim, its size and the time that it took.

    python -m benchmarks.engine.proofs --games 7x7k5 --seconds 3600
    python -m benchmarks.engine.proofs --won 262
    python -m benchmarks.engine.proofs --connect-four 60

Seconds are processor time. `--won N` tries the first N positions of won_positions.txt, and
`--connect-four N` tries N random positions of Connect Four. Both print how many positions have a
valid certificate, and how many have one under 1 MB.
"""

import gzip
import random
import re
import time
from threading import Thread
from typing import Final

from benchmarks.options import asked
from bestmove import Board, Limits, Proof, verify
from bestmove.proof.certificate import attempt
from bestmove.proof.verify import LIMIT
from bestmove.search.cancellation import Cancellation
from tests.support import won_positions
from tests.support.positions import after_random_moves

GAMES: Final = (
    "20x20k9 20x20k10 20x20k11 20x20k12 20x20k13 20x20k14 20x20k15 20x20k16 20x20k17 20x20k18 "
    "20x20k19 20x20k20 3x3k3 3x4k3 4x4k3 4x4k4 4x5k4 4x6k4 4x7k4 5x5k4 5x6k4 6x6k4 5x5k5 6x6k5 "
    "6x6k6 7x7k4 7x7k5 7x7k6 7x7k7 5x5k4-exactly gravity-3x3k3 gravity-4x4k3 gravity-4x4k4 "
    "gravity-4x5k4 gravity-5x4k4 gravity-5x5k4 misere-3x3k3 misere-3x4k3 misere-4x4k3 misere-4x4k4"
)
"""Rows, columns, k and switches of each game. `exactly` means that longer runs do not win."""

SMALL: Final = 1 << 20


def board_of(game: str) -> Board:
    rows, columns, k = map(int, re.findall(r"\d+", game))
    gravity, exactly, misere = (name in game for name in ("gravity", "exactly", "misere"))
    return Board.empty(rows, columns, k, gravity=gravity, overline=not exactly, misere=misere)


def proven(board: Board, seconds: float) -> tuple[Proof | None, str, float]:
    """Return the certificate or None, the reason for None, and the seconds of the search."""
    cancellation = Cancellation()
    started = time.process_time()
    done = False

    def watch() -> None:
        while not done:
            time.sleep(0.05)
            if time.process_time() - started > seconds:
                cancellation.cancel()

    Thread(target=watch, daemon=True).start()
    limits = Limits(time_ms=None, nodes=10**12)
    proof, why = attempt(board, limits, most_bytes=LIMIT, cancellation=cancellation)
    done = True
    return proof, why, time.process_time() - started


def row_of(game: str, seconds: float) -> str:
    proof, why, took = proven(board_of(game), seconds)
    if proof is None:
        return f"| {game} | {why} | | | | {took:.2f} s | |"
    text = proof.text.encode()
    packed = gzip.compress(text, mtime=0)
    started = time.process_time()
    verdict = verify(packed)
    checked = time.process_time() - started
    said = verdict.statement if verdict.stands else f"REFUSED: {verdict.reason}"
    return (
        f"| {game} | {said} | {proof.nodes:,} | {len(text):,} | {len(packed):,} | {took:.2f} s "
        f"| {checked:.2f} s |"
    )


def share(boards: list[Board], seconds: float) -> None:
    found = small = 0
    for tried, board in enumerate(boards, 1):
        proof, why, took = proven(board, seconds)
        if proof is not None and verify(proof.to_dict()):
            found += 1
            small += len(proof.text) < SMALL
        else:
            print(f"{board} {why} {took:.2f} s", flush=True)
        print(f"{tried}: {found} proven, {small} under 1 MB", end="\r", flush=True)
    print()


def main() -> None:
    options = asked(__doc__, games=GAMES, seconds=60.0, won=0, connect_four=0)
    if options.won:
        share(won_positions.positions()[: options.won], options.seconds)
    elif options.connect_four:
        chance, empty = random.Random(1), Board.empty(game="connect-four")
        plies = (chance.randint(16, 40) for _ in range(options.connect_four))
        share([after_random_moves(chance, empty, count) for count in plies], options.seconds)
    else:
        for game in options.games.replace(",", " ").split():
            print(row_of(game, options.seconds), flush=True)


if __name__ == "__main__":
    main()
