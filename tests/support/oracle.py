"""The rules of the game once more, by another road and with no code of the service.

A position is a dict from (row, column) to mark. Lines are found by walking from every mark, and
reachability by taking marks off again.
"""

from __future__ import annotations

from functools import cache

Cells = dict[tuple[int, int], str]


def cells_of(text: str, columns: int) -> Cells:
    flat = text.replace("/", "")
    return {divmod(place, columns): mark for place, mark in enumerate(flat) if mark in "XO"}


def run_from(cells: Cells, start: tuple[int, int], step: tuple[int, int]) -> int:
    """How many marks like the one on `start` follow each other from there."""
    length, (row, column) = 0, start
    while cells.get((row, column)) == cells[start]:
        length, row, column = length + 1, row + step[0], column + step[1]
    return length


def winners(cells: Cells, k: int) -> set[str]:
    steps = ((0, 1), (1, 0), (1, 1), (1, -1))
    return {cells[cell] for cell in cells for step in steps if run_from(cells, cell, step) >= k}


def is_reachable(text: str, columns: int, k: int, first: str = "X") -> bool:
    """Whether some order of alternating moves, with no win before the last, leads here."""
    cells = cells_of(text, columns)
    second = "XO".replace(first, "")
    counts = {mark: list(cells.values()).count(mark) for mark in "XO"}
    if counts[first] - counts[second] not in (0, 1):
        return False
    if not winners(cells, k):
        return True  # then no part of it is won either, and any order will do
    last = first if counts[first] > counts[second] else second
    return any(
        not winners({other: m for other, m in cells.items() if other != cell}, k)
        for cell, mark in cells.items()
        if mark == last
    )


@cache
def solve3(text: str) -> tuple[int, int]:
    """(result for X, plies to the end) of a 3×3 position: quick wins, slow losses."""
    won = winners(cells_of(text, 3), 3)
    if won or "." not in text:
        return (1 if "X" in won else -1 if "O" in won else 0), 0
    mover = "X" if text.count("X") == text.count("O") else "O"
    sign = 1 if mover == "X" else -1
    answers = [solve3(text[:at] + mover + text[at + 1 :]) for at in range(9) if text[at] == "."]
    result, plies = max(
        answers, key=lambda answer: (sign * answer[0], -sign * answer[0] * answer[1])
    )
    return result, plies + 1


@cache
def solve(text: str, columns: int, k: int, first: str = "X") -> int:
    """The result for X of any position, by trying everything."""
    won = winners(cells_of(text, columns), k)
    if won or "." not in text:
        return 1 if "X" in won else -1 if "O" in won else 0
    second = "XO".replace(first, "")
    mover = first if text.count(first) == text.count(second) else second
    results = (
        solve(text[:at] + mover + text[at + 1 :], columns, k, first)
        for at, mark in enumerate(text)
        if mark == "."
    )
    return max(results) if mover == "X" else min(results)
