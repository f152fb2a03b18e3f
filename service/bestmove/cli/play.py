"""`bestmove play`: a game in the terminal."""

from __future__ import annotations

from typing import Any

import click

from bestmove.cli import ctrl_c
from bestmove.cli.options import (
    MARK,
    board_or_moves,
    game_options,
    limit_options,
    moves_option,
    options_of,
    plain_option,
    url_option,
)
from bestmove.errors import BestMoveError
from bestmove.game import X


@click.command()
@click.argument("board", required=False)
@game_options
@moves_option
@click.option("--mark", type=MARK, metavar="X|O", default=X, show_default=True, help="Your mark.")
@limit_options("play")
@click.option("--why", is_flag=True, help="Explain each move of the engine.")
@url_option
@plain_option
def play(
    board: str | None,
    mark: str,
    why: bool,
    url: str | None,
    plain: bool,
    **values: Any,
) -> None:
    """Play against the engine, from the empty board or from BOARD.

    Type a cell to move: a1 is at the bottom left. With gravity, type only a column letter. Type
    help for more.

    \b
    bestmove play                        you are X and begin
    bestmove play --mark O               the engine begins
    bestmove play --mark O --first O     you are O and begin
    bestmove play --game connect-four
    bestmove play --game gomoku --level 4
    bestmove play --algorithm minimax
    """
    options = options_of(values)
    board_or_moves(board, options)
    from bestmove.cli import drawing
    from bestmove.cli.backends import backend
    from bestmove.cli.game import TerminalGame
    from bestmove.game.inputs import position_of, without_position
    from bestmove.search.analysis import require_textbook
    from bestmove.search.limits import Limits

    start = position_of(board, options)
    limits = without_position(options)
    asked = Limits(**limits)
    if asked.algorithm != "auto":
        is_engines = start.is_over or start.turn != mark
        require_textbook(start if is_engines else start.after(start.moves[0]), asked)
    console = drawing.console(plain)
    ctrl_c.raise_error()
    with backend(url, in_game=True) as source:
        game = TerminalGame(source, limits, start, mark, why, console, plain, url)
        try:
            game.run()
        except (EOFError, KeyboardInterrupt) as left:
            game.leave()
            if isinstance(left, KeyboardInterrupt):
                raise click.exceptions.Exit(ctrl_c.INTERRUPTED) from left
        except BestMoveError:
            game.leave("The game stops here.")
            raise
