from __future__ import annotations

import pytest

from bestmove import Rules
from bestmove.errors import InvalidRules


def test_tic_tac_toe_has_eight_lines() -> None:
    assert Rules().lines == (
        (0, 1, 2),
        (3, 4, 5),
        (6, 7, 8),
        (0, 3, 6),
        (1, 4, 7),
        (2, 5, 8),
        (0, 4, 8),
        (2, 4, 6),
    )


@pytest.mark.parametrize(
    ("rows", "columns", "k"), [(15, 15, 5), (3, 7, 5), (1, 19, 3), (6, 4, 2), (5, 5, 1)]
)
def test_the_lines_are_as_many_as_the_formula_says(rows: int, columns: int, k: int) -> None:
    across = rows * max(0, columns - k + 1)
    down = columns * max(0, rows - k + 1)
    diagonal = max(0, rows - k + 1) * max(0, columns - k + 1)
    rules = Rules(rows, columns, k)
    assert len(rules.lines) == across + down + 2 * diagonal
    for cell in range(rules.size):
        assert set(rules.lines_through[cell]) == {line for line in rules.lines if cell in line}


@pytest.mark.parametrize(
    ("rows", "columns", "k", "field"),
    [
        (0, 3, 3, "rows"),
        (3, 21, 3, "columns"),
        (3, 3, 4, "k"),
        (3, 3, 0, "k"),
        ("3", 3, 3, "rows"),
        (3, True, 1, "columns"),
        (3, 3, 3.0, "k"),
    ],
)
def test_rules_out_of_range_name_the_field(
    rows: object, columns: object, k: object, field: str
) -> None:
    with pytest.raises(InvalidRules) as caught:
        Rules(rows, columns, k)  # type: ignore[arg-type]
    assert caught.value.field == field
