"""Classes of lines and cells, against slow functions that try marks."""

from __future__ import annotations

import random
from itertools import product

import pytest

from bestmove.search.gomoku import patterns, weights


def completions(line: str, centre: int, k: int) -> list[int]:
    """The empty places of a line whose marking makes k in a row with the centre among them."""
    found = []
    for place, mark in enumerate(line):
        if mark == ".":
            filled = line[:place] + "s" + line[place + 1 :]
            if run_through(filled, centre) >= k and run_through(filled, place) >= k:
                found.append(place)
    return found


def run_through(line: str, place: int) -> int:
    start = place
    while start and line[start - 1] == "s":
        start -= 1
    end = place
    while end < len(line) and line[end] == "s":
        end += 1
    return end - start


def slow_class(line: str, centre: int, k: int) -> str:
    """The broad class of a line whose centre is marked, by trying marks one after another."""
    if run_through(line, centre) >= k:
        return "five"
    if completions(line, centre, k):
        return "open four" if len(completions(line, centre, k)) > 1 else "four"
    next_ones = [
        slow_class_of_four(line[:place] + "s" + line[place + 1 :], centre, k)
        for place, mark in enumerate(line)
        if mark == "."
    ]
    if "open four" in next_ones:
        return "three"
    return "closed three" if "four" in next_ones else "less"


def slow_class_of_four(line: str, centre: int, k: int) -> str:
    found = completions(line, centre, k)
    return "open four" if len(found) > 1 else "four" if found else "less"


BROAD = {
    patterns.FIVE: "five",
    patterns.OPEN_FOUR: "open four",
    patterns.FOUR: "four",
    patterns.THREE: "three",
    patterns.THREE_WIDE: "three",
    patterns.THREE_CLOSED: "closed three",
}


def code(cells: str) -> int:
    """The code of the cells one way from the centre, nearest first, 's' own and '.' empty."""
    return 1 << len(cells) | sum(1 << i for i, mark in enumerate(cells) if mark == "s")


@pytest.mark.parametrize("k", [3, 4, 5])
def test_every_line_has_the_class_that_trying_marks_finds(k: int) -> None:
    for left_length, right_length in product(range(k), repeat=2):
        for left in product("s.", repeat=left_length):
            for right in product("s.", repeat=right_length):
                found = patterns.line_class(code("".join(left)), code("".join(right)), k)
                line = "".join(reversed(left)) + "s" + "".join(right)
                assert BROAD.get(found, "less") == slow_class(line, left_length, k), line


@pytest.mark.parametrize("k", [6, 7, 9, 12, 19])
def test_lines_of_any_k_have_the_class_that_trying_marks_finds(k: int) -> None:
    rng = random.Random(k)
    for _ in range(300):
        marks = rng.choice([0.5, 0.7, 0.9])
        ways = [
            "".join(rng.choices("s.", [marks, 1 - marks], k=rng.randrange(k))) for _ in range(2)
        ]
        found = patterns.line_class(code(ways[0]), code(ways[1]), k)
        line = ways[0][::-1] + "s" + ways[1]
        assert BROAD.get(found, "less") == slow_class(line, len(ways[0]), k), line


def test_the_table_holds_the_classes() -> None:
    for k in range(1, 6):
        table = patterns.line_table(k)
        for left, right in product(range(1, 1 << k), repeat=2):
            assert table[left << k | right] == patterns.line_class(left, right, k)


@pytest.mark.parametrize(
    ("lines", "found"),
    [
        ((patterns.FIVE, 0, 0, 0), patterns.CELL_FIVE),
        ((patterns.FOUR, 0, patterns.FOUR, 0), patterns.CELL_OPEN_FOUR),
        ((0, patterns.FOUR, 0, patterns.THREE), patterns.CELL_FOUR_THREE),
        ((patterns.THREE, patterns.THREE_WIDE, 0, 0), patterns.CELL_DOUBLE_THREE),
        ((patterns.THREE, patterns.TWO, 0, 0), patterns.CELL_THREE_PLUS),
        ((0, 0, 0, 0), patterns.NOTHING),
    ],
)
def test_four_lines_make_a_cell(lines: tuple[int, int, int, int], found: int) -> None:
    assert patterns.cell_class(*lines) == found
    classes, _ = weights.cell_tables()
    a, b, c, d = lines
    assert classes[d | c << 4 | a << 8 | b << 12] == found
