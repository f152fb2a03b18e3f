"""`bestmove suggest` and `bestmove analyze`: answers for boards, one or many."""

from __future__ import annotations

from typing import Any

import click

from bestmove.cli.options import (
    Decorator,
    boards_from,
    game_options,
    integer_option,
    limit_options,
    moves_option,
    options_of,
    plain_option,
    url_option,
)

_output_option: Decorator = click.option(
    "--format",
    "output",
    type=click.Choice(["text", "json", "csv"]),
    help="text for people, json (the service's answers, one per line) or csv (a table).  "
    "[default: text]",
)
_json_option: Decorator = click.option(
    "--json", "output", flag_value="json", help="Short for --format json."
)


@click.command()
@click.argument("boards", nargs=-1)
@game_options
@moves_option
@limit_options("suggest")
@url_option
@_output_option
@_json_option
@plain_option
def suggest(
    boards: tuple[str, ...], url: str | None, output: str | None, plain: bool, **values: Any
) -> int:
    """Suggest the best move on each of BOARDS.

    A board is a string (X...O...., or rows: 'X../.O./...') or a JSON array. Without BOARDS,
    suggest reads a board from each line of standard input. It reports invalid boards with their
    line numbers, and answers the others.

    \b
    bestmove suggest X...O....
    bestmove suggest --game connect-four --moves 4453
    bestmove suggest --json X...O.... | jq .move.index
    bestmove suggest --format csv < boards.txt > answers.csv
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
@limit_options("analyze")
@integer_option(
    "--top", default=10, show_default=True, help="Moves to list as text; json and csv list all."
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
    """Show the result of every legal move on each of BOARDS, best first.

    Results are for the side to move. An estimate is between -1 (a loss) and +1 (a win). BOARDS are
    the same as for bestmove suggest.

    \b
    bestmove analyze X...O....
    bestmove analyze --game gomoku --moves 'h8 i9 h9'
    bestmove analyze --json X...O.... | jq '.moves[0].index'
    bestmove analyze --format csv < boards.txt > moves.csv
    """
    options = options_of(values)
    named = boards_from(boards, options)
    from bestmove.cli.answers import answer_all
    from bestmove.cli.backends import backend

    with backend(url) as source:
        return answer_all(named, source.analyze, options, output, plain, top)
