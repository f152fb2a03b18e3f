"""Makes the opening book of Connect Four from a public database.

    python -m benchmarks.engine.connect4_book book_12ply_distances.dat opening.bin

The first file is from the package bitbully-databases (Markus Thill). It contains positions of 12
discs, in five bytes each:

- Four bytes list the columns from the left, and the discs of each column from the bottom. The bits
  10 are a disc of the first player, 11 are a disc of the second player, and 0 ends a column.
- One byte is 100 minus the plies to the end. It is negated for a loss, and 0 for a draw.

The program takes about a minute and 2 GB. Tests check the book's scores with the engine's proofs.
"""

import argparse
from pathlib import Path
from typing import Any, Final

import numpy as np

from bestmove.search.engines.connect4 import book
from bestmove.search.engines.connect4.kernel import DropKernel

Words = np.ndarray[Any, np.dtype[np.uint64]]
Scores = np.ndarray[Any, np.dtype[np.int8]]

DISCS: Final = 12
CELLS: Final = book.ROWS * book.COLUMNS
HEIGHT: Final = book.ROWS + 1
COLUMN: Final = (1 << HEIGHT) - 1
NONE: Final = -100


class Level:
    """The positions with a certain number of discs, sorted by their keys (own + mask). Of a
    position and its mirror image, only one is included."""

    def __init__(self, own: Words, mask: Words) -> None:
        keys, order = np.unique(own + mask, return_index=True)
        self.keys: Words = keys
        self.own: Words = own[order]
        self.mask: Words = mask[order]
        self.scores: Scores = np.full(len(keys), NONE, np.int8)


def mirrored(words: Words) -> Words:
    result = np.zeros_like(words)
    for _ in range(book.COLUMNS):
        result = (result << np.uint64(HEIGHT)) | (words & np.uint64(COLUMN))
        words = words >> np.uint64(HEIGHT)
    return result


def smaller(own: Words, mask: Words) -> tuple[Words, Words]:
    """Return each position or its mirror image, whichever has the smaller key."""
    image, image_mask = mirrored(own), mirrored(mask)
    flip = image + image_mask < own + mask
    return np.where(flip, image, own), np.where(flip, image_mask, mask)


def has_four(own: Words) -> np.ndarray[Any, np.dtype[np.bool_]]:
    found = np.zeros(len(own), np.bool_)
    for shift in (1, HEIGHT - 1, HEIGHT, HEIGHT + 1):
        pairs = own & (own >> np.uint64(shift))
        found |= (pairs & (pairs >> np.uint64(2 * shift))) != 0
    return found


def played(level: Level, column: int) -> tuple[Any, Words, Words, Any]:
    """Play a column in each position in which the column is not full.

    Return the indices of these positions, `own` and `mask` after the move, and whether the move
    wins.
    """
    bottom = np.uint64(1 << HEIGHT * column)
    top = np.uint64(1 << HEIGHT * column + book.ROWS - 1)
    at = np.flatnonzero(level.mask & top == 0)
    own, mask = level.own[at], level.mask[at]
    after = mask | (mask + bottom)
    return at, own ^ mask, after, has_four(own | (after ^ mask))


def next_level(level: Level) -> Level:
    owns, masks = [], []
    for column in range(book.COLUMNS):
        _, own, mask, won = played(level, column)
        own, mask = smaller(own[~won], mask[~won])
        owns.append(own)
        masks.append(mask)
    return Level(np.concatenate(owns), np.concatenate(masks))


