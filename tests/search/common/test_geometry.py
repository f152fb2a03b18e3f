"""The geometry of boards that the engines share: lines, lanes and symmetries."""

import pytest

from bestmove.game import Rules
from bestmove.search.common import geometry

SHAPES = [(3, 3, 3), (4, 5, 3), (5, 4, 4), (8, 8, 2), (1, 9, 4), (6, 1, 3), (3, 3, 1)]


@pytest.mark.parametrize(("rows", "columns", "k"), SHAPES)
def test_the_lines_are_those_of_the_rules(rows: int, columns: int, k: int) -> None:
    masks, lanes = geometry.lines(rows, columns, k)
    of_the_rules = {sum(1 << cell for cell in line) for line in Rules.of(rows, columns, k).lines}
    assert sorted(masks) == sorted(of_the_rules)
    assert len(lanes) == len(masks)


@pytest.mark.parametrize(("rows", "columns", "k"), SHAPES)
def test_lines_of_a_lane_are_each_one_cell_further(rows: int, columns: int, k: int) -> None:
    masks, lanes = geometry.lines(rows, columns, k)
    for i in range(1, len(masks)):
        if lanes[i] == lanes[i - 1]:
            assert (masks[i] & masks[i - 1]).bit_count() == k - 1
        else:
            assert lanes[i] == lanes[i - 1] + 1


@pytest.mark.parametrize(
    ("rows", "columns", "count"), [(3, 3, 8), (4, 5, 4), (1, 7, 2), (7, 1, 2), (1, 1, 1)]
)
def test_the_symmetries_are_different_and_keep_the_lines(
    rows: int, columns: int, count: int
) -> None:
    symmetries = geometry.symmetries(rows, columns)
    assert len({tuple(image) for image in symmetries}) == len(symmetries) == count
    assert symmetries[0] == list(range(rows * columns))
    masks, _ = geometry.lines(rows, columns, 2)
    for image in symmetries:
        assert {geometry.moved(mask, image) for mask in masks} == set(masks)
        back = geometry.inverse(image)
        assert all(geometry.moved(geometry.moved(m, image), back) == m for m in masks)
