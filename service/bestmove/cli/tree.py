"""`bestmove tree`: an explicit game tree searched, and what was pruned."""

from __future__ import annotations

import json
import sys
from typing import Any

import click
from rich.text import Text
from rich.tree import Tree

from bestmove.cli import drawing
from bestmove.cli.backends import backend
from bestmove.cli.options import depth_option, json_option, plain_option, url_option
from bestmove.client.answers import GameTree
from bestmove.client.fields import Path
from bestmove.errors import InvalidTree
from bestmove.search.limits import ALGORITHMS


@click.command(short_help="The value of a game tree, and what was pruned.")
@click.argument("tree", required=False)
@click.option("--minimize", is_flag=True, help="The minimiser moves at the root.")
@depth_option
@click.option(
    "--algorithm",
    type=click.Choice(ALGORITHMS[1:]),
    metavar="NAME",
    help=f"The search: {', '.join(ALGORITHMS[1:])}.  [default: alpha-beta]",
)
@url_option
@json_option
@plain_option
def tree(
    tree: str | None,
    minimize: bool,
    depth: int | None,
    algorithm: str | None,
    url: str | None,
    as_json: bool,
    plain: bool,
) -> None:
    """Search TREE, and show its value, the best path and what was pruned.

    Leaves are numbers, nodes arrays, or objects with "value" and "children" (the value serves
    where --depth cuts). Without TREE it is read from standard input.

    \b
    bestmove tree '[[5,2,9],[8,4,7]]'
    bestmove tree --algorithm minimax --json '[[3,[5,2]],[6,9]]' | jq .pruned
    """
    parsed = _parsed(tree)
    with backend(url) as source:
        answer = source.game_tree(parsed, maximizing=not minimize, depth=depth, algorithm=algorithm)
    if as_json:
        click.echo(json.dumps(answer.as_json()))
        return
    console = drawing.console(plain)
    with console.capture() as drawn:
        console.print(_drawn(parsed, answer, maximizing=not minimize, depth=depth))
    # Box characters only where there is someone to see them drawn.
    text = drawn.get()
    click.echo(text.translate(_ASCII) if plain else text, nl=False, color=not plain)
    console.print(
        f"value {answer.value:g}, path {_path(answer.path)}; {answer.search.algorithm}: "
        f"{answer.search.nodes} nodes, {len(answer.evaluated)} evaluated, "
        f"{len(answer.pruned)} pruned"
    )


_ASCII = str.maketrans({"├": "+", "└": "`", "─": "-", "│": "|"})


def _parsed(text: str | None) -> Any:
    if text is None or text == "-":
        if sys.stdin.isatty():
            raise click.UsageError("give a tree, such as '[[5,2],[8,4]]'")
        text = sys.stdin.read()
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidTree(f"the tree is no JSON: {error}") from error


def _drawn(root: Any, answer: GameTree, maximizing: bool, depth: int | None) -> Tree:
    """The tree with the best path bold and the pruned parts greyed out."""
    pruned, best = set(answer.pruned), answer.path
    evaluated = set(answer.evaluated)

    def label(node: Any, path: Path, skipped: bool) -> Text:
        value, children = _parts(node)
        open_node = bool(children) and (depth is None or len(path) < depth)
        if open_node:
            name = "max" if (len(path) % 2 == 0) == maximizing else "min"
            text = name if path else f"{name} = {answer.value:g}"
        else:
            text = f"{value:g}" if isinstance(value, int | float) else "..."
        if skipped:
            return Text(f"{text}  (pruned)" if path in pruned else text, "dim strike")
        on_path = path == best[: len(path)]
        return Text(
            text + ("  <- best" if on_path and path else ""),
            "bold green" if on_path else ("" if open_node or path in evaluated else "dim"),
        )

    drawn = Tree(label(root, (), False))
    waiting: list[tuple[Any, Path, Tree, bool]] = [(root, (), drawn, False)]
    while waiting:
        node, path, branch, skipped = waiting.pop()
        children = _parts(node)[1]
        if depth is not None and len(path) >= depth:
            continue
        for number, child in enumerate(children):
            below = (*path, number)
            gone = skipped or below in pruned
            waiting.append((child, below, branch.add(label(child, below, gone)), gone))
    return drawn


def _parts(node: Any) -> tuple[Any, list[Any]]:
    if isinstance(node, dict):
        return node.get("value"), node.get("children") or []
    return (None, node) if isinstance(node, list) else (node, [])


def _path(path: Path) -> str:
    return " ".join(map(str, path)) or "(the root)"