def move_scores(level: Level, following: Level, discs: int) -> list[Scores]:
    """Return the scores of each column: a score for each position, NONE if the column is full."""
    left = CELLS - discs
    result = []
    for column in range(book.COLUMNS):
        at, own, mask, won = played(level, column)
        own, mask = smaller(own, mask)
        places = np.searchsorted(following.keys, own + mask).clip(0, len(following.keys) - 1)
        assert np.all(won | (following.keys[places] == own + mask))
        scores = np.full(len(level.keys), NONE, np.int8)
        scores[at] = np.where(won, (left + 1) // 2, -following.scores[places])
        result.append(scores)
    return result


def read_database(path: Path, level: Level) -> None:
    data = np.frombuffer(path.read_bytes(), np.uint8).reshape(-1, 5)
    code = data[:, :4].astype(np.uint64) @ np.array([1 << 24, 1 << 16, 1 << 8, 1], np.uint64)
    value = data[:, 4].astype(np.int8).astype(np.int64)
    own, mask = np.zeros(len(code), np.uint64), np.zeros(len(code), np.uint64)
    column = np.zeros(len(code), np.uint64)
    bit = np.ones(len(code), np.uint64)
    shift = np.full(len(code), 31, np.int64)
    while np.any(column < book.COLUMNS):
        open_ = column < book.COLUMNS
        disc = open_ & ((code >> shift.clip(0).astype(np.uint64)) & np.uint64(1) == 1)
        mine = disc & ((code >> (shift - 1).clip(0).astype(np.uint64)) & np.uint64(1) == 0)
        mask[disc] |= bit[disc]
        own[mine] |= bit[mine]
        ended = open_ & ~disc
        column[ended] += np.uint64(1)
        bit = np.where(disc, bit << np.uint64(1), bit)
        bit[ended] = np.uint64(1) << (column[ended] * np.uint64(HEIGHT))
        shift -= np.where(disc, 2, 1)
    own, mask = smaller(own, mask)
    places = np.searchsorted(level.keys, own + mask).clip(0, len(level.keys) - 1)
    known = level.keys[places] == own + mask
    plies = 100 - np.abs(value)
    # A score depends on the number of discs at the end: see `plies_of` in solver.py.
    end = DISCS + plies
    score = np.sign(value) * ((CELLS + 2 - end) // 2)
    level.scores[places[known]] = score[known]
    print(f"{len(value):,} positions of {DISCS} discs read, {known.sum():,} of them in play")


def obvious(level: Level) -> None:
    """Solve the positions that the database lacks. In these positions, one of the next two discs
    wins."""
    kernel = DropKernel(book.ROWS, book.COLUMNS, book.K)
    missing = np.flatnonzero(level.scores == NONE)
    print(f"{len(missing):,} positions of {DISCS} discs are left to solve")
    for place in missing:
        kernel.begin(None, None)
        score = kernel.score(int(level.own[place]), int(level.mask[place]))
        assert score is not None
        level.scores[place] = score


def best_columns(mask: int, scores: dict[int, int]) -> list[int]:
    """Return the columns of the best moves: fullest first, equally full columns from the left."""
    heights = {c: (mask >> HEIGHT * c & COLUMN).bit_count() for c in scores}
    best = max(scores.values())
    return sorted((c for c in scores if scores[c] == best), key=lambda c: (-heights[c], c))


def following_line(
    own: int, mask: int, column: int, levels: list[Level], moves: list[list[Scores]], discs: int
) -> list[int]:
    """Return the columns of the next three moves after `column`, if both sides play best moves. If
    the game ends earlier, 7 replaces each missing column."""
    line: list[int] = []
    while True:
        before = mask
        mask |= mask + (1 << HEIGHT * column)
        own ^= before
        discs += 1
        if discs == DISCS or bool(has_four(np.array([own ^ mask], np.uint64))[0]):
            return [*line, 7, 7, 7][:3]
        near, near_mask = smaller(np.array([own], np.uint64), np.array([mask], np.uint64))
        place = int(np.searchsorted(levels[discs].keys, near + near_mask)[0])
        flipped = int(near_mask[0]) != mask or int(near[0]) != own
        scores = {
            (book.COLUMNS - 1 - c if flipped else c): int(of[place])
            for c, of in enumerate(moves[discs])
            if of[place] != NONE
        }
        column = best_columns(mask, scores)[0]
        line.append(column)


def build(database: Path) -> bytes:
    levels = [Level(np.zeros(1, np.uint64), np.zeros(1, np.uint64))]
    for _ in range(DISCS):
        levels.append(next_level(levels[-1]))
    print("positions by discs:", *(f"{len(level.keys):,}" for level in levels))
    read_database(database, levels[DISCS])
    obvious(levels[DISCS])
    moves: list[list[Scores]] = [[] for _ in levels]
    for discs in range(DISCS - 1, -1, -1):
        moves[discs] = move_scores(levels[discs], levels[discs + 1], discs)
        levels[discs].scores = np.max(moves[discs], axis=0)
    names, scores, following = [], [], []
    for discs, level in enumerate(levels[: book.DISCS + 1]):
        rows = []
        for place, (own, mask) in enumerate(
            zip(level.own.tolist(), level.mask.tolist(), strict=True)
        ):
            number, flipped = book.name(own, mask)
            rows.append((number, flipped, place, own, mask))
        for number, flipped, place, own, mask in sorted(rows):
            names.append(number)
            if discs < book.DISCS:
                scores.append(int(level.scores[place]))
                continue
            known = {c: int(of[place]) for c, of in enumerate(moves[discs]) if of[place] != NONE}
            if flipped:
                own, mask = (int(mirrored(np.array([x], np.uint64))[0]) for x in (own, mask))
                known = {book.COLUMNS - 1 - c: score for c, score in known.items()}
            # In the docstring of `book`, move A is `best[0]` here, and move B is `last`.
            best = best_columns(mask, known)
            heights = {c: (mask >> HEIGHT * c & COLUMN).bit_count() for c in best}
            last = max(c for c in best if heights[c] == heights[best[0]])
            word = 0
            for c, score in known.items():
                word |= (score + book.BIAS) << 6 * c
            for i, start in enumerate((best[0], last)):
                line = following_line(own, mask, start, levels, moves, discs)
                for j, c in enumerate(line):
                    word |= c << 42 + 9 * i + 3 * j
            following.append(word)
    counts = [len(level.keys) for level in levels[: book.DISCS + 1]]
    return b"".join(
        np.array(numbers, kind).tobytes()
        for numbers, kind in ((counts, "<u4"), (names, "<u4"), (scores, "i1"), (following, "<u8"))
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("database", type=Path)
    parser.add_argument("target", type=Path)
    arguments = parser.parse_args()
    data = build(arguments.database)
    arguments.target.write_bytes(data)
    print(f"{len(book.Book(data)):,} positions, {len(data):,} bytes")


if __name__ == "__main__":
    main()
