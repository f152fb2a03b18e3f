"""Output for a terminal: consoles, drawn boards and drawn trees."""

from __future__ import annotations

import sys
from collections.abc import Collection
from math import inf
from typing import Any, Final

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from bestmove.answers import Cells, GameTree
from bestmove.errors import printable
from bestmove.game import EMPTY, Board, Rules, X
from bestmove.game.rules import LETTERS

_LARGEST_WITH_LINES: Final = 9
"""The longest side of a board that is drawn with lines between the cells. Larger boards would not
fit on a screen."""

_ENDLESS: Final = 1000
"""The width of output to a file or a pipe, where no line may be wrapped or cut."""


class _Console(Console):
    def render_str(self, text: str, **options: Any) -> Text:
        """Escape control characters in every text, also in the cells of tables."""
        return super().render_str(printable(text), **options)

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError again: rich would end the process with exit code 1."""
        raise


def console(plain: bool = False, stderr: bool = False) -> Console:
    """Make a console that prints text unchanged. With `plain`, send no control sequences."""
    is_terminal = (sys.stderr if stderr else sys.stdout).isatty()
    return _Console(
        stderr=stderr,
        highlight=False,
        markup=False,
        emoji=False,
        width=None if is_terminal else _ENDLESS,
        soft_wrap=not is_terminal,
        color_system=None if plain else "auto",
        force_terminal=False if plain else None,
    )


def draw(board: Board, last: int | None = None, plain: bool = False) -> RenderableType:
    """Draw the board, with column letters from the left and row numbers from the bottom.

    The drawing is readable without colours: `[X]` is the last move, and `*X*` a cell of the winning
    line.
    """
    rules = board.rules
    won = board.winning_line or ()
    rows = [
        [
            _cell(mark, cell, last, won)
            for cell, mark in enumerate(board.cells[start : start + rules.columns], start)
        ]
        for start in range(0, rules.size, rules.columns)
    ]
    return _with_lines(rules, rows, plain) if _has_lines(rules) else _without_lines(rules, rows)


def _has_lines(rules: Rules) -> bool:
    return max(rules.rows, rules.columns) <= _LARGEST_WITH_LINES


def _with_lines(rules: Rules, rows: list[list[Text]], plain: bool) -> Table:
    table = Table(
        box=box.ASCII2 if plain else box.SQUARE, show_lines=True, padding=0, header_style="dim"
    )
    table.add_column("", style="dim", justify="right")
    for letter in LETTERS[: rules.columns]:
        table.add_column(f"{letter:^3}", width=3, no_wrap=True)
    for number, row in zip(range(rules.rows, 0, -1), rows, strict=True):
        table.add_row(f"{number} ", *row)
    return table


def _without_lines(rules: Rules, rows: list[list[Text]]) -> Text:
    drawn = Text(f"{'':4}{' '.join(LETTERS[: rules.columns])}", "dim", no_wrap=True)
    for number, row in zip(range(rules.rows, 0, -1), rows, strict=True):
        drawn.append(f"\n{number:2} ", "dim")
        right = Text(" ")
        for cell in row:
            left, mark, next_right = cell.divide((1, 2))
            # Two cells share the character between them. Show the sign that is not a space.
            drawn.append_text(max(right, left, key=str))
            drawn.append_text(mark)
            right = next_right
        drawn.append_text(right)
    return drawn


def _cell(mark: str, index: int, last: int | None, won: Collection[int]) -> Text:
    if mark == EMPTY:
        return Text(" . ", "dim")
    colour = "cyan" if mark == X else "magenta"
    if index in won:
        return Text(f"*{mark}*", "bold black on green")
    if index == last:
        return Text(f"[{mark}]", f"bold reverse {colour}")
    return Text(f" {mark} ", f"bold {colour}")


def draw_tree(root: Any, answer: GameTree, maximizing: bool, depth: int | None) -> Tree:
    """Draw a game tree, with the best path in bold and the pruned parts dimmed.

    With a trace, show at each visited node its value or bound, the window with which it was
    entered, and whether the rest of its children were cut off. In negamax, values and windows are
    for the side to move, also at leaves.
    """
    pruned, best = set(answer.pruned), answer.path
    evaluated = set(answer.evaluated)
    trace, algorithm = answer.trace or (), answer.search.algorithm
    traced = {node.path: node for node in trace}
    above_cutoffs = {
        node.path[:end] for node in trace if node.cutoff for end in range(len(node.path) + 1)
    }
    is_negamax = bool(trace) and algorithm == "negamax"

    def label(node: Any, path: Cells, is_pruned: bool) -> Text:
        value, children = _parts(node)
        is_open = bool(children) and (depth is None or len(path) < depth)
        side = "max" if (len(path) % 2 == 0) == maximizing else "min"
        if is_negamax and side == "min" and value is not None:
            value = -value
        if is_open:
            name = "node" if is_negamax else side
            text = name if path or traced else f"{name} = {answer.value:g}"
        else:
            text = f"{value:g}" if isinstance(value, int | float) else "..."
        if seen := traced.get(path):
            alpha = -inf if seen.alpha is None else seen.alpha
            beta = inf if seen.beta is None else seen.beta
            sign = "="
            if path in above_cutoffs or algorithm == "alpha-beta-fail-hard":
                sign = "≤" if seen.value <= alpha else "≥" if seen.value >= beta else "="
            if is_open or seen.value != value:
                text += f" {sign} {seen.value:g}"
            text += f"  (alpha {alpha:g}, beta {beta:g})" + "  cutoff" * seen.cutoff
        if is_pruned:
            return Text(f"{text}  (pruned)" if path in pruned else text, "dim strike")
        on_path = path == best[: len(path)]
        return Text(
            text + ("  <- best" if on_path and path else ""),
            "bold green" if on_path else ("" if is_open or path in evaluated else "dim"),
        )

    drawn = Tree(label(root, (), False))
    waiting: list[tuple[Any, Cells, Tree, bool]] = [(root, (), drawn, False)]
    while waiting:
        node, path, branch, is_pruned = waiting.pop()
        children = _parts(node)[1]
        if depth is not None and len(path) >= depth:
            continue
        for number, child in enumerate(children):
            below = (*path, number)
            below_pruned = is_pruned or below in pruned
            subtree = branch.add(label(child, below, below_pruned))
            waiting.append((child, below, subtree, below_pruned))
    return drawn


def _parts(node: Any) -> tuple[Any, list[Any]]:
    if isinstance(node, dict):
        return node.get("value"), node.get("children") or []
    return (None, node) if isinstance(node, list) else (node, [])
