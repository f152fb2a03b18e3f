"""`bestmove tree`: searches an explicit game tree and shows what is pruned."""

from __future__ import annotations

import json
import sys
from typing import Any, Final

import click

from bestmove.cli.options import integer_option, json_option, plain_option, url_option
from bestmove.errors import InvalidTree
from bestmove.search.limits import MAX_DEPTH, TEXTBOOK

_ASCII: Final = str.maketrans({"├": "+", "└": "`", "─": "-", "│": "|", "≤": "<=", "≥": ">="})


@click.command()
@click.argument("tree", required=False)
@click.option("--minimize", is_flag=True, help="The minimiser moves at the root.")
@integer_option("--depth", least=0, most=MAX_DEPTH, help="Plies to look ahead.")
@click.option(
    "--algorithm",
    type=click.Choice(TEXTBOOK),
    metavar="NAME",
    help=f"One of {', '.join(TEXTBOOK)}.  [default: alpha-beta]",
)
@click.option("--trace", is_flag=True, help="Show each node's value or bound, alpha, beta, cutoff.")
@url_option
@json_option
@plain_option
def tree(
    tree: str | None,
    minimize: bool,
    depth: int | None,
    algorithm: str | None,
    trace: bool,
    url: str | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Search TREE, and show its value, the best path and what is pruned.

    Leaves are numbers. Nodes are arrays, or objects with "children" and a "value". The value is
    used if --depth ends the search at the node. Without TREE, read the tree from standard input.

    The last line has the value for the maximiser; the path of best play, by the numbers of the
    children from 0; the nodes visited; and how many of them were evaluated: leaves, and nodes at
    --depth. A pruned subtree is not visited. docs/glossary.md has all words.

    With --trace, ≤ or ≥ stands before a bound: the search of the node found no exact value. In
    negamax, values, alpha and beta are for the side to move at the node.

    \b
    bestmove tree '[[5,2,9],[8,4,7]]'
    bestmove tree --trace '[[5,2,9],[8,4,7]]'
    bestmove tree --json '[[3,[5,2]],[6,9]]' | jq .pruned
    """
    from bestmove.cli import drawing
    from bestmove.cli.backends import backend

    parsed = _parsed(tree)
    with backend(url) as source:
        answer = source.game_tree(
            parsed, maximizing=not minimize, depth=depth, algorithm=algorithm, trace=trace
        )
    if as_json:
        click.echo(json.dumps(answer.to_dict()))
        return
    console = drawing.console(plain)
    with console.capture() as drawn:
        console.print(drawing.draw_tree(parsed, answer, maximizing=not minimize, depth=depth))
    text = drawn.get()
    click.echo(text.translate(_ASCII) if plain else text, nl=False, color=not plain)
    path = " ".join(map(str, answer.path)) or "(the root)"
    if trace and answer.search.algorithm == "negamax":
        console.print("values, alpha and beta are for the side to move at the node")
    console.print(
        f"value {answer.value:g}, path {path}; {answer.search.algorithm}: "
        f"{answer.search.nodes} nodes, {len(answer.evaluated)} evaluated, "
        f"{len(answer.pruned)} {'subtree' if len(answer.pruned) == 1 else 'subtrees'} pruned"
    )


def _parsed(text: str | None) -> Any:
    if text is None or text == "-":
        if sys.stdin.isatty():
            raise click.UsageError("give a tree, such as '[[5,2],[8,4]]'")
        text = sys.stdin.read()
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        hint = "for a board, use bestmove suggest or bestmove analyze"
        raise InvalidTree(f"the tree is not JSON such as [[5,2],[8,4]]: {error}; {hint}") from error
