"""The tables of lines and cells agree with slow functions, which try a mark on each empty cell."""

import random
import re
from itertools import product

import pytest

from bestmove.search.engines.gomoku import patterns


def wins(length: int, k: int, overline: bool) -> bool:
    return length >= k if overline else length == k


def completions(line: str, centre: int, k: int, overline: bool) -> list[int]:
    """Return the empty places where a mark completes k in a row through the centre."""
    found = []
    for place, mark in enumerate(line):
        if mark == ".":
            filled = line[:place] + "s" + line[place + 1 :]
            if all(wins(run_through(filled, at), k, overline) for at in (centre, place)):
                found.append(place)
    return found


def run_through(line: str, place: int) -> int:
    """Return the length of the run of own marks through a marked place."""
    before, after = re.search("s*$", line[:place]), re.match("s*", line[place:])
    assert before
    assert after
    return len(before[0]) + len(after[0])


def slow_class(line: str, centre: int, k: int, overline: bool = True) -> str:
    """Classify a line with a marked centre by adding a mark to each empty cell in turn."""
    if wins(run_through(line, centre), k, overline):
        return "five"
    found = completions(line, centre, k, overline)
    if found:
        return "open four" if len(found) > 1 else "four"
    next_ones = [
        slow_class_of_four(line[:place] + "s" + line[place + 1 :], centre, k, overline)
        for place, mark in enumerate(line)
        if mark == "."
    ]
    if "open four" in next_ones:
        return "three"
    return "closed three" if "four" in next_ones else "less"


def slow_class_of_four(line: str, centre: int, k: int, overline: bool) -> str:
    found = completions(line, centre, k, overline)
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
    """Encode the cells on one side of the centre, nearest first. The letter s is an own mark."""
    return 1 << len(cells) | sum(1 << i for i, mark in enumerate(cells) if mark == "s")


@pytest.mark.parametrize("overline", [True, False])
@pytest.mark.parametrize("k", [2, 3, 4, 5])
def test_every_line_has_the_class_that_trying_marks_finds(k: int, overline: bool) -> None:
    reach = patterns.reach(k, overline)
    for left_length, right_length in product(range(reach + 1), repeat=2):
        for left in product("s.", repeat=left_length):
            for right in product("s.", repeat=right_length):
                line, found = checked("".join(left), "".join(right), k, overline)
                assert (found == patterns.DEAD) == is_dead(line, left_length, k, overline), line


def checked(left: str, right: str, k: int, overline: bool) -> tuple[str, int]:
    """Assert that a line has the right class; return both. `left`: the nearest cell comes first."""
    line = left[::-1] + "s" + right
    found = patterns.line_class(code(left), code(right), k, overline)
    assert BROAD.get(found, "less") == slow_class(line, len(left), k, overline), line
    return line, found


def is_dead(line: str, centre: int, k: int, overline: bool) -> bool:
    """Return True if the line can never have k in a row through the centre."""
    return not any(
        wins(run_through("".join(filled), centre), k, overline)
        for filled in product(*("s." if mark == "." else "s" for mark in line))
    )


@pytest.mark.parametrize(
    ("k", "overline"),
    [(19, True), *((k, overline) for k in (6, 7, 9, 12, 18) for overline in (True, False))],
)
def test_lines_of_any_k_have_the_class_that_trying_marks_finds(k: int, overline: bool) -> None:
    rng = random.Random(k)
    reach = patterns.reach(k, overline)
    for _ in range(300):
        marks = rng.choice([0.5, 0.7, 0.9])
        left, right = (
            "".join(rng.choices("s.", [marks, 1 - marks], k=rng.randint(0, reach)))
            for _ in range(2)
        )
        checked(left, right, k, overline)


@pytest.mark.parametrize(
    ("k", "overline"), [(1, True), (2, False), (4, True), (5, True), (5, False), (6, True)]
)
def test_a_window_has_the_classes_of_both_sides(k: int, overline: bool) -> None:
    rng = random.Random(k)
    reach = patterns.reach(k, overline)
    before, after, table = patterns.window_table(k, overline)
    assert len(before) == len(after) == 1 << 2 * reach
    for _ in range(300):
        left, right = ("".join(rng.choices(".XO#", (6, 3, 3, 1), k=reach)) for _ in range(2))
        halves = [
            sum(".XO#".index(cell) << 2 * at for at, cell in enumerate(half))
            for half in (left, right)
        ]
        classes = table[before[halves[0]] + after[halves[1]]]
        for side, shift in (("X", 0), ("O", 4)):
            ways = (left[::-1], right)
            reached = [re.split(f"[^.{side}]", way)[0] for way in ways]
            codes = [code(cells.replace(side, "s")) for cells in reached]
            found = patterns.line_class(codes[0], codes[1], k, overline)
            assert classes >> shift & 15 == found, (left, right, side)


def test_the_sum_of_four_lines_names_their_combination() -> None:
    sums = [sum(patterns.SUMMANDS[line] for line in lines) for lines in patterns.COMBINATIONS]
    assert len(set(sums)) == len(patterns.COMBINATIONS)
    numbers = patterns.combination_numbers()
    assert [numbers[of] for of in sums] == list(range(len(sums)))


def test_the_number_of_remembered_classes_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    empty = 1 << patterns.reach(7, False)
    for right in range(empty, empty + 16):
        patterns.line_class(empty, right, 7, overline=False)
    known = len(patterns._known_classes(7, False))
    monkeypatch.setattr(patterns, "_MOST_KNOWN", known - 1)
    patterns.line_class(empty, empty, 7, overline=False)
    assert len(patterns._known_classes(7, False)) < known
