"""Positions on 15×15 in which the side to move has a forced win that is not obvious.

Rapfi (with its classical evaluation of July 2022) played 262 games against itself:

- A game began with three to five random marks around the middle.
- Rapfi searched 20,000 to 50,000 nodes per move.
- Each game gives one position. From this position on, Rapfi announced a win at every move.
- In this position, Rapfi announced a win in 5 to 25 plies, and won in at most that many.

Positions with shorter wins come first.
"""

from pathlib import Path

from bestmove import Board

FILE = Path(__file__).parents[2] / "benchmarks" / "engine" / "won_positions.txt"


def positions(overline: bool = True) -> list[Board]:
    lines = FILE.read_text(encoding="ascii").split()
    return [Board.parse(line, overline=overline) for line in lines]
