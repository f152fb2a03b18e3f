"""What the engine knows of lines, against counting; and that making and unmaking keep it."""

from __future__ import annotations

import random
from itertools import product
from typing import Any

import pytest

from bestmove.search.gomoku import patterns
from bestmove.search.gomoku.core import Engine
from tests.search.bothcores import interpreted_core, scattered


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
    assert patterns.combined(*lines) == found
    classes, _ = patterns.cell_tables()
    a, b, c, d = lines
    assert classes[d | c << 4 | a << 8 | b << 12] == found


def state(engine: Any) -> dict[str, object]:
    """Everything that making a move changes, of an uncompiled engine; codes of empty cells only.

    A marked cell's codes and classes sleep until the mark is taken back.
    """
    empty = [cell for cell in range(421) if engine.board[cell] == 0]
    made = engine.made * 7
    return {
        "board": list(engine.board),
        "codes": {cell: engine.code[cell * 16 : cell * 16 + 16] for cell in empty},
        "keys": {cell: engine.key[cell * 2 : cell * 2 + 2] for cell in empty},
        "kinds": {cell: engine.kind[cell * 2 : cell * 2 + 2] for cell in empty},
        "counts": list(engine.count),
        "worth": list(engine.worth),
        "sets": list(engine.sets),
        "near": list(engine.near[made : made + 7]),
        "taken": list(engine.taken),
        "hash": engine.hash,
        "empty": engine.empty,
    }


@pytest.mark.parametrize(
    "shape", [(3, 3, 3), (5, 4, 4), (7, 7, 5), (1, 9, 3), (6, 6, 2), (8, 9, 9), (15, 15, 5)]
)
def test_the_position_kept_equals_the_position_set_up(shape: tuple[int, int, int]) -> None:
    rows, columns, _ = shape
    rng = random.Random(sum(shape))
    build = interpreted_core()
    engine, fresh = build.Engine(*shape, 4), build.Engine(*shape, 4)
    for _ in range(4):
        cells = bytearray(rows * columns)
        engine._set_up(bytes(cells))
        made: list[int] = []
        for _ in range(50):
            empty = [index for index, mark in enumerate(cells) if mark == 0]
            if made and (not empty or rng.random() < 0.3):
                engine._unmake()
                cells[made.pop()] = 0
            else:
                index, side = rng.choice(empty), rng.randrange(2)
                engine._make(engine._cell(index), side)
                cells[index] = side + 1
                made.append(index)
        fresh._set_up(bytes(cells))
        assert state(engine) == state(fresh)


def test_both_builds_see_the_same_classes() -> None:
    rng = random.Random(5)
    for shape in ((4, 6, 3), (9, 9, 5), (12, 15, 6), (19, 19, 11)):
        cells = scattered(rng, *shape, 24) or bytes(shape[0] * shape[1])
        seen = Engine(*shape, 4).classes(cells)
        assert seen == interpreted_core().Engine(*shape, 4).classes(cells)


def test_each_class_has_a_worth_and_the_order_of_the_lines_none() -> None:
    assert len(patterns.LINE_WORTH) == patterns.LINE_CLASSES
    assert len(patterns.CELL_WORTH) == patterns.CELL_CLASSES
    assert [len(row) for row in patterns.PAIR_WORTH] == [*range(1, patterns.LINE_CLASSES + 1)]
    assert patterns.worth(5, 2, 0, 7) == patterns.worth(7, 0, 2, 5) == patterns.worth(2, 7, 5, 0)
    # A line that leads further is worth more, alone and beside another.
    for more, less in ((patterns.THREE_WIDE, patterns.TWO_WAYS), (patterns.TWO_WAYS, patterns.ONE)):
        assert patterns.worth(more, 2, 2, 2) > patterns.worth(less, 2, 2, 2)
        assert patterns.worth(more, 7, 2, 2) > patterns.worth(less, 7, 2, 2)


def static_value(engine: Engine, cells: bytes, to_move: int) -> int:
    """The estimate without a search: before one, every move of the other side has it turned."""
    return -engine.evaluate_moves(cells, 3 - to_move, depth=0)[0][0].value


@pytest.mark.parametrize("shape", [(15, 15, 5), (9, 9, 4), (11, 7, 6)])
def test_an_estimate_is_the_worth_of_the_cells_and_little_else(
    shape: tuple[int, int, int],
) -> None:
    rows, columns, k = shape
    rng = random.Random(17)
    engine = Engine(rows, columns, k, 4)
    seen = 0
    while seen < 60:
        cells = scattered(rng, rows, columns, k, rng.randrange(2, 20))
        if cells is None:
            continue
        seen += 1
        sums = [0, 0]
        for cell in filter(None, engine.classes(cells)):
            for side in range(2):
                lines = [cell[side] >> shift & 15 for shift in (0, 4, 8, 12)]
                sums[side] += patterns.worth(*lines)
        for to_move in (1, 2):
            value = static_value(engine, cells, to_move)
            cells_alone = sums[to_move - 1] - sums[2 - to_move]
            assert 130 <= value - cells_alone <= 500, (value, cells_alone)
