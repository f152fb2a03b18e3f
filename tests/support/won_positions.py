"""Positions on 15×15 in which the side to move has a forced win that is not obvious.

They come from 262 games of Rapfi (with its classical evaluation of July 2022) against itself, with
20,000 to 50,000 nodes per move, from openings of three to five random marks around the middle. Each
game gives one position. In this position Rapfi announced a win in 5 to 25 plies, and it announced a
win at every later move. The position is the earliest of this kind in its game. Rapfi won each game
within the announced plies. Positions with shorter wins come first.
"""

from pathlib import Path

from bestmove import Board

FILE = Path(__file__).parents[2] / "benchmarks" / "engine" / "won_positions.txt"


def positions(overline: bool = True) -> list[Board]:
    """Return the positions. `overline`: more than five in a row also win."""
    lines = FILE.read_text(encoding="ascii").split()
    return [Board.parse(line, overline=overline) for line in lines]
