"""Positions on 15×15 that the side to move has won by force, though not at first sight.

262 games of Rapfi (with its classical evaluation of July 2022) against itself, with 20,000
to 50,000 nodes a move, from openings of three to five marks at random around the middle. Of each
game the earliest position from which it told a mate in 5 to 25 plies at every move and gave it in
time; those with the shorter mates come first.
"""

from pathlib import Path

from bestmove import Board

FILE = Path(__file__).parents[2] / "benchmarks" / "engine" / "won_positions.txt"


def positions(overline: bool = True) -> list[Board]:
    """The positions of the file, where more than five in a row win, too, or not."""
    lines = FILE.read_text(encoding="ascii").split()
    return [Board.parse(line, overline=overline) for line in lines]
