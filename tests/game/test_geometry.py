"""The lines and the symmetries of every game are those of the oracle."""

import random
from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from bestmove.errors import InvalidRules
from bestmove.game import Rules
from bestmove.game.geometry import OFF, Geometry, cells_of, set_of
from bestmove.search.engines.general import engine as general
from tests.support.oracle import EVERY_RULE, Game
from tests.support.positions import game_of

SHAPES = [(3, 3, 3), (4, 5, 3), (5, 4, 4), (5, 5, 4), (8, 8, 2), (1, 9, 4), (6, 1, 3), (3, 3, 1)]

of_every_game = pytest.mark.parametrize(
    "rules",
    [Rules(*shape, **switches) for shape, switches in product(SHAPES, EVERY_RULE)],
    ids=str,
)


@of_every_game
def test_the_lines_and_their_ends_are_those_of_the_oracle(rules: Rules) -> None:
    lines, game = rules.geometry.lines, game_of(rules)
    ends = dict.fromkeys(game.lines, 0) if rules.overline else game.ends
    assert {line.mask: line.ends for line in lines} == ends
    assert len(lines) == len(ends)
    assert all(set_of(line.cells) == line.mask for line in lines)


@of_every_game
def test_each_line_of_a_lane_is_one_cell_further(rules: Rules) -> None:
    geometry = rules.geometry
    for cells, lines in geometry.in_lanes:
        assert {line.lane for line in lines} == {lines[0].lane}
        assert cells == set_of(geometry.lanes[lines[0].lane])
        windows = [geometry.lanes[lines[0].lane][at : at + rules.k] for at in range(len(lines))]
        assert [line.cells for line in lines] == windows


def maps_of(game: Game) -> Iterator[tuple[int, ...]]:
    """Yield the turns and reflections of the board: where each cell moves."""
    rows, columns = game.size // game.columns, game.columns
    cells = list(product(range(rows), range(columns)))
    for flip_rows, flip_columns in product((False, True), repeat=2):
        moved = [
            (rows - 1 - r if flip_rows else r, columns - 1 - c if flip_columns else c)
            for r, c in cells
        ]
        yield tuple(r * columns + c for r, c in moved)
        if rows == columns:
            yield tuple(c * columns + r for r, c in moved)


def keeps(image: Sequence[int], game: Game) -> bool:
    """Return True if the map keeps the lines, their ends, and the moves of a random game."""

    def moved(cells: int) -> int:
        return set_of(image[cell] for cell in cells_of(cells))

    if {moved(line): moved(ends) for line, ends in game.ends.items()} != game.ends:
        return False
    rng, taken = random.Random(1), 0
    while moves := game.moves(taken):
        if moved(set_of(moves)) != set_of(game.moves(moved(taken))):
            return False
        taken |= 1 << rng.choice(moves)
    return True


@of_every_game
def test_the_symmetries_are_the_maps_of_the_board_that_keep_the_game(rules: Rules) -> None:
    symmetries, game = rules.geometry.symmetries, game_of(rules)
    assert symmetries[0].image == tuple(range(rules.size))
    assert {each.image for each in symmetries} == {
        image for image in maps_of(game) if keeps(image, game)
    }
    assert len({each.image for each in symmetries}) == len(symmetries)
    for each in symmetries:
        assert all(each.undone(each.image_of(1 << cell)) == 1 << cell for cell in range(rules.size))
        text = "".join(random.Random(2).choices("XO.", k=rules.size))
        assert all(each.moved(text)[each.image[cell]] == text[cell] for cell in range(rules.size))


class Cylinder(Geometry):
    """A geometry in which lines go round the left and the right edge."""

    def beside(self, cell: int, down: int, right: int) -> int:
        row, column = divmod(cell, self._rules.columns)
        if not 0 <= row + down < self._rules.rows:
            return OFF
        return self._rules.index(row + down, (column + right) % self._rules.columns)


def test_lines_and_symmetries_follow_from_which_cells_are_beside_each_other() -> None:
    geometry = Cylinder(Rules(4, 4, 3, overline=False))
    assert len(geometry.lines) == 4 * 4 + 2 * 4 + 4 * 2 + 4 * 2
    assert (0b1101, 0b0010) in {(line.mask, line.ends) for line in geometry.lines}
    names = [each.name for each in geometry.symmetries]
    assert names == ["identity", "left-right", "top-bottom", "half-turn"]
    lines = {(line.mask, line.ends) for line in geometry.lines}
    for each in geometry.symmetries:
        assert {(each.image_of(mask), each.image_of(ends)) for mask, ends in lines} == lines


def test_more_lines_than_an_engine_can_hold_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    general.Player(Rules(20, 20, 9, misere=True))
    monkeypatch.setattr(Geometry, "beside", Cylinder.beside)
    with pytest.raises(InvalidRules, match="1120 lines of 9 cells are too many"):
        general.Player(Rules(20, 20, 9, misere=True))
