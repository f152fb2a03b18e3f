"""`bestmove suggest` and `bestmove analyze`: answers for boards, one or many."""

from __future__ import annotations

from typing import Any

import click

from bestmove.cli.options import (
    NUMBER,
    Decorator,
    boards_from,
    depth_option,
    game_options,
    lines_option,
    moves_option,
    nodes_option,
    options_of,
    plain_option,
    search_options,
    threads_option,
    time_option,
    url_option,
)

_output_option: Decorator = click.option(
    "-o",
    "--output",
    type=click.Choice(["text", "json", "csv"]),
    help="text for people, json as the service sends it, one answer per line, or csv, a table.  "
    "[default: text]",
)
_json_option: Decorator = click.option(
    "--json", "output", flag_value="json", help="Short for -o json."
)


@click.command()
@click.argument("boards", nargs=-1)
@game_options
@moves_option
@search_options
@nodes_option
@url_option
@_output_option
@_json_option
@plain_option
def suggest(
    boards: tuple[str, ...], url: str | None, output: str | None, plain: bool, **values: Any
) -> int:
    """Say what to play on each of BOARDS.

    A board is a string (X...O...., or rows: 'X../.O./...') or a JSON array. Without BOARDS they
    are read from standard input, one per line. A bad board is reported with its line, and the
    others are answered.

    \b
    bestmove suggest X...O....
    bestmove suggest --game connect-four --moves 4453
    bestmove suggest --json X...O.... | jq .move.index
    bestmove suggest -o csv < boards.txt > answers.csv
    bestmove suggest --level 3 --seed 7 < boards.txt
    """
    options = options_of(values)
    named = boards_from(boards, options)
    from bestmove.cli.answers import answer_all
    from bestmove.cli.backends import backend

    with backend(url) as source:
        return answer_all(named, source.best_move, options, output, plain)


@click.command()
@click.argument("boards", nargs=-1)
@game_options
@moves_option
@time_option
@depth_option
@nodes_option
@threads_option
@lines_option
@click.option(
    "--top",
    type=click.IntRange(1),
    metavar=NUMBER,
    default=10,
    show_default=True,
    help="Moves to list in the text; json and csv have all.",
)
@url_option
@_output_option
@_json_option
@plain_option
def analyze(
    boards: tuple[str, ...],
    top: int,
    url: str | None,
    output: str | None,
    plain: bool,
    **values: Any,
) -> int:
    """Say what every legal move on each of BOARDS leads to, best first.

    Results are for the side to move: an estimate of +1 is its win, -1 its loss. Boards are given as
    to bestmove suggest.

    \b
    bestmove analyze X...O....
    bestmove analyze --game gomoku --moves 'h8 i9 h9'
    bestmove analyze --json X...O.... | jq '.moves[0].index'
    bestmove analyze -o csv < boards.txt > moves.csv
    """
    options = options_of(values)
    named = boards_from(boards, options)
    from bestmove.cli.answers import answer_all
    from bestmove.cli.backends import backend

    with backend(url) as source:
        return answer_all(named, source.analyze, options, output, plain, top)
