"""Tic-tac-toe by minimax, as in tutorials. A user could write it in an evening."""

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


def winner(cells: list[str]) -> str | None:
    for a, b, c in LINES:
        if cells[a] != "." and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return None


def player(cells: list[str]) -> str:
    return "X" if cells.count("X") == cells.count("O") else "O"


def minimax(cells: list[str]) -> int:
    won = winner(cells)
    if won:
        return 1 if won == "X" else -1
    if "." not in cells:
        return 0
    mark = player(cells)
    values = []
    for at in range(9):
        if cells[at] == ".":
            cells[at] = mark
            values.append(minimax(cells))
            cells[at] = "."
    return max(values) if mark == "X" else min(values)


def best_move(cells: list[str]) -> int:
    mark = player(cells)
    values = {}
    for at in range(9):
        if cells[at] == ".":
            cells[at] = mark
            values[at] = minimax(cells)
            cells[at] = "."
    choose = max if mark == "X" else min
    return choose(values, key=values.__getitem__)
